"""The least squares of a shape: the start from a grid, the rest by Levenberg and Marquardt (scipy's MINPACK)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.residuals import autocorrelation
from qdash_jupyter.methods.curves.shapes import Delay, Oscillation, Places, Shape
from qdash_jupyter.methods.curves.spectrum import explained_by_cosines, is_even
from qdash_jupyter.methods.numerics import scipy

_RIDGE = 1e-10
_MANY = 160
"""Points from which on a grid of frequencies is looked through by Fourier transforms."""
_HOPELESS = 4.0
ROUNDED = 1e-6
"""Of the largest value: residuals below it come from rounded places and from where a fit ends, and say nothing."""
_LIKE_NOISE = 1.0
"""Standard deviations of the residuals' autocorrelation below which a fit leaves nothing to be found."""
_FIRST_STEP = 0.1
"""The first step is at most this part of θ: the start is near, and the next minimum, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A shape fitted to values.

    Attributes:
        shape: What was fitted.
        theta: Shape (nonlinear,).
        coefficients: Shape (linear,).
        at: Where the values were measured.
        weights: Shape (rows,).
        fitted: Shape (rows,): the fitted values.
        rss: The weighted sum of squares that is left, with that of rounding.
    """

    shape: Shape
    theta: Array
    coefficients: Array
    at: Places
    weights: Array
    fitted: Array
    rss: float

    @property
    def rows(self) -> int:
        """The number of values (I and Q count as two)."""
        return len(self.fitted)

    @property
    def free(self) -> int:
        """Degrees of freedom."""
        return self.rows - self.shape.linear - self.shape.nonlinear

    @property
    def derivatives(self) -> Array:
        """Of the weighted fit, shape (rows, linear + nonlinear): by coefficients, then θ."""
        columns = self.shape.basis(self.at, self.theta[None])[0]
        moved = (self.shape.slopes(self.at, self.theta, columns) @ self.coefficients).T
        both: Array = np.concatenate([columns, moved], axis=1) * self.weights[:, None]
        return both

    @property
    def covariance(self) -> Array:
        """Of coefficients, then θ; times the variance that the scatter shows."""
        derivatives = self.derivatives
        size = np.maximum(np.linalg.norm(derivatives, axis=0), 1e-300)
        scaled = derivatives / size
        variance = self.rss / max(self.free, 1)
        found: Array = np.linalg.pinv(scaled.T @ scaled, rcond=1e-13) * variance / np.outer(size, size)
        return found

    @property
    def aicc(self) -> float:
        """Akaike's criterion."""
        return aicc_of(self.rss, self.rows, self.shape.linear + self.shape.nonlinear)


def aicc_of(rss: float, rows: int, parameters: int) -> float:
    """Akaike's criterion, corrected for few points (C. M. Hurvich and C.-L. Tsai, Biometrika 76, 297 (1989)).

    The variance counts as a parameter: errors are known up to a factor at most.
    """
    count = parameters + 1
    return rows * math.log(rss / rows) + 2 * count + 2 * count * (count + 1) / max(rows - count - 1, 0.1)


