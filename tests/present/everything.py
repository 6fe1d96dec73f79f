"""Everything that is shown of a quiz: to those who play it, and around them. Knows no platform."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot import present
from bot.core.effects import Ended, Post, Reply
from bot.core.quiz import Quiz
from bot.core.scoring import Standing
from bot.core.session import Actor, Feedback
from bot.messages import Card
from bot.presses import Blend
from tests.core.building import Room
from tests.core.building import settings as chosen

MIX = Blend("0a1b", 1, 0, ready=False)


def cards(quiz: Quiz, name: str, language: str, *, private: bool, feedback: Feedback) -> Iterator[Card]:
    """Every card of a session between two people, both called `name`, one of them backwards."""
    posts, replies = _effects(quiz, name, private=private, feedback=feedback)
    yield from (present.post(post, quiz, language) for post in posts)
    yield from (present.reply(reply, quiz, language) for reply in replies if reply)
    yield present.picker([quiz] * 9, language, 0, mix=MIX)
    yield present.ingredients([quiz] * 9, language, MIX, 9)
    yield present.no_such_topic(language, name, [])
    yield present.picker([replace(quiz, title=present.mix_title([quiz, quiz, quiz]))], language, 0)
    yield present.no_such_quiz(language, name, [quiz])
    yield present.shared(quiz, language, alone="https://t.me/x?start=quiz_any", together="https://t.me/x?startgroup=y")
    yield present.unknown(language, name)


def _effects(quiz: Quiz, name: str, *, private: bool, feedback: Feedback) -> tuple[list[Post], list[Reply | None]]:
    """Everything that is posted and replied in a session in which one is right, one is wrong, and both press twice."""
    room, replies = Room(quiz), []
    ann, bob = Actor("telegram:1", name), Actor("telegram:2", name[::-1])
    room.start(chosen(feedback=feedback, speed_bonus=True), ann, private=private, card=True)
    room.begin(ann)
    for question in quiz.questions:
        key = [number for number, option in enumerate(question.options) if option.right]
        wrong = next(number for number, option in enumerate(question.options) if not option.right)
        replies += [room.answer(ann, *key).reply, room.answer(ann, wrong).reply]
        replies += [] if private else [room.answer(bob, wrong).reply]
        room.wait(700)
    room.stop(ann)
    return [_with_standings(post, name) for post in room.posts], replies


def _with_standings(post: Post, name: str) -> Post:
    if not isinstance(post, Ended) or post.private:
        return post
    places = tuple(Standing(rank, f"telegram:{rank}", name, 100, 1, 1, 999) for rank in range(1, 21))
    return replace(post, standings=places, others=100)
