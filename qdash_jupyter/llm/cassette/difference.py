"""Which recorded request is nearest to one that was not recorded, and where the two first differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.cassette.tape import Recording
from qdash_jupyter.messages.message import Message, Text

_SHOWN_CHARS = 80
_COMPARED_CHARS = 2_000
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """The place in the request, and what stands there: here, and in the cassette."""

    place: Text
    here: Text
    recorded: Text


def nearest_recording(request: JsonObject, recordings: Sequence[Recording]) -> Recording | None:
    """The one that shares the most items at its beginning, then the most of the rest."""
    return max(recordings, key=lambda one: _likeness(request, one.request), default=None)


def first_difference(request: JsonObject, recorded: JsonObject) -> Difference | None:
    """Where the canonical requests first differ; None where they are equal. What was said comes before the settings."""
    for name in dict.fromkeys(["items", *request, *recorded]):
        if found := next(_differences(request.get(name, _NOTHING), recorded.get(name, _NOTHING), name), None):
            return replace(found, place=_in_words(found.place, request))
    return None


def _in_words(place: Text, request: JsonObject) -> Text:
    """The place; where its item, as that of `items[3].output`, is the result of a call, of which."""
    number = re.match(r"items\[(\d+)\]", str(place))
    items = request["items"]
    item = items[int(number[1])] if number and int(number[1]) < len(items) else {}
    if item.get("type") != "function_call_output":
        return place
    names = {each["call_id"]: each.get("name") for each in items if each.get("type") == "function_call"}
    tool = names.get(item["call_id"]) or Message("cassette-some-call")
    return Message("cassette-place-of-result", place=place, tool=tool)


def _likeness(one: JsonObject, other: JsonObject) -> tuple[int, int, float]:
    items, others = one.get("items", []), other.get("items", [])
    same = next(
        (index for index, pair in enumerate(zip_longest(items, others)) if pair[0] != pair[1]),
        len(items),
    )
    fields = sum(one.get(name) == other.get(name) for name in {*one, *other} - {"items"})
    text, other_text = (_json(each[same : same + 1])[:_COMPARED_CHARS] for each in (items, others))
    return same, fields, SequenceMatcher(None, text, other_text).ratio()


def _differences(here: Any, recorded: Any, place: str) -> Iterator[Difference]:
    if isinstance(here, Mapping) and isinstance(recorded, Mapping):
        for name in dict.fromkeys([*here, *recorded]):
            below = f"{place}.{name}" if place else str(name)
            yield from _differences(here.get(name, _NOTHING), recorded.get(name, _NOTHING), below)
    elif isinstance(here, list) and isinstance(recorded, list):
        for index, (one, other) in enumerate(zip_longest(here, recorded, fillvalue=_NOTHING)):
            yield from _differences(one, other, f"{place}[{index}]")
    elif isinstance(here, str) and isinstance(recorded, str) and here != recorded:
        start = next((i for i, (a, b) in enumerate(zip(here, recorded, strict=False)) if a != b), None)
        start = min(len(here), len(recorded)) if start is None else start
        number = str(here.count("\n", 0, start) + 1)
        line = Message("cassette-place-line", place=place, line=number) if "\n" in here else place
        yield Difference(line, _around(here, start), _around(recorded, start))
    elif _json(here) != _json(recorded):
        yield Difference(place, _shown(here), _shown(recorded))


def _around(text: str, start: int) -> str:
    """The text about the place where it differs: from a little before it, as far as its line goes."""
    begin = max(text.rfind("\n", 0, start) + 1, start - _SHOWN_CHARS // 2)
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    piece = text[begin : min(end, begin + _SHOWN_CHARS)]
    return f"{'…' if begin else ''}{piece!r}{'…' if begin + len(piece) < len(text) else ''}"


def _shown(value: Any) -> Text:
    if value is _NOTHING:
        return Message("cassette-nothing")
    text = _json(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _json(value: Any) -> str:
    return "nothing" if value is _NOTHING else json.dumps(value, sort_keys=True, ensure_ascii=False)
