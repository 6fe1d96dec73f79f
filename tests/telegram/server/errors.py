"""How the Bot API says no: a code, a text, and sometimes what would help. Knows no method."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """An answer that is not ok. `parameters` are what the API calls ResponseParameters."""

    def __init__(self, code: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters or {}

    def body(self) -> Json:
        """The answer as it is sent."""
        said: Json = {"ok": False, "error_code": self.code, "description": self.description}
        return said | ({"parameters": self.parameters} if self.parameters else {})


def bad(text: str, **parameters: Any) -> ApiError:
    return ApiError(400, f"Bad Request: {text}", parameters)


def forbidden(text: str) -> ApiError:
    return ApiError(403, f"Forbidden: {text}")


def conflict(text: str) -> ApiError:
    return ApiError(409, f"Conflict: {text}")


def not_found() -> ApiError:
    return ApiError(404, "Not Found")
