"""What residuals say: wild points, structure, and how large the scatter is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from qdash_jupyter.methods.curves.curve import Array


@dataclass(frozen=True, slots=True)
class ResidualTests:
    """Whether residuals in the order of x look like noise.

    Attributes:
        durbin_watson: About 2 for independent ones, towards 0 where neighbours are alike (J. Durbin and G. S. Watson,
            Biometrika 37, 409 (1950)).
        autocorrelation: Of neighbours, in standard deviations of what noise has, 1/√n.
        runs: Runs of one sign, in standard deviations from the number that noise has; negative where they are fewer
            (A. Wald and J. Wolfowitz, Ann. Math. Statist. 11, 147 (1940)).
    """

    durbin_watson: float
    autocorrelation: float
    runs: float


def residual_tests(residuals: Array, removed: int, negligible: float = 0.0) -> ResidualTests:
    """The tests of weighted residuals in the order of x; `removed` is the number of fitted parameters.

    A fit makes neighbours unlike each other by about its parameters over n; the autocorrelation is corrected for that.
    What neighbours share counts beside the `negligible` sum of squares.
    """
    count = len(residuals)
    total = float(residuals @ residuals)
    if count < 4 or total <= 0:  # noqa: PLR2004
        return ResidualTests(math.nan, 0.0, 0.0)
    watson = float(np.sum(np.diff(residuals) ** 2)) / total
    correlation = float(residuals[1:] @ residuals[:-1]) / (total + negligible) + removed / count
    positive = residuals > 0
    above, below = int(positive.sum()), int((~positive).sum())
    runs = 1 + int(np.sum(positive[1:] != positive[:-1]))
    expected = 1 + 2 * above * below / count
    variance = 2 * above * below * (2 * above * below - count) / (count**2 * (count - 1))
    sigmas = (runs - expected) / math.sqrt(variance) if variance > 0 else 0.0
    return ResidualTests(watson, correlation * math.sqrt(count), sigmas)


def scatter_of(residuals: Array) -> float:
    """The standard deviation of the bulk: 1.4826 times the median of the absolute values."""
    return 1.4826 * float(np.median(np.abs(residuals)))


def wild(residuals: Array, limit: float, most: float, least: float = 1e-12) -> Array:
    """Which points lie far off by themselves: at most two neighbours on one side, at most the part `most` of all.

    Three or more in a row are no accident of single points, but a shape that the fit does not have. `least` is what
    rounding makes of the scatter.
    """
    scatter = max(scatter_of(residuals), least)
    off = np.abs(residuals) > limit * scatter
    if not off.any() or off.mean() > most:
        return np.zeros(len(residuals), dtype=bool)
    side = np.where(off, np.sign(residuals), 0.0)
    ends = np.flatnonzero(np.diff(np.concatenate([[0.0], side, [0.0]])))
    kept = off.copy()
    for first, last in pairwise(ends):
        if last - first > 2:  # noqa: PLR2004
            kept[first:last] = False
    return kept
