"""What planted numbers can tell: information and distances against what is known of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from demo_chip.curves import FAMILIES, NOISE, faults_of, simulated
from demo_chip.curves.information import influence, least_distance, least_errors, linear_distance
from demo_chip.curves.recipes import decay, fringes

X = np.linspace(0, 5, 201)
DECAY = {"time": 1.0, "amplitude": 1.0, "offset": 0.2, "drift": 0.0, "second": 0.0, "second_time": 0.5}


def test_the_least_error_of_a_frequency_is_that_of_rife_and_boorstyn() -> None:
    """σ(f) = √(6/(n (n² − 1))) σ/(π A Δt): IEEE Trans. Inf. Theory 20, 591 (1974), for a real tone (√2 more)."""
    wave = {
        "frequency": 2.0,
        "time": 1e9,
        "amplitude": 1.0,
        "phase": 0.1,
        "offset": 0.0,
        "drift": 0.0,
        "second": 0.0,
        "second_frequency": 1.0,
    }
    found = least_errors(fringes, X, wave, ("frequency", "amplitude", "phase", "offset"))
    step, count = X[1] - X[0], len(X)
    assert found["frequency"] == pytest.approx(math.sqrt(6 / (count * (count**2 - 1))) / (math.pi * step), rel=0.03)
    assert found["amplitude"] == pytest.approx(math.sqrt(2 / count), rel=0.03)


def test_no_estimate_of_many_scatters_less_than_the_least_error() -> None:
    rng = np.random.default_rng(1)
    least = least_errors(decay, X, DECAY, ("time", "amplitude", "offset"))["time"]
    shifts = [
        influence(decay, X, DECAY, ("time", "amplitude", "offset"), rng.standard_normal(len(X)))["time"]
        for _ in range(400)
    ]
    assert np.std(shifts) == pytest.approx(least, rel=0.1)


def test_a_curve_of_the_model_is_at_no_distance_and_another_is() -> None:
    begin = [DECAY | {"time": 2.0, "amplitude": 0.5}]
    names = ("time", "amplitude", "offset")
    assert least_distance(decay(X, DECAY), decay, X, begin, names) < 1e-8
    two = DECAY | {"second": 0.7, "second_time": 0.1}
    assert least_distance(decay(X, two), decay, X, begin, names) > 0.1
    assert linear_distance(np.ones(5), np.ones((5, 1))) == pytest.approx(0)


OTHERWISE = {
    "CLIPPED_FLOOR": "CLIPPED",
    "GLITCH": "OUTLIERS",
    "GAP": "SUCCESS",
    "WRONG_UNIT": "STORED_DISAGREES",
    "JUMP": "DRIFT",
    "PICKUP": "UNEXPLAINED",
}
"""The codes of faults whose names are none."""
BY_EFFECT = {"CLIPPED", "DRIFT", "UNEXPLAINED"}
"""Codes of what counts by how far it moves the parameter: by little, the curve is as good as without it."""


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.long
def test_less_noise_never_makes_less_clear(family: str) -> None:
    """Where noise is low a planted fault is the truth; where it is hopeless, noise is, but for what needs no signal."""
    for fault in faults_of(family):
        easy = [simulated(family, fault, seed, "easy").truth.code for seed in range(3)]
        if fault == "GOOD":
            assert easy == ["SUCCESS"] * 3
        elif fault not in {"TWO_COMPONENTS", "DRIFT", "LOW_SNR"}:  # some look like one decay all the same
            code = OTHERWISE.get(fault, fault)
            assert set(easy) <= {code, *(["SUCCESS"] if code in BY_EFFECT else [])}
        if family == FAMILIES[-1] or OTHERWISE.get(fault, fault) in {"CLIPPED", "ALIASED", "LOW_SNR", "TOO_FEW_POINTS"}:
            continue
        hopeless = {simulated(family, fault, seed, "hopeless").truth.code for seed in range(3)}
        allowed = {"NO_SIGNAL", "FIT_OF_NOISE"} | ({fault} if fault in {"DRIFT", "UNDERSAMPLED"} else set())
        assert hopeless <= allowed | {"LOW_SNR"}


def test_noise_is_what_it_is_called() -> None:
    assert list(NOISE) == ["easy", "good", "fair", "hard", "hopeless"]
    ratios = [simulated("Rabi", "GOOD", 1, noise).truth.numbers["signal"] for noise in NOISE]
    assert ratios == sorted(ratios, reverse=True)
