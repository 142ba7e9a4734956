"""What the right verdict is on a planted curve: by its planted numbers, never by a fit.

Through noise nobody can tell everything. A number well on one side of its limit makes the verdict clear; where
it lies near the limit, chance decides, and the curve is no test of a judge. The definitions of "determined" (a time to
15 %, a line's centre to 15 % of its width, …) are those of `recipes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from demo_chip.curves.information import (
    Array,
    Numbers,
    influence,
    least_distance,
    least_errors,
    linear_distance,
    nearest,
)
from demo_chip.curves.recipes import ADDED, Recipe, decay, fringes, line, reflection

RELIABLE, UNRELIABLE, NO_FIT = "reliable", "unreliable", "no fit"

_NOTHING, _HARDLY, _SIGNAL = 3.0, 20.0, 50.0
"""Squared distance from a baseline, in units of the noise: below, nothing can be seen; above, nobody can miss it.
Between them is the limit, near which chance decides."""
_HIDDEN, _BARELY, _SEEN = 2.0, 20.0, 45.0
"""The same of a second component, line or frequency, or a drift, from the best curve without."""
_BEYOND = 12.0
_INSIDE = 4.0
_ANOTHER = 20.0
"""The same of a window that is too short or long, from the best curve that just fits into it; of a good window, from
one that just does not; of a second process, from the best curve with another."""
_SURE, _UNSURE = 0.65, 1.6
"""Parts of the largest error at which a parameter counts as determined."""
_SMALL, _WILD, _LARGE = 3.5, 5.5, 9.0
"""Wild points in units of the noise."""
_STAYS, _MOVES = 0.3, 2.0
"""Parts of the largest error by which something moves the parameter."""
_OFF, _SAME = 6.0, 1.5
"""Errors of both by which wild points move the stored value, whose fit had them."""
_APART = 6.0
"""Errors of both by which a stored value is planted off."""
_AT_ONCE = {
    "ALIASED": "ALIASED",
    "TOO_FEW_POINTS": "TOO_FEW_POINTS",
}
"""What is seen whatever the noise."""
STRUCTURES = {name: name for name in ("TWO_COMPONENTS", "DRIFT", "BEATING", "TWO_PEAKS")} | {
    "JUMP": "DRIFT",
    "PICKUP": "UNEXPLAINED",
}
"""Second processes, with their codes."""
_ON_TOP = ("DRIFT", "JUMP", "PICKUP")
"""Those that are beside the curve, and leave its parameters what they are."""
_WINDOWS = ("WINDOW_TOO_SHORT", "WINDOW_TOO_LONG", "UNDERSAMPLED")


@dataclass(frozen=True, slots=True)
class Truth:
    """The right verdict.

    Attributes:
        code: What it has to name.
        fit: Whether the value can be trusted.
        code_clear: The planted numbers make the code certain.
        fit_clear: They make the trust certain.
        parameters: What was planted, by QDash's names, in its units.
        errors: The least standard errors of them.
        numbers: What this rests on.
    """

    code: str
    fit: str
    code_clear: bool = True
    fit_clear: bool = True
    parameters: Mapping[str, float] = field(default_factory=dict)
    errors: Mapping[str, float] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """All that was planted in one curve.

    Attributes:
        recipe: The kind.
        fault: What was planted.
        x: The places, in the recipe's unit.
        numbers: All parameters.
        noise: One standard deviation, in amplitudes.
        moved: What wild points have beside the curve.
        cut: What clipping takes from the points.
        is_stored: A fit was stored.
        apart: Errors by which its value is off, where that was planted.
    """

    recipe: Recipe
    fault: str
    x: Array
    numbers: Numbers
    noise: float
    moved: Array
    cut: Array
    is_stored: bool
    apart: float = 0.0

    @property
    def plain(self) -> Numbers:
        """The parameters without second component and drift."""
        return self.numbers | {name: 0.0 for name in ADDED if name in self.numbers}


def truth_of(made: Setting) -> Truth:
    """The right verdict on a curve that was made so.

    Near a limit it is that of the limit itself, and not clear.
    """
    recipe, fault = made.recipe, made.fault
    errors = {
        name: value * made.noise for name, value in least_errors(recipe.mean, made.x, made.plain, recipe.free).items()
    }
    known = _known(recipe, made.plain, errors)
    if fault in _AT_ONCE:
        return replace(known, code=_AT_ONCE[fault], fit=NO_FIT if fault == "TOO_FEW_POINTS" else UNRELIABLE)
    signal = _signal_of(made) / made.noise**2
    known = replace(known, numbers={"signal": signal})
    if fault in {"NO_SIGNAL", "FIT_OF_NOISE"} or signal < _HARDLY:
        nothing = ("FIT_OF_NOISE", UNRELIABLE) if made.is_stored else ("NO_SIGNAL", NO_FIT)
        clear = fault in {"NO_SIGNAL", "FIT_OF_NOISE"} or signal < _NOTHING
        if fault == "GLITCH" and recipe.mean in {
            line,
            reflection,
        }:  # one point far off may be a line narrower than a step
            return replace(known, code=nothing[0], fit=nothing[1], code_clear=False, fit_clear=clear and made.is_stored)
        return replace(known, code=nothing[0], fit=nothing[1], code_clear=clear, fit_clear=clear)
    found = _with_signal(made, known, errors)
    return found if signal > _SIGNAL else replace(found, code_clear=False, fit_clear=False)


def _with_signal(made: Setting, known: Truth, errors: Numbers) -> Truth:
    recipe, fault = made.recipe, made.fault
    unsure = max(_relative(recipe, made.plain, errors, name) / limit for name, limit in recipe.asked.items())
    if fault in STRUCTURES:
        return _structure(made, known, errors, unsure)
    if fault in _WINDOWS:
        beyond = _beyond(made, fault) / made.noise**2
        return replace(
            known,
            code=fault,
            fit=UNRELIABLE,
            code_clear=beyond > _BEYOND and unsure > _UNSURE,
            fit_clear=unsure > _UNSURE,
            numbers={**known.numbers, "beyond": beyond, "error of its limit": unsure},
        )
    return _determined(made, known, errors, unsure)


def _determined(made: Setting, known: Truth, errors: Numbers, unsure: float) -> Truth:
    """Of a curve that is one process in a good window."""
    known = replace(known, numbers={**known.numbers, "error of its limit": unsure})
    if unsure > 1:
        codes = [code for code in ("WINDOW_TOO_SHORT", "WINDOW_TOO_LONG") if made.recipe.mean in {decay, fringes}]
        inside = all(_beyond(made, code) / made.noise**2 > _INSIDE for code in codes)
        clear = unsure > _UNSURE
        return replace(known, code="LOW_SNR", fit=UNRELIABLE, code_clear=clear and inside, fit_clear=clear)
    if made.fault in {"CLIPPED", "CLIPPED_FLOOR"}:
        found = _clipped(made, known, errors)
    elif made.fault in {"OUTLIERS", "GLITCH"}:
        found = _outliers(made, known, errors)
    elif made.fault in {"AT_BOUND", "STORED_DISAGREES", "WRONG_UNIT"}:
        clear = made.apart > _APART
        code = "AT_BOUND" if made.fault == "AT_BOUND" else "STORED_DISAGREES"
        found = replace(known, code=code, fit=UNRELIABLE, code_clear=clear, fit_clear=clear)
    else:
        found = replace(known, code="SUCCESS", fit=RELIABLE)
    return found if unsure < _SURE else replace(found, code_clear=False, fit_clear=False)


def _outliers(made: Setting, known: Truth, errors: Numbers) -> Truth:
    sizes = np.abs(made.moved) / made.noise
    sizes = sizes[sizes > 0]
    moved = influence(made.recipe.mean, made.x, made.plain, made.recipe.free, made.moved)
    main = next(iter(made.recipe.asked))
    shift = abs(moved[main]) / errors[main]
    numbers = {**known.numbers, "smallest wild point": float(sizes.min()), "shift": shift}
    if sizes.max() < _WILD:
        hidden = bool(sizes.max() < _SMALL)
        fit_clear = hidden and shift < _STAYS
        return replace(known, code="SUCCESS", fit=RELIABLE, code_clear=hidden, fit_clear=fit_clear, numbers=numbers)
    large = bool(sizes.min() > _LARGE)
    off = shift / np.sqrt(2)  # the stored value is that of all points
    unclear = made.is_stored and _SAME < off < _OFF
    return replace(
        known,
        code="OUTLIERS",
        fit=UNRELIABLE if made.is_stored and off >= _OFF else RELIABLE,
        code_clear=large and not unclear and not (made.is_stored and made.fault == "GLITCH"),
        fit_clear=large and not unclear,
        numbers=numbers,
    )


def _clipped(made: Setting, known: Truth, errors: Numbers) -> Truth:
    """By how much clipping moves the parameter: in parts of the largest error, and in standard errors."""
    moved = influence(made.recipe.mean, made.x, made.plain, made.recipe.free, made.cut)
    shift = _moves(made, moved)
    main = next(iter(made.recipe.asked))
    off = abs(moved[main]) / errors[main]
    is_tip = made.fault == "CLIPPED" and made.recipe.mean in {line, reflection}  # what tells most of it is gone
    stays = shift < _STAYS and not (made.is_stored and off > _SAME) and not is_tip
    moves = shift > _MOVES
    return replace(
        known,
        code="CLIPPED" if shift > 1 else "SUCCESS",
        fit=UNRELIABLE if shift > 1 else RELIABLE,
        code_clear=stays or moves,
        fit_clear=stays or moves,
        numbers={**known.numbers, "shift of its limit": shift},
    )


def _moves(made: Setting, moved: Numbers) -> float:
    """The shift of the main parameter in parts of its largest error."""
    name, limit = next(iter(made.recipe.asked.items()))
    return _relative(made.recipe, made.plain, {name: abs(moved[name])}, name) / limit


def _structure(made: Setting, known: Truth, errors: Numbers, unsure: float) -> Truth:
    """Of a second process: how far the best curve without it is, and the best one with another fault."""
    recipe, target = made.recipe, made.recipe.mean(made.x, made.numbers)
    seen, plainly = nearest(target, recipe.mean, made.x, _beginnings(made), recipe.free)
    seen /= made.noise**2
    if recipe.mean is decay:  # one point alone is no second decay: it may be a wild one
        rest = least_distance(target[1:], recipe.mean, made.x[1:], _beginnings(made), recipe.free) / made.noise**2
        seen = min(seen, rest)
    if seen < _BARELY:
        found = _determined(made, known, errors, unsure)
        return found if seen < _HIDDEN else replace(found, code_clear=False, fit_clear=False)
    other = np.inf
    if recipe.mean is line and made.fault in {"JUMP", "PICKUP"}:
        places = [made.x[0] + part * (made.x[-1] - made.x[0]) for part in (0.15, 0.35, 0.5, 0.65, 0.85)]
        begin = [made.plain | {"second": 0.2 * sign, "second_centre": at} for at in places for sign in (-1, 1)]
        other = least_distance(target, recipe.mean, made.x, begin, (*recipe.free, "second", "second_centre"))
        other /= made.noise**2
    elif recipe.mean is decay:
        more = ("drift",) if made.fault == "TWO_COMPONENTS" else ("second", "second_time")
        begin = [
            one | {"second": 0.3 * sign, "second_time": one["time"] * factor} if len(more) > 1 else one
            for one in _beginnings(made)
            for sign in (-1, 1)
            for factor in ((0.1, 10.0) if len(more) > 1 else (1.0,))
        ]
        other = least_distance(target, recipe.mean, made.x, begin, (*recipe.free, *more)) / made.noise**2
    shift = _moves(made, {name: plainly[name] - made.numbers[name] for name in recipe.free})
    numbers = {**known.numbers, "seen": seen, "another": float(other), "shift of its limit": shift}
    clear = seen > _SEEN
    if made.fault in _ON_TOP:  # it counts by what it does to the parameter
        found = _determined(made, replace(known, numbers=numbers), errors, unsure)
        clear = clear and not _STAYS < shift < _MOVES
        if shift < 1:
            stays = clear and not made.is_stored
            return replace(found, code_clear=found.code_clear and stays, fit_clear=found.fit_clear and stays)
    return replace(
        known,
        code=STRUCTURES[made.fault],
        fit=UNRELIABLE,
        code_clear=clear and other > _ANOTHER,
        fit_clear=clear,
        numbers=numbers,
    )


def _beginnings(made: Setting) -> Iterator[Numbers]:
    """Where the best curve without the fault may be."""
    plain = made.plain
    yield plain
    for name in ("time", "width"):
        if name in plain:
            yield plain | {name: plain[name] * 2.5}
            yield plain | {name: plain[name] / 2.5}
    for name in ("frequency", "centre"):
        if name in plain:
            other = made.numbers[f"second_{name}"]
            yield plain | {name: other}
            yield plain | {name: (plain[name] + other) / 2}


def _beyond(made: Setting, code: str) -> float:
    """Of the curve to the best one that just fits into window and sampling; at noise 1."""
    recipe, x = made.recipe, made.x
    window, step = float(x[-1] - x[0]), float(np.median(np.diff(x)))
    oscillates = recipe.mean is fringes
    if recipe.mean is decay:
        fixed = {"time": window / 2.0 if code == "WINDOW_TOO_SHORT" else 4.0 * step}
    elif oscillates and code == "WINDOW_TOO_SHORT" and recipe.family == "Rabi":
        fixed = {"frequency": 1.3 / window}
    elif oscillates and code == "UNDERSAMPLED":
        fixed = {"frequency": 1 / (5.0 * step)}
    elif oscillates:
        fixed = {"time": window / 0.9 if code == "WINDOW_TOO_SHORT" else 9.0 * step}
    elif code == "UNDERSAMPLED":
        fixed = {"width": 2.2e3 * step}
    elif made.numbers["width"] > 1e3 * window:
        fixed = {"width": 1e3 * window / 2.4}
    else:
        inside = 0.4 * made.numbers["width"] / 1e3
        middle = (x[0] + x[-1]) / 2
        fixed = {"centre": float(x[0] + inside if made.numbers["centre"] < middle else x[-1] - inside)}
    free = tuple(name for name in recipe.free if name not in fixed)
    begin = [one | fixed for one in _beginnings(made)]
    return least_distance(recipe.mean(x, made.numbers), recipe.mean, x, begin, free)


def _signal_of(made: Setting) -> float:
    """Of the curve to the nearest one without signal; at noise 1."""
    recipe, x = made.recipe, made.x
    target = recipe.mean(x, made.numbers)
    if recipe.complex:  # a cable whose delay is not known, and no resonance
        begin = [made.plain | {"amplitude": 0.0, "delay": made.numbers["delay"] + more} for more in _DELAYS]
        return least_distance(target, recipe.mean, x, begin, ("offset", "phase", "delay"))
    level = np.ones(len(x))
    return linear_distance(target, np.stack([level, x - x.mean()], axis=1) if recipe.flat else level[:, None])


_DELAYS = (0.0, 5.0, -5.0, 30.0, 100.0)
"""ns that the flank of a resonance may look like."""


def _relative(recipe: Recipe, plain: Numbers, errors: Numbers, name: str) -> float:
    other, factor = recipe.relative_to.get(name, (name, 1.0))
    return errors[name] / (abs(plain[other]) * factor)


def _known(recipe: Recipe, plain: Numbers, errors: Numbers) -> Truth:
    """With what was planted, in QDash's names."""
    values, least = {}, {}
    for output, (name, _, of) in recipe.outputs.items():
        values[output] = of(plain[name])
        apart = 1e-4 * plain[name]
        least[output] = abs(of(plain[name] + apart) - of(plain[name] - apart)) / (2 * apart) * errors[name]
    return Truth("", "", parameters=values, errors=least)
