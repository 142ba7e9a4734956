from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.config.layers import CheckedFile, check_file, load_manifest
from qdash_jupyter.config.manifest import OFFLINE, LimitsSection, Manifest
from qdash_jupyter.config.patch import merge_patch
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text

URI = "mongodb://reader:s3cr3t-Pa55@lab.example:27017"


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own file; not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "home" / name)
    path = tmp_path / "home" / "qdash-jupyter" / "copilot.yaml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def folder(tmp_path: Path, user: Path) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    return path


def written(folder: Path, text: str) -> Path:
    (folder / "copilot.yaml").write_text(text, encoding="utf-8")
    return folder


def loaded(folder: Path, options: Any = None, **environment: str) -> Manifest:
    trusted = {"QDASH_COPILOT_TRUST": str(folder), **environment}
    return load_manifest(options, environment=trusted, folder=folder).manifest


def failure(folder: Path, options: Any = None, **environment: str) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder, options, **environment)
    assert caught.value.hint
    return caught.value


def test_nothing_configured_is_the_offline_planner_on_the_demo(folder: Path) -> None:
    manifest = loaded(folder)
    assert manifest == Manifest()
    assert (manifest.orchestrator.deployment, manifest.database.mongo_uri, manifest.database.snapshot) == (
        OFFLINE,
        None,
        None,
    )


def test_a_key_alone_does_not_switch_away_from_the_offline_planner(folder: Path) -> None:
    assert loaded(folder, OPENAI_API_KEY="sk-1", OPENAI_BASE_URL="http://x/v1").orchestrator.deployment == OFFLINE


def test_each_layer_wins_over_those_below(folder: Path, user: Path) -> None:
    user.write_text("model: user\nchip: user\nlimits: {max_tool_rounds: 2, max_same_call: 2, question_chars: 500}\n")
    written(folder, "model: folder\nchip: folder\nlimits: {max_tool_rounds: 4, tool_timeout_seconds: 4}\n")

    assert loaded(folder).orchestrator.deployment == "folder"
    assert loaded(folder, QDASH_COPILOT_MODEL="env").orchestrator.deployment == "env"
    everything = load_manifest(
        {"model": "options"},
        environment={
            "QDASH_COPILOT_MODEL": "env",
            "DEFAULT_TOOL_TIMEOUT_SECONDS": "7.5",
            "QDASH_COPILOT_TRUST": str(folder),
        },
        folder=folder,
    )

    manifest = everything.manifest
    assert (manifest.orchestrator.deployment, manifest.chip) == ("options", "folder")
    assert (manifest.orchestrator.max_iterations, manifest.tool_defaults.timeout_seconds) == (4, 4)
    limits = {"max_same_call": 2, "question_chars": 500}
    assert manifest.limits.model_dump() == LimitsSection().model_dump() | limits


def test_what_the_seed_calls_defaults_counts_where_no_file_says_anything(folder: Path) -> None:
    defaults = {"DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID": "gpt", "DEFAULT_TOOL_TIMEOUT_SECONDS": "7.5"}
    assert loaded(folder, **defaults).orchestrator.deployment == "gpt"
    assert loaded(folder, **defaults).tool_defaults.timeout_seconds == 7.5
    assert loaded(written(folder, "model: offline"), **defaults).orchestrator.deployment == OFFLINE
    assert loaded(folder, **defaults, QDASH_COPILOT_MODEL="mine").orchestrator.deployment == "mine"


TEN_MISTAKES = """\
modle: x
model: 7
limits:
  max_tool_rounds: many
  rounds: 3
  max_same_call: 0
models:
  big: {nam: y}
policy: anything
bands: {t1: [5, 4]}
starters:
  - {label: T1, prompt: Hello}
  - {label: T2}
history: perhaps
"""


def test_all_mistakes_at_once_each_with_its_line(folder: Path) -> None:
    file = written(folder, TEN_MISTAKES) / "copilot.yaml"

    found = check_file(file).violations

    assert [(each.line, each.key) for each in found] == [
        (1, "modle"),
        (2, "model"),
        (4, "limits.max_tool_rounds"),
        (5, "limits.rounds"),
        (6, "limits.max_same_call"),
        (8, "models.big.name"),
        (8, "models.big.nam"),
        (9, "policy"),
        (10, "bands.t1"),
        (13, "starters.1.prompt"),
        (14, "history"),
    ]
    said = {each.key: each.message for each in found}
    assert said["modle"] == Message("unknown-key-nearest", name="models")
    assert said["models.big.nam"] == Message("unknown-key-nearest", name="name")
    assert str(said["limits.rounds"]).startswith("unknown key")
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder)
    assert all(str(each) in str(caught.value) for each in found)


