"""One's own data: what is stored about a person, a copy of it, and its end. Says what `bot.stored` lists, no more."""

from __future__ import annotations

from bot.messages import Block, Button, Card, Link, Role, Style
from bot.presses import Forget
from bot.stored import topics
from bot.words import Words, words_of


def privacy(language: str, *, terminal: bool = False) -> Card:
    """What is stored about a person, who can see it, and how it is deleted; `terminal`: in a database of their own."""
    words = words_of(language)
    further = (_at_hand if terminal else _elsewhere)(words)
    return Card(
        (
            Block(Role.TITLE, words.gettext("What is stored about you")),
            *(_bullet(words.gettext(topic.value)) for topic in topics()),
            *(Block(Role.LINE, said) for said in further),
        )
    )


def _at_hand(words: Words) -> tuple[str, ...]:
    """To somebody who sits at a terminal."""
    return (
        words.gettext("All of it is in a database on this computer."),
        words.gettext("/export gives you all of it as a file, /forget deletes it."),
    )


def _elsewhere(words: Words) -> tuple[str, ...]:
    """To somebody in a chat."""
    return (
        words.gettext("Messages are not stored; I read only commands for me."),
        words.gettext(
            "Who sees it: people in a chat see its standings and leaderboards, its moderators what is reported there, "
            "without names; whoever runs this bot has the database."
        ),
        words.gettext("/export brings you all of it as a file, /forget deletes it: both in our private chat."),
    )


def _bullet(said: str) -> Block:
    return Block(Role.LINE, f"• {said}")


def exported(language: str) -> Card:
    """To whoever asked for their data, beside the file with it."""
    words = words_of(language)
    return Card(
        (
            Block(Role.LINE, words.gettext("Here is everything that is stored about you.")),
            Block(Role.REMARK, words.gettext("It is a JSON file: a text that people and programs can read.")),
        )
    )


def not_exported(language: str) -> Card:
    """The same where the platform did not take the file."""
    said = words_of(language).gettext("The file with your data could not be sent. Try /export again a little later.")
    return Card((Block(Role.LINE, said),))


def nothing_stored(language: str) -> Card:
    """To whoever asked for their data and has none."""
    return Card((Block(Role.LINE, words_of(language).gettext("Nothing is stored about you.")),))


def export_in_private(language: str, link: str | None) -> Card:
    """To whoever asks for their data in a group; `link` opens the private chat."""
    words = words_of(language)
    why = words.gettext("Your data is for you alone; you get it in our private chat.")
    return _in_private(words, why, words.gettext("Open a private chat with me and send /export there."), link)


def forget_in_private(language: str, link: str | None) -> Card:
    """To whoever wants to be forgotten and says so in a group; `link` opens the private chat."""
    words = words_of(language)
    why = words.gettext("Deleting your data is between you and me, so we do it in our private chat.")
    return _in_private(words, why, words.gettext("Open a private chat with me and send /forget there."), link)


def _in_private(words: Words, why: str, how: str, link: str | None) -> Card:
    if link:
        return Card((Block(Role.LINE, why),), ((Link(words.gettext("Open the private chat"), link),),))
    return Card((Block(Role.LINE, why), Block(Role.LINE, how)))


def forgetting(language: str, key: str, *, terminal: bool = False) -> Card:
    """What would go and what would stay, and whether that is meant; `key` names the asking."""
    words = words_of(language)
    going = tuple(words.gettext(topic.value) for topic in topics() if topic.personal)
    staying = tuple(words.gettext(topic.value) for topic in topics() if not topic.personal)
    sent = () if terminal else (words.gettext("Messages that I have already sent to chats."),)
    others = () if terminal else (words.gettext("Quizzes in groups go on without you; one that runs here ends."),)
    undone = (
        words.gettext("This cannot be undone. For a copy, run /export first.")
        if terminal
        else words.gettext("This cannot be undone. For a copy, send /export first.")
    )
    sure = Button(words.gettext("Delete everything"), Forget(key, True), Style.DANGER)
    keep = Button(words.gettext("Keep it"), Forget(key, False))
    return Card(
        (
            Block(Role.TITLE, words.gettext("Delete all your data?")),
            Block(Role.LINE, words.gettext("This goes, for good:")),
            *map(_bullet, going),
            Block(Role.LINE, words.gettext("This stays:")),
            *map(_bullet, (*staying, *sent)),
            *(Block(Role.LINE, said) for said in (*others, undone)),
        ),
        ((sure, keep),),
    )


def forgotten(language: str, *, terminal: bool = False) -> Card:
    """To somebody about whom nothing is stored any more."""
    words = words_of(language)
    done = words.gettext("Everything about you is deleted.")
    stay = words.gettext("The messages in this chat stay until you delete them.")
    return Card(
        (
            Block(Role.LINE, f"✓ {done}"),
            *(() if terminal else (Block(Role.LINE, stay),)),
            Block(Role.REMARK, words.gettext("If you use me again, we begin anew.")),
        )
    )


def kept(language: str) -> Card:
    """To somebody who would rather not be forgotten."""
    return Card((Block(Role.LINE, words_of(language).gettext("Nothing was deleted.")),))


def asked_too_long_ago(language: str) -> Card:
    """To whoever presses a button that no longer deletes anything."""
    said = words_of(language).gettext("I asked that too long ago, so nothing was deleted. Send /forget again.")
    return Card((Block(Role.LINE, said),))
