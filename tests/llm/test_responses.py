from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import (
    ConfigurationError,
    ModelBroken,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelRejected,
    ModelUnreachable,
)
from qdash_jupyter.llm.client import ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.scripted_server import (
    Call,
    HttpError,
    Raw,
    Refusal,
    ScriptedServer,
    Text,
    Thought,
    Turn,
    call_turn,
    error_turn,
    failed_turn,
    http_error,
    reply_turn,
    text_turn,
    unknown_event,
)

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


def made(base_url: str | None, **settings: Any) -> ResponsesLLM:
    return ResponsesLLM(**{"model": "gpt-test", "base_url": base_url, "api_key": lambda: KEY, **settings})


def ask(llm: ResponsesLLM, *requests: ModelRequest) -> list[list[ReplyPart]]:
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


# --- what streams


def test_text_comes_in_pieces_and_in_order() -> None:
    text = "Q07 and Q12 are the worst: 12.1 μs and 14.0 μs. 測定は昨日です。"
    with ScriptedServer([text_turn(text, pieces=9, usage=(120, 34))]) as server:
        (parts,) = ask(made(server.base_url))

    assert len(parts) == 10
    assert text_of(parts) == text
    reply = reply_of(parts)
    assert reply.text == text
    assert reply.calls == ()
    assert reply.usage == Usage(input_tokens=120, output_tokens=34, requests=1)


def test_deltas_come_while_the_server_still_writes() -> None:
    async def first_delta(llm: ResponsesLLM) -> float:
        began, first = time.monotonic(), 0.0
        async for part in llm.reply(REQUEST):
            if isinstance(part, TextDelta) and not first:
                first = time.monotonic() - began
        total = time.monotonic() - began
        await llm.close()
        return total - first

    turn = text_turn("one two three", pieces=3)
    with ScriptedServer([turn.stalled(0.5, after=turn.place_of("response.output_text.delta") + 1)]) as server:
        assert asyncio.run(first_delta(made(server.base_url))) > 0.3


def test_a_burst_of_deltas_is_complete() -> None:
    text = "x" * 1000 + "y" * 1000
    with ScriptedServer([text_turn(text, pieces=2000)]) as server:
        (parts,) = ask(made(server.base_url))

    assert len(parts) == 2001
    assert text_of(parts) == reply_of(parts).text == text


def test_parallel_calls_keep_their_order_and_their_text() -> None:
    turn = reply_turn(
        Text("Let me look."),
        Call("get_qubit_params", {"qid": "7"}, "call_b"),
        Call("get_qubit_params", '{"qid": ', "call_a"),
        Call("get_chip_summary", "", "call_c"),
    )
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    reply = reply_of(parts)
    assert reply.text == "Let me look."
    assert reply.calls == (
        ToolCall("call_b", "get_qubit_params", '{"qid": "7"}'),
        ToolCall("call_a", "get_qubit_params", '{"qid": '),
        ToolCall("call_c", "get_chip_summary", ""),
    )
    assert [item["type"] for item in reply.items] == ["message", *["function_call"] * 3]


def test_summaries_of_reasoning_stream_as_paragraphs() -> None:
    with ScriptedServer([reply_turn(Thought("gAAA", ["First the chip.", "Then T1."]), Text("Done."))]) as server:
        (parts,) = ask(made(server.base_url))

    summary = "".join(part.text for part in parts if isinstance(part, ReasoningDelta))
    assert summary == "First the chip.\n\nThen T1."
    assert text_of(parts) == "Done."


def test_a_refusal_is_text() -> None:
    with ScriptedServer([reply_turn(Refusal("I cannot do that."))]) as server:
        (parts,) = ask(made(server.base_url))

    assert text_of(parts) == reply_of(parts).text == "I cannot do that."


def test_the_answer_counts_where_the_model_marks_it() -> None:
    turn = reply_turn(Text("Looking.", phase="commentary"), Text('{"blocks": []}', phase="final_answer"))
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert reply_of(parts).text == '{"blocks": []}'
    assert [item["phase"] for item in reply_of(parts).items] == ["commentary", "final_answer"]


