"""What the panel suggests after the planner's answers, it can answer: asked for every kind of question.

It takes some fifteen seconds: fifty questions and their suggestions, each asked once.
"""

from __future__ import annotations

import re

import pytest

from qdash_jupyter.agent.next_steps import MOST, next_steps
from qdash_jupyter.llm.offline.abilities import EXAMPLES
from tests.llm.offline.planner_questions import Chip, ask, session

REFUSED = re.compile(
    r"can't answer this|回答できません|Not considered|考慮していない|Which \w+ do you mean|ですか|was ever measured"
    r"|There is no"
)

QUESTIONS = [
    next(one for one in said.split(" · ") if one.isascii() == in_english)
    for said in EXAMPLES.values()
    for in_english in (True, False)
    if any(one.isascii() == in_english for one in said.split(" · "))
]
"""One of each kind in each language."""


@pytest.mark.long
def test_every_suggestion_is_answered(small: Chip) -> None:
    suggested: dict[str, str] = {}
    for question in QUESTIONS:
        asked = ask(session(small), question)
        steps = next_steps(question, asked.answer, asked.turn.tool_results, asked.turn.language)
        assert 0 < len(steps) <= MOST or asked.answer.choices, question
        assert question not in steps
        suggested |= dict.fromkeys(steps, question)
    for step, after in suggested.items():
        asked = ask(session(small), step)
        assert not REFUSED.search(asked.text), f"{step} (after {after}): {asked.text}"
        assert asked.turn.tool_results, step
