"""The TypeScript client against the real service, in node and on the example page in a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.served import TOKEN, Served, served

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory, snapshot: Path) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("client"), "--snapshot", str(snapshot)) as running:
        yield running


@pytest.mark.skipif(
    shutil.which("npm") is None, reason="npm is not installed: the client is tested in the browser only"
)
def test_the_client_against_the_service(planner: Served) -> None:
    """Its own tests run in node, with the body cut into pieces of 1, 2, 3 and 7 bytes: some thirty questions."""
    env = os.environ | {"QDASH_SSE_ENDPOINT": planner.endpoint, "QDASH_SSE_TOKEN": TOKEN}
    command = ["npm", "--prefix", str(ROOT / "js"), "--silent", "test", "--", "real-server"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped 0" in done.stdout, done.stdout
