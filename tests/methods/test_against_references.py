"""Each method against an independent implementation (scipy, statsmodels, allantools), and published figures."""

from __future__ import annotations

import itertools
import math

import allantools
import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from statsmodels.regression.linear_model import GLS, WLS

from qdash_jupyter import methods as qm
from qdash_jupyter.methods.chances import median_interval, normal_two_sided, student_quantile, student_two_sided
from qdash_jupyter.methods.descriptions import NOISES, noises_of, shapes_of, whitened
from qdash_jupyter.methods.distributions import robust_deviations, wild_from
from qdash_jupyter.methods.noise import overlapping
from qdash_jupyter.methods.slopes import sen_slope
from tests.methods.made import table

CASES = [*range(12), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(12, 60))]


@pytest.mark.parametrize("seed", CASES)
def test_chances_are_those_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    z, dof = rng.normal(0, 3), int(rng.integers(1, 60))
    assert normal_two_sided(z) == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert student_two_sided(z, dof) == pytest.approx(2 * stats.t.sf(abs(z), dof), abs=1e-13)


@pytest.mark.parametrize("seed", CASES)
def test_a_quantile_of_student_is_that_of_scipy(seed: int) -> None:
    dof = int(np.random.default_rng(seed).integers(1, 200))
    assert student_quantile(dof) == pytest.approx(stats.t.ppf(0.975, dof), rel=1e-9)


@pytest.mark.parametrize("seed", CASES)
def test_the_interval_of_a_median_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.standard_cauchy(6 + seed)
    theirs = stats.quantile_test(values, p=0.5).confidence_interval(0.95)
    assert median_interval(values) == (np.median(values), theirs.low, theirs.high)
    assert np.isnan(median_interval(values[:5])[1:]).all()


@pytest.mark.parametrize("seed", CASES)
def test_a_slope_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 80))
    times = np.sort(rng.uniform(0, 30, count))
    values = np.round(rng.normal(size=count) + 0.1 * times, seed % 3 + 1)
    theirs = stats.theilslopes(values, times, method="separate")
    assert sen_slope(times, values)[0] == pytest.approx(theirs.slope)


@pytest.mark.parametrize("seed", CASES)
def test_a_relation_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(8, 100))
    x = pd.Series(rng.normal(60, 10, count), [str(i) for i in range(count)])
    y = pd.Series(rng.normal(size=count) + rng.normal() * (x - 60) / 10, x.index)
    found = qm.relation(x, y).iloc[0]
    spearman, pearson, line = stats.spearmanr(x, y), stats.pearsonr(x, y), stats.linregress(x, y)
    assert found["n"] == count
    assert found["spearman"] == pytest.approx(spearman.statistic)
    assert found["p"] == pytest.approx(spearman.pvalue, rel=1e-6, abs=1e-13)
    assert found["pearson"] == pytest.approx(pearson.statistic)
    assert (found["slope"], found["slope ±"]) == pytest.approx((line.slope, line.stderr))
    half = stats.norm.ppf(0.975) * math.sqrt((1 + spearman.statistic**2 / 2) / (count - 3))
    ends = np.tanh(np.arctanh(spearman.statistic) + np.array([-half, half]))
    assert (found["from"], found["to"]) == pytest.approx(tuple(ends))


@pytest.mark.parametrize("seed", CASES)
def test_a_line_is_that_of_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 40))
    x, error = rng.uniform(0, 10, count), rng.uniform(0.5, 2, count)
    y = 3 - 0.4 * x + error * rng.standard_normal(count)
    design = np.column_stack([np.ones(count), x])
    theirs = WLS(y, design, weights=1 / error**2).fit()
    found = qm.fit_line(x, y, error).iloc[0]
    assert (found["intercept"], found["slope"]) == pytest.approx(tuple(theirs.params))
    assert found["chi2/dof"] == pytest.approx(theirs.scale)
    # Theirs always have the scatter in them, ours where it is larger than the errors say.
    by_errors = theirs.bse / math.sqrt(theirs.scale) * max(1, math.sqrt(theirs.scale))
    assert (found["intercept ±"], found["slope ±"]) == pytest.approx(tuple(by_errors))
    plain = WLS(y, design).fit()
    found = qm.fit_line(x, y).iloc[0]
    assert (found["intercept ±"], found["slope ±"]) == pytest.approx(tuple(plain.bse))
    assert math.isnan(found["chi2/dof"])


@pytest.mark.parametrize("seed", CASES)
def test_an_exponential_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, decay, offset = int(rng.integers(12, 60)), rng.uniform(1, 5), seed % 2 == 0
    x, error = np.sort(rng.uniform(0, 12, count)), np.full(count, 0.05)
    y = 2 * np.exp(-x / decay) + 0.5 * offset + error * rng.standard_normal(count)

    def curve(x: np.ndarray, a: float, tau: float, c: float = 0.0) -> np.ndarray:
        return np.asarray(a * np.exp(-x / tau) + c)

    start = (2.0, decay, 0.5)[: 3 if offset else 2]
    theirs, covariance = optimize.curve_fit(curve, x, y, start, error, absolute_sigma=True)
    found = qm.fit_exponential(x, y, error, offset=offset).iloc[0]
    names = ["amplitude", "decay", "offset"][: len(start)]
    assert found["verdict"] == "fitted"
    assert [found[name] for name in names] == pytest.approx(list(theirs), rel=2e-4)
    scale = math.sqrt(max(1, found["chi2/dof"]))
    assert [found[f"{name} ±"] for name in names] == pytest.approx(list(np.sqrt(np.diag(covariance)) * scale), rel=2e-3)
    assert found["chi2/dof"] == pytest.approx(
        float((((y - curve(x, *theirs)) / error) ** 2).sum()) / (count - len(start))
    )