def test_unknown_events_and_items_are_passed_over() -> None:
    item = {"type": "telepathy", "id": "tp_1", "thought": {"of": ["a", "qubit"]}, "status": "completed"}
    turn = text_turn("All is well.").with_step(
        3,
        unknown_event(),
        unknown_event("response.output_text.sparkles", delta={"not": "text"}),
        Raw(b": a comment\n\nevent: ping\ndata: {}\n\n"),
        unknown_event("response.output_item.done", item=item, output_index=7),
    )
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert text_of(parts) == reply_of(parts).text == "All is well."
    assert reply_of(parts).items[-1] == item


def test_items_that_only_the_closing_event_holds_are_taken_from_there() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}), thought=Thought("gAAA")).without("response.output_item.done")
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert [item["type"] for item in reply_of(parts).items] == ["reasoning", "function_call"]
    assert reply_of(parts).calls[0].arguments == '{"qid": "7"}'


def test_text_without_any_item_becomes_one() -> None:
    completed = {"type": "response.completed", "response": {"id": "r", "output": [], "usage": None}}
    turn = text_turn("Bare words.").without("response.output_item.done").without("response.completed")
    turn = turn.with_step(len(turn.steps), unknown_event("response.completed", **completed))
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    reply = reply_of(parts)
    assert reply.text == text_of(parts) == "Bare words."
    assert reply.items[0]["content"][0]["text"] == "Bare words."
    assert reply.usage == Usage(requests=1)


# --- what is sent


def test_output_items_go_back_unchanged() -> None:
    thought = Thought("gAAAAABencrypted==", ["I need T1."])
    call = Call("get_qubit_params", {"qid": "7"}, "call_1")
    turn = reply_turn(thought, call, Text("Looking."))
    with ScriptedServer([turn, text_turn("Done.")]) as server:

        async def run(llm: ResponsesLLM) -> None:
            first = [part async for part in llm.reply(REQUEST)]
            output: JsonObject = {"type": "function_call_output", "call_id": "call_1", "output": '{"t1": 61.4}'}
            items = (QUESTION, *reply_of(first).items, output)
            async for _ in llm.reply(ModelRequest(instructions="", items=items)):
                pass
            await llm.close()

        asyncio.run(run(made(server.base_url)))
        sent = server.requests[1].body["input"]

    wire = [step.item for step in turn.steps if getattr(step, "type", "") == "response.output_item.done"]
    assert [item["type"] for item in sent[1:]] == ["reasoning", "function_call", "message", "function_call_output"]
    assert sent[1:4] == [item.model_dump(mode="json", exclude_unset=True, exclude_none=True) for item in wire]
    assert sent[1]["encrypted_content"] == "gAAAAABencrypted=="
    assert sent[1]["id"] == "rs_0"
    assert "status" not in sent[1]  # null as the server sends it, which it does not take back


def test_items_reach_the_wire_as_they_are() -> None:
    items: tuple[JsonObject, ...] = (
        QUESTION,
        {"type": "telepathy", "nested": [{"a": None, "b": 1.5}], "text": "μ測"},
        {"role": "user", "content": [{"type": "input_text", "text": "more"}]},
    )
    with ScriptedServer([text_turn("ok")]) as server:
        ask(made(server.base_url), ModelRequest(instructions="Be brief.", items=items))
        body = server.requests[0].body

    assert body["input"] == list(items)
    assert body == {
        "model": "gpt-test",
        "instructions": "Be brief.",
        "input": list(items),
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }


def test_tools_and_schema_reach_the_wire_as_they_are() -> None:
    with ScriptedServer([text_turn("ok"), text_turn("ok")]) as server:
        request = ModelRequest(instructions="", items=(QUESTION,), tools=(TOOL,), answer_schema=SCHEMA)
        ask(made(server.base_url), request, REQUEST)
        first, second = (request.body for request in server.requests)

    assert first["tools"] == [TOOL]
    assert first["parallel_tool_calls"] is True
    schema = {"type": "json_schema", "name": "copilot_answer", "schema": SCHEMA, "strict": False}
    assert first["text"] == {"format": schema}
    assert not {"tools", "text", "parallel_tool_calls", "tool_choice"} & second.keys()


