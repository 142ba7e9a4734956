"""The panel's state at its beginning, and what a change does to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.wire import PROTOCOL

_Entries: TypeAlias = list[JsonObject]

CONNECTING: JsonObject = {
    "state": "connecting",
    "database": "",
    "chip": "",
    "model": "",
    "endpoint": "",
    "is_language_model": True,
    "problems": 0,
    "greeting": "",
    "models": [],
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
        "results": None,
        "turns": [],
    }


def apply(state: JsonObject, op: JsonObject) -> JsonObject:
    """The state after a change; `state` itself stays as it is, and parts that do not change are shared.

    The same object comes back where the change changes nothing: of a turn or a block that is not there, or of a kind
    that this version does not know.
    """
    match op.get("op"):
        case "set":
            return {**state, op["key"]: op["value"]}
        case "turn":
            turns = _with(state["turns"], "turn_id", op["turn_id"], lambda turn: {**turn, **op["set"]})
            if turns is None:
                turns = [*state["turns"], {"blocks": [], **op["set"], "turn_id": op["turn_id"]}]
            return {**state, "turns": turns}
        case "block":
            return _in_blocks(state, op, lambda blocks: _put(blocks, op["block"]))
        case "text":
            longer = partial(_longer, append=op["append"])
            return _in_blocks(state, op, lambda blocks: _with(blocks, "id", op["block_id"], longer))
        case "drop":
            return _in_blocks(state, op, lambda blocks: _without(blocks, op["block_id"]))
        case _:
            return state


def _in_blocks(state: JsonObject, op: JsonObject, change: Callable[[_Entries], _Entries | None]) -> JsonObject:
    def changed(turn: JsonObject) -> JsonObject:
        blocks = change(turn["blocks"])
        return turn if blocks is None else {**turn, "blocks": blocks}

    turns = _with(state["turns"], "turn_id", op["turn_id"], changed)
    return state if turns is None else {**state, "turns": turns}


def _with(entries: _Entries, name: str, wanted: Any, change: Callable[[JsonObject], JsonObject]) -> _Entries | None:
    """The entries with the change to the one whose `name` is `wanted`; None where that changes nothing."""
    # Changes are at the end: a conversation may have hundreds of turns.
    for place in range(len(entries) - 1, -1, -1):
        if entries[place][name] == wanted:
            new = change(entries[place])
            return None if new is entries[place] else [*entries[:place], new, *entries[place + 1 :]]
    return None


def _put(blocks: _Entries, block: JsonObject) -> _Entries:
    return _with(blocks, "id", block["id"], lambda _: dict(block)) or [*blocks, block]


def _without(blocks: _Entries, block_id: str) -> _Entries | None:
    left = [block for block in blocks if block["id"] != block_id]
    return None if len(left) == len(blocks) else left


def _longer(block: JsonObject, append: str) -> JsonObject:
    return {**block, "text": block["text"] + append} if block["kind"] == "text" else block
