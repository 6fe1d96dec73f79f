"""A Discord for the tests, gateway and API, strict as the real one, and the people on it. Knows nothing of the bot.

    async with Discord(clock) as server:                  # or the fixture `server`, on the fixture `clock`
        ann, ben = server.person("Ann", "bg"), server.person("Ben")
        study = server.guild("Study", ann, ben)           # bot=False: the bot is not in it
        channel = study.channel("quiz")                   # or a Kind: FORUM, VOICE, NEWS
        thread = channel.thread("Week 1")
        ...                                               # a client at server.api_url, .gateway_url, with .token
        await server.gateway.ready()                      # it is connected and has heard of the guilds
        await server.until(lambda: server.commands)       # it has registered its commands

What a person does is told to the bot at once and returns an `Interaction`; awaiting that waits for the answer.

    asked = await ann.slash(channel, "quiz", quiz="x")    # asked.kind, .text, .answer (a message), .ephemeral
    pressed = await ben.press(channel.last, "A")          # by label, its beginning, or custom_id
    chosen = await ben.choose(channel.last, "A", "C")     # labels of a select, or their beginnings
    opened = await ann.press(channel.last, "Settings")    # opened.form.title, .labels, .fields
    sent = await ann.submit(opened, _1="Fast")            # fields by place or by custom_id
    typed = await ann.autocomplete(channel, "quiz", quiz="sp")   # typed.choices: names and values
    await ann.user_command(channel, "Quiz score", ben)
    await ann.message_command(channel.last, "Report question")
    many = [person.press(channel.last, "A") for person in people]       # all in one tick
    answers = [await one for one in many]

`at=` sets when it was asked; `forge`, `forge_command` and `forge_form` send what no app would. `at` and `answered_at`
are times of the clock, `took` real seconds. Private messages: `ann.direct` is a channel, `ann.closed = True` closes it;
`server.group("us", ann, ben)` is a private channel without the bot; `ann.installed = True` has the bot everywhere with
Ann. Only registered commands can be invoked, and only where they are offered.

A channel has `messages`, `last`, `transcript()`, `await shows("text")`, `allow` and `deny("bot", "send_messages")`,
`delete()`; a thread besides `change(archived=True, locked=True)`; a guild `grant(ann, "manage_messages")`, `restrict`,
`entrust`, `invite_bot`, `remove_bot`, `fail`, `recover`. A message has `text` (as it is read), `markdown` (as it was
sent), `buttons`, `selects`, `pictures`, `accent`, `edits`, `files`.

Requests stand in `server.calls("POST", "/messages$")` with `body`, `files`, `status`, `answer`; `called` waits for
them. `fail`, `throttle`, `ban`, `garbage`, `lose`, `drop` and `hold` make the next ones go wrong, `mend` ends that;
`server.floods.most = 5` limits what a channel takes in 5 s. `tests.discord.playing` plays Quizbot here.
`server.gateway` has `drop`, `ask_to_reconnect`, `invalidate`, `refuse`, `close_identified`, `shards`, `remaining`, and
`await heard()`, after which every client has dealt with all that it was told. Leaving the server raises what the bot
sent against the limits of the API, and against its contract where QUIZBOT_CONTRACTS names a folder that has it.
"""

from tests.discord.server.app import Discord
from tests.discord.server.channels import Channel, Direct, Group, Kind
from tests.discord.server.gateway import Gateway
from tests.discord.server.guilds import Guild
from tests.discord.server.http import TOKEN
from tests.discord.server.interactions import ANSWERED_WITHIN, Answer, Asked, Form, Interaction
from tests.discord.server.messages import Message, Upload
from tests.discord.server.people import Person
from tests.discord.server.places import GuildChannel, Thread
from tests.discord.server.wire import Request
from tests.telegram.server.faults import Hold

__all__ = [
    "ANSWERED_WITHIN",
    "TOKEN",
    "Answer",
    "Asked",
    "Channel",
    "Direct",
    "Discord",
    "Form",
    "Gateway",
    "Group",
    "Guild",
    "GuildChannel",
    "Hold",
    "Interaction",
    "Kind",
    "Message",
    "Person",
    "Request",
    "Thread",
    "Upload",
]
