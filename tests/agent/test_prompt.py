from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import model_seat
import pytest

from qdash_jupyter.agent.prompt import PromptContext, instructions, part, prompt_sections
from qdash_jupyter.config.content import PredefinedContent
from qdash_jupyter.data.demo import DEMO as DEMO_CHIP
from qdash_jupyter.domain.metrics import METRICS, MetricTable, Scoring
from qdash_jupyter.tool_sets.skills import skill_tool, skills_of
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

GOLDEN = Path(__file__).parent / "golden" / "instructions.md"
DEMO = PromptContext(
    tools=BUILTIN_TOOLS,
    metrics=MetricTable(),
    response_language="en",
    thinking_language="en",
)


def test_the_whole_instructions_are_the_ones_that_were_agreed() -> None:
    # With a few of the tools: the line of each stands in its file, and a further one has no business here.
    made = instructions(dataclasses.replace(DEMO, tools=BUILTIN_TOOLS[:3])) + "\n"

    if not GOLDEN.exists():
        GOLDEN.write_text(made, encoding="utf-8")
        pytest.fail(f"{GOLDEN} was missing: it is written now; read it and run the test again.")
    assert made == GOLDEN.read_text(encoding="utf-8"), f"If this is meant, delete {GOLDEN} and run the test again."


def test_the_parts_are_named_and_are_the_whole() -> None:
    parts = prompt_sections(DEMO)

    assert list(parts) == ["Role", "Tools", "Language", "Thresholds", "Answer"]
    assert instructions(DEMO) == "\n\n".join(f"# {name}\n{text}" for name, text in parts.items())
    assert sum(map(len, parts.values())) + sum(len(name) + 3 for name in parts) + 2 * 4 == len(instructions(DEMO))


def test_the_directions_of_an_analysis_are_short() -> None:
    assert len(part("analysis")) < 850, len(part("analysis"))


def test_instructions_and_schemas_are_within_their_budget() -> None:
    skills, issues = skills_of(PredefinedContent.read(()), (), str)
    assert not issues
    tools = [*BUILTIN_TOOLS, skill_tool(skills)]
    offered = [spec.brief() for spec in tools if not spec.on_request]
    schemas = json.dumps(offered, ensure_ascii=False, separators=(",", ":"))
    text = instructions(dataclasses.replace(DEMO, tools=tools))

    assert len(text) + len(schemas) <= 7_000, (len(text), len(schemas))


@pytest.mark.long
def test_recorded_conversations_send_a_third_less_than_before() -> None:
    """Twelve conversations with a server: 35 % less than before the trial. Some eight seconds of a process."""
    script = Path(model_seat.__file__)
    command = [sys.executable, str(script), "--json", str(DEMO_CHIP)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(script.parents[1])}, capture_output=True, text=True, check=True
    )
    counted = json.loads(done.stdout)
    assert done.stderr == ""
    assert counted.keys() == model_seat.BEFORE.keys()
    now = sum(parts[part] for parts in counted.values() for part in model_seat.PARTS)
    assert now <= model_seat.GOAL * sum(model_seat.BEFORE.values()), now


def test_every_tool_that_needs_one_has_its_line() -> None:
    text = instructions(DEMO)

    for spec in BUILTIN_TOOLS:
        assert not spec.guidance or f"- {spec.guidance}" in text


def test_thresholds_with_direction_and_unit() -> None:
    text = instructions(DEMO)

    assert "\nt1, t1_average: >50, >100; <20 μs" in text
    assert "\nanharmonicity: <-0.28, <-0.32; >-0.25 GHz" in text
    assert "\naverage_readout_fidelity, zx90_gate_fidelity: >0.95, >0.99; <0.85\n" in text, "as the data are"
    scored = [key for key in METRICS if MetricTable().of(key).scoring is not None]
    lines = text.partition("# Thresholds\n")[2].partition("\n\n")[0].splitlines()
    assert lines[0] == "Good, excellent; bad, in the data's unit."
    assert sorted(key for line in lines[1:] for key in line.partition(":")[0].split(", ")) == sorted(scored)


def test_thresholds_of_the_lab_take_the_place_of_qdashs() -> None:
    own = MetricTable({"t1": Scoring(30, 60, None, higher_is_better=True)})

    text = instructions(dataclasses.replace(DEMO, metrics=own))

    assert "\nt1: >30, >60 μs" in text


def test_languages() -> None:
    assert "Answer in English; reason in English." in instructions(DEMO)
    assert "Answer in Japanese; reason in English." in instructions(dataclasses.replace(DEMO, response_language="ja"))


def test_what_the_lab_knows_is_in_and_its_heading_only_then() -> None:
    assert "# Knowledge of the lab" not in instructions(DEMO)

    text = instructions(dataclasses.replace(DEMO, knowledge=("Q3 has a TLS at 4.9 GHz.", "Fridge B is warm.")))

    assert "# Knowledge of the lab\nQ3 has a TLS at 4.9 GHz.\n\nFridge B is warm." in text


def test_the_labs_own_instructions_stand_beside_ours() -> None:
    parts = prompt_sections(dataclasses.replace(DEMO, system_prompt="Name the fridge."))
    assert list(parts) == ["Role", "Tools", "Language", "Thresholds", "Instructions of the lab", "Answer"]
    assert parts["Instructions of the lab"] == "Name the fridge."


def test_what_references_mean_is_said_where_tools_are_declared() -> None:
    assert "var:NAME" not in instructions(DEMO)
    named = [dataclasses.replace(spec, is_declared=spec.name == "get_chip_summary") for spec in BUILTIN_TOOLS]
    said = prompt_sections(dataclasses.replace(DEMO, tools=named))["Tools"].splitlines()[-1]
    assert said.startswith("- A text argument of get_chip_summary may be `file:PATH`")
