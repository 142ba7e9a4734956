"""Whether the values behind a curve can be trusted: a verdict on each parameter, by numbers alone."""

from __future__ import annotations

import math
import warnings
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from qdash_jupyter.domain.units import factor
from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.curves.budget import Budget, budget_of
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Trust
from qdash_jupyter.methods.curves.curve import Array, Curve, Shots
from qdash_jupyter.methods.curves.families import Family, apart, family_of, parameters_of
from qdash_jupyter.methods.curves.fit import CurveFit, Fits, curve_fit_of, fits_of, per_unit
from qdash_jupyter.methods.curves.points import Unfit, points_of
from qdash_jupyter.methods.curves.readout import judge_shots
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation
from qdash_jupyter.methods.curves.stored import at_bound, compared, in_another_unit
from qdash_jupyter.methods.curves.suspect import of_unknown_magnitude, wild_shifts, without_clipped
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Compared, CurveVerdict, Judged, Number, Part, largest_first
from qdash_jupyter.methods.curves.window import failing_of

Decided = tuple[Code, tuple[Number, ...]]

_MATTERS = 0.4
"""A part of this much of the whole budget is named."""
_PARTS: Mapping[Code, str] = {
    Code.LOW_SNR: "error_by_noise",
    Code.TWO_COMPONENTS: "error_by_second_component",
    Code.BEATING: "error_by_second_frequency",
    Code.TWO_PEAKS: "error_by_second_line",
    Code.OTHER_SHAPE: "error_by_shape",
    Code.DRIFT: "error_by_drift",
    Code.UNEXPLAINED: "error_by_periodic_disturbance",
    Code.CLIPPED: "error_by_clipping",
    Code.OUTLIERS: "error_by_outliers",
}
"""What the parts of a budget are called among the numbers."""
_UNTOLD = 0.5
"""Part of the distance between a stored value and the new fit below which the wild points tell most of it: what is left
from there to a fit of all points.
"""
_PLACES = frozenset({"readout_frequency", "resonator_frequency", "coarse_qubit_frequency"})
"""Parameters that are a place in the window."""


