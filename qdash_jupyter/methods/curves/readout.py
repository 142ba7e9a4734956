"""The shots of a readout: how far its two clouds are apart, what fidelity they give, and whether to trust it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.curves.clipping import clipped_of
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Trust
from qdash_jupyter.methods.curves.curve import Array, Shots
from qdash_jupyter.methods.curves.families import FIDELITIES
from qdash_jupyter.methods.curves.stored import apart, at_bound
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Compared, CurveVerdict, Judged, Number, largest_first

FAMILY = "readout classification"
_FEWEST = 10
_FAR = 5.0
"""σ from both clouds and from the line between them: neither cloud, nor a decay during the readout."""
_THIRD = 0.01
"""Part of the shots that is a cloud of its own."""
_BLOCKS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Clouds:
    """Two Gaussians of one width along the line between them.

    Attributes:
        lower: Place of |0⟩ on the line.
        upper: Place of |1⟩.
        width: σ of both.
        excited: Part of the shots prepared in |0⟩ that lie in the cloud of |1⟩.
        relaxed: Part of those prepared in |1⟩ that lie in that of |0⟩.
    """

    lower: float
    upper: float
    width: float
    excited: float
    relaxed: float

    @property
    def separation(self) -> float:
        """Half the distance in σ: the errors of overlap are half erfc(separation/√2) each."""
        return (self.upper - self.lower) / (2 * max(self.width, 1e-300))


def clouds_of(zero: Array, one: Array, rounds: int = 40) -> Clouds:
    """Expectation and maximization (A. P. Dempster et al., J. R. Stat. Soc. B 39, 1 (1977)) of shots on the line.

    Both preparations share the places and the width; each has its own part in the wrong cloud.
    """
    lower, upper = float(np.median(zero)), float(np.median(one))
    width = max(1.4826 * min(_deviation(zero), _deviation(one)), 1e-12)
    wrong = [0.05, 0.05]
    for _ in range(rounds):
        in_upper = []
        for shots, share in ((zero, wrong[0]), (one, 1 - wrong[1])):
            odds = ((shots - lower) ** 2 - (shots - upper) ** 2) / (2 * width**2)
            odds = np.clip(odds + math.log(share / (1 - share)), -500, 500)
            in_upper.append(1 / (1 + np.exp(-odds)))
        wrong = [float(np.clip(in_upper[0].mean(), 1e-6, 0.5)), float(np.clip(1 - in_upper[1].mean(), 1e-6, 0.5))]
        shots, weight = np.concatenate([zero, one]), np.concatenate(in_upper)
        new_lower = float(np.average(shots, weights=1 - weight + 1e-12))
        new_upper = float(np.average(shots, weights=weight + 1e-12))
        spread = (1 - weight) * (shots - new_lower) ** 2 + weight * (shots - new_upper) ** 2
        moved = abs(new_lower - lower) + abs(new_upper - upper)
        lower, upper, width = new_lower, new_upper, max(float(np.sqrt(spread.mean())), 1e-12)
        if moved < 1e-4 * width:
            break
    return Clouds(lower, upper, width, wrong[0], wrong[1])


def judge_shots(shots: Shots) -> CurveVerdict:
    """The verdict on a readout; see `judge`."""
    zero, one = (each[np.isfinite(each) & (np.abs(each) < 1e100)] for each in (shots.zero, shots.one))  # noqa: PLR2004
    if min(len(zero), len(one)) < _FEWEST:
        reason = Message("curve-few-shots", zero=len(zero), one=len(one), needed=_FEWEST)
        return CurveVerdict.of(shots, FAMILY, Code.TOO_FEW_POINTS, message=reason)
    scale = max(float(np.max(np.abs(np.concatenate([zero, one])))), 1e-300)
    zero, one = zero / scale, one / scale
    is_stored = any(name in shots.stored and math.isfinite(shots.stored[name].value) for name in FIDELITIES)
    for part in (np.real, np.imag):
        clipped = int(clipped_of(np.concatenate([part(zero), part(one)])).sum())
        if clipped and np.ptp(part(np.concatenate([zero, one]))) > 0:
            number = Number("clipped_shots", float(clipped), "", float(LIMITS.ties - 1), least=False)
            return CurveVerdict.of(shots, FAMILY, Code.CLIPPED, (number,))
    signal, distance = _signal(zero, one)
    if not signal.holds:
        return CurveVerdict.of(shots, FAMILY, Code.FIT_OF_NOISE if is_stored else Code.NO_SIGNAL, (signal,))
    turned = np.exp(-1j * np.angle(distance))
    middle = complex(np.median(zero.real), np.median(zero.imag))
    zero, one = (zero - middle) * turned, (one - middle) * turned
    near = _near(zero, one)
    clouds = clouds_of(zero[near[0]].real, one[near[1]].real)
    far = [_far(each, clouds) for each in (zero, one)]
    values = _values(zero.real, one.real, clouds)
    suspect = _suspect((zero, one), far, clouds, values)
    return _decided(shots, clouds, values, suspect=suspect, drift=_drift(zero, one, clouds), signal=signal)


def _decided(
    shots: Shots,
    clouds: Clouds,
    values: Mapping[str, tuple[float, float]],
    *,
    suspect: Mapping[Code, Mapping[str, float]],
    drift: Number,
    signal: Number,
) -> CurveVerdict:
    """The verdict on each parameter: its own budget, then the stored value."""
    separation = Number("cloud_separation", clouds.separation, "σ", LIMITS.separation)
    beside = tuple(_beside(shots, values))
    judged: dict[str, Judged] = {}
    numbers: dict[str, tuple[Number, ...]] = {}
    for name, (value, error) in values.items():
        parts = largest_first((code, moved.get(name, 0.0)) for code, moved in suspect.items())
        limit = LIMITS.shots_error if name in FIDELITIES else 0.2 * value
        found = Judged(value, error, _UNITS.get(name, "a.u."), parts, limit, _MANY, Trust.RELIABLE, Code.SUCCESS)
        budget = Number("error", found.total, found.unit if name == "separation" else "", limit, least=False, of=name)
        told = tuple(Number(_PARTS[part.code], part.size, of=name) for part in parts)
        off = [one for one in beside if one.name == name and one.sigmas > LIMITS.disagrees]
        code, numbers[name] = Code.SUCCESS, (separation, budget, signal)
        if not drift.holds:
            code, numbers[name] = Code.DRIFT, (drift,)
        elif not budget.holds and parts and parts[0].size > error:
            code, numbers[name] = parts[0].code, (budget, *told)
        elif not separation.holds:
            code, numbers[name] = Code.LOW_SNR, (separation, budget)
        elif not budget.holds:
            code, numbers[name] = Code.UNDERSAMPLED, (budget, *told)
        elif off:
            is_bound = at_bound(off[0], shots.stored[name], (0.0, 0.5, 1.0))
            code = Code.AT_BOUND if is_bound else Code.STORED_DISAGREES
            apart = Number("stored_and_refit", off[0].sigmas, "σ", LIMITS.disagrees, least=False, of=name)
            numbers[name] = (apart, budget, *told)
        elif Code.OUTLIERS in suspect:
            code, numbers[name] = Code.OUTLIERS, (budget, *told)
        judged[name] = replace(found, fit=MEANINGS[code].fit, code=code)
    return CurveVerdict.of(
        shots, FAMILY, judged[FIDELITIES[0]].code, numbers[FIDELITIES[0]], parameters=judged, stored=beside
    )


_UNITS = {"separation": "σ"}
_MANY = 1_000_000
"""Degrees of freedom: shots are many."""
_PARTS = {
    Code.TWO_COMPONENTS: "error_by_third_cloud",
    Code.OUTLIERS: "error_by_outliers",
}


def _beside(shots: Shots, values: Mapping[str, tuple[float, float]]) -> Iterator[Compared]:
    for name, (value, error) in values.items():
        stored = shots.stored.get(name)
        if stored is not None and math.isfinite(stored.value) and name in FIDELITIES:
            yield apart(name, replace(stored, unit="a.u."), value, error, abs(value))


def _near(zero: Array, one: Array) -> list[Array]:
    """Which shots may be of either cloud, before their width is known: wild ones would make it too large."""
    width = 1.4826 * min(_deviation(part) for shots in (zero, one) for part in _parts(shots))
    ends = sorted((float(np.median(zero.real)), float(np.median(one.real))))
    return [np.abs(shots - np.clip(shots.real, ends[0], ends[1])) < 8 * max(width, 1e-12) for shots in (zero, one)]


def _parts(shots: Array) -> tuple[Array, ...]:
    """I and Q; of shots that were projected on a line the place there alone."""
    return (shots.real, shots.imag) if np.ptp(shots.imag) > 1e-9 * np.ptp(shots.real) else (shots.real,)


def _deviation(values: Array) -> float:
    return float(np.median(np.abs(values - np.median(values))))


def _signal(zero: Array, one: Array) -> tuple[Number, complex]:
    """The distance of the means against what noise makes of it; 18.4 is exceeded by noise once in 10,000 times."""
    distance = complex(np.median(one.real) - np.median(zero.real), np.median(one.imag) - np.median(zero.imag))
    zero, one = (
        each[np.abs(each - np.median(each.real) - 1j * np.median(each.imag)) < 8 * _spread(each)]
        for each in (zero, one)
    )
    mean = one.mean() - zero.mean()
    # Of each quadrature; for shots on a line there is one.
    variance = (np.var(zero) / len(zero) + np.var(one) / len(one)) / max(len(_parts(zero)), len(_parts(one)))
    found = abs(mean) ** 2 / max(float(variance), 1e-300)
    return Number("mean_distance", float(found), "", 18.4), distance or complex(mean)


def _spread(shots: Array) -> float:
    """The standard deviation of the bulk of I or Q, the larger; with a cloud beside it, of both."""
    return max(1.4826 * _deviation(part) for part in (shots.real, shots.imag)) + 1e-300


def _values(zero: Array, one: Array, clouds: Clouds) -> dict[str, tuple[float, float]]:
    """Fidelities by counting on either side of the middle, with binomial errors (two more of each kind: A. Agresti and
    B. A. Coull, Am. Stat. 52, 119 (1998)), and the separation; values and standard errors.
    """
    middle = (clouds.lower + clouds.upper) / 2
    found = []
    for right in (zero < middle, one >= middle):
        count, share = len(right), float(right.mean())
        softened = (right.sum() + 2) / (count + 4)
        found.append((share, math.sqrt(softened * (1 - softened) / (count + 4))))
    (zero_share, zero_error), (one_share, one_error) = found
    separation = clouds.separation
    error = math.sqrt((1 + separation**2 / 2) / (len(zero) + len(one)))
    average = (zero_share + one_share) / 2, math.hypot(zero_error, one_error) / 2
    fidelities = dict(zip(FIDELITIES, (average, *found), strict=True))
    return {**fidelities, "separation": (separation, error)}


def _suspect(
    both: tuple[Array, Array], far: list[Array], clouds: Clouds, values: Mapping[str, tuple[float, float]]
) -> dict[Code, dict[str, float]]:
    """By how much what is neither cloud may move the parameters: shots far off, and a third cloud on the line.

    A decay during the readout and a third state on the line both make the Gaussians wider than the clouds are across
    the line: the separation is that much off. A third state behind one of both also makes its outer half wider; then
    the line between the clouds is at another place, and so are the fidelities.
    """
    zero, one = both
    found: dict[Code, dict[str, float]] = {}
    away = np.concatenate([zero[far[0]], one[far[1]]])
    shares = [float(each.mean()) for each in far]
    counted = dict(zip(FIDELITIES, ((shares[0] + shares[1]) / 2, *shares), strict=True))
    if _is_cloud(away, clouds, len(zero) + len(one)):
        found[Code.TWO_COMPONENTS] = counted
    elif len(away):
        found[Code.OUTLIERS] = counted
    outer = _outer_widths(zero, one)
    across = [1.4826 * _deviation(each.imag) for each in both] if len(_parts(zero)) > 1 else outer
    separation, width = values["separation"][0], min(across)
    if not width:  # no scatter: nothing to compare with
        return found
    if (wider := clouds.width / width - 1) > 0:
        found.setdefault(Code.TWO_COMPONENTS, {})["separation"] = separation * wider
    if (wider := max(outer) / width - 1) > _WIDER + _BY_CHANCE / math.sqrt(min(len(zero), len(one))):
        third = found.setdefault(Code.TWO_COMPONENTS, {})
        third |= {name: third.get(name, 0.0) + wider / 2 for name in FIDELITIES}
    return found


_WIDER, _BY_CHANCE = 0.4, 6.0
"""Part by which the outer half of a cloud may be wider than the cloud is across the line, beside what chance makes of
that: four standard errors of a median of half the shots."""


def _outer_widths(zero: Array, one: Array) -> list[float]:
    """σ of each cloud from its half that looks away from the other: a decay during the readout does not change it."""
    lower, upper = float(np.median(zero.real)), float(np.median(one.real))
    halves = lower - zero.real[zero.real < lower], one.real[one.real > upper] - upper
    return [1.4826 * float(np.median(half)) if len(half) else 0.0 for half in halves]


def _far(shots: Array, clouds: Clouds) -> Array:
    """Which shots lie far from the line that joins the clouds."""
    along = np.clip(shots.real, clouds.lower, clouds.upper)
    found: Array = np.abs(shots - along) > _FAR * clouds.width
    return found


def _is_cloud(away: Array, clouds: Clouds, count: int) -> bool:
    """Whether shots far from both clouds stand together."""
    if len(away) < max(5, _THIRD * count):
        return False
    centre = complex(np.median(away.real), np.median(away.imag))
    return float(np.mean(np.abs(away - centre) < 3 * clouds.width)) > 0.6  # noqa: PLR2004


def _drift(zero: Array, one: Array, clouds: Clouds) -> Number:
    """The means of eighths of the measurement against what noise makes of them, in standard deviations of χ²."""
    chi2, free = 0.0, 0
    for shots in (zero, one):
        for part in _parts(shots):
            spread = max(1.4826 * _deviation(part), 0.3 * clouds.width)
            bulk = np.clip(part - np.median(part), -4 * spread, 4 * spread)
            blocks = np.array_split(bulk, _BLOCKS)
            variance = max(float(np.var(bulk)), 1e-300)
            chi2 += sum(len(each) * float(each.mean() - bulk.mean()) ** 2 / variance for each in blocks if len(each))
            free += _BLOCKS - 1
    return Number("cloud_drift", (chi2 - free) / math.sqrt(2 * free), "σ", 6.0, least=False)
