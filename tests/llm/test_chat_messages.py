from __future__ import annotations

import json
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.chat_completions.messages import messages_of
from qdash_jupyter.llm.openai_server.items import of_responses

ENCRYPTED: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
THOUGHT: JsonObject = {"type": "chat_reasoning", "field": "reasoning_content", "text": "First the chip."}
OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "c1", "output": '{"t1": 61.4}'}


def said(text: str, role: str = "assistant") -> JsonObject:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def call(arguments: Any = "{}", call_id: str = "c1") -> JsonObject:
    return {"type": "function_call", "id": "fc_1", "call_id": call_id, "name": "get_t1", "arguments": arguments}


def sent(call_id: str = "c1", arguments: str = "{}") -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": "get_t1", "arguments": arguments}}


def test_items_of_one_reply_are_one_message() -> None:
    items = [said("How is Q7?", "user"), THOUGHT, said("Looking."), call(), call(call_id="c2"), OUTPUT]
    output: JsonObject = {"type": "function_call_output", "call_id": "c2", "output": "{}"}

    assert messages_of("Be brief.", [*items, output, said("Fine.")]) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How is Q7?"},
        {
            "role": "assistant",
            "reasoning_content": "First the chip.",
            "content": "Looking.",
            "tool_calls": [sent(), sent("c2")],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"t1": 61.4}'},
        {"role": "tool", "tool_call_id": "c2", "content": "{}"},
        {"role": "assistant", "content": "Fine."},
    ]


def test_what_only_the_responses_api_knows_is_left_out() -> None:
    items = [said("How is Q7?", "user"), ENCRYPTED, {"type": "telepathy", "id": "t"}, call(), OUTPUT]
    assert messages_of("", items) == [
        {"role": "user", "content": "How is Q7?"},
        {"role": "assistant", "tool_calls": [sent()], "content": None},
        {"role": "tool", "tool_call_id": "c1", "content": '{"t1": 61.4}'},
    ]


def test_what_only_chat_completions_knows_is_left_out_of_the_other_api() -> None:
    items = [said("How is Q7?", "user"), ENCRYPTED, THOUGHT, call(), OUTPUT]
    assert of_responses(items) == [items[0], ENCRYPTED, call(), OUTPUT]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"qid": "7"}', {"qid": "7"}),
        ("", {}),
        ({"qid": None}, {"qid": None}),
        ('{"qid": ', {"unreadable_arguments": '{"qid": '}),
        ("[1]", {"unreadable_arguments": "[1]"}),
    ],
)
def test_arguments_go_back_as_an_object(arguments: Any, expected: JsonObject) -> None:
    """The chat templates of vLLM and llama.cpp fail at anything else, and with them the whole conversation."""
    function = messages_of("", [call(arguments)])[0]["tool_calls"][0]["function"]
    assert json.loads(function["arguments"]) == expected


def test_images_go_along_as_parts() -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "high"}
    question = {"role": "user", "content": [{"type": "input_text", "text": "What is this?"}, image]}
    assert messages_of("", [question])[0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "high"}},
    ]


def test_a_file_stays_a_file() -> None:
    file = {"type": "input_file", "filename": "paper.pdf", "file_data": "data:application/pdf;base64,AAAA"}
    [message] = messages_of("", [{"role": "user", "content": [{"type": "input_text", "text": "Look."}, file]}])
    sent = {"type": "file", "file": {"filename": "paper.pdf", "file_data": "data:application/pdf;base64,AAAA"}}
    assert message["content"] == [{"type": "text", "text": "Look."}, sent]


def test_other_content_is_text_and_what_cannot_be_sent_is_said() -> None:
    items: list[JsonObject] = [
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": [{"type": "input_text", "text": "Read this."}, {"type": "input_file"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
    ]
    assert messages_of("", items) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Read this.\n\n[input_file: this server cannot take it]"},
        {"role": "assistant", "content": "No."},
    ]


def test_calls_are_told_in_words_where_there_are_none() -> None:
    items = [said("How is Q7?", "user"), call('{"qid": "7"}'), OUTPUT, said("Fine.")]
    assert messages_of("", items, with_calls=False) == [
        {"role": "user", "content": "How is Q7?"},
        {"role": "assistant", "content": 'I call the tool get_t1 with {"qid": "7"}.'},
        {"role": "user", "content": 'Result of the tool get_t1: {"t1": 61.4}'},
        {"role": "assistant", "content": "Fine."},
    ]


def test_reasoning_stays_away_where_it_is_not_taken_back() -> None:
    assert messages_of("", [THOUGHT, said("Fine.")], with_reasoning=False) == [
        {"role": "assistant", "content": "Fine."}
    ]
    assert messages_of("", [THOUGHT])[0]["content"] == ""
