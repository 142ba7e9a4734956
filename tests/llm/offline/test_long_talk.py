"""A question deep in a talk is read with the last ones, and costs what the first did."""

from __future__ import annotations

import asyncio

from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.offline.planner import OfflinePlanner, _exchanges

ASKED = "Which qubits have the worst T1?"


def items(questions: int) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for number in range(questions):
        made += [{"role": "user", "content": f"T1 of Q{number}"}, {"role": "assistant", "content": f"It is {number}."}]
    return [*made, {"role": "user", "content": ASKED}]


def test_only_the_last_questions_are_read() -> None:
    read = _exchanges(items(100), {})
    assert [one.question for one in read] == ["T1 of Q97", "T1 of Q98", "T1 of Q99", ASKED]
    assert [one.question for one in _exchanges(items(1), {})] == ["T1 of Q0", ASKED]


def test_what_it_is_is_said_once_however_long_ago() -> None:
    async def said(earlier: str) -> str:
        talk = items(20)
        talk[1]["content"] = earlier
        return [part async for part in OfflinePlanner().reply(ModelRequest("", talk))][-1].text

    note = "Answered by the offline planner: fixed methods, no language model."
    assert note in asyncio.run(said("It is 0."))
    assert note not in asyncio.run(said(f"It is 0. {note}"))
