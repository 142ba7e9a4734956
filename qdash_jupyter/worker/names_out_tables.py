"""Codecs of what pandas has, and of the texts of Arrow, on their way out of the session.

A table is taken apart into its columns and axes, a column or an index into arrays of numpy and texts of Arrow.
"""

from __future__ import annotations

import re
from datetime import timezone
from functools import partial
from operator import attrgetter
from types import NoneType
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa

from qdash_jupyter.worker.names_out_values import Attrs, Codec, Unreadable, expected, named_zone

_OFFSET = re.compile(r"-?[0-9]{0,9}[A-Za-z]{1,8}(?:-[A-Z0-9]{1,4}){0,3}")
_LONGEST_RANGE = 1_000_000
"""Length of a range as level or categories. Pandas writes those out."""
_MOST_BLOCKS = 100
"""Columns that need not be copied into one block. Pandas warns where a table has more blocks than that."""
_LONG = 5000
"""Length from which a level, categories, or an index with a frequency have to be in order. To see whether values are
unique, pandas fills a hash table, in which forged ones may all have one place; to see whether they have a frequency, it
steps through their whole length. A million would take minutes."""


def codecs() -> dict[type, Codec]:
    """Return the codec of each type."""
    arrays = pd.arrays
    indexes = (pd.Index, pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex, pd.CategoricalIndex, pd.IntervalIndex)
    nullable = (arrays.IntegerArray, arrays.FloatingArray, arrays.BooleanArray)
    texts = (arrays.StringArray, arrays.ArrowStringArray)
    # fmt: off
    return {
        pd.DataFrame: ("frame",
            lambda data: [[_values(each) for _, each in data.items()], data.index, data.columns, _attrs(data)], _frame),
        pd.Series: ("series", lambda data: [_values(data), data.index, data.name, _attrs(data)], _series),
        **dict.fromkeys(indexes, ("index", lambda index: [_values(index), index.name, _freq(index)], _index)),
        pd.RangeIndex: ("range index", attrgetter("start", "stop", "step", "name"),
            lambda start, stop, step, name: pd.RangeIndex(start, stop, step, name=name)),
        pd.MultiIndex: ("levels", lambda index: [*map(list, (index.levels, index.codes, index.names))],
            lambda levels, codes, names: pd.MultiIndex(
                [*map(_level, levels)], [*map(_flat, codes)], names=expected(names, list))),
        pd.Categorical: ("category", attrgetter("codes", "categories", "ordered"),
            lambda codes, labels, ordered: pd.Categorical.from_codes(_flat(codes), _level(labels), ordered)),
        arrays.DatetimeArray: ("times", lambda data: [data.tz_convert(None).to_numpy(), _zone_down(data.tz)], _times),
        arrays.PeriodArray: ("periods", lambda data: [data.asi8, _freq(data)],
            lambda ticks, freq: pd.PeriodIndex.from_ordinals(_flat(ticks), freq=_offset(freq)).array),
        arrays.IntervalArray: ("intervals", lambda data: [_values(data.left), _values(data.right), data.closed],
            lambda left, right, closed: arrays.IntervalArray.from_arrays(_flat(left), _flat(right), closed)),
        **{kind: (kind.__name__, _nullable_down, partial(_nullable, kind)) for kind in nullable},
        **dict.fromkeys(texts, ("string", _string_down, _string)),
        pa.LargeStringArray: ("texts", _texts_down, _texts),
        pd.Timestamp: ("timestamp", lambda value: [*_ticks(value), value.fold, _zone_down(value.tz)],
            # a fold that does not follow from the zone is lost: `written` sees that such a value comes back otherwise
            lambda ticks, unit, _, zone: _in_zone(pd.Timestamp(np.datetime64(ticks, unit)), zone)),
        pd.Timedelta: ("pandas timedelta", _ticks, lambda ticks, unit: pd.Timedelta(np.timedelta64(ticks, unit))),
        pd.Period: ("period", lambda value: [value.ordinal, _freq(value)],
            lambda tick, freq: pd.Period(ordinal=tick, freq=_offset(freq))),
        pd.Interval: ("interval", attrgetter("left", "right", "closed"), pd.Interval),
        type(pd.NaT): ("NaT", lambda _: [], lambda: pd.NaT),
        type(pd.NA): ("NA", lambda _: [], lambda: pd.NA),
    }
    # fmt: on


def _values(column: Any) -> Any:
    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.array


def _attrs(table: Any) -> Attrs:
    if not table.flags.allows_duplicate_labels:
        raise ValueError("The flag does not travel")
    return Attrs(table.attrs)


def _frame(columns: list[Any], index: Any, labels: Any, attrs: Any) -> Any:
    by_place = {place: _series(column, index, None, {}) for place, column in enumerate(columns)}
    table = pd.DataFrame(by_place, expected(index, pd.Index), copy=len(by_place) > _MOST_BLOCKS)
    table.columns = expected(labels, pd.Index)
    table.attrs = expected(attrs, dict)
    return table


