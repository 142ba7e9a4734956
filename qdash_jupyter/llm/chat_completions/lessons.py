"""What a server's refusal teaches about it.

OpenAI names the parameter in a field of its own. Most other servers only say it in words, each in its own, and with
whatever status: these words were read in the sources and reports of Ollama, vLLM, llama.cpp and LiteLLM.
"""

from __future__ import annotations

import re
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.chat_completions.body import REASONING_BACK
from qdash_jupyter.llm.chat_completions.stream import REASONING_FIELDS
from qdash_jupyter.llm.openai_server.capabilities import AnswerFormat, Learned
from qdash_jupyter.llm.openai_server.failures import message_of
from qdash_jupyter.llm.openai_server.refusals import is_refusal, refused_parameter, refused_place

OPTIONAL = (
    "max_completion_tokens",
    "max_tokens",
    "parallel_tool_calls",
    "reasoning_effort",
    "stream_options",
    "temperature",
)
"""Parameters that a request can do without."""

_REFUSING = {400, 404, 422, 500, 501}
_NEXT_FORMAT: dict[AnswerFormat, AnswerFormat] = {"json_schema": "json_object", "json_object": "none"}

_NOT = re.compile(
    r"\b(not|no|un(?:supported|available|implemented)|disabled|cannot|can't|requires?|must be|only|never)\b",
    re.IGNORECASE,
)
_STREAMING = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)
_TOOLS = re.compile(r"\btools?\b|\btool[ _-]?(?:choice|calls?|calling|use)\b|\bfunction[ _-]call", re.IGNORECASE)
_FORMAT = re.compile(
    r"\bresponse_format\b|\bjson_(?:schema|object)\b|\bguided\b|\bstructured outputs?\b|\bgrammar", re.IGNORECASE
)


def lesson_of(error: Exception, body: JsonObject, known: Learned) -> JsonObject | None:
    """The values of `Learned` that change; None where the error is about something else.

    What it changes was in the request, and is not in the next: refusals come to an end.
    """
    if getattr(error, "status_code", None) not in _REFUSING:
        return None
    place = refused_place(error) if is_refusal(error) else ""
    if place:
        return _lesson_of_place(place, body, known)
    if refused := refused_parameter(error, [name for name in OPTIONAL if name in body]):
        return known.without(refused)
    return _lesson_of_words(message_of(error), body, known, in_order=is_refusal(error))


def _lesson_of_place(place: str, body: JsonObject, known: Learned) -> JsonObject | None:
    top = re.split(r"[.\[]", place, maxsplit=1)[0]
    if place.endswith(REASONING_FIELDS) and top == "messages":
        return known.without(REASONING_BACK) if _holds_reasoning(body) else None
    if top in body and top in OPTIONAL:
        return known.without(top)
    if top == "response_format" and top in body:
        return _looser(known)
    # What stands within a tool is a mistake in its schema, and not that the server has no tools.
    if place in {"tools", "tool_choice"} and "tools" in body:
        return {"tools": False}
    return {"streaming": False} if place == "stream" and body.get("stream") else None


def _lesson_of_words(said: str, body: JsonObject, known: Learned, *, in_order: bool) -> JsonObject | None:
    """In words alone; `in_order` is a status with which a server refuses what it understood."""
    if in_order:
        if REASONING_BACK in said and _holds_reasoning(body):
            return known.without(REASONING_BACK)
        # Names with an underscore are unmistakable without quotes too.
        named = next(
            (name for name in OPTIONAL if "_" in name and name in body and re.search(rf"\b{name}\b", said)), None
        )
        if named:
            return known.without(named)
    if not _NOT.search(said):
        return None
    if body.get("stream") and _STREAMING.search(said):
        return {"streaming": False}
    if "response_format" in body and _FORMAT.search(said):
        return _looser(known)
    return {"tools": False} if "tools" in body and _TOOLS.search(said) else None


def _looser(known: Learned) -> JsonObject | None:
    looser = _NEXT_FORMAT.get(known.answer_format)
    return {"answer_format": looser} if looser else None


def _holds_reasoning(body: JsonObject) -> bool:
    messages: list[dict[str, Any]] = body["messages"]
    return any(field in message for message in messages for field in REASONING_FIELDS)
