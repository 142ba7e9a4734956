"""A marimo notebook, run as a script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

APP = """
import marimo

app = marimo.App()


@app.cell
def _():
    import qdash_jupyter

    copilot = qdash_jupyter.open_copilot(settings={"database": {"snapshot": SNAPSHOT}})
    answer = copilot.ask("Which qubits have the worst T1?")
    print([run.status.value for run in copilot.turns[0].cells], answer.assessment)
    return (copilot, answer)


@app.cell
def _(copilot):
    print(list(copilot.data), type(copilot.panel).__name__)
    return


@app.cell
async def _(copilot, answer):
    again = await copilot.start("Which qubits have the worst T1?")
    print(answer.text.startswith(again.text))  # the first one also says what answers
    copilot.close()
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.mark.long
def test_its_cells_ask_wait_and_await(snapshot: Path, tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(APP.replace("SNAPSHOT", repr(str(snapshot))))
    ran = subprocess.run(
        [sys.executable, str(app)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )
    assert ran.returncode == 0, ran.stderr
    asked, data, same = ran.stdout.splitlines()
    assert asked.startswith("['ok'")
    assert data.startswith("['")
    assert data.endswith("CopilotPanel")
    assert same == "True"
