"""What the panel does with data: a look at a table, fetching again, deleting; after a restart of the kernel as well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.wire.kernel import Ack
from qdash_jupyter.domain.wire.page import page_message
from qdash_jupyter.errors import DatabaseUnreachable
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.ui.commands import perform
from qdash_jupyter.ui.screen import Screen
from tests.patience import PATIENCE_S
from tests.session.conversation import conversation, parts_with

FETCH = call_reply(("get_chip_parameter_timeseries", {"parameter_name": "t1"}), ("get_chip_summary", {}))


@dataclass
class Shown:
    """A copilot whose panel a person uses."""

    copilot: Copilot
    screen: Screen = field(default_factory=lambda: Screen("an instance", lambda _: None))
    later: list[Any] = field(default_factory=list)
    acks: list[Ack] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.on_loop(self.screen.show, self.conversation)

    @property
    def conversation(self) -> Any:
        return self.copilot._conversation

    def conversation_changed(self) -> None:
        """No page is told."""

    def data_changed(self) -> None:
        self.screen.state.data_changed()

    def spawn(self, work: Any) -> None:
        self.later.append(work)

    def on_loop(self, function: Callable[..., Any], *arguments: object) -> Any:
        async def called() -> Any:
            return function(*arguments)

        return self.conversation.loop.submit(called()).result(PATIENCE_S)

    def command(self, kind: str, **fields: Any) -> list[str]:
        """What was refused, after all that the command led to."""
        message = page_message({"type": kind, "n": 1, **fields})
        assert message is not None
        self.acks.clear()
        self.on_loop(perform, cast("Any", self), message, None, self.acks.append)
        for work in self.later:
            self.conversation.loop.submit(work).result(PATIENCE_S)
        self.later.clear()
        return [str(ack["message"] or "") for ack in self.acks if not ack["ok"]]

    @property
    def state(self) -> Any:
        return self.on_loop(self.screen.state.snapshot)

    @property
    def frames(self) -> dict[str, tuple[int, int, bool]]:
        """Of each result the shape of the main table, and whether it is gone."""
        return {
            frame["key"]: (frame["rows"], len(frame["columns"]), frame["gone"])
            for frame in self.state["frames"]
            if frame["main"]
        }

    def notes(self, key: str) -> set[str]:
        return {frame["note"] for frame in self.state["frames"] if frame["key"] == key}


@pytest.fixture
def begun(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Begins kernels of a notebook, one after the other, that keep their conversations in one folder."""
    monkeypatch.setenv("JPY_SESSION_NAME", "/lab/study.ipynb")

    def begin(*replies: Any) -> Any:
        journal = partial(Journal.open, folder=tmp_path / "kept")
        return conversation(shell, parts_with(ScriptedLLM(replies), snapshot), journal=journal)

    return begin


def test_what_went_with_the_kernel_is_fetched_again_by_one_command(begun: Callable[..., Any]) -> None:
    with begun(FETCH, text_reply("Done.")) as first:
        first.ask("Look.")
        before = {key: result.frame for key, result in first.data.items()}
        shapes = {key: (*frame.shape, False) for key, frame in before.items()}
        assert Shown(first).frames == shapes
        conversation_id = first._conversation.conversation_id
    with begun() as second:
        second._conversation._adopt(conversation_id, None)
        shown = Shown(second)
        assert shown.frames == {key: (rows, columns, True) for key, (rows, columns, _) in shapes.items()}
        assert {frame["call"].partition("(")[0] for frame in shown.state["frames"]} == {
            "get_chip_parameter_timeseries",
            "get_chip_summary",
        }
        assert shown.command("refresh") == []
        assert shown.frames == shapes
        assert all(second.data[key].frame.equals(frame) for key, frame in before.items())
        assert not any(frame["fetching"] for frame in shown.state["frames"])


def test_what_cannot_be_fetched_again_is_said_and_stays_listed(
    begun: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with begun(FETCH, text_reply("Done.")) as first:
        first.ask("Look.")
        conversation_id = first._conversation.conversation_id
    with begun() as second:
        second._conversation._adopt(conversation_id, None)
        shown = Shown(second)

        async def unreachable(*_: object) -> None:
            raise DatabaseUnreachable("No server answers.", "Start it.")

        with monkeypatch.context() as patch:
            patch.setattr(second._conversation.workbench, "fetch_again", unreachable)
            (refusal,) = shown.command("refresh")
        assert refusal.endswith(": No server answers. Start it.")
        assert [(frame["gone"], frame["fetching"]) for frame in shown.state["frames"]] == [(True, False)] * 2
        assert shown.command("refresh", keys=["t1"]) == []
        assert [key for key, (_, _, gone) in shown.frames.items() if gone] == ["chip_summary"]


def test_a_look_at_a_table_and_what_becomes_of_it(begun: Callable[..., Any]) -> None:
    with begun(FETCH, text_reply("Done.")) as copilot:
        copilot.ask("Look.")
        shown = Shown(copilot)
        assert not shown.state["preview"]
        assert shown.command("preview", key="t1", table="timeseries") == []
        preview = shown.state["preview"]
        assert (preview["state"], preview["total_rows"]) == ("ready", len(copilot.data["t1"].frame))
        assert "v (μs)" in preview["columns"]
        assert any(str(words).endswith("documents from task_result_history") for words in preview["read"])
        shown.command("preview", key="t9", table="timeseries")
        assert shown.state["preview"]["message"] == "This result no longer exists."

        # Fetched again it is a new version of the same; one that the user changed stays beside it.
        assert shown.command("refresh", keys=["t1"]) == []
        assert shown.notes("t1") == {"Version 2, same data. Only the newest of 639 are here."}
        copilot.data["t1"].frame["mine"] = 1
        assert shown.command("refresh", keys=["t1"]) == []
        assert "mine" in copilot.data["t1"].frame
        assert shown.notes("t1_2") == {"Your changes to t1 are kept. Only the newest of 639 are here."}

        assert shown.command("discard", key="t1") == []
        assert set(shown.frames) == {"chip_summary", "t1_2"}
        (refusal,) = shown.command("discard", key="t1")
        assert refusal == "t1 no longer exists."
