"""Whether the value behind a curve can be trusted: one verdict, by numbers alone."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np

from qdash_jupyter.domain.units import factor
from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.curves.clipping import clipped_of
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Trust
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.families import RAMSEY, Family, family_of
from qdash_jupyter.methods.curves.fit import CurveFit, Fits, curve_fit_of, fits_of, per_unit
from qdash_jupyter.methods.curves.points import Unfit, points_of
from qdash_jupyter.methods.curves.readout import judge_shots
from qdash_jupyter.methods.curves.shapes import Decay, Disturbed, Oscillation
from qdash_jupyter.methods.curves.solution import Solution
from qdash_jupyter.methods.curves.stored import at_bound, compared, in_another_unit, relative_errors
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Compared, CurveVerdict, Number

_ALSO_COMPARED = ("average_gate_fidelity", "kappa_external", "kappa_internal")
_GAINS = {
    "TWO_COMPONENTS": "gain_of_second_component",
    "BEATING": "gain_of_second_frequency",
    "TWO_PEAKS": "gain_of_second_line",
    "DRIFT": "gain_of_drift",
    "UNEXPLAINED": "gain_of_periodic_disturbance",
}
"""What is gained by another shape, by the code for it."""
Decided = tuple[Code, tuple[Number, ...]]


def judge(curve: Curve | Shots) -> CurveVerdict:
    """Fits a curve anew and says whether the value behind it can be trusted, with the numbers that decided.

    First what the points themselves say: clipped values, a sampling that cannot show what was expected. Then whether
    there is a signal, whether it is one process, whether window, sampling and noise let it tell its parameter, and
    at last whether the stored value is that of the points. Nothing is raised for curves that cannot be fitted.

    Returns:
        `fit` (reliable, unreliable, no fit), `status`, `code`, `numbers`, the `parameters` of the new fit with standard
        errors, the `stored` ones beside them, `refit` for its line and residuals; `told()` in 600 characters. What
        the codes mean: docs/curves.md.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judge_shots(curve) if isinstance(curve, Shots) else _judged(curve)


def _judged(curve: Curve) -> CurveVerdict:
    family = family_of(curve.task)
    if family is None:
        return _verdict(curve, "", Code.BAD_DATA, Message("curve-unknown-task", task=curve.task))
    points = points_of(curve, family)
    is_stored = has_value(curve, family)
    if isinstance(points, Unfit):
        code = Code(points.code)
        code = Code.FIT_OF_NOISE if code is Code.NO_SIGNAL and is_stored else code
        return _verdict(curve, family.name, code, points.reason)
    sampling = 0.5 / points.at.step / points.axes.span
    early = _clipped(curve) or _aliased(_expected(curve), family, sampling)
    try:
        fits = fits_of(points, family)
        fit = curve_fit_of(fits, family, per_unit(curve, family))
    except (np.linalg.LinAlgError, ValueError, OverflowError, ZeroDivisionError) as error:
        return _verdict(curve, family.name, Code.BAD_DATA, Message("curve-fit-failed", why=str(error)))
    beside = compared(curve.stored, fit.parameters, (*family.key, *_ALSO_COMPARED), family.relative_to)
    code, numbers = early or _decided(curve, family, fits, fit, beside, sampling=sampling, is_stored=is_stored)
    trust = MEANINGS[code].fit
    if code is Code.OUTLIERS and all(one.holds for one in numbers):
        trust = Trust.RELIABLE
    informing = () if code is Code.NO_SIGNAL else _informing(fit, beside)
    known = {(one.name, one.of) for one in numbers}
    return CurveVerdict(
        curve.task,
        curve.qid,
        family.name,
        trust,
        MEANINGS[code].status,
        code,
        MEANINGS[code].sentence,
        (*numbers, *(one for one in informing if (one.name, one.of) not in known)),
        fit.parameters,
        beside,
        fit,
        curve.task_id,
        curve.time,
    )


