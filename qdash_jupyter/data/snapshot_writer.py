"""Writes a snapshot: documents in, one Parquet file a collection and a manifest out. Same documents, same bytes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from qdash_jupyter.data.calib_data import CALIB_DATA
from qdash_jupyter.data.calib_file import CALIB_FILE
from qdash_jupyter.data.decode import Document, DocumentDecoder, ProblemLog
from qdash_jupyter.data.documents import SHAPES, Shape, rank_of
from qdash_jupyter.data.records import ParameterRow
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.domain.time_range import FIRST_RESULT
from qdash_jupyter.messages.message import Message

_NOTES = ("user_note", "ai_review_note")

SNAPSHOT_FORMAT = 5
"""Version of the folder's layout; readers refuse any other."""

MANIFEST = "manifest.json"

Row = dict[str, Any]

_NEWEST = [("rank", "descending")]

_GROUP, _AT_ONCE = 10_000, 1_000
"""Rows of a group in the file, and of those that are Python's objects, or a page of results, at one time."""


def write_snapshot(
    documents: Mapping[str, Iterable[Document]],
    folder: Path,
    *,
    as_of: datetime,
    source: str,
    is_demo: bool = False,
    smallest: bool = False,
    query: Mapping[str, Any] | None = None,
    on_progress: Callable[[str, int], None] = lambda *_: None,
) -> Path:
    """Write `documents` (by collection) to `folder`, which must not hold a snapshot yet.

    Args:
        documents: documents as pymongo gives them, by collection name; those of an iterator in the order of their ids.
        folder: where to write; made when missing.
        as_of: the moment from which the snapshot's ages count.
        source: where the documents came from, in words, without user names and passwords.
        is_demo: whether these are generated documents.
        smallest: takes ten times as long, for files that are a fifth smaller.
        query: what was asked for, for the manifest.
        on_progress: called with a collection and how many of its documents are written so far.

    Raises:
        FileExistsError: the folder holds a snapshot already.
    """
    if (folder / MANIFEST).exists():
        raise FileExistsError(Message("snapshot-exists", folder=str(folder)))
    folder.mkdir(parents=True, exist_ok=True)
    log = ProblemLog(lambda: as_of)
    files: dict[str, Row] = {}
    for collection in sorted({*documents, *SHAPES}):
        path = folder / f"{collection}.parquet"
        newest = _newest_first(collection, documents.get(collection, ()))
        rows = _write(collection, newest, path, log, on_progress, smallest=smallest)
        files[collection] = {"rows": rows, "sha256": _sha256(path)}
    manifest = {
        "format": SNAPSHOT_FORMAT,
        "source": source,
        "is_demo": is_demo,
        "as_of": as_of.astimezone(UTC).isoformat(),
        **({"query": dict(query)} if query else {}),
        "collections": files,
        **({CALIB_DATA: {"sha256": _sha256(curves)}} if (curves := folder / CALIB_FILE).exists() else {}),
        "problems": [asdict(problem) for problem in log.all()],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


def _newest_first(collection: str, documents: Iterable[Document]) -> Iterator[Document]:
    """By time, so that what is asked for lies in few groups of rows, and by id. A stream has an order of its own."""
    if not isinstance(documents, Sequence):
        return iter(documents)
    newest_by = SHAPES.get(collection, Shape()).newest_by

    def age(document: Document) -> tuple[float, str]:
        moment = document.get(newest_by)
        return -moment.timestamp() if isinstance(moment, datetime) else math.inf, str(document.get("_id", ""))

    return iter(sorted(documents, key=age))


def _write(
    collection: str,
    documents: Iterator[Document],
    path: Path,
    log: ProblemLog,
    on_progress: Callable[[str, int], None],
    *,
    smallest: bool,
) -> int:
    """Write one collection in batches, so that it need not fit into memory."""
    shape, modelled = SHAPES.get(collection, Shape()), _MODELLED.get(collection, _scope)
    count = 0
    with collection_writer(collection, path, smallest=smallest) as file:

        def table(some: Iterable[Document]) -> pa.Table:
            decoders = (DocumentDecoder(collection, document, log) for document in some)
            rows = ((decoder, modelled(decoder)) for decoder in decoders)
            kept = [_asked_by(decoder, shape) | row for decoder, row in rows if row is not None]
            return pa.Table.from_pylist(kept, schema=file.schema)

        groups = (pa.concat_tables(map(table, _batched(group, _AT_ONCE))) for group in _batched(documents, _GROUP))
        with ThreadPoolExecutor(1) as beside:  # Arrow compresses a group while Python makes the next
            written = beside.submit(int)
            for rows in in_order(shape, groups):
                written.result()
                written = beside.submit(file.write_table, rows)
                count += len(rows)
                del rows  # before there are the next ones
                on_progress(collection, count)
            written.result()
    return count


def collection_writer(collection: str, path: Path, *, smallest: bool = False) -> pq.ParquetWriter:
    """Return what writes the file of a collection; each of its tables becomes a group of rows."""
    shape = SHAPES.get(collection, Shape())
    columns = dict.fromkeys(shape.keys, pa.string()) | ({"qid": pa.string()} if shape.has_qid else {})
    columns |= {"rank": pa.float64(), "noted": pa.bool_(), "document": pa.string()} | _columns(collection)
    # Of results the newest are asked for, so their pages are small. In a group of one row Arrow 25 would then lose what
    # is in a dictionary.
    pages: dict[str, Any] = {"use_dictionary": not smallest}
    if shape.is_measured:
        pages = {"use_dictionary": False, "write_batch_size": _AT_ONCE, "data_page_size": 1 << 15}
    return pq.ParquetWriter(
        path,
        pa.schema(columns),
        compression="zstd",
        compression_level=19 if smallest else None,
        # The least and the greatest of whole documents tell nothing, and would be read with each question.
        write_statistics=[
            name for name, kind in columns.items() if name != "document" and not pa.types.is_nested(kind)
        ],
        **pages,
    )


def in_order(shape: Shape, groups: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Return the groups of rows as readers rely on them: each by falling rank, where these documents have one.

    Results that are excluded, or not dated by their start, stand in groups of their own: they are found without the
    others, and these are in order.
    """
    if not shape.newest_by:
        yield from groups
        return
    left: list[pa.Table] = []
    for rows in groups:
        order = pc.sort_indices(rows, _NEWEST)  # which leaves equal ones as they are
        is_usual = _is_usual(rows).take(order) if shape.is_measured else pc.is_valid(order)
        left.append(rows.take(order.filter(pc.invert(is_usual))))
        rows = rows.take(order.filter(is_usual))  # noqa: PLW2901 - what it was takes as much again
        if sum(map(len, left)) >= _GROUP:
            yield pa.concat_tables(left).sort_by(_NEWEST)
            left.clear()
        if len(rows):
            yield rows
    if any(map(len, left)):
        yield pa.concat_tables(left).sort_by(_NEWEST)


def _is_usual(results: pa.Table) -> pa.ChunkedArray:
    first = pa.scalar(naive(FIRST_RESULT), pa.timestamp("ms"))
    found = pc.and_(pc.invert(results["excluded"]), pc.greater_equal(results["start_at"], first))
    return pc.coalesce(found, pa.scalar(value=False))


def _batched(documents: Iterable[Document], size: int) -> Iterator[Iterator[Document]]:
    """So many documents at a time, each read when it is asked for."""
    left = iter(documents)
    while first := list(islice(left, 1)):
        yield chain(first, islice(left, size - 1))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _asked_by(decoder: DocumentDecoder, shape: Shape) -> Row:
    """What whole documents are asked by, and the document itself."""
    row, document = Row({name: decoder.text(name) for name in shape.keys}), decoder.document
    if shape.has_qid:
        row["qid"] = decoder.qid()
    noted = any(decoder.inside(name).text("content") for name in _NOTES if document.get(name) is not None)
    kept = {name: document[name] for name in ("_id", *shape.fields) if name in document} if shape.fields else document
    return row | {"rank": rank_of(shape, decoder), "noted": noted, "document": _json(kept)}


def _columns(collection: str) -> dict[str, pa.DataType]:
    """The columns by which documents of a collection are filtered, and those that questions about numbers read."""
    text, number = pa.string(), pa.float64()
    moment = pa.timestamp("ms")  # in UTC, without saying so
    types = (text, number, number, text, moment, text, text, text)
    parameters = pa.list_(pa.struct(dict(zip(ParameterRow._fields, types, strict=True))))
    element = {"qid": text, "data": parameters}
    result = {
        "tags": pa.list_(text),
        "excluded": pa.bool_(),
        "start_at": moment,
        "end_at": moment,
        "output_parameters": parameters,
    }
    typed = {**dict.fromkeys(_ELEMENTS, element), "task_result_history": result}
    return dict.fromkeys(("_id", "project_id", "chip_id"), text) | typed.get(collection, {})


def naive(moment: datetime | None) -> datetime | None:
    """A moment as snapshots hold it: in UTC, without saying so."""
    return None if moment is None else moment.replace(tzinfo=None)


def _plain(rows: Iterable[ParameterRow]) -> list[tuple[Any, ...]]:
    """As tuples, which garbage collection soon passes over: not so others. NaN is null."""
    return [(name, _nan_is_null(value), _nan_is_null(error), *others) for name, value, error, *others in rows]


def _nan_is_null(value: float) -> float | None:
    return None if math.isnan(value) else value


def _scope(decoder: DocumentDecoder) -> Row:
    return {
        "_id": decoder.document_id,
        "project_id": decoder.text_or_none("project_id"),
        "chip_id": decoder.text("chip_id"),
    }


def _element(decoder: DocumentDecoder) -> Row | None:
    qid = decoder.qid()
    if not qid:
        return None
    return _scope(decoder) | {"qid": qid, "data": _plain(decoder.parameters("data"))}


def _result(decoder: DocumentDecoder) -> Row:
    qid = decoder.qid()
    outputs = [] if qid is None else list(decoder.parameters("output_parameters"))
    if decoder.has_list("start_at"):
        outputs = []
    row = _scope(decoder) | {
        "tags": decoder.texts("tags"),
        "excluded": decoder.flag("excluded"),
        "start_at": naive(decoder.moment("start_at")),
        "end_at": naive(decoder.moment("end_at")),
        "output_parameters": _plain(outputs),
    }
    is_undated = row["start_at"] is None and row["end_at"] is None and any(one.calibrated_at is None for one in outputs)
    if is_undated and decoder.text("status") == "completed" and not row["excluded"] and qid:
        decoder.report("start_at", "has no time at all: not in any series")
    return row


def _json(document: Mapping[str, Any]) -> str:
    """The document as JSON: NaN is null, dates are ISO text with their zone, ids are text."""
    try:
        options = orjson.OPT_NON_STR_KEYS | orjson.OPT_NAIVE_UTC
        return orjson.dumps(document, default=str, option=options).decode()
    except TypeError:  # integers beyond 64 bits, half a surrogate pair
        return json.dumps(plain(document))


_ELEMENTS = ("qubit", "coupling", "qubit_history", "coupling_history")
_MODELLED: dict[str, Callable[[DocumentDecoder], Row | None]] = {
    **dict.fromkeys(_ELEMENTS, _element),
    "task_result_history": _result,
}
"""Collections with typed columns, for the questions that are answered by columns."""
