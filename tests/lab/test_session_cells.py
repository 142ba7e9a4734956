"""Cells that run in the copilot's session, in a real notebook: what they show is told by the kernel's messages.

A thread of the kernel has the page insert a cell and says what it shows; no model and no session are needed for that.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.lab.conftest import VIEWPORT, running_lab
from tests.lab.in_browser import Lab, Notebook, follow, shot

SEND = """\
%load_ext qdash_jupyter
import json, time
from qdash_jupyter.ui import magics
app = next(iter(magics._loaded.values())).app
while not list(app.link):  # the page opens its comm on a subshell
    time.sleep(0.01)

def send(message):
    for page in app.link:
        app.loop.call(page.send, message)
"""
FIGURE = {"data": [{"x": [1, 2, 3], "y": [4.1, 9.2, 2.3]}], "layout": {"height": 220, "margin": {"t": 20, "b": 30}}}
TABLE = (
    "<table border=1 class=dataframe><thead><tr><th></th><th>qid</th><th>t1</th></tr></thead>"
    "<tbody><tr><th>0</th><td>Q00</td><td>45.0</td></tr><tr><th>1</th><td>Q01</td><td>51.3</td></tr></tbody></table>"
)
NO_NUMBER = "[ ]:"


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def display(**data: Any) -> dict[str, Any]:
    types = {name.replace("_", "/", 1): held for name, held in data.items()}
    return {"output_type": "display_data", "data": types, "metadata": {}}


CHART = {
    "output_type": "display_data",
    "data": {"application/vnd.plotly.v1+json": FIGURE, "text/plain": "Figure"},
    "metadata": {},
}


class Kernel:
    """What the kernel says of the cells of its session, and what it hears."""

    def __init__(self, notebook: Notebook, said: list[str]) -> None:
        self.notebook = notebook
        self.page = notebook.page
        self.said = said
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.n: dict[str, int] = {}
        self.execute(SEND)

    def send(self, message: dict[str, Any]) -> None:
        """Through the kernel, without a cell of the notebook's."""
        self.execute(f"send(json.loads({json.dumps(message)!r}))")

    def execute(self, code: str) -> None:
        self.page.evaluate(
            """code => jupyterapp.shell.currentWidget.sessionContext.session.kernel
                .requestExecute({ code, silent: true, store_history: false }).done.then(({ content }) => {
                    if (content.status !== 'ok') throw new Error(content.evalue);
                })""",
            code,
        )

    def insert(self, cell_id: str, code: str, step: int = 1, purpose: str = "A test") -> Locator:
        self.send(
            {
                "type": "run_cell",
                "req_id": f"request-{cell_id}",
                "turn_id": "turn",
                "cell_id": cell_id,
                "code": code,
                "setup": [],
                "asked_in": None,
                "instead_of": None,
                "heading": "**Copilot** How does T1 decay?",
                "step": step,
                "purpose": purpose,
            }
        )
        while not self.reports("cell_inserted", cell_id):
            self.page.wait_for_timeout(10)
        return self.page.locator(f".jp-CodeCell[data-qdash-step='{step}']")

    def shows(self, cell_id: str, *outputs: dict[str, Any], state: str = "running", **more: Any) -> None:
        """The next message about it, which leaves out what the page has."""
        before = self.shown.get(cell_id, [])
        unchanged = 0
        while before[unchanged : unchanged + 1] == list(outputs)[unchanged : unchanged + 1] != []:
            unchanged += 1
        first = 0 if state == "ended" else unchanged
        self.shown[cell_id] = list(outputs)
        self.n[cell_id] = self.n.get(cell_id, 0) + 1
        told: dict[str, Any] = {
            "execution_count": None,
            "stays": [],
            "needs": [],
            "first": first,
            "unchanged": unchanged,
        }
        kind = {"type": "cell_outputs", "cell_id": cell_id, "n": self.n[cell_id], "state": state}
        self.send({**kind, **told, "outputs": outputs[first:], **more})

    def reports(self, kind: str, cell_id: str) -> list[str]:
        """What the page said of the cell, with the bytes around it."""
        return [text for text in self.said if f'"{kind}"' in text and f'"{cell_id}"' in text]

    def saved(self, cell_id: str) -> dict[str, Any]:
        """The cell as the notebook would save it."""
        found: dict[str, Any] = self.page.evaluate(
            "id => [...jupyterapp.shell.currentWidget.content.model.cells].find(cell => cell.id === id).toJSON()",
            cell_id,
        )
        return found

    def expect_saved(self, cell_id: str) -> None:
        """Exactly what was told, however little of it was sent. JupyterLab's renderer adds a picture to a chart."""
        for _ in range(500):
            saved = self.saved(cell_id)["outputs"]
            for output in saved:
                output.get("data", {}).pop("image/png", None)
            if saved == self.shown[cell_id]:
                return
            self.page.wait_for_timeout(10)
        assert saved == self.shown[cell_id]


