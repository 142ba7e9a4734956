"""Responses of servers that are not OpenAI: parallel calls, reasoning, and streams that are cut."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.events import ReasoningDelta
from qdash_jupyter.errors import ModelBroken, ModelError
from qdash_jupyter.llm.responses.items import StreamedItems
from qdash_jupyter.llm.responses.stream import ReplyReader
from tests.llm.client_at_server import ask, made, reply_of
from tests.scripted_server import Call, Script, ScriptedServer, Text, Thought, reply_turn
from tests.scripted_server.dialects import DIALECTS, spoken
from tests.session.conversation import open_shell, without_settings

CALLS = (Call("get_qubit_params", {"qid": "3"}, "c1"), Call("get_qubit_params", {"qid": "7"}, "c2"))
MODELS = Path(__file__).parents[2] / "docs" / "models.md"


def answered(name: str, turn: Script) -> list[Any]:
    with ScriptedServer([spoken(turn, DIALECTS[name])]) as server:
        (parts,) = ask(made(server.base_url))
    return parts


@pytest.mark.parametrize("name", DIALECTS)
def test_parallel_calls_come_whole_after_reasoning(name: str) -> None:
    parts = answered(name, reply_turn(Thought("gAAA", ["I need both."]), *CALLS, Text("Looking.")))
    assert "".join(part.text for part in parts if isinstance(part, ReasoningDelta)) == "I need both."
    reply = reply_of(parts)
    assert [(call.name, call.arguments) for call in reply.calls] == [
        ("get_qubit_params", '{"qid": "3"}'),
        ("get_qubit_params", '{"qid": "7"}'),
    ]
    kept = [item for item in reply.items if item["type"] == "function_call"]
    assert [item["call_id"] for item in kept] == [call.call_id for call in reply.calls]  # what answers them finds them
    assert len({item["call_id"] for item in kept}) == len({item["id"] for item in kept}) == 2
    assert [item["arguments"] for item in kept] == [call.arguments for call in reply.calls]
    assert reply.text == "Looking."


@pytest.mark.parametrize("name", DIALECTS)
def test_a_stream_that_is_cut_makes_no_call(name: str) -> None:
    turn = spoken(reply_turn(*CALLS), DIALECTS[name])
    with ScriptedServer([turn.cut_after(len(turn.steps) - 1)] * 2) as server, pytest.raises(ModelError) as caught:
        ask(made(server.base_url))
    assert isinstance(caught.value, ModelBroken)


@pytest.mark.parametrize("name", DIALECTS)
def test_of_an_answer_at_its_limit_only_whole_calls_are_made(name: str) -> None:
    cut = Call("get_qubit_params", '{"qid": "7', "c2")
    reply = reply_of(answered(name, reply_turn(CALLS[0], cut, incomplete="max_output_tokens")))
    assert [call.arguments for call in reply.calls] == ['{"qid": "3"}']
    assert reply.cut_short == "max_output_tokens"


def test_whichever_event_comes_first_makes_the_call() -> None:
    """Each of the events by itself, and all orders in which one of them comes first."""
    item = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "arguments": '{"a":1}'}
    place = {"item_id": "fc_1", "output_index": 0}
    added = {"type": "response.output_item.added", "item": item | {"arguments": ""}, "output_index": 0}
    delta = {"type": "response.function_call_arguments.delta", "delta": '{"a":1}', **place}
    told = {"type": "response.function_call_arguments.done", "arguments": '{"a":1}', "name": "look", **place}
    done = {"type": "response.output_item.done", "item": item, "output_index": 0}
    for events in (
        [added, delta],
        [delta, added],
        [added, told],
        [told],
        [delta, told],
        [delta, done],
        [done],
        [done, done],
    ):
        items = StreamedItems()
        for event in events:
            items.take(event)
        (found,) = items.whole()
        assert (found["name"], found["arguments"], found["id"]) == ("look", '{"a":1}', "fc_1"), events
        assert found["call_id"] == "c1" if added in events or done in events else found["call_id"]
        items.close([item])
        assert [each["name"] for each in items.whole()] == ["look"], events


def test_a_call_that_the_final_output_alone_tells_of_gets_ids() -> None:
    items = StreamedItems()
    items.close([{"type": "function_call", "name": "look", "arguments": '{"a":1}'}])
    (found,) = items.whole()
    assert (found["name"], found["arguments"]) == ("look", '{"a":1}')
    assert found["id"].startswith("fc_")
    assert found["call_id"].startswith("call_")


@pytest.mark.parametrize("name", DIALECTS)
def test_what_answers_a_call_in_the_next_request_has_its_id(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server that gave none, too: it is made once, and kept."""
    calls = [Call("list_chips", {}, "c1"), Call("get_chip_topology", {}, "c2")]
    turns = [
        spoken(each, DIALECTS[name])
        for each in (reply_turn(*calls), reply_turn(Text("Two.")), reply_turn(Text("Two.")))
    ]
    without_settings(monkeypatch, tmp_path)
    with open_shell() as shell, ScriptedServer(turns) as server:
        model = {"name": "m", "base_url": server.base_url, "api_style": "responses"}
        settings = {"model": "m", "models": {"m": model}}
        with closing(open_copilot(shell, demo=True, settings=settings)) as copilot:
            copilot.ask("How many?")
            copilot.ask("Sure?")
        sent = [request.body["input"] for request in server.requests[1:]]
    ids = [[(item["type"], item["call_id"]) for item in items if "call_id" in item] for items in sent]
    assert ids[0] == ids[1][: len(ids[0])]
    called, answered = (
        [call_id for kind, call_id in ids[0] if kind == wanted] for wanted in ("function_call", "function_call_output")
    )
    assert called == answered
    assert len({*called}) == 2


def test_calls_of_one_id_are_told_apart() -> None:
    reader = ReplyReader()
    for qid in ("3", "7"):
        item = {"type": "function_call", "call_id": "call_0", "name": "look", "arguments": json.dumps({"qid": qid})}
        reader.read({"type": "response.output_item.done", "item": item})
    reader.read({"type": "response.completed", "response": {"output": []}})
    reply = reader.reply(1)
    assert reply is not None
    assert [json.loads(call.arguments)["qid"] for call in reply.calls] == ["3", "7"]
    assert reply.calls[0].call_id == "call_0" != reply.calls[1].call_id
    assert [item["call_id"] for item in reply.items] == [call.call_id for call in reply.calls]


def test_the_page_of_models_lists_what_was_played() -> None:
    written = MODELS.read_text(encoding="utf-8")
    assert [name for name in DIALECTS if f"| {name} |" not in written] == []
