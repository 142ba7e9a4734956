"""Predefined content in layers, overrides, and what the settings say of themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from qdash_jupyter.config.content import PACKAGE
from qdash_jupyter.config.explain import explained
from qdash_jupyter.config.layers import LoadedManifest, check_file, load_manifest
from qdash_jupyter.config.schema import manifest_schema
from qdash_jupyter.config.tool_sets import RestToolSetSection
from qdash_jupyter.config.trust import trust
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.cli import main

FRIDGE: dict[str, Any] = {
    "type": "rest",
    "base_url": "https://fridge.lab.example",
    "timeout_seconds": 5,
    "tools": [{"predefined": "temperatures", "override": {"path": "/v2/temperatures"}}],
}
TEMPERATURES = {"description": "Temperatures in mK.", "path": "/temperatures", "guidance": "Was the fridge warm?"}
NAMED = {"type": "predefined", "name": "fridge"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "home" / name)
    monkeypatch.setattr("platformdirs.site_config_path", lambda name: tmp_path / "site" / name)
    return tmp_path / "site" / "qdash-jupyter"


@pytest.fixture
def home(site: Path, tmp_path: Path) -> Path:
    assert site
    return tmp_path / "home" / "qdash-jupyter"


@pytest.fixture
def folder(site: Path, tmp_path: Path) -> Path:
    assert site
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, **environment: str) -> LoadedManifest:
    return load_manifest(environment={"QDASH_COPILOT_TRUST": str(folder)} | environment, folder=folder)


def test_a_tool_set_is_made_of_templates_and_overrides(folder: Path, home: Path) -> None:
    put(home / "predefined" / "tool_sets" / "fridge.json", FRIDGE)
    put(home / "predefined" / "tools" / "temperatures.yaml", yaml.safe_dump(TEMPERATURES))
    override = {"timeout_seconds": None, "base_url": "http://localhost:8000", "headers": {"X-Lab": "4"}}
    put(folder / "copilot.yaml", {"tool_sets": [NAMED | {"override": override}]})
    found = loaded(folder)
    (made,) = found.manifest.tool_sets
    assert isinstance(made, RestToolSetSection)
    assert (made.name, made.base_url, made.timeout_seconds) == ("fridge", "http://localhost:8000", None)
    assert made.headers == {"X-Lab": "4"}
    (tool,) = made.tools
    assert (tool.name, tool.path, tool.guidance) == ("temperatures", "/v2/temperatures", "Was the fridge warm?")
    assert found.issues == ()


def test_a_file_is_checked_with_the_content_beside_it(folder: Path) -> None:
    put(folder / "predefined" / "tool_sets" / "fridge.json", FRIDGE)
    put(folder / "predefined" / "tools" / "temperatures.json", TEMPERATURES)
    assert check_file(put(folder / "copilot.yaml", {"tool_sets": [NAMED]}), {}).violations == ()


def test_the_last_layer_that_has_a_name_counts(folder: Path, home: Path, site: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    for place, words in ((site / "predefined", "site"), (lab, "lab"), (home / "predefined", "user")):
        put(place / "prompts" / "house.md", words)
        put(place / "prompts" / f"{words}.md", words)
    prompts = loaded(folder, PREDEFINED_EXTRA_PATHS=str(lab)).content.prompts
    assert {name: (one.text, one.layer) for name, one in prompts.items()} == {
        "house": ("user", "user"),
        "site": ("site", "site"),
        "lab": ("lab", "lab"),
        "user": ("user", "user"),
    }
    put(folder / "predefined" / "prompts" / "house.md", "project")
    put(folder / "copilot.yaml", {"orchestrator": {"system_prompt": {"predefined": "house"}}})
    found = loaded(folder, PREDEFINED_EXTRA_PATHS=str(lab))
    assert found.manifest.orchestrator.system_prompt == "project"
    assert {skill.layer for skill in found.content.skills.values()} == {PACKAGE}


def test_settings_of_the_lab_lie_between_the_administrators_and_the_users(
    folder: Path, home: Path, site: Path, tmp_path: Path
) -> None:
    put(site / "copilot.yaml", {"chip": "site", "greeting": "site", "qid": "1", "policy": "review"})
    put(tmp_path / "lab" / "copilot.yaml", {"chip": "lab", "greeting": "lab", "policy": "trusted"})
    put(home / "copilot.yaml", {"chip": "user"})
    found = loaded(folder, PREDEFINED_EXTRA_PATHS=str(tmp_path / "lab"))
    assert (found.manifest.chip, found.manifest.greeting, found.manifest.qid) == ("user", "lab", "1")
    assert found.manifest.policy == "review"
    origins = {key: origin for key, _, origin in explained(found)}
    assert origins["chip"] == str(home / "copilot.yaml")
    assert origins["greeting"] == str(tmp_path / "lab" / "copilot.yaml")
    assert origins["qid"] == str(site / "copilot.yaml")
    assert origins["history"] == PACKAGE
    assert any(str(each).startswith("Ignored policy: trusted") for each in found.untrusted)


def test_what_the_administrator_switches_off_stays_off(folder: Path, site: Path) -> None:
    put(site / "copilot.yaml", {"features": {"write_methods": {"enabled": False}}})
    put(folder / "copilot.yaml", {"features": {"write_methods": {"enabled": True}, "static_tools": {"enabled": True}}})
    found = loaded(folder)
    features = found.manifest.features
    assert (features.write_methods.enabled, features.static_tools.enabled) == (False, True)
    assert any(str(each).startswith("Ignored features.write_methods") for each in found.untrusted)


def test_one_mistake_leaves_out_one_tool_set_and_says_where(folder: Path) -> None:
    text = """\
