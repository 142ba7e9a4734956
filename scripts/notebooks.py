"""Writes and executes the example notebooks: `python scripts/notebooks.py`. What they show is in `NOTEBOOKS` below."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import v4

FOLDER = Path(__file__).parents[1] / "notebooks"
CHECKED = "nbval-check-output"

NOTEBOOKS: dict[str, list[tuple[str, str]]] = {
    "01-first-question.ipynb": [
        (
            "text",
            "# Your first question\n\n"
            "A generated 64-qubit chip with 90 days of calibration results, some of its qubits with planted faults. "
            "Everything runs in this kernel: no server, no key, no network. Without a language model the *offline "
            "planner* answers the common questions by fixed methods, and says so.\n\n"
            "Run the cells from the top (Shift+Enter), then ask your own: in a cell, or in the panel *QDash Copilot* "
            "on the right, where each step of an answer becomes a cell of this notebook. Here `--wait` keeps all of it "
            "in the asking cell, so that *Run All* works; without it `%%copilot` returns at once and its answer grows.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        ("checked", "%%copilot --wait\nWhich qubits lost T1 in the last 30 days?"),
        (
            "text",
            "## The data stay here\n\n"
            "What was fetched is a live DataFrame in your kernel, with units and zones; no row of it went anywhere.",
        ),
        ("code", "copilot.data"),
        ("checked", 'series = copilot.data["t1"]["timeseries"]\nseries[["qid", "t", "v", "error"]].tail(3)'),
        (
            "text",
            "## The analysis is yours\n\n"
            "The code under the answer ran in this kernel, and its names are there now. Ask it something else: "
            "which qubits moved by 10 % or more, up or down?",
        ),
        (
            "checked",
            "moved = t1_changes(smallest=10)\n"
            'moved[moved["verdict"].isin(["fell", "rose"])].drop(columns="since").round(1)',
        ),
        ("text", "Or go on with pandas as always: the weekly median of one of them."),
        (
            "checked",
            'one = series[series["qid"] == "42"].set_index("t")["v"]\n'
            'one.resample("7D").median().round(1).rename("T1 of Q42 [μs]").to_frame()',
        ),
        ("text", "## More questions"),
        ("checked", "%%copilot --wait\nWhich couplings are the worst by ZX90 fidelity?"),
        ("code", "%%copilot --wait\nHeatmap of the readout fidelity"),
        ("text", "日本語でも質問できます。"),
        ("checked", "%%copilot --wait\n過去30日で周波数が飛んだ量子ビットは?"),
        ("text", "A question without a plan gets an honest answer."),
        ("checked", "%%copilot --wait\nWrite me a poem about transmons"),
    ],
}


def build(name: str) -> None:
    """Write, execute and store one notebook."""
    cells = []
    for number, (kind, source) in enumerate(NOTEBOOKS[name], start=1):
        make = v4.new_markdown_cell if kind == "text" else v4.new_code_cell
        cell = make(source, id=f"cell-{number}")
        if kind == "checked":
            cell.metadata["tags"] = [CHECKED]
        cells.append(cell)
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    NotebookClient(notebook, timeout=300, record_timing=False, resources={"metadata": {"path": str(FOLDER)}}).execute()
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    nbformat.write(notebook, FOLDER / name)


if __name__ == "__main__":
    for name in NOTEBOOKS:
        build(name)
