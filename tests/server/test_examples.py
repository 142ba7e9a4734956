"""The examples of docs/service.md are run against the service as they stand there, but for its address."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.served import TOKEN, Served, served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
ENDPOINT = "http://127.0.0.1:8818/qdash/copilot"


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory, snapshot: Path) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("examples"), "--snapshot", str(snapshot)) as running:
        yield running


def example(language: str, word: str) -> str:
    """The only one of this language that holds the word."""
    [found] = [each for each in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if word in each]
    return str(found)


def run(command: list[str], **env: str) -> str:
    done = subprocess.run(
        command, env=os.environ | {"JUPYTER_TOKEN": TOKEN} | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_curl(planner: Served) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed on this machine")
    shown = run(["bash", "-c", example("bash", "curl").replace(ENDPOINT, planner.endpoint)])
    assert shown.count("event: result") == 1
    assert "offline planner" in shown


def test_python(planner: Served) -> None:
    shown = run([sys.executable, "-c", example("python", "httpx_sse").replace(ENDPOINT, planner.endpoint)])
    assert shown.splitlines()[0].startswith("status {'step': 'load_config'")
    assert shown.splitlines()[-1].startswith("result {'blocks'")


def test_javascript(planner: Served, tmp_path: Path) -> None:
    """In node, where no page has a cookie: so with the token."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed on this machine")
    shutil.copy(ROOT / "qdash_jupyter" / "server" / "static" / "client.js", tmp_path / "client.js")
    code = example("js", "CopilotClient").replace(
        "{ endpoint: '/qdash/copilot' }", f"{{ endpoint: '{planner.endpoint}', token: '{TOKEN}' }}"
    )
    (tmp_path / "example.mjs").write_text(f"{code}\nconsole.log(result.blocks.length);\n", encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    shown = run(["node", str(tmp_path / "example.mjs")])
    assert "AI is thinking..." in shown
    assert int(shown.splitlines()[-1]) > 0


def test_qdash_names() -> None:
    run([sys.executable, "-c", example("python", "SSETaskBridge")])
