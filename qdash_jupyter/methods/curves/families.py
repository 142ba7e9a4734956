"""What is known of each kind of curve: tasks, shapes, and QDash's parameters in its units."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qdash_jupyter.domain.units import factor
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
class Parameter:
    """A parameter of a curve.

    Attributes:
        unit: As QDash stores it.
        limit: The largest error at which it still tells something, one standard deviation, in parts of a size.
        of: Whose size: another parameter's name; its own where this is empty. Of `rad` it is the angle itself, of
            `lost` how far the value is from 1.
    """

    unit: str
    limit: float
    of: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of curve.

    Attributes:
        name: What a person calls it.
        tasks: QDash's tasks that measure it.
        unit: The unit of x that is computed in; x of another is converted. Nothing for counts.
        main: The parameter that the measurement is mostly made for.
        parameters: All of them, in the order in which they are told.
        base: What such a curve is.
        variants: The same physics, a little otherwise: where one fits better it takes the place of the base.
        nothing: What is left without a signal.
        read: The parameters of a fit.
        complex: Both quadratures are fitted.
        scattered: y is a magnitude of S, of which the square has the line's shape.
    """

    name: str
    tasks: tuple[str, ...]
    unit: str
    main: str
    parameters: Mapping[str, Parameter]
    base: Shape
    nothing: Shape
    read: Read
    variants: tuple[Shape, ...] = ()
    complex: bool = False
    scattered: bool = False

    @property
    def units(self) -> Mapping[str, str]:
        """The parameters' units."""
        return {name: one.unit for name, one in self.parameters.items()}

    def size(self, name: str, values: Mapping[str, float], totals: Mapping[str, float] | None = None) -> float:
        """What errors of a parameter are compared with, in its unit; where that is another parameter, which is itself
        known with an error of its own (`totals`), the least that it may be.
        """
        of = self.parameters[name].of
        if of == "rad":
            return 1.0
        if of == "lost":
            return abs(1 - values[name])
        by = factor(self.units[of], self.units[name]) if of and self.units[of] else 1.0
        unsure = totals[of] if totals is not None and of else 0.0
        return max(abs(values[of or name]) - unsure, 0.0) * (by or 1.0)


def _time(log_time: Any) -> float:
    return math.exp(min(max(float(log_time), -50.0), 50.0))


