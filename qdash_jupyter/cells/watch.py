"""Sees which cell the kernel runs: the copilot's from beginning to end, of the person's only that they are there.

Registered once, when the extension is loaded. What the copilot's own cells need is imported with the first of them.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.own_cell import OwnCell, same_source
from qdash_jupyter.cells.tee import OutputTee
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.answer import JsonObject

logger = logging.getLogger("qdash_jupyter")

_MOST_REFUSALS = 200
_UNLOADED = "The extension was unloaded before the cell ran."


@dataclass(frozen=True, slots=True)
class ExpectedCell:
    """A cell that is given to a page. The futures are of the loop that expects it.

    `behind` is done when the kernel runs something else first, `started` when the cell begins (its result is the
    request that really runs: the person may have edited the cell), `finished` at its end.
    """

    request: CellRequest
    loop: asyncio.AbstractEventLoop
    behind: asyncio.Future[None]
    started: asyncio.Future[CellRequest]
    finished: asyncio.Future[CellRun]

    def settle(self, future: asyncio.Future[Any], value: object) -> None:
        """Resolve one of the futures, from another thread."""

        def settle() -> None:
            if not future.done():
                future.set_result(value)

        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(settle)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A request that runs nothing, should it still come: from this session, or (None) from whichever."""

    code: str
    session: str | None


@dataclass(slots=True)
class _Outermost:
    """The cell that runs now, whoever wrote it; runs nested in it count up and down."""

    message_id: str
    depth: int = 1


