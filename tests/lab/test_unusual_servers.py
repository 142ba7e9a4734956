"""Servers that are set up otherwise: a low limit of messages, no labextension, packages missing, a slow network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lab.conftest import running_lab
from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.lab.slow_link import slow_link
from tests.scripted_server import ScriptedServer, call_turn, text_turn

PIECES = 5_000
WORDS = " ".join(f"word{number}" for number in range(PIECES))
LID = "import time\nprint('begins')\ntime.sleep(8)\nprint('ends')\n'slept'"


@contextmanager
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(30_000)
    try:
        yield context.new_page()
    finally:
        context.close()


@pytest.mark.long
def test_a_burst_under_a_low_limit_of_messages_is_complete(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, model: ScriptedServer
) -> None:
    limit = "--ZMQChannelsWebsocketConnection.iopub_msg_rate_limit=300"
    home, folder = tmp_path_factory.mktemp("limited"), tmp_path_factory.mktemp("notebooks")
    with running_lab(home, folder, limit) as lab, tab(browser) as page:
        notebook = Notebook.open(page, lab, lab.write_notebook("burst.ipynb", ""))
        panel = Panel.start(notebook, configured(model.base_url))
        model.add(text_turn(text_answer(WORDS), pieces=PIECES))
        notebook.start("import time; time.sleep(3); 'mine'")
        turn = panel.answer("Say it all at once")
        expect(turn).to_contain_text(WORDS)
        for output in notebook.page.locator(".jp-Notebook .jp-OutputArea-output").all_inner_texts():
            assert output.strip() in {"'mine'", ""}, "nothing is printed into the person's cells"


@pytest.mark.long
def test_without_the_labextension_the_panel_lives_in_a_cell(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, model: ScriptedServer
) -> None:
    home, folder = tmp_path_factory.mktemp("disabled"), tmp_path_factory.mktemp("notebooks")
    with running_lab(home, folder, disabled=("qdash-jupyter",)) as lab, tab(browser) as page:
        notebook = Notebook.open(page, lab, lab.write_notebook("output.ipynb", ""))
        notebook.run(configured(model.base_url))
        notebook.run("%load_ext qdash_jupyter")
        notebook.run("%copilot panel")
        panel = Panel(page)
        panel.wait_until_ready()
        expect(panel.region).to_contain_text("This panel doesn't insert cells")
        cells = notebook.cells.count()
        model.add(call_turn(("execute_python_analysis", {"code": "in_panel = 6 * 7\nin_panel", "purpose": "Check"})))
        model.add(text_turn(text_answer("It is **42**.")))
        turn = panel.answer("What is it?")
        expect(turn.locator("strong")).to_have_text("42")
        expect(notebook.cells).to_have_count(cells)
        expect(notebook.run("in_panel").locator(".jp-OutputArea-output")).to_have_text("42")
        endless = {"code": "endless = 0\nwhile True:\n    endless += 1\n", "purpose": "Without end"}
        model.add(call_turn(("execute_python_analysis", endless)))
        turn = panel.ask("And without end?")
        expect(turn).to_contain_text("Without end")
        expect(turn).to_contain_text("ran without a cell")
        panel.stop()
        panel.expect_state(turn, "stopped")
        expect(notebook.page.get_by_text("The panel can't be shown")).to_have_count(0)  # it had its time meanwhile
        expect(notebook.run("'free again'").locator(".jp-OutputArea-output")).to_contain_text("free again")


@pytest.mark.long
def test_a_server_without_anywidget_is_told_what_is_missing(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, folder = tmp_path_factory.mktemp("bare"), tmp_path_factory.mktemp("notebooks")
    with running_lab(home, folder, disabled=("anywidget",)) as lab, tab(browser) as page:
        notebook = Notebook.open(page, lab, lab.write_notebook("bare.ipynb", ""))
        panel = Panel.open(notebook)
        panel.region.get_by_role("button", name="Start the copilot").click()
        expect(panel.region).to_contain_text("anywidget", timeout=SLOW_MS)
        expect(panel.region).to_contain_text(re.compile("server", re.IGNORECASE))


@pytest.mark.long
def test_a_slow_link_that_breaks_loses_nothing(lab: Lab, browser: Browser, model: ScriptedServer) -> None:
    port = urlsplit(lab.url).port
    assert port is not None
    words = " ".join(f"word{number}" for number in range(150))
    with slow_link(port) as link, tab(browser) as page:
        far = Lab(f"http://127.0.0.1:{link.port}/", lab.token, lab.folder)
        notebook = Notebook.open(page, far, far.write_notebook("far.ipynb", ""))
        link.delay_s = 0.15  # not before: JupyterLab itself is a hundred files
        lost = page.locator(".jp-Dialog").filter(has_text="Server Connection Error")  # JupyterLab's; it takes the focus
        page.add_locator_handler(lost, lambda: lost.get_by_role("button", name="Close").click())
        panel = Panel.start(notebook, configured(model.base_url))
        model.add(call_turn(("execute_python_analysis", {"code": "far = 'away'\nfar", "purpose": "Check"})))
        model.add(text_turn(text_answer(words), pieces=150).slow(0.1))
        turn = panel.ask("Over the slow link")
        expect(turn).to_contain_text("word10 ", timeout=SLOW_MS)
        link.cut()
        page.wait_for_timeout(3_000)
        link.mend()
        panel.expect_state(turn, "done", timeout=120_000)
        expect(turn).to_contain_text(words, timeout=SLOW_MS)
        expect(page.locator(".jp-CodeCell[data-qdash-step] .jp-OutputArea-output")).to_contain_text("away")

        # The lid is closed while a cell runs in the session, and opened when all is over.
        model.add(call_turn(("execute_python_analysis", {"code": LID, "purpose": "Takes a while"})))
        model.add(text_turn(text_answer("It took a while.")))
        told = len(model.requests)
        turn = panel.ask("With the lid closed")
        cell = page.locator(".jp-CodeCell[data-qdash-step]").filter(has_text="slept")
        expect(cell.locator(".jp-OutputArea-output")).to_have_text("begins")
        link.cut()
        while len(model.requests) < told + 2:  # the second has what the cell has shown
            page.wait_for_timeout(50)
        expect(cell.locator(".jp-OutputArea-output")).to_have_text("begins")
        link.mend()
        panel.expect_state(turn, "done", timeout=120_000)
        expect(turn).to_contain_text("It took a while.", timeout=SLOW_MS)
        expect(cell.locator(".jp-OutputArea-output")).to_have_text(["begins\nends", "'slept'"], timeout=SLOW_MS)
        expect(cell.locator(".jp-InputPrompt")).to_have_text(NUMBERED)
