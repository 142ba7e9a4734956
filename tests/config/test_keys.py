from __future__ import annotations

from typing import Any

import pytest

from qdash_jupyter.config import keys
from qdash_jupyter.config.keys import keep_key, key_in, missing_key, model_in_use
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.errors import ConfigurationError


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_typed", {})
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LAB_KEY", "QDASH_COPILOT_ACCEPTS"):
        monkeypatch.delenv(name, raising=False)


def manifest(model: str = "lab", **section: object) -> Manifest:
    lab = {"name": "m", "api_key_env": "LAB_KEY"} | section
    return Manifest.model_validate({"orchestrator": {"deployment": model}, "models": {"lab": lab}})


def test_a_typed_key_comes_before_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", "of the environment")
    assert key_in("LAB_KEY") == "of the environment"
    keep_key("LAB_KEY", "typed")
    assert key_in("LAB_KEY") == "typed"
    assert key_in("OTHER_KEY") == ""


def test_a_key_is_missing_where_openai_itself_is_asked_without_one() -> None:
    assert missing_key(manifest()) == "LAB_KEY"
    assert missing_key(manifest("gpt-test")) == "OPENAI_API_KEY"
    keep_key("LAB_KEY", "typed")
    assert missing_key(manifest()) == ""


def test_nothing_is_missing_where_a_recorded_conversation_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDASH_CASSETTE", "replay")
    assert missing_key(manifest()) == ""


@pytest.mark.parametrize("section", [{"base_url": "http://localhost:1/v1"}, {"headers": {"AUTHORIZATION": "x"}}])
def test_other_servers_say_themselves_what_they_want(section: dict[str, Any]) -> None:
    assert missing_key(manifest(**section)) == ""


def test_the_planner_needs_none_and_a_bare_name_is_a_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert missing_key(manifest("offline")) == ""
    assert model_in_use(manifest("offline")) is None
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    section = model_in_use(manifest("gpt-test"))
    assert section is not None
    assert (section.name, section.base_url) == ("gpt-test", "http://localhost:1/v1")
    assert missing_key(manifest("gpt-test")) == ""
    assert missing_key(manifest()) == "LAB_KEY"


@pytest.mark.parametrize(
    ("said", "accepts"),
    [("", ()), ("image/png", ("image/png",)), (" image/png, image/jpeg ", ("image/png", "image/jpeg"))],
)
def test_what_a_model_without_a_section_accepts_is_said_by_a_variable(
    said: str, accepts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QDASH_COPILOT_ACCEPTS", said)
    named, configured = model_in_use(manifest("gpt-test")), model_in_use(manifest(accepts=("image/webp",)))

    assert named is not None
    assert named.accepts == accepts
    assert configured is not None
    assert configured.accepts == ("image/webp",)


def test_the_api_of_a_model_without_a_section_is_said_by_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDASH_COPILOT_API_STYLE", "chat_completions")
    named, configured = model_in_use(manifest("gpt-test")), model_in_use(manifest())
    assert named is not None
    assert named.api_style == "chat_completions"
    assert configured is not None
    assert configured.api_style == "auto"
    monkeypatch.setenv("QDASH_COPILOT_API_STYLE", "chat")
    with pytest.raises(ConfigurationError, match="'chat'"):
        model_in_use(manifest("gpt-test"))
