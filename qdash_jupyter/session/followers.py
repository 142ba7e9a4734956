"""Those who follow what happens in a conversation, such as the panel."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

from qdash_jupyter.domain.events import StampedEvent

if TYPE_CHECKING:
    from qdash_jupyter.session.turn import Turn

    News: TypeAlias = tuple[Turn, StampedEvent]
    Feed: TypeAlias = asyncio.Queue[News | None]


class Followers:
    """A queue for each of them. Reading and telling happen on the agent's loop."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._feeds: set[Feed] = set()
        self._lock = RLock()  # a follower may be forgotten while memory is cleared up, at any moment

    def __len__(self) -> int:
        return len(self._feeds)

    def follow(self) -> AsyncGenerator[News]:
        """What happens from now on."""
        feed: Feed = asyncio.Queue()
        with self._lock:
            self._feeds.add(feed)
        news = self._read(feed)
        # Who never begins to read never comes to the generator's end.
        weakref.finalize(news, self._forget, feed).atexit = False
        return news

    def tell(self, news: News) -> None:
        """This has happened."""
        for feed in self._all():
            feed.put_nowait(news)

    async def end(self) -> None:
        """Nothing more will happen."""
        for feed in self._all():
            feed.put_nowait(None)
        await asyncio.sleep(0)  # they come to their end before the loop does

    async def _read(self, feed: Feed) -> AsyncGenerator[News]:
        try:
            while (news := await feed.get()) is not None:
                yield news
        finally:
            self._forget(feed)

    def _forget(self, feed: Feed) -> None:
        with self._lock:
            self._feeds.discard(feed)

    def _all(self) -> tuple[Feed, ...]:
        with self._lock:
            return tuple(self._feeds)
