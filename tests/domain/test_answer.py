from __future__ import annotations

import json

import pytest

from qdash_jupyter.domain.answer import Answer, ChartBlock, TableBlock, TextBlock, Usage
from tests.domain.renderers import unsafe_in

CHART = ChartBlock(({"type": "bar", "y": [1, 2]},), {"title": {"text": "T"}}, "T")


def test_text_and_charts_keep_their_order_and_have_all_keys() -> None:
    answer = Answer((TextBlock("before"), CHART, TextBlock("after")), "warning")
    assert answer.to_seed_schema() == {
        "blocks": [
            {"type": "text", "content": "before", "chart": None},
            {"type": "chart", "content": None, "chart": {"data": list(CHART.data), "layout": CHART.layout}},
            {"type": "text", "content": "after", "chart": None},
        ],
        "assessment": "warning",
    }
    assert answer.text == "before\n\nafter"
    assert answer.charts == (CHART,)


def test_tables_become_markdown_and_say_how_many_rows_are_left_out() -> None:
    table = TableBlock("t1", ("qid", "v"), (("7", 61.4), ("8", 55)), total_rows=62)
    (block,) = Answer((table,)).to_seed_schema()["blocks"]
    assert block["content"].splitlines() == [
        "| qid | v |",
        "| --- | --- |",
        "| 7 | 61.4 |",
        "| 8 | 55 |",
        "",
        "60 more rows in `data['t1']`.",
    ]


def test_whole_tables_claim_no_more_rows() -> None:
    (block,) = Answer((TableBlock("k", ("a",), ((1,),), total_rows=1),)).to_seed_schema()["blocks"]
    assert block["content"].splitlines()[-1] == "| 1 |"


def test_values_cannot_break_out_of_a_table() -> None:
    table = TableBlock("k", ("a|b", "c"), (("x|y\nz", "w"),), total_rows=1)
    (block,) = Answer((table,)).to_seed_schema()["blocks"]
    assert block["content"].splitlines() == [r"| a\|b | c |", "| --- | --- |", r"| x\|y z | w |"]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_values_of_a_table_are_empty(missing: float | None) -> None:
    (block,) = Answer((TableBlock("k", ("a",), ((missing,),), total_rows=1),)).to_seed_schema()["blocks"]
    assert block["content"].splitlines()[-1] == "|  |"


def test_only_the_two_block_types_of_the_seed_remain() -> None:
    answer = Answer((TextBlock("t"), TableBlock("k", ("a",), (), 0)))
    lowered = answer.to_seed_schema()
    assert json.loads(json.dumps(lowered)) == lowered
    assert {block["type"] for block in lowered["blocks"]} == {"text"}
    assert lowered["assessment"] is None


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)


@pytest.mark.parametrize("value", ["![x](https://a.example/x)", "<img src=x>", "`<img src=x>`", "[x](javascript:x)"])
def test_values_of_a_table_load_and_run_nothing(value: str) -> None:
    answer = Answer((TableBlock("k", (value, "b"), ((value, "`"), ("`", value)), total_rows=9),))
    (block,) = answer.to_seed_schema()["blocks"]
    assert unsafe_in(block["content"]) == {}
