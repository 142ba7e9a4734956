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
                if event.delta:
                    self._deltas.append(event.delta)
                    return TextDelta(event.delta)
            case "response.reasoning_summary_text.delta":
                return ReasoningDelta(event.delta) if event.delta else None
            case "response.reasoning_summary_part.added" if getattr(event, "summary_index", 0):
                return ReasoningDelta("\n\n")  # summaries are paragraphs, and say nothing of it in their text
            case "response.output_item.done":
                # Only this event holds an item for sure in full: the encrypted reasoning in `.added` may be cut off.
                index = getattr(event, "output_index", None)
                self._done.append((len(self._done) if index is None else index, _plain(event.item)))
            case "response.completed":
                self._take_response(event.response)
                self.closing = Closing("completed")
            case "response.incomplete":
                self._take_response(event.response)
                details = getattr(event.response, "incomplete_details", None)
                self.closing = Closing("incomplete", reason=getattr(details, "reason", None) or "")
            case "response.failed":
                self._fail(getattr(event.response, "error", None))
            case "error":
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

    def _take_response(self, response: Any) -> None:
        self._output = [_plain(item) for item in getattr(response, "output", None) or ()]
        usage = getattr(response, "usage", None)
        self._usage = Usage(getattr(usage, "input_tokens", 0) or 0, getattr(usage, "output_tokens", 0) or 0)

    def _fail(self, error: Any) -> None:
        code, message = getattr(error, "code", None), getattr(error, "message", None)
        self.closing = Closing("failed", code=str(code or ""), message=str(message or ""))

    def _items(self) -> list[JsonObject]:
        done = [item for _, item in sorted(self._done, key=lambda pair: pair[0])]
        if len(self._output) <= len(done):
            return done
        # Some servers leave `.done` events out. What they did send is taken from there (see above).
        seen = {_identity(item): item for item in done}
        return [seen.get(_identity(item), item) for item in self._output]


def _plain(item: Any) -> JsonObject:
    """An item as JSON values, as it came: what the server did not send is not added, and null is left out."""
    if isinstance(item, dict):
        return {key: value for key, value in item.items() if value is not None}
    # Without `warnings=False` pydantic would warn about items that newer servers send and this SDK does not know.
    plain: JsonObject = item.to_dict(mode="json", exclude_none=True, warnings=False)
    return plain


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
