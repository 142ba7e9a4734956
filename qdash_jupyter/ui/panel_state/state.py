"""The panel's state on the kernel's side: what is shown by now, and what has to be sent to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile, zip_longest
from typing import Any, cast

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import StampedEvent, ToolFinished
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.domain.wire import PROTOCOL, panel
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.session.starters import STARTERS
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.ui.panel_state.blocks import sendable
from qdash_jupyter.ui.panel_state.frames import frames_of, gone_frames, is_gone
from qdash_jupyter.ui.panel_state.turn_reducer import TurnReducer

CONNECTING: panel.About = {
    "state": "connecting",
    "database": "",
    "chip": "",
    "project": "",
    "qubits": 0,
    "model": "",
    "endpoint": "",
    "is_language_model": True,
    "sees": False,
    "problems": 0,
    "code": "",
    "greeting": "",
    "models": [],
    "look": None,
    "chips": [],
    "issues": [],
    "message": "",
    "hint": "",
}
"""What is in use, while nobody knows."""


def initial_state(instance: str) -> panel.State:
    """The state of a panel that has heard nothing yet."""
    return {
        "v": PROTOCOL,
        "instance": instance,
        "about": CONNECTING,
        "starters": [],
        "conversation": None,
        "frames": [],
        "data_name": "data",
        "preview": None,
        "standing": [],
        "sign_in": None,
        "spent": None,
        "results": None,
        "conversations": None,
        "queue": [],
        "mentions": [],
        "completions": [],
        "turns": [],
    }


class PanelState:
    """Holds what the panel shows. Changes are worked out when they are taken, once however much has happened."""

    def __init__(self, instance: str, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when there is something to take."""
        self._state = initial_state(instance)
        self._tell = changed
        self._store: FrameStore | None = None
        self.fetching: frozenset[str] = frozenset()
        """Keys of the results that are being fetched again."""
        self._turns: dict[str, TurnReducer] = {}
        self._changed: dict[str, None] = {}
        starters = [{"label": question, "prompt": question} for question in STARTERS]
        self._fields: JsonObject = {"about": CONNECTING, "starters": starters}
        """As they were set last, before they are put into words."""
        self._set: dict[str, None] = dict.fromkeys(self._fields)
        """The fields that were set since they were taken."""
        self._language: Language = "en"

    @property
    def is_thinking(self) -> bool:
        """Whether a turn goes on that waits neither for the kernel nor for the user, as far as it was taken."""
        return any(turn["state"] == "thinking" and not turn["broken_off"] for turn in self._state["turns"][-1:])

    def speak(self, language: Language) -> None:
        """Say all that is no turn's in this language from now on; a turn has that of its question."""
        if language != self._language:
            self._language = language
            self._set |= dict.fromkeys(key for key in self._fields if key != "turns")
            self._tell()

    def set(self, key: str, value: Any) -> None:
        """Change a field of the state. What is gone is added to the `frames`."""
        self._fields[key] = value
        self._set[key] = None
        self._tell()

    def get(self, key: str) -> Any:
        """Return a field as it was set last."""
        return self._fields.get(key)

    def add(self, turn: Turn, stamped: StampedEvent) -> None:
        """Something happened in a turn, perhaps its beginning."""
        fold = self._turns.get(turn.turn_id)
        if fold is None:
            fold = self._turns[turn.turn_id] = self._fold(turn)
        fold.add(stamped)
        self._changed[turn.turn_id] = None
        self._tell()
        if isinstance(stamped.event, ToolFinished) and stamped.event.result.frame_key is not None:
            self._list_frames()

    def load(self, turns: Iterable[Turn], store: FrameStore) -> None:
        """Show this conversation instead, with the tables of this store."""
        self._store = store
        self._turns = {turn.turn_id: self._fold(turn) for turn in turns}
        self.set("turns", [])
        self.set("preview", None)
        self._list_frames()

    def refetched(self, turn_id: str, call_id: str, result: ToolResult) -> None:
        """The table of a step was fetched again; others may be there again with it."""
        if (fold := self._turns.get(turn_id)) is not None:
            fold.steps.refetched(call_id, result)
        self._list_frames()

    def data_changed(self) -> None:
        """Tables may have come, gone, grown, or be reached by another name."""
        if self._store is None:
            return
        frames, name = frames_of(self._store, self.fetching), self._store.called()
        if (frames, name) != (self._fields.get("frames"), self._fields.get("data_name")):
            self._list_frames()

    def fetch(self, keys: frozenset[str]) -> None:
        """The results of these keys are being fetched again, and no others."""
        self.fetching = keys
        self._list_frames()

    def gone_calls(self) -> dict[str, tuple[str, str]]:
        """Turn and call of what is gone, by key."""
        if (store := self._store) is None:
            return {}
        return {
            key: (turn_id, step.call.call_id)
            for turn_id, fold in self._turns.items()
            for step in fold.steps
            if is_gone(key := step.block["frame_key"], store)
        }

    def edit_decided(self, turn_id: str, edit_id: str, state: panel.EditState) -> None:
        """The user has decided on the change of a cell."""
        if (fold := self._turns.get(turn_id)) is not None:
            fold.edit_decided(edit_id, state)
            self._changed[turn_id] = None
            self._tell()

    def take(self) -> list[panel.Op]:
        """The changes since the last call."""
        if "frames" in self._set:  # then tables of any turn may have come or gone
            self._changed = dict.fromkeys(self._turns)
        before = self._state["turns"] if "turns" not in self._set else []
        shown = {turn["turn_id"]: turn for turn in before}
        stored = () if self._store is None else self._store
        turns: list[panel.Op] = []
        for turn_id in self._changed:
            view = self._turns[turn_id].view(stored)
            turns += turn_ops(shown.get(turn_id), view)
            shown[turn_id] = view
        fields = {key: self._fields[key] for key in self._set}
        if "frames" in fields:
            steps = (step for fold in self._turns.values() for step in fold.steps)
            gone = () if self._store is None else gone_frames(steps, self._store, self.fetching)
            fields["frames"] = [*fields["frames"], *gone]
        said = {key: _worded(value, self._language) if key in _WITH_TEXTS else value for key, value in fields.items()}
        state: JsonObject = {**self._state}
        sets: list[panel.Op] = [
            {"op": "set", "key": key, "value": value} for key, value in said.items() if state[key] != value
        ]
        self._state = cast("panel.State", {**state, **said, "turns": list(shown.values())})
        self._set, self._changed = {}, {}
        return [*sets, *turns]

    def snapshot(self) -> panel.State:
        """The whole state, with nothing left to take."""
        self.take()
        return self._state

    def _fold(self, turn: Turn) -> TurnReducer:
        model = text_in(self._fields["about"]["model"], turn.language) or None
        fold = TurnReducer(turn.turn_id, turn.question, turn.asked_at, model, turn.language)
        for stamped in turn.events:
            fold.add(stamped)
        if turn.broken_off:
            fold.break_off()
        return fold

    def _list_frames(self) -> None:
        if self._store is not None:
            self.set("frames", frames_of(self._store, self.fetching))
            self.set("data_name", self._store.called())


