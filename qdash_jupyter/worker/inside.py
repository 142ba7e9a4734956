"""What happens inside: a session takes code, runs it on the names that it has, and says what came of it."""

from __future__ import annotations

import ast
import asyncio
import inspect
import io
import linecache
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from types import CodeType, FrameType, ModuleType, SimpleNamespace
from typing import Any, TypeAlias

from qdash_jupyter.cells.outcome import cell_lines
from qdash_jupyter.cells.quiet import quiet_libraries
from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.cells.told_names import in_words, loop_variables
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.figure_table import decoded
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.store.compact import plain, to_json
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import no_such_data
from qdash_jupyter.worker.channel import Channel
from qdash_jupyter.worker.limits import CHART_BYTES, MOST_CHARTS, MOST_NAMES, OUTPUT_BYTES

MEMORY = "memory"
"""Told in place of an error, where memory was not enough."""
BEGUN = b'{"begun":true}'
"""Told before the code runs."""

Ask: TypeAlias = Callable[[str], bytes | bytearray]
"""Gives a stored result, pickled, by its key."""

_CUT = "\n… cut at 100 KiB"
_LONGEST_ERROR, _LONGEST_TRACEBACK = 2000, 8000


def serve(descriptor: int, shape: str) -> None:
    """Run one piece of code after the other, as they come on the channel, and end the process when its host is gone."""
    channel = Channel(descriptor)
    interrupts = _Interrupts()

    asks = Lock()

    def ask(key: str) -> bytes | bytearray:
        with asks, interrupts.later():
            channel.send(to_json({"get": key}).encode())
            return channel.receive()

    session = Session(ask, shape)
    while message := channel.receive():
        code, versions = pickle.loads(message)  # noqa: S301 - written by the process that has started us
        channel.send(BEGUN)
        try:
            with interrupts.now():
                text = session.outcome(code, versions)
        except MemoryError:
            text = to_json({"error": MEMORY})
        except BaseException as problem:  # noqa: BLE001 - stopped while it was told, or a result that is no JSON
            text = to_json({"error": _short(problem)})
        channel.send(text.encode())
    os._exit(0)  # whatever threads still run


class _Interrupts:
    """SIGINT stops the code that runs, once however often it comes, and nothing else: not between two pieces, nor in
    the middle of a message.
    """

    def __init__(self) -> None:
        self._runs, self._waits, self._came = False, False, False
        signal.signal(signal.SIGINT, self._signal)

    def _signal(self, _: int, __: FrameType | None) -> None:
        if self._waits:
            self._came = True
        else:
            self._stop()

    def _stop(self) -> None:
        if self._runs:
            self._runs = False  # what cleans up behind it, ours too, is let be
            raise KeyboardInterrupt

    @contextmanager
    def now(self) -> Iterator[None]:
        """One that comes within is an exception."""
        self._runs = True
        try:
            yield
        finally:
            self._runs = False

    @contextmanager
    def later(self) -> Iterator[None]:
        """One that comes within is an exception behind it."""
        self._waits, self._came = True, False
        try:
            yield
        finally:
            self._waits = False
        if self._came:
            self._stop()


