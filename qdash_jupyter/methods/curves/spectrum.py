"""How much a damped cosine of each frequency explains, for many points that are evenly spaced: by Fourier transforms.

A grid of frequencies that grows with the points costs their square; transforms cost n log n. The normal equations of
cosine, sine and level are exact: their sums are transforms of the envelope, its square, and envelope times points.
"""

from __future__ import annotations

import numpy as np

from qdash_jupyter.methods.curves.curve import Array

A_PERIOD = 3
"""Frequencies in each period of the window: every third of one."""


def is_even(u: Array) -> bool:
    """Whether no place is further from evenly spaced ones than a thousandth of their step: `u` itself is rounded."""
    even = np.linspace(u[0], u[-1], len(u))
    return bool(np.abs(u - even).max() <= 1e-3 * abs(float(even[1] - even[0])))


def explained_by_cosines(u: Array, values: Array, envelopes: Array, count: int) -> Array:
    """The explained sums of squares, shape (g, count), of `values` at even places `u` from 0 to 1.

    `envelopes`, shape (g, n), with each of `count` frequencies: 1, 4/3, 5/3, … periods in the window.
    """
    rows, length = len(u), A_PERIOD * (len(u) - 1)
    level = float(values.mean())
    places = np.arange(A_PERIOD, A_PERIOD + count)
    with_points = _transformed(envelopes * (values - level), length)
    alone, squared = _transformed(envelopes, length), _transformed(envelopes**2, length)
    size = np.sum(envelopes**2, axis=1)[:, None]
    twice = squared[:, (2 * places) % length]
    point, mean = with_points[:, places % length], alone[:, places % length]
    cosines = (size + twice.real) / 2 - mean.real**2 / rows
    sines = (size - twice.real) / 2 - mean.imag**2 / rows
    both = -twice.imag / 2 + mean.real * mean.imag / rows
    a, b = point.real, -point.imag
    determinant = np.maximum(cosines * sines - both**2, 1e-12 * size**2)
    found: Array = (sines * a**2 - 2 * both * a * b + cosines * b**2) / determinant + rows * level**2
    return found


def _transformed(values: Array, length: int) -> Array:
    """Each row, with zeros behind it."""
    found: Array = np.fft.fft(values, n=length, axis=1)
    return found
