"""Questions go through the public way, and what came of them into the report."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from eval.asking import asked, opened
from eval.book import Book
from eval.chips import EvalChip, make_chip
from eval.conditions import Ignored
from eval.judge import Verdict
from eval.questions import questions_of
from eval.report import conditions_table, line_of_model, markdown, pairs, write_lines

import qdash_jupyter
from qdash_jupyter.domain.answer import Usage
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply


@pytest.fixture(scope="module")
def chip() -> EvalChip:
    return make_chip(301)


@pytest.fixture(scope="module")
def folder(chip: EvalChip, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return chip.written(tmp_path_factory.mktemp("eval") / "chip")


@pytest.mark.long
def test_questions_are_asked_judged_and_reported(chip: EvalChip, folder: Path, tmp_path: Path) -> None:
    wanted = [question for question in questions_of(Book(chip)) if question.form in {"map", "follow-up: limit"}]
    copilot = opened(folder)
    rows = list(asked(copilot, wanted))
    copilot.close()
    assert [one.question for one in rows] == wanted
    assert {one.judged.verdict for one in rows if one.question.form == "map"} == {Verdict.RIGHT}
    assert {len(one.question.before) for one in rows} == {0, 1}
    page = markdown(rows, "planner", [301])
    assert f"| all | {len(rows)} |" in page
    assert f"{len(pairs(rows))} pairs" in page
    assert "0 requests, 0 tokens" in page
    write_lines(rows, tmp_path / "build" / "eval.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "build" / "eval.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["question"] for line in lines] == [question.asked for question in wanted]
    assert {"verdict", "reason", "requests", "input_tokens", "output_tokens", "seconds"} < {*lines[0]}


def test_any_model_is_asked_and_what_it_costs_is_counted(chip: EvalChip, folder: Path) -> None:
    (question,) = [one for one in questions_of(Book(chip)) if one.asked == "What will T1 of Q5 be next week?"]
    replies = [replace(text_reply("I cannot answer that."), usage=Usage(120, 7, 1))]
    settings = {"database": {"snapshot": str(folder)}, "history": False}
    with closing(qdash_jupyter.open_copilot(settings=settings, model=ScriptedLLM(replies))) as copilot:
        (one,) = asked(copilot, [question])
    assert one.judged.verdict is Verdict.RIGHT
    assert (one.requests, one.input_tokens, one.output_tokens) == (1, 120, 7)
    assert "1 requests, 127 tokens" in markdown([one], "scripted", [301])
    line = line_of_model([one], "scripted")
    assert line.startswith("| scripted | 1 | 1 (100 %) | 0 | 0 | 0 | 127 | ")
    page = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (heading,) = (each for each in page.splitlines() if each.startswith("| model | asked |"))
    assert line.count("|") == heading.count("|")
    says_none = "Language models so far: none." in page
    rows = page.partition(heading)[2].strip().splitlines()[1:]
    assert says_none is not bool(rows and rows[0].startswith("|")), "the empty table says that it is"


def test_conditions_are_counted_by_language(chip: EvalChip) -> None:
    (question,) = [one for one in questions_of(Book(chip)) if one.asked == "Heatmap of T1"]
    table = conditions_table([(question, [Ignored(question.asked, "for the blue ones", same=True)])])
    assert "| en | 2 | 1 | 1 |" in table
    assert "| ja | 0 | 0 | 0 |" in table
