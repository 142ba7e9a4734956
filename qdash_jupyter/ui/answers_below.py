"""The answers that grow below cells of `%%copilot`, until they are saved with their notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from qdash_jupyter.domain.events import StampedEvent
    from qdash_jupyter.session.turn import Turn
    from qdash_jupyter.ui.growing import GrowingAnswer
    from qdash_jupyter.ui.widget_answer import WidgetAnswer

    Below: TypeAlias = GrowingAnswer | WidgetAnswer


class AnswersBelow:
    """Keeps each up to date, and has it saved with its notebook: at once, or when a page answers again. On the agent's
    loop.
    """

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._spawn = spawn
        self._growing: dict[str, Below] = {}  # those that ended while no page answered are among them

    def __contains__(self, turn_id: object) -> bool:
        """Whether the answer of this turn goes on below a cell."""
        return turn_id in self._growing

    def add(self, below: Below) -> None:
        """Keep it up to date from now on; what has happened before is shown."""
        for event in below.turn.events:
            below.changed(event)
        self._growing[below.turn.turn_id] = below
        self._save_if_ended(below)

    def changed(self, turn: Turn, event: StampedEvent) -> None:
        """Something happened in a turn."""
        if (below := self._growing.get(turn.turn_id)) is not None:
            below.changed(event)
            self._save_if_ended(below)

    def save(self) -> None:
        """Save what has ended: a page is there."""
        for below in tuple(self._growing.values()):
            self._save_if_ended(below)

    def _save_if_ended(self, below: Below) -> None:
        if below.ended:
            del self._growing[below.turn.turn_id]
            self._spawn(self._save(below))

    async def _save(self, below: Below) -> None:
        if not await below.save():
            self._growing[below.turn.turn_id] = below
