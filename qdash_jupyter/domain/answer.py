"""What an answer is made of: blocks in order, an assessment, and why the turn ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import Any, Literal, TypeAlias

from qdash_jupyter.domain.cell_edit import code_fence, diff_text
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, Bundle, chart_bundle
from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.safe_text import harmless_words, printable
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, number_text, sentences, text_in

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
    """A Plotly figure as plain JSON values: `data` (traces) and `layout`; `code` draws the same in a cell of the
    notebook, where somebody wrote such.
    """

    data: tuple[JsonObject, ...]
    layout: JsonObject
    title: str = ""
    code: str = ""

    def figure(self) -> JsonObject:
        """The figure as plotly.js and `plotly.io` take it."""
        return {"data": list(self.data), "layout": self.layout}

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        return chart_bundle(self.figure(), self.title)

    def _mime_(self) -> tuple[str, str]:
        """For marimo."""
        return _marimo_output("", [self._repr_mimebundle_()[PLOTLY_MIME]])


@dataclass(frozen=True, slots=True)
class TableBlock:
    """The first `rows` of a table of `total_rows`. `frame_key` names the stored result that holds all of them, where
    there is one: the toolbox fills it in.
    """

    frame_key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total_rows: int

    @property
    def content(self) -> str:
        """As Markdown, for every place that draws no tables of its own."""
        head = f"| {' | '.join(map(_cell, self.columns))} |\n|{' --- |' * len(self.columns)}"
        rows = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in self.rows)
        more = self.total_rows - len(self.rows)
        note = Message("more-rows", count=more)
        if self.frame_key:
            note = Message("more-rows-in", count=more, key=self.frame_key)
        return f"{head}\n{rows}" + (f"\n\n{note.of(reader())}" if more > 0 else "")


@dataclass(frozen=True, slots=True)
class CellEditBlock:
    """A change of a cell of the user's notebook that is proposed: nothing is written before they accept it. `cell_id`
    is empty where there is no notebook, `label` the cell's place (`[7]`), `before` the text that the change is of.
    """

    edit_id: str
    cell_id: str
    label: str
    before: str
    after: str
    why: str = ""

    @property
    def content(self) -> str:
        """The change and the new text as Markdown, for every place that cannot write it."""
        title = text_in(sentences(Message("edit-proposed", cell=self.label), harmless_words(self.why)), reader())
        diff, whole = code_fence(diff_text(self.before, self.after), "diff"), Message("edit-whole").of(reader())
        return f"{title}\n\n{diff}\n\n{whole}\n\n{code_fence(self.after)}"


Block: TypeAlias = TextBlock | ChartBlock | TableBlock | CellEditBlock


class StopReason(StrEnum):
    """Why a turn ended."""

    FINISHED = "finished"
    MAX_ROUNDS = "max_rounds"
    REPEATED_CALL = "repeated_call"
    BUDGET = "budget"
    TIMED_OUT = "timed_out"
    TOOL_FAILED = "tool_failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one turn as the model's server counted them; 0 where it does not say."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
        )


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a turn: what the user reads, and where it came from."""

    blocks: tuple[Block, ...]
    assessment: Assessment | None = None
    frame_keys: tuple[str, ...] = ()
    stop_reason: StopReason = StopReason.FINISHED
    usage: Usage = NO_USAGE
    choices: tuple[str, ...] = ()
    """What can be asked next in place of an answer, each a text that can be sent as it is."""
    headings: tuple[str, ...] = ()
    """What each choice stands under where there is room for headings; empty where they have none."""

    @property
    def text(self) -> str:
        """Everything but the charts, as Markdown."""
        return "\n\n".join(block.content for block in self.blocks if not isinstance(block, ChartBlock))

    @property
    def badge(self) -> str:
        """The assessment in the language of the first line, as what follows may be quoted; nothing without one."""
        headline, _, _ = self.text.partition("\n")
        return Message("badge", assessment=self.assessment).of(language_of(headline)) if self.assessment else ""

    @property
    def charts(self) -> tuple[ChartBlock, ...]:
        """The charts in order."""
        return tuple(block for block in self.blocks if isinstance(block, ChartBlock))

    @property
    def numbered(self) -> str:
        """The choices by their number, as a list."""
        return "\n".join(f"{number}. {choice}" for number, choice in enumerate(self.choices, start=1))

    @property
    def markdown(self) -> str:
        """Everything but the charts, with the assessment first, and the choices."""
        return "\n\n".join(filter(None, [f"**{self.badge}**" if self.assessment else "", self.text, self.numbered]))

    def bundles(self) -> list[Bundle]:
        """What a notebook shows, an output each: the Markdown with the assessment first, then the charts in order."""
        charts = [chart_bundle(chart.figure(), chart.title) for chart in self.charts]
        return [{"text/markdown": self.markdown, "text/plain": printable(self.markdown)}, *charts]

    def __str__(self) -> str:
        return "\n\n".join(str(bundle["text/plain"]) for bundle in self.bundles())

    def _ipython_display_(self) -> None:
        """Show all of it: one output alone would show the Markdown or one chart."""
        from IPython.display import display

        for bundle in self.bundles():
            display(bundle, raw=True)

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        """For what asks for one output: the charts are small tables below the text."""
        charts = "".join(f"\n\n```text\n{bundle['text/plain']}\n```" for bundle in self.bundles()[1:])
        return {"text/markdown": self.markdown + charts, "text/plain": str(self)}

    def _mime_(self) -> tuple[str, str]:
        """For marimo: the Markdown with the assessment first, then the charts, drawn."""
        return _marimo_output(self.markdown, [bundle[PLOTLY_MIME] for bundle in self.bundles()[1:]])

    def to_seed_schema(self) -> JsonObject:
        """The answer as the QDash blocks schema knows it: text and chart blocks only, and the assessment."""
        blocks: list[JsonObject] = [
            {"type": "chart", "content": None, "chart": block.figure()}
            if isinstance(block, ChartBlock)
            else {"type": "text", "content": block.content, "chart": None}
            for block in self.blocks
        ]
        return {"blocks": blocks, "assessment": self.assessment}


def _cell(value: Any) -> str:
    """A value within a Markdown table: missing ones are empty, and no text can end the cell or the row, or load."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    text = number_text(value) if isinstance(value, float) else str(value)
    return " ".join(harmless_words(text).replace("|", "\\|").split())


def _marimo_output(markdown: str, figures: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """The MIME type and the content that marimo's `_mime_` gives: the text, then the charts below each other. `figures`
    are Plotly's JSON.

    marimo asks for it, so it is there; which text it may put into the page, `qdash_jupyter.domain.safe_text` says.
    """
    import marimo
    import plotly.graph_objects as go

    shown = [marimo.md(markdown)] if markdown else []
    charts = [marimo.as_html(go.Figure(figure, skip_invalid=True)) for figure in figures]
    mime, content = marimo.vstack([*shown, *charts])._mime_()
    return mime, content
