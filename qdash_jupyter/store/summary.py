"""What the model reads of a stored result: whole JSON within a budget, the most useful things first; of a small one
all rows.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number, compact_text, to_json
from qdash_jupyter.domain.told_table import told_table
from qdash_jupyter.store.frame import StoredResult

if TYPE_CHECKING:
    import pandas as pd

SUMMARY_CHARS = 600
"""Budget of a summary, in characters of JSON."""

_OF_THE_VALUE = ("error", "min", "max", "mean", "change")
"""Columns in the unit of the value that stands before them."""

_NO_UNIT = "a.u."

_MORE = "_more"
"""Of what there are more things than there was room for, and how many more."""

FEW = 3
"""Up to so many notable things, their mere number is not worth saying."""


def summarise(
    stored: StoredResult,
    *,
    statistics: Mapping[str, Any],
    notable: Sequence[tuple[str, Mapping[str, Any] | Sequence[Any]]],
    budget: int = SUMMARY_CHARS,
    known: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """JSON of at most `budget` characters.

    Scalars pass through; a table becomes its columns, with kind or unit where they have one, and number of rows; one
    whose columns are `known`, its number of rows, and `units`. Then,
    while there is room: the notable things in the given order (mappings and lists are cut at item borders, and `_more`
    says how many are left out), and the statistics (likewise). What does not fit stays in the frame.
    """
    summary = _head(stored, budget, known)
    room = budget - _room_for(statistics, budget)
    for name, things in notable:
        _fit(summary, name, things, room)
    _fit_statistics(summary, statistics, budget)
    return to_json(summary)


def _head(stored: StoredResult, budget: int, declared: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    head = scalars_of(stored)
    every = stored.stored_tables
    known = {name: {column.partition(":")[0] for column in columns} for name, columns in declared.items()}
    tables = {name: table for name, table in every.items() if not set(table.columns) <= known.get(name, set())}
    head |= {name: {"_rows": table.rows} for name, table in every.items() if name not in tables}
    columns = {column for name, table in every.items() if name not in tables for column in table.columns}
    units = {
        column: unit
        for column, unit in stored.units.items()
        if column in columns and unit not in {"", _NO_UNIT} and column not in _OF_THE_VALUE
    }
    head |= {"units": units} if units else {}
    schemas = {name: schema_of(table.columns, table.kinds, stored.units) for name, table in tables.items()}
    for name, table in tables.items():
        head[name] = {"_schema": schemas[name], "_rows": table.rows}
    head["data_key"] = stored.key
    head["_note"] = f"{'Rows' if 'cut' in stored.scalars else 'All rows'}: data[{stored.key!r}]"
    while len(to_json(head)) > budget and any(schemas.values()):
        widest = max(schemas, key=lambda name: len(to_json(schemas[name])))
        schemas[widest] = schemas[widest][: len(schemas[widest]) // 2]
        left = len(tables[widest].columns) - len(schemas[widest])
        head[widest] = head[widest] | {"_schema": [*schemas[widest], f"+{left} more"]}
    return head


def scalars_of(stored: StoredResult) -> dict[str, Any]:
    """What is no table: scalars that say something, and of lists the length. The statistics have a place of their own,
    and a unit stands in the schema.
    """
    told: dict[str, Any] = {}
    for name, value in stored.scalars.items():
        if isinstance(value, (list, tuple)):
            told[name] = {"_rows": len(value)}
        elif isinstance(value, datetime):
            told[name] = f"{value:%Y-%m-%d %H:%M}"
        elif value not in (None, "") and name not in ("statistics", "unit" if value in stored.units.values() else ""):
            told[name] = value
    return told


def schema_of(columns: Sequence[str], kinds: Mapping[str, str], units: Mapping[str, str]) -> list[str]:
    """`["qid", "t:UTC", "v:μs", "count:int"]`: text and numbers without a unit are their names alone."""
    said = {name: kinds.get(name, "") for name in columns}
    said |= {
        name: units[name] for name in said if units.get(name) not in (None, "", _NO_UNIT) and name not in _OF_THE_VALUE
    }
    return [f"{name}:{words}" if words else name for name, words in said.items()]


def _room_for(statistics: Mapping[str, Any], budget: int) -> int:
    """Characters kept free for statistics, so that many notable rows do not crowd all of them out."""
    return min(len(to_json({"statistics": statistics})), budget // 6) if statistics else 0


def _fit_statistics(summary: dict[str, Any], statistics: Mapping[str, Any], budget: int) -> None:
    """Each of the statistics for which there is room."""
    if statistics and len(to_json(summary | {"statistics": statistics})) <= budget:
        summary["statistics"] = dict(statistics)
        return
    kept: dict[str, Any] = {}
    for name, values in ({"": None} | dict(statistics)).items():
        with_it = kept | {name: values} if name else kept
        told = _with(summary, "statistics", with_it, len(statistics) - len(with_it))
        if len(statistics) and len(to_json(told)) <= budget:
            kept = with_it
            summary |= told


def _with(summary: Mapping[str, Any], name: str, shown: Any, left: int) -> dict[str, Any]:
    """The summary with what is shown of these things. How many more there are stands beside them in `_more`: whoever
    reads ids finds nothing but ids.
    """
    more = {one: count for one, count in summary.get(_MORE, {}).items() if one != name} | ({name: left} if left else {})
    told = {one: value for one, value in summary.items() if one not in {name, _MORE}}
    return told | ({name: shown} if shown else {}) | ({_MORE: more} if more else {})


def _fit(summary: dict[str, Any], name: str, things: Mapping[str, Any] | Sequence[Any], budget: int) -> None:
    """As many of the things as there is room for."""
    size = _size(things)
    if not size:
        return

    def told(count: int) -> dict[str, Any]:
        return _with(summary, name, _first(things, count), size - count)

    def is_too_long(count: int) -> bool:
        return len(to_json(told(count))) > budget

    # All of them is the first try, and mostly the last.
    count = bisect_left(range(1, size), 1, key=is_too_long) if is_too_long(size) else size
    if count or (size > FEW and not is_too_long(0)):
        summary |= told(count)


def _size(things: Mapping[str, Any] | Sequence[Any]) -> int:
    return sum(map(len, things.values())) if _is_nested(things) else len(things)


def _is_nested(things: Mapping[str, Any] | Sequence[Any]) -> TypeGuard[Mapping[str, Mapping[str, Any]]]:
    return isinstance(things, Mapping) and all(isinstance(inner, Mapping) for inner in things.values())


def _first(things: Mapping[str, Any] | Sequence[Any], count: int) -> Any:
    """The first `count` items; of a mapping of mappings, the first inner items."""
    if _is_nested(things):
        inner_items: dict[str, Any] = {}
        for name, inner in things.items():
            if count <= 0:
                break
            inner_items[name] = _first(inner, min(count, len(inner)))
            count -= len(inner)
        return inner_items
    return dict(list(things.items())[:count]) if isinstance(things, Mapping) else list(things)[:count]


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
