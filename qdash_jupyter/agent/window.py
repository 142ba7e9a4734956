"""How many tokens a request has, and what of the conversation fits into the model's window."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import orjson

from qdash_jupyter.domain.compact import to_json

BYTES_PER_TOKEN = 3.5
"""Of UTF-8, on average; what the server counts corrects it."""

_IMAGE_BYTES = 3500
"""About a thousand tokens, whatever its file takes."""

FULL, SHORTENED, DIGEST = 0.8, 0.4, 0.1
"""Shares of the window: where old turns are replaced, how much is left then (much at once, because the part that stays
the same from request to request is what servers keep in their caches), and the most that a digest takes.
"""

# A server that counts only what it had not in its cache, or a proxy that counts nothing, must not mislead us further.
_SMALLEST, _LARGEST = 0.5, 3.0


@dataclass(slots=True)
class ContextWindow:
    """What a conversation has learned about its model's counting and window."""

    correction: float = 1.0
    refused: int | None = None
    """Fewest tokens (estimated) of a request that the server found too long."""

    def tokens(self, size: int) -> int:
        """Estimated tokens of so many bytes."""
        return ceil(size / BYTES_PER_TOKEN * self.correction)

    def size(self, tokens: float) -> int:
        """About how many bytes so many tokens are."""
        return int(tokens * BYTES_PER_TOKEN / self.correction)

    def counted(self, size: int, tokens: int) -> None:
        """The server says how many tokens a request of this size has; 0 where it does not."""
        if tokens > 0:
            self.correction = min(max(tokens * BYTES_PER_TOKEN / size, _SMALLEST), _LARGEST)

    def refuses(self, size: int) -> None:
        """The server found a request of this size too long, whatever the settings say."""
        self.refused = min(self.tokens(size), self.refused or self.tokens(size))

    def limit(self, configured: int) -> int:
        """Tokens of the window, as far as it is known."""
        return min(configured, self.refused or configured)


def json_bytes(value: Any) -> int:
    """Bytes of the value's compact JSON in UTF-8. An image in a message counts as what models make of one."""
    parts = value.get("content") if isinstance(value, dict) else None
    if isinstance(parts, list) and any(part.get("type") == "input_image" for part in parts):
        rest = [part for part in parts if part.get("type") != "input_image"]
        return json_bytes({**value, "content": rest}) + _IMAGE_BYTES * (len(parts) - len(rest))
    try:
        return len(orjson.dumps(value))
    except TypeError:  # integers beyond 64 bits; text with half a surrogate pair
        return len(to_json(value).encode())