@pytest.mark.parametrize("seed", CASES)
def test_an_allan_deviation_is_that_of_allantools(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(5, 0.1, int(rng.integers(20, 200))).cumsum() if seed % 2 else rng.normal(5, 0.1, 64)
    found = qm.allan_deviation(table([values], parameter="kappa_external", unit="MHz"))
    _, theirs, _, counts = allantools.oadev(values, rate=1, data_type="freq", taus=list(found["steps"]))
    assert list(found["deviation [MHz]"])[: len(theirs)] == pytest.approx(list(theirs))
    assert list(found["n"])[: len(counts)] == list(counts)
    assert list(found["averaging [h]"]) == pytest.approx([24.0 * steps for steps in found["steps"]])


NBS14 = (892, 809, 823, 798, 671, 644, 883, 903, 677)


def thousand() -> np.ndarray:
    """The 1000-point set of Riley's handbook (NIST SP 1065, section 12.4), by its generator of random numbers."""
    number, values = 1234567890, []
    for _ in range(1000):
        values.append(number / 2147483647)
        number = 16807 * number % 2147483647
    return np.array(values)


@pytest.mark.parametrize(("steps", "expected"), [(1, 91.22945), (2, 85.95287)])
def test_the_nine_points_of_the_handbook(steps: int, expected: float) -> None:
    """NBS Monograph 140, annex 8.E, in NIST SP 1065, table 30: the overlapping Allan deviation."""
    assert overlapping(np.array(NBS14, dtype=float), steps)[0] == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(("steps", "expected"), [(1, 2.922319e-1), (10, 9.159953e-2), (100, 3.241343e-2)])
def test_the_thousand_points_of_the_handbook(steps: int, expected: float) -> None:
    """NIST SP 1065, table 31: the overlapping Allan deviation."""
    assert overlapping(thousand(), steps)[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("seed", CASES)
def test_a_description_fits_as_the_generalised_least_squares_of_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(6, 40))
    values, shapes = rng.normal(60, 3, count), shapes_of(count)
    which, noise = int(rng.integers(len(shapes.levels))), int(rng.integers(len(NOISES)))
    correlation, part = NOISES[noise]
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    sigma = part * correlation**apart + (1 - part) * np.eye(count)
    even, changed = (
        GLS(values, design, sigma=sigma).fit()
        for design in (np.ones(count), np.column_stack([np.ones(count), shapes.levels[which]]))
    )
    (white,), (shape,) = (whitened(each[None]).rest[noise].T for each in (values, shapes.levels[which]))
    size = np.linalg.norm(shape)
    amplitude = float(shape @ white / size)
    assert amplitude / size == pytest.approx(changed.params[1], rel=1e-6, abs=1e-9)
    left = float(white @ white)
    assert left == pytest.approx(even.ssr, rel=1e-6)
    assert left - amplitude**2 == pytest.approx(changed.ssr, rel=1e-6)
    likely = -count * np.log([left, left - amplitude**2]) - noises_of(count).costs[noise]
    assert likely[1] - likely[0] == pytest.approx(2 * (changed.llf - even.llf), abs=1e-6)


@pytest.mark.parametrize("seed", CASES)
def test_spread_is_that_of_numpy_and_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(60, 8, int(rng.integers(5, 200)))
    found = qm.spread(table([values])).iloc[0]
    assert found["n"] == len(values)
    for name, expected in (
        ("median", np.median(values)),
        ("mean", values.mean()),
        ("standard deviation", np.std(values, ddof=1)),
        ("lower quartile", np.percentile(values, 25)),
        ("upper quartile", np.percentile(values, 75)),
        ("lowest", values.min()),
        ("highest", values.max()),
        ("robust deviation", stats.median_abs_deviation(values, scale=1 / 1.4826)),
    ):
        assert found[f"{name} [μs]"] == pytest.approx(expected), name
    modified = np.abs(values - np.median(values)) / stats.median_abs_deviation(values, scale=1 / 1.4826)
    assert np.abs(robust_deviations(values)) == pytest.approx(modified)
    assert found["outliers"] == (modified > wild_from(len(values))).sum() == len(qm.outliers(table([values])))


@pytest.mark.parametrize("seed", CASES)
def test_the_best_connected_set_is_that_of_all_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, size = int(rng.integers(4, 11)), int(rng.integers(2, 5))
    scores = pd.Series(rng.normal(60, 10, count), [str(i) for i in range(count)])
    pairs = [pair for pair in itertools.combinations(range(count), 2) if rng.random() < 0.35]
    near = {frozenset(map(str, pair)) for pair in pairs}

    def connected(chosen: tuple[str, ...]) -> bool:
        reached = {chosen[0]}
        for _ in chosen:
            reached |= {one for one in chosen if any(frozenset((one, other)) in near for other in reached)}
        return len(reached) == len(chosen)

    for higher in (True, False):
        sets = [one for one in itertools.combinations(scores.index, size) if connected(one)]
        found = qm.best_connected(scores, pairs, size, higher_is_better=higher)
        assert found.attrs["exact"]
        if not sets:
            assert found.empty
            continue
        means = [float(scores[list(one)].mean()) for one in sets]
        assert found.attrs["mean score"] == pytest.approx(max(means) if higher else min(means))
        assert connected(tuple(found["qid"]))
        assert len(found) == size
