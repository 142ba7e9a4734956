"""`OfflinePlanner`: fixed plans behind the door of a language model, through the same loop and tools."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from qdash_jupyter.domain.analysis import ASKED, RESULT, data_of, is_context
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.offline.intent import Kind, Language
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans import PLANS
from qdash_jupyter.llm.offline.reading import reading
from qdash_jupyter.llm.offline.recognition import recognise
from qdash_jupyter.llm.offline.words import NOT_A_MODEL, WHOLE_METHOD, WHY

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_OUT_OF_ROUNDS = {
    "en": "This question was not answered: it takes more rounds of tool calls.",
    "ja": "回答できませんでした。ツール呼び出しのラウンド数が足りません。",
}


_NOT_FOR_CELLS: Mapping[Language, str] = {
    "en": "The offline planner cannot read the output of a cell. Choose a language model for that: docs/models.md.",
    "ja": "オフラインプランナーはセルの出力を読めません。言語モデルを選んでください(docs/models.md)。",
}


class OfflinePlanner:
    """Answers the common questions without a language model. The same conversation gives the same reply."""

    def __init__(self, metrics: MetricTable | None = None) -> None:
        """`metrics` hold the lab's thresholds."""
        self._metrics = metrics or MetricTable()

    @property
    def card(self) -> ModelCard:
        """Says that this is no language model."""
        return ModelCard("offline planner (no language model)", "this kernel", is_language_model=False)

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """The next calls of the plan, or its answer."""
        await asyncio.sleep(0)  # a place to cancel at, as every model's reply has
        question, outcomes, calls_before, code_ran = _conversation(request.items)
        language: Language = request.language or ("ja" if _JAPANESE.search(question) else "en")
        analysed = _analysed(request.items)
        step: Sequence[PlannedCall] | Finding
        if analysed is not None and RESULT not in analysed:
            step = Finding(_NOT_FOR_CELLS[language])
        elif analysed is not None:
            step = reading(analysed, language, own_question=not question.startswith(ASKED))
        else:
            # Without tools the loop wants an answer now; the plan is not at its end, and half a plan answers nothing.
            step = self._next(question, language, outcomes) if request.tools else Finding(_OUT_OF_ROUNDS[language])
        if isinstance(step, Finding):
            noted = analysed is not None or recognise(question, language).kind is not Kind.UNKNOWN
            text = _answer_json(step, _note(language, code_ran=code_ran) if noted else "")
            yield TextDelta(text)
            yield Reply(text=text, items=(_message(text),))
            return
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

    def _next(
        self, question: str, language: Language, outcomes: Sequence[CallOutcome]
    ) -> Sequence[PlannedCall] | Finding:
        intent = recognise(question, language)
        plan = PLANS[intent.kind](intent, self._metrics, question)
        left = list(outcomes)
        try:
            calls = next(plan)
            while len(left) >= len(calls):
                given, left = left[: len(calls)], left[len(calls) :]
                calls = plan.send(given)
        except StopIteration as end:
            finding: Finding = end.value
            if intent.why and intent.kind not in {Kind.UNKNOWN, Kind.CHANGE}:
                finding = Finding(f"{finding.text}\n\n{WHY[language]}", finding.assessment)
            return finding
        except PlanFailed as failure:
            return Finding(str(failure))
        return calls


def _conversation(items: Sequence[JsonObject]) -> tuple[str, list[CallOutcome], int, bool]:
    """The last question of the person, the results since then, how many calls there were in all, and whether code ran
    for this question.
    """
    start = _last_question(items)
    outcomes = []
    for item in items[start:]:
        if item.get("type") == "function_call_output":
            content = json.loads(item["output"])
            outcomes.append(CallOutcome(content if isinstance(content, dict) else {"result": content}))
    calls = sum(item.get("type") == "function_call" for item in items)
    code_ran = any(item.get("name") == "execute_python_analysis" for item in items[start:])
    return _text(items[start]), outcomes, calls, code_ran


def _analysed(items: Sequence[JsonObject]) -> dict[str, Any] | None:
    """The data of the analysis that the last question asks for, none of a cell; None where it is another question."""
    start = _last_question(items)
    return data_of(items[start - 1]) if start and is_context(items[start - 1]) else None


def _last_question(items: Sequence[JsonObject]) -> int:
    return max(index for index, item in enumerate(items) if item.get("role") == "user" and not _is_note(item))


def _is_note(item: JsonObject) -> bool:
    """Whether a user message is the loop's own note that it is time to answer."""
    return _text(item).startswith("No more tools:")


def _text(item: JsonObject) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content or ())


def _message(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def _note(language: Language, *, code_ran: bool) -> str:
    return f"\n\n*{NOT_A_MODEL[language]}{WHOLE_METHOD[language] if code_ran else ''}*"


def _answer_json(finding: Finding, note: str) -> str:
    blocks = [{"type": "text", "content": finding.text + note, "chart": None}]
    return json.dumps({"blocks": blocks, "assessment": finding.assessment}, ensure_ascii=False)
