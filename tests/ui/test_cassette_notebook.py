"""The notebook with a recorded conversation: the same bytes each time, and nobody is asked over a network."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.ui.kernel import ROOT

pytestmark = pytest.mark.kernel

NOTEBOOK = ROOT / "notebooks" / "03-models-and-costs.ipynb"
GUARD = '''\
"""Every attempt to reach somebody is refused, and written down. The kernel's own messages do not go through here."""
import os
import socket


def refused(*arguments, **_):
    with open(os.environ["ATTEMPTS"], "a") as file:
        file.write(repr(arguments) + "\\n")
    raise PermissionError("no network here")


for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, refused)
socket.getaddrinfo = refused
'''
PROBE = """\
import socket

try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except PermissionError as error:
    print(error)
"""


def executed(folder: Path, monkeypatch: pytest.MonkeyPatch, *, probe: bool = False) -> tuple[bytes, list[str]]:
    """The outputs of one run behind the guard, and the attempts to reach somebody."""
    attempts = folder / "attempts.txt"
    attempts.write_text("", encoding="utf-8")
    (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    for name in os.environ:
        if name.startswith(("QDASH", "OPENAI", "MONGO")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ATTEMPTS", str(attempts))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    if probe:
        notebook.cells = [nbformat.v4.new_code_cell(PROBE)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(notebook, timeout=300, record_timing=False, coalesce_streams=True)
    client.execute(cwd=str(NOTEBOOK.parent))
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return json.dumps(outputs, sort_keys=True).encode(), attempts.read_text(encoding="utf-8").splitlines()


def test_the_guard_refuses_and_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs, attempts = executed(tmp_path, monkeypatch, probe=True)
    assert b"no network here" in outputs
    assert len(attempts) == 1
    assert "127.0.0.1" in attempts[0]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_runs_give_the_same_bytes_with_the_network_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, attempts = executed(tmp_path, monkeypatch)
    assert attempts == []
    assert b"| endpoint | 03-models-and-costs.cassette.yaml |" in first
    for _ in range(19):
        assert executed(tmp_path, monkeypatch) == (first, [])


def test_the_notebook_says_openly_what_its_cassette_is() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "recorded from a scripted server, not from a language model" in text
