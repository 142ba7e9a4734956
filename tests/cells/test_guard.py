"""Ordinary cells run under the guard, and no attack of the corpora has an effect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"

MUST_BE_STOPPED = {"files", "network", "shell", "magic", "display", "dynamic", "rebinds"}
HARMLESS = {
    "dynamic | df.eval": "columns alone are computed with",
    "dynamic | query variable": "its text is looked at when it runs",
    "dynamic | format attribute": "the class of a table is no secret",
    "dynamic | bypass: str format via variable": "the class of a table is no secret",
    "dynamic | bypass: query numexpr": "the length of a text",
    "dynamic | bypass: array of frames": "numpy copies what is in the list",
    "display | bypass: plt style": "one of matplotlib's own, for this cell",
    "files | conditional function": "the way to `open` is not taken",
    "files | bypass: NamedAgg": "groups have no such method",
}
"""What may be run, though its class says otherwise, and why."""


def snippets(name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in ("\n" + (CORPUS / name).read_text(encoding="utf-8")).split("\n### ")[1:]:
        head, _, code = part.partition("\n")
        assert head not in found, f"two snippets are called {head!r}"
        found[head] = code
    return found


PLAIN, REFUSED, ATTACKS = snippets("plain.txt"), snippets("refused.txt"), snippets("attacks.txt")


EFFECTS = {
    "write": "open('x.txt', 'w')",
    "read": "open('/etc/hostname')",
    "process": "import subprocess; subprocess.run(['true'])",
    "socket": "import socket; socket.socket()",
    "touch": "len(instrument)",
    "change": "df['x'] = 1",
    "rebind": "n = 4",
    "figure": "fig0.update_layout(title='x')",
    "options": "pd.set_option('display.max_rows', 7)",
}
"""Executed without checks: the proof would prove nothing with a watch that does not see them."""


@pytest.mark.parametrize("one_of", [5, pytest.param(1, marks=pytest.mark.long)])
def test_ordinary_code_runs_and_nothing_happens_that_may_not(tmp_path: Path, one_of: int) -> None:
    """In a process with a hook on files, sockets and processes: all 840 snippets take eight seconds."""
    plain, others = (dict([*snippets.items()][::one_of]) for snippets in (PLAIN, REFUSED | ATTACKS))
    folder = tmp_path / "empty"
    folder.mkdir()
    own = {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(CORPUS.parents[2])}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(CORPUS / "stage.py")],
        input=json.dumps([plain | others, EFFECTS]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | own,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    verdicts: dict[str, list[str]]
    verdicts, unchecked = json.loads(done.stdout)
    assert {name: verdicts[name] for name in plain if verdicts[name] != ["ok"]} == {}
    assert {name: verdicts[name] for name in others if verdicts[name][1:]} == {}
    ran = [name for name in others if verdicts[name][0] == "ok" and name not in HARMLESS]
    assert [name for name in ran if name.partition(" | ")[0] in MUST_BE_STOPPED] == []
    assert [path.name for path in folder.iterdir()] == ["x.txt"]  # of EFFECTS
    assert [name for name in EFFECTS if len(unchecked[name]) == 1] == []
