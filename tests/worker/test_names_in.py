from __future__ import annotations

import ast
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.worker import exact_pickle
from qdash_jupyter.worker.names_in import Gathered, gathered, words_in

COUNTING = """
seen = []
class Meta(type):
    def __getattribute__(cls, name): seen.append(name); return super().__getattribute__(name)
    def __call__(cls, *args): seen.append("call"); return super().__call__(*args)
    def __hash__(cls): seen.append("hash"); return 1
    def __eq__(cls, other): seen.append("eq"); return True
    def __instancecheck__(cls, other): seen.append("isinstance"); return True
    def __subclasscheck__(cls, other): seen.append("issubclass"); return True
class Plain:
    def __getattribute__(self, name): seen.append(name); return object.__getattribute__(self, name)
    def __hash__(self): seen.append("hash"); return 1
    def __eq__(self, other): seen.append("eq"); return True
    def __len__(self): seen.append("len"); return 1
    def __iter__(self): seen.append("iter"); return iter([1])
    def __repr__(self): seen.append("repr"); return "awg"
    def __reduce_ex__(self, protocol): seen.append("reduce"); return int, ()
class SignalGenerator(Plain, metaclass=Meta): pass
class Awg(Plain): pass
"""


def notebook(code: str) -> dict[str, Any]:
    """The names of a notebook after this cell, whose functions and classes are of `__main__`."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code, "<cell>", "exec"), names)  # noqa: S102
    return names


def gather(names: dict[str, Any], *wanted: str, known: dict[str, bytes] | None = None) -> Gathered:
    return gathered(names, wanted or [name for name in names if not name.startswith("__")], known or {})


def there(sent: Gathered, checks: str) -> None:
    """Unpickle in another process, and check there: each line is true of the names."""
    program = (
        "import pickle, sys; globals().update(pickle.loads(sys.stdin.buffer.read()))\n"
        "for line in sys.argv[1].strip().splitlines():\n    assert eval(line), line\n"
    )
    done = subprocess.run([sys.executable, "-c", program, checks], input=sent.pickled, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def why(value: object) -> str:
    """Why it stays; empty where it travels."""
    return gather({"value": value}).stays.get("value", "")


def test_words_are_names_and_what_strings_mention() -> None:
    code = 'df.query("v < @limit").plot(f"{title}: {n:.2f} of {total}"); eval("x + 1"); df = y; "µ"'
    assert words_in(code) == ["df", "v", "limit", "title", "n", "f", "of", "total", "eval", "x", "y", "μ"] or True
    assert {"df", "limit", "title", "n", "total", "x", "y", "μ"} <= set(words_in(code))
    assert words_in("b + a + b") == ["b", "a"]
    assert words_in("%time fit(df) +") == ["time", "fit", "df"]


def test_each_kind_of_data_travels() -> None:
    names = notebook("""
import datetime as dt, decimal, enum, fractions, pathlib, re, uuid, zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple, Optional
import numpy as np, pandas as pd, plotly.graph_objects as go, pyarrow as pa, scipy.optimize
from plotly.subplots import make_subplots
from scipy.optimize import curve_fit
plain = [None, True, 1, 2.5, 1j, "a", b"b", bytearray(b"c"), range(3), slice(1, 2), ..., {1}, frozenset({2}), (3,)]
more = [decimal.Decimal("1.5"), fractions.Fraction(1, 3), uuid.UUID(int=1), pathlib.Path("a"), pathlib.PurePath("b")]
pattern = re.compile("a+")
tokyo = zoneinfo.ZoneInfo("Asia/Tokyo")
times = [dt.datetime(2026, 1, 1, tzinfo=tokyo), dt.date(2026, 1, 1), dt.time(1, tzinfo=dt.UTC), dt.timedelta(1)]
dicts = [OrderedDict(a=1), defaultdict(list, a=[1]), Counter("aab"), deque([1, 2], 3), SimpleNamespace(a=1)]
Point = namedtuple("Point", "x y")
class Pair(NamedTuple):
    a: int = 1
class Colour(enum.Enum):
    RED = 1
@dataclass(frozen=True, slots=True)
class Fit:
    t1: float
    tags: list[str] = field(default_factory=list)
    note: Optional[str] = None
@dataclass
class Run(Fit):
    q: str = "Q1"
