"""The panel's state at its beginning, and what a change does to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.wire import PROTOCOL

CONNECTING: JsonObject = {
    "state": "connecting",
    "database": "",
    "chip": "",
    "model": "",
    "endpoint": "",
    "is_language_model": True,
    "problems": 0,
    "message": "",
    "hint": "",
}
"""What is in use, while nobody knows."""


def initial_state(instance: str) -> JsonObject:
    """The state of a panel that has heard nothing yet."""
    return {
        "v": PROTOCOL,
        "instance": instance,
        "about": CONNECTING,
        "starters": [],
        "conversation": None,
        "frames": [],
        "turns": [],
    }


def apply(state: JsonObject, op: JsonObject) -> JsonObject:
    """The state after a change; `state` itself stays as it is, and parts that do not change are shared.

    The same object comes back where the change changes nothing: of a turn or a block that is not there, or of a kind
    that this version does not know.
    """
    kind = op.get("op")
    if kind == "set":
        return {**state, op["key"]: op["value"]}
    if kind == "turn":
        new: JsonObject = {"blocks": [], **op["set"], "turn_id": op["turn_id"]}
        return _changed(state, "turns", "turn_id", op["turn_id"], lambda turn: {**turn, **op["set"]}, new)
    if kind == "block":
        block = op["block"]
        return _in_turn(state, op, lambda turn: _changed(turn, "blocks", "id", block["id"], lambda _: block, block))
    if kind == "text":
        return _in_turn(
            state, op, lambda turn: _changed(turn, "blocks", "id", op["block_id"], lambda old: _longer(old, op["append"]))
        )
    if kind == "drop":
        return _in_turn(state, op, lambda turn: _without(turn, op["block_id"]))
    return state


def _in_turn(state: JsonObject, op: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    return _changed(state, "turns", "turn_id", op["turn_id"], change)


def _changed(
    holder: JsonObject,
    field: str,
    name: str,
    wanted: Any,
    change: Callable[[JsonObject], JsonObject],
    missing: JsonObject | None = None,
) -> JsonObject:
    """`holder` with the change to the entry of a list of its whose `name` is `wanted`; `missing` is added at the end."""
    entries: list[JsonObject] = holder[field]
    # Changes are at the end: a conversation may have hundreds of turns.
    for place in range(len(entries) - 1, -1, -1):
        if entries[place][name] == wanted:
            new = change(entries[place])
            if new is entries[place]:
                return holder
            return {**holder, field: [*entries[:place], new, *entries[place + 1 :]]}
    return holder if missing is None else {**holder, field: [*entries, missing]}


def _longer(block: JsonObject, append: str) -> JsonObject:
    return {**block, "text": block["text"] + append} if block["kind"] == "text" else block


def _without(turn: JsonObject, block_id: str) -> JsonObject:
    blocks = [block for block in turn["blocks"] if block["id"] != block_id]
    return turn if len(blocks) == len(turn["blocks"]) else {**turn, "blocks": blocks}
