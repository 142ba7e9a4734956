"""`PYTHONPATH=bench python -m simulated_curves.limits`: which disturbances no test could tell from one process.

A test that knew both curves and their noise (Neyman and Pearson's) finds a disturbance that is `d` standard deviations
of the points from its likeliest explanation as one process with probability Φ(d − 2.33), where 1 % of such processes
may be called disturbed. One that knows the curve and the noise but not when it changed, or to which frequency, has to
look at as many places, and each of them may call no more than its part of that 1 %.
SEEDS="4000 4020" are the first seed and the one behind the last.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from qdash_jupyter.methods import judge
from qdash_jupyter.methods.curves.codes import Trust
from qdash_jupyter.methods.curves.families import family_of
from qdash_jupyter.methods.curves.fit import best_of
from qdash_jupyter.methods.curves.points import Unfit, points_of
from simulated_curves.apparatus import Array
from simulated_curves.curves import TASKS, made
from simulated_curves.noise import LEVELS, through_noise

SEEDS = "4000 4020"
Hidden = tuple[int, Callable[[int], int]]
HIDDEN: Mapping[tuple[str, str], Hidden] = {
    ("T2 echo", "halved"): (1, lambda count: count),
    ("T2 echo", "two"): (1, lambda _: 5),
    ("T2 echo", "stepped"): (1, lambda count: count),
    ("Ramsey", "jumped"): (4, lambda count: 4 * count // 2),
    ("Rabi", "beating"): (2, lambda count: count // 2),
}
"""What noise hides: of how many sizes it is made, and at how many places it may be, of so many points: one moment a
point, five fast times, as many frequencies as half the points, each from four moments on.
"""


def found_at_most(apart: float | Array) -> float:
    """How many % of curves so many standard deviations from one process can be found."""
    from scipy.stats import norm

    return float(100 * np.mean(norm.cdf(np.asarray(apart) - norm.ppf(0.99))))


def found_looking(apart: float, sizes: int, places: int) -> float:
    """The same in parts of 1 where it has to be looked for at many places, and its sizes are not known."""
    from scipy.stats import chi2, ncx2

    return float(ncx2.sf(chi2.isf(0.01 / places, sizes), sizes, max(apart, 1e-6) ** 2))


def told_by_noise(family: str, kind: str, seeds: Iterable[int]) -> Array:
    """Of each curve and level of noise, how likely a test that has to look finds it, shape (curves, levels)."""
    sizes, places = HIDDEN[family, kind]
    found = []
    for seed in seeds:
        first = next(through_noise(family, kind, seed))[0]  # with hardly any noise
        each = _apart(first) * LEVELS[0] / np.array(LEVELS)
        found.append([found_looking(one, sizes, places(len(first.x))) for one in each])
    every: Array = np.array(found)
    return every


def through_more_noise(family: str, kind: str, seeds: range) -> str:
    """Of each level of noise, how many % could be found, looked for and found, and are called unreliable."""
    told: list[list[tuple[float, bool]]] = [[] for _ in LEVELS]
    for seed in seeds:
        curves = list(through_noise(family, kind, seed))
        apart = _apart(curves[0][0])  # with hardly any noise
        for level, ours, some in zip(LEVELS, told, curves, strict=True):
            ours += [(apart * LEVELS[0] / level, judge(one).fit is not Trust.RELIABLE) for one in some[:2]]
    looked = 100 * told_by_noise(family, kind, seeds).mean(axis=0)
    cells = (
        f"{found_at_most(np.array([d for d, _ in one])):.0f}, {share:.0f}, "
        f"{100 * np.mean([is_bad for _, is_bad in one]):.0f}"
        for one, share in zip(told, looked, strict=True)
    )
    return f"| {family}, {kind} | {' | '.join(cells)} |"


def _apart(curve: object) -> float:
    """How far the points are from all that one process can be, in deviations of their noise (`LEVELS[0]`)."""
    family = family_of(curve.task)  # pyrefly: ignore[missing-attribute]
    points = points_of(curve, family) if family else None  # pyrefly: ignore[bad-argument-type]
    if family is None or points is None or isinstance(points, Unfit):
        return 0.0
    base = best_of(family.base, points)
    rss = min(one.rss for one in (base, *(best_of(shape, points, base) for shape in family.variants)))
    noise = LEVELS[0] * float(np.ptp(points.values)) * float(points.weights.mean())
    return float(np.sqrt(max(rss - base.rows * noise**2, 0.0)) / noise)


def halved_or_stepped(seeds: range) -> str:
    """An echo whose time falls to a third in mid-scan, as an envelope of any power above a level that steps."""
    from scipy.optimize import least_squares

    apart = []
    for seed in seeds:
        drawn = TASKS["T2 echo"].kinds["halved"](np.random.default_rng([seed, *b"T2 echo/halved"]))
        deviation, count = drawn.apparatus.deviation(drawn.signal), len(drawn.x)

        def left(found: Array, step: Array, x: Array, values: Array, deviation: Array) -> Array:
            columns = np.stack([np.exp(-((x / np.exp(found[0])) ** found[1])), np.ones(len(x)), step], axis=1)
            columns, scaled = columns / deviation[:, None], values / deviation
            rest: Array = columns @ np.linalg.lstsq(columns, scaled, rcond=None)[0] - scaled
            return rest

        begin, bounds = [np.log(0.7 * drawn.at["time"]), 1.2], ([-20.0, 1.0], [20.0, 2.0])
        steps = (np.arange(count) > place for place in range(2, count - 3))
        fits = (
            least_squares(left, begin, bounds=bounds, args=(step.astype(float), drawn.x, drawn.signal, deviation))
            for step in steps
        )
        apart.append(float(np.sqrt(2 * min(one.cost for one in fits))))
    ours = [judge(made("T2 echo", "halved", seed).curve).fit is not Trust.RELIABLE for seed in seeds]
    return (
        f"{len(apart)} echoes whose time falls in mid-scan are {min(apart):.1f} to {max(apart):.1f} deviations from an "
        f"envelope above a level that steps: {found_at_most(np.array(apart)):.0f} % could be told from that; "
        f"{100 * np.mean(ours):.0f} % are called unreliable."
    )


def main() -> int:
    """Print the table."""
    seeds = range(*(int(seed) for seed in os.environ.get("SEEDS", SEEDS).split()))
    levels = " | ".join(f"{100 * level:g} %" for level in LEVELS)
    print(f"| found at most, found looking, called unreliable, in % | {levels} |")
    print("| --- |" + " --- |" * len(LEVELS))
    for family, kind in HIDDEN:
        print(through_more_noise(family, kind, seeds))
    print(f"\n{halved_or_stepped(seeds)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
