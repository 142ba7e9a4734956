"""`copilot.panel` in a kernel without JupyterLab's extension, as in VS Code and Colab: the widget alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import PersonError
from tests.ui.kernel import WIDGET, Kernel, nbval

PLOTLY = "application/vnd.plotly.v1+json"
QUESTION = "Which qubits lost T1 in the last 30 days?"


@pytest.mark.kernel
def test_it_is_connected(demo_kernel: Kernel) -> None:
    [shown] = demo_kernel.run("copilot.panel").bundles
    panel = shown[WIDGET]["model_id"]
    assert demo_kernel.run(f"print(copilot.panel.model_id == {panel!r})").stdout == "True\n"
    asked = {"v": 1, "type": "ask", "ask_id": "a1", "text": QUESTION}
    demo_kernel.say(panel, {"method": "custom", "content": asked})
    demo_kernel.until(lambda: "5 qubits lost T1" in str(demo_kernel.custom))
    assert {"v": 1, "type": "ack", "of": "a1", "ok": True} in [
        {name: said.get(name) for name in ("v", "type", "of", "ok")} for said in demo_kernel.custom
    ]


@pytest.mark.kernel
def test_a_conversation_is_saved_as_a_notebook_that_runs_again(demo_kernel: Kernel, tmp_path: Path) -> None:
    """In a kernel, and its notebook under nbval in another one: eight seconds."""
    [shown] = demo_kernel.run("copilot.panel").bundles
    panel = shown[WIDGET]["model_id"]
    demo_kernel.run("%copilot new")
    demo_kernel.say(panel, {"method": "custom", "content": {"v": 1, "type": "export", "n": 1, "file_id": "early"}})
    demo_kernel.until(lambda: "Nothing was asked yet." in str(demo_kernel.custom))
    questions = (QUESTION, "Trend of T1 of qubit 99", "Show T1 of the whole chip")
    for question in questions:
        demo_kernel.run(f"%copilot ask {question}")
    # In small parts, at once.
    demo_kernel.run("from qdash_jupyter.ui import sender; sender.PART_CHARS, sender.PART_S = 10_000, 0")
    demo_kernel.say(panel, {"method": "custom", "content": {"v": 1, "type": "export", "n": 2, "file_id": "saved"}})
    parts = demo_kernel.until(lambda: whole(demo_kernel.custom))
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


def test_where_there_is_none_it_is_told() -> None:
    copilot = open_copilot(demo=True)
    with pytest.raises(PersonError, match="This copilot has no panel"):
        _ = copilot.panel
    copilot.close()
