"""The one test of change: its false alarms, what it finds, and what it says of size, date and what it would miss."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.metrics import METRICS, Metric, MetricTable
from qdash_jupyter.methods.level_change import (
    FALSE_ALARMS,
    LONGEST,
    MOST_BEFORE,
    SIGNIFICANT_Z,
    LevelChange,
    level_change,
    level_changes,
)
from qdash_jupyter.tools.statistics import described, shown_change, verdict_of

T1 = METRICS["t1"]
SLOW_ALARMS = 0.02

Many = Callable[[np.random.Generator, int, int], np.ndarray]
"""So many series of so many values."""


def correlated(rho: float) -> Many:
    """AR(1) of variance 1."""

    def make(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
        values = rng.standard_normal((series, count))
        for place in range(1, count):
            values[:, place] = rho * values[:, place - 1] + math.sqrt(1 - rho**2) * values[:, place]
        return values

    return make


def one_in_twenty_wild(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    values: np.ndarray = rng.standard_normal((series, count)) * np.where(rng.random((series, count)) < 0.05, 10, 1)
    return values


def student_with_2(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    return rng.standard_t(2, (series, count))


def uniform(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    return rng.uniform(-1, 1, (series, count))


def with_a_wild_value(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    values = correlated(0.5)(rng, series, count)
    values[np.arange(series), rng.integers(0, count, series)] = rng.choice([-1000.0, 1000.0], series)
    return values


def rounded(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """To two standard deviations, so that most are equal to others."""
    return np.asarray(np.round(rng.standard_normal((series, count)) / 2))


def walk(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    return np.asarray(rng.standard_normal((series, count)).cumsum(axis=1))


def flicker(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    frequencies = np.fft.rfftfreq(8 * count)
    size = np.concatenate([[0.0], frequencies[1:] ** -0.5])
    parts = rng.standard_normal((2, series, len(frequencies))) * size
    return np.asarray(np.fft.irfft(parts[0] + 1j * parts[1], 8 * count, axis=1)[:, :count])


def switching(rng: np.random.Generator, series: int, count: int) -> np.ndarray:
    """Between two levels, at each fifth measurement on average."""
    level = (rng.integers(0, 2, (series, 1)) + np.cumsum(rng.random((series, count)) < 0.2, axis=1)) % 2
    return np.asarray(level + 0.2 * rng.standard_normal((series, count)))


QUIET: dict[str, Many] = {
    "white": correlated(0.0),
    "AR(0.5)": correlated(0.5),
    "one in twenty wild": one_in_twenty_wild,
    "Student with 2 degrees of freedom": student_with_2,
    "uniform": uniform,
    "a wild value": with_a_wild_value,
    "rounded": rounded,
}
SLOW: dict[str, Many] = {"AR(0.9)": correlated(0.9), "random walk": walk, "1/f": flicker, "telegraph": switching}


def told(values: np.ndarray, start: int = 0) -> list[LevelChange]:
    """Of a series a row."""
    return list(level_changes({str(at): (one, np.zeros(len(one)), start) for at, one in enumerate(values)}).values())


def sure(make: Many, series: int, count: int, start: int = 0) -> int:
    """How many of so many seeded series have a change beyond noise, whatever its size."""
    rng, found = np.random.default_rng(20260630), 0
    for _ in range(series // 1000 or 1):
        found += sum(change.is_sure for change in told(make(rng, min(series, 1000), count), start))
    return found


def most(rate: float, series: int) -> float:
    """The most that chance lets happen where `rate` is right: three standard deviations more."""
    return rate * series + 3 * math.sqrt(rate * series)


def noise(rng: np.random.Generator, series: int, count: int = 60, part: float = 0.06) -> np.ndarray:
    values: np.ndarray = 60 * (1 + part * rng.standard_normal((series, count)))
    return values


def down(values: np.ndarray, start: int = 0, metric: Metric = T1) -> float:
    """The share of series that are said to have fallen."""
    return statistics.fmean(verdict_of(change, metric) == "fell" for change in told(values, start))


def first_and_long(*cases: Any) -> list[Any]:
    """One simulation here, the others in `make long`."""
    return [
        cases[0],
        *(pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long) for case in cases[1:]),
    ]


@pytest.mark.parametrize("kind", QUIET)
@pytest.mark.parametrize(
    ("series", "count", "start"),
    first_and_long((300, 60, 30), (2000, 60, 30), (2000, 15, 0), (2000, 30, 20), (2000, 90, 60)),
)
def test_noise_is_no_change(kind: str, series: int, count: int, start: int) -> None:
    assert sure(QUIET[kind], series, count, start) <= most(FALSE_ALARMS, series)


@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize("series", first_and_long(200, 1000))
def test_slow_noise_is_seldom_taken_for_a_change(kind: str, series: int) -> None:
    assert sure(SLOW[kind], series, 60, 30) <= most(SLOW_ALARMS, series)


LENGTHS = (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20, 28, 35, 45, 60, 80, 100, 160, 200, 300)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "count"),
    [(kind, count) for row, kind in enumerate(QUIET) for place, count in enumerate(LENGTHS) if (row + place) % 4 == 0],
)
def test_the_rate_at_each_length(kind: str, count: int) -> None:
    """Between the lengths that have a critical value, too, and where medians of neighbours are looked at. 20,000 each,
    for each kind a quarter of the lengths and for each length one or two kinds, as all take ten minutes. Fewer than ten
    heavily rounded values are beyond what the test can hold: half of them are equal.
    """
    rate = 6 * FALSE_ALARMS if kind == "rounded" and count < 10 else FALSE_ALARMS
    assert sure(QUIET[kind], 20_000, count) <= most(rate, 20_000)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["AR(0.9)", "random walk", "1/f"])
@pytest.mark.parametrize("count", [10, 15, 20, 30, 60, 90])
def test_the_rate_of_slow_noise(kind: str, count: int) -> None:
    assert sure(SLOW[kind], 10_000, count) <= most(SLOW_ALARMS, 10_000)


def fall(rng: np.random.Generator, series: int, by: float, start: int, end: int) -> np.ndarray:
    values: np.ndarray = noise(rng, series) * np.interp(np.arange(60), [start, end], [1, 1 - by])
    return values


@pytest.mark.parametrize(("start", "end"), first_and_long((10, 50), (30, 31), (45, 46), (12, 13), (0, 59)))
def test_falls_of_thirty_percent_are_found(start: int, end: int) -> None:
    assert down(fall(np.random.default_rng(1), 300, 0.30, start, end)) > 0.95


@pytest.mark.parametrize(
    ("count", "after", "by", "least"),
    first_and_long((30, 5, 0.4, 0.7), (10, 3, 0.6, 0.4), (15, 5, 0.4, 0.4), (60, 3, 0.4, 0.97), (20, 6, 0.4, 0.9)),
)
def test_what_is_found_of_few(count: int, after: int, by: float, least: float) -> None:
    values = noise(np.random.default_rng(2), 300, count)
    values[:, count - after :] *= 1 - by
    assert down(values, count - after) > least


def test_a_slope_is_said_to_be_one() -> None:
    rng = np.random.default_rng(1)
    for change in told(noise(rng, 20) - np.linspace(0, 30, 60)):
        assert change.found_by == "slope"
        assert change.z <= -SIGNIFICANT_Z
        assert change.absolute == pytest.approx(-30, abs=6)
        assert verdict_of(change, T1) == "fell"
    small = told(noise(rng, 20, part=0.01) - np.linspace(0, 5, 60))
    assert all(change.is_sure and verdict_of(change, T1) == "stable" for change in small), "beyond noise, but of 8 %"


def test_a_step_is_told_with_its_date() -> None:
    values = noise(np.random.default_rng(2), 50)
    values[:, 45:] *= 0.6
    for change in told(values, 30):
        assert change.found_by == "step"
        assert change.earliest <= 45 <= change.latest
        assert abs(change.began - 45) <= 2
        assert change.relative == pytest.approx(-0.4, abs=0.08)
        low, high = change.interval
        assert low < change.absolute < high


def test_a_short_visit_to_the_other_level_is_switching_and_a_wild_value_is_none() -> None:
    values = 0.2 * correlated(0.0)(np.random.default_rng(9), 200, 60) + (np.arange(60) >= 40)
    one, two = values.copy(), values.copy()
    one[:, 20] += 1
    two[:, 20:22] += 1
    named = [sum(change.is_sure for change in told(each)) for each in (values, one, two)]
    assert min(named[:2]) >= 195
    assert named[2] <= 40


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.5])
def test_the_interval_of_a_size_holds_whatever_the_noise_looks_like(rho: float) -> None:
    """In 20 measurements a correlation of a half looks like white noise often: the likeliest kind alone held 82 %."""
    values = correlated(rho)(np.random.default_rng(8), 800, 20) + 6.0 * (np.arange(20) >= 13)
    named = [change.interval for change in told(values, 13) if change.is_sure]
    assert len(named) > 500
    assert 0.92 <= np.mean([low <= 6.0 <= high for low, high in named]) <= 0.99


def test_a_change_that_was_over_before_the_window_is_none_in_it() -> None:
    values = noise(np.random.default_rng(3), 100)
    values[:, 20:] *= 0.6
    assert down(values, 0) == 1
    assert down(values, 30) == 0
    values[:, 48:] *= 0.6
    found = told(values, 30)
    assert all(change.relative == pytest.approx(-0.4, abs=0.1) for change in found), (
        "the level before is that just before"
    )


@pytest.mark.parametrize("since", [1, 2, 3, 5, 8])
def test_a_step_just_before_the_window_is_none_in_it(since: int) -> None:
    """So many measurements lie between: the level before the window is that behind the step."""
    values = noise(np.random.default_rng(21), 200, 36)
    values[:, 33 - since :] *= 0.6
    found = told(values, 33)
    named = [change for change in found if verdict_of(change, T1) in {"fell", "rose"}]
    assert len(named) <= 2
    assert statistics.median(change.before for change in found) == pytest.approx(36, abs=2)


def sloping(series: int, begins: int, ends: int) -> np.ndarray:
    """36 measurements that fall by 45 % between two of them, as every other day for 75 days."""
    fall: np.ndarray = 0.45 * np.interp(np.arange(36), [begins, ends], [0, 1])
    return noise(np.random.default_rng(22), series, 36) * (1 - fall)


@pytest.mark.parametrize(("begins", "ends", "start"), first_and_long((24, 34, 22), (24, 34, 29), (14, 24, 8)))
def test_the_size_of_a_slope_that_ended_is_right(begins: int, ends: int, start: int) -> None:
    """A straight line through what is level behind it says more than it fell; a window may begin in its midst."""
    true = 1 - 0.55 / (1 - 0.45 * np.interp(start - 1, [begins, ends], [0, 1]))
    named = [change for change in told(sloping(300, begins, ends), start) if verdict_of(change, T1) == "fell"]
    assert len(named) >= 240
    assert np.mean([change.relative for change in named]) == pytest.approx(-true, abs=0.015)
    held = [change.interval[0] <= -true * change.before <= change.interval[1] for change in named]
    assert np.mean(held) >= 0.95


def test_a_slope_that_was_over_before_the_window_is_none_in_it() -> None:
    found = told(sloping(200, 14, 24), 29)
    assert sum(verdict_of(change, T1) in {"fell", "rose"} for change in found) <= 2
    assert statistics.median(change.before for change in found) == pytest.approx(33, abs=2)


def test_two_steps_are_told_as_such() -> None:
    """Down and further down: from the level before the first to that behind the second."""
    values = noise(np.random.default_rng(13), 50)
    values[:, 20:] *= 0.7
    values[:, 40:] *= 0.7
    found = told(values)
    assert all(verdict_of(change, T1) == "fell" for change in found)
    two = [change for change in found if len(change.steps) == 2]
    assert len(two) >= 40, "a slope describes the others as well"
    for change in two:
        assert change.began == change.steps[0]
        assert [abs(at - true) <= 2 for at, true in zip(change.steps, (20, 40), strict=True)] == [True, True]
        assert change.relative == pytest.approx(-0.51, abs=0.08)


def test_more_measurements_before_a_window_say_no_more() -> None:
    values = noise(np.random.default_rng(4), 1, 400)[0]
    values[390:] *= 0.5
    whole = level_change(values, start=380)
    late = level_change(values[380 - MOST_BEFORE :], start=MOST_BEFORE)
    assert whole is not None
    assert late is not None
    moved = 380 - MOST_BEFORE
    places = {name: getattr(late, name) + moved for name in ("began", "earliest", "latest")}
    assert whole == replace(late, steps=(390,), **places)
    assert whole.began == 390


@pytest.mark.long
def test_long_series_are_looked_at_in_blocks() -> None:
    values = noise(np.random.default_rng(5), 1, 7 * LONGEST)[0]
    values[5 * LONGEST :] *= 0.9
    change = level_change(values)
    assert change is not None
    assert change.is_sure
    assert change.relative == pytest.approx(-0.1, abs=0.02)
    assert abs(change.began - 5 * LONGEST) <= 14


def test_series_of_many_lengths_are_told_as_each_alone() -> None:
    rng = np.random.default_rng(6)
    lengths = [0, 1, 5, 6, 6, 9, 10, 10, 10, 450, 450, 30]
    series = {
        str(place): (correlated(0.3)(rng, 1, length)[0] if length else np.array([]), np.full(length, 0.1), length // 2)
        for place, length in enumerate(lengths)
    }
    together = level_changes(series)
    for name, (values, errors, start) in series.items():
        alone = level_change(values, errors, start=start)
        assert (alone is None) == (name not in together)
        if alone is not None:
            assert together[name].z == pytest.approx(alone.z)
            assert together[name].absolute == pytest.approx(alone.absolute)
            assert (together[name].began, together[name].found_by) == (alone.began, alone.found_by)


@pytest.mark.parametrize("unknown", first_and_long(math.nan, math.inf, 0.0, -1.0))
def test_errors_only_make_a_change_less_certain(unknown: float) -> None:
    """So the rate holds with any errors: right, too small, absurd, or known for some."""
    rng = np.random.default_rng(2)
    for length in (6, 10, 25):
        for values in correlated(0.0)(rng, 40, length):
            errors = np.exp(rng.normal(0, 3, length))
            errors[rng.random(length) < 0.4] = unknown
            without, using = level_change(values), level_change(values, errors)
            assert without is not None
            assert using is not None
            assert (using.before, using.now) == (without.before, without.now)
            assert abs(using.z) <= abs(without.z)
            assert using.error >= without.error
            assert using.detectable >= without.detectable
            assert level_change(values, np.full(length, unknown)) == without


def test_a_noisy_end_is_no_change_where_its_errors_say_so() -> None:
    errors = np.where(np.arange(30) < 23, 1.0, 5.0)
    values = correlated(0.0)(np.random.default_rng(7), 1000, 30) * errors
    using = level_changes({str(at): (one, errors, 0) for at, one in enumerate(values)}).values()
    assert sum(change.is_sure for change in using) <= most(FALSE_ALARMS, 1000)


def test_single_absurd_errors_do_not_hide_a_change() -> None:
    rng = np.random.default_rng(4)
    values = np.repeat([50.0, 30.0], 10) + rng.standard_normal(20)
    plain = level_change(values)
    for place in range(20):
        for absurd in (1e-9, 1e6):
            errors = np.full(20, 0.2)
            errors[place] = absurd
            assert level_change(values, errors) == plain
    assert plain is not None
    assert plain.z < -SIGNIFICANT_Z


def test_wandering_of_five_percent_is_no_change() -> None:
    rng = np.random.default_rng(8)
    phase = rng.uniform(0, 2 * math.pi, (300, 1))
    values = noise(rng, 300, part=0.03) * (1 + 0.025 * np.sin(phase + np.linspace(0, math.pi, 60)))
    verdicts = [verdict_of(change, T1) for change in told(values)]
    assert sum(verdict in {"fell", "rose"} for verdict in verdicts) <= 3


def test_a_dip_that_is_over_is_no_change() -> None:
    values = noise(np.random.default_rng(9), 200)
    values[:, 38:44] *= 0.6
    assert not any(verdict_of(change, T1) in {"fell", "rose"} for change in told(values, 30))


def test_qdash_s_trend_would_cry_wolf_on_the_same_noise() -> None:
    """Newest against oldest plus or minus 1 % (section 9.3): what the level is for."""
    rng = np.random.default_rng(1)
    series = noise(rng, 200)
    assert statistics.fmean(abs(v[-1] / v[0] - 1) > 0.01 for v in series) > 0.8


def test_a_constant_negative_series_is_stable() -> None:
    for errors in (None, np.full(20, 1e-4)):
        change = level_change(np.full(20, -0.31), errors)
        assert change is not None
        assert (change.before, change.now) == pytest.approx((-0.31, -0.31))
        assert change.z == 0
        assert verdict_of(change, METRICS["anharmonicity"]) == "stable"


def test_a_step_without_any_noise_is_a_change() -> None:
    change = level_change(np.array([50.0] * 10 + [31.0] * 10))
    assert change is not None
    assert (change.before, change.now) == pytest.approx((50.0, 31.0))
    assert verdict_of(change, T1) == "fell"
    assert change.relative == pytest.approx(-0.38)
    within_errors = level_change(np.array([50.0] * 10 + [31.0] * 10), np.full(20, 40.0))
    assert within_errors is not None
    assert verdict_of(within_errors, T1) == "unclear"
    in_steps_of_ten = level_change(np.array([50.0] * 10 + [40.0] * 10))
    assert in_steps_of_ten is not None
    assert verdict_of(in_steps_of_ten, T1) == "wandering"  # as a level that drifts across 45 is told, too


def test_negative_levels_fall_downwards() -> None:
    change = level_change(np.array([-0.30] * 10 + [-0.36] * 10))
    assert change is not None
    assert change.relative == pytest.approx(-0.2)
    assert shown_change(change, METRICS["anharmonicity"]) == "-60.00MHz"


@pytest.mark.parametrize("place", first_and_long(0, 1, 30, 58, 59))
def test_a_single_outlier_does_not_matter(place: int) -> None:
    for outlier in (0.5, 9999.0):
        values = noise(np.random.default_rng(10), 200)
        values[:, place] = outlier
        assert sum(change.is_sure for change in told(values)) <= most(FALSE_ALARMS, 200)
        values[:, 45:] *= 0.6
        assert down(values) > 0.97


def test_too_few_measurements_have_no_trend() -> None:
    assert level_change(np.array([60.0, 30.0] * 2 + [30.0])) is None
    assert level_change(np.array([])) is None
    assert level_change(np.arange(6.0)) is not None


@pytest.mark.parametrize(
    ("parameter", "before", "now", "expected"),
    [
        ("t1", 60, 50.9, True),
        ("t1", 60, 51.1, False),
        ("qubit_frequency", 4.8, 4.80051, True),
        ("qubit_frequency", 4.8, 4.80049, False),
        ("average_readout_fidelity", 0.96, 0.9499, True),
        ("average_readout_fidelity", 0.96, 0.951, False),
        ("hpi_amplitude", 0.1, 0.1151, True),
        ("hpi_amplitude", 0.1, 0.1149, False),
        ("anharmonicity", -0.3, -0.30051, True),
        ("anharmonicity", -0.3, -0.30049, False),
    ],
)
def test_what_is_large_enough_to_act_on(parameter: str, before: float, now: float, expected: bool) -> None:
    metric = MetricTable().of(parameter)
    sign = math.copysign(1, now - before)
    verdict = "fell" if sign < 0 else "rose"
    assert (verdict_of(LevelChange(before, now, sign * (SIGNIFICANT_Z + 1)), metric) == verdict) is expected
    assert verdict_of(LevelChange(before, now, sign * (SIGNIFICANT_Z - 0.1)), metric) == "stable"
    assert verdict_of(LevelChange(before, now, -sign * (SIGNIFICANT_Z + 1)), metric) == "stable"
    wandering = LevelChange(before, now, sign, wanders=True)
    assert (verdict_of(wandering, metric) == "wandering") is expected
    assert verdict_of(LevelChange(before, before, 0.0, detectable=math.inf), metric) == "unclear"


@pytest.mark.parametrize(
    ("parameter", "before", "now", "expected"),
    [
        ("t1", 60, 34.2, "-43%"),
        ("qubit_frequency", 4.8, 4.8032, "+3.20MHz"),
        ("average_readout_fidelity", 0.96, 0.919, "-4.1pp"),
        ("hpi_amplitude", 0.1, 0.12, "+20%"),
    ],
)
def test_changes_as_people_read_them(parameter: str, before: float, now: float, expected: str) -> None:
    assert shown_change(LevelChange(before, now, 9.0), METRICS[parameter]) == expected


def test_a_level_of_zero_has_no_relative_change() -> None:
    change = LevelChange(0.0, 1.0, 9.0)
    assert math.isnan(change.relative)
    assert verdict_of(change, T1) == "unclear"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], {"count": 0}),
        ([math.nan], {"count": 0}),
        ([5.0], {"mean": 5, "median": 5, "stdev": 0, "min": 5, "max": 5, "count": 1}),
        (
            [1.0, math.nan, 2.0, 6.0],
            {"mean": 3, "median": 2, "stdev": 2.646, "min": 1, "max": 6, "count": 3},
        ),
    ],
)
def test_description(values: list[float], expected: dict[str, float]) -> None:
    assert described(pd.Series(values, dtype="float64")) == expected
