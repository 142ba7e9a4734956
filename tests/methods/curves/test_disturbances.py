"""What a disturbance would explain is told for all places at once: as the least squares with its columns beside."""

from __future__ import annotations

import numpy as np
import pytest

from qdash_jupyter.methods.curves.shapes import (
    Decay,
    Delay,
    Disturbed,
    Oscillation,
    Peak,
    Places,
    Reflection,
    Shape,
    disturbances,
)
from qdash_jupyter.methods.curves.solution import gains_beside, solved


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("shape", [Decay(), Oscillation(), Peak()])
def test_gains_are_those_of_the_linear_least_squares(shape: Shape, *, periodic: bool) -> None:
    rng = np.random.default_rng(5)
    u = np.linspace(0.0, 1.0, 60)
    at, weights = Places(u, rng.permutation(60) / 59), rng.uniform(0.5, 2.0, 60)
    theta = {1: [-1.0], 2: [-0.7, 5.0]}[shape.nonlinear] if not isinstance(shape, Peak) else [0.45, -2.0]
    values = shape.basis(at, np.array([theta]))[0] @ np.linspace(1.0, 0.4, shape.linear)
    values = values + 0.1 * rng.standard_normal(60) + 0.2 * (at.order > 0.6)
    one = solved(shape, at, values, weights, np.array([theta]))
    left = (values - one.fitted) * weights
    places = np.arange(3.0, 30.0, 0.25) if periodic else (np.arange(2.0, 56.0) + 0.5) / 59
    gains = gains_beside(one, left, places, periodic=periodic)
    columns = disturbances(at, places, periodic=periodic) * weights[:, None]
    for gain, beside in zip(gains, columns, strict=True):
        both = np.concatenate([one.derivatives, beside], axis=1)
        rest = left - both @ np.linalg.lstsq(both, left, rcond=1e-12)[0]
        alone = left - one.derivatives @ np.linalg.lstsq(one.derivatives, left, rcond=1e-12)[0]
        assert gain == pytest.approx(alone @ alone - rest @ rest, rel=1e-3, abs=1e-9)


SHAPES: dict[str, tuple[Shape, list[float]]] = {
    "decay": (Decay(drift=True), [-0.5]),
    "two decays": (Decay(2), [-2.0, 0.3]),
    "cosine": (Oscillation(drift=True), [-0.5, 7.3]),
    "two cosines, Gaussian": (Oscillation(2, power=2), [-0.4, 7.3, 9.1]),
    "line": (Peak(asymmetric=True), [0.4, -2.0]),
    "two lines": (Peak(2), [0.4, -2.0, 0.6, -3.0]),
    "resonance": (Reflection(), [0.2, 0.4, -2.0]),
    "two resonances": (Reflection(2), [0.2, 0.4, -2.0, 0.6, -3.0]),
    "delay": (Delay(), [0.3]),
    "a step beside": (Disturbed(Decay(), 0.4), [-0.5]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_slopes_are_the_derivatives_of_the_columns(name: str) -> None:
    shape, numbers = SHAPES[name]
    theta = np.array(numbers)
    at = Places(np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41))
    slopes = shape.slopes(at, theta, shape.basis(at, theta[None])[0])
    for index, slope in enumerate(slopes):
        step = 1e-6 * np.eye(len(theta))[index]
        above, below = (shape.basis(at, (theta + sign * step)[None])[0] for sign in (1, -1))
        np.testing.assert_allclose(slope, (above - below) / 2e-6, atol=1e-6 * max(1.0, float(np.abs(slope).max())))
