"""Questions that wait for the end of the running one: sent one after the other, once; or kept until the user says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.kernel import ShellKernel
from qdash_jupyter.domain.wire import panel as wire
from qdash_jupyter.domain.wire.page import page_message
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.client import ModelRequest, ReplyPart
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.commands import perform
from qdash_jupyter.ui.queue import MOST
from qdash_jupyter.ui.screen import Screen
from tests.patience import until
from tests.session.conversation import open_shell, parts_with, small_demo, without_settings


class Gated(ScriptedLLM):
    """Answers each request when it is let; an error in place of an answer where it is told so."""

    def __init__(self) -> None:
        super().__init__([])
        self.gate = asyncio.Semaphore(0)
        self.error: PersonError | None = None

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        self.requests.append(request)
        await self.gate.acquire()
        if self.error is not None:
            raise self.error
        yield text_reply("Answered.")


class Panel:
    """What a page says to a copilot, and hears."""

    def __init__(self, app: CopilotApp, model: Gated) -> None:
        self.app, self.model = app, model
        self.acks: dict[str | int, Mapping[str, Any]] = {}
        app.screen = Screen("an instance", lambda _: None)

    def say(self, **message: Any) -> None:
        read = page_message(message)
        assert read is not None
        self.app.loop.call(perform, self.app, read, None, lambda ack: self.acks.update({ack["of"]: ack}))

    def ask(self, ask_id: str, **more: Any) -> Mapping[str, Any]:
        """Asks, and returns the acknowledgement."""
        self.acks.pop(ask_id, None)
        self.say(type="ask", ask_id=ask_id, text=f"Question {ask_id}", **more)
        until(lambda: ask_id in self.acks)
        return self.acks[ask_id]

    def let(self, answers: int = 1) -> None:
        """Lets the model give so many answers."""
        for _ in range(answers):
            self.app.loop.call(self.model.gate.release)

    def stop(self) -> None:
        self.say(type="stop", n=1)
        until(lambda: 1 in self.acks)

    @property
    def waiting(self) -> list[wire.Queued]:
        return self.app.queue.shown

    @property
    def asked(self) -> list[str | None]:
        return [turn.asked_from.ask_id for turn in self.app.conversation.turns]

    def until_idle(self, turns: int) -> None:
        until(lambda: len(self.asked) == turns and self.app.conversation.running is None)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture
def panel(tmp_path: Path, snapshot: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Panel]:
    without_settings(monkeypatch, tmp_path)
    model = Gated()

    def conversation(app: CopilotApp, _: object) -> Conversation:
        shell: InteractiveShell = app.shell
        return Conversation(ShellKernel(shell, app.namespace), parts_with(model, snapshot), loop=app.loop)

    monkeypatch.setattr(CopilotApp, "_new_conversation", conversation)
    with open_shell() as shell:
        app = CopilotApp(shell)
        yield Panel(app, model)
        app.close()


def test_questions_are_asked_in_their_order_each_when_the_one_before_is_answered(panel: Panel) -> None:
    assert panel.ask("a")["turn_id"]
    assert [panel.ask(each) for each in "bc"] == [
        {"type": "ack", "of": each, "ok": True, "turn_id": None, "message": ""} for each in "bc"
    ]
    assert [one["text"] for one in panel.waiting] == ["Question b", "Question c"]
    panel.let()
    until(lambda: panel.asked == ["a", "b"])
    assert [one["ask_id"] for one in panel.waiting] == ["c"]
    panel.let(2)
    panel.until_idle(3)
    assert panel.asked == ["a", "b", "c"]
    assert panel.waiting == []


def test_a_question_that_comes_twice_is_asked_once(panel: Panel) -> None:
    panel.ask("a")
    for ask_id in ("b", "b", "a"):
        assert panel.ask(ask_id)["ok"]
    assert [one["ask_id"] for one in panel.waiting] == ["b"]
    panel.let(3)
    panel.until_idle(2)
    assert panel.ask("b")["turn_id"] == panel.app.conversation.turns[1].turn_id
    assert panel.asked == ["a", "b"]


def test_stop_stops_what_runs_and_keeps_what_waits(panel: Panel) -> None:
    panel.ask("a")
    panel.ask("b")
    panel.stop()
    panel.until_idle(1)
    assert [(one["ask_id"], one["held"]) for one in panel.waiting] == [("b", True)]
    panel.let()
    panel.ask("c")  # a new one goes before those that are held, and they stay
    panel.until_idle(2)
    panel.say(type="unqueue", n=2, ask_id="b")
    panel.say(type="unqueue", n=3, ask_id="b")
    until(lambda: 3 in panel.acks)
    assert (panel.acks[2]["ok"], panel.acks[3]["ok"]) == (True, False)
    assert panel.asked == ["a", "c"]
    assert panel.waiting == []


@pytest.mark.parametrize("fails", [True, False])
def test_what_ended_without_an_answer_sends_nothing_after_it(panel: Panel, *, fails: bool) -> None:
    panel.ask("a")
    panel.ask("b")
    if fails:
        panel.model.error = PersonError("No model.", "Start it.")
        panel.let()
    else:
        panel.app.conversation.stop()  # elsewhere: by the kernel's Interrupt, or copilot.stop()
    until(lambda: [one["held"] for one in panel.waiting] == [True])
    assert panel.asked == ["a"]


def test_a_question_waits_with_what_it_is_about(panel: Panel) -> None:
    cell = {"label": "[7]", "code": "t1.plot()", "output": "", "pictures": ["AAAA"], "cell_id": "c7"}
    result = {"task": "CheckT1", "qid": "3", "execution_id": None, "task_id": None}
    panel.ask("a")
    panel.ask("b", cell=cell)
    panel.ask("c", analysis=result)
    assert panel.waiting[0]["cell"] == cell | {"left_out": [], "fix": False}
    assert panel.waiting[1]["analysis"] == result
    panel.let(2)
    until(lambda: len(panel.asked) == 3)
    about = panel.app.conversation.turns[1].analysis
    assert getattr(about, "code", None) == "t1.plot()"


def test_so_many_wait_and_no_more(panel: Panel) -> None:
    panel.ask("a")
    acks = [panel.ask(f"q{place}") for place in range(MOST + 1)]
    assert [ack["ok"] for ack in acks] == [True] * MOST + [False]
    assert acks[-1]["message"] == "20 questions wait already. Remove one, or wait until one is answered."
