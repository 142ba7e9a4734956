"""Blocking work beside an asyncio loop, on daemon threads.

`asyncio.to_thread` uses pool threads that the interpreter joins at exit: one read of a database that hangs would keep a
kernel from shutting down. A daemon thread for each read is left behind instead, when its turn was cancelled; what runs
on a server for it is asked to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Thread, current_thread
from typing import TypeVar
from weakref import WeakSet

from qdash_jupyter.domain.work import Work, begin

Result = TypeVar("Result")

_END_S = 1.0
_threads: WeakSet[Thread] = WeakSet()


async def in_background(work: Callable[[], Result], name: str) -> Result:
    """What `work` returns or raises. Cancelling the caller abandons the work, it does not wait for it."""
    known = Work()
    try:
        return await begun(work, name, known)
    finally:
        known.give_up()


def begun(work: Callable[[], Result], name: str, known: Work) -> asyncio.Future[Result]:
    """What `work` will return or raise. Who no longer waits has to give up what is `known` of it."""
    done: Future[Result] = Future()
    done.set_running_or_notify_cancel()  # from here on nobody's cancelling reaches the work

    def run() -> None:
        begin(known)
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - the awaiting side raises it
            done.set_exception(_raisable(error))
        except BaseException as error:  # noqa: BLE001 - an exit of this thread must not end the agent's loop
            done.set_exception(RuntimeError(f"{name} ended with {error!r}"))

    thread = Thread(target=run, name=name, daemon=True)
    _threads.add(thread)
    try:
        thread.start()
    except RuntimeError:  # from Python 3.12 on no thread begins while the interpreter ends: nobody is held up any more
        run()
    return asyncio.wrap_future(done)


def let_end(within_s: float = _END_S) -> None:
    """Wait for the threads of all work, but no longer than that: what ends with the interpreter should be over first.

    Work that speaks to the kernel's sockets would do so while the kernel closes them, which garbles its last messages.
    """
    patience = time.monotonic() + within_s
    for thread in list(_threads):
        if thread is not current_thread():
            thread.join(max(0.0, patience - time.monotonic()))


def run_until_stopped(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop on this thread until it is stopped; what still runs there is cancelled, and the loop closed."""
    # At its end it begins a thread, which none may while the interpreter ends.
    with contextlib.suppress(RuntimeError), asyncio.Runner(loop_factory=lambda: loop):
        loop.run_forever()
        loop.run_until_complete(asyncio.sleep(0))  # what was woken just before may come to its end


def _raisable(error: Exception) -> Exception:
    """A future cannot raise StopIteration: whoever waits would wait for ever. Nor is the caller cancelled here."""
    return RuntimeError(f"raised {error!r}") if isinstance(error, (StopIteration, CancelledError)) else error
