"""Code that needs the kernel, in a real JupyterLab: nothing happens there but what the user has clicked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import Lab, Notebook, shot
from tests.lab.in_panel import INSTRUMENT, Panel, configured, will_run
from tests.scripted_server import ScriptedServer

KEY_HAS_PASSED_MS = 1600
"""A key or click counts for a shortcut no longer than this."""


def told(model: ScriptedServer) -> dict[str, Any]:
    """What the model was told of the last call."""
    outputs = [json.loads(item["output"]) for item in model.requests[-1].body["input"] if "output" in item]
    last: dict[str, Any] = outputs[-1]
    return last


def pulses(notebook: Notebook) -> str:
    shown: str = notebook.run("awg.pulses").locator(".jp-OutputArea-output").evaluate("node => node.textContent.trim()")
    return shown


@pytest.mark.long  # a notebook opened again and two tabs; test_cells.py says yes
def test_nothing_runs_before_the_click(lab: Lab, page: Page, model: ScriptedServer) -> None:
    """The card in a notebook that is opened again and in two tabs, and the kernel free meanwhile."""
    path = lab.write_notebook("approval.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    panel = Panel.start(notebook, f"{INSTRUMENT}\n{configured(model.base_url)}")
    approve = page.get_by_role("button", name="Run in my kernel", exact=True)
    cells = page.locator(".jp-CodeCell[data-qdash-step]")

    will_run(model, "awg.output_on()\nlevel = 3\nlevel")
    turn = panel.ask("Switch the output on")
    panel.expect_state(turn, "waiting")
    expect(turn).to_contain_text("uses awg.output_on (Awg)")
    expect(turn).to_contain_text("Waiting for you")
    shot(page, "approval")
    assert pulses(notebook) == "0"  # the kernel is free
    expect(cells).to_have_count(0)
    notebook.reopen(path)
    panel = Panel.open(notebook)
    turn = panel.turns.last
    expect(approve).to_have_count(1)
    expect(page.get_by_role("button", name="Reject", exact=True)).to_have_count(1)
    other = Notebook.open(page.context.new_page(), lab, path)
    beside = Panel.open(other)
    expect(beside.turns.last.get_by_role("button", name="Run in my kernel", exact=True)).to_have_count(1)
    approve.click()
    panel.expect_state(turn, "done")
    expect(other.page.get_by_role("button", name="Run in my kernel", exact=True)).to_have_count(0)
    expect(beside.turns.last).to_contain_text("Approved by")
    other.page.close()
    expect(cells).to_have_count(1)
    assert pulses(notebook) == "1"
    assert told(model)["status"] == "ok"


@pytest.mark.long
def test_edited_and_rejected(lab: Lab, page: Page, model: ScriptedServer) -> None:
    notebook = Notebook.show(page, lab, lab.write_notebook("edited.ipynb", ""))
    panel = Panel.start(notebook, f"{INSTRUMENT}\n{configured(model.base_url)}")

    will_run(model, "awg.off()")
    turn = panel.ask("Switch it off")
    turn.get_by_role("button", name="Edit", exact=True).click()
    turn.get_by_role("textbox", name="Code").fill("awg.output_on()\nawg.pulses")
    shot(page, "edit")
    turn.get_by_role("button", name="Check again").click()
    expect(turn).to_contain_text("uses awg.output_on (Awg)")
    turn.get_by_role("button", name="Run in my kernel", exact=True).click()
    panel.expect_state(turn, "done")
    assert pulses(notebook) == "1"
    assert told(model)["edited"] == "awg.output_on()\nawg.pulses"

    will_run(model, "awg.off()")
    turn = panel.ask("Switch it off")
    turn.get_by_role("textbox", name="Reason for rejecting").fill("The fridge is warm.")
    turn.get_by_role("button", name="Reject", exact=True).click()
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text("The fridge is warm.")
    shot(page, "rejected")
    assert pulses(notebook) == "1"
    assert told(model)["reason"].startswith("The fridge is warm.")


@pytest.mark.long
def test_each_run_is_asked_about_and_stop_ends_the_question(lab: Lab, page: Page, model: ScriptedServer) -> None:
    notebook = Notebook.show(page, lab, lab.write_notebook("each.ipynb", ""))
    panel = Panel.start(notebook, f"{INSTRUMENT}\n{configured(model.base_url)}")
    run = page.get_by_role("button", name="Run in my kernel", exact=True)

    will_run(model, "awg.output_on()", "awg.output_on()")
    turn = panel.ask("Switch the output on, twice")
    expect(run).to_be_visible()
    # What a script of the page does is no click and no key.
    run.evaluate("button => { button.click(); button.dispatchEvent(new MouseEvent('click', { bubbles: true })) }")
    page.wait_for_timeout(KEY_HAS_PASSED_MS)
    press = (
        "document.querySelector('.qdash-panel').dispatchEvent(new CustomEvent('qdash:pressed', {detail: 'approve'}))"
    )
    page.evaluate(press)
    expect(run).to_be_enabled()
    assert pulses(notebook) == "0"
    run.click()
    expect(turn).to_contain_text("Approved by")
    expect(run).to_be_visible()
    assert pulses(notebook) == "1"
    panel.stop()
    panel.expect_state(turn, "stopped")
    expect(run).to_have_count(0)
    assert pulses(notebook) == "1"


@pytest.mark.long
def test_insert_only_and_review(lab: Lab, page: Page, tmp_path: Path) -> None:
    """The offline planner's cells under the two narrow policies."""
    settings = tmp_path / "copilot.yaml"
    settings.write_text("policy: insert_only\n")
    notebook = Notebook.show(page, lab, lab.write_notebook("narrow.ipynb", ""))
    panel = Panel.start(notebook, f"import os; os.environ['QDASH_COPILOT_CONFIG'] = {str(settings)!r}")
    turn = panel.answer("Show the 3 qubits with the best T1")
    cells = page.locator(".jp-CodeCell[data-qdash-step]")
    expect(cells).to_have_count(1)  # a chart is drawn of the rows, which nobody knows yet
    expect(cells.locator(".jp-InputPrompt")).to_have_text(["[ ]:"])
    expect(turn).to_contain_text("1 cell added")
    shot(page, "insert-only")

    settings.write_text("policy: review\n")
    notebook.run("%copilot use --demo")
    turn = panel.ask("Show the 3 qubits with the best T1")
    for _ in range(2):
        expect(turn).to_contain_text("Run this cell?")
        turn.get_by_role("button", name="Run", exact=True).click()
    panel.expect_state(turn, "done")
    shot(page, "review")


@pytest.mark.long
def test_one_card_comes_into_sight(lab: Lab, page: Page, model: ScriptedServer) -> None:
    """Asked in a cell, with the sidebar closed and a second panel in an output."""
    notebook = Notebook.show(page, lab, lab.write_notebook("sight.ipynb", ""))
    Panel.start(notebook, f"{INSTRUMENT}\n{configured(model.base_url)}")
    below = notebook.run("%copilot panel").locator(".qdash-panel")
    expect(below.get_by_role("textbox", name="Ask the copilot")).to_be_visible()
    page.get_by_role("tab", name="QDash Copilot").click()
    expect(page.locator("#qdash-copilot")).to_be_hidden()

    will_run(model, "awg.output_on()")
    notebook.run("%%copilot\nSwitch the output on")
    approve = page.get_by_role("button", name="Run in my kernel", exact=True)
    expect(approve).to_be_visible()
    expect(approve).to_have_count(1)
    expect(below).to_contain_text("Answer in the panel beside the notebook.")
    shot(page, "one-card")
    approve.click()
    expect(approve).to_have_count(0)
    expect(page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(1)
