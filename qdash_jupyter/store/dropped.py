"""A table that the user dropped on the panel, as a stored result."""

from __future__ import annotations

import base64
import io
import re
from datetime import UTC, datetime
from pathlib import PurePath

import pandas as pd
import pyarrow.parquet as pq

from qdash_jupyter.domain.safe_text import one_line
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.frame import FILE, FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore

MOST_VALUES = 20_000_000
"""Of a compressed file: a small one may hold more than memory does."""


def store_file(store: FrameStore, name: str, data: str) -> StoredResult:
    """Read the file, base64 of CSV or Parquet, and store its table under a key made of its name. The same name again
    is a new version.

    Raises:
        PersonError: it is no such file.
    """
    table = _read(name, data)
    source = FrameSource(FILE, {"name": name})

    def make(key: str, version: int) -> StoredResult:
        values, at = {"table": table}, datetime.now(UTC)
        return StoredResult(key, values, main="table", units={}, source=source, fetched_at=at, version=version)

    return store.put(_key(name), source, make)


def _read(name: str, data: str) -> pd.DataFrame:
    read = {".csv": pd.read_csv, ".parquet": _parquet}.get(PurePath(name).suffix.lower())
    if read is None:
        raise PersonError.with_hint("dropped-not-a-table", file=name)
    try:
        table: pd.DataFrame = read(io.BytesIO(base64.b64decode(data, validate=True)))
    except (ValueError, OSError, NotImplementedError) as error:  # those of pandas, pyarrow and binascii among them
        raise PersonError.with_hint("dropped-unreadable", file=name, why=one_line(str(error))) from None
    table.columns = [str(column) for column in table.columns]
    return table


def _parquet(file: io.BytesIO) -> pd.DataFrame:
    shape = pq.read_metadata(file)
    if (values := shape.num_rows * shape.num_columns) > MOST_VALUES:
        raise PersonError(Message("dropped-too-large", count=values, most=MOST_VALUES))
    file.seek(0)
    table: pd.DataFrame = pd.read_parquet(file)
    return table


def _key(name: str) -> str:
    """The file's name as one that can be typed behind an `@`: `T1 scan.csv` is `t1_scan`."""
    words = re.sub(r"\W+", "_", PurePath(name).stem.lower()).strip("_")
    return words if words.isidentifier() else f"file_{words}".rstrip("_")
