"""The words below a panel that nobody sees, by who comes first: the wait, or the page's view of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from qdash_jupyter.ui import panel_hint
from qdash_jupyter.ui.panel_hint import PanelHint
from tests.session.conversation import open_shell


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def hint(said: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[PanelHint]:
    monkeypatch.setattr(panel_hint, "VIEW_S", 0.0)
    with open_shell() as shell:
        publish = lambda data, **_: said.append(data["text/plain"])  # noqa: E731
        monkeypatch.setattr(shell.display_pub, "publish", publish)
        yield PanelHint(shell)


async def waits(hint: PanelHint) -> None:
    hint.wait()
    await asyncio.sleep(0.01)


def test_without_a_view_the_words_say_what_is_missing_until_one_appears(hint: PanelHint, said: list[str]) -> None:
    hint.begin()
    hint.take_place()
    asyncio.run(waits(hint))
    assert "can't be shown" in said[-1]
    hint.view_appeared()
    assert said[-1] == ""


def test_a_view_that_is_there_before_the_wait_begins_is_seen(hint: PanelHint, said: list[str]) -> None:
    hint.begin()
    hint.view_appeared()
    hint.take_place()
    asyncio.run(waits(hint))
    assert said == [""]