def judge(curve: Curve | Shots) -> CurveVerdict:
    """Fits a curve anew and says whether the values behind it can be trusted, with the numbers that decided.

    Each parameter is judged by itself: whether window and sampling carry it, whether its error budget (noise, and what
    may be in the points beside the fit) is within what it is used for, and whether the stored value is that of the
    points. Nothing is raised for curves that cannot be fitted.

    Returns:
        `fit` (reliable, unreliable, no fit), `status` and `code` of the task's main parameter, `numbers`, all
        `parameters` of the new fit with their budgets, the `stored` ones beside them, `refit` for its line and
        residuals; `told()` in 600 characters. What the codes mean: docs/curves.md.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judge_shots(curve) if isinstance(curve, Shots) else _judged(curve)


def _judged(curve: Curve) -> CurveVerdict:
    family = family_of(curve.task)
    if family is None:
        return CurveVerdict.of(curve, "", Code.BAD_DATA, message=Message("curve-unknown-task", task=curve.task))
    points = points_of(curve, family)
    if isinstance(points, Unfit):
        code = Code(points.code)
        code = Code.FIT_OF_NOISE if code is Code.NO_SIGNAL and has_value(curve, family) else code
        return CurveVerdict.of(curve, family.name, code, message=points.reason)
    try:
        fits = fits_of(points, family)
        return _of_fits(curve, family, fits)
    except (np.linalg.LinAlgError, ValueError, OverflowError, ZeroDivisionError) as error:
        why = Message("curve-fit-failed", why=str(error))
        return CurveVerdict.of(curve, family.name, Code.BAD_DATA, message=why)


def _of_fits(curve: Curve, family: Family, fits: Fits) -> CurveVerdict:
    fit = curve_fit_of(fits, family, per_unit(curve, family))
    budget, parts = _budget(family, fits)
    values = {name: one.value for name, one in fit.parameters.items()}
    errors = dict(zip(values, map(float, budget.statistical), strict=True))
    beside = compared(curve.stored, family, values, errors)
    signal = _signal(fits, budget)
    spoilt = _spoilt(curve, family, fits, fit, signal)
    judged: dict[str, Judged] = {}
    numbers: dict[str, tuple[Number, ...]] = {}
    squares: Array = budget.statistical**2 + sum(moved**2 for moved in parts.values())
    totals = dict(zip(values, map(float, np.sqrt(squares)), strict=True))
    for index, name in enumerate(values):
        judged[name] = Judged(
            values[name],
            errors[name],
            family.units[name],
            largest_first((Code(code), float(moved[index])) for code, moved in parts.items()),
            family.parameters[name].limit * family.size(name, values, totals),
            float(budget.freedom[index]),
            Trust.NO_FIT,
            Code.NO_SIGNAL,
        )
        code, numbers[name] = spoilt or _decided(
            curve, family, name, judged[name], fits=fits, fit=fit, beside=beside, certain={*budget.found, "CLIPPED"}
        )
        trust = MEANINGS[code].fit
        if code is Code.OUTLIERS and not all(one.holds for one in numbers[name]):
            trust = Trust.UNRELIABLE
        judged[name] = replace(judged[name], fit=trust, code=code)
    main = judged[family.main]
    first = numbers[family.main]
    known = {(one.name, one.of) for one in first}
    informing = () if main.code is Code.NO_SIGNAL else (signal, *_informing(fit, beside))
    return CurveVerdict.of(
        curve,
        family.name,
        main.code,
        (*first, *(one for one in informing if (one.name, one.of) not in known)),
        fit=main.fit,
        parameters=judged,
        stored=beside,
        refit=fit,
    )


def _budget(family: Family, fits: Fits) -> tuple[Budget, dict[str, Array]]:
    """The budget of the points without clipped ones; its parts, with what is suspect in the points."""
    points, one, more = fits.points, fits.base, {}
    if (clipped := without_clipped(family, fits)) is not None:
        before = parameters_of(family, one.coefficients, one.theta, points.axes)
        points, other = (clipped[0], clipped[1]) if clipped[1] else (points, None)
        more["CLIPPED"] = np.full(len(before), np.inf)
        if other is not None:
            one = other
            more["CLIPPED"] = np.abs(
                apart(family, parameters_of(family, one.coefficients, one.theta, points.axes), before)
            )
    budget = budget_of(family, one, points)
    if fits.off.any():
        more["OUTLIERS"] = wild_shifts(fits, points, budget)
    if (moved := of_unknown_magnitude(family, fits)) is not None:
        more["OTHER_SHAPE"] = np.hypot(moved, budget.systematic.get("OTHER_SHAPE", 0.0))
    return budget, {**budget.systematic, **more}


def has_value(curve: Curve, family: Family) -> bool:
    """Whether a fit was stored: one of the family's parameters, or the fit's line."""
    values = [one.value for name, one in curve.stored.items() if name in family.units]
    return any(map(math.isfinite, values)) or (curve.fit_y is not None and len(curve.fit_y) > 0)


def _spoilt(curve: Curve, family: Family, fits: Fits, fit: CurveFit, signal: Number) -> Decided | None:
    """What spoils all parameters at once: no signal, or a frequency that the steps cannot show."""
    sampling = 0.5 / fits.points.at.step / fits.points.axes.span
    if aliased := _aliased(_expected(curve), family, sampling):
        return aliased
    if not signal.holds:
        return (Code.FIT_OF_NOISE if has_value(curve, family) else Code.NO_SIGNAL), (signal,)
    return _aliased(_stored_frequency(curve, fit), family, sampling)


def _decided(
    curve: Curve,
    family: Family,
    name: str,
    found: Judged,
    *,
    fits: Fits,
    fit: CurveFit,
    beside: tuple[Compared, ...],
    certain: Container[str],
) -> Decided:
    """The code of one parameter, and the numbers that decide, those on the wrong side of their limit first."""
    size = max(found.limit / family.parameters[name].limit, 1e-300)
    budget = Number("budget", found.total / size, "", family.parameters[name].limit, least=False, of=name)
    parts = tuple(
        Number(_PARTS[part.code], part.size / size, of=name)
        for part in sorted((Part(Code.LOW_SNR, found.error), *found.parts), key=lambda part: -part.size)
        if part.size > _MATTERS * found.total
    )
    off = tuple(
        Number("stored_and_refit", one.sigmas, "σ", LIMITS.disagrees, least=False, of=name)
        for one in beside
        if one.name == name and one.sigmas > LIMITS.disagrees
    )
    wild = (Number("outliers", float(fits.off.sum())),) if fits.off.any() else ()
    largest = found.largest
    is_structured = largest in certain and found.exceeds
    window = failing_of(family, fit, name, is_unsure=largest is Code.LOW_SNR and found.exceeds)
    if window is not None and not is_structured:
        number, code = window
        return code, (number, budget, *parts, *off, *wild)
    if found.exceeds:
        return largest, (budget, *parts, *off, *wild)
    if off and not (wild and _is_of_all(family, fits, name, beside)):
        return _of_stored(curve, name, beside, per_unit(curve, family)), (*off, budget, *parts, *wild)
    return (Code.OUTLIERS if wild else Code.SUCCESS), (*off, *wild, budget, *parts)


def _is_of_all(family: Family, fits: Fits, name: str, beside: tuple[Compared, ...]) -> bool:
    """Whether a stored value is off for the wild points: where a fit of all of them goes."""
    every = family.read(fits.every.coefficients, fits.every.theta, fits.whole.axes)[name]
    one = next(one for one in beside if one.name == name)
    return abs(one.stored - every) < _UNTOLD * abs(one.stored - one.fitted)


def _of_stored(curve: Curve, name: str, beside: tuple[Compared, ...], scale: float) -> Code:
    """Of a stored value that is not that of the points."""
    ends = (float(np.nanmin(curve.x)) * scale, float(np.nanmax(curve.x)) * scale) if name in _PLACES else ()
    one = next(one for one in beside if one.name == name)
    return Code.AT_BOUND if at_bound(one, curve.stored[name], ends) else Code.STORED_DISAGREES


def _signal(fits: Fits, budget: Budget) -> Number:
    """How much better the curve is than nothing, in AICc, with what is beside it."""
    limit = LIMITS.signal if isinstance(fits.base.shape, Decay) else LIMITS.signal_of_many
    return Number(
        "signal", fits.nothing.aicc - fits.base.aicc + max(2 * budget.evidence - LIMITS.richer, 0.0), "", limit
    )


def _aliased(frequencies: Iterable[tuple[str, str, float]], family: Family, highest: float) -> Decided | None:
    """Frequencies that the curve should have, against the highest that the steps resolve; MHz."""
    if not isinstance(family.base, Oscillation):
        return None
    for name, of, value in frequencies:
        number = Number(name, value, "MHz", highest, least=False, of=of)
        if math.isfinite(value) and not number.holds:
            return Code.ALIASED, (number,)
    return None


def _expected(curve: Curve) -> Iterator[tuple[str, str, float]]:
    """The frequency that the task should show by what it started with, MHz."""
    detuning = curve.inputs.get("detuning")
    if detuning is not None:
        by = factor(detuning.unit or "GHz", "MHz") or math.nan
        yield "frequency_by_detuning", "", abs(detuning.value) * by
    amplitude, per_amplitude = (curve.inputs.get(name) for name in ("control_amplitude", "maximum_rabi_frequency"))
    if amplitude is not None and per_amplitude is not None:
        yield "frequency_by_amplitude", "", abs(amplitude.value * per_amplitude.value)


def _stored_frequency(curve: Curve, fit: CurveFit) -> Iterator[tuple[str, str, float]]:
    """The one that was stored, but not that of the fit in another unit."""
    for name in ("ramsey_frequency", "rabi_frequency"):
        if name in curve.stored:
            stored = curve.stored[name]
            value = abs(stored.value) * (factor(stored.unit or "MHz", "MHz") or math.nan)
            if name not in fit.parameters or not in_another_unit(value, fit.parameters[name].value):
                yield "stored", name, value


def _informing(fit: CurveFit, beside: tuple[Compared, ...]) -> Iterator[Number]:
    """What else is worth knowing."""
    if fit.reduced_chi2 is not None:
        yield Number("reduced_chi2", fit.reduced_chi2)
    yield Number("residual_autocorrelation", fit.autocorrelation, "σ")
    for name, value in fit.window.items():
        yield Number(name, value)
    for one in beside:
        if math.isfinite(one.sigmas):
            yield Number("stored_and_refit", one.sigmas, "σ", of=one.name)
