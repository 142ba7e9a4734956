"""Stored results that are fetched again by themselves."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from qdash_jupyter.errors import DatabaseUnreachable, PersonError
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.ui.refreshing import Polling, period_of
from tests.patience import PATIENCE_S
from tests.ui.test_refreshing import Lab

SOON = timedelta(milliseconds=5)


def polled(lab: Lab, running: list[object], until: int, *keys: str) -> str:
    """What is said after so many calls of the lab; `running` holds the question that runs, for so many looks."""

    class Conversation:
        data = lab.data

        @property
        def running(self) -> object:
            return running.pop() if running else None

    copilot: Any = Conversation()
    polling = Polling(copilot, keys, SOON)

    async def some_time() -> None:
        task = asyncio.create_task(polling.run())
        while len(lab.calls) <= until:  # the next round has begun, so what came of the last one is said
            await asyncio.sleep(0.005)
            assert not task.done()
        task.cancel()

    asyncio.run(asyncio.wait_for(some_time(), PATIENCE_S))
    return text_in(polling.words(), "en")


def test_all_there_is_or_what_is_named_is_fetched_each_time() -> None:
    lab = Lab(t1=3, t2=3)
    told = re.search(r"`data\['t2'\]`: version (\d+), same data", polled(lab, [], 4))
    assert told
    assert int(told[1]) >= 3
    assert lab.calls[:4] == ["t1", "t2"] * 2
    named = Lab(t1=3, t2=3)
    polled(named, [], 3, "t1")
    assert set(named.calls) == {"t1"}


def test_nothing_is_fetched_while_a_question_is_answered() -> None:
    lab = Lab(t1=3)
    questions: list[object] = [SimpleNamespace()] * 5
    polled(lab, questions, 1)
    assert questions == []


def test_what_fails_is_said_and_tried_again() -> None:
    lab = Lab(t1=3)
    lab.rows["t1"] = DatabaseUnreachable("The server does not answer.", "Is it on?")
    assert "not fetched: The server does not answer." in polled(lab, [], 3)
    lab.rows["t1"] = 4
    assert "not fetched" not in polled(lab, [], len(lab.calls) + 1)
    assert len(lab.data["t1"].frame) == 4


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("30 s", 30), ("10m", 600), ("1.5min", 90), ("2h", 7200), (" 24h ", 86400)]
)
def test_a_period(text: str, seconds: float) -> None:
    assert period_of(text).total_seconds() == seconds


@pytest.mark.parametrize("text", ["", "9.9s", "0m", "10", "m", "-5m", "ten minutes", "1e3s", "10d", "9" * 400 + "h"])
def test_no_period(text: str) -> None:
    with pytest.raises(PersonError, match="Write it as 30s, 10m or 2h"):
        period_of(text)
