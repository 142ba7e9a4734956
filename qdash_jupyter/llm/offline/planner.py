"""`OfflinePlanner`: fixed plans behind the door of a language model, through the same loop and tools."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from qdash_jupyter.domain.analysis import (
    ERROR,
    NAMED,
    NOTE,
    RESULT,
    data_of,
    is_context,
    is_ours,
    situation_in,
    text_of,
)
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import is_attached
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.offline.accounting import left_out_words, refusal, unheeded
from qdash_jupyter.llm.offline.beside_cells import of_failed_cell, of_named
from qdash_jupyter.llm.offline.clarifying import ClarifyingQuestion, chip_asked, completed
from qdash_jupyter.llm.offline.follow_up import followed
from qdash_jupyter.llm.offline.operations import OPERATIONS, Operation
from qdash_jupyter.llm.offline.operations.reliable import NOT_LEFT_OUT
from qdash_jupyter.llm.offline.operations.values import flag_words
from qdash_jupyter.llm.offline.phrases import WHY
from qdash_jupyter.llm.offline.plan import CODE, CallOutcome, CodeFailed, Finding, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.reader import read
from qdash_jupyter.llm.offline.reading import reading
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, sentences, with_minus_signs

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_AT_QUBIT = re.compile(r"(?<![\w@./`])@(?=q(?:ubit)?[\s_]?\d)", re.IGNORECASE)
"""The sign by which the panel names a qubit: `@Q07` is Q07."""
_MOST_ASKED_BACK = 4
"""Earlier questions that are looked at: one that was asked back about stays open for so many."""

_ENDS_IN_QUESTION = re.compile(r'[?\uFF1F]", "chart": null')
"""In the JSON of an answer: only such a one may have been a question back."""


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A question of the user, what the calls since then gave, and the data of the analysis that it asks for: none of
    a cell; None where it is another question.
    """

    question: str
    tools: Sequence[str]
    outcomes: Sequence[CallOutcome]
    analysed: dict[str, Any] | None
    answer: str
    now: datetime
    """When it was asked, as the database counts."""
    cooldown: datetime | None
    """When the chip's current cool-down began."""
    named: dict[str, Any] | None = None
    """What the user's variables are that the question names."""