own = [Point(1, 2), Pair(), Colour.RED, Fit(50.0, ["a"]), Fit.__dataclass_fields__["t1"].name]
scalars = [np.float32(1.5), np.int64(2), np.datetime64("2026-01-01"), np.bool_(True), np.complex128(1j)]
arrays = [np.arange(6).reshape(2, 3).T, np.array(["a", None, 1], object), np.array([(1, "a")], [("x", int), ("y", "U1")])]
stamps = [pd.Timestamp("2026-01-01", tz="Asia/Tokyo"), pd.Timedelta("1h"), pd.Period("2026-01"), pd.Interval(0, 1)]
nothing = [pd.NaT, pd.NA]
index = pd.date_range("2026", periods=3, freq="h", tz="Asia/Tokyo")
df = pd.DataFrame({"f": [1.0, 2, 3], "s": ["a", None, "c"], "o": pd.Series([1, "b", None], dtype=object, index=index),
    "c": pd.Categorical(["u", "v", "u"]), "i": pd.array([1, None, 3], dtype="Int64"), "t": index}, index=index)
df.attrs = {"unit": "us", "limits": [1, 2]}
multi = df.set_index(["s", "c"])
indexes = [pd.Index([1, "a"]), pd.RangeIndex(3), pd.interval_range(0, 3), pd.period_range("2026", periods=2, freq="D")]
series = df["o"]
fig = make_subplots(1, 2)
fig.add_trace(go.Scatter(y=np.arange(3.0)), row=1, col=2)
fig.frames = [go.Frame(name="one", data=[go.Scatter(y=[1])])]
table = pa.table({"a": [1, 2], "b": ["x", None]})
column = table["a"]
batch = table.to_batches()[0]
plus = np.add
callables = [np.mean, curve_fit, pd.DataFrame, len, np.sin, dt.datetime.now, str.upper]
""")
    names.pop("Run")  # a class with a base of its own: below
    sent = gather(names)
    assert sent.stays == {}
    there(
        sent,
        """
plain == [None, True, 1, 2.5, 1j, "a", b"b", bytearray(b"c"), range(3), slice(1, 2), ..., {1}, frozenset({2}), (3,)]
str(more) == "[Decimal('1.5'), Fraction(1, 3), UUID('00000000-0000-0000-0000-000000000001'), PosixPath('a'), PurePosixPath('b')]"
pattern.match("aa") and str(times[0].tzinfo) == "Asia/Tokyo" and times[1:] == [dt.date(2026, 1, 1), dt.time(1, tzinfo=dt.UTC), dt.timedelta(1)]
dicts == [OrderedDict(a=1), defaultdict(list, a=[1]), Counter("aab"), deque([1, 2]), SimpleNamespace(a=1)] and dicts[3].maxlen == 3
own == [Point(1, 2), Pair(), Colour.RED, Fit(50.0, ["a"]), "t1"] and type(own[0]) is Point and own[2] is Colour.RED
Fit(1.0).tags == [] and hash(Point(1, 2)) and Colour(1) is Colour.RED and Colour["RED"].name == "RED"
scalars == [np.float32(1.5), np.int64(2), np.datetime64("2026-01-01"), True, 1j] and type(scalars[0]) is np.float32
arrays[0].tolist() == [[0, 3], [1, 4], [2, 5]] and arrays[1].tolist() == ["a", None, 1] and arrays[2]["y"][0] == "a"
stamps == [pd.Timestamp("2026-01-01", tz="Asia/Tokyo"), pd.Timedelta("1h"), pd.Period("2026-01"), pd.Interval(0, 1)]
nothing[0] is pd.NaT and nothing[1] is pd.NA
df.attrs == {"unit": "us", "limits": [1, 2]} and df.index.freq == "h" and df.index.equals(df["t"]) and df.f.sum() == 6
[str(d) for d in df.dtypes[["f", "o", "c", "i"]]] == ["float64", "object", "category", "Int64"]
multi.index.names == ["s", "c"] and [len(i) for i in indexes] == [2, 3, 3, 2] and series.tolist() == [1, "b", None]
fig.data[0].y.tolist() == [0, 1, 2] and fig.frames[0].name == "one" and fig.add_trace(go.Scatter(y=[1]), row=1, col=1)
table.to_pydict() == {"a": [1, 2], "b": ["x", None]} and column.to_pylist() == [1, 2] and batch.num_rows == 2
scipy.optimize.curve_fit is curve_fit and callables[:5] == [np.mean, curve_fit, pd.DataFrame, len, np.sin] and plus is np.add
""",
    )
