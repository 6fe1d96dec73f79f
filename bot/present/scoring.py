"""How one player stands in the last quiz of a chat, said to whoever asks. Decides nothing about what may be known."""

from __future__ import annotations

from bot.core.quiz import Quiz
from bot.core.scoring import Standing
from bot.core.session import Session
from bot.messages import Block, Card, Role
from bot.present.ending import medal_of, points_of, score_of
from bot.present.showing import title_of
from bot.words import Words, words_of


def standing(session: Session, quiz: Quiz | None, language: str, line: Standing, count: int) -> Card:
    """The score and place of one player, of `count` who play; without `quiz` its title is left out."""
    words = words_of(language)
    return Card(
        (
            *_title(quiz, language),
            _player(words, line),
            Block(Role.FACT, words.gettext("Place {rank} of {count}", rank=line.rank, count=count)),
            _state(words, session),
        )
    )


def _player(words: Words, line: Standing) -> Block:
    said = f"{score_of(words, line.right, line.answered)}, {points_of(words, line.points)}"
    text = words.gettext("{name} — {score}", name=words.name(line.name), score=said)
    return Block(Role.STANDING, text, lead=medal_of(line))


def answered_so_far(session: Session, quiz: Quiz | None, language: str, name: str, count: int) -> Card:
    """How many questions somebody has answered, while nothing may be known of right and wrong."""
    words = words_of(language)
    said = words.ngettext(
        "{name} has answered {count} question.", "{name} has answered {count} questions.", count, name=words.name(name)
    )
    later = words.gettext("Scores can be seen once the quiz is over.")
    return Card((*_title(quiz, language), Block(Role.LINE, said), Block(Role.FACT, later), _state(words, session)))


def not_played(session: Session, quiz: Quiz | None, language: str, name: str) -> Card:
    """That somebody has not answered a question."""
    words = words_of(language)
    said = words.gettext("{name} has not answered a question.", name=words.name(name))
    return Card((*_title(quiz, language), Block(Role.LINE, said), _state(words, session)))


def no_scores(language: str, *, session: Session | None) -> Card:
    """That there is nothing to know yet: no quiz was played here, or the last one has not come to a question."""
    words = words_of(language)
    if session is None:
        said = words.gettext("No quiz has been played here yet; /quiz starts one.")
    elif session.live:
        said = words.gettext("The quiz has not begun yet, so there are no scores.")
    else:
        said = words.gettext("The last quiz here ended before its first question, so there are no scores.")
    return Card((Block(Role.LINE, said),))


def _title(quiz: Quiz | None, language: str) -> tuple[Block, ...]:
    return (Block(Role.TITLE, title_of(quiz, language)),) if quiz else ()


def _state(words: Words, session: Session) -> Block:
    if not session.live:
        return Block(Role.FACT, words.gettext("This quiz is over."))
    where = {"number": session.at + 1, "total": len(session.draw)}
    return Block(Role.FACT, words.gettext("Still running, at question {number} of {total}", **where))
