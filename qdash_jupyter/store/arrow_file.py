"""Tables in Arrow files of the kernel's own. They have no name: nobody else finds them, and the system removes them as
soon as nothing refers to them, also when the kernel is killed.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING

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
