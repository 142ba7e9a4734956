"""Curves out of tables: what `get_result_curves` stored becomes what `judge` takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from qdash_jupyter.methods.curves.curve import Array, Curve, Shots, StoredParameter
from qdash_jupyter.methods.curves.families import family_of

Stored: TypeAlias = "Mapping[str, Any]"
"""A stored result of `get_result_curves`: the tables `points`, `results`, `outputs`, and `raw` where there are such."""

READOUT = "ReadoutClassification"


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
    of_points = dict(iter(points.groupby("task_id", sort=False)))
    of_outputs = dict(iter(outputs.groupby("task_id", sort=False)))
    raw = stored.get("raw") if hasattr(stored, "get") else None
    of_raw = {} if raw is None or not len(raw) else dict(iter(raw.groupby("task_id", sort=False)))
    found = []
    for one in results.itertuples():
        if one.task_id in of_points and (wanted is None or one.qid in wanted):
            values = of_outputs.get(one.task_id)
            curve = _curve(one, of_points[one.task_id], {} if values is None else _stored(values), of_raw)
            if curve is not None:
                found.append(curve)
    return found


def _stored(outputs: pd.DataFrame) -> dict[str, StoredParameter]:
    return {
        row.parameter: StoredParameter(row.value, row.error, row.unit)
        for row in outputs.itertuples()
        if math.isfinite(row.value)
    }


def _curve(
    result: Any, points: pd.DataFrame, stored: Mapping[str, StoredParameter], of_raw: Mapping[str, pd.DataFrame]
) -> Curve | Shots | None:
    about = {"stored": stored, "task_id": result.task_id, "time": _moment(result.start_at)}
    data = points[points["role"] == "data"]
    if result.task_name == READOUT:
        clouds = [rows["x"].to_numpy() for _, rows in data.groupby(["figure", "trace"], sort=False)]
        return Shots(result.qid, *clouds[:2], task=result.task_name, **about) if len(clouds) > 1 else None
    for (figure, _), rows in data.groupby(["figure", "trace"], sort=False):
        y = rows["y"].to_numpy()
        if not np.isfinite(y).any():
            continue
        family = family_of(result.task_name)
        if family is not None and family.complex:
            y = _quadratures(of_raw.get(result.task_id), len(y), y)
        error = rows["error"].to_numpy()
        line = points[(points["role"] == "fit") & (points["figure"] == figure)]
        return Curve(
            result.task_name,
            result.qid,
            rows["x"].to_numpy(),
            y,
            x_unit=_computed(rows["x_unit"].iloc[0]),
            y_unit=rows["y_unit"].iloc[0],
            error=error if np.isfinite(error).all() and (error > 0).all() else None,
            fit_x=line["x"].to_numpy() if len(line) else None,
            fit_y=line["y"].to_numpy() if len(line) else None,
            **about,
        )
    return None


def _computed(unit: str) -> str:
    """The unit of an axis as units are computed with; an arbitrary one is none."""
    return "" if unit == "a.u." else unit


def _quadratures(raw: pd.DataFrame | None, count: int, y: Array) -> Array:
    """I + iQ of a file that has as many as points; else what was drawn."""
    for rows in _files(raw):
        if len(rows) == count and rows["imag"].notna().all():
            quadratures: Array = rows["real"].to_numpy() + 1j * rows["imag"].to_numpy()
            return quadratures
    return y


def _files(raw: pd.DataFrame | None) -> Iterator[pd.DataFrame]:
    if raw is not None:
        yield from (rows for _, rows in raw.groupby("file", sort=False))


def _moment(start: Any) -> datetime | None:
    return None if pd.isna(start) else pd.Timestamp(start).to_pydatetime()
