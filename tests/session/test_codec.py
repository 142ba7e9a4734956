from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.answer import Answer, Block, ChartBlock, StopReason, TableBlock, TextBlock, Usage
from qdash_jupyter.domain.consent import Proposal
from qdash_jupyter.domain.events import AgentEvent, AnswerReady, ApprovalAsked, StampedEvent, ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.llm.offline.planner import OfflinePlanner
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.codec import Decoder, Encoder, as_bytes
from qdash_jupyter.session.records import ItemsAdded, Record
from tests.session.conversation import conversation, parts_with

QUESTIONS = (
    "Which qubits have the worst T1?",
    "T1が最も低い量子ビットは?",
    "Show me a heatmap of the readout fidelity",
    "Is T1 correlated with T2 echo?",
    "What is the trend of T1 of Q3?",
    "What can you do?",
)


def through_json(record: Record, encoder: Encoder | None = None, decoder: Decoder | None = None) -> Any:
    line = as_bytes((encoder or Encoder()).encode(record))
    assert b"\n" not in line
    return (decoder or Decoder()).decode(line)


def stamped(event: AgentEvent) -> StampedEvent:
    return StampedEvent("t", 1, datetime(2026, 11, 22, tzinfo=UTC), event)


def with_block(block: Block) -> StampedEvent:
    return stamped(AnswerReady(Answer((block,))))


def members(hint: Any) -> list[type]:
    return [of for of in get_args(hint) if isinstance(of, type) and is_dataclass(of)]


