"""Values come back equal from a session, and forged messages give a value or `Unreadable`."""

from __future__ import annotations

import collections
import datetime as dt
import math
import pickle
import random
import time
import tracemalloc
import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from functools import reduce
from operator import getitem
from typing import Any

import numpy as np
import orjson
import pandas as pd
import plotly.graph_objects as go
import pytest

from qdash_jupyter.worker import names_out
from qdash_jupyter.worker.names_out import read, written
from qdash_jupyter.worker.names_out_values import Unreadable

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
EAST = dt.timezone(dt.timedelta(hours=-5, microseconds=3), "here")
AMBIGUOUS = dt.datetime(2026, 10, 25, 2, 30, fold=1)  # noqa: DTZ001 - naive ones travel, too
RECORDS = np.dtype([("a", "<i4"), ("μ b", ">f8", (2, 3)), ("c", "S3")])
HOURS = pd.date_range("2026-03-29", periods=4, freq="h", tz=BERLIN)

# fmt: off
SCALARS: list[Any] = [
    None, True, 0, -(2**63), 2**64 - 1, 2**64, -(3**8999), 1.5, -0.0, math.nan, math.inf, -math.inf, 5e-324,
    complex(-0.0, math.nan), "", "T1 μs\0", b"", bytes(range(256)), Decimal("-0E+7"), Decimal("sNaN12"),
    dt.date(1, 1, 1), dt.time(1, 2, 3, 4, tzinfo=EAST), dt.timedelta(-1, 2, 3), AMBIGUOUS,
    AMBIGUOUS.replace(tzinfo=BERLIN), AMBIGUOUS.replace(tzinfo=dt.UTC),
    pd.Timestamp("2026-01-01 00:00:00.123456789"), pd.Timestamp(AMBIGUOUS, tz=BERLIN).as_unit("ms"),
    pd.Timedelta(7, "ns"), pd.Timedelta(7, "s").as_unit("s"), pd.NaT, pd.NA, pd.Period("2026Q1"),
    pd.Period("2026-01-05", freq="2D"), pd.Interval(0, 1.5, "both"), pd.Interval(HOURS[0], HOURS[1], "left"),
    np.float32(1.1), np.int8(-3), np.uint64(2**64 - 1), np.True_, np.complex64(1j), np.str_("ü"), np.bytes_(b"x"),
    np.datetime64("2026-01-01T00", "h"), np.array([3], "m8[25s]")[0], np.longdouble("1.1"),
]
CONTAINERS: list[Any] = [
    [], (), {}, range(3, 10**20, 2), slice(None, 2, -1), [[], (1, [2.5])], ["a", None, True], ["a"], [1.0, math.inf],
    {"b": 1, "a": [None], 3: {"x": ()}, (1, (None, 2.5)): b"", np.int64(7): {pd.Timestamp("2026")}, None: 0},
]
ARRAYS = [
    np.array(1.5), np.zeros((0, 3), "i2"), np.asfortranarray(np.arange(6).reshape(2, 3)), np.arange(9)[::-2],
    np.array([True, False]), np.array([1j], "c8"), np.array(["ab", "𝄞"]), np.array([b"a"]), np.arange(3, dtype=">u2"),
    np.array(["2026-01", "NaT"], "M8[M]"), np.array([1], "m8[10ms]"),
    np.asfortranarray(np.array([[None, "a", 2**70], [math.nan, pd.NaT, b"b"]], object)),
]
UNITS, NUMBERS = ("s", "ms", "us", "ns"), ("bool", "int8", "uint64", "float16", "float32", "complex64", "complex128")
COLUMNS: dict[str, Any] = {
    **{name: np.array([0, 1, 0, 1], name) for name in NUMBERS},
    **{kind + unit: np.array([0, -1, 2, "NaT"], f"{kind}8[{unit}]") for unit in UNITS for kind in "mM"},
    **{f"in {zone}": pd.Series(HOURS.tz_convert(zone)).dt.as_unit("us") for zone in (BERLIN, "UTC", EAST, "+05:30")},
    **{name: pd.array([1, None, 0, 1], name) for name in ("Int8", "UInt64", "Float32", "Float64", "boolean")},
    **{name: pd.Series(["a", None, "ü\0", ""], dtype=name) for name in ("str", "string[python]", "string[pyarrow]")},
    "nan": [1.5, math.nan, -0.0, math.inf],
    "ordered": pd.Categorical(["b", None, "a", "b"], ["b", "a", "unused"], ordered=True),
    "of times": pd.Categorical(HOURS[[0, 1, 0, 3]]), "of numbers": pd.Categorical([3, 1, 3, None]),
    "period": pd.PeriodIndex(["2026-01", "2026-03", None, "2026-02"], freq="M"),
    "interval": pd.arrays.IntervalArray.from_breaks([0.0, 1, 2, 3, 4], closed="neither"),
    "texts": pd.Series(["a", None, "", "ü"], dtype=object), "mixed": np.array(["a", math.nan, 3, (1, None)], object),
}
INDEXES = [
    pd.RangeIndex(4, 12, 2, name="n"), pd.Index([1, 1, 2, 3], name=("a", 1)), pd.Index([0.5, math.nan, 1, 2]),
    HOURS, HOURS[[0, 2, 3, 3]], pd.date_range("2026-01-31", periods=4, freq="ME", name="t"), pd.Index(list("abca")),
    pd.timedelta_range("1s", periods=4, freq="90s"), pd.period_range("2026", periods=4, freq="W-WED"),
    pd.CategoricalIndex(list("abca"), ["c", "b", "a"]), pd.interval_range(0, 4), pd.Index([True, False, True, True]),
    pd.Index([1, "a", None, 2.5], dtype=object), pd.Index([("a", 1), ("b", 2), ("c",), ()], tupleize_cols=False),
    pd.MultiIndex.from_product([["b", "a"], HOURS[:3]], names=["q", None])[:4],
    pd.MultiIndex.from_tuples([(1, "x"), (1, None), (2, "x"), (1, "x")]),
]
FRAMES = [
    pd.DataFrame(COLUMNS).set_axis(HOURS), pd.DataFrame(np.eye(4), INDEXES[-2], INDEXES[-1]),
    pd.DataFrame([[1, 2, "a", 4]] * 2, columns=pd.Index(["x", "x", 3, ("a", None)], dtype=object)),
    pd.DataFrame(), pd.DataFrame(index=pd.RangeIndex(3)), pd.DataFrame(columns=["a"], dtype="str"),
]
FIGURE = go.Figure([go.Scatter(x=np.arange(3), y=[1.5, None, 2], name="T1"), go.Heatmap(z=np.eye(2))])
PICTURE = {"images": [{"source": "https://example.org/a.png"}]}
STAYS: list[Any] = [
    object(), print, pd.Timestamp(AMBIGUOUS), "\ud800", ["\ud800"], [{0: {print}}], type("Text", (str,), {})("a"),
    collections.Counter("a"), np.array([object()]), np.array([[1]]).view(np.matrix), np.ma.array([1]), pd.Series([[1]]),
    np.bytes_(b"a\0"), np.zeros(1, RECORDS)[0], np.ones((2, 2), RECORDS),
    pd.Series([1]).astype("Sparse[int]"), pd.Series([1], dtype="int64[pyarrow]"),
    pd.Series(1, pd.date_range("2026", periods=3, freq=pd.DateOffset(days=1, hours=2))),
    pd.Series(1, pd.date_range("2026", periods=3, freq=pd.offsets.CDay(holidays=["2030-01-01"]))),
    pd.DataFrame().set_flags(allows_duplicate_labels=False), dict.fromkeys(i * (2**61 - 1) for i in range(1000)),
    go.Figure(go.Scattergeo()), go.Figure(layout=PICTURE), go.Figure(layout={"template": {"layout": PICTURE}}),
    go.Figure(frames=[{"layout": PICTURE}]),
]
# fmt: on


