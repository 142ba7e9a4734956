"""The events of one streamed response, read into deltas and, at the end, one `Reply`.

Events are plain JSON values, read by their `type`: types that this version (or the SDK) does not know are passed over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.client import Reply


@dataclass(frozen=True, slots=True)
class Closing:
    """How the stream ended: `reason` says why it is incomplete, `code` and `message` why it failed."""

    kind: Literal["completed", "incomplete", "failed"]
    reason: str = ""
    code: str = ""
    message: str = ""


class ReplyReader:
    """Reads events one by one; `closing` is set by the event that ends the response."""

    def __init__(self) -> None:
        self.closing: Closing | None = None
        self._done: list[tuple[int, JsonObject]] = []
        self._output: list[JsonObject] = []
        self._deltas: list[str] = []
        self._usage = Usage()

    def read(self, event: Any) -> TextDelta | ReasoningDelta | None:
        """Take in one event; the delta in it, if it holds one."""
        match event:
            case {"type": "response.output_text.delta" | "response.refusal.delta", "delta": str(delta)} if delta:
                self._deltas.append(delta)
                return TextDelta(delta)
            case {"type": "response.reasoning_summary_text.delta", "delta": str(delta)} if delta:
                return ReasoningDelta(delta)
            case {"type": "response.reasoning_summary_part.added", "summary_index": index} if index:
                return ReasoningDelta("\n\n")  # summaries are paragraphs, and say nothing of it in their text
            case {"type": "response.output_item.done", "item": dict(item)}:
                # Only this event holds an item for sure in full: the encrypted reasoning in `.added` may be cut off.
                index = event.get("output_index")
                self._done.append((len(self._done) if index is None else index, _plain(item)))
            case {"type": "response.completed"}:
                self._take_response(event)
                self.closing = Closing("completed")
            case {"type": "response.incomplete"}:
                details = self._take_response(event).get("incomplete_details") or {}
                self.closing = Closing("incomplete", reason=details.get("reason") or "")
            case {"type": "response.failed"}:
                self._fail((event.get("response") or {}).get("error") or {})
            case {"type": "error"}:
                self._fail(event)
            case _:
                pass
        return None

    def reply(self, requests: int) -> Reply | None:
        """The finished reply; None where the response was broken off and nothing in it is of use."""
        items = self._items()
        if self.closing is not None and self.closing.kind == "incomplete":
            items = _usable(items)
        text = _text_of(items)
        if not text and self._deltas and not any(item.get("type") == "message" for item in items):
            # A server that streams text and reports no items: make the item, so that the model remembers what it said.
            text = "".join(self._deltas)
            content = [{"type": "output_text", "text": text, "annotations": []}]
            items.append({"type": "message", "role": "assistant", "content": content})
        calls = tuple(
            ToolCall(str(item.get("call_id") or item.get("id") or ""), str(item.get("name") or ""), _arguments(item))
            for item in items
            if item.get("type") == "function_call"
        )
        if self.closing is not None and self.closing.kind == "incomplete" and not text and not calls:
            return None
        usage = Usage(self._usage.input_tokens, self._usage.output_tokens, requests)
        return Reply(text=text, calls=calls, items=tuple(items), usage=usage)

    def _take_response(self, event: JsonObject) -> JsonObject:
        response: JsonObject = event.get("response") or {}
        self._output = [_plain(item) for item in response.get("output") or ()]
        usage = response.get("usage") or {}
        self._usage = Usage(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0)
        return response

    def _fail(self, error: JsonObject) -> None:
        self.closing = Closing("failed", code=str(error.get("code") or ""), message=str(error.get("message") or ""))

    def _items(self) -> list[JsonObject]:
        done = [item for _, item in sorted(self._done, key=lambda pair: pair[0])]
        if len(self._output) <= len(done):
            return done
        # Some servers leave `.done` events out. What they did send is taken from there (see above).
        seen = {_identity(item): item for item in done}
        return [seen.get(_identity(item), item) for item in self._output]


def _plain(item: JsonObject) -> JsonObject:
    """An item as it came, without what it and its parts give as null: servers do not take that back."""
    return {
        key: [_plain(part) if isinstance(part, dict) else part for part in value] if isinstance(value, list) else value
        for key, value in item.items()
        if value is not None
    }


def _identity(item: JsonObject) -> tuple[Any, Any]:
    return item.get("type"), item.get("call_id") or item.get("id")


def _usable(items: list[JsonObject]) -> list[JsonObject]:
    """The items of a broken-off response without calls that are cut short, and without reasoning that led to them."""
    kept = [item for item in items if item.get("type") != "function_call" or _is_whole(item)]
    while kept and kept[-1].get("type") == "reasoning":  # the API refuses reasoning that nothing follows
        kept.pop()
    return kept


def _is_whole(call: JsonObject) -> bool:
    if call.get("status") in {"incomplete", "in_progress"}:
        return False
    try:
        json.loads(_arguments(call))
    except ValueError:
        return False
    return True


def _arguments(call: JsonObject) -> str:
    """The arguments as text, which is what the API promises; some servers send the object itself."""
    arguments = call.get("arguments") or ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _text_of(items: list[JsonObject]) -> str:
    messages = [item for item in items if item.get("type") == "message"]
    # Newer models mark remarks made on the way (`commentary`) and the answer; the answer is then what counts.
    answers = [item for item in messages if item.get("phase") == "final_answer"]
    return "".join(
        part.get("text") or part.get("refusal") or ""
        for item in answers or messages
        for part in item.get("content") or ()
    )
