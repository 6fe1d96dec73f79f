"""Statistics in words, and what a picture says to those who do not see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.telegram.render import fits_under_a_file
from bot import present
from bot.charts import Tone
from bot.core.quiz import LocalisedText
from bot.drawing import painted
from bot.preferences import Reminders
from bot.present.telling import MOST_SHARES
from bot.presses import Personal, Practise, ShowBoard, ShowReports
from bot.progress import Progress, Reviews, Share, met
from bot.words import languages
from tests.present.learned import KNOWLEDGE, LIBRARY, MISSED_HERE, NOTHING, PROGRESS, REPORTED, TODAY, TOPICAL
from tests.present.plain import plain

MOST_ALT = 1024
"""Characters that Discord takes for what a picture shows."""

WORST = replace(
    PROGRESS,
    today=TODAY + 200,  # in a month with a long name
    total=Share(99_999, 88_888),
    streak=1000,
    reviews=Reviews(100, 100, 100, 1000),
    days=(Share(199, 100),) * 30,
    ahead=(100,) * 14,
    quizzes=tuple((replace(TOPICAL, slug=f"q{at}"), Share(100, 50)) for at in range(30)),
    topics=tuple((f"gradient-accumulation-{at}", Share(100, 50)) for at in range(30)),
    gone=Share(100, 50),
)


def numbers(progress: Progress) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    chart = present.progress_chart(progress, "en")
    assert chart is not None
    return [bar.counts for bar in chart.panels[0].bars], [bar.counts for bar in chart.panels[1].bars]


def test_the_picture_has_a_bar_for_each_day_right_below_wrong() -> None:
    answers, reviews = numbers(PROGRESS)
    assert len(answers) == 30
    assert answers[-2] == (5, 2)
    assert answers[-3] == (0, 1)
    assert reviews == [(1,), (1,), (0,), (0,), (0,), (1,), *[(0,)] * 8]
    chart = present.progress_chart(PROGRESS, "en")
    assert chart
    assert [part.tone for part in chart.panels[0].parts] == [Tone.RIGHT, Tone.WRONG]
    assert [part.name for part in chart.panels[0].parts] == ["right", "wrong"]


def test_every_seventh_day_is_named_and_today_is_called_so() -> None:
    chart = present.progress_chart(PROGRESS, "ro")
    assert chart
    assert [bar.label for bar in chart.panels[0].bars if bar.label] == [
        "3 mar.",
        "10 mar.",
        "17 mar.",
        "24 mar.",
        "azi",
    ]
    assert [bar.label for bar in chart.panels[1].bars if bar.label] == ["azi", "7 apr."]


def test_without_answers_and_reviews_there_is_nothing_to_draw() -> None:
    assert present.progress_chart(NOTHING, "en") is None
    assert present.progress_chart(replace(NOTHING, ahead=(0, 1)), "en") is not None


def test_whoever_does_not_see_the_picture_is_told_all_that_it_shows() -> None:
    assert present.described_chart(PROGRESS, "en") == (
        "Answers, the last 30 days (right of all): Mar 16: 4 of 4; Mar 29: 0 of 1; Mar 30: 5 of 7.\n"
        "Reviews, the next 14 days: today: 1; Apr 1: 1; Apr 5: 1."
    )
    assert present.described_chart(NOTHING, "en").endswith("Reviews, the next 14 days: nothing.")


@pytest.mark.parametrize("language", languages())
def test_every_bar_is_in_the_words_and_there_is_room_for_all_of_them(language: str) -> None:
    alt = present.described_chart(WORST, language)
    assert len(alt) <= MOST_ALT
    assert alt.count(";") == 29 + 13


@pytest.mark.parametrize("language", languages())
def test_the_picture_can_be_written_in_every_language(language: str) -> None:
    chart = present.progress_chart(WORST, language)
    assert chart
    assert painted(chart)


@pytest.mark.parametrize("language", languages())
def test_the_words_fit_under_the_picture_unless_somebody_has_met_very_much(language: str) -> None:
    some = replace(WORST, quizzes=WORST.quizzes[:4], topics=WORST.topics[:4])
    assert fits_under_a_file(present.own_statistics(some, Reminders.OFF, language))


def test_the_weakest_are_named_and_the_others_counted() -> None:
    lines = plain(present.own_statistics(WORST, Reminders.OFF, "en")).splitlines()
    assert sum("• Gradient accumulation" in line for line in lines) == MOST_SHARES
    assert sum(f"and {30 - MOST_SHARES} more" in line for line in lines) == 2


def test_a_title_that_is_a_novel_is_cut() -> None:
    long = replace(TOPICAL, title=LocalisedText({"en": "word " * 1000}))
    card = present.own_statistics(replace(PROGRESS, quizzes=((long, Share(1, 1)),)), Reminders.OFF, "en")
    assert max(len(block.text) for block in card.blocks) < 120


def test_one_day_is_not_yet_days_in_a_row() -> None:
    said = plain(present.own_statistics(replace(PROGRESS, streak=1), Reminders.OFF, "en"))
    assert "in a row" not in said
    assert "2 days in a row" in plain(present.own_statistics(replace(PROGRESS, streak=2), Reminders.OFF, "en"))


def test_who_only_let_questions_pass_is_told_what_waits_and_no_share_of_nothing() -> None:
    passed = replace(NOTHING, reviews=Reviews(1, 0, 0, 0))
    said = plain(present.own_statistics(passed, Reminders.OFF, "en"))
    assert "1 today" in said
    assert "So far" not in said


@pytest.mark.parametrize(
    ("reviews", "said"),
    [
        (Reviews(1, 0, 2, 0), "1 today · 2 more within a week."),
        (Reviews(0, 1, 2, 3), "1 tomorrow · 2 more within a week · 3 later."),
        (Reviews(0, 0, 2, 3), "To be reviewed: 2 within a week · 3 later."),
    ],
    ids=["today", "tomorrow", "neither"],
)
def test_there_are_more_within_a_week_only_where_there_are_some_before(reviews: Reviews, said: str) -> None:
    assert said in plain(present.own_statistics(replace(PROGRESS, reviews=reviews), Reminders.OFF, "en"))


@pytest.mark.parametrize(
    ("reminders", "press"),
    [
        (Reminders.OFF, Personal("reminders", "evening")),
        (Reminders.MORNING, Personal("reminders", "off")),
        (Reminders.EVENING, Personal("reminders", "off")),
    ],
    ids=str,
)
def test_the_buttons_practise_rank_and_turn_reminders_on_or_off(reminders: Reminders, press: Personal) -> None:
    card = present.own_statistics(PROGRESS, reminders, "en")
    practise, board, reminding = (button.press for button in card.all_buttons)
    assert practise == Practise()
    assert isinstance(board, ShowBoard)
    assert reminding == press


def test_a_report_is_shown_with_what_was_written_and_without_whoever_wrote_it() -> None:
    card = present.reported_questions(REPORTED, 0, 2, "en")
    said = plain(card)
    assert "Which batch? The small one?" in said
    assert REPORTED[0].report.person not in {block.text for block in card.blocks}
    assert not card.buttons


def test_reports_are_numbered_through_their_pages() -> None:
    first = present.reported_questions(REPORTED, 0, 12, "en")
    last = present.reported_questions(REPORTED, 2, 12, "en")
    assert [block.lead for block in first.blocks if block.lead] == ["1.", "2."]
    assert [block.lead for block in last.blocks if block.lead] == ["11.", "12."]
    assert [button.press for button in first.all_buttons] == [ShowReports(1)]
    assert [button.press for button in last.all_buttons] == [ShowReports(1)]


def test_what_was_missed_is_told_by_wrong_answers_of_all() -> None:
    said = plain(present.most_missed(MISSED_HERE, "en", None))
    assert "7 of 9 wrong" in said
    assert said.index("Which layers") < said.index("Micro-batches")


def test_how_far_one_is_with_a_quiz_says_what_is_due_only_where_something_is() -> None:
    far = met(KNOWLEDGE, TODAY, LIBRARY.question)[TOPICAL.slug]
    assert present.own_progress(far, 4, "en") == "4 of 4 met · 67% right · 1 due"
    assert present.own_progress(replace(far, due=0), 4, "en") == "4 of 4 met · 67% right"
