"""What the kernel captures of the agent's cells is what JupyterLab saves of them."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from playwright.sync_api import expect

from tests.cells.test_lab_outputs import CELLS
from tests.lab.in_browser import NUMBERED, SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel

# This one changes what another cell shows, which had been captured before.
CODES = [code for name, code in CELLS.items() if name != "an update of another cell's"]

# The tool would refuse some of these codes, so they go to the kernel's cells directly.
RUN_ALL = """\
import json, pathlib
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.shown_cell import CellPlace
from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.ui import magics
copilot_app = next(iter(magics._loaded.values())).app
captured = {{}}
inline = InlineCellHost(copilot_app.shell, copilot_app.namespace)

async def run_all():
    for step, code in enumerate({codes!r}, start=1):
        request = CellRequest(f"request-{{step}}", f"captured-{{step}}", code, "A test")
        cell = await copilot_app._cells.show(request, CellPlace("t", step))
        cell.begin()
        run = await inline.run(request, copilot_app._cells.run_when_idle, lambda event: None, cell)
        cell.end(run.outputs, run.execution_count)
        captured[run.request.cell_id] = run.outputs

running = copilot_app.copilot._conversation.loop.submit(run_all())
"""


@pytest.mark.long
@pytest.mark.timeout(900)
def test_forty_cells_are_captured_as_the_notebook_saves_them(
    lab: Lab, notebook: Notebook, request: pytest.FixtureRequest
) -> None:
    path = lab.folder / f"{request.node.name}.ipynb"
    Panel.start(notebook)
    notebook.run(RUN_ALL.format(codes=CODES))
    last = notebook.page.locator(f".jp-CodeCell[data-qdash-step='{len(CODES)}']")
    expect(last.locator(".jp-InputPrompt")).to_have_text(NUMBERED, timeout=2 * SLOW_MS)
    notebook.run("running.result(30)\npathlib.Path('captured.json').write_text(json.dumps(captured))")
    notebook.page.keyboard.press("ControlOrMeta+s")
    expect(notebook.page.locator(".jp-mod-dirty")).to_have_count(0)

    saved = nbformat.read(path, as_version=4)
    captured = json.loads((lab.folder / "captured.json").read_text())

    stored = {cell.id: cell.outputs for cell in saved.cells if cell.id in captured}
    assert len(stored) == len(CODES)
    for number, code in enumerate(CODES, start=1):
        assert captured[f"captured-{number}"] == [as_sent(output) for output in stored[f"captured-{number}"]], code


def as_sent(output: dict[str, Any]) -> dict[str, Any]:
    """Without the picture that JupyterLab's renderer of Plotly adds to a figure that it has drawn."""
    if "application/vnd.plotly.v1+json" in output.get("data", {}):
        return {**output, "data": {name: value for name, value in output["data"].items() if name != "image/png"}}
    return output
