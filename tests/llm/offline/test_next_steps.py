"""What the panel suggests after the planner's answers, it can answer: asked for every kind of question.

It takes most of a minute: fifty questions in both languages, and what is suggested after them, asked in one of them.
"""

from __future__ import annotations

import re

import pytest

from qdash_jupyter.agent.next_steps import MOST, next_steps
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.languages import Language
from tests.llm.offline.asking import NOW
from tests.llm.offline.planner_questions import Chip, ask, session

REFUSED = re.compile(r"can't answer this|回答できません|several things|was ever measured|There is no")

LANGUAGES: tuple[Language, ...] = ("en", "ja")
QUESTIONS = [
    sentence_of(query, language) for some in examples(NOW).values() for query in some for language in LANGUAGES
]
"""One of each kind in each language."""


@pytest.mark.long
def test_every_suggestion_is_answered(faulty: Chip) -> None:
    suggested: dict[str, str] = {}
    for question in QUESTIONS:
        asked = ask(session(faulty), question)
        steps = next_steps(question, asked.answer, asked.turn.tool_results, asked.turn.language)
        assert 0 < len(steps) <= MOST or asked.answer.choices, question
        assert question not in steps
        suggested |= dict.fromkeys(steps, question)
    by_meaning = {queries(step, NOW): step for step in suggested}  # what is run does not depend on the language
    assert () not in by_meaning, by_meaning[()]
    for step in by_meaning.values():
        after = suggested[step]
        asked = ask(session(faulty), step)
        assert not REFUSED.search(asked.text), f"{step} (after {after}): {asked.text}"
        assert asked.turn.tool_results, step
