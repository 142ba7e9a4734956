"""Sees which cell the kernel runs: the copilot's from beginning to end, of the user's only that they are there.

Registered once, when the extension is loaded. What the copilot's own cells need is imported with the first of them.
"""

from __future__ import annotations

import ast
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.interrupt import InterruptGate
from qdash_jupyter.cells.notebook_cell import NotebookCell
from qdash_jupyter.cells.running_cell import RunningCell
from qdash_jupyter.cells.tee import OutputTee
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.shown_cell import ShownCell
    from qdash_jupyter.domain.answer import JsonObject

logger = logging.getLogger("qdash_jupyter")

_MOST_CELLS = 200
_WITHDRAWN = Message("cell-withdrawn")
_UNLOADED = Message("cell-unloaded")


class CellWatch:
    """The callbacks of one shell: the kernel's side of `qdash_jupyter.cells.notebook_cell`."""

    def __init__(self, shell: InteractiveShell, namespace: Namespace) -> None:
        """Begin to watch, on the main thread."""
        self._shell = shell
        self._namespace = namespace
        self._kernel = getattr(shell, "kernel", None)
        self._kernels_loop = getattr(self._kernel, "io_loop", None)
        self._main = threading.main_thread().ident
        self._cells: list[NotebookCell] = []  # replaced, never changed: both threads read it
        self._outermost: str | None = None  # the request of the cell that runs now, whoever wrote it
        self._depth = 0  # of runs nested in it
        self._running: RunningCell | None = None  # changed on the main thread
        self._agents: dict[str, NotebookCell | ShownCell] = {}  # that have run or run elsewhere, by id
        self._told: dict[str, str] = {}  # by id, the text of those of an earlier kernel
        self._ran: list[tuple[str, str]] = []  # the cells that have ended: id and text
        self._before_again: dict[str, object] | None = None  # while the user runs one of them again
        self._empties = False
        self._jobs: list[Callable[[], None]] = []
        self._replaced: dict[str, Callable[..., Any]] = {}
        self.before_cells: Callable[[], None] | None = None
        """Called on the main thread before each cell, where no other runs."""
        self._tee = OutputTee(getattr(self._kernel, "session", None))
        shell.events.register("pre_run_cell", self._before_cell)
        shell.events.register("post_run_cell", self._after_cell)

    def close(self) -> None:
        """Stop watching, and take everything away."""
        for event, callback in (("pre_run_cell", self._before_cell), ("post_run_cell", self._after_cell)):
            with contextlib.suppress(ValueError):  # closed before
                self._shell.events.unregister(event, callback)
        cells, self._cells = self._cells, []
        self._end(None)
        for cell in cells:
            cell.drop(_UNLOADED)
        self._tee.close()

    # From the agent's loop.

    @property
    def busy(self) -> bool:
        """Whether a cell runs, also one that awaits."""
        return self._outermost is not None

    def expect(self, cell: NotebookCell) -> None:
        """The request of this cell is going to come."""
        self._cells = [*self._still_to_come(), cell][-_MOST_CELLS:]

    def runs_elsewhere(self, cell: ShownCell) -> None:
        """This cell is the copilot's, too: the names that it binds are, when the user runs it as it is."""
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

    def interrupt(self, cell_id: str) -> bool:
        """Interrupt the cell that runs now, if it is this one; says whether it was."""
        running = self._running
        if running is None or running.cell.asked.cell_id != cell_id or not running.gate.interrupt():
            return False
        if self._kernels_loop is not None:
            # A cell that awaits is cancelled by the kernel's loop, which a signal alone does not wake.
            self._kernels_loop.add_callback(lambda: None)
        return True

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Run the job on the main thread as soon as no cell runs; says no where there is no kernel with a loop."""
        if self._kernels_loop is not None:
            self._kernels_loop.add_callback(self._run_or_wait, job)
        return self._kernels_loop is not None

    # From the main thread. The shell prints what the callbacks raise into the cell, so they raise nothing: neither
    # errors, which go to the log, nor an interrupt of the user's that comes just then. A cell on a subshell is none of
    # ours.

    async def _run_nodes(self, nodes: list[ast.stmt], *arguments: Any, **options: Any) -> bool:
        """In place of the shell's method, for the cells that need it: `nodes` is what a cell's source has become.

        Raises nothing but an interrupt, by which the shell ends the cell. No transformer of the shell's: it takes away
        one that fails, and runs the cell as it is.
        """
        run_nodes, tree = self._shells_own("run_ast_nodes"), ast.Module(nodes, [])
        if threading.get_ident() == self._main:
            if self._empties:
                self._empties, tree = False, ast.Module([], [])
            elif self._running is not None:
                tree = self._running.code(tree)
        return bool(await run_nodes(tree.body, *arguments, **options))

    def _show_error(self, exc_tuple: Any = None, *arguments: Any, **options: Any) -> None:
        """In place of the shell's method, which fails where an interrupt came at an instruction without a line."""
        from qdash_jupyter.cells.outcome import give_lines

        give_lines(sys.exc_info()[1] if exc_tuple is None else exc_tuple[1])
        if exc_tuple is not None:
            exc_tuple = (*exc_tuple[:2], exc_tuple[1].__traceback__)
        self._shells_own("showtraceback")(exc_tuple, *arguments, **options)

    def _shells_own(self, name: str) -> Callable[..., Any]:
        method: Callable[..., Any] | None = self._replaced.get(name)
        return method or getattr(type(self._shell), name).__get__(self._shell)

    def _before_cell(self, info: ExecutionInfo) -> None:
        try:
            if threading.get_ident() == self._main:
                self._arrived(info)
        except KeyboardInterrupt:
            if self._running is None and not self._empties and self._cell_of(info) is not None:
                self._outermost = None
                self._before_cell(info)
            if self._running is not None:
                self._running.gate.wanted = True
        except Exception:
            logger.exception("A cell could not be watched")

    def _after_cell(self, result: ExecutionResult | None) -> None:
        try:
            if threading.get_ident() == self._main:
                self._left(result)
        except KeyboardInterrupt:
            pass
        except Exception:
            logger.exception("The end of a cell could not be watched")

    def _arrived(self, info: ExecutionInfo) -> None:
        header = self._request_header()
        message_id = header.get("msg_id", "")
        # While a cell awaits, the handler of a widget's message may run code through the shell, too.
        is_of_a_cell = header.get("msg_type") in {"execute_request", None}
        if self._outermost is not None and (message_id == self._outermost or not is_of_a_cell):
            self._depth += 1
            return
        self._end(None)  # a cell of ours whose end was not told
        if self.before_cells is not None:
            self.before_cells()
        self._empties = False
        while not self._empties and (cell := self._cell_of(info)) is not None:
            if cell.is_withdrawn:
                self._replace(on=True)
                self._empties = True
                cell.drop(_WITHDRAWN)
            elif self._begins(cell, info, message_id):
                break
        if self._running is None and not self._empties:
            self._begin_again(info)
        self._outermost, self._depth = message_id, 0  # now that it has begun, a cell of ours does not wait for itself
        for other in self._still_to_come():
            other.wait()
        if self._running is not None:
            self._replace(on=True)
            self._running.begin()

    def _cell_of(self, info: ExecutionInfo) -> NotebookCell | None:
        """Whose request this is: that of a cell which was withdrawn, or of the one that is wanted."""
        cell_id, session = getattr(info, "cell_id", None), self._request_header().get("session")
        cells = [cell for cell in self._still_to_come() if cell.asked.cell_id == cell_id]
        wanted = next((cell for cell in cells if cell.is_wanted), None)
        for cell in cells:
            # Where a session is not known, it might be the request that is wanted.
            meant = cell.session == session if cell.session and session else wanted is None
            if cell.is_withdrawn and meant and cell.has_source(info.raw_cell):
                return cell
        return wanted

    def _still_to_come(self) -> list[NotebookCell]:
        return [cell for cell in self._cells if cell.is_wanted or cell.is_withdrawn]

    def _begins(self, cell: NotebookCell, info: ExecutionInfo, message_id: str) -> bool:
        running = RunningCell(cell, info.raw_cell, message_id, self._shell, self._namespace, self._tee)
        running.gate.install()
        self._running = running
        if cell.begin(info.raw_cell):
            self._agents[cell.asked.cell_id] = cell
            return True
        self._running = None  # withdrawn just now
        running.gate.remove()
        return False

    def _begin_again(self, info: ExecutionInfo) -> None:
        """A cell of the agent's that the user runs again as it is stays the agent's, and so do the names it binds."""
        if self._is_agents(str(getattr(info, "cell_id", None)), info.raw_cell):
            self._before_again = self._namespace.before_run()

    def _is_agents(self, cell_id: str, raw: str) -> bool:
        known = self._agents.get(cell_id)
        if known is not None:
            return known.has_source(raw)
        return cell_id in self._told and self._told[cell_id].rstrip() == raw.rstrip()

    def _left(self, result: ExecutionResult | None) -> None:
        info: Any = getattr(result, "info", None)
        raw = getattr(info, "raw_cell", None)
        if raw is not None and not raw.strip():  # the shell tells of no beginning then
            cell = self._cell_of(info)
            if cell is not None and cell.begin(raw):
                cell.end(CellRun(cell.request, CellStatus.OK))
            return
        is_ours = self._running is not None and self._running.is_of(info)
        if not is_ours and self._outermost is not None and self._depth:
            self._depth -= 1
            return
        self._end(result)
        before, self._before_again = self._before_again, None
        if before is not None:
            self._namespace.bound_again(self._namespace.bound_since(before))
        if raw is not None:
            self._ran = [*self._ran, (str(getattr(info, "cell_id", None)), raw)][-_MOST_CELLS:]
        self._outermost = None
        self._empties = False
        self._replace(on=False)
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            self.run_when_idle(job)

    def _end(self, result: ExecutionResult | None) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        running.gate.shut()
        self._replace(on=False)
        run = running.end(result)
        self._outermost = None  # before the agent hears of it: its next cell does not wait for this one
        running.cell.end(run)
        running.gate.remove()

    def _replace(self, *, on: bool) -> None:
        """Be asked by the shell what the cell that runs now is made of, and how its error is shown."""
        held = vars(self._shell)
        for name, method in (("run_ast_nodes", self._run_nodes), ("showtraceback", self._show_error)):
            if on and held.get(name) != method:
                if name in held:
                    self._replaced[name] = held[name]
                setattr(self._shell, name, method)
            elif not on and held.get(name) == method:
                delattr(self._shell, name)  # the class's method shows through again
                if name in self._replaced:
                    setattr(self._shell, name, self._replaced.pop(name))

    def _run_or_wait(self, job: Callable[[], None]) -> None:
        if self.busy:  # also a cell that awaits: the loop goes on meanwhile
            self._jobs.append(job)
            return
        # Between two messages ipykernel ignores interrupts; one that left this callback would end the kernel's loop.
        gate = InterruptGate()
        try:
            gate.install()
            job()
        except KeyboardInterrupt:
            logger.info("A job between two cells was interrupted")
        except Exception:
            logger.exception("A job between two cells failed")
        finally:
            gate.remove()

    def _request_header(self) -> JsonObject:
        """The header of the request that the main thread works on."""
        if self._kernel is None:
            return {}
        header: JsonObject = self._kernel.get_parent("shell").get("header") or {}
        return header
