"""How a measurement of each kind is drawn: places, parameters, and its noise-free values.

Times are in μs, frequencies of fringes in MHz, of lines in GHz, widths in MHz; amplitudes are 1 and get their unit at
the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from demo_chip.curves.information import Array, Mean, Numbers

Rng: TypeAlias = "np.random.Generator"
Drawn = tuple[Array, Numbers]
Draw = Callable[[Rng, str, Mapping[str, float]], Drawn]
"""Of randomness, fault, and parameters that are given: places and all parameters."""
Outputs: TypeAlias = "Mapping[str, tuple[str, str, Callable[[float], float]]]"
"""QDash's parameters: of which planted one, in which unit, and how."""


ADDED = ("second", "drift", "jump", "hum")
"""Parameters that are 0 in a curve without fault."""


def _in_order(count: int, p: Mapping[str, float]) -> Array:
    """What moves the level while points are taken: a drift, one jump, the mains."""
    order = np.linspace(-0.5, 0.5, count)
    values: Array = p.get("drift", 0.0) * order
    if p.get("jump"):
        values = values + p["jump"] * (order > p["jump_at"])
    if p.get("hum"):
        values = values + p["hum"] * np.cos(2 * np.pi * p["hum_periods"] * order)
    return values


def _disturbance(rng: Rng, fault: str, count: int, most: float) -> Numbers:
    if fault == "JUMP":
        return {"jump": between(rng, 0.4, 1.0) * most * float(rng.choice([-1, 1])), "jump_at": between(rng, -0.2, 0.2)}
    if fault == "PICKUP":
        return {"hum": between(rng, 0.4, 1.0) * most, "hum_periods": count / between(rng, 4.0, 9.0)}
    return {}


def decay(x: Array, p: Mapping[str, float]) -> Array:
    """One or two exponentials, an offset, and what the order of the points brings."""
    values = p["amplitude"] * np.exp(-x / abs(p["time"])) + p["offset"] + _in_order(len(x), p)
    if p["second"]:
        values = values + p["second"] * np.exp(-x / abs(p["second_time"]))
    return values


def fringes(x: Array, p: Mapping[str, float]) -> Array:
    """One or two cosines in an exponential envelope, an offset, and what the order of the points brings."""
    envelope = np.exp(-x / abs(p["time"]))
    waves = p["amplitude"] * np.cos(2 * np.pi * p["frequency"] * x + p["phase"])
    if p["second"]:
        waves = waves + p["second"] * np.cos(2 * np.pi * p["second_frequency"] * x + p["phase"])
    return envelope * waves + p["offset"] + _in_order(len(x), p)


def line(x: Array, p: Mapping[str, float]) -> Array:
    """One or two Lorentzian lines on a straight baseline; `width` is the full width at half maximum."""
    values = p["amplitude"] / (1 + ((x - p["centre"]) / (p["width"] / 2e3)) ** 2)
    if p["second"]:
        values = values + p["second"] / (1 + ((x - p["second_centre"]) / (p["width"] / 2e3)) ** 2)
    return values + p["offset"] + p["slope"] * (x - x.mean()) / max(np.ptp(x), 1e-12) + _in_order(len(x), p)


