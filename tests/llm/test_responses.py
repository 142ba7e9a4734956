from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import ModelRejected
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import QUESTION, REQUEST, SCHEMA, TOOL, ask, made, reply_of, text_of
from tests.patience import PATIENCE_S
from tests.scripted_server import (
    Call,
    HttpError,
    Raw,
    ScriptedServer,
    Text,
    Thought,
    call_turn,
    http_error,
    reply_turn,
    text_turn,
    unknown_event,
)

# --- what streams


def test_deltas_come_while_the_server_still_writes() -> None:
    async def first_delta(llm: ResponsesLLM) -> str:
        said = ""
        async with aclosing(llm.reply(REQUEST)) as parts:
            while not said:
                part = await anext(parts)
                said = part.text if isinstance(part, TextDelta) else ""
        assert await asyncio.to_thread(server.requests[0].hung_up.wait, PATIENCE_S), "it had more to say"
        await llm.close()
        return said

    turn = text_turn("one two three", pieces=3)
    silent = turn.stalled(2 * PATIENCE_S, after=turn.place_of("response.output_text.delta") + 1)
    with ScriptedServer([silent]) as server:
        assert asyncio.run(first_delta(made(server.base_url))).startswith("one")


def test_summaries_of_reasoning_stream_as_paragraphs() -> None:
    with ScriptedServer([reply_turn(Thought("gAAA", ["First the chip.", "Then T1."]), Text("Done."))]) as server:
        (parts,) = ask(made(server.base_url))

    summary = "".join(part.text for part in parts if isinstance(part, ReasoningDelta))
    assert summary == "First the chip.\n\nThen T1."
    assert text_of(parts) == "Done."


def test_a_summary_is_asked_for_where_the_model_is_known_to_reason() -> None:
    turns = [text_turn("ok"), reply_turn(Thought("gAAA", []), Text("ok")), text_turn("ok")]
    with ScriptedServer(turns) as server:
        llm = made(server.base_url)
        ask(llm, REQUEST, REQUEST, REQUEST)
        bodies = [request.body for request in server.requests]

    assert [body.get("reasoning") for body in bodies] == [None, None, {"summary": "auto"}]
    assert llm.capabilities.known.reasons


@pytest.mark.parametrize("param", ["reasoning.summary", "reasoning"])
def test_a_server_without_summaries_still_gets_the_effort(param: str) -> None:
    refusal = http_error(400, "Your organization must be verified.", param=param, code="unsupported_value")
    with ScriptedServer([refusal, text_turn("ok"), text_turn("ok")]) as server:
        llm = made(server.base_url, reasoning_effort="low")
        ask(llm, REQUEST, REQUEST)
        bodies = [request.body for request in server.requests]

    assert [body["reasoning"] for body in bodies] == [
        {"effort": "low", "summary": "auto"},
        {"effort": "low"},
        {"effort": "low"},
    ]
    assert str(llm.capabilities.in_words).startswith("without reasoning.summary")


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


def test_items_of_careless_servers_are_taken() -> None:
    call = {"type": "function_call", "id": 5, "call_id": "c1", "name": "get_chip_summary", "arguments": {"qid": None}}
    part = {"type": "summary_text", "text": "Hm.", "annotations": None}
    thought = {"type": "reasoning", "id": "rs_1", "summary": [part], "encrypted_content": "gAAA", "status": None}
    turn = reply_turn().with_step(
        1,
        Raw(b"data: []\n\n"),
        unknown_event("response.output_text.delta"),
        unknown_event("response.output_item.done", output_index=0),
        unknown_event("response.output_item.done", item=thought, output_index=0),
        unknown_event("response.output_item.done", item=call, output_index=0),
    )
    with ScriptedServer([turn]) as server:
        (parts,) = ask(made(server.base_url))

    reply = reply_of(parts)
    assert [item["type"] for item in reply.items] == ["reasoning", "function_call"]
    assert reply.calls == (ToolCall("c1", "get_chip_summary", '{"qid": null}'),)
    assert "status" not in reply.items[0]  # null is not taken back by OpenAI
    assert reply.items[0]["summary"] == [{"type": "summary_text", "text": "Hm."}]


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

    steps: tuple[Any, ...] = turn.steps
    wire = [step.item for step in steps if getattr(step, "type", "") == "response.output_item.done"]
    assert [item["type"] for item in sent[1:]] == ["reasoning", "function_call", "message", "function_call_output"]
    assert sent[1:4] == [item.model_dump(mode="json", exclude_unset=True, exclude_none=True) for item in wire]
    assert sent[1]["encrypted_content"] == "gAAAAABencrypted=="
    assert sent[1]["id"] == "rs_0"


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


@pytest.mark.parametrize("value", [2**70, "half a pair: \ud83d"])
def test_values_that_few_encoders_take_reach_the_wire(value: object) -> None:
    item = {"type": "telepathy", "value": value}
    with ScriptedServer([text_turn("ok")]) as server:
        ask(made(server.base_url), ModelRequest(instructions="", items=(item,)))

    assert server.requests[0].body["input"] == [item]


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
    assert llm.capabilities.known.left_out == (name,)


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
