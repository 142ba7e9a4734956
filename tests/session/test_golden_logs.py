"""Logs that version 0.1.0 wrote are read to the values that it had; `later.jsonl` is what a later version may write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from qdash_jupyter.domain.analysis import AnalysisRequest, CellSubject, FailedCell, SubjectFigure
from qdash_jupyter.domain.answer import Answer, CellEditBlock, ChartBlock, StopReason, TableBlock, TextBlock, Usage
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    CellMoved,
    ReasoningDelta,
    StageChanged,
    StampedEvent,
    SubjectRead,
    TextDelta,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnFailed,
)
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.session.past import header_of, past_of
from qdash_jupyter.session.records import AskedFrom, Header, ItemsAdded, Past, PastTurn, Record, TurnBegan

GOLDEN = Path(__file__).parent / "golden"
NAME = "0123456789abcdef0123456789abcdef"
TOKYO = timezone(timedelta(hours=9))
AT = datetime(2026, 11, 22, 14, 3, 7, 250_000, tzinfo=TOKYO)
CHART = ChartBlock(({"type": "scatter", "x": ["Q00", "Q07"], "y": [41.5, None]},), {"title": {"text": "T1"}}, "T1")
OTHER = ChartBlock(({"type": "bar", "y": [2**70, -0.5e-300]},), {})
CALL = ToolCall("call_0", "get_chip_parameter_timeseries", '{"parameter_name": "t1"}')
CODE = ToolCall("call_1", "execute_python_analysis", '{"code": "1 + 1"}')
REQUEST = CellRequest("r1", "cell-1", "df.describe()", "Describe it")
SOURCE = Source("task_result_history", "t1 of 2 qubits", 64, ("66a0",))
RUN = CellRun(
    REQUEST,
    CellStatus.INTERRUPTED,
    ({"output_type": "stream", "name": "stdout", "text": "half\n"},),
    "half\n",
    {"kind": "number", "value": 2},
    (OTHER,),
    "KeyboardInterrupt",
    "",
    ("df", "量子"),
    7,
    0.25,
    in_notebook=True,
)
RESULT = AnalysisRequest("CheckT1", "7", "e1", "i1")
USAGE = Usage(1200, 40, 2)
BLOCKS = (
    TextBlock("Q07 lost *half* of its T1.\n\n𝄞"),
    CHART,
    TableBlock("t1", ("qid", "t1"), (("Q00", 41.5), ("Q07", None)), 64),
    CellEditBlock("e1", "cell-2", "[3]", "df['T1']", "df['t1']", "The column is t1."),
)
EVENTS: tuple[tuple[AgentEvent, ...], ...] = (
    (
        StageChanged("connect", "Opening the database and the model…"),
        SubjectRead("CheckT1 · Q07", "failed", (SubjectFigure("decay"), SubjectFigure("raw", left_out="too large"))),
        ReasoningDelta("Look at T1 first."),
        ToolStarted(CALL, "Reading a parameter", {"parameter_name": "t1", "days": 30, "nested": {"type": "text"}}),
        ToolProgressed(CALL, "Reading a parameter", "90,000 documents"),
        ToolFinished(
            ToolResult(
                CALL, '{"rows": 2}', (CHART, BLOCKS[2]), "t1", 64, None, None, (SOURCE,), 1.5, AT, {"last_n": 0}
            ),
            "Reading a parameter",
        ),
        CellMoved(REQUEST, "running", in_notebook=True),
        ToolFinished(ToolResult(CODE, "half", (OTHER,), cell=RUN), "Computing"),
        TextDelta("Q07"),
        AnswerReady(
            Answer(BLOCKS, "warning", ("t1",), StopReason.CANCELLED, USAGE),
        ),
    ),
    (
        ToolFinished(
            ToolResult(CALL, "{}", failure=ToolFailure("unknown_parameter", "No.", "t1", may_retry=False)), "Lesen"
        ),
        TurnFailed("The model does not answer.", "Ask again.", "ModelUnreachable"),
    ),
    (AnswerReady(Answer(())),),
)
BEGAN = (
    TurnBegan(
        "t1", "T1はどうですか?", AT, "ja", AskedFrom("tab", "cell", "ask"), AnalysisRequest("CheckT1", "7", "e1", "i1")
    ),
    TurnBegan("t2", "Explain", AT.astimezone(UTC), analysis=CellSubject("[7]", "1/0", "E", (SubjectFigure("a"),))),
    TurnBegan("t3", "?", AT, analysis=FailedCell("[3]", "df['T1']", "KeyError: 'T1'", "cell-2")),
)
ITEMS = (
    ItemsAdded("t1", ({"type": "message", "role": "user", "content": "?"}, {"type": "turn", "n": 1e300}), "m at a"),
    ItemsAdded("t2", ({"type": "function_call_output", "output": '{"a": "\\u2028"}'},)),
)
HEADER = Header(1, NAME, "/lab/チップ.ipynb", AT, "0.1.0", "f" * 32)


def stamped(turn: int) -> tuple[StampedEvent, ...]:
    return tuple(StampedEvent(BEGAN[turn].turn_id, seq, AT, event) for seq, event in enumerate(EVENTS[turn], start=1))


def records() -> list[Record]:
    """In the order of the log."""
    first, second = stamped(0), stamped(1)
    return [HEADER, BEGAN[0], *first[:3], ITEMS[0], *first[3:], BEGAN[1], *second, ITEMS[1], BEGAN[2], *stamped(2)]


def past() -> Past:
    turns = zip(BEGAN, (0, 2, None), strict=True)
    read = tuple(PastTurn(began, stamped(n), first) for n, (began, first) in enumerate(turns))
    return Past(read, (*ITEMS[0].items, *ITEMS[1].items), "")


def lines(name: str) -> list[bytes]:
    return (GOLDEN / name).read_bytes().splitlines()


def test_every_kind_is_read_as_it_was() -> None:
    header, *others = lines("every-kind.jsonl")
    assert header_of([header], Path(f"{NAME}.jsonl")) == HEADER
    assert past_of(others) == past()


def test_what_this_version_does_not_know_is_passed_over() -> None:
    header, *others = lines("later.jsonl")
    assert header_of([header], Path(f"{NAME}.jsonl")) == HEADER
    read = past_of(others)
    first, second = read.turns
    assert first.began == BEGAN[0]
    assert [one.event for one in first.events] == [
        EVENTS[0][0],
        AnswerReady(Answer((TextBlock("Q07"), TextBlock("end")), usage=Usage(output_tokens=3))),
        ToolFinished(ToolResult(CALL, "{}", (TextBlock("a"),)), "Reading a parameter"),
    ]
    assert (second.began, second.events, second.first_item) == (BEGAN[2], (), 0)
    assert read.items == ({"type": "from_tomorrow", "blocks": [{"type": "hologram"}]},)
