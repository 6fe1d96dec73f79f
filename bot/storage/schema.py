"""The tables, as numbered migrations. SQLite and PostgreSQL both read them.

A migration that has been released is never changed; a new one is added. `{id}` stands for a column that numbers its
rows. Times are milliseconds since 1970 UTC in BIGINT; flags are 0 or 1; options are bits.
"""

from __future__ import annotations

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
)
