"""The chunks of one streamed completion, read into deltas and, at the end, one `Reply`."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.chat_completions.content import Content
from qdash_jupyter.llm.chat_completions.events import DONE
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.openai_server.items import CHAT_REASONING, is_json

REASONING_FIELDS = ("reasoning_content", "reasoning")
"""Where servers put the model's reasoning: DeepSeek's name for it, and that of Ollama and some gateways."""

_REASONS = {"length": "max_output_tokens"}


@dataclass(slots=True)
class _Call:
    index: Any
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure that the server reported within the stream."""

    code: str
    message: str


class ReplyReader:
    """Reads chunks one by one.

    `finished` is set by the one that ends the completion, `at_end` by the line behind which nothing comes, `failed` by
    a failure.
    """

    def __init__(self) -> None:
        self.finished = False
        self.at_end = False
        self.failed: Failed | None = None
        self.usage: Usage | None = None
        self._reason = ""
        self._content = Content()
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._reasoning: list[str] = []
        self._field = REASONING_FIELDS[0]
        self._calls: list[_Call] = []

    @property
    def broken_off(self) -> str:
        """Why the completion is not whole, in the words of the Responses API; empty where it is."""
        return _REASONS.get(self._reason, self._reason if self._reason == "content_filter" else "")

    def read(self, chunk: JsonObject) -> Iterator[TextDelta | ReasoningDelta]:
        """Take in one chunk, or a whole completion; yield the deltas in it."""
        if chunk is DONE:
            self.finished = self.at_end = True
            yield from self._said(self._content.end())
            return
        if chunk.get("error"):
            self._fail(chunk["error"])
            return
        if isinstance(usage := chunk.get("usage"), dict):
            self.usage = Usage(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0)
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or self.finished:
            return
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._read_delta(delta)
        self._reason = str(choice.get("finish_reason") or "")
        # What comes as one message is whole, whether it says so or not.
        self.finished = bool(self._reason) or "message" in choice
        if self.finished:
            yield from self._said(self._content.end())

    def reply(self, requests: int, taken: Container[str]) -> Reply | None:
        """The finished reply; None where it was broken off and nothing in it is of use.

        Each call gets an id of its own, which is not among those `taken` already: servers leave ids out, or repeat
        them.
        """
        text = "".join(self._text) or "".join(self._refusal)
        whole = [call for call in self._calls if call.name and not (self.broken_off and not is_json(call.arguments))]
        calls = _identified([ToolCall(call.call_id, call.name, call.arguments) for call in whole], taken)
        if self.broken_off and not text and not calls:
            return None
        counted = self.usage or Usage()
        usage = Usage(counted.input_tokens, counted.output_tokens, requests)
        said = (*self._message(), *map(_call_item, calls))
        # Servers refuse a message of the assistant that is nothing but reasoning.
        return Reply(text, calls, (*self._thoughts(), *said) if said else (), usage, self.broken_off)

    def with_calls(self, reply: Reply, written: Iterable[tuple[str, str]], taken: Container[str]) -> Reply:
        """The same reply, whose text is these calls (name and arguments)."""
        calls = _identified([ToolCall("", name, arguments) for name, arguments in written], taken)
        return Reply("", calls, (*self._thoughts(), *map(_call_item, calls)), reply.usage)

    def _thoughts(self) -> Iterator[JsonObject]:
        if self._reasoning:
            yield {"type": CHAT_REASONING, "field": self._field, "text": "".join(self._reasoning)}

    def _message(self) -> Iterator[JsonObject]:
        content: JsonObject
        if text := "".join(self._text):
            content = {"type": "output_text", "text": text, "annotations": []}
        elif refusal := "".join(self._refusal):
            content = {"type": "refusal", "refusal": refusal}
        else:
            return
        yield {"type": "message", "role": "assistant", "content": [content]}

    def _read_delta(self, delta: JsonObject) -> Iterator[TextDelta | ReasoningDelta]:
        for field in REASONING_FIELDS:
            if isinstance(thought := delta.get(field), str) and thought:
                self._field = field
                self._reasoning.append(thought)
                yield ReasoningDelta(thought)
                break  # gateways send the same words under both names
        if text := _words(delta.get("content")):
            yield from self._said(self._content.read(text))
        if text := _words(delta.get("refusal")):
            self._refusal.append(text)
            yield TextDelta(text)
        calls = delta.get("tool_calls")
        for place, piece in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(piece, dict):
                self._read_call(piece, place)

    def _said(self, deltas: Iterable[TextDelta | ReasoningDelta]) -> Iterator[TextDelta | ReasoningDelta]:
        """The deltas of the content. Thoughts in it are no text of the reply, and do not go back to the server."""
        for delta in deltas:
            if isinstance(delta, TextDelta):
                self._text.append(delta.text)
            yield delta

    def _read_call(self, piece: JsonObject, place: int) -> None:
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        call_id, name = str(piece.get("id") or ""), str(function.get("name") or "")
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        index = piece.get("index")
        if index is None:
            index = place
        call = next((one for one in reversed(self._calls) if one.index == index), None)
        if call is None or _begins_another(call, call_id, name, arguments):
            call = _Call(index)
            self._calls.append(call)
        call.call_id = call.call_id or call_id
        call.name = call.name or name
        call.arguments += arguments

    def _fail(self, error: Any) -> None:
        if isinstance(error, dict):
            code = error.get("code") or error.get("type") or ""
            self.failed = Failed(str(code), str(error.get("message") or ""))
        else:
            self.failed = Failed("", str(error))


def _identified(calls: Iterable[ToolCall], taken: Container[str]) -> tuple[ToolCall, ...]:
    """The calls, each with an id that neither another one of them has nor the conversation holds already."""
    used: dict[str, ToolCall] = {}
    for call in calls:
        call_id, number = call.call_id, 0
        while not call_id or call_id in used or call_id in taken:
            number += 1
            # Nine letters and digits are what the strictest of the servers (Mistral's) takes.
            call_id = f"call{number:05d}"
        used[call_id] = replace(call, call_id=call_id)
    return tuple(used.values())


def _call_item(call: ToolCall) -> JsonObject:
    return {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}


def _begins_another(call: _Call, call_id: str, name: str, arguments: str) -> bool:
    """Whether this piece is another call under the same index: some servers give each call the first one.

    Others repeat id and name with each piece of one call, so only a call that is whole can be followed by another.
    """
    if not name:
        return False
    if call_id and call.call_id and call_id != call.call_id:
        return True
    return is_json(call.arguments) and bool(arguments or not call_id)


def _words(content: Any) -> str:
    """The text of a delta, which some servers send as a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""
