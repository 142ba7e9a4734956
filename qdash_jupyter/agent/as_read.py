"""Results as a language model reads them: the offline planner reads the same with ids, fields and all rows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from operator import is_
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.tools.size_limit import json_within

WHOLE_CHARS = 4_000
"""What a cell computed is read whole up to here, as a table of a value for each qubit is worth its rows."""
CUT_CHARS = 1_200
"""Where it is longer, the model reads so much of it."""

_SECONDS = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?\+00:00")


def as_read(item: JsonObject) -> JsonObject:
    """The item with its output shorter, if it has one: times to the minute, of our messages the text alone, and of what
    a cell computed as much as a model needs.
    """
    output = item.get("output")
    if not isinstance(output, str) or not output.startswith("{"):
        return item
    shorter = _shorter(output)
    return item if shorter == output else {**item, "output": shorter}


class AsRead:
    """The items of a conversation as a model reads them, each made once: all go out again in each round."""

    def __init__(self) -> None:
        self._items: list[JsonObject] = []
        self._read: list[JsonObject] = []

    def __call__(self, items: Sequence[JsonObject]) -> list[JsonObject]:
        """Return them in their order."""
        known = len(self._items) if begins_with(items, self._items) else 0
        self._items[known:] = items[known:]
        self._read[known:] = map(as_read, items[known:])
        return self._read


def begins_with(items: Sequence[JsonObject], first: Sequence[JsonObject]) -> bool:
    """Whether the first ones are these very objects."""
    return len(items) >= len(first) and all(map(is_, items, first))


def _shorter(output: str) -> str:
    text = _SECONDS.sub(r"\1 \2", output)
    is_long = len(text) > CUT_CHARS and '"result":' in text
    if is_long or '"fields":{' in text:
        told = _text_alone(json.loads(text))
        result = told.get("result")
        if is_long and isinstance(result, (dict, list)) and len(to_json(result)) > WHOLE_CHARS:
            told |= json.loads(json_within({"result": result}, CUT_CHARS))
        text = to_json(told)
    return text


def _text_alone(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"text", "message", "fields"}:
            return value["text"]
        return {name: _text_alone(each) for name, each in value.items()}
    return [_text_alone(each) for each in value] if isinstance(value, list) else value
