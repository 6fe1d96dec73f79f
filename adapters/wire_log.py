"""The log of an HTTP server that strangers reach. Knows no adapter."""

from __future__ import annotations

import logging

from aiohttp.http_exceptions import HttpProcessingError


def wire_log(name: str) -> logging.Logger:
    """For the server of this module, without the tracebacks that it writes when a stranger speaks no proper HTTP."""
    wire = logging.getLogger(f"{name}.wire")
    wire.addFilter(_is_ours)
    return wire


def _is_ours(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))
