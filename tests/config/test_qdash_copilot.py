from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from qdash_jupyter.config.layers import LoadedManifest, load_manifest
from qdash_jupyter.config.qdash_copilot import imported, read_qdash_copilot, without_passwords
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.cli import main

CONFIG = """
enabled: true
response_language: ja
thinking_language: en
evaluation_metrics: {qubit: [t1], coupling: []}
scoring:
  t1: {good: 60, excellent: 120, bad: null, unit: μs, higher_is_better: true}
analysis: {enabled: true, multimodal: false, max_conversation_turns: 10, max_expected_images: 2, ai_review_tasks: []}
system_prompt: You are s3cr3t.
"""
CHAT = """
model: {provider: openai, name: gpt-4.1, temperature: 0.7, max_output_tokens: 16384, keep_alive: null}
chat_models:
  - {provider: ollama, name: qwen3, num_ctx: 8192, base_url: "env:LAB_URL"}
  - {provider: anthropic, name: other}
initial_message: How can I help?
suggestions:
  - {label: T1, prompt: "Which qubits lost T1?"}
surprise: 1
"""
ENVIRONMENT = {"LAB_URL": "http://me:s3cr3t-Pa55@lab:11434/v1", "LAB_API_KEY": "s3cr3t-key"}


@pytest.fixture
def qdash(tmp_path: Path) -> Path:
    folder = tmp_path / "qdash" / "copilot"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "chat.yaml").write_text(CHAT, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _no_file_of_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "home" / name)


def loaded(folder: Path, text: str, environment: Mapping[str, str] = ENVIRONMENT) -> LoadedManifest:
    (folder / "copilot.yaml").write_text(text, encoding="utf-8")
    return load_manifest(environment={"QDASH_COPILOT_TRUST": str(folder), **environment}, folder=folder)


def test_ollama_is_on_this_machine_and_gets_no_key_of_openai(tmp_path: Path) -> None:
    text = "model: a\nmodels: {a: {provider: ollama, name: qwen3}, b: {provider: ollama, name: x, base_url: 'http://b/v1'}}"
    models = loaded(tmp_path, text).manifest.models
    assert (models["a"].base_url, models["a"].api_key_env) == ("http://localhost:11434/v1", "OLLAMA_API_KEY")
    assert (models["b"].base_url, models["b"].api_key_env) == ("http://b/v1", "OLLAMA_API_KEY")


def test_qdashs_folder_is_read_as_it_is(qdash: Path, tmp_path: Path) -> None:
    made = loaded(tmp_path, "qdash_copilot: qdash/copilot")
    manifest = made.manifest

    assert manifest.orchestrator.deployment == "qwen3"
    assert set(manifest.models) == {"qwen3", "gpt-4.1"}
    assert (manifest.models["gpt-4.1"].temperature, manifest.models["gpt-4.1"].max_output_tokens) == (0.7, 16384)
    assert manifest.models["qwen3"].base_url == ENVIRONMENT["LAB_URL"]
    assert manifest.models["qwen3"].api_key_env == "OLLAMA_API_KEY"
    assert (manifest.language.response, manifest.language.thinking) == ("ja", "en")
    assert (manifest.scoring["t1"].good, manifest.scoring["t1"].bad) == (60, None)
    assert [(one.label, one.prompt) for one in manifest.starters] == [("T1", "Which qubits lost T1?")]
    assert manifest.greeting == "How can I help?"
    assert (manifest.analysis.images, manifest.analysis.max_reference_images) == (False, 2)
    assert Message("qdash-key-unknown", key="surprise") in made.notes
    assert any("anthropic" in str(note) for note in made.notes)
    assert any(str(note).startswith("system_prompt:") for note in made.notes)
    assert "s3cr3t" not in " ".join(map(str, made.notes))


def test_what_stands_in_our_file_counts_before_it(qdash: Path, tmp_path: Path) -> None:
    manifest = loaded(
        tmp_path, f"qdash_copilot: {qdash.parent}\nmodel: offline\nscoring: {{t1: {{good: 10}}}}"
    ).manifest

    assert manifest.orchestrator.deployment == "offline"
    assert (manifest.scoring["t1"].good, manifest.scoring["t1"].excellent) == (10, 120)


