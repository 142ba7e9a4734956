"""What may go wrong once in thirty times, in the real JupyterLab: reloads, lost tabs, restarts, Stop. For `make long`.

Each notebook sees a few rounds, so that it stays as small as a person's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.lab.test_conversation_in_lab import reload, restart
from tests.scripted_server import Pause, Script, ScriptedServer, call_turn, text_turn

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

CHANCE = Random()  # noqa: S311
WORDS = " ".join(f"word{number}" for number in range(60))
ENDLESS = "spun = 0\nwhile True:\n    spun += 1\n"
SHORT = """\
import pandas as pd
end = pd.Timestamp.now() + pd.Timedelta(milliseconds={})
while pd.Timestamp.now() < end:
    pass
"""
BLAS = "import numpy as np\nones = np.ones((1000, 1000))\nfor _ in range(10_000):\n    product = ones @ ones\n"
WHOLE = "import time\nfor _ in range(20):\n    time.sleep(0.005)\nprint('whole', {})"
# The turn may end as one aims.
PRESS_STOP = "panel => [...panel.querySelectorAll('button')].find(each => each.textContent.trim() === 'Stop')?.click()"


def cell(code: str) -> tuple[str, dict[str, str]]:
    return ("execute_python_analysis", {"code": code, "purpose": "A test"})


def steps(notebook: Notebook) -> Locator:
    return notebook.page.locator(".jp-CodeCell[data-qdash-step]")


def _told(asked: Event, script: Script) -> Callable[[Any], Script]:
    """The same, and when it is asked for it says so."""

    def reply(_body: Any) -> Script:
        asked.set()
        return script

    return reply


@pytest.mark.parametrize("visit", range(3))
def test_thirty_reloads_in_mid_stream(notebook: Notebook, model: ScriptedServer, visit: int) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    for number in range(10):
        model.add(text_turn(text_answer(WORDS), pieces=60).slow(0.05), call_turn(cell(f"'cell {number}'")))
        model.add(text_turn(text_answer("After the reload.")))
        turn = panel.ask(f"A story, number {number}")
        expect(turn).to_contain_text("word", timeout=SLOW_MS)
        notebook.page.wait_for_timeout(CHANCE.uniform(0, 2500))
        panel = Panel.open(reload(notebook.page))
        panel.wait_until_ready()
        expect(panel.turns).to_have_count(2 * number + 1, timeout=SLOW_MS)
        panel.expect_state(panel.turns.last, "done")
        expect(panel.turns.last).to_contain_text(WORDS)
        expect(panel.answer("And a cell")).to_contain_text("After the reload.")
        expect(steps(notebook).filter(has_text=f"'cell {number}'")).to_have_count(1)
        notebook.page.keyboard.press("ControlOrMeta+s")
        expect(notebook.page.locator(".jp-NotebookPanel.jp-mod-dirty, .jp-mod-current.jp-mod-dirty")).to_have_count(0)


@pytest.mark.parametrize("visit", range(3))
def test_thirty_tabs_that_ask_and_are_gone(  # noqa: PLR0917
    lab: Lab, browser: Browser, notebook: Notebook, model: ScriptedServer, request: pytest.FixtureRequest, visit: int
) -> None:
    first = Panel.start(notebook, configured(model.base_url))
    path = Path(lab.folder, f"{request.node.name}.ipynb")
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(30_000)
    for number in range(10):
        other = Notebook.open(context.new_page(), lab, path)
        second = Panel.open(other)
        second.wait_until_ready()
        here, gone = f"'round {number}: here'", f"'round {number}: nobody there'"
        model.add(call_turn(cell(here)), text_turn(text_answer("One cell.")))
        expect(second.answer("Here, please")).to_contain_text("One cell.")
        expect(steps(other).filter(has_text=here)).to_have_count(1)
        expect(steps(notebook).filter(has_text=here)).to_have_count(0)
        asked = Event()
        late = call_turn(cell(gone)).with_step(0, Pause(CHANCE.uniform(0.3, 1.5)))
        model.add(_told(asked, late), text_turn(text_answer("Taken over.")))
        second.ask("And again")
        while not asked.is_set():
            other.page.wait_for_timeout(10)
        other.page.close()  # at once: a cell that has run there would be gone with it
        expect(first.turns).to_have_count(2 * number + 2)
        first.expect_state(first.turns.last, "done")
        expect(steps(notebook).filter(has_text=gone)).to_have_count(1)
    context.close()


@pytest.mark.parametrize("visit", range(3))
def test_thirty_restarts_and_interrupts_of_a_cell(notebook: Notebook, model: ScriptedServer, visit: int) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    for number in range(10):
        model.add(call_turn(cell(f"{ENDLESS}# round {number}")))
        turn = panel.ask(f"Without end, number {number}")
        mine = steps(notebook).filter(has_text=f"# round {number}")
        expect(mine.locator(".jp-InputPrompt")).to_have_text("[*]:")
        notebook.page.wait_for_timeout(CHANCE.uniform(0, 500))
        if number % 2:
            notebook.page.get_by_role("button", name="Interrupt the kernel").first.click()
            panel.expect_state(turn, "stopped")
        else:
            restart(notebook)
            start = panel.region.get_by_role("button", name="Start the copilot")
            start.click(timeout=SLOW_MS)
            panel.wait_until_ready()
            notebook.run(configured(model.base_url))
            notebook.run("%copilot use --demo")
            expect(panel.turns).to_have_count(number + 1, timeout=SLOW_MS)
        expect(notebook.run("6 * 7").locator(".jp-OutputArea-output")).to_have_text("42")


@pytest.mark.parametrize("visit", range(5))
def test_a_hundred_stops_with_the_cell_of_the_person_queued(
    notebook: Notebook, model: ScriptedServer, visit: int
) -> None:
    """Each time the person's cell waits behind ours, and must come out whole."""
    panel = Panel.start(notebook, configured(model.base_url))
    kinds = [ENDLESS, BLAS, *(SHORT.format(each) for each in (150, 250, 350, 500, 700))]
    for number in range(20):
        model.add(call_turn(cell(f"{CHANCE.choice(kinds)}# round {number}")), text_turn(text_answer("It ended.")))
        turn = panel.ask(f"Number {number}")
        expect(steps(notebook).filter(has_text=f"# round {number}")).to_have_count(1)
        theirs = notebook.start(WHOLE.format(number))
        notebook.page.wait_for_timeout(CHANCE.uniform(0, 300))
        panel.region.evaluate(PRESS_STOP)
        panel.expect_state(turn, "stopped", "done")
        expect(theirs.locator(".jp-OutputArea-output")).to_have_text(f"whole {number}")
        expect(theirs).not_to_contain_text("KeyboardInterrupt")
        model.forget()
