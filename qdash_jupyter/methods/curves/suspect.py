"""What is suspect in the points: clipped values, wild points, a magnitude without its unit; and what it moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qdash_jupyter.methods.curves.budget import Budget
from qdash_jupyter.methods.curves.clipping import clipped_of
from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.families import Family, apart, parameters_of
from qdash_jupyter.methods.curves.fit import Fits, best_of, fits_of, sides_of
from qdash_jupyter.methods.curves.points import Points
from qdash_jupyter.methods.curves.solution import Solution
from qdash_jupyter.methods.curves.thresholds import LIMITS


def without_clipped(family: Family, fits: Fits) -> tuple[Points, Solution | None] | None:
    """The points without those that are clipped, and their fit, or no fit where they are too few; None where no
    point is clipped.
    """
    points, base = fits.points, fits.base
    halves = np.split(points.values, len(points.values) // points.count)
    clipped = np.any([clipped_of(half) for half in halves], axis=0)
    if not clipped.any():
        return None
    rest = points.without(clipped)
    needed = (base.shape.linear + base.shape.nonlinear) // len(halves) + 1
    return rest, (fits_of(rest, family).base if rest.count > needed else None)


def wild_shifts(fits: Fits, points: Points, budget: Budget) -> Array:
    """By how much wild points, which are left out, could move each parameter, shape (p,).

    It follows from their weight in the fit of these `points`, and none counts for more than a limit.
    """
    left = sides_of(fits.whole, fits.base)[fits.off]
    deviation = float(np.sqrt(budget.left @ budget.left / max(budget.free, 1)))
    bounded = np.clip(left, -LIMITS.wildest * deviation, LIMITS.wildest * deviation)
    places = np.searchsorted(points.at.u, fits.whole.at.u[fits.off]).clip(max=points.count - 1)
    found: Array = np.abs(budget.influence[:, places] @ bounded)
    return found


def of_unknown_magnitude(family: Family, fits: Fits) -> Array | None:
    """By how much the parameters differ where y is |S| and not |S|², shape (p,); None where that is known, or y is no
    magnitude at all.
    """
    points, axes = fits.points, fits.points.axes
    y = points.values * axes.scale + axes.level
    if not family.scattered or points.scale or y.min() <= 0:
        return None
    squared = y**2
    level, values = float(np.median(squared)), squared - np.median(squared)
    scale = max(float(np.abs(values).max()), 1e-300)
    other = replace(points, values=values / scale, axes=replace(axes, level=level, scale=scale))
    one = best_of(fits.base.shape, other, fits.base)
    before = parameters_of(family, fits.base.coefficients, fits.base.theta, axes)
    moved = np.abs(apart(family, parameters_of(family, one.coefficients, one.theta, other.axes), before))
    is_width = np.array([unit not in {"", "a.u."} for unit in family.units.values()])
    found: Array = moved * is_width
    return found
