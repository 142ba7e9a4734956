"""Series made for the tests of the methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

AS_OF = pd.Timestamp("2026-06-30", tz="UTC")


def noise(rng: np.random.Generator, series: int, count: int, rho: float) -> np.ndarray:
    """AR(1) of variance 1; white where rho is 0."""
    values: np.ndarray = rng.standard_normal((series, count))
    for place in range(1, count):
        values[:, place] = rho * values[:, place - 1] + np.sqrt(1 - rho**2) * values[:, place]
    return values


def table(
    values: Any,
    *,
    hours: np.ndarray | None = None,
    error: np.ndarray | float = np.nan,
    parameter: str = "t1",
    unit: str = "μs",
) -> pd.DataFrame:
    """One row of values a qubit, named by its place; the newest is measured an hour before `AS_OF`, one a day unless
    `hours` before it are given.
    """
    values = np.asarray(values, dtype=float)
    series, count = values.shape
    before = np.arange(count, 0, -1) * 24.0 - 23 if hours is None else np.asarray(hours, dtype=float)
    found = pd.DataFrame(
        {
            "qid": np.repeat(np.arange(series).astype(str), count),
            "t": list(AS_OF - pd.to_timedelta(before, unit="h")) * series,
            "v": values.ravel(),
            "error": np.broadcast_to(error, values.shape).ravel(),
            "task_name": "CheckT1",
        }
    )
    found.attrs = {"units": {"v": unit, "error": unit}, "parameter": parameter, "as_of": str(AS_OF)}
    return found


def stored(series: pd.DataFrame, *, not_measured: Sequence[str] = ()) -> dict[str, Any]:
    """As `copilot.data[…]` has it."""
    newest = series.dropna(subset=["v"]).drop_duplicates("qid", keep="last")
    age = (AS_OF - newest["t"]) / pd.Timedelta(days=1)
    qubits = newest[["qid"]].assign(latest=newest["v"], age_days=age).reset_index(drop=True)
    qubits.attrs = {"units": {"latest": series.attrs["units"]["v"]}, "parameter": series.attrs["parameter"]}
    return {
        "timeseries": series,
        "qubits": qubits,
        "as_of": AS_OF,
        "not_measured": tuple(not_measured),
        "parameter_name": series.attrs["parameter"],
    }


def summary() -> dict[str, Any]:
    """The current values of four qubits; one has none, one no readout."""
    wide = pd.DataFrame(
        {
            "qid": ["0", "1", "2", "3"],
            "t1": [60.0, 15.0, 80.0, np.nan],
            "average_readout_fidelity": [0.97, 0.80, np.nan, np.nan],
        }
    )
    wide.attrs = {"units": {"t1": "μs", "average_readout_fidelity": "a.u."}}
    rows = [
        (qid, name, value, 0.01 * value, unit, 1.0 if qid != "2" else 40.0)
        for name, unit in (("t1", "μs"), ("average_readout_fidelity", "a.u."))
        for qid, value in zip(wide["qid"], wide[name], strict=True)
        if value == value  # noqa: PLR0124 - NaN is not itself
    ]
    values = pd.DataFrame(rows, columns=["qid", "parameter", "value", "error", "unit", "age_days"])
    return {"qubits": wide, "values": values}
