from __future__ import annotations

import functools
import importlib
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import xarray

from qdash_jupyter.cells import taken_apart
from qdash_jupyter.cells.told_names import words_in
from qdash_jupyter.worker.names_in import Gathered, gathered

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


KINDS = """
[None, True, 1, 2.5, 1j, "a", b"b", bytearray(b"c"), range(3), slice(1, 2), ..., {1}, frozenset({2}), (3,)]
[decimal.Decimal("1.5"), fractions.Fraction(1, 3), uuid.UUID(int=1), re.compile("a+"), pathlib.Path("a")]
[dt.datetime(2026, 1, 1, tzinfo=tokyo), dt.date(2026, 1, 1), dt.time(1, tzinfo=dt.UTC), dt.timedelta(1)]
[OrderedDict(a=1), defaultdict(list, a=[1]), Counter("aab"), deque([1, 2], 3), SimpleNamespace(a=1)]
[Point(1, 2), Pair(), Colour.RED, Fit(50.0, ["a"]), Fit(1.0), Colour]
[np.float32(1.5), np.int64(2), np.datetime64("2026-01-01"), np.bool_(True), np.array([1.5], "f4").dtype]
[np.arange(6).reshape(2, 3).T, np.array(["a", None, 1], object), np.array([(1, "a")], "i8, U1"), np.arange(9)[::2]]
[pd.Timestamp("2026-01-01", tz=tokyo), pd.Timedelta("1h"), pd.Period("2026-01"), pd.Interval(0, 1), pd.NaT, pd.NA]
[pd.Index([1, "a"]), pd.RangeIndex(3), pd.interval_range(0, 3), pd.period_range("2026", periods=2, freq="D"), index]
[df, df.attrs, df.dtypes.tolist(), df.set_index(["s", "c"]), df["o"], df.T]
[fig.data[0].y, fig.data[0].xaxis, fig.layout.xaxis2.domain, fig.frames[0].name, fig.frames[0].data[0].y, fig._grid_ref]
[table.to_pydict(), column.to_pylist(), batch.to_pydict(), table.schema]
[pd.DataFrame, len, np.sin, str.upper, dt, np.linalg]
"""


def test_each_kind_of_data_travels() -> None:
    names = notebook("""
import datetime as dt, decimal, enum, fractions, pathlib, re, uuid, zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import MISSING, dataclass, field
from types import SimpleNamespace
from typing import NamedTuple, Optional
import numpy as np, pandas as pd, plotly.graph_objects as go, pyarrow as pa
from plotly.subplots import make_subplots
from scipy.optimize import curve_fit
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
tokyo = zoneinfo.ZoneInfo("Asia/Tokyo")
index = pd.date_range("2026", periods=3, freq="h", tz=tokyo)
df = pd.DataFrame({"f": [1.0, 2, 3], "s": ["a", None, "c"], "o": pd.Series([1, "b", None], dtype=object, index=index),
    "c": pd.Categorical(["u", "v", "u"]), "i": pd.array([1, None, 3], dtype="Int64"), "t": index}, index=index)
df.attrs = {"unit": "us", "limits": [1, 2]}
fig = make_subplots(1, 2).add_trace(go.Scatter(y=np.arange(3.0)), row=1, col=2)
fig.frames = [go.Frame(name="one", data=[go.Scatter(y=[1])])]
called = [np.mean, curve_fit, pd.read_csv]
table = pa.table({"a": [1, 2], "b": ["x", None]})
column, batch = table["a"], table.to_batches()[0]
""")
    kinds = [line for line in KINDS.splitlines() if line]
    names["kinds"] = [eval(line, names) for line in kinds]  # noqa: S307
    sent = gather(names)
    assert sent.stays == {}
    same = [f"repr(kinds[{row}]) == repr({line})" for row, line in enumerate(kinds)]
    same += ["kinds[4][2] is Colour.RED and type(kinds[4][0]) is Point"]
    same += ["called[0] is np.mean and called[1] is curve_fit and called[2] is pd.read_csv"]
    same += ["Fit(1.0).tags == [] and Fit.__dataclass_fields__['t1'].default is MISSING"]
    there(sent, "\n".join([*same, "fig.add_trace(go.Scatter(y=[1]), row=1, col=1)"]))


def test_data_of_xarray_travel() -> None:
    array = xarray.DataArray(np.arange(2.0), dims="x", coords={"x": [1, 2]}, attrs={"u": "V"})
    dataset = xarray.Dataset({"v": array}, attrs={"chip": "64Q"})
    names = {"da": array, "ds": dataset, "live": dataset.assign_attrs(awg=notebook(COUNTING)["Awg"]())}
    sent = gather(names)
    assert sent.stays == {"live": "`Awg`"}
    there(sent, 'da.sel(x=2).item() == 1 and da.attrs == {"u": "V"} and ds.v.equals(da) and ds.chip == "64Q"')


