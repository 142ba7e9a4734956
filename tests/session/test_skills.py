"""Skills: where they come from, what is wrong with them, and how a model reads one."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter import methods
from qdash_jupyter.config.content import PredefinedContent
from qdash_jupyter.config.manifest import SkillSection
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import ModelError
from qdash_jupyter.tool_sets.skills import skill_tool, skills_of
from tests.scripted_server import ScriptedServer, call_turn, text_turn

OURS = ["chip-health", "readout-errors", "t1-drift"]


def skill(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    return folder


def front(name: str, description: str = "When it is warm.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\nMeasure it."


def test_ours_are_short_name_their_sources_and_speak_of_what_there_is() -> None:
    skills, issues = skills_of(PredefinedContent.read(()), (), str)
    assert (sorted(skills), issues) == (OURS, [])
    for each in skills.values():
        assert "Sources: " in each.text
        assert len(each.text) < 6_000


def test_that_of_t1_asks_whether_the_frequency_of_the_same_qubit_moved_at_that_time() -> None:
    """A trial's model was told to correlate across qubits, which answers another question."""
    rng, days = np.random.default_rng(4), pd.date_range("2026-04-01", periods=90, freq="D", tz="UTC")

    def series(name: str, unit: str, level: float, noise: float, jumps: dict[str, float]) -> dict[str, Any]:
        tables = []
        for qid in ("5", "7", "9"):
            values = level + rng.normal(0, noise, 90) + np.where(np.arange(90) >= 75, jumps.get(qid, 0), 0)
            tables.append(pd.DataFrame({"qid": qid, "t": days, "v": values}))
        return {"timeseries": pd.concat(tables, ignore_index=True), "parameter_name": name, "unit": unit}

    data = {
        "t1": series("t1", "μs", 60.0, 3.0, {"5": -30.0, "7": -30.0}),
        "qubit_frequency": series("qubit_frequency", "GHz", 5.0, 2e-5, {"5": 2e-3, "9": 2e-3}),
    }
    skills, _ = skills_of(PredefinedContent.read(()), (), str)
    [code] = re.findall(r"```python\n(.+?)```", skills["t1-drift"].text, re.DOTALL)
    *lines, last = textwrap.dedent(code).splitlines()
    names = {"qm": methods, "copilot": SimpleNamespace(data=data)}
    exec("\n".join(lines), names)  # noqa: S102 - the skill's own code
    found = eval(last, names)  # noqa: S307
    assert found["qid"].tolist() == ["5"]
    assert {str(value)[:10] for value in found.iloc[0, 1:]} == {"2026-06-15"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Measure it.", "The front matter is missing."),
        ("---\nname: [\n---\n", "The front matter isn't valid YAML."),
        (front("Fridge Log"), "'Fridge Log' can't be the name of a skill."),
        ("---\nname: warm\n---\nMeasure.", "The description is missing"),
        (front("cold"), "The skill is named cold, but its folder is warm."),
    ],
)
def test_a_broken_skill_is_left_out_alone(tmp_path: Path, text: str, told: str) -> None:
    sections = [SkillSection(folder=skill(tmp_path / "warm", text)), SkillSection(folder=tmp_path / "nowhere")]
    skills, (broken, missing) = skills_of(PredefinedContent.read(()), sections, str)
    assert sorted(skills) == OURS
    assert told in str(broken.message)
    assert "Can't read" in str(missing.message)
    assert not broken.is_hard
    assert not missing.is_hard


def test_a_name_that_is_taken_stays_with_the_first(tmp_path: Path) -> None:
    sections = [
        SkillSection(folder=skill(tmp_path / "t1-drift", front("t1-drift", "Theirs."))),
        SkillSection(folder=skill(tmp_path / "a" / "warm", front("warm"))),
        SkillSection(folder=skill(tmp_path / "b" / "warm", front("warm", "Another."))),
    ]
    skills, issues = skills_of(PredefinedContent.read(()), sections, str)
    assert sorted(skills) == [*OURS, "warm"]
    assert (skills["t1-drift"].description, skills["warm"].description) != ("Theirs.", "Another.")
    assert ["already" in str(issue.message) for issue in issues] == [True, True]


def test_one_by_its_address_and_one_that_cannot_be_fetched() -> None:
    def fetch(url: str) -> str:
        if url.endswith("gone"):
            raise ModelError("It is gone.")
        return front("warm")

    sections = [SkillSection(url="https://lab.example/warm"), SkillSection(url="https://lab.example/gone")]
    skills, (issue,) = skills_of(PredefinedContent.read(()), sections, fetch)
    assert skills["warm"].text == "Measure it."
    assert (issue.name, issue.message) == ("https://lab.example/gone", "It is gone.")


def test_a_model_is_told_of_them_and_reads_one_and_its_files(
    tmp_path: Path, shell: InteractiveShell, snapshot: Path
) -> None:
    folder = skill(tmp_path / "warm", front("warm"))
    (folder / "stages.csv").write_text("stage,mK\nmxc,10\n")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    turns = [
        call_turn(("read_skill", {"name": "warm"}), ("read_skill", {"name": "warm", "file": "stages.csv"})),
        call_turn(("read_skill", {"name": "warm", "file": "link.txt"})),
        text_turn("Done."),
    ]
    with ScriptedServer(turns) as server:
        settings = {
            "skills": [{"folder": str(folder)}],
            "models": {"lab": {"name": "m", "base_url": server.base_url}},
            "orchestrator": {"deployment": "lab"},
            "database": {"snapshot": str(snapshot)},
        }
        copilot = open_copilot(shell, settings=settings)
        copilot.ask("Was it warm?")
        copilot.close()
        first, second, third = (request.body for request in server.requests)
    assert "warm (When it is warm)" in first["instructions"]
    (tool,) = [each for each in first["tools"] if each["name"] == "read_skill"]
    assert tool["parameters"]["properties"]["name"] == {"type": "string"}, "its line in the instructions lists them"
    read, file = (json.loads(item["output"]) for item in second["input"] if "output" in item)
    assert read == {"skill": "warm", "instructions": "Measure it.", "files": ["stages.csv"]}
    assert file["text"] == "stage,mK\nmxc,10\n"
    refused = [json.loads(item["output"]) for item in third["input"] if "output" in item][-1]
    assert refused["kind"] == "not_found"


def test_without_further_files_there_is_no_argument_for_them() -> None:
    skills, _ = skills_of(PredefinedContent.read(()), (), str)
    assert list(skill_tool(skills).schema()["parameters"]["properties"]) == ["name"]
