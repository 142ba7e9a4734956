"""What the model reads of a small stored result: its tables with all rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number, compact_text
from qdash_jupyter.domain.told_table import told_table
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.summary import scalars_of, schema_of

TEXT_CHARS = 200
"""Of a longer text, so many characters are told."""

_WITH_ERROR = ("value", "v")


def whole(stored: StoredResult, beside: Mapping[str, Sequence[Any]]) -> JsonObject:
    """The scalars, the main table whole, and of other tables the columns and the number of rows.

    `beside` are further columns of the main table, which are told and not stored: their names stand in parentheses.
    """
    told: JsonObject = {"data_key": stored.key} | scalars_of(stored)
    for name, table in stored.stored_tables.items():
        schema = schema_of(table.columns, table.kinds, stored.units)
        told[name] = {"_schema": schema, "_rows": table.rows}
        if name == stored.main:
            frame = table.to_be_read
            columns = {words: _told(frame, column) for words, column in zip(schema, frame.columns, strict=True)}
            told[name] = told_table(columns | {f"({column})": values for column, values in beside.items()})
    return told


def _told(frame: pd.DataFrame, column: str) -> list[Any]:
    """The values of a column as the model reads them: numbers with the digits of the row's `error`, which is none where
    QDash has 0.
    """
    values = [value or None for value in frame[column].tolist()] if column == "error" else frame[column].tolist()
    has_error = column in _WITH_ERROR and "error" in frame
    errors = frame["error"].tolist() if has_error else [math.nan] * len(values)
    return [_value(value, error) for value, error in zip(values, errors, strict=True)]


def _value(value: Any, error: float) -> Any:
    if value is None or value != value:  # noqa: PLR0124 - NaN and NaT are not themselves
        return None
    if isinstance(value, str):
        return compact_text(value, TEXT_CHARS)
    if hasattr(value, "strftime"):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return compact_number(float(value), error)
    return value.item() if hasattr(value, "item") else value
