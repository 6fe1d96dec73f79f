"""Whole conversations as people see them, to be read aloud. `python -m tests.transcripts` writes them anew."""
