"""A version 1 of the SDK, as other assistants in JupyterLab need one, against servers of the newest one. Our own server
under it is in `test_mcp_server`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.lab.environments import MCP_1, ROOT
from tests.tool_sets.conftest import SERVER
from tests.tool_sets.web_lab import lines, web_lab

KEY = "fridge-key-0123456789"
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]  # an environment is made


def tried(key: str = "", **section: Any) -> dict[str, Any]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "QDASH_MCP_LAB_KEY": key}
    words = [
        str(MCP_1.python),
        "-m",
        "tests.tool_sets.other_major",
        json.dumps({"type": "mcp", "name": "lab"} | section),
    ]
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def section(place: str, log: Path, *, legacy: bool) -> Iterator[dict[str, Any]]:
    if place == "program":
        yield {"command": sys.executable, "args": [str(SERVER), str(log), *(["--legacy"] if legacy else [])]}
        return
    with web_lab(log, KEY, legacy=legacy) as lab:
        yield {"url": lab.url}


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("place", ["program", "address"])
def test_a_session_does_what_one_of_the_newest_version_does(place: str, legacy: bool, log: Path) -> None:
    with section(place, log, legacy=legacy) as how:
        found = tried(KEY, **how)
    assert found["read"] == {"stage": "mxc", "mK": 10.5}
    assert found["acts"] == ["lab_set_bias", "lab_set_and_die"]
    assert [row["mK"] for row in found["rows"]["result"]] == [10.0, 10.1]
    assert "No fridge. Key: a" in found["failed"]
    assert [each["type"] for each in found["picture"]["attachments"]] == ["image/png", "text/csv"]
    assert "'volts' is a required property" in found["wrong"]
    assert found["grown"] or not legacy  # the newest servers tell of changes whoever asks them to, in their own way
    assert "timed out after 1 s" in found["slow"]
    assert lines(log)[-1] == "cancelled"
    if place == "program":
        assert found["reborn"] == {"text": "alive again"}
        assert "This was during the call, which may have taken effect" in found["died"]


def test_what_a_server_refuses_is_said_by_its_number(log: Path) -> None:
    with web_lab(log, KEY) as lab:
        ((_, said, is_hard),) = tried(url=lab.url)["issues"]
        assert (is_hard, "requires a key" in said, "QDASH_MCP_LAB_KEY" in said) == (True, True, True)
        lab.failing = 500
        ((_, said, _),) = tried(KEY, url=lab.url)["issues"]
        assert "500" in said
        assert "\n" not in said
