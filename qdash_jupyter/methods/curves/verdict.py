"""What is said of a curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.messages.message import Message, number_text
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Status, Trust
from qdash_jupyter.methods.measurements import label
from qdash_jupyter.methods.numerics import scipy

if TYPE_CHECKING:
    from qdash_jupyter.methods.curves.curve import Curve, Shots
    from qdash_jupyter.methods.curves.fit import CurveFit

_LONGEST = 600
PART = "error_by_"
"""How the names of numbers begin that are a part of a budget."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number that a verdict rests on.

    Attributes:
        name: What it is: `outlier_shift`, `relative_error`, …; `curve-number` in the catalogues says it in words.
        value: The number.
        unit: Its unit; nothing for a pure number.
        limit: Where the verdict would change; NaN where it only informs.
        least: The number has to be at least the limit, else at most.
        of: The parameter that it is about, by QDash's name; nothing where it is about the curve.
    """

    name: str
    value: float
    unit: str = ""
    limit: float = math.nan
    least: bool = True
    of: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is on the good side."""
        if math.isnan(self.limit):
            return True
        return self.value >= self.limit if self.least else self.value <= self.limit

    def told(self) -> Message:
        """In words, with its limit."""
        what = Message("curve-number", what=self.name, name=Message("curve-parameter", name=self.of))
        unit = f" {self.unit}" if self.unit else ""
        value = f"{number_text(_short(self.value))}{unit}"
        if math.isnan(self.limit):
            return Message("number-value", what=what, value=value)
        limit = f"{number_text(_short(self.limit))}{unit}"
        if self.least:
            return Message("number-at-least", what=what, value=value, limit=limit)
        return Message("number-at-most", what=what, value=value, limit=limit)

    def as_json(self) -> JsonObject:
        """Return what a model reads, and `number_of` makes a number of again."""
        told: JsonObject = {"what": self.name, "value": _short(self.value)}
        told |= {"of": self.of} if self.of else {}
        told |= {"unit": self.unit} if self.unit else {}
        limit = {"at_least" if self.least else "at_most": _short(self.limit)}
        return told if math.isnan(self.limit) else told | limit


def number_of(told: Mapping[str, Any]) -> Number:
    """Return the number that `as_json` has written."""
    limit = told.get("at_least", told.get("at_most", math.nan))
    value, unit = told["value"], told.get("unit", "")
    return Number(
        told["what"], math.nan if value is None else value, unit, limit, "at_most" not in told, told.get("of", "")
    )


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an error budget: what it comes from, and one standard deviation in the parameter's unit."""

    code: Code
    size: float


def largest_first(sizes: Iterable[tuple[Code, float]]) -> tuple[Part, ...]:
    """The parts of a budget that have a size."""
    return tuple(sorted((Part(code, size) for code, size in sizes if size > 0), key=lambda part: -part.size))


@dataclass(frozen=True, slots=True)
class Judged:
    """A parameter of the new fit with its error budget.

    Attributes:
        value: Of the fit, in `unit`.
        error: One standard deviation that noise leaves, in `unit`.
        unit: As QDash stores the parameter.
        parts: The systematic error by what it comes from, the largest first, in `unit`.
        limit: The largest error at which the value is of use, in `unit`; docs/curves.md has the table.
        free: Degrees of freedom of `error`.
        fit: Whether the value can be trusted: the stored one where there is one, else the new one.
        code: Why not, or what is worth knowing of it.
    """

    value: float
    error: float
    unit: str
    parts: tuple[Part, ...]
    limit: float
    free: float
    fit: Trust
    code: Code

    @property
    def systematic(self) -> float:
        """All systematic parts together, one standard deviation in `unit`."""
        return math.hypot(*(part.size for part in self.parts))

    @property
    def total(self) -> float:
        """The whole budget, one standard deviation in `unit`."""
        return math.hypot(self.error, self.systematic)

    @property
    def exceeds(self) -> bool:
        """The budget is larger than what the parameter is used for."""
        return not self.total <= self.limit

    @property
    def interval(self) -> tuple[float, float]:
        """What noise leaves of the value in 95 % of all cases, from … to, in `unit`: by Student's t."""
        aside = float(scipy().special.stdtrit(self.free, 0.975)) * self.error
        return self.value - aside, self.value + aside

    @property
    def largest(self) -> Code:
        """The code of the largest part of the budget; LOW_SNR is noise."""
        return max((Part(Code.LOW_SNR, self.error), *self.parts), key=lambda part: part.size).code


