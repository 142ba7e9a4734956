"""One table of a stored result: in memory, or in an Arrow file of the kernel's own until somebody uses it. Such a file
has no name: nobody else finds it, and the system removes it as soon as nothing refers to it, also when the kernel is
killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from hashlib import blake2b
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import ref

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ArrowFile:
    """A table in a file."""

    descriptor: int
    """The open file: Arrow IPC, not compressed. Times are in UTC."""
    zones: Mapping[Hashable, tzinfo]
    """The zones of columns of times."""

    def opened(self) -> pd.DataFrame:
        """The table, without attributes. Its text stays in the file until it is read; its numbers may be changed."""
        import mmap

        import pyarrow as pa

        # Mapped for this table alone: what was read of it leaves memory with the table.
        content = mmap.mmap(self.descriptor, 0, access=mmap.ACCESS_READ)
        arrow = pa.ipc.open_file(pa.BufferReader(content)).read_all()
        table: pd.DataFrame = arrow.to_pandas().copy()  # one column alone would be the file's own memory: only to read
        for name, zone in self.zones.items():
            table[name] = table[name].dt.tz_localize("UTC").dt.tz_convert(zone)
        return table

    def __del__(self) -> None:
        os.close(self.descriptor)


def written(table: pd.DataFrame) -> ArrowFile | None:
    """The table in a file; None when it would not come back the same, as columns of lists.

    The file lies where `tempfile` puts files: `TMPDIR` names the folder.

    Raises:
        OSError: the file cannot be written, for instance because the disk is full.
    """
    import tempfile

    import pandas as pd
    import pyarrow as pa

    objects = (column for _, column in table.items() if column.dtype == object)
    if not table.columns.is_unique or any(not _is_text(column) for column in objects):
        return None
    plain = table.copy(deep=False)
    plain.attrs = {}  # these may be anything; Arrow would keep JSON alone
    zones = {name: dtype.tz for name, dtype in table.dtypes.items() if isinstance(dtype, pd.DatetimeTZDtype)}
    for name in zones:
        plain[name] = table[name].dt.tz_convert(None)  # newer versions of pandas warn when pyarrow reads zoned ones
    try:
        arrow = pa.Table.from_pandas(plain)
    except (ValueError, TypeError, NotImplementedError):  # pyarrow's own errors are of these kinds, too
        return None
    with tempfile.TemporaryFile(prefix="qdash-jupyter-") as file:
        with pa.ipc.new_file(file, arrow.schema) as writer:
            writer.write_table(arrow)
        file.flush()
        there = ArrowFile(os.dup(file.fileno()), zones)
    again = there.opened()
    same = again.index.identical(table.index) and again.columns.identical(table.columns) and again.equals(table)
    return there if same else None


def _is_text(objects: pd.Series) -> bool:
    import pandas as pd

    return bool(pd.api.types.infer_dtype(objects, skipna=False) == "string")


_uses = count()


class StoredTable:
    """A DataFrame that `release` moves to a file and `frame` takes back. What it is (rows, columns) is known without
    opening the file. Safe to use from several threads.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        """`frame` now belongs to this table; who made it does not change it any more."""
        self.memory = _memory(frame)
        """Bytes in memory when it was stored."""
        self.used = next(_uses)
        """The larger, the later it was stored or asked for."""
        self.digest = _hash(frame)
        """Hash of columns, index and rows when it was stored; the same in every process."""
        self._frame: pd.DataFrame | None = frame
        self._attrs = frame.attrs
        self._rows, self._columns, self.kinds = len(frame), _names(frame), kinds_of(frame)
        self._file: ArrowFile | None = None
        self._fits_a_file = True
        self._given: ref[pd.DataFrame] | None = None
        self._was_given = False
        self._lock = Lock()

    @property
    def frame(self) -> pd.DataFrame:
        """The DataFrame, the same one as long as anybody holds it."""
        with self._lock:
            if self._frame is None:
                self._frame = self._read()
            self._given = ref(self._frame)
            self._was_given = True
            self.used = next(_uses)
            return self._frame

    @property
    def to_be_read(self) -> pd.DataFrame:
        """The DataFrame for somebody who reads it now, and neither changes nor keeps it."""
        with self._lock:
            return self._read() if self._frame is None else self._frame

    @property
    def given(self) -> pd.DataFrame | None:
        """The DataFrame that `frame` gave, unless that is gone."""
        return self._given() if self._given is not None else None

    @property
    def in_memory(self) -> bool:
        """Whether it takes memory now."""
        return self._frame is not None

    @property
    def rows(self) -> int:
        """Number of rows."""
        frame = self._frame
        return self._rows if frame is None else len(frame)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        frame = self._frame
        return self._columns if frame is None else _names(frame)

    @property
    def changed(self) -> bool:
        """Whether somebody changed it since it was stored. In a file, or given to nobody, it is what was stored."""
        frame = self._frame
        return frame is not None and self._was_given and _hash(frame) != self.digest

    def release(self) -> int:
        """Move it to a file, and give the number of bytes that this freed: none if it is in one already, was changed,
        would not come back the same, or if somebody holds the DataFrame: then it would stay in memory all the same, and
        a change of it would be lost here.

        Raises:
            OSError: the file cannot be written. The table stays in memory.
        """
        with self._lock:
            if self._frame is None or not self._fits_a_file:
                return 0
            # The same data in another object: when the one that was given out is still there, somebody holds it.
            self._frame = self._frame.copy(deep=False)
            if (theirs := self.given) is not None:
                self._frame = theirs
                return 0
            if self.changed:
                return 0
            if self._file is None:
                self._file = written(self._frame)
                self._fits_a_file = self._file is not None
            if self._file is None:
                return 0
            self._attrs, self._frame = self._frame.attrs, None
            return self.memory

    def _read(self) -> pd.DataFrame:
        if self._file is None:
            msg = "a table is neither in memory nor in a file"
            raise RuntimeError(msg)
        frame = self._file.opened()
        frame.attrs = self._attrs
        return frame

    def __getstate__(self) -> dict[str, Any]:
        # A copy, or what is sent elsewhere, is whole and in memory.
        with self._lock:
            frame = self._read() if self._frame is None else self._frame
        return self.__dict__ | {"_frame": frame, "_file": None, "_given": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())


