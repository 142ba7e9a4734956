"""Carries a turn to the thread that waits for it: that thread sees the events, and runs the cells."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from threading import Event
from typing import TypeAlias

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.events import ApprovalAsked, StampedEvent
from qdash_jupyter.session.callbacks import OnEvent, run_apart

_TICK_S = 0.2

Meanwhile: TypeAlias = Callable[[StampedEvent], None]
"""Hears, on the agent's thread, of what happens while another thread waits. Raises nothing."""


class Pump:
    """What waits to be done on that thread (see `qdash_jupyter.cells.host.InlineRunner`)."""

    def __init__(self, loop: AgentLoop) -> None:
        """Of one turn, which runs on this loop."""
        self.runs_inline = asyncio.Event()
        """Set on the agent's loop when somebody begins to wait: from here on the turn's cells run there."""
        self._loop = loop
        self._items: deque[StampedEvent | Callable[[], None]] = deque()
        self._news = Event()
        self._wakers: list[Callable[[], None]] = []
        self._closed = False
        self._meanwhile: Meanwhile | None = None
        self.may_leave = False
        """Whether who waits goes away where somebody is asked for an approval, so that the kernel is free meanwhile."""

    def publish(self, stamped: StampedEvent) -> None:
        """An event of the turn."""
        if (meanwhile := self._meanwhile) is not None:
            meanwhile(stamped)
        self._put(stamped)

    def post(self, job: Callable[[], None]) -> None:
        """A cell to run, now or as soon as somebody waits."""
        self._put(job)

    def close(self) -> None:
        """The turn is done: nobody waits longer than it takes to see what there is."""
        self._closed = True
        self._put()

    def run_inline(self) -> None:
        """Somebody waits from now on. Before the turn begins, none of its cells is inserted into a notebook."""
        if not self._closed:
            self._loop.call(self.runs_inline.set)

    def wait(
        self,
        on_event: OnEvent | None,
        stop: Callable[[], None],
        *,
        meanwhile: Meanwhile | None = None,
        may_leave: bool = False,
    ) -> None:
        """Work until the turn is done; or, where it `may_leave`, until somebody is asked for an approval. An interrupt,
        or an error of `on_event`, stops the turn.
        """
        self.may_leave, self._meanwhile = may_leave, meanwhile
        # An interrupt may come between any two steps: whatever it hits, it stops the turn and is not lost.
        ended = False
        while not ended:
            try:
                self.run_inline()
                for callback in self._work(on_event):
                    if callback is None:
                        self._news.wait(_TICK_S)
                    else:
                        run_apart(callback)
                self._meanwhile, ended = None, True
            except KeyboardInterrupt:
                stop()
            except BaseException:
                self._meanwhile = None
                stop()  # the caller's own error: nobody would wait for the turn any more
                raise

    async def finish(self, on_event: OnEvent | None, stop: Callable[[], None]) -> None:
        """The same for a thread that awaits; cancelling stops the turn, and goes on when it has ended."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(woken.set)

        cancelled: asyncio.CancelledError | None = None
        self._wakers.append(wake)
        try:
            while True:
                try:
                    self.run_inline()
                    for callback in self._work(on_event):
                        await (_until_set(woken) if callback is None else callback)
                    break
                except asyncio.CancelledError as error:
                    if cancelled is not None:
                        raise
                    cancelled = error  # so that the next question can be asked at once
                    stop()
                except KeyboardInterrupt:
                    stop()
        except BaseException:
            stop()
            raise
        finally:
            self._wakers.remove(wake)
        if cancelled is not None:
            raise cancelled

    def _work(self, on_event: OnEvent | None) -> Generator[Awaitable[None] | None]:
        """Do what there is to do. Yields what a callback wants awaited, and None where there is nothing but to wait."""
        while True:
            self._news.clear()
            closed = self._closed  # nothing comes after that
            if not self._items:
                if closed:
                    return
                yield None
                continue
            item = self._items.popleft()
            if callable(item):
                item()
                continue
            if on_event is not None and (callback := on_event(item)) is not None:
                yield callback
            if self.may_leave and isinstance(item.event, ApprovalAsked):
                self.may_leave = False
                self._loop.call(self.runs_inline.clear)
                return

    def _put(self, *items: StampedEvent | Callable[[], None]) -> None:
        self._items.extend(items)
        self._news.set()
        for wake in tuple(self._wakers):
            wake()


async def _until_set(woken: asyncio.Event) -> None:
    # ipykernel's interrupt of a cell that awaits does not wake its loop.
    tick = asyncio.get_running_loop().call_later(_TICK_S, woken.set)
    try:
        await woken.wait()
    finally:
        tick.cancel()
    woken.clear()
