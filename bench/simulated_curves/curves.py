"""Kinds of curves of each task, with what the points should be trusted for.

The truth follows from what was planted. A parameter is to be trusted where the least error that any estimate can have
(Cramér and Rao) is below 0.4 of what it is used for, and a textbook fit of the noise-free curve is off by less than
0.25 of that. It is not to be trusted where the one is above 2.5 or the other above 2, where there is no signal, or
where the stored value is wrong. Between them chance decides, and the parameter does not count.

Three kinds are as published measurements are: `cables` (a reflection through a cable that reflects, frequency known
to a thousandth of the width), `envelope` (fringes under e^(-t/T - (t/T')²)) and `compressed` (a drive whose frequency
falls).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from qdash_jupyter.methods.curves.curve import Curve, Shots, StoredParameter
from simulated_curves.apparatus import Apparatus, Array, Rng, drawn_apparatus, in_iq
from simulated_curves.readout import made_shots
from simulated_curves.shapes import Shape, decay, errors_of, fringes, line, reflected, seen_as, stretched

USES: Mapping[str, tuple[float, str]] = {
    "t1": (0.15, "time"),
    "t2_echo": (0.2, "time"),
    "t2_star": (0.2, "time"),
    "ramsey_frequency": (0.05, "frequency"),
    "rabi_frequency": (0.05, "frequency"),
    "depolarizing_rate": (0.2, "time"),
    "readout_frequency": (0.15, "width"),
    "coarse_qubit_frequency": (0.15, "width"),
    "resonator_frequency": (0.15, "width"),
    "linewidth": (0.3, "width"),
}
"""By parameter: the relative error up to which it is of use, and in parts of what."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A curve, what was planted, and which of its parameters should be trusted, and which should not."""

    family: str
    kind: str
    curve: Curve | Shots
    truth: Mapping[str, float]
    good: frozenset[str] = frozenset()
    bad: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    """Of the good ones those for which the textbook's shape is right, so that noise alone moves them."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A noise-free curve: places, populations, and the textbook shape that is fitted to such."""

    x: Array
    signal: Array
    shape: Shape
    at: dict[str, float]
    apparatus: Apparatus
    wrong: tuple[str, ...] = ()
    """Textbook parameters that mean nothing here: two processes, or none. Where a textbook fit explains the points
    about as well, nobody can tell, and they do not count.
    """
    always: bool = False
    """They count all the same."""
    change: Callable[[Rng, Array, Apparatus], Array] | None = None
    """What becomes of the measured points."""
    stored_off: str = ""
    """The textbook parameter whose stored value is wrong."""
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task: QDash's name, units, and the product's parameters by those of the textbook, with a conversion."""

    name: str
    x_unit: str
    outputs: Mapping[str, tuple[str, Callable[[float], float]]]
    kinds: Mapping[str, Callable[[Rng], Drawn]]


def made(family: str, kind: str, seed: int) -> Made:
    """A curve of a family (`KINDS`) and kind; the same for the same seed."""
    rng = np.random.default_rng([seed, *f"{family}/{kind}".encode()])
    if family == "readout":
        shots, truth, good, bad = made_shots(rng, kind)
        return Made(family, kind, shots, truth, good, bad, good)
    task = TASKS[family]
    drawn = task.kinds[kind](rng)
    y, deviation = _measured(rng, drawn)
    truth = {name: convert(drawn.at[of]) for name, (of, convert) in task.outputs.items()}
    good, bad, exact = _expected(task, drawn, deviation)
    stored = {}
    if drawn.stored_off:
        name = next(name for name, (of, _) in task.outputs.items() if of == drawn.stored_off)
        by = float(rng.choice([0.5, 1.7])) if drawn.stored_off != "centre" else 1.0
        aside = 1.5 * drawn.at["width"] if drawn.stored_off == "centre" else 0.0
        value = truth[name] * by + aside
        stored = {name: StoredParameter(value, 0.02 * abs(value) if not aside else 0.05 * aside)}
        bad, good = bad | {name}, good - {name}
    curve = Curve(task.name, "0", drawn.x, y, task.x_unit, stored=stored)
    return Made(family, kind, replace(curve, **drawn.settings), truth, good, bad, exact)  # pyrefly: ignore[bad-argument-type]


def _measured(rng: Rng, drawn: Drawn) -> tuple[Array, Array]:
    """The points, and the deviation of each in the signal's unit."""
    apparatus = drawn.apparatus
    if len(drawn.signal) == 2 * len(drawn.x):  # two quadratures: no population, only the amplifier
        deviation = np.full(len(drawn.signal), apparatus.amplifier)
        y = drawn.signal + deviation * rng.standard_normal(len(drawn.signal))
        return y[: len(drawn.x)] + 1j * y[len(drawn.x) :], deviation
    deviation = apparatus.deviation(drawn.signal)
    y, _ = apparatus.measured(rng, drawn.signal, np.arange(len(drawn.x)))
    if drawn.change is not None:
        y = drawn.change(rng, y, apparatus)
    if apparatus.is_iq and drawn.change is None:
        y = in_iq(rng, y, float(abs(apparatus.contrast) * np.median(deviation)))
    return y, deviation


