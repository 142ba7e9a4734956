"""How much of a result the model reads. What is too long becomes shorter, valid JSON, and it says what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.compact import plain, to_json

MAX_TOOL_RESULT_CHARS = 30_000
FEW_ROWS = 20
FEW_ROWS_CHARS = 4_000
"""A table with no more rows and characters than these goes to the model as it is."""

_SMALLEST_ENTRY = 40
"""Characters below which cutting an entry of an object tells nothing; whole entries are left out instead."""


def json_within(content: Mapping[str, Any], limit: int) -> str:
    """JSON of `content` in at most `limit` characters.

    What is too long is cut, the small entries stay whole: lists and objects at item borders, texts at their end.
    `_omitted` says by path how much is missing.
    """
    text = to_json(content)
    room = limit
    while len(text) > limit and room:
        room = room * 19 // 20
        omitted: dict[str, str] = {}
        cut = _cut(plain(content), room, "", omitted)
        text = to_json(cut | {"_omitted": omitted})
    return text if len(text) <= limit else "{}"


def with_both_ends(text: str, most: int) -> str:
    """The text without its middle where it has more than `most` characters, saying how many are left out."""
    if len(text) <= most:
        return text
    head = text[: most // 2].rsplit("\n", 1)[0]
    tail = text[-most // 2 :].split("\n", 1)[-1]
    return f"{head}\n… {len(text) - len(head) - len(tail)} characters left out …\n{tail}"


def _cut(value: Any, room: int, path: str, omitted: dict[str, str]) -> Any:
    """The value in about `room` characters of JSON."""
    if len(to_json(value)) <= room:
        return value
    if isinstance(value, dict):
        return _cut_object(value, room, path, omitted)
    if isinstance(value, list):
        return _cut_list(value, room, path, omitted)
    if isinstance(value, str):
        omitted[path] = f"{len(value) - room // 2} of {len(value)} characters"
        return value[: room // 2]  # a character may take several in JSON
    return value


def _cut_list(items: list[Any], room: int, path: str, omitted: dict[str, str]) -> list[Any]:
    kept: list[Any] = []
    for item in items:
        room -= len(to_json(item)) + 1
        if room < 0:
            break
        kept.append(item)
    omitted[path] = f"{len(items) - len(kept)} of {len(items)} items: ask for fewer"
    return kept


def _cut_object(entries: dict[str, Any], room: int, path: str, omitted: dict[str, str]) -> dict[str, Any]:
    """Small entries whole; what they leave is shared by the large ones."""
    sizes = {name: len(to_json({name: value})) for name, value in entries.items()}
    kept: dict[str, Any] = {}
    waiting = len(entries)
    for name in sorted(entries, key=lambda name: sizes[name]):
        share = room // waiting
        waiting -= 1
        overhead = len(to_json({name: 0}))
        if sizes[name] > share and share < overhead + _SMALLEST_ENTRY:
            continue
        inside = f"{path}.{name}" if path else name
        kept[name] = _cut(entries[name], share - overhead, inside, omitted)
        room -= min(sizes[name], share)
    if left := len(entries) - len(kept):
        omitted[path or "."] = f"{left} of {len(entries)} entries"
    return {name: kept[name] for name in entries if name in kept}
