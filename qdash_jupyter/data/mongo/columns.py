"""Reads a parameter's measurements column by column out of the bytes that the server sends.

As Python objects a million of them take ten times the client's time and several times its memory. Results that are
written alike (the same fields, in the same order, of the same types) are read together, at the places that their
lengths lead to. Only what is plainly a measurement is read so: the rest is left to the decoder, document by document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from bson import CodecOptions, decode, raw_bson

from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.tables import SERIES_COLUMNS, typed
from qdash_jupyter.domain.metrics import possible_range, stored_unit, zero_means_missing
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.domain.time_range import FIRST_RESULT
from qdash_jupyter.domain.work import count_read, is_abandoned

ROWS_AT_ONCE = 20_000
"""So many come in one batch: between two of them it is looked whether anybody waits."""

_KINDS_AT_MOST = 32
"""Ways to write a result that are looked for in a batch."""
_NUMBER, _TEXT, _OBJECT, _DATE, _NULL, _INT32, _INT64 = 1, 2, 3, 9, 10, 16, 18
_SIZES = {_NUMBER: 8, 7: 12, 8: 1, _DATE: 8, _NULL: 0, _INT32: 4, _INT64: 8}
_PREFIXED = {_TEXT: 4, _OBJECT: 0, 4: 0, 5: 5}
"""By BSON's type, the size of a value; of those that begin with a length, what is to be added to it."""
_NUMBERS = {_NUMBER: "<f8", _INT32: "<i4", _INT64: "<i8"}
_LENGTH = Struct("<i")
_WIDEST = 512
"""Zeros behind the last document, so that each look ahead ends within the array."""
_TEXTS = {"qid": "qid", "name": "task_name", "execution_id": "execution_id", "task_id": "task_id"}


class Columns(NamedTuple):
    """What was read: tables of measurements, and the documents that were left to the decoder."""

    tables: list[pa.Table]
    others: list[dict[str, Any]]


class _Step(NamedTuple):
    """One field of a document: its type and name as bytes, and which column it is of, if any."""

    head: bytes
    kind: int
    column: str


def read_columns(cursor: Any, options: CodecOptions[dict[str, Any]], query: SeriesQuery, latest: datetime) -> Columns:
    """The results in the raw batches of a cursor; `options` are for documents that are left to the decoder.

    Each batch of the server is counted when it is read. No more of them come when nobody waits for them.
    """
    found = Columns([], [])
    cursor._unpack_response = partial(_unpacked, cursor._unpack_response)  # noqa: SLF001 - see there
    for batch in cursor:
        number, others = columns_of(batch, query, latest, found.tables)
        found.others.extend(decode(document, options) for document in others)
        count_read(number, len(batch))
        if is_abandoned():
            break
    return found


def series_of(tables: Sequence[pa.Table]) -> pd.DataFrame:
    """The measurements of tables as a frame of `SERIES_COLUMNS`."""
    return typed(pa.concat_tables(tables).to_pandas().assign(flag=""), SERIES_COLUMNS)


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


def columns_of(
    batch: bytes, query: SeriesQuery, latest: datetime, tables: list[pa.Table]
) -> tuple[int, Iterator[bytes]]:
    """How many documents a batch holds, and those that are no plain measurements; the others are added to `tables`."""
    data = np.frombuffer(batch + bytes(_WIDEST), dtype=np.uint8)
    starts = np.array(_starts(batch), dtype=np.int64)
    left, others = starts, [starts[:0]]
    wanted: dict[tuple[str, ...], str] = {(name,): column for name, column in {**_TEXTS, "start_at": "t"}.items()}
    record = ("output_parameters", query.parameter)
    wanted |= {(*record, name): column for name, column in (("value", "v"), ("error", "error"), ("unit", "unit"))}
    for _ in range(_KINDS_AT_MOST):
        if not len(left):
            break
        first = int(left[0])
        steps = _steps(batch, first, wanted)
        alike, places = _alike(data, left, steps) if steps else (left == first, {})
        group, left = left[alike], left[~alike]
        kinds = {step.column: step.kind for step in steps or () if step.column}
        if steps and _is_plain(kinds):
            with suppress(pa.ArrowInvalid):  # then the decoder has them all
                table, is_read = _table(data, places, kinds, query, latest)
                tables.append(table)
                group = group[~is_read]
        others.append(group)
    left_out = np.concatenate([*others, left])
    return len(starts), (batch[at : at + _LENGTH.unpack_from(batch, at)[0]] for at in left_out.tolist())


def _starts(batch: bytes) -> list[int]:
    """Where each document begins."""
    starts, at, end, length = [], 0, len(batch), _LENGTH.unpack_from
    while at < end:
        starts.append(at)
        at += length(batch, at)[0]
    return starts


