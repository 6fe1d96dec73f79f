"""Markdown is read as Discord shows it."""

from __future__ import annotations

import pytest

from tests.discord.server.markdown import read


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("### **Quiz** *one* __two__ ~~three~~ ||four||", "Quiz one two three four"),
        (r"\*not\* \_so\_ \# \`x\` \\", r"*not* _so_ # `x` \ ".strip()),
        ("a_b_c 2 * 3 * 4 snake_case", "a_b_c 2 * 3 * 4 snake_case"),
        ("-# small\n> said\n# big", "small\nsaid\nbig"),
        ("`**code**` and ``a`b``", "**code** and a`b"),
        ("```py\nx = __init__\n```", "x = __init__"),
        ("[the page](<https://example.org/a_b>) and <https://example.org>", "the page and https://example.org"),
        ("[**bold** \\] words](https://example.org)", "bold ] words"),
        ("<t:1700000000:R> <@42> <#7>", "<t:1700000000:R> <@42> <#7>"),
        (r"\<t:1:R\> \[x\](y)", "<t:1:R> [x](y)"),
        ("***both*** **a *b* c**", "both a b c"),
        ("1\\. one", "1. one"),
    ],
)
def test_marks_are_gone_and_escaped_signs_stay(written: str, seen: str) -> None:
    assert read(written) == seen
