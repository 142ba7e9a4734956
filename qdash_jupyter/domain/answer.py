"""What an answer is made of: blocks in order, an assessment, and why the turn ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import isnan
from typing import Any, Literal, TypeAlias

from qdash_jupyter.domain.safe_text import harmless_words

Assessment: TypeAlias = Literal["good", "warning", "bad"]
"""The overall judgement of an answer; None where the answer only informs."""

ASSESSMENTS: tuple[Assessment, ...] = ("good", "warning", "bad")

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as `json.loads` makes it."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Markdown."""

    content: str


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A Plotly figure as plain JSON values: `data` (traces) and `layout`."""

    data: tuple[JsonObject, ...]
    layout: JsonObject
    title: str = ""

    def figure(self) -> JsonObject:
        """The figure as plotly.js and `plotly.io` take it."""
        return {"data": list(self.data), "layout": self.layout}


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A preview of a stored frame: `rows` are the first ones, `total_rows` says how many there are."""

    frame_key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total_rows: int


@dataclass(frozen=True, slots=True)
class CellBlock:
    """A notebook cell that the copilot ran for this answer."""

    cell_id: str
    status: str


Block: TypeAlias = TextBlock | ChartBlock | TableBlock | CellBlock


class StopReason(StrEnum):
    """Why a turn ended."""

    FINISHED = "finished"
    MAX_ROUNDS = "max_rounds"
    REPEATED_CALL = "repeated_call"
    BUDGET = "budget"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one turn as the model's server counted them; 0 where it does not say."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        """The sum of both."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a turn: what the person reads, and where it came from."""

    blocks: tuple[Block, ...]
    assessment: Assessment | None = None
    frame_keys: tuple[str, ...] = ()
    cell_ids: tuple[str, ...] = ()
    stop_reason: StopReason = StopReason.FINISHED
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        """The Markdown of all text blocks."""
        return "\n\n".join(block.content for block in self.blocks if isinstance(block, TextBlock))

    @property
    def charts(self) -> tuple[ChartBlock, ...]:
        """The charts in order."""
        return tuple(block for block in self.blocks if isinstance(block, ChartBlock))

    def to_seed_schema(self) -> JsonObject:
        """The answer as the QDash blocks schema knows it: text and chart blocks only, and the assessment."""
        blocks: list[JsonObject] = []
        for block in self.blocks:
            if isinstance(block, TextBlock):
                blocks.append({"type": "text", "content": block.content, "chart": None})
            elif isinstance(block, ChartBlock):
                blocks.append({"type": "chart", "content": None, "chart": block.figure()})
            elif isinstance(block, TableBlock):
                blocks.append({"type": "text", "content": _markdown_table(block), "chart": None})
        return {"blocks": blocks, "assessment": self.assessment}


def _cell(value: Any) -> str:
    """A value within a Markdown table: missing ones are empty, and no text can end the cell or the row, or load."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    return " ".join(harmless_words(str(value)).replace("|", "\\|").split())


def _markdown_table(table: TableBlock) -> str:
    head = f"| {' | '.join(map(_cell, table.columns))} |\n|{' --- |' * len(table.columns)}"
    rows = "\n".join(f"| {' | '.join(_cell(value) for value in row)} |" for row in table.rows)
    more = table.total_rows - len(table.rows)
    return f"{head}\n{rows}" + (f"\n\n{more} more rows in `data[{table.frame_key!r}]`." if more > 0 else "")
