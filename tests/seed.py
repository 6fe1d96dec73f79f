"""The one number that tests draw their lots from, which stands in their names; the same in every process of a run."""

from __future__ import annotations

import os
from random import SystemRandom

VARIABLE = "QUIZBOT_TEST_SEED"
"""Set it to have the same lots again."""

SEED = int(os.environ.get(VARIABLE) or SystemRandom().randrange(10**6))
os.environ[VARIABLE] = str(SEED)