def _verdict(curve: Curve, family: str, code: Code, reason: Message) -> CurveVerdict:
    meaning = MEANINGS[code]
    return CurveVerdict(
        curve.task, curve.qid, family, meaning.fit, meaning.status, code, reason, task_id=curve.task_id, time=curve.time
    )


def has_value(curve: Curve, family: Family) -> bool:
    """Whether a fit was stored: one of the family's parameters, or the fit's line."""
    values = [one.value for name, one in curve.stored.items() if name in family.units]
    return any(map(math.isfinite, values)) or (curve.fit_y is not None and len(curve.fit_y) > 0)


def _decided(  # noqa: PLR0911 - one for each verdict
    curve: Curve,
    family: Family,
    fits: Fits,
    fit: CurveFit,
    beside: tuple[Compared, ...],
    *,
    sampling: float,
    is_stored: bool,
) -> Decided:
    signal = _signal(fits)
    if not signal.holds:
        return (Code.FIT_OF_NOISE if is_stored else Code.NO_SIGNAL), (signal,)
    if early := _aliased(_stored_frequency(curve, fit), family, sampling) or _richer(fits):
        return early
    for number, code in _window(family, fits.base, fit):
        if not number.holds:
            return code, (number, signal)
    errors = relative_errors(fit.parameters, family.key, family.relative_to)
    error_numbers = tuple(
        Number(
            "error_in_linewidths" if name in family.relative_to else "relative_error",
            error,
            "",
            family.key[name],
            least=False,
            of=name,
        )
        for name, error in errors.items()
    )
    if unsure := tuple(one for one in error_numbers if not one.holds):
        return Code.LOW_SNR, unsure
    structure = Number("residual_autocorrelation", fit.tests.autocorrelation, "σ", LIMITS.structure, least=False)
    if not structure.holds:
        return Code.UNEXPLAINED, (structure, signal)
    if fits.off.any():
        return Code.OUTLIERS, _moved(family, fits, fit)
    off = [one for one in beside if one.sigmas > LIMITS.disagrees]
    if off:
        ends = (float(np.nanmin(curve.x)), float(np.nanmax(curve.x))) if family.relative_to else ()
        scale = per_unit(curve, family)
        bound = [one for one in off if at_bound(one, curve.stored[one.name], tuple(end * scale for end in ends))]
        apart = tuple(
            Number("stored_and_refit", one.sigmas, "σ", LIMITS.disagrees, least=False, of=one.name) for one in off
        )
        return (Code.AT_BOUND if bound else Code.STORED_DISAGREES), apart
    return Code.SUCCESS, (signal, *error_numbers, structure)


def _signal(fits: Fits) -> Number:
    """How much better the curve is than nothing, in AICc; the best of all that it may be."""
    limit = LIMITS.signal if isinstance(fits.base.shape, Decay) else LIMITS.signal_of_many
    gains = [fits.nothing.aicc - fits.base.aicc]
    gains += [fits.nothing.aicc - one.aicc - LIMITS.richer for one in fits.rivals.values()]
    return Number("signal", max(gains), "", limit)


def _richer(fits: Fits) -> Decided | None:
    """Another shape that is far better, and that is not a way to say the same."""
    gains = {
        code: fits.base.aicc - one.aicc
        for code, one in fits.rivals.items()
        if _is_another(code, one, fits.points.at.step)
    }
    if not gains:
        return None
    best = max(gains, key=lambda code: gains[code])
    shape = fits.rivals[best].shape
    is_jump = best == "DRIFT" and isinstance(shape, Disturbed)
    many = best in {"TWO_PEAKS", "BEATING"} or isinstance(shape, Disturbed)
    limit = LIMITS.periodic if best == "UNEXPLAINED" else LIMITS.richer_of_many if many else LIMITS.richer
    number = Number("gain_of_jump" if is_jump else _GAINS[best], gains[best], "", limit, least=False)
    return None if number.holds else (Code(best), (number,))


