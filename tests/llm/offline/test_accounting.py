"""What an answer says of words that were not taken, and questions that are refused instead of changed."""

from __future__ import annotations

import pytest

from tests.llm.offline.planner_questions import Chip, ask, session

BY_PLANNER = {"en": "*Answered by the offline planner", "ja": "*オフラインプランナーの回答"}


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which qubits lost T1 with the new firmware?", "Not considered: “new firmware”."),
        ("worst T1 of the blue qubits", "Not considered: “blue”."),
        ("青い量子ビットでT1のワースト10", "考慮していない語：「青い」"),
        ("heatmap of T1 at 20 mK", "Not considered: “20 mK”."),
    ],
)
def test_what_was_left_out_stands_before_the_line_that_says_who_answered(
    small: Chip, question: str, words: str
) -> None:
    asked = ask(session(small), question)
    assert asked.headlines
    before, _, _ = asked.text.partition(BY_PLANNER[asked.turn.language])
    assert before.endswith(f"{words}\n\n")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("which qubits did not lose T1 this week?", "not"),
        ("notes about Q8 with T1 below 30", "below 30"),
        ("How is the chip in May?", "in May"),
        ("今週T1が低下していない量子ビットは?", "ていない"),
        ("Current parameters of Q07 except Q5", "except Q5"),
    ],
)
def test_what_would_change_the_question_is_refused(small: Chip, question: str, words: str) -> None:
    asked = ask(session(small), question)
    refused = {
        "en": "The offline planner can't answer this. ",
        "ja": "オフラインプランナーはこの質問に回答できません。",
    }
    assert asked.text.startswith(refused[asked.turn.language])
    assert words in asked.text.split("\n")[0]
    assert asked.turn.tool_results == ()
    assert asked.answer.assessment is None


def test_an_unknown_condition_never_gives_the_same_answer(small: Chip) -> None:
    copilot = session(small)
    for question in ("Which qubits lost T1 in the last 30 days?", "T1 below 40 us", "T1 of Q5"):
        plain = ask(copilot, question)
        changed = ask(session(small), f"{question.rstrip('?')} for the left half")
        assert changed.text != plain.text
        assert "left half" in changed.text
