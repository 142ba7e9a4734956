"""The scripts of `turns` as a Chat Completions server says them: chunks of the SDK's own types, or one completion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from openai.types.chat import ChatCompletion, ChatCompletionChunk

from .turns import Raw, Script, Step

DONE = Raw(b"data: [DONE]\n\n")

_FINISH = {"max_output_tokens": "length", "content_filter": "content_filter"}


@dataclass(frozen=True)
class Manner:
    """How a server says it."""

    ids: Literal["own", "none", "same"] = "own"
    """Whether calls have ids, and whether each has its own."""
    one_index: bool = False
    """All calls have the index 0."""
    whole_calls: bool = False
    """Each call comes in one chunk."""
    reasoning: str = "reasoning_content"
    usage: Literal["asked", "always", "never"] = "asked"
    calls_end_with: str = "tool_calls"
    finish: bool = True
    done: bool = True


def as_chat(script: Script, manner: Manner | None = None, body: dict[str, Any] | None = None) -> Script:
    """The same script, whose steps are chunks. One that is made of chunks already stays as it is."""
    if any(isinstance(step, ChatCompletionChunk) for step in script.steps):
        return script
    return replace(script, steps=tuple(_Speaker(manner or Manner(), body or {}).chunks(script)))


def completion_of(script: Script) -> dict[str, Any]:
    """What a request without `stream` gets."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    calls: dict[int, dict[str, Any]] = {}
    finish, usage = "stop", None
    for step in as_chat(script, Manner(usage="always")).steps:
        if not isinstance(step, ChatCompletionChunk):
            continue
        chunk: dict[str, Any] = step.to_dict()
        usage = chunk.get("usage") or usage
        for choice in chunk["choices"]:
            finish = choice.get("finish_reason") or finish
            for name, value in choice["delta"].items():
                if name == "tool_calls":
                    for piece in value:
                        call = calls.setdefault(piece["index"], {"type": "function", "function": {"arguments": ""}})
                        call |= {"id": piece["id"]} if "id" in piece else {}
                        call["function"] |= {"name": piece["function"]["name"]} if "name" in piece["function"] else {}
                        call["function"]["arguments"] += piece["function"].get("arguments", "")
                elif name != "role":
                    message[name] = (message.get(name) or "") + value
    if calls:
        message["tool_calls"] = list(calls.values())
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    fields = {"id": "c", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}
    return ChatCompletion.model_validate(fields | {"usage": usage}).to_dict()


class _Speaker:
    def __init__(self, manner: Manner, body: dict[str, Any]) -> None:
        self.manner = manner
        asked = bool((body.get("stream_options") or {}).get("include_usage"))
        self.with_usage = manner.usage == "always" or (manner.usage == "asked" and (asked or not body))
        self.fields = {
            "response.output_text.delta": "content",
            "response.refusal.delta": "refusal",
            "response.reasoning_summary_text.delta": manner.reasoning,
        }
        self.calls: dict[int, int] = {}

    def chunks(self, script: Script) -> Iterator[Step]:
        for step in script.steps:
            kind = getattr(step, "type", None)
            if kind is None:
                yield step
            else:
                yield from self.said(kind, step)

    def said(self, kind: str, event: Any) -> Iterator[Step]:
        match kind:
            case "response.created":
                yield _chunk({"role": "assistant", "content": ""})
            case kind if kind in self.fields:
                yield _chunk({self.fields[kind]: event.delta})
            case "response.output_item.added" if event.item.type == "function_call":
                number = self.calls.setdefault(event.output_index, len(self.calls))
                ids = {"own": {"id": event.item.call_id}, "none": {}, "same": {"id": "call_0"}}[self.manner.ids]
                whole = event.item.arguments if self.manner.whole_calls else ""
                function = {"name": event.item.name, "arguments": whole}
                yield self.call(number, {**ids, "type": "function", "function": function})
            case "response.function_call_arguments.delta" if not self.manner.whole_calls:
                yield self.call(self.calls[event.output_index], {"function": {"arguments": event.delta}})
            case "response.completed":
                yield from self.end(self.manner.calls_end_with if self.calls else "stop", event.response)
            case "response.incomplete":
                yield from self.end(_FINISH[event.response.incomplete_details.reason], event.response)
            case "response.failed":
                yield _error(event.response.error.code, event.response.error.message)
            case "error":
                yield _error(event.code, event.message)

    def call(self, number: int, piece: dict[str, Any]) -> Step:
        return _chunk({"tool_calls": [{"index": 0 if self.manner.one_index else number, **piece}]})

    def end(self, reason: str, response: Any) -> Iterator[Step]:
        if self.manner.finish:
            yield _chunk({}, reason)
        if self.with_usage and response.usage is not None:
            counted = response.usage
            usage = {
                "prompt_tokens": counted.input_tokens,
                "completion_tokens": counted.output_tokens,
                "total_tokens": counted.total_tokens,
            }
            yield ChatCompletionChunk.model_validate(_FIELDS | {"choices": [], "usage": usage})
        if self.manner.done:
            yield DONE


_FIELDS = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}


def _chunk(delta: dict[str, Any], finish: str | None = None) -> Step:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return ChatCompletionChunk.model_validate(_FIELDS | {"choices": [choice]})


def _error(code: str, message: str) -> Raw:
    return Raw(f"data: {json.dumps({'error': {'message': message, 'code': code}})}\n\n".encode())
