"""The line that says what a question is doing: words of a model stand in it."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from qdash_jupyter.domain.events import StageChanged, StampedEvent
from qdash_jupyter.ui import display
from qdash_jupyter.ui.growing import TICK_S, GrowingAnswer
from qdash_jupyter.ui.progress import Progress

HOSTILE = StampedEvent("t", 1, datetime.now(UTC), StageChanged("step", "Reading <img src=x onerror=canary(1)>"))


def test_it_holds_no_html_in_the_running_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(display, "publish", shown.append)
    Progress(None, "en", shown=True).on_event(HOSTILE)
    assert "Reading" in shown[0]["text/markdown"]
    assert "<img" not in shown[0]["text/markdown"]


def test_it_holds_no_html_below_a_cell_that_has_returned() -> None:
    shown: list[str] = []
    shell = SimpleNamespace(display_pub=SimpleNamespace(publish=lambda data, **_: shown.append(data["text/markdown"])))
    turn = SimpleNamespace(turn_id="t", language="en")

    async def run() -> None:
        GrowingAnswer(shell, turn, "cell", SimpleNamespace()).changed(HOSTILE)  # pyrefly: ignore[bad-argument-type]
        await asyncio.sleep(2 * TICK_S)

    asyncio.run(run())
    assert "Reading" in shown[0]
    assert "<img" not in shown[0]
