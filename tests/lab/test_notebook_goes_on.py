"""What people do to a notebook between two questions, each way in one JupyterLab: several steps a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from tests.lab.conftest import end_kernels
from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook, shot
from tests.lab.in_panel import Panel, configured, will_run
from tests.lab.test_kept_notebook import BEST, FELL, agents, datas, saved, sources
from tests.scripted_server import ScriptedServer

RED = ".jp-Notebook [data-mime-type^='application/vnd.jupyter.']:not([data-mime-type$='stdout'])"
"""Errors, and what is written to stderr."""


def cells_of(notebook: Notebook) -> Locator:
    return notebook.page.locator(".jp-CodeCell[data-qdash-step]")


def activate(cell: Locator) -> None:
    """Clicked at its side: the active cell, and nobody types."""
    cell.locator(".jp-InputPrompt").click()
    cell.page.keyboard.press("Escape")


def group(panel: Panel, turn: int) -> Locator:
    """The line about the cells of an answer."""
    return panel.turns.nth(turn).get_by_role("group", name="Cells of this answer")


def turn_ids(kept: Any) -> list[str]:
    return [cell.metadata.qdash_copilot.turn_id for cell in agents(kept)]


def shown(kept: Any) -> list[Any]:
    """What the agent's cells show, but for the pictures that JupyterLab puts in place of a chart's text."""
    return [
        {mime: held for mime, held in data.items() if mime != "image/png" and PLOTLY_MIME not in data}
        or data[PLOTLY_MIME]
        for cell in agents(kept)
        if cell.cell_type == "code"
        for data in datas(cell)
    ]


@pytest.mark.long
def test_run_all_tomorrow_shows_the_same_numbers(lab: Lab, page: Page) -> None:
    """Two questions, saved; the kernel ends; the notebook is opened again, and run by JupyterLab's own menu."""
    path = lab.write_notebook("tomorrow.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    panel = Panel.start(notebook)
    panel.answer(FELL)
    panel.answer(BEST)
    before = saved(notebook, path)
    end_kernels(lab, page.context)

    notebook = Notebook.open(page, lab, path)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator(".lm-Menu-item", has_text="Run All Cells").first.click()
    cells = cells_of(notebook)
    for place in range(cells.count()):
        expect(cells.nth(place).locator(".jp-InputPrompt")).to_have_text(NUMBERED, timeout=SLOW_MS)
    expect(page.locator(RED)).to_have_count(0)
    after = saved(notebook, path)
    assert shown(after) == shown(before) != []
    shot(page, "run-all-tomorrow")

    panel = Panel.open(notebook)
    panel.wait_until_ready()
    expect(panel.turns).to_have_count(2)
    panel.answer("Show T1 of Q05 over the last 60 days")
    expect(page.locator(RED)).to_have_count(0)
    kept = saved(notebook, path)
    ids = turn_ids(kept)
    assert len(set(ids)) == 3
    assert ids == sorted(ids, key=list(dict.fromkeys([*turn_ids(before), *ids])).index)
    group(panel, 0).get_by_role("button", name="Undo").click()
    expect(group(panel, 0)).to_contain_text("2 cells removed")
    assert notebook.page.locator(RED).count() == 0


def test_asked_after_running_activating_editing_and_deleting(lab: Lab, page: Page, model: ScriptedServer) -> None:
    path = lab.write_notebook("between.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    panel = Panel.start(notebook, configured(model.base_url))
    cells = cells_of(notebook)

    def ask(*codes: str) -> None:
        will_run(model, *codes)
        panel.expect_state(panel.ask("Compute"), "done")
        told = [json.loads(item["output"]) for item in model.requests[-1].body["input"] if "output" in item]
        assert {result["status"] for result in told} == {"ok"}
        expect(page.locator(RED)).to_have_count(0)

    ask("totals = [3]\ntotals", "share = totals[0] / 4\nshare")
    cells.nth(0).locator(".cm-content").click()  # run again, and still the active one
    page.keyboard.press("Control+Enter")
    expect(cells.nth(0).locator(".jp-InputPrompt")).to_have_text(NUMBERED)
    expect(cells.nth(0).locator(".jp-OutputArea-output")).to_have_text("[3]")
    ask("share * 2", "both = [totals, share]\nboth")
    activate(cells.nth(1))  # in the middle of what is there
    ask("totals = [5]\ntotals")
    activate(cells.nth(3))
    page.keyboard.press("Enter")
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.insert_text("\n# mine now")
    ask("both + [1]")
    activate(cells.nth(1))
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(cells).to_have_count(5)
    ask("share + 1")
    shot(page, "between")

    ids = turn_ids(saved(notebook, path))
    assert len(set(ids)) == 5
    assert ids == sorted(ids, key=list(dict.fromkeys(ids)).index), "no turn is split"
    assert [source.splitlines()[-1] for source in sources(notebook)] == [
        "totals",
        "share * 2",
        "# mine now",
        "totals",
        "both + [1]",
        "share + 1",
    ]
    undo_until_it_is_opened_again(panel, notebook, path)


def undo_until_it_is_opened_again(panel: Panel, notebook: Notebook, path: Path) -> None:
    """Of the first turn a cell was deleted, of the second one edited. Undone, put back and undone again, as often as
    one likes.
    """
    cells = cells_of(notebook)
    group(panel, 0).get_by_role("button", name="Undo").click()
    expect(group(panel, 0)).to_contain_text("1 cell removed")
    expect(cells).to_have_count(5)
    for _ in range(2):
        group(panel, 1).get_by_role("button", name="Undo").click()
        expect(group(panel, 1)).to_contain_text("1 cell removed")
        expect(group(panel, 1)).to_contain_text("1 cell that you changed is kept.")
        expect(cells).to_have_count(4)
        group(panel, 1).get_by_role("button", name="Restore").click()
        expect(cells).to_have_count(5)
    saved(notebook, path)
    notebook.reopen(path)
    panel = Panel.open(notebook)
    panel.wait_until_ready()
    group(panel, 1).get_by_role("button", name="Undo").click()
    expect(group(panel, 1)).to_contain_text("1 cell removed")
    expect(cells).to_have_count(4)
    assert "# mine now" in sources(notebook)[0]
    shot(notebook.page, "undone-after-reload")


@pytest.mark.long
def test_cells_that_ran_unseen_are_inserted(lab: Lab, page: Page) -> None:
    """`cells: scratch`: no cell until somebody wants them; those that "Insert" brings run again."""
    folder = lab.folder / "scratch"
    folder.mkdir()
    Path(folder / "copilot.yaml").write_text("cells: scratch\n", encoding="utf-8")
    path = lab.write_notebook("scratch/a.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    panel = Panel.start(notebook)
    panel.answer(FELL)
    cells = cells_of(notebook)
    expect(group(panel, 0)).to_contain_text("2 cells run but not inserted")
    expect(cells).to_have_count(0)
    shot(page, "scratch")
    group(panel, 0).get_by_role("button", name="Insert").click()
    expect(group(panel, 0)).to_contain_text("2 cells added")
    expect(cells).to_have_count(2)
    expect(cells.first).to_be_in_viewport()
    shot(page, "scratch-inserted")
    kept = saved(notebook, path)
    assert [cell.cell_type for cell in agents(kept)] == ["markdown", "code", "code"]
    cells.first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cells.first.locator(".jp-InputPrompt")).to_have_text(NUMBERED)
    expect(page.locator(RED)).to_have_count(0)
    group(panel, 0).get_by_role("button", name="Undo").click()
    expect(cells).to_have_count(0)
    group(panel, 0).get_by_role("button", name="Restore").click()
    expect(cells).to_have_count(2)
