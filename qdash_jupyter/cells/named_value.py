"""What a variable of the user's holds, for a question that names it: by exact types only, so that no foreign code runs.

Of a table of pandas, only the first rows are looked at, and never its `attrs`, which pandas would copy deeply.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.cells.told_names import is_a, is_plain_index, kind_in_words
from qdash_jupyter.domain.answer import JsonObject

HEAD = 5
"""Rows, or items in each dimension of an array, that are told."""
MOST_CHARS = 4_000
"""About how many characters of JSON one variable may take: as many as a small result has."""
_LONGEST = 100
"""Of a text in a row, or of the name of a column."""

_TRIES = ((1.0, 60), (0.4, 60), (0.0, 60), (0.0, 20))
"""Shares of the rows, and columns, until it fits."""


def described(value: object, head: int = HEAD, only: Sequence[str] = ()) -> JsonObject:
    """`type`, shape, columns with dtype, and the first rows of a DataFrame, a Series or an array of pandas, polars or
    numpy; of other data the type and the value; of any other object that it is not looked into. `only` are columns of a
    DataFrame; none is all.

    Raises:
        KeyError: it has no such column.
    """
    told: JsonObject = {}
    for share, columns in _TRIES:
        told = _described(value, int(head * share), columns, only)
        if len(json.dumps(told)) <= MOST_CHARS:
            break
    return told


def _described(value: Any, rows: int, columns: int, only: Sequence[str]) -> JsonObject:
    kind = type(value)
    if is_a(kind, "pandas", "DataFrame") or is_a(kind, "pandas", "Series"):
        return _pandas(value, rows, columns, only)
    if is_a(kind, "polars", "DataFrame") or is_a(kind, "polars", "Series"):
        return _polars(value, rows, columns, only)
    if is_a(kind, "numpy", "ndarray"):
        told = {"type": "numpy.ndarray", "shape": list(value.shape), "dtype": _cut(str(value.dtype))}
        first = value[tuple(slice(rows) for _ in range(value.ndim))]
        return told | ({"head": _cut(value_of(first))} if rows else {})
    if not (words := kind_in_words(value)):
        return {"type": "an object that is not looked into"}
    plain = value_of(value) if rows else None
    return {"type": words} | ({} if plain is None else {"value": _cut(plain)})


def _pandas(value: Any, rows: int, columns: int, only: Sequence[str]) -> JsonObject:
    from qdash_jupyter.cells.exact_pickle import bare_table, copy_of_data
    from qdash_jupyter.cells.taken_apart import Stays

    is_frame = is_a(type(value), "pandas", "DataFrame")
    told: JsonObject = {"type": "pandas.DataFrame" if is_frame else "pandas.Series"}
    try:
        table = bare_table(value)
        if is_frame and only:
            copy_of_data(table.columns)  # a label may have a hash and a comparison of its own
    except Stays:
        shape = kind_in_words(value) if is_plain_index(value.index) else ""
        return told | {"not_told": f"{shape}: it holds objects that are not looked into".removeprefix(": ")}
    told["rows"] = len(table.index)
    table = table.iloc[:rows]
    if is_frame and only:
        table = table[_present(only, table.columns)]
    if not is_frame:
        shown = value_of(table)
        told |= {"dtype": str(table.dtype), "index": _index(table.index)}
    else:
        shown = value_of(table.iloc[:, :columns])
        dtypes = [str(dtype) for dtype in table.dtypes.iloc[:columns]]
        told["columns"] = dict(zip(_cut(shown["columns"][-len(dtypes) :]), dtypes, strict=True)) if dtypes else {}
        told |= _more(table.shape[1], columns) | {"index": _index(table.index)}
    return told | ({"head": _cut(shown["records"])} if rows else {})


def _present(only: Sequence[str], columns: Any) -> list[str]:
    """The columns, all of which are there."""
    if missing := [name for name in only if name not in columns]:
        raise KeyError(missing[0])
    return list(only)


def _index(index: Any) -> list[Any]:
    """Names and dtypes of the levels, which stand first in each row; none of a default index."""
    if is_a(type(index), "pandas", "RangeIndex") and index.name is None:
        return []
    if index.nlevels == 1:
        return [[_cut(value_of(index.name)), str(index.dtype)]]
    levels = zip(index.names, index.levels, strict=True)
    return [[_cut(value_of(name)), str(level.dtype)] for name, level in levels]


def _polars(value: Any, rows: int, columns: int, only: Sequence[str]) -> JsonObject:
    is_frame = is_a(type(value), "polars", "DataFrame")
    if is_frame and only:
        value = value.select(_present(only, value.columns))
    told: JsonObject = {"type": "polars.DataFrame" if is_frame else "polars.Series", "rows": len(value)}
    if not is_frame:
        head = value_of(value.head(rows).to_list())
        return told | {"dtype": str(value.dtype)} | ({"head": _cut(head)} if rows else {})
    named = zip(value.columns[:columns], value.dtypes, strict=False)
    told["columns"] = {_cut(name): str(dtype) for name, dtype in named}
    head = value_of([list(row[:columns]) for row in value.head(rows).rows()])
    return told | _more(len(value.columns), columns) | ({"head": _cut(head)} if rows else {})


def _more(there: int, told: int) -> JsonObject:
    return {"more_columns": there - told} if there > told else {}


def _cut(value: Any) -> Any:
    """The same JSON values with shorter texts."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    if isinstance(value, list):
        return [_cut(each) for each in value]
    if isinstance(value, dict):
        return {_cut(name): _cut(each) for name, each in value.items()}
    return value