def _expected(task: Task, drawn: Drawn, deviation: Array) -> tuple[frozenset[str], ...]:
    errors = errors_of(drawn.shape, drawn.x, drawn.at, deviation)
    seen = seen_as(drawn.shape, drawn.x, drawn.at, drawn.signal, deviation)
    good, bad, exact = set(), set(), set()
    left = (drawn.shape(drawn.x, **seen) - drawn.signal) / deviation
    is_seen = drawn.always or float(left @ left) > 40  # noqa: PLR2004
    for name, (of, _) in task.outputs.items():
        if name not in USES:
            continue
        limit, size = USES[name]
        use = limit * abs(drawn.at[size])
        off = abs(seen[of] - drawn.at[of])
        if of in drawn.wrong:
            bad |= {name} if is_seen else set()
        elif off > 2 * use or errors[of] > 2.5 * use:
            bad.add(name)
        elif off < 0.25 * use and errors[of] < 0.4 * use:
            good.add(name)
            if off < 0.2 * errors[of]:
                exact.add(name)
    return frozenset(good), frozenset(bad), frozenset(exact)


def _log(rng: Rng, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _either(rng: Rng) -> float:
    return float(rng.choice([-1.0, 1.0]))


# Decays


def _window(rng: Rng, time: float, decays: float, count: int) -> Array:
    if rng.random() < 0.3:  # noqa: PLR2004
        spaced: Array = np.geomspace(decays * time / 100, decays * time, count)
        return spaced
    even: Array = np.linspace(0.0, decays * time, count)
    return even


def _plain_decay(
    rng: Rng, times: tuple[float, float], *, drift: float = 0.0, quiet: float = 1.0, decays: float = 0.0
) -> Drawn:
    time, count = _log(rng, *times), int(rng.integers(25, 82))
    x = _window(rng, time, decays or rng.uniform(2.5, 6.0), count)
    at = {"time": time, "size": float(rng.uniform(0.7, 0.98)), "level": float(rng.uniform(0.01, 0.1))}
    return Drawn(x, decay(x, **at), decay, at, drawn_apparatus(rng, drift=drift, quiet=quiet))


def _decays(times: tuple[float, float]) -> dict[str, Callable[[Rng], Drawn]]:
    return _good_decays(times) | _bad_decays(times)


def _good_decays(times: tuple[float, float]) -> dict[str, Callable[[Rng], Drawn]]:
    def few(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times, quiet=3.0)
        time = one.at["time"]
        x = np.linspace(0.0, rng.uniform(4.0, 6.0) * time, int(rng.integers(9, 14)))
        return replace(one, x=x, signal=decay(x, **one.at))

    def rippled(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times, quiet=10.0)
        hum = 0.002 * np.sin(2 * np.pi * np.arange(len(one.x)) / rng.uniform(4, 9))
        return replace(one, signal=one.signal + hum)

    def cut(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times)
        at = one.at | {"size": 0.98, "level": 0.0}
        apparatus = replace(one.apparatus, contrast=1.0, offset=0.0, is_iq=False)
        return replace(
            one,
            at=at,
            signal=decay(one.x, **at),
            apparatus=apparatus,
            change=lambda _, y, __: np.clip(y, 0.0, 1.0),
        )

    def spiked(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times)

        def change(rng: Rng, y: Array, apparatus: Apparatus) -> Array:
            y = y.copy()
            y[rng.integers(3, len(y) - 3)] += apparatus.contrast * rng.uniform(0.6, 2.0)
            return y

        return replace(one, change=change)

    return {
        "plain": lambda rng: _plain_decay(rng, times),
        "drifting": lambda rng: _plain_decay(rng, times, drift=float(rng.uniform(0.005, 0.015))),
        "few": few,
        "rippled": rippled,
        "cut": cut,
        "spiked": spiked,
        "spiked and stored": lambda rng: replace(spiked(rng), stored_off="time"),
    }


def _bad_decays(times: tuple[float, float]) -> dict[str, Callable[[Rng], Drawn]]:
    def saturated(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times, decays=4.0)
        x = np.linspace(0.0, 4.0 * one.at["time"], len(one.x))

        def change(rng: Rng, y: Array, apparatus: Apparatus) -> Array:
            top = apparatus.shown(np.array(one.at["level"] + one.at["size"] * rng.uniform(0.25, 0.4)))
            found: Array = np.minimum(y, top) if apparatus.contrast > 0 else np.maximum(y, top)
            return found

        return replace(one, x=x, signal=decay(x, **one.at), change=change, wrong=("time",), always=True)

    def two(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times, decays=float(rng.uniform(4, 6)))
        share = rng.uniform(0.4, 0.6)
        fast = decay(one.x, one.at["time"] * _log(rng, 0.05, 0.15), 1.0, 0.0)
        slow = decay(one.x, one.at["time"], 1.0, 0.0)
        signal = one.at["size"] * ((1 - share) * slow + share * fast) + one.at["level"]
        return replace(one, signal=signal, wrong=("time",))

    def halved(rng: Rng) -> Drawn:
        """A two-level system comes into resonance in mid-scan: the time falls to a third."""
        one = _plain_decay(rng, times, decays=4.0)
        x = np.linspace(0.0, 3.0 * one.at["time"], len(one.x))
        at = one.at | {"time": one.at["time"] / 3}
        signal = np.where(x < 0.7 * one.at["time"], decay(x, **one.at), decay(x, **at))
        return replace(one, x=x, signal=signal, wrong=("time",))

    def stepped(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times, decays=float(rng.uniform(3, 5)))
        step = rng.uniform(0.15, 0.25) * _either(rng) * (np.arange(len(one.x)) > rng.uniform(0.3, 0.7) * len(one.x))
        return replace(one, signal=0.6 * one.signal + 0.25 + step)

    def nothing(rng: Rng) -> Drawn:
        one = _plain_decay(rng, times)
        return replace(one, signal=np.full(len(one.x), 0.3), wrong=("time",), always=True)

    return {
        "saturated": saturated,
        "two": two,
        "halved": halved,
        "stepped": stepped,
        "short": lambda rng: _plain_decay(rng, times, decays=float(rng.uniform(0.2, 0.5))),
        "nothing": nothing,
        "stored": lambda rng: replace(_plain_decay(rng, times, quiet=2.0), stored_off="time"),
    }


def _echo_kinds() -> dict[str, Callable[[Rng], Drawn]]:
    kinds = _decays((5.0, 300.0))

    def envelope(rng: Rng) -> Drawn:
        one = kinds["plain"](rng)
        x = np.linspace(0.0, rng.uniform(2.5, 4.0) * one.at["time"], len(one.x))
        at = one.at | {"power": float(rng.uniform(1.2, 2.0)), "size": one.at["size"] / 2, "level": 0.5}
        return replace(one, x=x, at=at, shape=stretched, signal=stretched(x, **at))

    return kinds | {"envelope": envelope}


# Fringes


def _ramsey_kinds() -> dict[str, Callable[[Rng], Drawn]]:
    def plain(rng: Rng, *, drift: float = 0.0, quiet: float = 1.0, decays: float = 0.0, count: int = 0) -> Drawn:
        time, count = _log(rng, 2.0, 80.0), count or int(rng.integers(60, 152))
        x = np.linspace(0.0, (decays or rng.uniform(1.5, 3.5)) * time, count)
        frequency = count / x[-1] / rng.uniform(5.5, 14.0)
        at = {"frequency": frequency, "time": time, "size": float(rng.uniform(0.35, 0.49))}
        at |= {"phase": float(rng.uniform(-0.3, 0.3)), "level": 0.5}
        return Drawn(x, fringes(x, **at), fringes, at, drawn_apparatus(rng, drift=drift, quiet=quiet))

    def envelope(rng: Rng) -> Drawn:
        """exp(-t/T - (t/T')²): the 1/e time is the solution of t/T + (t/T')² = 1."""
        one = plain(rng, quiet=float(rng.uniform(1, 4)))
        first, second = one.at["time"] * rng.uniform(1.2, 3.0), one.at["time"]
        end = (-1 / first + np.sqrt(1 / first**2 + 4 / second**2)) / 2 * second**2
        wave = one.at["size"] * np.cos(2 * np.pi * one.at["frequency"] * one.x + one.at["phase"])
        at = one.at | {"time": float(end)}
        signal = 0.5 + wave * np.exp(-one.x / first - (one.x / second) ** 2)
        return replace(one, at=at | {"power": 1.6}, shape=_under_stretched, signal=signal)

    def parity(rng: Rng) -> Drawn:
        one = plain(rng, decays=2.0)
        apart = rng.uniform(1.5, 4.0) / one.x[-1]
        both = [fringes(one.x, **(one.at | {"frequency": one.at["frequency"] + sign * apart})) for sign in (-0.5, 0.5)]
        return replace(one, signal=(both[0] + both[1]) / 2, wrong=("time",))

    def jumped(rng: Rng) -> Drawn:
        one = plain(rng, decays=2.0)
        middle = one.x[int(rng.uniform(0.35, 0.6) * len(one.x))]
        phase = 2 * np.pi * one.at["frequency"] * np.where(one.x < middle, one.x, middle + 1.5 * (one.x - middle))
        signal = 0.5 + one.at["size"] * np.exp(-one.x / one.at["time"]) * np.cos(phase + one.at["phase"])
        return replace(one, signal=signal, wrong=("time", "frequency"))

    def nothing(rng: Rng) -> Drawn:
        one = plain(rng)
        return replace(one, signal=np.full(len(one.x), 0.4), wrong=("time", "frequency"), always=True)

    return {
        "plain": plain,
        "drifting": lambda rng: plain(rng, drift=float(rng.uniform(0.005, 0.02))),
        "few": lambda rng: plain(rng, count=int(rng.integers(31, 46)), quiet=2.0),
        "envelope": envelope,
        "quiet envelope": lambda rng: replace(envelope(rng), apparatus=drawn_apparatus(rng, quiet=10.0)),
        # The frequency is known; the time hangs on the shape of an envelope of which a fifth is seen.
        "short": lambda rng: replace(plain(rng, decays=float(rng.uniform(0.1, 0.25))), wrong=("time",), always=True),
        "parity": parity,
        "jumped": jumped,
        "nothing": nothing,
        "stored": lambda rng: replace(plain(rng), stored_off="frequency"),
    }


def _under_stretched(  # noqa: PLR0917
    x: Array, frequency: float, time: float, size: float, phase: float, level: float, power: float
) -> Array:
    found: Array = size * np.exp(-(np.abs(x / time) ** power)) * np.cos(2 * np.pi * frequency * x + phase) + level
    return found


def _rabi_kinds() -> dict[str, Callable[[Rng], Drawn]]:
    def plain(rng: Rng, *, drift: float = 0.0, periods: float = 0.0, a_period: float = 0.0) -> Drawn:
        frequency, periods = _log(rng, 3.0, 60.0), periods or float(rng.uniform(2.0, 6.0))
        count = max(16, round(periods * (a_period or rng.uniform(6.0, 15.0))))
        x = np.linspace(0.0, periods / frequency, count)
        at = {"frequency": frequency, "time": float(x[-1] * rng.uniform(1.0, 10.0)), "size": -0.48}
        at |= {"phase": 0.0, "level": 0.5}
        return Drawn(x, fringes(x, **at), fringes, at, drawn_apparatus(rng, drift=drift))

    def compressed(rng: Rng) -> Drawn:
        """A drive that loses 2 to 8 % to the end: its frequency is that in the middle of the scan."""
        one = plain(rng)
        loss = rng.uniform(0.02, 0.08)
        u = one.x / one.x[-1]
        phase = 2 * np.pi * one.at["frequency"] * one.x * (1 + loss / 2 - loss * u / 2)
        return replace(one, signal=0.5 - 0.48 * np.exp(-one.x / one.at["time"]) * np.cos(phase))

    def beating(rng: Rng) -> Drawn:
        one = plain(rng, periods=float(rng.uniform(5, 8)))
        apart = rng.uniform(1.2, 2.5) / one.x[-1]
        other = fringes(one.x, **(one.at | {"frequency": one.at["frequency"] + apart}))
        return replace(one, signal=(one.signal + other) / 2, wrong=("frequency",))

    def nothing(rng: Rng) -> Drawn:
        one = plain(rng)
        return replace(one, signal=np.full(len(one.x), 0.4), wrong=("frequency",), always=True)

    return {
        "plain": plain,
        "drifting": lambda rng: plain(rng, drift=float(rng.uniform(0.005, 0.02))),
        "few": lambda rng: plain(rng, periods=2.5, a_period=6.5),
        "compressed": compressed,
        "part": lambda rng: plain(rng, periods=float(rng.uniform(0.15, 0.35))),
        "beating": beating,
        "nothing": nothing,
        "stored": lambda rng: replace(plain(rng), stored_off="frequency"),
    }


# Lines


def _line_kinds(places: tuple[float, float], *, dip: bool) -> dict[str, Callable[[Rng], Drawn]]:
    def plain(rng: Rng, *, drift: float = 0.0, on_line: float = 0.0, place: float = 0.0) -> Drawn:
        width, count = _log(rng, 0.3e-3, 5e-3), int(rng.integers(51, 122))
        span = count * width / (on_line or rng.uniform(3.0, 9.0))
        centre = float(rng.uniform(*places))
        x = centre - (place or rng.uniform(0.25, 0.75)) * span + np.linspace(0.0, span, count)
        at = {"centre": centre, "width": width, "size": -0.6 if dip else 0.45, "level": 0.8 if dip else 0.05}
        at |= {"slope": float(rng.uniform(-0.05, 0.05)) / span}
        settings = {"y_unit": "|S|²"} if dip else {}
        return Drawn(x, line(x, **at), line, at, drawn_apparatus(rng, drift=drift), settings=settings)

    def gaussian(rng: Rng) -> Drawn:
        one = plain(rng)
        shape = np.exp(-np.log(2) * (2 * (one.x - one.at["centre"]) / one.at["width"]) ** 2)
        return replace(one, signal=one.at["size"] * shape + one.at["level"])

    def skewed(rng: Rng) -> Drawn:
        one = plain(rng)
        z = 2 * (one.x - one.at["centre"]) / one.at["width"]
        return replace(one, signal=one.signal + one.at["size"] * rng.uniform(-0.3, 0.3) * z / (1 + z**2))

    def two(rng: Rng) -> Drawn:
        one = plain(rng)
        other = one.at["centre"] + rng.uniform(1.5, 4.0) * one.at["width"] * _either(rng)
        if not one.x[0] < other < one.x[-1]:
            other = 2 * one.at["centre"] - other
        extra = line(one.x, other, one.at["width"], one.at["size"], 0.0, 0.0)
        wrong = ("centre", "width") if one.x[0] < other < one.x[-1] else ()
        return replace(one, signal=0.5 * one.signal + 0.5 * (extra + one.at["level"]), wrong=wrong)

    def nothing(rng: Rng) -> Drawn:
        one = plain(rng)
        return replace(one, signal=np.full(len(one.x), 0.4), wrong=("centre", "width"), always=True)

    def decibels(rng: Rng) -> Drawn:
        """|S|² of a resonator in dB."""
        one = plain(rng)
        depth = float(rng.uniform(0.5, 0.95))
        at = one.at | {"size": -depth, "level": 1.0, "slope": 0.0}
        apparatus = replace(one.apparatus, shots=10**9, contrast=1.0, offset=0.0, is_iq=False)

        def change(_: Rng, y: Array, __: Apparatus) -> Array:
            found: Array = 10 * np.log10(np.maximum(y, 1e-4)) - 30
            return found

        settings = {"y_unit": "dB"}
        return replace(one, at=at, signal=line(one.x, **at), apparatus=apparatus, change=change, settings=settings)

    kinds: dict[str, Callable[[Rng], Drawn]] = {
        "plain": plain,
        "drifting": lambda rng: plain(rng, drift=float(rng.uniform(0.005, 0.02))),
        "skewed": skewed,
        "two": two,
        "narrow": lambda rng: plain(rng, on_line=float(rng.uniform(0.1, 0.3))),
        "nothing": nothing,
        "stored": lambda rng: replace(plain(rng), stored_off="centre"),
    }
    return kinds | ({"decibels": decibels} if dip else {"gaussian": gaussian})


def _reflection_kinds() -> dict[str, Callable[[Rng], Drawn]]:
    def plain(rng: Rng, *, noise: float = 0.0) -> Drawn:
        width, count = _log(rng, 0.3e-3, 5e-3), int(rng.integers(41, 122))
        span = count * width / rng.uniform(3.0, 9.0)
        centre = float(rng.uniform(6.0, 10.0))
        x = centre - rng.uniform(0.3, 0.7) * span + np.linspace(0.0, span, count)
        at = {"centre": centre, "width": width, "depth": float(rng.uniform(0.5, 1.8)), "size": 1.0}
        at |= {"phase": float(rng.uniform(-3, 3)), "delay": float(rng.uniform(10, 60))}
        apparatus = replace(drawn_apparatus(rng), amplifier=noise or _log(rng, 0.003, 0.06))
        return Drawn(x, reflected(x, **at), reflected, at, apparatus)

    def cables(rng: Rng) -> Drawn:
        one = plain(rng, noise=_log(rng, 0.0005, 0.003))
        count = len(one.x)
        wave = 1 + 0.004 * np.exp(2j * np.pi * (rng.uniform(0.7, 2.5) * np.linspace(0, 1, count) + rng.random()))
        signal = (one.signal[:count] + 1j * one.signal[count:]) * wave
        return replace(one, signal=np.concatenate([signal.real, signal.imag]))

    def two(rng: Rng) -> Drawn:
        one = plain(rng, noise=_log(rng, 0.003, 0.02))
        centre, aside = one.at["centre"], rng.uniform(1.5, 4.0) * one.at["width"]
        other = centre + (aside if centre - one.x[0] < one.x[-1] - centre else -aside)
        count = len(one.x)
        both = [reflected(one.x, **(one.at | {"centre": at, "depth": one.at["depth"] / 2})) for at in (centre, other)]
        base = reflected(one.x, **(one.at | {"depth": 0.0}))
        return replace(one, signal=(both[0] + both[1] - base)[: 2 * count], wrong=("centre", "width"))

    def nothing(rng: Rng) -> Drawn:
        one = plain(rng)
        return replace(
            one, signal=reflected(one.x, **(one.at | {"depth": 0.0})), wrong=("centre", "width"), always=True
        )

    return {
        "plain": plain,
        "cables": cables,
        "two": two,
        "nothing": nothing,
        "stored": lambda rng: replace(plain(rng), stored_off="centre"),
    }


def _same(value: float) -> float:
    return value


TASKS: Mapping[str, Task] = {
    "T1": Task("CheckT1", "μs", {"t1": ("time", _same)}, _decays((5.0, 300.0))),
    "T2 echo": Task("CheckT2Echo", "μs", {"t2_echo": ("time", _same)}, _echo_kinds()),
    "RB": Task(
        "RandomizedBenchmarking",
        "",
        {"depolarizing_rate": ("time", lambda time: float(-np.expm1(-1 / time)))},
        {name: kind for name, kind in _decays((50.0, 2000.0)).items() if name not in {"halved", "rippled"}},
    ),
    "Ramsey": Task(
        "CheckRamsey",
        "μs",
        {"t2_star": ("time", _same), "ramsey_frequency": ("frequency", _same)},
        _ramsey_kinds(),
    ),
    "Rabi": Task("CheckRabi", "μs", {"rabi_frequency": ("frequency", _same)}, _rabi_kinds()),
    "resonator": Task(
        "CheckResonatorSpectroscopy",
        "GHz",
        {"readout_frequency": ("centre", _same), "linewidth": ("width", lambda width: 1e3 * width)},
        _line_kinds((6.0, 10.0), dip=True),
    ),
    "qubit": Task(
        "CheckQubitSpectroscopy",
        "GHz",
        {"coarse_qubit_frequency": ("centre", _same), "linewidth": ("width", lambda width: 1e3 * width)},
        _line_kinds((4.0, 6.0), dip=False),
    ),
    "reflection": Task(
        "CheckReflectionCoefficient",
        "GHz",
        {"resonator_frequency": ("centre", _same), "linewidth": ("width", lambda width: 1e3 * width)},
        _reflection_kinds(),
    ),
}
KINDS: Mapping[str, tuple[str, ...]] = {name: tuple(task.kinds) for name, task in TASKS.items()} | {
    "readout": ("plain", "relaxing", "few", "third", "leaked", "nothing")
}
"""The kinds of each family."""
