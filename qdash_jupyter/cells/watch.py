"""Sees which cells of the user's the kernel runs. Registered once, when the extension is loaded."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.shown_cell import ShownCell
    from qdash_jupyter.domain.answer import JsonObject

logger = logging.getLogger("qdash_jupyter")

_MOST_CELLS = 200


class CellWatch:
    """The callbacks of one shell.

    The shell prints what they raise into the cell, so they raise nothing: neither errors, which go to the log, nor an
    interrupt of the user's that comes just then. A cell on a subshell is none of ours.
    """

    def __init__(
        self, shell: InteractiveShell, namespace: Namespace, loop: asyncio.AbstractEventLoop | None = None
    ) -> None:
        """Begin to watch, on the main thread. `loop` runs there between two cells, where there is no kernel."""
        self._shell = shell
        self._namespace = namespace
        self._kernel = getattr(shell, "kernel", None)
        kernels_loop = getattr(self._kernel, "io_loop", None)
        self._soon: Callable[..., object] | None = loop.call_soon_threadsafe if loop is not None else None
        if kernels_loop is not None:
            self._soon = kernels_loop.add_callback
        self._main = threading.main_thread().ident
        self._outermost: str | None = None  # the request of the cell that runs now
        self._depth = 0  # of runs nested in it
        self._agents: dict[str, ShownCell] = {}  # by id
        self._told: dict[str, str] = {}  # by id, the text of those of an earlier kernel
        self._ran: list[tuple[str, str]] = []  # the cells that have ended: id and text
        self._before_again: dict[str, object] | None = None  # while the user runs one of the copilot's again
        self._jobs: list[Callable[[], None]] = []
        self.before_cells: Callable[[], None] | None = None
        """Called on the main thread before each cell, where no other runs."""
        shell.events.register("pre_run_cell", self._before_cell)
        shell.events.register("post_run_cell", self._after_cell)

    def close(self) -> None:
        """Stop watching."""
        for event, callback in (("pre_run_cell", self._before_cell), ("post_run_cell", self._after_cell)):
            with contextlib.suppress(ValueError):  # closed before
                self._shell.events.unregister(event, callback)

    @property
    def busy(self) -> bool:
        """Whether a cell runs, also one that awaits."""
        return self._outermost is not None

    def shows(self, cell: ShownCell) -> None:
        """This cell is the copilot's: the names that it binds are, too, when the user runs it as it is."""
        self._agents[cell.asked.cell_id] = cell

    def told(self, sources: Mapping[str, str]) -> None:
        """A page shows these cells as the copilot's, by id, each with the text that the copilot wrote: what they bind,
        and have bound when they ran before this was told, the copilot may bind anew.
        """
        from qdash_jupyter.cells.renaming import bound_names

        self._told.update(sources)
        bound: set[str] = set()
        for cell_id, raw in tuple(self._ran):
            names = bound_names(self._shell.transform_cell(raw))
            bound = bound | names if self._is_agents(cell_id, raw) else bound - names
        self._namespace.bound_again(bound)

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Run the job on the main thread as soon as no cell runs; says no where there is no loop."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            if self._soon is not None:
                self._soon(self._run_or_wait, job)
                return True
        return False

    def _before_cell(self, info: ExecutionInfo) -> None:
        with _raising_nothing("A cell could not be watched"):
            if threading.get_ident() == self._main:
                self._arrived(info)

    def _after_cell(self, result: ExecutionResult | None) -> None:
        with _raising_nothing("The end of a cell could not be watched"):
            if threading.get_ident() == self._main:
                self._left(result)

    def _arrived(self, info: ExecutionInfo) -> None:
        header = self._request_header()
        message_id = header.get("msg_id", "")
        # While a cell awaits, the handler of a widget's message may run code through the shell, too.
        is_of_a_cell = header.get("msg_type") in {"execute_request", None}
        if self._outermost is not None and (message_id == self._outermost or not is_of_a_cell):
            self._depth += 1
            return
        self._outermost, self._depth = message_id, 0
        if self.before_cells is not None:
            self.before_cells()
        if self._is_agents(str(getattr(info, "cell_id", None)), info.raw_cell):
            self._before_again = self._namespace.all()

    def _is_agents(self, cell_id: str, raw: str) -> bool:
        known = self._agents.get(cell_id)
        if known is not None:
            return known.has_source(raw)
        return cell_id in self._told and self._told[cell_id].rstrip() == raw.rstrip()

    def _left(self, result: ExecutionResult | None) -> None:
        info: Any = getattr(result, "info", None)
        raw = getattr(info, "raw_cell", None)
        if raw is not None and not raw.strip():  # the shell tells of no beginning then
            return
        if self._outermost is not None and self._depth:
            self._depth -= 1
            return
        before, self._before_again = self._before_again, None
        if before is not None:
            # One that the user runs again as it is stays the copilot's, and so do the names it binds.
            self._namespace.bound_again(self._namespace.bound_since(before))
        if raw is not None:
            self._ran = [*self._ran, (str(getattr(info, "cell_id", None)), raw)][-_MOST_CELLS:]
        self._outermost = None
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            self.run_when_idle(job)

    def _run_or_wait(self, job: Callable[[], None]) -> None:
        if self.busy:  # also a cell that awaits: the loop goes on meanwhile
            self._jobs.append(job)
            return
        with _raising_nothing("A job between two cells failed"):  # an interrupt would end the kernel's loop
            job()

    def _request_header(self) -> JsonObject:
        """The header of the request that the main thread works on."""
        if self._kernel is None:
            return {}
        header: JsonObject = self._kernel.get_parent("shell").get("header") or {}
        return header


@contextlib.contextmanager
def _raising_nothing(what: str) -> Iterator[None]:
    """Errors go to the log, and say what has failed; an interrupt that comes within is let be."""
    try:
        yield
    except KeyboardInterrupt:
        pass
    except Exception:
        logger.exception(what)
