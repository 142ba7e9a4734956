"""The panel gets the table of completions once it is greeted, where the offline planner answers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.errors import DatabaseUnreachable
from qdash_jupyter.llm.client import LLM, ModelCard
from qdash_jupyter.llm.offline.planner import OfflinePlanner
from qdash_jupyter.llm.scripted import ScriptedLLM
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.ui.screen import Screen
from tests.patience import PATIENCE_S
from tests.session.conversation import conversation, open_shell, parts_with


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with open_shell() as opened:
        yield opened


def greeted(shell: InteractiveShell, folder: Path, model: LLM) -> Any:
    """The state after the first greeting."""
    with conversation(shell, parts_with(model, folder)) as copilot:
        inside: Any = copilot._conversation

        async def play() -> Any:
            screen = Screen("an instance", lambda _: None)
            await screen.greet(inside)
            screen.close()
            return screen.state.snapshot()

        return asyncio.run(play())


def test_the_words_are_those_of_the_chip(shell: InteractiveShell, demo16: Path) -> None:
    state = greeted(shell, demo16, OfflinePlanner())
    english, japanese = state["completions"]
    assert (english["language"], english["help"], japanese["help"]) == ("en", "What can I ask?", "何が聞けますか？")
    assert ["CheckT1"] in english["words"]["task"]
    times = {word for [word] in english["words"]["time0"]}
    assert {"in the last 7 days", "yesterday"} < times
    assert len([word for word in times if word.startswith("on ")]) == 31  # of the last runs
    assert {"Q00", "Q15", "Q00-Q01"} <= {one["name"] for one in state["mentions"]}


class LanguageModel(ScriptedLLM):
    @property
    def card(self) -> ModelCard:
        return ModelCard("m", "here", is_language_model=True)


def test_with_a_language_model_nothing_is_completed(shell: InteractiveShell, demo16: Path) -> None:
    state = greeted(shell, demo16, LanguageModel([]))
    assert (state["about"]["state"], state["completions"], state["mentions"]) == ("ready", [], [])


def test_of_two_greetings_the_later_one_counts(
    shell: InteractiveShell, demo16: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another chip is chosen while the table of the first is made."""
    begun, may_end = threading.Event(), threading.Event()

    def made(_: Parts) -> list[Any]:
        if begun.is_set():
            return []
        begun.set()
        may_end.wait(PATIENCE_S)
        return [{"language": "en"}]

    monkeypatch.setattr(Parts, "completions", made)
    with conversation(shell, parts_with(OfflinePlanner(), demo16)) as copilot:
        inside: Any = copilot._conversation

        async def play() -> Any:
            screen = Screen("an instance", lambda _: None)
            first = asyncio.create_task(screen.greet(inside))
            await asyncio.to_thread(begun.wait, PATIENCE_S)
            await screen.greet(inside)
            may_end.set()
            await first
            screen.close()
            return screen.state.snapshot()["completions"]

        assert asyncio.run(play()) == []


def test_a_chip_that_cannot_be_read_is_not_completed_and_greets(
    shell: InteractiveShell, demo16: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DatabaseUnreachable("gone")

    monkeypatch.setattr(SnapshotReader, "task_names", fail)
    state = greeted(shell, demo16, OfflinePlanner())
    assert (state["about"]["state"], state["completions"]) == ("ready", [])