def _steps(batch: bytes, at: int, wanted: Mapping[tuple[str, ...], str]) -> list[_Step] | None:
    """The fields of the document that begins there, in order; None where a value is of a type that is not known."""
    steps: list[_Step] = []
    at, inside = at + _LENGTH.size, list[str]()
    while True:
        kind = batch[at]
        if kind == 0:  # the end of an object
            steps.append(_Step(b"\0", _NULL, ""))
            at += 1
            if not inside:
                return steps
            inside.pop()
            continue
        end = batch.index(0, at + 1)
        head, path = batch[at : end + 1], (*inside, batch[at + 1 : end].decode(errors="replace"))
        if len(head) >= _WIDEST:
            return None
        at = end + 1
        if kind == _OBJECT and any(one[: len(path)] == path for one in wanted):
            steps.append(_Step(head, _INT32, ""))  # its length, and on with what it holds
            inside, at = list(path), at + _LENGTH.size
            continue
        if kind not in _SIZES and kind not in _PREFIXED:
            return None
        steps.append(_Step(head, kind, wanted.get(path, "")))
        at += _SIZES[kind] if kind in _SIZES else _PREFIXED[kind] + _LENGTH.unpack_from(batch, at)[0]


def _alike(data: Any, starts: Any, steps: Sequence[_Step]) -> tuple[Any, dict[str, Any]]:
    """Which documents are written in these steps, and where the value of each column begins in them."""
    rows, at, places = np.arange(len(starts)), starts + _LENGTH.size, dict[str, Any]()
    for head, kind, column in steps:
        fits = _values_at(data, at, f"V{len(head)}") == np.void(head)
        if not fits.all():
            rows, at = rows[fits], at[fits]
            places = {name: place[fits] for name, place in places.items()}
        at = at + len(head)
        if column:
            places[column] = at
        at = at + (_SIZES[kind] if kind in _SIZES else _PREFIXED[kind] + _values_at(data, at, "<i4"))
    alike: Any = np.zeros(len(starts), dtype=bool)
    alike[rows] = True
    return alike, places


def _values_at(data: Any, at: Any, dtype: str) -> Any:
    """The values of this type that begin there, at any byte."""
    wide = np.dtype(dtype)
    return np.ndarray((len(data) - wide.itemsize + 1,), wide, data, strides=(1,))[at]


def _is_plain(kinds: Mapping[str, int]) -> bool:
    """Whether columns can hold the values of such a document; what is missing is the empty text, or no error."""
    texts = all(kinds.get(name, _NULL) in {_TEXT, _NULL} for name in ("unit", *_TEXTS.values()))
    numbers = kinds.get("v") in _NUMBERS and kinds.get("error", _NULL) in {*_NUMBERS, _NULL}
    return texts and numbers and kinds.get("t") == _DATE and kinds.get("qid") == _TEXT


def _table(
    data: Any, places: Mapping[str, Any], kinds: Mapping[str, int], query: SeriesQuery, latest: datetime
) -> tuple[pa.Table, Any]:
    """The plain measurements among documents that are written alike, and which of these were read."""
    number = len(places["t"])
    columns: dict[str, Any] = {}
    for name in ("unit", *_TEXTS.values()):
        has = kinds.get(name) == _TEXT
        columns[name] = _texts_at(data, places[name]) if has else pa.array([""]).take(np.zeros(number, dtype=int))
    columns["v"] = _values_at(data, places["v"], _NUMBERS[kinds["v"]]).astype("float64")
    error = np.full(number, np.nan)
    if kinds.get("error") in _NUMBERS:
        error = _values_at(data, places["error"], _NUMBERS[kinds["error"]]).astype("float64")
    columns["error"] = np.where(np.isfinite(error), error, np.nan)
    t = _values_at(data, places["t"], "<i8").view("datetime64[ms]")
    columns["t"] = pa.array(t, pa.timestamp("ms")).cast(pa.timestamp("ms", tz="UTC"))
    first, last = (np.datetime64(moment.replace(tzinfo=None), "ms") for moment in (FIRST_RESULT, latest))
    is_read = _counts(columns["v"], query.parameter) & (t >= first) & (t <= last)
    if wanted := stored_unit(query.parameter):
        is_read &= pc.equal(columns["unit"], wanted).to_numpy(zero_copy_only=False)
    ids = columns["qid"].dictionary_encode()
    known = [raw and normalise_qid(raw) for raw in ids.dictionary.to_pylist()]
    is_read &= np.array([qid is not None for qid in known], dtype=bool)[ids.indices.to_numpy()]
    columns["qid"] = pa.array(known, pa.string()).take(ids.indices)
    is_meant = np.array([query.is_about(qid) for qid in known], dtype=bool)[ids.indices.to_numpy()]
    names = [name for name in SERIES_COLUMNS if name != "flag"]
    return pa.table({name: columns[name] for name in names}).filter(pa.array(is_read & is_meant)), is_read


def _counts(values: Any, parameter: str) -> Any:
    """Which values are measurements as they are, as `qdash_jupyter.data.decode.counted` says."""
    low, high = possible_range(parameter)
    return (
        np.isfinite(values) & (values >= low) & (values <= high) & ((values != 0) | (not zero_means_missing(parameter)))
    )


def _texts_at(data: Any, at: Any) -> Any:
    """The texts that begin there, one behind the other in a column.

    Raises:
        ArrowInvalid: one of them is no UTF-8.
    """
    lengths = _values_at(data, at, "<i4") - 1  # without the zero at the end
    ends = np.cumsum(lengths)
    places = np.repeat(at + _LENGTH.size - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    texts = pa.StringArray.from_buffers(len(at), pa.py_buffer(offsets), pa.py_buffer(data[places]))
    texts.validate(full=True)
    return texts
