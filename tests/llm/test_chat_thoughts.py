"""Thoughts between tags at the beginning of a text are reasoning, however the stream is cut."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from qdash_jupyter.domain.events import ReasoningDelta
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.chat_completions.content import Content
from qdash_jupyter.llm.client import ModelRequest
from tests.llm.client_at_server import QUESTION, REQUEST, TOOL, ask, failure_of, made, reply_of, text_of
from tests.scripted_server import ScriptedServer, Text, refuses_streaming, reply_turn, text_turn

TEXTS = [
    "<think>T1 is low.</think>Q7 is bad.",
    "\n<think>\nT1 is < 20 µs.\n</think>\n\nQ7 <b>bad</b>.",
    "<thinking>a</think></thinking>b",
    "<think>a</thinking></think>b",
    "<think></think>b",
    "<think>\n\n</think>\n\n",
    "<think>never closed </thi",
    "<think>",
    "<thinking> a",
    "<thin",
    "<thinks>a</thinks>",
    "  \n ",
    " plain",
    "Use `<think>a</think>` here.",
    "```\n<think>a</think>\n```",
    "<think>a</think>b <think>c</think> d",
    "<think>a</think><think>b</think>",
    "< think>a</think>",
    "</think>b",
    '<think>a</think>{"blocks": []}',
]
SPLIT = re.compile(r"\A\s*<(think|thinking)>\s*(?P<thought>.*?)(?:</\1>\s*(?P<text>.*))?\Z", re.DOTALL)


def told_apart(pieces: list[str]) -> tuple[str, str]:
    """Reasoning and text; all reasoning comes first, and no delta is empty."""
    content = Content()
    deltas = [delta for piece in pieces for delta in content.read(piece)] + list(content.end())
    assert all(delta.text for delta in deltas)
    thoughts = [delta for delta in deltas if isinstance(delta, ReasoningDelta)]
    assert deltas[: len(thoughts)] == thoughts
    return "".join(thought.text for thought in thoughts), "".join(delta.text for delta in deltas[len(thoughts) :])


@pytest.mark.parametrize("text", TEXTS)
def test_all_cuts_in_two_three_and_single_characters_give_the_same(text: str) -> None:
    found = SPLIT.match(text)
    expected = (found["thought"], found["text"] or "") if found else ("", text)

    assert told_apart([text]) == expected
    assert told_apart(list(text)) == expected
    for first, second in combinations(range(len(text) + 1), 2):
        assert told_apart([text[:first], text[first:second], text[second:]]) == expected


def test_an_answer_is_not_held_back() -> None:
    content = Content()
    assert [delta.text for delta in content.read("<think>Hm")] == ["Hm"]
    assert [delta.text for delta in content.read("m.</think>\nQ7")] == ["m.", "Q7"]
    assert [delta.text for delta in content.read(" <think")] == [" <think"]
    assert [delta.text for delta in Content().read("A")] == ["A"]


@pytest.mark.parametrize("streams", [True, False])
def test_a_reply_has_them_as_reasoning_and_they_do_not_go_back(streams: bool) -> None:
    said = "<think>\nFirst the chip.\n</think>\n\nQ7 is fine."
    refusals = [] if streams else [refuses_streaming()]
    with ScriptedServer([text_turn(said, pieces=len(said)), text_turn("ok")], refusals=refusals) as server:
        llm = made(server.base_url, ChatCompletionsLLM)
        (parts,) = ask(llm)
        ask(llm, ModelRequest("", (QUESTION, *reply_of(parts).items, QUESTION)))
        sent = server.requests[-1].body["messages"]

    assert "".join(part.text for part in parts if isinstance(part, ReasoningDelta)) == "First the chip.\n"
    assert text_of(parts) == reply_of(parts).text == "Q7 is fine."
    assert sent[1] == {"role": "assistant", "content": "Q7 is fine."}


def test_a_stream_that_ends_with_a_tag_half_written_loses_nothing() -> None:
    with ScriptedServer([text_turn("<thin")]) as server:
        (parts,) = ask(made(server.base_url, ChatCompletionsLLM))

    assert text_of(parts) == reply_of(parts).text == "<thin"


def test_a_length_used_up_by_thoughts_is_told() -> None:
    turn = reply_turn(Text("<think>On and on"), incomplete="max_output_tokens")
    assert "max_output_tokens" in str(failure_of(turn, kind=ChatCompletionsLLM).hint)


def test_a_call_that_is_written_behind_thoughts_is_one() -> None:
    said = '<think>I need T1.</think>\n{"name": "get_qubit_params", "arguments": {"qid": "7"}}'
    with ScriptedServer([text_turn(said)]) as server:
        (parts,) = ask(made(server.base_url, ChatCompletionsLLM), ModelRequest("", (QUESTION,), (TOOL,)))

    assert [call.arguments for call in reply_of(parts).calls] == ['{"qid": "7"}']


def test_each_reply_begins_anew() -> None:
    with ScriptedServer([text_turn("<think>a</think>b"), text_turn("<think>c</think>d")]) as server:
        replies = ask(made(server.base_url, ChatCompletionsLLM), REQUEST, REQUEST)

    assert [reply_of(parts).text for parts in replies] == ["b", "d"]
