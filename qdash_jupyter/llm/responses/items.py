"""The items of a streamed response, put together of whatever told of them.

Servers differ in which events they send, in which of an item's two ids these have, and in whether the ids and places
are the same in all of them: the first event that tells of an item makes it, each later one adds to it.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from qdash_jupyter.domain.answer import JsonObject

CALL = "function_call"
_KEPT = ("type", "id", "call_id", "name")
"""What the first event may say and the last one leave out."""
_FEW_WORDS = ("type", "role", "status", "name")
"""Whose values are the same ones in all items: each is kept once."""
_NOTHING: list[Any] = []
"""All empty lists, of which a conversation has hundreds."""


@dataclass(slots=True)
class _Slot:
    """What is known of one item."""

    kind: str
    index: int | None
    item: JsonObject = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    """Of its arguments."""
    at_first: str = ""
    """The arguments with which it began: none, all of them, or `{}` before they come."""
    is_done: bool = False
    is_closed: bool = False
    """The response's own list, at its end, has been compared."""

    def has(self, ids: Sequence[str]) -> bool:
        return self.item.get("id") in ids or self.item.get("call_id") in ids

    def add(self, item: JsonObject) -> None:
        kept = {name: self.item[name] for name in _KEPT if name in self.item}
        self.item = kept | {name: value for name, value in item.items() if name not in kept or value != ""}

    def whole(self) -> JsonObject:
        """The item, with ids where it is a call: what it answers is found by them in the next request."""
        if self.kind != CALL:
            return self.item
        arguments = arguments_of(self.item) or "".join(self.pieces) or self.at_first
        unique = uuid.uuid4().hex[:16]
        ids = {"id": self.item.get("id") or f"fc_{unique}", "call_id": self.item.get("call_id") or f"call_{unique}"}
        return self.item | ids | {"arguments": arguments}


class StreamedItems:
    """The items of one response, in the order in which they stand in it."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []

    def take(self, event: Any) -> None:
        """An event, where it tells of an item."""
        match event:
            case {"type": "response.output_item.added", "item": dict(item)}:
                self._begin(event, plain(item))
            case {"type": "response.function_call_arguments.delta", "delta": str(delta)}:
                self._of_call(event).pieces.append(delta)
            case {"type": "response.function_call_arguments.done", "arguments": arguments}:
                told = {"arguments": arguments, "name": event.get("name"), "call_id": event.get("call_id")}
                self._of_call(event).add({name: value for name, value in told.items() if value})
            case {"type": "response.output_item.done", "item": dict(item)}:
                self._end(event, plain(item))

    def close(self, output: Sequence[JsonObject]) -> None:
        """The response's own list, at its end: it adds what no event told."""
        for place, item in enumerate(output):
            slot = next((each for each in self._slots if each.has(_ids(item)) and not each.is_closed), None)
            slot = slot or next((each for each in self._slots if _may_be(each, item)), None)
            slot = slot or self._new({"output_index": place}, item)
            if not slot.is_done:
                slot.add(item)
            slot.index = place if slot.index is None else slot.index
            slot.is_done = slot.is_closed = True

    def whole(self) -> list[JsonObject]:
        """All items of which enough was told; two calls never have the same id."""
        slots = sorted(self._slots, key=lambda slot: len(self._slots) if slot.index is None else slot.index)
        items = [slot.whole() for slot in slots if slot.is_done or slot.kind == CALL]
        return list(_told_apart(items))

    def _begin(self, event: JsonObject, item: JsonObject) -> None:
        """What it holds of reasoning, text and arguments may be cut off. One of its id that is not done is the same."""
        known = next((each for each in self._slots if not each.is_done and each.has(_ids(item))), None)
        slot = known or self._new(event, item)
        slot.add({name: item[name] for name in _KEPT if name in item})
        if slot.kind == CALL:
            slot.at_first = arguments_of(item)

    def _end(self, event: JsonObject, item: JsonObject) -> None:
        if not any(each.is_done and each.item == item for each in self._slots):  # told twice
            slot = self._found(event, item) or self._new(event, item)
            slot.add(item)
            slot.is_done = True

    def _of_call(self, event: JsonObject) -> _Slot:
        about = {"type": CALL, "id": event.get("item_id"), "call_id": event.get("call_id")}
        return self._found(event, about) or self._new(event, {name: each for name, each in about.items() if each})

    def _found(self, event: JsonObject, item: JsonObject) -> _Slot | None:
        """By an id; else by the place; else the last one of its kind that is not done."""
        waiting = [each for each in self._slots if not each.is_done and each.kind == str(item.get("type"))]
        if (known := next((each for each in waiting if each.has(_ids(item))), None)) is not None:
            return known
        index = event.get("output_index")
        if index is not None:
            return next((each for each in waiting if each.index == index), None)
        return waiting[-1] if waiting else None

    def _new(self, event: JsonObject, item: JsonObject) -> _Slot:
        slot = _Slot(str(item.get("type")), event.get("output_index"))
        slot.add({name: item[name] for name in _KEPT if name in item})
        self._slots.append(slot)
        return slot


def _ids(item: JsonObject) -> list[Any]:
    return [item[name] for name in ("id", "call_id") if item.get(name)]


def _may_be(slot: _Slot, item: JsonObject) -> bool:
    """Whether this is the item by another id, as some servers make new ones at the end."""
    names = {slot.item.get("name"), item.get("name")} - {None, ""}
    return not slot.is_closed and slot.kind == item.get("type") and len(names) <= 1


def _told_apart(items: Sequence[JsonObject]) -> Iterator[JsonObject]:
    seen: set[Any] = set()
    for item in items:
        if item.get("type") == CALL and item["call_id"] in seen:
            yield item | {"call_id": f"call_{uuid.uuid4().hex[:16]}"}
        else:
            yield item
        seen.add(item.get("call_id"))


def plain(item: JsonObject) -> JsonObject:
    """An item as it came, without what it and its parts give as null: servers do not take that back."""
    return {sys.intern(key): _plain_value(key, value) for key, value in item.items() if value is not None}


def _plain_value(key: str, value: Any) -> Any:
    if isinstance(value, list):
        return [plain(part) if isinstance(part, dict) else part for part in value] or _NOTHING
    return sys.intern(value) if key in _FEW_WORDS and type(value) is str else value


def arguments_of(call: JsonObject) -> str:
    """The arguments as text, which is what the API promises; some servers send the object itself."""
    arguments = call.get("arguments") or ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
