# ruff: noqa: E501, SIM905 - a script of its own; libraries are imported where the watch is not armed
"""The user's namespace of the corpus, and (run as a script) the proof: plain snippets are executed and watched.

`python stage.py < names-and-codes.json` executes each snippet of two tables, those of the first under the checks of the guard,
those of the second without, and prints, as JSON, how each ended and everything that it did which it may not do. Cells of one snippet are parted by
`#%%`; those with `#%% person` are the person's own.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import Any

TOUCHES: list[str] = []


def _counting(name: str) -> Any:
    def touched(self: object, *args: object, **kwargs: object) -> Any:
        TOUCHES.append(name)
        return (
            0
            if name in {"__len__", "__index__", "__hash__", "__int__"}
            else iter(())
            if name == "__iter__"
            else "touched"
        )

    return touched


_SPECIAL = (
    "__getattribute__ __getattr__ __len__ __iter__ __next__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __bool__ __str__ __repr__ "
    "__format__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __mod__ __rmod__ __neg__ __abs__ __call__ "
    "__array__ __array_ufunc__ __index__ __int__ __float__ __hash__ __getitem__ __setitem__ __contains__ __enter__ __exit__ "
    "__setattr__ __delattr__ __dir__ __reduce__ __reduce_ex__ __copy__ __deepcopy__ __iadd__ __pow__ __await__ __bytes__"
).split()


class Meta(type):
    """Even the class answers with a pulse."""

    def __getattribute__(cls, name: str) -> Any:
        TOUCHES.append(f"class.{name}")
        return super().__getattribute__(name)

    def __eq__(cls, other: object) -> bool:
        TOUCHES.append("class.__eq__")
        return False

    def __hash__(cls) -> int:
        TOUCHES.append("class.__hash__")
        return 1

    def __instancecheck__(cls, other: object) -> bool:
        TOUCHES.append("class.__instancecheck__")
        return False


Instrument: Any = Meta("Instrument", (), {name: _counting(name) for name in _SPECIAL})


class FakeStored:
    def __init__(self, frame: Any) -> None:
        self.frame, self.units, self.source = frame, {"value": "us"}, "get_t1"

    def __getitem__(self, key: str) -> Any:
        return self.frame[key]

    def get(self, key: str, default: Any = None) -> Any:
        return self.frame.get(key, default)

    def keys(self) -> Any:
        return list(self.frame.columns)

    def values(self) -> Any:
        return [self.frame[key] for key in self.frame.columns]

    def items(self) -> Any:
        return [(key, self.frame[key]) for key in self.frame.columns]

    def __iter__(self) -> Any:
        return iter(self.frame.columns)

    def refresh(self) -> None:
        TOUCHES.append("refresh")


class FakeTools:
    def get_chip_summary(self, chip: str) -> Any:
        return {"chip": chip, "qubits": 64}

    def run_calibration(self, qid: str) -> None:
        TOUCHES.append("run_calibration")


class FakeCopilot:
    def __init__(self, data: Any) -> None:
        self.data, self.tools = data, FakeTools()

    def ask(self, question: str) -> None:
        TOUCHES.append("ask")


def build_namespace(code: str = "axes0") -> dict[str, Any]:
    """Real objects under the names that the corpus uses; what is slow to make only where its name is in the code."""
    import numpy as np
    import pandas as pd
    import plotly.express as px
    import plotly.graph_objects as go
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    rng = np.random.default_rng(3)
    n = 36
    df = pd.DataFrame(
        {
            "qid": [str(i % 6) for i in range(n)],
            "at": pd.date_range("2026-01-01", periods=n, freq="6h", tz="UTC"),
            "t1": rng.normal(60, 15, n).clip(5),
            "t2_echo": rng.normal(70, 15, n).clip(5),
        }
    )
    instrument = Instrument()

    def user_fn(*args: object, **kwargs: object) -> Any:
        TOUCHES.append("user_fn")
        return 1

    class Odd(pd.DataFrame):
        """A subclass: unknown."""

    cells: Any = np.empty(2, dtype=object)
    cells[0], cells[1] = 1, instrument
    foreign = pd.DataFrame({"device": pd.Series(cells, dtype=object)})
    value = df[["qid", "at"]].assign(value=df["t1"].to_numpy())
    store = {"t1": FakeStored(value)}
    return {
        "np": np,
        "pd": pd,
        "plt": plt,
        "go": go,
        "px": px,
        "df": df,
        "cz": pd.DataFrame({"qid": ["0-1", "1-2"], "fidelity": [0.98, 0.97]}),
        "s": df["t1"].copy(),
        "arr": rng.normal(1, 0.2, 24),
        "xs": [3, 1, 2],
        "limits": {"t1": 50.0, "t2_echo": 80.0},
        "frames": {"a": df[["qid", "t1"]].copy(), "b": df[["qid", "t1"]].copy()},
        "n": 3,
        "name": "to_csv",
        "fig0": go.Figure(go.Bar(x=[1], y=[2]), layout={"template": "none"}),
        **({"axes0": Axes(Figure(), (0.1, 0.1, 0.8, 0.8))} if "axes0" in code else {}),
        "user_fn": user_fn,
        "any": user_fn,
        "sorted_by": user_fn,
        "instrument": instrument,
        "foreign": foreign,
        "odd": Odd({"a": [1]}),
        "mixed": [1, instrument],
        "os_module": os,
        "copilot": FakeCopilot(store),
        "data": store,
    }


_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_READABLE = (
    str(Path(__file__).parents[3] / "qdash_jupyter"),
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    "/usr/share/zoneinfo",
    *(path for path in sys.path if path.endswith(".zip")),
)
_EVENTS = (
    "socket.",
    "subprocess.",
    "os.",
    "shutil.",
    "ftplib.",
    "urllib.",
    "webbrowser.",
    "ctypes.dlopen",
    "tempfile.",
    "sqlite3.",
)
_HARMLESS = ("os.listdir", "os.scandir")


def _watch(found: list[str], armed: list[bool]) -> None:
    def hook(event: str, args: tuple[Any, ...]) -> None:
        if not armed[0]:
            return
        if event == "open":
            path, mode, flags = (*args, None, None, None)[:3]
            text = os.fsdecode(path) if isinstance(path, (str, bytes)) else f"<descriptor {path}>"
            writes = (isinstance(mode, str) and set(mode) & set("wax+")) or (
                isinstance(flags, int) and flags & _WRITES & ~os.O_CLOEXEC
            )
            # `fig.show()` of plotly asks psutil for the parent process: it reads /proc, and nothing leaves the process.
            # Nor is a slip in a cell read from a file, though Python looks for one called `<unknown>`.
            if writes or not text.startswith((*_READABLE, "/proc/", "<")):
                found.append(f"open {text} {mode}")
        elif event in _HARMLESS and (args[0] in {*sys.path, b"/proc"} or str(args[0]).startswith(_READABLE)):
            return  # the search for a module that is imported
        elif event.startswith(_EVENTS):
            found.append(f"{event} {args!r:.200}")

    sys.addaudithook(hook)


def _fingerprint(value: Any) -> str:
    """The content of a value: pickles of frames differ with what pandas has cached."""
    import pandas as pd

    if isinstance(value, (pd.DataFrame, pd.Series)):
        is_frame = isinstance(value, pd.DataFrame)
        types = [str(kind) for kind in value.dtypes] if is_frame else str(value.dtype)
        labels, index = list(value.columns) if is_frame else value.name, value.index
        return repr((value.to_numpy().tolist(), labels, types, index.tolist(), list(index.names), value.attrs))
    if isinstance(value, dict):
        return repr({key: _fingerprint(inner) for key, inner in value.items()})
    return value.tobytes().hex() if hasattr(value, "tobytes") else repr(value)


def _snapshot(namespace: dict[str, Any]) -> dict[str, str]:
    """The content of everything of the user's that can be read without a touch of the instrument."""
    kept = {
        name: _fingerprint(namespace[name]) for name in ("df", "cz", "s", "arr", "xs", "limits", "frames", "n", "name")
    }
    kept["fig0"] = namespace["fig0"].to_json()
    kept["store"] = _fingerprint(namespace["data"]["t1"].frame) + repr(list(namespace["data"]))
    if "axes0" in namespace:
        kept["axes0"] = str(len(namespace["axes0"].get_children()))
    return kept


