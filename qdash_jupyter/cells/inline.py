"""Runs cells nested in the user's own: for the command line, nbclient, nbval, IPython, marimo, and magics without a
page.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.figures import new_figures, open_figures
from qdash_jupyter.cells.host import CellJob, Publish
from qdash_jupyter.cells.interrupt import InterruptWindow
from qdash_jupyter.cells.marimo_outputs import without_marimos_outputs
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.outcome import outcome_of
from qdash_jupyter.cells.quiet import quiet_libraries
from qdash_jupyter.cells.renderers import plotly_as_json
from qdash_jupyter.cells.shells import current
from qdash_jupyter.cells.shown import shown
from qdash_jupyter.cells.told_names import loop_variables
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


_ONE_AT_A_TIME = RLock()
"""What code prints and shows is caught for the whole process, and each session of `marimo run` is a thread of it."""
_AGAIN_S = 0.5
_SHOWING_ERRORS = ("showtraceback", "showsyntaxerror", "showindentationerror")


class InlineCellHost:
    """Runs each request on the main thread, through the user's shell, and captures what it shows."""

    def __init__(self, shell: InteractiveShell, namespace: Namespace) -> None:
        """Use this shell and its namespace."""
        self._shell = shell
        self._namespace = namespace

    async def run(self, request: CellRequest, post: Callable[[CellJob], None], publish: Publish) -> CellRun:
        """Run the code on the main thread and wait for it, however long it takes.

        Cancelled before the cell began, it never runs. Cancelled while it runs, it is interrupted, and the cancellation
        goes on when the cell has ended.

        Args:
            request: what to run.
            post: hands the job to whoever waits on the main thread (see `qdash_jupyter.cells.host.InlineRunner`).
            publish: called on the main thread when the cell begins.
        """
        done: Future[CellRun] = Future()
        window = InterruptWindow()
        taken = Lock()

        def work() -> None:
            if not taken.acquire(blocking=False) or not done.set_running_or_notify_cancel():
                return  # it runs elsewhere, or the turn was stopped while the cell was waiting
            publish(CellMoved(request, "running", in_notebook=False))
            try:
                done.set_result(self.run_here(request, window))
            except KeyboardInterrupt:
                # Not as an exception of the future: asyncio would end the agent's loop with it.
                done.set_result(CellRun(request=request, status=CellStatus.INTERRUPTED))
                raise
            except Exception as error:  # noqa: BLE001 - the agent's thread raises it
                done.set_exception(error)
            except BaseException as error:
                done.set_exception(RuntimeError(f"the cell ended with {error!r}"))
                raise

        post(CellJob(work))
        outcome = asyncio.wrap_future(done)
        try:
            return await asyncio.shield(outcome)
        except asyncio.CancelledError:
            done.cancel()
            while not done.done():
                window.interrupt()  # again, should the code have caught the first one
                await asyncio.wait([outcome], timeout=_AGAIN_S)
            raise

    def run_here(self, request: CellRequest, window: InterruptWindow | None = None) -> CellRun:
        """Run the code now, on this thread. Errors of the code are in the result; KeyboardInterrupt too."""
        from IPython.utils.capture import capture_output

        shell = self._shell
        if _awaits(shell, request.code):
            return CellRun(request=request, status=CellStatus.REJECTED, reason=Message("not-run-await"))
        before, drawn = self._namespace.before_run(), open_figures()
        window = window or InterruptWindow()
        started = time.monotonic()
        with (
            _ONE_AT_A_TIME,
            window.reachable(),
            current(shell),
            _overridden(shell, "run_code", _in_window(shell.run_code, window)),
            _errors_kept_back(shell),
            without_marimos_outputs(request.code),
            plotly_as_json(request.code, shell),
            quiet_libraries(),
            capture_output() as captured,
            _last_expression(shell) as last,
        ):
            result = shell.run_cell(request.code, store_history=False)
        elapsed = time.monotonic() - started
        error = result.error_before_exec or result.error_in_exec
        created = self._namespace.bound_since(before)
        if error is not None and not isinstance(error, KeyboardInterrupt):
            self._namespace.take_back(before)
        self._namespace.own_up(created)
        loops = loop_variables(request.code)
        created = tuple(name for name in created if name not in loops)
        figures = new_figures(drawn, None if last.shows_image else last.value)
        outputs = [*_nbformat_outputs(captured), *filter(None, map(shown, (*figures, *last.outputs)))]
        return replace(outcome_of(request, error, tuple(outputs), last.value), created=created, elapsed_s=elapsed)


