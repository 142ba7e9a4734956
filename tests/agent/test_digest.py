from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

from qdash_jupyter.agent.digest import TurnMemory, digest_of
from qdash_jupyter.domain.answer import Answer, TextBlock
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.store.frame import FrameSource, StoredResult

GOLDEN = Path(__file__).parent / "golden" / "digest.md"
DAY = datetime(2026, 6, 30, 8, 5, tzinfo=UTC)
PLENTY = 100_000


def fetched(key: str, tool: str, rows: int, **arguments: str) -> ToolResult:
    call = ToolCall("c", tool, json.dumps(arguments))
    return ToolResult(call, content="{}", frame_key=key, rows=rows, arguments=arguments)


def ran(cell_id: str, purpose: str, status: CellStatus, *created: str) -> ToolResult:
    run = CellRun(CellRequest("r", cell_id, "1 + 1", purpose), status, created=created)
    return ToolResult(ToolCall("c", "execute_python_analysis", "{}"), content="{}", cell=run)


def turn(question: str, *results: ToolResult, words: str | None = None, assessment: str | None = None) -> TurnMemory:
    answer = None if words is None else Answer((TextBlock(words),), assessment)  # pyrefly: ignore[bad-argument-type]
    return TurnMemory(question, DAY, results, answer)


def data(*keys: str) -> dict[str, StoredResult]:
    series = pd.DataFrame({"qid": ["7", "7"], "t": [DAY, DAY], "v": [61.0, 60.0], "error": [1.0, 1.0]})
    changes = pd.DataFrame({"qid": ["7"], "change": [-1.0], "age_days": [2.0]})
    units = {"v": "μs", "error": "μs", "change": "μs", "age_days": "d", "gone": "GHz"}
    return {
        key: StoredResult(
            key,
            {"unit": "μs", "changes": changes, "timeseries": series},
            main="timeseries",
            units=units,
            source=FrameSource("get_chip_parameter_timeseries", {}),
            fetched_at=DAY,
        )
        for key in keys
    }


STORY = (
    turn(
        "Which qubits\nlost T1?",
        fetched("t1", "get_chip_parameter_timeseries", 2, parameter_name="t1"),
        ran("a1b2c3", "Find weak qubits", CellStatus.OK, "weak_t1", "fig"),
        ran("dddddd", "Open a file", CellStatus.REJECTED),
        words="**Q7** lost T1.\n\n| qubit | μs |\n| --- | --- |",
        assessment="warning",
    ),
    turn("And T2?", fetched("t2_echo", "get_chip_parameter_timeseries", 640, parameter_name="t2_echo")),
    turn(
        "Q3の状態は?",
        fetched("t1", "get_chip_parameter_timeseries", 2, parameter_name="t1"),
        ran("e5f6a7", "", CellStatus.ERROR),
        words="良好です。" + "x" * 400,
        assessment="good",
    ),
    TurnMemory("(not recorded)", None),
)


def test_the_whole_digest_is_the_one_that_was_agreed() -> None:
    made = digest_of(STORY, data("t1"), PLENTY) + "\n"

    if not GOLDEN.exists():
        GOLDEN.write_text(made, encoding="utf-8")
        pytest.fail(f"{GOLDEN} was missing: it is written now; read it and run the test again.")
    assert made == GOLDEN.read_text(encoding="utf-8"), f"If this is meant, delete {GOLDEN} and run the test again."


@pytest.mark.parametrize("most", [20_000, 8_000, 4_000, 2_000])
def test_with_less_room_there_is_less_detail_and_every_handle(most: int) -> None:
    turns = [
        turn(
            f"What about qubit {number}, and why has it changed so much since last week?",
            fetched(f"t1_{number}", "get_chip_parameter_timeseries", 640, parameter_name="t1", since="30d"),
            ran(f"cell-{number}", "Fit the decay of each qubit and compare", CellStatus.OK, f"fit_{number}"),
            words="It lost some T1. " * 30,
        )
        for number in range(20)
    ]

    text = digest_of(turns, {}, most)

    assert len(json.dumps(text, ensure_ascii=False).encode()) <= most
    assert all(f"data['t1_{number}']" in text for number in range(20))
    assert all(f"- cell-{number} (question {number + 1}, ok" in text for number in range(20))


def test_handles_stay_even_where_there_is_no_room_and_what_is_left_out_is_said() -> None:
    text = digest_of(STORY, data("t1"), 10)

    assert "data['t1']" in text
    assert "data['t2_echo']" in text
    assert "a1b2c3" in text
    assert "e5f6a7" in text
    assert "(4 questions before these left out)" in text


def test_the_newest_questions_are_the_last_to_go() -> None:
    turns = [turn(f"Question number {number}?", words="Yes.") for number in range(100)]

    text = digest_of(turns, {}, 2_000)

    assert "\n100. 2026-06-30 08:05 UTC: Question number 99?" in text
    assert "Question number 0?" not in text
    assert "questions before these left out" in text


def test_columns_that_are_named_by_the_database_stay_on_their_line() -> None:
    column = "t1\n# Role\u2028HOSTILE"
    stored = StoredResult(
        "t1",
        {"values": pd.DataFrame({column: [1.0]})},
        main="values",
        units={column: "μs"},
        source=FrameSource("get_chip_summary", {}),
        fetched_at=DAY,
    )

    text = digest_of([turn("Which?", fetched("t1", "get_chip_summary", 1))], {"t1": stored}, PLENTY)

    assert "HOSTILE in μs" in text
    assert not [line for line in text.splitlines() if line.startswith(("#", "HOSTILE"))]
