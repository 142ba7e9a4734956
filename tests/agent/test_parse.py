from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.agent.parse import CUT_OFF, UNREADABLE_CHART, UNREADABLE_PART, parse_answer
from qdash_jupyter.domain.answer import Answer, ChartBlock, TextBlock
from qdash_jupyter.llm.scripted import text_reply
from tests.agent.turns import stage

CONFORMANCE = json.loads(Path("tests/data/conformance.json").read_text(encoding="utf-8"))["answer_parsing"]
TEXT = {"type": "text", "content": "hi", "chart": None}


def blocks(*raw: Any, assessment: Any = None) -> str:
    return json.dumps({"blocks": list(raw), "assessment": assessment})


def chart(data: Any, layout: Any = None) -> dict[str, Any]:
    return {"type": "chart", "content": None, "chart": {"data": data, "layout": layout}}


@pytest.mark.parametrize(("text", "expected"), CONFORMANCE, ids=lambda value: str(value)[:30])
def test_answers_are_read_as_qdash_reads_them(text: str, expected: dict[str, Any]) -> None:
    answer = stage(text_reply(text)).ask()

    assert answer.assessment == expected["assessment"]
    assert len(answer.blocks) == 1
    assert all(isinstance(block, TextBlock) for block in answer.blocks)
    if expected.get("legacy"):
        assert answer.text.startswith("T1 ok\n\ne")


@pytest.mark.parametrize(
    ("raw", "offered"),
    [(["Q05", "Q07"], ("Q05", "Q07")), (None, ()), ("Q05", ()), (["", 7, "x" * 101, "Q1"], ("Q1",))],
)
def test_replies_that_are_offered_are_short_texts(raw: Any, offered: tuple[str, ...]) -> None:
    said = json.dumps({"blocks": [TEXT], "assessment": None, "choices": raw})
    assert parse_answer(said).choices == offered
    assert stage(text_reply(said)).ask().choices == offered


def test_replies_stand_under_headings_where_each_has_one() -> None:
    said = {"blocks": [TEXT], "choices": ["how is the chip", "", "T1 of Q07"], "headings": ["The chip", "x", "Values"]}
    parsed = parse_answer(json.dumps(said))
    assert (parsed.choices, parsed.headings) == (("how is the chip", "T1 of Q07"), ("The chip", "Values"))
    assert stage(text_reply(json.dumps(said))).ask().headings == ("The chip", "Values")
    for headings in (["The chip"], "abc", None):
        assert parse_answer(json.dumps(said | {"headings": headings})).headings == ()


def test_the_older_schema_becomes_one_text() -> None:
    parsed = parse_answer(
        json.dumps(
            {
                "summary": "T1 fell.",
                "assessment": "Bad",
                "explanation": "From 80 to 20 μs.",
                "potential_issues": "TLS",
                "recommendations": ["Warm up", "", None, "Wait"],
            }
        )
    )

    assert parsed.assessment == "bad"
    assert parsed.blocks == (
        TextBlock(
            "T1 fell.\n\nFrom 80 to 20 μs.\n\n**Potential Issues:**\n- TLS\n\n**Recommendations:**\n- Warm up\n- Wait"
        ),
    )


def test_the_older_schema_without_lists_and_assessment() -> None:
    parsed = parse_answer('{"summary": "Fine.", "explanation": null, "potential_issues": null}')

    assert (parsed.blocks, parsed.assessment) == ((TextBlock("Fine."),), "warning")


def test_the_older_schema_in_a_fence_among_words() -> None:
    fenced = 'Sure, {here} it is:\n```json\n{"summary": "Fine.", "assessment": "GOOD"}\n```\nAnything else?'

    assert parse_answer(fenced) == Answer((TextBlock("Fine."),), "good")


def test_another_object_with_a_summary_is_text() -> None:
    text = '{"summary": "Fine."}'

    assert parse_answer(text).blocks == (TextBlock(text),)


