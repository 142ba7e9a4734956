"""A cell of the copilot that stands in a notebook: what it shows, wherever it runs, is told to the pages."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from qdash_jupyter.cells.output_accumulator import OutputAccumulator

if TYPE_CHECKING:
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.cell_run import CellRequest, CellRun
    from qdash_jupyter.domain.wire.kernel import CellOutputs, PastCell, Rewritten

State = Literal["waiting", "running", "ended"]

_SOON_S = 0.05
"""So long what it shows is gathered before it is told."""


@dataclass(frozen=True, slots=True)
class CellPlace:
    """Where a cell belongs: in which turn, its number there, the tab to try first (by its client id), and the cell in
    which the question was asked, where there is one. `setup` are lines for its top, unless they stand above it;
    `heading` is Markdown that stands above the first cell of the turn.
    """

    turn_id: str
    step: int
    client_id: str | None = None
    asked_in: str | None = None
    setup: tuple[str, ...] = ()
    heading: str | None = None

    def is_text_of(self, raw: str, source: str) -> bool:
        """Whether a cell with this text is as it was inserted: editors change line ends, and the space after the last
        line.
        """
        lines = raw.replace("\r\n", "\n").rstrip().split("\n")
        while lines and lines[0] in self.setup:
            del lines[0]
        return "\n".join(lines) == source.replace("\r\n", "\n").rstrip()


class ShownCell:
    """Made and told on the agent's loop; `show` may be called from any thread."""

    def __init__(self, request: CellRequest, place: CellPlace, tell: Callable[[CellOutputs], None]) -> None:
        """`tell` sends to all pages: which of them has the cell may have changed."""
        self.asked = request
        self.place = place
        self.is_deleted = False
        """Whether the user has deleted it before it ended."""
        self.is_taken = False
        """Whether a page has it."""
        self.has_begun = False
        self.runs_in: Literal["session", "kernel"] = "session"
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._shown = OutputAccumulator()
        self._told: tuple[JsonObject, ...] = ()
        self._n = 0
        self._rewritten: Rewritten | None = None
        self._state: State = "waiting"
        self._later: asyncio.TimerHandle | None = None

    def has_source(self, raw: str) -> bool:
        """Whether this is still the copilot's."""
        code = self._rewritten["after"] if self._rewritten is not None else self.asked.code
        return self.place.is_text_of(raw, self.asked.before + code)

    def wait(self) -> None:
        """It cannot run yet."""
        self._say()

    def begin(self) -> None:
        """It runs."""
        self._state, self.has_begun = "running", True
        self._say()

    def rewrite(self, code: str) -> None:
        """Its text is this one in the end."""
        self._rewritten = {"before": self.asked.code, "after": code}

    def show(self, kind: str, content: JsonObject) -> None:
        """A message of what it shows."""
        self._shown.add(kind, content)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self._loop.call_soon_threadsafe(self._soon)

    def shown(self) -> tuple[JsonObject, ...]:
        """What it has shown so far."""
        return self._shown.outputs()

    def end(
        self,
        outputs: Sequence[JsonObject],
        count: int | None = None,
        stays: Sequence[str] = (),
        needs: Sequence[str] = (),
    ) -> None:
        """It has ended, and shows this. Once more, where its number is known later."""
        if self._later is not None:
            self._later.cancel()
        self._state = "ended"
        self._say(outputs, count, stays, needs)

    def _soon(self) -> None:
        if self._state == "running" and (self._later is None or self._later.when() <= self._loop.time()):
            self._later = self._loop.call_later(_SOON_S, self._say)

    def _say(
        self,
        outputs: Sequence[JsonObject] | None = None,
        count: int | None = None,
        stays: Sequence[str] = (),
        needs: Sequence[str] = (),
    ) -> None:
        shown = self._shown.outputs() if outputs is None else tuple(outputs)
        pairs = enumerate(zip(shown, self._told, strict=False))
        same = next((place for place, (now, before) in pairs if now != before), min(len(shown), len(self._told)))
        first = 0 if self._state == "ended" else same
        self._n += 1
        self._told = shown
        self._tell(
            {
                "type": "cell_outputs",
                "cell_id": self.asked.cell_id,
                "n": self._n,
                "state": self._state,
                "runs_in": self.runs_in,
                "first": first,
                "unchanged": same,
                "outputs": [*shown[first:]],
                "execution_count": count,
                "rewritten": self._rewritten,
                "stays": [*stays],
                "needs": [*needs],
            }
        )


def past_cell(run: CellRun, step: int) -> PastCell:
    """A cell as a page inserts it when it has run, or without having it run. `step` is its number in the turn."""
    return {
        "cell_id": run.request.cell_id,
        "code": run.request.source.rstrip("\n"),
        "step": step,
        "purpose": run.request.purpose,
        "outputs": list(run.outputs),
        "execution_count": run.execution_count,
    }
