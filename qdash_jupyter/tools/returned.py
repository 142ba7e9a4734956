"""What a function of somebody else's returns, as the output of a tool."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.domain.answer import TableBlock
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.tools.size_limit import FEW_ROWS
from qdash_jupyter.tools.spec import NewFrame, ToolOutput
from qdash_jupyter.tools.statistics import described


def output_of(returned: object, tool: str) -> ToolOutput:
    """A `ToolOutput` stays. A Plotly figure is shown. A DataFrame, a Series or a list of rows is stored, and its first
    rows are shown; so is a dict that holds DataFrames, the first of which is the main one. The model reads all else.

    A table's `.attrs["units"]` gives the units of its columns.
    """
    if isinstance(returned, ToolOutput):
        return returned
    if hasattr(returned, "to_plotly_json"):
        chart = chart_of(returned.to_plotly_json())
        return ToolOutput(content={"chart": "shown to the user; do not repeat it"}, blocks=(chart,))
    if are_rows(returned):
        returned = pd.DataFrame(returned)
    given = returned if isinstance(returned, dict) else {"table": returned}
    tables = {
        str(name): with_index_as_columns(one)
        for name, one in given.items()
        if isinstance(one, (pd.DataFrame, pd.Series))
    }
    if not tables:
        return ToolOutput(content=returned if isinstance(returned, dict) else {"result": returned})
    main, frame = next(iter(tables.items()))
    columns = tuple(map(str, frame.columns))
    first = tuple(tuple(map(plain, row)) for row in frame.head(FEW_ROWS).itertuples(index=False, name=None))
    is_whole = len(given) == 1 and len(frame) <= FEW_ROWS
    numbers = frame.select_dtypes("number", exclude=["timedelta", "complex"])
    return ToolOutput(
        rows=[dict(zip(columns, row, strict=True)) for row in first] if is_whole else None,
        frame=NewFrame(
            key=tool.removeprefix("get_"),
            values={str(name): tables.get(str(name), value) for name, value in given.items()},
            main=main,
            units={column: unit for table in tables.values() for column, unit in table.attrs.get("units", {}).items()},
        ),
        statistics={str(name): described(column) for name, column in numbers.items()},
        blocks=(TableBlock("", columns, first, len(frame)),) if len(frame) else (),
    )


def are_rows(value: object) -> bool:
    """Whether it is a list of rows, which a table can be made of."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def with_index_as_columns(table: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """A copy of it, with its index as columns unless that only counts."""
    frame = table.to_frame() if isinstance(table, pd.Series) else table
    counts = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
    return frame.copy() if counts else frame.reset_index()