def back(value: Any) -> Any:
    parts = written(value)
    assert parts is not None, f"{value!r} does not travel"
    return read(parts)


def assert_same(one: Any, other: Any) -> None:
    """Equal, of the same types all the way down, and in the same order."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape, np.isfortran(one)) == (other.dtype, other.shape, np.isfortran(other))
        assert_same(one.tolist(), other.tolist())
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_same(*pair)
    elif isinstance(one, dict):
        assert_same([*one.items()], [*other.items()])
    else:
        assert repr(one) == repr(other)
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)


def test_scalars_containers_and_arrays_come_back_the_same() -> None:
    for value in [*SCALARS, *CONTAINERS, SCALARS, *ARRAYS]:
        assert_same(value, back(value))
    for several in (set(), {1, "a", (2, frozenset({None}))}, frozenset({pd.NaT})):
        assert type(back(several)) is type(several)
        assert back(several) == several
    assert all(back(array).flags.writeable for array in ARRAYS)


def test_tables_come_back_with_their_dtypes_axes_and_frequencies() -> None:
    alike = {"check_freq": True, "check_index_type": True}
    for frame in FRAMES:
        pd.testing.assert_frame_equal(back(frame), frame, check_column_type=True, **alike)
    for index in INDEXES:
        series = pd.Series(range(4), index, name=("a", 1), dtype="object")
        pd.testing.assert_index_equal(back(index), index, exact=True)
        pd.testing.assert_series_equal(back(series), series, **alike)
    levels = back(INDEXES[-2]).levels
    assert [list(level) for level in levels] == [list(level) for level in INDEXES[-2].levels]
    assert back(FRAMES[0])["texts"].tolist() == ["a", None, "", "ü"]


def test_a_table_keeps_attrs_that_travel_and_can_be_changed() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    frame.attrs = {"unit": "μs", "from": [np.arange(2)]}
    parts = [bytearray(part) for part in written(frame) or []]
    other: Any = read(parts)
    parts[-1][:] = bytes(len(parts[-1]))  # the buffers of the channel are used again
    assert_same(other.attrs, frame.attrs)
    other.loc[0, "a"], other.loc[1, "b"] = 5.0, "z"
    assert other.to_numpy().tolist() == [[5.0, "x"], [2.0, "z"]]
    frame.attrs = {"from": [np.arange(2)], "other": print}
    assert back(frame).attrs == {}


def test_a_figure_comes_back_as_the_same_plotly_json() -> None:
    figure = back(FIGURE)
    assert type(figure) is go.Figure
    assert figure == FIGURE
    assert orjson.loads(figure.to_json()) == orjson.loads(FIGURE.to_json())
    assert np.array_equal(figure.data[1].z, FIGURE.data[1].z)


def test_what_cannot_come_back_equal_stays() -> None:
    cycle: list[Any] = []
    cycle.append([cycle, cycle])
    assert [value for value in [*STAYS, cycle] if written(value) is not None] == []


def message(tree: Any, *parts: bytes) -> list[bytes]:
    return [orjson.dumps(tree), *parts]


def array(dtype: str, shape: list[int], data: bytes = b"") -> list[bytes]:
    return message({"array": [dtype, shape, "C", {"raw": len(data)}]}, data)


def joined(kind: str, *values: Any) -> list[bytes]:
    """A value of this kind that is made of forged messages, and of JSON."""
    trees = [orjson.loads(value[0]) if isinstance(value, list) else value for value in values]
    return message({kind: trees}, b"".join(value[1] for value in values if isinstance(value, list) and len(value) > 1))


def rows(stop: int) -> list[bytes]:
    return message({"range index": [0, stop, 1, None]})


def series(column: list[bytes], length: int = 4) -> list[bytes]:
    return joined("series", column, rows(length), None, {"dict": [[], []]})


def objects(*nodes: Any) -> list[bytes]:
    return message({"array": ["|O", [len(nodes)], "C", [*nodes]]})


def texts(bounds: list[int], data: bytes, valid: bytes = b"\1" * 4, dtype: str = "<i8") -> list[bytes]:
    places = np.array(bounds, dtype)
    return joined(
        "texts", array("|u1", [len(data)], data), array(dtype, [len(bounds)], places.tobytes()),
        array("|b1", [len(valid)], valid),
    )  # fmt: skip


def text_column(*args: Any, **more: Any) -> list[bytes]:
    return series(joined("array", "|O", message([4]), "C", texts(*args, **more)))


def figure(data: bytes = b"", layout: bytes = b'"template":{}') -> list[bytes]:
    text = b'{"data":[%s],"layout":{%s}}' % (data, layout)
    return joined("figure", array("|u1", [len(text)], text))


def category(categories: list[bytes], code: int) -> list[bytes]:
    unordered = False
    return series(joined("category", array("|i1", [4], bytes([code] * 4)), categories, unordered))


def alike(count: int) -> bytes:
    """Integers that pandas' hash tables put into one place, in no order."""
    high = np.arange(count, dtype="u8") << 33
    low: Any = np.zeros(count, "u8")
    for bit in range(32):
        above = (high >> (33 + bit)) & 1 if bit < 31 else np.zeros_like(high)
        below = (low >> (bit - 11)) & 1 if bit > 10 else np.zeros_like(high)
        low |= (above ^ below) << bit
    return (high | low)[np.random.default_rng(0).permutation(count)].tobytes()


