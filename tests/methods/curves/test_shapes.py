"""The derivatives by which fits find their way and errors follow."""

from __future__ import annotations

import numpy as np
import pytest

from qdash_jupyter.methods.curves.shapes import (
    Beside,
    Decay,
    Delay,
    Oscillation,
    Peak,
    Places,
    Reflection,
    Shape,
)

SHAPES: dict[str, tuple[Shape, list[float]]] = {
    "decay": (Decay(), [-0.5]),
    "stretched decay": (Decay(stretched=True), [-0.5, 0.4]),
    "cosine": (Oscillation(), [-0.5, 7.3]),
    "cosine, Gaussian": (Oscillation(power=2), [-0.4, 7.3]),
    "cosine, stretched": (Oscillation(stretched=True), [-0.4, 7.3, 0.3]),
    "line": (Peak(asymmetric=True), [0.4, -2.0]),
    "resonance": (Reflection(), [0.2, 0.4, -2.0]),
    "delay": (Delay(), [0.3]),
    "something beside": (Beside(Decay(), np.linspace(0, 1, 41)[:, None] ** 2), [-0.5]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_slopes_are_the_derivatives_of_the_columns(name: str) -> None:
    shape, numbers = SHAPES[name]
    theta = np.array(numbers)
    at = Places(np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41))
    slopes = shape.slopes(at, theta, shape.basis(at, theta[None])[0])
    assert slopes.shape == (shape.nonlinear, len(slopes[0]), shape.linear)
    for index, slope in enumerate(slopes):
        step = 1e-6 * np.eye(len(theta))[index]
        above, below = (shape.basis(at, (theta + sign * step)[None])[0] for sign in (1, -1))
        np.testing.assert_allclose(slope, (above - below) / 2e-6, atol=1e-6 * max(1.0, float(np.abs(slope).max())))


def test_a_stretched_envelope_leaves_1_over_e_at_its_time() -> None:
    u = np.array([0.0, 0.25, 1.0])
    for power in (1.0, 1.4, 2.0):
        theta = np.array([[np.log(0.25), np.log(power)]])
        assert Decay(stretched=True).basis(Places(u, u), theta)[0, 1, 0] == pytest.approx(np.exp(-1))
