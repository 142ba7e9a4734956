"""What the model has seen: input items of the Responses API, append-only, opaque where they came from the model."""

from __future__ import annotations

from collections.abc import Iterable

from qdash_jupyter.domain.analysis import HEADING, is_context
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.store.compact import to_json

_REPLACED = f"({HEADING.lstrip('# ')}: it was replaced by that of a later analysis.)"


class Transcript:
    """The conversation. Every call in it has an output: otherwise the model's server refuses the next question."""

    def __init__(self, items: Iterable[JsonObject] = ()) -> None:
        """`items` are those of a conversation that goes on. Outputs whose call is missing are left out."""
        self._items: list[JsonObject] = []
        waiting: list[str] = []
        for item in items:
            if item.get("type") == "function_call":
                waiting.append(str(item.get("call_id", "")))
            elif item.get("type") == "function_call_output":
                if item.get("call_id") not in waiting:
                    continue
                waiting.remove(item["call_id"])
            self._items.append(item)
        self._forget_contexts(but=1)

    @property
    def items(self) -> tuple[JsonObject, ...]:
        """All items so far."""
        return tuple(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def since(self, count: int) -> tuple[JsonObject, ...]:
        """The items after the first `count`."""
        return tuple(self._items[count:])

    def ask(self, question: str, context: JsonObject | None = None) -> None:
        """Add the person's question, behind the context of an analysis, which takes the place of an earlier one."""
        if context is not None:
            self._forget_contexts(but=0)
            self._items.append(context)
        self._items.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": question}]})

    def _forget_contexts(self, *, but: int) -> None:
        """What was analysed before is no longer in view: its data would be taken for those of the present result."""
        contexts = [place for place, item in enumerate(self._items) if is_context(item)]
        for place in contexts[: len(contexts) - but]:
            gone = {"type": "input_text", "text": _REPLACED}
            self._items[place] = {"type": "message", "role": "user", "content": [gone]}

    def add_reply(self, items: Iterable[JsonObject]) -> None:
        """Add the model's own items, unchanged and in order."""
        self._items.extend(items)

    def add_results(self, results: Iterable[ToolResult]) -> None:
        """Add the outputs of calls, in the order of the calls."""
        for result in results:
            self._items.append(
                {"type": "function_call_output", "call_id": result.call.call_id, "output": result.content}
            )

    def close_open_calls(self, reason: str) -> None:
        """Give every call without an output one that says why: a stop or failure must not break the conversation."""
        for call_id in self._open_calls():
            self._items.append(
                {"type": "function_call_output", "call_id": call_id, "output": to_json({"error": reason})}
            )

    def waits_for(self, call_id: str) -> bool:
        """Whether a call of this id has no output yet."""
        return call_id in self._open_calls()

    def _open_calls(self) -> list[str]:
        """In order. Counted one by one, because some servers use the same id in each of their replies."""
        waiting: list[str] = []
        for item in self._items:
            if item.get("type") == "function_call":
                waiting.append(str(item.get("call_id", "")))
            elif item.get("type") == "function_call_output" and item["call_id"] in waiting:
                waiting.remove(item["call_id"])
        return waiting
