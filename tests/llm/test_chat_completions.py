from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import ModelRequest, Reply
from tests.llm.client_at_server import QUESTION, REQUEST, SCHEMA, TOOL, ask, reply_of
from tests.llm.client_at_server import made as made_any
from tests.scripted_server import (
    Call,
    Manner,
    Raw,
    Script,
    ScriptedServer,
    Thought,
    as_chat,
    call_turn,
    reply_turn,
    text_turn,
)

made = partial(made_any, kind=ChatCompletionsLLM)
WITH_TOOL = ModelRequest(instructions="", items=(QUESTION,), tools=(TOOL,))


def replied(turn: Script, request: ModelRequest = WITH_TOOL, **manner: Any) -> Reply:
    with ScriptedServer([turn], manner=Manner(**manner)) as server:
        (parts,) = ask(made(server.base_url), request)
    return reply_of(parts)


# --- what streams


@pytest.mark.parametrize("whole_calls", [False, True], ids=["in pieces", "whole"])
@pytest.mark.parametrize(
    ("ids", "one_index"), [("own", False), ("own", True), ("none", False), ("none", True), ("same", False)]
)
def test_each_call_has_its_arguments_and_an_id_of_its_own(ids: str, one_index: bool, whole_calls: bool) -> None:
    qids = ["7", "12", "63"]
    turn = call_turn(*(("get_qubit_params", {"qid": qid}) for qid in qids))
    calls = replied(turn, ids=ids, one_index=one_index, whole_calls=whole_calls).calls

    assert [json.loads(call.arguments) for call in calls] == [{"qid": qid} for qid in qids]
    assert len({call.call_id for call in calls} - {""}) == 3


def test_an_id_that_the_conversation_holds_already_is_not_given_again() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}))
    with ScriptedServer([turn, turn], manner=Manner(ids="same")) as server:
        llm = made(server.base_url)
        first = reply_of(ask(llm, WITH_TOOL)[0])
        output: JsonObject = {"type": "function_call_output", "call_id": first.calls[0].call_id, "output": "{}"}
        items = (QUESTION, *first.items, output)
        second = reply_of(ask(llm, ModelRequest("", items, (TOOL,)))[0])

    assert first.calls[0].call_id == "call_0"
    assert second.calls[0].call_id not in {"", "call_0"}
    assert second.items[-1]["call_id"] == second.calls[0].call_id


def test_calls_of_one_id_and_one_index_are_told_apart_where_each_comes_whole() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}), ("get_chip_summary", {"chip_id": "A"}))
    calls = replied(turn, ids="same", one_index=True, whole_calls=True).calls

    assert [(call.name, call.arguments) for call in calls] == [
        ("get_qubit_params", '{"qid": "7"}'),
        ("get_chip_summary", '{"chip_id": "A"}'),
    ]
    assert len({call.call_id for call in calls}) == 2


def test_id_and_name_that_come_with_each_piece_are_one_call() -> None:
    pieces = ['{"qid"', ': "7"}', ""]
    calls = [{"index": 0, "id": "a", "function": {"name": "get_qubit_params", "arguments": piece}} for piece in pieces]
    chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]} for call in calls]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    turn = Script(tuple(Raw(f"data: {json.dumps(chunk)}\n\n".encode()) for chunk in [*chunks, end]))

    assert replied(turn).calls == (ToolCall("a", "get_qubit_params", '{"qid": "7"}'),)


def test_calls_that_end_with_stop_are_calls() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}))
    assert [call.name for call in replied(turn, calls_end_with="stop").calls] == ["get_qubit_params"]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_streams_and_goes_back_under_its_own_name(field: str) -> None:
    turn = reply_turn(Thought("", ["First the chip."]), Call("get_qubit_params", {"qid": "7"}, "call_1"))
    with ScriptedServer([turn, text_turn("Done.")], manner=Manner(reasoning=field)) as server:
        llm = made(server.base_url)
        (parts,) = ask(llm, WITH_TOOL)
        output: JsonObject = {"type": "function_call_output", "call_id": "call_1", "output": '{"t1": 61.4}'}
        ask(llm, ModelRequest("", (QUESTION, *reply_of(parts).items, output), (TOOL,)))
        sent = server.requests[1].body["messages"]

    assert "".join(part.text for part in parts if isinstance(part, ReasoningDelta)) == "First the chip."
    assert reply_of(parts).text == ""
    assert sent[1:] == [
        {
            "role": "assistant",
            field: "First the chip.",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "get_qubit_params", "arguments": '{"qid": "7"}'},
                }
            ],
            "content": None,
        },
        {"role": "tool", "tool_call_id": "call_1", "content": '{"t1": 61.4}'},
    ]


def test_what_servers_send_besides_is_passed_over() -> None:
    chunks = as_chat(text_turn("All is well."))
    turn = chunks.with_step(
        2,
        Raw(b": OPENROUTER PROCESSING\n\nevent: ping\ndata: {}\n\nid: 5\nretry: 10\n\n"),
        Raw(b'data: {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}\r\n\r\n'),
        Raw(b'data: {"choices": [{"index": 0, "delta": {"mood": ["calm"]}, "finish_reason": null}]}\n\n'),
        Raw(b'data: {"choices": [{"index": 0, "delta": null}]}\n\ndata: 7\n\n'),
    )
    assert replied(turn).text == "All is well."