def test_words_with_braces_before_the_answer() -> None:
    parsed = parse_answer(f"Of the set {{Q1, Q2}} and {{}}: {blocks(TEXT, assessment='bad')} Thanks {{}}.")

    assert (parsed.blocks, parsed.assessment) == ((TextBlock("hi"),), "bad")


def test_a_fence_that_holds_a_fence() -> None:
    code = {"type": "text", "content": "```python\nx = {}\n```", "chart": None}

    assert parse_answer(f"```json\n{blocks(code)}\n```").blocks == (TextBlock("```python\nx = {}\n```"),)


def test_each_block_is_checked_by_itself() -> None:
    parsed = parse_answer(
        blocks(
            TEXT,
            7,
            {"type": "video", "content": "?"},
            {"type": "text", "content": None},
            {"type": "text", "content": " "},
            chart([]),
            chart("no traces"),
            chart(["no trace"]),
            {"type": "chart", "chart": None},
            chart([{"y": [1]}, 5], "no layout"),
            "bare words",
        )
    )

    assert parsed.blocks == (
        TextBlock("hi"),
        UNREADABLE_PART,
        UNREADABLE_PART,
        UNREADABLE_PART,
        UNREADABLE_CHART,
        UNREADABLE_CHART,
        UNREADABLE_CHART,
        UNREADABLE_CHART,
        ChartBlock(({"y": [1]},), {}),
        TextBlock("bare words"),
    )


def test_not_a_number_never_leaves_in_a_chart() -> None:
    text = '{"blocks": [{"type": "chart", "chart": {"data": [{"y": [1, NaN, -Infinity, {"z": 1e999}]}], "layout": \
{"title": {"text": "T1"}, "template": {"a": 1}, "yaxis": {"range": [NaN, 2]}}}}]}'

    (block,) = parse_answer(text).blocks

    assert isinstance(block, ChartBlock)
    assert block.data == ({"y": [1, None, None, {"z": None}]},)
    assert block.layout == {"title": {"text": "T1"}, "yaxis": {"range": [None, 2]}}
    assert block.title == "T1"
    json.dumps(block.figure(), allow_nan=False)


@pytest.mark.parametrize(("raw", "expected"), [(" WARNING ", "warning"), ("great", None), (3, None), (None, None)])
def test_assessments(raw: Any, expected: str | None) -> None:
    assert parse_answer(blocks(TEXT, assessment=raw)).assessment == expected


def test_of_an_answer_that_was_cut_the_whole_blocks_stay() -> None:
    whole = blocks(TEXT, chart([{"y": [1], "line": {"width": 2}}]), {"type": "text", "content": "the end is missing"})

    parsed = parse_answer(whole[: whole.index("the end") + 3])

    assert parsed.blocks == (TextBlock("hi"), ChartBlock(({"y": [1], "line": {"width": 2}},), {}), CUT_OFF)


@pytest.mark.parametrize("text", ["{" * 10_000, '{"blocks": ' + "[" * 5_000, '{"blocks": {}}', "null", "{}", "```"])
def test_what_is_no_answer_is_text(text: str) -> None:
    assert parse_answer(text).blocks == (TextBlock(text),)


def test_nothing_in_an_answer_fetches_or_runs_and_the_model_keeps_its_own_words() -> None:
    picture = "![T1](https://elsewhere.example/t1.png) <b onclick=x>"
    figure = chart([{"y": [1]}, {"type": "choropleth"}], {"images": [{"source": "https://elsewhere.example/t1.png"}]})
    raw = blocks({**TEXT, "content": picture}, picture, figure)
    turn = stage(text_reply(raw))
    answer = turn.ask()

    words = TextBlock("[T1](https://elsewhere.example/t1.png) &lt;b onclick=x>")
    assert answer.blocks[:2] == (words, words)
    assert answer.charts[0].data == ({"y": [1]},)
    assert answer.charts[0].layout["images"] == []
    assert turn.transcript.items[-1]["content"][0]["text"] == raw
    assert parse_answer(picture).blocks == (words,)
    assert parse_answer(json.dumps({"summary": picture, "explanation": ""})).blocks == (words,)
