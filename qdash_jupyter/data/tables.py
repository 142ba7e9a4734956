"""The shapes of the frames that readers give, and the finishing touches that all of them share."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.qid import qid_order

if TYPE_CHECKING:
    import pandas as pd

    from qdash_jupyter.data.records import ParameterRow

_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
_NO_TIME = -(2**63)
TEXT, NUMBER, COUNT, MOMENT = "str", "float64", "int64", "datetime64[ms, UTC]"

SERIES_COLUMNS = {
    "qid": TEXT,
    "t": MOMENT,
    "v": NUMBER,
    "error": NUMBER,
    "unit": TEXT,
    "task_name": TEXT,
    "execution_id": TEXT,
    "task_id": TEXT,
    "flag": TEXT,
}
CURRENT_COLUMNS = {
    "qid": TEXT,
    "parameter": TEXT,
    "value": NUMBER,
    "error": NUMBER,
    "unit": TEXT,
    "calibrated_at": MOMENT,
    "execution_id": TEXT,
    "task_id": TEXT,
    "flag": TEXT,
}
PARAMETER_COLUMNS = {"parameter": TEXT, "results": COUNT, "last_at": MOMENT}


def frame_of(rows: Iterable[Sequence[Any] | Mapping[str, Any]], columns: dict[str, str]) -> pd.DataFrame:
    """Rows as a frame of the given columns and dtypes; what a mapping lacks is missing."""
    import pandas as pd

    rows = [[row.get(name) for name in columns] if isinstance(row, Mapping) else row for row in rows]
    cells: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * len(columns)
    shaped = {name: _column(values, columns[name]) for name, values in zip(columns, cells, strict=True)}
    return pd.DataFrame(shaped, copy=False)


def frame_of_records(records: Sequence[Any], columns: dict[str, str], **made: Callable[[Any], object]) -> pd.DataFrame:
    """A row a record: each column its attribute of that name, or what `made` says of it."""
    read = [made.get(name, attrgetter(name)) for name in columns]
    return frame_of([[of(record) for of in read] for record in records], columns)


def records_of(frame: pd.DataFrame, *names: str) -> Iterator[Any]:
    """The rows with a name for each of these columns, or of all. As `itertuples`, which makes a new class each time."""
    names = names or tuple(frame.columns)
    return map(_record(names)._make, zip(*(frame[name].tolist() for name in names), strict=True))


@cache
def _record(names: tuple[str, ...]) -> Any:
    return namedtuple("Record", names)  # noqa: PYI024  # pyrefly: ignore[bad-class-definition] - its fields are known when it runs


def typed(frame: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """The frame with exactly these columns and dtypes; missing text is the empty text, naive times are UTC."""
    import pandas as pd

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


def _column(values: Sequence[Any], dtype: str) -> Any:
    """One column of a frame of its own; each value that is missing is an empty text where texts are wanted."""
    import numpy as np
    import pandas as pd

    if dtype == NUMBER:
        return np.array(values, dtype=NUMBER)
    if dtype == MOMENT:
        return _moments(values)
    if dtype == TEXT:
        # The array alone: pandas would compare the indexes of all columns.
        return pd.array([one if isinstance(one, str) else _text(one) for one in values], dtype=_text_dtype())
    return pd.Series(list(values)).astype(dtype)


@cache
def _text_dtype() -> Any:
    """What pandas makes of text. Asked for by its name, each column would take five times as long."""
    import pandas as pd

    return pd.Series(dtype=TEXT).dtype


def _text(value: Any) -> str:
    import pandas as pd

    return "" if pd.api.types.is_scalar(value) and pd.isna(value) else str(value)


def _moments(values: Iterable[Any]) -> Any:
    """Times as milliseconds in UTC. By way of numbers: older pandas reads years beyond 2262 as an error."""
    import numpy as np
    import pandas as pd

    known = [None if moment is None or moment is pd.NA or moment != moment else moment for moment in values]  # noqa: PLR0124 - NaT
    counted = [_NO_TIME if moment is None else (moment - _EPOCH) // _MILLISECOND for moment in known]
    return pd.DatetimeIndex(np.array(counted, dtype="int64").view("datetime64[ms]")).tz_localize("UTC")


def series_in_order(series: pd.DataFrame) -> pd.DataFrame:
    """A series frame in the order that the Protocol promises."""
    return in_order(series, ("t", "qid", "task_id"))


def current_frame(values: Mapping[tuple[str, str], ParameterRow]) -> pd.DataFrame:
    """Values by element and parameter as a frame of `CURRENT_COLUMNS`, in the order that the Protocol promises."""
    orders = {qid: qid_order(qid) for qid in {qid for qid, _ in values}}
    in_order = sorted(values, key=lambda of: (orders[of[0]], of[1]))
    return frame_of([(of[0], *values[of]) for of in in_order], CURRENT_COLUMNS)


def _one_after_the_other(times: pd.Series) -> bool:
    """Whether each is later than the one before it."""
    import numpy as np

    moments = times.dt.tz_localize(None).to_numpy()
    return bool((moments[1:] > moments[:-1]).all()) and not np.isnat(moments).any()


def in_order(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The frame sorted by the columns; ids as numbers, unknown times first."""
    import numpy as np

    if len(frame) < 2 or (by[0] == "t" and _one_after_the_other(frame["t"])):  # noqa: PLR2004 - one is in order
        return frame.reset_index(drop=True)
    order = np.lexsort([_ranks(frame[name]) for name in reversed(by)])
    return (frame.take(order) if (order[1:] < order[:-1]).any() else frame).reset_index(drop=True)


def _ranks(column: pd.Series) -> Any:
    """Numbers that are in the order of the column's values; unknown times come first."""
    import pandas as pd

    if column.dtype == MOMENT:
        return column.dt.tz_localize(None).to_numpy().astype("int64")  # NaT is the smallest
    codes, values = pd.factorize(column)
    by = qid_order if column.name == "qid" else str
    ranks = {value: rank for rank, value in enumerate(sorted(values, key=by))}
    return pd.Index([ranks[value] for value in values]).to_numpy()[codes]
