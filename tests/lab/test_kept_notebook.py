"""The notebook that is left after a talk with the copilot: in order, short, and running again after a restart.

The slowest tests start further kernels, as "Run All" tomorrow does.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook, shot
from tests.lab.in_panel import Panel, configured, will_run
from tests.scripted_server import ScriptedServer

FELL = "Which qubits lost T1 in the last 30 days?"
BEST = "Show the 3 qubits with the best T1"


def saved(notebook: Notebook, path: Path) -> Any:
    """The notebook as it is on disk after saving."""
    notebook.page.evaluate("jupyterapp.shell.currentWidget.context.save()")  # whose end JupyterLab has noted
    return nbformat.read(path, as_version=4)


def agents(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if "qdash_copilot" in cell.metadata]


def datas(cell: Any) -> list[Any]:
    return [output.data for output in cell.outputs if "data" in output]


def run_again(path: Path) -> None:
    """As nbclient and nbval do, in a kernel of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval-lax", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=path.parent, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture
def path(lab: Lab, request: pytest.FixtureRequest) -> Path:
    return lab.write_notebook(f"{request.node.name}.ipynb", "")  # by its path a conversation is known


@pytest.fixture
def open_notebook(lab: Lab, page: Page, path: Path) -> Notebook:
    return Notebook.show(page, lab, path)


@pytest.mark.long  # test_notebook_goes_on.py here, and the magics of tests/ui run again
def test_a_talk_is_in_order_and_runs_again(open_notebook: Notebook, path: Path) -> None:
    """Two questions and their way to disk; then the notebook in another kernel (some seconds)."""
    notebook = open_notebook
    notebook.run("mine = 1")
    panel = Panel.start(notebook)
    panel.answer(FELL)
    panel.answer(BEST)
    shot(notebook.page, "two-answers")
    kept = saved(notebook, path)

    own = agents(kept)
    turns = [cell.metadata.qdash_copilot.turn_id for cell in own]
    assert turns == sorted(turns, key=turns.index)
    assert [cell.cell_type for cell, turn in zip(own, turns, strict=True) if turn == turns[0]][:2] == [
        "markdown",
        "code",
    ]
    headings = [cell.source for cell in own if cell.cell_type == "markdown"]
    assert headings[0].startswith(f"### {FELL}\n\n**T1 of 5 qubits fell")
    assert len(headings) == 2
    first = next(cell for cell in own if cell.cell_type == "code")
    assert first.source.splitlines()[:2] == [
        "%load_ext qdash_jupyter",
        'copilot.data["t1"] = copilot.tools.get_chip_parameter_timeseries("t1", since="2026-05-01")',
    ]
    assert all("raises-exception" not in cell.metadata.tags for cell in own)
    assert all(cell.source == cell.source.rstrip() for cell in own)
    assert kept.cells.index(own[0]) > next(i for i, cell in enumerate(kept.cells) if cell.source == "mine = 1")
    run_again(path)


@pytest.mark.long  # test_notebook_goes_on.py undoes, restores and reopens
def test_undo_takes_the_cells_and_their_names_and_can_be_undone(open_notebook: Notebook, path: Path) -> None:
    notebook = open_notebook
    panel = Panel.start(notebook)
    turn = panel.answer(FELL)
    cells = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    expect(cells).to_have_count(2)  # JupyterLab draws a cell a moment after it is there
    heading = notebook.page.locator(".jp-MarkdownCell")
    expect(heading).to_contain_text("fell in the last 30 days")
    for seen in (heading, cells.first):  # above the empty cell, and in sight however much they have grown
        expect(seen.locator(".jp-Cell-inputWrapper")).to_be_in_viewport(ratio=0.99)
    added = turn.get_by_role("group", name="Cells of this answer")
    expect(added).to_contain_text("2 cells added")
    added.get_by_role("button", name="Undo").click()
    expect(added).to_contain_text("2 cells removed")
    shot(notebook.page, "undone")
    expect(cells).to_have_count(0)
    expect(notebook.page.locator(".jp-MarkdownCell")).to_have_count(0)
    names = "[name for name in globals() if name.startswith('t1')]"
    expect(notebook.run(names).locator(".jp-OutputArea-output")).to_have_text("[]")
    notebook.reopen(path)
    panel = Panel.open(notebook)
    panel.wait_until_ready()
    added = panel.turns.first.get_by_role("group", name="Cells of this answer")
    added.get_by_role("button", name="Restore").click()
    expect(added).to_contain_text("2 cells added")
    expect(cells).to_have_count(2)
    expect(notebook.run(names).locator(".jp-OutputArea-output")).to_contain_text("t1_change")
    added.get_by_role("button", name="Keep").click()
    expect(added).to_have_count(0)
    expect(cells).to_have_count(2)


def sources(notebook: Notebook) -> list[str]:
    """The text of the copilot's cells, of the notebook's model: cells out of sight may have no editor."""
    found: list[str] = notebook.page.evaluate(
        "() => [...jupyterapp.shell.currentWidget.content.model.cells]"
        ".filter(cell => cell.type === 'code' && cell.getMetadata('qdash_copilot'))"
        ".map(cell => cell.sharedModel.source.trim())"
    )
    return found