def reflection(x: Array, p: Mapping[str, float]) -> Array:
    """A complex reflection coefficient of one or two resonances behind a cable; `amplitude` is 2 κ_ext/κ."""
    resonance = p["amplitude"] / (1 + 2j * (x - p["centre"]) / (p["width"] / 1e3))
    if p["second"]:
        resonance = resonance + p["second"] / (1 + 2j * (x - p["second_centre"]) / (p["width"] / 1e3))
    turned = np.exp(1j * (p["phase"] - 2 * np.pi * p["delay"] * (x - x[0])))
    return p["offset"] * turned * (1 - resonance)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One kind of measurement.

    Attributes:
        family: Its name.
        task: QDash's task.
        unit: Of x.
        mean: The noise-free values.
        free: The parameters of a curve without fault.
        draw: Places and parameters.
        faults: What can be planted.
        asked: What the measurement is for, and the relative error up to which it is told by definition.
        relative_to: Whose size an error is compared with, where not its own; with the factor between the units.
        outputs: QDash's parameters of the planted ones, value by value: name, unit, and how.
        complex: Two quadratures.
        flat: A curve without signal is a straight line, not a constant.
    """

    family: str
    task: str
    unit: str
    mean: Mean
    free: tuple[str, ...]
    draw: Draw
    faults: tuple[str, ...]
    asked: Mapping[str, float]
    outputs: Outputs
    relative_to: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    complex: bool = False
    flat: bool = False


def between(rng: Rng, low: float, high: float) -> float:
    """Evenly."""
    return float(rng.uniform(low, high))


def across(rng: Rng, low: float, high: float) -> float:
    """Evenly on a logarithmic scale."""
    return float(np.exp(rng.uniform(math.log(low), math.log(high))))


def _decay_of(time: tuple[float, float], counts: tuple[int, ...], *, logarithmic: float, whole: bool) -> Draw:
    def draw(rng: Rng, fault: str, given: Mapping[str, float]) -> Drawn:
        tau = given.get("time", across(rng, *time))
        count = int(rng.choice(counts))
        windows = {
            "WINDOW_TOO_SHORT": across(rng, 0.12, 0.8),
            "WINDOW_TOO_LONG": count / across(rng, 0.5, 1.3),
            "TWO_COMPONENTS": between(rng, 3.5, 6.0),
            "LOW_SNR": between(rng, 3.5, 5.0),
        }
        decays = windows.get(fault, between(rng, 2.6, min(6.0, count / 4.5)))
        is_log = rng.random() < logarithmic and fault not in {"WINDOW_TOO_LONG", "WINDOW_TOO_SHORT"}
        x = np.geomspace(decays * tau / 150, decays * tau, count) if is_log else np.linspace(0, decays * tau, count)
        if whole:
            x = np.unique(np.round(x))
        second = fault == "TWO_COMPONENTS"
        share = between(rng, 0.35, 0.65) if second else 0.0
        drift = between(rng, 0.4, 1.0) * rng.choice([-1, 1]) if fault == "DRIFT" else 0.0
        return x, {
            "time": tau,
            "amplitude": 1.0 - share,
            "offset": between(rng, 0.0, 1.0),
            "drift": float(drift),
            "second": share,
            "second_time": tau * across(rng, 0.05, 0.18) if second else tau / 2,
            **_disturbance(rng, fault, len(x), 0.6),
        }

    return draw


def _ramsey(rng: Rng, fault: str, given: Mapping[str, float]) -> Drawn:
    tau = given.get("time", across(rng, 3.0, 60.0))
    count = int(rng.choice([81, 101, 121, 151]))
    decays, a_period = between(rng, 1.3, 3.5), between(rng, 6.0, 14.0)
    decays, a_period = given.get("decays", decays), given.get("a_period", a_period)
    if fault == "WINDOW_TOO_SHORT":
        decays = across(rng, 0.05, 0.35)
    if fault == "WINDOW_TOO_LONG":
        decays, a_period = count / across(rng, 1.8, 4.5), between(rng, 5.0, 7.0)
    if fault == "UNDERSAMPLED":
        a_period = between(rng, 2.2, 3.2)
    if fault == "ALIASED":
        a_period = 1 / between(rng, 0.6, 0.95)
    if fault == "BEATING":
        decays = between(rng, 1.3, 2.5)
    window = decays * tau
    if "frequency" in given and fault not in {"UNDERSAMPLED", "ALIASED", "WINDOW_TOO_LONG"}:
        count = max(count, round(window * given["frequency"] * a_period))
        a_period = count / (window * given["frequency"])
    x = np.linspace(0, window, count)
    frequency = count / (window * a_period)
    return x, _fringe_parameters(rng, fault, frequency, tau, window)


def _rabi(rng: Rng, fault: str, given: Mapping[str, float]) -> Drawn:
    frequency = given.get("frequency", across(rng, 5.0, 50.0))
    periods, a_period = between(rng, 2.5, 6.0), between(rng, 7.0, 14.0)
    if fault == "WINDOW_TOO_SHORT":
        periods = between(rng, 0.2, 0.6)
    if fault == "UNDERSAMPLED":
        periods, a_period = between(rng, 9.0, 16.0), between(rng, 2.2, 3.2)
    if fault == "ALIASED":
        periods, a_period = between(rng, 20.0, 40.0), 1 / between(rng, 0.6, 0.95)
    if fault == "BEATING":
        periods = between(rng, 4.0, 8.0)
    count = max(26, round(periods * a_period))
    window = periods / frequency
    x = np.linspace(0, window, count)
    return x, _fringe_parameters(rng, fault, frequency, window * across(rng, 1.0, 10.0), window)


def _fringe_parameters(rng: Rng, fault: str, frequency: float, tau: float, window: float) -> Numbers:
    beating = fault == "BEATING"
    drift = between(rng, 0.8, 2.0) * rng.choice([-1, 1]) if fault == "DRIFT" else 0.0
    return {
        "frequency": frequency,
        "time": tau,
        "amplitude": 1.0 if not beating else 0.6,
        "phase": between(rng, -0.3, 0.3),
        "offset": between(rng, -1.0, 1.0),
        "drift": float(drift),
        "second": between(rng, 0.25, 0.6) if beating else 0.0,
        "second_frequency": frequency + between(rng, 0.9, 3.0) / min(window, 2 * tau) * float(rng.choice([-1, 1])),
        **_disturbance(rng, fault, 0, 1.2),
    }


def _line_of(places: tuple[float, float], widths: tuple[float, float], signs: tuple[int, ...], *, cable: bool) -> Draw:
    def draw(rng: Rng, fault: str, given: Mapping[str, float]) -> Drawn:
        count = int(rng.choice([61, 81, 101, 121]))
        width = given.get("width", across(rng, *widths))
        on_line = between(rng, 3.5, 8.0)
        place = between(rng, 0.3, 0.7)
        if fault == "UNDERSAMPLED":
            on_line = between(rng, 0.2, 0.7)
        span = count * width / on_line
        if fault == "WINDOW_TOO_SHORT":
            if rng.random() < 0.5:  # noqa: PLR2004 - the line is wider than the window, or its centre outside of it
                span, place = width / between(rng, 1.2, 2.5), between(rng, 0.35, 0.65)
            else:
                outside = between(rng, 0.1, 0.6) * width / span
                place = -outside if rng.random() < 0.5 else 1 + outside  # noqa: PLR2004
        centre = given.get("centre", between(rng, *places))
        x = (centre - place * span / 1e3) + np.linspace(0, span / 1e3, count)
        sign = float(rng.choice(signs))
        apart = between(rng, 1.2, 4.0) * width / 1e3
        apart *= 1 if place < 0.5 else -1  # noqa: PLR2004 - towards the middle of the window
        size = between(rng, 0.6, 1.8) if cable else sign
        two = fault == "TWO_PEAKS"
        return x, {
            "centre": centre,
            "width": width,
            "amplitude": size / (2 if two and cable else 1),
            "offset": 1.0 if cable else between(rng, -1.0, 1.0),
            "slope": 0.0 if cable else between(rng, -0.2, 0.2),
            "phase": between(rng, -3.0, 3.0),
            "delay": between(rng, 10.0, 60.0),
            "second": (size / 2 if cable else size) * between(rng, 0.5, 1.0) if two else 0.0,
            "second_centre": centre + apart,
            **_disturbance(rng, fault, count, 0.4),
        }

    return draw


def _same(value: float) -> float:
    return value


def _fidelity(cliffords: float) -> float:
    return 1 - _lost(cliffords) / 2


def _lost(cliffords: float) -> float:
    return -math.expm1(-1 / cliffords)


_ALWAYS = (
    "GOOD",
    "NO_SIGNAL",
    "FIT_OF_NOISE",
    "WINDOW_TOO_SHORT",
    "CLIPPED",
    "CLIPPED_FLOOR",
    "OUTLIERS",
    "GLITCH",
    "GAP",
    "TOO_FEW_POINTS",
    "AT_BOUND",
    "STORED_DISAGREES",
    "WRONG_UNIT",
)
_DECAYS = (*_ALWAYS, "LOW_SNR", "WINDOW_TOO_LONG", "TWO_COMPONENTS", "DRIFT", "JUMP", "PICKUP")
_FRINGES = (*_ALWAYS, "UNDERSAMPLED", "ALIASED", "BEATING", "DRIFT", "JUMP")
_LINES = (*_ALWAYS, "UNDERSAMPLED", "TWO_PEAKS")
_OF_DECAY = ("time", "amplitude", "offset")
_OF_FRINGES = ("frequency", "time", "amplitude", "phase", "offset")
_OF_LINE = ("centre", "width", "amplitude", "offset", "slope")
_OF_REFLECTION = ("centre", "width", "amplitude", "offset", "phase", "delay")


def _decaying(family: str, task: str, unit: str, draw: Draw, outputs: Outputs) -> Recipe:
    return Recipe(family, task, unit, decay, _OF_DECAY, draw, _DECAYS, {"time": 0.15}, outputs)


def _lined(family: str, task: str, output: str, draw: Draw, *, cable: bool = False) -> Recipe:
    return Recipe(
        family,
        task,
        "GHz",
        reflection if cable else line,
        _OF_REFLECTION if cable else _OF_LINE,
        draw,
        _LINES if cable else (*_LINES, "JUMP", "PICKUP"),
        {"centre": 0.15, "width": 0.3},
        {output: ("centre", "GHz", _same)},
        {"centre": ("width", 1e-3)},
        complex=cable,
        flat=not cable,
    )


RECIPES: dict[str, Recipe] = {
    recipe.family: recipe
    for recipe in (
        _decaying(
            "T1",
            "CheckT1",
            "μs",
            _decay_of((10.0, 300.0), (31, 41, 51, 61, 81), logarithmic=0.4, whole=False),
            {"t1": ("time", "μs", _same)},
        ),
        _decaying(
            "T2 echo",
            "CheckT2Echo",
            "μs",
            _decay_of((10.0, 400.0), (31, 41, 51, 61, 81), logarithmic=0.2, whole=False),
            {"t2_echo": ("time", "μs", _same)},
        ),
        Recipe(
            "Ramsey",
            "CheckRamsey",
            "μs",
            fringes,
            _OF_FRINGES,
            _ramsey,
            (*_FRINGES, "LOW_SNR", "WINDOW_TOO_LONG"),
            {"time": 0.2, "frequency": 0.05},
            {"ramsey_frequency": ("frequency", "MHz", _same), "t2_star": ("time", "μs", _same)},
        ),
        Recipe(
            "Rabi",
            "CheckRabi",
            "μs",
            fringes,
            _OF_FRINGES,
            _rabi,
            _FRINGES,
            {"frequency": 0.05, "amplitude": 0.2},
            {"rabi_frequency": ("frequency", "MHz", _same)},
        ),
        _lined(
            "resonator spectroscopy",
            "CheckResonatorSpectroscopy",
            "readout_frequency",
            _line_of((6.0, 10.0), (0.5, 5.0), (-1,), cable=False),
        ),
        _lined(
            "resonator reflection",
            "CheckReflectionCoefficient",
            "resonator_frequency",
            _line_of((6.0, 10.0), (0.5, 5.0), (1,), cable=True),
            cable=True,
        ),
        _lined(
            "qubit spectroscopy",
            "CheckQubitSpectroscopy",
            "coarse_qubit_frequency",
            _line_of((4.0, 6.0), (0.3, 3.0), (-1, 1), cable=False),
        ),
        _decaying(
            "randomized benchmarking",
            "RandomizedBenchmarking",
            "",
            _decay_of((60.0, 2500.0), (18, 21, 26, 31), logarithmic=0.3, whole=True),
            {
                "average_gate_fidelity": ("time", "a.u.", _fidelity),
                "depolarizing_rate": ("time", "a.u.", _lost),
            },
        ),
    )
}
"""The kinds of curves by name; shots of a readout are made in `shots`."""
