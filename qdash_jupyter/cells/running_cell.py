"""A cell of the copilot while the kernel runs it: what exactly runs, and what it shows and binds."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from qdash_jupyter.cells.interrupt import InterruptGate
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.notebook_cell import NotebookCell
    from qdash_jupyter.cells.tee import OutputTee

logger = logging.getLogger("qdash_jupyter")


@dataclass
class RunningCell:
    """From `pre_run_cell` to `post_run_cell`; made, begun and ended on the main thread. `raw` is the source it has."""

    cell: NotebookCell
    raw: str
    message_id: str
    shell: InteractiveShell
    namespace: Namespace
    tee: OutputTee
    gate: InterruptGate = field(default_factory=InterruptGate)
    _has_code: bool = False
    _names: dict[str, object] | None = None
    _figures: frozenset[int] = frozenset()
    _around: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _began: float | None = None

    def is_of(self, info: object) -> bool:
        """Whether the shell means this cell: it makes another `ExecutionInfo` where the cell ends in an interrupt."""
        cell_id = self.cell.request.cell_id
        return getattr(info, "cell_id", None) == cell_id and getattr(info, "raw_cell", None) == self.raw

    def begin(self) -> None:
        """Keep what it shows and binds from here on."""
        from qdash_jupyter.cells.figures import open_figures
        from qdash_jupyter.cells.quiet import quiet_libraries
        from qdash_jupyter.cells.renderers import plotly_as_json

        self.tee.begin(self.message_id, self.gate)
        self._names = self.namespace.before_run()
        self._figures = open_figures()
        self._around.enter_context(plotly_as_json(self.raw, self.shell))
        self._around.enter_context(quiet_libraries())
        self._began = time.monotonic()

    def code(self, tree: ast.Module) -> ast.Module:
        """Return what is to run of what the shell has made of the cell's source: not the lines above the code that was
        asked for, whose results are there.
        """
        if self._has_code:
            return tree  # of a magic in the cell
        self._has_code = True
        self.gate.arm()
        if self.gate.wanted:
            self.gate.interrupted = True
            return ast.parse("raise KeyboardInterrupt")
        above = self.raw.rstrip().count("\n") - self.cell.asked.code.rstrip().count("\n")
        return ast.Module([each for each in tree.body if self.cell.is_edited or each.lineno > above], [])

    def end(self, result: ExecutionResult | None) -> CellRun:
        """What came of it. Never raises."""
        elapsed = 0.0 if self._began is None else time.monotonic() - self._began
        try:
            return replace(self._outcome(result), elapsed_s=elapsed)
        except Exception:
            logger.exception("The outcome of a cell could not be read")
            reason = Message("cell-unreadable")
            return CellRun(self.cell.request, CellStatus.ERROR, reason=reason, elapsed_s=elapsed)

    def _outcome(self, result: ExecutionResult | None) -> CellRun:
        from qdash_jupyter.cells.figures import publish_unshown
        from qdash_jupyter.cells.outcome import outcome_of
        from qdash_jupyter.cells.told_names import loop_variables

        error: BaseException | None = None if result is None else result.error_before_exec or result.error_in_exec
        last = None if result is None else result.result
        self._around.close()
        publish_unshown(self.shell, self._figures, last)
        outputs = self.tee.end(self.message_id)
        created = () if self._names is None else self.namespace.bound_since(self._names)
        was_interrupted = result is None or (isinstance(error, asyncio.CancelledError) and self.gate.interrupted)
        failed = error is not None and not was_interrupted and not isinstance(error, KeyboardInterrupt)
        if failed and self._names is not None and not self.cell.is_edited:
            self.namespace.take_back(self._names)
        self._names = None
        loops = loop_variables(self.raw if self.cell.is_edited else self.cell.asked.code)
        if not self.cell.is_edited:  # what the user has written is theirs
            self.namespace.own_up(created)
        run = outcome_of(self.cell.request, error, outputs, last)
        return replace(
            run,
            status=CellStatus.INTERRUPTED if was_interrupted else run.status,
            created=tuple(name for name in created if name not in loops),
            # A result that the shell has made up for an interrupt has no number.
            execution_count=getattr(result, "execution_count", None) or self.shell.execution_count - 1,
        )