@dataclass(frozen=True, slots=True)
class Compared:
    """A stored parameter beside that of the new fit, both in `unit`; `sigmas` of both apart, NaN where unknown."""

    name: str
    stored: float
    stored_error: float
    fitted: float
    fitted_error: float
    unit: str
    sigmas: float


@dataclass(frozen=True, slots=True, eq=False)
class CurveVerdict:
    """Whether the value that comes from a curve can be trusted, and why.

    Attributes:
        task: QDash's name of the task.
        qid: Whose curve it is.
        family: The kind of curve, in words; nothing for a task that is not known here.
        fit: Whether the value of the task's main parameter can be trusted: the stored one where there is one, else the
            new one.
        status: What kind of outcome the measurement had.
        code: What decided of the main parameter.
        message: That in a sentence, in the language of whoever reads it; `reason` is its English.
        numbers: The numbers that decided come first.
        parameters: Of the new fit, by QDash's names, each with its own verdict and error budget; empty without a fit.
        stored: The stored parameters beside the new ones.
        refit: The new fit; None without one, and of a readout's shots.
        task_id: QDash's id of the result.
        time: When it was measured.
    """

    task: str
    qid: str
    family: str
    fit: Trust
    status: Status
    code: Code
    message: Message
    numbers: tuple[Number, ...] = ()
    parameters: Mapping[str, Judged] = field(default_factory=dict)
    stored: tuple[Compared, ...] = ()
    refit: CurveFit | None = None
    task_id: str = ""
    time: datetime | None = None

    @classmethod
    def of(
        cls, curve: Curve | Shots, family: str, code: Code, numbers: tuple[Number, ...] = (), **more: Any
    ) -> CurveVerdict:
        """What a code says of a curve; `more` is what else is known, or known better."""
        meaning = MEANINGS[code]
        said: dict[str, Any] = {"fit": meaning.fit, "status": meaning.status, "code": code, "message": meaning.sentence}
        whose = {name: getattr(curve, name) for name in ("task", "qid", "task_id", "time")}
        return cls(family=family, numbers=numbers, **(whose | said | more))

    @property
    def reason(self) -> str:
        """What decided, in a sentence."""
        return str(self.message)

    @property
    def decisive(self) -> tuple[Number, ...]:
        """What decided: the numbers on the wrong side of their limits, and then the parts of the budget; where all is
        well, all numbers.
        """
        failing = tuple(one for one in self.numbers if not one.holds)
        parts = tuple(one for one in self.numbers if one.name.startswith(PART))
        return (*failing, *parts) if failing else self.numbers

    @property
    def others(self) -> dict[str, Judged]:
        """The parameters with a unit whose verdict is not that of the main one."""
        return {
            name: one
            for name, one in self.parameters.items()
            if one.fit is not self.fit and one.unit not in {"", "rad"}
        }

    @property
    def next(self) -> str:
        """What to measure next."""
        return str(MEANINGS[self.code].next)

    def told(self, most: int = _LONGEST) -> str:
        """The verdict for a model, in at most so many characters; what decided comes first."""
        begin = f"{self.task} of {label(self.qid)}: fit {self.fit} ({self.code}, {self.status}). {self.reason}"
        parts = [begin]
        if self.decisive:
            parts.append("; ".join(str(one.told()) for one in self.decisive[:3]) + ".")
        if others := [f"{name} {one.fit} ({one.code})" for name, one in self.others.items()]:
            parts.append(f"But {', '.join(others)}.")
        compared = [
            f"{one.name}: stored {with_error(one.stored, one.stored_error, one.unit)}, refit "
            f"{with_error(one.fitted, one.fitted_error, one.unit)}"
            + ("" if math.isnan(one.sigmas) else f", {one.sigmas:.1f} σ apart")
            for one in self.stored
        ]
        beside = {one.name for one in self.stored}
        compared += [
            f"{name}: refit {with_error(one.value, one.error, one.unit)}"
            for name, one in self.parameters.items()
            if name not in beside and one.unit not in {"", "rad"}
        ]
        parts += [f"{one}." for one in compared[:3]]
        if self.code is not Code.SUCCESS:
            parts.append(f"Next: {self.next}")
        text = ""
        for part in parts:
            if len(text) + 1 + len(part) > most:
                break
            text = f"{text} {part}" if text else part
        return text or f"{begin[: most - 1]}…"


def _short(value: float) -> float:
    return float(f"{value:.3g}")
