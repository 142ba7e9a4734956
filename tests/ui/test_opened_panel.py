"""`qdash_jupyter.open_copilot().panel`: who shows it, on which thread code runs, and what becomes of it."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import comm
import pytest

import qdash_jupyter
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.kernel.carried import CarriedNames
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.ui.panel import NOWHERE, is_open
from tests.patience import until
from tests.session.conversation import without_settings

QUESTION = "Which qubits have the worst T1?"


class Page(comm.base_comm.BaseComm):
    """The page's end of a widget's comm."""

    def __init__(self, **options: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(**options)

    def publish_msg(self, msg_type: str, data: Any = None, **_: Any) -> None:
        if (data or {}).get("method") == "custom":
            self.sent.append(data["content"])

    def say(self, **message: Any) -> None:
        data = {"method": "custom", "content": {"v": 1, **message}}
        self.handle_msg({"content": {"data": data}, "buffers": []})

    @property
    def shown(self) -> str:
        return str([said for said in self.sent if said["type"] in {"patch", "snapshot"}])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, demo16: Path) -> Iterator[Copilot]:
    """In a process whose widgets reach a page."""
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setattr(comm, "create_comm", Page)
    made = qdash_jupyter.open_copilot(settings={"database": {"snapshot": str(demo16)}})
    yield made
    made.close()


def asked(page: Page, ask_id: str, text: str = QUESTION) -> None:
    page.say(type="ask", ask_id=ask_id, text=text)


async def reached(condition: Any) -> None:
    """Wait for it while the loop runs, as marimo's does between two cells."""
    await asyncio.to_thread(until, condition)


def test_a_question_of_the_panel_binds_its_names_on_the_thread_of_the_loop(
    opened: Copilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    bind = CarriedNames.bind

    def noting(names: CarriedNames) -> None:
        threads.append(threading.get_ident())
        bind(names)

    monkeypatch.setattr(CarriedNames, "bind", noting)

    async def notebook() -> None:
        page = opened.panel.comm
        page.say(type="resync")
        asked(page, "a1")
        await reached(lambda: opened.turns and opened.turns[-1].done)
        assert opened.panel.comm is page

    asyncio.run(notebook())
    [turn] = opened.turns
    assert [run.status.value for run in turn.cells] == ["ok", "ok"]
    assert threads == [threading.get_ident()] * 2
    assert turn.result().charts
    assert list(opened.data)


def test_while_the_loop_is_busy_no_code_runs(opened: Copilot) -> None:
    async def notebook() -> None:
        asked(opened.panel.comm, "a1")
        # A cell of the user's. It lasts until there is code to run.
        until(lambda: opened.turns and "execute_python_analysis" in str(opened.turns[-1].events))
        moved = [one.event.stage for one in opened.turns[-1].events if isinstance(one.event, CellMoved)]
        assert moved in ([], ["waiting"])
        await reached(lambda: opened.turns[-1].done)

    asyncio.run(notebook())
    assert [run.status.value for run in opened.turns[-1].cells] == ["ok", "ok"]


def test_a_panel_whose_cell_runs_again_is_another_one_of_the_same_conversation(opened: Copilot) -> None:
    async def notebook() -> None:
        before = opened.panel
        asked(before.comm, "a1")
        await reached(lambda: opened.turns and opened.turns[-1].done)
        before.comm.close()
        after = opened.panel
        assert after is not before
        after.comm.say(type="resync")
        await reached(lambda: QUESTION in after.comm.shown)
        asked(after.comm, "a2", "Show T1 of the whole chip")
        await reached(lambda: len(opened.turns) == 2 and opened.turns[-1].done)
        await reached(lambda: "T1 of the whole chip" in after.comm.shown)

    asyncio.run(notebook())
    assert opened.turns[-1].state == "answered"


def test_another_chip_stays_in_the_same_handle(opened: Copilot) -> None:
    async def notebook() -> None:
        page = opened.panel.comm
        asked(page, "a1")
        await reached(lambda: opened.turns and opened.turns[-1].done)
        data = opened.data
        page.say(type="use_chip", n=1, project="demo", chip="16Q-demo")
        await reached(lambda: not opened.turns)
        assert opened.data is data
        asked(page, "a2")
        await reached(lambda: opened.turns and opened.turns[-1].done)

    asyncio.run(notebook())
    assert opened.turns[-1].cells
    assert str(opened.status().chip).startswith("16Q-demo ")


def test_who_asks_in_the_panel_is_asked_for_approvals_there(opened: Copilot, demo16: Path) -> None:
    noted, code = Path("noted"), "import os\nos.mkdir('noted')"
    replies = [call_reply(("execute_python_analysis", {"code": code, "purpose": "Note it"})), text_reply("Noted.")]
    settings = {"database": {"snapshot": str(demo16)}}

    async def notebook(copilot: Copilot) -> None:
        page = copilot.panel.comm
        page.say(type="resync")
        asked(page, "a1", "Note it.")
        await reached(lambda: copilot.approvals.waiting)
        waiting = copilot.approvals.waiting
        assert waiting is not None
        await reached(lambda: waiting.proposal_id in page.shown)
        assert not noted.exists()  # noqa: ASYNC240
        decision = {"proposal_id": waiting.proposal_id, "hash": waiting.code_hash, "verdict": "approved"}
        page.say(type="decide", n=2, **decision)
        await reached(lambda: copilot.turns[-1].done)

    with contextlib.closing(qdash_jupyter.open_copilot(settings=settings, model=ScriptedLLM(replies))) as copilot:
        asyncio.run(notebook(copilot))
        assert copilot.turns[-1].result().text == "Noted."
    assert noted.is_dir()


def test_a_closed_copilot_has_a_closed_panel_and_may_have_a_new_one(opened: Copilot) -> None:
    async def notebook() -> None:
        panel = opened.panel
        opened.close()
        await reached(lambda: not is_open(panel))
        again = opened.panel
        assert again is not panel
        asked(again.comm, "a1")
        await reached(lambda: opened.turns and opened.turns[-1].done)
        await reached(lambda: QUESTION in again.comm.shown)

    asyncio.run(notebook())


def test_where_nothing_can_show_it_the_panel_says_so() -> None:
    with contextlib.closing(qdash_jupyter.open_copilot(demo=True)) as copilot:
        assert str(copilot.panel) == str(NOWHERE)


@pytest.mark.long
def test_so_it_does_in_ipython_in_a_terminal(tmp_path: Path) -> None:
    code = "import qdash_jupyter; c = qdash_jupyter.open_copilot(demo=True); c.panel"
    env = {"HOME": str(tmp_path), "PYTHONPATH": str(Path(qdash_jupyter.__file__).parents[1])}
    command = [sys.executable, "-m", "IPython", "--colors=nocolor", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=env, cwd=tmp_path)
    assert str(NOWHERE) in ran.stdout
