"""The lists of the guard name everything that the installed libraries have: what is new is looked at before use."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from qdash_jupyter.cells.guard import allowed

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unknown() -> dict[str, list[list[str]]]:
    """In a process of its own: what a library shows depends on what was imported before."""
    code = (
        "import json; from qdash_jupyter.cells.guard import allowed; from scripts.guard_lists import unknown_names; "
        "print(json.dumps({library: list(unknown_names(library)) for library in allowed.LISTS}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    found: dict[str, list[list[str]]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("library", allowed.LISTS)
def test_each_public_name_was_looked_at(library: str, unknown: dict[str, list[list[str]]]) -> None:
    known_to = {"numpy": "2.4.6", "pandas": "3.1.1", "scipy": "1.17.1", "plotly": "7.1.0", "matplotlib": "3.11.2"}
    installed = version(library) if library in known_to else ""
    assert unknown[library] == [], (
        f"{library} {installed}, last looked at {known_to.get(library)}: scripts/guard_lists.py"
    )


def test_a_name_is_allowed_or_refused_and_not_both() -> None:
    for library in allowed.LISTS:
        for module, names in allowed.known(library).items():
            plain = [name.removeprefix("-") for name in names]
            assert len(plain) == len(set(plain)), (library, module)
