"""The shapes of the frames that readers give, and the finishing touches that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.domain.short_text import compact_text

if TYPE_CHECKING:
    import pandas as pd

_REASON_CHARS = 100
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

    return typed(pd.DataFrame(list(rows), columns=list(columns)), columns)


def frame_of_records(records: Sequence[Any], columns: dict[str, str], **made: Callable[[Any], object]) -> pd.DataFrame:
    """A row a record: each column its attribute of that name, or what `made` says of it."""
    read = [made.get(name, attrgetter(name)) for name in columns]
    return frame_of([[of(record) for of in read] for record in records], columns)


def typed(frame: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """The frame with exactly these columns and dtypes; missing text is the empty text, naive times are UTC."""
    import pandas as pd

    shaped = {}
    for name, dtype in columns.items():
        column = frame[name]
        if dtype == MOMENT:
            shaped[name] = _moments(column)
        elif dtype == TEXT:
            whole = column if column.notna().all() else column.astype("object").where(column.notna(), "")
            shaped[name] = whole.astype(TEXT)
        else:
            shaped[name] = column.astype(dtype)
    return pd.DataFrame(shaped, columns=list(columns))


def _moments(column: pd.Series) -> pd.Series:
    """Times as milliseconds in UTC. By way of numpy: older pandas reads years beyond 2262 as an error."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(column):
        zoned = column.dt.tz_localize("UTC") if column.dt.tz is None else column.dt.tz_convert("UTC")
        return zoned.astype(MOMENT)
    naive = [None if pd.isna(moment) else moment.astimezone(UTC).replace(tzinfo=None) for moment in column]
    return pd.Series(np.array(naive, dtype="datetime64[ms]"), index=column.index).dt.tz_localize("UTC").astype(MOMENT)


def finished_series(frame: pd.DataFrame) -> pd.DataFrame:
    """A series frame in the order that the Protocol promises."""
    return in_order(typed(frame, SERIES_COLUMNS), ("t", "qid", "task_id"))


def finished_current(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of current values, one row per element and parameter, in order."""
    newest_last = in_order(typed(frame, CURRENT_COLUMNS), ("qid", "parameter", "calibrated_at"))
    return newest_last.drop_duplicates(["qid", "parameter"], keep="last").reset_index(drop=True)


def with_replaced(
    current: pd.DataFrame, excluded: pd.DataFrame, reasons: Mapping[str, str], newest: pd.DataFrame
) -> pd.DataFrame:
    """Current values with the `newest` measured ones in the place of those `excluded` (rows of `current`), `reasons` by
    task id. `flag` names what was left out; there is no value where nothing else was measured.
    """
    import pandas as pd

    key = ["qid", "parameter"]
    of = newest.set_index(key).to_dict("index")
    rows = []
    for row in excluded.to_dict("records"):
        why = compact_text(reasons[row["task_id"]], _REASON_CHARS)
        value = row["flag"] or f"{row['value']:.6g} {row['unit']}".strip()
        said = f"excluded: {value}" + (f", {why}" if why else "")
        instead = of.get((row["qid"], row["parameter"]), {"value": float("nan"), "error": float("nan")})
        told = "; ".join(filter(None, [instead.get("flag", ""), said]))
        rows.append(row | instead | {"flag": told})
    kept = current.drop(excluded.index)
    return finished_current(pd.concat([kept, frame_of(rows, CURRENT_COLUMNS)], ignore_index=True))


def _one_after_the_other(times: pd.Series) -> bool:
    """Whether each is later than the one before it."""
    import numpy as np

    moments = times.dt.tz_localize(None).to_numpy()
    return bool((moments[1:] > moments[:-1]).all()) and not np.isnat(moments).any()


def in_order(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The frame sorted by the columns; ids as numbers, unknown times first."""
    if by[0] == "t" and _one_after_the_other(frame["t"]):
        return frame.reset_index(drop=True)
    order = {qid: qid_order(qid) for qid in frame["qid"].unique()} if "qid" in by else {}
    ranks = {qid: rank for rank, qid in enumerate(sorted(order, key=lambda qid: order[qid]))}
    keyed = frame.assign(_rank=frame["qid"].map(ranks)) if order else frame.assign(_rank=0)
    names = ["_rank" if name == "qid" else name for name in by]
    return keyed.sort_values(names, kind="stable", na_position="first").drop(columns="_rank").reset_index(drop=True)
