"""Makes curves: of a kind, with a fault, through noise, from a seed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from demo_chip.curves.information import Array, Numbers, influence, least_errors
from demo_chip.curves.recipes import ADDED, RECIPES, Recipe, Rng, across, between
from demo_chip.curves.shots import READOUT, READOUT_FAULTS, made_shots
from demo_chip.curves.truth import Setting, Truth, truth_of
from qdash_jupyter.methods.curves.curve import Curve, Shots, StoredParameter

FAMILIES = (*RECIPES, READOUT)
"""All kinds."""

OTHER_FAULTS: Mapping[str, str] = {
    "CLIPPED_FLOOR": "the side of the floor is cut off (CLIPPED)",
    "GLITCH": "one point lies 12 to 400 amplitudes off (OUTLIERS)",
    "GAP": "the points are missing where the curve tells most (SUCCESS or LOW_SNR, by what the others tell)",
    "WRONG_UNIT": "the stored value is a thousand times the right one or a thousandth of it; of a fidelity, percent "
    "(STORED_DISAGREES)",
    "JUMP": "the level jumps once while the points are taken (DRIFT)",
    "PICKUP": "the mains are seen in the points, every 4 to 9 of them a period (UNEXPLAINED)",
}
"""What is planted under a name that is no code, and the code that it should have where noise does not hide it."""

NOISE: Mapping[str, tuple[float, float]] = {
    "easy": (40.0, 100.0),
    "good": (15.0, 40.0),
    "fair": (7.0, 15.0),
    "hard": (3.0, 7.0),
    "hopeless": (0.05, 0.3),
}
"""Amplitude over the standard deviation of one point, from … to."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """A curve that was made, and what is true of it; `deviation` is that of a point or a shot, in the curve's unit."""

    family: str
    fault: str
    seed: int
    noise: str
    curve: Curve | Shots
    truth: Truth
    deviation: float


def faults_of(family: str) -> tuple[str, ...]:
    """What can be planted in curves of a family; the first is `GOOD`."""
    return READOUT_FAULTS if family == READOUT else RECIPES[family].faults


def simulated(
    family: str,
    fault: str = "GOOD",
    seed: int = 0,
    noise: str = "good",
    *,
    given: Mapping[str, float] | None = None,
    qid: str = "0",
) -> Simulated:
    """One curve; the same for the same arguments.

    Args:
        family: One of `FAMILIES`.
        fault: One of `faults_of(family)`.
        seed: Of all that is random.
        noise: One of `NOISE`; with the fault LOW_SNR, the noise is what makes it.
        given: Planted parameters that are not drawn: `time` (μs; of benchmarking, Cliffords), `frequency` (MHz; of
            Rabi), `centre` (GHz) and `width` (MHz) of lines, `separation` of a readout; `scale`, the unit
            of amplitudes; of Ramsey fringes `decays`, the window in decay times, and points `a_period`.
        qid: Whose curve it shall be.

    Raises:
        ValueError: The family has no such fault.
    """
    if fault not in faults_of(family):
        raise ValueError(f"{family} has no fault {fault}: {', '.join(faults_of(family))}")
    names = f"{family}/{fault}/{noise}".encode()
    rng = np.random.default_rng([seed, *names])
    if family == READOUT:
        shots, truth, scale = made_shots(rng, fault, NOISE[noise], dict(given or {}), qid)
        return Simulated(family, fault, seed, noise, shots, truth, scale)
    curve, truth, deviation = _made(RECIPES[family], rng, fault, NOISE[noise], given=dict(given or {}), qid=qid)
    return Simulated(family, fault, seed, noise, curve, truth, deviation)


