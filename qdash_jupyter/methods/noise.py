"""What kind of noise a series has: stability over averaging times, and switching between two levels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qdash_jupyter.methods.descriptions import split_in_two
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements

FEWEST_TO_SWITCH, FEWEST_AT_A_LEVEL, SHARE_AT_A_LEVEL = 20, 3, 0.1
"""Measurements that are needed to say that something switches, in all and at either level, and their part of all:
fewer may be outliers.
"""

SEPARATE = 6.0
"""How many pooled deviations of the groups two levels are apart."""

TIGHT = 4.0
"""How many deviations of either group alone: outliers, which lie anywhere, are no level."""

REGULAR = 0.1
"""Up to this part of the usual distance, distances between measurements are called regular."""


def allan_deviation(
    series: Series,
    *,
    qid: object = None,
    resample: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """The overlapping Allan deviation of one qubit's measurements, over averaging times of 1, 2, 4, … measurements.

    White noise falls with the square root of the averaging time, flicker is flat, random walk rises: where it turns,
    longer averaging does not help. W. J. Riley, Handbook of Frequency Stability Analysis, NIST SP 1065 (2008), section
    5.2.4; the uncertainty is from its degrees of freedom for white noise (section 5.4.1, table 5), so too small for
    drifting series. The values take the place of frequencies there, and are not divided by the level.

    Measurements are hardly ever evenly spaced. By position, each counts as one step of the median distance: this says
    it in `attrs["sampling"]`. With `resample` (`"1D"`, `"6h"`) those of a bin are averaged, and steps across empty bins
    do not count. `qid` says whose; it is needed where there are several.

    Returns:
        One row an averaging time: `averaging [h]`, `steps` (measurements or bins averaged), `deviation [MHz]`,
        `± [MHz]`, `n` (differences). Empty below 3 measurements.
    """
    given = measurements(series, qids=None if qid is None else [qid], parameter=parameter, unit=unit)
    given = given.between(since, until)
    if len(set(given.table["qid"])) > 1:
        msg = f"Say whose: qid=… is one of {', '.join(given.table['qid'].unique()[:10])}."
        raise ValueError(msg)
    values, distance, sampling = _evenly(given.table, resample)
    rows = []
    steps = 1
    while len(values) >= 2 * steps + 1:
        deviation, count = overlapping(values, steps)
        if count:
            rows.append(
                (steps * distance, steps, deviation, deviation / np.sqrt(2 * _freedom(len(values), steps)), count)
            )
        steps *= 2
    columns = ["averaging [h]", "steps", f"deviation [{given.unit}]", f"± [{given.unit}]", "n"]
    found = pd.DataFrame(rows, columns=columns)
    method = f"{given.metric.title}: overlapping Allan deviation, {sampling}."
    return given.told(found, method, given.window(since, until), sampling=sampling)


def overlapping(values: Array, steps: int) -> tuple[float, int]:
    """The deviation over so many steps, and the number of differences it is from; NaN are steps that are missing."""
    known = np.isfinite(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    means = (sums[steps:] - sums[:-steps]) / steps
    means[counts[steps:] - counts[:-steps] < steps] = np.nan
    differences = means[steps:] - means[:-steps]
    differences = differences[np.isfinite(differences)]
    if not len(differences):
        return np.nan, 0
    return float(np.sqrt(np.mean(differences**2) / 2)), len(differences)


def telegraph(
    series: Series,
    *,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """Whether each one's measurements switch between two levels, as with a nearby two-level defect.

    The values are split in two where the two groups are narrowest (exact k-means in one dimension). They are two levels
    when the levels are at least 6 pooled deviations of the groups apart and 4 deviations of either group, each has a
    tenth of the measurements and three or more, and there are two switches or more: one alone is a step, which
    `changes` finds. Of noise, white or AR(1) up to 0.5, at most one series in 1,000 is said to switch, of series with
    5 % outliers at most one in 200 (simulated: docs/benchmarks.md). Switching that is faster than the measurements
    looks like noise, and a level that is seldom taken looks like outliers.

    Returns:
        One row each: `qid`, `n`, `lower level [μs]`, `upper level [μs]`, `separation` (in deviations of the groups),
        `share in upper [%]`, `switches`, `verdict`: `switches`, `one level`, `too few` (below 20), `not measured`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    rows = [(qid, len(one), *two_levels_of(one["value"].to_numpy())) for qid, one in given.each()]
    levels = [f"lower level [{given.unit}]", f"upper level [{given.unit}]"]
    columns = ["qid", "n", *levels, "separation", "share in upper [%]", "switches", "verdict"]
    found = pd.DataFrame(rows, columns=columns)
    method = (
        f"{given.metric.title}: the split in two groups that are narrowest; two levels from {SEPARATE:g} deviations "
        "apart, a tenth of the measurements at either, and two switches on."
    )
    return given.told(found, method, given.window(since, until))


def two_levels_of(values: Array) -> tuple[float, float, float, float, int, str]:
    """The lower and the upper level, how many deviations they are apart, the part in % at the upper one, the number of
    switches, and the verdict.
    """
    count = len(values)
    if count < FEWEST_TO_SWITCH:
        return (*(np.nan,) * 4, 0, "too few")
    (largest,), (inside,) = split_in_two(values[None])
    upper = values > largest
    if not upper.any():
        return values[0], values[0], 0.0, 0.0, 0, "one level"
    low, high = values[~upper].mean(), values[upper].mean()
    deviation = np.sqrt(max(inside, 0) / (count - 2))
    separation = (high - low) / deviation if deviation > 0 else np.inf
    switches = int((upper[1:] != upper[:-1]).sum())
    several = min(upper.sum(), count - upper.sum()) >= max(FEWEST_AT_A_LEVEL, SHARE_AT_A_LEVEL * count)
    found = separation >= SEPARATE and several and switches >= 2  # noqa: PLR2004 - said in the docstring
    found = found and max(np.std(values[upper], ddof=1), np.std(values[~upper], ddof=1)) * TIGHT <= high - low
    return low, high, separation, 100 * float(upper.mean()), switches, "switches" if found else "one level"


def _evenly(table: pd.DataFrame, resample: str | None) -> tuple[Array, float, str]:
    """Values at even steps, the hours of a step, and how that was made."""
    if resample is not None:
        binned = table.set_index("t")["value"].resample(resample).mean()
        hours = pd.Timedelta(resample) / pd.Timedelta(hours=1)
        return (
            binned.to_numpy(),
            hours,
            f"means of bins of {resample}, {int(binned.isna().sum())} of {len(binned)} empty",
        )
    gaps = (table["t"].diff().dropna() / pd.Timedelta(hours=1)).to_numpy()
    usual = float(np.median(gaps)) if len(gaps) else np.nan
    even = len(gaps) > 0 and bool(np.all(np.abs(gaps - usual) <= REGULAR * usual))
    how = "evenly sampled" if even else "by position: distances between measurements differ, the median one counts"
    return table["value"].to_numpy(), usual, how


def _freedom(count: int, steps: int) -> float:
    """Degrees of freedom of white noise; `count` values are the differences of one phase more."""
    phases = count + 1
    found = (3 * (phases - 1) / (2 * steps) - 2 * (phases - 2) / phases) * 4 * steps**2 / (4 * steps**2 + 5)
    return max(found, 1.0)
