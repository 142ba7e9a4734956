"""The changes between two states of a turn: however much has happened, what is sent is the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire import panel


def turn_ops(before: panel.Turn | None, after: panel.Turn) -> list[panel.Op]:
    """The changes that make one state of a turn the other; `before` is None where the turn is new."""
    turn_id = after["turn_id"]
    old: dict[str, Any] = {} if before is None else {**before}
    stood = before["blocks"] if before else []
    fields = {
        name: value
        for name, value in after.items()
        if name not in {"blocks", "turn_id"} and (name not in old or old[name] != value)
    }
    ops: list[panel.Op] = []
    if fields or before is None:
        ops.append({"op": "turn", "turn_id": turn_id, "set": fields})
    staying = _staying([block["id"] for block in stood], [block["id"] for block in after["blocks"]])
    held = {block["id"]: block for block in stood if block["id"] in staying}
    ops += [
        {"op": "drop", "turn_id": turn_id, "block_id": block["id"]} for block in stood if block["id"] not in staying
    ]
    for block in after["blocks"]:
        ops += _block_ops(turn_id, held.get(block["id"]), block)
    return ops


def _staying(old: list[Any], wanted: list[Any]) -> set[Any]:
    """The blocks that stay where they are: new ones go to the end, so what stands behind a new one is put anew."""
    staying: set[Any] = set()
    among_wanted = set(wanted)
    survivors = (name for name in old if name in among_wanted)
    for name, survivor in zip(wanted, survivors, strict=False):
        if name != survivor:
            break
        staying.add(name)
    return staying


def _block_ops(turn_id: str, old: panel.Block | None, new: panel.Block) -> list[panel.Op]:
    if old is new or old == new:
        return []
    if (
        old is not None
        and (old["kind"] == "text" or old["kind"] == "thought")
        and (new["kind"] == "text" or new["kind"] == "thought")
        and new["text"].startswith(old["text"])
        and {**old, "text": ""} == {**new, "text": ""}
    ):
        return [{"op": "text", "turn_id": turn_id, "block_id": new["id"], "append": new["text"][len(old["text"]) :]}]
    return [{"op": "block", "turn_id": turn_id, "block": new}]
