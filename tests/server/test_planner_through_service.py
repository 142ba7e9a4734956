"""The questions of docs/planner.md, asked of the service: each answer is that of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

import qdash_jupyter
from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.languages import Language
from tests.llm.offline.asking import NOW
from tests.server.conftest import Forks
from tests.server.served import Served

LANGUAGES: tuple[Language, ...] = ("en", "ja")

EXAMPLES = [query for some in examples(NOW).values() for query in some]
ALL = [sentence_of(query, language) for query in EXAMPLES for language in LANGUAGES]
ASKED = ALL[24::45]
"""One a language. All are long: a third of a second each."""


@pytest.fixture(scope="module")
def planner(forked: Forks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with forked(tmp_path_factory.mktemp("planner"), "--snapshot", str(DEMO)) as running:
        yield running


def said(blocks: list[dict[str, Any]]) -> tuple[list[str], int]:
    """The paragraphs of an answer, without what tells of the place, and how many charts it has."""
    text = "\n\n".join(block["content"] for block in blocks if block["type"] == "text")
    without_place = re.sub(r"[^.\n]*copilot\.data\[.*", "", text)
    paragraphs = [part for part in without_place.split("\n\n") if part.strip() and not re.match(r"\*[^*]", part)]
    return paragraphs, sum(block["type"] == "chart" for block in blocks)


def different(planner: Served, questions: list[str]) -> dict[str, Any]:
    """What the service answers otherwise than a kernel; below its answer it shows the code."""
    found: dict[str, Any] = {}
    settings = {"database": {"snapshot": str(DEMO)}, "history": False}
    with closing(qdash_jupyter.open_copilot(settings=settings)) as copilot:
        for question in questions:
            copilot.new()
            event, answer = planner.chat(question)[-1], copilot.ask(question).to_seed_schema()
            there, here = said(event.data.get("blocks", [])), said(answer["blocks"])
            if (there[0][: len(here[0])], there[1]) != here or not here[0]:
                found[question] = (event.data, answer)
    return found


def test_a_question_is_answered_as_in_a_kernel(planner: Served) -> None:
    assert different(planner, ASKED) == {}


@pytest.mark.long
@pytest.mark.timeout(900)
def test_all_questions_are(planner: Served) -> None:
    """Each in one of the languages, in turn, as each is asked twice; what both say is looked at in `tests/llm`."""
    in_turn = [ALL[len(LANGUAGES) * place + place % len(LANGUAGES)] for place in range(len(EXAMPLES))]
    assert len(in_turn) > 40
    assert different(planner, in_turn) == {}
