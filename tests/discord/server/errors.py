"""How Discord's API says no: a status, a code, a text. Knows no route."""

from __future__ import annotations

import math
from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """An answer that is no success. `errors` says what is wrong with which part of a body."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} (code {code}): {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors or {}

    @property
    def headers(self) -> dict[str, str]:
        return {}

    def body(self) -> Json:
        """The answer as it is sent."""
        said: Json = {"message": self.message, "code": self.code}
        return said | ({"errors": self.errors} if self.errors else {})


class TooManyError(ApiError):
    """Too many requests: `retry_after` seconds have to pass."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(429, 0, "You are being rate limited.")
        self.retry_after = retry_after

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(math.ceil(self.retry_after)), "X-RateLimit-Scope": "user"}

    def body(self) -> Json:
        return super().body() | {"retry_after": self.retry_after, "global": False}


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def expired_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def of_another_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def closed_to_the_bot() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def archived_thread() -> ApiError:
    return ApiError(400, 50083, "Thread is archived")


def locked_thread() -> ApiError:
    return ApiError(400, 160005, "Thread is locked")


def entry_point_missing() -> ApiError:
    return ApiError(400, 50240, "You cannot remove this app's Entry Point command in a bulk update operation.")


def too_large() -> ApiError:
    return ApiError(413, 40005, "Request entity too large")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def invalid_json() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def invalid_form(problems: list[str]) -> ApiError:
    """What is wrong with a body, each problem as `place: what`."""
    errors: Json = {}
    for problem in problems:
        place, _, what = problem.partition(": ")
        inner = errors
        for part in place.split("."):
            inner = inner.setdefault(part, {})
        inner.setdefault("_errors", []).append({"code": "INVALID", "message": what})
    return ApiError(400, 50035, "Invalid Form Body", errors)
