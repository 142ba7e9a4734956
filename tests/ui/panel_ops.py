"""What a panel does with the changes that it gets, to test by; the panel's own is js/src/panel/state.ts."""

from __future__ import annotations

import copy
from collections.abc import Container
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from qdash_jupyter.domain.wire import panel
from qdash_jupyter.ui.panel_state.state import PanelState
from qdash_jupyter.ui.panel_state.turn_reducer import TurnReducer

_STRICT = ConfigDict(extra="forbid", strict=True)
_OPS: TypeAdapter[Any] = TypeAdapter(list[panel.Op], config=_STRICT)
_STATE: TypeAdapter[Any] = TypeAdapter(tuple[panel.State], config=_STRICT)
_TURN: TypeAdapter[Any] = TypeAdapter(tuple[panel.Turn], config=_STRICT)


def taken(state: PanelState) -> list[Any]:
    """The changes since the last call; that they are of their types is checked here, and below."""
    ops = state.take()
    _OPS.validate_python(ops)
    return ops


def whole(state: PanelState) -> dict[str, Any]:
    """The whole state."""
    snapshot: Any = state.snapshot()
    _STATE.validate_python((snapshot,))
    return dict(snapshot)


def view_of(fold: TurnReducer, frames: Container[str] = ()) -> dict[str, Any]:
    """A turn as it is shown."""
    view: Any = fold.view(frames)
    _TURN.validate_python((view,))
    return dict(view)


def after(state: Any, *ops: Any) -> dict[str, Any]:
    """The state after these changes; `state` itself stays as it is."""
    changed: dict[str, Any] = copy.deepcopy(state)
    for op in copy.deepcopy(ops):
        turn = next((turn for turn in changed["turns"] if turn["turn_id"] == op.get("turn_id")), None)
        if op.get("op") == "set":
            changed[op["key"]] = op["value"]
        elif op.get("op") == "turn" and turn is None:
            changed["turns"].append({"blocks": [], **op["set"], "turn_id": op["turn_id"]})
        elif turn is not None:
            _change(turn, op)
    return changed


def _change(turn: dict[str, Any], op: dict[str, Any]) -> None:
    places = {block["id"]: place for place, block in enumerate(turn["blocks"])}
    match op["op"]:
        case "turn":
            turn |= op["set"]
        case "block":
            place = places.get(op["block"]["id"], len(places))
            turn["blocks"][place : place + 1] = [op["block"]]
        case "text":
            for block in turn["blocks"]:
                if block["id"] == op["block_id"] and block["kind"] == "text":
                    block["text"] += op["append"]
        case "drop":
            turn["blocks"] = [block for block in turn["blocks"] if block["id"] != op["block_id"]]
