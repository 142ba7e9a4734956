"""The methods on what the tools stored of the demo chip."""

from __future__ import annotations

import pandas as pd
import pytest
from demo_chip import DemoChip

from qdash_jupyter import methods as qm
from tests.tools.toolbench import Tools


@pytest.mark.long
def test_the_planted_changes_are_found_and_nothing_else(tools: Tools, demo: DemoChip) -> None:
    for parameter in ("t1", "qubit_frequency", "average_readout_fidelity"):
        tools.result("get_chip_parameter_timeseries", parameter_name=parameter, since="60d")
    truth = demo.truth
    t1 = qm.changes(tools.store["t1"], since="30d")
    assert set(t1.loc[t1["verdict"] == "fell", "qid"]) == set(truth.t1_lost())
    assert set(t1.loc[t1["verdict"] == "not measured", "qid"]) == {*truth.dead, *truth.stale}
    frequency = qm.changes(tools.store["qubit_frequency"], since="30d")
    jumped = frequency["verdict"].isin(["fell", "rose"])
    assert set(frequency.loc[jumped, "qid"]) == set(truth.frequency_jumps())
    readout = qm.changes(tools.store["average_readout_fidelity"], since="30d")
    assert not readout["verdict"].isin(["fell", "rose"]).any()
    assert len(t1) == len(frequency) == len(readout) == 64


def test_a_table_alone_is_as_good(tools: Tools) -> None:
    tools.result("get_chip_parameter_timeseries", parameter_name="average_readout_fidelity", since="90d")
    stored = tools.store["average_readout_fidelity"]
    whole = qm.changes(stored, since="30d")
    alone = qm.changes(stored["timeseries"], since="30d", not_measured=stored["not_measured"])
    pd.testing.assert_frame_equal(alone, whole)
    assert alone.attrs == whole.attrs
    assert "now [%]" in alone
    assert qm.series_chart(stored["timeseries"], ["0"]).layout.yaxis.title.text == "Average Readout Fidelity (%)"


def test_couplings_and_current_values(tools: Tools, demo: DemoChip) -> None:
    tools.result("get_chip_summary")
    tools.result("get_chip_parameter_timeseries", parameter_name="zx90_gate_fidelity")
    summary, couplings = tools.store["chip_summary"], tools.store["zx90_gate_fidelity"]
    worst = qm.ranked(couplings, count=2)
    assert set(worst["qid"]) == set(demo.truth.bad_coupling)
    found = qm.findings(summary, couplings)
    assert set(demo.truth.bad_coupling) <= set(found["element"])
    assert set(found.loc[found["finding"] == "no values at all", "element"]) == set(demo.truth.dead)
    assert set(demo.truth.stale) <= set(found.loc[found["finding"] == "not measured lately", "element"])
    assert qm.relation(summary, parameters=("t1", "t2_echo")).iloc[0]["verdict"] == "rise together"
    chosen = qm.best_connected(summary, couplings, 5, parameter="t1")
    assert len(chosen) == 5
    assert chosen.attrs["exact"]
