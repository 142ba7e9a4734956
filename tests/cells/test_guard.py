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


def executed(codes: dict[str, str], folder: Path, *options: str) -> dict[str, list[str]]:
    """How each ended, and what it did that may not happen, by a process with a hook on files, sockets and processes."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(CORPUS / "stage.py"), *options],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "MPLBACKEND": "Agg",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(CORPUS.parents[2]),
        },
    )
    assert done.returncode == 0, done.stderr[-3000:]
    verdicts: dict[str, list[str]] = json.loads(done.stdout)
    assert set(verdicts) == set(codes)
    return verdicts


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Takes seconds: 800 snippets, each with objects of its own."""
    folder = tmp_path_factory.mktemp("corpus")
    found = executed({**PLAIN, **REFUSED, **ATTACKS}, folder)
    assert list(folder.iterdir()) == []
    return found


@pytest.mark.parametrize("name", PLAIN)
def test_real_analysis_runs(name: str, verdicts: dict[str, list[str]]) -> None:
    assert verdicts[name] == ["ok"]


@pytest.mark.parametrize("name", [*REFUSED, *ATTACKS])
def test_nothing_happens_that_may_not(name: str, verdicts: dict[str, list[str]]) -> None:
    status, *problems = verdicts[name]
    assert problems == [], status
    if name.split(" | ", maxsplit=1)[0] in MUST_BE_STOPPED and name not in HARMLESS:
        assert status != "ok"


def test_the_watch_itself_sees_effects(tmp_path: Path) -> None:
    """The proof above would prove nothing with a blind watch."""
    effects = {
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
    found = executed(effects, tmp_path, "unchecked")
    assert all(len(verdict) > 1 for verdict in found.values()), found
