"""`outliers` keeps its rate however few the values, and `telegraph` tells switching from scattered outliers."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from qdash_jupyter.methods.distributions import robust_deviations, wild_from
from qdash_jupyter.methods.noise import two_levels_of
from tests.methods.made import table

WILD = 1 / 2000


@pytest.mark.parametrize("count", [5, 6, 7, 8, 10, 11, 14, 18, 23, 40, 70, 150, 200, 500])
def test_one_gaussian_value_in_two_thousand_is_wild(count: int) -> None:
    rng, series = np.random.default_rng(count), 100_000 // count
    wild = sum(
        int((np.abs(robust_deviations(one)) > wild_from(count)).sum()) for one in rng.standard_normal((series, count))
    )
    # Values of one series are wild together, so by chance there are a few more than of independent ones.
    assert wild <= WILD * series * count + 4 * math.sqrt(WILD * series * count)
    assert wild >= WILD * series * count / 3


def test_a_wild_value_is_found_among_many_and_few() -> None:
    for count, away in ((8, 60), (20, 12), (60, 8)):
        values = 60 + np.random.default_rng(1).standard_normal((1, count))
        values[0, 2] += away
        found = qm.outliers(table(values))
        assert list(found["value [μs]"]) == pytest.approx([values[0, 2]])


def test_what_came_after_a_jump_is_not_wild() -> None:
    values = 60 + np.random.default_rng(3).normal(size=(1, 50))
    values[0, 30:] -= 25
    values[0, [10, 40]] = 80, 60
    found = qm.outliers(table(values))
    assert [*found["value [μs]"]] == [80, 60]
    assert [round(median) for median in found["median [μs]"]] == [60, 35]
    assert [*found["n"]] == [30, 20]


@pytest.mark.parametrize("count", [20, 60, 150])
def test_scattered_outliers_are_no_switching(count: int) -> None:
    rng, series = np.random.default_rng(count), 2000
    values = rng.standard_normal((series, count)) * np.where(rng.random((series, count)) < 0.05, 10, 1)
    switching = sum(two_levels_of(one)[-1] == "switches" for one in values)
    assert switching <= 0.005 * series + 3 * math.sqrt(0.005 * series)


def test_switching_is_found() -> None:
    rng = np.random.default_rng(3)
    level = np.cumsum(rng.random((100, 60)) < 0.15, axis=1) % 2
    found = qm.telegraph(table(60 - 20 * level + rng.standard_normal((100, 60)) * 2))
    assert (found["verdict"] == "switches").mean() > 0.9
    first: pd.Series = found[found["verdict"] == "switches"].iloc[0]
    assert first["upper level [μs]"] - first["lower level [μs]"] == pytest.approx(20, abs=2)
