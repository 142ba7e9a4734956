"""Many results at once: which stored values their own points do not support."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd

from qdash_jupyter.methods.curves.codes import Code, Trust
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.families import main_of, parameters_of_task
from qdash_jupyter.methods.curves.judge import judge
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import CurveVerdict

_METHOD = (
    "Each curve fitted again from its points and judged (docs/curves.md); stored and new values are compared in "
    "standard deviations of both."
)
_COLUMNS = [
    *("task", "qid", "time", "task_id", "parameter", "unit", "stored", "stored ±", "refit", "refit ±", "σ apart"),
    *("fit", "status", "code", "unreliable", "look at", "reason"),
]


@dataclass(frozen=True, slots=True)
class Audited:
    """One result of an audit.

    Attributes:
        verdict: On its curve.
        parameter: What it is looked at for.
        look_at: Why a person should look: `"stored value off"`, `"stored, but not to be trusted"`, `"failed, but there
            was a signal"`; nothing where all is well.
    """

    verdict: CurveVerdict
    parameter: str
    look_at: str

    def row(self) -> dict[str, object]:
        """As a row of the table; NaN where there is no number."""
        verdict = self.verdict
        fitted = verdict.parameters.get(self.parameter)
        beside = next((one for one in verdict.stored if one.name == self.parameter), None)
        return {
            "task": verdict.task,
            "qid": verdict.qid,
            "time": verdict.time,
            "task_id": verdict.task_id,
            "parameter": self.parameter,
            "unit": fitted.unit if fitted else "",
            "stored": beside.stored if beside else math.nan,
            "stored ±": beside.stored_error if beside else math.nan,
            "refit": fitted.value if fitted else math.nan,
            "refit ±": fitted.error if fitted else math.nan,
            "σ apart": beside.sigmas if beside else math.nan,
            "fit": str(verdict.fit),
            "status": str(verdict.status),
            "code": str(verdict.code),
            "unreliable": unreliable(verdict),
            "look at": self.look_at,
            "reason": verdict.reason,
        }


def audited(curves: Iterable[Curve | Shots]) -> Iterator[Audited]:
    """Judges one curve after the other, so that a caller can show how far it is, and stop.

    Yields:
        One for each curve, in their order.
    """
    for curve in curves:
        verdict = judge(curve)
        parameter = main_of(curve.task)
        yield Audited(verdict, parameter, _look_at(curve, verdict))


def audit(curves: Iterable[Curve | Shots]) -> pd.DataFrame:
    """Fits many results again and says which stored values their own points do not support.

    `audited` does the same curve by curve, for a caller who shows progress.

    Returns:
        One row each, in the order given: `task`, `qid`, `time`, `task_id`, `parameter` (what the task is mostly looked
        at for) in `unit`, `stored` and `refit` with their `±` (NaN where there is none), `σ apart` (of both), `fit`,
        `status` and `code` of it, `unreliable` (all parameters of the curve that cannot be trusted, with their codes),
        `look at` and `reason`. `look at` is `stored value off` (more than 3 σ of both), `stored, but
        not to be trusted`, `failed, but there was a signal`, or empty.
    """
    return audit_table(audited(curves))


def audit_table(found: Iterable[Audited]) -> pd.DataFrame:
    """What `audit` gives, of curves that were judged."""
    table = pd.DataFrame([one.row() for one in found], columns=_COLUMNS)
    table.attrs["method"] = _METHOD
    return table


def unreliable(verdict: CurveVerdict) -> str:
    """What cannot be trusted of a curve, with the codes: `t2_star: WINDOW_TOO_SHORT, phase: LOW_SNR`."""
    if not verdict.parameters:
        return ", ".join(f"{name}: {verdict.code}" for name in parameters_of_task(verdict.task))
    return ", ".join(f"{name}: {one.code}" for name, one in verdict.parameters.items() if one.fit is not Trust.RELIABLE)


def codes_of(told: str) -> dict[str, str]:
    """The codes by parameter of what `unreliable` has written."""
    return dict(one.split(": ") for one in told.split(", ")) if told else {}


def _look_at(curve: Curve | Shots, verdict: CurveVerdict) -> str:
    if any(one.sigmas > LIMITS.disagrees for one in verdict.stored):
        return "stored value off"
    if any(math.isfinite(one.value) for one in curve.stored.values()):
        return "" if verdict.fit is Trust.RELIABLE else "stored, but not to be trusted"
    silent = {Code.NO_SIGNAL, Code.FIT_OF_NOISE, Code.TOO_FEW_POINTS, Code.BAD_DATA}
    return "" if verdict.code in silent else "failed, but there was a signal"
