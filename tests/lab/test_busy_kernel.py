"""While a cell of the user's runs for minutes, questions are answered with cells, tables and charts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import Lab, Notebook
from tests.lab.in_panel import Panel, configured, will_run
from tests.scripted_server import ScriptedServer

SLEEPS = "import time\nfor _ in range(1200):\n    time.sleep(0.1)"
COMPUTES = (
    "import time\nuntil, n = time.time() + 120, 0\ntry:\n    while time.time() < until:\n        n += 1\n"
    "finally:\n    best = 'mine'"
)
TABLE = "import pandas as pd\nbest = pd.DataFrame({'qid': ['Q00', 'Q01'], 't1': [50.5, 61.0]})\nbest"
CHART = "import plotly.graph_objects as go\nfig = go.Figure(go.Scatter(y=best['t1']))\nfig"


@pytest.mark.parametrize(
    ("users", "shown"),
    [pytest.param(SLEEPS, "Q01", marks=pytest.mark.long), (COMPUTES, "'mine'")],
    ids=["sleeps", "computes"],
)
def test_a_question_is_answered_meanwhile(lab: Lab, page: Page, model: ScriptedServer, users: str, shown: str) -> None:
    """And what the copilot's cells made is there before the user's next cell; what the user's bound is theirs."""
    notebook = Notebook.show(page, lab, lab.write_notebook(f"busy-{shown.strip(chr(39))}.ipynb", ""))
    panel = Panel.start(notebook, f"df = [1, 2]\n{configured(model.base_url)}")
    busy = notebook.start(users)
    expect(busy.locator(".jp-InputPrompt")).to_have_text("[*]:")
    agents = page.locator(".jp-CodeCell[data-qdash-step]")

    will_run(model, TABLE, CHART)
    panel.answer("A table and a chart")
    expect(busy.locator(".jp-InputPrompt")).to_have_text("[*]:")
    expect(agents.first.locator(".jp-RenderedHTMLCommon table")).to_contain_text("61.0")
    expect(agents.last.locator(".js-plotly-plot")).to_be_visible()
    expect(agents.last.locator(".jp-InputPrompt")).to_have_text("[ ]:")

    will_run(model, "len(df)")
    turn = panel.ask("What is in it?")
    expect(turn).to_contain_text("Waiting for your cell, because the code reads df.")
    following = notebook.start("best")  # behind the busy one
    page.get_by_title("Interrupt the kernel").first.click()
    panel.expect_state(turn, "done")
    expect(busy).to_contain_text("KeyboardInterrupt")
    notebook.wait_until_idle()
    again = notebook.run("best")
    expect(again).to_contain_text(shown)
    expect(following.locator(".jp-InputPrompt")).not_to_have_text("[*]:")
    expect(agents.first.locator(".jp-InputPrompt")).not_to_have_text("[ ]:")
