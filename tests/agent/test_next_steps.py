"""What is suggested after an answer: what fits it, and only what can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from qdash_jupyter.agent import next_steps as module
from qdash_jupyter.agent.next_steps import next_steps
from qdash_jupyter.domain.answer import Answer, Assessment, StopReason, TextBlock
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.messages.message import Field, Message
from tests.llm.offline.asking import read

LOST = "Which qubits lost T1 in the last 30 days?"


def called(tool: str, failure: ToolFailure | None = None, **arguments: Any) -> ToolResult:
    return ToolResult(ToolCall("c1", tool, ""), "", failure=failure, arguments=arguments)


def answer(text: str = "", assessment: Assessment | None = None, **more: Any) -> Answer:
    return Answer((TextBlock(text),), assessment, **more)


CELL = CellRun(CellRequest("r1", "c1", "awg.off()"), CellStatus.OK)
SERIES = called("get_chip_parameter_timeseries", parameter_name="t1", since="2026-05-01")
FELL = answer("**2 qubits lost T1: Q42 and Q45.** See Q01.", "warning")


@pytest.mark.parametrize(
    ("said", "call", "steps"),
    [
        (FELL, SERIES, ("Trend of T1 of Q42 over the last 60 days", "Notes about Q42", "Current parameters of Q42")),
        (
            answer("**No qubit lost T1.**", "good"),
            SERIES,
            ("Heatmap of T1", "Which 5 qubits have the lowest T1?", "Which tasks failed in the last 7 days?"),
        ),
        (
            answer("**Current parameters of Q07.**", "good"),
            called("get_qubit_params", qid="7"),
            ("Compare Q07 with its neighbors", "Notes about Q07", "Which tasks failed in the last 7 days?"),
        ),
        (
            answer("**Low: Q36-Q38.**"),
            called("get_chip_parameter_timeseries", parameter_name="zx90_gate_fidelity"),
            (
                "Trend of ZX90 Gate Fidelity of coupling Q36-Q38 over the last 60 days",
                "Current parameters of coupling Q36-Q38",
                "Notes about coupling Q36-Q38",
            ),
        ),
        (
            answer("**Q05 is coupled to Q04 and Q07**"),
            called("get_chip_topology"),
            ("Current parameters of Q05", "Compare Q05 and Q04", "Notes about Q05"),
        ),
        (
            answer("Fine."),
            called("search_task_results", status="failed"),
            ("Which tasks failed in the last 7 days?", "What changed in the last 7 days?", "How is the chip?"),
        ),
    ],
)
def test_they_are_about_what_was_found(said: Answer, call: ToolResult, steps: tuple[str, ...]) -> None:
    assert next_steps(LOST, said, [call], "en") == steps
    assert not {*next_steps(steps[0].lower(), said, [call], "en")} & {*steps[:1]}, "not what was just asked"


def test_they_are_in_the_language_of_the_question_and_not_that_question() -> None:
    assert next_steps("", FELL, [SERIES], "ja") == ("過去60日のQ42のT1の推移", "Q42のメモ", "Q42のパラメータ")
    assert "Notes about Q42" not in next_steps("Notes about Q42", FELL, [SERIES], "en")


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        (answer("I cannot answer."), []),
        (answer("There is none."), [called("get_qubit_params", ToolFailure("not_found", "None."), qid="7")]),
        (answer("Which qubit?", choices=("Q01", "Q02")), [called("get_chip_topology")]),
        (answer("Half", stop_reason=StopReason.CANCELLED), [SERIES]),
        (FELL, [SERIES, called("get_chip_summary", chip_id="another")]),
        (answer("Done."), [replace(called("execute_python_analysis"), cell=CELL)]),
    ],
)
def test_there_are_none_where_there_is_nothing_to_go_on_from(said: Answer, calls: list[ToolResult]) -> None:
    assert next_steps(LOST, said, calls, "en") == ()


PLACES: Mapping[str, Field] = {"one": "Q07", "other": "Q12"}
STEPS = (
    *(Message(f"next-{name}", metric="", kind="", **PLACES) for name in ("trend", "map", "lost", "lowest")),
    *(Message(f"next-{name}", **PLACES) for name in ("notes", "values", "neighbours", "compared")),
    *(Message(f"next-{name}") for name in ("failed", "changed", "health")),
)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_planner_answers_each_of_them(language: str) -> None:
    """With every parameter that stands in one: which it is, and nothing left out."""
    for step in STEPS:
        for key in sorted(module._READ) if "metric" in dict(step.fields) else [""]:
            fields = dict(step.fields)
            if key:
                metric = METRICS[key]
                fields |= {"metric": metric.title_in(language), "kind": metric.kind}
                fields |= {"one": Message("ask-coupling", name="Q04-Q01")} if metric.kind == "coupling" else {}
            question = Message(step.id, **fields).of(language)
            query = read(question)
            assert query is not None, question
            assert can_answer(query), question
            assert query.metrics == ((key,) if key else ()), question
