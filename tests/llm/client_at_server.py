"""A client (`ResponsesLLM` by default) at a scripted server, and what holds for all its replies and errors."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from typing import Any

import pytest

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import ModelError
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.scripted_server import ScriptedServer, Turn

KEY = "sk-proj-Abc123def456ghi789"
QUESTION: JsonObject = {"role": "user", "content": "Which qubits have the worst T1?"}
REQUEST = ModelRequest(instructions="You help with qubits.", items=(QUESTION,))
TOOL: JsonObject = {
    "type": "function",
    "name": "get_qubit_params",
    "description": "Parameters of a qubit.",
    "parameters": {"type": "object", "properties": {"qid": {"type": "string", "default": None}}},
    "strict": False,
}
SCHEMA: JsonObject = {"type": "object", "properties": {"blocks": {"type": "array"}, "assessment": {"default": None}}}
AT_ONCE = {"retry-after-ms": "1"}


def made(base_url: str | None, kind: Any = ResponsesLLM, **settings: Any) -> Any:
    names = {"model": "name", "timeout_s": "timeout_seconds"}
    own = {names.get(name, name): value for name, value in settings.items() if name not in {"api_key", "capabilities"}}
    section = ModelSection.model_validate({"name": "gpt-test", "base_url": base_url, "max_output_tokens": None, **own})
    return kind(section, settings.get("capabilities"), settings.get("api_key", lambda: KEY))


def ask(llm: LLM, *requests: ModelRequest) -> list[list[ReplyPart]]:
    """The parts of a reply to each of the requests, in one event loop."""

    async def run() -> list[list[ReplyPart]]:
        try:
            return [[part async for part in llm.reply(request)] for request in requests or (REQUEST,)]
        finally:
            await llm.close()

    return asyncio.run(run())


def reply_of(parts: Sequence[ReplyPart]) -> Reply:
    assert isinstance(parts[-1], Reply)
    assert not any(isinstance(part, Reply) for part in parts[:-1])
    return parts[-1]


def text_of(parts: Sequence[ReplyPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextDelta))


def failure_of(*turns: Turn, **settings: Any) -> ModelError:
    with ScriptedServer(turns) as server, pytest.raises(ModelError) as caught:
        ask(made(server.base_url, **settings))
    error = caught.value
    # Neither in what is shown, nor in what the error carries along.
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(error.args)
    assert KEY not in shown
    assert "sk-" not in shown
    assert error.__cause__ is None
    assert error.__context__ is None
    return error