class Session:
    """The names of one conversation's code, and its stored results."""

    def __init__(self, ask: Ask, shape: str) -> None:
        import numpy as np

        np.random.seed()  # noqa: NPY002 - or all sessions would draw the same numbers
        self._records = shape == "records"
        self._data = StoredData(ask)
        module = ModuleType("__main__")
        sys.modules["__main__"] = module
        self._names = module.__dict__
        self._handle = SimpleNamespace(data=self._data)
        self._names.update(data=self._data, copilot=self._handle)
        self._no_names = {*self._names}
        self._shown = _shown_figures()
        self._pieces = 0

    def outcome(self, code: str, versions: Mapping[str, int]) -> str:
        """What the code gives, as JSON: `output`, `charts`, `value`, `error` with its `traceback` where it failed,
        `created` names with type and shape, and all `names` that the session has now.

        Args:
            code: what to run.
            versions: the keys of the stored results, each with the number of what it holds now.
        """
        self._pieces += 1
        file = f"<code {self._pieces}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        before = dict(self._names)
        self._shown.clear()
        printed, error, charts = _Printed(), None, list[str]()
        sys.stdout = sys.stderr = printed
        try:
            with quiet_libraries():
                self._take(versions)
                last = _executed(code, file, self._names)
                result = self._names.get("result")
                result = None if result is before.get("result") else result
                told, charts = _told(last, result, self._shown, printed)
        except MemoryError:
            raise
        except BaseException as problem:  # noqa: BLE001 - told to whoever has asked
            trace = problem.__traceback__
            while trace is not None and trace.tb_frame.f_code.co_filename != file:
                trace = trace.tb_next
            error = problem.with_traceback(trace)
            told = {"output": _cut(printed.text)}
        told |= {
            "error": _short(error),
            "traceback": cell_lines(error)[-_LONGEST_TRACEBACK:],
            **self._bound(code, before),
        }
        return f'{{"charts":[{",".join(charts)}],{to_json(told)[1:]}'

    def _take(self, versions: Mapping[str, int]) -> None:
        """Have the stored results as they are now."""
        self._data.take(versions)
        if self._records:
            data = _shaped(self._data)
            if self._names.get("data") is self._handle.data:
                self._names["data"] = data
            self._handle.data = data

    def _bound(self, code: str, before: Mapping[str, object]) -> JsonObject:
        names = [name for name in self._names if not (name.startswith("_") or name in self._no_names)]
        loops = loop_variables(code)
        created = [name for name in names if name not in loops and self._names[name] is not before.get(name, before)]
        words = in_words(self._names, created[:MOST_NAMES])
        return {"created": [*zip(created, words, strict=False)], "names": names[:MOST_NAMES]}


