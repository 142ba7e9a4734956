"""The answer below a cell that has returned: it gets into the notebook, even if its page was away when it ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.answer import Answer, TextBlock
from qdash_jupyter.domain.events import AnswerReady, StampedEvent
from qdash_jupyter.session.records import AskedFrom, PastTurn, TurnBegan
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.growing import GrowingAnswer
from tests.ui.shown_turns import ASKED


@dataclass
class Tab:
    """A browser tab at the end of a comm; `goes` is what happens while it is asked whether it is there."""

    name: str
    is_there: bool
    goes: Any = None
    sent: list[Any] = field(default_factory=list)

    @property
    def comm(self) -> Any:
        return SimpleNamespace(comm_id=self.name)

    async def is_alive(self) -> bool:
        if self.goes is not None:
            self.goes()
        return self.is_there

    def send(self, message: Any) -> None:
        self.sent.append(message)


def growing(tabs: list[Tab]) -> GrowingAnswer:
    began = TurnBegan("t", "How is Q7?", ASKED, asked_from=AskedFrom("tab"))
    ready = StampedEvent("t", 1, ASKED, AnswerReady(Answer((TextBlock("Q7 is well."),))))
    turn = Turn.restored(PastTurn(began, (ready,)), AgentLoop())
    link: Any = SimpleNamespace(in_order=lambda _: list(tabs))
    shell: Any = None
    return GrowingAnswer(shell, turn, "cell", link)


def test_the_first_tab_that_answers_writes_it() -> None:
    dead, alive = Tab("old", is_there=False), Tab("new", is_there=True)
    assert asyncio.run(growing([dead, alive]).save())
    assert dead.sent == []
    (message,) = alive.sent
    assert (message["type"], message["cell_id"], message["turn_id"]) == ("set_outputs", "cell", "t")
    assert message["outputs"][0]["data"]["text/markdown"] == "Q7 is well."


def test_without_a_tab_it_is_not_written_yet() -> None:
    assert not asyncio.run(growing([]).save())
    assert not asyncio.run(growing([Tab("gone", is_there=False)]).save())


def test_a_tab_that_comes_back_meanwhile_is_asked_too() -> None:
    tabs: list[Tab] = []
    back = Tab("back", is_there=True)
    tabs.append(Tab("gone", is_there=False, goes=lambda: tabs.append(back)))
    assert asyncio.run(growing(tabs).save())
    assert len(back.sent) == 1
