"""What is known of each kind of curve: tasks, shapes, and QDash's parameters in its units."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.shapes import Baseline, Decay, Delay, Oscillation, Peak, Reflection, Shape

Values = dict[str, float]

READOUT = "ReadoutClassification"
FIDELITIES = ("average_readout_fidelity", "readout_fidelity_0", "readout_fidelity_1")
"""What the shots of a readout give."""


@dataclass(frozen=True, slots=True)
class Axes:
    """From the window and the scaled values back to the lab's: x = start + span · u, y = level + scale · value."""

    start: float
    span: float
    level: float
    scale: float


Read = Callable[[Array, Array, Axes], Values]
"""Of coefficients, θ and axes: the parameters, in the family's units."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of curve.

    Attributes:
        name: What a person calls it.
        tasks: QDash's tasks that measure it.
        unit: The unit of x that is computed in; x of another is converted. Nothing for counts.
        units: The parameters in the order in which they are told, with their units as QDash stores them.
        key: What the measurement is for, with the largest relative error at which it still tells something.
        base: What such a curve is.
        variants: The same physics, a little otherwise: where one fits better it takes the place of the base.
        rivals: What else it may be, by the code for that.
        nothing: What is left without a signal.
        read: The parameters of a fit.
        relative_to: What the error of a frequency is compared with, where not with itself.
        complex: Both quadratures are fitted.
    """

    name: str
    tasks: tuple[str, ...]
    unit: str
    units: Mapping[str, str]
    key: Mapping[str, float]
    base: Shape
    nothing: Shape
    read: Read
    rivals: Mapping[str, Shape] = field(default_factory=dict)
    variants: tuple[Shape, ...] = ()
    relative_to: Mapping[str, str] = field(default_factory=dict)
    complex: bool = False


def _time(log_time: Any) -> float:
    return math.exp(min(max(float(log_time), -50.0), 50.0))


def _decay(name: str) -> Read:
    def read(coefficients: Array, theta: Array, axes: Axes) -> Values:
        time = _time(theta[0]) * axes.span
        begin = math.exp(min(axes.start / time, 50.0))
        return {
            name: time,
            "amplitude": float(coefficients[0]) * axes.scale * begin,
            "offset": float(coefficients[len(theta)]) * axes.scale + axes.level,
        }

    return read


def _benchmark(coefficients: Array, theta: Array, axes: Axes) -> Values:
    values = _decay("cliffords")(coefficients, theta, axes)
    lost = -math.expm1(-1 / values.pop("cliffords"))
    return {"average_gate_fidelity": 1 - lost / 2, "depolarizing_rate": lost, **values}


def _oscillation(names: tuple[str, str, str, str, str]) -> Read:
    def read(coefficients: Array, theta: Array, axes: Axes) -> Values:
        frequency = float(theta[1]) / axes.span
        time = _time(theta[0]) * axes.span
        size = math.hypot(coefficients[0], coefficients[1]) * axes.scale * math.exp(min(axes.start / time, 50.0))
        phase = math.atan2(-coefficients[1], coefficients[0]) - 2 * math.pi * frequency * axes.start
        level = float(coefficients[2 * (len(theta) - 1)]) * axes.scale + axes.level
        found = (frequency, time, size, math.remainder(phase, 2 * math.pi), level)
        return dict(zip(names, found, strict=True))

    return read


def _line(name: str) -> Read:
    def read(coefficients: Array, theta: Array, axes: Axes) -> Values:
        return {
            name: axes.start + float(theta[0]) * axes.span,
            "linewidth": 2e3 * _time(theta[1]) * axes.span,
            "amplitude": float(coefficients[0]) * axes.scale,
            "offset": float(coefficients[-2]) * axes.scale + axes.level,
        }

    return read


def _reflection(coefficients: Array, theta: Array, axes: Axes) -> Values:
    kappa = 2e3 * _time(theta[2]) * axes.span
    line, resonance = complex(*coefficients[:2]), complex(*coefficients[2:4])
    external = float(-(resonance / line).real) / 2 * kappa if line else math.nan
    return {
        "resonator_frequency": axes.start + float(theta[1]) * axes.span,
        "kappa_external": external,
        "kappa_internal": kappa - external,
        "linewidth": kappa,
    }


_EXPONENTIAL: Mapping[str, Shape] = MappingProxyType({"TWO_COMPONENTS": Decay(2), "DRIFT": Decay(drift=True)})
_COSINE: Mapping[str, Shape] = MappingProxyType({"BEATING": Oscillation(2), "DRIFT": Oscillation(drift=True)})


def _of_decay(  # noqa: PLR0917 - a row of a table
    name: str, task: str, key: str, unit: str, read: Read, units: Mapping[str, str]
) -> Family:
    """An exponential, of which `key` is wanted to 15 %."""
    return Family(
        name=name,
        tasks=(task,),
        unit=unit,
        units={**units, "amplitude": "", "offset": ""},
        key={key: 0.15},
        base=Decay(),
        nothing=Baseline(),
        read=read,
        rivals=_EXPONENTIAL,
    )


