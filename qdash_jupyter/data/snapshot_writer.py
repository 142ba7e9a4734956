"""Writes a snapshot: documents in, one Parquet file a collection and a manifest out. Same documents, same bytes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qdash_jupyter.data.decode import Document, DocumentDecoder, ProblemLog

if TYPE_CHECKING:
    import pyarrow as pa

SNAPSHOT_FORMAT = 1
"""Version of the folder's layout; readers refuse a newer one."""

MANIFEST = "manifest.json"

Row = dict[str, Any]

_MOST_QUBITS = 1_000_000


def write_snapshot(
    documents: Mapping[str, Sequence[Document]], folder: Path, *, as_of: datetime, source: str, is_demo: bool = False
) -> Path:
    """Write `documents` (by collection) to `folder`, which must not hold a snapshot yet.

    Args:
        documents: documents as pymongo gives them, by collection name.
        folder: where to write; made when missing.
        as_of: the moment from which the snapshot's ages count.
        source: where the documents came from, in words, without user names and passwords.
        is_demo: whether these are generated documents.

    Raises:
        FileExistsError: the folder holds a snapshot already.
    """
    import pyarrow.parquet as pq

    if (folder / MANIFEST).exists():
        msg = f"{folder} holds a snapshot already; choose another folder."
        raise FileExistsError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    log = ProblemLog()
    files: dict[str, Row] = {}
    for collection in sorted({*documents, *_MODELLED}):
        table = _table(collection, sorted(documents.get(collection, ()), key=lambda d: str(d.get("_id", ""))), log)
        path = folder / f"{collection}.parquet"
        pq.write_table(table, path, compression="zstd")
        files[collection] = {"rows": table.num_rows, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    manifest = {
        "format": SNAPSHOT_FORMAT,
        "source": source,
        "is_demo": is_demo,
        "as_of": as_of.astimezone(UTC).isoformat(),
        "collections": files,
        "problems": [asdict(problem) for problem in log.all()],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


def _table(collection: str, documents: Sequence[Document], log: ProblemLog) -> pa.Table:
    import pyarrow as pa

    schema, decode = _MODELLED.get(collection, (_whole_schema, _whole_row))
    rows = [row for document in documents if (row := decode(DocumentDecoder(collection, document, log), document))]
    return pa.Table.from_pylist(rows, schema=schema())


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


def _project_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema({"_id": pa.string(), "project_id": pa.string(), "name": pa.string()})


def _project_row(decoder: DocumentDecoder, _: Document) -> Row:
    return {"_id": decoder.document_id, "project_id": decoder.text("project_id"), "name": decoder.text("name")}


def _chip_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        _scope_fields()
        | {
            "size": pa.int64(),
            "topology_id": pa.string(),
            "activity_status": pa.string(),
            "current_cooldown_id": pa.string(),
            "installed_at": _moment_type(),
        }
    )


def _chip_row(decoder: DocumentDecoder, _: Document) -> Row:
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


def _element_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(_scope_fields() | {"qid": pa.string(), "data": _parameters_type()})


def _element_row(decoder: DocumentDecoder, _: Document) -> Row | None:
    qid = decoder.qid()
    if not qid:
        return None
    return _scope(decoder) | {"qid": qid, "data": _parameter_rows(decoder, "data")}


def _result_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        _scope_fields()
        | {
            "task_id": pa.string(),
            "name": pa.string(),
            "status": pa.string(),
            "qid": pa.string(),
            "execution_id": pa.string(),
            "cooldown_id": pa.string(),
            "tags": pa.list_(pa.string()),
            "excluded": pa.bool_(),
            "message": pa.string(),
            "start_at": _moment_type(),
            "end_at": _moment_type(),
            "output_parameters": _parameters_type(),
        }
    )


def _result_row(decoder: DocumentDecoder, _: Document) -> Row | None:
    qid = decoder.qid()
    if qid is None:
        return None
    row = _scope(decoder) | {
        "task_id": decoder.text("task_id"),
        "name": decoder.text("name"),
        "status": decoder.text("status"),
        "qid": qid,
        "execution_id": decoder.text("execution_id"),
        "cooldown_id": decoder.text("cooldown_id"),
        "tags": decoder.texts("tags"),
        "excluded": decoder.flag("excluded"),
        "message": decoder.text("message"),
        "start_at": _naive(decoder.moment("start_at")),
        "end_at": _naive(decoder.moment("end_at")),
        "output_parameters": _parameter_rows(decoder, "output_parameters"),
    }
    counts = row["status"] == "completed" and not row["excluded"] and qid
    if counts and row["start_at"] is None and row["end_at"] is None:
        for parameter in row["output_parameters"]:
            if parameter["calibrated_at"] is None:
                decoder.report("start_at", "has no time at all: not in any series")
                break
    return row


def _whole_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(_scope_fields() | {"document": pa.string()})


def _whole_row(decoder: DocumentDecoder, document: Document) -> Row:
    return _scope(decoder) | {"document": json.dumps(_plain(document), ensure_ascii=False)}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, datetime):
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)).isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


_MODELLED: dict[str, tuple[Callable[[], pa.Schema], Callable[[DocumentDecoder, Document], Row | None]]] = {
    "project": (_project_schema, _project_row),
    "chip": (_chip_schema, _chip_row),
    "qubit": (_element_schema, _element_row),
    "coupling": (_element_schema, _element_row),
    "task_result_history": (_result_schema, _result_row),
}
"""Collections that a question filters by; the others keep each document whole, as JSON."""
