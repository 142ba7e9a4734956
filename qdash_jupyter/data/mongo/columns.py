"""Reads a parameter's measurements column by column with pymongoarrow, where that is installed.

As Python objects a million of them take ten times the client's time and several times its memory.
"""

from __future__ import annotations

import math
import re
import warnings
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bson import decode, raw_bson

from qdash_jupyter.data.decode import counted, why_no_number
from qdash_jupyter.data.mongo.bounds import steps_of
from qdash_jupyter.data.mongo.pipelines import in_steps
from qdash_jupyter.data.records import ParameterRow
from qdash_jupyter.data.tables import SERIES_COLUMNS, typed
from qdash_jupyter.domain.metrics import possible_range, stored_unit, zero_means_missing
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.domain.time_range import FIRST_RESULT
from qdash_jupyter.domain.work import count_read, is_abandoned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    import pandas as pd
    import pyarrow as pa
    from pymongo.client_session import ClientSession
    from pymongo.collection import Collection

    from qdash_jupyter.data.mongo.pipelines import Filter
    from qdash_jupyter.data.queries import SeriesQuery

ROWS_AT_ONCE = 20_000
"""So many come in one batch: between two of them it is looked whether anybody waits."""

_TEXTS = ("qid", "task_name", "execution_id", "task_id")
_FIELDS = {"qid": "$qid", "task_name": "$name", "execution_id": "$execution_id", "task_id": "$task_id"}
_DIGITS = re.compile(r"[0-9]+(-[0-9]+)?")


def can_read_columns() -> bool:
    """Whether pymongoarrow is installed: each of its versions wants one of pyarrow, which a lab may not have."""
    return find_spec("pymongoarrow") is not None


def read_columns(
    collection: Collection[dict[str, Any]],
    filter_: Filter,
    parameter: str,
    *,
    limit_ms: int,
    session: ClientSession | None = None,
) -> pa.Table:
    """Columns `qid task_name execution_id task_id t v error unit`; what is of another type arrives as null.

    Each batch of the server is counted when it is a table. No more of them come when nobody waits for them.
    """
    import pyarrow as pa

    # It was built with another pyarrow of the same version, and says so forty times; the sizes do not matter to it.
    warnings.filterwarnings("ignore", r"pyarrow\.lib\.\w+ size changed", RuntimeWarning)
    from pymongoarrow.api import Schema, find_arrow_all

    columns = dict.fromkeys((*_TEXTS, "unit"), pa.string())
    columns |= {"t": pa.timestamp("ms", tz="UTC"), "v": pa.float64(), "error": pa.float64()}
    tables = [pa.schema(columns).empty_table()]
    steps = in_steps(steps_of(collection.name, filter_), projection_of(parameter))
    limits = {"batchSize": ROWS_AT_ONCE, "maxTimeMS": limit_ms}
    with collection.aggregate_raw_batches(steps, session=session, **limits) as batches:
        cursor: Any = batches
        cursor._unpack_response = partial(_unpacked, cursor._unpack_response)  # noqa: SLF001 - see there
        for batch in batches:
            table = find_arrow_all(_Batch(collection, batch), {}, schema=Schema(columns), allow_invalid=True)
            count_read(table.num_rows, table.nbytes)
            tables.append(table)
            if is_abandoned():
                break
    return pa.concat_tables(tables)


def _unpacked(usual: Callable[..., Any], response: Any, *args: Any, **options: Any) -> Any:
    """What pymongo's `usual` way makes of a batch, in half the client's time.

    pymongo (4.20) makes an object of every document in a reply before it takes the reply's array as it is. Here the
    array is never looked into. It is done behind its public interface, and left to pymongo where that looks different.
    """
    arrays_whole = getattr(raw_bson, "_RAW_ARRAY_BSON_OPTIONS", None)
    payload = getattr(response, "payload_document", None)
    if arrays_whole is None or payload is None:
        return usual(response, *args, **options)
    return usual(_Reply(decode(payload, arrays_whole)), *args, **options)


class _Reply:
    """A server's reply to a cursor, for the one method of it that a cursor of raw batches calls."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def raw_response(self, *_: object, **__: object) -> list[dict[str, Any]]:
        reply = dict(self._document)
        if "cursor" in reply:
            reply["cursor"] = dict(reply["cursor"])
        return [reply]


class _Batch:
    """One batch in place of a collection: given one, pymongoarrow reads it to the end and says nothing meanwhile."""

    def __init__(self, collection: Collection[dict[str, Any]], batch: object) -> None:
        self.codec_options = collection.codec_options
        self.database = collection.database
        self._batch = batch

    def find_raw_batches(self, *_: object, **__: object) -> list[object]:
        return [self._batch]


def projection_of(parameter: str) -> dict[str, Any]:
    """What the server makes the columns of."""
    record = f"$output_parameters.{parameter}"
    # A boolean would be taken for a number; a text in its place arrives as null.
    number = {"$cond": [{"$eq": [{"$type": f"{record}.value"}, "bool"]}, "", f"{record}.value"]}
    measured = {"t": "$start_at", "v": number, "error": f"{record}.error", "unit": f"{record}.unit"}
    return {"_id": 0, **_FIELDS, **measured}


def all_fit(table: pa.Table, latest: datetime) -> bool:
    """Whether every row was of the columns' types, its date one that can be, and its id one that digits alone tell."""
    import pyarrow.compute as pc

    span = pc.min_max(table["t"]).as_py()
    if len(table) and span["max"] is not None and not FIRST_RESULT <= span["min"] <= span["max"] <= latest:
        return False
    if any(table[name].null_count for name in (*_TEXTS, "t", "v", "error", "unit")):
        return False
    return all(_DIGITS.fullmatch(qid) for qid in table["qid"].unique().to_pylist())


def series_of(table: pa.Table, query: SeriesQuery) -> pd.DataFrame:
    """The measurements asked for in columns that fit, as a frame of `SERIES_COLUMNS`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = {raw: normalise_qid(raw) for raw in table["qid"].unique().to_pylist()}
    meant = {raw: qid if query.is_about(qid) else None for raw, qid in ids.items()}
    if any(raw != qid for raw, qid in meant.items()):
        names = pa.array(meant.keys(), pa.string()), pa.array(meant.values(), pa.string())
        spelled = pc.take(names[1], pc.index_in(table["qid"], value_set=names[0]))
        table = table.set_column(table.schema.get_field_index("qid"), "qid", spelled)
        table = table.filter(pc.is_valid(table["qid"]))
    frame = table.select([name for name in SERIES_COLUMNS if name != "flag"]).to_pandas().assign(flag="")
    for name in ("v", "error"):
        frame[name] = frame[name].astype("float64")
    _count_each(frame, query.parameter)
    return typed(frame, SERIES_COLUMNS)


def _count_each(frame: pd.DataFrame, parameter: str) -> None:
    """Have the decoder decide, in place, about what is no plain number in the parameter's unit."""
    wanted, (low, high) = stored_unit(parameter), possible_range(parameter)
    plain = frame["v"].between(low, high) & ((frame["v"] != 0) | (not zero_means_missing(parameter)))
    if wanted:
        plain &= frame["unit"] == wanted
    frame["error"] = frame["error"].where(frame["error"].abs() < float("inf"))
    for place in frame.index[~plain]:
        v, error, unit = frame.loc[place, ["v", "error", "unit"]]
        flag = why_no_number(v)
        row = counted(ParameterRow(parameter, math.nan if flag else v, error, unit, None, "", "", flag))
        frame.loc[place, ["v", "error", "unit", "flag"]] = [row.value, row.error, row.unit, row.flag]
