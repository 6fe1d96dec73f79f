"""The tables, as numbered migrations. SQLite and PostgreSQL both read them.

A migration that has been released is never changed; a new one is added. `{id}` stands for a column that numbers its
rows, `{host_of_state}` for who hosts a session by its state. Times are milliseconds since 1970 UTC in BIGINT; flags are
0 or 1; options are bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # A place where quizzes are played. `session` is the last one.
        """
        CREATE TABLE chat (
            id       TEXT PRIMARY KEY,
            session  TEXT,
            language TEXT
        )
        """,
        # Sessions pin the quiz they run; a changed file never disturbs them.
        """
        CREATE TABLE quiz (
            digest TEXT PRIMARY KEY,
            body   TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE session (
            id       TEXT PRIMARY KEY,
            platform TEXT NOT NULL,
            chat     TEXT NOT NULL,
            quiz     TEXT NOT NULL,
            state    TEXT NOT NULL,
            wake_at  BIGINT
        )
        """,
        # The only timer there is: present exactly while a session is live.
        "CREATE INDEX session_wake_at ON session (wake_at) WHERE wake_at IS NOT NULL",
        # Finds what a chat's move or an unfinished session needs.
        "CREATE INDEX session_chat ON session (chat)",
        # One person in one session. `selection` is a choice that is not sent yet.
        """
        CREATE TABLE player (
            session   TEXT    NOT NULL,
            person    TEXT    NOT NULL,
            name      TEXT    NOT NULL,
            points    INTEGER NOT NULL,
            correct   INTEGER NOT NULL,
            answered  INTEGER NOT NULL,
            taken     BIGINT  NOT NULL,
            question  INTEGER NOT NULL,
            options   INTEGER NOT NULL,
            selection TEXT,
            PRIMARY KEY (session, person)
        ) {clustered}
        """,
        # Append-only. The key makes a response count once, whatever happens above.
        """
        CREATE TABLE response (
            session     TEXT    NOT NULL,
            question    INTEGER NOT NULL,
            person      TEXT    NOT NULL,
            question_id TEXT    NOT NULL,
            options     INTEGER NOT NULL,
            correct     INTEGER NOT NULL,
            points      INTEGER NOT NULL,
            at          BIGINT  NOT NULL,
            PRIMARY KEY (session, question, person)
        ) {clustered}
        """,
        # What is to be shown, in order within a chat. One row a slot: a newer post replaces an unsent one.
        """
        CREATE TABLE outbox (
            id            {id},
            platform      TEXT    NOT NULL,
            chat          TEXT    NOT NULL,
            session       TEXT    NOT NULL,
            slot          TEXT    NOT NULL,
            body          TEXT    NOT NULL,
            ready_at      BIGINT  NOT NULL,
            lazy          INTEGER NOT NULL,
            revision      INTEGER NOT NULL DEFAULT 1,
            attempts      INTEGER NOT NULL DEFAULT 0,
            claimed_until BIGINT  NOT NULL DEFAULT 0,
            refused       TEXT
        )
        """,
        "CREATE UNIQUE INDEX outbox_slot ON outbox (session, slot)",
        "CREATE INDEX outbox_chat ON outbox (chat, id) WHERE refused IS NULL",
        "CREATE INDEX outbox_ready_at ON outbox (ready_at) WHERE refused IS NULL",
        # Where each slot was sent, so that it can be edited.
        """
        CREATE TABLE message (
            session   TEXT NOT NULL,
            slot      TEXT NOT NULL,
            reference TEXT NOT NULL,
            PRIMARY KEY (session, slot)
        ) {clustered}
        """,
        # When each platform was last known to be served, and when it was not.
        """
        CREATE TABLE heartbeat (
            platform TEXT PRIMARY KEY,
            at       BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE outage (
            platform TEXT   NOT NULL,
            since    BIGINT NOT NULL,
            until    BIGINT NOT NULL,
            PRIMARY KEY (platform, until)
        )
        """,
    ),
    (
        # What a chat or a person has chosen.
        """
        CREATE TABLE preference (
            id          TEXT PRIMARY KEY,
            language    TEXT,
            locale      TEXT,
            starters    TEXT,
            pace        TEXT,
            feedback    TEXT,
            speed_bonus INTEGER
        )
        """,
        "INSERT INTO preference (id, language) SELECT id, language FROM chat WHERE language IS NOT NULL",
        "ALTER TABLE chat DROP COLUMN language",
        # Chats that have a language and never had a session.
        "DELETE FROM chat WHERE session IS NULL",
    ),
    (
        # What people say is wrong with a question. An id is unique in its quiz only. `quiz` is the edition that it was
        # reported in, a digest; what is reported may have been mended since.
        """
        CREATE TABLE report (
            person      TEXT   NOT NULL,
            slug        TEXT   NOT NULL,
            question_id TEXT   NOT NULL,
            quiz        TEXT   NOT NULL,
            session     TEXT   NOT NULL,
            reason      TEXT   NOT NULL,
            text        TEXT   NOT NULL,
            at          BIGINT NOT NULL,
            PRIMARY KEY (person, slug, question_id)
        ) {clustered}
        """,
        # Finds the question of a message that somebody points at.
        "CREATE INDEX message_reference ON message (reference)",
        # Whether sessions of a chat get a thread of their own.
        "ALTER TABLE preference ADD COLUMN thread INTEGER",
    ),
    (
        # Choices of chats and people: the time zone; of people alone: reminders, and which leaderboards show them.
        "ALTER TABLE preference ADD COLUMN zone TEXT",
        "ALTER TABLE preference ADD COLUMN reminders TEXT",
        "ALTER TABLE preference ADD COLUMN hidden INTEGER",
        "ALTER TABLE preference ADD COLUMN everywhere INTEGER",
        "CREATE INDEX preference_reminders ON preference (id) WHERE reminders IS NOT NULL",
        # What a person gained in a chat with the questions of one quiz, or of all (''): in all, and in the day, week
        # and month (by the days on which they began) in which they last gained something. `shown` follows from what the
        # person chose, so that the indexes below hold leaderboards and nothing else.
        """
        CREATE TABLE score (
            chat           TEXT    NOT NULL,
            quiz           TEXT    NOT NULL,
            person         TEXT    NOT NULL,
            name           TEXT    NOT NULL,
            points         BIGINT  NOT NULL,
            correct        INTEGER NOT NULL,
            answered       INTEGER NOT NULL,
            day            INTEGER NOT NULL,
            day_points     BIGINT  NOT NULL,
            day_correct    INTEGER NOT NULL,
            day_answered   INTEGER NOT NULL,
            week           INTEGER NOT NULL,
            week_points    BIGINT  NOT NULL,
            week_correct   INTEGER NOT NULL,
            week_answered  INTEGER NOT NULL,
            month          INTEGER NOT NULL,
            month_points   BIGINT  NOT NULL,
            month_correct  INTEGER NOT NULL,
            month_answered INTEGER NOT NULL,
            at             BIGINT  NOT NULL,
            shown          INTEGER NOT NULL,
            PRIMARY KEY (chat, quiz, person)
        ) {clustered}
        """,
        "CREATE INDEX score_ever ON score (chat, quiz, shown, points DESC, name)",
        "CREATE INDEX score_day ON score (chat, quiz, shown, day, day_points DESC, name)",
        "CREATE INDEX score_week ON score (chat, quiz, shown, week, week_points DESC, name)",
        "CREATE INDEX score_month ON score (chat, quiz, shown, month, month_points DESC, name)",
        # Finds what is to be hidden, and the chats of a person.
        "CREATE INDEX score_person ON score (person)",
        # What a person has done with a question; see `bot.learning.memory.Memory`.
        """
        CREATE TABLE memory (
            person      TEXT    NOT NULL,
            slug        TEXT    NOT NULL,
            question_id TEXT    NOT NULL,
            fingerprint TEXT    NOT NULL,
            answered    INTEGER NOT NULL,
            correct     INTEGER NOT NULL,
            missed      INTEGER NOT NULL,
            stability   DOUBLE PRECISION,
            difficulty  DOUBLE PRECISION,
            reviewed    INTEGER,
            due         INTEGER,
            PRIMARY KEY (person, slug, question_id)
        ) {clustered}
        """,
        "CREATE INDEX memory_due ON memory (person, due) WHERE due IS NOT NULL",
        # How one person studies, and the day of theirs on which they were last reminded.
        """
        CREATE TABLE learner (
            person   TEXT PRIMARY KEY,
            streak   INTEGER NOT NULL,
            last     INTEGER,
            paces    TEXT    NOT NULL,
            reminded INTEGER
        )
        """,
        """
        CREATE TABLE study_day (
            person   TEXT    NOT NULL,
            day      INTEGER NOT NULL,
            answered INTEGER NOT NULL,
            correct  INTEGER NOT NULL,
            PRIMARY KEY (person, day)
        ) {clustered}
        """,
        # How a question fared in a chat, over all its sessions.
        """
        CREATE TABLE served (
            chat        TEXT    NOT NULL,
            slug        TEXT    NOT NULL,
            question_id TEXT    NOT NULL,
            answered    INTEGER NOT NULL,
            correct     INTEGER NOT NULL,
            at          BIGINT  NOT NULL,
            PRIMARY KEY (chat, slug, question_id)
        ) {clustered}
        """,
        # Times in which people could not study, for nobody's days in a row end through a fault of ours.
        """
        CREATE TABLE downtime (
            platform TEXT   NOT NULL,
            since    BIGINT NOT NULL,
            until    BIGINT NOT NULL,
            PRIMARY KEY (platform, until)
        )
        """,
        # Sessions that have ended wait to be learned from, a part of their players at a time: `learned_to` is the
        # last person that was done with.
        "ALTER TABLE session ADD COLUMN learned INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE session ADD COLUMN learned_to TEXT",
        "ALTER TABLE session ADD COLUMN ended_at BIGINT",
        """
        UPDATE session SET ended_at = (SELECT MAX(at) FROM response WHERE response.session = session.id)
        WHERE wake_at IS NULL
        """,
        "UPDATE session SET learned = 1 WHERE wake_at IS NULL AND ended_at IS NULL",
        "CREATE INDEX session_unlearned ON session (ended_at) WHERE wake_at IS NULL AND learned = 0",
        # Who hosts a session, so that somebody can be forgotten.
        "ALTER TABLE session ADD COLUMN host TEXT",
        "UPDATE session SET host = {host_of_state}",
        "CREATE INDEX session_host ON session (host)",
        # Find what is about one person, to give it to them or to delete it.
        "CREATE INDEX player_person ON player (person)",
        "CREATE INDEX outbox_refused ON outbox (chat) WHERE refused IS NOT NULL",
    ),
    (
        # The processes that serve, what each serves, the roles that it can take now (JSON arrays), and until when it
        # counts as alive.
        """
        CREATE TABLE worker (
            id          TEXT   PRIMARY KEY,
            platforms   TEXT   NOT NULL,
            roles       TEXT   NOT NULL,
            alive_until BIGINT NOT NULL
        )
        """,
        # What only one of them does at a time.
        """
        CREATE TABLE lease (
            role   TEXT PRIMARY KEY,
            worker TEXT NOT NULL
        )
        """,
        # Which of them delivers a post; and until when it is left to the one that waits for it.
        "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
        "ALTER TABLE outbox ADD COLUMN reserved_for TEXT",
        "ALTER TABLE outbox ADD COLUMN reserved_until BIGINT",
        # The oldest schema whose code may go on beside this one, while the processes are upgraded one by one.
        "ALTER TABLE schema_version ADD COLUMN oldest INTEGER",
    ),
)

BESIDE: Mapping[int, int] = MappingProxyType({})
"""Migration -> the oldest schema whose code goes on working beside it; its own number where it is absent."""