def _is_another(code: str, one: Solution, step: float) -> bool:
    """Whether a richer fit is two things, and not one that is split in two."""
    theta = one.theta
    if code == "BEATING":
        sizes = np.hypot(one.coefficients[[0, 2]], one.coefficients[[1, 3]])
        return bool(min(sizes) > 0.08 * max(sizes) and min(abs(theta[1:])) > 0.2)  # noqa: PLR2004
    if code == "TWO_COMPONENTS":
        amplitudes = one.coefficients[:2]
        return bool(abs(theta[0] - theta[1]) > 0.4 and min(abs(amplitudes)) > 1e-3 * max(abs(amplitudes)))  # noqa: PLR2004
    if code == "TWO_PEAKS":
        places, widths = theta[-4::2], np.exp(theta[-3::2])
        inside = places.min() > -0.05 and places.max() < 1.05  # noqa: PLR2004
        # A second line narrower than the steps is but one point, and one point in a hundred looks like that.
        return bool(inside and widths.max() < 0.6 and widths.min() > 0.3 * step)  # noqa: PLR2004
    return True


def _window(family: Family, base: Solution, fit: CurveFit) -> Iterator[tuple[Number, Code]]:
    """What window and sampling have to hold, the code for each."""
    window = fit.window

    def asked(name: str, limit: float) -> Number:
        return Number(name, window[name], "", limit)

    if isinstance(base.shape, Oscillation):
        yield asked("periods_in_window", LIMITS.fewest_periods), Code.WINDOW_TOO_SHORT
        if family is RAMSEY:
            limit = LIMITS.fewest_points_in_decay_of_fringes
            yield asked("points_in_decay_time", limit), Code.WINDOW_TOO_LONG
        yield asked("points_per_period", LIMITS.fewest_points_a_period), Code.UNDERSAMPLED
        if family is RAMSEY:
            yield asked("window_in_decay_times", LIMITS.fewest_decay_times_of_fringes), Code.WINDOW_TOO_SHORT
    elif isinstance(base.shape, Decay):
        yield asked("window_in_decay_times", LIMITS.fewest_decay_times), Code.WINDOW_TOO_SHORT
        yield asked("points_in_decay_time", LIMITS.fewest_points_in_decay), Code.WINDOW_TOO_LONG
    else:
        yield asked("points_in_linewidth", LIMITS.fewest_points_on_line), Code.UNDERSAMPLED
        yield asked("linewidths_in_window", LIMITS.fewest_linewidths), Code.WINDOW_TOO_SHORT
        yield asked("linewidths_to_end", LIMITS.fewest_linewidths_to_end), Code.WINDOW_TOO_SHORT


def _moved(family: Family, fits: Fits, fit: CurveFit) -> tuple[Number, ...]:
    """By how much the wild points move the key parameters, in their errors without them."""
    every = family.read(fits.every.coefficients, fits.every.theta, fits.whole.axes)
    count = Number("outliers", float(fits.off.sum()))
    moved = [
        Number(
            "outlier_shift",
            abs(every[name] - fit.parameters[name].value) / max(fit.parameters[name].error, 1e-300),
            "σ",
            LIMITS.moved,
            least=False,
            of=name,
        )
        for name in family.key
    ]
    return (*sorted(moved, key=lambda one: -one.value), count)


def _clipped(curve: Curve) -> Decided | None:
    """Values that stand at an extreme, exactly, far more often than any between."""
    parts = [curve.y.real, curve.y.imag] if curve.y.dtype.kind == "c" else [curve.y]
    for part in parts:
        found = clipped_of(part[np.isfinite(part)])
        if found:
            return Code.CLIPPED, (Number("clipped_points", float(found), "", float(LIMITS.ties - 1), least=False),)
    return None


def _aliased(frequencies: Iterator[tuple[str, str, float]], family: Family, highest: float) -> Decided | None:
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
    for name, value in fit.window.items():
        yield Number(name, value)
    for one in beside:
        if math.isfinite(one.sigmas):
            yield Number("stored_and_refit", one.sigmas, "σ", of=one.name)
