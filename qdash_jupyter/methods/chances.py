"""Probabilities of the normal and Student's distributions, and of a median.

Without scipy, whose import would take a third of the time of a first question.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from qdash_jupyter.methods.measurements import Array


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


@lru_cache(maxsize=512)
def student_quantile(dof: int, chance: float = 0.05) -> float:
    """The t beyond which, on either side together, this chance is left; right to 12 digits."""
    low, high = 0.0, 1.0
    while student_two_sided(high, dof) > chance:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if student_two_sided(middle, dof) > chance else (low, middle)
    return (low + high) / 2


def median_interval(values: Array, chance: float = 0.05) -> tuple[float, float, float]:
    """The median of independent values, and the ends of an interval that holds the true one except by this chance:
    two of the values themselves, whatever their distribution (the sign test turned round). The ends are NaN where there
    are too few values for one: below six for 5 %.
    """
    ordered, count = np.sort(values), len(values)
    if not count:
        return (math.nan,) * 3
    tail, outside = 0.5**count, 0
    while 2 * tail <= chance:
        outside += 1
        tail += math.comb(count, outside) * 0.5**count
    ends = (ordered[outside - 1], ordered[-outside]) if outside else (math.nan, math.nan)
    return float(np.median(ordered)), float(ends[0]), float(ends[1])
