"""The curves of results as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from qdash_jupyter.data.calib_data import CalibData, LeftOut, stored_path
from qdash_jupyter.data.curves.figure import FigureRead, Map, Numbers, Trace, figure_of
from qdash_jupyter.data.curves.raw import complex_of, rows_of, table_of
from qdash_jupyter.data.records import TaskResult
from qdash_jupyter.data.tables import COUNT, NUMBER, TEXT
from qdash_jupyter.domain.sizes import MEGABYTE
from qdash_jupyter.messages.message import Text
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.tables import Drawn, Measured, curve_from, stored_of

Content = TypeVar("Content")

MOST_BYTES = {"json_figure_path": 20 * MEGABYTE, "raw_data_path": 50 * MEGABYTE}
"""The largest files that are read, by the field that names them."""

_OF_RESULT = {"task_id": TEXT, "qid": TEXT}
_OF_TRACE = {**_OF_RESULT, "figure": COUNT, "trace": TEXT}
_AXES = {"x_label": TEXT, "x_unit": TEXT, "y_label": TEXT, "y_unit": TEXT}

POINT_COLUMNS = {**_OF_TRACE, "role": TEXT, "x": NUMBER, "y": NUMBER, "error": NUMBER, **_AXES}
MAP_COLUMNS = {**_OF_TRACE, "x": NUMBER, "y": NUMBER, "z": NUMBER, **_AXES, "z_unit": TEXT}
RAW_COLUMNS = {**_OF_RESULT, "file": TEXT, "row": COUNT, "column": COUNT, "real": NUMBER, "imag": NUMBER}


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file of a result, or a trace in it, that was not read: its name on QDash's machine, and why."""

    file: str
    reason: Text


@dataclass(frozen=True, slots=True)
class CurvesRead:
    """What the files of results hold.

    `points`: a row a point of a figure; `role` is `data` or `fit`, `figure` counts those of a result from 1. `maps`: a
    row a value over two axes. `raw`: a row a number (real and imaginary part) of a CSV file.
    """

    points: pd.DataFrame
    maps: pd.DataFrame
    raw: pd.DataFrame
    missing: tuple[MissingFile, ...]


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """What the files of one result hold; `figures` and `tables` with their number and name."""

    result: TaskResult
    figures: tuple[tuple[int, FigureRead], ...]
    tables: tuple[tuple[str, Numbers], ...]
    missing: tuple[MissingFile, ...]

    @property
    def curve(self) -> Curve | Shots | None:
        """What was measured; None where nothing was drawn."""
        result = self.result
        about = Measured(result.task_name, result.qid, stored_of(result.outputs), result.task_id, result.start_at)
        drawn = [
            Drawn(number, one.role, one.x, one.y, one.error, one.x_axis.unit, one.y_axis.unit)
            for number, figure in self.figures
            for one in figure.traces
        ]
        return curve_from(
            about, drawn, [quadratures for _, table in self.tables if (quadratures := complex_of(table)) is not None]
        )


def read_files(result: TaskResult, calib_data: CalibData) -> ResultFiles:
    """Read the files of a result."""
    missing: list[MissingFile] = []

    def opened(field: str, contents: Callable[[bytes], Content]) -> Iterator[tuple[int, str, Content]]:
        for number, path in enumerate(getattr(result, field), 1):
            name = stored_path(path).name
            try:
                yield number, name, contents(calib_data.read(path, most_bytes=MOST_BYTES[field]))
            except LeftOut as reason:
                missing.append(MissingFile(name, reason.why))

    figures: list[tuple[int, FigureRead]] = []
    for number, name, figure in opened("json_figure_path", figure_of):
        missing += [MissingFile(name, reason) for reason in figure.left_out]
        figures.append((number, figure))
    tables = [(name, table) for _, name, table in opened("raw_data_path", table_of)]
    return ResultFiles(result, tuple(figures), tuple(tables), tuple(missing))


def curve_frames(files: Iterable[ResultFiles]) -> CurvesRead:
    """What the files of results hold, as tables."""
    points: list[pd.DataFrame] = []
    maps: list[pd.DataFrame] = []
    raw: list[pd.DataFrame] = []
    missing: list[MissingFile] = []
    for each in files:
        of = {"task_id": each.result.task_id, "qid": each.result.qid}
        for number, figure in each.figures:
            points += _points(figure, of | {"figure": number})
            maps += _maps(figure, of | {"figure": number})
        raw += [rows_of(table).assign(**of, file=name) for name, table in each.tables]
        missing += each.missing
    return CurvesRead(
        _joined(points, POINT_COLUMNS), _joined(maps, MAP_COLUMNS), _joined(raw, RAW_COLUMNS), tuple(missing)
    )


def _points(figure: FigureRead, of: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
    for trace in figure.traces:
        points = pd.DataFrame({"x": trace.x, "y": trace.y, "error": trace.error})
        yield points.assign(**of, trace=trace.name, role=trace.role, **_axes(trace))


def _maps(figure: FigureRead, of: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
    for one in figure.maps:
        rows, columns = one.z.shape
        values = pd.DataFrame({"x": np.tile(one.x, rows), "y": np.repeat(one.y, columns), "z": one.z.ravel()})
        yield values.assign(**of, trace=one.name, **_axes(one), z_unit=one.z_axis.unit)


def _axes(drawn: Trace | Map) -> dict[str, str]:
    x, y = drawn.x_axis, drawn.y_axis
    return {"x_label": x.label, "x_unit": x.unit, "y_label": y.label, "y_unit": y.unit}


def _joined(pieces: Sequence[pd.DataFrame], columns: dict[str, str]) -> pd.DataFrame:
    if not pieces:
        return pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in columns.items()})
    return pd.concat(pieces, ignore_index=True)[list(columns)].astype(columns)
