"""Snippets that were written to get past checks in the kernel, and ordinary ones, as cells beside a kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"


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
"""Executed in the kernel itself: the proof would prove nothing with a watch that does not see them."""


@pytest.mark.parametrize("one_of", [40, pytest.param(1, marks=pytest.mark.long)])
def test_ordinary_code_runs_and_no_attack_has_an_effect_on_the_kernel(tmp_path: Path, one_of: int) -> None:
    plain, others = (dict([*each.items()][::one_of]) for each in (PLAIN, REFUSED | ATTACKS))
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
    verdicts, unconfined = json.loads(done.stdout)
    assert [f"{name}: {verdicts[name]}" for name in plain if verdicts[name] != ["ok"]] == []
    assert [f"{name}: {verdicts[name]}" for name in others if verdicts[name][1:]] == []
    assert [path.name for path in folder.iterdir()] == ["x.txt"]  # of EFFECTS
    assert [name for name in EFFECTS if len(unconfined[name]) == 1] == []
