"""In a real JupyterLab: a question is completed while the kernel is busy, and what can be asked is one click away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.lab.in_browser import SLOW_MS, Notebook
from tests.lab.in_panel import Panel


@pytest.mark.long  # test_panel_completion.py types, test_busy_kernel.py asks beside a cell
def test_a_question_is_completed_and_answered_while_a_cell_runs(notebook: Notebook) -> None:
    panel = Panel.start(notebook)
    expect(panel.button("What can I ask?")).to_be_enabled(timeout=SLOW_MS)  # the kernel has sent its table
    options = panel.region.get_by_role("listbox", name="Completions").get_by_role("option")
    busy = notebook.start("import time\nfor _ in range(1200):\n    time.sleep(0.1)")
    expect(busy.locator(".jp-InputPrompt")).to_have_text("[*]:")
    panel.box.press_sequentially("wor")
    expect(options.first).to_have_text(re.compile("^worst 5 qubits by Readout Fidelity"))
    panel.box.press("Tab")
    expect(panel.box).to_have_value("worst 5 qubits by Readout Fidelity · newest values")
    expect(panel.box).to_be_focused()
    panel.box.press("Enter")
    turn = panel.turns.first
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text("worst 5 qubits by Readout Fidelity")
    expect(busy.locator(".jp-InputPrompt")).to_have_text("[*]:")
    # The words are those of this chip.
    panel.box.press_sequentially("T1 of Q6")
    expect(options).to_have_text(["T1 of Q6 · newest values", *(f"Q6{n}qubit" for n in range(4))])
    panel.box.press("Escape")
    panel.box.fill("")

    panel.button("What can I ask?").click()
    asked = panel.turns.nth(1)
    panel.expect_state(asked, "done")
    replies = asked.get_by_role("group", name="Replies")
    expect(replies.get_by_role("heading").first).to_have_text("The chip")
    assert replies.get_by_role("heading").count() > 5
    replies.get_by_role("button", name="how is the chip").click()
    expect(panel.turns.nth(2)).to_contain_text("how is the chip")
    panel.expect_state(panel.turns.nth(2), "done")
    notebook.page.get_by_title("Interrupt the kernel").first.click()
    expect(busy).to_contain_text("KeyboardInterrupt")
