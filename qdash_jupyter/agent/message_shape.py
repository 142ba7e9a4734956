"""A conversation that comes from elsewhere: its shape, `(System)? (User Assistant)* User`, and calls packed into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.messages.message import Message, Text

_SYSTEM = {"system", "developer"}
_SPEAKERS = {"user", "assistant"}


@dataclass(frozen=True, slots=True)
class ShapeViolation:
    """What is wrong, and at which message (from 0)."""

    place: int
    message: Text

    def __str__(self) -> str:
        return f"message {self.place}: {self.message}"


def shape_violations(messages: Sequence[Any]) -> list[ShapeViolation]:
    """All that is wrong; none of a conversation that ends with a question."""
    spoken = [(place, role) for place, role in enumerate(map(_role, messages)) if role in _SPEAKERS]
    found = unreadable(messages)
    wanted = "user"
    for place, role in spoken:
        if role != wanted:
            found.append(ShapeViolation(place, Message("shape-out-of-order", wanted=wanted, role=role)))
        wanted = "assistant" if role == "user" else "user"
    if not spoken or spoken[-1][1] != "user":
        found.append(ShapeViolation(max(len(messages) - 1, 0), Message("shape-no-question")))
    return sorted(found, key=lambda one: one.place)


def unreadable(messages: Sequence[Any]) -> list[ShapeViolation]:
    """What is wrong with each message by itself, whatever their order.

    Calls of tools and their results are made here: they never come from outside, unless packed (`expanded`).
    """
    found: list[ShapeViolation] = []
    for place, message in enumerate(messages):
        role = _role(message)
        if role == "tool":
            found.append(ShapeViolation(place, Message("shape-calls-from-outside")))
        elif role not in _SYSTEM | _SPEAKERS:
            found.append(
                ShapeViolation(place, Message("shape-unknown-role", role=role) if role else Message("shape-no-role"))
            )
        elif role in _SYSTEM and place > 0:
            found.append(ShapeViolation(place, Message("shape-late-system")))
    return found


def _role(message: Any) -> str:
    if not isinstance(message, dict):
        return ""
    if message.get("type") in {"function_call", "function_call_output"} or message.get("tool_calls"):
        return "tool"
    role = message.get("role")
    return role if isinstance(role, str) else ""


def expanded(items: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """The items, with each packed call and its output before the answer that they led to. Half of a pair is left out,
    as a model's server would refuse it.
    """
    for item in items:
        packed = _packed(item)
        if packed is None:
            yield item
            continue
        outputs = {each.get("tool_call_id"): each.get("content") for each in packed if each.get("role") == "tool"}
        for call in (call for each in packed for call in each.get("tool_calls") or () if isinstance(call, dict)):
            call_id, function = call.get("id"), call.get("function")
            if isinstance(call_id, str) and isinstance(function, dict) and isinstance(outputs.get(call_id), str):
                arguments = function.get("arguments") or "{}"
                named = {"name": str(function.get("name")), "arguments": str(arguments)}
                yield {"type": "function_call", "call_id": call_id, **named}
                yield {"type": "function_call_output", "call_id": call_id, "output": outputs[call_id]}
        yield {name: value for name, value in item.items() if name != "custom_content"}


def _packed(item: JsonObject) -> list[dict[str, Any]] | None:
    match item:
        case {"custom_content": {"state": {"tool_execution_history": list(packed)}}}:
            return [each for each in packed if isinstance(each, dict)]
    return None
