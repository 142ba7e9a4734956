"""What the strictest servers refuse in a conversation that they are sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .turns import HttpError, http_error


def refuses_a_broken_history(body: dict[str, Any]) -> HttpError | None:
    """A `Refuse` for both APIs."""
    flaws = list(_flaws_of_items(body["input"]) if "input" in body else _flaws_of_messages(body["messages"]))
    return http_error(400, f"Invalid history: {flaws[0]}") if flaws else None


def user_texts(body: dict[str, Any]) -> list[str]:
    """What the person, or the loop on its own, said to the model."""
    said = [item for item in body.get("input") or body["messages"] if item.get("role") == "user"]
    contents = [item["content"] for item in said]
    return [content if isinstance(content, str) else content[0]["text"] for content in contents]


def _flaws_of_items(items: Sequence[dict[str, Any]]) -> Iterator[str]:
    waiting: list[str] = []
    for item, following in zip(items, [*items[1:], {}], strict=True):
        kind = item.get("type", "message")
        if kind == "function_call":
            if not (item.get("call_id") and item.get("name") and isinstance(item.get("arguments"), str)):
                yield f"half a function call: {item}"
            waiting.append(item.get("call_id", ""))
        elif kind == "function_call_output" and item["call_id"] in waiting:
            waiting.remove(item["call_id"])
        elif kind == "function_call_output":
            yield f"no tool call found for the output {item['call_id']!r}"
        elif kind == "message" and waiting:
            yield f"no tool output found for {waiting}"
        elif kind == "message" and not item.get("content"):
            yield f"a message without content: {item}"
        elif kind == "reasoning" and not _can_follow_reasoning(following):
            yield "reasoning was provided without its required following item"
    if waiting:
        yield f"no tool output found for {waiting}"


def _can_follow_reasoning(item: dict[str, Any]) -> bool:
    return item.get("type") in {"reasoning", "function_call"} or item.get("role") == "assistant"


def _flaws_of_messages(messages: Sequence[dict[str, Any]]) -> Iterator[str]:
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                yield f"no tool call found for the result {message['tool_call_id']!r}"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield f"no tool message for {waiting}"
        calls = message.get("tool_calls", [])
        waiting = [call["id"] for call in calls]
        if len(set(waiting)) < len(waiting) or not all(waiting):
            yield f"calls need ids of their own: {waiting}"
        for call in calls:
            if not call["function"]["name"] or not isinstance(json.loads(call["function"]["arguments"]), dict):
                yield f"half a tool call: {call}"
        if not message.get("content") and not calls:
            yield f"a message without content: {message}"
    if waiting:
        yield f"no tool message for {waiting}"
