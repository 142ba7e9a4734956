"""Runs cells of the copilot on the kernel's main thread: between two of the user's, or nested in one that waits."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.figures import new_figures, open_figures
from qdash_jupyter.cells.host import Publish
from qdash_jupyter.cells.interrupt import InterruptWindow
from qdash_jupyter.cells.kept_output import KeptOutput
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.outcome import outcome_of
from qdash_jupyter.cells.shell_output import Out, flush, tell_error, told
from qdash_jupyter.cells.shells import current
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.cells.surroundings import (
    held,
    nobody_types,
    plotly_as_json,
    quiet_libraries,
    without_marimos_outputs,
)
from qdash_jupyter.cells.told_names import loop_variables
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.messages.message import Message

_ONE_AT_A_TIME = RLock()
"""What code prints and shows is caught for the whole process, and each session of `marimo run` is a thread of it."""
_AGAIN_S = 0.5
STOP_S = 2.0
"""So long Stop waits for the end of a cell in a notebook that minds no interrupt."""


@dataclass(eq=False)
class _Job:
    """One request: all but `done` and `window` is for the main thread."""

    host: InlineCellHost
    request: CellRequest
    publish: Publish
    cell: ShownCell | None
    done: Future[CellRun] = field(default_factory=Future)
    window: InterruptWindow = field(default_factory=InterruptWindow)

    def work(self) -> None:
        """Run it, unless the turn was stopped while it was waiting."""
        if not self.done.set_running_or_notify_cancel():
            return
        if self.cell is not None and self.cell.is_deleted:
            self.done.set_result(CellRun(self.request, CellStatus.DELETED, in_notebook=True))
            return
        self.publish(CellMoved(self.request, "running", in_notebook=self.cell is not None))
        lock = self.host.free_loop(self.request.code)
        if lock is not None:
            self.window.task = asyncio.ensure_future(self._alone(lock))
            return
        with self._ended():
            self.done.set_result(self.host.run_here(self.request, self.window, self.cell))

    async def _alone(self, lock: asyncio.Lock) -> None:
        """As a request of the user's: ipykernel begins no other one meanwhile."""
        async with lock:
            with contextlib.suppress(KeyboardInterrupt), self._ended():
                self.done.set_result(await self.host.run_awaiting(self.request, self.window, self.cell))

    @contextlib.contextmanager
    def _ended(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            # Not as an exception of the future: asyncio would end the agent's loop with it.
            self.done.set_result(CellRun(request=self.request, status=CellStatus.INTERRUPTED))
            raise
        except Exception as error:  # noqa: BLE001 - the agent's thread raises it
            self.done.set_exception(error)
        except BaseException as error:
            self.done.set_exception(RuntimeError(f"the cell ended with {error!r}"))
            raise


@dataclass
class _Ended:
    """How a run has ended: by the shell's own result, and as what it came to."""

    result: Any = None
    run: CellRun | None = None


class InlineCellHost:
    """Runs each request on the main thread, through the user's shell, and takes what it shows."""

    def __init__(self, shell: InteractiveShell, namespace: Namespace) -> None:
        self._shell = shell
        self._namespace = namespace

    async def run(
        self,
        request: CellRequest,
        post: Callable[[Callable[[], None]], None],
        publish: Publish,
        cell: ShownCell | None = None,
    ) -> CellRun:
        """Run the code on the main thread and wait for it, however long it takes.

        Cancelled before the cell began, it never runs. Cancelled while it runs, it is interrupted, and the cancellation
        goes on when the cell has ended.

        Args:
            request: what to run.
            post: hands the job to whoever waits on the main thread (see `qdash_jupyter.cells.host.InlineRunner`).
            publish: called on the main thread when the cell begins.
            cell: where it stands in a notebook. Deleted before it begins, it does not run.
        """
        job = _Job(self, request, publish, cell)
        post(job.work)
        outcome = asyncio.wrap_future(job.done)
        try:
            return await asyncio.shield(outcome)
        except asyncio.CancelledError:
            job.done.cancel()
            patience = math.inf if cell is None else time.monotonic() + STOP_S
            while not job.done.done() and time.monotonic() < patience:
                job.window.interrupt()  # again, should the code have caught the first one
                await asyncio.wait([outcome], timeout=_AGAIN_S)
            raise

    def run_here(
        self, request: CellRequest, window: InterruptWindow | None = None, cell: ShownCell | None = None
    ) -> CellRun:
        """Run the code now, on this thread. Errors of the code are in the result; KeyboardInterrupt too."""
        if self._awaits(request.code):
            return CellRun(request=request, status=CellStatus.REJECTED, reason=Message("not-run-await"))
        ended = _Ended()
        with self._around(request, window or InterruptWindow(), cell, ended):
            ended.result = self._shell.run_cell(request.code, store_history=False)
        return ended.run or CellRun(request, CellStatus.INTERRUPTED)

    async def run_awaiting(self, request: CellRequest, window: InterruptWindow, cell: ShownCell | None) -> CellRun:
        """The same with code that awaits, in the kernel's own loop."""
        shell, ended = self._shell, _Ended()
        with self._around(request, window, cell, ended):
            python = shell.transform_cell(request.code)
            try:
                ended.result = await shell.run_cell_async(request.code, transformed_cell=python)
            finally:
                shell.events.trigger("post_execute")
                shell.events.trigger("post_run_cell", ended.result)
        return ended.run or CellRun(request, CellStatus.INTERRUPTED)

    @contextlib.contextmanager
    def _around(
        self, request: CellRequest, window: InterruptWindow, cell: ShownCell | None, ended: _Ended
    ) -> Iterator[None]:
        """While the code runs, and at its end."""
        shell, namespace = self._shell, self._namespace
        before, drawn = namespace.all(), open_figures()
        kept = KeptOutput(cell.show if cell is not None else None)
        out, started = Out(kept.hear), time.monotonic()
        with (
            _ONE_AT_A_TIME,
            _alone(shell) if self._is_alone(window) else contextlib.nullcontext(),
            window.reachable(),
            current(shell),
            held(shell, "run_code", _in_window(shell.run_code, window)),
            # Nested errors would be published to the user's cell as its own.
            held(shell, "showtraceback", _shows_nothing),
            held(shell, "showsyntaxerror", _shows_nothing),
            held(shell, "showindentationerror", _shows_nothing),
            without_marimos_outputs(request.code),
            plotly_as_json(request.code, shell),
            quiet_libraries(),
            told(shell, out, request.code) as last,
        ):
            yield
            error = ended.result.error_before_exec or ended.result.error_in_exec
            flush()
            for figure in new_figures(drawn, None if last.is_picture else last.value):
                out.tell(figure.pop("output_type"), figure)
            if error is not None and cell is not None:  # formatting 1,000 frames takes seconds, for nobody
                tell_error(shell, out, error)
        if isinstance(error, asyncio.CancelledError) and window.task is not None:
            error = KeyboardInterrupt()
        created = namespace.bound_since(before)
        if error is not None and not isinstance(error, KeyboardInterrupt):
            namespace.take_back(before)
        namespace.own_up(created)
        loops = loop_variables(request.code)
        run = outcome_of(request, error, kept.outputs(), last.value)
        names = tuple(name for name in created if name not in loops)
        count = None if cell is None else numbered(shell, request.source)
        elapsed = time.monotonic() - started
        ended.run = replace(run, created=names, elapsed_s=elapsed, execution_count=count, in_notebook=cell is not None)

    def free_loop(self, code: str) -> asyncio.Lock | None:
        """The lock under which this code can await in the kernel's loop; None where it does not await, or cannot."""
        lock = self._lock
        return lock if lock is not None and not lock.locked() and self._awaits(code) else None

    def _is_alone(self, window: InterruptWindow) -> bool:
        """Whether this runs beside the requests of clients, not within one, in which the kernel is busy already."""
        return window.task is not None or (self._lock is not None and not self._lock.locked())

    @property
    def _lock(self) -> asyncio.Lock | None:
        """Held by ipykernel while a request runs; None before ipykernel 7, and without a kernel."""
        return getattr(getattr(self._shell, "kernel", None), "_main_asyncio_lock", None)

    def _awaits(self, code: str) -> bool:
        """Whether the code needs a loop of its own, once the shell has made Python of it."""
        try:
            transformed = self._shell.transform_cell(code)
        except Exception:  # noqa: BLE001 - the shell shows it when it runs the cell
            return False
        return bool(self._shell.should_run_async(code, transformed_cell=transformed))


def numbered(shell: InteractiveShell, source: str) -> int:
    """The next execution count, with the code in the shell's history. On the main thread, between two cells."""
    count: int = shell.execution_count
    shell.history_manager.store_inputs(count, source)
    shell.execution_count += 1
    return count


@contextlib.contextmanager
def _alone(shell: Any) -> Iterator[None]:
    """Every page sees that the kernel works, as with a cell of the user's. None of them can be asked for input."""
    kernel = shell.kernel
    topic = f"kernel.{kernel.ident}.status".encode()

    def say(state: str) -> None:
        kernel.session.send(kernel.iopub_socket, "status", {"execution_state": state}, ident=topic)

    say("busy")
    try:
        with nobody_types():
            yield
    finally:
        say("idle")


def _in_window(run_code: Callable[..., Awaitable[bool]], window: InterruptWindow) -> Callable[..., Awaitable[bool]]:
    """The shell's method that executes compiled code, open to interrupts while it does."""

    async def run(*arguments: Any, **options: Any) -> bool:
        with window.code():
            return await run_code(*arguments, **options)

    return run


def _shows_nothing(*_: object, **__: object) -> None:
    """In place of the shell's methods that show an error: the run carries it."""
