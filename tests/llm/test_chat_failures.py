"""What goes wrong over Chat Completions is said in the words of the other API's failures, and leaves no trace."""

from __future__ import annotations

import asyncio
import re
import socket
import time
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
    ModelUnreachable,
)
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import ModelRequest, Reply, ReplyPart
from tests.llm.asking import AT_ONCE, KEY, QUESTION, REQUEST, TOOL, ask, reply_of, text_of
from tests.llm.asking import failure_of as failure_of_any
from tests.llm.asking import made as made_any
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
    call_turn,
    http_error,
    reply_turn,
    text_turn,
)

made = partial(made_any, kind=ChatCompletionsLLM)
failure_of = partial(failure_of_any, kind=ChatCompletionsLLM)
EVERYTHING = as_chat(
    reply_turn(Thought("", ["First the chip."]), Text("Let me look."), Call("get_qubit_params", {"qid": "7"}, "call_1"))
)

# --- errors by status


@pytest.mark.parametrize(
    "error",
    [
        http_error(401, f"Incorrect key: {KEY}", code="invalid_api_key"),
        http_error(403, "Not yours."),
        http_error(404, "The model `gpt-test` does not exist.", code="model_not_found"),
        http_error(404, 'model "gpt-test" not found, try pulling it first'),
        http_error(400, "Too many tokens.", code="context_length_exceeded", param="messages"),
        http_error(400, "Say please."),
        http_error(422, "Say please.", param="messages"),
        http_error(408, "Too slow.", headers=AT_ONCE),
        http_error(409, "In use.", headers=AT_ONCE),
        http_error(429, "Slow down.", headers={"retry-after-ms": "20"}),
        http_error(429, "Quota.", code="insufficient_quota", headers=AT_ONCE),
        http_error(500, "Oops.", headers=AT_ONCE),
        http_error(502, "Oops.", headers=AT_ONCE),
        HttpError(503, "<html>Bad gateway</html>", AT_ONCE),
        http_error(529, "Overloaded.", headers=AT_ONCE),
    ],
    ids=lambda error: str(error.status),
)
def test_the_words_are_the_same_in_both_apis(error: HttpError) -> None:
    chat = failure_of(*[error] * 3)
    other = failure_of_any(*[error] * 3)

    assert type(chat) is type(other)
    # But for the port, which is another one at each server.
    assert _without_ports(str(chat)) == _without_ports(str(other))


def _without_ports(text: str) -> str:
    return re.sub(r"127\.0\.0\.1:\d+", "HOST", text)


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
        assert "too long" in failure.message


def test_a_number_as_a_code_is_no_trouble() -> None:
    error = HttpError(
        400, {"error": {"message": "Bad 'thing'.", "type": "BadRequestError", "param": None, "code": 400}}
    )
    for failure in (failure_of(error, temperature=1), failure_of_any(error, temperature=1)):
        assert isinstance(failure, ModelRejected)
        assert "Bad 'thing'." in failure.message


def test_a_deployment_that_is_not_there() -> None:
    error = failure_of(
        http_error(404, "The API deployment for this resource does not exist.", code="DeploymentNotFound")
    )
    assert "'gpt-test'" in error.message


# --- connections


def test_a_name_that_nobody_has() -> None:
    with pytest.raises(ModelUnreachable) as caught:
        ask(made("http://no-such-server.invalid:9/v1"))

    assert "no-such-server.invalid:9" in caught.value.message