@pytest.fixture
def kernel(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Kernel:
    said = heard(page)
    notebook = Notebook.show(page, lab, lab.write_notebook(f"{request.node.name}.ipynb", "# Mine", ""))
    page.evaluate("jupyterapp.shell.currentWidget.content.mode = 'command'")  # nobody types: it may scroll
    return Kernel(notebook, said)


def heard(page: Page) -> list[str]:
    """What the page will say to kernels."""
    said: list[str] = []
    page.on("websocket", lambda socket: follow(socket, said))
    return said


def prompt(cell: Locator) -> Locator:
    return cell.locator(".jp-InputPrompt")


def outputs(cell: Locator) -> Locator:
    return cell.locator(".jp-OutputArea-child")


def footer(cell: Locator) -> Locator:
    return cell.locator(".qdash-SessionFooter")


def scroll(page: Page, index: int) -> None:
    page.evaluate("index => jupyterapp.shell.currentWidget.content.scrollToItem(index)", index)


def delete(cell: Locator) -> None:
    prompt(cell).click()
    cell.page.keyboard.press("Escape")
    cell.page.keyboard.press("d")
    cell.page.keyboard.press("d")


def test_what_a_cell_of_the_session_shows(kernel: Kernel) -> None:
    page = kernel.page
    cell = kernel.insert("shows", "for qid in qids:\n    print(fit(qid))", purpose="Fit T1 of every qubit")
    assert kernel.saved("shows")["metadata"]["tags"] == ["copilot"]
    kernel.shows("shows", state="waiting")
    expect(prompt(cell)).to_have_text("[*]:")
    kernel.shows("shows", stream("Q00 45.0\n"))
    expect(outputs(cell)).to_have_text("Q00 45.0")
    cell.locator(".jp-OutputArea-output").evaluate("node => { node.dataset.first = 'kept' }")
    kernel.shows("shows", stream("Q00 45.0\nQ01 51.3\n"))
    expect(cell.locator("[data-first=kept]")).to_contain_text("Q01 51.3")  # it grew where it was
    shot(page, "session-running")

    # Progress that is written over, halves of characters, displays that change, outputs that go, other streams.
    done = stream("Q00 45.0\nQ01 51.3\n")
    table, text = display(text_html=TABLE, text_plain="two rows"), display(text_plain="a")
    for told in (
        [done, table],
        [done, table, stream("\U0001f600 50 %", "stderr")],
        [done, table, stream("\U0001f601 99 %", "stderr"), stream("out\n")],
        [done, table, stream("\U0001f601 99 %", "stderr")],
        [done, text],
        [done, text, stream("err\n", "stderr")],
        [done, stream("err\n", "stderr"), stream("out\n")],
        [done, display(text_plain="b"), stream("out\n"), stream("err\n", "stderr")],
        [stream("anew\n")],
        [],
        [done, table],
    ):
        kernel.shows("shows", *told)
        kernel.expect_saved("shows")
        expect(outputs(cell)).to_have_count(len(told))

    # One message is lost: the page waits for all of it.
    kernel.n["shows"] += 1
    kernel.shows("shows", done, table, stream("lost\n"))
    kernel.shows("shows", done, table, stream("lost\n"), CHART)
    expect(outputs(cell)).to_have_count(2)
    kernel.shown["shows"] = []
    done = stream("Q00 45.0\nQ01 51.3\nQ02 48.8\n")  # else what is saved would be as before the page has heard it
    kernel.shows("shows", done, table)
    kernel.expect_saved("shows")
    cell.locator(".jp-RenderedHTML").evaluate("node => { node.dataset.table = 'kept' }")
    kernel.shows("shows", done, table, CHART, state="ended", execution_count=3)
    kernel.expect_saved("shows")
    expect(prompt(cell)).to_have_text("[3]:")
    expect(cell.locator(".js-plotly-plot")).to_be_visible()
    expect(cell.locator("[data-table=kept]")).to_be_visible()  # not drawn again
    expect(footer(cell)).to_have_count(0)
    shot(page, "session-ended")
    assert kernel.reports("cell_deleted", "shows") == []


def test_a_cell_of_the_session_that_the_user_changes_runs_or_deletes(kernel: Kernel) -> None:
    page = kernel.page
    edited = kernel.insert("edited", "'edited'")
    run = kernel.insert("run", "'run'", step=2)
    moved = kernel.insert("moved", "'moved'", step=3)
    for cell_id in ("edited", "run", "moved"):
        kernel.shows(cell_id, stream("told\n"))
    expect(prompt(moved)).to_have_text("[*]:")

    edited.locator(".cm-content").click()
    page.keyboard.press("End")
    page.keyboard.insert_text("  # mine")
    expect(prompt(edited)).to_have_text(NO_NUMBER)
    run.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    expect(run.locator(".jp-OutputArea-output")).to_have_text("'run'")
    for cell_id in ("edited", "run"):
        kernel.shows(cell_id, stream("ignored\n"), state="ended", execution_count=9, stays=["x"])

    prompt(moved).click()
    page.keyboard.press("Escape")
    page.keyboard.press("ControlOrMeta+Shift+ArrowUp")
    page.keyboard.press("ControlOrMeta+Shift+ArrowDown")
    kernel.shows("moved", stream("told\nmore\n"))
    expect(outputs(moved)).to_have_text("told\nmore")
    expect(prompt(moved)).to_have_text("[*]:")
    assert kernel.reports("cell_deleted", "moved") == []
    expect(outputs(edited)).to_have_text("told")
    expect(run.locator(".jp-OutputArea-output")).to_have_text("'run'")

    kernel.shows("moved", stream("told\nmore\nseen\n"), state="ended", stays=["fit"])
    expect(prompt(moved)).to_have_text(NO_NUMBER)
    expect(footer(moved)).to_contain_text("fit")

    deleted = kernel.insert("deleted", "'deleted'", step=4)
    kernel.shows("deleted", state="waiting")
    delete(deleted)
    expect(deleted).to_have_count(0)
    while not kernel.reports("cell_deleted", "deleted"):
        page.wait_for_timeout(10)
    delete(moved)  # it has ended
    kernel.insert("open", "'open'", step=5)
    page.evaluate(
        "jupyterapp.shell.currentWidget.context.model.dirty = false; jupyterapp.shell.currentWidget.dispose()"
    )
    page.evaluate("0")  # what it says then has been said
    assert kernel.reports("cell_deleted", "moved") == []
    assert kernel.reports("cell_deleted", "open") == []


@pytest.mark.long  # test_cells.py runs one there after a yes
def test_a_cell_of_the_session_is_run_in_the_kernel(kernel: Kernel) -> None:
    page = kernel.page
    first = kernel.insert(
        "first", "import math\n\ndef fit(t):\n    return math.exp(-t / 45.0)", purpose="Define the fit"
    )
    kernel.shows("first", state="ended", execution_count=1, stays=["fit", "math"])
    second = kernel.insert("second", "model = fit(9.0)\nround(model, 3)  # \u202esdrawkcab", step=2, purpose="Fit T1")
    kernel.shows(
        "second",
        display(text_html=TABLE, text_plain="t"),
        state="ended",
        execution_count=2,
        stays=["model"],
        needs=["gone", "first"],
    )
    expect(footer(second)).to_have_text("Only in the copilot's session: model·Run here")
    expect(footer(first)).to_contain_text("fit, math")
    shot(page, "session-footer")
    here = footer(second).get_by_role("button", name="Run here")
    dialog = page.get_by_role("dialog")

    here.evaluate("button => button.click()")  # a script
    here.focus()
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("Run in your kernel?")
    sources = dialog.locator("pre").all_inner_texts()
    assert sources == [
        "import math\n\ndef fit(t):\n    return math.exp(-t / 45.0)",
        "model = fit(9.0)\nround(model, 3)  # \\u{202e}sdrawkcab",
    ]
    expect(dialog).to_contain_text("no longer in the notebook")
    shot(page, "session-dialog")
    yes = dialog.get_by_role("button", name="Run in my kernel")
    yes.evaluate("button => button.click()")
    yes.evaluate("button => button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))")
    expect(dialog).to_have_count(1)
    page.keyboard.press("Enter")  # as if it were still held
    expect(dialog).to_have_count(0)

    here.click()
    page.evaluate(
        "[...jupyterapp.shell.currentWidget.content.model.cells].find(cell => cell.id === 'first')"
        ".sharedModel.setSource('fit = abs')"
    )
    yes.click()
    expect(dialog).to_contain_text("Nothing was run")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(prompt(first)).to_have_text("[1]:")
    expect(footer(first)).to_have_count(0)  # it was edited
    expect(prompt(second)).to_have_text("[2]:")

    here.click()
    assert dialog.locator("pre").first.inner_text() == "fit = abs"
    shot(page, "session-dialog-edited")
    yes.click()
    expect(second.locator(".jp-OutputArea-output")).to_have_text("9.0")
    expect(page.locator(".qdash-SessionFooter")).to_have_count(0)
    note = kernel.saved("second")["metadata"]["qdash_copilot"]
    assert note.keys().isdisjoint({"session_only", "needs"})


@pytest.mark.long  # a JupyterLab of its own
def test_a_cell_that_a_windowed_notebook_has_taken_out_of_the_page(browser: Browser, tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "notebooks"
    setting = home / "config/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    setting.parent.mkdir(parents=True)
    setting.write_text('{"windowingMode": "full"}')
    folder.mkdir()
    with running_lab(home, folder) as lab, browser.new_context(viewport=VIEWPORT) as context:
        page = context.new_page()
        said = heard(page)
        path = lab.write_notebook("windowed.ipynb", *(f"# {line}" for line in range(30)))
        kernel = Kernel(Notebook.open(page, lab, path), said)
        cell = kernel.insert("far", "'far'")
        kernel.shows("far", stream("one\n"))
        scroll(page, 31)
        expect(outputs(cell)).to_have_text("one")
        page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 0")  # it stays in the page
        scroll(page, 0)
        expect(cell).to_be_hidden()
        kernel.shows("far", stream("one\ntwo\n"))
        kernel.shows("far", stream("one\ntwo\n"), CHART, state="ended", execution_count=4, stays=["fit"])
        kernel.expect_saved("far")
        # A cell that has never been drawn.
        never = kernel.insert("never", "'never'", step=2)
        expect(never).to_be_hidden()
        kernel.shows("never", stream("never\n"), state="ended", stays=["model"])
        for index, each, text in ((31, cell, "two"), (32, never, "never")):
            scroll(page, index)
            expect(outputs(each).first).to_contain_text(text)
            expect(footer(each).get_by_role("button", name="Run here")).to_be_visible()
        expect(prompt(cell)).to_have_text("[4]:")
