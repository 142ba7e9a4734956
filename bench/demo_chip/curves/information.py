"""What planted numbers can tell through noise, without any fit of data.

Distances are those of noise-free curves, squared, in units of the noise: what a likelihood ratio has on average beyond
its share of chance. All of it is computed for noise of 1 and scaled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"
Numbers = dict[str, float]
Mean = Callable[[Array, Mapping[str, float]], Array]
"""Of places and parameters: the noise-free values, complex ones for two quadratures."""

_ROUNDS = 25


def flat(values: Array) -> Array:
    """Both quadratures behind each other."""
    return np.concatenate([values.real, values.imag]) if np.iscomplexobj(values) else values


def slopes(mean: Mean, x: Array, at: Mapping[str, float], names: Sequence[str]) -> Array:
    """The derivatives of the values by each parameter, shape (rows, parameters)."""
    columns = []
    for name in names:
        apart = 1e-6 * max(abs(at[name]), 1e-6)
        above, below = dict(at) | {name: at[name] + apart}, dict(at) | {name: at[name] - apart}
        columns.append((flat(mean(x, above)) - flat(mean(x, below))) / (2 * apart))
    return np.stack(columns, axis=1)


def least_errors(mean: Mean, x: Array, at: Mapping[str, float], names: Sequence[str]) -> Numbers:
    """The smallest standard errors that any unbiased estimate can have at noise 1 (H. Cramér, C. R. Rao 1945)."""
    derivatives = slopes(mean, x, at, names)
    size = np.maximum(np.linalg.norm(derivatives, axis=0), 1e-300)
    covariance = np.linalg.pinv((derivatives / size).T @ (derivatives / size), rcond=1e-14)
    return {name: float(np.sqrt(covariance[index, index]) / size[index]) for index, name in enumerate(names)}


def influence(mean: Mean, x: Array, at: Mapping[str, float], names: Sequence[str], moved: Array) -> Numbers:
    """By how much least squares moves each parameter, to first order, when values are moved."""
    derivatives = slopes(mean, x, at, names)
    size = np.maximum(np.linalg.norm(derivatives, axis=0), 1e-300)
    shift = np.linalg.lstsq(derivatives / size, flat(moved), rcond=None)[0] / size
    return dict(zip(names, map(float, shift), strict=True))


def linear_distance(values: Array, columns: Array) -> float:
    """Of values to the nearest combination of columns, squared, at noise 1."""
    rest = values - columns @ np.linalg.lstsq(columns, values, rcond=None)[0]
    return float(rest @ rest)


def least_distance(
    target: Array, mean: Mean, x: Array, begin: Iterable[Mapping[str, float]], names: Sequence[str]
) -> float:
    """Of values to the nearest curve of a model whose parameters `names` are free, squared, at noise 1."""
    return nearest(target, mean, x, begin, names)[0]


def nearest(
    target: Array, mean: Mean, x: Array, begin: Iterable[Mapping[str, float]], names: Sequence[str]
) -> tuple[float, Numbers]:
    """The distance of `least_distance`, and the parameters of that curve.

    Levenberg's steps from each of several beginnings; the least of all.
    """
    wanted = flat(target)
    least, found_at = np.inf, dict[str, float]()
    with np.errstate(all="ignore"):
        for one in begin:
            now = dict(one)
            rest = wanted - flat(mean(x, now))
            cost, damping = float(rest @ rest), 1e-3
            for _ in range(_ROUNDS):
                derivatives = slopes(mean, x, now, names)
                size = np.maximum(np.linalg.norm(derivatives, axis=0), 1e-300)
                scaled = derivatives / size
                normal = scaled.T @ scaled + damping * np.eye(len(names))
                try:
                    step = np.linalg.solve(normal, scaled.T @ rest) / size
                except np.linalg.LinAlgError:
                    break
                tried = dict(now) | {name: now[name] + float(step[index]) for index, name in enumerate(names)}
                left = wanted - flat(mean(x, tried))
                found = float(left @ left)
                if np.isfinite(found) and found < cost:
                    done = cost - found < 1e-6 * cost
                    now, rest, cost, damping = tried, left, found, max(damping / 5, 1e-9)
                    if done:
                        break
                else:
                    damping *= 8
                    if damping > 1e8:  # noqa: PLR2004
                        break
            if cost < least:
                least, found_at = cost, now
    return float(least), found_at
