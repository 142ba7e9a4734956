"""Tables of pandas on their way out of the session: axes and dtypes as JSON, columns as one record batch of Arrow.

The JSON of a table is what `names_out_tables_read` reads; pandas' own metadata for Arrow are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qdash_jupyter.worker.names_out_arrays import Stays
from qdash_jupyter.worker.names_out_scalars import offset_text, unit_of, zone_node
from qdash_jupyter.worker.names_out_tables_read import LONGEST_LEVEL, NUMBERS, TEXT

_Node = list[Any]
"""The JSON of a column or an index: its kind, the numbers of its columns in the batch, and what else the kind needs."""


def writers() -> dict[Any, Callable[[Any, Any], Any]]:
    """Return the functions that turn tables into nodes, by exact type."""
    import pandas as pd

    kinds = (
        pd.Index, pd.RangeIndex, pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex, pd.CategoricalIndex,
        pd.IntervalIndex, pd.MultiIndex,
    )  # fmt: skip
    return {pd.DataFrame: _frame, pd.Series: _series} | dict.fromkeys(kinds, _index)


def _frame(writer: Any, frame: Any) -> Any:
    batch = _Batch(writer)
    columns = [batch.column(_values(frame.iloc[:, place])) for place in range(frame.shape[1])]
    index, labels = batch.index(frame.index), _index(writer, frame.columns)
    return {"frame": [columns, index, labels, _attrs(writer, frame), batch.sealed()]}


def _series(writer: Any, series: Any) -> Any:
    batch = _Batch(writer)
    column, index = batch.column(_values(series)), batch.index(series.index)
    return {"series": [column, index, writer.node(series.name), _attrs(writer, series), batch.sealed()]}


def _index(writer: Any, index: Any) -> Any:
    batch = _Batch(writer)
    return {"index": [batch.index(index), batch.sealed()]}


def _attrs(writer: Any, table: Any) -> Any:
    if not table.flags.allows_duplicate_labels:
        raise Stays
    return writer.tried(table.attrs)


def _values(column: Any) -> Any:
    import numpy as np

    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.array


class _Batch:
    """Columns of one length on their way into a record batch."""

    def __init__(self, writer: Any) -> None:
        self.writer = writer
        self.arrays: list[Any] = []
        self.kinds: list[str] = []

    def sealed(self) -> Any:
        """Return the kinds of the columns, and the number of the part with their data."""
        import pyarrow as pa

        if not self.arrays:
            return None
        batch = pa.RecordBatch.from_arrays(self.arrays, [str(number) for number in range(len(self.arrays))])
        return [self.kinds, self.writer.part(batch.serialize().to_pybytes())]

    def numbers(self, values: Any) -> int:
        """Append numbers of numpy, and return their place."""
        import numpy as np
        import pyarrow as pa

        if values.dtype.name not in NUMBERS:
            raise Stays
        self.arrays.append(pa.array(np.ascontiguousarray(values)))
        self.kinds.append(values.dtype.name)
        return len(self.arrays) - 1

    def texts(self, values: Any) -> int:
        """Append texts, None and other missing values being null, and return their place."""
        import pyarrow as pa

        array = pa.array(values)
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        self.arrays.append(array.cast(pa.large_string()))
        self.kinds.append(TEXT)
        return len(self.arrays) - 1

    def column(self, values: Any) -> _Node:
        """Append an array of numpy or pandas, and return what describes it.

        Raises:
            Stays: Its dtype, or one of its objects, does not travel.
        """
        import numpy as np

        return self._numpy(np.asarray(values)) if isinstance(values.dtype, np.dtype) else self._pandas(values)

    def _pandas(self, values: Any) -> _Node:
        import pandas as pd

        dtype = values.dtype
        kind = type(dtype)
        if kind is pd.DatetimeTZDtype:
            return ["times", self.numbers(values.asi8), unit_of(dtype.unit), zone_node(dtype.tz, pandas=True)]
        if kind is pd.CategoricalDtype:
            return ["category", self.numbers(values.codes), self.level(dtype.categories), dtype.ordered]
        if kind is pd.StringDtype:
            return ["string", self.texts(values), dtype.storage, dtype.na_value is pd.NA]
        if kind is pd.PeriodDtype:
            return ["period", self.numbers(values.asi8), offset_text(dtype.freq)]
        if kind is pd.IntervalDtype:
            left, right = self.column(_values(values.left)), self.column(_values(values.right))
            return ["interval", left, right, values.closed]
        if type(values) not in {pd.arrays.BooleanArray, pd.arrays.IntegerArray, pd.arrays.FloatingArray}:
            raise Stays
        plain = values.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
        return ["nullable", self._numpy(plain), self.numbers(values.isna().view("u1"))]

    def _numpy(self, values: Any) -> _Node:
        import numpy as np

        kind = values.dtype.kind
        if kind == "b":
            return ["bool", self.numbers(values.view("u1"))]
        if kind == "c":
            return ["complex", self.numbers(values.real), self.numbers(values.imag)]
        if kind in "mM":
            return [kind, self.numbers(values.view("i8")), unit_of(np.datetime_data(values.dtype)[0])]
        if kind == "O":
            if {*map(type, values)} <= {str, type(None)}:
                return ["texts", self.texts(values)]
            return ["objects", self.writer.flat(values.tolist())]
        return ["number", self.numbers(values)]

    def index(self, index: Any) -> _Node:
        """Append the values of an index, and return what describes it."""
        import pandas as pd

        node = self.writer.node
        if type(index) is pd.RangeIndex:
            return ["range", index.start, index.stop, index.step, node(index.name)]
        if type(index) is pd.MultiIndex:
            levels = [self.level(level) for level in index.levels]
            return ["levels", levels, [self.numbers(codes) for codes in index.codes], node([*index.names])]
        freq = getattr(index, "freq", None) if type(index) in {pd.DatetimeIndex, pd.TimedeltaIndex} else None
        return ["values", self.column(_values(index)), freq and offset_text(freq), node(index.name)]

    def level(self, index: Any) -> Any:
        """Return the node of an index that is a level of another, or has the categories of a column.

        Raises:
            Stays: It is a range too long to be written out.
        """
        import pandas as pd

        if type(index) is pd.RangeIndex and len(index) > LONGEST_LEVEL:
            raise Stays
        return _index(self.writer, index)