def _made(
    recipe: Recipe, rng: Rng, fault: str, ratio: tuple[float, float], *, given: Numbers, qid: str
) -> tuple[Curve, Truth, float]:
    x, numbers = recipe.draw(rng, fault, given)
    x = _left(recipe, rng, fault, x, numbers)
    plain = numbers | {name: 0.0 for name in ADDED if name in numbers}
    least = least_errors(recipe.mean, x, plain, recipe.free)
    noise: float = 1 / across(rng, *ratio)
    if fault == "LOW_SNR":
        name, limit = next(iter(recipe.asked.items()))
        noise = limit * abs(numbers[name]) / least[name] * across(rng, 1.65, 2.5)
    if fault in {"NO_SIGNAL", "FIT_OF_NOISE"}:
        numbers = numbers | {"amplitude": 0.0, "second": 0.0}
    is_stored = fault in {"FIT_OF_NOISE", "AT_BOUND", "STORED_DISAGREES", "WRONG_UNIT"} or (
        fault != "NO_SIGNAL" and rng.random() < 0.8  # noqa: PLR2004
    )
    clean = recipe.mean(x, numbers)
    scatter: Array = np.asarray(noise * rng.standard_normal(clean.shape))
    if recipe.complex:
        scatter = scatter + 1j * noise * rng.standard_normal(clean.shape)
    moved = _wild(rng, clean, fault)
    y = clean + scatter + moved
    cut = np.zeros_like(y)
    if fault in {"CLIPPED", "CLIPPED_FLOOR"}:
        cut = _clipped(rng, y, clean, floor=fault == "CLIPPED_FLOOR") - y
        y = y + cut
    errors = {name: value * noise for name, value in least.items()}
    shift = influence(recipe.mean, x, plain, recipe.free, scatter + moved)
    found = plain | {name: plain[name] + shift[name] for name in recipe.free}
    stored, apart = _stored(recipe, rng, fault, x, (plain, found, errors)) if is_stored else ({}, 0.0)
    truth = truth_of(Setting(recipe, fault, x, numbers, noise, moved, cut, is_stored, apart))
    scale = float(10 ** rng.uniform(-3, 1) * rng.choice([-1, 1], p=[0.3, 0.7])) if not recipe.complex else 1.0
    scale = given.get("scale", scale)
    shown, unit = _shown(rng, recipe.unit)
    error = np.full(len(x), noise * abs(scale) * between(rng, 0.9, 1.1)) if rng.random() < 0.5 else None  # noqa: PLR2004
    curve = Curve(
        recipe.task,
        qid,
        x * shown,
        y * scale,
        x_unit=unit,
        y_unit="a.u.",
        error=error,
        stored=stored,
        inputs=_inputs(recipe, rng, numbers),
    )
    return curve, truth, noise * abs(scale)


def _left(recipe: Recipe, rng: Rng, fault: str, x: Array, numbers: Numbers) -> Array:
    """The places that were measured: fewer than parameters, or all but those where the curve tells most."""
    if fault == "TOO_FEW_POINTS":
        most = len(recipe.free) // (1 + recipe.complex)
        return x[np.linspace(0, len(x) - 1, int(rng.integers(2, most + 1))).round().astype(int)]
    if fault != "GAP":
        return x
    if "width" in numbers:
        begin, end = (numbers["centre"] + side * between(rng, 0.3, 0.8) * numbers["width"] / 1e3 for side in (-1, 1))
    elif "frequency" in numbers:
        begin = x[0] + between(rng, 0.2, 0.5) * (x[-1] - x[0])
        end = begin + between(rng, 0.15, 0.3) * (x[-1] - x[0])
    else:
        begin, end = (x[0] + part * numbers["time"] for part in (0.6, between(rng, 1.4, 2.0)))
    kept: Array = x[(x < begin) | (x > end)]
    return kept


def _wild(rng: Rng, clean: Array, fault: str) -> Array:
    """What a few points have beside the curve, no two of them side by side: an amplitude or so, or one very much."""
    count = len(clean)
    moved = np.zeros_like(clean)
    if fault not in {"OUTLIERS", "GLITCH"}:
        return moved
    places = rng.permutation(np.arange(1, count - 1, 3))[: max(1, round(count * rng.uniform(0.015, 0.06)))]
    sizes = rng.uniform(0.6, 2.0, len(places)) * rng.choice([-1, 1], len(places))
    if fault == "GLITCH":
        places, sizes = places[:1], sizes[:1] * across(rng, 20.0, 200.0)
    moved[places] = sizes * (np.exp(2j * np.pi * rng.random(len(places))) if np.iscomplexobj(clean) else 1.0)
    return moved


def _clipped(rng: Rng, y: Array, clean: Array, *, floor: bool) -> Array:
    """With the top cut off, or the bottom, where the curve goes; or its other side, the floor."""
    if np.iscomplexobj(y):
        return _clipped(rng, y.real, clean.real, floor=floor) + 1j * y.imag
    count = max(6, round(len(y) * rng.uniform(0.12, 0.3)))
    ascending = np.sort(y)
    upwards = floor != (abs(clean.max() - np.median(clean)) > abs(clean.min() - np.median(clean)))
    cut: Array = np.minimum(y, ascending[-count]) if upwards else np.maximum(y, ascending[count - 1])
    return cut


