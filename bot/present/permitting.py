"""What is said where a platform does not let Quizbot run a quiz: what is missing, who can mend it, what works."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.messages import Block, Card, Link, Role
from bot.permissions import Lacking
from bot.words import Words, msgid, words_of

PERMISSIONS: Mapping[Lacking, str] = {
    Lacking.VIEW: msgid("View Channel"),
    Lacking.SEND: msgid("Send Messages"),
    Lacking.SEND_IN_THREADS: msgid("Send Messages in Threads"),
    Lacking.OPEN_THREADS: msgid("Create Public Threads"),
    Lacking.ATTACH: msgid("Attach Files"),
}
"""As the settings of a channel name them, in the reader's language and in English, for that is not always the same."""


def lacking(language: str, missing: Collection[Lacking], link: str | None = None) -> Card:
    """To whoever wants a quiz where some things are `missing`; `link` opens the private chat."""
    words = words_of(language)
    if Lacking.MEMBERSHIP in missing:
        return Card(_absent(words), ((Link(words.gettext("Open the private chat"), link),),) if link else ())
    forbidden = _forbidden(words, missing) if PERMISSIONS.keys() & set(missing) else ()
    return Card((*_closed(words, missing), *forbidden))


def _closed(words: Words, missing: Collection[Lacking]) -> tuple[Block, ...]:
    """No permission of the channel opens such a thread."""
    said = []
    if Lacking.ENTRY in missing:
        said.append(
            words.gettext("I am not in this private thread: mention me in it first, or start the quiz in its channel.")
        )
    if Lacking.LOCKED in missing:
        said.append(
            words.gettext(
                "This thread is locked: a moderator can unlock it, or you can start the quiz in another place."
            )
        )
    return tuple(Block(Role.LINE, each) for each in said)


def _absent(words: Words) -> tuple[Block, ...]:
    return (
        Block(Role.LINE, words.gettext("I have not been added here, so I cannot run a quiz here.")),
        Block(
            Role.LINE,
            words.gettext("Play in a private chat with me, or on a server whose administrators have added me."),
        ),
    )


def _forbidden(words: Words, missing: Collection[Lacking]) -> tuple[Block, ...]:
    what = words.gettext("I cannot run this quiz here yet, because in this channel I lack permission for:")
    named = (Block(Role.LINE, f"• {words.gettext(name)}") for each, name in PERMISSIONS.items() if each in missing)
    who = words.gettext(
        "An administrator or a moderator can allow it in the settings of the channel, under Permissions."
    )
    return Block(Role.LINE, what), *named, Block(Role.LINE, who)
