"""The examples of docs/service.md are run against the service as they stand there, but for its address."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripted_server import ScriptedServer, text_turn
from tests.server.served import TOKEN, Served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
ENDPOINT = "http://127.0.0.1:8818/qdash/copilot"


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


def test_curl(service: Served, model: ScriptedServer) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed on this machine")
    model.add(text_turn("Fine."))
    shown = run(["bash", "-c", example("bash", "curl").replace(ENDPOINT, service.endpoint)])
    assert shown.count("event: result") == 1
    assert "Fine." in shown


def test_python(
    service: Served, model: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model.add(text_turn("Fine."))
    monkeypatch.setenv("JUPYTER_TOKEN", TOKEN)
    exec(example("python", "httpx_sse").replace(ENDPOINT, service.endpoint), {})  # noqa: S102
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].startswith("status {'step': 'load_config'")
    assert shown.splitlines()[-1].startswith("result {'blocks'")


def test_javascript(service: Served, model: ScriptedServer, tmp_path: Path) -> None:
    """In node, where no page has a cookie: so with the token."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed on this machine")
    shutil.copy(ROOT / "qdash_jupyter" / "server" / "static" / "client.js", tmp_path / "client.js")
    code = example("js", "CopilotClient").replace(
        "{ endpoint: '/qdash/copilot' }", f"{{ endpoint: '{service.endpoint}', token: '{TOKEN}' }}"
    )
    (tmp_path / "example.mjs").write_text(f"{code}\nconsole.log(result.blocks.length);\n", encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    model.add(text_turn("Fine."))
    shown = run(["node", str(tmp_path / "example.mjs")])
    assert "AI is thinking..." in shown
    assert int(shown.splitlines()[-1]) > 0


def test_qdash_names() -> None:
    exec(example("python", "SSETaskBridge"), {})  # noqa: S102