def _series(values: Any, index: Any, name: Any, attrs: Any) -> Any:
    if _flat(values).shape != (len(expected(index, pd.Index)),):  # pandas repeats a single value
        raise Unreadable("A column of another length than the index")
    series = pd.Series(values, index, values.dtype, name)
    series.attrs = expected(attrs, dict)
    return series


def _flat(values: Any) -> Any:
    """Return the array of numpy or pandas, which the compiled code of pandas takes to have one axis and native numbers.

    Raises:
        Unreadable: It is another one, or a range, of which a few bytes would give an array of any length.
    """
    expected(values, np.ndarray, pd.api.extensions.ExtensionArray)
    if values.ndim != 1 or getattr(values.dtype, "byteorder", "=") == ">":
        raise Unreadable("Not a column")
    return values


def _index(values: Any, name: Any, freq: Any) -> Any:
    index = pd.Index(_flat(values), dtype=values.dtype, name=name, tupleize_cols=False)
    if freq is None or index.freq == (offset := _offset(freq)):
        return index
    index = type(index)(_level(index), freq=offset if len(index) <= _LONG else "infer")
    if index.freq != offset:
        raise Unreadable("Another frequency")
    return index


def _level(index: Any) -> Any:
    """Return an index that is soon known to have each value once.

    Raises:
        Unreadable: It is long, and not in order.
    """
    if isinstance(expected(index, pd.Index), (pd.RangeIndex, pd.IntervalIndex)):
        soon = len(index) <= (_LONGEST_RANGE if isinstance(index, pd.RangeIndex) else _LONG)
    else:
        soon = len(index) <= _LONG or ((index[1:] > index[:-1]).all() and index.is_monotonic_increasing)
    if not soon:
        raise Unreadable("A long index that is not in order")
    return index


def _nullable_down(data: Any) -> list[Any]:
    dtype = data.dtype.numpy_dtype
    return [data.to_numpy(dtype=dtype, na_value=dtype.type(0)), data.isna()]


def _nullable(kind: Any, values: Any, missing: Any) -> Any:
    return kind(_flat(values), _flat(missing))


def _string_down(data: Any) -> list[Any]:
    texts = pa.array(data)
    texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    return [texts.cast(pa.large_string()), data.dtype.storage, data.dtype.na_value is pd.NA]


def _string(texts: Any, storage: str, with_na: bool) -> Any:
    dtype = pd.StringDtype(storage)
    if (dtype.na_value is pd.NA) is not with_na:
        dtype = pd.StringDtype(storage, float("nan"))  # from pandas 3 on
    return dtype.__from_arrow__(texts)


def _texts_down(texts: Any) -> list[Any]:
    _, places, data = texts.buffers()
    bounds = np.frombuffer(places, "i8")[texts.offset :][: len(texts) + 1]
    return [np.frombuffer(data or b"", "u1")[bounds[0] : bounds[-1]], bounds - bounds[0], np.asarray(texts.is_valid())]


def _texts(data: Any, bounds: Any, valid: Any) -> Any:
    if [data.dtype, bounds.dtype, valid.dtype] != ["u1", "i8", "?"] or len(bounds) != len(valid) + 1:
        raise Unreadable("Not the arrays that texts are made of")
    buffers = map(pa.py_buffer, (bounds, data, np.packbits(valid, bitorder="little")))
    texts = pa.LargeStringArray.from_buffers(len(valid), *buffers)
    texts.validate(full=True)
    return texts


def _zone_down(zone: Any) -> Any:
    """Return the zone if it has a codec, and else its name, of which pandas makes one (with pytz, before pandas 3)."""
    return zone if type(zone) in {NoneType, timezone, ZoneInfo} else str(zone)


def _in_zone(times: Any, zone: Any) -> Any:
    if isinstance(zone, str):
        zone = pd.DatetimeTZDtype("ns", str(named_zone(zone))).tz  # "dateutil/…" would open any file
    return times if zone is None else times.tz_localize("UTC").tz_convert(zone)


def _times(values: Any, zone: Any) -> Any:
    if _flat(values).dtype.kind != "M":
        raise Unreadable("Not times")
    return _in_zone(pd.DatetimeIndex(values), zone).array


def _ticks(value: Any) -> list[Any]:
    return [int(value.asm8.view("i8")), value.unit]


def _freq(value: Any) -> str | None:
    freq = getattr(value, "freq", None)
    if freq is not None and _offset(freq.freqstr) != freq:
        raise ValueError("The name of the frequency does not say all of it")
    return None if freq is None else str(freq.freqstr)


def _offset(text: str) -> Any:
    from pandas.tseries.frequencies import to_offset

    if not _OFFSET.fullmatch(text):
        raise Unreadable("Not a frequency")
    return to_offset(text)
