"""Writes a snapshot: documents in, one Parquet file a collection and a manifest out. Same documents, same bytes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from qdash_jupyter.data.decode import Document, DocumentDecoder, ProblemLog, json_values
from qdash_jupyter.data.documents import SHAPES, Shape, rank_of

if TYPE_CHECKING:
    import pyarrow as pa

SNAPSHOT_FORMAT = 2
"""Version of the folder's layout; readers refuse any other."""

MANIFEST = "manifest.json"

Row = dict[str, Any]

_MOST_QUBITS = 1_000_000
_BATCH = 20_000


def write_snapshot(
    documents: Mapping[str, Iterable[Document]],
    folder: Path,
    *,
    as_of: datetime,
    source: str,
    is_demo: bool = False,
    query: Mapping[str, Any] | None = None,
    told: Callable[[str, int], None] = lambda *_: None,
) -> Path:
    """Write `documents` (by collection) to `folder`, which must not hold a snapshot yet.

    Args:
        documents: documents as pymongo gives them, by collection name; those of an iterator in the order of their ids.
        folder: where to write; made when missing.
        as_of: the moment from which the snapshot's ages count.
        source: where the documents came from, in words, without user names and passwords.
        is_demo: whether these are generated documents.
        query: what was asked for, for the manifest.
        told: called with a collection and how many of its documents are written so far.

    Raises:
        FileExistsError: the folder holds a snapshot already.
    """
    if (folder / MANIFEST).exists():
        msg = f"{folder} holds a snapshot already; choose another folder."
        raise FileExistsError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    log = ProblemLog()
    files: dict[str, Row] = {}
    for collection in sorted({*documents, *_MODELLED, *SHAPES}):
        path = folder / f"{collection}.parquet"
        rows = _write(collection, _by_id(documents.get(collection, ())), path, log, told)
        files[collection] = {"rows": rows, "sha256": _sha256(path)}
    manifest = {
        "format": SNAPSHOT_FORMAT,
        "source": source,
        "is_demo": is_demo,
        "as_of": as_of.astimezone(UTC).isoformat(),
        **({"query": dict(query)} if query else {}),
        "collections": files,
        "problems": [asdict(problem) for problem in log.all()],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


def _by_id(documents: Iterable[Document]) -> Iterator[Document]:
    if isinstance(documents, Sequence):
        documents = sorted(documents, key=lambda document: str(document.get("_id", "")))
    return iter(documents)


def _write(
    collection: str, documents: Iterator[Document], path: Path, log: ProblemLog, told: Callable[[str, int], None]
) -> int:
    """Write one collection in batches, so that it need not fit into memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shape = SHAPES.get(collection, Shape())
    fields, modelled = _MODELLED.get(collection, (_scope_fields, _scope))
    columns = dict.fromkeys(shape.keys, pa.string()) | ({"qid": pa.string()} if shape.has_qid else {})
    columns |= {"rank": pa.float64(), "noted": pa.bool_(), "document": pa.string()} | fields()
    count = 0
    with pq.ParquetWriter(path, pa.schema(columns), compression="zstd") as file:
        while batch := list(islice(documents, _BATCH)):
            rows = []
            for document in batch:
                decoder = DocumentDecoder(collection, document, log)
                if (row := modelled(decoder)) is not None:
                    rows.append(_asked_by(decoder, shape, document) | row)
            file.write_table(pa.Table.from_pylist(rows, schema=file.schema))
            count += len(rows)
            told(collection, count)
    return count


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _asked_by(decoder: DocumentDecoder, shape: Shape, document: Document) -> Row:
    """What whole documents are asked by, and the document itself."""
    row: Row = {name: decoder.text(name) for name in shape.keys}
    if shape.has_qid:
        row["qid"] = decoder.qid()
    noted = any(decoder.inside(name).text("content") for name in ("user_note", "ai_review_note"))
    kept = {name: document[name] for name in ("_id", *shape.fields) if name in document} if shape.fields else document
    return row | {"rank": rank_of(shape, decoder), "noted": noted, "document": _json(kept)}


def _moment_type() -> pa.DataType:
    import pyarrow as pa

    # Naive UTC: DuckDB gives zoned timestamps to pandas only where pytz is installed.
    return pa.timestamp("ms")


def _naive(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=None)


def _nan_is_null(value: float) -> float | None:
    return None if math.isnan(value) else value


def _parameters_type() -> pa.DataType:
    import pyarrow as pa

    return pa.list_(
        pa.struct(
            {
                "parameter": pa.string(),
                "value": pa.float64(),
                "error": pa.float64(),
                "unit": pa.string(),
                "calibrated_at": _moment_type(),
                "execution_id": pa.string(),
                "task_id": pa.string(),
            }
        )
    )


def _parameter_rows(decoder: DocumentDecoder, field: str) -> list[Row]:
    return [
        row._asdict()
        | {
            "value": _nan_is_null(row.value),
            "error": _nan_is_null(row.error),
            "calibrated_at": _naive(row.calibrated_at),
        }
        for row in decoder.parameters(field)
    ]


def _scope(decoder: DocumentDecoder) -> Row:
    return {
        "_id": decoder.document_id,
        "project_id": decoder.text_or_none("project_id"),
        "chip_id": decoder.text("chip_id"),
    }


def _scope_fields() -> dict[str, pa.DataType]:
    import pyarrow as pa

    return {"_id": pa.string(), "project_id": pa.string(), "chip_id": pa.string()}


def _project_fields() -> dict[str, pa.DataType]:
    import pyarrow as pa

    return {"_id": pa.string(), "project_id": pa.string(), "name": pa.string()}


def _project(decoder: DocumentDecoder) -> Row:
    return {"_id": decoder.document_id, "project_id": decoder.text("project_id"), "name": decoder.text("name")}


def _chip_fields() -> dict[str, pa.DataType]:
    import pyarrow as pa

    return _scope_fields() | {
        "size": pa.int64(),
        "topology_id": pa.string(),
        "activity_status": pa.string(),
        "current_cooldown_id": pa.string(),
        "installed_at": _moment_type(),
    }


def _chip(decoder: DocumentDecoder) -> Row:
    size = decoder.number("size")
    if decoder.text_or_none("project_id") is None:
        decoder.report("project_id", "is missing: the chip belongs to no project")
    return _scope(decoder) | {
        "size": int(size) if 0 < size < _MOST_QUBITS else 64,  # QDash's own default
        "topology_id": decoder.text_or_none("topology_id"),
        "activity_status": decoder.text("activity_status") or "active",
        "current_cooldown_id": decoder.text_or_none("current_cooldown_id"),
        "installed_at": _naive(decoder.moment("installed_at")),
    }


def _element_fields() -> dict[str, pa.DataType]:
    import pyarrow as pa

    return _scope_fields() | {"qid": pa.string(), "data": _parameters_type()}


def _element(decoder: DocumentDecoder) -> Row | None:
    qid = decoder.qid()
    if not qid:
        return None
    return _scope(decoder) | {"qid": qid, "data": _parameter_rows(decoder, "data")}


def _result_fields() -> dict[str, pa.DataType]:
    import pyarrow as pa

    return _scope_fields() | {
        "tags": pa.list_(pa.string()),
        "excluded": pa.bool_(),
        "start_at": _moment_type(),
        "end_at": _moment_type(),
        "output_parameters": _parameters_type(),
    }


def _result(decoder: DocumentDecoder) -> Row:
    qid = decoder.qid()
    row = _scope(decoder) | {
        "tags": decoder.texts("tags"),
        "excluded": decoder.flag("excluded"),
        "start_at": _naive(decoder.moment("start_at")),
        "end_at": _naive(decoder.moment("end_at")),
        "output_parameters": [] if qid is None else _parameter_rows(decoder, "output_parameters"),
    }
    if decoder.has_list("start_at"):
        row["output_parameters"] = []
    counts = decoder.text("status") == "completed" and not row["excluded"] and qid
    if counts and row["start_at"] is None and row["end_at"] is None:
        for parameter in row["output_parameters"]:
            if parameter["calibrated_at"] is None:
                decoder.report("start_at", "has no time at all: not in any series")
                break
    return row


def _json(document: Mapping[str, Any]) -> str:
    """The document as JSON: NaN is null, dates are ISO text with their zone, ids are text."""
    try:
        options = orjson.OPT_NON_STR_KEYS | orjson.OPT_NAIVE_UTC
        return orjson.dumps(document, default=str, option=options).decode()
    except TypeError:  # integers beyond 64 bits, half a surrogate pair
        return json.dumps(json_values(document))


_MODELLED: dict[str, tuple[Callable[[], dict[str, pa.DataType]], Callable[[DocumentDecoder], Row | None]]] = {
    "project": (_project_fields, _project),
    "chip": (_chip_fields, _chip),
    "qubit": (_element_fields, _element),
    "coupling": (_element_fields, _element),
    "task_result_history": (_result_fields, _result),
}
"""Collections with typed columns, for the questions that are answered by columns."""
