"""The panel's state on the kernel's side: what is shown by now, and what has to be sent to show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import StampedEvent, ToolFinished
from qdash_jupyter.domain.words import Language
from qdash_jupyter.ui.panel_state.changes import turn_ops
from qdash_jupyter.ui.panel_state.frames import frames_of, gone_frames
from qdash_jupyter.ui.panel_state.ops import CONNECTING, initial_state
from qdash_jupyter.ui.panel_state.starters import starters
from qdash_jupyter.ui.panel_state.turn_fold import TurnFold

if TYPE_CHECKING:
    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.store.store import FrameStore


class ShownTurn(Protocol):
    """A turn, of this kernel or of an earlier one."""

    @property
    def turn_id(self) -> str: ...  # noqa: D102 - as they are called
    @property
    def question(self) -> str: ...  # noqa: D102
    @property
    def asked_at(self) -> datetime: ...  # noqa: D102
    @property
    def language(self) -> Language: ...  # noqa: D102
    @property
    def events(self) -> Sequence[StampedEvent]:
        """What has happened so far."""
        ...

    @property
    def broken_off(self) -> bool:
        """Whether its kernel ended before it did."""
        ...


class PanelState:
    """Holds what the panel shows. Changes are worked out when they are taken, once however much has happened."""

    def __init__(self, instance: str) -> None:
        """Nothing yet."""
        self._state = initial_state(instance)
        self._store: FrameStore | None = None
        self._turns: dict[str, TurnFold] = {}
        self._changed: dict[str, None] = {}
        self._sets: JsonObject = {"starters": starters()}
        self._frames_changed = False
