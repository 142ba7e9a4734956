"""What a job does once it is confined: it takes the stored results, runs the code, and says what came of it."""

from __future__ import annotations

import ast
import io
import linecache
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from qdash_jupyter.cells.outcome import cell_lines
from qdash_jupyter.cells.quiet import quiet_libraries
from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.figure_table import decoded
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.store.compact import plain, to_json
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.limits import CHART_BYTES, MOST_CHARTS, OUTPUT_BYTES

FILE = "<code>"
"""What a traceback calls the code."""

MEMORY = "memory"
"""Told in place of an error, where memory was not enough."""

_CUT = "\n… cut at 100 KiB"
_LONGEST_ERROR, _LONGEST_TRACEBACK = 2000, 8000


def run(job: int, result: int, shape: str) -> None:
    """Run the job that is read from one descriptor, write its result to the other, and end the process."""
    try:
        with open(job, "rb") as file:
            code, stored = pickle.load(file)  # noqa: S301 - written by the process that has started us
        text = outcome(code, _shaped(stored) if shape == "records" else stored)
    except MemoryError:
        text = to_json({"error": MEMORY})
    except Exception as problem:  # noqa: BLE001 - data that cannot be read here, or a result that is no JSON
        text = to_json({"error": _short(problem)})
    with open(result, "wb") as file:
        file.write(text.encode())
    os._exit(0)  # whatever threads still run


def outcome(code: str, data: Mapping[str, Any]) -> str:
    """What the code gives, as JSON: `output`, `charts`, `value`, and `error` with its `traceback` where it failed."""
    import numpy as np

    np.random.seed()  # noqa: NPY002 - or every job would draw the same numbers from the state that it was forked with
    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    module = ModuleType("__main__")
    module.__dict__.update(data=data, copilot=SimpleNamespace(data=data))
    sys.modules["__main__"] = module
    printed, shown, error, charts = _Printed(), _shown_figures(), None, list[str]()
    sys.stdout = sys.stderr = printed
    try:
        with quiet_libraries():
            last = _executed(code, module.__dict__)
            told, charts = _told(last, module.__dict__.get("result"), shown, printed)
    except MemoryError:
        raise
    except BaseException as problem:  # noqa: BLE001 - told to whoever has asked
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
            trace = trace.tb_next
        error = problem.with_traceback(trace)
        told = {"output": _cut(printed.text)}
    told |= {"error": _short(error), "traceback": cell_lines(error)[-_LONGEST_TRACEBACK:]}
    return f'{{"charts":[{",".join(charts)}],{to_json(told)[1:]}'


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


def _executed(code: str, names: dict[str, Any]) -> Any:
    """The value of the last expression."""
    tree = ast.parse(code, FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, FILE, "exec"), names)  # noqa: S102 - that is what the confined process is for
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), FILE, "eval"), names)  # noqa: S307


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
