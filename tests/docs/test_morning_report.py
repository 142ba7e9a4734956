"""The commands of `docs/morning-report.md`, as they stand there, on the demo chip."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.lab.environments import Environment

PAPERMILL = Environment("papermill", ("papermill", "ipykernel"), package="whole")
PAGE = (Path(__file__).parents[2] / "docs" / "morning-report.md").read_text(encoding="utf-8")
SCHEDULED, OTHER_DAYS = re.findall(r"^```sh\n(.+?)```", PAGE, re.DOTALL | re.MULTILINE)
LOST = "Which qubits lost T1 in the last 30 days?"


def ran(script: str, folder: Path, *programs: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("QDASH", "OPENAI", "MONGO"))}
    path = os.pathsep.join(map(str, (*programs, Path(sys.executable).parent, os.environ["PATH"])))
    return subprocess.run(
        ["sh", "-ec", script], cwd=folder, env=env | {"PATH": path}, capture_output=True, text=True, check=False
    )


def shown(notebook: nbformat.NotebookNode) -> list[dict[str, Any]]:
    """What the cells of the copilot show, in order."""
    outputs = [
        output for cell in notebook.cells for output in cell.get("outputs", ()) if "copilot" in cell.metadata.tags
    ]
    return [output.data for output in outputs if "data" in output]


@pytest.mark.parametrize(
    ("question", "fail_on", "status"),
    [("How is the chip?", "bad", 3), ("What changed since yesterday?", "bad", 0), (LOST, "warning", 3)],
)
@pytest.mark.long
def test_what_the_schedule_leaves_and_how_it_ends(tmp_path: Path, question: str, fail_on: str, status: int) -> None:
    """A process of a second or two each: its exit status is what a scheduler sees."""
    script = SCHEDULED.replace("How is the chip?", question).replace("-on bad", f"-on {fail_on}")
    run = ran(script, tmp_path)
    assert run.returncode == status, run.stderr
    [report] = tmp_path.glob("report-????-??-??.ipynb")
    notebook = nbformat.read(report, as_version=4)
    nbformat.validate(notebook)
    [parameters] = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    named = {line.partition(" = ")[0] for line in parameters.source.splitlines()}
    assert named == {"data_since"} | (set() if question == "How is the chip?" else {"since"})
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert all(f"since={name}" in code for name in named)
    assert any("application/vnd.plotly.v1+json" in data for data in shown(notebook)), (
        "a chart, also where nothing moved"
    )


@pytest.mark.long
@pytest.mark.timeout(900)
def test_papermill_runs_it_for_another_day(tmp_path: Path) -> None:
    """An environment with papermill is made at the first run, which takes up to a minute."""
    run = ran(OTHER_DAYS, tmp_path, PAPERMILL.python.parent)
    assert run.returncode == 0, run.stderr
    assert not re.search(r"comm target|no such comm", run.stderr, re.IGNORECASE)
    first, other = (nbformat.read(tmp_path / name, as_version=4) for name in ("t1.ipynb", "t1-june.ipynb"))
    [injected] = [cell for cell in other.cells if "injected-parameters" in cell.metadata.get("tags", ())]
    assert 'since = "2026-06-15"' in injected.source
    before, now = shown(first), shown(other)
    assert len(before) == len(now) == 2, "a table and a chart"
    assert [one for one, same in zip(before, now, strict=True) if one == same] == []
    assert "As of 2026-06-30. Run again, the cells are computed anew; this text stays." in other.cells[-1].source
    kept = [cell.source for cell in other.cells if cell.cell_type == "markdown" and "Q59" in cell.source]
    assert kept == [other.cells[-1].source], "no other text says what was found"
