"""`%copilot models`, and the choice of a model on this machine, which is remembered until another one is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from qdash_jupyter.llm import local
from qdash_jupyter.ui.magics import CopilotMagics
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.session.conversation import open_shell, without_settings


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        running.pages = {
            "/v1/models": {"data": [{"id": "qwen3:14b"}]},
            "/api/ps": {"models": [{"name": "qwen3:14b", "context_length": 32768}]},
        }
        monkeypatch.setattr(local, "SERVERS", (local.LocalServer("Ollama", running.port, "api/ps"),))
        yield running


def test_a_model_is_found_chosen_and_remembered(
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    demo16: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(demo16))
    with open_shell() as shell:
        magics = CopilotMagics(shell)
        magics.commands.line_or_cell("model")
        assert "qwen3" not in capsys.readouterr().out
        assert server.got == [], "nothing is sent before it is asked for"
        magics.commands.line_or_cell("models")
        listed = capsys.readouterr().out
        assert "%copilot model qwen3:14b" in listed
        assert server.requests == []
        server.add(call_turn(("ready", {})))
        magics.commands.line_or_cell("model qwen3:14b")
        assert "qwen3:14b can call tools. Its context window is 32,768 tokens." in capsys.readouterr().out
        magics.close()
    with open_shell() as shell:
        magics = CopilotMagics(shell)
        server.add(text_turn("Heard."))
        assert magics.app.copilot.ask("Hello").text == "Heard."
        section = magics.app.conversation.parts().manifest.models["qwen3:14b"]
        assert (section.window, section.base_url) == (32768, server.base_url)
        monkeypatch.setenv("QDASH_COPILOT_MODEL", "offline")  # whatever the settings say goes before
        assert magics.app.settings().manifest.orchestrator.deployment == "offline"
        monkeypatch.delenv("QDASH_COPILOT_MODEL")
        magics.commands.line_or_cell("model offline")
        magics.close()
    with open_shell() as shell:
        magics = CopilotMagics(shell)
        assert not magics.app.copilot.status().is_language_model
        magics.close()


def test_none_is_said_with_the_places_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, demo16: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(demo16))
    monkeypatch.setattr(local, "SERVERS", (local.LocalServer("Ollama", 1, "api/ps"),))
    with open_shell() as shell:
        magics = CopilotMagics(shell)
        magics.commands.line_or_cell("models")
        assert "11434" in capsys.readouterr().out
        magics.close()