def test_content_in_parts_is_text() -> None:
    parts = [{"type": "text", "text": "Bare "}, {"type": "text", "text": "words."}]
    delta = {"choices": [{"index": 0, "delta": {"content": parts}, "finish_reason": "stop"}]}
    assert replied(Script((Raw(f"data: {json.dumps(delta)}\n\n".encode()),))).text == "Bare words."


@pytest.mark.parametrize(
    ("manner", "usage"),
    [
        ({"usage": "always"}, Usage(11, 7, 1)),
        ({"usage": "never"}, Usage(0, 0, 1)),
        ({"done": False}, Usage(11, 7, 1)),
        ({"finish": False}, Usage(11, 7, 1)),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_stream_is_whole_with_either_of_its_ends(manner: dict[str, Any], usage: Usage) -> None:
    reply = replied(text_turn("All is well."), **manner)

    assert (reply.text, reply.usage) == ("All is well.", usage)


@pytest.mark.parametrize("manner", [Manner(), Manner(done=False), Manner(done=False, usage="never")])
def test_a_server_that_keeps_the_stream_open_does_not_hold_up_the_reply(manner: Manner) -> None:
    chunks = as_chat(text_turn("ok"), manner)
    with ScriptedServer([chunks.stalled(200, after=len(chunks.steps))]) as server:
        (parts,) = ask(made(server.base_url, timeout_s=100))

    assert reply_of(parts).text == "ok"


# --- what is sent


def test_a_request_holds_this_and_nothing_else() -> None:
    with ScriptedServer([text_turn("ok")]) as server:
        ask(made(server.base_url))
        request = server.requests[0]

    assert request.path == "/v1/chat/completions"
    assert request.body == {
        "model": "gpt-test",
        "messages": [
            {"role": "system", "content": "You help with qubits."},
            {"role": "user", "content": "Which qubits have the worst T1?"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_tools_are_functions_of_chat_completions() -> None:
    with ScriptedServer([text_turn("ok")]) as server:
        ask(made(server.base_url), WITH_TOOL)
        body = server.requests[0].body

    function = {name: TOOL[name] for name in ("name", "description", "parameters")}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["parallel_tool_calls"] is True


def test_a_schema_goes_along_where_no_tools_do() -> None:
    """A server that is held to a schema from the first token on could never call a tool."""
    answering = ModelRequest("Be brief.", (QUESTION,), (), SCHEMA)
    with ScriptedServer([text_turn("ok")] * 2) as server:
        ask(made(server.base_url), ModelRequest("Be brief.", (QUESTION,), (TOOL,), SCHEMA), answering)
        calling, last = (request.body for request in server.requests)

    schema = {"name": "copilot_answer", "schema": SCHEMA, "strict": False}
    assert "response_format" not in calling
    assert last["response_format"] == {"type": "json_schema", "json_schema": schema}
    assert calling["messages"] == last["messages"]
    assert calling["messages"][0]["content"] == "Be brief."


# --- calls in the text


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "get_qubit_params", "arguments": {"qid": "7"}}\n```',
        '{"tool": "get_qubit_params", "arguments": {"qid": "7"}}',
        '\n```\n{"name": "get_qubit_params", "parameters": {"qid": "7"}}```\n',
        '<tool_call>\n{"name": "get_qubit_params", "arguments": {"qid": "7"}}\n</tool_call>',
        '[{"type": "function", "function": {"name": "get_qubit_params", "arguments": "{\\"qid\\": \\"7\\"}"}}]',
    ],
)
def test_a_call_that_is_written_as_text_is_one(text: str) -> None:
    with ScriptedServer([text_turn(text)]) as server:
        llm = made(server.base_url)
        reply = reply_of(ask(llm, WITH_TOOL)[0])

    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [("get_qubit_params", {"qid": "7"})]
    assert reply.text == ""
    assert [item["type"] for item in reply.items] == ["function_call"]
    assert reply.calls[0].call_id == reply.items[0]["call_id"] != ""
    assert llm.capabilities.known.written_calls


@pytest.mark.parametrize(
    "text",
    [
        'Call this: {"name": "get_qubit_params", "arguments": {"qid": "7"}}',
        '{"name": "drop_database", "arguments": {}}',
        '{"name": "get_qubit_params", "arguments": {}, "blocks": []}',
        '{"name": "get_qubit_params", "arguments": [1]}',
        '[{"name": "get_qubit_params", "arguments": {}}, {"name": "Q7"}]',
        '{"blocks": [], "assessment": null}',
        "[]",
        "```json\n{}\n```",
    ],
)
def test_anything_else_stays_text(text: str) -> None:
    assert replied(text_turn(text)).text == text


def test_a_server_that_sends_calls_as_such_is_taken_at_its_word() -> None:
    example = '{"name": "get_qubit_params", "arguments": {"qid": "7"}}'
    with ScriptedServer([call_turn(("get_qubit_params", {"qid": "3"})), text_turn(example)]) as server:
        _, second = ask(made(server.base_url), WITH_TOOL, WITH_TOOL)

    assert reply_of(second).text == example
    assert reply_of(second).calls == ()


def test_without_tools_nothing_is_a_call() -> None:
    text = '{"name": "get_qubit_params", "arguments": {"qid": "7"}}'
    assert replied(text_turn(text), REQUEST).text == text
