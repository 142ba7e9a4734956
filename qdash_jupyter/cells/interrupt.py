"""Decides on the main thread what a SIGINT does while code of the copilot runs there, and around it.

A signal may arrive after the code it was sent for has ended. So the handler is ours from before that code until nothing
that was sent can still arrive: it lets an interrupt through to the code, and to nothing else.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

_DELIVERY_S = 0.5

_SHELL = "IPython.core.interactiveshell"


class _Handler:
    """In the place of the handler that is there. All but `interrupt` is for the main thread.

    What handles a signal takes no lock, because it may come at any time.
    """

    def __init__(self) -> None:
        self.wanted = False
        """One has come, and nothing was interrupted by it yet."""
        self._lock = threading.Lock()
        self._shut = False  # changed under the lock
        self._on_its_way = False  # one of ours
        self._before: Callable[[int, FrameType | None], Any] | int | None = None
        self._handler = self._arrived

    def install(self) -> None:
        """Take the place of the handler that is there."""
        self._before = signal.getsignal(signal.SIGINT)
        try:
            signal.signal(signal.SIGINT, self._handler)
        except KeyboardInterrupt:  # one has just arrived, and is let out first
            self.wanted = True
            signal.signal(signal.SIGINT, self._handler)

    def interrupt(self) -> bool:
        """Send an interrupt to the main thread, unless it is too late for one. From any thread."""
        with self._lock:
            if not self._shut:
                self._send()
            return not self._shut

    def shut(self) -> None:
        """Interrupts do nothing from here on."""
        with self._lock:
            self._shut = True

    def remove(self) -> None:
        """Give the handler back, once nothing that was sent can still arrive; the code may have set one of its own."""
        self.shut()
        patience = time.monotonic() + _DELIVERY_S
        while self._on_its_way and self._is_in_place and time.monotonic() < patience:
            time.sleep(0.001)
        if self._is_in_place:
            signal.signal(signal.SIGINT, self._before)

    def _send(self) -> None:
        self._on_its_way = True
        interrupt_main_thread()

    @property
    def _is_in_place(self) -> bool:
        return signal.getsignal(signal.SIGINT) is self._handler

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        raise NotImplementedError


class InterruptGate(_Handler):
    """For a cell of its own: an interrupt raises while the cell's own code runs, and from `arm` on.

    Before that it is remembered (`wanted`): raised in a callback or in the shell's own machinery it would be printed,
    or leave the request without a reply. After the cell it is swallowed, so that the user's next cell never sees one
    that was sent for ours.
    """

    def __init__(self) -> None:
        super().__init__()
        self.interrupted = False
        self._armed = False
        self._held = False
        self._late = False

    def arm(self) -> None:
        """Raise from here on: `wanted` is looked at once more, and then the shell runs the cell's code."""
        self._armed = True

    @contextmanager
    def held(self) -> Iterator[None]:
        """Around what is to be done whole: an interrupt waits for its end."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
            if self._late and not self._shut:
                self._late = False
                self._act(signal.SIGINT, sys._getframe(1))  # noqa: SLF001 - the frame that a signal would come with

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        self._on_its_way = False
        if self._shut:
            return
        if self._held:
            self._late = True
        else:
            self._act(number, frame)

    def _act(self, number: int, frame: FrameType | None) -> None:
        awaits = callable(self._before) and self._before is not signal.default_int_handler
        if _runs_code(frame, awaits=awaits, armed=self._armed):
            self.interrupted = True
            raise _Interrupt
        self.wanted = True
        if awaits and callable(self._before):
            # The cell awaits: the kernel's handler cancels it. An exception here would end the kernel's loop.
            self.interrupted = True
            self._before(number, frame)


class InterruptWindow(_Handler):
    """For a cell nested in one of the user's: an interrupt of ours raises in the stretches in which its own code runs.

    Before the code and between two stretches of it, it waits for the next stretch; after the last one it does nothing.
    Ctrl-C and the notebook's own interrupt raise at once, as ever.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reachable = False  # signals may be sent; changed under the lock
        self._sent_at = 0.0  # on the clock of `time.monotonic`
        self._open = False  # the cell's own code runs

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Around the run. Signals arrive on the main thread: elsewhere, an interrupt waits for the next stretch."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self.install()
        try:
            with self._lock:
                self._reachable = True
            yield
        finally:
            self._open = False
            self.remove()

    @contextmanager
    def code(self) -> Iterator[None]:
        """Around a stretch of the cell's own code."""
        self._open = True
        try:
            self._raise_if_wanted()
            yield
        finally:
            self._open = False

    def _send(self) -> None:
        if not self._reachable:
            self.wanted = True
        elif not self._on_its_way or time.monotonic() - self._sent_at > _DELIVERY_S:
            # One that comes while none of ours is on its way is the user's own, so ours are not sent side by side. One
            # that arrived just before a sleep began did not end the sleep: the next one does, and they count as one.
            self._sent_at = time.monotonic()
            super()._send()

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        if not self._on_its_way:
            raise KeyboardInterrupt
        self._on_its_way = False
        self.wanted = True
        if self._open:
            self._raise_if_wanted()

    def _raise_if_wanted(self) -> None:
        if self.wanted:
            self.wanted = False
            raise KeyboardInterrupt


class _Interrupt(KeyboardInterrupt):
    """Looks in every way like Python's own, except that the traceback ends where the cell was, not in our handler."""

    def _render_traceback_(self) -> list[str]:
        """Called by the shell, which would show the last frame even if it asked to be hidden."""
        from traceback import format_exception

        from IPython.core.getipython import get_ipython

        from qdash_jupyter.cells.outcome import with_lines

        last = self.__traceback__
        while last is not None and last.tb_next is not None and not _is_ours(last.tb_next.tb_frame):
            last = last.tb_next
        if last is not None:
            last.tb_next = None
        shown = with_lines(self.__traceback__)
        try:
            lines: list[str] = get_ipython().InteractiveTB.structured_traceback(KeyboardInterrupt, self, shown)
        except Exception:  # noqa: BLE001 - of files without a source it asks the frame, which may have no line
            return format_exception(KeyboardInterrupt, self, shown)
        return lines


_Interrupt.__name__ = _Interrupt.__qualname__ = "KeyboardInterrupt"
_Interrupt.__module__ = "builtins"


def _is_ours(frame: FrameType) -> bool:
    return Path(frame.f_code.co_filename).parent == Path(__file__).parent


def _runs_code(frame: FrameType | None, *, awaits: bool, armed: bool) -> bool:
    """Whether an exception at this frame ends the cell, and only the cell.

    The shell catches what is raised below `run_ast_nodes`, except while it shows an error, and ends the cell by what is
    raised in `run_cell_async` before that. Of a cell that awaits, only its own code between two awaits counts: the rest
    of the stack is the kernel's loop.
    """
    in_shell, seen = True, False
    while frame is not None:
        inner_in_shell, in_shell = in_shell, frame.f_globals.get("__name__") == _SHELL
        if in_shell:
            seen, name = True, frame.f_code.co_name
            if name in {"showtraceback", "showsyntaxerror"}:
                return False
            if name == "run_code" and not inner_in_shell:
                return True
            if name == "run_ast_nodes" and not awaits:
                return True
            if name == "run_cell_async" and armed and not awaits:
                return "has_raised" not in frame.f_locals  # it is what `run_ast_nodes` has returned
        frame = frame.f_back
    return not (seen or awaits)  # a stack of its own, as greenlets have: the cell's code has switched to it


def interrupt_main_thread() -> None:
    """Send SIGINT to the main thread."""
    ident = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and ident is not None:  # it ends a sleep, too
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()
