"""Answers on the real path: a session whose model answers a given query, without a sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any

from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.offline.operations import Ask, plan_of
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, PlanFailed
from qdash_jupyter.llm.offline.query import Asked, Query
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, opened


class GivenQuery:
    """Answers one query, as the planner does: over the results that stand in the conversation."""

    card = ModelCard("a given query", "this process", is_language_model=False)

    def __init__(self, asked: Ask, question: str) -> None:
        self.asked, self.question = asked, question

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        await asyncio.sleep(0)
        outcomes = [
            CallOutcome(json.loads(item["output"]), request.failures.get(item["call_id"]))
            for item in request.items
            if item.get("type") == "function_call_output"
        ]
        step = self.step(outcomes)
        if isinstance(step, Finding):
            blocks = [{"type": "text", "content": step.text, "chart": None}]
            text = json.dumps({"blocks": blocks, "assessment": step.assessment}, ensure_ascii=False)
            yield TextDelta(text)
            message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
            yield Reply(text=text, items=(message,))
            return
        calls = tuple(
            ToolCall(f"call_{len(outcomes) + place}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
            for place, call in enumerate(step)
        )
        items = tuple(
            {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            for call in calls
        )
        yield Reply(text="", calls=calls, items=items)

    def step(self, outcomes: list[CallOutcome]) -> Any:
        plan = plan_of(self.asked, self.question)
        try:
            calls = next(plan)
            while outcomes:
                given, outcomes = outcomes[: len(calls)], outcomes[len(calls) :]
                calls = plan.send(given)
        except StopIteration as end:
            return end.value
        except PlanFailed as failure:
            return Finding(str(failure))
        return calls

    async def close(self) -> None:
        pass


def answered(
    chip: Chip,
    asked: Asked,
    question: str = "A question?",
    language: Any = "en",
    now: datetime | None = None,
    **fields: Any,
) -> AnsweredQuestion:
    """What a query with these fields comes to, asked when the chip's data end."""
    return answer_to(chip, Query(asked, **fields), question, language, now)


def answer_to(
    chip: Chip, query: Query, question: str = "A question?", language: Any = "en", now: datetime | None = None
) -> AnsweredQuestion:
    """What a query comes to."""
    given = GivenQuery(Ask(query, language, MetricTable(), now or chip.made.as_of), question)
    found = ask(opened(chip, model=given, language={"response": language}), question)
    refused = [f"{one.call.name}: {one.failure.message}" for one in found.turn.tool_results if one.failure is not None]
    refused = [words for words in refused if not words.startswith("execute_python_analysis")]
    assert [problem for problem in found.problems if problem not in refused] == []
    return found
