"""The recipes of `docs/models.md`, played against the scripted server in the shape of each server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect import open_model
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import ReasoningDelta
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply, ReplyPart
from tests.scripted_server import (
    HttpError,
    Manner,
    RecordedRequest,
    ScriptedServer,
    Thought,
    call_turn,
    http_error,
    refuses,
    text_turn,
)

RECIPES = dict(
    re.findall(
        r"^### (.+?)\n\n```yaml\n(.+?)```",
        (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
QUESTION: JsonObject = {"role": "user", "content": "How is Q7?"}
TOOL: JsonObject = {"type": "function", "name": "get_t1", "description": "T1.", "parameters": {"type": "object"}}
OUTPUT = '{"t1": 61.4}'


def played(recipe: str, **server: Any) -> tuple[list[ReplyPart], list[RecordedRequest], LLM]:
    """A question, a call of a tool, and the answer, with the recipe's settings but for the host."""
    turns = [call_turn(("get_t1", {"qid": "7"}), thought=Thought("", ["Hm."])), text_turn("Q7 has 61.4 μs.")]
    with ScriptedServer(turns, **server) as scripted:
        settings = yaml.safe_load(RECIPES[recipe])
        section = settings["models"]["lab"]
        parts = urlsplit(section["base_url"])
        section["base_url"] = parts._replace(scheme="http", netloc=f"127.0.0.1:{scripted.port}").geturl()
        llm = open_model(Manifest.model_validate(settings), MetricTable())
        return asyncio.run(_asked(llm)), scripted.requests, llm


async def _asked(llm: LLM) -> list[ReplyPart]:
    first = [part async for part in llm.reply(ModelRequest("Be brief.", (QUESTION,), (TOOL,), {"type": "object"}))]
    reply = first[-1]
    assert isinstance(reply, Reply)
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": OUTPUT} for call in reply.calls]
    request = ModelRequest("Be brief.", (QUESTION, *reply.items, *results), (TOOL,), {"type": "object"})
    second = [part async for part in llm.reply(request)]
    await llm.close()
    return [*first, *second]


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("GATEWAY_KEY", "gw-4711")
    monkeypatch.setenv("LITELLM_KEY", "sk-lite-4711")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-4711")


def _is_answered(parts: list[ReplyPart], requests: list[RecordedRequest]) -> bool:
    last = parts[-1]
    results = [message for message in requests[-1].body["messages"] if message["role"] == "tool"]
    return (
        isinstance(last, Reply) and last.text == "Q7 has 61.4 μs." and [one["content"] for one in results] == [OUTPUT]
    )


def test_there_are_these_recipes() -> None:
    assert list(RECIPES) == ["Ollama", "vLLM", "llama.cpp", "A gateway", "LiteLLM", "Azure OpenAI"]


def test_ollama() -> None:
    """An older one: no Responses API, whole calls that all have the index 0 and end with `stop`, `reasoning`."""
    manner = Manner(one_index=True, whole_calls=True, reasoning="reasoning", calls_end_with="stop")
    parts, requests, llm = played("Ollama", responses=False, manner=manner)

    assert _is_answered(parts, requests)
    assert "".join(part.text for part in parts if isinstance(part, ReasoningDelta)) == "Hm."
    assert [request.path for request in requests] == ["/v1/responses", *["/v1/chat/completions"] * 2]
    assert "Chat Completions API" in str(llm.card.learned)
    assert requests[-1].body["max_tokens"] == 16_384


def test_vllm() -> None:
    """No code but the status, and no tools until it is started with them."""
    parts, requests, _ = played("vLLM", manner=Manner(usage="asked"))
    assert _is_answered(parts, requests)
    assert requests[0].body["max_tokens"] == 4096

    said = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    refusal = HttpError(
        400, {"object": "error", "message": said, "type": "BadRequestError", "param": None, "code": 400}
    )
    _, requests, llm = played("vLLM", refusals=[refuses("tools", refusal)])
    assert "no tools" in str(llm.card.learned)
    assert len(requests) == 3


def test_llama_cpp() -> None:
    """Calls without ids, and a failure's own status where it was started without `--jinja`."""
    parts, requests, _ = played("llama.cpp", manner=Manner(ids="none"))
    assert _is_answered(parts, requests)

    error = {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}
    refusal = HttpError(500, {"error": error}, {"retry-after-ms": "1"})
    _, _, llm = played("llama.cpp", refusals=[refuses("tools", refusal)])
    assert "no tools" in str(llm.card.learned)


def test_a_gateway() -> None:
    """One in front of many models: its own key and header, and a parameter that this model does not take."""
    said = "litellm.UnsupportedParamsError: team/large does not support parameters: ['parallel_tool_calls']"
    refusals = [refuses("parallel_tool_calls", http_error(400, said))]
    parts, requests, llm = played("A gateway", refusals=refusals, manner=Manner(usage="always"))

    assert _is_answered(parts, requests)
    assert requests[0].headers["authorization"] == "Bearer gw-4711"
    assert requests[0].headers["x-team"] == "cryostat-4"
    assert str(llm.card.learned).startswith("without parallel_tool_calls")


def test_litellm() -> None:
    """Its key; tests/llm/test_litellm.py asks a real one."""
    parts, requests, _ = played("LiteLLM", manner=Manner(usage="asked"))
    assert _is_answered(parts, requests)
    assert requests[0].headers["authorization"] == "Bearer sk-lite-4711"
    assert {request.path for request in requests} == {"/v1/chat/completions"}


def test_azure() -> None:
    """Its path and version, its key, and newer models' other name of the limit."""
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    refusals = [refuses("max_tokens", http_error(400, said, param="max_tokens", code="unsupported_parameter"))]
    parts, requests, _ = played("Azure OpenAI", refusals=refusals)

    assert _is_answered(parts, requests)
    path = "/openai/deployments/gpt-lab/chat/completions?api-version=2025-04-01-preview"
    assert {request.path for request in requests} == {path}
    assert requests[0].headers["api-key"] == "azure-4711"
    assert "authorization" not in requests[0].headers
    assert requests[-1].body["max_completion_tokens"] == 16_384
