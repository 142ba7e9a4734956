"""What a cell shows: nbformat outputs in, the text, value and charts that the copilot goes on with out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.answer import ChartBlock, JsonObject

if TYPE_CHECKING:
    import pandas as pd

PLOTLY_MIME = "application/vnd.plotly.v1+json"
MOST_ROWS = 100
MOST_ITEMS = 200
LONGEST_TEXT = 2_000
SIGNIFICANT_DIGITS = 6

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def text_of(outputs: Sequence[JsonObject]) -> str:
    """What the outputs print, standard output and errors in order, without terminal colours."""
    parts = [str(output["text"]) for output in outputs if output["output_type"] == "stream"]
    return _ANSI.sub("", "".join(parts))


def charts_of(outputs: Sequence[JsonObject]) -> tuple[ChartBlock, ...]:
    """The Plotly figures among the outputs."""
    return tuple(
        chart_of(output["data"][PLOTLY_MIME])
        for output in outputs
        if output["output_type"] in {"display_data", "execute_result"} and PLOTLY_MIME in output["data"]
    )


def chart_of(figure: JsonObject) -> ChartBlock:
    """A Plotly figure as a block; non-finite numbers become null and the default template is left out, because a
    chart takes the colours of the person's theme.
    """
    layout = {key: value for key, value in figure.get("layout", {}).items() if key != "template"}
    title = layout.get("title")
    words = title.get("text", "") if isinstance(title, dict) else title or ""
    return ChartBlock(tuple(_finite(trace) for trace in figure.get("data", ())), _finite(layout), str(words))


def without_colours(text: str) -> str:
    """Text without terminal colour codes."""
    return _ANSI.sub("", text)


def value_of(value: object) -> Any:
    """The last expression of a cell as JSON values for the model, told by exact types only.

    A DataFrame becomes `{type, rows, columns, records}` with its first rows, a Series its values by index; numbers have
    six significant digits. None for what has no short description (figures are charts, other objects are not touched).
    """
    import pandas as pd

    if type(value) is pd.DataFrame:
        return _frame(value)
    if type(value) is pd.Series:
        return _frame(value.to_frame(str(value.name if value.name is not None else "value")))
    if type(value) in {list, tuple, set, frozenset, dict, str, int, float, bool} or type(value).__module__ == "numpy":
        return _item(value)
    return None


def _frame(frame: pd.DataFrame) -> JsonObject:
    head = frame.head(MOST_ROWS)
    # A default index carries nothing; a named one (qid) does.
    if frame.index.name is not None or frame.index.nlevels > 1:
        head = head.reset_index()
    described: JsonObject = {
        "type": "DataFrame",
        "rows": len(frame),
        "columns": [str(column) for column in head.columns],
        "records": [
            {str(column): _item(value) for column, value in zip(head.columns, row, strict=True)}
            for row in head.itertuples(index=False, name=None)
        ],
    }
    if len(frame) > MOST_ROWS:
        described["left_out"] = f"{len(frame) - MOST_ROWS} rows"
    return described


def _item(value: Any) -> Any:
    if value is None or type(value) in {bool, int}:
        return value
    if type(value) is str:
        return value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}… {len(value)} characters"
    if type(value) is float:
        return _rounded(value)
    if type(value) is dict:
        return {str(key): _item(entry) for key, entry in list(value.items())[:MOST_ITEMS]}
    if type(value) in {list, tuple, set, frozenset}:
        return [_item(entry) for entry in list(value)[:MOST_ITEMS]]
    if type(value).__module__ == "numpy":
        listed = value.tolist()
        return _item(listed) if type(listed) is not type(value) else None
    if type(value).__module__.split(".")[0] in {"pandas", "datetime"} and hasattr(value, "isoformat"):
        return value.isoformat() if value == value else None  # noqa: PLR0124 - NaT is not itself
    return None


def _rounded(value: float) -> float | None:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}") if math.isfinite(value) else None


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return value