_WITH_TEXTS = {"about", "starters", "frames", "preview", "standing", "results", "conversations"}
"""Fields of the state that hold texts, in the language of the page. What is of a question, its turn, is in the language
of that question instead.
"""


def _worded(value: Any, language: Language) -> Any:
    if isinstance(value, Message):
        return sendable(value.of(language))
    if isinstance(value, list):
        return [_worded(each, language) for each in value]
    if isinstance(value, dict):
        return {key: _worded(each, language) for key, each in value.items()}
    return value


def turn_ops(before: panel.Turn | None, after: panel.Turn) -> list[panel.Op]:
    """The changes that make one state of a turn the other; `before` is None where the turn is new."""
    turn_id = after["turn_id"]
    fields = {
        name: value
        for name, value in after.items()
        if name not in {"blocks", "turn_id"} and (before is None or before.get(name) != value)
    }
    ops: list[panel.Op] = []
    if fields or before is None:
        ops.append({"op": "turn", "turn_id": turn_id, "set": fields})
    # New blocks go to the end: what stands behind the first that is new or gone is put anew.
    stood = before["blocks"] if before is not None else []
    pairs = zip(stood, after["blocks"], strict=False)
    staying = [old for old, _ in takewhile(lambda pair: pair[0]["id"] == pair[1]["id"], pairs)]
    ops += [{"op": "drop", "turn_id": turn_id, "block_id": block["id"]} for block in stood[len(staying) :]]
    for old, new in zip_longest(staying, after["blocks"]):
        ops += _block_ops(turn_id, old, new)
    return ops


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
