"""How much a damped cosine of each frequency explains, for many points that are evenly spaced: by Fourier transforms.

A grid of frequencies that grows with the points costs their square; transforms cost n log n. The normal equations of
cosine, sine and level are exact: their sums are transforms of the envelope, its square, and envelope times points.
"""

from __future__ import annotations

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.numerics import scipy

A_PERIOD = 3
"""Frequencies in each period of the window: every third of one."""


def is_even(u: Array) -> bool:
    """Whether no place is further from evenly spaced ones than a twentieth of their step: a start needs no more."""
    even = np.linspace(u[0], u[-1], len(u))
    return bool(np.abs(u - even).max() <= 0.05 * abs(float(even[1] - even[0])))


def explained_by_cosines(u: Array, values: Array, envelopes: Array, count: int) -> Array:
    """The explained sums of squares, shape (g, count), of `values` at even places `u` from 0 to 1.

    `envelopes`, shape (g, n), with each of `count` frequencies: 1, 4/3, 5/3, … periods in the window.
    """
    rows = len(u)
    level = float(values.mean())
    places = np.arange(A_PERIOD, A_PERIOD + count)
    size = np.sum(envelopes**2, axis=1)[:, None]
    twice = _transformed(envelopes**2, 2 * places)
    point, mean = _transformed(envelopes * (values - level), places), _transformed(envelopes, places)
    cosines = (size + twice.real) / 2 - mean.real**2 / rows
    sines = (size - twice.real) / 2 - mean.imag**2 / rows
    both = -twice.imag / 2 + mean.real * mean.imag / rows
    a, b = point.real, -point.imag
    determinant = np.maximum(cosines * sines - both**2, 1e-12 * size**2)
    found: Array = (sines * a**2 - 2 * both * a * b + cosines * b**2) / determinant + rows * level**2
    return found


def _transformed(values: Array, places: Array) -> Array:
    """The Fourier transform of each row at multiples of a third of a period in the window."""
    length = A_PERIOD * (values.shape[1] - 1)
    half = scipy().fft.rfft(values, n=length, axis=1)  # the other half is conjugate to it
    folded = places % length
    found: Array = half[:, np.minimum(folded, length - folded)]
    return np.where(2 * folded > length, found.conj(), found)
