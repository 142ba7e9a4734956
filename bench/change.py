"""The one test of change: its critical values, its false alarms, what it finds, and three classical tests beside it.

`python bench/change.py critical` makes `CRITICAL` of `qdash_jupyter/methods/descriptions.py`, `alarms` and `power` the
tables of docs/benchmarks.md, `limits` says what no test does better, `intervals` how often what is told holds,
`outliers` makes `WILD_FROM` of `qdash_jupyter/methods/distributions.py` and measures `outliers` and `telegraph`.
`SERIES` says how many series of each.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from qdash_jupyter import methods as qm
from qdash_jupyter.methods.descriptions import (
    FEWEST_FOR_TWO,
    clipped,
    fits_of,
    rounding,
    shapes_of,
    two_levels,
    two_steps,
)
from qdash_jupyter.methods.distributions import WILD_FROM, robust_deviations
from qdash_jupyter.methods.level_change import FALSE_ALARMS, SIGNIFICANT_Z, level_changes
from qdash_jupyter.methods.noise import two_levels_of

SEED = 20261127
SERIES = int(os.environ.get("SERIES", "20000"))
"""80,000 for the critical values that are in use."""
LENGTHS = (*range(6, 16), 20, 25, 30, 40, 50, 60, 75, 90, 120, 150, 200)
AT_ONCE = 500
OUTLYING = 0.05
NORMAL_AT_ALARMS, BRIDGE_AT_ALARMS = 3.2905, 1.9495
"""What a normal deviate, and the largest of a Brownian bridge, have beyond them in 0.1 %."""
STEP = 6.0
"""A step whose interval is looked at, in standard deviations of the noise."""

Make = Callable[[np.random.Generator, int, int], np.ndarray]


def ar(rho: float) -> Make:
    """AR(1) of variance 1; white noise where rho is 0."""

    def make(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
        values: np.ndarray = rng.standard_normal((series, count))
        for place in range(1, count):
            values[:, place] = rho * values[:, place - 1] + np.sqrt(1 - rho**2) * values[:, place]
        return values

    return make


def outlying(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """White noise, of which one value in twenty has ten times the deviation."""
    wild: np.ndarray = np.where(rng.random((series, count)) < OUTLYING, 10, 1)
    made: np.ndarray = rng.standard_normal((series, count)) * wild
    return made


def student(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """Student's t with 2 degrees of freedom."""
    made: np.ndarray = rng.standard_t(2, (series, count))
    return made


