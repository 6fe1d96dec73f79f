"""Quizbot for a long while with things going wrong throughout: whether it needs more and more of anything, or loses an
answer. `python -m tests.soak [MINUTES]`."""