@pytest.mark.long
def test_failed_tries_and_looks_leave_no_cell(open_notebook: Notebook, model: ScriptedServer) -> None:
    """The person's `limit` stays theirs, and what fails is written anew in its place."""
    notebook = open_notebook
    panel = Panel.start(notebook, f"limit = 30; {configured(model.base_url)}")
    will_run(
        model,
        "1 / 0",
        "import pandas as pd\nlimit = pd.DataFrame({'v': [1, 2]})\nlimit",
        "limit_2.describe()",
        "limit_2['v'].sum()",
        "limit_2['v'].sum()",
    )
    turn = panel.ask("Add them up")
    panel.expect_state(turn, "done")
    shot(notebook.page, "failed-tries")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(2)
    first, second = sources(notebook)
    assert first == "%load_ext qdash_jupyter\nimport pandas as pd\nlimit_2 = pd.DataFrame({'v': [1, 2]})\nlimit_2"
    assert second == "limit_2['v'].sum()"
    told = [json.loads(item["output"]) for item in model.requests[-1].body["input"] if "output" in item]
    assert told[1].get("renamed") == {"limit": "limit_2"}


@pytest.mark.long  # its parts are in test_cells.py and in the stories above
def test_an_edited_cell_and_a_cell_run_again(open_notebook: Notebook, model: ScriptedServer) -> None:
    """What the person has edited stays at Undo; a cell that they ran again is the agent's, and is bound again."""
    notebook = open_notebook
    panel = Panel.start(notebook, configured(model.base_url))
    will_run(model, "totals = [3]\ntotals", "share = totals[0] / 4\nshare")
    panel.expect_state(panel.ask("Compute"), "done")
    cells = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    cells.nth(0).locator(".cm-content").click()
    notebook.page.keyboard.press("Control+Enter")
    expect(cells.nth(0).locator(".jp-InputPrompt")).to_have_text(NUMBERED)
    cells.nth(1).locator(".cm-content").click()
    notebook.page.keyboard.press("ControlOrMeta+End")
    notebook.page.keyboard.insert_text("\n# mine now")
    will_run(model, "totals = [5]\ntotals")
    turn = panel.ask("Again")
    panel.expect_state(turn, "done")
    assert sources(notebook)[-1] == "totals = [5]\ntotals"
    first = panel.turns.first.get_by_role("group", name="Cells of this answer")
    first.get_by_role("button", name="Undo").click()
    expect(first).to_contain_text("1 cell removed")
    expect(first).to_contain_text("1 cell that you changed is kept.")
    shot(notebook.page, "edited")
    expect(cells).to_have_count(2)
    assert sources(notebook)[-1] == "%load_ext qdash_jupyter\ntotals = [5]\ntotals"  # the first cell had it


@pytest.mark.long  # two kernels of its own; what a name is told by: tests/cells/test_told_names.py
@pytest.mark.usefixtures("new_kernel")
def test_after_a_restart_and_run_all_the_agents_names_are_still_its_own(
    open_notebook: Notebook, model: ScriptedServer
) -> None:
    notebook = open_notebook
    panel = Panel.start(notebook, configured(model.base_url))
    notebook.run("mine = 1")
    will_run(model, "totals = [3]\ntotals", "share = totals[0] / 4\nshare")
    panel.expect_state(panel.ask("Compute"), "done")
    cells = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    cells.nth(1).locator(".cm-content").click()
    notebook.page.keyboard.press("ControlOrMeta+End")
    notebook.page.keyboard.insert_text("\n# mine now")

    notebook.choose_in_palette("Restart Kernel and Run All Cells…")
    notebook.page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.page.locator(".jp-CodeCell .jp-InputPrompt", has_text="[4]:")).to_have_count(1)
    panel.wait_until_ready()
    will_run(model, "totals = [5]\nshare = mine = 2\ntotals")
    panel.expect_state(panel.ask("Again"), "done")

    assert sources(notebook)[-1] == "totals = [5]\nshare_2 = mine_2 = 2\ntotals"


DAY = (
    FELL,
    BEST,
    "Show T1 of Q05 over the last 60 days",
    "Is T1 correlated with readout fidelity?",
    "Histogram of T2 echo",
    "Compare Q03 and Q07",
    "Which qubits have T1 below 30 μs?",
    "Show a map of readout fidelity",
    "Which tasks failed most in the last 7 days?",
    "Which qubits drifted in frequency?",
    "What changed since the last cool-down?",
    "T1の中央値は?",
    "Show ZX90 fidelity of the couplings",
    "Fit a line to T1 of Q08 over the last 30 days",
    "How healthy is the chip?",
)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_day_of_questions(open_notebook: Notebook, path: Path) -> None:
    """Fifteen questions, saved, and run again in another kernel: a minute and a half."""
    notebook = open_notebook
    panel = Panel.start(notebook)
    for question in DAY:
        panel.answer(question, timeout=2 * SLOW_MS)
    kept = saved(notebook, path)
    shot(notebook.page, "a-day")
    own = agents(kept)
    assert len([cell for cell in own if cell.cell_type == "markdown"]) >= 10
    code = [cell for cell in own if cell.cell_type == "code"]
    lines = [len(cell.source.splitlines()) for cell in code]
    assert max(lines) <= 30, "how the chip is, from six series and more"
    assert sum(lines) / len(lines) <= 9
    pictures = [data["image/png"] for cell in code for data in datas(cell) if "image/png" in data]
    assert len(pictures) > 5, "JupyterLab's renderer adds one to each chart that it has drawn"
    # The charts take 470,000, with what Plotly's template says of each; the tables below them 140,000.
    assert path.stat().st_size - sum(map(len, pictures)) < 700_000
    run_again(path)
