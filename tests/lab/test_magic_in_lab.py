"""`%%copilot` in a notebook with a page: it returns at once, and the answer grows below it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.lab.conftest import Tab
from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.scripted_server import ScriptedServer, call_turn, text_turn

CHART = "import plotly.express as px\npx.line(x=[1, 2], y=[3, 4], title='Of the cell')"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture(scope="module")
def notebook(lab: Lab, tab: Tab, model: ScriptedServer, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    before = request.session.testsfailed
    opened = Notebook.show(tab.opened(), lab, lab.write_notebook("magic.ipynb", ""))
    Panel.start(opened, configured(model.base_url))
    yield opened
    tab.leave(failed=request.session.testsfailed > before)


def answered(model: ScriptedServer, text: str, *codes: str, pause: float = 0.0) -> None:
    for code in codes:
        model.add(call_turn(("execute_python_analysis", {"code": code, "purpose": "A step"})))
    model.add(text_turn(text_answer(text, "good"), pieces=30).slow(pause))


def saved(lab: Lab, notebook: Notebook) -> nbformat.NotebookNode:
    notebook.page.keyboard.press("ControlOrMeta+s")
    expect(notebook.page.locator(".jp-mod-dirty .lm-TabBar-tabLabel", has_text="magic.ipynb")).to_have_count(0)
    notebook.page.wait_for_timeout(500)
    return nbformat.read(Path(lab.folder, "magic.ipynb"), as_version=4)


def until_on_disk(path: Path, words: str) -> None:
    patience = time.monotonic() + SLOW_MS / 1_000
    while words not in path.read_text(encoding="utf-8"):
        assert time.monotonic() < patience
        time.sleep(0.1)


def test_the_magic_returns_at_once_and_the_answer_grows_below_it(
    lab: Lab, notebook: Notebook, model: ScriptedServer
) -> None:
    answered(model, "The **whole** answer, word by word, ends here.", CHART, pause=0.05)
    cell = notebook.run("%%copilot\nWhat is it?")
    output = cell.locator(".jp-OutputArea-output")
    busy = notebook.run("'the kernel is free'")
    expect(busy.locator(".jp-OutputArea-output")).to_contain_text("free")
    expect(output).to_contain_text("ends here.", timeout=SLOW_MS)
    expect(output).to_contain_text("good")
    steps = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    expect(steps).to_have_count(1)
    expect(steps.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    kept = next(cell for cell in saved(lab, notebook).cells if cell.source.startswith("%%copilot"))
    texts = ["".join(output.data.get("text/markdown", "")) for output in kept.outputs]
    assert len(texts) == 1, "the chart stands in its own cell, and only there"
    assert "The **whole** answer, word by word, ends here." in texts[0]


def test_waiting_for_the_answer_runs_the_steps_in_the_same_cell(notebook: Notebook, model: ScriptedServer) -> None:
    before = notebook.page.locator(".jp-CodeCell[data-qdash-step]").count()
    answered(model, "Nested, and done.", "nested_value = 6 * 7\nnested_value")
    cell = notebook.run("%%copilot --wait\nAnd now?")
    expect(cell.locator(".jp-OutputArea-output").first).to_contain_text("Nested, and done.")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(before)
    expect(notebook.run("nested_value").locator(".jp-OutputArea-output")).to_have_text("42")


def test_awaiting_a_turn_runs_the_steps_in_the_same_cell(notebook: Notebook, model: ScriptedServer) -> None:
    before = notebook.page.locator(".jp-CodeCell[data-qdash-step]").count()
    answered(model, "Awaited.", "awaited_value = 1\nawaited_value")
    cell = notebook.run("answer = await copilot.start('And then?'); print(answer.text)")
    expect(cell.locator(".jp-OutputArea-output")).to_have_text(re.compile("Awaited."))
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(before)


def test_a_turn_that_is_waited_for_later_is_taken_over(notebook: Notebook, model: ScriptedServer) -> None:
    answered(model, "Taken over.", "taken = 'over'\ntaken", "taken * 2")
    notebook.run("turn = copilot.start('Slowly')")
    cell = notebook.run("turn.wait(); print(turn.result().text)")
    expect(cell.locator(".jp-OutputArea-output")).to_have_text(re.compile("Taken over."))


def test_wrong_use_is_told_below_the_cell(notebook: Notebook, model: ScriptedServer) -> None:
    expect(notebook.run("%%copilot\n ").locator(".jp-OutputArea-output")).to_contain_text("The question is empty")
    expect(notebook.run("%copilot stop").locator(".jp-OutputArea-output")).to_contain_text("No question is running")


@pytest.mark.long
def test_the_answer_comes_to_its_cell_after_a_reload(lab: Lab, notebook: Notebook, model: ScriptedServer) -> None:
    answered(model, " ".join(f"word{number}" for number in range(40)), pause=0.3)
    asked = notebook.run("%%copilot\nAcross a reload")
    expect(asked.locator(".jp-OutputArea-output")).to_contain_text("word5", timeout=SLOW_MS)
    notebook.page.keyboard.press("ControlOrMeta+s")  # it is dirty again with the next word
    until_on_disk(Path(lab.folder, "magic.ipynb"), "Across a reload")
    notebook.page.reload()
    cell = notebook.cells.filter(has=notebook.page.locator(".cm-content", has_text="Across a reload"))
    expect(cell.locator(".jp-OutputArea-output")).to_contain_text("word39", timeout=SLOW_MS)
    assert "word39" in str(saved(lab, notebook).cells)


@pytest.mark.long  # a JupyterLab page of its own; tests/ui/test_magics.py waits
def test_under_run_all_a_question_is_a_cell_like_any_other(lab: Lab, page: Page) -> None:
    """The cells below wait for its answer. Run again by itself, it takes back the cells that it made, unless they are
    kept. With the demo chip, as "Run All" has it.
    """
    cells = ["%load_ext qdash_jupyter", "%%copilot\nT1 of Q07 over time", "copilot.turns[-1].state"]
    notebook = Notebook.open(page, lab, lab.write_notebook("run-all.ipynb", *cells))
    mine = notebook.page.locator(".jp-CodeCell:not([data-qdash-step])")
    made = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    notebook.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    expect(mine.nth(2).locator(".jp-InputPrompt")).to_have_text(NUMBERED, timeout=SLOW_MS)
    expect(mine.nth(2).locator(".jp-OutputArea-output")).to_have_text("'answered'")
    expect(mine.nth(1).locator(".jp-OutputArea-output").first).to_contain_text("T1 of Q07")
    expect(made).to_have_count(0)
    panel = Panel.open(notebook)
    for turns, keep in ((2, False), (3, True), (4, False)):
        mine.nth(1).locator(".jp-InputPrompt").click()
        notebook.page.keyboard.press("ControlOrMeta+Enter")
        expect(panel.turns).to_have_count(turns, timeout=SLOW_MS)
        panel.expect_state(panel.turns.last, "done")
        expect(made).to_have_count(4 if turns == 4 else 2)
        if keep:
            panel.turns.last.get_by_role("button", name="Keep").click()
    assert notebook.page.locator(".jp-mod-error").count() == 0