chip: a
tool_sets:
  - type: rest
    name: one
    base_url: https://a.example
    tools: [{name: t, description: d}]
  - type: rest
    name: two
    base_url: 7
    tools: [{name: t, description: d}]
  - {type: predefined, name: fridje}
skills:
  - {folder: a, url: b}
contexts:
  - {file: here.md}
  - {title: No file}
"""
    put(folder / "predefined" / "tool_sets" / "fridge.json", FRIDGE)
    file = put(folder / "copilot.yaml", text)
    found = loaded(folder)
    assert [one.name for one in found.manifest.tool_sets] == ["one"]
    assert found.manifest.contexts[0].file == folder / "here.md"
    issues = {issue.name: issue for issue in found.issues}
    assert "Line 9, tool_sets.1.base_url: Input should be a valid string" in str(issues["tool_sets.1"].message)
    assert str(issues["tool_sets.2.name"].message) == "there is no predefined 'fridje' (known: fridge)"
    assert [name for name, issue in issues.items() if issue.is_hard] == ["tool_sets.2.name", "tool_sets.1"]
    assert set(issues) == {"tool_sets.1", "tool_sets.2.name", "skills.0", "contexts.1"}
    checked = check_file(file)
    assert [(each.line, each.key) for each in checked.violations] == [
        (9, "tool_sets.1.base_url"),
        (11, "tool_sets.2.name"),
        (13, "skills.0"),
        (16, "contexts.1.file"),
    ]


@pytest.mark.parametrize(
    ("one", "told"),
    [
        ({"override": 7}, "this must be an object"),
        ({"base_url": "https://x"}, "base_url can't be used with `type: predefined`"),
        ({"override": {"tools": [{"predefined": "nothing"}]}}, "there is no predefined 'nothing'"),
        (
            {"override": {"type": "soap"}},
            "unknown type (known: ",
        ),
        (
            {
                "override": {
                    "tools": [
                        {"name": "t", "description": "d", "parameters": {"plate": {"enum": [1, None, {"no": 1}]}}}
                    ]
                }
            },
            "allowed values must be text, numbers, true, false or null",
        ),
    ],
)
def test_an_override_that_fails_names_the_place(folder: Path, one: dict[str, Any], told: str) -> None:
    put(folder / "predefined" / "tool_sets" / "fridge.json", FRIDGE)
    put(folder / "predefined" / "tools" / "temperatures.json", TEMPERATURES)
    put(folder / "copilot.yaml", {"tool_sets": [NAMED | one]})
    found = loaded(folder)
    assert found.manifest.tool_sets == ()
    assert any(told in str(issue.message) and str(issue.name).startswith("tool_sets.0") for issue in found.issues)


@pytest.mark.parametrize("content", ["{not json", "[1]", b"\xff\xfe"])
def test_a_broken_template_is_an_issue_and_does_not_fall_back(folder: Path, home: Path, content: str | bytes) -> None:
    put(home / "predefined" / "tool_sets" / "fridge.json", FRIDGE)
    broken = put(folder / "predefined" / "tool_sets" / "fridge.json", "")
    broken.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = loaded(folder)
    assert "fridge" not in found.content.tool_sets
    (issue,) = found.issues
    assert issue.is_hard
    assert str(broken) in str(issue.message)


def test_old_names_count_and_say_what_to_write_and_both_are_a_mistake(folder: Path) -> None:
    file = put(folder / "copilot.yaml", "model: offline\nlimits: {max_tool_rounds: 3}\n")
    found = loaded(folder)
    assert found.manifest.orchestrator.max_iterations == 3
    assert [str(issue.message) for issue in found.issues] == [
        "model is now called orchestrator.deployment. The old name still works.",
        "limits.max_tool_rounds is now called orchestrator.max_iterations. The old name still works.",
    ]
    assert not any(issue.is_hard for issue in found.issues)
    assert check_file(file).violations == ()
    put(file, "model: offline\norchestrator: {deployment: offline}\n")
    with pytest.raises(ConfigurationError, match=r"model: this is the same setting as orchestrator\.deployment"):
        loaded(folder)
    (doubled,) = check_file(file).violations
    assert (doubled.line, doubled.key) == (1, "model")


def test_what_jupyterlab_says_lies_below_the_folders_file_and_widens_nothing(folder: Path, home: Path) -> None:
    put(home / "copilot.yaml", {"greeting": "user", "language": {"response": "en"}})
    put(folder / "copilot.yaml", {"greeting": "project"})
    said = {"greeting": "page", "language": {"response": "ja"}, "policy": "trusted", "database": {"snapshot": "x"}}
    found = load_manifest(environment={}, folder=folder, front_end=said)
    manifest = found.manifest
    assert (manifest.greeting, manifest.language.response, manifest.policy) == ("project", "ja", "guarded")
    assert manifest.database.snapshot is None
    assert found.origins["language.response"] == Message("jupyterlab-settings")


def test_types_are_strict(folder: Path) -> None:
    for text in ("orchestrator: {deployment: 7}", "limits: {max_same_call: '3'}", "history: 'yes'"):
        put(folder / "copilot.yaml", text)
        with pytest.raises(ConfigurationError, match="Input should be a valid"):
            loaded(folder)


def test_a_folder_that_is_not_trusted_lends_nothing(folder: Path) -> None:
    put(folder / "predefined" / "skills" / "theirs" / "SKILL.md", "---\nname: theirs\ndescription: x\n---\nDo.")
    put(folder / "rules.md", "Obey.")
    settings = {
        "orchestrator": {"system_prompt": "Obey.", "deployment": "offline"},
        "tool_sets": [FRIDGE | {"name": "f", "tools": [TEMPERATURES | {"name": "t"}]}, {"type": "mcp", "command": "x"}],
        "skills": [{"folder": "predefined/skills/theirs"}],
        "contexts": [{"file": "rules.md"}],
        "features": {"write_methods": {"enabled": True}},
        "knowledge": ["rules.md"],
    }
    put(folder / "copilot.yaml", settings)
    strange = load_manifest(environment={}, folder=folder)
    manifest = strange.manifest
    assert (manifest.tool_sets, manifest.skills, manifest.contexts, manifest.knowledge) == ((), (), (), ())
    assert manifest.orchestrator.system_prompt == ""
    assert not manifest.features.write_methods.enabled
    assert "theirs" not in strange.content.skills
    assert len(strange.untrusted) == 2
    trust(folder)
    assert "theirs" in load_manifest(environment={}, folder=folder).content.skills
    put(folder / "predefined" / "skills" / "theirs" / "SKILL.md", "---\nname: theirs\ndescription: y\n---\nObey.")
    assert "theirs" not in load_manifest(environment={}, folder=folder).content.skills


def test_explain_hides_secrets_and_the_schema_shows_the_environments_default(
    folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "s3cr3t-Pa55word"
    uri = f"mongodb://reader:{secret}@lab.example:27017"
    models = {"m": {"name": "m", "headers": {"X-Key": secret}, "base_url": f"https://me:{secret}@lab.example/v1"}}
    put(home / "copilot.yaml", {"database": {"mongo_uri": uri}, "models": models})
    monkeypatch.chdir(folder)
    assert main(["config", "explain"]) == 0
    shown = capsys.readouterr().out
    assert secret not in shown
    assert f"orchestrator.deployment: offline  ({PACKAGE})" in shown
    assert f"models.m.name: m  ({home / 'copilot.yaml'})" in shown
    schema = manifest_schema({"DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID": "lab", "DEFAULT_TOOL_TIMEOUT_SECONDS": "7"})
    deployment = schema["$defs"]["OrchestratorSection"]["properties"]["deployment"]
    assert (deployment["default"], deployment["description"][:12]) == ("lab", "Which model:")
    assert schema["$defs"]["ToolDefaultsSection"]["properties"]["timeout_seconds"]["default"] == 7
