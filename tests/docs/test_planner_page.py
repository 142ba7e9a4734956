"""The page of the offline planner says which questions it answers, and they are what it takes them for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qdash_jupyter.llm.offline.abilities import ABILITIES, what_can_be_asked
from qdash_jupyter.llm.offline.intent import Kind, Language
from qdash_jupyter.llm.offline.plans import LOOKUPS
from qdash_jupyter.llm.offline.recognition import recognise
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.panel_state import STARTERS
from tests.llm.offline.tool_questions import CASES

PAGE = (Path(__file__).parents[2] / "docs" / "planner.md").read_text(encoding="utf-8")
ROWS = {
    Kind(kind): (questions.split(" · "), set(re.findall(r"`(\w+)`", tools)))
    for kind, questions, tools in re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
}
ASKED = [(kind, question) for kind, (questions, _) in ROWS.items() for question in questions]


def kind_of(question: str) -> Kind:
    return recognise(question, "ja" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", question) else "en").kind


def test_every_kind_has_its_line() -> None:
    assert set(ROWS) == set(Kind) - {Kind.UNKNOWN}


@pytest.mark.parametrize(("kind", "question"), ASKED, ids=[question for _, question in ASKED])
def test_a_question_is_of_its_kind(kind: Kind, question: str) -> None:
    assert kind_of(question) is kind


def test_the_tools_are_those_that_are_called() -> None:
    assert set().union(*(tools for _, tools in ROWS.values())) - {"compare"} <= {spec.name for spec in BUILTIN_TOOLS}
    for kind, lookup in LOOKUPS.items():
        assert ROWS[kind][1] == {lookup.tool}
    for case in CASES:
        assert {case.tool, *case.also} <= ROWS[kind_of(case.questions[0])][1], case.questions


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_unknown_question_is_told_a_question_of_each_kind(language: Language) -> None:
    told = what_can_be_asked(language)
    for ability in ABILITIES:
        assert ability.what.of(language) in told
        assert ability.example.of(language) in told
        assert kind_of(ability.example.of(language)) in ability.kinds
    assert {kind for ability in ABILITIES for kind in ability.kinds} == set(Kind) - {Kind.UNKNOWN}


@pytest.mark.parametrize("question", STARTERS)
def test_the_starters_are_understood(question: str) -> None:
    assert kind_of(question) is not Kind.UNKNOWN
