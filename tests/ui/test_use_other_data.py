"""`%copilot use` in a shell: the data are others, the model that was chosen stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from qdash_jupyter.errors import PersonError
from qdash_jupyter.ui.magics import CopilotMagics
from qdash_jupyter.ui.options import DataOptions
from tests.scripted_server import ScriptedServer, text_turn
from tests.session.conversation import open_shell, without_settings


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    answer = json.dumps({"blocks": [{"type": "text", "content": "Heard.", "chart": None}], "assessment": None})
    with ScriptedServer([text_turn(answer)] * 3) as running:
        yield running


@pytest.fixture
def magics(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, demo16: Path, server: ScriptedServer
) -> Iterator[CopilotMagics]:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(demo16))
    monkeypatch.setenv("QDASH_COPILOT_TRUST", str(Path.cwd()))
    settings(server, "one", "other")
    with open_shell() as shell:
        made = CopilotMagics(shell)
        yield made
        made.close()


def settings(server: ScriptedServer, *names: str) -> None:
    models = {name: {"name": f"m-{name}", "base_url": server.base_url, "api_style": "responses"} for name in names}
    Path("copilot.yaml").write_text(json.dumps({"model": names[0], "models": models}), encoding="utf-8")


def test_the_model_that_was_chosen_is_asked_about_the_other_data(magics: CopilotMagics, server: ScriptedServer) -> None:
    magics.app.models.use("other")

    assert magics.app.use(DataOptions(demo=True)) == ""
    assert magics.app.copilot.ask("Hello").text == "Heard."
    assert server.requests[-1].body["model"] == "m-other"
    assert magics.app.copilot.status().model == "m-other"
    assert "demo data" in str(magics.app.copilot.status().database)


def test_a_model_that_the_settings_do_not_know_any_more_is_let_go_in_words(
    magics: CopilotMagics, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    magics.app.models.use("other")
    settings(server, "third")

    magics.commands.line_or_cell("use --demo")

    told = "The settings no longer have a model 'other'. From now on, 'third' is used."
    assert told in capsys.readouterr().out
    assert magics.app.copilot.status().model == "m-third"
    assert magics.commands._key_variable() == "OPENAI_API_KEY"
    assert magics.app.use(DataOptions()) == ""  # said once


def test_nothing_is_said_where_no_model_was_chosen(magics: CopilotMagics, server: ScriptedServer) -> None:
    settings(server, "third")

    assert magics.app.use(DataOptions(demo=True)) == ""
    assert magics.app.copilot.status().model == "m-third"


def test_data_that_cannot_be_used_leave_data_and_model_as_they_were(magics: CopilotMagics, tmp_path: Path) -> None:
    magics.app.models.use("other")
    before = magics.app.copilot

    with pytest.raises(PersonError):
        magics.app.use(DataOptions(snapshot=str(tmp_path / "nowhere")))
    assert magics.app.copilot is before
    assert magics.app.copilot.status().model == "m-other"