def walk(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """A random walk."""
    made: np.ndarray = rng.standard_normal((series, count)).cumsum(axis=1)
    return made


def flicker(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """1/f noise: a piece of an eight times longer series, whose Fourier amplitudes fall with the root of frequency."""
    frequencies = np.fft.rfftfreq(8 * count)
    size = np.concatenate([[0.0], frequencies[1:] ** -0.5])
    parts = rng.standard_normal((2, series, len(frequencies))) * size
    values: np.ndarray = np.fft.irfft(parts[0] + 1j * parts[1], 8 * count, axis=1)[:, :count]
    return values


def switching(chance: float) -> Make:
    """Two levels, switched with this chance at each measurement, and white noise of a fifth of their distance."""

    def make(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
        switched = np.cumsum(rng.random((series, count)) < chance, axis=1)
        level = (rng.integers(0, 2, (series, 1)) + switched) % 2
        made: np.ndarray = level + 0.2 * rng.standard_normal((series, count))
        return made

    return make


def wandering(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """White noise about a random walk whose steps are three tenths of it."""
    made: np.ndarray = rng.standard_normal((series, count)) + 0.3 * walk(rng, series, count)
    return made


QUIET: dict[str, Make] = {
    "white": ar(0),
    "AR(0.5)": ar(0.5),
    "5 % outliers": outlying,
    "Student t, 2 degrees": student,
}
SLOW: dict[str, Make] = {"AR(0.9)": ar(0.9), "random walk": walk, "1/f": flicker}
SWITCHING: dict[str, Make] = {
    "telegraph, a switch in 5": switching(0.2),
    "telegraph, a switch in 10": switching(0.1),
    "telegraph, a switch in 30": switching(1 / 30),
    "white about a random walk of 0.3": wandering,
}


def pieces(make: Make, count: int, series: int, *seed: int) -> Iterator[np.ndarray]:
    """So many series, some at a time."""
    rng = np.random.default_rng([SEED, count, *seed])
    for first in range(0, series, AT_ONCE):
        yield make(rng, min(AT_ONCE, series - first), count)


def ratios(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of series of one length, twice the logarithm of the likelihood ratio of the best change and the best noise, and
    that of the best two steps; 0 where two levels that the series switches between fit better.
    """
    shapes, near, least = shapes_of(values.shape[1]), clipped(values), rounding(values)
    fits = fits_of(near, shapes, least)
    found: np.ndarray = np.maximum(fits.likely.max(axis=0) - fits.constant, 0.0)
    found[two_levels(near, values, least) > fits.fitted[0].max(axis=0)] = 0.0
    if values.shape[1] < FEWEST_FOR_TWO:
        return found, np.zeros(len(values))
    of_two, likely, _, _ = two_steps(fits, np.arange(len(values)), shapes)
    of_two[two_levels(near, near, least, fewest=3) > likely] = 0.0
    return found, of_two


def print_critical() -> None:
    """What the ratio of likelihoods has beyond it in 0.07 % of series of quiet noise and 1.5 % of slow noise, and that
    of two steps in 0.02 and 0.3 %: together no more than the 0.1 % and 2 % that are promised, as all are simulated.
    """
    for two, shares, some in ((0, (0.0007, 0.015), 1.0), (1, (0.0002, 0.003), 0.25)):
        print("two" if two else "one")
        for count in (one for one in LENGTHS if one >= FEWEST_FOR_TWO or not two):
            shown, needed = [], 0.0
            for place, (kinds, share, part) in enumerate(zip((QUIET, SLOW), shares, (1.0, 0.1), strict=True)):
                for which, (kind, make) in enumerate(kinds.items()):
                    all_of = pieces(make, count, int(SERIES * part * some), place, which)
                    found = np.concatenate([ratios(one)[two] for one in all_of])
                    needed = max(needed, at := float(np.quantile(found, 1 - share)))
                    shown.append(f"{kind} {at:.1f}")
            print(f"    {count}: {np.ceil(10 * needed) / 10:.1f},  # {', '.join(shown)}", flush=True)


def mann_kendall(values: np.ndarray) -> np.ndarray:
    """|z| of Mann (1945) and Kendall (1975), without ties."""
    count = values.shape[1]
    signs = np.sign(values[:, None, :] - values[:, :, None])
    rising = np.triu(signs).sum(axis=(1, 2))
    found: np.ndarray = np.abs(rising) / np.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    return found


def pettitt(values: np.ndarray) -> np.ndarray:
    """The approximate chance of Pettitt's test for a change point (Appl. Stat. 28, 126 (1979))."""
    count = values.shape[1]
    ranks = values.argsort(axis=1).argsort(axis=1) + 1
    at = np.arange(1, count + 1)
    most = np.abs(2 * np.cumsum(ranks, axis=1) - at * (count + 1)).max(axis=1)
    found: np.ndarray = 2 * np.exp(-6 * most**2 / (count**3 + count**2))
    return found


def cusum(values: np.ndarray) -> np.ndarray:
    """The largest sum of deviations from the mean over `sigma sqrt(n)`; 1.95 is beyond a Brownian bridge's in 0.1 %."""
    away = values - values.mean(axis=1, keepdims=True)
    found: np.ndarray = np.abs(np.cumsum(away, axis=1)).max(axis=1) / (away.std(axis=1) * np.sqrt(values.shape[1]))
    return found


def told(values: np.ndarray, start: int) -> list[bool]:
    """Whether each is named by the one test."""
    series = {str(at): (one, np.zeros(len(one)), start) for at, one in enumerate(values)}
    return [change.is_sure for change in level_changes(series).values()]


TESTS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "this test": lambda values, start: np.array(told(values, start)),
    "Mann-Kendall": lambda values, _: mann_kendall(values) > NORMAL_AT_ALARMS,
    "Pettitt": lambda values, _: pettitt(values) < FALSE_ALARMS,
    "CUSUM": lambda values, _: cusum(values) > BRIDGE_AT_ALARMS,
}


def print_rates(rows: dict[str, tuple[Make, int, int]], tests: dict[str, Callable[..., np.ndarray]]) -> None:
    """In %, how often each test names a change: of a maker, the number of measurements, and where the window begins."""
    print(f"| | n | window | {' | '.join(tests)} |\n| --- | --- | --- | {' --- |' * len(tests)}")
    for name, (make, count, start) in rows.items():
        found = np.zeros(len(tests))
        for values in pieces(make, count, SERIES, start, 7):
            found += [test(values, start).sum() for test in tests.values()]
        shown = " | ".join(f"{100 * one / SERIES:.2f}" for one in found)
        print(f"| {name} | {count} | {count - start} | {shown} |", flush=True)


def print_alarms() -> None:
    """False alarms of all tests, and of the one at more lengths."""
    of_all = {
        f"{name}{'' if start else ' '}": (make, 60, start)
        for start in (0, 30)
        for name, make in (QUIET | SLOW | SWITCHING).items()
    }
    print_rates(of_all, TESTS)
    print()
    kinds = QUIET | SLOW | SWITCHING
    print(f"| n, window | {' | '.join(kinds)} |\n| --- |{' --- |' * len(kinds)}")
    for count, start in ((30, 20), (90, 60)):
        shown = []
        for make in kinds.values():
            found = sum(sum(told(values, start)) for values in pieces(make, count, SERIES, start, 8))
            shown.append(f"{100 * found / SERIES:.2f}")
        print(f"| {count}, {count - start} | {' | '.join(shown)} |", flush=True)


def changed(by: Callable[[np.ndarray], np.ndarray], scatter: float = 0.08, noise: Make | None = None) -> Make:
    """A level of 1 with relative noise; `by` is its relative change, of where each measurement is."""

    def make(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
        level: np.ndarray = 1 - by(np.arange(count) - count)
        values: np.ndarray = level * (1 + scatter * (noise or ar(0))(rng, series, count))
        return values

    return make


def fall(size: float, days: int, level: int = 1) -> Callable[[np.ndarray], np.ndarray]:
    """A straight fall that began so many days ago, of which the last are level."""
    return lambda at: size * np.clip((at + days) / (days - level), 0, 1)


def step(size: float, days: int) -> Callable[[np.ndarray], np.ndarray]:
    """A step so many days ago."""
    return lambda at: size * (at >= -days)


def print_power() -> None:
    """What is found of changes."""
    line, half = fall(0.45, 90), step(0.3, 12)
    rows = {
        "a straight fall of 45 % in 90 days, 90 known": (changed(line), 90, 60),
        "the same, 60 known": (changed(line), 60, 30),
        "the same, 30 known": (changed(line), 30, 0),
        "a step of 30 % 12 days ago": (changed(half), 60, 30),
        "the same, AR(0.5)": (changed(half, noise=ar(0.5)), 60, 30),
        "the same, 5 % outliers": (changed(half, noise=outlying), 60, 30),
        "a step of 30 % 5 days ago": (changed(step(0.3, 5)), 60, 30),
        "a step of 30 % 3 days ago": (changed(step(0.3, 3)), 60, 30),
        "a step of 20 % 12 days ago": (changed(step(0.2, 12)), 60, 30),
        "a fall of 30 % in the last 20 days": (changed(fall(0.3, 20)), 60, 30),
        "a fall of 45 % in 10 days, which ended 2 ago, noise of 6 %": (changed(fall(0.45, 12, 2), 0.06), 36, 22),
        "the same, which ended 12 ago": (changed(fall(0.45, 22, 12), 0.06), 36, 7),
        "a step of 40 % 5 days ago, before the window, noise of 6 %": (changed(step(0.4, 5), 0.06), 36, 33),
        "a step of 30 % 5 days ago, 15 known": (changed(step(0.3, 5)), 15, 10),
        "a step of 50 % 5 days ago, 15 known": (changed(step(0.5, 5)), 15, 10),
        "a step of 50 % 3 days ago, 10 known": (changed(step(0.5, 3)), 10, 7),
    }
    print_rates(rows, TESTS)


def print_limits() -> None:
    """What no test finds more of, and which telegraphs are a step.

    Of a straight fall of 45 % in 90 days with white noise of 8 %: the power of Neyman and Pearson's test, which knows
    the fall and its noise, where 0.1 % of AR(0.5) of so many times its deviation may be called a fall.
    """
    print("| known | a deviation of AR(0.5) | found at most |\n| --- | --- | --- |")
    for count in (30, 60):
        level: np.ndarray = 1 - fall(0.45, 90)(np.arange(count) - count)
        at, scatter = np.arange(count), 0.08 * level.mean()
        away = np.linalg.svd(np.ones((1, count)))[2][1:]  # contrasts: the level itself says nothing
        mean, noise = away @ level / scatter, away @ (0.5 ** np.abs(at[:, None] - at)) @ away.T
        rng = np.random.default_rng([SEED, count, 12])
        for size in (1.0, 1.5, 2.0):
            root = size * np.linalg.cholesky(noise)
            drawn = (
                rng.standard_normal((10 * SERIES, count - 1)) @ root.T,
                mean + rng.standard_normal((SERIES, count - 1)),
            )
            quiet, falls = (
                (np.linalg.solve(root, one.T) ** 2).sum(axis=0) - ((one - mean) ** 2).sum(axis=1) for one in drawn
            )
            found = (falls > np.quantile(quiet, 1 - FALSE_ALARMS)).mean()
            print(f"| {count} | {size} | {100 * found:.1f} |", flush=True)
    print("\n| telegraph | n | window | named | of these, one switch | only visits of one |\n|" + " --- |" * 6)
    for name in list(SWITCHING)[:3]:
        chance = 1 / int(name.split()[-1])
        for count, start in ((60, 0), (60, 30), (30, 20)):
            rng = np.random.default_rng([SEED, count, start, 13])
            level = np.cumsum(rng.random((SERIES // 4, count)) < chance, axis=1) % 2
            named = told(level + 0.2 * rng.standard_normal(level.shape), start)
            switches = np.abs(np.diff(level[named], axis=1)).sum(axis=1)
            shown = (
                np.mean(named),
                np.mean(switches == 1),
                np.mean([_is_step_with_visits(one) for one in level[named]]),
            )
            rest = " | ".join(f"{100 * one:.1f}" for one in shown)
            print(f"| {name.split(', ')[1]} | {count} | {count - start} | {rest} |", flush=True)


def _is_step_with_visits(level: np.ndarray) -> bool:
    """Whether it would be one step but for single measurements at the other level, which wild values are, too."""
    ends: np.ndarray = np.flatnonzero(np.diff(level)) + 1
    lengths = np.diff([0, *ends, len(level)])
    longer = level[np.repeat(lengths, lengths) > 1]
    switches = np.abs(np.diff(longer)).sum()
    return bool(switches == 1 and len(ends) > 1)


def print_intervals() -> None:
    """How often the 95 % interval of a named change holds it, and its dates, and a step of `detectable` is found."""
    print("| | n | size held | dates held | detectable, median [σ] | found of it |\n| --- |" + " --- |" * 5)
    for name, make in {"white": ar(0), "AR(0.5)": ar(0.5), "5 % outliers": outlying}.items():
        for count, start in ((20, 13), (60, 40), (90, 60)):
            rng = np.random.default_rng([SEED, count, 9])
            noise = make(rng, SERIES // 4, count)
            late = (np.arange(count) >= start).astype(float)
            held, dated, named, sizes = 0, 0, 0, []
            for change in level_changes(_with(noise + STEP * late, start)).values():
                low, high = change.interval
                named += change.is_sure
                held += change.is_sure and low <= STEP <= high
                dated += change.is_sure and change.earliest <= start <= change.latest
            sizes = [change.detectable for change in level_changes(_with(noise, start)).values()]
            fresh = make(rng, len(noise), count) + float(np.median(sizes)) * late
            found = np.mean([change.is_sure for change in level_changes(_with(fresh, start)).values()])
            cells = (held / max(named, 1), dated / max(named, 1))
            shown = " | ".join(f"{100 * one:.1f}" for one in cells)
            print(f"| {name} | {count} | {shown} | {np.median(sizes):.2f} | {100 * found:.0f} |", flush=True)


def _with(values: np.ndarray, start: int) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    return {str(at): (one, np.zeros(len(one)), start) for at, one in enumerate(values)}


def print_outliers() -> None:
    """From where on a value is wild, so that one Gaussian in 2,000 is, and how often `telegraph` sees switches."""
    for count in WILD_FROM:
        rng, found = np.random.default_rng([SEED, count, 10]), []
        for _ in range(max(1, 40 * SERIES // count // 1000)):
            found += [np.abs(robust_deviations(one)) for one in rng.standard_normal((1000, count))]
        together = np.concatenate(found)
        rate = 100 * float((together > WILD_FROM[count]).mean())
        print(f"    {count}: {np.quantile(together, 1 - 1 / 2000):.2f},  # {rate:.4f} %", flush=True)
    kinds = QUIET | SWITCHING
    print(f"| telegraph, n | {' | '.join(kinds)} |\n| --- |{' --- |' * len(kinds)}")
    for count in (20, 30, 60, 200):
        shown = []
        for make in kinds.values():
            all_of = (one for values in pieces(make, count, SERIES, 11) for one in values)
            shown.append(f"{100 * sum(two_levels_of(one)[-1] == 'switches' for one in all_of) / SERIES:.2f}")
        print(f"| {count} | {' | '.join(shown)} |", flush=True)


def print_time() -> None:
    """Seconds for a chip of 64 qubits with 60 values each."""
    from time import perf_counter

    values = 60 * (1 + 0.08 * np.random.default_rng(SEED).standard_normal((64, 60)))
    times = pd.Timestamp("2026-06-30", tz="UTC") - pd.to_timedelta(np.arange(60, 0, -1), unit="D")
    qids: np.ndarray = np.repeat(np.arange(64).astype(str), 60)
    table = pd.DataFrame({"qid": qids, "t": list(times) * 64, "v": values.ravel()})
    for which in ("first", "again"):
        begun = perf_counter()
        qm.changes(table, since="30d", parameter="t1")
        print(f"changes of 64 x 60, {which}: {perf_counter() - begun:.3f} s")


if __name__ == "__main__":
    said = f"seed {SEED}, {SERIES:,} series; named from z = {SIGNIFICANT_Z} on"
    print(said)
    {
        "critical": print_critical,
        "alarms": print_alarms,
        "power": print_power,
        "limits": print_limits,
        "intervals": print_intervals,
        "outliers": print_outliers,
        "time": print_time,
    }[sys.argv[1]]()
