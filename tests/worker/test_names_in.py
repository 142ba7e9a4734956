from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.worker import taken_apart
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
    exec(compile(code, "<cell>", "exec", dont_inherit=True), names)  # noqa: S102
    return names


def gather(names: dict[str, Any], *wanted: str, known: dict[str, bytes] | None = None) -> Gathered:
    return gathered(names, wanted or [name for name in names if not name.startswith("__")], known or {})


def there(sent: Gathered, checks: str) -> None:
    """Unpickle in another process, and check there: each line is true of the names."""
    program = (
        "import pickle, sys; globals().update(pickle.loads(sys.stdin.buffer.read()))\n"
        "for check in sys.argv[1].strip().splitlines():\n    assert eval(check), check\n"
    )
    done = subprocess.run([sys.executable, "-c", program, checks], input=sent.pickled, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def why(value: object) -> str:
    """Why it stays; empty where it travels."""
    return gather({"value": value}).stays.get("value", "")


def test_words_are_names_and_what_strings_mention() -> None:
    code = 'df.query("v < @limit").plot(f"{title}: {n:.2f} of {total}"); eval("x + 1"); df = y; "µ"'
    assert [word for word in words_in(code) if word not in {"f", "of", "_2f"}] == (
        ["df", "v", "limit", "title", "n", "total", "eval", "x", "y", "μ"]
    )
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
df.attrs == {"unit": "us", "limits": [1, 2]} and df.index.freq == "h" and df.index.tolist() == df["t"].tolist() and df.f.sum() == 6
[str(d) for d in df.dtypes[["f", "o", "c", "i"]]] == ["float64", "object", "category", "Int64"]
multi.index.names == ["s", "c"] and [len(i) for i in indexes] == [2, 3, 3, 2] and series.tolist() == [1, "b", None]
fig.data[0].y.tolist() == [0, 1, 2] and fig.frames[0].name == "one" and fig.add_trace(go.Scatter(y=[1]), row=1, col=1)
table.to_pydict() == {"a": [1, 2], "b": ["x", None]} and column.to_pylist() == [1, 2] and batch.num_rows == 2
scipy.optimize.curve_fit is curve_fit and callables[:5] == [np.mean, curve_fit, pd.DataFrame, len, np.sin] and plus is np.add
""",
    )


def test_frames_of_other_libraries_travel() -> None:
    polars, xarray = pytest.importorskip("polars"), pytest.importorskip("xarray")
    names = notebook("import numpy as np")
    names["lazy"] = polars.DataFrame({"a": [1, 2]}).lazy()
    names["pl"] = polars.DataFrame({"a": [1, 2], "b": ["x", None]})
    names["column"] = names["pl"]["a"]
    names["da"] = xarray.DataArray(np.arange(4.0).reshape(2, 2), dims=("x", "y"), coords={"x": [1, 2]}, attrs={"u": "V"})
    names["ds"] = xarray.Dataset({"v": names["da"]}, attrs={"chip": "64Q"})
    names["live"] = names["ds"].assign_attrs(awg=notebook(COUNTING)["Awg"]())
    sent = gather(names)
    assert sent.stays == {"lazy": "`LazyFrame`", "live": "`Awg`"}
    there(
        sent,
        """
pl["b"].to_list() == ["x", None] and column.sum() == 3
da.sel(x=2).values.tolist() == [2, 3] and da.attrs == {"u": "V"} and ds.v.equals(da) and ds.chip == "64Q"
""",
    )


def test_functions_and_classes_travel_with_what_they_refer_to() -> None:
    names = notebook("""
import abc, functools
import numpy as np
import scipy.signal
OFFSET = 10
def even(n: int | None) -> bool: return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
def scaled(values, *, by=2.0): return np.asarray(values) * by + OFFSET
def counter():
    count = 0
    def step():
        nonlocal count
        count += 1
        return count
    return step
step = counter()
def peaks(y): return scipy.signal.find_peaks(y)[0].tolist()
half = functools.partial(scaled, by=0.5)
class Model(abc.ABC):
    @abc.abstractmethod
    def f(self, x): ...
class Line(Model):
    kind = "line"
    def __init__(self, a): self.a = a
    def f(self, x): return scaled(x, by=self.a)
    @property
    def double(self): return Line(2 * self.a)
    @staticmethod
    def unit(): return "us"
line = Line(3)
line.me = line
f = line.f
class Slotted:
    __slots__ = ("x", "y")
    def __init__(self): self.x = line
slotted = Slotted()
""")
    sent = gather(names)
    assert sent.stays == {}
    there(
        sent,
        """
even(10) and not even(7) and even.__annotations__["return"] is bool
scaled([1]).tolist() == [12] and half([2]).tolist() == [11] and OFFSET == 10
step() == 1 and step() == 2 and peaks([0, 1, 0]) == [1]
type(line) is Line and line.me is line and line.f(1) == 13 and line.double.a == 6 and Line.unit() == "us"
f(1) == 13 and f.__self__ is line and issubclass(Line, Model) and slotted.x is line and not hasattr(slotted, "y")
""",
    )


def test_what_names_share_stays_shared() -> None:
    sent = gather(notebook("a = [1]; b = {'a': a}; b['b'] = b; c = (a, b)\nclass C: pass\nx = C(); x.a = a"))
    there(sent, "b['a'] is a and b['b'] is b and c[0] is a and c[1] is b and x.a is a and type(x) is C")


def test_only_what_changed_is_sent() -> None:
    names = notebook("""
import pandas as pd
n = 2
def f(): return n
def table(): return pd.DataFrame({"v": [1.0, 2.0], "s": ["a", "b"]})
df = table()
deep = {"a": [1, {2}]}
""")
    first = gather(names)
    assert set(first.digests) == {"pd", "n", "f", "table", "df", "deep"}
    names |= {"df": names["table"](), "deep": {"a": [1, {2}]}}
    assert gather(names, known=first.digests) == Gathered(b"", first.digests, {})
    names["df"].iloc[0, 0] = 3.0
    names["n"] = 5
    second = gather(names, known=first.digests)
    assert {name for name, digest in second.digests.items() if first.digests[name] != digest} == {"df", "n", "f"}
    there(second, "df.v.tolist() == [3, 2] and f() == 5 and deep == {'a': [1, {2}]}")
    assert gather(names, "deep", "unknown", known=first.digests) == Gathered(b"", {"deep": first.digests["deep"]}, {})


def test_an_instrument_notices_nothing() -> None:
    names = notebook(
        COUNTING
        + """
import functools, types
import numpy as np, pandas as pd, pyarrow as pa, plotly.graph_objects as go
meta, awg = SignalGenerator(), Awg()
"""
    )
    df = pd.DataFrame({"v": [1.0]})
    places: dict[str, Any] = {}
    for name, tool in (("meta", names["meta"]), ("plain", names["awg"]), ("class", names["SignalGenerator"])):
        held = np.empty(1, object)
        held[0] = tool
        odd = df.copy()
        odd.attrs["by"] = pd.Series([1])
        odd.attrs["by"].attrs["by"] = tool
        named, flagged = df.copy(), df.copy()
        named.index.name = "n"
        named.index._name = tool
        object.__setattr__(flagged, "_flags", tool)
        figure = names["go"].Figure()
        figure._layout["meta"] = tool
        code = "def f(): return tool\ndef g(x=[1]): return x\nclass C:\n    pass\ndef make():\n    def h(): return tool\n    return h"
        user = {**notebook("tool = None\n" + code)}
        closed = user["make"]()
        user["f"].__globals__["tool"] = tool
        user["g"].__defaults__[0].append(tool)
        user["C"].tool = tool
        here = user["C"]()
        del user["C"].tool
        here.tool = tool
        places |= {
            f"{name} {where}": value
            for where, value in {
                "itself": tool, "list": [[tool]], "key": {0: tool}, "array": held, "frame": pd.DataFrame({"o": held}),
                "record": np.array([(1, None)], [("a", int), ("b", object)]), "index": pd.Index(held), "attrs": odd,
                "name": named, "flags": flagged, "figure": figure, "global": user["f"], "closure": closed,
                "default": user["g"], "instance": here, "dtype": np.zeros(1, np.dtype("f8", metadata={"m": tool})),
                "partial": functools.partial(len, tool), "method": MethodType(len, tool),
                "proxy": MappingProxyType({"a": tool}), "cache": df,
            }.items()
        }  # fmt: skip
        places[f"{name} record"]["b"][0] = tool
        user["h"] = closed
    df.index._cache["o"] = names["awg"]
    names["seen"].clear()
    sent = gathered(places, places, {})
    assert names["seen"] == []
    assert {name.partition(" ")[2] for name in sent.digests} == {"cache"}
    assert {why for name, why in sent.stays.items() if name.startswith("class")} >= {"`SignalGenerator`"}


def test_other_things_stay_and_it_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab.py").write_text("def fit(): return 1\nclass Awg: pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    import mylab  # type: ignore[import-not-found]

    names = notebook("""
import pandas as pd
class Frame(pd.DataFrame): pass
class Own:
    def __getattr__(self, name): return 1
class Text(str): pass
class Cells(pd.arrays.IntegerArray): pass
frame, own, text = Frame(), Own(), Text("a")
column = pd.Series(Cells(pd.array([1])._data, pd.array([1])._mask))
def reads(): return own
""")
    assert why(mylab) == "module `mylab`, which isn't installed"
    assert why(ModuleType("made")) == "module `made`, which isn't installed"
    assert why(mylab.fit) == "`fit` of module `mylab`, which isn't installed"
    assert why(mylab.Awg()) == why([mylab.Awg]) == "`Awg`"
    stays = {"frame": "`Frame`", "own": "`Own`", "text": "`Text`", "reads": "`Own`", "column": "`Cells`"}
    assert {name: why(names[name]) for name in stays} == stays
    with (tmp_path / "mylab.py").open() as file:
        others = [why(each) for each in (np.ma.array([1]), (n for n in [1]), file)]
    assert others == ["`MaskedArray`", "`generator`", "`TextIOWrapper`"]


def test_size_and_depth_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    assert why(deep) == "nested too deeply"
    assert why([0] * 2_000_001) == "more than 2,000,000 elements"
    assert why({"a": [None] * 2_000_001}) == "more than 2,000,000 elements"
    huge = np.broadcast_to(np.zeros(1), (300_000_000,))  # 2.4 GB of one number
    assert why(huge) == "2.4 GB; up to 1.0 GB travels"
    monkeypatch.setattr(taken_apart, "MOST_BYTES", 1_000_000)
    sent = gather({"a": np.zeros(100_000), "b": [b"x" * 500_000], "c": 1})
    assert (sorted(sent.digests), sent.stays) == (["a", "c"], {"b": "500 kB; up to 1.0 MB travels"})