def test_a_connection_that_is_reset_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)

        async def run() -> ModelError:
            llm = made(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
            hanging_up = asyncio.create_task(asyncio.to_thread(hang_up))
            try:
                with pytest.raises(ModelError) as caught:
                    await anext(llm.reply(REQUEST))
                return caught.value
            finally:
                over.append(True)
                await hanging_up
                await llm.close()

        over: list[bool] = []

        def hang_up() -> None:
            while not over:
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                connection.close()

        assert isinstance(asyncio.run(run()), ModelUnreachable)


def test_silence_before_the_headers_is_a_time_out() -> None:
    def late(_: dict[str, Any]) -> Script:
        time.sleep(0.5)
        return text_turn("ok")

    error = failure_of(late, late, late, timeout_s=0.1)

    assert isinstance(error, ModelUnreachable)
    assert "0.1 s" in error.message


# --- streams that break


def heard_from(*turns: Turn) -> tuple[list[ReplyPart], ModelError | None, int]:
    """What came, what went wrong, and how many requests it took."""
    parts: list[ReplyPart] = []

    async def run(llm: ChatCompletionsLLM) -> ModelError | None:
        try:
            async for part in llm.reply(ModelRequest("", (QUESTION,), (TOOL,))):
                parts.append(part)  # noqa: PERF401 - what came before the error counts
        except ModelError as error:
            return error
        finally:
            await llm.close()
        return None

    with ScriptedServer(turns) as server:
        error = asyncio.run(run(made(server.base_url)))
        return parts, error, len(server.requests)


@pytest.mark.parametrize(("after", "in_order"), [*product(range(len(EVERYTHING.steps)), [True, False])])
def test_a_stream_that_is_cut_anywhere_is_repeated_or_told_and_never_doubled(after: int, in_order: bool) -> None:
    whole, _, _ = heard_from(EVERYTHING)
    broken = EVERYTHING.first(after) if in_order else EVERYTHING.cut_after(after)
    parts, error, requests = heard_from(broken, EVERYTHING)

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
        assert "broke during the answer" in error.message
        assert deltas
        assert requests == 1
        assert not any(isinstance(part, Reply) for part in parts)


def test_cuts_are_of_all_three_outcomes() -> None:
    """So that the test above cannot pass by one of them alone."""
    finished = next(
        at
        for at, step in enumerate(EVERYTHING.steps)
        if isinstance(step, ChatCompletionChunk) and step.choices and step.choices[0].finish_reason
    )
    outcomes = []
    for after in (1, 2, finished + 1):
        _, error, requests = heard_from(EVERYTHING.cut_after(after), EVERYTHING)
        outcomes.append((error is None, requests))
    assert outcomes == [(True, 2), (False, 1), (True, 1)]


@pytest.mark.parametrize("data", [b'data: {"choices": [\n\n', b"data: \xff\xfe\n\n", b"event: error\ndata: oops\n\n"])
def test_a_line_that_is_no_json(data: bytes) -> None:
    error = failure_of(as_chat(text_turn("All is well.")).with_step(1, Raw(data)))

    assert isinstance(error, ModelBroken)
    assert "Chat Completions API" in error.message


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
    assert "Out of memory" in error.message


@pytest.mark.parametrize("body", [{"hello": "world"}, [1, 2], {"choices": []}])
def test_json_that_is_no_completion(body: Any) -> None:
    error = failure_of(*[HttpError(200, body)] * 2)

    assert isinstance(error, ModelBroken)
    assert "application/json" in error.message


# --- ends


def test_fifty_calls_in_one_reply_all_arrive() -> None:
    parts, _, _ = heard_from(call_turn(*(("get_qubit_params", {"qid": str(n)}) for n in range(50))))

    assert [call.arguments for call in reply_of(parts).calls] == [f'{{"qid": "{n}"}}' for n in range(50)]


def test_the_next_question_works_after_a_failure() -> None:
    async def run(llm: ChatCompletionsLLM) -> str:
        with pytest.raises(ModelBroken):
            _ = [part async for part in llm.reply(REQUEST)]
        parts = [part async for part in llm.reply(REQUEST)]
        await llm.close()
        return text_of(parts)

    with ScriptedServer([as_chat(text_turn("Half an answer")).cut_after(2), text_turn("Whole.")]) as server:
        assert asyncio.run(run(made(server.base_url))) == "Whole."
