"""Replies written beforehand: the double at the model's door, for tests and demonstrations of the loop."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TypeAlias

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.messages.message import Message

Step: TypeAlias = Reply | Exception | Callable[[ModelRequest], Reply]


def text_reply(text: str) -> Reply:
    """A reply that answers with `text`."""
    item: JsonObject = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return Reply(text=text, items=(item,))


def call_reply(*calls: tuple[str, JsonObject]) -> Reply:
    """A reply that calls tools: pairs of name and arguments."""
    made = tuple(
        ToolCall(call_id=f"call_{index}_{name}", name=name, arguments=json.dumps(arguments))
        for index, (name, arguments) in enumerate(calls)
    )
    items = tuple(
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
        for call in made
    )
    return Reply(text="", calls=made, items=items)


class ScriptedLLM:
    """Gives the scripted steps one by one; keeps the requests it got in `requests`."""

    def __init__(self, steps: Sequence[Step]) -> None:
        """Each step is a reply, a function of the request, or an error to raise."""
        self._steps = list(steps)
        self.requests: list[ModelRequest] = []

    @property
    def card(self) -> ModelCard:
        """Says that this is a script."""
        return ModelCard(
            "scripted replies", Message("this-process"), is_language_model=False, title=Message("scripted-replies")
        )

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream the next step's text word by word, then the reply."""
        self.requests.append(request)
        step = self._steps.pop(0)
        if isinstance(step, Exception):
            raise step
        reply = step if isinstance(step, Reply) else step(request)
        for word in reply.text.split(" ") if reply.text else ():
            yield TextDelta(word + " ")
        yield reply

    async def close(self) -> None:
        """Nothing to give back."""