# fmt: off
WITH_NA = True
FORGED: dict[str, Callable[[], list[Any]]] = {
    "nothing": list,
    "a pickle": lambda: [pickle.dumps(print)],
    "a pickle as a part": lambda: array("|O", [1], pickle.dumps(np.array([print], object))),
    "an unknown kind": lambda: message({"eval": ["1"]}),
    "two kinds": lambda: message({"set": [], "tuple": []}),
    "deep": lambda: [b'{"tuple":[' * 300 + b"1" + b"]}" * 300],
    "very deep": lambda: [b"[" * 100_000],
    "an unused part": lambda: message(1, b"x"),
    "a third part": lambda: message(1, b"", b""),
    "bytes twice": lambda: message([{"array": ["<f8", [1], "C", {"raw": 8}]}] * 2, bytes(8)),
    "fewer bytes than none": lambda: message({"array": ["<f8", [0], "C", {"raw": -8}]}, bytes(8)),
    "objects": lambda: array("|O", [1], bytes(8)),
    "objects in a field": lambda: array("[('a', '|O')]", [1], bytes(8)),
    "code in the dtype": lambda: array("__import__('os')", [1], bytes(8)),
    "fields in a text": lambda: array("f8,f8", [1], bytes(16)),
    "a huge shape": lambda: array("<f8", [10**12], bytes(8)),
    "a shape that overflows": lambda: array("<f8", [2**32, 2**32, 8]),
    "a huge shape of nothing": lambda: array("<f8", [10**12, 0]),
    "a character beyond Unicode": lambda: array("<U1", [1], b"\xff" * 4),
    "a shape of text": lambda: message({"array": ["|O", [10**8, "float"], "C", []]}),
    "a scalar of objects": lambda: message({"numpy": ["|O", "00" * 8]}),
    "a file as a time zone": lambda: message({"timestamp": [0, "s", 0, "dateutil//etc/passwd"]}),
    "a path as a time zone": lambda: message({"datetime": ["2026-01-01", 0, {"zone": ["../../etc/passwd"]}]}),
    "keys with one hash": lambda: message({"set": [{"int": [hex(i * (2**61 - 1))]} for i in range(1000)]}),
    "bounds of texts of another type": lambda: text_column([0] * 5, b"", dtype="<i4"),
    "bounds of texts beyond them": lambda: text_column([0, 1, 2, 3, 10**9], b"abcd"),
    "bounds of texts that fall": lambda: text_column([0, 2, 1, 3, 4], b"abcd"),
    "bounds of texts below them": lambda: text_column([-8, 1, 2, 3, 4], b"abcd"),
    "bounds beyond the texts that pandas keeps": lambda: series(
        joined("string", texts([0, 1, 2, 3, 10**9], b"abcd"), "pyarrow", WITH_NA)),
    "no UTF-8 in texts that pandas keeps": lambda: series(
        joined("string", texts([0, 1, 1, 1, 1], b"\xff"), "pyarrow", WITH_NA)),
    "too few bounds of texts": lambda: text_column([0, 4], b"abcd"),
    "no UTF-8": lambda: text_column([0, 1, 1, 1, 1], b"\xff"),
    "a truth value of 7": lambda: array("|b1", [4], b"\7" * 4),
    "an unknown dtype": lambda: array("object", [4], bytes(32)),
    "an unknown unit": lambda: array("<M8[ns],O[ns]", [4], bytes(32)),
    "a code without category": lambda: category(rows(3), 3),
    "a huge range as categories": lambda: category(rows(10**9), 0),
    "categories in one place of a hash table": lambda: category(
        joined("index", array("<i8", [200_000], alike(200_000)), None, None), 0),
    "a frequency that is none": lambda: message({"period": [0, "D" * 40]}),
    "a huge index": lambda: series(objects(1), 10**12),
    "one value for a huge index": lambda: series(array("<f8", [], bytes(8)), 10**12),
    "a column without an axis": lambda: joined(  # pandas' compiled code would read beyond it, and end the process
        "index", joined("IntegerArray", array("<i8", [], bytes(8)), array("|b1", [], b"\0")), None, None),
    "a column of two axes": lambda: joined("index", array("<i8", [2, 2], bytes(32)), None, None),
    "a column of another machine": lambda: series(array(">i8", [4], bytes(32))),
    "a table as an object": lambda: series(objects(*map(orjson.loads, rows(1))), 1),
    "a column that is a table": lambda: series(rows(4)),
    "an unknown trace": lambda: figure(b'{"type":"os"}'),
    "an unknown property": lambda: figure(layout=b'"template":{},"nonsense":1'),
    "templates by name": lambda: figure(layout=b'"template":"plotly+plotly"'),
    "a map": lambda: figure(b'{"type":"scattermap"}'),
    "a deep figure": lambda: figure(layout=b'"template":{},"meta":' + b"[" * 200 + b"]" * 200),
}
# fmt: on


