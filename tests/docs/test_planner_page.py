"""The page of the offline planner says which questions it answers, and they are what it takes them for."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from qdash_jupyter.llm.offline.abilities import ABILITIES, what_can_be_asked
from qdash_jupyter.llm.offline.accounting import unheeded
from qdash_jupyter.llm.offline.operations import OPERATIONS
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.reader import read
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.panel_state import STARTERS
from scripts.planner_page import EXAMPLES, FIELDS, PAGE, page

ASKED = [(asked, question) for asked, examples in EXAMPLES.items() for question in examples.split(" · ")]


def understood(question: str) -> Query:
    language = "ja" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", question) else "en"
    return read(question, language, datetime(2026, 6, 30, tzinfo=UTC))


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run scripts/planner_page.py"


def test_every_kind_has_its_line() -> None:
    assert set(EXAMPLES) == set(Asked) - {Asked.UNKNOWN}
    assert set(OPERATIONS) == set(Asked)


def test_every_field_that_is_heeded_has_its_words() -> None:
    heeded = {field for operation in OPERATIONS.values() for field in operation.heeds}
    assert {field for field in heeded if not field.startswith("details.")} <= set(FIELDS)


@pytest.mark.parametrize(("asked", "question"), ASKED, ids=[question for _, question in ASKED])
def test_a_question_is_of_its_kind_and_nothing_of_it_is_left_out(asked: Asked, question: str) -> None:
    query = understood(question)
    assert query.asked is asked
    missed = unheeded(query, OPERATIONS[asked])
    assert missed.changing == missed.others == ()


def test_the_tools_are_there() -> None:
    assert {operation.tool for operation in OPERATIONS.values()} - {""} <= {spec.name for spec in BUILTIN_TOOLS}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_unknown_question_is_told_a_question_of_each_kind(language: str) -> None:
    told = what_can_be_asked(language)
    for ability in ABILITIES:
        assert ability.what.of(language) in told
        assert ability.example(language) in told
        assert understood(ability.example(language)).asked in ability.kinds
    assert {kind for ability in ABILITIES for kind in ability.kinds} == set(Asked) - {Asked.UNKNOWN}


@pytest.mark.parametrize("question", [*map(str, STARTERS)])
def test_the_starters_are_understood(question: str) -> None:
    assert understood(question).asked is not Asked.UNKNOWN
