"""Single shots of a readout that may relax while it is measured, and of states that are no qubit's."""

from __future__ import annotations

import math

import numpy as np

from qdash_jupyter.methods.curves.curve import Shots
from simulated_curves.apparatus import Array, Rng

_PARAMETERS = frozenset({"average_readout_fidelity", "separation"})


def made_shots(rng: Rng, kind: str) -> tuple[Shots, dict[str, float], frozenset[str], frozenset[str]]:
    """Shots, the planted fidelity and separation, and which of them should and should not be trusted."""
    count = 60 if kind == "few" else int(rng.integers(1000, 4001))
    half = float(rng.uniform(1.6, 3.5)) if kind != "nothing" else 0.0
    excited, relaxed = rng.uniform(0.0, 0.03), rng.uniform(0.0, 0.08)
    in_one = rng.random(count) < excited, rng.random(count) >= relaxed
    places = [np.where(of, half, -half).astype(complex) for of in in_one]
    if kind == "relaxing":  # the mean over the time until the decay
        left = np.minimum(rng.exponential(1 / rng.uniform(0.1, 0.3), count), 1.0)
        places[1] = np.where(in_one[1], -half + 2 * half * left, -half).astype(complex)
    if kind == "third":  # |2⟩ on the axis, behind |1⟩
        third = rng.random(count) < 0.15  # noqa: PLR2004
        places[1] = np.where(third, half + 12.0, places[1])
    if kind == "leaked":
        third = rng.random(count) < 0.5  # noqa: PLR2004
        places[1] = np.where(third, half + 5.0, places[1])
    turned = np.exp(2j * np.pi * rng.random()) * 10 ** rng.uniform(-3, 2)
    zero, one = ((place + _noise(rng, count)) * turned for place in places)
    overlap = 0.5 * math.erfc(half / math.sqrt(2))
    fidelity = 1 - (excited + relaxed) / 2 * (1 - 2 * overlap) - overlap
    truth = {"average_readout_fidelity": fidelity, "separation": half}
    bad = _PARAMETERS if kind in {"leaked", "nothing"} else frozenset[str]()
    bad = frozenset({"average_readout_fidelity"}) if kind in {"few", "third"} else bad
    good = _PARAMETERS if kind == "plain" else frozenset[str]()
    if kind == "relaxing":
        truth.pop("average_readout_fidelity")
        good = frozenset({"average_readout_fidelity"})
    return Shots("0", zero, one), truth, good, bad


def _noise(rng: Rng, count: int) -> Array:
    found: Array = rng.standard_normal(count) + 1j * rng.standard_normal(count)
    return found
