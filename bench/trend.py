"""What the tests of a trend and of a window miss, by size; with `ALARMS=100000`, how often they cry wolf instead.

A series is noise of standard deviation 1 about a level that is even, takes a step by so many of these deviations after
two thirds of the measurements, or climbs by so many from the first to the last. Missed: neither test calls it a change,
or calls it one the wrong way. Whether a change matters to a lab is not asked here.

The thresholds in `qdash_jupyter/methods/level_change.py` are the last three columns of the table of false alarms,
rounded up: what either test needs for half the budget, in the worst noise, and what a window needs for all of it, in
the worst place. `ALARMS` says of how many series.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from qdash_jupyter.methods.level_change import (
    FALSE_ALARMS,
    FEWEST_FOR_SLOPE,
    LENGTHS,
    MOST_BEFORE,
    MOST_NOW,
    SIGNIFICANT_Z,
    SLOPE_FROM,
    STEP_FROM,
    WINDOW_FROM,
    Compared,
    compared,
    noise_of,
    window_change,
)

SIZES = (1, 2, 3, 4, 6, 10)
SHORT_AND_LONG = (6, 10, 15, 22, 40, 100)
WINDOWS = ((3, 3), (7, 3), (10, 5), (17, 5), (21, 7), (30, 5), (30, 30))
RHOS = (0.0, 0.2, 0.35, 0.5)
SERIES = 2000
ALARMS = int(os.environ.get("ALARMS", "0"))
CELLS = 4_000_000
"""Numbers that a comparison holds at once."""


def noise(rng: np.random.Generator, series: int, count: int, rho: float) -> np.ndarray:
    """AR(1) of variance 1; white noise where rho is 0."""
    values: np.ndarray = rng.standard_normal((series, count))
    for place in range(1, count):
        values[:, place] = rho * values[:, place - 1] + np.sqrt(1 - rho**2) * values[:, place]
    return values


def shape(kind: str, count: int) -> np.ndarray:
    """The level without noise, from 0 to 1."""
    even, late = np.linspace(0, 1, count), np.arange(count) >= count - count // 3
    level: np.ndarray = even if kind == "slope" else late.astype(float)
    return level


def in_pieces(values: np.ndarray) -> Iterator[Compared]:
    """The comparison of many series, some at a time."""
    at_once = max(1, CELLS // max(values.shape[1], 20) ** 2)
    for first in range(0, len(values), at_once):
        yield compared(values[first : first + at_once])


def missed(kind: str, size: float, count: int, rho: float) -> float:
    """The share of such series in which no change is found."""
    values = noise(np.random.default_rng([count, 20260630]), SERIES, count, rho) + size * shape(kind, count)
    found = 0
    for one in in_pieces(values):
        slope = np.where(one.now > one.before, one.slope_z, 0)
        found += int((np.maximum(one.step_z, slope) >= SIGNIFICANT_Z).sum())
    return 1 - found / SERIES


def missed_in_window(size: float, before: int, inside: int, rho: float) -> float:
    """The share of series in which a step at the beginning of a window is not found by what `changes` compares."""
    values = noise(np.random.default_rng([before, inside, 20260630]), SERIES, before + inside, rho)
    values[:, before:] += size
    ends = slice(max(0, before - MOST_BEFORE), before), slice(before + max(0, inside - MOST_NOW), before + inside)
    level, now, uncertainty = window_change(values, None, *ends)
    return 1 - float((now - level >= SIGNIFICANT_Z * uncertainty).mean())


def false_alarms(count: int, rho: float) -> tuple[float, float, float]:
    """The share of series of noise with a change, and what of either test has half the budget beyond it."""
    rng = np.random.default_rng([count, int(100 * rho)])
    found, steps, slopes = 0, [], []
    left = ALARMS
    while left > 0:
        for one in in_pieces(noise(rng, min(left, 20_000), count, rho)):
            slope = np.where(one.slope_z * (one.now - one.before) > 0, np.abs(one.slope_z), 0)
            steps.append(np.abs(one.step_z))
            slopes.append(slope)
            found += int((np.maximum(steps[-1], slope) >= SIGNIFICANT_Z).sum())
        left -= 20_000
    share = FALSE_ALARMS if count < FEWEST_FOR_SLOPE else FALSE_ALARMS / 2
    of_steps, of_slopes = (float(np.quantile(np.concatenate(each), 1 - share)) for each in (steps, slopes))
    return found / ALARMS, of_steps, of_slopes


def window_places(count: int) -> list[int]:
    """Where a window may begin: what it needs differs by place."""
    shares = (count // 4, count // 3, count // 2, 2 * count // 3, count - 10)
    return sorted({3, *(place for place in (*shares, *range(count - 5, count)) if place > 3)})  # noqa: PLR2004


def window_needed(count: int, rho: float) -> float:
    """What of a window against what is before it, or of two whole ones, has the budget beyond it at the worst place."""
    rng, places = np.random.default_rng([count, int(100 * rho), 1]), window_places(count)
    found: defaultdict[tuple[int, bool], list[np.ndarray]] = defaultdict(list)
    at_once = max(1, CELLS // max(count, 20) ** 2)
    for _ in range(-(-ALARMS // at_once)):
        values = noise(rng, at_once, count, rho)
        known = noise_of(values)
        for first in places:
            ends = slice(max(0, first - MOST_BEFORE), first), slice(max(first, count - MOST_NOW), count)
            whole = slice(0, first), slice(first, count)
            for is_whole, (old, new) in enumerate((ends, whole)):
                before, now, uncertainty = window_change(values, None, old, new, known)
                found[first, bool(is_whole)].append(np.abs(now - before) / uncertainty)
    return max(float(np.quantile(np.concatenate(each), 1 - FALSE_ALARMS)) for each in found.values())


def print_missed() -> None:
    """A table a kind of change and noise."""
    for kind in ("step", "slope"):
        for rho in (0.0, 0.5):
            print(f"\nMissed, in %: a {kind}, {'white noise' if rho == 0 else f'AR(1) with rho = {rho}'}\n")
            print("| measurements | " + " | ".join(f"{size} σ" for size in SIZES) + " |")
            print("| --- |" + " --- |" * len(SIZES))
            for count in SHORT_AND_LONG:
                shares = (f"{100 * missed(kind, size, count, rho):.0f}" for size in SIZES)
                print(f"| {count} | " + " | ".join(shares) + " |", flush=True)
    for rho in (0.0, 0.5):
        noisy = "white noise" if rho == 0 else f"AR(1) with rho = {rho}"
        print(f"\nMissed, in %: a step where a window begins, {noisy}\n")
        print("| before + in the window | " + " | ".join(f"{size} σ" for size in SIZES) + " |")
        print("| --- |" + " --- |" * len(SIZES))
        for before, inside in WINDOWS:
            shares = (f"{100 * missed_in_window(size, before, inside, rho):.0f}" for size in SIZES)
            print(f"| {before} + {inside} | " + " | ".join(shares) + " |", flush=True)


def print_alarms() -> None:
    """The false alarms at each length that has a threshold."""
    print(f"\nFalse alarms, in %, of {ALARMS:,} series\n")
    tests = ("step from", "slope from", "window from")
    print("| measurements | " + " | ".join([*(f"rho = {rho}" for rho in RHOS), *tests]) + " |")
    print("| --- |" + " --- |" * (len(RHOS) + 3))
    for count, step, slope, window in zip(LENGTHS, STEP_FROM, SLOPE_FROM, WINDOW_FROM, strict=True):
        rates, steps, slopes = zip(*(false_alarms(count, rho) for rho in RHOS), strict=True)
        windows = [window_needed(count, rho) for rho in RHOS]
        each = ((steps, step), (slopes, slope), (windows, window))
        needed = [max(found) * now / SIGNIFICANT_Z for found, now in each]
        shown = [*(f"{100 * rate:.3f}" for rate in rates), *(f"{one:.2f}" for one in needed)]
        print(f"| {count} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    print_alarms() if ALARMS else print_missed()
