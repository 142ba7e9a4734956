"""What all methods have in common: names, imports, nothing changed, units, and what is missing."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from tests.methods.made import noise, stored, summary, table

ON_CURVES = {
    *("Curve", "Shots", "StoredParameter", "audit", "audited", "curve_chart", "curves_of", "fit_curve", "judge"),
    *("left_out", "reliable_only"),
}
"""They are given points instead; see `tests/methods/curves`."""
Call = Callable[[Any], Any]
ON_SERIES: dict[str, Call] = {
    "changes": lambda series: qm.changes(series, since="10d"),
    "compare_windows": lambda series: qm.compare_windows(series, ("30d", "10d"), ("10d", None)),
    "trends": qm.trends,
    "spread": qm.spread,
    "spread, by qid": lambda series: qm.spread(series, by_qid=True),
    "outliers": qm.outliers,
    "allan_deviation": lambda series: qm.allan_deviation(series, qid="0"),
    "allan_deviation, resampled": lambda series: qm.allan_deviation(series, qid="0", resample="2D"),
    "telegraph": qm.telegraph,
    "jumps": qm.jumps,
    "by_period": qm.by_period,
    "fit_line": qm.fit_line,
    "fit_exponential": qm.fit_exponential,
    "series_chart": qm.series_chart,
    "levels_chart": lambda series: qm.levels_chart(qm.changes(series, since="10d")),
    "band_chart": qm.band_chart,
    "histogram": qm.histogram,
}
COUPLINGS = {
    "qubits": pd.DataFrame({"qid": ["0-1"], "latest": [0.9], "age_days": [1.0]}),
    "parameter_name": "zx90_gate_fidelity",
}
ON_VALUES: dict[str, Call] = {
    "shown": qm.shown,
    "overview": qm.overview,
    "meeting": lambda values: qm.meeting(qm.shown(values, "t1"), "T1 [μs] < 50"),
    "findings": qm.findings,
    "unmeasured": qm.unmeasured,
    "ranked": lambda values: qm.ranked(values, "t1", limit=50),
    "overall": lambda values: qm.overall(values, "t1", "average_readout_fidelity"),
    "spread": lambda values: qm.spread(values, "t1"),
    "outliers": lambda values: qm.outliers(values, "t1"),
    "relation": lambda values: qm.relation(values, parameters=("t1", "average_readout_fidelity")),
    "attention": qm.attention,
    "best_patch": lambda values: qm.best_patch(values, COUPLINGS, 2, qubits=("t1",)),
    "best_connected": lambda values: qm.best_connected(values, ["0-1", "1-2"], 2, parameter="t1"),
    "ranking_chart": lambda values: qm.ranking_chart(values, "t1", marked=["1"]),
    "bar_chart": lambda values: qm.bar_chart(qm.shown(values, "t1").set_index("qid")["T1 [μs]"], y="T1 [μs]"),
    "scatter_chart": lambda values: qm.scatter_chart(values, parameters=("t1", "average_readout_fidelity")),
    "histogram": lambda values: qm.histogram(values, "t1"),
}


def series(count: int = 30, qubits: int = 3) -> pd.DataFrame:
    return table(60 + noise(np.random.default_rng(1), qubits, count, 0.3), error=0.7)


def test_the_public_names() -> None:
    assert dir(qm) == qm.__all__
    for name in qm.__all__:
        assert inspect.getdoc(getattr(qm, name))
    assert qm.__all__ == sorted(ON_CURVES | {name.split(",")[0] for name in (*ON_SERIES, *ON_VALUES)})
    with pytest.raises(AttributeError, match="nonsense"):
        qm.nonsense  # noqa: B018


def test_numpy_and_pandas_are_enough_until_a_curve_is_fitted() -> None:
    heavy = ("scipy", "plotly", "pydantic", "openai", "pymongo", "IPython", "matplotlib", "statsmodels")
    code = (
        f"import sys, qdash_jupyter.methods as qm\nassert 'pandas' not in sys.modules\n"
        f"[getattr(qm, name) for name in qm.__all__]\nprint([m for m in {heavy!r} if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", ON_SERIES)
def test_a_series_is_not_changed_and_its_result_is_its_own(name: str) -> None:
    given = stored(series(), not_measured=["9"])
    table_, before = given["timeseries"], given["timeseries"].copy(deep=True)
    attrs = dict(table_.attrs)
    found = ON_SERIES[name](given)
    pd.testing.assert_frame_equal(table_, before)
    assert table_.attrs == attrs
    if isinstance(found, pd.DataFrame):
        for column in found.columns:
            found[column] = None
        pd.testing.assert_frame_equal(table_, before)


@pytest.mark.parametrize("name", ON_VALUES)
def test_values_are_not_changed(name: str) -> None:
    given, before = summary(), summary()
    found = ON_VALUES[name](given)
    for part in before:
        pd.testing.assert_frame_equal(given[part], before[part])
        assert given[part].attrs == before[part].attrs
    if isinstance(found, pd.DataFrame):
        json.dumps(found.attrs)
        assert found.attrs["method"].endswith(".")


@pytest.mark.parametrize("name", ON_SERIES)
@pytest.mark.parametrize("kind", ["empty", "one row", "all missing", "two rows", "all the same"])
def test_little_or_nothing_is_no_error(name: str, kind: str) -> None:
    given = series(30 if kind == "all the same" else 3, 1)
    if kind == "all the same":
        given["v"] = 60.0
    given = given.iloc[: {"empty": 0, "one row": 1, "two rows": 2}.get(kind)]
    if kind == "all missing":
        given = given.assign(v=np.nan)
    found = ON_SERIES[name](given)
    if isinstance(found, pd.DataFrame) and "verdict" in found:
        assert not found["verdict"].isin(["fell", "rose", "switches"]).any()


@pytest.mark.parametrize("name", ON_SERIES)
def test_the_order_of_rows_and_missing_values_do_not_matter(name: str) -> None:
    given = series()
    worse = pd.concat([given, given.iloc[:5].assign(v=np.nan)]).sample(frac=1, random_state=3)
    worse.attrs = given.attrs
    found, expected = ON_SERIES[name](worse), ON_SERIES[name](given)
    if isinstance(found, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected)
    else:
        assert found.to_json() == expected.to_json()


@pytest.mark.parametrize("name", [name for name in ON_SERIES if "chart" not in name and name != "histogram"])
def test_results_scale_with_the_unit(name: str) -> None:
    """A series in seconds that is shown in μs is that in μs."""
    given = series()
    stored_in_s = given.assign(v=given["v"] * 1e-6, error=given["error"] * 1e-6)
    stored_in_s.attrs = given.attrs | {"units": {"v": "s", "error": "s"}, "parameter": "some_time"}
    of = {
        "changes": lambda one, **more: qm.changes(one, since="10d", **more),
        "compare_windows": lambda one, **more: qm.compare_windows(one, ("30d", "10d"), ("10d", None), **more),
        "spread, by qid": lambda one, **more: qm.spread(one, by_qid=True, **more),
        "allan_deviation": lambda one, **more: qm.allan_deviation(one, qid="0", **more),
        "allan_deviation, resampled": lambda one, **more: qm.allan_deviation(one, qid="0", resample="2D", **more),
    }.get(name, getattr(qm, name.split(",", maxsplit=1)[0]))
    found, expected = of(stored_in_s, unit="μs"), of(given)
    assert list(found.columns) == list(expected.columns)
    pd.testing.assert_frame_equal(found, expected, rtol=1e-5)


def test_a_unit_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="T1 in μs cannot be shown in GHz"):
        qm.trends(series(), unit="GHz")
    with pytest.raises(TypeError, match="A series is"):
        qm.trends([1, 2, 3])
    with pytest.raises(ValueError, match="t is missing"):
        qm.trends(series().drop(columns="t"))
    with pytest.raises(ValueError, match="Say which parameter"):
        qm.ranked(summary())
    with pytest.raises(ValueError, match="Say whose"):
        qm.allan_deviation(series())


def test_ids_are_read_as_people_write_them() -> None:
    given = series()
    for qids in (["Q01"], [1], ["1"], "1"):
        assert list(qm.trends(given, qids=qids)["qid"]) == ["1"]
    couplings = given.assign(qid=given["qid"].map({"0": "4-1", "1": "0-1", "2": "10-2"}))
    couplings.attrs = given.attrs
    assert list(qm.trends(couplings, qids=["1-4"])["qid"]) == ["4-1"]
    assert list(qm.trends(couplings)["qid"]) == ["0-1", "4-1", "10-2"]
