"""A cell of the agent's that runs on and on: the panel says so at its step, and stops it there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import Lab, Notebook
from tests.lab.in_panel import Panel, configured
from tests.scripted_server import ScriptedServer, call_turn


@pytest.mark.long
def test_a_loop_without_end_is_told_of_and_stopped(lab: Lab, page: Page) -> None:
    path = lab.write_notebook("runaway.ipynb", "")
    with ScriptedServer([call_turn(("execute_python_analysis", {"code": "while True:\n    pass\n"}))]) as model:
        notebook = Notebook.show(page, lab, path)
        limits = "from pathlib import Path; Path('limits.yaml').write_text('limits: {cell_warning_seconds: 1}')"
        named = "os.environ['QDASH_COPILOT_CONFIG'] = 'limits.yaml'"
        panel = Panel.start(notebook, f"{configured(model.base_url)}\n{limits}\n{named}")
        turn = panel.ask("Run the loop")

        warning = turn.locator(".qd-step-warning")
        expect(warning).to_contain_text("This cell has been running for")
        warning.get_by_role("button", name="Stop").click()

        panel.expect_state(turn, "stopped")
        expect(warning).to_have_count(0)
        notebook.wait_until_idle()
