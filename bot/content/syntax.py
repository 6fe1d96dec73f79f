"""What libyaml says of a broken file, in words an author can act on. Knows nothing of quizzes."""

from __future__ import annotations

import yaml

_NEVER_CLOSED = "the quote that opens here is never closed; close it, or write ' inside single quotes as ''"
_QUOTE_THE_TEXT = "put the text in single quotes"
_ELSE = "this cannot be read as YAML; check the indentation, quotes and colons here and on the line before"

_HINTS = (
    (
        "mapping values are not allowed",
        f"a ': ' inside a text, or a key indented differently; {_QUOTE_THE_TEXT} or align the key",
    ),
    (
        "found unknown escape character",
        r"in double quotes a \ starts a code, and this one is unknown; use single quotes",
    ),
    (
        "invalid Unicode character escape",
        r"this \u code is no character; remove it, or use single quotes for a plain \u",
    ),
    (
        "did not find expected hexdecimal",
        r"in double quotes \x, \u and \U are followed by a hexadecimal code; use single quotes",
    ),
    (
        "could not find expected ':'",
        "a key without ':', or a text that starts at the wrong column; add ': ' or indent it",
    ),
    ("block sequence entries are not allowed", "a '- ' where no list can start; begin the list on its own line"),
    (
        "did not find expected '-' indicator",
        "this line does not belong to the list above; align it with the '- ' or indent it",
    ),
    (
        "did not find expected key",
        "this line fits nothing above it; align it with the other keys, or quote the text before it",
    ),
    (
        "did not find expected ',' or ']'",
        "a list in [ ] goes wrong here; close it, and put texts with , [ ] in single quotes",
    ),
    (
        "did not find expected ',' or '}'",
        "a mapping in { } goes wrong here; close it, and put texts with , { } in single quotes",
    ),
    (
        "did not find expected node content",
        f"a value is missing or starts with a sign that YAML keeps for itself; {_QUOTE_THE_TEXT}",
    ),
    (
        "did not find expected alphabetic or numeric",
        f"a text that starts with & or * means something else in YAML; {_QUOTE_THE_TEXT}",
    ),
    (
        "did not find expected <document start>",
        "text after the end of the quiz; a file holds one quiz and nothing after it",
    ),
    ("undefined tag handle", f"a text that starts with ! means something else in YAML; {_QUOTE_THE_TEXT}"),
    ("maximum nesting depth", "brackets opened inside each other without end; a quiz needs lists and mappings 6 deep"),
    ("tab character", "a tab in the indentation; indent with spaces"),
)


def place_and_words(error: yaml.MarkedYAMLError, text: str) -> tuple[int, str]:
    """Where the file breaks (an index into `text`) and what the author can do about it."""
    problem = f"{error.problem} {error.context}"
    if "quoted scalar" in problem and "end of stream" in problem and error.context_mark:
        return error.context_mark.index, _NEVER_CLOSED
    mark = error.problem_mark or error.context_mark
    index = min(mark.index, len(text)) if mark else 0
    return index, _words(problem, text[index : index + 1])


def _words(problem: str, sign: str) -> str:
    if sign == "\t":
        return "a tab where YAML wants spaces; indent with spaces"
    if "cannot start any token" in problem:
        return f"a text cannot start with {sign}; {_QUOTE_THE_TEXT}"
    return next((hint for known, hint in _HINTS if known in problem), _ELSE)