def _settings() -> str:
    import matplotlib as mpl
    import numpy as np
    import pandas as pd

    options = {
        key: repr(pd.get_option(key)) for key in ("display.max_rows", "display.max_columns", "mode.chained_assignment")
    }
    return repr((options, np.geterr(), dict(mpl.rcParams), warnings.filters))


def _role(value: object) -> str:
    kind = type(value)
    if kind is dict:
        return "store" if value and all(type(one) is FakeStored for one in value.values()) else ""  # type: ignore[attr-defined]
    return "copilot" if kind is FakeCopilot else "result" if kind is FakeStored else ""


def _run(code: str, name: str, namespace: dict[str, Any]) -> None:
    """As a shell does it: the last expression is shown."""
    import ast

    tree = ast.parse(code) if isinstance(code, str) else code
    last: Any = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"<{name}>", "exec"), namespace)  # noqa: S102
    if last is not None:
        repr(eval(compile(ast.Expression(last.value), f"<{name}>", "eval"), namespace))  # noqa: S307


def _run_checked(cells: list[str], name: str, namespace: dict[str, Any]) -> str:
    """The cells one after the other, those of the person's (`person` in their first line) without checks."""
    from qdash_jupyter.cells.guard import EffectRefused, Guard
    from qdash_jupyter.cells.namespace import Namespace

    names = Namespace(namespace)
    guard, status, asked = Guard(namespace, lambda: names.own, role=_role), "ok", False
    for cell in cells:
        if cell.startswith(" person"):
            touches = len(TOUCHES)
            _run(cell.partition("\n")[2], name, namespace)
            del TOUCHES[touches:]  # what the person does is theirs
            continue
        before = names.before_run()
        asked |= not guard.preview(cell).is_plain
        with guard.running(cell) as run:
            try:
                _run(run.tree, name, namespace)  # type: ignore[arg-type]  # a tree as well
            except EffectRefused:
                status = "refused"
            except Exception as problem:  # noqa: BLE001
                status = f"raised {type(problem).__name__}: {problem}"
        names.own_up(names.bound_since(before))
        if not run.refused.is_plain:
            status = "refused"
    return "asked" if asked and status == "ok" else status


