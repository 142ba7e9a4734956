# ruff: noqa: E501, SIM905 - a script of its own; libraries are imported where the watch is not armed
"""The user's namespace of the corpus, and (run as a script) the proof: its snippets run as cells of the copilot beside it.

`python stage.py < names-and-codes.json` runs each snippet of two tables, those of the first in sessions, those of the second in
the kernel itself, and prints, as JSON, how each ended and everything that it did to the kernel which it may not do. Cells of one
snippet are parted by `#%%`; those with `#%% person` are the person's own.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import warnings
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


_EVENTS = (
    "subprocess.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.remove",
    "os.rename",
    "os.mkdir",
    "shutil.",
    "socket.connect",
    "socket.bind",
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _watch(found: list[str], armed: list[bool]) -> None:
    def hook(event: str, args: tuple[Any, ...]) -> None:
        if not armed[0]:
            return
        if event == "open":
            path, mode, flags = (*args, None, None, None)[:3]
            text = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
            writes = isinstance(flags, int) and flags & _WRITES & ~os.O_CLOEXEC
            if (text and writes) or text in {"/etc/passwd", "/etc/hostname"}:
                found.append(f"open {text} {mode}")
        elif event.startswith(_EVENTS) or (event == "socket.__new__" and args[1] in {2, 10}):
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


def _run(code: str, name: str, namespace: dict[str, Any]) -> None:
    """As a shell does it: the last expression is shown."""
    import ast

    tree = ast.parse(code)
    last: Any = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"<{name}>", "exec"), namespace)  # noqa: S102
    if last is not None:
        repr(eval(compile(ast.Expression(last.value), f"<{name}>", "eval"), namespace))  # noqa: S307


class Main:
    """The main thread, which is free."""

    is_busy = False

    async def do(self, work: Any) -> Any:
        return work()


class Shell:
    """What a session's cells need of a shell, where they stand in no notebook."""


def _in_session(worker: Any, cells: list[str], name: str, namespace: dict[str, Any]) -> str:
    """The cells one after the other, those of the person's (`person` in their first line) in the kernel."""
    import asyncio

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.cell_run import CellRequest
    from qdash_jupyter.kernel.session_cells import SessionCells

    names = Namespace(namespace)
    stored = {"t1": stored_result(namespace["df"])} if "df" in namespace else {}
    conversation = SessionCells(worker.session(stored), names, Shell())
    status = "ok"
    try:
        for cell in cells:
            if cell.startswith(" person"):
                touches = len(TOUCHES)
                _run(cell.partition("\n")[2], name, namespace)
                del TOUCHES[touches:]  # what the person does is theirs
                continue
            code, _ = names.with_free_names(cell.strip("\n"))
            run = asyncio.run(conversation.run(CellRequest("r", "c", code), None, Main(), lambda _: None))
            if run.effects:
                status = "asks: " + "; ".join(map(str, run.effects))
            elif run.status != "ok":
                status = f"raised {run.traceback.strip()[-200:]}"
    finally:
        conversation.session.close()
    return status


def stored_result(df: Any) -> Any:
    from datetime import UTC, datetime

    from qdash_jupyter.store.frame import FrameSource, StoredResult

    value = df[["qid", "at"]].assign(value=df["t1"].to_numpy())
    source = FrameSource("get_chip_parameter_timeseries", {"parameter_name": "t1"})
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return StoredResult(
        "t1", {"timeseries": value}, main="timeseries", units={"value": "us"}, source=source, fetched_at=at
    )


def execute(snippets: dict[str, str], worker: Any = None) -> dict[str, list[str]]:
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
    if worker is not None:
        _in_session(worker, ["1"], "warm", {})
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
                if worker is not None:
                    status = _in_session(worker, f"\n{code}".split("\n#%%"), name, namespace)
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
        bound = {} if problems else bound  # new ones for the next
        problems += ["changed settings"] if _settings() != settings else []
        verdicts[name] = [status, *problems]
        matplotlib.pyplot.close("all")
    return verdicts


if __name__ == "__main__":
    from qdash_jupyter.worker.isolated import IsolatedWorker
    from qdash_jupyter.worker.limits import WorkerLimits

    inside, outside = json.load(sys.stdin)
    one = IsolatedWorker(WorkerLimits(seconds=10, cpu_seconds=10, memory_mb=1000))
    one.start()
    told = execute(inside, one)
    one.close()
    json.dump([told, execute(outside)], sys.stdout)
