from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from qdash_jupyter.agent.knowledge.library import SAME_EXPERIMENT, KnowledgeLibrary, starter_names
from qdash_jupyter.agent.knowledge.task import TaskKnowledge
from qdash_jupyter.agent.knowledge.text import BUDGET, knowledge_text
from qdash_jupyter.errors import ConfigurationError

STARTER = files("qdash_jupyter.agent").joinpath("knowledge", "starter")
WHOLE: dict[str, Any] = {
    "name": "CheckT1",
    "category": "coherence",
    "summary": "SUMMARY",
    "what_it_measures": "MEASURES",
    "physical_principle": "PRINCIPLE",
    "expected_result": {"description": "EXPECTED", "result_type": "decay_curve", "x_axis": "time", "y_axis": "signal",
                        "z_axis": None, "fit_model": "FIT", "typical_range": "RANGE", "good_visual": "VISUAL"},
    "evaluation_criteria": "CRITERIA",
    "check_questions": ["QUESTION"],
    "failure_modes": [{"severity": "critical", "description": "FAILURE", "cause": "CAUSE", "visual": "LOOK",
                       "next_action": "ACTION"}],
    "tips": ["TIP"],
    "output_parameters_info": [{"name": "t1", "description": "OUTPUT"}],
    "analysis_guide": ["FIRST", "SECOND"],
    "prerequisites": ["CheckRabi"],
    "images": [{"alt_text": "FIGURE", "relative_path": "t1.png", "section": "SECTION", "base64_data": ""}],
    "review_markdown": "REVIEW",
    "review_images": [],
    "related_context": [{"type": "history", "params": [], "last_n": 7}, {"type": "neighbor_qubits", "params": ["t1"]}],
    "cases": [{"title": "CASE", "date": "2026-05-01", "severity": "warning", "chip_id": "64Q", "qid": "7",
               "status": "resolved", "human_label": "tls", "failure_mode_labels": ["label"], "case_type": ["type"],
               "model_error_type": "", "resolution_label": "", "symptom": "SYMPTOM", "model_prediction": "",
               "human_review_decision": "", "root_cause": "ROOT", "resolution": "", "boundary_criteria": "",
               "lesson_learned": ["LESSON"], "applicability": "", "counterexample": "", "prompt_guidance": "",
               "images": []}],
}  # fmt: skip


def written(folder: Path, content: object) -> Path:
    path = folder / "task-knowledge.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(ConfigurationError) as caught:
        KnowledgeLibrary.read(path)
    assert "task_knowledge" in str(caught.value.hint)
    return str(caught.value.message)


@pytest.mark.parametrize("name", sorted(entry.name for entry in STARTER.iterdir()))
def test_the_starter_says_everything_in_keys_that_qdash_knows(name: str) -> None:
    raw = yaml.safe_load(STARTER.joinpath(name).read_text(encoding="utf-8"))
    knowledge = TaskKnowledge.model_validate({**raw, "name": name})

    # A comma that is not quoted would end a value, and begin a key that nobody reads.
    assert keys_of(raw) <= keys_of(json.loads(knowledge.model_dump_json()))
    expected = knowledge.expected_result
    assert all([expected.x_axis, expected.y_axis, expected.fit_model, expected.typical_range, expected.good_visual])
    assert knowledge.what_it_measures
    assert knowledge.physical_principle
    assert knowledge.evaluation_criteria
    assert knowledge.related_context
    assert {mode.severity for mode in knowledge.failure_modes} <= {"critical", "warning", "info"}
    assert all(mode.cause and mode.visual and mode.next_action for mode in knowledge.failure_modes)


def keys_of(raw: Any, inside: str = "") -> set[str]:
    if isinstance(raw, dict):
        return {
            found for key, value in raw.items() for found in {f"{inside}.{key}", *keys_of(value, f"{inside}.{key}")}
        }
    return {found for entry in raw for found in keys_of(entry, inside)} if isinstance(raw, list) else set()