def test_forged_messages_are_unreadable_and_take_little_memory_and_time() -> None:
    read_anyway = []
    begun = time.process_time()
    tracemalloc.start()
    for name, forged in FORGED.items():
        try:
            read_anyway.append((name, read(forged())))
        except Unreadable:
            continue
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read_anyway == []
    assert most < 50_000_000
    assert time.process_time() - begun < 5


def places(tree: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(tree, (dict, list)):
        for key, below in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places(below, *path, key)


@pytest.mark.long
def test_no_place_of_a_message_writes_a_long_range_out() -> None:
    long = rows(10**7)[0], orjson.dumps({"range": [0, 10**7, 1]})
    values = [*SCALARS, *CONTAINERS, *ARRAYS, *INDEXES, *map(pd.Series, COLUMNS.values()), FRAMES[1], FIGURE, {1}]
    tracemalloc.start()
    for value in values:
        tree, raw = written(value) or []
        for path in [*places(orjson.loads(tree))][1:]:
            for bomb in long:
                forged = orjson.loads(tree)
                reduce(getitem, path[:-1], forged)[path[-1]] = orjson.loads(bomb)
                with suppress(Unreadable):
                    read([orjson.dumps(forged), raw])
                assert tracemalloc.get_traced_memory()[1] < 50_000_000, path
    tracemalloc.stop()


def test_many_small_objects_do_not_hold_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, raw = series(array("<f8", [1], bytes(8)), 1)
    many = [b"[" + b",".join([tree] * 20_000) + b"]", raw * 20_000]
    monkeypatch.setattr(names_out, "_SECONDS", 0.05)
    begun = time.process_time()
    with pytest.raises(Unreadable, match="too long"):
        read(many)
    assert time.process_time() - begun < 1


def test_the_same_messages_are_read_where_nothing_in_them_is_forged() -> None:
    sorted_ones = joined("index", array("<i8", [100_000], np.arange(100_000).tobytes()), None, None)
    tables = [series(array("<f8", [4], bytes(32))), text_column([0, 1, 1, 3, 4], b"abcd"), series(objects(1), 1),
              category(rows(3), 2), category(sorted_ones, 0)]  # fmt: skip
    assert {type(read(parts)) for parts in tables} == {pd.Series}
    others = [array("<f8", [1], bytes(8)), message({"timestamp": [0, "s", 0, "UTC"]}), figure(b'{"type":"scatter"}')]
    assert [type(read(parts)) for parts in others] == [np.ndarray, pd.Timestamp, go.Figure]


@pytest.mark.parametrize("times", [300, pytest.param(3000, marks=pytest.mark.long)])
def test_any_changed_or_missing_bytes_give_a_value_or_unreadable(times: int) -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    values = (FRAMES[0], FRAMES[1], [SCALARS, CONTAINERS], ARRAYS[-3], ARRAYS[6], INDEXES[-1])
    messages: list[Any] = [found for value in values if (found := written(value))]
    assert len(messages) == len(values)
    readable = 0
    for number in range(times):
        parts = [bytearray(part) for part in messages[number % len(messages)]]
        part = chance.choice([part for part in parts if part])
        for _ in range(chance.randint(0, 3)):
            part[chance.randrange(len(part))] = chance.choice([0, 1, 255, chance.randrange(256)])
        if chance.random() < 0.3:
            del part[chance.randrange(len(part)) :]
        try:
            read(parts)
            readable += 1
        except Unreadable:
            continue
    assert times // 10 < readable < times * 29 // 30