def _names(frame: pd.DataFrame) -> list[str]:
    return [str(column) for column in frame.columns]


def kinds_of(frame: pd.DataFrame) -> dict[str, str]:
    """What the columns hold that are neither text nor plain numbers: `UTC`, `time`, `int`, `bool`."""
    kinds = {}
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        short = {"i": "int", "u": "int", "b": "bool", "M": "time", "m": "duration"}.get(dtype.kind, "")
        kinds[str(name)] = str(getattr(dtype, "tz", short)) if short == "time" else short
    return kinds


def _columns(frame: pd.DataFrame) -> list[pd.Series]:
    """The columns without `.attrs`, of which pandas makes a deep copy for each that it hands out."""
    bare = frame.copy(deep=False)
    bare.attrs = {}
    return [column for _, column in bare.items()]


def _memory(frame: pd.DataFrame) -> int:
    sizes = (column.memory_usage(index=False, deep=True) for column in _columns(frame))
    return int(sum(sizes) + frame.index.memory_usage(deep=True))


def _hash(table: pd.DataFrame) -> str:
    """A hash of columns, index and rows, in their order; the same in every process."""
    import pandas as pd

    index, columns = table.index, _columns(table)
    rows = repr(index).encode() if isinstance(index, pd.RangeIndex) else _bytes(index.to_series())
    found = blake2b(rows, digest_size=16)
    names = [(str(column.name), str(column.dtype)) for column in columns]
    found.update(repr(names).encode("utf-8", "replace"))
    for column in columns:
        found.update(_bytes(column))
    return found.hexdigest()


def _bytes(column: pd.Series) -> bytes:
    """What tells a column's values from others of its type."""
    import numpy as np
    import pandas as pd

    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufbcmM":  # nothing but their bytes
        return bytes(column.to_numpy().tobytes())
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return bytes(column.to_numpy(f"datetime64[{column.dtype.unit}]").tobytes())
    if isinstance(column.dtype, pd.StringDtype):
        return repr(column.tolist()).encode("utf-8", "backslashreplace")
    try:
        rows = pd.util.hash_pandas_object(column, index=False)
    except TypeError:  # unhashable objects, such as lists; arrays within them are written out whole
        with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
            rows = pd.util.hash_pandas_object(column.astype(str), index=False)
    return bytes(rows.to_numpy().tobytes())
