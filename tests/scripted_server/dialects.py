"""The events of a streamed response as other servers send them: each is what OpenAI would send, changed.

Where a server's own code or reports about it were not read, its dialect is harder than it is likely to be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from openai import BaseModel

from .turns import Raw, Script, Step, sse, written

Event: TypeAlias = dict[str, Any]
Dialect: TypeAlias = Callable[[Sequence[Event]], Iterator[Event]]


def spoken(script: Script, dialect: Dialect) -> Script:
    """The script in this dialect; what is no event stays at the end."""
    events = [json.loads(written(step)) for step in script.steps if isinstance(step, BaseModel)]
    steps: tuple[Step, ...] = tuple(Raw(sse(each["type"], json.dumps(each))) for each in dialect(events))
    return replace(script, steps=(*steps, *(step for step in script.steps if not isinstance(step, BaseModel))))


def openai(events: Sequence[Event]) -> Iterator[Event]:
    """As it is."""
    yield from events


def azure(events: Sequence[Event]) -> Iterator[Event]:
    """With what its filters say, and padding in each delta."""
    for event in events:
        padded = {"obfuscation": "xA9"} if event["type"].endswith(".delta") else {}
        yield event | padded | ({"content_filters": []} if "response" in event else {})


def vllm(events: Sequence[Event]) -> Iterator[Event]:
    """A call has no id in its last event, and another `call_id` in the response's own list; reasoning comes as text."""
    for event in _reasoning_as_text(events):
        if event["type"] == "response.output_item.done" and event["item"]["type"] == "function_call":
            yield event | {"item": event["item"] | {"id": None}}
        elif "response" in event:
            yield _closed(event, lambda item: item | {"id": f"new_{item['id']}", "call_id": f"new_{item['call_id']}"})
        else:
            yield event


def sglang(events: Sequence[Event]) -> Iterator[Event]:
    """Of calls only the response's own list tells."""
    called = {each["output_index"] for each in events if each.get("item", {}).get("type") == "function_call"}
    yield from (each for each in _reasoning_as_text(events) if each.get("output_index") not in called)


def ollama(events: Sequence[Event]) -> Iterator[Event]:
    """A call comes whole: its arguments in one piece, and the response's own list is empty."""
    for event in _reasoning_as_text(events):
        match event["type"]:
            case "response.function_call_arguments.delta":
                pass
            case "response.function_call_arguments.done":
                delta = {"type": "response.function_call_arguments.delta", "delta": event["arguments"]}
                yield {name: each for name, each in event.items() if name != "arguments"} | delta
                yield event
            case "response.completed" | "response.incomplete":
                yield event | {"response": event["response"] | {"output": []}}
            case _:
                yield event


def llama_cpp(events: Sequence[Event]) -> Iterator[Event]:
    """No places. A call has no id when it begins; its pieces name its `call_id`; parallel calls begin before any ends,
    and none of them is told to be done but in the response's own list.
    """
    calls = {each["item"]["id"]: each["item"]["call_id"] for each in events if _is_of_call(each) and "item" in each}
    last: list[Event] = []
    for event in _reasoning_as_text(events):
        told = {name: each for name, each in event.items() if name != "output_index"}
        if not _is_of_call(event):
            yield from (() if "response" not in event else last)
            yield told
        elif event["type"].endswith(".delta"):
            last.append(told | {"item_id": calls[event["item_id"]]})
        elif event["type"].endswith(".added"):
            yield told | {"item": {name: each for name, each in event["item"].items() if name != "id"}}


def litellm(events: Sequence[Event]) -> Iterator[Event]:
    """All items are at place 0, and a call has another id in its last event than in the first."""
    for event in events:
        placed = event | ({"output_index": 0} if "output_index" in event else {})
        if event["type"] == "response.output_item.done" and event["item"]["type"] == "function_call":
            placed |= {"item": event["item"] | {"id": f"chatcmpl-{event['item']['id']}"}}
        yield placed


def lm_studio(events: Sequence[Event]) -> Iterator[Event]:
    """A call begins with `{}` for its arguments, without a `call_id`, and its pieces are all that is told of it."""
    for event in _reasoning_as_text(events):
        if not _is_of_call(event):
            yield event if "response" not in event else _closed(event, lambda _: None)
        elif event["type"].endswith(".added"):
            begun = {name: each for name, each in event["item"].items() if name != "call_id"}
            yield event | {"item": begun | {"arguments": "{}"}}
        elif event["type"].endswith(".delta"):
            yield event


def _is_of_call(event: Event) -> bool:
    return "function_call_arguments" in event["type"] or event.get("item", {}).get("type") == "function_call"


def _reasoning_as_text(events: Sequence[Event]) -> Iterator[Event]:
    """Servers of open models send the reasoning itself, no summary of it."""
    for event in events:
        if event["type"] == "response.reasoning_summary_text.delta":
            yield event | {"type": "response.reasoning_text.delta", "content_index": 0}
        elif event["type"] != "response.reasoning_summary_part.added":
            yield event


def _closed(event: Event, change: Callable[[Event], Event | None]) -> Event:
    """The last event, with another list of calls."""
    items = [change(each) if each["type"] == "function_call" else each for each in event["response"]["output"]]
    return event | {"response": event["response"] | {"output": [each for each in items if each is not None]}}


DIALECTS: dict[str, Dialect] = {
    "OpenAI": openai,
    "Azure": azure,
    "vLLM": vllm,
    "SGLang": sglang,
    "Ollama": ollama,
    "llama.cpp": llama_cpp,
    "LiteLLM": litellm,
    "LM Studio": lm_studio,
}
