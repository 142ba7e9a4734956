"""Simple fits, with standard errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.methods.chances import student_quantile
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.numerics import scipy

_TRIED, _EXACT = 200, 1e-10
"""Decay times that are tried, and how exactly the best one is refined, in parts of it."""

_TOLD = (
    "Least squares, weighted with the errors where all have one; standard errors times sqrt(chi2/dof) where above 1; "
    "95 % intervals: ± t95 times these."
)


def fit_line(
    x: Series | Iterable[Any],
    y: Iterable[float] | None = None,
    error: Iterable[float] | None = None,
    *,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """A straight line through values, or through each qubit's measurements over time: `intercept + slope · x`.

    Weighted least squares. Where every value has an error these are the weights, and the standard errors follow from
    them, times sqrt(chi2/dof) where that is above 1 (the scale factor of the Particle Data Group: fits state errors
    that are smaller than the real scatter). Without errors the scatter gives them. Values are taken as independent, and
    a wild one counts: `trends` has the slope that it does not change.

    `x` are numbers or times with values `y` and one standard `error` each; or a stored series or its table, of which
    each qubit is fitted: then x are days since its first measurement, y and error its own.

    Returns:
        One row a fit (with `qid` of a series): `n`, `intercept`, `intercept ±`, `slope`, `slope ±` (of a series with
        units, `[μs]` and `[μs/day]`), `t95` (Student's t: `± t95` standard errors hold the true value in 95 %; of few
        points that is much more than 2), `chi2/dof` (NaN without errors), `verdict`: `fitted`, or `too few` below 3.
    """
    names = (("intercept", "{unit}"), ("slope", "{unit}/{x}"))
    pieces, about = _pieces(x, y, error, qids=qids, since=since, until=until, parameter=parameter, unit=unit)
    return _table(pieces, about, names, _line)


def fit_exponential(
    x: Series | Iterable[Any],
    y: Iterable[float] | None = None,
    error: Iterable[float] | None = None,
    *,
    offset: bool = True,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """An exponential through values, or through each qubit's measurements over time:
    `offset + amplitude · exp(-x / decay)`.

    For each decay time the other two follow from a linear fit; the best of 200 decay times between a twentieth of the
    shortest distance and twenty times the range of x is refined (variable projection: G. H. Golub and V. Pereyra, SIAM
    J. Numer. Anal. 10, 413 (1973)). Errors and arguments as in `fit_line`; without `offset` it decays to 0.

    Returns:
        One row a fit (with `qid` of a series): `n`, `amplitude`, `decay`, `offset`, each with its `±`, `t95`,
        `chi2/dof` (NaN without errors), `verdict`: `fitted`, `not determined` (the best decay time is at an end of what
        was tried, or its error is larger than itself), or `too few`.
    """
    names = (("amplitude", "{unit}"), ("decay", "{x}"), ("offset", "{unit}"))[: 3 if offset else 2]
    pieces, about = _pieces(x, y, error, qids=qids, since=since, until=until, parameter=parameter, unit=unit)
    return _table(pieces, about, names, partial(_exponential, offset=offset))


Fit = Callable[[Array, Array, Array], tuple[Array, Array, float, str]]
"""Of places, values and errors (NaN: unknown): the parameters, their standard errors, chi2/dof, and the verdict."""


Piece = tuple[str, Array, Array, Array]
"""Whose, places, values, errors."""


def _pieces(
    x: Any,
    y: Iterable[float] | None,
    error: Iterable[float] | None,
    *,
    qids: Iterable[object] | None,
    since: Moment | None,
    until: Moment | None,
    parameter: str | None,
    unit: str | None,
) -> tuple[list[Piece], dict[str, str]]:
    """What is fitted, and what is known of it: of a series the unit and the window."""
    if y is not None:
        values = np.asarray(list(y), dtype=float)
        errors = np.full(len(values), math.nan) if error is None else np.asarray(list(error), dtype=float)
        return [("", _numbers(x), values, errors)], {}
    given = measurements(x, qids=qids, parameter=parameter, unit=unit).between(since, until)
    about = {"parameter": given.metric.key, "unit": given.unit, "window": given.window(since, until)}
    return [
        (qid, _numbers(one["t"]), *(one[name].to_numpy() for name in ("value", "error"))) for qid, one in given.each()
    ], about


def _table(pieces: list[Piece], about: dict[str, str], names: tuple[tuple[str, str], ...], fitted: Fit) -> pd.DataFrame:
    rows = []
    for qid, *numbers in pieces:
        counts = np.isfinite(numbers[0]) & np.isfinite(numbers[1])
        at, values, errors = (one[counts] for one in numbers)
        enough = len(at) > len(names) and len(np.unique(at)) >= len(names)
        nothing = np.full(len(names), math.nan)
        found, deviations, reduced, verdict = (
            fitted(at, values, errors) if enough else (nothing, nothing, math.nan, "too few")
        )
        t95 = student_quantile(len(at) - len(names)) if enough else math.nan
        rows.append((qid, len(at), *np.column_stack([found, deviations]).ravel(), t95, reduced, verdict))
    columns = [
        f"{name}{sign}" + (f" [{of.format(unit=about['unit'], x='day')}]" if about else "")
        for name, of in names
        for sign in ("", " ±")
    ]
    table = pd.DataFrame(rows, columns=["qid", "n", *columns, "t95", "chi2/dof", "verdict"])
    table = table if about else table.drop(columns="qid")
    table.attrs = {"method": _TOLD, **about}
    return table


def _numbers(x: Any) -> Array:
    """Numbers as they are; times as days since the first."""
    values = pd.Series(x if isinstance(x, pd.Series) else list(x)).reset_index(drop=True)
    if values.dtype.kind == "M" or isinstance(values.dtype, pd.DatetimeTZDtype):
        values = (values - values.min()) / pd.Timedelta(days=1)
    found: Array = values.to_numpy(dtype=float)
    return found


def _weights(errors: Array) -> tuple[Array, bool]:
    known = bool(len(errors)) and bool(np.all(np.isfinite(errors) & (errors > 0)))
    return (1 / errors if known else np.ones(len(errors))), known


def _line(at: Array, values: Array, errors: Array) -> tuple[Array, Array, float, str]:
    weights, known = _weights(errors)
    scaled = np.column_stack([np.ones(len(at)), at]) * weights[:, None]
    found = np.linalg.lstsq(scaled, values * weights, rcond=None)[0]
    rest = values * weights - scaled @ found
    deviations, reduced = _deviations(scaled, rest, known=known)
    return found, deviations, reduced, "fitted"


def _deviations(scaled: Array, rest: Array, *, known: bool) -> tuple[Array, float]:
    """Standard errors of the parameters, and chi2/dof; `scaled` are the weighted derivatives, `rest` what is left."""
    dof = len(rest) - scaled.shape[1]
    reduced = float(rest @ rest) / dof
    covariance = np.linalg.pinv(scaled.T @ scaled) * (max(reduced, 1.0) if known else reduced)
    return np.sqrt(np.diag(covariance)), reduced if known else math.nan


def _exponential(at: Array, values: Array, errors: Array, *, offset: bool) -> tuple[Array, Array, float, str]:
    weights, known = _weights(errors)
    start, constant = float(at.min()), [np.ones(len(at))] if offset else []
    places = at - start  # so that the exponential cannot overflow

    def linear(decay: float) -> tuple[float, Array, Array]:
        scaled = np.column_stack([np.exp(-places / decay), *constant]) * weights[:, None]
        found = np.linalg.lstsq(scaled, values * weights, rcond=None)[0]
        rest = values * weights - scaled @ found
        return float(rest @ rest), found, rest

    tried = np.geomspace(float(np.diff(np.unique(places)).min()) / 20, 20 * float(np.ptp(places)), _TRIED)
    best = int(np.argmin([linear(decay)[0] for decay in tried]))
    inside, ends = 0 < best < _TRIED - 1, (tried[max(best - 1, 0)], tried[min(best + 1, _TRIED - 1)])
    options = {"xatol": _EXACT * tried[best]}
    decay = float(scipy().optimize.minimize_scalar(lambda one: linear(one)[0], bounds=ends, options=options).x)
    _, found, rest = linear(decay)
    # In the caller's x: the amplitude at x = 0.
    amplitude = float(found[0]) * math.exp(min(start / decay, 700))
    curve = np.exp(-at / decay) if start / decay < 700 else np.zeros(len(at))  # noqa: PLR2004
    derivatives = np.column_stack([curve, amplitude * curve * at / decay**2, *constant])
    deviations, reduced = _deviations(derivatives * weights[:, None], rest, known=known)
    parameters = np.array([amplitude, decay, *found[1:]])
    return parameters, deviations, reduced, "fitted" if inside and deviations[1] < decay else "not determined"