def test_settings_headers_and_key_reach_the_wire() -> None:
    keys = iter(["key-of-monday\n", "key-of-tuesday", None])
    with ScriptedServer([text_turn("ok")] * 3) as server:
        llm = made(
            server.base_url,
            api_key=lambda: next(keys),
            temperature=0.2,
            max_output_tokens=900,
            reasoning_effort="low",
            headers={"X-Lab": "cryostat 4"},
        )
        ask(llm, REQUEST, REQUEST, REQUEST)
        requests = server.requests

    body = requests[0].body
    assert (body["temperature"], body["max_output_tokens"], body["reasoning"]) == (0.2, 900, {"effort": "low"})
    assert requests[0].headers["x-lab"] == "cryostat 4"
    sent = [request.headers["authorization"] for request in requests]
    assert sent == ["Bearer key-of-monday", "Bearer key-of-tuesday", "Bearer none"]


def test_the_connection_is_kept_between_requests() -> None:
    with ScriptedServer([text_turn("ok")] * 3) as server:
        ask(made(server.base_url), REQUEST, REQUEST, REQUEST)

    assert len({request.connection for request in server.requests}) == 1


def test_each_event_loop_has_its_own_client() -> None:
    with ScriptedServer([text_turn("ok")] * 2) as server:
        llm = made(server.base_url)
        assert reply_of(ask(llm)[0]).text == "ok"
        assert reply_of(ask(llm)[0]).text == "ok"


# --- parameters that the server refuses


