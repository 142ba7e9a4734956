"""The same curve through more and more noise: it must never be trusted more for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from qdash_jupyter.methods.curves.curve import Array, Curve
from simulated_curves.curves import TASKS, Drawn

LEVELS = (0.001, 0.003, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Standard deviations of a point, in parts of the signal."""
WITHOUT = ("stored", "spiked and stored", "decibels", "spiked", "cut", "saturated")
"""Kinds that are something else without their noise."""


def kinds_of_noise() -> Mapping[str, tuple[str, ...]]:
    """The kinds of each family whose noise can be chosen."""
    return {name: tuple(kind for kind in task.kinds if kind not in WITHOUT) for name, task in TASKS.items()}


def through_noise(family: str, kind: str, seed: int) -> Iterator[list[Curve]]:
    """One noise-free curve, through each level of noise; at every level the noise is that of a few other draws.

    Yields:
        The curves of a level, from little noise to much.
    """
    rng = np.random.default_rng([seed, *f"{family}/{kind}/noise".encode()])
    drawn = TASKS[family].kinds[kind](rng)
    noise = rng.standard_normal((_DRAWS, len(drawn.signal)))
    size = float(np.ptp(drawn.signal)) or 1.0
    for level in LEVELS:
        yield [_curve(family, drawn, drawn.signal + level * size * one) for one in noise]


_DRAWS = 6


def _curve(family: str, drawn: Drawn, y: Array) -> Curve:
    task, count = TASKS[family], len(drawn.x)
    values = y[:count] + 1j * y[count:] if len(y) > count else y
    return Curve(task.name, "0", drawn.x, values, task.x_unit, y_unit=str(drawn.settings.get("y_unit", "")))
