"""Cells that run long or take much memory: the person is told of it, and decides. Nothing is interrupted."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.domain.events import CellMoved, CellNews, CellWarned
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.messages.message import Message, sentences

Publish: TypeAlias = Callable[[CellNews], None]

_LOOK_S = 1.0
_AGAIN = 1.25
"""The words are renewed when time or memory has grown by a quarter."""


@dataclass(frozen=True, slots=True)
class RunawayLimits:
    """From when on the person is warned: after so many seconds, and so many bytes more than when the cell began."""

    seconds: float = math.inf
    nbytes: float = math.inf


NO_WARNING = RunawayLimits()


@contextmanager
def runaway_watch(publish: Publish, limits: RunawayLimits) -> Iterator[Publish]:
    """Tell of the cells whose stages are published by what this gives, while they run.

    To be entered on the agent's loop: the kernel's main thread is what is busy. The stages may come on any thread.
    """
    loop = asyncio.get_running_loop()
    watching: list[asyncio.Task[None]] = []

    before = memory_in_use()

    def begin(request: CellRequest) -> None:
        watching.append(loop.create_task(_watch(request, before, publish, limits)))

    def end() -> None:
        while watching:
            watching.pop().cancel()

    def published(event: CellNews) -> None:
        nonlocal before
        if isinstance(event, CellMoved) and event.stage in {"inserted", "waiting"}:
            before = memory_in_use()  # that it runs is heard only when it does
        publish(event)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            if isinstance(event, CellMoved) and event.stage == "running":
                loop.call_soon_threadsafe(begin, event.request)
            elif isinstance(event, CellMoved) and event.stage == "finished":
                loop.call_soon_threadsafe(end)

    try:
        yield published
    finally:
        end()


async def _watch(request: CellRequest, before: int, publish: Publish, limits: RunawayLimits) -> None:
    began = time.monotonic()
    seconds, nbytes = limits.seconds, limits.nbytes
    while True:
        await asyncio.sleep(min(_LOOK_S, limits.seconds))
        elapsed, grown = time.monotonic() - began, memory_in_use() - before
        if elapsed < seconds and grown < nbytes:
            continue
        memory = Message("cell-takes-memory", memory=size_words(grown)) if grown >= limits.nbytes else ""
        publish(CellWarned(request, sentences(Message("cell-runs-long", seconds=f"{elapsed:.0f}"), memory)))
        seconds, nbytes = max(seconds, elapsed * _AGAIN), max(limits.nbytes, grown * _AGAIN)


def memory_in_use() -> int:
    """Bytes of memory that this process holds; 0 where nobody says (ipykernel brings what does)."""
    try:
        import psutil
    except ImportError:
        return 0
    return int(psutil.Process().memory_info().rss)
