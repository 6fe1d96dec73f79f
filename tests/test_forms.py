"""Addresses to listen at, taken apart."""

from __future__ import annotations

import pytest

from bot import forms


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("127.0.0.1:8443", ("127.0.0.1", 8443)),
        ("localhost:1", ("localhost", 1)),
        (":8080", (None, 8080)),
        ("[::1]:65535", ("::1", 65535)),
    ],
)
def test_where_to_listen_is_host_and_port(address: str, found: tuple[str | None, int]) -> None:
    assert forms.place(address) == found
    assert forms.listening(address) == address


@pytest.mark.parametrize(
    "address", ["", "8080", "localhost", "localhost:", "localhost:http", ":65536", ":-1", ":٨٠", "::1:80", "[::1:80"]
)
def test_any_other_place_is_refused_with_what_to_write(address: str) -> None:
    for read in (forms.place, forms.listening):
        with pytest.raises(ValueError, match=r"write it as host:port, such as 127\.0\.0\.1:8080"):
            read(address)