@pytest.mark.parametrize(
    ("refusal", "name"),
    [
        (http_error(400, "Unsupported parameter.", param="temperature", code="unsupported_parameter"), "temperature"),
        (http_error(400, "Not with this model.", param="include[0]"), "include"),
        (http_error(400, "No such effort.", param="reasoning.effort", code="unsupported_value"), "reasoning"),
        (http_error(400, "Unknown.", param="text.format.schema", code="unknown_parameter"), "text"),
        (http_error(400, "llama.cpp does not support 'store'"), "store"),
        (http_error(400, "`text.format` is unknown here"), "text"),
        (HttpError(422, {"detail": [{"loc": ["body", "parallel_tool_calls"], "msg": "extra"}]}), "parallel_tool_calls"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refused_parameter_is_left_out_from_then_on(refusal: HttpError, name: str) -> None:
    request = ModelRequest(instructions="", items=(QUESTION,), tools=(TOOL,), answer_schema=SCHEMA)
    with ScriptedServer([refusal, text_turn("ok"), text_turn("ok")]) as server:
        llm = made(server.base_url, temperature=0.1, max_output_tokens=99, reasoning_effort="low")
        first, _ = ask(llm, request, request)
        bodies = [request.body for request in server.requests]

    assert reply_of(first).text == "ok"
    assert bodies[0].keys() - bodies[1].keys() == {name}
    assert bodies[1] == bodies[2]
    assert llm.left_out == (name,)


@pytest.mark.parametrize(
    "refusal",
    [
        http_error(400, "Must be at most 2.", param="temperature", code="decimal_above_max_value"),
        http_error(400, "Invalid 'input[0].temperature'.", param="input[0].temperature"),
        http_error(400, "The temperature is too high today."),
        http_error(400, "No 'temperature'.", param="tools[0].parameters"),
    ],
    ids=["wrong value", "of an item", "unquoted", "another one"],
)
def test_other_bad_requests_are_told_and_not_repeated(refusal: HttpError) -> None:
    with ScriptedServer([refusal, text_turn("ok")]) as server, pytest.raises(ModelRejected) as caught:
        ask(made(server.base_url, temperature=0.1))

    assert len(server.requests) == 1
    assert refusal.body["error"]["message"] in str(caught.value)


def test_a_server_that_refuses_the_same_parameter_for_ever_ends() -> None:
    refusal = http_error(400, "No.", param="temperature")
    with ScriptedServer([refusal] * 9) as server, pytest.raises(ModelRejected):
        ask(made(server.base_url, temperature=0.1))

    assert len(server.requests) == 2


# --- errors


def test_too_many_requests_are_repeated() -> None:
    slow_down, broken = http_error(429, "Slow down.", headers=AT_ONCE), http_error(500, "Oops.", headers=AT_ONCE)
    with ScriptedServer([slow_down, broken, text_turn("ok")]) as server:
        (parts,) = ask(made(server.base_url))

    assert reply_of(parts).text == "ok"
    assert len(server.requests) == 3


@pytest.mark.parametrize("header", [{"retry-after-ms": "20"}, {"retry-after": "0.02"}])
def test_too_many_requests_for_too_long(header: dict[str, str]) -> None:
    error = failure_of(*[http_error(429, f"Limit of {KEY} reached.", headers=header)] * 3)

    assert isinstance(error, ModelRateLimited)
    assert "0.02 s" in error.hint


def test_no_quota_is_something_else_than_too_many_requests() -> None:
    error = failure_of(*[http_error(429, "Quota.", code="insufficient_quota", headers=AT_ONCE)] * 3)

    assert isinstance(error, ModelRateLimited)
    assert "quota" in error.message
    assert "billing" in error.hint


def test_a_server_that_fails_for_too_long() -> None:
    error = failure_of(*[HttpError(503, "<html>Bad gateway</html>", AT_ONCE)] * 3)

    assert isinstance(error, ModelBroken)
    assert "503" in error.message
    assert "html" not in error.message


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_never_repeated(status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    error = failure_of(
        http_error(status, f"Incorrect key provided: {KEY}, like sk-proj-****i789.", code="invalid_api_key"),
        key_name="LAB_MODEL_KEY",
    )

    assert isinstance(error, ModelRefused)
    assert "LAB_MODEL_KEY" in error.hint
    assert KEY not in caplog.text


def test_a_key_of_any_shape_and_a_header_are_redacted() -> None:
    message = "No: lab-4711 / open-sesame / Basic-xyz"
    with ScriptedServer([http_error(403, message)]) as server, pytest.raises(ModelRefused) as caught:
        ask(made(server.base_url, api_key=lambda: "lab-4711", headers={"Api-Key": "Token open-sesame"}))

    assert "No: [hidden] / [hidden] / Basic-xyz" in str(caught.value)


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelUnreachable) as caught:
        ask(made(f"http://127.0.0.1:{port}/v1"))

    assert f"127.0.0.1:{port}" in caught.value.message
    assert "base URL" in caught.value.hint
    assert caught.value.__context__ is None


def test_silence_is_a_time_out() -> None:
    turn = text_turn("one two").stalled(5, after=1)
    error = failure_of(turn, timeout_s=0.2)

    assert isinstance(error, ModelUnreachable)
    assert "0.2 s" in error.message


def test_an_unknown_model() -> None:
    error = failure_of(http_error(404, "The model `gpt-test` does not exist.", code="model_not_found"))

    assert isinstance(error, ModelRejected)
    assert "'gpt-test'" in error.message


def test_a_wrong_path() -> None:
    with ScriptedServer() as server, pytest.raises(ModelRejected) as caught:
        ask(made(server.base_url.replace("/v1", "/v2")))

    assert "/v1" in caught.value.hint


def test_a_server_that_is_no_model() -> None:
    page = text_turn("").first(0).with_step(0, Raw(b"<html>Welcome</html>"))
    object.__setattr__(page, "content_type", "text/html")
    error = failure_of(page, page)

    assert isinstance(error, ModelBroken)
    assert "text/html" in error.message


def test_a_conversation_that_is_too_long() -> None:
    error = failure_of(http_error(400, "Too many tokens.", code="context_length_exceeded", param="input"))

    assert isinstance(error, ModelRejected)
    assert "too long" in error.message


def test_no_key_for_the_default_endpoint_is_noticed_before_any_request() -> None:
    llm = made(None, api_key=lambda: None)
    with pytest.raises(ModelRefused) as caught:
        ask(llm)

    assert "OPENAI_API_KEY" in caught.value.hint
    assert "api.openai.com" in caught.value.message


def test_a_key_that_cannot_be_sent() -> None:
    with pytest.raises(ModelRefused) as caught:
        ask(made(None, api_key=lambda: "sk-ключ"))

    assert "sk-" not in repr(caught.value)


# --- streams that break


@pytest.mark.parametrize("closed_in_order", [True, False])
def test_a_stream_that_breaks_before_its_first_delta_is_asked_for_once_more(closed_in_order: bool) -> None:
    turn = text_turn("All is well.")
    broken = turn.first(2) if closed_in_order else turn.cut_after(2)
    with ScriptedServer([broken, turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert text_of(parts) == "All is well."
    assert reply_of(parts).usage.requests == 2
    assert server.requests[0].body == server.requests[1].body


def test_calls_without_a_closing_event_are_not_taken() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}))
    with ScriptedServer([turn.cut_after(len(turn.steps) - 1), turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert len(reply_of(parts).calls) == 1
    assert len(server.requests) == 2


def test_a_stream_that_breaks_twice() -> None:
    assert isinstance(failure_of(*[text_turn("All is well.").cut_after(2)] * 2), ModelBroken)


@pytest.mark.parametrize("closed_in_order", [True, False])
def test_a_stream_that_breaks_after_a_delta(closed_in_order: bool) -> None:
    turn = text_turn("All is well.")
    after = turn.place_of("response.output_text.delta") + 1
    seen: list[ReplyPart] = []

    async def run(llm: ResponsesLLM) -> None:
        try:
            async for part in llm.reply(REQUEST):
                seen.append(part)  # noqa: PERF401 - what came before the error counts
        finally:
            await llm.close()

    broken = turn.first(after) if closed_in_order else turn.cut_after(after)
    with ScriptedServer([broken, turn]) as server:
        with pytest.raises(ModelBroken, match="broke during the answer"):
            asyncio.run(run(made(server.base_url)))
        assert len(server.requests) == 1
    assert seen == [TextDelta("All ")]


@pytest.mark.parametrize("data", [b'data: {"type": "resp\n\n', b"data: \xff\xfe\n\n"])
def test_a_line_that_is_no_json(data: bytes) -> None:
    assert isinstance(failure_of(text_turn("All is well.").with_step(2, Raw(data))), ModelBroken)


@pytest.mark.parametrize("turn", [failed_turn, error_turn])
def test_a_failure_within_the_stream(turn: Any) -> None:
    error = failure_of(turn(f"The GPU of {KEY} caught fire."))

    assert isinstance(error, ModelBroken)
    assert "caught fire" in error.message
    assert isinstance(failure_of(turn("Slow down.", "rate_limit_exceeded")), ModelRateLimited)


def test_an_error_event_of_another_shape() -> None:
    nested = unknown_event("error", error={"message": f"Out of memory, {KEY}", "code": "oom"})
    error = failure_of(text_turn("ok").with_step(1, nested))

    assert isinstance(error, ModelBroken)
    assert "Out of memory" in error.message


def test_an_incomplete_response_with_text_is_a_reply() -> None:
    turn = reply_turn(Text("The worst are Q07 and"), Call("get_qubit", '{"qid": "'), incomplete="max_output_tokens")
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    reply = reply_of(parts)
    assert reply.text == "The worst are Q07 and"
    assert reply.calls == ()
    assert [item["type"] for item in reply.items] == ["message"]


def test_an_incomplete_response_without_text_is_an_error() -> None:
    error = failure_of(
        reply_turn(Thought("gAAA"), Call("get_qubit_params", '{"qi'), incomplete="max_output_tokens"),
    )

    assert isinstance(error, ModelBroken)
    assert "max_output_tokens" in error.hint


def test_filtered_content() -> None:
    error = failure_of(reply_turn(Thought("gAAA"), incomplete="content_filter"))

    assert isinstance(error, ModelBroken)
    assert "content_filter" in error.message


# --- stopping


@pytest.mark.parametrize("where", ["before the first event", "after a delta", "before the headers"])
def test_a_stop_comes_through_at_once_and_closes_the_connection(where: str) -> None:
    turn = text_turn("All is well.")
    at = {"before the first event": 0, "after a delta": turn.place_of("response.output_text.delta") + 1}.get(where)
    released = asyncio.Event()

    def late(_body: JsonObject) -> Any:
        time.sleep(0.8)
        return turn

    async def run(llm: ResponsesLLM) -> float:
        async def consume() -> None:
            async for _ in llm.reply(REQUEST):
                released.set()

        task = asyncio.create_task(consume())
        await asyncio.to_thread(_until, lambda: bool(server.requests))
        if where == "after a delta":
            await released.wait()
        await asyncio.sleep(0.1)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        took = time.monotonic() - began
        hung_up = await asyncio.to_thread(server.requests[0].hung_up.wait, 2) if at is not None else True
        assert hung_up
        await llm.close()
        return took

    with ScriptedServer([late if at is None else turn.stalled(20, after=at)]) as server:
        assert asyncio.run(run(made(server.base_url))) < 0.5


def test_leaving_the_stream_closes_the_connection() -> None:
    async def run(llm: ResponsesLLM) -> bool:
        parts: AsyncIterator[ReplyPart] = llm.reply(REQUEST)
        await anext(parts)
        await parts.aclose()  # type: ignore[attr-defined]
        gone = await asyncio.to_thread(server.requests[0].hung_up.wait, 2)
        await llm.close()
        return gone

    turn = text_turn("All is well.")
    with ScriptedServer([turn.stalled(20, after=turn.place_of("response.output_text.delta") + 1)]) as server:
        assert asyncio.run(run(made(server.base_url)))


def test_a_server_that_keeps_the_stream_open_does_not_hold_up_the_reply() -> None:
    turn = text_turn("ok")
    with ScriptedServer([turn.stalled(20, after=len(turn.steps))]) as server:
        began = time.monotonic()
        (parts,) = ask(made(server.base_url))
        assert reply_of(parts).text == "ok"
        assert time.monotonic() - began < 2


# --- what is shown


@pytest.mark.parametrize(
    ("base_url", "endpoint"),
    [
        (None, "api.openai.com"),
        ("", "api.openai.com"),
        ("https://models.lab.example/v1", "models.lab.example"),
        ("http://localhost:11434/v1", "localhost:11434"),
        ("http://physicist:hunter22@[::1]:8080/v1?x=1", "[::1]:8080"),
    ],
)
def test_the_card_shows_the_host_and_no_password(base_url: str | None, endpoint: str) -> None:
    llm = made(base_url)

    assert (llm.card.name, llm.card.endpoint, llm.card.is_language_model) == ("gpt-test", endpoint, True)
    assert "hunter22" not in repr(llm) + repr(vars(llm))
    assert KEY not in repr(llm) + repr(vars(llm))


def test_a_password_in_the_url_is_sent_and_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedServer([http_error(403, "No hunter22 here.")] * 2) as server:
        url = server.base_url.replace("//", "//physicist:hunter22@")
        for key in (None, KEY):
            with pytest.raises(ModelRefused) as caught:
                ask(made(url, api_key=lambda key=key: key))
            assert "hunter22" not in str(caught.value)
        sent = [request.headers["authorization"] for request in server.requests]

    assert sent == ["Basic cGh5c2ljaXN0Omh1bnRlcjIy", f"Bearer {KEY}"]
    assert "hunter22" not in caplog.text


@pytest.mark.parametrize(
    "base_url", ["localhost:11434/v1", "ftp://pw@x/v1", "http://pw@x:port/v1", "http://[x", "http://"]
)
def test_what_is_no_url_is_said_at_once(base_url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        made(base_url)

    assert "pw" not in repr(caught.value)


def test_the_sdk_is_imported_with_the_first_question_only() -> None:
    code = """
import sys
from qdash_jupyter.llm.responses import ResponsesLLM
ResponsesLLM(model="m", base_url="http://localhost:1/v1", api_key=lambda: None)
import json
print(json.dumps([name for name in ("openai", "httpx2", "pydantic") if name in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == []


def _until(condition: Any, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