class StoredData(Mapping[str, StoredResult]):
    """The conversation's results, each fetched when it is first used. Whatever a piece of code does to them, the next
    one finds them as they were stored.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._versions: Mapping[str, int] = {}
        self._fetched: dict[str, tuple[int, bytes | bytearray]] = {}
        self._open: dict[str, StoredResult] = {}

    def take(self, versions: Mapping[str, int]) -> None:
        """These are the results from now on, each by its key with the number of what it holds."""
        self._versions, self._open = versions, {}
        self._fetched = {key: held for key, held in self._fetched.items() if versions.get(key) == held[0]}

    def __getitem__(self, key: str) -> StoredResult:
        if key not in self._versions:
            raise no_such_data(key, self._versions)
        if key not in self._open:
            if key not in self._fetched:
                self._fetched[key] = (self._versions[key], self._ask(key))
            self._open[key] = pickle.loads(self._fetched[key][1])  # noqa: S301 - by our host
        return self._open[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._versions)

    def __len__(self) -> int:
        return len(self._versions)

    def __repr__(self) -> str:
        return f"<copilot.data: {', '.join(self) or 'empty'}>"


def warm_up() -> None:
    """Do once what is slow at the first time."""
    import pandas as pd
    import plotly.express as px
    import plotly.graph_objects as go

    frame = pd.DataFrame({"qid": ["0", "1"], "t": pd.date_range("2026-01-01", periods=2, tz="UTC"), "v": [1.0, 2.0]})
    frame.groupby("qid")["v"].median()
    drawn = [px.line(frame, x="t", y="v", color="qid"), go.Figure(go.Scatter(x=frame["t"], y=frame["v"]))]
    _charts(drawn)
    to_json(value_of(frame))


def _told(last: Any, result: Any, shown: list[Any], printed: _Printed) -> tuple[JsonObject, list[str]]:
    """What is told of code that went well, and its charts: its last expression, and what it left as `result`, showed
    and printed.
    """
    given = result if type(result) is dict and ("output" in result or "chart" in result) else {}
    last = result if last is None and not given else last
    charts, left_out = _charts([*shown, *_listed(given.get("chart")), *([last] if _is_figure(last) else [])])
    output = str(given["output"]) if "output" in given else printed.text
    output = "\n".join([*filter(None, [_cut(output)]), *left_out])
    return {"output": output, "value": None if _is_figure(last) or last is given else value_of(last)}, charts


def _executed(code: str, file: str, names: dict[str, Any]) -> Any:
    """The value of the last expression."""
    tree = ast.parse(code, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    _awaited(compile(tree, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if not isinstance(last, ast.Expr):
        return None
    return _awaited(compile(ast.Expression(last.value), file, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)


def _awaited(code: CodeType, names: dict[str, Any]) -> Any:
    """What the code gives; `await` works at its top, as in a notebook."""
    given = eval(code, names)  # noqa: S307 - that is what the confined process is for
    return asyncio.run(given) if code.co_flags & inspect.CO_COROUTINE else given


def _shaped(stored: Mapping[str, StoredResult]) -> dict[str, dict[str, Any]]:
    return {
        key: {**plain(result.scalars), **{name: _records(table) for name, table in result.tables.items()}}
        for key, result in stored.items()
    }


def _records(table: Any) -> list[JsonObject]:
    """The rows, as QDash's store holds them: times are ISO text, and what was not measured is None."""
    import pandas as pd

    whole = table if isinstance(table.index, pd.RangeIndex) else table.reset_index()
    names = [str(name) for name in whole.columns]
    columns = [plain(whole.iloc[:, place].tolist()) for place in range(len(names))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


class _Printed(io.TextIOBase):
    """What the code prints, up to the limit: all of it may be endless."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = OUTPUT_BYTES + 1

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def write(self, text: str, /) -> int:
        if self._left > 0:
            self._parts.append(text[: self._left])
            self._left -= len(text)
        return len(text)


def _cut(text: str) -> str:
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= OUTPUT_BYTES else data[:OUTPUT_BYTES].decode("utf-8", "ignore") + _CUT


def _short(error: BaseException | None) -> str:
    if error is None:
        return ""
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - a class of the code's may raise anything
        words = ""
    return f"{type(error).__name__}: {words}".removesuffix(": ")[:_LONGEST_ERROR]


def _shown_figures() -> list[Any]:
    """Those of `fig.show()`, from now on: Plotly's own renderers want a browser or a notebook."""
    import plotly.io as pio

    shown: list[Any] = []
    pio.show = lambda figure, *_, **__: shown.append(figure)
    return shown


def _is_figure(value: object) -> bool:
    from plotly.basedatatypes import BaseFigure

    return isinstance(value, BaseFigure)


def _listed(chart: Any) -> Sequence[Any]:
    return chart if isinstance(chart, (list, tuple)) else [chart]


def _charts(figures: Sequence[Any]) -> tuple[list[str], list[str]]:
    """The figures as JSON, each once, without those that show no data; and what is said of those that are too much."""
    charts, left_out, left = list[str](), list[str](), CHART_BYTES
    once = {id(figure): figure for figure in figures if _is_figure(figure) or type(figure) is dict}
    for figure in once.values():
        chart = _plain_figure(figure)
        if not chart.get("data"):
            continue
        text = to_json({"data": chart["data"], "layout": chart.get("layout") or {}})
        if len(charts) == MOST_CHARTS:
            left_out.append(f"Beyond {MOST_CHARTS} charts, the others are left out.")
            break
        if len(text) <= left:
            charts.append(text)
            left -= len(text)
        else:
            size, most = size_words(len(text)), size_words(CHART_BYTES)
            left_out.append(f"A chart of {size} is left out: all together may have {most}.")
    return charts, left_out


def _plain_figure(value: Any) -> Any:
    """JSON values of what Plotly holds. Its binary arrays become lists."""
    if hasattr(value, "to_plotly_json"):
        return _plain_figure(value.to_plotly_json())
    if isinstance(value, dict):
        if "bdata" in value:
            return plain(decoded(value))
        return {str(name): _plain_figure(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_figure(entry) for entry in value]
    return plain(value)
