"""Items of a conversation: what only one of the two APIs knows, and whether arguments are whole.

A conversation may be taken from one API to the other, so each leaves out what is not its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from qdash_jupyter.domain.answer import JsonObject

CHAT_REASONING = "chat_reasoning"
"""Type of our own item: `text`, the reasoning that a Chat Completions server sent, and `field`, where it stood."""


def of_responses(items: Iterable[JsonObject]) -> list[JsonObject]:
    """The items that the Responses API knows, unchanged."""
    return [item for item in items if item.get("type") != CHAT_REASONING]


def is_json(text: str) -> bool:
    """Whether a text is JSON as a whole, and not cut short."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
