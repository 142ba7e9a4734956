"""A table with all of its rows as a model reads it, and how one gets its rows back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qdash_jupyter.domain.answer import JsonObject

_EMPTY: tuple[Any, ...] = (None, "")
_REFERENCES = ("task_id",)
"""Long ids of something else than the rows, which begin with their own."""


def told_table(columns: Mapping[str, Sequence[Any]]) -> JsonObject:
    """`{"_schema": […], "_rows": n, "rows": [[…]]}`, of columns of equal length by name, which may end in `:unit`.

    A column that says the same in each of several rows is told once, in `same`; `empty` names those that say nothing,
    and `not_shown` those that only lead elsewhere.
    """
    count = max(map(len, columns.values()), default=0)
    empty = [name for name, values in columns.items() if all(value in _EMPTY for value in values)]
    hidden = [name for name in list(columns)[1:] if name in _REFERENCES and name not in empty]
    kept = {name: values for name, values in columns.items() if name not in {*empty, *hidden}}
    same = {name: values[0] for name, values in kept.items() if count > 1 and all(one == values[0] for one in values)}
    varied = {name: values for name, values in kept.items() if name not in same}
    told: JsonObject = {"_schema": list(varied), "_rows": count}
    told["rows"] = [list(row) for row in zip(*varied.values(), strict=True)]
    return told | {key: words for key, words in (("same", same), ("empty", empty), ("not_shown", hidden)) if words}


def rows_of(table: JsonObject) -> list[JsonObject]:
    """The rows of a told table, each with all of its columns by their names alone; None where one says nothing."""
    said = {_bare(name): value for name, value in table.get("same", {}).items()}
    said |= dict.fromkeys(map(_bare, table.get("empty", ())))
    names = list(map(_bare, table["_schema"]))
    return [dict(zip(names, row, strict=True)) | said for row in table["rows"] or [()] * table["_rows"]]


def _bare(name: str) -> str:
    return name.partition(":")[0].strip("()")
