"""The agent's cells in a real notebook: where they appear, what they show, and what can happen to them meanwhile.

One notebook serves the whole file, as a person's does: each test asks its own question in it. With `ROUNDS=20` all of
it happens so many times, five of them in one notebook.
"""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.lab.conftest import Tab
from tests.lab.in_browser import NUMBERED, SLOW_MS, Held, Lab, Notebook, follow, sources_of, until_there
from tests.lab.in_panel import Panel, configured, text_answer
from tests.patience import until
from tests.scripted_server import ScriptedServer, call_turn, text_turn

ROUNDS = int(os.environ.get("ROUNDS", "1"))
IN_ONE_NOTEBOOK = min(ROUNDS, 5)
LOOP = "count = 0\nwhile True:\n    count += 1\n"
MESSAGE_ID = re.compile(r'"msg_id":"([^"]+)"')
GATE = """\
from threading import Lock
class Gate:
    def __init__(self):
        self.connection = Lock()  # cannot be copied into the session
    def wait(self):
        from pathlib import Path
        Path({!r}).touch()
{}
gate = Gate()
"""
BLAS = "import numpy as np\nones = np.ones((1500, 1500))\nfor _ in range(10_000):\n    product = ones @ ones\n"


@dataclass
class Scene:
    """An open notebook with its copilot, and the model that answers it."""

    notebook: Notebook
    panel: Panel
    model: ScriptedServer
    folder: Path
    said: list[str]
    """By the page to the kernel."""
    heard: list[str]
    """By the page from the kernel."""
    held: int = 0
    mark: str = ""
    """A comment by which the cells of one test are known: its name."""

    def hold(self, then: str) -> Held:
        """The person's cell sleeps until it is let go, and ends with this code."""
        flag = self.flag()
        cell = self.notebook.start(until_there(flag, then))
        expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
        return Held(cell, flag)

    def ask_held(self, then: str) -> tuple[Locator, Held]:
        """A question whose answer runs an approved cell in the kernel that waits until it is let go."""
        flag = self.flag()
        reached = flag.with_name(f"reached-{self.held}")
        reached.unlink(missing_ok=True)
        self.notebook.run(GATE.format(str(reached), textwrap.indent(until_there(flag), " " * 8)))
        turn, cell = self.ask(f"gate.wait()\n{then}"), self.cell_with(then)
        turn.get_by_role("button", name="Run in my kernel", exact=True).click()
        expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
        until(reached.exists)
        return turn, Held(cell, flag)

    def flag(self) -> Path:
        """A file that is not there yet."""
        self.held += 1
        flag = self.folder / f"let-go-{self.held}"
        flag.unlink(missing_ok=True)
        return flag

    def ask(self, *steps: str, answer: str = "All done.") -> Locator:
        """A question whose answer runs these pieces of code as cells, one after the other."""
        for code in steps:
            self.will_run(code)
        self.model.add(text_turn(text_answer(answer)))
        return self.panel.ask("Run the steps")

    def will_run(self, code: str) -> None:
        """The model's next reply to a question."""
        arguments = {"code": f"{code}\n{self.mark}", "purpose": "A test"}
        self.model.add(call_turn(("execute_python_analysis", arguments)))

    def outcome(self, index: int = -1) -> dict[str, Any]:
        """What the model was told of a cell."""
        items = self.model.requests[-1].body["input"]
        outputs = [json.loads(item["output"]) for item in items if item["type"] == "function_call_output"]
        found: dict[str, Any] = outputs[index]
        return found

    def wait_until_the_kernel_knows(self, text: str) -> None:
        """It has handled the page's message with this text: it says "idle" of each one that it has."""

        def message_ids() -> list[str]:
            return [found[1] for message in self.said if text in message and (found := MESSAGE_ID.search(message))]

        while not any(one in message and '"idle"' in message for one in message_ids() for message in self.heard):
            self.notebook.page.wait_for_timeout(10)

    @property
    def agent_cells(self) -> Locator:
        """Those of this test. Where they stand depends on what the tests before have left."""
        cells = self.notebook.page.locator(".jp-Notebook .jp-CodeCell[data-qdash-step]")
        return cells.filter(has=self.notebook.page.locator(".cm-content", has_text=self.mark))

    def cell_with(self, source: str) -> Locator:
        return self.agent_cells.filter(has=self.notebook.page.locator(".cm-content", has_text=source))


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture(scope="module", params=range(ROUNDS // IN_ONE_NOTEBOOK))
def notebook_with_copilot(
    lab: Lab,
    tab: Tab,
    model: ScriptedServer,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Scene]:
    before = request.session.testsfailed
    said: list[str] = []
    heard: list[str] = []
    tab.opened().on("websocket", lambda socket: follow(socket, said, heard))
    notebook = Notebook.show(tab.opened(), lab, lab.write_notebook(f"cells-{request.param}.ipynb", ""))
    panel = Panel.start(notebook, configured(model.base_url))
    model.forget()
    yield Scene(notebook, panel, model, tmp_path_factory.mktemp("flags"), said, heard)
    tab.leave(failed=request.session.testsfailed > before)


@pytest.fixture(params=range(IN_ONE_NOTEBOOK))
def scene(notebook_with_copilot: Scene, request: pytest.FixtureRequest) -> Scene:
    notebook_with_copilot.mark = f"# {request.node.name}"
    return notebook_with_copilot


def test_steps_appear_in_order_below_the_cell_of_the_person(scene: Scene) -> None:
    turn = scene.ask("first = 1 + 1\nfirst", "second = first + 1\nsecond", "second * 10")
    scene.panel.expect_state(turn, "done")
    expect(scene.agent_cells).to_have_count(3)  # JupyterLab draws a cell when it comes into view
    mine = sources_of(scene.agent_cells)
    lines = [text.removeprefix("%load_ext qdash_jupyter\n").split("\n")[0] for text in mine]
    assert lines == ["first = 1 + 1", "second = first + 1", "second * 10"]
    expect(scene.agent_cells.nth(2).locator(".jp-OutputArea-output")).to_have_text("30")
    assert scene.outcome(-1)["result"] == 30


def test_a_cell_that_reads_nothing_of_the_persons_runs_beside_their_cell(scene: Scene) -> None:
    held = scene.hold("'mine'")
    turn = scene.ask("beside = 6 * 7\nbeside")
    scene.panel.expect_state(turn, "done")
    assert scene.outcome()["result"] == 42
    expect(scene.cell_with("beside").locator(".jp-OutputArea-output")).to_have_text("42")
    expect(held.cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    after = scene.notebook.start("beside + 1")  # bound before the person's next cell
    held.let_go()
    expect(held.cell.locator(".jp-OutputArea-output")).to_contain_text("mine")
    expect(after.locator(".jp-OutputArea-output")).to_have_text("43")
    expect(scene.cell_with("6 * 7").locator(".jp-InputPrompt")).to_have_text(NUMBERED)


@pytest.mark.parametrize("ends", ["'mine'", pytest.param("1 / 0", marks=pytest.mark.long)], ids=["well", "in an error"])
def test_a_cell_that_reads_what_is_the_persons_waits_for_their_cell(scene: Scene, ends: str) -> None:
    scene.notebook.run("theirs = 20")
    held = scene.hold(f"theirs += 1\n{ends}")
    turn = scene.ask("theirs * 2")
    scene.panel.expect_state(turn, "waiting")
    expect(turn).to_contain_text("Waiting for your cell, because the code reads theirs.")
    held.let_go()
    scene.panel.expect_state(turn, "done")
    expect(held.cell.locator(".jp-OutputArea-output")).to_contain_text(re.compile("mine|ZeroDivisionError"))
    assert scene.outcome()["result"] == 42


def test_our_failing_cell_does_not_stop_the_persons_queue(scene: Scene) -> None:
    turn, held = scene.ask_held("1 / 0")
    cell = scene.notebook.start("'the queue goes on'")
    held.let_go()
    expect(cell.locator(".jp-OutputArea-output")).to_contain_text("the queue goes on")
    scene.panel.expect_state(turn, "done")
    assert scene.outcome()["status"] == "error"
    assert "ZeroDivisionError" in scene.outcome()["traceback"]


def delete(cell: Locator) -> None:
    cell.locator(".jp-InputPrompt").click()
    cell.page.keyboard.press("Escape")
    cell.page.keyboard.press("d")
    cell.page.keyboard.press("d")


@pytest.mark.long
def test_a_cell_deleted_before_it_runs_binds_nothing(scene: Scene) -> None:
    scene.notebook.run("theirs = 20")
    held = scene.hold("pass")
    turn = scene.ask("never_bound = theirs")
    scene.panel.expect_state(turn, "waiting")
    scene.said.clear()
    scene.heard.clear()
    delete(scene.cell_with("never_bound"))
    scene.wait_until_the_kernel_knows('"cell_deleted"')
    held.let_go()
    scene.panel.expect_state(turn, "done")
    assert scene.outcome()["status"] == "deleted"
    shown = scene.notebook.run("'never_bound' in globals()")
    expect(shown.locator(".jp-OutputArea-output")).to_have_text("False")


@pytest.mark.long
def test_a_cell_deleted_while_it_runs_is_seen_to_its_end(scene: Scene) -> None:
    turn, held = scene.ask_held("fate = 'gone'")
    scene.said.clear()
    scene.heard.clear()
    delete(held.cell)
    expect(held.cell).to_have_count(0)
    scene.wait_until_the_kernel_knows('"cell_deleted"')  # else the cell may end before
    held.let_go()
    scene.panel.expect_state(turn, "done")
    assert scene.outcome()["status"] == "deleted"


@pytest.mark.parametrize("code", [LOOP, pytest.param(BLAS, marks=pytest.mark.long)], ids=["Python loop", "BLAS"])
def test_stop_ends_our_cell(scene: Scene, code: str) -> None:
    scene.will_run(code)
    turn = scene.panel.ask("Run without end")
    cell = scene.cell_with(code.splitlines()[-1].strip())
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    scene.panel.stop()
    scene.panel.expect_state(turn, "stopped")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[ ]:")
    expect(cell).to_contain_text("KeyboardInterrupt")


def test_stop_while_the_persons_cell_sleeps_leaves_it_alone(scene: Scene) -> None:
    scene.notebook.run("theirs = 20")
    held = scene.hold("'slept well'")
    turn = scene.ask("[theirs, 'not needed any more']")
    scene.panel.expect_state(turn, "waiting")
    scene.panel.stop()
    scene.panel.expect_state(turn, "stopped")
    held.let_go()
    expect(held.cell.locator(".jp-OutputArea-output")).to_contain_text("slept well", timeout=SLOW_MS)
    expect(scene.cell_with("not needed any more")).to_have_count(0)
    scene.model.forget()


@pytest.mark.long  # tests/cells/test_interrupt_window.py tries any moment
def test_interrupt_of_the_notebook_ends_our_cell_in_the_session_while_no_cell_of_the_person_runs(scene: Scene) -> None:
    interrupt = scene.notebook.page.get_by_role("button", name=re.compile("Interrupt the kernel")).first
    held = scene.hold("'not reached'")
    scene.will_run(LOOP)
    turn = scene.panel.ask("Run without end")
    cell = scene.cell_with("count += 1")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    interrupt.click()
    expect(held.cell).to_contain_text("KeyboardInterrupt")
    scene.notebook.wait_until_idle()  # until then the kernel drops what is sent to it
    expect(scene.notebook.run("1 + 1").locator(".jp-OutputArea-output")).to_have_text("2")
    scene.panel.expect_state(turn, "thinking")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    interrupt.click()
    scene.panel.expect_state(turn, "stopped")
    expect(cell).to_contain_text("KeyboardInterrupt")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[ ]:")
    scene.will_run(LOOP)
    turn = scene.panel.ask("And once more")
    expect(scene.cell_with("count += 1").nth(1).locator(".jp-InputPrompt")).to_have_text("[*]:")
    scene.agent_cells.first.locator(".jp-InputPrompt").click()
    scene.notebook.page.keyboard.press("Escape")
    scene.notebook.page.keyboard.press("i")
    scene.notebook.page.keyboard.press("i")
    scene.panel.expect_state(turn, "stopped")
    scene.model.forget()


@pytest.mark.long
def test_interrupt_of_the_notebook_ends_our_cell_in_the_kernel_and_the_turn(scene: Scene) -> None:
    turn, held = scene.ask_held("'not reached'")
    scene.notebook.page.get_by_role("button", name=re.compile("Interrupt the kernel")).first.click()
    scene.panel.expect_state(turn, "stopped")
    expect(held.cell).to_contain_text("KeyboardInterrupt")
    scene.notebook.wait_until_idle()  # until then the kernel drops what is sent to it
    expect(scene.notebook.run("1 + 1").locator(".jp-OutputArea-output")).to_have_text("2")
    scene.model.forget()


@pytest.mark.long
def test_an_edited_cell_is_the_persons(scene: Scene) -> None:
    scene.notebook.run("theirs = 20")
    held = scene.hold("pass")
    turn = scene.ask("edited = 'by the agent', theirs\nedited")
    scene.panel.expect_state(turn, "waiting")
    editor = scene.cell_with("by the agent").locator(".cm-content")
    editor.click()
    scene.notebook.page.keyboard.press("ControlOrMeta+a")
    scene.notebook.page.keyboard.insert_text("edited = 'by the person'\nedited")
    held.let_go()
    scene.panel.expect_state(turn, "done")
    assert scene.outcome()["status"] == "ok"


def test_what_needs_a_page_runs_in_the_kernel_after_a_yes(scene: Scene) -> None:
    scene.notebook.run("copilot.tools.get_chip_parameter_timeseries(parameter_name='t1')")
    turn = scene.ask("copilot.data['t1'].explore()", "name = input('Your name? ')")
    run = turn.get_by_role("button", name="Run in my kernel", exact=True)
    run.click()
    expect(scene.cell_with("explore").locator(".widget-dropdown").first).to_be_visible(timeout=SLOW_MS)
    run.click(timeout=SLOW_MS)
    expect(scene.cell_with("Your name?")).to_contain_text("Press Shift+Enter in the cell")
    scene.panel.expect_state(turn, "done")