def _awaits(shell: InteractiveShell, code: str) -> bool:
    """Whether the code needs a loop of its own, once the shell has made Python of it."""
    try:
        transformed = shell.transform_cell(code)
    except Exception:  # noqa: BLE001 - the shell shows it when it runs the cell
        return False
    return bool(shell.should_run_async(code, transformed_cell=transformed))


@contextlib.contextmanager
def _overridden(shell: InteractiveShell, name: str, method: Callable[..., Any]) -> Iterator[None]:
    """Another method for this shell only."""
    before = vars(shell).get(name)
    setattr(shell, name, method)
    try:
        yield
    finally:
        if before is None:
            delattr(shell, name)  # the class's method shows through again
        else:
            setattr(shell, name, before)


@contextlib.contextmanager
def _errors_kept_back(shell: InteractiveShell) -> Iterator[None]:
    """Nested errors would be published to the user's cell as its own; and formatting 1,000 frames takes seconds."""
    with contextlib.ExitStack() as stack:
        for name in _SHOWING_ERRORS:
            stack.enter_context(_overridden(shell, name, _shows_nothing))
        yield


def _in_window(run_code: Callable[..., Awaitable[bool]], window: InterruptWindow) -> Callable[..., Awaitable[bool]]:
    """The shell's method that executes compiled code, open to interrupts while it does."""

    async def run(*arguments: Any, **options: Any) -> bool:
        with window.code():
            return await run_code(*arguments, **options)

    return run


def _shows_nothing(*_: object, **__: object) -> None:
    """In place of the shell's methods that show an error: the run carries it."""


@dataclass(slots=True)
class _LastExpression:
    """What the cell's last expression gave, and how it shows itself."""

    shell: InteractiveShell
    value: object = None
    outputs: list[JsonObject] = field(default_factory=list)

    @property
    def shows_image(self) -> bool:
        """Whether the shell has drawn the value itself."""
        return any("image/png" in output["data"] for output in self.outputs)

    def __call__(self, value: object) -> None:
        if value is None:
            return
        self.value = value
        data, metadata = self.shell.display_formatter.format(value)
        if data:  # an object that displays itself (as figures do) has done so by now, and gives nothing here
            shown = {"output_type": "execute_result", "data": data, "metadata": metadata, "execution_count": None}
            self.outputs.append(shown)  # the number is that of the user's cell: nbformat wants the field all the same


@contextlib.contextmanager
def _last_expression(shell: InteractiveShell) -> Iterator[_LastExpression]:
    """Take the place of the shell's display hook: its own would number and print the value into the user's cell.

    A nested run keeps the hook that is active, an outermost one sets the trap's: both are replaced.
    """
    last = _LastExpression(shell)
    active, trapped = sys.displayhook, shell.display_trap.hook
    outer = getattr(shell.displayhook, "exec_result", None)  # where the user's own cell keeps its result
    sys.displayhook = shell.display_trap.hook = last
    try:
        yield last
    finally:
        sys.displayhook, shell.display_trap.hook = active, trapped
        shell.displayhook.exec_result = outer


def _nbformat_outputs(captured: Any) -> tuple[JsonObject, ...]:
    outputs: list[JsonObject] = []
    if captured.stdout:
        outputs.append({"output_type": "stream", "name": "stdout", "text": captured.stdout})
    if captured.stderr:
        outputs.append({"output_type": "stream", "name": "stderr", "text": captured.stderr})
    displays = (
        {"output_type": "display_data", "data": rich.data or {}, "metadata": rich.metadata or {}}
        for rich in captured.outputs
    )
    return (*outputs, *filter(None, map(shown, displays)))
