"""The events of one streamed response, read into deltas and, at the end, one `Reply`.

Events are read by their `type` and attributes: types that this version (or the SDK) does not know are passed over.
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
        match getattr(event, "type", None):
            case "response.output_text.delta" | "response.refusal.delta":
                self._deltas.append(_delta(event))
                return TextDelta(self._deltas[-1]) if self._deltas[-1] else None
            case "response.reasoning_summary_text.delta":
                return ReasoningDelta(delta) if (delta := _delta(event)) else None
            case "response.reasoning_summary_part.added" if getattr(event, "summary_index", 0):
                return ReasoningDelta("\n\n")  # summaries are paragraphs, and say nothing of it in their text
            case "response.output_item.done":
                # Only this event holds an item for sure in full: the encrypted reasoning in `.added` may be cut off.
                index = getattr(event, "output_index", None)
                item = _plain(getattr(event, "item", None))
                self._done.append((len(self._done) if index is None else index, item))
            case "response.completed":
                self._take_response(getattr(event, "response", None))
                self.closing = Closing("completed")
            case "response.incomplete":
                details = self._take_response(getattr(event, "response", None))
                self.closing = Closing("incomplete", reason=getattr(details, "reason", None) or "")
            case "response.failed":
                self._fail(getattr(getattr(event, "response", None), "error", None))
            case "error":
                self._fail(event)
            case _:
                pass
        return None

    def reply(self, requests: int) -> Reply | None:
        """The finished reply; None where the response was broken off and nothing in it is of use."""
        broken_off = self.closing is not None and self.closing.kind == "incomplete"
        items = [
            item
            for item in self._items()
            if item.get("type") != "function_call" or _is_call(item, broken_off=broken_off)
        ]
        text = _text_of(items)
        if not text and any(self._deltas) and not any(item.get("type") == "message" for item in items):
            # A server that streams text and reports no items: make the item, so that the model remembers what it said.
            text = "".join(self._deltas)
            content = [{"type": "output_text", "text": text, "annotations": []}]
            items.append({"type": "message", "role": "assistant", "content": content})
        while items and items[-1].get("type") == "reasoning":  # the API refuses reasoning that nothing follows
            items.pop()
        calls = tuple(
            ToolCall(str(item.get("call_id") or item.get("id") or ""), str(item.get("name") or ""), _arguments(item))
            for item in items
            if item.get("type") == "function_call"
        )
        if broken_off and not text and not calls:
            return None
        usage = Usage(self._usage.input_tokens, self._usage.output_tokens, requests)
        cut_short = (self.closing.reason or "no reason given") if self.closing is not None and broken_off else ""
        return Reply(text=text, calls=calls, items=tuple(items), usage=usage, cut_short=cut_short)

    def _take_response(self, response: Any) -> Any:
        """Its output and usage; gives what it says of being incomplete."""
        self._output = [plain for item in getattr(response, "output", None) or () if (plain := _plain(item))]
        usage = getattr(response, "usage", None)
        self._usage = Usage(getattr(usage, "input_tokens", 0) or 0, getattr(usage, "output_tokens", 0) or 0)
        return getattr(response, "incomplete_details", None)

    def _fail(self, error: Any) -> None:
        code, message = getattr(error, "code", None), getattr(error, "message", None)
        self.closing = Closing("failed", code=str(code or ""), message=str(message or ""))

    def _items(self) -> list[JsonObject]:
        done = [item for _, item in sorted(self._done, key=lambda pair: pair[0]) if item]
        if len(self._output) <= len(done):
            return done
        # Some servers leave `.done` events out. What they did send is taken from there (see above).
        seen = {_identity(item): item for item in done}
        return [seen.get(_identity(item), item) for item in self._output]


def _delta(event: Any) -> str:
    delta = getattr(event, "delta", None)
    return delta if isinstance(delta, str) else ""


def _plain(item: Any) -> JsonObject:
    """An item as JSON values, as it came: what the server did not send is not added, and null is left out.

    Empty for what is no item.
    """
    if isinstance(item, dict):
        return {key: value for key, value in item.items() if value is not None}
    if not hasattr(item, "to_dict"):
        return {}
    # Without `warnings=False` pydantic would warn about items that newer servers send and this SDK does not know.
    plain: JsonObject = item.to_dict(mode="json", exclude_none=True, warnings=False)
    return plain


def _identity(item: JsonObject) -> tuple[Any, Any]:
    return item.get("type"), item.get("call_id") or item.get("id")


def _is_call(item: JsonObject, *, broken_off: bool) -> bool:
    """Whether this is a call of something, and not cut short with the response that was broken off."""
    if not item.get("name"):
        return False
    if not broken_off:
        return True
    if item.get("status") in {"incomplete", "in_progress"}:
        return False
    try:
        json.loads(_arguments(item))
    except (ValueError, RecursionError):
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
        part if isinstance(part, str) else part.get("text") or part.get("refusal") or ""
        for item in answers or messages
        for part in item.get("content") or ()  # some servers send it as a text: its characters
    )
