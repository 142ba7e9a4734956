"""A client's history, or an issue's thread, as the past of a conversation."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter

from qdash_jupyter.agent.message_shape import expanded
from qdash_jupyter.agent.parse import parse_answer
from qdash_jupyter.data.records import IssuePost, IssueThread
from qdash_jupyter.domain.answer import Answer, ChartBlock, JsonObject, TextBlock
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.events import AnswerReady, StampedEvent
from qdash_jupyter.session.records import Past, PastTurn, TurnBegan

_UNDATED = datetime.max.replace(tzinfo=UTC)
"""Posts without a date come last."""


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
    shown = (
        TextBlock(f"(chart shown: {block.title or 'without a title'})") if isinstance(block, ChartBlock) else block
        for block in answer.blocks
    )
    return to_json(replace(answer, blocks=tuple(shown)).to_seed_schema())


def thread_messages(thread: IssueThread, kept: Iterable[IssuePost], more: str = "") -> list[JsonObject]:
    """Questions and answers in turn, the last one a question; empty where nobody has asked anything since the last
    answer. `kept` are replies that only this service has, `more` is asked behind the thread.

    Posts of people that follow each other are one question, each behind the name of its author.
    """
    first, *others = thread.posts
    posts = [first, *sorted([*others, *kept], key=lambda post: post.at or _UNDATED)]
    said = [("user", _asked(first, thread.title))]
    said += [("assistant", post.content) if post.is_ai_reply else ("user", _asked(post)) for post in posts[1:]]
    if more and more.strip() != posts[-1].content.strip():  # QDash's page sends what was posted just before
        said.append(("user", more))
    messages = [
        {"role": role, "content": "\n\n".join(text for _, text in together)}
        for role, together in groupby(said, key=itemgetter(0))
    ]
    return messages if messages[-1]["role"] == "user" else []


def _asked(post: IssuePost, title: str = "") -> str:
    heading = f"# {title}\n\n" if title else ""
    return f"{heading}{post.by or 'somebody'}: {post.content}"
