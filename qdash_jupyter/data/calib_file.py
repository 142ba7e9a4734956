"""The files behind results in one Parquet file: `path` below `calib_data`, `content` as it was, compressed.

A snapshot keeps thousands of small files so. Paths are read once, in any order; of contents one group of rows, of about
a megabyte, holds the file that is asked for.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq

from qdash_jupyter.data.calib_data import CALIB_DATA, LeftOut, place_below
from qdash_jupyter.domain.sizes import MEGABYTE, size_words
from qdash_jupyter.messages.message import Message

CALIB_FILE = f"{CALIB_DATA}.parquet"
"""Its name in a snapshot."""

_GROUP_BYTES = MEGABYTE
_KEPT_GROUPS = 4
"""Results of a task are read one after the other: their files lie in the same groups, or in the next ones."""


class _Place(NamedTuple):
    """A row of a group of rows, which has so many bytes."""

    group: int
    row: int
    group_bytes: int


class CalibFile:
    """The files of results in a Parquet file."""

    def __init__(self, place: Path) -> None:
        """Read nothing yet."""
        self.place = place
        self._contents = lru_cache(maxsize=_KEPT_GROUPS)(self._read_contents)

    def read(self, path: str, *, most_bytes: int) -> bytes:
        """Return the content of a file."""
        try:
            place = self._places.get(place_below(path).as_posix())
            if place is None:
                raise LeftOut(Message("result-file-missing"))
            # A large file has a group of its own, which need not be unpacked to know that it is too large.
            too_large = place.group_bytes > most_bytes + _GROUP_BYTES
            content: bytes = b"" if too_large else self._contents(place.group)[place.row].as_py()
        except (OSError, pa.ArrowException) as error:
            raise LeftOut(Message("result-file-unreadable", reason=_reason(error))) from error
        if too_large or len(content) > most_bytes:
            raise LeftOut(Message("result-file-too-large", size=size_words(most_bytes)))
        return content

    def stamp(self, path: str) -> object:
        """Return the file's path: what a snapshot holds does not change."""
        return str(self.place), path

    @cached_property
    def _places(self) -> dict[str, _Place]:
        """Where the files are, by path."""
        places: dict[str, _Place] = {}
        with self._opened() as file:
            for group in range(file.num_row_groups):
                size = file.metadata.row_group(group).total_byte_size
                paths = file.read_row_group(group, columns=["path"])["path"].to_pylist()
                places |= {path: _Place(group, row, size) for row, path in enumerate(paths)}
        return places

    def _read_contents(self, group: int) -> Any:
        with self._opened() as file:
            return file.read_row_group(group, columns=["content"])["content"]

    def _opened(self) -> pq.ParquetFile:
        """Open it anew each time: several threads may read."""
        return pq.ParquetFile(self.place)


class CalibFileWriter:
    """Writes such a file."""

    def __init__(self, place: Path, *, level: int | None = None) -> None:
        """Begin it; `level` is zstd's."""
        schema = pa.schema({"path": pa.string(), "content": pa.binary()})
        self._file = pq.ParquetWriter(
            place, schema, compression="zstd", compression_level=level, use_dictionary=False, write_statistics=False
        )
        self._waiting: dict[str, bytes] = {}
        self._bytes = 0
        self._paths: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._write()
        finally:
            self._file.close()

    def __contains__(self, path: Path) -> bool:
        """Tell whether it has a file of this path below `calib_data`."""
        return path.as_posix() in self._paths

    def __len__(self) -> int:
        """Count its files."""
        return len(self._paths)

    def add(self, path: Path, content: bytes) -> None:
        """Add a file that is not there yet."""
        if self._bytes + len(content) > _GROUP_BYTES:
            self._write()
        self._waiting[path.as_posix()] = content
        self._paths.add(path.as_posix())
        self._bytes += len(content)

    def _write(self) -> None:
        if self._waiting:
            columns = {"path": list(self._waiting), "content": list(self._waiting.values())}
            self._file.write_table(pa.table(columns, schema=self._file.schema))
        self._waiting, self._bytes = {}, 0


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).partition("\n")[0]
