"""The tour of docs/tour.md, walked in a real JupyterLab: what each of its pictures shows is there.

With `SCREENSHOTS=docs/tour` the pictures are taken anew: they are those of the page. It costs the seconds of a walk.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel
from tests.lab.test_story import Picture, picture, widen

pytestmark = pytest.mark.long

__all__ = ["picture"]


def test_the_tour(lab: Lab, page: Page, picture: Picture) -> None:
    notebook = Notebook.show(page, lab, lab.write_notebook("morning.ipynb", ""))
    page.set_viewport_size({"width": 1280, "height": 800})
    panel = Panel.start(notebook)
    widen(page, 400)
    page.get_by_role("tab", name=re.compile("^File Browser")).click()  # closes it: room for the notebook
    expect(panel.button("Which qubits lost T1 in the last 30 days?")).to_be_visible()
    picture("1-start")

    answer = panel.answer("Which qubits lost T1 in the last 30 days?")
    expect(answer.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    page.locator(".jp-CodeCell[data-qdash-step]").first.scroll_into_view_if_needed()
    picture("2-answer")

    answer.get_by_role("button", name=re.compile(r"\d steps")).click()
    reading = answer.locator(".qd-step > .qd-line").first
    reading.click()
    expect(answer).to_contain_text("task_result_history")
    reading.scroll_into_view_if_needed()
    picture("3-evidence")
    reading.click()

    panel.box.fill("Compare @Q0")
    panel.box.press("End")
    panel.box.press_sequentially("7")
    expect(page.get_by_role("listbox", name="Names").get_by_role("option").first).to_be_visible()
    picture("4-names")
    panel.box.fill("")

    panel.region.get_by_role("button", name=re.compile("^Data")).click()
    panel.region.get_by_role("button", name="timeseries").click()
    expect(panel.region.get_by_role("table").first).to_be_visible(timeout=SLOW_MS)
    picture("5-data")
    page.locator(".jp-Notebook .jp-Cell").first.click()
    panel.button("Explore").first.click()
    explorer = page.locator(".jp-Notebook .jp-CodeCell").filter(has_text=".explore()")
    expect(explorer.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    explorer.scroll_into_view_if_needed()
    picture("6-explore")
    above = explorer.locator("xpath=preceding-sibling::*[contains(@class, 'jp-Cell')][1]")
    expect(above).to_have_attribute("data-qdash-step", re.compile(r"\d"))  # not below the cell that is selected
    panel.region.get_by_role("button", name=re.compile("^Data")).click()

    trusted = panel.answer("Can I trust the last T1 of Q33?")
    expect(trusted.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    picture("7-trust")

    panel.button("New conversation").click()
    panel.button("Conversations").click()
    expect(panel.region.get_by_role("list", name="Conversations")).to_contain_text("Which qubits lost T1")
    picture("8-conversations")