def _decay(name: str) -> Read:
    def read(coefficients: Array, theta: Array, axes: Axes) -> Values:
        time = _time(theta[0]) * axes.span
        begin = math.exp(min(axes.start / time, 50.0))
        return {
            name: time,
            "amplitude": float(coefficients[0]) * axes.scale * begin,
            "offset": float(coefficients[1]) * axes.scale + axes.level,
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
        level = float(coefficients[2]) * axes.scale + axes.level
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


def _of_decay(  # noqa: PLR0917 - a row of a table
    name: str,
    task: str,
    read: Read,
    parameters: Mapping[str, Parameter],
    variants: tuple[Shape, ...] = (),
    unit: str = "μs",
) -> Family:
    """An exponential."""
    return Family(
        name=name,
        tasks=(task,),
        unit=unit,
        main=next(iter(parameters)),
        parameters={
            **parameters,
            "amplitude": Parameter("", 0.2),
            "offset": Parameter("", 0.2, "amplitude"),
        },
        base=Decay(),
        nothing=Baseline(),
        read=read,
        variants=variants,
    )


T1 = _of_decay("T1", "CheckT1", _decay("t1"), {"t1": Parameter("μs", 0.15)})
T2_ECHO = _of_decay(
    "T2 echo",
    "CheckT2Echo",
    _decay("t2_echo"),
    {"t2_echo": Parameter("μs", 0.2)},
    (Decay(stretched=True),),
)
BENCHMARKING = _of_decay(
    "randomized benchmarking",
    "RandomizedBenchmarking",
    _benchmark,
    {"average_gate_fidelity": Parameter("a.u.", 0.2, "lost"), "depolarizing_rate": Parameter("a.u.", 0.2)},
    unit="",
)
RAMSEY = Family(
    name="Ramsey",
    tasks=("CheckRamsey",),
    unit="μs",
    main="t2_star",
    parameters={
        "ramsey_frequency": Parameter("MHz", 0.05),
        "t2_star": Parameter("μs", 0.2),
        "amplitude": Parameter("", 0.2),
        "phase": Parameter("rad", 0.3, "rad"),
        "offset": Parameter("", 0.2, "amplitude"),
    },
    base=Oscillation(),
    nothing=Baseline(),
    read=_oscillation(("ramsey_frequency", "t2_star", "amplitude", "phase", "offset")),
    variants=(Oscillation(stretched=True),),
)
RABI = Family(
    name="Rabi",
    tasks=("CheckRabi", "CheckQubit"),
    unit="μs",
    main="rabi_frequency",
    parameters={
        "rabi_frequency": Parameter("MHz", 0.05),
        "rabi_amplitude": Parameter("a.u.", 0.2),
        "rabi_phase": Parameter("rad", 0.3, "rad"),
        "rabi_offset": Parameter("a.u.", 0.2, "rabi_amplitude"),
        "decay_time": Parameter("μs", 0.5),
    },
    base=Oscillation(),
    nothing=Baseline(),
    read=_oscillation(("rabi_frequency", "decay_time", "rabi_amplitude", "rabi_phase", "rabi_offset")),
)


def _of_line(name: str, task: str, main: str, variants: tuple[Shape, ...] = (), *, scattered: bool = False) -> Family:
    """A line on a straight baseline."""
    return Family(
        name=name,
        tasks=(task,),
        unit="GHz",
        main=main,
        parameters={
            main: Parameter("GHz", 0.15, "linewidth"),
            "linewidth": Parameter("MHz", 0.3),
            "amplitude": Parameter("", 0.3),
            "offset": Parameter("", 0.3, "amplitude"),
        },
        base=Peak(),
        nothing=Baseline(slope=True),
        read=_line(main),
        variants=variants,
        scattered=scattered,
    )


RESONATOR = _of_line(
    "resonator spectroscopy",
    "CheckResonatorSpectroscopy",
    "readout_frequency",
    (Peak(asymmetric=True),),
    scattered=True,
)
QUBIT_SPECTROSCOPY = _of_line(
    "qubit spectroscopy", "CheckQubitSpectroscopy", "coarse_qubit_frequency", (Peak(gaussian=True),)
)
REFLECTION = Family(
    name="resonator reflection",
    tasks=("CheckReflectionCoefficient",),
    unit="GHz",
    main="resonator_frequency",
    parameters={
        "resonator_frequency": Parameter("GHz", 0.15, "linewidth"),
        "kappa_external": Parameter("MHz", 0.3),
        "kappa_internal": Parameter("MHz", 0.3, "linewidth"),
        "linewidth": Parameter("MHz", 0.3),
    },
    base=Reflection(),
    nothing=Delay(),
    read=_reflection,
    complex=True,
)
FAMILIES = (T1, T2_ECHO, RAMSEY, RABI, RESONATOR, REFLECTION, QUBIT_SPECTROSCOPY, BENCHMARKING)
"""All that are curves; the shots of a readout are judged in `readout`."""

_BY_TASK = {task: family for family in FAMILIES for task in family.tasks}


def family_of(task: str) -> Family | None:
    """The family of a task; None where its curves are not known here."""
    return _BY_TASK.get(task)


_DERIVED = {"CheckRamsey": {"qubit_frequency": "ramsey_frequency"}}
"""What QDash computes from a parameter of a curve: it can be trusted as far as that."""


def known_by(task: str, parameter: str) -> str:
    """The parameter of a task's curve from which a stored one follows; nothing where none does."""
    found = _DERIVED.get(task, {}).get(parameter, parameter)
    return found if found in parameters_of_task(task) else ""


def main_of(task: str) -> str:
    """What a task is mostly looked at for; nothing where its curves are not known here."""
    if task == READOUT:
        return FIDELITIES[0]
    family = family_of(task)
    return family.main if family is not None else ""


def parameters_of_task(task: str) -> tuple[str, ...]:
    """What a new fit of a task's points gives, by name; nothing where its curves are not known here."""
    if task == READOUT:
        return FIDELITIES
    family = family_of(task)
    return tuple(family.units) if family is not None else ()


def parameters_of(family: Family, coefficients: Array, theta: Array, axes: Axes) -> Array:
    """The parameters of a fit, in the order of the family's units, shape (p,)."""
    values = family.read(coefficients, theta, axes)
    return np.array([values[name] for name in family.units])


def apart(family: Family, one: Array, other: Array) -> Array:
    """The differences of parameters, shape (p,); angles are the same after a turn."""
    found: Array = one - other
    angles = [index for index, unit in enumerate(family.units.values()) if unit == "rad"]
    found[angles] = np.remainder(found[angles] + np.pi, 2 * np.pi) - np.pi
    return found


def slopes_of(family: Family, coefficients: Array, theta: Array, axes: Axes) -> Array:
    """The derivatives of the parameters by coefficients, then θ, shape (p, linear + nonlinear)."""
    count = len(coefficients)
    found = np.concatenate([coefficients, theta])
    slopes = np.zeros((len(family.units), len(found)))
    for index in range(len(found)):
        step = 1e-5 * max(abs(found[index]), 1e-2)
        ends = []
        for sign in (1, -1):
            moved = found.copy()
            moved[index] += sign * step
            ends.append(parameters_of(family, moved[:count], moved[count:], axes))
        slopes[:, index] = apart(family, *ends) / (2 * step)
    return slopes
