"""What goes to a model's server is looked at once, before anything is sent there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest, PrivacySection
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.session import first_look as looks
from qdash_jupyter.session.first_look import agree, first_look
from qdash_jupyter.session.records import AskedFrom
from tests.session.conversation import made, parts_with, without_settings

REMOTE = "https://llm.example.com/v1"


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "config" / name)
    monkeypatch.setattr(looks, "_agreed_now", set())
    return tmp_path / "config/qdash-jupyter/endpoints.json"


def manifest(base_url: str | None = REMOTE, **more: object) -> Manifest:
    models = {"lab": {"name": "gpt-x", "base_url": base_url, **more}}
    return Manifest.model_validate({"orchestrator": {"deployment": "lab"}, "models": models})


def test_once_an_endpoint_and_remembered_on_disk(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    look = first_look(manifest())
    assert look is not None
    assert (look["endpoint"], look["model"]) == ("llm.example.com", "gpt-x")
    agree(look["endpoint"])
    assert first_look(manifest()) is None
    assert first_look(manifest("https://llm.example.org/v1")) is not None
    monkeypatch.setattr(looks, "_agreed_now", set())  # as in another kernel
    assert first_look(manifest()) is None
    assert json.loads(place.read_text(encoding="utf-8")) == ["llm.example.com"]
    assert place.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:8000/v1", "http://localhost/v1", "http://10.1.2.3/v1", "http://fridge/v1"]
)
def test_the_labs_own_servers_and_the_planner_need_none(base_url: str) -> None:
    assert first_look(manifest(base_url)) is None
    assert first_look(Manifest()) is None


def test_openai_itself_is_elsewhere() -> None:
    look = first_look(manifest(None))
    assert look is not None
    assert "openai.com" in look["endpoint"]


def test_what_the_settings_add_is_said() -> None:
    def said(**more: object) -> str:
        look = first_look(manifest(REMOTE, **more))
        assert look is not None
        return " ".join(map(str, look["goes"]))

    assert "images" not in said()
    assert "images" in said(accepts=["image/png"])
    added = manifest().model_copy(update={"knowledge": (Path("lab.md"),)})
    look = first_look(added)
    assert look is not None
    assert "knowledge" in str(look["goes"][-1])


def test_what_is_never_sent_is_listed() -> None:
    look = first_look(manifest().model_copy(update={"privacy": PrivacySection(never_send=("user_note", "cr_*"))}))
    assert look is not None
    assert "`user_note`, `cr_*`" in str(look["stays"])
    assert "`user_note`、`cr_*`" in text_in(look["stays"], "ja")


def test_a_file_that_is_damaged_or_cannot_be_written_stands_in_nobodys_way(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text("{", encoding="utf-8")
    assert first_look(manifest()) is not None
    place.unlink()
    place.mkdir()
    agree("llm.example.com")
    assert first_look(manifest()) is None


def test_nothing_is_sent_for_a_page_before_it_was_seen(shell: InteractiveShell, snapshot: Path) -> None:
    llm = ScriptedLLM([text_reply("Seen.")])
    copilot = made(shell, parts_with(llm, snapshot, manifest=manifest()))
    page = AskedFrom("page-1")
    turn = copilot.start("How is the chip?", asked_from=page)
    turn.wait()
    with pytest.raises(PersonError, match=r"Nothing has been sent to llm\.example\.com"):
        turn.result()
    assert llm.requests == []
    agree("llm.example.com")
    again = copilot.retry(turn.turn_id, asked_from=page)
    again.wait()
    assert again.result().text == "Seen."
    copilot.close()