class Maker:
    """Makes values of any type that stands in a record, by its hints."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - not for secrets

    def text(self) -> str:
        return self.random.choice(["", "Q07", "量子ビット", "a\nb\r\x00\x1f\u2028", '"\\/', "𝄞 €", "x" * 40, "null"])

    def json(self, depth: int = 3) -> Any:
        pick = self.random.randrange(8 if depth else 5)
        if pick == 6:
            return [self.json(depth - 1) for _ in range(self.random.randrange(3))]
        if pick > 6:
            return {self.text() + str(n): self.json(depth - 1) for n in range(self.random.randrange(3))}
        return [
            None,
            True,
            self.random.randrange(-(2**70), 2**70),
            self.random.uniform(-1e9, 1e9),
            self.text(),
            1e-300,
        ][pick]

    def value(self, hint: Any) -> Any:
        origin = get_origin(hint) or hint
        simple: dict[Any, Callable[[], Any]] = {
            str: self.text,
            bool: lambda: self.random.random() < 0.5,
            int: lambda: self.random.randrange(-5, 10**12),
            float: lambda: self.random.choice([0.0, -1.5, 1e300, math.pi]),
            type(None): lambda: None,
            datetime: self.time,
            Any: self.json,
            dict: lambda: {self.text() + str(n): self.json() for n in range(self.random.randrange(3))},
            Mapping: lambda: {self.text() + str(n): self.text() for n in range(self.random.randrange(3))},
        }
        if origin in simple:
            return simple[origin]()
        if hint is Message:
            return Message("list-more", items=("Q07", Message("unknown-time")), more=self.random.randrange(9))
        if is_dataclass(hint):
            return self.instance(hint)
        if origin is tuple:
            return tuple(self.value(get_args(hint)[0]) for _ in range(self.random.randrange(4)))
        if origin in {Union, UnionType, Literal}:
            picked = self.random.choice(get_args(hint))
            return picked if origin is Literal else self.value(picked)
        return self.random.choice(list(hint))  # an enumeration

    def time(self) -> datetime:
        zone = self.random.choice([UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=-3, minutes=-30))])
        return datetime(2026, 11, 22, 5, self.random.randrange(60), 7, self.random.randrange(10**6), tzinfo=zone)

    def instance(self, kind: type) -> Any:
        hints = get_type_hints(kind)
        some = [each for each in fields(kind) if self.random.random() < 0.8 or not _has_default(each)]
        return kind(**{each.name: self.value(hints[each.name]) for each in some})


def _has_default(each: Any) -> bool:
    from dataclasses import MISSING

    return each.default is not MISSING or each.default_factory is not MISSING


@pytest.mark.parametrize("kind", members(Record))
def test_made_values_come_back_equal(kind: type) -> None:
    for seed in range(120):
        made = Maker(seed).instance(kind)
        assert through_json(made) == made


def test_the_events_of_real_turns_come_back_equal(shell: InteractiveShell, snapshot: Path) -> None:
    from qdash_jupyter.domain.metrics import MetricTable

    code = "import plotly.express as px\nimport numpy as np\nprint('hi')\npx.line(y=np.array([1.5, np.nan, 3]))\n"
    failing = "1 / 0\n"
    scripted = ScriptedLLM(
        [
            call_reply(("execute_python_analysis", {"code": code}), ("get_chip_summary", {"chip_id": "nonsense"})),
            call_reply(("execute_python_analysis", {"code": failing}), ("nonsense", {"a": [1, None]})),
            text_reply("Done."),
        ]
    )
    seen: list[StampedEvent] = []
    for llm, questions in ((OfflinePlanner(MetricTable()), QUESTIONS), (scripted, ("Compute.",))):
        with conversation(shell, parts_with(llm, snapshot)) as copilot:
            for question in questions:
                copilot.ask(question, seen.append)

    encoder, decoder = Encoder(), Decoder()
    for event in seen:
        assert through_json(event, encoder, decoder) == event
    charts = [block for s in seen if isinstance(s.event, AnswerReady) for block in s.event.answer.charts]
    assert len(charts) > 3
    assert len(encoder.charts) == len({json.dumps(chart.figure(), sort_keys=True) for chart in charts})


def test_a_chart_is_written_once() -> None:
    chart = ChartBlock(({"type": "scatter", "y": list(range(1000))},), {"title": "T1"}, "T1")
    other = ChartBlock(({"type": "scatter", "y": [1]},), {"title": "T1"}, "T1")
    encoder, decoder = Encoder(), Decoder()
    answers = [stamped(AnswerReady(Answer(blocks))) for blocks in ((TextBlock("a"), chart), (chart, other, chart))]

    lines = [as_bytes(encoder.encode(answer)) for answer in answers]

    assert len(lines[0]) > 3000
    assert len(lines[1]) < 700
    assert [decoder.decode(line) for line in lines] == answers
    assert Decoder().decode(lines[1]) == with_block(other), "without the first"


def test_what_people_and_libraries_put_into_json_becomes_json() -> None:
    arguments = {
        "qids": np.array(["3", "7"]),
        "since": pd.Timestamp("2026-06-01", tz="Asia/Tokyo"),
        "day": date(2026, 6, 1),
        "none": pd.NaT,
        "missing": pd.NA,
        "nan": float("nan"),
        "inf": np.float64("-inf"),
        "number": np.int64(7),
        "half": np.float32(0.5),
        "yes": np.True_,
        "big": 2**80,
        "set": {"b", "a"},
        3: "number as a name",
        "broken": "half a pair: \ud83d",
    }
    event = ToolStarted(ToolCall("c", "tool", "{}"), "Reading", arguments)  # pyrefly: ignore[bad-argument-type]

    read = through_json(stamped(event)).event

    assert read.arguments == {
        "qids": ["3", "7"],
        "since": "2026-06-01T00:00:00+09:00",
        "day": "2026-06-01",
        "none": None,
        "missing": None,
        "nan": None,
        "inf": None,
        "number": 7,
        "half": 0.5,
        "yes": True,
        "big": 2**80,
        "set": ["a", "b"],
        "3": "number as a name",
        "broken": "half a pair: ?",
    }
    assert through_json(stamped(read)).event == read


def test_a_table_never_gets_in() -> None:
    frame = pd.DataFrame({"t1": range(100_000)})
    result = ToolResult(ToolCall("c", "tool", "{}"), "{}", arguments={"frame": frame})
    assert len(as_bytes(Encoder().encode(ToolFinished(result, "Reading")))) < 2_000


def test_values_of_tables_are_plain() -> None:
    table = TableBlock(
        "t1", ("qid", "at"), ((np.int64(3), pd.Timestamp("2026-01-01", tz="UTC")), ("7", float("nan"))), 2
    )
    (read,) = through_json(with_block(table)).event.answer.blocks
    assert read.rows == ((3, "2026-01-01T00:00:00+00:00"), ("7", None))


ANSWER = AnswerReady(Answer((TextBlock("a"), TableBlock("t1", ("q",), ((1,),), 1)), "good", usage=Usage(1, 2, 3)))


def altered(change: Callable[[Any], object]) -> Any:
    raw = json.loads(as_bytes(Encoder().encode(stamped(ANSWER))))
    change(raw["event"])
    read = Decoder().decode(json.dumps(raw).encode())
    assert isinstance(read, StampedEvent)
    return read.event


def test_reading_is_tolerant() -> None:
    later = altered(
        lambda raw: (
            raw.update(mood="sunny"),
            raw["answer"].update(
                stop_reason="eclipsed", assessment="superb", usage={"type": "usage", "input_tokens": -1.5}
            ),
            raw["answer"]["blocks"].insert(0, {"type": "hologram", "content": "?"}),
            raw["answer"]["blocks"].append({"type": "text"}),
            raw["answer"]["blocks"].append({"type": "chart", "same_as": "gone"}),
            raw["answer"]["blocks"].append(7),
            raw["answer"]["blocks"][1].update(colour="red"),
        )
    )
    assert later.answer.blocks == ANSWER.answer.blocks
    assert (later.answer.assessment, later.answer.stop_reason) == (None, StopReason.FINISHED)
    assert later.answer.usage == Usage()


def test_a_proposal_of_an_older_log_is_code_for_the_kernel() -> None:
    asked = ApprovalAsked(Proposal("p1", "awg.on()", runs="kernel"))
    encoded = Encoder().encode(stamped(asked))
    assert "runs" not in encoded["event"]["proposal"]  # as logs had it before there was the field
    assert Decoder().decode(as_bytes(encoded)) == stamped(asked)
    tool = stamped(ApprovalAsked(Proposal("p1", "copilot.tools.pulse()", runs="tool")))
    assert through_json(tool) == tool


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "text",
        {},
        {"type": None},
        {"type": ["text"]},
        {"type": "hologram"},
        {"type": "text"},
        {"type": "text", "content": 7},
        {"type": "event", "turn_id": "t", "seq": True, "at": "2026-11-22T05:00:00+00:00", "event": {"type": "text"}},
        {"type": "event", "turn_id": "t", "seq": 1, "at": "yesterday", "event": {"type": "stage", "step": "a"}},
        {"type": "event", "turn_id": "t", "seq": 1, "at": "2026-11-22T05:00:00+00:00", "event": {"type": "usage"}},
        {"type": "turn", "turn_id": "t", "question": "?", "asked_at": "2026-11-22T05:00:00"},
        {"type": "turn", "turn_id": "t", "question": "?", "asked_at": 7},
        {"type": "items", "turn_id": "t", "items": [7]},
        {"type": "items", "turn_id": "t", "items": {"a": 1}},
        {"type": "conversation", "v": "1"},
    ],
)
def test_what_is_none_of_ours_is_told(raw: object) -> None:
    assert Decoder().decode(json.dumps(raw).encode()) is None


def test_items_of_the_model_come_back_unchanged() -> None:
    items = (
        {"type": "reasoning", "encrypted_content": "gAAA==", "summary": [], "id": "rs_1"},
        {"type": "function_call", "call_id": "c", "arguments": '{"a": 1e999}', "nested": {"n": None, "x": [1.0, -0.0]}},
    )
    assert through_json(ItemsAdded("t", items)).items == items