@pytest.mark.long
def test_frames_of_polars_travel() -> None:
    polars = pytest.importorskip("polars", reason="54 MB: install polars by hand")
    frame = polars.DataFrame({"a": [1, 2], "b": ["x", None]})
    sent = gather({"lazy": frame.lazy(), "pl": frame, "column": frame["a"]})
    assert sent.stays == {"lazy": "`LazyFrame`"}
    there(sent, 'pl["b"].to_list() == ["x", None] and column.sum() == 3')


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
    assert gather(names, known=first.digests) == Gathered(b"", first.digests, {}, tuple(first.digests))
    names["df"].iloc[0, 0] = 3.0
    names["n"] = 5
    second = gather(names, known=first.digests)
    assert {name for name, digest in second.digests.items() if first.digests[name] != digest} == {"df", "n", "f"}
    there(second, "df.v.tolist() == [3, 2] and f() == 5 and 'deep' not in globals()")
    deep = {"deep": first.digests["deep"]}
    assert gather(names, "deep", "unknown", known=first.digests) == Gathered(b"", deep, {}, ("deep",))


def test_an_instrument_notices_nothing() -> None:
    names = notebook(COUNTING + "meta, awg = SignalGenerator(), Awg()")
    df = pd.DataFrame({"v": [1.0]})
    places: dict[str, Any] = {"index with a cache": df.index}
    for label, tool in (("meta", names["meta"]), ("plain", names["awg"]), ("class", names["SignalGenerator"])):
        held = np.array([None], object)
        held[0] = tool
        record = np.array([(1, None)], [("a", int), ("b", object)])
        record["b"][0] = tool
        attrs, named, flagged, inner = df.copy(), df.copy(), df.copy(), pd.Series([1])
        inner.attrs["by"] = tool
        attrs.attrs["by"] = inner
        named.index._name = tool
        object.__setattr__(flagged, "_flags", tool)
        figure = go.Figure()
        figure._layout["meta"] = tool
        user = notebook("""
def f(): return tool
def g(x=[1]): return x
def made(tool): return lambda: tool
class C: pass
class Of: pass
c = C()
""")
        user["tool"] = user["c"].tool = user["Of"].tool = tool
        user["g"].__defaults__[0].append(tool)
        found: dict[str, Any] = {
            "itself": tool, "list": [[tool]], "value": {0: tool}, "array": held, "frame": pd.DataFrame({"o": held}),
            "record": record, "index": pd.Index(held), "attrs": attrs, "name": named, "flags": flagged,
            "figure": figure, "global": user["f"], "default": user["g"], "closure": user["made"](tool),
            "instance": user["c"], "class": user["Of"], "dtype": np.zeros(1, np.dtype("f8", metadata={"m": tool})),
            "partial": functools.partial(len, tool), "method": MethodType(len, tool),
            "proxy": MappingProxyType({"a": tool}), "series": pd.Series([1], name="a").rename("b"),
        }  # fmt: skip
        found["series"]._name = tool
        places |= {f"{label}: {where}": value for where, value in found.items()}
    df.index._cache["o"] = names["awg"]
    names["seen"].clear()
    sent = gathered(places, places, {})
    assert names["seen"] == []
    assert list(sent.digests) == ["index with a cache"]


def test_other_things_stay_and_it_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab.py").write_text("def fit(): return 1\nclass Awg: pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    mylab = importlib.import_module("mylab")
    names = notebook("""
import enum
import pandas as pd
class Frame(pd.DataFrame): pass
class Own:
    def __getattr__(self, name): return 1
class Text(str): pass
class Labelled(enum.Enum):
    def __init__(self, value): self.label = str(value)
    A = 1
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
    stays["Labelled"] = "`Labelled`"
    assert {name: why(names[name]) for name in stays} == stays
    with (tmp_path / "mylab.py").open() as file:
        others = [why(iter([1])), why(file)]
    assert others == ["`list_iterator`", "`TextIOWrapper`"]


def test_size_and_depth_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    assert why(deep) == "nested too deeply"
    many = [0] * 1_200_000
    assert list(gather({"many": many, "same": {"a": many}, "n": 1}).stays) == ["same"]
    assert why({"a": many, "b": list(many)}) == "more than 2,000,000 elements (an object counts as ten)"
    huge = np.broadcast_to(np.zeros(1), (300_000_000,))  # 2.4 GB of one number
    assert why(huge) == "2.4 GB; up to 1.0 GB travels"
    monkeypatch.setattr(taken_apart, "MOST_BYTES", 1_000_000)
    sent = gather({"a": np.zeros(100_000), "b": [b"x" * 500_000], "c": 1})
    assert (sorted(sent.digests), sent.stays) == (["a", "c"], {"b": "500 kB; up to 1.0 MB travels"})
