"""`copilot.panel` in a kernel without JupyterLab's extension, as in VS Code and Colab: the widget alone."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import PersonError
from tests.ui.kernel import ROOT, WIDGET, Kernel, as_new, nbval

PLOTLY = "application/vnd.plotly.v1+json"
QUESTION = "Which qubits lost T1 in the last 30 days?"


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("where", "is_alone"), [("VS Code", True), pytest.param("Colab", False, marks=pytest.mark.long)]
)
def test_the_lines_of_the_documentation_show_a_connected_panel(where: str, is_alone: bool, warm_kernel: Kernel) -> None:
    """In a kernel whose front-end is none of JupyterLab's."""
    with as_new(warm_kernel) as fresh:
        fresh.run(documented(where))
        [panel] = fresh.until(lambda: [name for name, state in fresh.widgets.items() if "_esm" in state])
        state = fresh.widgets[panel]
        assert "qdash-panel" in state["_esm"]
        assert "qdash-panel" in state["_css"]
        assert state["alone"] is is_alone

        def say(**message: Any) -> None:
            fresh.say(panel, {"method": "custom", "content": {"v": 1, **message}})

        say(type="resync")
        fresh.until(lambda: "64Q-demo" in str(fresh.custom))
        say(type="ask", ask_id="a1", text=QUESTION)
        fresh.until(lambda: "T1 of 5 qubits fell" in str(fresh.custom))
        assert "'cell_place': 'kernel'" in str(fresh.custom)  # its code ran, in no cell
        assert fresh.run('print(len(copilot.data["t1"]["timeseries"]) > 0)').stdout == "True\n"
        fresh.run("from qdash_jupyter.ui import sender; sender.PART_S = 0")
        say(type="plotly", n=2, file_id="p1")
        script = "".join(part["text"] for part in fresh.until(lambda: whole(fresh.custom)))
        assert b"plotly.js" in gzip.decompress(base64.b64decode(script))[:1_000]


@pytest.mark.kernel
@pytest.mark.long
def test_it_is_connected(demo_kernel: Kernel) -> None:
    [shown] = demo_kernel.run("copilot.panel").bundles
    panel = shown[WIDGET]["model_id"]
    assert demo_kernel.run(f"print(copilot.panel.model_id == {panel!r})").stdout == "True\n"
    asked = {"v": 1, "type": "ask", "ask_id": "a1", "text": QUESTION}
    demo_kernel.say(panel, {"method": "custom", "content": asked})
    demo_kernel.until(lambda: "T1 of 5 qubits fell" in str(demo_kernel.custom))
    assert {"v": 1, "type": "ack", "of": "a1", "ok": True} in [
        {name: said.get(name) for name in ("v", "type", "of", "ok")} for said in demo_kernel.custom
    ]


@pytest.mark.long
@pytest.mark.kernel
def test_a_conversation_is_saved_as_a_notebook_that_runs_again(demo_kernel: Kernel, tmp_path: Path) -> None:
    """In a kernel, and its notebook under nbval in another one: eight seconds."""
    [shown] = demo_kernel.run("copilot.panel").bundles
    panel = shown[WIDGET]["model_id"]
    demo_kernel.run("%copilot new")
    demo_kernel.say(panel, {"method": "custom", "content": {"v": 1, "type": "export", "n": 1, "file_id": "early"}})
    demo_kernel.until(lambda: "Nothing has been asked yet." in str(demo_kernel.custom))
    questions = (QUESTION, "Trend of T1 of qubit 99", "Show T1 of the whole chip")
    for question in questions:
        demo_kernel.run(f"%copilot ask {question}")
    # In small parts, at once.
    demo_kernel.run("from qdash_jupyter.ui import sender; sender.PART_CHARS, sender.PART_S = 10_000, 0")
    demo_kernel.say(panel, {"method": "custom", "content": {"v": 1, "type": "export", "n": 2, "file_id": "saved"}})
    parts = demo_kernel.until(lambda: whole(demo_kernel.custom))
    demo_kernel.run("sender.PART_CHARS = 400_000")
    assert len(parts) > 1
    path = tmp_path / "saved.ipynb"
    path.write_text("".join(part["text"] for part in parts), encoding="utf-8")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    headings = [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]
    assert headings == [line for question in questions for line in (f"# {question}", "## Answer")]
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum(PLOTLY in output.get("data", {}) for output in outputs) >= 2
    run = nbval(path)
    assert run.returncode == 0, run.stdout


def whole(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of a file, once the last one is there."""
    parts = [message for message in said if message["type"] == "file"]
    return parts if parts and parts[-1]["left"] == 0 else []


def documented(where: str) -> str:
    """The lines of docs/panel.md for this front-end."""
    page = (ROOT / "docs" / "panel.md").read_text(encoding="utf-8")
    found = re.search(rf"^\*\*{where}\*\*.*?```\w+\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_where_there_is_none_it_is_told() -> None:
    """As below the user interface, on the command line."""
    copilot = open_copilot(demo=True)
    with pytest.raises(PersonError, match="This copilot has no panel"):
        _ = copilot.panel
    copilot.close()
