"""What stands on a card and what its buttons say, case by case; the wording itself is in the golden texts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.effects import Asked, CardState, Closed, Ended, Paused, Reply, Returned, Running, StartCard, Verdict
from bot.core.events import Change
from bot.core.quiz import Option, Question
from bot.core.session import Drawn, Ending, Feedback, Order, Pace, Phase, Result, Settings
from bot.messages import Card, Mark, Role, Style
from bot.present import picker, post, reply
from bot.presses import (
    Again,
    Begin,
    Browse,
    Choose,
    Configure,
    Next,
    Page,
    Pick,
    Practise,
    Report,
    Resume,
    Send,
    Stop,
    Toggle,
    dump,
    load,
)
from bot.words import languages, words_of
from tests.present.plain import buttons, labels, plain
from tests.present.sample import DRAW, NOON, QUIZ, quiz_of, result, same, standing
from tests.present.scenes import ALONE, ASKED, CARD, CLOSED, ENDED, MISSED, OWN, POSTS, RESULTS


def _said(card: Card, role: Role) -> list[str]:
    return [block.text for block in card.blocks if block.role is role]


def _wide(count: int, *, right: int = 1) -> Question:
    return Question("q", same("?"), tuple(Option(same(str(n)), right=n < right) for n in range(count)))


def _asked(count: int, **changes: bool) -> Asked:
    return replace(ALONE, at=0, drawn=Drawn(0, tuple(range(count))), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "rows"),
    [(2, ["AB"]), (5, ["ABCDE"]), (8, ["ABCDEFGH"]), (9, ["ABCDE", "FGHI"]), (10, ["ABCDE", "FGHIJ"])],
)
def test_letters_stand_in_one_row_and_in_rows_of_five_when_there_are_many(count: int, rows: list[str]) -> None:
    card = post(_asked(count), quiz_of(_wide(count)), "en")
    assert ["".join(row) for row in labels(card)[:-1]] == rows


def test_a_letter_chooses_the_option_beside_it() -> None:
    card = post(ASKED, QUIZ, "en")
    shown = {block.lead: block.text for block in card.blocks if block.role is Role.OPTION}
    for button in card.all_buttons[:-1]:
        assert isinstance(button.press, Choose)
        option = QUIZ.questions[0].options[button.press.option]
        assert shown[button.label] == option.text["en"]


def test_several_right_options_are_toggled_and_sent() -> None:
    card = post(_asked(3), quiz_of(_wide(3, right=2)), "en")
    assert [button.press for button in card.all_buttons] == [
        *(Toggle("s1", 0, option) for option in range(3)),
        Send("s1", 0),
        Next("s1", 0),
    ]


def test_a_card_carries_the_deadline_and_says_the_limit_only_with_a_clock() -> None:
    assert post(ASKED, QUIZ, "en").deadline == NOON + timedelta(seconds=30)
    assert _said(post(ALONE, QUIZ, "en"), Role.FACT) == []
    assert post(ALONE, QUIZ, "en").deadline is None


def test_only_a_channel_counts_who_has_answered() -> None:
    assert "3 answered" in plain(post(replace(ASKED, answered=3), QUIZ, "en"))
    assert "answered" not in plain(post(replace(ASKED, answered=0), QUIZ, "en"))
    assert "answered" not in plain(post(replace(ALONE, answered=1), QUIZ, "en"))


@pytest.mark.parametrize(
    ("available", "row"),
    [
        (1, ["✓ Just 1 question"]),
        (3, ["✓ All 3 questions"]),
        (4, ["3", "✓ All 4 questions"]),
        (8, ["3", "✓ 4", "5", "All 8 questions"]),
        (40, ["3", "✓ 4", "5", "10", "All 40 questions"]),
    ],
)
def test_a_count_can_be_chosen_only_where_it_is_possible(available: int, row: list[str]) -> None:
    settings = Settings(Pace.RELAXED, count=4)
    card = post(replace(CARD, settings=settings, available=available, state=CardState.CONFIGURING), QUIZ, "en")
    assert list(labels(card)[0]) == row


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("available", [1, 2, 8, 20, 101])
def test_the_row_of_counts_says_that_it_counts_questions(available: int, language: str) -> None:
    card = post(replace(CARD, available=available, state=CardState.CONFIGURING), QUIZ, language)
    counted = words_of(language).ngettext("{count} question", "{count} questions", available).partition(" ")[2]
    last = labels(card)[0][-1]
    assert str(available) in last
    assert last.endswith(counted)
    assert len(last) <= 32


def test_more_questions_than_there_are_means_all_of_them_and_can_be_pressed() -> None:
    card = post(replace(CARD, settings=Settings(Pace.STEADY, count=10**9), available=12), QUIZ, "en")
    assert "12 questions" in _said(card, Role.FACT)
    for button in card.all_buttons:
        assert load(dump(button.press)) == button.press
        assert not isinstance(button.press, Configure) or (button.press.change.count or 1) <= 12


def test_each_row_of_settings_marks_the_one_that_holds_and_offers_others() -> None:
    settings = Settings(Pace.BRISK, 5, Feedback.AT_CLOSE, Order.SHUFFLED, speed_bonus=True)
    card = post(replace(CARD, settings=settings, state=CardState.CONFIGURING), QUIZ, "en")
    *rows, (*orders, switch) = buttons(card)[:-1]
    marked = [[button.press for button in row if button.label.startswith("✓ ")] for row in (*rows, orders)]
    assert marked == [
        [Configure("s1", change, True)]
        for change in (
            Change(count=5),
            Change(pace=Pace.BRISK),
            Change(feedback=Feedback.AT_CLOSE),
            Change(order=Order.SHUFFLED),
        )
    ]
    assert (switch.label, switch.press) == ("Speed bonus: on", Configure("s1", Change(speed_bonus=False), True))
    for row in rows:
        assert len({button.press for button in row}) == len(row)


def test_a_speed_bonus_is_offered_and_named_only_with_a_clock() -> None:
    settings = Settings(Pace.RELAXED, 5, speed_bonus=True)
    card = post(replace(CARD, settings=settings, state=CardState.CONFIGURING), QUIZ, "en")
    assert "Speed bonus" not in plain(card)


def test_settings_fold_out_and_in_again() -> None:
    folded, unfolded = post(CARD, QUIZ, "en"), post(replace(CARD, state=CardState.CONFIGURING), QUIZ, "en")
    for card, opens in ((folded, True), (unfolded, False)):
        start, fold = buttons(card)[-1]
        assert (start.press, start.style) == (Begin("s1"), Style.PRIMARY)
        assert fold.press == Configure("s1", Change(), opens)


@pytest.mark.parametrize("state", [CardState.BEGUN, CardState.STOPPED, CardState.EXPIRED])
def test_a_start_card_that_has_had_its_time_has_no_buttons(state: CardState) -> None:
    assert not post(replace(CARD, state=state), QUIZ, "en").buttons


def test_the_host_is_named_in_a_channel_alone() -> None:
    assert "Host: Ann" in plain(post(CARD, QUIZ, "en"))
    assert "Ann" not in plain(post(replace(CARD, private=True), QUIZ, "en"))


def test_a_closed_question_marks_the_key_by_symbol_and_word_and_counts_choices() -> None:
    options = [block for block in post(CLOSED, QUIZ, "en").blocks if block.role is Role.OPTION]
    assert [(block.mark, block.tail) for block in options] == [
        (Mark.NONE, ""),
        (Mark.RIGHT, "✓ right · 3 chose it"),
        (Mark.NONE, "1 chose it"),
        (Mark.NONE, "1 chose it"),
    ]


def test_alone_the_own_wrong_answer_is_marked_too() -> None:
    options = [block for block in post(MISSED, QUIZ, "en").blocks if block.role is Role.OPTION]
    assert [block.mark for block in options] == [Mark.NONE, Mark.RIGHT, Mark.NONE, Mark.WRONG]
    assert options[3].tail == "✗ your answer"


def test_until_the_end_nothing_is_marked_counted_or_explained() -> None:
    for private in (False, True):
        card = post(replace(CLOSED, reveal=False, private=private), QUIZ, "en")
        assert {(block.mark, block.tail) for block in card.blocks} == {(Mark.NONE, "")}
        assert not _said(card, Role.EXPLANATION) + _said(card, Role.SOURCE)


def test_sources_are_links() -> None:
    links = [(block.text, block.url) for block in post(CLOSED, QUIZ, "bg").blocks if block.role is Role.SOURCE]
    assert links == [
        ("Натрупване", "https://example.org/accumulation"),
        ("example.org/batches", "https://example.org/batches"),
    ]


@pytest.mark.parametrize(("at", "label"), [(0, "Next"), (2, "Next"), (3, "Show the results")])
def test_after_the_last_question_next_shows_the_results(at: int, label: str) -> None:
    card = post(replace(CLOSED, at=at, step=2 * at + 1), QUIZ, "en")
    onward = card.all_buttons[0]
    assert (onward.label, onward.press) == (label, Next("s1", 2 * at + 1))


@pytest.mark.parametrize("private", [False, True])
def test_a_question_can_be_reported_once_its_answer_is_shown(private: bool) -> None:
    effect = replace(CLOSED, at=2, step=None, private=private)
    report = [[Report("s1", 2)]]
    assert [[button.press for button in row] for row in buttons(post(effect, QUIZ, "en"))] == report
    assert [
        [button.press for button in row] for row in buttons(post(replace(effect, afterwards=True), QUIZ, "en"))
    ] == report
    assert not post(replace(effect, reveal=False), QUIZ, "en").buttons


def test_where_there_is_a_way_on_it_comes_first_in_one_row_with_reporting() -> None:
    (row,) = buttons(post(CLOSED, QUIZ, "en"))
    assert [button.press for button in row] == [Next("s1", 1), Report("s1", 0)]
    assert [button.style for button in row] == [Style.PRIMARY, Style.PLAIN]
    (row,) = buttons(post(replace(CLOSED, reveal=False), QUIZ, "en"))
    assert [button.press for button in row] == [Next("s1", 1)]


def test_a_pause_can_be_ended_or_stopped_until_it_is_over() -> None:
    pause = Paused("s1", 1, private=False)
    assert [button.press for button in post(pause, None, "en").all_buttons] == [Resume("s1"), Stop("s1")]
    for ending in (None, Ending.STOPPED, Ending.EXPIRED):
        assert not post(replace(pause, over=True, ending=ending), None, "en").buttons


@pytest.mark.parametrize("language", languages())
def test_a_pause_that_ended_with_its_quiz_is_not_just_over(language: str) -> None:
    endings = (None, Ending.STOPPED, Ending.EXPIRED)
    said = {plain(post(Paused("s1", 1, False, True, ending), None, language)) for ending in endings}
    assert len(said) == len(endings)


@pytest.mark.parametrize("ending", [*Ending, None])
def test_a_pause_can_be_over_in_any_way(ending: Ending | None) -> None:
    assert plain(post(Paused("s1", 1, private=False, over=True, ending=ending), None, "en"))


@pytest.mark.parametrize(
    ("seconds", "said"), [(61, "1 minute"), (303, "5 minutes"), (10, "1 minute"), (7260, "2 hr 1 min")]
)
def test_an_outage_is_told_in_minutes(seconds: int, said: str) -> None:
    assert f"away for {said}." in plain(post(Returned("s1", NOON, timedelta(seconds=seconds)), None, "en"))


def test_equal_places_share_a_rank_and_a_medal() -> None:
    places = tuple(standing(rank, name, right=1) for rank, name in ((1, "A"), (2, "B"), (2, "C"), (4, "D")))
    card = post(replace(ENDED, standings=places), QUIZ, "en")
    assert [b.lead for b in card.blocks if b.role is Role.STANDING] == ["🥇 1.", "🥈 2.", "🥈 2.", "4."]


def test_without_a_right_answer_there_is_a_place_and_no_medal() -> None:
    places = (standing(1, "A", right=1), standing(2, "B", right=0), standing(2, "C", right=0))
    leads = [["🥇 1.", "2.", "2."], ["1.", "1."]]
    for shown, lead in zip((places, tuple(replace(place, rank=1) for place in places[1:])), leads, strict=True):
        card = post(replace(ENDED, standings=shown), QUIZ, "en")
        assert [block.lead for block in card.blocks if block.role is Role.STANDING] == lead


@pytest.mark.parametrize("effect", [ENDED, OWN])
def test_only_keys_that_have_been_held_back_are_pointed_to_at_the_end(effect: Ended) -> None:
    said = "The answers now stand with the questions above."
    assert said not in plain(post(effect, QUIZ, "en"))
    late = replace(effect, afterwards=True)
    assert _said(post(late, QUIZ, "en"), Role.LINE)[-1] == said
    assert said not in plain(post(replace(late, results=(), standings=(), players=0), QUIZ, "en"))


def test_points_are_said_only_when_they_differ_from_right_answers() -> None:
    plain_places = tuple(standing(1, name, right=3) for name in "AB")
    with_bonus = (standing(1, "A", right=3, points=345), standing(2, "B", right=1))
    assert "point" not in plain(post(replace(ENDED, standings=plain_places), QUIZ, "en"))
    said = _said(post(replace(ENDED, standings=with_bonus), QUIZ, "en"), Role.STANDING)
    assert said == ["A — 3 of 4 right, 3.45 points", "B — 1 of 4 right, 1 point"]


@pytest.mark.parametrize(
    ("points", "said"),
    [(0, "0 points"), (100, "1 point"), (145, "1.45 points"), (150, "1.5 points"), (200, "2 points")],
)
def test_a_fraction_of_points_takes_the_plural(points: int, said: str) -> None:
    places = (standing(1, "A", right=4, points=550), standing(2, "B", right=1, points=points))
    assert _said(post(replace(ENDED, standings=places), QUIZ, "en"), Role.STANDING)[1].endswith(f", {said}")


def test_whoever_is_in_the_standings_is_named_and_the_rest_counted() -> None:
    places = tuple(standing(1, f"P{number}", right=1) for number in range(20))
    card = post(replace(ENDED, standings=places, others=100), QUIZ, "en")
    assert [said.partition(" ")[0] for said in _said(card, Role.STANDING)] == [f"P{number}" for number in range(20)]
    assert "and 100 more" in _said(card, Role.LINE)


def test_one_player_and_nobody_are_results_too() -> None:
    one = post(replace(ENDED, standings=(standing(1, "A", right=1),), others=0), QUIZ, "en")
    nobody = post(replace(ENDED, players=0, standings=(), others=0), QUIZ, "en")
    assert "more" not in plain(one)
    assert _said(nobody, Role.LINE) == ["Nobody answered this time."]


@pytest.mark.parametrize(
    ("results", "number"),
    [
        ([(5, 3), (5, 1), (5, 5)], 2),
        ([(5, 2), (5, 2)], 1),
        ([(10, 4), (2, 1)], 1),
        ([(0, 0), (4, 3)], 2),
        ([(5, 5), (0, 0)], None),
    ],
)
def test_the_question_most_missed_is_named_if_anyone_missed_one(
    results: list[tuple[int, int]], number: int | None
) -> None:
    closed = tuple(Result(DRAW[at], (0,) * 4, *counts) for at, counts in enumerate(results))
    said = plain(post(replace(ENDED, results=closed), QUIZ, "en"))
    assert ("Most missed" in said) == (number is not None)
    assert number is None or f"Most missed: question {number}." in said


def test_alone_every_missed_question_is_listed_with_its_answer() -> None:
    missed = [block for block in post(OWN, QUIZ, "en").blocks if block.lead]
    assert [(block.lead, block.tail) for block in missed] == [
        ("1.", "Right answer: B. 32"),
        ("2.", "Right answers: A. GroupNorm; C. LayerNorm"),
    ]


def test_alone_a_flawless_run_lists_nothing() -> None:
    card = post(replace(OWN, ending=Ending.COMPLETED, results=(result(2, 1, 0, answered=1, right=1),)), QUIZ, "en")
    assert _said(card, Role.LINE) == ["You got 1 of 1 right."]


def test_alone_a_long_list_of_missed_questions_is_cut_and_the_rest_counted() -> None:
    missed = (result(2, 0, 1, answered=1, right=0),) * 23
    card = post(replace(OWN, results=missed, total=23), QUIZ, "en")
    assert len([block for block in card.blocks if block.lead]) == 20
    assert _said(card, Role.LINE)[-1] == "and 3 more"


def test_alone_nothing_asked_is_said_so() -> None:
    card = post(replace(OWN, ending=Ending.EXPIRED, results=(), players=0), QUIZ, "en")
    assert _said(card, Role.LINE)[-1] == "No question was asked."


def test_a_long_stem_is_called_to_mind_in_a_hundred_characters() -> None:
    quiz = quiz_of(replace(_wide(2), stem=same("word " * 80)))
    card = post(replace(OWN, results=(Result(Drawn(0, (0, 1)), (0, 1), 1, 0),)), quiz, "en")
    (line,) = [block.text for block in card.blocks if block.lead]
    assert line == " ".join(["word"] * 19) + "…"
    assert len(line) <= 100


def test_the_end_offers_the_quiz_again_and_others_and_to_practise_what_was_missed() -> None:
    for effect in (ENDED, OWN):
        assert [button.press for button in post(effect, QUIZ, "en").all_buttons] == [Again("s1"), Browse(), Practise()]


def test_where_nobody_missed_anything_there_is_nothing_to_practise() -> None:
    known, let_pass = result(2, 4, 0, answered=4, right=4), result(2, 3, 0, answered=3, right=3)
    alone = result(2, 1, 0, answered=1, right=1)
    for effect in (
        replace(ENDED, results=(known,)),
        replace(ENDED, results=RESULTS, players=0, standings=(), others=0),
        replace(ENDED, results=()),
        replace(OWN, results=(alone,)),
    ):
        assert [button.press for button in post(effect, QUIZ, "en").all_buttons] == [Again("s1"), Browse()]
    card = post(replace(ENDED, results=(known, let_pass)), QUIZ, "en")
    assert Practise() in [button.press for button in card.all_buttons]


def test_a_verdict_comes_first_then_the_note_then_the_explanation() -> None:
    wrong: Reply = Verdict(DRAW[0], (3,), False, 0, "digest")
    assert [block.role for block in reply(wrong, QUIZ, "en").blocks] == [Role.VERDICT, Role.NOTE, Role.EXPLANATION]


def test_a_verdict_notes_only_what_was_wrongly_chosen() -> None:
    card = reply(Verdict(DRAW[1], (0, 2), False, 0, "digest"), QUIZ, "en")
    assert [(block.lead, block.text) for block in card.blocks if block.role is Role.NOTE] == [
        ("B", "It takes its statistics from the batch.")
    ]


def test_a_note_on_a_right_option_is_told_to_those_who_got_all_right() -> None:
    options = (
        Option(same("a"), right=True, note=same("why a")),
        Option(same("b"), right=True),
        Option(same("c"), note=same("why not c")),
    )
    quiz, drawn = quiz_of(Question("q", same("?"), options)), Drawn(0, (0, 1, 2))
    replies: dict[str, Reply] = {
        "why a": Verdict(drawn, (0, 1), True, 100, "digest"),
        "why not c": Verdict(drawn, (0, 2), False, 0, "digest"),
        "": Verdict(drawn, (0,), False, 0, "digest"),
    }
    assert ["".join(_said(reply(effect, quiz, "en"), Role.NOTE)) for effect in replies.values()] == list(replies)
    tallies = {"why a": ((1, 1, 0), 1), "why not c": ((1, 0, 1), 0), "": ((1, 0, 0), 0)}
    for note, (tally, right) in tallies.items():
        card = post(replace(MISSED, result=Result(drawn, tally, 1, right)), quiz, "en")
        assert "".join(_said(card, Role.NOTE)) == note


def test_a_verdict_without_its_quiz_still_says_right_or_wrong() -> None:
    card = reply(Verdict(DRAW[0], (3,), False, 0, "digest"), None, "en")
    assert [(block.text, block.tail) for block in card.blocks] == [("✗ Wrong.", "You chose C.")]


@pytest.mark.parametrize("scene", ["card-waiting", "asked-channel", "closed-channel", "ended"])
def test_a_card_that_needs_its_quiz_says_so_to_the_caller(scene: str) -> None:
    with pytest.raises(ValueError, match="of session s1 cannot be shown without its quiz"):
        post(POSTS[scene], None, "en")


@pytest.mark.parametrize(
    ("page", "numbers"), [(-1, range(1, 9)), (0, range(1, 9)), (1, range(9, 12)), (99, range(9, 12))]
)
def test_the_picker_shows_the_nearest_page_there_is(page: int, numbers: range) -> None:
    quizzes = [replace(QUIZ, slug=f"quiz-{number}") for number in range(1, 12)]
    card = picker(quizzes, "en", page)
    picks = [button for button in card.all_buttons if isinstance(button.press, Pick)]
    assert [button.label for button in picks] == [str(number) for number in numbers]
    assert [button.press for button in picks] == [Pick(f"quiz-{number}") for number in numbers]
    turns = [button.press for button in card.all_buttons if isinstance(button.press, Page)]
    assert turns == ([Page(1)] if numbers[0] == 1 else [Page(0)])


def test_a_short_picker_has_no_pages_and_an_empty_one_says_so() -> None:
    assert labels(picker([QUIZ], "en", 0)) == (("1",),)
    assert picker([], "en", 0).blocks[0].text == "There is no quiz here yet."


def test_posts_are_presented_the_same_every_time() -> None:
    effects: list[StartCard | Asked | Closed | Ended] = [CARD, ASKED, CLOSED, ENDED]
    for effect in effects:
        assert post(effect, QUIZ, "ro") == post(effect, QUIZ, "ro")


def test_whoever_starts_a_second_quiz_gets_a_link_to_the_first() -> None:
    running: Reply = Running("s1", Phase.OPEN, 2, 8)
    (linked,) = reply(running, None, "en", "https://example.org/7").blocks
    (bare,) = reply(running, None, "en").blocks
    assert linked.url == "https://example.org/7"
    assert replace(linked, url="") == bare
