"""`(System)? (User Assistant)* User`: every violation at once, with its place."""

from __future__ import annotations

from typing import Any

import pytest

from qdash_jupyter.agent.message_shape import expanded, shape_violations

S, U, A = ({"role": role, "content": "x"} for role in ("system", "user", "assistant"))
TOOL = {"role": "tool", "tool_call_id": "1", "content": "x"}


@pytest.mark.parametrize("messages", [[U], [S, U], [S, U, A, U], [U, A, U, A, U]])
def test_a_good_shape_has_no_violation(messages: list[Any]) -> None:
    assert shape_violations(messages) == []


@pytest.mark.parametrize(
    ("messages", "places"),
    [
        ([], [0]),
        ([S], [0]),
        ([A, U], [0]),
        ([U, U], [1]),
        ([U, A], [1]),
        ([U, S, A, U], [1]),
        ([U, TOOL, A, U], [1]),
        ([U, {"role": "assistant", "tool_calls": [{}]}, TOOL, A, U], [1, 2]),
        ([U, {"type": "function_call", "call_id": "1"}, A, U], [1]),
        ([U, A, A, U, {"role": "robot"}, S, "text", TOOL], [2, 4, 5, 6, 7]),
    ],
)
def test_all_violations_are_found_at_once(messages: list[Any], places: list[int]) -> None:
    assert [violation.place for violation in shape_violations(messages)] == places


def test_a_violation_says_what_is_wrong() -> None:
    assert [str(each) for each in shape_violations([U, S, U])] == [
        "message 1: only the first message may be a system message",
        "message 2: expected an answer, found a question",
    ]


def test_packed_calls_become_calls_and_outputs() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "rag", "arguments": '{"q": 1}'}}
    half = {"id": "c2", "type": "function", "function": {"name": "rag", "arguments": "{}"}}
    packed = [
        {"role": "assistant", "tool_calls": [call, half]},
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
    ]
    answer = {
        "role": "assistant",
        "content": "It is 42.",
        "custom_content": {"state": {"tool_execution_history": packed}},
    }

    assert list(expanded([U, answer])) == [
        U,
        {"type": "function_call", "call_id": "c1", "name": "rag", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "42"},
        {"role": "assistant", "content": "It is 42."},
    ]
    assert list(expanded([U, A])) == [U, A]
