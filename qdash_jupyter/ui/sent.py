"""`%copilot sent N`: exactly what went out to the model in a turn, foldable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from qdash_jupyter.domain.chart_bundle import Bundle
from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.display import markdown


def turn_meant(turns: Sequence[Turn], words: str) -> tuple[int, Turn]:
    """The turn of that number (1 is the first) and its number; the last one where there is none.

    Raises:
        PersonError: there is no such turn.
    """
    number = int(words) if words.isascii() and words.isdigit() else (len(turns) if not words else 0)
    if not turns:
        raise PersonError(Message("nothing-asked"), Message("nothing-asked-hint"))
    if not 1 <= number <= len(turns):
        raise PersonError(Message("no-question", text=words), Message("no-question-hint", most=len(turns)))
    return number, turns[number - 1]


def sent_bundle(turn: Turn, number: int) -> Bundle:
    """Each request of the turn with its instructions, items, tools and answer schema. Headers, and with them keys, are
    no part of a request here.
    """
    if turn.requests is None:
        return markdown(Message("requests-not-kept", number=number))
    if not turn.requests:
        return markdown(Message("sent-nothing", number=number))
    count = Message("request-count", count=len(turn.requests))
    model = turn.ledger.model if turn.ledger.is_language_model else Message("offline-planner")
    title = Message("sent-title", number=number, requests=count, model=model).of(reader())
    html, plain = [f"<p><b>{escape(title)}</b></p>"], [title]
    for place, request in enumerate(turn.requests, start=1):
        parts = [(_sized(name, text), _block(text), text) for name, text in _parts(request)]
        head = _sized(Message("sent-request", number=place), "".join(text for *_, text in parts))
        html.append(_folded(head, "".join(_folded(name, block) for name, block, _ in parts)))
        plain.extend([f"--- {head}", *(f"{name}\n{text}" for name, _, text in parts)])
    return {"text/html": "\n".join(html), "text/plain": printable("\n\n".join(plain))}


def _sized(what: Message, text: str) -> str:
    """A part with its size, in the reader's language."""
    return Message("sent-size", what=what, size=Message("panel-format-characters", n=len(text))).of(reader())


def _parts(request: ModelRequest) -> list[tuple[Message, str]]:
    items, tools = list(request.items), list(request.tools)
    return [
        (Message("sent-part", part="instructions", count=1), request.instructions),
        (Message("sent-part", part="items", count=len(items)), _pretty(items)),
        (Message("sent-part", part="tools", count=len(tools)), _pretty(tools)),
        (Message("sent-part", part="schema", count=1), _pretty(request.answer_schema)),
    ]


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace").decode()


def _folded(summary: str, inner: str) -> str:
    return f'<details style="margin-left: 1em"><summary>{escape(summary)}</summary>{inner}</details>'


def _block(text: str) -> str:
    return f'<pre style="white-space: pre-wrap">{escape(text)}</pre>'
