"""Textbook shapes, as a person would write them; populations of |1⟩ between 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"
Shape = Callable[..., Array]


def decay(x: Array, time: float, size: float = 1.0, level: float = 0.0) -> Array:
    """A e^(-x/T) + c."""
    found: Array = size * np.exp(-x / time) + level
    return found


def stretched(x: Array, time: float, size: float, level: float, power: float) -> Array:
    """A e^(-(x/T)^n) + c."""
    found: Array = size * np.exp(-(np.abs(x / time) ** power)) + level
    return found


def fringes(x: Array, frequency: float, time: float, size: float, phase: float, level: float) -> Array:  # noqa: PLR0917
    """A e^(-x/T) cos(2πfx + φ) + c."""
    found: Array = size * np.exp(-x / time) * np.cos(2 * np.pi * frequency * x + phase) + level
    return found


def line(x: Array, centre: float, width: float, size: float, level: float, slope: float) -> Array:  # noqa: PLR0917
    """A Lorentzian of full width `width` on a straight baseline."""
    found: Array = size / (1 + (2 * (x - centre) / width) ** 2) + level + slope * (x - x.mean())
    return found


def reflected(x: Array, centre: float, width: float, depth: float, size: float, phase: float, delay: float) -> Array:  # noqa: PLR0917
    """A resonance in reflection behind a cable, I first, then Q; `depth` is 2 κ_ext/κ."""
    signal = size * np.exp(1j * (phase - 2 * np.pi * delay * (x - x[0])))
    signal = signal * (1 - depth / (1 + 2j * (x - centre) / width))
    found: Array = np.concatenate([signal.real, signal.imag])
    return found


def errors_of(shape: Shape, x: Array, at: dict[str, float], deviation: Array) -> dict[str, float]:
    """The least standard error of each parameter that an unbiased estimate can have (Cramér and Rao)."""
    names = list(at)
    slopes = []
    for name in names:
        apart = 1e-5 * max(abs(at[name]), 1e-4)
        above, below = (shape(x, **(at | {name: at[name] + sign * apart})) for sign in (1, -1))
        slopes.append((above - below) / (2 * apart) / deviation)
    matrix = np.stack(slopes, axis=1)
    size = np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)
    covariance = np.linalg.pinv((matrix / size).T @ (matrix / size))
    return {name: float(np.sqrt(covariance[i, i]) / size[i]) for i, name in enumerate(names)}


def seen_as(shape: Shape, x: Array, begin: dict[str, float], values: Array, deviation: Array) -> dict[str, float]:
    """The textbook fit of noise-free values, from a beginning near the truth."""
    from scipy.optimize import least_squares

    names = list(begin)
    start = np.array(list(begin.values()))
    scale = np.maximum(np.abs(start), 1e-3)

    def left(found: Array) -> Array:
        rest: Array = (shape(x, **dict(zip(names, found * scale, strict=True))) - values) / deviation
        return rest

    found = least_squares(left, start / scale, method="lm", max_nfev=400).x * scale
    return dict(zip(names, map(float, found), strict=True))