T1 = _of_decay("T1", "CheckT1", "t1", "μs", _decay("t1"), {"t1": "μs"})
T2_ECHO = _of_decay("T2 echo", "CheckT2Echo", "t2_echo", "μs", _decay("t2_echo"), {"t2_echo": "μs"})
BENCHMARKING = _of_decay(
    "randomized benchmarking",
    "RandomizedBenchmarking",
    "depolarizing_rate",
    "",
    _benchmark,
    {"average_gate_fidelity": "a.u.", "depolarizing_rate": "a.u."},
)
RAMSEY = Family(
    name="Ramsey",
    tasks=("CheckRamsey",),
    unit="μs",
    units={"ramsey_frequency": "MHz", "t2_star": "μs", "amplitude": "", "phase": "rad", "offset": ""},
    key={"t2_star": 0.2, "ramsey_frequency": 0.05},
    base=Oscillation(),
    nothing=Baseline(),
    read=_oscillation(("ramsey_frequency", "t2_star", "amplitude", "phase", "offset")),
    rivals=_COSINE,
    variants=(Oscillation(power=2),),
)
RABI = Family(
    name="Rabi",
    tasks=("CheckRabi", "CheckQubit"),
    unit="μs",
    units={
        "rabi_frequency": "MHz",
        "rabi_amplitude": "a.u.",
        "rabi_phase": "rad",
        "rabi_offset": "a.u.",
        "decay_time": "μs",
    },
    key={"rabi_frequency": 0.05, "rabi_amplitude": 0.2},
    base=Oscillation(),
    nothing=Baseline(),
    read=_oscillation(("rabi_frequency", "decay_time", "rabi_amplitude", "rabi_phase", "rabi_offset")),
    rivals=_COSINE,
)


def _of_line(name: str, task: str, key: str, variants: tuple[Shape, ...] = ()) -> Family:
    """A line, of which the place is wanted to 15 % of its width, and the width to 30 %."""
    return Family(
        name=name,
        tasks=(task,),
        unit="GHz",
        units={key: "GHz", "linewidth": "MHz", "amplitude": "", "offset": ""},
        key={key: 0.15, "linewidth": 0.3},
        base=Peak(),
        nothing=Baseline(slope=True),
        read=_line(key),
        rivals={"TWO_PEAKS": Peak(2)},
        variants=variants,
        relative_to={key: "linewidth"},
    )


RESONATOR = _of_line(
    "resonator spectroscopy", "CheckResonatorSpectroscopy", "readout_frequency", (Peak(asymmetric=True),)
)
QUBIT_SPECTROSCOPY = _of_line("qubit spectroscopy", "CheckQubitSpectroscopy", "coarse_qubit_frequency")
REFLECTION = Family(
    name="resonator reflection",
    tasks=("CheckReflectionCoefficient",),
    unit="GHz",
    units={"resonator_frequency": "GHz", "kappa_external": "MHz", "kappa_internal": "MHz", "linewidth": "MHz"},
    key={"resonator_frequency": 0.15, "linewidth": 0.3},
    base=Reflection(),
    nothing=Delay(),
    read=_reflection,
    rivals={"TWO_PEAKS": Reflection(2)},
    relative_to={"resonator_frequency": "linewidth"},
    complex=True,
)
FAMILIES = (T1, T2_ECHO, RAMSEY, RABI, RESONATOR, REFLECTION, QUBIT_SPECTROSCOPY, BENCHMARKING)
"""All that are curves; the shots of a readout are judged in `readout`."""

_BY_TASK = {task: family for family in FAMILIES for task in family.tasks}


def family_of(task: str) -> Family | None:
    """The family of a task; None where its curves are not known here."""
    return _BY_TASK.get(task)


def parameters_of_task(task: str) -> tuple[str, ...]:
    """What a new fit of a task's points gives, by name; nothing where its curves are not known here."""
    if task == READOUT:
        return FIDELITIES
    family = family_of(task)
    return tuple(family.units) if family is not None else ()


def parameters_of(
    family: Family, coefficients: Array, theta: Array, axes: Axes, covariance: Array
) -> tuple[Values, Array]:
    """The parameters of a fit, and their covariance by its slope at the solution."""
    count = len(coefficients)
    found = np.concatenate([coefficients, theta])
    values = family.read(coefficients, theta, axes)
    slopes = np.zeros((len(values), len(found)))
    for index in range(len(found)):
        apart = 1e-5 * max(abs(found[index]), 1e-2)
        upper, lower = found.copy(), found.copy()
        upper[index] += apart
        lower[index] -= apart
        above = family.read(upper[:count], upper[count:], axes)
        below = family.read(lower[:count], lower[count:], axes)
        slopes[:, index] = [(above[name] - below[name]) / (2 * apart) for name in values]
    return values, slopes @ covariance @ slopes.T