def execute(snippets: dict[str, str], *, checked: bool = True) -> dict[str, list[str]]:
    """Execute each snippet and say how it ended, and what it did that may not happen.

    They share the objects of a namespace, which are made anew when one of them has changed any.
    """
    import matplotlib.pyplot  # noqa: ICN001
    import plotly.io as pio
    import scipy.interpolate
    import scipy.optimize
    import scipy.signal
    import scipy.stats  # noqa: F401

    pio.renderers.default = "json"
    _run_checked(["import statistics\nstatistics.mean([1])"], "warm", {})
    found: list[str] = []
    armed = [False]
    # One warm round: imports and the font list of matplotlib.
    warm, ax = matplotlib.pyplot.subplots()
    ax.plot([1, 2], label="x")
    ax.legend()
    warm.canvas.draw()
    matplotlib.pyplot.close(warm)
    _watch(found, armed)
    verdicts: dict[str, list[str]] = {}
    warnings.simplefilter("ignore")
    bound: dict[str, Any] = {}
    for name, code in snippets.items():
        if not bound or "axes0" in code or "axes0" in bound:
            bound = build_namespace(code)
            before = _snapshot(bound)
        namespace, settings = dict(bound), _settings()
        TOUCHES.clear()
        found.clear()
        problems: list[str] = []
        armed[0] = True
        status = "ok"
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                if checked:
                    status = _run_checked(f"\n{code}".split("\n#%%"), name, namespace)
                else:
                    _run(code, name, namespace)
        except Exception as problem:  # noqa: BLE001
            status = f"raised {type(problem).__name__}: {problem}"
        finally:
            armed[0] = False
        problems += [f"event {event}" for event in found]
        problems += [f"touched {touch}" for touch in TOUCHES]
        problems += [f"rebound {key}" for key, value in bound.items() if namespace.get(key) is not value]
        problems += [f"changed {key}" for key, value in _snapshot(bound).items() if before[key] != value]
        if problems:
            bound = {}  # new ones for the next
        if _settings() != settings:
            problems.append("changed settings")
        verdicts[name] = [status, *problems]
        matplotlib.pyplot.close("all")
    return verdicts


if __name__ == "__main__":
    under_checks, without = json.load(sys.stdin)
    json.dump([execute(under_checks), execute(without, checked=False)], sys.stdout)