def test_one_file_of_the_seeds_time(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "copilot.yaml").write_text("enabled: true\nmodel: {name: gpt-4.1}", encoding="utf-8")

    for named in (tmp_path / "old", tmp_path / "old" / "copilot.yaml"):
        assert read_qdash_copilot(named, {}).patch["orchestrator"] == {"deployment": "gpt-4.1"}


def test_a_copilot_that_is_switched_off_sends_nothing_to_its_model() -> None:
    found = imported({"model": {"name": "gpt-4.1"}}, {})

    assert "orchestrator" not in found.patch
    assert "gpt-4.1" in found.patch["models"]
    assert any(str(note).startswith("enabled:") for note in found.notes)


@pytest.mark.parametrize("value", ["env:LAB_API_KEY", "${LAB_API_KEY}"])
def test_a_variable_that_looks_like_a_secret_is_not_read(value: str) -> None:
    found = imported({"enabled": True, "initial_message": value, "model": {"name": "m", "api_key": value}}, ENVIRONMENT)

    assert "s3cr3t" not in repr(found)
    assert any("LAB_API_KEY" in str(note) for note in found.notes)


def test_a_variable_that_is_not_set_is_named() -> None:
    found = imported({"initial_message": "${NOT_SET}"}, {})

    assert "greeting" not in found.patch
    assert found.notes == [Message("qdash-variable-unset", key="initial_message", variable="NOT_SET")]


def test_passwords_are_not_printed(
    qdash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)

    assert main(["config", "import", str(qdash)]) == 0
    printed = capsys.readouterr().out
    assert "s3cr3t" not in printed
    assert "# not imported: surprise: unknown setting" in printed
    again = loaded(tmp_path, printed).manifest
    assert (again.orchestrator.deployment, again.models["qwen3"].base_url) == ("qwen3", "http://lab:11434/v1")
    assert yaml.safe_load(printed)["starters"] == [{"label": "T1", "prompt": "Which qubits lost T1?"}]
    assert without_passwords({"chip": "c"}) == {"chip": "c"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("scoring: {t1: {good: many, excellent: 1}}", "scoring.t1.good"),
        ("suggestions: [{label: x}]", "starters.0.prompt"),
        ("enabled: [", "line 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "qdash.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        loaded(tmp_path, "qdash_copilot: qdash.yaml")

    assert told in str(caught.value.message)
    assert "qdash.yaml" in str(caught.value.message)


def test_a_folder_without_such_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="doesn't contain QDash copilot settings"):
        read_qdash_copilot(tmp_path, {})


def test_multimodal_arrives_as_accepts_or_the_import_says_why_not(qdash: Path, tmp_path: Path) -> None:
    config = (qdash / "config.yaml").read_text(encoding="utf-8").replace("multimodal: false", "multimodal: true")
    (qdash / "config.yaml").write_text(config, encoding="utf-8")
    made = loaded(tmp_path, "qdash_copilot: qdash/copilot")

    assert {name: one.accepts for name, one in made.manifest.models.items()} == {
        "qwen3": (),
        "gpt-4.1": ("image/png",),
    }
    assert made.manifest.analysis.images
    [note] = [note for note in map(str, made.notes) if note.startswith("analysis.multimodal")]
    assert "qwen3" in note
    assert "accepts: [image/png]" in note

    both = [{"name": "a"}]
    settings = imported({"analysis": {"multimodal": True}, "chat_models": both, "analysis_models": both}, {})
    assert settings.patch["models"]["a"]["accepts"] == ["image/png"]
    assert not [note for note in settings.notes if "multimodal" in str(note)]
    assert "no model" in " ".join(map(str, imported({"analysis": {"multimodal": True}}, {}).notes))
    assert "accepts" not in str(imported({"model": {"name": "a"}}, {}).patch)
