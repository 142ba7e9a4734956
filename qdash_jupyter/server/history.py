"""A client's history as the past of a conversation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from qdash_jupyter.agent.message_shape import expanded
from qdash_jupyter.agent.parse import parse_answer
from qdash_jupyter.domain.answer import Answer, ChartBlock, JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.events import AnswerReady, StampedEvent
from qdash_jupyter.session.records import Past, PastTurn, TurnBegan


def past_of(history: Sequence[JsonObject]) -> Past:
    """The questions and answers of a history whose shape is right."""
    items: list[JsonObject] = []
    turns: list[PastTurn] = []
    now = datetime.now(UTC)
    for message in expanded(history):
        role = message.get("role")
        if role == "user":
            turns.append(PastTurn(TurnBegan(uuid.uuid4().hex, message["content"], now), (), len(items)))
        elif role == "assistant" and turns:
            answer = _answer_of(message["content"])
            stamped = StampedEvent(turns[-1].began.turn_id, 1, now, AnswerReady(answer))
            turns[-1] = replace(turns[-1], events=(stamped,))
        items += _items_of(message)
    return Past(tuple(turns), tuple(items))


def _items_of(message: JsonObject) -> Iterator[JsonObject]:
    match message:
        case {"type": "function_call" | "function_call_output"}:
            yield message
        case {"role": "assistant", "content": str(content)}:
            part: JsonObject = {"type": "output_text", "text": _said(content), "annotations": []}
            yield {"type": "message", "role": "assistant", "content": [part]}
        case {"role": str(role), "content": str(content)}:
            own = "user" if role == "user" else "developer"
            yield {"type": "message", "role": own, "content": [{"type": "input_text", "text": content}]}


def _answer_of(content: str) -> Answer:
    parsed = parse_answer(content)
    return Answer(blocks=parsed.blocks, assessment=parsed.assessment)


def _said(content: str) -> str:
    """The answer as a model writes it, without the traces of charts, most of which tools have drawn."""
    answer = _answer_of(content)
    if not answer.charts:
        return content
    blocks: list[dict[str, Any]] = [
        {"type": "text", "content": f"(chart shown: {block.title or 'without a title'})", "chart": None}
        if isinstance(block, ChartBlock)
        else {"type": "text", "content": block.content, "chart": None}
        for block in answer.blocks
    ]
    return to_json({"blocks": blocks, "assessment": answer.assessment})
