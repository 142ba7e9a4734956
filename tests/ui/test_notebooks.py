"""The example notebooks are tests, and the tests can fail."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.ui.kernel import ROOT, Kernel, as_new, command, nbval

pytestmark = pytest.mark.kernel

PLOTLY = "application/vnd.plotly.v1+json"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_stored_with_outputs_and_checked(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs and cell.execution_count for cell in code)
    tags = [tag for cell in code for tag in cell.metadata.get("tags", ())]
    assert tags.count("nbval-check-output") >= len(code) // 2
    assert "raises-exception" not in tags
    assert not any(output.output_type == "error" for cell in code for output in cell.outputs)
    assert str(ROOT) not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [NOTEBOOKS[0], *(pytest.param(path, marks=pytest.mark.long) for path in NOTEBOOKS[1:4])],
    ids=lambda path: path.name,
)
def test_an_example_notebook_runs_again_and_shows_the_same(path: Path, warm_kernel: Kernel) -> None:
    """As under nbval, without a kernel of its own: one to three seconds. The others, which start processes and fit
    hundreds of curves, run under nbval alone.
    """
    with as_new(warm_kernel) as kernel:
        kernel.run(f"%cd -q {path.parent}")
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                shown = kernel.run(cell.source)
                assert shown.status == "ok", f"{cell.source}\n{shown.text}"
                if "nbval-check-output" in cell.metadata.get("tags", ()):
                    stored = [output for output in cell.outputs if output.output_type != "stream"]
                    printed = "".join(each.text for each in cell.outputs if each.get("name") == "stdout")
                    assert (shown.stdout, shown.bundles) == (printed, [each.data for each in stored]), cell.source


@pytest.mark.long
def test_example_notebooks_pass_under_nbval() -> None:
    run = nbval(*NOTEBOOKS)
    assert run.returncode == 0, run.stdout


def test_the_second_notebook_shows_many_tools_that_read() -> None:
    notebook = nbformat.read(ROOT / "notebooks" / "02-data-and-frames.ipynb", as_version=4)
    used = re.findall(r"copilot\.tools\.(\w+)\(", "\n".join(c.source for c in notebook.cells if c.cell_type == "code"))
    assert len(set(used)) > 10
    assert set(used) <= {spec.name for spec in BUILTIN_TOOLS if spec.effect == "read"}


def corrupt_text(cell: Any) -> None:
    bundle = cell.outputs[0]["data"]
    number = re.search(r"\d+\.\d μs", bundle["text/markdown"])
    assert number
    for kind in ("text/markdown", "text/plain"):
        bundle[kind] = bundle[kind].replace(number[0], "1234.5 μs")


def corrupt_chart(cell: Any) -> None:
    chart = next(o for o in cell.outputs if "application/vnd.plotly.v1+json" in o["data"])["data"]
    trace = chart["application/vnd.plotly.v1+json"]["data"][0]
    trace["name"] = "Q41"


@pytest.mark.long
@pytest.mark.parametrize("corrupt", [corrupt_text, corrupt_chart])
def test_one_changed_number_fails(tmp_path: Path, corrupt: Callable[[Any], None]) -> None:
    notebook = nbformat.read(ROOT / "notebooks" / "01-first-question.ipynb", as_version=4)
    question = next(cell for cell in notebook.cells if cell.source.startswith("%%copilot"))
    corrupt(question)
    notebook.cells = notebook.cells[: notebook.cells.index(question) + 1]
    changed = tmp_path / "changed.ipynb"
    nbformat.write(notebook, changed)
    run = nbval(changed)
    assert run.returncode == 1, run.stdout
    assert "mismatch" in run.stdout


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("How is the chip?", marks=pytest.mark.long),
        pytest.param("T1のヒートマップ", marks=pytest.mark.long),
        pytest.param("Which qubits lost T1 in the last 30 days?", marks=pytest.mark.long),
        pytest.param("Compare Q3 and Q7", marks=pytest.mark.long),
    ],
)
def test_an_exported_answer_runs_again(tmp_path: Path, question: str) -> None:
    path = tmp_path / "answer.ipynb"
    asked = command("ask", "--demo", question, "-o", str(path))
    assert asked.returncode == 0, asked.stderr
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert question in text
    finding = next(line for line in asked.stdout.splitlines() if line.startswith("**"))
    assert finding in text
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any(PLOTLY in output.get("data", {}) for output in outputs)
    assert "raises-exception" not in json.dumps(notebook)
    assert path.stat().st_size < 450_000  # a picture beside each chart takes up to 100 kB
    run = nbval(path, strict=True)
    assert run.returncode == 0, run.stdout
    again = nbformat.read(path, as_version=4)
    NotebookClient(again, timeout=120).execute()
    assert_same(notebook, again)


def assert_same(before: Any, again: Any) -> None:
    """What the cells show is the same to the byte, as the demo data are a snapshot. A chart of a tool stands below the
    line that fetches its data, which shows nothing when it is run.
    """
    for one, other in zip(before.cells, again.cells, strict=True):
        for kind in ("text/html", PLOTLY):
            if now := [output.data[kind] for output in other.get("outputs", ()) if kind in output.get("data", {})]:
                assert now == [output.data[kind] for output in one.outputs if kind in output.get("data", {})]


@pytest.mark.long
def test_a_changed_number_in_an_exported_answer_fails(tmp_path: Path) -> None:
    path = tmp_path / "answer.ipynb"
    command("ask", "--demo", "Which qubits lost T1 in the last 30 days?", "-o", str(path))
    notebook = nbformat.read(path, as_version=4)
    table = next(cell for cell in notebook.cells if "nbval-check-output" in cell.metadata.get("tags", ()))
    [output] = table.outputs
    output["data"]["text/html"], changed = re.subn(r">\d+\.\d+<", ">0.123<", output["data"]["text/html"], count=1)
    assert changed
    nbformat.write(notebook, path)
    assert nbval(path).returncode == 1
