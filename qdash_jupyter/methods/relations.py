"""Whether two metrics go together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from qdash_jupyter.methods.chances import student_two_sided
from qdash_jupyter.methods.current import Values, values_of
from qdash_jupyter.methods.measurements import Array

FEWEST_PAIRS = 8
CLEAR, HINT = 0.01, 0.05
"""Chances of as strong a relation between unrelated metrics: below the first it is named, below the other a hint."""


class Paired(NamedTuple):
    """Two metrics of the same qubits: `qid`, `x`, `y` and their errors `x error`, `y error` (NaN: unknown)."""

    table: pd.DataFrame
    x: str
    """`T1 [μs]`."""
    y: str


def relation(
    x: Values, y: Values | None = None, *, parameters: tuple[str | None, str | None] = (None, None)
) -> pd.DataFrame:
    """Whether two metrics of the same qubits go together.

    Spearman's rank correlation, which one wild qubit does not make, with the 95 % interval of Fisher's transform
    (standard error sqrt((1 + r²/2) / (n - 3)): D. G. Bonett and T. A. Wright, Psychometrika 65, 23 (2000)) and the
    chance p of as strong a one between unrelated metrics (Student's t, n - 2). A relation is no cause: both may follow
    something else, such as a qubit's age or place.

    `x` and `y` are each a stored series (its newest values count), a table with `qid` and one column of values, or a
    Series by qid; of one summary, `relation(summary, parameters=("t1", "average_readout_fidelity"))`.

    Returns:
        One row: `x`, `y` (names with units), `n`, `spearman`, `from`, `to`, `p`, `pearson`, `slope` (least squares, y
        per x) and `slope ±`, `smallest found` (the correlation that n qubits show in four of five cases), and
        `verdict`: `rise together`, `opposite` (p < 0.01), `hint` (p < 0.05), `none seen`, or `too few` (below 8, or one
        metric is the same everywhere).
    """
    table, x_name, y_name = paired(x, y, parameters)
    one, other = table["x"].to_numpy(), table["y"].to_numpy()
    n = len(table)
    spearman = correlation(table["x"].rank().to_numpy(), table["y"].rank().to_numpy())
    low, high = spearman_interval(spearman, n)
    p = _chance(spearman, n)
    slope, slope_error = _slope(one, other)
    smallest = math.tanh(2.8016 * math.sqrt(1 / (n - 3))) if n > 3 else math.nan  # noqa: PLR2004 - 1.96 + 0.84
    found = pd.DataFrame(
        {
            "x": x_name,
            "y": y_name,
            "n": n,
            "spearman": spearman,
            "from": low,
            "to": high,
            "p": p,
            "pearson": correlation(one, other),
            "slope": slope,
            "slope ±": slope_error,
            "smallest found": smallest,
            "verdict": _verdict(spearman, p, n),
        },
        index=[0],
    )
    found.attrs["method"] = (
        f"Spearman's rank correlation of {n} qubits or couplings, 95 % interval by Fisher's transform."
    )
    return found


def paired(x: Values, y: Values | None, parameters: tuple[str | None, str | None]) -> Paired:
    """The two metrics side by side, of those that have both."""
    first, x_name = _named(x, "x", parameters[0])
    second, y_name = _named(x if y is None else y, "y", parameters[1])
    return Paired(first.merge(second, on="qid").reset_index(drop=True), x_name, y_name)


def correlation(one: Array, other: Array) -> float:
    """Pearson's; NaN where there are fewer than three, or one is the same everywhere."""
    if len(one) < 3:  # noqa: PLR2004
        return math.nan
    one, other = one - one.mean(), other - other.mean()
    size = math.sqrt(float(one @ one) * float(other @ other))
    return float(np.clip(one @ other / size, -1, 1)) if size > 0 else math.nan


def spearman_interval(r: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a rank correlation of n pairs."""
    if n < 4 or math.isnan(r):  # noqa: PLR2004 - the transform needs n - 3
        return math.nan, math.nan
    if abs(r) == 1:
        return r, r
    half = 1.959964 * math.sqrt((1 + r**2 / 2) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _chance(r: float, n: int) -> float:
    if n < 3 or math.isnan(r):  # noqa: PLR2004
        return math.nan
    return 0.0 if abs(r) == 1 else student_two_sided(r * math.sqrt((n - 2) / (1 - r**2)), n - 2)


def _slope(x: Array, y: Array) -> tuple[float, float]:
    if len(x) < 3 or np.ptp(x) == 0:  # noqa: PLR2004
        return math.nan, math.nan
    off = x - x.mean()
    slope = float(off @ y / (off @ off))
    rest = y - y.mean() - slope * off
    return slope, math.sqrt(float(rest @ rest) / (len(x) - 2) / float(off @ off))


def _verdict(r: float, p: float, n: int) -> str:
    if n < FEWEST_PAIRS or math.isnan(r):
        return "too few"
    if p >= HINT:
        return "none seen"
    return "hint" if p >= CLEAR else "rise together" if r > 0 else "opposite"


def _named(values: Values, name: str, parameter: str | None) -> tuple[pd.DataFrame, str]:
    """`qid`, the values, their errors; and what they are called."""
    table, metric = values_of(values, parameter)
    errors = table.get("error", pd.Series(math.nan, table.index))
    title = f"{metric.title} [{metric.unit}]"
    return pd.DataFrame({"qid": table["qid"], name: table["value"], f"{name} error": errors}), title
