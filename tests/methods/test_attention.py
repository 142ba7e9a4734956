"""What wants attention, jumps, periods and patches, against truths that were made or computed another way."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from tests.methods.made import noise, stored, summary, table

Rng = np.random.Generator


def one_series(values: Any, parameter: str = "t1") -> dict[str, Any]:
    """A stored series of one qubit, one measurement a day."""
    found: dict[str, Any] = stored(table(np.asarray(values, dtype=float)[None], error=0.5))
    return found | {"parameter_name": parameter}


@pytest.mark.parametrize(("count", "at", "drop"), [(40, 25, 0.4), (90, 60, 0.35), (20, 12, 0.5)])
def test_a_jump_is_found_where_it_is(count: int, at: int, drop: float) -> None:
    values = 70 * (1 + 0.06 * np.random.default_rng(count).standard_normal(count))
    values[at:] *= 1 - drop
    series = one_series(values)
    [row] = qm.jumps(series).to_dict("records")
    assert (row["kind"], row["verdict"]) == ("jump", "fell")
    assert abs((row["since"] - series["timeseries"]["t"].sort_values().iloc[at]) / pd.Timedelta(days=1)) <= 1
    assert row["change [%]"] == pytest.approx(-100 * drop, abs=10)


def test_a_dip_is_two_jumps_and_a_slope_is_a_drift() -> None:
    rng = np.random.default_rng(5)
    dip = 70 * (1 + 0.05 * rng.standard_normal(60))
    dip[30:35] *= 0.55
    assert [*qm.jumps(one_series(dip))["verdict"]] == ["rose", "fell"]  # the newest first
    slope = np.linspace(90, 60, 60) * (1 + 0.04 * rng.standard_normal(60))
    assert [*qm.jumps(one_series(slope))["kind"]] == ["drift"]
    late = one_series(np.interp(np.arange(60), [40, 59], [90, 50]) * (1 + 0.04 * rng.standard_normal(60)))
    [row] = qm.jumps(late).to_dict("records")
    began = late["timeseries"]["t"].sort_values().iloc[40]
    assert abs(row["since"] - began) <= pd.Timedelta(days=4), "where it began to fall, not the first of all"
    assert row["since"] == qm.changes(late, since=began - pd.Timedelta(days=10))["since"].iloc[0]


@pytest.mark.parametrize(
    "kind", ["white", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("alike", "outliers"))]
)
def test_noise_hardly_ever_jumps(kind: str) -> None:
    """At most 1 of 100 series, where one in twenty measurements is wild; of white noise and AR(0.5) none of 150."""
    rng = np.random.default_rng(7)
    values = 70 * (1 + 0.08 * noise(rng, 150, 90, 0.5 if kind == "alike" else 0.0) / noise(rng, 150, 90, 0.0).std())
    if kind == "outliers":
        values = np.where(
            rng.random(values.shape) < 0.05, values * (1 + 0.8 * rng.standard_normal(values.shape)), values
        )
    found = qm.jumps(stored(table(values, error=0.5)))
    assert len(found[found["kind"] == "jump"]) <= (2 if kind == "outliers" else 0)


@pytest.mark.parametrize("per", ["day", "week", "month"])
def test_periods_are_those_of_the_calendar(per: Any) -> None:
    series = one_series(np.random.default_rng(1).uniform(40, 80, 50))
    found = qm.by_period(series, per)
    times = series["timeseries"]["t"].dt.tz_localize(None)
    starts = {
        "day": times.dt.normalize(),
        "week": times.dt.normalize() - pd.to_timedelta(times.dt.day_of_week, unit="D"),
        "month": times.dt.normalize() - pd.to_timedelta(times.dt.day - 1, unit="D"),
    }[per]
    expected = series["timeseries"]["v"].groupby(starts.dt.strftime("%Y-%m-%d")).median()
    assert [*found["period"]] == [*expected.index]
    assert [*found["median [μs]"]] == pytest.approx([*expected])
    assert found["n"].sum() == 50


def coupled(rng: Rng, qubits: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fidelities of qubits on a ring with some chords, and of their couplings."""
    ids = [str(one) for one in range(qubits)]
    values = pd.DataFrame({
        "qid": ids, "parameter": "x90_gate_fidelity", "value": rng.uniform(0.9, 1, qubits), "error": 0.001,
        "unit": "a.u.", "age_days": 1.0,
    })  # fmt: skip
    pairs = [f"{one}-{(one + 1) % qubits}" for one in range(qubits)] + [f"{one}-{one + 3}" for one in range(qubits - 3)]
    two = pd.DataFrame({"qid": pairs, "latest": rng.uniform(0.8, 1, len(pairs)), "age_days": 1.0})
    wide = pd.DataFrame({"qid": ids, "x90_gate_fidelity": values["value"]})
    return {"qubits": wide, "values": values}, {"qubits": two, "parameter_name": "zx90_gate_fidelity"}


@pytest.mark.parametrize("seed", range(6))
def test_the_best_chain_is_that_of_all_chains(seed: int) -> None:
    chip, couplings = coupled(np.random.default_rng(seed), 8)
    score = chip["values"].set_index("qid")["value"].to_dict()
    gate = {frozenset(name.split("-")): value for name, value in couplings["qubits"][["qid", "latest"]].to_numpy()}

    def fidelity(chain: tuple[str, ...]) -> float:
        links = [gate.get(frozenset(pair), 0.0) for pair in pairwise(chain)]
        return float(np.prod([*(score[one] for one in chain), *links]))

    found = qm.best_patch(chip, couplings, 4, chain=True, qubits=("x90_gate_fidelity",))
    assert found.attrs["fidelity"] == pytest.approx(max(map(fidelity, permutations(score, 4))))
    assert fidelity(tuple(found["qid"][:4])) == pytest.approx(found.attrs["fidelity"])


def test_a_patch_leaves_out_what_is_old_or_not_wanted() -> None:
    chip, couplings = coupled(np.random.default_rng(3), 6)
    best = [*qm.best_patch(chip, couplings, 2, qubits=("x90_gate_fidelity",))["qid"][:2]]
    without = qm.best_patch(chip, couplings, 2, qubits=("x90_gate_fidelity",), without=best[:1])
    assert best[0] not in {*without["qid"][:2]}
    couplings["qubits"]["age_days"] = 99.0
    assert qm.best_patch(chip, couplings, 2, qubits=("x90_gate_fidelity",)).empty


def test_attention_names_what_is_wrong_the_worst_first() -> None:
    values = 60 * (1 + 0.05 * np.random.default_rng(2).standard_normal(60))
    values[45:] *= 0.5
    results = pd.DataFrame({
        "qid": ["0", "0", "1"], "task_name": "CheckT1", "status": ["completed", "failed", "completed"],
        "start_at": pd.to_datetime(["2026-06-01", "2026-06-02", "2026-06-02"], utc=True), "message": "no fit",
    })  # fmt: skip
    found = qm.attention(summary(), one_series(values), results=results)
    assert [*found[["qid", "severity", "finding"]].itertuples(index=False, name=None)] == [
        ("3", "bad", "no results"),
        ("1", "bad", "beyond limit"),  # T1 of 15 μs
        ("1", "bad", "beyond limit"),  # readout of 80 %
        ("0", "warning", "fell"),
        ("0", "note", "newest failed"),
        ("2", "warning", "not measured lately"),
    ]
    assert [*qm.attention(summary(), one_series(values), qids=["2"])["qid"]] == ["2"]
    assert qm.attention(summary(), limits={"t1": 5}, old_days=50)["finding"].tolist() == ["no results"]