def _stored(
    recipe: Recipe, rng: Rng, fault: str, x: Array, planted: tuple[Numbers, Numbers, Numbers]
) -> tuple[dict[str, StoredParameter], float]:
    """What was stored of the curve, and by how many errors it is off where that was planted."""
    plain, found, errors = planted
    window = float(x[-1] - x[0])
    stored, apart = {}, 0.0
    name = next(iter(recipe.asked))
    value, error, scale = _plausible(name, found, plain, x), errors[name], 1.0
    if fault == "FIT_OF_NOISE":
        value = float(rng.uniform(x[0], x[-1])) if name == "centre" else plain[name] * across(rng, 0.3, 3.0)
        error = 0.1 * (plain["width"] / 1e3 if name == "centre" else value)
    elif fault == "STORED_DISAGREES":
        factor = across(rng, 1.6, 3.0) ** float(rng.choice([-1, 1]))
        aside = between(rng, 1.5, 4.0) * plain.get("width", 0.0) / 1e3 * float(rng.choice([-1, 1]))
        value = plain[name] + aside if name == "centre" else plain[name] * min(factor, _highest(recipe, plain, x))
    elif fault == "AT_BOUND":
        value, error = _bound(rng, recipe, x, plain), float(rng.choice([0.0, math.inf, errors[name]]))
    elif fault == "WRONG_UNIT":  # of a fidelity: percent
        scale = float((1e3 if recipe.unit else 1e2) ** rng.choice([-1, 1]))
    elif fault == "ALIASED":
        rate = (len(x) - 1) / window
        folded = plain["frequency"] % rate
        found = found | {"frequency": min(folded, rate - folded)}
        value = found[name]
    if fault in {"AT_BOUND", "STORED_DISAGREES", "WRONG_UNIT"}:
        both = math.hypot(scale * error if math.isfinite(error) else 0.0, errors[name])
        apart = abs(scale * value - plain[name]) / both
        apart = _SURELY if fault == "AT_BOUND" and math.isinf(error) else apart
    for output, (of, unit, convert) in recipe.outputs.items():
        kept, spread = (value, error) if of == name else (_plausible(of, found, plain, x), errors[of])
        if kept <= 0:
            stored[output] = StoredParameter(0.0, spread, unit)
            continue
        by = scale if of == name else 1.0
        slope = by * abs(convert(kept * (1 + 1e-4)) - convert(kept * (1 - 1e-4))) / (2e-4 * kept)
        stored[output] = StoredParameter(convert(kept) * by, slope * spread if math.isfinite(spread) else spread, unit)
    return stored, apart


_SURELY = 100.0


def _highest(recipe: Recipe, plain: Numbers, x: Array) -> float:
    """A factor that leaves a frequency below what the steps resolve."""
    if next(iter(recipe.asked)) != "frequency":
        return math.inf
    return 0.9 * 0.5 * (len(x) - 1) / float(x[-1] - x[0]) / plain["frequency"]


def _plausible(name: str, found: Numbers, plain: Numbers, x: Array) -> float:
    """A fit's value, kept where a fit would keep it."""
    if name == "centre":
        return float(np.clip(found[name], x[0], x[-1]))
    return float(np.clip(found[name], 0.2 * plain[name], 5 * plain[name]))


def _bound(rng: Rng, recipe: Recipe, x: Array, plain: Numbers) -> float:
    name = next(iter(recipe.asked))
    if not recipe.unit:  # nothing is lost in a Clifford, or all
        return float(rng.choice([1e300, 1e-9]))
    if name == "centre":
        return float(rng.choice([x[0], x[-1]]))
    if name == "frequency":
        return float(rng.choice([0.0, 0.1]))
    return float(rng.choice([0.0, 1e4, 1e5 if plain[name] > 1e3 else 1e3]))  # noqa: PLR2004


def _shown(rng: Rng, unit: str) -> tuple[float, str]:
    """In one of the units that axes have."""
    others = {"μs": [(1.0, "μs"), (1e3, "ns")], "GHz": [(1.0, "GHz"), (1e3, "MHz")]}.get(unit, [(1.0, unit)])
    return others[int(rng.integers(len(others)))]


def _inputs(recipe: Recipe, rng: Rng, numbers: Numbers) -> dict[str, StoredParameter]:
    """What the task started with: the frequency that it expects."""
    expected = numbers.get("frequency", 0.0) * between(rng, 0.99, 1.01)
    if recipe.family == "Ramsey":
        return {"detuning": StoredParameter(expected / 1e3, unit="GHz")}
    if recipe.family == "Rabi":
        amplitude = between(rng, 0.01, 0.1)
        return {
            "control_amplitude": StoredParameter(amplitude, unit="a.u."),
            "maximum_rabi_frequency": StoredParameter(expected / amplitude, unit="MHz/a.u."),
        }
    return {}


__all__ = ["FAMILIES", "NOISE", "OTHER_FAULTS", "Simulated", "faults_of", "simulated"]
