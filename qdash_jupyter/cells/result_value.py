"""The last expression of a cell as JSON values for the model, told by exact types only.

The value may be, or hold, an instrument of the lab. As in `names`, an object is only ever asked for `type(x)`, and
types are only compared by identity: a class may answer attribute access, comparison and hashing with its own code.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from qdash_jupyter.cells.result_fields import fields_of, is_dtype, is_result
from qdash_jupyter.cells.told_names import is_a
from qdash_jupyter.domain.answer import JsonObject

MOST_ROWS = 100
MOST_COLUMNS = 60
MOST_ITEMS = 200
MOST_DIFFERENT = 8
"""Of a table that is cut, the values of a column of text are counted over all rows where so few are different."""
MOST_CHARS = 24_000
"""About how many characters of JSON one value may take: rows and items beyond that are counted, not shown."""
LONGEST_TEXT = 2_000
FIELDS_CHARS = 1_100
"""About how many characters the fields of one object may take."""
SIGNIFICANT_DIGITS = 9
"""A frequency of 5 GHz is known to some 100 Hz."""

_DEEPEST = 6
_LARGEST_INT = 2**63 - 1
_CALENDAR = (dt.datetime, dt.date, dt.time)
_PANDAS_WORDS = ("Timedelta", "Period", "Interval")
_INDEXES = ("Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "IntervalIndex")
_MANY = (list, tuple, set, frozenset, type({}.keys()), type({}.values()), type({}.items()))
_NOTHING = object()


def value_of(value: object) -> Any:
    """The value, described.

    A DataFrame becomes `{type, rows, columns, records}`, its first rows as lists, and so does a Series; numbers have
    nine significant digits. Where rows are left out, `counts` says how often each value of a column of text is in all
    of them, where these are few. A named tuple, and a result of scipy, statsmodels, sklearn or lmfit, are their public
    fields (`qdash_jupyter.cells.result_fields`), results first and within `FIELDS_CHARS`. None for what has no
    short description (figures are charts, other objects are not touched).
    """
    described = _Describer().item(value)
    return None if described is _NOTHING else described


class _Describer:
    """Describes one value within a budget of characters."""

    def __init__(self) -> None:
        self.left = MOST_CHARS

    def frame(self, frame: Any) -> JsonObject:
        columns = [(label, frame.iloc[:MOST_ROWS, place]) for place, label in enumerate(frame.columns[:MOST_COLUMNS])]
        described = self.table(frame.index, columns)
        if (more := frame.shape[1] - MOST_COLUMNS) > 0:
            described["left_out"] = ", ".join(filter(None, [described.get("left_out"), f"{more} columns"]))
        if len(described["records"]) < len(frame):
            counts = {
                _label(label, f"column {place}"): told
                for place, label in enumerate(frame.columns[:MOST_COLUMNS])
                if (told := _counted(frame.iloc[:, place])) is not None
            }
            described |= {"counts": counts} if counts else {}
        return described

    def series(self, series: Any) -> JsonObject:
        name = "value" if series.name is None else series.name
        return self.table(series.index, [(name, series.iloc[:MOST_ROWS])])

    def table(self, index: Any, columns: Sequence[tuple[object, Any]]) -> JsonObject:
        rows = len(index)
        named = [*_levels(index), *((label, column.tolist()) for label, column in columns)]
        labels = _unique(_label(label, f"column {place}") for place, (label, _) in enumerate(named))
        records: list[list[Any]] = []
        for row in zip(*(values for _, values in named), strict=True):
            if records and self.left <= 0:
                break
            records.append([self.cell(value) for value in row])
        described: JsonObject = {"type": "DataFrame", "rows": rows, "columns": labels, "records": records}
        if rows > len(records):
            described["left_out"] = f"{rows - len(records)} rows"
        return described

    def cell(self, value: object, depth: int = 0) -> Any:
        described = self.item(value, depth)
        return None if described is _NOTHING else described

    def item(self, value: Any, depth: int = 0) -> Any:  # noqa: PLR0911 - one line for each kind
        kind = type(value)
        if any(kind is each for each in _MANY):
            return self.items(list(value), len(value), depth)
        if kind is dict:
            return self.mapping(value, depth)
        if is_a(kind, "numpy", "ndarray"):
            return self.array(value, depth)
        if any(is_a(kind, "pandas", name) for name in _INDEXES):
            return self.items(value[:MOST_ITEMS].tolist(), len(value), depth)
        if is_a(kind, "pandas", "DataFrame") or is_a(kind, "pandas", "Series"):
            return self.tabled(value, kind)
        if (fields := fields_of(value)) is not None:
            return self.fields(kind.__name__, fields, depth)
        described = _scalar(value, kind)
        self.left -= len(described) + 3 if type(described) is str else 8
        return described

    def tabled(self, value: Any, kind: type) -> Any:
        from qdash_jupyter.cells.exact_pickle import bare_table
        from qdash_jupyter.cells.taken_apart import Stays

        try:
            table = bare_table(value)
        except Stays:
            return _NOTHING
        return self.frame(table) if is_a(kind, "pandas", "DataFrame") else self.series(table)

    def fields(self, name: str, fields: dict[str, object], depth: int) -> Any:
        """What has a description, results before settings and short before long, while there is room."""
        if depth >= _DEEPEST:
            return _NOTHING
        all_of_them: JsonObject = {}
        for label, value in fields.items():
            inner = _Describer()
            inner.left = FIELDS_CHARS // 2
            if (described := inner.item(value, depth + 1)) is not _NOTHING and described is not None:
                all_of_them[label] = described
        sizes = {label: len(json.dumps(value, ensure_ascii=False)) for label, value in all_of_them.items()}
        kept, room = set(), min(self.left, FIELDS_CHARS)
        for label in sorted(sizes, key=lambda label: (not is_result(label), sizes[label])):
            room -= sizes[label] + len(label) + 4
            if room >= 0:
                kept.add(label)
        self.left -= min(self.left, FIELDS_CHARS) - max(room, 0)
        shown = {"type": name} | {label: value for label, value in all_of_them.items() if label in kept}
        left = [label for label in all_of_them if label not in kept]
        return shown | ({"left_out": ", ".join(left[:MOST_DIFFERENT])} if left else {})

    def items(self, values: Sequence[object], length: int, depth: int) -> Any:
        shown: list[Any] = []
        for value in values[:MOST_ITEMS]:
            if depth >= _DEEPEST or (shown and self.left <= 0):
                break
            shown.append(self.cell(value, depth + 1))
        return [*shown, f"… {length - len(shown)} more"] if length > len(shown) else shown

    def mapping(self, value: dict[object, object], depth: int) -> JsonObject:
        entries = list(value.items())
        labels = _unique(_label(key, f"key {place}") for place, (key, _) in enumerate(entries[:MOST_ITEMS]))
        shown: JsonObject = {}
        for label, (_, entry) in zip(labels, entries, strict=False):
            if depth >= _DEEPEST or (shown and self.left <= 0):
                break
            self.left -= len(label) + 4
            shown[label] = self.cell(entry, depth + 1)
        return shown | {"…": f"{len(entries) - len(shown)} more"} if len(entries) > len(shown) else shown

    def array(self, value: Any, depth: int) -> Any:
        if value.ndim == 0:
            return self.item(value.tolist(), depth)
        # Each dimension is cut before it is made of Python objects.
        short = value[tuple(slice(MOST_ITEMS) for _ in range(value.ndim))]
        return self.items([short[place] for place in range(len(short))], len(value), depth)


def _counted(column: Any) -> dict[str, int] | None:
    """How often each text stands in a column of nothing but text; None where it is not, or too many are different."""
    if str(column.dtype) not in {"object", "str", "string"}:
        return None
    counts: dict[str, int] = {}
    for start in range(0, len(column), MOST_ROWS):  # so many at a time are made Python objects
        for value in column.iloc[start : start + MOST_ROWS].tolist():
            if type(value) is not str or (value not in counts and len(counts) == MOST_DIFFERENT):
                return None
            counts[value] = counts.get(value, 0) + 1
    return {_text(value): count for value, count in counts.items()}


def _levels(index: Any) -> list[tuple[object, list[object]]]:
    """The index as columns, by label; a default index carries nothing, any other says what the rows are."""
    if is_a(type(index), "pandas", "RangeIndex") and index.name is None:
        return []
    head = index[:MOST_ROWS]
    if index.nlevels == 1:
        return [("index" if index.name is None else index.name, head.tolist())]
    return [
        (f"index {level}" if name is None else name, head.get_level_values(level).tolist())
        for level, name in enumerate(index.names)
    ]


def _scalar(value: Any, kind: type) -> Any:  # noqa: PLR0911 - one line for each kind
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -_LARGEST_INT <= value <= _LARGEST_INT else _large(value)
    if kind is float:
        return float(f"{value:.{SIGNIFICANT_DIGITS}g}") if math.isfinite(value) else None
    if kind is str:
        return _text(value)
    if kind is complex or kind is decimal.Decimal or kind is dt.timedelta:
        return str(value)
    if any(kind is known for known in _CALENDAR) or is_a(kind, "pandas", "Timestamp"):
        return value.isoformat()
    if any(is_a(kind, "pandas", name) for name in _PANDAS_WORDS) or is_dtype(kind):
        return str(value)
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    if pandas is not None and (value is pandas.NaT or value is pandas.NA):
        return None
    if numpy is not None and any(kind is known for known in numpy.sctypeDict.values()) and kind is not numpy.void:
        plain = value.item()
        # Times with nanoseconds and long doubles have no Python type to become.
        return str(value) if type(plain) is kind or kind is numpy.datetime64 else _scalar(plain, type(plain))
    return _NOTHING


def _text(value: str) -> str:
    # Half of a surrogate pair is no Unicode: no JSON could hold it.
    text = value[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    return text if len(value) <= LONGEST_TEXT else f"{text}… {len(value)} characters"


def _large(value: int) -> str:
    """Beyond 64 bits as text: JSON readers would round it; beyond hundreds of digits Python itself refuses."""
    bits = value.bit_length()
    return str(value) if bits < LONGEST_TEXT else f"an integer of {bits} bits"


def _label(key: object, otherwise: str) -> str:
    kind = type(key)
    if kind is tuple:
        return ", ".join(_label(part, "?") for part in key)  # pyrefly: ignore[not-iterable]  # told by its type
    described = _scalar(key, kind)
    return otherwise if described is _NOTHING else str(described)


def _unique(labels: Iterable[str]) -> list[str]:
    """Equal labels numbered: one must not hide the other."""
    seen: dict[str, int] = {}
    unique: list[str] = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        unique.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return unique
