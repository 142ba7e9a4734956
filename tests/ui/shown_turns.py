"""Turns as the panel's state gets them: events with times, one second apart unless said otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.answer import Answer, Block, ChartBlock, StopReason, TextBlock, Usage
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    CellMoved,
    CellStage,
    StageChanged,
    StampedEvent,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.session.turn import Turn

ASKED = datetime(2026, 6, 30, 9, 0, tzinfo=UTC)
PNG = "iVBORw0KGgo="
THINKING = StageChanged("thinking", "Thinking…")
CODE = "worst = 1\n"


def ms(seconds: float) -> float:
    return (ASKED.timestamp() + seconds) * 1000


class ShownTurn(Turn):
    """A turn to which happens what a test says."""

    def __init__(
        self,
        turn_id: str = "a1",
        question: str = "How is Q7?",
        *,
        asked_at: datetime = ASKED,
        language: Language = "en",
        broken_off: bool = False,
    ) -> None:
        super().__init__(question, AgentLoop())
        self.turn_id, self.asked_at, self.language = turn_id, asked_at, language
        if broken_off:
            self._end()

    def stamp(self, event: AgentEvent, after_s: float | None = None) -> StampedEvent:
        """The event as the next one of the turn."""
        seconds = float(len(self.events) + 1) if after_s is None else after_s
        stamped = StampedEvent(self.turn_id, len(self.events) + 1, ASKED + timedelta(seconds=seconds), event)
        self.events.append(stamped)
        return stamped


def turn_with(*events: AgentEvent, **fields: Any) -> ShownTurn:
    turn = ShownTurn(**fields)
    for event in events:
        turn.stamp(event)
    return turn


def chart(title: str) -> ChartBlock:
    return ChartBlock(({"type": "bar", "y": [1, 2]},), {"title": {"text": title}}, title)


def answer_json(*blocks: str | ChartBlock, assessment: str | None = None) -> str:
    """What a model writes."""
    raw = [
        {"type": "text", "content": block, "chart": None}
        if isinstance(block, str)
        else {"type": "chart", "content": None, "chart": block.figure()}
        for block in blocks
    ]
    return json.dumps({"blocks": raw, "assessment": assessment}, ensure_ascii=False)


def deltas(text: str, size: int = 7) -> list[AgentEvent]:
    return [TextDelta(text[place : place + size]) for place in range(0, len(text), size)]


def ready(*blocks: str | Block, usage: Usage | None = None, **fields: Any) -> AnswerReady:
    typed = tuple(TextBlock(block) if isinstance(block, str) else block for block in blocks)
    return AnswerReady(Answer(typed, usage=usage or Usage(1200, 85, 2), **fields))


def stopped(*blocks: Block, words: str = "Stopped by you.") -> AnswerReady:
    return ready(words, *blocks, stop_reason=StopReason.CANCELLED)


def read(call_id: str = "c1", parameter: str = "t1") -> ToolCall:
    return ToolCall(call_id, "get_chip_parameter_timeseries", json.dumps({"parameter_name": parameter}))


def analysis(call_id: str = "c2", code: str = CODE) -> ToolCall:
    return ToolCall(call_id, "execute_python_analysis", json.dumps({"code": code, "purpose": "The worst"}))


def started(call: ToolCall) -> ToolStarted:
    label = "Running analysis code" if call.name.startswith("execute") else "Reading a parameter"
    return ToolStarted(call, label, json.loads(call.arguments))


def finished(call: ToolCall, *blocks: Block, **fields: Any) -> ToolFinished:
    result = ToolResult(call, content='{"n":1}', blocks=blocks, elapsed_s=0.5, arguments=json.loads(call.arguments))
    for name, value in fields.items():
        object.__setattr__(result, name, value)
    return ToolFinished(result, "Reading a parameter")


def failed(call: ToolCall, message: str = "There is no qubit 99.", hint: str = "Did you mean 9?") -> ToolFinished:
    return finished(call, failure=ToolFailure("not_found", message, hint))


def request(cell_id: str = "cell1", code: str = CODE) -> CellRequest:
    return CellRequest("r1", cell_id, code, "The worst")


def moved(stage: CellStage, cell_id: str = "cell1", *, in_notebook: bool = True) -> CellMoved:
    return CellMoved(request(cell_id), stage, in_notebook)


def run(
    status: CellStatus = CellStatus.OK,
    pictures: Iterable[str] = (),
    *,
    cell_id: str = "cell1",
    in_notebook: bool = True,
) -> CellRun:
    outputs = tuple({"output_type": "display_data", "data": {"image/png": each}, "metadata": {}} for each in pictures)
    return CellRun(request(), status, outputs=outputs, in_notebook=in_notebook)


def of_kind(view: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [block for block in view["blocks"] if block["kind"] == kind]


def texts(view: dict[str, Any]) -> Sequence[str]:
    return [block["text"] for block in of_kind(view, "text")]
