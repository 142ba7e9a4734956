"""Questions of the panel that wait for the end of the running one. All on the agent's loop.

They are the kernel's, not a page's: every view shows them, a reload of the page leaves them, and none is sent twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qdash_jupyter.errors import PersonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.domain.wire.page import Ask

MOST = 20


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question, the tab it came from, and whether it stays until the user sends it."""

    ask: Ask
    client_id: str | None
    is_held: bool = False


class QuestionQueue:
    """Those that wait, in the order in which they were asked."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """`changed` is called after each change."""
        self._changed = changed
        self._waiting: list[Waiting] = []

    @property
    def next(self) -> Waiting | None:
        """The one that is sent next."""
        return next((one for one in self._waiting if not one.is_held), None)

    @property
    def shown(self) -> list[panel.Queued]:
        """As the panel has it."""
        from qdash_jupyter.ui.panel_state.blocks import sendable  # with the panel, not with `%load_ext`

        waiting = ({**one.ask.model_dump(exclude={"type"}), "held": one.is_held} for one in self._waiting)
        return [sendable(one) for one in waiting]

    def add(self, ask: Ask, client_id: str | None) -> None:
        """Let a question wait; one that waits already waits once.

        Raises:
            PersonError: too many wait.
        """
        if any(one.ask.ask_id == ask.ask_id for one in self._waiting):
            return
        if len(self._waiting) >= MOST:
            raise PersonError.with_hint("queue-full", count=MOST)
        self._waiting.append(Waiting(ask, client_id))
        self._changed()

    def remove(self, ask_id: str) -> None:
        """Take a question out.

        Raises:
            PersonError: it does not wait any more.
        """
        left = [one for one in self._waiting if one.ask.ask_id != ask_id]
        if len(left) == len(self._waiting):
            raise PersonError.with_hint("not-queued")
        self._waiting = left
        self._changed()

    def hold(self) -> None:
        """The running question was stopped or failed: what waits behind it stays until the user says more."""
        if self.next is not None:
            self._waiting = [replace(one, is_held=True) for one in self._waiting]
            self._changed()
