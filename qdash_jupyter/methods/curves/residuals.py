"""What residuals say: wild points, structure, and how large the scatter is."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from qdash_jupyter.methods.curves.curve import Array


def autocorrelation(residuals: Array, removed: int = 0, negligible: float = 0.0) -> float:
    """What neighbours share of weighted residuals in the order of x, in standard deviations of what noise has, 1/√n.

    A fit, of `removed` parameters, makes neighbours unlike each other by about these over n; that is corrected. What
    they share counts beside the `negligible` sum of squares.
    """
    count, total = len(residuals), float(residuals @ residuals)
    if count < 4 or total <= 0:  # noqa: PLR2004
        return 0.0
    shared = float(residuals[1:] @ residuals[:-1]) / (total + negligible) + removed / count
    return shared * math.sqrt(count)


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
