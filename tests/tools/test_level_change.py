from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.metrics import METRICS, Metric, MetricTable
from qdash_jupyter.tools.statistics import SIGNIFICANT_Z, LevelChange, described, level_change, matters, shown_change

T1 = METRICS["t1"]
SERIES = 2000


def alarms(make: Callable[[np.random.Generator], np.ndarray], metric: Metric = T1, count: int = SERIES) -> float:
    """The share of seeded series that are said to have changed."""
    rng = np.random.default_rng(20260630)
    found = 0
    for _ in range(count):
        change = level_change(make(rng))
        assert change is not None
        found += matters(change, metric)
    return found / count


def noise(rng: np.random.Generator, count: int = 60, part: float = 0.06) -> np.ndarray:
    return 60 * (1 + part * rng.standard_normal(count))


def test_noise_raises_few_alarms() -> None:
    assert alarms(noise) < 0.002


@pytest.mark.parametrize(("count", "most"), [(10, 0.015), (20, 0.004)])
def test_short_series_of_noise_too(count: int, most: float) -> None:
    """The numbers in the docstring of SIGNIFICANT_Z."""
    assert alarms(lambda rng: noise(rng, count)) < most


def test_wandering_of_five_percent_is_no_change() -> None:
    def wandering(rng: np.random.Generator) -> np.ndarray:
        phase = rng.uniform(0, 2 * math.pi)
        return noise(rng, part=0.03) * (1 + 0.025 * np.sin(phase + np.linspace(0, math.pi, 60)))

    assert alarms(wandering) < 0.01


def fall(rng: np.random.Generator, by: float, start: int, end: int) -> np.ndarray:
    return noise(rng) * np.interp(np.arange(60), [start, end], [1, 1 - by])


@pytest.mark.parametrize(("start", "end"), [(30, 31), (10, 50), (45, 46), (12, 13)])
def test_falls_of_thirty_percent_are_found(start: int, end: int) -> None:
    assert alarms(lambda rng: fall(rng, 0.30, start, end)) > 0.97


def test_qdash_s_trend_would_cry_wolf_on_the_same_noise() -> None:
    """Newest against oldest plus or minus 1 % (section 9.3): what the level is for."""
    rng = np.random.default_rng(1)
    series = [noise(rng) for _ in range(200)]
    assert statistics.fmean(abs(v[-1] / v[0] - 1) > 0.01 for v in series) > 0.8


def test_a_constant_negative_series_is_stable() -> None:
    change = level_change(np.full(20, -0.31))
    assert change == LevelChange(-0.31, -0.31, 0.0)
    assert not matters(change, METRICS["anharmonicity"])


def test_a_step_without_any_noise_is_a_change() -> None:
    change = level_change(np.array([50.0] * 10 + [30.0] * 10))
    assert change == LevelChange(50.0, 30.0, -math.inf)
    assert matters(change, T1)
    assert change.relative == pytest.approx(-0.4)


def test_negative_levels_fall_downwards() -> None:
    change = level_change(np.array([-0.30] * 10 + [-0.36] * 10))
    assert change is not None
    assert change.relative == pytest.approx(-0.2)
    assert shown_change(change, METRICS["anharmonicity"]) == "-20%"


@pytest.mark.parametrize("place", [0, 1, 30, 58, 59])
@pytest.mark.parametrize("outlier", [0.5, 9999.0])
def test_a_single_outlier_does_not_matter(place: int, outlier: float) -> None:
    def with_outlier(rng: np.random.Generator) -> np.ndarray:
        values = noise(rng)
        values[place] = outlier
        return values

    assert alarms(with_outlier, count=500) < 0.01


def test_too_few_measurements_have_no_trend() -> None:
    assert level_change(np.array([60.0, 30.0] * 2 + [30.0])) is None
    assert level_change(np.array([])) is None
    assert level_change(np.arange(6.0)) is not None


@pytest.mark.parametrize(
    ("parameter", "before", "now", "expected"),
    [
        ("t1", 60, 53.9, True),
        ("t1", 60, 54.1, False),
        ("qubit_frequency", 4.8, 4.80051, True),
        ("qubit_frequency", 4.8, 4.80049, False),
        ("average_readout_fidelity", 0.96, 0.9499, True),
        ("average_readout_fidelity", 0.96, 0.951, False),
        ("hpi_amplitude", 0.1, 0.1051, True),
        ("hpi_amplitude", 0.1, 0.1049, False),
        ("anharmonicity", -0.3, -0.316, True),
        ("anharmonicity", -0.3, -0.314, False),
    ],
)
def test_what_is_large_enough_to_act_on(parameter: str, before: float, now: float, expected: bool) -> None:
    metric = MetricTable().of(parameter)
    for sign in (1, -1):
        z = sign * (SIGNIFICANT_Z + 1)
        assert matters(LevelChange(before, now, z), metric) is expected
        assert not matters(LevelChange(before, now, sign * (SIGNIFICANT_Z - 0.1)), metric)


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
    assert not matters(change, T1)


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
