"""What is judged: the points of one measurement, and what QDash stored of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"


@dataclass(frozen=True, slots=True)
class StoredParameter:
    """A number that QDash keeps, with its standard error (NaN or 0: not known) and its unit as stored."""

    value: float
    error: float = math.nan
    unit: str = ""


def _parameter(name: str, given: object) -> StoredParameter:
    if isinstance(given, StoredParameter):
        return given
    if isinstance(given, (int, float)):
        return StoredParameter(float(given))
    msg = f"{name} is a StoredParameter or a number, not {type(given).__name__}."
    raise ValueError(msg)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The points of one measurement, in the order in which they were taken.

    Arrays are copied and cannot be written; what is wrong with them (lengths, NaN, units) is said by `judge`.

    Attributes:
        task: QDash's name of the task: `"CheckT1"`.
        qid: Whose it is.
        x: Shape (n,): wait times, pulse lengths, frequencies or numbers of Cliffords, in `x_unit`.
        y: Shape (n,), in `y_unit`; complex where both quadratures were measured (I + iQ).
        x_unit: `"μs"`, `"ns"`, `"GHz"`, `"MHz"`, …; nothing for numbers of Cliffords.
        y_unit: As shown; nothing is computed with it.
        error: Shape (n,): one standard deviation of each y (of each quadrature), in `y_unit`; None where not known.
        stored: What the task stored: `{"t1": StoredParameter(48.2, 1.9, "μs")}`, or `{"t1": 48.2}` in the unit of the
            fit; empty for a failed one.
        inputs: What the task started from, such as the `detuning` of a Ramsey experiment.
        fit_x: Shape (m,): places of the fit's line in the stored figure, in `x_unit`; None without one.
        fit_y: Shape (m,): its values.
        task_id: QDash's id of the result.
        time: When it was measured.
    """

    task: str
    qid: str
    x: Array
    y: Array
    x_unit: str = ""
    y_unit: str = ""
    error: Array | None = None
    stored: Mapping[str, StoredParameter] = field(default_factory=dict)
    inputs: Mapping[str, StoredParameter] = field(default_factory=dict)
    fit_x: Array | None = None
    fit_y: Array | None = None
    task_id: str = ""
    time: datetime | None = None

    def __post_init__(self) -> None:
        """Copies the arrays; a bare number among `stored` and `inputs` is one without an error and a unit.

        Raises:
            ValueError: What is given for one of them are no numbers.
        """
        for name in ("stored", "inputs"):
            object.__setattr__(self, name, {key: _parameter(key, one) for key, one in getattr(self, name).items()})
        for name in ("x", "y", "error", "fit_x", "fit_y"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _kept(given, name))


@dataclass(frozen=True, slots=True, eq=False)
class Shots:
    """Single shots of a readout: what came of a qubit prepared in |0⟩ and in |1⟩, in the order of the measurement.

    Attributes:
        qid: Whose they are.
        zero: Shape (n,), complex: I + iQ of each shot prepared in |0⟩, in `unit`.
        one: Shape (m,), complex: of each prepared in |1⟩.
        unit: Of I and Q.
        task: QDash's name of the task.
        stored: What the task stored: `average_readout_fidelity`, `readout_fidelity_0`, `readout_fidelity_1`, fractions.
        task_id: QDash's id of the result.
        time: When it was measured.
    """

    qid: str
    zero: Array
    one: Array
    unit: str = "a.u."
    task: str = "ReadoutClassification"
    stored: Mapping[str, StoredParameter] = field(default_factory=dict)
    task_id: str = ""
    time: datetime | None = None

    def __post_init__(self) -> None:
        """Copies the shots.

        Raises:
            ValueError: They are no numbers.
        """
        for name in ("zero", "one"):
            object.__setattr__(self, name, _kept(getattr(self, name), name).astype(complex))


def _kept(given: Any, name: str) -> Array:
    """A copy as floats or complex numbers, flat, that cannot be written."""
    values = np.asarray(given)
    try:
        kept: Array = np.array(values, dtype=complex if values.dtype.kind == "c" else float).ravel()
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} of a curve has to be numbers, not {values.dtype}") from None
    kept.flags.writeable = False
    return kept