def starts(shape: Shape, at: Places, values: Array, weights: Array, grid: Array | None = None) -> Array:
    """Of a grid of θ the best of each group, the best of all first, shape (groups, nonlinear).

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
    order = np.argsort(left, kind="stable")
    found: Array = tried[[best[index] for index in order if left[index] <= most]]
    return found


def explained_by(shape: Shape, at: Places, values: Array, weights: Array, grid: Array | None = None) -> Array:
    """How much of the sum of squares each θ of a grid explains, shape (g,)."""
    weighted = values * weights
    is_plain = grid is None and np.ptp(weights) <= 1e-6 * float(weights[0])
    if is_plain and isinstance(shape, Oscillation) and not shape.stretched and len(at.u) > _MANY and is_even(at.u):
        return _by_spectrum(shape, at, values, weights)
    if is_plain:
        columns = _orthogonal(shape, at.u.tobytes(), at.order.tobytes())
        # BLAS would wake a second thread for this, which then waits, busy, for ever more work.
        projected = np.einsum("ij,j->i", columns, weighted.astype(np.float32)).reshape(-1, shape.linear)
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
    envelopes = shape.envelopes(at, by_time[:, 0])
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
    (1975)). What runs out of all that the window could tell counts only where nothing else is found. The best start
    comes first: where it leaves nothing that neighbours share, no other is tried.
    """
    weighted = values * weights
    projection = _Projection(shape, at, weighted, weights)
    best, lowest = begin[0], (True, np.inf)
    if shape.nonlinear:
        leastsq = scipy().optimize.leastsq

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
            if not lowest[0] and autocorrelation(projection.left(best)) < _LIKE_NOISE:
                break
    return _solution(projection, best, values, weights)


def rounding(weights: Array) -> float:
    """The weighted sum of squares that rounding alone may leave."""
    return ROUNDED**2 * float(weights @ weights)


def _solution(projection: _Projection, best: Array, values: Array, weights: Array) -> Solution:
    coefficients = np.ascontiguousarray(projection.coefficients(best)).view(float)
    rest = projection.left(best)
    rss = float(rest @ rest) + rounding(weights)
    return Solution(projection.shape, best, coefficients, projection.places, weights, values - rest / weights, rss)


class _Projection:
    """The linear least squares at a θ; the last one is kept, as residuals and slope are asked one after the other.

    Of two quadratures, which have the same weights, in complex numbers: half the rows and half the columns.
    """

    def __init__(self, shape: Shape, at: Places, weighted: Array, weights: Array) -> None:
        self.shape, self.places, self._weighted, self._weights = shape, at, weighted, weights[:, None]
        self._basis, self._slopes = shape.basis, shape.slopes
        if isinstance(shape, Delay):
            real, imaginary = np.split(weighted, 2)
            self._weighted, self._weights = real + 1j * imaginary, self._weights[: len(real)]
            self._basis, self._slopes = shape.columns, shape.moved
        self._theta = b""
        self._columns: Array
        self._kept: tuple[Array, Array, Array]

    def _at(self, theta: Array) -> tuple[Array, Array, Array]:
        """The orthogonal and triangular factors of the weighted columns, and what the orthogonal ones see."""
        asked = theta.tobytes() or b"none"
        if self._theta != asked:
            self._columns = self._basis(self.places, theta[None])[0]
            orthogonal, triangular = np.linalg.qr(self._columns * self._weights)
            self._kept = (orthogonal, triangular, orthogonal.conj().T @ self._weighted)
            self._theta = asked
        return self._kept

    def left(self, theta: Array) -> Array:
        """Weighted residuals; of two quadratures first I, then Q."""
        orthogonal, _, seen = self._at(theta)
        return _stacked(self._weighted - orthogonal @ seen)

    def coefficients(self, theta: Array) -> Array:
        """The linear parameters; of columns that say the same, small ones."""
        _, triangular, seen = self._at(theta)
        diagonal = np.abs(triangular.diagonal())
        if diagonal.min() > 1e-9 * diagonal.max():
            found: Array = np.linalg.solve(triangular, seen)
            return found
        least: Array = np.linalg.lstsq(triangular, seen, rcond=1e-9)[0]
        return least

    def slope(self, theta: Array) -> Array:
        """The derivatives of the residuals."""
        orthogonal = self._at(theta)[0]
        moved = (self._slopes(self.places, theta, self._columns) @ self.coefficients(theta)).T * self._weights
        return _stacked(orthogonal @ (orthogonal.conj().T @ moved) - moved)


def _stacked(values: Array) -> Array:
    """Both quadratures behind each other."""
    return np.concatenate([values.real, values.imag]) if values.dtype.kind == "c" else values
