"""Probabilities without scipy: of the normal and Student's distributions, and of rank sums."""

from __future__ import annotations

import math

import numpy as np

from qdash_jupyter.methods.measurements import Array

EXACT_RANK_SUMS = 400
"""Up to this product of the two numbers of values, and without ties, the chance of a rank sum is counted out."""


def normal_two_sided(z: float) -> float:
    """The chance of a normal deviate at least that far from 0."""
    return math.erfc(abs(z) / math.sqrt(2)) if not math.isnan(z) else math.nan


def student_two_sided(t: float, dof: int) -> float:
    """The chance of a t at least that far from 0, for whole degrees of freedom (the finite sums of Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4); right to some 1e-15.
    """
    if dof < 1 or math.isnan(t):
        return math.nan
    if math.isinf(t):
        return 0.0
    angle = math.atan(abs(t) / math.sqrt(dof))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = dof % 2
    steps = np.arange(1, (dof - 1) // 2) if odd else np.arange(1, dof // 2)
    factors = (2 * steps / (2 * steps + 1) if odd else (2 * steps - 1) / (2 * steps)) * cosine**2
    inside = sine * float(1 + np.cumprod(factors).sum())
    if odd:
        inside = 2 / math.pi * (angle + (cosine * inside if dof > 1 else 0.0))
    return max(0.0, 1 - inside)


def ranks(values: Array) -> Array:
    """Ranks from 1, of equal values their mean."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    found: Array = (last - (counts - 1) / 2)[place]
    return found


def rank_sum(first: Array, second: Array) -> tuple[float, float]:
    """Mann and Whitney's U of the first values, and its two-sided chance: counted out where that is possible, else
    normal with the correction for ties and for continuity (H. B. Mann and D. R. Whitney, Ann. Math. Stat. 18, 50
    (1947)).
    """
    n, m = len(first), len(second)
    both = np.concatenate([first, second])
    u = float(ranks(both)[:n].sum()) - n * (n + 1) / 2
    ties = np.unique(both, return_counts=True)[1]
    larger = max(u, n * m - u)
    if ties.max() == 1 and n * m <= EXACT_RANK_SUMS:
        counts = _rank_sums(n, m)
        return u, min(1.0, 2 * float(counts[int(larger) :].sum() / counts.sum()))
    total = n + m
    variance = n * m / 12 * (total + 1 - float((ties**3 - ties).sum()) / (total * (total - 1)))
    z = (larger - n * m / 2 - 0.5) / math.sqrt(variance) if variance > 0 else 0.0
    return u, min(1.0, 2 * normal_two_sided(max(z, 0.0)) / 2)


def _rank_sums(n: int, m: int) -> Array:
    """How many orders of n and m values have each U: the coefficients of the Gaussian binomial."""
    counts = np.zeros(n * m + 1)
    counts[0] = 1
    for step in range(1, n + 1):
        for place in range(n * m, m + step - 1, -1):  # times 1 - x^(m + step)
            counts[place] -= counts[place - m - step]
        for place in range(step, n * m + 1):  # over 1 - x^step
            counts[place] += counts[place - step]
    return counts
