"""A whole copilot in this process, with a model that answers when it is let, and the page that speaks to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.wire import panel as wire
from qdash_jupyter.domain.wire.page import page_message
from qdash_jupyter.errors import PersonError
from qdash_jupyter.kernel.shell_kernel import ShellKernel
from qdash_jupyter.llm.client import ModelRequest, ReplyPart
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.screen import Screen
from tests.patience import until
from tests.session.conversation import open_shell, parts_with, without_settings


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


class PanelOfApp:
    """What a page says to a copilot, and hears."""

    def __init__(self, app: CopilotApp, model: Gated) -> None:
        self.app, self.model = app, model
        self.acks: dict[str | int, Mapping[str, Any]] = {}
        app.screen = Screen("an instance", lambda _: None)

    def say(self, **message: Any) -> None:
        read = page_message(message)
        assert read is not None
        self.app.loop.call(self.app.commanded, read, None, lambda ack: self.acks.update({ack["of"]: ack}))

    def ask(self, ask_id: str, **more: Any) -> Mapping[str, Any]:
        """Asks, and returns the acknowledgement."""
        self.acks.pop(ask_id, None)
        self.say(type="ask", ask_id=ask_id, **{"text": f"Question {ask_id}"} | more)
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


@contextmanager
def panel_of_app(folder: Path, snapshot: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PanelOfApp]:
    """Somebody's page of a copilot on that snapshot, in an empty folder."""
    without_settings(monkeypatch, folder)
    model = Gated()

    def conversation(app: CopilotApp, _: object) -> Conversation:
        shell: InteractiveShell = app.shell
        return Conversation(ShellKernel(shell, app.namespace), parts_with(model, snapshot), loop=app.loop)

    monkeypatch.setattr(CopilotApp, "_new_conversation", conversation)
    with open_shell() as shell:
        app = CopilotApp(shell)
        yield PanelOfApp(app, model)
        app.close()
