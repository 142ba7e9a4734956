"""Tables of pandas as the kernel reads them: from JSON and one record batch of Arrow, both of which may be forged.

The schema of the batch is made here, of the kinds in the JSON, and never taken from the message: so no extension type
and no metadata is interpreted. A batch may say that it is compressed, and Arrow would expand it; one that does is
refused before its data are read.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from qdash_jupyter.worker.names_out_arrays import Unreadable
from qdash_jupyter.worker.names_out_scalars import offset_of, unit_of, zone_of

NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
"""Dtypes of numpy that have a type of Arrow with the same bytes."""
TEXT = "text"
LONGEST_LEVEL = 1_000_000
"""Length of a range as level or categories. Pandas writes those out."""

_Node = list[Any]


def _frame(reader: Any, payload: Any) -> Any:
    import numpy as np
    import pandas as pd

    columns, index, labels, attrs, batch = payload
    from_batch = _Batch(reader, batch)
    rows = from_batch.index(index)
    from_batch.owned = False  # the frame copies its columns
    values = [from_batch.column(column) for column in columns]
    by_place = {  # pandas would guess a dtype for an array of objects
        place: pd.Series(column, rows, object) if isinstance(column, np.ndarray) and column.dtype == object else column
        for place, column in enumerate(values)
    }
    frame = pd.DataFrame(by_place, rows)
    frame.columns = reader.node(labels)
    frame.attrs = reader.node(attrs) or {}
    return frame


def _series(reader: Any, payload: Any) -> Any:
    import pandas as pd

    column, index, name, attrs, batch = payload
    from_batch = _Batch(reader, batch)
    values = from_batch.column(column)
    series = pd.Series(values, from_batch.index(index), values.dtype, reader.node(name))
    series.attrs = reader.node(attrs) or {}
    return series


def _index(reader: Any, payload: Any) -> Any:
    index, batch = payload
    return _Batch(reader, batch).index(index)


READERS: dict[str, Callable[[Any, Any], object]] = {"frame": _frame, "series": _series, "index": _index}
"""The functions that turn nodes into tables, by kind."""


class _Batch:
    """Columns of a record batch, each of which can be had once: many of one would make a small message large."""

    def __init__(self, reader: Any, batch: Any) -> None:
        self._reader = reader
        self.owned = True
        self._kinds: list[str] = []
        self._arrays: dict[int, Any] = {}
        if batch is not None:
            self._kinds, part = batch
            self._arrays = dict(enumerate(_columns(reader.part(part), self._kinds)))

    def column(self, node: _Node) -> Any:
        """Return the array of numpy or pandas that a node describes."""
        kind, *rest = node
        return _COLUMNS[kind](self, *rest)

    def numbers(self, place: int, *kinds: str) -> Any:
        """Return a column of numbers as an array, which owns its memory if `owned` says so.

        Raises:
            Unreadable: The column is of none of these kinds, or has nulls.
        """
        array = self._arrays.pop(place)
        if self._kinds[place] not in (kinds or NUMBERS) or array.null_count:
            raise Unreadable("A column of another kind")
        values = array.to_numpy(zero_copy_only=True)
        return values.copy() if self.owned else values

    def bools(self, place: int) -> Any:
        """Return a column of truth values.

        Raises:
            Unreadable: One is neither 0 nor 1.
        """
        values = self.numbers(place, "uint8")
        if values.max(initial=0) > 1:
            raise Unreadable("Neither true nor false")
        return values.view(bool)

    def texts(self, place: int) -> Any:
        """Return a column of texts as an array of Arrow.

        Raises:
            Unreadable: The column is of another kind.
        """
        if self._kinds[place] != TEXT:
            raise Unreadable("A column of another kind")
        return self._arrays.pop(place)

    def objects(self, nodes: Any) -> Any:
        """Return an array of the scalars that JSON describes."""
        import numpy as np

        values = self._reader.flat(nodes)
        return np.fromiter(values, object, len(values))

    def index(self, node: _Node) -> Any:
        """Return the index that a node describes."""
        import pandas as pd

        kind, first, second, third, *name = node
        if kind == "range":
            return pd.RangeIndex(first, second, third, name=self._reader.node(*name))
        if kind == "levels":
            levels, codes = [self.level(level) for level in first], [self.numbers(place) for place in second]
            return pd.MultiIndex(levels, codes, names=self._reader.node(third))
        if kind != "values":
            raise Unreadable("Not an index")
        values = self.column(first)
        index = pd.Index(values, dtype=values.dtype, name=self._reader.node(third), tupleize_cols=False)
        return index if second is None else type(index)(index, freq=offset_of(second))

    def level(self, node: Any) -> Any:
        """Return an index that is a level of another, or has the categories of a column.

        Raises:
            Unreadable: It has levels itself, or is a range too long to be written out.
        """
        import pandas as pd

        index = self._reader.node(node)
        too_long = type(index) is pd.RangeIndex and len(index) > LONGEST_LEVEL
        if not isinstance(index, pd.Index) or isinstance(index, pd.MultiIndex) or too_long:
            raise Unreadable("Not a level")
        return index


def _complex(batch: _Batch, real: int, imaginary: int) -> Any:
    import numpy as np

    parts = batch.numbers(real, "float32", "float64"), batch.numbers(imaginary, "float32", "float64")
    values = np.empty(len(parts[0]), np.result_type(*parts, np.complex64))
    values.real, values.imag = parts
    return values


def _ticks(batch: _Batch, kind: str, place: int, unit: str) -> Any:
    return batch.numbers(place, "int64").view(f"{kind}8[{unit_of(unit)}]")


def _times(batch: _Batch, place: int, unit: str, zone: Any) -> Any:
    import pandas as pd

    return pd.DatetimeIndex(_ticks(batch, "M", place, unit)).tz_localize("UTC").tz_convert(zone_of(zone)).array


def _category(batch: _Batch, place: int, categories: Any, ordered: Any) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(batch.numbers(place), batch.level(categories), ordered=ordered is True)


def _string(batch: _Batch, place: int, storage: Any, with_na: Any) -> Any:
    import pandas as pd

    dtype = pd.StringDtype(storage)
    if (dtype.na_value is pd.NA) != with_na:
        dtype = pd.StringDtype(storage, float("nan"))  # from pandas 3 on
    return dtype.__from_arrow__(batch.texts(place))


def _period(batch: _Batch, place: int, freq: Any) -> Any:
    import pandas as pd

    return pd.PeriodIndex.from_ordinals(batch.numbers(place, "int64"), freq=offset_of(freq)).array


def _interval(batch: _Batch, left: _Node, right: _Node, closed: Any) -> Any:
    import pandas as pd

    return pd.arrays.IntervalArray.from_arrays(batch.column(left), batch.column(right), closed)


def _nullable(batch: _Batch, node: _Node, missing: int) -> Any:
    import pandas as pd

    values = batch.column(node)
    kinds = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}
    return kinds.get(values.dtype.kind, pd.arrays.IntegerArray)(values, batch.bools(missing))


_COLUMNS: dict[str, Callable[..., Any]] = {
    "number": _Batch.numbers,
    "bool": _Batch.bools,
    "complex": _complex,
    "m": lambda batch, *rest: _ticks(batch, "m", *rest),
    "M": lambda batch, *rest: _ticks(batch, "M", *rest),
    "texts": lambda batch, place: batch.texts(place).to_numpy(zero_copy_only=False),
    "objects": _Batch.objects,
    "times": _times,
    "category": _category,
    "string": _string,
    "period": _period,
    "interval": _interval,
    "nullable": _nullable,
}


def _columns(data: memoryview, kinds: list[str]) -> list[Any]:
    import numpy as np
    import pyarrow as pa

    if not {*kinds} <= {*NUMBERS, TEXT}:
        raise Unreadable("Not a kind of column")
    types = [pa.large_string() if kind == TEXT else pa.from_numpy_dtype(np.dtype(kind)) for kind in kinds]
    buffer = pa.py_buffer(data)
    if buffer.address % 8 or (TEXT in kinds and not data.readonly):  # texts stay in the buffer
        buffer = pa.py_buffer(bytes(data))
    message = pa.ipc.read_message(buffer)
    if message.type != "record batch" or _may_expand(message.metadata.to_pybytes()):
        raise Unreadable("Not a plain record batch")
    batch = pa.ipc.read_record_batch(message, pa.schema([(str(place), kind) for place, kind in enumerate(types)]))
    batch.validate(full=True)
    return list(batch.columns)


def _may_expand(header: bytes) -> bool:
    """Return whether a record batch names a compression, as of today or in the metadata that Arrow 0.17 used."""

    def field(table: int, number: int) -> int:
        vtable = table - struct.unpack_from("<i", header, table)[0]
        size = struct.unpack_from("<H", header, vtable)[0]
        entry = 4 + 2 * number
        offset = struct.unpack_from("<H", header, vtable + entry)[0] if entry < size else 0
        return table + offset if offset else 0

    def target(place: int) -> int:
        return place + int(struct.unpack_from("<I", header, place)[0])

    message = target(0)  # fields of Message.fbs: 2 is the batch, 4 its metadata; 3 of the batch its compression
    return bool(field(message, 4) or field(target(field(message, 2)), 3))
