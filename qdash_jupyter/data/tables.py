"""The shapes of the frames that readers give, and the finishing touches that all of them share."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.data.records import ParameterRow
from qdash_jupyter.domain.qid import qid_order

_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
_NO_TIME = -(2**63)
TEXT, NUMBER, COUNT, MOMENT = "str", "float64", "int64", "datetime64[ms, UTC]"

_ORIGIN = {"execution_id": TEXT, "task_id": TEXT, "flag": TEXT}
SERIES_COLUMNS = {"qid": TEXT, "t": MOMENT, "v": NUMBER, "error": NUMBER, "unit": TEXT, "task_name": TEXT, **_ORIGIN}
_VALUE = {"qid": TEXT, "parameter": TEXT, "value": NUMBER, "error": NUMBER, "unit": TEXT}
CURRENT_COLUMNS = {**_VALUE, "calibrated_at": MOMENT, **_ORIGIN}
PARAMETER_COLUMNS = {"parameter": TEXT, "results": COUNT, "last_at": MOMENT}


def frame_of(rows: Iterable[Sequence[Any] | Mapping[str, Any]], columns: dict[str, str]) -> pd.DataFrame:
    """Rows as a frame of the given columns and dtypes; what a mapping lacks is missing."""
    return typed(pd.DataFrame(list(rows), columns=list(columns), dtype="object"), columns)


def frame_of_records(records: Sequence[Any], columns: dict[str, str], **made: Callable[[Any], object]) -> pd.DataFrame:
    """A row a record: each column its attribute of that name, or what `made` says of it."""
    read = [made.get(name, attrgetter(name)) for name in columns]
    return frame_of([[of(record) for of in read] for record in records], columns)


def records_of(frame: pd.DataFrame, *names: str) -> Iterator[Any]:
    """The rows with a name for each of these columns, or of all. As `itertuples`, which makes a new class each time and
    asks a column of text for one value after the other.
    """
    names = names or tuple(frame.columns)
    return map(_record(names)._make, zip(*(frame[name].tolist() for name in names), strict=True))


@cache
def _record(names: tuple[str, ...]) -> Any:
    return namedtuple("Record", names)  # noqa: PYI024  # pyrefly: ignore[bad-class-definition] - its fields are known when it runs


def typed(frame: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """The frame with exactly these columns and dtypes; missing text is the empty text, naive times are UTC."""
    shaped: dict[str, Any] = {}
    for name, dtype in columns.items():
        column = frame[name]
        if dtype == TEXT:
            whole = column.astype("object").where(column.notna(), "") if column.hasnans else column
            shaped[name] = whole if whole.dtype == TEXT else whole.astype(TEXT)
        elif dtype != MOMENT or column.dtype == dtype:
            shaped[name] = column if column.dtype == dtype else column.astype(dtype)
        elif pd.api.types.is_datetime64_any_dtype(column):
            zoned = column.dt.tz_localize("UTC") if column.dt.tz is None else column.dt.tz_convert("UTC")
            shaped[name] = zoned.astype(MOMENT)
        else:
            shaped[name] = pd.Series(_moments(column), index=column.index)
    if all(shaped[name] is column for name, column in frame.items()):
        return frame
    return pd.DataFrame(shaped, columns=list(columns))


def _moments(values: Iterable[Any]) -> Any:
    """Times as milliseconds in UTC. By way of numbers: older pandas reads years beyond 2262 as an error."""
    known = [None if moment is None or moment is pd.NA or moment != moment else moment for moment in values]  # noqa: PLR0124 - NaT
    counted = [_NO_TIME if moment is None else (moment - _EPOCH) // _MILLISECOND for moment in known]
    return pd.DatetimeIndex(np.array(counted, dtype="int64").view("datetime64[ms]")).tz_localize("UTC")


def series_in_order(series: pd.DataFrame) -> pd.DataFrame:
    """A series frame in the order that the Protocol promises; unknown times come first."""
    if series["t"].is_monotonic_increasing and series["t"].is_unique:
        return series.reset_index(drop=True)

    def by_number(column: pd.Series) -> pd.Series:
        if column.name != "qid":
            return column
        return column.map({qid: rank for rank, qid in enumerate(sorted(column.unique(), key=qid_order))})

    by = ["t", "qid", "task_id"]
    return series.sort_values(by, key=by_number, kind="stable", na_position="first", ignore_index=True)


def current_frame(values: Mapping[tuple[str, str], ParameterRow]) -> pd.DataFrame:
    """Values by element and parameter as a frame of `CURRENT_COLUMNS`, in the order that the Protocol promises."""
    orders = {qid: qid_order(qid) for qid in {qid for qid, _ in values}}
    in_order = sorted(values, key=lambda of: (orders[of[0]], of[1]))
    return frame_of([(of[0], *values[of]) for of in in_order], CURRENT_COLUMNS)
