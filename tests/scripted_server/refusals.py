"""What a server does not take, and the words in which servers say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from .turns import HttpError, http_error

Refuse: TypeAlias = Callable[[dict[str, Any]], HttpError | None]
"""The error that a request with this body gets; None where it is taken."""


def refuses(name: str, error: HttpError | None = None) -> Refuse:
    """No such parameter; the words are OpenAI's, if no others are given."""
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    answer = error or http_error(400, said, param=name, code="unsupported_parameter")
    return lambda body: answer if name in body else None


def refuses_streaming(error: HttpError | None = None) -> Refuse:
    answer = error or http_error(400, "Streaming is not supported here.", param="stream", code="unsupported_value")
    return lambda body: answer if body.get("stream") else None


def refuses_format(kind: str, error: HttpError | None = None) -> Refuse:
    said = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
    answer = error or http_error(400, said, param="response_format")
    return lambda body: answer if body.get("response_format", {}).get("type") == kind else None
