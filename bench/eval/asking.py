"""Asks the questions through the public way, one conversation a question, and keeps what came of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import qdash_jupyter
from eval.judge import Judged, judge
from eval.questions.item import Question
from eval.reading import Reading
from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.errors import PersonError
from qdash_jupyter.session.copilot import Copilot


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what was answered, and what that is worth."""

    question: Question
    reading: Reading
    judged: Judged
    seconds: float
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    failure: str = ""


def opened(snapshot: Path) -> Copilot:
    """A copilot on a chip, with the model of the settings: `QDASH_COPILOT_MODEL` names one."""
    settings: dict[str, Any] = {"database": {"snapshot": str(snapshot), "mongo_uri": None}, "history": False}
    return qdash_jupyter.open_copilot(settings=settings)


def asked(copilot: Copilot, questions: Sequence[Question]) -> Iterator[Asked]:
    """Ask them one after the other."""
    for question in questions:
        copilot.new()
        begun = perf_counter()
        answers: list[Answer] = []
        failure = ""
        for words in (*question.before, question.asked):
            try:
                answers.append(copilot.ask(words))
            except PersonError as error:
                failure = str(error)
        reading = read(answers[-1]) if answers and not failure else Reading(f"I cannot answer: {failure}")
        usage = [answer.usage for answer in answers]
        yield Asked(
            question,
            reading,
            judge(question.fact, reading, question.asked),
            perf_counter() - begun,
            sum(one.requests for one in usage),
            sum(one.input_tokens for one in usage),
            sum(one.output_tokens for one in usage),
            failure,
        )


def read_answer(copilot: Copilot, words: str) -> Reading:
    """The answer to one question in a conversation of its own."""
    copilot.new()
    try:
        return read(copilot.ask(words))
    except PersonError as error:
        return Reading(f"I cannot answer: {error}")


def read(answer: Answer) -> Reading:
    """An answer as the judge reads it."""
    return Reading(answer.text, [chart.figure() for chart in answer.charts])
