"""Single shots of a readout with planted faults, and the right verdict on them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from demo_chip.curves.information import Array
from demo_chip.curves.recipes import Rng, across, between
from demo_chip.curves.truth import NO_FIT, RELIABLE, UNRELIABLE, Truth
from qdash_jupyter.methods.curves.curve import Shots, StoredParameter

READOUT = "readout classification"
READOUT_FAULTS = (
    "GOOD",
    "NO_SIGNAL",
    "FIT_OF_NOISE",
    "LOW_SNR",
    "UNDERSAMPLED",
    "TWO_COMPONENTS",
    "CLIPPED",
    "OUTLIERS",
    "DRIFT",
    "TOO_FEW_POINTS",
    "AT_BOUND",
    "STORED_DISAGREES",
    "WRONG_UNIT",
)
_SEPARATIONS = {40.0: (2.2, 3.5), 15.0: (1.8, 2.4), 7.0: (1.5, 1.8), 3.0: (1.3, 1.5), 0.05: (0.0, 0.01)}
"""Half the distance of the clouds in σ, by the level of noise (its lower signal-to-noise ratio)."""


def made_shots(
    rng: Rng, fault: str, ratio: tuple[float, float], given: Mapping[str, float], qid: str
) -> tuple[Shots, Truth, float]:
    """The shots of one readout, what is true of them, and the deviation of one."""
    separation = given.get("separation", between(rng, *_SEPARATIONS[ratio[0]]))
    count = int(rng.choice([600, 1000, 2000]))
    if fault in {"NO_SIGNAL", "FIT_OF_NOISE"}:
        separation = 0.0
    elif fault == "LOW_SNR":
        separation = between(rng, 0.2, 0.75)
    elif fault == "UNDERSAMPLED":
        count = int(rng.integers(15, 60))
    elif fault == "TOO_FEW_POINTS":
        count = int(rng.integers(1, 5))
    excited = given.get("excited", across(rng, 0.004, 0.03))
    relaxed = given.get("relaxed", across(rng, 0.01, 0.06))
    half = separation * np.exp(2j * np.pi * rng.random())
    middle = 3.0 * (rng.standard_normal() + 1j * rng.standard_normal())
    zero, one = (
        middle
        + np.where(rng.random(count) < upper, half, -half)
        + rng.standard_normal(count)
        + 1j * rng.standard_normal(count)
        for upper in (excited, 1 - relaxed)
    )
    numbers: dict[str, float] = {"separation": separation, "shots": count}
    zero, one, numbers = _with_fault(rng, fault, zero, one, numbers)
    right = 0.5 * math.erfc(-separation / math.sqrt(2))
    fidelities = [share * right + (1 - share) * (1 - right) for share in (1 - excited, 1 - relaxed)]
    average = sum(fidelities) / 2
    errors = [math.sqrt(each * (1 - each) / count) for each in fidelities]
    error = math.hypot(*errors) / 2
    names = ("average_readout_fidelity", "readout_fidelity_0", "readout_fidelity_1")
    values = dict(zip(names, (average, *fidelities), strict=True))
    least = dict(zip(names, (error, *errors), strict=True))
    is_stored = fault in {"FIT_OF_NOISE", "AT_BOUND", "STORED_DISAGREES", "WRONG_UNIT"} or (
        fault != "NO_SIGNAL" and rng.random() < 0.8  # noqa: PLR2004
    )
    stored, apart = _stored(rng, fault, (zero, one), values, least) if is_stored else ({}, 0.0)
    scale = float(10 ** rng.uniform(-4, 2))
    shots = Shots(qid, zero * scale, one * scale, stored=stored)
    truth = _truth(fault, numbers, is_stored=is_stored, apart=apart, average=error)
    whole = Truth(truth.code, truth.fit, truth.code_clear, truth.fit_clear, values, least, numbers)
    return shots, whole, scale


def _with_fault(
    rng: Rng, fault: str, zero: Array, one: Array, numbers: dict[str, float]
) -> tuple[Array, Array, dict[str, float]]:
    count = len(zero)
    line = one.mean() - zero.mean()
    aside = 1j * line / max(abs(line), 1e-12)
    if fault == "TWO_COMPONENTS":
        third = aside * between(rng, 7.0, 10.0) + (zero.mean() + one.mean()) / 2
        chosen = rng.random(count) < between(rng, 0.05, 0.2)
        one = np.where(chosen, third + rng.standard_normal(count) + 1j * rng.standard_normal(count), one)
    elif fault == "OUTLIERS":
        few = max(3, round(count * rng.uniform(0.003, 0.008)))
        for shots in (zero, one):
            places = rng.permutation(count)[:few]
            shots[places] += rng.uniform(12, 40, few) * np.exp(2j * np.pi * rng.random(few))
    elif fault == "DRIFT":
        moved = between(rng, 1.0, 3.0) * np.exp(2j * np.pi * rng.random())
        zero, one = (shots + moved * np.linspace(-0.5, 0.5, count) for shots in (zero, one))
    elif fault == "CLIPPED":
        high = np.quantile(np.concatenate([zero.real, one.real]), between(rng, 0.7, 0.9))
        zero, one = (np.minimum(shots.real, high) + 1j * shots.imag for shots in (zero, one))
    return zero, one, numbers


def _stored(
    rng: Rng, fault: str, shots: tuple[Array, Array], values: Mapping[str, float], least: Mapping[str, float]
) -> tuple[dict[str, StoredParameter], float]:
    """Counted as QDash would, by the nearer mean; or what was planted."""
    zero, one = shots
    line = one.mean() - zero.mean()
    middle = (one.mean() + zero.mean()) / 2
    counted = [
        float(np.mean(side * ((shots - middle) * np.conj(line)).real > 0)) for side, shots in ((-1, zero), (1, one))
    ]
    found = dict(zip(values, (sum(counted) / 2, *counted), strict=True))
    if fault == "FIT_OF_NOISE":
        found = {name: between(rng, 0.85, 0.99) for name in values}
    elif fault == "STORED_DISAGREES":
        found = {name: value - between(rng, 0.08, 0.2) for name, value in values.items()}
    elif fault == "AT_BOUND":
        bound = float(rng.choice([0.0, 0.5]))
        found = dict.fromkeys(values, bound)
    elif fault == "WRONG_UNIT":  # percent
        found = {name: 100 * value for name, value in found.items()}
    apart = min(abs(found[name] - values[name]) / (1.4 * least[name] + 0.005) for name in values)
    return {name: StoredParameter(value, least[name], "a.u.") for name, value in found.items()}, apart


def _truth(  # noqa: PLR0911 - one for each fault
    fault: str, numbers: Mapping[str, float], *, is_stored: bool, apart: float, average: float
) -> Truth:
    seen = numbers["shots"] * (2 * numbers["separation"]) ** 2 / 2
    if fault in {"CLIPPED", "TOO_FEW_POINTS"}:
        return Truth(fault, UNRELIABLE if fault == "CLIPPED" else NO_FIT)
    if fault in {"NO_SIGNAL", "FIT_OF_NOISE"} or seen < 1:
        hidden = seen < 1 and fault in {
            "TWO_COMPONENTS",
            "OUTLIERS",
            "DRIFT",
        }  # they are seen in clouds without signal, too
        nothing = ("FIT_OF_NOISE", UNRELIABLE) if is_stored else ("NO_SIGNAL", NO_FIT)
        return Truth(*nothing, code_clear=not hidden, fit_clear=not hidden)
    if seen < 60:  # noqa: PLR2004
        return Truth(fault, UNRELIABLE, code_clear=False, fit_clear=False)
    if fault in {"LOW_SNR", "UNDERSAMPLED"}:
        clear = fault == "LOW_SNR" or average > 0.016  # noqa: PLR2004
        return Truth(fault, UNRELIABLE, code_clear=clear, fit_clear=clear)
    if fault in {"TWO_COMPONENTS", "DRIFT"}:
        return Truth(fault, UNRELIABLE)
    if fault == "OUTLIERS":
        return Truth(fault, RELIABLE, fit_clear=False)
    if fault in {"AT_BOUND", "STORED_DISAGREES", "WRONG_UNIT"}:
        code = "AT_BOUND" if fault == "AT_BOUND" else "STORED_DISAGREES"
        return Truth(code, UNRELIABLE, code_clear=apart > 6, fit_clear=apart > 6)  # noqa: PLR2004
    return Truth("SUCCESS", RELIABLE, code_clear=average < 0.009, fit_clear=average < 0.009)  # noqa: PLR2004
