"""The least squares of a shape: the start from a grid, the rest by Levenberg and Marquardt (scipy's MINPACK)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.shapes import Oscillation, Places, Shape
from qdash_jupyter.methods.curves.spectrum import explained_by_cosines, is_even

_RIDGE = 1e-10
_MANY = 160
"""Points from which on a grid of frequencies is looked through by Fourier transforms."""
_HOPELESS = 4.0
_FIRST_STEP = 0.1
"""The first step is at most this part of θ: the start is near, and the next minimum, too."""


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
        """Akaike's criterion, corrected for few points (C. M. Hurvich and C.-L. Tsai, Biometrika 76, 297 (1989)).

        The variance counts as a parameter: errors are known up to a factor at most.
        """
        count = self.shape.linear + self.shape.nonlinear + 1
        few = 2 * count * (count + 1) / max(self.rows - count - 1, 0.1)
        return float(self.rows * np.log(max(self.rss, 1e-300) / self.rows) + 2 * count + few)


def starts(shape: Shape, at: Places, values: Array, weights: Array, grid: Array | None = None) -> Array:
    """Of a grid of θ the best of each group, shape (groups, nonlinear); the coefficients follow by least squares.

    Groups are different ways to see the same points (a narrow line or a wide one), each with its own minimum; those
    that leave several times as much as the best are left out.
    """
    tried = shape.grid(at) if grid is None else grid
    gains = explained_by(shape, at, values, weights, grid)
    groups = shape.groups(at, tried)
    best = [int(np.flatnonzero(groups == one)[np.argmax(gains[groups == one])]) for one in np.unique(groups)]
    total = float(np.sum((values * weights) ** 2))
    left = np.nan_to_num(total - gains[best], nan=np.inf)
    most = _HOPELESS * max(float(left.min()), 1e-6 * total)  # the grids are kept with seven digits
    found: Array = tried[[index for index, rest in zip(best, left, strict=True) if rest <= most]]
    return found


def explained_by(shape: Shape, at: Places, values: Array, weights: Array, grid: Array | None = None) -> Array:
    """How much of the sum of squares each θ of a grid explains, shape (g,)."""
    weighted = values * weights
    is_plain = grid is None and np.ptp(weights) <= 1e-6 * float(weights[0])
    if is_plain and isinstance(shape, Oscillation) and shape.count == 1 and len(at.u) > _MANY and is_even(at.u):
        return _by_spectrum(shape, at, values, weights)
    if is_plain:
        columns = _orthogonal(shape, at.u.tobytes(), at.order.tobytes())
        projected = (columns @ weighted.astype(np.float32)).reshape(-1, shape.linear)
        gains = np.sum(projected**2, axis=1)
    else:
        columns = shape.basis(at, shape.grid(at) if grid is None else grid) * weights[:, None]
        transposed = columns.transpose(0, 2, 1)
        normal = transposed @ columns
        size = np.trace(normal, axis1=1, axis2=2)[:, None, None] * _RIDGE + 1e-300
        projected = transposed @ weighted
        solution = np.linalg.solve(normal + size * np.eye(shape.linear), projected[:, :, None])[:, :, 0]
        gains = np.sum(solution * projected, axis=1)
    found: Array = np.nan_to_num(gains, nan=-np.inf)
    return found


def _by_spectrum(shape: Oscillation, at: Places, values: Array, weights: Array) -> Array:
    """The same for many points, shape (g,), in the grid's order: times, and in each the frequencies."""
    by_time = shape.grid(at)
    by_time = by_time.reshape(-1, len(np.unique(by_time[:, 1])), 2)
    slow = int(np.sum(by_time[0, :, 1] < 1))
    begin = explained_by(shape, at, values, weights, by_time[:, :slow].reshape(-1, 2)).reshape(-1, slow)
    envelopes = shape.envelopes(at, by_time[:, 0, 0])
    rest = explained_by_cosines(at.u, values * weights, envelopes, by_time.shape[1] - slow)
    found: Array = np.nan_to_num(np.concatenate([begin, rest], axis=1).ravel(), nan=-np.inf)
    return found


@lru_cache(maxsize=12)
def _orthogonal(shape: Shape, u: bytes, order: bytes) -> Array:
    """Orthogonal columns of a whole grid, shape (g · linear, rows): the same sampling comes again and again."""
    at = Places(np.frombuffer(u), np.frombuffer(order))
    columns, _ = np.linalg.qr(shape.basis(at, shape.grid(at)))
    rows = columns.shape[1]
    found: Array = columns.transpose(0, 2, 1).reshape(-1, rows).astype(np.float32)
    return found