class OfflinePlanner:
    """Answers the common questions without a language model. The same conversation gives the same reply."""

    def __init__(self, metrics: MetricTable | None = None) -> None:
        """`metrics` hold the lab's thresholds."""
        self._metrics = metrics or MetricTable()

    @property
    def card(self) -> ModelCard:
        """Says that this is no language model."""
        return ModelCard(
            "offline planner (no language model)",
            Message("this-kernel"),
            is_language_model=False,
            title=Message("offline-planner"),
        )

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """The next calls of the plan, or its answer."""
        await asyncio.sleep(0)  # a place to cancel at, as every model's reply has
        exchanges = _exchanges(request.items, request.failures)
        query, step = self._step(exchanges, request.language)
        if not request.tools and exchanges[-1].analysed is None:
            # Without tools the loop wants an answer now; the plan is not at its end, and half a plan answers nothing.
            step = Finding(query.say(Message("plan-out-of-rounds")))
        elif not isinstance(step, Finding) and any(call.tool == CODE for call in step) and not _runs_code(request):
            step = Finding(query.say(Message("plan-no-code")))
        if isinstance(step, Finding):
            analysed = exchanges[-1].analysed
            known = (analysed is not None and ERROR not in analysed) or query.asked is not Asked.UNKNOWN
            answers = known and not isinstance(step, ClarifyingQuestion)
            method = Message("plan-whole-method") if CODE in exchanges[-1].tools else ""
            note = query.say(sentences(Message("plan-answered-by"), method))
            text = _answer_json(step, f"\n\n*{note}*" if answers else "")
            yield TextDelta(text)
            said = [{"type": "output_text", "text": text}]
            yield Reply(text=text, items=({"type": "message", "role": "assistant", "content": said},))
            return
        calls_before = sum(item.get("type") == "function_call" for item in request.items)
        calls = tuple(
            ToolCall(f"call_{calls_before + index}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
            for index, call in enumerate(step, start=1)
        )
        items = tuple(
            {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            for call in calls
        )
        yield Reply(text="", calls=calls, items=items)

    async def close(self) -> None:
        """Nothing to give back."""

    def _step(
        self, exchanges: Sequence[_Exchange], language: str | None
    ) -> tuple[Query, Sequence[PlannedCall] | Finding]:
        """What is asked now, and the next step towards its answer.

        Earlier exchanges are read, too: a question may lean on the one before. Where one ended in a question of ours,
        it is replayed: the user's next words may be the answer to that, and then complete what they had asked.
        """
        before: Query | None = None
        asked: tuple[str, ClarifyingQuestion] | None = None
        for exchange in exchanges[-_MOST_ASKED_BACK:]:
            question = _AT_QUBIT.sub("", exchange.question)
            reply = completed(before, asked[1], question) if asked is not None and before is not None else None
            if reply is not None and asked is not None:
                query, question = reply, f"{asked[0]} {question}"
            else:
                query = read(question, _language(exchange, language), exchange.now, cooldown=exchange.cooldown)
                query = (followed(question, before) if before is not None else None) or query
            before, asked = query, None
            if exchange is exchanges[-1]:
                break
            if _ENDS_IN_QUESTION.search(exchange.answer):
                step = self._step_of(query, question, exchange)
                asked = (question, step) if isinstance(step, ClarifyingQuestion) else None
        return query, self._step_of(query, question, exchange)

    def _step_of(self, query: Query, question: str, exchange: _Exchange) -> Sequence[PlannedCall] | Finding:
        if (words := _beside_cells(exchange, query)) is not None:
            return Finding(words)
        if exchange.analysed is not None:
            own = not is_ours(exchange.question)
            return reading(exchange.analysed, query.language, own_question=own)
        operation = OPERATIONS[query.asked]
        missed = unheeded(query, operation)
        if missed.changing and query.asked is not Asked.UNKNOWN:
            return Finding(query.say(refusal(query, missed.changing)))
        step = self._next(operation, query, question, exchange)
        if not isinstance(step, Finding) or isinstance(step, ClarifyingQuestion):
            return step
        parts = [step.text]
        if words := flag_words(exchange.outcomes, query.say, self._metrics):
            parts.append(words)
        if query.why and query.asked not in {Asked.UNKNOWN, Asked.CHANGE}:
            parts.append(query.say(WHY))
        if missed.counts_all and query.asked not in {Asked.UNKNOWN, Asked.CURVE}:
            parts.append(query.say(NOT_LEFT_OUT))
        if missed.others and query.asked is not Asked.UNKNOWN:
            parts.append(query.say(left_out_words(missed.others)))
        return replace(step, text="\n\n".join(parts))

    def _next(
        self, operation: Operation, query: Query, question: str, exchange: _Exchange
    ) -> Sequence[PlannedCall] | Finding:
        plan = operation.plan(query, self._metrics, question)
        tools, left = list(exchange.tools), list(exchange.outcomes)
        try:
            calls = next(plan)
            # Calls that the plan did not ask for were made by a model that answered this question.
            while len(left) >= len(calls) and tools[: len(calls)] == [call.tool for call in calls]:
                given, left, tools = left[: len(calls)], left[len(calls) :], tools[len(calls) :]
                if (asking := chip_asked(given, query.language)) is not None:
                    return asking
                calls = plan.send(given)
        except StopIteration as end:
            finding: Finding = end.value
            return finding
        except CodeFailed as failure:
            return Finding(query.say(Message("plan-code-failed", why=failure.why)))
        except PlanFailed as failure:
            return Finding(query.say(failure.why))
        return [_about_chip(call, query) for call in calls]


def _beside_cells(exchange: _Exchange, query: Query) -> str | None:
    """What is said of the user's own cells and variables; None where the question is of neither."""
    analysed = exchange.analysed
    if analysed is not None and ERROR in analysed:
        return of_failed_cell(analysed[ERROR], query.say)
    if exchange.named:
        return of_named(exchange.question, exchange.named, query.say)
    return query.say(Message("plan-not-for-cells")) if analysed is not None and RESULT not in analysed else None


def _about_chip(call: PlannedCall, query: Query) -> PlannedCall:
    """The call about the chip that the question names."""
    if call.tool == CODE:
        return call
    named = {"chip_id": query.chip_id, "project_id": query.project_id}
    return PlannedCall(call.tool, call.arguments | {name: value for name, value in named.items() if value})


def _runs_code(request: ModelRequest) -> bool:
    """Whether code can be run here."""
    return any(tool.get("name") == CODE for tool in request.tools)


def _exchanges(items: Sequence[JsonObject], failures: Mapping[str, ToolFailure]) -> list[_Exchange]:
    """The questions of the user with what came of each, oldest first."""
    starts = [index for index, item in enumerate(items) if item.get("role") == "user" and not _is_said_by_us(item)]
    times = (_moment(situation_in(items[start]).get("now")) for start in starts)
    # Questions of another client's history were told no time: they are read with the first one that was.
    now = next(filter(None, times), datetime.now(UTC))
    found, cooldown, named = [], None, None
    for start, end in zip(starts, [*starts[1:], len(items)], strict=True):
        between = items[start:end]
        known = failures if end == len(items) else {}
        told = situation_in(items[start])  # only what is new is told again
        now = _moment(told.get("now")) or now
        cooldown = _moment(told.get("cooldown")) if "cooldown" in told else cooldown
        named = told.get(NAMED, named)
        found.append(
            _Exchange(
                text_of(items[start]),
                [item["name"] for item in between if item.get("type") == "function_call"],
                [_outcome(item, known) for item in between if item.get("type") == "function_call_output"],
                data_of(items[start - 1]) if start and is_context(items[start - 1]) else None,
                "".join(_text(item) for item in between if item.get("role") == "assistant"),
                now,
                cooldown,
                named,
            )
        )
    return found


def _moment(told: Any) -> datetime | None:
    """The first moment in what the situation says."""
    found = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", str(told))
    return None if found is None else datetime.strptime(f"{found[0]}+0000", "%Y-%m-%d %H:%M%z")


def _language(exchange: _Exchange, now: str | None) -> Language:
    """The language of an answer that was given; for the question that is open, that of the request."""
    if now is not None and not exchange.answer:
        return "ja" if now == "ja" else "en"
    return "ja" if _JAPANESE.search(exchange.answer or exchange.question) else "en"


def _outcome(item: JsonObject, failures: Mapping[str, ToolFailure]) -> CallOutcome:
    try:
        content = json.loads(item["output"])
    except (TypeError, ValueError):  # not ours: what another model was told
        content = None
    content = content if isinstance(content, dict) else {"error": str(item["output"])}
    return CallOutcome(content, failures.get(item.get("call_id", "")))


def _is_said_by_us(item: JsonObject) -> bool:
    """Whether a user message is the context of an analysis, or the loop's own note that it is time to answer."""
    return is_context(item) or is_attached(item) or text_of(item).startswith(NOTE)


def _text(item: JsonObject) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content or ())


def _answer_json(finding: Finding, note: str) -> str:
    blocks = [{"type": "text", "content": with_minus_signs(finding.text) + note, "chart": None}]
    offered = {"choices": finding.replies} if isinstance(finding, ClarifyingQuestion) and finding.choices else {}
    return json.dumps({"blocks": blocks, "assessment": finding.assessment, **offered}, ensure_ascii=False)
