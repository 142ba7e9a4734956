"""Results as a language model reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qdash_jupyter.agent.as_read import CUT_CHARS, AsRead, as_read
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.messages.message import Message


def read(output: Any) -> Any:
    item = {"type": "function_call_output", "call_id": "a", "output": to_json(output)}
    return json.loads(as_read(item)["output"])


def test_of_a_message_the_text_alone() -> None:
    """Its id and fields, which the planner puts into other languages, were 600 of 1,071 characters."""
    message = Message("no-notes", chip="64Q")
    assert read({"note": message.for_model(), "found": [message.for_model()]}) == {
        "note": str(message),
        "found": [str(message)],
    }


def test_times_are_told_to_the_minute() -> None:
    told = read({"at": "2026-06-21T18:07:05.013000+00:00", "here": "2026-06-21T18:07:05+09:00", "t": "18:07:05"})
    assert told == {"at": "2026-06-21 18:07", "here": "2026-06-21T18:07:05+09:00", "t": "18:07:05"}


@pytest.mark.parametrize("rows", [1, 64, 100])
def test_a_value_for_each_qubit_is_read_whole_and_a_long_table_cut(rows: int) -> None:
    records: list[list[Any]] = [[str(number), 1.5] for number in range(rows)]
    table = {"type": "DataFrame", "rows": rows, "columns": ["qid", "t1"], "records": records}
    assert read({"status": "ok", "result": table})["result"] == table
    table["records"] = [[*row, "x" * 60] for row in records]
    told = read({"status": "ok", "result": table})
    if rows == 1:
        assert told["result"] == table
    else:
        assert len(to_json(told)) < CUT_CHARS + 100
        assert "result.records" in told["_omitted"]
        assert told["result"]["records"]


def test_what_reads_the_same_stays_the_same_object() -> None:
    for item in (
        {"type": "message", "role": "user", "content": []},
        {"type": "function_call_output", "output": "text"},
        {"type": "function_call_output", "output": '{"rows":1}'},
    ):
        assert as_read(item) is item


def test_items_are_read_once_until_others_stand_before_them() -> None:
    first, second = (
        {"type": "function_call_output", "output": f'{{"at":"2026-06-21T18:07:0{second}.5+00:00"}}'}
        for second in range(2)
    )
    read = AsRead()
    (one,) = read([first])
    again, two = read([first, second])
    assert again is one
    assert read([second]) == [two]


def test_a_transcript_knows_what_was_described() -> None:
    called = {"type": "function_call", "call_id": "a", "name": "describe", "arguments": '{"names": ["changes", "t1"]}'}
    other = {"type": "function_call", "call_id": "b", "name": "get_chip_summary", "arguments": "{}"}
    assert Transcript([called, other]).described == {"changes", "t1"}
