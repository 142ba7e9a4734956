"""Server-sent events as JSON.

The SDK's own reader does not tell a stream that said `[DONE]` from one that just ended, and builds typed chunks that
leave out what other servers add.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from qdash_jupyter.domain.answer import JsonObject

DONE: Final[JsonObject] = {"[DONE]": True}
"""Stands for the line that ends a stream."""


async def events_of(chunks: AsyncIterator[bytes]) -> AsyncGenerator[JsonObject]:
    """The JSON objects of a stream of bytes, and `DONE`.

    Raises:
        ValueError: a line is no JSON, or no UTF-8.
    """
    left, event = b"", b""
    async for chunk in chunks:
        # Bytes are split at line feeds only: JSON may hold the other line ends of Unicode.
        *lines, left = (left + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b":")
            value = value.strip()
            match name:
                case b"event":
                    event = value
                case b"data" if value == b"[DONE]":
                    yield DONE
                case b"data" if value:
                    found = json.loads(value)
                    if event == b"error" and not (isinstance(found, dict) and found.get("error")):
                        found = {"error": found}
                    if isinstance(found, dict):
                        yield found
                case b"error":  # llama.cpp writes it like that
                    yield {"error": json.loads(value)}
                case b"":
                    event = b""
                case _:
                    continue
