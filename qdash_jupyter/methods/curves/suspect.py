"""What is suspect in the points, clipped values and wild points, and by how much it moves the parameters."""

from __future__ import annotations

import numpy as np

from qdash_jupyter.methods.curves.budget import Budget
from qdash_jupyter.methods.curves.clipping import clipped_of
from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.families import Family, apart, parameters_of
from qdash_jupyter.methods.curves.fit import Fits, best_of, sides_of
from qdash_jupyter.methods.curves.thresholds import LIMITS


def suspect_of(family: Family, fits: Fits, budget: Budget) -> dict[str, Array]:
    """By code the shifts of the parameters, in the order of the family's units, shape (p,) each.

    Clipped points are left out and the rest is fitted again. Wild points are left out already: how far they could move
    a parameter follows from their weight in the fit, where none counts for more than the least that is wild.
    """
    found = {}
    if (clipped := _clipped(family, fits)).any():
        found["CLIPPED"] = _without(family, fits, clipped)
    if fits.off.any():
        found["OUTLIERS"] = _of_wild(fits, budget)
    return found


def _clipped(family: Family, fits: Fits) -> Array:
    halves = np.split(fits.points.values, 1 + family.complex)
    found: Array = np.any([clipped_of(half) for half in halves], axis=0)
    return found


def _without(family: Family, fits: Fits, clipped: Array) -> Array:
    points, base = fits.points, fits.base
    needed = (base.shape.linear + base.shape.nonlinear) // (1 + family.complex) + 1
    if points.count - int(clipped.sum()) <= needed:
        return np.full(len(family.units), np.inf)
    other = best_of(base.shape, points.without(clipped), base)
    before, after = (parameters_of(family, one.coefficients, one.theta, points.axes) for one in (base, other))
    return np.abs(apart(family, after, before))


def _of_wild(fits: Fits, budget: Budget) -> Array:
    left = sides_of(fits.whole, fits.base)[fits.off]
    deviation = float(np.sqrt(budget.left @ budget.left / max(budget.free, 1)))
    bounded = np.clip(left, -LIMITS.wild * deviation, LIMITS.wild * deviation)
    places = np.searchsorted(fits.points.at.u, fits.whole.at.u[fits.off]).clip(max=fits.points.count - 1)
    found: Array = np.abs(budget.influence[:, places] @ bounded)
    return found
