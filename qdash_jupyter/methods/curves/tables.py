"""Curves out of tables: what `get_result_curves` stored becomes what `judge` takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from qdash_jupyter.methods.curves.curve import Array, Curve, Shots, StoredParameter
from qdash_jupyter.methods.curves.families import READOUT, family_of

Stored: TypeAlias = "Mapping[str, Any]"
"""A stored result of `get_result_curves`: the tables `points`, `results`, `outputs`, and `raw` where there are such."""


def curves_of(stored: Stored, *, qids: Iterable[str] | None = None) -> list[Curve | Shots]:
    """The curve of each result, in the order of the results; a result without points gives none.

    Of several figures and traces the first data count, with the line of a fit on the same figure. The shots of a
    readout are the samples of its two histograms; I and Q of a resonator come from its raw data, of which there are as
    many as points.

    Args:
        stored: `copilot.data["result_curves"]`.
        qids: These alone, in QDash's form.

    Raises:
        TypeError: It is no such result.
    """
    try:
        points, results, outputs = stored["points"], stored["results"], stored["outputs"]
    except (KeyError, TypeError):
        msg = "Curves are made of a result of get_result_curves: copilot.data['result_curves']."
        raise TypeError(msg) from None
    wanted = None if qids is None else set(qids)
    of_points, of_outputs, of_raw = map(_by_result, (points, outputs, stored.get("raw")))
    found = []
    for one in results.itertuples():
        if one.task_id in of_points and (wanted is None or one.qid in wanted):
            kept = stored_of(of_outputs.get(one.task_id, outputs.iloc[:0]).itertuples())
            about = Measured(one.task_name, one.qid, kept, one.task_id, _moment(one.start_at))
            files = list(_files(of_raw[one.task_id])) if one.task_id in of_raw else []
            curve = curve_from(about, list(_drawn(of_points[one.task_id])), files)
            if curve is not None:
                found.append(curve)
    return found


def _by_result(table: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    return {} if table is None or table.empty else dict(iter(table.groupby("task_id", sort=False)))


@dataclass(frozen=True, slots=True)
class Measured:
    """What a curve is of: the task and its element, what it stored, its id and its start."""

    task: str
    qid: str
    stored: Mapping[str, StoredParameter]
    task_id: str
    time: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A trace of a result's figure: `role` is `data` or `fit`; `error` is NaN where none is drawn."""

    figure: int
    role: str
    x: Array
    y: Array
    error: Array
    x_unit: str
    y_unit: str


def curve_from(about: Measured, drawn: Sequence[Drawn], files: Sequence[Array]) -> Curve | Shots | None:
    """What was measured, of the traces of its figures and, for I and Q, the complex values of its files."""
    data = [trace for trace in drawn if trace.role == "data"]
    if about.task == READOUT:
        if len(data) < 2:  # noqa: PLR2004 - one of each state
            return None
        zero, one = (trace.x for trace in data[:2])
        return Shots(about.qid, zero, one, task=about.task, stored=about.stored, task_id=about.task_id, time=about.time)
    for trace in data:
        if not np.isfinite(trace.y).any():
            continue
        family = family_of(about.task)
        of_files = (file for file in files if family is not None and family.complex and len(file) == len(trace.y))
        line = next((each for each in drawn if each.role == "fit" and each.figure == trace.figure), None)
        return Curve(
            about.task,
            about.qid,
            trace.x,
            next(of_files, trace.y),
            x_unit=_computed(trace.x_unit),
            y_unit=trace.y_unit,
            error=trace.error if np.isfinite(trace.error).all() and (trace.error > 0).all() else None,
            stored=about.stored,
            fit_x=None if line is None else line.x,
            fit_y=None if line is None else line.y,
            task_id=about.task_id,
            time=about.time,
        )
    return None


def stored_of(outputs: Iterable[Any]) -> dict[str, StoredParameter]:
    """What a result stored, of records or rows with `parameter`, `value`, `error` and `unit`."""
    known = (row for row in outputs if math.isfinite(row.value))
    return {row.parameter: StoredParameter(row.value, row.error, row.unit) for row in known}


def _drawn(points: pd.DataFrame) -> Iterator[Drawn]:
    for (figure, _, role), rows in points.groupby(["figure", "trace", "role"], sort=False):
        x, y, error = (rows[name].to_numpy() for name in ("x", "y", "error"))
        yield Drawn(figure, role, x, y, error, rows["x_unit"].iloc[0], rows["y_unit"].iloc[0])


def _files(raw: pd.DataFrame) -> Iterator[Array]:
    """The complex values of each file that holds such."""
    for _, rows in raw.groupby("file", sort=False):
        if rows["imag"].notna().all():
            yield rows["real"].to_numpy() + 1j * rows["imag"].to_numpy()


def _computed(unit: str) -> str:
    """The unit of an axis as units are computed with; an arbitrary one is none."""
    return "" if unit == "a.u." else unit


def _moment(start: Any) -> datetime | None:
    return None if pd.isna(start) else pd.Timestamp(start).to_pydatetime()