def test_the_starter_has_the_tasks_that_labs_run_daily() -> None:
    daily = {
        "CheckResonatorSpectroscopy", "CheckQubitSpectroscopy", "CheckRabi", "CheckRamsey", "CheckT1", "CheckT2Echo",
        "ReadoutClassification", "RandomizedBenchmarking", "X90InterleavedRandomizedBenchmarking",
        "ZX90InterleavedRandomizedBenchmarking", "CheckCrossResonance", "CreateZX90",
    }  # fmt: skip

    assert daily <= set(starter_names())
    assert set(SAME_EXPERIMENT.values()) <= {name for name in starter_names() if name not in SAME_EXPERIMENT}
    for name in starter_names():
        knowledge = KnowledgeLibrary().of(name)
        assert knowledge is not None
        assert knowledge.name == name
        assert "Left out" not in knowledge_text(knowledge)


def test_a_task_of_which_nothing_is_known() -> None:
    assert KnowledgeLibrary().of("CheckNoise") is None


def test_the_sections_stand_in_qdashs_order(tmp_path: Path) -> None:
    knowledge = KnowledgeLibrary.read(written(tmp_path, {"CheckT1": WHOLE})).of("CheckT1")
    assert knowledge is not None
    text = knowledge_text(knowledge)

    order = ["SUMMARY", "MEASURES", "PRINCIPLE", "EXPECTED", "signal against time", "FIT", "RANGE", "VISUAL",
             "CRITERIA",
             "QUESTION", "t1: OUTPUT", "[critical] FAILURE", "LOOK", "CAUSE", "ACTION", "TIP", "1. FIRST", "2. SECOND",
             "CheckRabi", "FIGURE: SECTION", "CASE", "2026-05-01, 64Q, 7, warning, resolved", "SYMPTOM", "ROOT",
             "LESSON",
             "REVIEW"]  # fmt: skip
    places = [text.index(word) for word in order]
    assert places == sorted(places)
    assert [(one.type, one.params, one.last_n) for one in knowledge.related_context] == [
        ("history", (), 7),
        ("neighbor_qubits", ("t1",), 5),
    ]


def test_a_section_that_does_not_fit_is_left_out_whole_and_said(tmp_path: Path) -> None:
    long = WHOLE | {"physical_principle": "x" * (BUDGET + 1)}
    knowledge = KnowledgeLibrary.read(written(tmp_path, {"CheckT1": long})).of("CheckT1")
    assert knowledge is not None
    text = knowledge_text(knowledge)

    assert "xx" not in text
    assert text.endswith("(Left out to keep within 6,000 characters: Physical principle.)")
    assert "### What it measures\nMEASURES\n\n### Expected result\nEXPECTED" in text
    assert len(text) <= BUDGET + 100


def test_the_labs_knowledge_takes_the_place_of_the_starters_by_name(tmp_path: Path) -> None:
    written(tmp_path, {"CheckT1": WHOLE, "CheckOurs": {"summary": "ours", "later_key": 1}})
    library = KnowledgeLibrary.read(tmp_path)

    for name, summary in (("CheckT1", "SUMMARY"), ("CheckOurs", "ours")):
        knowledge = library.of(name)
        assert knowledge is not None
        assert (knowledge.name, knowledge.summary) == (name, summary)
    assert library.of("CheckRabi") == KnowledgeLibrary().of("CheckRabi")
    assert library.folder == tmp_path


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"CheckT1": {', "line 1"),
        ("[]", "doesn't contain knowledge by task name"),
        ({"CheckT1": 5}, "CheckT1"),
        ({"CheckT1": {"failure_modes": [{"severity": 3}]}}, "CheckT1.failure_modes.0.severity"),
        ({"CheckT1": {"related_context": [{"type": "weather"}]}}, "CheckT1.related_context.0.type"),
        ({"CheckT1": {"tips": "one"}}, "CheckT1.tips"),
        ({"A": {"tips": 1}, "B": {"tips": 1}}, "A.tips"),
        (
            {"A": dict.fromkeys(("tips", "cases", "images", "summary", "category", "prerequisites"), 1)},
            "1 more mistake",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(tmp_path: Path, content: object, told: str) -> None:
    path = written(tmp_path, content)

    message = refused(path)
    assert told in message
    assert str(path) in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "nowhere.json")
    assert "task-knowledge.json" in refused(tmp_path)
