"""What comes back: after a reload in mid-stream, a restart of the kernel, and in other tabs."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.patience import until
from tests.scripted_server import Script, ScriptedServer, call_turn, text_turn

FLOOD = """\
import pathlib, time
from IPython.display import clear_output
end = time.monotonic() + 8
while time.monotonic() < end:
    clear_output()
    for _ in range(12):
        print('x' * 300_000, flush=True)
    pathlib.Path('flooded').touch()
    time.sleep(0.2)
"""
WORDS = " ".join(f"word{number}" for number in range(120))


def reload(page: Page) -> Notebook:
    page.reload()
    expect(page.locator(".jp-NotebookPanel .jp-KernelName")).to_contain_text("Python 3", timeout=SLOW_MS)
    return Notebook(page)


def restart(notebook: Notebook) -> None:
    notebook.page.get_by_role("menuitem", name="Kernel", exact=True).click()
    notebook.page.get_by_role("menuitem", name=re.compile("^Restart Kernel…")).click()
    notebook.page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()


@pytest.mark.long  # test_service_page.py loads a page again, and a restart stands below
def test_a_reload_in_mid_stream_loses_nothing(notebook: Notebook, model: ScriptedServer) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    model.add(text_turn(text_answer(WORDS), pieces=120).slow(0.1))
    turn = panel.ask("Tell me a long story")
    expect(turn).to_contain_text("word10", timeout=SLOW_MS)
    panel = Panel.open(reload(notebook.page))
    turn = panel.turns.last
    expect(turn).to_contain_text("word10", timeout=SLOW_MS)
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text(WORDS)
    # It goes on: the next question is answered in the page of now.
    model.add(call_turn(("execute_python_analysis", {"code": "'a cell after the reload'", "purpose": "Check"})))
    model.add(text_turn(text_answer("Still here.")))
    expect(panel.answer("And now?")).to_contain_text("Still here.")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_contain_text("a cell after the reload")


@pytest.mark.long
def test_an_answer_beside_a_cell_that_floods_the_page_is_shown_in_the_end(
    lab: Lab, notebook: Notebook, model: ScriptedServer
) -> None:
    """Jupyter's server drops what the kernel says to the page then, the panel's messages too."""
    panel = Panel.start(notebook, configured(model.base_url))
    flooded = threading.Event()

    def late(_body: Any) -> Script:
        flooded.wait(SLOW_MS / 1_000)
        return text_turn(text_answer("Said in the flood."))

    model.add(late)
    turn = panel.ask("Tell me")
    panel.expect_state(turn, "thinking")
    cell = notebook.start(FLOOD)
    until(Path(lab.folder, "flooded").exists)
    flooded.set()
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text("Said in the flood.")
    expect(cell).to_contain_text("IOPub data rate exceeded")


@pytest.mark.usefixtures("new_kernel")
def test_a_restart_keeps_the_conversation_and_its_tables_can_be_fetched_again(notebook: Notebook) -> None:
    """From the step to the list of data, and on to a chart of the table that is there again. A restart and two
    cells with widgets cost seconds, which no test without JupyterLab and a kernel can save.
    """
    panel = Panel.start(notebook)
    turn = panel.answer("Which qubits lost T1 in the last 30 days?")
    expect(turn).to_contain_text("fell in the last")
    told = [line for line in turn.inner_text().splitlines() if "fell in the last" in line]
    restart(notebook)
    expect(panel.region).to_contain_text("Your conversation is saved", timeout=SLOW_MS)
    panel.region.get_by_role("button", name="Start the copilot").click()
    expect(panel.region).not_to_contain_text("Your conversation is saved", timeout=SLOW_MS)
    panel.wait_until_ready()
    expect(panel.turns).to_have_count(1)
    turn = panel.turns.last
    for line in told:
        expect(turn).to_contain_text(line)
    steps = turn.get_by_role("button", name=re.compile("steps"))
    fetch = turn.get_by_role("button", name="Fetch again")
    expect(steps.or_(fetch).first).to_be_visible(timeout=SLOW_MS)
    if not fetch.is_visible():
        steps.first.click()
    turn.get_by_role("button", name=re.compile("gone$")).first.click()
    data = panel.region.get_by_role("region", name="Data")
    expect(data).to_contain_text(re.compile(r"had [\d,]+ rows × 8 columns"))
    panel.button("Fetch again").click()
    data.get_by_role("button", name=re.compile("^timeseries")).click(timeout=SLOW_MS)
    expect(data.get_by_role("columnheader", name="v (μs)")).to_be_visible(timeout=SLOW_MS)

    # The user's own `data` is not named, once a cell has bound it.
    notebook.run("data = 3")
    panel.button("Explore").click()
    cells = notebook.page.locator(".jp-Notebook .jp-CodeCell")
    explorer = cells.filter(has_text='copilot.data["t1"].explore()')
    expect(explorer.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    explorer.get_by_label("Chart", exact=True).select_option("Histogram")
    expect(explorer.locator(".js-plotly-plot")).to_contain_text("number of values", timeout=SLOW_MS)
    explorer.get_by_role("button", name="As code").click()
    code = cells.filter(has_text="qe.histogram")
    expect(code.locator(".jp-InputArea-editor")).to_contain_text('copilot.data["t1"]["timeseries"]')
    notebook.page.keyboard.press("Control+Enter")
    expect(code.locator(".js-plotly-plot")).to_contain_text("number of values", timeout=SLOW_MS)


@pytest.mark.long
def test_a_conversation_that_cannot_be_kept_says_so(notebook: Notebook) -> None:
    nowhere = "import os; kept_in = os.environ['XDG_DATA_HOME']; os.environ['XDG_DATA_HOME'] = '/dev/null'"
    panel = Panel.start(notebook, nowhere)
    panel.answer("Show T1 of the whole chip")
    expect(panel.region.locator(".qd-note")).to_contain_text("This conversation isn't saved")
    expect(panel.box).to_be_enabled()
    shown = notebook.run("%copilot status")
    expect(shown.locator(".jp-OutputArea-output")).to_contain_text("This conversation isn't saved")
    notebook.run("os.environ['XDG_DATA_HOME'] = kept_in")  # the next test has this kernel


@pytest.mark.long
def test_the_asking_tab_gets_the_cell_and_a_dead_tab_is_given_up(
    lab: Lab, browser: Browser, notebook: Notebook, model: ScriptedServer, request: pytest.FixtureRequest
) -> None:
    first = Panel.start(notebook, configured(model.base_url))
    path = Path(lab.folder, f"{request.node.name}.ipynb")
    context = browser.new_context(viewport={"width": 1500, "height": 900})
    context.set_default_timeout(30_000)
    other = Notebook.open(context.new_page(), lab, path)
    second = Panel.open(other)
    second.wait_until_ready()
    model.add(call_turn(("execute_python_analysis", {"code": "'asked in the second tab'", "purpose": "Check"})))
    model.add(text_turn(text_answer("One cell.")))
    expect(second.answer("Here, please")).to_contain_text("One cell.")
    expect(other.page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(1)
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(0)
    expect(first.turns.last).to_contain_text("One cell.")
    # The second tab asks again, and is gone when the cell comes: the first one takes it.
    gone = threading.Event()

    def late(_body: Any) -> Script:
        gone.wait(SLOW_MS / 1_000)
        return call_turn(("execute_python_analysis", {"code": "'nobody there'", "purpose": "Check"}))

    model.add(late, text_turn(text_answer("Taken over.")))
    second.ask("And again")
    expect(first.turns.last).to_have_attribute("data-state", "thinking")
    context.close()
    gone.set()
    first.expect_state(first.turns.last, "done")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_contain_text("nobody there")


@pytest.mark.long  # a kernel of its own; the magics are those of tests/ui/test_magics.py
def test_a_console_answers_in_place(page: Page) -> None:
    page.locator(".jp-LauncherCard[data-category='Console']").first.click(timeout=SLOW_MS)
    expect(page.locator(".jp-CodeConsole-content")).to_contain_text("IPython", timeout=SLOW_MS)  # its kernel is there
    prompt = page.locator(".jp-CodeConsole-promptCell .cm-content")
    for line in ("%load_ext qdash_jupyter", "%copilot ask Show T1 of the whole chip"):
        prompt.click(timeout=SLOW_MS)
        page.keyboard.insert_text(line)
        page.keyboard.press("Shift+Enter")
        expect(prompt).to_have_text("")
    expect(page.locator(".jp-CodeConsole-content")).to_contain_text("median", timeout=SLOW_MS)


@pytest.mark.long  # a restart above leaves a kernel as well
@pytest.mark.usefixtures("new_kernel")
@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)"], ids=["exit", "SIGKILL"])
def test_a_kernel_that_dies_in_mid_answer(notebook: Notebook, model: ScriptedServer, end: str) -> None:
    page = notebook.page
    panel = Panel.start(notebook, configured(model.base_url))
    model.add(text_turn(text_answer("Before the crash.")), text_turn(text_answer(WORDS), pieces=120).slow(0.1))
    panel.answer("Is all well?")
    turn = panel.ask("Tell me a long story")
    expect(turn).to_contain_text("word10", timeout=SLOW_MS)
    notebook.start(f"import os; {end}")
    page.locator(".jp-Dialog").get_by_role("button", name="OK").click(timeout=SLOW_MS)  # JupyterLab restarts it
    expect(panel.region).to_contain_text("The kernel crashed and was restarted. Your conversation is saved.")
    expect(turn).to_contain_text("word10")
    expect(turn).to_contain_text("Interrupted")
    expect(panel.button("Stop")).to_have_count(0)
    panel.button("Start the copilot").click()
    expect(panel.turns.last).to_contain_text("Interrupted: the kernel stopped", timeout=SLOW_MS)
    expect(panel.turns.last).to_contain_text("word0 word1")
    expect(panel.turns).to_have_count(2)
    expect(panel.turns.first).to_contain_text("Before the crash.")
    expect(panel.region).not_to_contain_text("died")
    notebook.run(configured(model.base_url))
    notebook.run("%copilot use --demo")  # the settings of a kernel are read once
    model.add(text_turn(text_answer("The end of the story.")))
    panel.button("Ask again").click()
    expect(panel.turns.last).to_contain_text("The end of the story.", timeout=SLOW_MS)


@pytest.mark.long
def test_conversations_are_left_found_and_gone_on_with(notebook: Notebook, model: ScriptedServer) -> None:
    """Two of one notebook: the first is found by a word of its answer, gone on with, renamed, and the other deleted.
    The files are the person's alone.
    """
    panel = Panel.start(notebook, configured(model.base_url))
    model.add(text_turn(text_answer("The amplifier is warm.")), text_turn(text_answer("No.")))
    panel.answer("Why is readout worse?")
    panel.button("New conversation").click()
    expect(panel.turns).to_have_count(0)
    panel.button("Undo").click()
    expect(panel.turns).to_have_count(1)
    panel.button("New conversation").click()
    expect(panel.turns).to_have_count(0)
    panel.answer("Is T1 worse, too?")

    panel.button("Conversations").click()
    listed = panel.region.get_by_role("region", name="Conversations")
    expect(listed.get_by_role("listitem").first).to_contain_text("Is T1 worse, too?")
    expect(listed.get_by_role("listitem").first).to_contain_text("open now")
    listed.get_by_role("searchbox").fill("amplifier")
    expect(listed.get_by_role("listitem")).to_have_count(1)
    listed.get_by_role("button", name="More: Why is readout worse?").click()
    listed.get_by_role("menuitem", name="Rename").click()
    listed.get_by_role("textbox", name="Title").fill("The warm amplifier")
    notebook.page.keyboard.press("Enter")
    listed.get_by_role("button", name=re.compile("^The warm amplifier")).click()
    expect(panel.turns).to_have_count(1)
    expect(panel.turns.last).to_contain_text("The amplifier is warm.")
    model.add(text_turn(text_answer("Since June.")))
    panel.answer("Since when?")
    assert "The amplifier is warm." in str(model.requests[-1].body["input"])

    panel.button("Conversations").click()
    listed.get_by_role("searchbox").fill("worse, too")
    expect(listed.get_by_role("listitem")).to_have_count(1)
    listed.get_by_role("button", name="More: Is T1 worse, too?").click()
    listed.get_by_role("menuitem", name="Delete").click()
    listed.get_by_role("button", name="Delete", exact=True).click()
    expect(listed).to_contain_text("No conversations found.")
    panel.button("Conversations").click()
    expect(panel.turns).to_have_count(2)
    expect(panel.turns.first).to_contain_text("The amplifier is warm.")
    shown = notebook.run(
        "import pathlib, platformdirs, stat\n"
        "folder = platformdirs.user_data_path('qdash-jupyter') / 'conversations'\n"
        "print(*{oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.glob('*.jsonl')})"
    )
    expect(shown.locator(".jp-OutputArea-output")).to_have_text("0o600")
