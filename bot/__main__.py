"""The program `quizbot`. Knows nothing; the command line is in `bot.cli`."""

from __future__ import annotations

from bot.cli import main

if __name__ == "__main__":
    main()
