"""The package with all that it needs in the lowest versions that it takes: pydantic 2.6, Plotly 5.24, pandas 2.2, …"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import nbformat
import pytest

from tests.lab.environments import KERNEL_LOWEST

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]  # an environment is made

EVERY_MODULE = """
import importlib, json, pkgutil, warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import qdash_jupyter
    without = {}
    for module in pkgutil.walk_packages(qdash_jupyter.__path__, "qdash_jupyter."):
        try:
            importlib.import_module(module.name)
        except qdash_jupyter.errors.PersonError as error:
            without[module.name] = error.message.id
    from qdash_jupyter.worker.process import WorkerProcess
    copilot = qdash_jupyter.open_copilot(demo=True)
    copilot.ask("How is Q33?")
    copilot.tools.get_chip_summary()
    copilot.close()
    WorkerProcess("frames", 60).end()  # raises where it does not start
import plotly, pydantic
warned = [f"{one.category.__name__} {one.filename}: {one.message}" for one in caught]
print(json.dumps({"warned": warned, "without": without, "versions": [plotly.__version__, pydantic.VERSION]}))
"""


def ran(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    left_out = {name for name in os.environ if name.startswith(("QDASH", "OPENAI", "PYTHON"))}
    env = {name: value for name, value in os.environ.items() if name not in left_out} | {"HOME": str(folder)}
    python = str(KERNEL_LOWEST.python)
    return subprocess.run([python, *words], capture_output=True, text=True, check=False, cwd=folder, env=env)


def test_nothing_warns_on_the_lowest_versions(tmp_path: Path) -> None:
    done = ran("-c", EVERY_MODULE, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout.splitlines()[-1])
    plotly, pydantic = found["versions"]
    assert plotly.startswith("5.24.")
    assert pydantic.startswith("2.6.")
    assert found["warned"] == []
    assert {*found["without"].values()} == {"mcp-not-installed"}, "its SDK needs a newer pydantic"


def test_a_notebook_of_the_lowest_versions_names_no_other_origin(tmp_path: Path) -> None:
    """Plotly 5.24 puts a script of MathJax into the HTML of its figures."""
    done = ran(
        *("-W", "error", "-m", "qdash_jupyter.ui.cli", "ask", "--demo", "Which qubits lost T1 in the last 30 days?"),
        *("-o", "answer.ipynb"),
        folder=tmp_path,
    )
    assert "Q45, Q42, Q59, Q08 and Q56" in done.stdout, done.stderr
    assert "Warning" not in done.stderr
    notebook = nbformat.read(tmp_path / "answer.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in outputs)
    assert re.findall(r"\w+://[^\s\"')\\]+", json.dumps(outputs)) == []
