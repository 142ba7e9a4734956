"""What goes wrong in a stream, and over Chat Completions, is told in the same words and leaves no trace."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import product
from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk

from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.errors import (
    ModelBroken,
    ModelError,
    ModelRejected,
)
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import QUESTION, TOOL, reply_of
from tests.llm.client_at_server import failure_of as failure_of_any
from tests.llm.client_at_server import made as made_any
from tests.scripted_server import (
    Call,
    HttpError,
    Raw,
    Script,
    ScriptedServer,
    Text,
    Thought,
    Turn,
    as_chat,
    http_error,
    reply_turn,
    text_turn,
)

made = partial(made_any, kind=ChatCompletionsLLM)
failure_of = partial(failure_of_any, kind=ChatCompletionsLLM)
WHOLE = reply_turn(
    Thought("", ["First the chip."]), Text("Let me look."), Call("get_qubit_params", {"qid": "7"}, "call_1")
)
EVERYTHING: dict[Any, Script] = {ChatCompletionsLLM: as_chat(WHOLE), ResponsesLLM: WHOLE}

# --- errors by status


@pytest.mark.parametrize(
    "error",
    [
        http_error(400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000."),
        HttpError(400, {"error": {"code": 400, "message": "Too big.", "type": "exceed_context_size_error"}}),
        http_error(400, "the request exceeds the available context size, try increasing it"),
    ],
    ids=["vllm", "llama.cpp", "llama.cpp, older"],
)
def test_a_conversation_that_is_too_long_in_the_words_of_other_servers(error: HttpError) -> None:
    for failure in (failure_of(error), failure_of_any(error)):
        assert isinstance(failure, ModelRejected)
        assert "too long" in str(failure.message)


def test_a_number_as_a_code_is_no_trouble() -> None:
    error = HttpError(
        400, {"error": {"message": "Bad 'thing'.", "type": "BadRequestError", "param": None, "code": 400}}
    )
    for failure in (failure_of(error, temperature=1), failure_of_any(error, temperature=1)):
        assert isinstance(failure, ModelRejected)
        assert "Bad 'thing'." in str(failure.message)


def test_a_deployment_that_is_not_there() -> None:
    error = failure_of(
        http_error(404, "The API deployment for this resource does not exist.", code="DeploymentNotFound")
    )
    assert "'gpt-test'" in str(error.message)


# --- streams that break


def heard_from(kind: Any, *turns: Turn) -> tuple[list[ReplyPart], ModelError | None, int]:
    """What came, what went wrong, and how many requests it took."""
    parts: list[ReplyPart] = []

    async def run(llm: LLM) -> ModelError | None:
        try:
            async for part in llm.reply(ModelRequest("", (QUESTION,), (TOOL,))):
                parts.append(part)  # noqa: PERF401 - what came before the error counts
        except ModelError as error:
            return error
        finally:
            await llm.close()
        return None

    with ScriptedServer(turns) as server:
        error = asyncio.run(run(made_any(server.base_url, kind)))
        return parts, error, len(server.requests)


@pytest.mark.parametrize(
    ("kind", "after", "in_order"),
    [
        (kind, after, end)
        for kind, turn in EVERYTHING.items()
        for after, end in product(range(len(turn.steps)), [True, False])
    ],
)
def test_a_stream_that_is_cut_anywhere_is_repeated_or_told_and_never_doubled(
    kind: Any, after: int, in_order: bool
) -> None:
    turn = EVERYTHING[kind]
    whole, _, _ = heard_from(kind, turn)
    parts, error, requests = heard_from(kind, turn.first(after) if in_order else turn.cut_after(after), turn)

    deltas = [part for part in parts if isinstance(part, TextDelta | ReasoningDelta)]
    expected = [part for part in whole if isinstance(part, TextDelta | ReasoningDelta)]
    assert deltas == expected[: len(deltas)]
    if error is None:
        assert deltas == expected
        reply, usual = reply_of(parts), reply_of(whole)
        assert (reply.text, reply.calls, reply.items) == (usual.text, usual.calls, usual.items)
        assert reply.usage.requests == requests
    else:
        assert isinstance(error, ModelBroken)
        assert "broke during the answer" in str(error.message)
        assert deltas
        assert requests == 1
        assert not any(isinstance(part, Reply) for part in parts)


def test_cuts_are_of_all_three_outcomes() -> None:
    """So that the test above cannot pass by one of them alone."""
    turn = EVERYTHING[ChatCompletionsLLM]
    finished = next(
        at
        for at, step in enumerate(turn.steps)
        if isinstance(step, ChatCompletionChunk) and step.choices and step.choices[0].finish_reason
    )
    outcomes = []
    for after in (1, 2, finished + 1):
        _, error, requests = heard_from(ChatCompletionsLLM, turn.cut_after(after), turn)
        outcomes.append((error is None, requests))
    assert outcomes == [(True, 2), (False, 1), (True, 1)]


@pytest.mark.parametrize(
    "data",
    [
        b'data: {"error": "Out of memory"}\n\n',
        b'data: {"error": {"message": "Out of memory", "code": 502}}\n\n',
        b'error: {"code": 500, "message": "Out of memory", "type": "server_error"}\n\n',
        b'event: error\ndata: {"message": "Out of memory"}\n\n',
        b'data: {"choices": [{"index": 0, "finish_reason": "error"}], "error": {"message": "Out of memory"}}\n\n',
    ],
    ids=["text", "number", "llama.cpp", "event", "openrouter"],
)
def test_a_failure_in_the_shapes_of_other_servers(data: bytes) -> None:
    error = failure_of(as_chat(text_turn("All is well.")).with_step(2, Raw(data)))

    assert isinstance(error, ModelBroken)
    assert "Out of memory" in str(error.message)


@pytest.mark.parametrize("body", [{"hello": "world"}, [1, 2], {"choices": []}])
def test_json_that_is_no_completion(body: Any) -> None:
    error = failure_of(*[HttpError(200, body)] * 2)

    assert isinstance(error, ModelBroken)
    assert "application/json" in str(error.message)


# --- ends
