"""Events for everybody who subscribes: published on one thread, read on another."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from threading import RLock
from typing import Generic, TypeVar
from weakref import WeakSet

Event = TypeVar("Event")


class Subscription(AsyncIterator[Event]):
    """What was published since the subscription, in order, for one reader at a time on any loop; ends with the bus.

    A reader that lets go of it has unsubscribed.
    """

    def __init__(self, waiting: set[object]) -> None:
        """See `EventBus.subscribe`. `waiting` keeps those alive that are waited for: an event loop does not."""
        self._alive = waiting
        self._events: deque[Event] = deque()
        self._lock = RLock()  # the garbage collector may publish on the thread that holds it
        self._waiting: asyncio.Future[None] | None = None
        self._closed = False

    async def __anext__(self) -> Event:
        while True:
            with self._lock:
                if self._events:
                    return self._events.popleft()
                if self._closed:
                    raise StopAsyncIteration
                waiting = self._waiting = asyncio.get_running_loop().create_future()
            self._alive.add(self)
            try:
                await waiting
            finally:
                self._alive.discard(self)

    def pending(self) -> list[Event]:
        """What was published and not read yet, without waiting for more."""
        with self._lock:
            events = list(self._events)
            self._events.clear()
        return events

    def _take(self, *events: Event, closed: bool = False) -> None:
        with self._lock:
            self._events.extend(events)
            self._closed |= closed
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            with contextlib.suppress(RuntimeError):  # the reader's loop is closed: nobody reads any more
                waiting.get_loop().call_soon_threadsafe(_wake, waiting)


class EventBus(Generic[Event]):
    """Hands each event to all subscriptions. Both methods may be called on any thread."""

    def __init__(self) -> None:
        self._subscriptions: WeakSet[Subscription[Event]] = WeakSet()
        self._waiting: set[object] = set()
        self._lock = RLock()

    def subscribe(self) -> Subscription[Event]:
        """What is published from now on."""
        subscription: Subscription[Event] = Subscription(self._waiting)
        with self._lock:
            self._subscriptions.add(subscription)
        return subscription

    def publish(self, event: Event) -> None:
        """Hand it to whoever has subscribed."""
        for subscription in self._all():
            subscription._take(event)  # noqa: SLF001 - the two are one mechanism

    def close(self) -> None:
        """End all subscriptions, each when its events are read."""
        for subscription in self._all():
            subscription._take(closed=True)  # noqa: SLF001

    def _all(self) -> list[Subscription[Event]]:
        with self._lock:
            return list(self._subscriptions)


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
