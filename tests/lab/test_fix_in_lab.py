"""A failed cell that is mended in a real notebook: asked from its menu, shown as a diff, written on Accept alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.lab.in_browser import NUMBERED, SHOTS, Lab, Notebook, shot
from tests.lab.in_panel import Panel, configured, text_answer
from tests.lab.test_story import choose_theme
from tests.scripted_server import ScriptedServer, call_turn, text_turn

BEFORE = "limits = {'t1': 30}\nlimits['T1']"
AFTER = "limits = {'t1': 30}\nlimits['t1']"
THEMES = ("Dark High Contrast", "Dark", "Light")
FIX = "Fix with QDash Copilot"


def will_propose(model: ScriptedServer, source: str = AFTER) -> None:
    model.add(call_turn(("propose_cell_edit", {"new_source": source, "why": "The key is written t1."})))
    model.add(text_turn(text_answer("A key in other letters.")))


def menu(cell: Locator) -> Locator:
    cell.locator(".jp-InputPrompt").click(button="right")
    return cell.page.get_by_role("menu").last


def text_of(cell: Locator) -> str:
    return cell.locator(".cm-content").inner_text().strip()


def change(panel: Panel) -> Locator:
    return panel.turns.last.get_by_role("group", name="Proposed edit of cell")


def fixed_from_its_menu(cell: Locator, model: ScriptedServer) -> Locator:
    """Asks as the person does; returns the change that is shown."""
    will_propose(model)
    menu(cell).get_by_role("menuitem", name=FIX).click()
    panel = Panel(cell.page)
    expect(panel.turns.last).to_contain_text("Fix cell [3]")
    panel.expect_state(panel.turns.last, "done")
    return change(panel)


def press_in(cell: Locator, *keys: str) -> None:
    cell.locator(".cm-content").click()
    for key in keys:
        cell.page.keyboard.press(key)


def test_a_failed_cell_is_fixed_from_its_menu(lab: Lab, page: Page, model: ScriptedServer) -> None:
    """The first click also starts the copilot. A good cell has no such entry."""
    path = lab.write_notebook("fix.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    notebook.run(configured(model.base_url))
    good = notebook.run("1 + 1")
    failed = notebook.run(BEFORE)
    expect(menu(good).get_by_text("Ask QDash Copilot About This Cell")).to_be_visible()
    expect(page.get_by_role("menuitem", name=FIX)).to_have_count(0)
    page.keyboard.press("Escape")
    card = fixed_from_its_menu(failed, model)
    expect(card).to_contain_text("The key is written t1.")
    expect(card.locator("[data-kind=removed]")).to_have_text("− limits['T1']")
    expect(card.locator("[data-kind=added]")).to_have_text("+ limits['t1']")
    assert text_of(failed) == BEFORE
    said = json.dumps(model.requests[0].body["input"][0])
    assert "KeyError: 'T1'" in said
    assert "site-packages" not in said
    for theme in THEMES if SHOTS else ():
        choose_theme(notebook, f"JupyterLab {theme}")
        shot(page, f"fix-{theme.lower()}")
    card.get_by_role("button", name="Reject the edit").click()
    expect(card).to_contain_text("Rejected")
    assert text_of(failed) == BEFORE
    accepted_only_where_the_text_is_the_old_one(notebook, path, failed, model)


def accepted_only_where_the_text_is_the_old_one(
    notebook: Notebook, path: Path, failed: Locator, model: ScriptedServer
) -> None:
    """What the person has typed since is not written over; the cell's own undo takes back what was written."""
    page = notebook.page
    card = fixed_from_its_menu(failed, model)
    press_in(failed, "ControlOrMeta+End")
    page.keyboard.insert_text("  # mine")
    card.get_by_role("button", name="Accept the edit").click()
    expect(card).to_contain_text("the cell has changed since this edit was proposed")
    assert text_of(failed) == f"{BEFORE}  # mine"
    press_in(failed, "ControlOrMeta+z")
    assert text_of(failed) == BEFORE
    card.get_by_role("button", name="Accept the edit").click()
    expect(card).to_contain_text("Accepted")
    assert text_of(failed) == AFTER
    press_in(failed, "ControlOrMeta+z")
    assert text_of(failed) == BEFORE
    press_in(failed, "ControlOrMeta+Shift+z")
    assert text_of(failed) == AFTER
    press_in(failed, "Control+Enter")
    expect(failed.locator(".jp-OutputArea-output")).to_have_text("30")
    expect(menu(failed).get_by_text("Ask QDash Copilot About This Cell")).to_be_visible()
    expect(page.get_by_role("menuitem", name=FIX)).to_have_count(0)
    page.keyboard.press("Escape")
    notebook.reopen(path)
    panel = Panel.open(notebook)
    panel.wait_until_ready()
    expect(change(panel)).to_contain_text("Accepted")


@pytest.mark.long
def test_the_magic_shows_the_change_in_both_places(notebook: Notebook, model: ScriptedServer) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    failed = notebook.run(BEFORE)
    will_propose(model)
    asked = notebook.run("%copilot fix")
    panel.expect_state(panel.turns.last, "done")
    expect(asked).to_contain_text("Proposed edit of cell [2].")
    expect(asked).to_contain_text("+ limits['t1']")
    shot(notebook.page, "fix-magic")
    change(panel).get_by_role("button", name="Accept the edit").click()
    expect(change(panel)).to_contain_text("Accepted")
    assert text_of(failed) == AFTER

    notebook.run("import pandas as pd\ndf = pd.DataFrame({'qid': ['1', '2'], 't1': [61.5, 44.25]})")
    model.add(call_turn(("execute_python_analysis", {"code": "df['t1'].max()", "purpose": "The best"})))
    model.add(text_turn(text_answer("61.5 μs.")))
    panel.answer("What is the best T1 in @df?")
    cells = notebook.page.locator(".jp-CodeCell[data-qdash-step]")
    expect(cells.last.locator(".jp-InputPrompt")).to_have_text(NUMBERED)
    expect(cells.last.locator(".jp-OutputArea-output")).to_contain_text("61.5")
    assert "named_in_the_question" in json.dumps(model.requests[-1].body["input"])
    turn = panel.ask("Plot @dff")
    panel.expect_state(turn, "error")
    expect(turn).to_contain_text("There is no variable 'dff' in this kernel.")
    shot(notebook.page, "named")
