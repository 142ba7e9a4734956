"""Calls of tools that another client has packed into its answers: `custom_content.state.tool_execution_history`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from qdash_jupyter.domain.answer import JsonObject


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
