"""The events of one streamed response, read into deltas and, at the end, one `Reply`.

Events are plain JSON values, read by their `type`: types that this version (or the SDK) does not know are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from qdash_jupyter.domain.answer import NO_USAGE, JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.openai_server.items import is_json
from qdash_jupyter.llm.responses.items import CALL, StreamedItems, arguments_of, plain


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
        self._items = StreamedItems()
        self._deltas: list[str] = []
        self._usage = NO_USAGE

    def read(self, event: Any) -> TextDelta | ReasoningDelta | None:
        """Take in one event; the delta in it, if it holds one."""
        match event:
            case {"type": "response.output_text.delta" | "response.refusal.delta", "delta": str(delta)} if delta:
                self._deltas.append(delta)
                return TextDelta(delta)
            case {
                "type": "response.reasoning_summary_text.delta" | "response.reasoning_text.delta",
                "delta": str(delta),
            } if delta:
                return ReasoningDelta(delta)
            case {"type": "response.reasoning_summary_part.added", "summary_index": index} if index:
                return ReasoningDelta("\n\n")  # summaries are paragraphs, and say nothing of it in their text
            case {"type": "response.completed"}:
                self._take_response(event)
                self.closing = Closing("completed")
            case {"type": "response.incomplete"}:
                details = _object(self._take_response(event).get("incomplete_details"))
                self.closing = Closing("incomplete", reason=details.get("reason") or "")
            case {"type": "response.failed"}:
                self._fail(_object(_object(event.get("response")).get("error")))
            case {"type": "error"}:
                self._fail(event)
            case _:
                self._items.take(event)
        return None

    def reply(self, requests: int) -> Reply | None:
        """The finished reply; None where the response was broken off and nothing in it is of use."""
        broken_off = self.closing is not None and self.closing.kind == "incomplete"
        items = [
            item for item in self._items.whole() if item.get("type") != CALL or _is_call(item, broken_off=broken_off)
        ]
        text = _text_of(items)
        if not text and any(self._deltas):
            # A server that streams text and reports no item of it: make it, so that the model remembers what it said.
            text = "".join(self._deltas)
            items = [item for item in items if item.get("type") != "message"]
            content = [{"type": "output_text", "text": text, "annotations": []}]
            items.append({"type": "message", "role": "assistant", "content": content})
        while items and items[-1].get("type") == "reasoning":  # the API refuses reasoning that nothing follows
            items.pop()
        calls = tuple(
            ToolCall(str(item["call_id"]), str(item["name"]), arguments_of(item))
            for item in items
            if item.get("type") == CALL
        )
        if broken_off and not text and not calls:
            return None
        usage = Usage(self._usage.input_tokens, self._usage.output_tokens, requests)
        cut_short = (self.closing.reason or "no reason given") if self.closing is not None and broken_off else ""
        return Reply(text=text, calls=calls, items=tuple(items), usage=usage, cut_short=cut_short)

    def _take_response(self, event: JsonObject) -> JsonObject:
        response = _object(event.get("response"))
        self._items.close([plain(item) for item in response.get("output") or () if isinstance(item, dict)])
        usage = _object(response.get("usage"))
        self._usage = Usage(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0)
        return response

    def _fail(self, error: JsonObject) -> None:
        self.closing = Closing("failed", code=str(error.get("code") or ""), message=str(error.get("message") or ""))


def _object(value: Any) -> JsonObject:
    """What should be an object and may be missing."""
    return value if isinstance(value, dict) else {}


def _is_call(item: JsonObject, *, broken_off: bool) -> bool:
    """Whether this is a call of something, and not cut short with the response that was broken off."""
    if not item.get("name"):
        return False
    is_whole = item.get("status") not in {"incomplete", "in_progress"} and is_json(arguments_of(item))
    return is_whole or not broken_off


def _text_of(items: list[JsonObject]) -> str:
    messages = [item for item in items if item.get("type") == "message"]
    # Newer models mark remarks made on the way (`commentary`) and the answer; the answer is then what counts.
    answers = [item for item in messages if item.get("phase") == "final_answer"]
    return "".join(
        part if isinstance(part, str) else part.get("text") or part.get("refusal") or ""
        for item in answers or messages
        for part in item.get("content") or ()  # some servers send it as a text: its characters
    )
