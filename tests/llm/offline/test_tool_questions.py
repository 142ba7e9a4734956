"""Each tool is reached by questions as people ask them, with the right arguments, and the answer holds the truth."""

from __future__ import annotations

import json
import re

import pytest

from qdash_jupyter.llm.offline.plan import CODE
from tests.llm.offline.asking import read
from tests.llm.offline.planner_questions import Chip, ask, session
from tests.llm.offline.tool_questions import CASES, Case

COUNTED = re.compile(r"\d+ (?:of|other|results|measurements|parameters|note|completed|failed)\b")
"""English words, which an answer in Japanese has not."""


def read_alike(case: Case) -> list[str]:
    """Questions that are read as one before them in whatever language: the same plan answers them."""
    found = [read(question) for question in case.questions]
    return [question for place, question in enumerate(case.questions) if found[place] in found[:place]]


ALIKE = {question for case in CASES for question in read_alike(case)}
ASKED = [
    pytest.param(case, question, id=question, marks=[pytest.mark.long] * (question in ALIKE))
    for case in CASES
    for question in case.questions
]


def test_most_questions_are_read_as_another_is() -> None:
    """So the plans that are tried below are the plans of all."""
    otherwise = [question for case in CASES for question in case.questions[1:] if question not in ALIKE]
    assert len(otherwise) <= 7, otherwise


@pytest.mark.parametrize(("case", "question"), ASKED)
def test_a_question_reaches_its_tool_and_the_answer_holds_the_truth(faulty: Chip, case: Case, question: str) -> None:
    asked = ask(session(faulty), question)
    assert asked.problems == []
    called = {result.call.name for result in asked.turn.tool_results} - {CODE}  # where its rows are too many to be told
    assert called == {case.tool, *case.also} - {CODE}
    calls = [json.loads(one.call.arguments) for one in asked.turn.tool_results if one.call.name == case.tool]
    assert any(case.arguments.items() <= call.items() for call in calls), calls
    facts = case.holds(faulty.made)
    if asked.turn.language == "ja":
        facts = [fact for fact in facts if not COUNTED.match(fact)]
    assert facts
    text = asked.text.replace("：", ": ").replace("（", " (")  # Japanese writes wide colons and brackets
    assert [fact for fact in facts if fact not in text] == [], text
    assert asked.answer.assessment == case.assessment
    if case.tool == "get_result_curves":
        assert len(asked.answer.charts) == ("qid" in case.arguments)
