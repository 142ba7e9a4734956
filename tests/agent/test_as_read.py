"""Results as a language model reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from qdash_jupyter.agent.as_read import MOST_CHARS, AsRead, as_read
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.messages.message import Message


def read(output: Any, *, is_cell: bool = False) -> Any:
    item = {"type": "function_call_output", "call_id": "a", "output": to_json(output)}
    return json.loads(as_read(item, is_cell=is_cell)["output"])


def table(rows: int, **columns: Callable[[int], Any]) -> dict[str, Any]:
    records = [[of(row) for of in columns.values()] for row in range(rows)]
    return {"type": "DataFrame", "rows": rows, "columns": list(columns), "records": records}


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


def test_a_value_for_each_qubit_is_read_whole() -> None:
    given = {"status": "ok", "result": table(64, qid=str, t1=lambda row: 30 + row / 8)}
    assert read(given, is_cell=True)["result"] == {**given["result"], "records": [*given["result"]["records"]]}


def test_of_a_long_table_goes_first_what_it_says_twice_then_digits_then_rows() -> None:
    day = {
        "since": lambda row: f"2026-06-{row:02} 18:00",
        "unit": lambda _: "μs",
        "begin": lambda row: f"2026-06-{row:02} 18:00",
    }
    twice = table(25, qid=str, v=lambda row: row / 8, **day)
    told = read({"result": twice}, is_cell=True)["result"]
    assert (told["columns"], told["same"], told["repeats"]) == (
        ["qid", "v", "since"],
        {"unit": "μs"},
        {"begin": "since"},
    )
    assert told["records"] == [row[:3] for row in twice["records"]]
    told = read(
        {"result": table(50, qid=str, v=lambda row: 31.23456 + row, f=lambda row: round(5.12341 + row / 1e5, 6))},
        is_cell=True,
    )
    assert told["result"]["records"][1] == ["1", 32.23, 5.12342], "as many as tell them apart"
    assert len(told["result"]["records"]) == 50
    assert "digits" in told
    told = read({"result": table(100, qid=str, note=lambda row: f"{row}" * 30)}, is_cell=True)
    assert 10 < len(told["result"]["records"]) < 40
    assert "of 100 items" in told["_omitted"]["result.records"]
    assert "To read on" in told["rest"]


PRINTED = "\n".join(f"line {number} 温度" for number in range(400))
LONG: dict[str, Any] = {
    "result": table(100, **{f"column {factor}": factor.__mul__ for factor in range(2, 11)}),
    "displayed": PRINTED,
    "text": PRINTED,
    "figures": [f"title {number}" for number in range(199)],
    "new_names": [f"name_{number}: float" for number in range(199)],
}
RESULTS = (
    *(
        "x" * 2_000,
        list(range(900)),
        {f"k{number}": "y" * 90 for number in range(60)},
        {"records": [1] * 900, "columns": []},
    ),
    {
        "a": table(0, qid=str),
        "b": table(99, qid=str, v=lambda row: "v" * row),
        "c": {"columns": ["a"], "records": [[1, 2]] * 400},
    },
    table(1, **{f"column {number}": str for number in range(300)}),
)


@pytest.mark.parametrize("kinds", [kinds for most in range(1, 6) for kinds in combinations(LONG, most)])
def test_all_that_a_cell_gave_is_read_within_one_budget(kinds: tuple[str, ...]) -> None:
    """Values had 4,000 characters, printed text 8,000 of its own."""
    for result in (*RESULTS, LONG["result"])[0 if "result" in kinds else -1 :]:
        given = {"status": "error", **{kind: LONG[kind] for kind in kinds}, "traceback": "z" * 2_000}
        given |= {"result": result} if "result" in kinds else {}
        told = read(given, is_cell=True)
        assert (told.pop("status"), told.pop("traceback")) == ("error", "z" * 2_000)
        assert len(to_json(told)) <= MOST_CHARS
        assert all(told[kind] for kind in kinds)
        assert "To read on" in told["rest"], result
        if "text" in kinds:
            assert told["text"].startswith("line 0 ")
            assert told["text"].endswith("line 399 温度"), "both ends"
            assert "characters left out" in told["text"]
    if kinds[0] == "result":
        sizes = {kind: len(to_json(told[kind])) for kind in kinds}
        assert max(sizes, key=lambda kind: sizes[kind]) == "result", "the most important one has most"


def test_only_cells_are_cut() -> None:
    called = {"type": "function_call", "call_id": "a", "name": "execute_python_analysis", "arguments": "{}"}
    item = {"type": "function_call_output", "call_id": "a", "output": to_json({"status": "ok", "text": PRINTED})}
    other = {**item, "call_id": "b"}
    whole, cut = AsRead()([called, other, item])[1:]
    assert whole is other
    assert len(cut["output"]) < MOST_CHARS + 50


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
    shared = read([first, second])
    again, two = shared
    assert again is one
    assert read([second]) == [two]
    assert shared == [one, two], "requests share the list: it only grows"


def test_a_transcript_knows_what_was_described() -> None:
    called = {"type": "function_call", "call_id": "a", "name": "describe", "arguments": '{"names": ["changes", "t1"]}'}
    other = {"type": "function_call", "call_id": "b", "name": "get_chip_summary", "arguments": "{}"}
    assert Transcript([called, other]).described == {"changes", "t1"}
