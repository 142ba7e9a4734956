"""Equal keys for what differs from run to run, other keys for everything that was asked differently."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from qdash_jupyter.agent.limits import LimitReached, no_more_tools
from qdash_jupyter.agent.prompt import PromptContext, instructions
from qdash_jupyter.agent.situation import situation_text
from qdash_jupyter.domain.analysis import NOTE
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.cassette.canonical import canonical, canonical_items, key_of, question_of
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

INSTRUCTIONS = instructions(PromptContext(BUILTIN_TOOLS[:2], MetricTable(), "en", "en"))


def where(minute: int = 0, label: str = "MongoDB at lab:27017") -> str:
    return situation_text({"now": f"2026-11-22 09:{minute:02d} UTC", "database": label})


def user(*texts: str) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text} for text in texts]}


def call(call_id: str, arguments: str = '{"qid": "7", "last_n": 3}', **more: Any) -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": "get_task_history", "arguments": arguments, **more}


def result(call_id: str, output: str = '{"count": 3, "unit": "us"}') -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def thought(encrypted: str, summary: str = "Look.") -> JsonObject:
    text = {"type": "summary_text", "text": summary}
    return {"type": "reasoning", "id": "rs_1", "encrypted_content": encrypted, "summary": [text]}


REQUEST = ModelRequest(
    instructions=INSTRUCTIONS,
    items=(user("Which?", where()), thought("gAAA"), call("call_a", id="fc_1", status="completed"), result("call_a")),
    tools=({"type": "function", "name": "get_task_history", "parameters": {"type": "object"}},),
    answer_schema={"type": "object", "properties": {"blocks": {"type": "array"}}},
    language="en",
)


def with_items(*items: JsonObject) -> ModelRequest:
    return replace(REQUEST, items=items)


def key(request: ModelRequest) -> str:
    return key_of(canonical(request))


SAME: dict[str, ModelRequest] = {
    "the clock": with_items(user("Which?", where(minute=59)), *REQUEST.items[1:]),
    "ids of calls": with_items(REQUEST.items[0], REQUEST.items[1], call("call_zzz"), result("call_zzz")),
    "ids and status of items": with_items(
        {**user("Which?", where()), "id": "msg_9"},
        {**thought("gAAA"), "id": "rs_77"},
        call("x", id="fc_8"),
        result("x"),
    ),
    "encrypted reasoning": with_items(REQUEST.items[0], thought("gBBBother"), *REQUEST.items[2:]),
    "order of keys of items": with_items(*(dict(reversed(item.items())) for item in REQUEST.items)),
    "order of keys of tools": replace(REQUEST, tools=tuple(dict(reversed(t.items())) for t in REQUEST.tools)),
    "spelling of arguments": with_items(
        *REQUEST.items[:2], call("call_a", '{"last_n":3,\n "qid":"\\u0037"}'), REQUEST.items[3]
    ),
    "spelling of results": with_items(*REQUEST.items[:3], result("call_a", '{"unit":"us","count":3}')),
    "ids that we made, and elapsed times": with_items(
        *REQUEST.items[:3],
        result("call_a", '{"count":3,"unit":"us","cell_id":"4f","request_id":"5e","elapsed_s":0.3,"turn_id":"1"}'),
    ),
}

DIFFERENT: dict[str, ModelRequest] = {
    "question": with_items(user("Which ones?"), *REQUEST.items[1:]),
    "one number in a result": with_items(*REQUEST.items[:3], result("call_a", '{"count": 4, "unit": "us"}')),
    "an argument": with_items(*REQUEST.items[:2], call("call_a", '{"qid": "8", "last_n": 3}'), REQUEST.items[3]),
    "number or text": with_items(*REQUEST.items[:2], call("call_a", '{"qid": 7, "last_n": 3}'), REQUEST.items[3]),
    "name of a tool": with_items(*REQUEST.items[:2], {**REQUEST.items[2], "name": "other"}, REQUEST.items[3]),
    "summary of the reasoning": with_items(REQUEST.items[0], thought("gAAA", "Think."), *REQUEST.items[2:]),
    "an item less": with_items(*REQUEST.items[:3]),
    "order of items": with_items(REQUEST.items[1], REQUEST.items[0], *REQUEST.items[2:]),
    "instructions": replace(REQUEST, instructions=INSTRUCTIONS + " Be brief."),
    "another database": with_items(user("Which?", where(label="MongoDB at other:27017")), *REQUEST.items[1:]),
    "tools": replace(REQUEST, tools=()),
    "schema": replace(REQUEST, answer_schema=None),
    "language": replace(REQUEST, language="ja"),
    "an id of QDash's in a result": with_items(
        *REQUEST.items[:3], result("call_a", '{"count":3,"unit":"us","task_id":"4f"}')
    ),
    "an image": with_items(
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}]}
    ),
    "another image": with_items(
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgp="}]}
    ),
}


@pytest.mark.parametrize("request_", SAME.values(), ids=SAME)
def test_the_same_key_for_what_differs_from_run_to_run(request_: ModelRequest) -> None:
    assert repr(request_) != repr(REQUEST)
    assert key(request_) == key(REQUEST)


def test_each_real_difference_has_a_key_of_its_own() -> None:
    keys = {name: key(request) for name, request in {"as it was": REQUEST, **DIFFERENT}.items()}
    assert len(set(keys.values())) == len(keys), keys


def test_two_calls_whose_results_are_swapped_are_another_request() -> None:
    calls = (user("Which?"), call("a", '{"qid": "1"}'), call("b", '{"qid": "2"}'))
    one = with_items(*calls, result("a", "[1]"), result("b", "[2]"))
    swapped = with_items(*calls, result("b", "[1]"), result("a", "[2]"))
    renamed = with_items(*calls[:1], call("x", '{"qid": "1"}'), call("y", '{"qid": "2"}'), *one.items[3:])
    renamed = replace(renamed, items=(*renamed.items[:3], result("x", "[1]"), result("y", "[2]")))
    assert key(one) == key(renamed) != key(swapped)


def test_a_server_that_uses_one_id_for_all_its_calls() -> None:
    items = (user("Which?"), call("c", '{"n": 1}'), result("c", "[1]"), call("c", '{"n": 2}'), result("c", "[2]"))
    names = [item["call_id"] for item in canonical_items(items)[1:]]
    assert names == ["call 1", "call 1", "call 2", "call 2"]


def test_canonical_items_stay_so_and_can_be_followed_by_others() -> None:
    more = (call("call_a", '{"qid": "9"}'), result("call_a"))
    whole = canonical_items([*REQUEST.items, *more])
    assert canonical_items(whole) == whole
    begun = canonical_items([*canonical_items(REQUEST.items), more[0]])
    assert [*begun, *whole[len(begun) :]] == whole


def test_addresses_of_objects_do_not_count_and_numbers_do() -> None:
    def printed(text: str) -> str:
        return key(with_items(user("Which?"), call("a"), result("a", json.dumps({"text": text}))))

    assert printed("<Fit object at 0x7f00aa11bb22>") == printed("<Fit object at 0x7fffff11bb22>")
    assert printed("register 0x7f00aa11bb22") != printed("register 0x7fffff11bb22")


def test_an_image_is_its_hash() -> None:
    url = "data:image/png;base64," + "iVBORw0KGgo" * 1000
    text = json.dumps(canonical(with_items({"role": "user", "content": [{"type": "input_image", "image_url": url}]})))
    assert "sha256" in text
    assert "11,000 characters" in text
    assert len(text) < 12_000


@pytest.mark.parametrize("text", ["{", "[1, 2", "no JSON", "", "[" * 5_000, '{"a":' * 60 + "1" + "}" * 60])
def test_what_is_no_json_or_too_deep_stays_a_text(text: str) -> None:
    assert canonical_items([call("a", text)])[0]["arguments"] == text


def test_the_question_and_its_round() -> None:
    first = (user("First?"), call("a"), call("b"), result("a"), result("b"))
    note = user(f"{NOTE} the limit of 10 rounds. Answer now.")
    cases: list[tuple[tuple[JsonObject, ...], tuple[str, int]]] = [
        (first[:1], ("First?", 1)),
        (first, ("First?", 2)),
        ((*first, call("c"), result("c")), ("First?", 3)),
        ((*first, note), ("First?", 2)),
        ((*first, {"role": "assistant", "content": "Done."}, user("Second?")), ("Second?", 1)),
        ((), ("", 1)),
    ]
    for items, expected in cases:
        assert question_of(items) == expected
        assert question_of(canonical_items(items)) == expected


def test_the_loops_own_words_begin_as_they_are_known_here() -> None:
    assert no_more_tools(LimitReached("max_seconds", 60)).startswith(NOTE)
