"""What a server does not take is left out, once and for all; the words are those of real servers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from qdash_jupyter.agent.parse import parse_answer
from qdash_jupyter.domain.answer import JsonObject, TextBlock
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import ModelBroken, ModelRejected
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.chat_completions.body import LEGACY_SCHEMA
from qdash_jupyter.llm.client import ModelRequest
from tests.llm.client_at_server import AT_ONCE, QUESTION, REQUEST, SCHEMA, TOOL, ask, reply_of, text_of
from tests.llm.client_at_server import made as made_any
from tests.scripted_server import (
    Call,
    HttpError,
    ScriptedServer,
    Text,
    Thought,
    call_turn,
    http_error,
    refuses,
    refuses_format,
    refuses_streaming,
    reply_turn,
    text_turn,
)

made = partial(made_any, kind=ChatCompletionsLLM)
SETTINGS: dict[str, Any] = {"temperature": 0.1, "max_output_tokens": 99, "reasoning_effort": "low"}
WITH_TOOL = ModelRequest("Use the tools.", (QUESTION,), (TOOL,), SCHEMA)
LAST_ANSWER = ModelRequest("Be brief.", (QUESTION,), (), SCHEMA)


def vllm(message: str, status: int = 400) -> HttpError:
    error = {"message": message, "type": "BadRequestError", "param": None, "code": status}
    return HttpError(status, {"error": error}, AT_ONCE)


# --- parameters


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (None, "temperature"),
        (None, "parallel_tool_calls"),
        (vllm("Unknown parameter stream_options"), "stream_options"),
        (vllm("'reasoning_effort' is not known"), "reasoning_effort"),
        (HttpError(422, {"detail": [{"loc": ["body", "parallel_tool_calls"], "msg": "extra"}]}), "parallel_tool_calls"),
        (http_error(400, "Unsupported value", param="reasoning_effort", code="unsupported_value"), "reasoning_effort"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refused_parameter_is_left_out_from_then_on(error: HttpError | None, name: str) -> None:
    with ScriptedServer([text_turn("ok")] * 2, refusals=[refuses(name, error)]) as server:
        llm = made(server.base_url, **SETTINGS)
        first, _ = ask(llm, WITH_TOOL, WITH_TOOL)
        bodies = [request.body for request in server.requests]

    assert text_of(first) == reply_of(first).text == "ok"
    assert bodies[0].keys() - bodies[1].keys() == {name}
    assert bodies[1] == bodies[2]
    assert llm.capabilities.known.left_out == (name,)


def test_the_limit_of_the_output_goes_under_its_other_name() -> None:
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    newer = refuses("max_tokens", http_error(400, said, param="max_tokens", code="unsupported_parameter"))
    with ScriptedServer([text_turn("ok")], refusals=[newer]) as server:
        ask(made(server.base_url, **SETTINGS))
        assert [request.body.get("max_completion_tokens") for request in server.requests] == [None, 99]

    with ScriptedServer([text_turn("ok")], refusals=[newer, refuses("max_completion_tokens")]) as server:
        ask(made(server.base_url, **SETTINGS))
        assert not {"max_tokens", "max_completion_tokens"} & server.requests[-1].body.keys()


def test_reasoning_that_is_not_taken_back_stays_away() -> None:
    error = vllm("messages.1: The reasoning_content must not be part of the input messages.")

    def refuse(body: dict[str, Any]) -> HttpError | None:
        return error if any("reasoning_content" in message for message in body["messages"]) else None

    turns = [reply_turn(Thought("", ["Hm."]), Text("Fine.")), text_turn("ok")]
    with ScriptedServer(turns, refusals=[refuse]) as server:
        llm = made(server.base_url)
        items = (QUESTION, *reply_of(ask(llm)[0]).items, QUESTION)
        assert reply_of(ask(llm, ModelRequest("", items))[0]).text == "ok"
        assert llm.capabilities.known.left_out == ("reasoning_content",)


@pytest.mark.parametrize(
    "refusal",
    [
        http_error(400, "Must be at most 2.", param="temperature", code="decimal_above_max_value"),
        http_error(400, "Invalid schema.", param="tools[0].function.parameters", code="invalid_function_parameters"),
        http_error(400, "The temperature is too high today."),
        HttpError(422, {"detail": [{"loc": ["body", "messages", 0, "content"], "msg": "none is not allowed"}]}),
        vllm("Tools are fine, but not this one's schema.", 409),
    ],
    ids=["wrong value", "schema of a tool", "unquoted", "of a message", "another status"],
)
def test_other_bad_requests_are_told_and_teach_nothing(refusal: HttpError) -> None:
    with ScriptedServer([refusal] * 3) as server:
        llm = made(server.base_url, **SETTINGS)
        with pytest.raises((ModelRejected, ModelBroken)):
            ask(llm, WITH_TOOL)

    assert len({json.dumps(request.body) for request in server.requests}) == 1
    assert llm.capabilities.in_words == ""


def test_a_server_that_refuses_whatever_it_gets_ends() -> None:
    with ScriptedServer([vllm("tools, streaming, response_format: not supported")] * 20) as server:
        with pytest.raises(ModelRejected):
            ask(made(server.base_url, **SETTINGS), WITH_TOOL)
        assert len(server.requests) < 9


# --- tools


NO_TOOLS = [
    http_error(400, "registry.ollama.ai/library/gemma:2b does not support tools"),
    vllm('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    HttpError(500, {"error": {"code": 500, "message": "tools param requires --jinja flag"}}, AT_ONCE),
    http_error(404, "No endpoints found that support tool use."),
    http_error(400, "Unknown parameter: 'tools'.", param="tools", code="unknown_parameter"),
]


@pytest.mark.parametrize("error", NO_TOOLS, ids=["ollama", "vllm", "llama.cpp", "gateway", "openai"])
def test_without_tools_the_older_answer_is_asked_for(error: HttpError) -> None:
    legacy = {
        "summary": "Q7 cannot be judged.",
        "assessment": "warning",
        "explanation": "There are no data here.",
        "potential_issues": [],
        "recommendations": ["Paste its T1."],
    }
    turns = [text_turn(json.dumps(legacy)), text_turn("ok")]
    with ScriptedServer(turns, refusals=[refuses("tools", error)]) as server:
        llm = made(server.base_url)
        first, _ = ask(llm, WITH_TOOL, WITH_TOOL)
        bodies = [request.body for request in server.requests]

    body = bodies[-1]
    assert bodies[-2] == body  # asked once
    assert not {"tools", "parallel_tool_calls"} & body.keys()
    assert body["response_format"]["json_schema"]["schema"] == LEGACY_SCHEMA
    instructions = body["messages"][0]["content"]
    assert instructions.startswith("Use the tools.")
    assert "cannot call tools" in instructions
    assert "never make up a measurement" in instructions
    assert all(name in instructions for name in LEGACY_SCHEMA["properties"])
    parsed = parse_answer(reply_of(first).text)
    assert parsed.assessment == "warning"
    assert isinstance(parsed.blocks[0], TextBlock)
    assert "Paste its T1." in parsed.blocks[0].content
    assert "no tools" in str(llm.capabilities.in_words)


def test_a_conversation_with_calls_goes_on_without_tools() -> None:
    call: JsonObject = {"type": "function_call", "call_id": "c", "name": "get_t1", "arguments": "{}"}
    output: JsonObject = {"type": "function_call_output", "call_id": "c", "output": '{"t1": 61.4}'}
    request = ModelRequest("", (QUESTION, call, output), (TOOL,), SCHEMA)
    with ScriptedServer([text_turn("ok")], refusals=[refuses("tools", NO_TOOLS[0])]) as server:
        ask(made(server.base_url), request)
        messages = server.requests[-1].body["messages"]

    assert {message["role"] for message in messages} == {"system", "user", "assistant"}
    assert not any("tool_calls" in message for message in messages)
    assert '{"t1": 61.4}' in messages[-1]["content"]


# --- the form of the answer


def test_the_form_of_the_answer_gets_looser_step_by_step() -> None:
    refusals = [refuses_format("json_schema"), refuses_format("json_object")]
    with ScriptedServer([text_turn("ok")] * 2, refusals=refusals) as server:
        llm = made(server.base_url)
        ask(llm, LAST_ANSWER, LAST_ANSWER)
        bodies = [request.body for request in server.requests]

    assert [body.get("response_format", {}).get("type") for body in bodies] == [
        "json_schema",
        "json_object",
        None,
        None,
    ]
    # The schema stands in the instructions only where nothing else says it.
    assert [json.dumps(SCHEMA) in body["messages"][0]["content"] for body in bodies] == [False, False, True, True]
    assert bodies[2] == bodies[3]
    assert llm.capabilities.known.answer_format == "none"


@pytest.mark.parametrize(
    "said",
    [
        "This response_format type is unavailable now",
        "Invalid response_format type: json_schema is not supported",
        "guided decoding is disabled on this server",
    ],
)
def test_other_words_for_the_same(said: str) -> None:
    with ScriptedServer([text_turn("ok")], refusals=[refuses_format("json_schema", http_error(400, said))]) as server:
        llm = made(server.base_url)
        ask(llm, LAST_ANSWER)

    assert llm.capabilities.known.answer_format == "json_object"


# --- streaming


@pytest.mark.parametrize("error", [None, vllm("Streaming is not implemented.", 501), vllm("stream must be false")])
def test_a_server_that_does_not_stream_gets_a_plain_request(error: HttpError | None) -> None:
    thinking = reply_turn(Thought("", ["Hm."]), Text("Looking."), Call("get_qubit_params", {"qid": "7"}, "call_1"))
    with ScriptedServer([thinking, text_turn("Fine.")], refusals=[refuses_streaming(error)]) as server:
        llm = made(server.base_url)
        first, second = ask(llm, WITH_TOOL, REQUEST)
        bodies = [request.body for request in server.requests]

    assert [body["stream"] for body in bodies][-2:] == [False, False]
    assert "stream_options" not in bodies[-1]
    assert text_of(first) == "Looking."
    assert [(call.call_id, call.arguments) for call in reply_of(first).calls] == [("call_1", '{"qid": "7"}')]
    assert [item["type"] for item in reply_of(first).items] == ["chat_reasoning", "message", "function_call"]
    assert reply_of(first).usage.input_tokens == 11
    assert [part for part in second if isinstance(part, TextDelta)] == [TextDelta("Fine.")]
    assert not llm.capabilities.known.streaming


def test_a_server_that_takes_no_notice_of_streaming_is_read_all_the_same() -> None:
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Fine."}}], "usage": None}
    with ScriptedServer([HttpError(200, whole)]) as server:
        (parts,) = ask(made(server.base_url))

    assert text_of(parts) == reply_of(parts).text == "Fine."
    assert len(server.requests) == 1


def test_a_server_that_can_do_next_to_nothing_still_answers() -> None:
    refusals = [
        refuses("tools", NO_TOOLS[0]),
        refuses("response_format", http_error(400, "response_format: not supported")),
        refuses_streaming(),
        refuses("temperature"),
        refuses("max_tokens"),
        refuses("max_completion_tokens"),
    ]
    with ScriptedServer([text_turn("Fine.")] * 2, refusals=refusals) as server:
        llm = made(server.base_url, temperature=0.1, max_output_tokens=99)
        assert reply_of(ask(llm, WITH_TOOL)[0]).text == "Fine."
        asked = len(server.requests)
        assert reply_of(ask(llm, WITH_TOOL)[0]).text == "Fine."
        last = server.requests[-1].body

    assert len(server.requests) == asked + 1
    assert last.keys() == {"model", "messages", "stream"}


def test_tools_are_offered_where_calls_come() -> None:
    with ScriptedServer([call_turn(("get_qubit_params", {"qid": "7"}))]) as server:
        llm = made(server.base_url)
        ask(llm, WITH_TOOL)

    assert llm.capabilities.known.structured_calls
    assert llm.capabilities.in_words == ""