def solved(shape: Shape, at: Places, values: Array, weights: Array, begin: Array) -> Solution:
    """Least squares from the starts in `begin`, shape (k, nonlinear); the best of what they lead to.

    Variable projection: at each θ the coefficients are those of the linear least squares, and θ follows the slope of
    what they leave (G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10, 413 (1973), in L. Kaufman's form, BIT 15, 49
    (1975)). What runs out of all that the window could tell counts only where nothing else is found.
    """
    weighted = values * weights
    projection = _Projection(shape, at, weighted, weights)
    best, lowest = begin[0], (True, np.inf)
    if shape.nonlinear:
        from scipy.optimize import leastsq

        for start in begin:
            theta = leastsq(
                projection.left,
                start,
                Dfun=projection.slope,
                full_output=True,
                ftol=1e-9,
                xtol=1e-7,
                maxfev=40,
                factor=_FIRST_STEP,
            )[0]
            for one in (theta, start) if not shape.sane(at, theta) else (theta,):
                rest = projection.left(one)
                found = (not shape.sane(at, one), float(rest @ rest))
                if np.isfinite(one).all() and found < lowest:
                    best, lowest = one, found
    return _solution(projection, best, values, weights)


def at_start(shape: Shape, at: Places, values: Array, weights: Array, theta: Array) -> Solution:
    """The linear least squares at a θ, as it is."""
    return _solution(_Projection(shape, at, values * weights, weights), theta, values, weights)


def _solution(projection: _Projection, best: Array, values: Array, weights: Array) -> Solution:
    shape, at = projection.shape, projection.places
    columns = projection.at(best)[0]
    coefficients = projection.coefficients(best)
    rest = projection.left(best)
    moved = (shape.slopes(at, best) @ coefficients).T * weights[:, None]
    derivatives = np.concatenate([columns, moved], axis=1)
    size = np.maximum(np.linalg.norm(derivatives, axis=0), 1e-300)
    rss = float(rest @ rest)
    free = max(len(values) - derivatives.shape[1], 1)
    scaled = derivatives / size
    covariance = np.linalg.pinv(scaled.T @ scaled, rcond=1e-13) * (rss / free) / np.outer(size, size)
    fitted = values - rest / weights
    return Solution(shape, best, coefficients, covariance, fitted, rss, len(values))


class _Projection:
    """The linear least squares at a θ; the last one is kept, as residuals and slope are asked one after the other."""

    def __init__(self, shape: Shape, at: Places, weighted: Array, weights: Array) -> None:
        self.shape, self.places, self._weighted, self._weights = shape, at, weighted, weights[:, None]
        self._theta: Array | None = None
        self._kept: tuple[Array, Array, Array]

    def at(self, theta: Array) -> tuple[Array, Array, Array]:
        """The weighted columns, and their orthogonal and triangular factors."""
        if self._theta is None or not np.array_equal(self._theta, theta):
            columns = self.shape.basis(self.places, theta[None])[0] * self._weights
            self._kept = (columns, *np.linalg.qr(columns))
            self._theta = theta.copy()
        return self._kept

    def left(self, theta: Array) -> Array:
        """Weighted residuals."""
        orthogonal = self.at(theta)[1]
        found: Array = self._weighted - orthogonal @ (orthogonal.T @ self._weighted)
        return found

    def coefficients(self, theta: Array) -> Array:
        """The linear parameters; of columns that say the same, small ones."""
        _, orthogonal, triangular = self.at(theta)
        diagonal = np.abs(np.diag(triangular))
        if diagonal.min() > 1e-9 * diagonal.max():
            found: Array = np.linalg.solve(triangular, orthogonal.T @ self._weighted)
            return found
        least: Array = np.linalg.lstsq(triangular, orthogonal.T @ self._weighted, rcond=1e-9)[0]
        return least

    def slope(self, theta: Array) -> Array:
        """The derivatives of the residuals."""
        orthogonal = self.at(theta)[1]
        moved = (self.shape.slopes(self.places, theta) @ self.coefficients(theta)).T * self._weights
        found: Array = orthogonal @ (orthogonal.T @ moved) - moved
        return found
