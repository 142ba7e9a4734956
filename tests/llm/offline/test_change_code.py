"""The cell that compares levels, run on made series: its statistics without a session."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.llm.offline.code.changes import SIGMAS, change_cell, change_rule
from qdash_jupyter.llm.offline.spans import Window

AS_OF = pd.Timestamp("2026-06-30", tz="UTC")
SIZES = [(10, 5), (3, 3), (4, 3), (10, 3), (30, 30), (5, 1)]
RATE = 0.0005


def compared(old: np.ndarray, new: np.ndarray, errors: np.ndarray | None = None, parameter: str = "t1") -> pd.DataFrame:
    """What the cell finds; one row of `old` and `new` a qubit, `errors` of both, measured every other hour."""
    values = np.hstack([old, new])
    days = 30 if new.shape[1] >= 3 else 1
    ages = np.concatenate([days * 24 + 2 * np.arange(old.shape[1], 0, -1), 2 * np.arange(new.shape[1], 0, -1)])
    series = pd.DataFrame(
        {
            "qid": np.repeat(np.arange(len(values)).astype(str), len(ages)),
            "t": list(AS_OF - pd.to_timedelta(ages, unit="h")) * len(values),
            "v": values.ravel(),
            "error": math.nan if errors is None else errors.ravel(),
        }
    )
    read = {"timeseries": series, "as_of": AS_OF, "not_measured": ()}
    names: dict[str, Any] = {"copilot": SimpleNamespace(data={parameter: read})}
    metric = METRICS[parameter]
    exec(change_cell(parameter, metric, Window(days), change_rule(metric), "Which?"), names)  # noqa: S102 - its purpose
    found: pd.DataFrame = names[f"{parameter}_changes"]()
    return found.set_index("qid").loc[[str(place) for place in range(len(values))]]


def noise(old: int, new: int, series: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(20260630)
    return 60 + rng.standard_normal((series, old)), 60 + rng.standard_normal((series, new))


def alarms(size: tuple[int, int], series: int) -> int:
    return int((compared(*noise(*size, series))["sigmas"].abs() >= SIGMAS).sum())


def most(series: int) -> float:
    """The most that chance lets happen where the rate is right: three standard deviations more."""
    return RATE * series + 3 * math.sqrt(RATE * series)


def test_the_rate_of_false_alarms_holds() -> None:
    assert alarms((10, 5), 300) <= most(300)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", SIZES)
def test_the_rate_of_false_alarms_at_each_size(size: tuple[int, int]) -> None:
    assert alarms(size, 3000) <= most(3000)


def test_the_change_is_over_its_uncertainty() -> None:
    """As decision 0011 says; in plain numpy."""
    rng = np.random.default_rng(3)
    old, new = noise(3, 3, 50)
    errors = np.exp(rng.normal(0, 2, (50, 6)))
    errors[rng.random((50, 6)) < 0.3] = math.nan
    errors[rng.random((50, 6)) < 0.1] = math.inf
    for given in (None, errors):
        found = compared(old, new, given)["sigmas"]
        known = np.zeros((50, 6)) if given is None else np.where(np.isfinite(given), given, 0)
        for place, z in enumerate(found):
            scatter = np.quantile(np.abs(np.diff(np.hstack([old, new])[place])), 0.75) / 1.627
            noise_of = [max(scatter, np.median(side)) for side in (known[place, :3], known[place, 3:])]
            uncertainty = np.hypot(*noise_of) * np.sqrt(np.pi / 2 / 3) * (1 + 4 / 3)
            assert z == pytest.approx((np.median(new[place]) - np.median(old[place])) / uncertainty)


def test_errors_that_are_larger_than_the_change_forbid_it() -> None:
    old, new = noise(10, 5, 20)
    assert set(compared(old, new - 30)["verdict"]) == {"fell"}
    assert set(compared(old, new - 30, np.full((20, 15), 0.5))["verdict"]) == {"fell"}
    assert set(compared(old, new - 30, np.full((20, 15), 40.0))["verdict"]) == {"stable"}


def test_errors_are_on_the_scale_of_the_values() -> None:
    old, new = np.full((1, 10), 0.96), np.full((1, 5), 0.90)
    for error, verdict in ((0.001, "fell"), (0.06, "stable")):
        found = compared(old, new, np.full((1, 15), error), "average_readout_fidelity")
        assert list(found["verdict"]) == [verdict]


def test_constant_negative_values_are_stable_and_a_step_without_noise_is_a_change() -> None:
    old, new = np.full((2, 10), -0.31), np.array([[-0.31] * 5, [-0.40] * 5])
    assert list(compared(old, new, parameter="anharmonicity")["verdict"]) == ["stable", "fell"]
