"""The same extension in Notebook 7. Its server and pages are its own, so it takes half a minute and is long."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.lab.conftest import running_lab
from tests.lab.in_browser import SLOW_MS
from tests.lab.in_panel import Panel


@pytest.mark.long
def test_the_panel_and_its_cells_in_notebook_7(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    home, folder = tmp_path_factory.mktemp("notebook7"), tmp_path_factory.mktemp("notebooks")
    with running_lab(home, folder, app="notebook") as lab:
        context = browser.new_context(viewport={"width": 1500, "height": 900})
        context.set_default_timeout(30_000)
        page, errors = context.new_page(), list[str]()
        page.on("pageerror", lambda error: errors.append(str(error.stack)))
        path = lab.write_notebook("seven.ipynb", "")
        page.goto(f"{lab.url}notebooks/{path.name}?token={lab.token}")
        expect(page.locator(".jp-NotebookPanel .jp-CodeCell")).to_be_visible(timeout=SLOW_MS)
        idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        expect(idle).to_be_attached(timeout=SLOW_MS)
        panel = Panel(page)
        expect(panel.region).to_be_hidden()
        page.get_by_role("toolbar").get_by_role("button", name="QDash Copilot").click()
        expect(panel.region).to_be_visible()
        panel.region.get_by_role("button", name="Start the copilot").click(timeout=SLOW_MS)
        panel.wait_until_ready()
        turn = panel.answer("Which qubits lost T1 in the last 30 days?")
        expect(turn).to_contain_text("fell in the last")
        expect(page.locator(".jp-CodeCell[data-qdash-step]")).to_have_count(2)
        # Notebook 7.6 has an error of its own while it loads, without our extension, too.
        assert not [error for error in errors if "qdash-jupyter" in error]
        context.close()