def test_the_example_and_the_documentation_are_one(tmp_path: Path) -> None:
    text = (files("qdash_jupyter.config") / "example.yaml").read_text(encoding="utf-8")
    (tmp_path / "copilot.yaml").write_text(text, encoding="utf-8")
    assert check_file(tmp_path / "copilot.yaml") == CheckedFile((), ())
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    assert f"```yaml\n{text.partition(chr(10))[2]}```" in page
    settings = [*Manifest.model_fields, *LimitsSection.model_fields]
    assert [name for name in settings if f"{name}:" not in text] == []


def test_null_removes_what_a_layer_below_says(folder: Path, user: Path) -> None:
    user.write_text("chip: A\nlimits: {max_tool_rounds: 2, max_same_call: 2}\n")
    written(folder, "chip: null\nlimits: {max_tool_rounds: null}\n")

    manifest = loaded(folder)

    assert manifest.chip is None
    assert (manifest.orchestrator.max_iterations, manifest.limits.max_same_call) == (10, 2)


@pytest.mark.parametrize(
    ("target", "patch", "merged"),
    [
        # the examples of RFC 7396, appendix A, that are objects
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patch(target: Any, patch: Any, merged: Any) -> None:
    before = repr((target, patch))

    assert merge_patch(target, patch) == merged
    assert repr((target, patch)) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("modle: x", "modle"),
        ("limits: {rounds: 3}", "limits.rounds"),
        ("models: {big: {name: x, bse_url: y}}", "models.big.bse_url"),
        ("limits: {max_tool_rounds: many}", "limits.max_tool_rounds"),
        ("limits: {max_tool_rounds: 0}", "limits.max_tool_rounds"),
        ("limits: {data_memory_mb: 0}", "limits.data_memory_mb"),
        ("limits: {data_memory_mb: -5}", "limits.data_memory_mb"),
        ("limits: 3", "limits"),
        ("knowledge: notes.md", "knowledge"),
        ("policy: anything", "policy"),
        ("scoring: {t1: {good: 1}}", "scoring.t1.excellent"),
        ("bands: {t1: [1]}", "bands.t1: this must be [lowest, highest], such as [4.2, 5.1]"),
        ("bands: {t1: [5, 4]}", "bands.t1: this must be [lowest, highest]"),
        ("bands: {t1: [.nan, 4]}", "bands.t1: this must be [lowest, highest]"),
        ("bands: {t1: 20 to 200}", "bands.t1: this must be [lowest, highest]"),
        ("bands: [t1]", "bands"),
        ("models: {big: {name: x, headers: {X-Key: 7}}}", "models.big.headers.X-Key"),
        ("- a list", "doesn't contain named settings"),
        ("just words", "doesn't contain named settings"),
        ("a: [1,\nb: 2", "line 2"),
        ("\tmodel: x", "line 1"),
        ("1: x", "1"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_the_file(folder: Path, text: str, words: str) -> None:
    error = failure(written(folder, text))

    assert str(folder / "copilot.yaml") in str(error.message)
    assert words in str(error.message)


def test_a_file_that_is_no_text(folder: Path) -> None:
    (folder / "copilot.yaml").write_bytes(b"model: \xff\xfe")

    assert "UTF-8" in str(failure(folder).message)


def test_the_persons_file_is_named_when_that_is_the_wrong_one(folder: Path, user: Path) -> None:
    user.write_text("chap: x")
    written(folder, "chip: y")

    message = str(failure(folder).message)

    assert str(user) in message
    assert "chap" in message


def test_a_variable_with_a_wrong_value_is_named(folder: Path) -> None:
    message = str(failure(folder, DEFAULT_TOOL_TIMEOUT_SECONDS="soon").message)

    assert "DEFAULT_TOOL_TIMEOUT_SECONDS" in message
    assert "tool_defaults.timeout_seconds" in message


def test_a_wrong_option_is_named_as_such(folder: Path) -> None:
    message = str(failure(folder, {"chap": "x"}, QDASH_COPILOT_MODEL="m").message)

    assert "in the options" in message
    assert "chap" in message


def test_one_file_with_both_databases(folder: Path) -> None:
    error = failure(written(folder, f"database: {{mongo_uri: '{URI}', snapshot: data}}"))

    assert "more than one" in str(error.message)
    assert "s3cr3t" not in str(error)


def test_options_with_both_databases(folder: Path) -> None:
    assert "more than one" in str(failure(folder, {"database": {"mongo_uri": URI, "snapshot": "x"}}).message)


def test_the_database_of_a_higher_layer_takes_the_place_of_the_lower_one(folder: Path, user: Path) -> None:
    user.write_text(f"database: {{mongo_uri: '{URI}', project: p1}}")

    manifest = loaded(written(folder, "database: {snapshot: data}"))
    assert (manifest.database.mongo_uri, manifest.database.snapshot) == (None, folder / "data")
    assert manifest.database.project == "p1"

    manifest = loaded(folder, QDASH_MONGO_URI=URI)
    assert manifest.database.snapshot is None
    assert manifest.database.mongo_uri is not None
    assert manifest.database.mongo_uri.get_secret_value() == URI

    assert loaded(folder, QDASH_MONGO_URI=URI, QDASH_SNAPSHOT="s").database.snapshot == folder / "s"
    assert loaded(folder, {"database": {"snapshot": None}}, QDASH_SNAPSHOT="s").database.snapshot is None


def test_the_file_that_a_variable_names_stands_alone(folder: Path, user: Path, tmp_path: Path) -> None:
    user.write_text("chip: user")
    written(folder, "chip: folder")
    named = tmp_path / "other.yaml"
    named.write_text("model: m")

    made = load_manifest(environment={"QDASH_COPILOT_CONFIG": str(named)}, folder=folder)

    assert (made.manifest.orchestrator.deployment, made.manifest.chip) == ("m", None)


def test_a_named_file_that_is_not_there(folder: Path) -> None:
    error = failure(folder, QDASH_COPILOT_CONFIG="/nowhere/copilot.yaml")

    assert "QDASH_COPILOT_CONFIG" in str(error.message)
    assert "/nowhere/copilot.yaml" in str(error.message)


def test_aliases_of_the_seed(folder: Path) -> None:
    assert loaded(folder, DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID="gpt-x").orchestrator.deployment == "gpt-x"
    assert (
        loaded(folder, DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID="a", QDASH_COPILOT_MODEL="b").orchestrator.deployment == "b"
    )
    assert loaded(folder, DEFAULT_TOOL_TIMEOUT_SECONDS="12").tool_defaults.timeout_seconds == 12


@pytest.mark.parametrize("text", [
    f"database: {{mongo_uri: '{URI}', port: 1}}",
    f"database: '{URI}'",
    f"database: {{mongo_uri: ['{URI}']}}",
    f"database:\n  mongo_uri: '{URI}\n  project: x\n",
    f"database: {{mongo_uri: {URI}: }}, }}",
    f"model: {{name: '{URI}'}}",
    f"models: {{m: {{name: m, headers: {{Authorization: [Bearer {URI}]}}}}}}",
])  # fmt: skip
def test_secrets_are_in_no_error(folder: Path, text: str) -> None:
    error = failure(written(folder, text))

    assert "s3cr3t" not in str(error) + repr(error) + repr(error.__cause__)


def test_secrets_are_in_no_repr(folder: Path) -> None:
    model = {
        "name": "m",
        "base_url": "https://me:s3cr3t-Pa55@gateway/v1",
        "headers": {"Authorization": "Bearer s3cr3t-Pa55"},
    }
    manifest = loaded(folder, {"model": "m", "models": {"m": model}, "database": {"mongo_uri": URI}})

    assert "s3cr3t" not in repr(manifest) + str(manifest)
    assert manifest.models["m"].headers["Authorization"].get_secret_value() == "Bearer s3cr3t-Pa55"


def test_policies(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The administrator's is the widest; a folder that is not trusted sets none that is wider than the user's."""
    site = tmp_path / "site.yaml"
    site.write_text("policy: review\nchip: 64Q\n")
    allowed = {"QDASH_COPILOT_SITE_CONFIG": str(site)}
    trusts = {"QDASH_COPILOT_TRUST": str(folder)}

    def policy(text: str, **environment: str) -> tuple[str, tuple[Text, ...]]:
        written(folder, text)
        loaded = load_manifest(environment=environment, folder=folder)
        return loaded.manifest.policy, loaded.untrusted

    assert policy("model: offline") == ("guarded", ())
    assert policy("policy: review") == ("review", ())
    assert policy("policy: trusted")[0] == "guarded"
    assert "policy in" in str(policy("policy: trusted")[1][0])
    assert policy("policy: trusted", **trusts) == ("trusted", ())
    assert policy("model: offline", **allowed) == ("review", ())
    assert policy("policy: insert_only", **allowed, **trusts) == ("insert_only", ())
    bounded, (said,) = policy("policy: trusted", **allowed, **trusts)
    assert bounded == "review"
    assert "policy: trusted. The administrator allows at most review" in str(said)
    loaded = load_manifest(environment=allowed, folder=folder)
    assert loaded.manifest.chip == "64Q"
    with pytest.raises(ConfigurationError, match="QDASH_COPILOT_SITE_CONFIG is set to"):
        load_manifest(environment={"QDASH_COPILOT_SITE_CONFIG": "nowhere.yaml"}, folder=folder)
    monkeypatch.setattr("platformdirs.site_config_path", lambda name: tmp_path / "etc" / name)
    (tmp_path / "etc" / "qdash-jupyter").mkdir(parents=True)
    (tmp_path / "etc" / "qdash-jupyter" / "copilot.yaml").write_text("policy: insert_only\n")
    assert load_manifest(environment=trusts, folder=folder).manifest.policy == "insert_only"
