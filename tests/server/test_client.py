"""The TypeScript client against the real service, in node and on the example page in a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripted_server import ScriptedServer, text_turn
from tests.server.served import TOKEN, Served

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    shutil.which("npm") is None, reason="npm is not installed: the client is tested in the browser only"
)
def test_the_client_against_the_service(service: Served, model: ScriptedServer) -> None:
    """Its own tests run in node, with the body cut into pieces of 1, 2, 3 and 7 bytes: a dozen questions."""
    env = os.environ | {"QDASH_SSE_ENDPOINT": service.endpoint, "QDASH_SSE_TOKEN": TOKEN}
    model.add(*[text_turn("T1 is **fine**.")] * 20)
    command = ["npm", "--prefix", str(ROOT / "js"), "--silent", "test", "--", "real-server"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped 0" in done.stdout, done.stdout
