"""Cells that run long or take much memory: what is said, when, and until when."""

from __future__ import annotations

import asyncio
import math
import mmap
import re
from typing import Any

import pytest

from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.domain.events import CellMoved, CellNews, CellStage, CellWarned
from qdash_jupyter.tools import runaway
from qdash_jupyter.tools.runaway import RunawayLimits, memory_in_use, runaway_watch
from tests.patience import PATIENCE_S

REQUEST = CellRequest("r1", "c1", "while True: pass")


def moved(stage: CellStage) -> CellMoved:
    return CellMoved(REQUEST, stage, in_notebook=True)


async def warnings_of(limits: RunawayLimits, count: int = 1) -> list[str]:
    """What is said of a cell that runs until so many warnings have come."""
    published: list[Any] = []
    enough = asyncio.Event()

    def take(event: CellNews) -> None:
        published.append(event)
        if sum(isinstance(one, CellWarned) for one in published) >= count:
            enough.set()

    with runaway_watch(take, limits) as publish:
        publish(moved("inserted"))
        await asyncio.to_thread(publish, moved("running"))  # where it runs, not here
        await asyncio.wait_for(enough.wait(), PATIENCE_S)
        publish(moved("finished"))
        await asyncio.sleep(0)
        ended = len(published)
        await asyncio.sleep(3 * min(limits.seconds, 0.02))
        assert len(published) == ended, "nothing is said of a cell that has ended"
    assert [event.stage for event in published if isinstance(event, CellMoved)] == ["inserted", "running", "finished"]
    return [str(event.message) for event in published if isinstance(event, CellWarned)]


def test_a_long_cell_is_told_of_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runaway, "_LOOK_S", 0.01)
    told = asyncio.run(warnings_of(RunawayLimits(seconds=0.03), count=2))
    assert len(told) >= 2  # a slow machine may tell a third time before it hears that two are enough
    assert all(re.fullmatch(r"This cell has been running for \d+ s\.", one) for one in told)


def test_a_large_cell_says_how_much_it_took_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([7, 1_000_000_000, 1_500_000_000, 3_300_000_000, *[3_300_000_000] * 1000])
    monkeypatch.setattr(runaway, "memory_in_use", lambda: next(sizes))
    monkeypatch.setattr(runaway, "_LOOK_S", 0.01)
    [said] = asyncio.run(warnings_of(RunawayLimits(nbytes=2e9)))
    assert re.fullmatch(r"This cell has been running for \d+ s\. It has used 2\.3 GB of memory so far\.", said)


def test_what_this_process_takes_is_measured() -> None:
    before = memory_in_use()
    with mmap.mmap(-1, 50_000_000) as taken:  # what is freed of the heap is used again, and nothing is taken
        for _ in range(50):
            taken.write(b"x" * 1_000_000)
        assert 40_000_000 < memory_in_use() - before < 5 * len(taken)


def test_without_limits_nothing_is_said() -> None:
    async def run() -> list[Any]:
        published: list[Any] = []
        with runaway_watch(published.append, RunawayLimits()) as publish:
            publish(moved("running"))
            await asyncio.sleep(0.05)
        return published

    assert asyncio.run(run()) == [moved("running")]
    assert RunawayLimits().seconds == math.inf