class CellWatch:
    """The callbacks of one shell. `expect`, `withdraw`, `interrupt` and the like may be called from any thread."""

    def __init__(self, shell: InteractiveShell, namespace: Namespace) -> None:
        """Begin to watch, on the main thread."""
        self._shell = shell
        self._namespace = namespace
        self._kernel = getattr(shell, "kernel", None)
        self._main = threading.main_thread().ident
        self._lock = threading.Lock()
        self._expected: dict[str, ExpectedCell] = {}
        self._refused: dict[str, list[_Refusal]] = {}
        self._running: _Outermost | None = None
        self._own: tuple[OwnCell, ExpectedCell] | None = None  # changed under the lock, on the main thread
        self._empties = False
        self._when_idle: list[Callable[[], None]] = []
        self._tee = OutputTee.on(shell)
        shell.events.register("pre_run_cell", self._before_cell)
        shell.events.register("post_run_cell", self._after_cell)

    def close(self) -> None:
        """Stop watching, and take everything away."""
        for event, callback in (("pre_run_cell", self._before_cell), ("post_run_cell", self._after_cell)):
            with contextlib.suppress(ValueError):  # closed before
                self._shell.events.unregister(event, callback)
        with self._lock:
            expected = list(self._expected.values())
            self._expected.clear()
            self._refused.clear()
        self._end(None)
        for cell in expected:
            cell.settle(cell.finished, CellRun(cell.request, CellStatus.ABORTED, reason=_UNLOADED))
            cell.settle(cell.started, cell.request)
        if self._tee is not None:
            self._tee.close()

    @property
    def busy(self) -> bool:
        """Whether a cell runs, also one that awaits."""
        return self._running is not None

    def is_behind(self, cell_id: str) -> bool:
        """Whether this cell is expected while another one runs."""
        return self._running is not None and cell_id in self._expected

    def when_idle(self, then: Callable[[], None]) -> None:
        """Call `then` as the cell ends that runs now. From the main thread, and there."""
        self._when_idle.append(then)

    def expect(self, request: CellRequest) -> ExpectedCell:
        """This cell is going to be sent. Call it on the loop that waits for it."""
        loop = asyncio.get_running_loop()
        cell = ExpectedCell(request, loop, loop.create_future(), loop.create_future(), loop.create_future())
        with self._lock:
            self._expected[request.cell_id] = cell
        return cell

    def withdraw(self, cell_id: str, session: str | None = None) -> bool:
        """The cell is no longer wanted: its request, should it come from that session, runs nothing.

        Says no where it runs by now, or has run.
        """
        with self._lock:
            cell = self._expected.pop(cell_id, None)
            if cell is None:
                return False
            self._refused.setdefault(cell_id, []).append(_Refusal(cell.request.code, session))
            if len(self._refused) > _MOST_REFUSALS:
                del self._refused[next(iter(self._refused))]
        return True

    def forget(self, cell_id: str) -> None:
        """The request that was expected will not come: if the person runs the cell now, it is theirs."""
        with self._lock:
            self._expected.pop(cell_id, None)

    def forgive(self, cell_id: str, session: str) -> None:
        """The request that was refused has passed, or will not come: if the person runs the cell now, it runs."""
        with self._lock:
            left = [refusal for refusal in self._refused.pop(cell_id, []) if refusal.session not in {session, None}]
            if left:
                self._refused[cell_id] = left

    def interrupt(self, cell_ids: Collection[str]) -> bool:
        """Interrupt the cell that runs now, if it is one of these; says whether it was."""
        with self._lock:
            if self._own is None or self._own[0].request.cell_id not in cell_ids:
                return False
            self._own[0].gate.send()
        if self._kernel is not None:
            # A cell that awaits is cancelled by the kernel's loop, which a signal alone does not wake.
            self._kernel.io_loop.add_callback(_wake)
        return True

    def visit(self, node: ast.AST) -> ast.AST:
        """Called by the shell, for the cells that need it, with what a cell's source has become.

        Raises nothing but an interrupt, by which the shell ends the cell.
        """
        if threading.get_ident() != self._main:
            return node
        if self._empties:
            self._empties = False
            return ast.Module([], [])
        return node if self._own is None else self._own[0].code(node)

    # The callbacks. The shell prints what they raise into the cell, so they raise nothing: neither errors, which go to
    # the log, nor an interrupt of the person's that comes just then. A cell on a subshell is none of ours.

    def _before_cell(self, info: ExecutionInfo) -> None:
        try:
            if threading.get_ident() == self._main:
                self._arrived(info)
        except KeyboardInterrupt:
            if self._own is None and getattr(info, "cell_id", None) in self._expected:
                self._running = None
                self._before_cell(info)
            if self._own is not None:
                self._own[0].gate.wanted = True
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
        if self._running is not None and (message_id == self._running.message_id or not _is_of_a_cell(header)):
            self._running.depth += 1
            return
        self._end(None)  # a cell of ours whose end was not told
        self._running = _Outermost(message_id)
        self._empties = False
        if self._expected or self._refused:
            self._sort_out(getattr(info, "cell_id", None) or "", header, info)

    def _sort_out(self, cell_id: str, header: JsonObject, info: ExecutionInfo) -> None:
        expected = self._expected.get(cell_id)
        if self._is_refused(cell_id, header.get("session"), info.raw_cell):
            self._empty()
        elif expected is not None:
            self._begin(expected, header, info)
        for other in list(self._expected.values()):
            other.settle(other.behind, None)

    def _is_refused(self, cell_id: str, session: str | None, raw: str) -> bool:
        """Whether this very request was withdrawn; each refusal counts once."""
        with self._lock:
            refusals = self._refused.get(cell_id, [])
            for refusal in refusals:
                # Where a session is not known, it might be the request that is expected now.
                known = refusal.session is not None and session is not None
                meant = refusal.session == session if known else cell_id not in self._expected
                if meant and same_source(raw, refusal.code):
                    refusals.remove(refusal)
                    if not refusals:
                        del self._refused[cell_id]
                    return True
        return False

    def _begin(self, expected: ExpectedCell, header: JsonObject, info: ExecutionInfo) -> None:
        own = OwnCell(expected.request, info, header.get("msg_id", ""))
        own.gate.install()
        with self._lock:
            if self._expected.get(own.request.cell_id) is expected:
                del self._expected[own.request.cell_id]
                self._own = own, expected
        if self._own is None:  # withdrawn just now
            own.gate.remove()
            if self._is_refused(own.request.cell_id, header.get("session"), info.raw_cell):
                self._empty()
            return
        self._transform(on=True)
        own.begin(self._shell, self._namespace, self._tee)
        expected.settle(expected.started, own.request)

    def _empty(self) -> None:
        self._empties = True
        self._transform(on=True)

    def _left(self, result: ExecutionResult | None) -> None:
        info = getattr(result, "info", None)
        raw = getattr(info, "raw_cell", None)
        if raw is not None and not raw.strip():
            self._left_empty(info)  # the shell tells of no beginning then
            return
        is_own = self._own is not None and self._own[0].is_of(info)
        if not is_own and self._running is not None and self._running.depth > 1:
            self._running.depth -= 1
            return
        self._end(result)
        self._running = None
        self._empties = False
        self._transform(on=False)
        waiting, self._when_idle = self._when_idle, []
        for then in waiting:
            then()

    def _left_empty(self, info: Any) -> None:
        with self._lock:
            expected = self._expected.pop(getattr(info, "cell_id", None) or "", None)
        if expected is not None:
            request = replace(expected.request, code=info.raw_cell)
            expected.settle(expected.finished, CellRun(request, CellStatus.OK))
            expected.settle(expected.started, request)

    def _end(self, result: ExecutionResult | None) -> None:
        if self._own is None:
            return
        with self._lock:
            (own, expected), self._own = self._own, None
            own.gate.shut()
        self._transform(on=False)
        run = own.end(result, self._shell, self._namespace, self._tee)
        own.gate.remove()
        self._running = None  # before the agent hears of it: its next cell does not wait for this one
        expected.settle(expected.started, own.request)
        expected.settle(expected.finished, run)

    def _transform(self, *, on: bool) -> None:
        """Be asked what the cell that runs now is made of; as the last one, so that nobody changes it afterwards."""
        transformers = self._shell.ast_transformers
        if on or self in transformers:
            transformers[:] = [*(other for other in transformers if other is not self), *([self] if on else [])]

    def _request_header(self) -> JsonObject:
        """The header of the request that the main thread works on."""
        if self._kernel is None:
            return {}
        header: JsonObject = self._kernel.get_parent("shell").get("header") or {}
        return header


def _is_of_a_cell(header: JsonObject) -> bool:
    """While a cell awaits, the handler of a widget's message may run code through the shell, too."""
    return header.get("msg_type") in {"execute_request", None}


def _wake() -> None:
    """The loop has woken by running this."""
