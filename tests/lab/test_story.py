"""A person's whole first visit, from the click to the chart and after a reload; and how the panel looks in it.

With `SCREENSHOTS=docs` the pictures go to that folder: they are the README's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel

ROOT = Path(__file__).parents[2]
OVERFLOWING = """() => {
    const panel = document.querySelector('#qdash-copilot .qdash-panel');
    const edge = panel.getBoundingClientRect().right + 1;
    const clipped = node => {
        for (let each = node.parentElement; each && each !== panel; each = each.parentElement) {
            if (getComputedStyle(each).overflowX !== 'visible') return true;
        }
        return false;
    };
    return [...panel.querySelectorAll('*')]
        .filter(node => node.getBoundingClientRect().right > edge && !clipped(node))
        .map(node => node.outerHTML.slice(0, 120));
}"""
SCROLLERS = """() => [...document.querySelectorAll('#qdash-copilot, #qdash-copilot *')]
    .filter(node => node.scrollHeight > node.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(node).overflowY)
                    && !/PRE|TEXTAREA|CODE/.test(node.tagName))
    .map(node => node.className)"""
FILLED = """() => {
    const buttons = [...document.querySelectorAll('#qdash-copilot button')];
    const fill = getComputedStyle(buttons.find(each => each.textContent.trim() === 'Send')).backgroundColor;
    return buttons.filter(each => each.offsetParent && getComputedStyle(each).backgroundColor === fill).length;
}"""

# Of a cell with a table; not its size, as the panel takes room from it, nor the cursor, which blinks.
STYLES = """() => [...document.querySelectorAll(
    '.jp-Notebook .jp-CodeCell:first-of-type *:not(.cm-cursorLayer, .cm-cursorLayer *)'
)].map(node => {
    const { color, backgroundColor, font, padding, margin, border, display, opacity } = getComputedStyle(node);
    return [node.tagName, color, backgroundColor, font, padding, margin, border, display, opacity].join(' | ');
})"""
SIZES = """() => performance.getEntriesByType('resource')
    .filter(each => each.name.includes('/extensions/qdash-jupyter/')).map(each => each.decodedBodySize)"""
WIDTHS = {"JupyterLab Dark High Contrast": (420,), "JupyterLab Light": (280,)}
OTHER_WIDTHS = {
    "JupyterLab Dark High Contrast": (280, 360),
    "JupyterLab Dark": (280, 360, 420),
    "JupyterLab Light": (420, 360),
}

Picture = Callable[[str], None]


@pytest.fixture
def picture(page: Page, tmp_path: Path) -> Picture:
    """Takes a picture of the window under this name."""
    folder = Path(ROOT, os.environ["SCREENSHOTS"]) if os.environ.get("SCREENSHOTS") else tmp_path
    folder.mkdir(exist_ok=True)

    def take(name: str) -> None:
        page.wait_for_timeout(400)  # fading in takes 120 ms
        page.screenshot(path=folder / f"{name}.png")

    return take


def widen(page: Page, width: int) -> None:
    """Drags the edge of the side area until the panel has this width."""
    expect(page.locator("#qdash-copilot")).to_be_visible()
    panel = page.locator("#qdash-copilot").bounding_box()
    assert panel is not None
    x, y = panel["x"] - 1.5, panel["y"] + panel["height"] / 2  # its border, then the handle
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + panel["width"] - width, y, steps=5)
    page.mouse.up()
    now = page.locator("#qdash-copilot").bounding_box()
    assert now is not None
    assert abs(now["width"] - width) < 5


def choose_theme(notebook: Notebook, name: str) -> None:
    notebook.page.keyboard.press("ControlOrMeta+Shift+C")
    palette = notebook.page.locator(".jp-ModalCommandPalette")
    palette.locator("input").fill(f"Use Theme: {name}")
    palette.get_by_role("menuitemcheckbox", name=f"Use Theme: {name}", exact=True).click()
    expect(notebook.page.locator(f"body[data-jp-theme-name='{name}']")).to_have_count(1)
    expect(notebook.page.locator("#jupyterlab-splash")).to_have_count(0)  # on a busy machine it covers all for seconds
    notebook.page.wait_for_timeout(500)  # its fonts move the panel a little


def test_the_first_visit(lab: Lab, page: Page, picture: Picture) -> None:  # noqa: PLR0915  # one story
    """The panel also leaves the look of the notebook alone, and what the page loads of ours is small."""
    notebook = Notebook.show(page, lab, lab.write_notebook("lost-t1.ipynb", ""))
    notebook.run("import pandas as pd; pd.DataFrame({'qid': ['1'], 't1': [81.2]})")
    panel = Panel.open(notebook)
    page.wait_for_timeout(500)  # what fades has faded
    before = page.evaluate(STYLES)
    assert len(before) > 50
    picture("visit-1-before")
    panel.region.get_by_role("button", name="Start the copilot").click()
    panel.wait_until_ready()
    expect(panel.region).to_contain_text("64Q-demo", timeout=SLOW_MS)
    expect(panel.region).to_contain_text(re.compile("no language model"))
    picture("visit-2-ready")
    page.wait_for_timeout(500)
    assert page.evaluate(STYLES) == before
    assert 0 < sum(page.evaluate(SIZES)) <= 100_000

    # A starter fills the box; the person sends it.
    panel.region.get_by_role("button", name="Which qubits lost T1 in the last 30 days?").click()
    expect(panel.box).to_have_value("Which qubits lost T1 in the last 30 days?")
    panel.button("Send").click()
    turn = panel.turns.last
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.status).not_to_be_empty()
    steps = page.locator(".jp-CodeCell[data-qdash-step]")
    expect(steps.first).to_be_visible(timeout=SLOW_MS)
    picture("visit-3-working")
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text("fell in the last 30 days")
    expect(turn.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
    assert panel.region.get_by_text("Warning", exact=True).count() + panel.region.get_by_text("Bad", exact=True).count()
    expect(steps).to_have_count(2)
    for step in steps.all():
        expect(step.locator(".jp-InputPrompt")).to_have_text(NUMBERED)
    picture("visit-4-answer")

    # What was fetched, and back again.
    data = panel.region.get_by_role("button", name=re.compile("^Data"))
    data.click()
    expect(panel.region.get_by_role("region", name="Data")).to_contain_text("timeseries")
    picture("visit-data")
    data.click()
    expect(turn.locator(".js-plotly-plot")).to_be_visible()

    # The chart for the slides, made by Plotly itself.
    panel.button("Save chart").click()
    with page.expect_download() as saved:
        panel.region.get_by_role("menuitem", name="Save image (PNG)").click()
    assert saved.value.suggested_filename.endswith(".png")
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")

    # A cell of their own, on what was fetched.
    shown = notebook.run('copilot.data["t1"]["timeseries"].groupby("qid")["v"].median().loc["42"]')
    expect(shown.locator(".jp-OutputArea-output")).not_to_contain_text("Error")

    # The next one is answered while a cell of theirs runs.
    busy = notebook.start("import time; time.sleep(600)")
    turn = panel.answer("Which qubits have the lowest readout fidelity?")
    expect(turn).to_contain_text("fidelity")
    expect(busy.locator(".jp-InputPrompt")).to_have_text("[*]:")
    page.get_by_role("button", name="Interrupt the kernel").first.click()
    expect(busy).to_contain_text("KeyboardInterrupt", timeout=SLOW_MS)

    # And after a reload all of it is there.
    page.reload()
    expect(page.locator(".jp-NotebookPanel .jp-KernelName")).to_contain_text("Python 3", timeout=SLOW_MS)
    panel = Panel.open(Notebook(page))
    panel.wait_until_ready()
    expect(panel.turns).to_have_count(2, timeout=SLOW_MS)
    expect(panel.turns.first).to_contain_text("fell in the last 30 days")
    picture("visit-5-reloaded")


@pytest.mark.long  # pictures in several widths and themes; the first visit looks at one
@pytest.mark.parametrize("looked_at", [WIDTHS, pytest.param(OTHER_WIDTHS, marks=pytest.mark.long)], ids=["", "more"])
def test_the_look(notebook: Notebook, picture: Picture, looked_at: dict[str, tuple[int, ...]]) -> None:
    page = notebook.page
    panel = Panel.start(notebook)
    expect(panel.region).to_contain_text("64Q-demo", timeout=SLOW_MS)
    for state, question in (("empty", ""), ("answer", "Which qubits lost T1 in the last 30 days?")):
        if question:
            turn = panel.answer(question)
            expect(turn.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
        for theme, widths in looked_at.items():
            choose_theme(notebook, theme)
            for width in widths:
                widen(page, width)
                picture(f"look-{state}-{'-'.join(theme.lower().split()[1:])}-{width}")
                assert page.evaluate(OVERFLOWING) == []
                assert len(page.evaluate(SCROLLERS)) <= 1
                assert page.evaluate(FILLED) == 1 or "Contrast" in theme  # lines instead of fills
