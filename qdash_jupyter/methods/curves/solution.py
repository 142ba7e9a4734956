"""The least squares of a shape: the start from a grid, the rest by Levenberg and Marquardt (scipy's MINPACK)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.shapes import Places, Shape

_RIDGE = 1e-10
_CHUNK = 400_000
"""Numbers of the grid's columns that are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A shape fitted to values.

    Attributes:
        shape: What was fitted.
        theta: Shape (nonlinear,).
        coefficients: Shape (linear,).
        covariance: Of coefficients, then θ; times the variance that the scatter shows.
        fitted: Shape (rows,): the fitted values.
        rss: The weighted sum of squares that is left.
        rows: The number of values (I and Q count as two).
    """

    shape: Shape
    theta: Array
    coefficients: Array
    covariance: Array
    fitted: Array
    rss: float
    rows: int

    @property
    def parameters(self) -> Array:
        """Coefficients, then θ."""
        return np.concatenate([self.coefficients, self.theta])

    @property
    def free(self) -> int:
        """Degrees of freedom."""
        return self.rows - self.shape.linear - self.shape.nonlinear

    @property
    def aicc(self) -> float:
        """Akaike's criterion with the correction for few points (C. M. Hurvich and C.-L. Tsai, Biometrika 76, 297 (1989)).

        The variance counts as a parameter: errors are known up to a factor at most.
        """
        count = self.shape.linear + self.shape.nonlinear + 1
        few = 2 * count * (count + 1) / max(self.rows - count - 1, 0.1)
        return self.rows * float(np.log(max(self.rss, 1e-300) / self.rows)) + 2 * count + few


def starts(shape: Shape, at: Places, values: Array, weights: Array, grid: Array | None = None, best: int = 1) -> Array:
    """The best of a grid of θ, shape (best, nonlinear): for each the coefficients follow by linear least squares."""
    tried = shape.grid(at) if grid is None else grid
    weighted = values * weights
    chunk = max(1, _CHUNK // (len(values) * shape.linear))
    explained = []
    for first in range(0, len(tried), chunk):
        columns = shape.basis(at, tried[first : first + chunk]) * weights[:, None]
        transposed = columns.transpose(0, 2, 1)
        normal = transposed @ columns
        size = np.trace(normal, axis1=1, axis2=2)[:, None, None] * _RIDGE + 1e-300
        normal = normal + size * np.eye(shape.linear)
        projected = transposed @ weighted
        solved = np.linalg.solve(normal, projected[:, :, None])[:, :, 0]
        explained.append(np.sum(solved * projected, axis=1))
    gains = np.nan_to_num(np.concatenate(explained), nan=-np.inf)
    return tried[np.argsort(gains)[::-1][:best]]


def solved(shape: Shape, at: Places, values: Array, weights: Array, begin: Array) -> Solution:
    """Least squares from the starts in `begin`, shape (k, nonlinear); the best of what they lead to.

    Variable projection: at each θ the coefficients are those of the linear least squares, and θ follows the slope of
    what they leave (G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10, 413 (1973), in L. Kaufman's form, BIT 15, 49
    (1975)).
    """
    weighted = values * weights

    def columns_of(theta: Array) -> Array:
        return shape.basis(at, theta[None])[0] * weights[:, None]

    def left(theta: Array) -> Array:
        columns = columns_of(theta)
        found: Array = weighted - columns @ _coefficients(columns, weighted)
        return found

    def slope(theta: Array) -> Array:
        columns = columns_of(theta)
        coefficients = _coefficients(columns, weighted)
        moved = (shape.slopes(at, theta) @ coefficients).T * weights[:, None]
        orthogonal, _ = np.linalg.qr(columns)
        found: Array = -(moved - orthogonal @ (orthogonal.T @ moved))
        return found

    best, lowest = begin[0], np.inf
    if shape.nonlinear:
        from scipy.optimize import leastsq

        for start in begin:
            theta = leastsq(left, start, Dfun=slope, full_output=True, ftol=1e-9, xtol=1e-9, maxfev=60)[0]
            rest = left(theta)
            if np.isfinite(theta).all() and float(rest @ rest) < lowest:
                best, lowest = theta, float(rest @ rest)
    columns = columns_of(best)
    coefficients = _coefficients(columns, weighted)
    rest = weighted - columns @ coefficients
    derivatives = columns
    if shape.nonlinear:
        moved = (shape.slopes(at, best) @ coefficients).T * weights[:, None]
        derivatives = np.concatenate([columns, moved], axis=1)
    rss = float(rest @ rest)
    free = max(len(values) - derivatives.shape[1], 1)
    covariance = np.linalg.pinv(derivatives.T @ derivatives, rcond=1e-13) * (rss / free)
    fitted = shape.basis(at, best[None])[0] @ coefficients
    return Solution(shape, best, coefficients, covariance, fitted, rss, len(values))


def _coefficients(columns: Array, weighted: Array) -> Array:
    normal = columns.T @ columns
    count = len(normal)
    normal = normal + (np.trace(normal) * 1e-14 + 1e-300) * np.eye(count)
    found: Array = np.linalg.solve(normal, columns.T @ weighted)
    return found
