"""How rows are run: each heeds what it says, and what is answered is counted over all rows of a table."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean, median
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.operations import Ask, can_answer
from qdash_jupyter.llm.offline.operations.change import change
from qdash_jupyter.llm.offline.operations.chip import health
from qdash_jupyter.llm.offline.operations.row import SUMMARY, Row, Rows, Told
from qdash_jupyter.llm.offline.operations.values import flag_words
from qdash_jupyter.llm.offline.plan import CallOutcome, planned
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window
from qdash_jupyter.methods import outliers
from qdash_jupyter.tools import result_curves
from tests.llm.offline.asking import NOW
from tests.llm.offline.given_query import answer_to, answered
from tests.llm.offline.planner_questions import Chip, ids_in
from tests.llm.offline.test_operations import current


def test_a_median_of_differences_is_over_all_pairs(faulty: Chip) -> None:
    """Also where the table has more rows than are told."""
    frequency = current(faulty, "qubit_frequency")
    pairs = {frozenset(row["qid"].split("-")) for row in faulty.made.documents["coupling"]}  # in both directions
    sizes = [1000 * abs(frequency[a] - frequency[b]) for a, b in pairs if {a, b} <= frequency.keys()]
    assert len(sizes) > 100
    text = answered(faulty, Asked.DIFFERENCE, metrics=("qubit_frequency",)).text
    assert f"The median of {len(sizes)} differences is {median(sizes):.2f} MHz" in text


def test_a_mean_over_a_mux_is_that_of_its_qubits(faulty: Chip) -> None:
    """Not one of the measurements of each, over a time that the question does not name."""
    values = [value for qid, value in current(faulty, "t1").items() if int(qid) // 4 == 3]
    text = answered(faulty, Asked.STATISTIC, metrics=("t1",), places=(("mux", 3),), statistic="mean", kind="qubit").text
    assert f"**Mean T1 of {len(values)} qubits: {fmean(values):.1f} μs.**" in text


def test_of_two_each_is_named_where_it_is_better(faulty: Chip) -> None:
    """By at least 3 σ of the values in the table, in what has a better side."""
    text = answered(faulty, Asked.COMPARE, qids=("9", "42")).text
    said = re.findall(r"^(Q\d\d) is better by at least 3 σ in (.*)\.$", text, re.MULTILINE)
    better = {name: qid for qid, names in said for name in re.split(", | and ", names)}
    rows = re.findall(r"\| ([\w *]+) \| ([\d.]+) ± ([\d.]+) \S+ \(.*?\) \| ([\d.]+) ± ([\d.]+) \S+ \(", text)
    assert len(rows) > 5
    for name, *numbers in rows:
        a, a_error, b, b_error = map(float, numbers)
        z = (a - b) / math.hypot(a_error, b_error)
        if name.startswith(("T1", "T2")) or name.endswith("Fidelity"):
            of = "" if abs(z) < 3 else "Q09" if z > 0 else "Q42"
            assert abs(abs(z) - 3) < 0.3 or better.get(name, "") == of
        elif name != "Qubit Anharmonicity":
            assert name not in better
    alone = answered(faulty, Asked.COMPARE, metrics=("qubit_frequency",), qids=("9", "42")).text
    assert "better" not in alone  # of frequencies neither can be


def test_one_value_of_several_is_told_as_one_and_equal_values_are_not(faulty: Chip) -> None:
    lengths = current(faulty, "hpi_length")
    same = [qid for qid in lengths if lengths[qid] == lengths["0"]][:2]
    text = answered(faulty, Asked.VALUES, metrics=("hpi_length",), qids=tuple(same)).text
    assert len(same) == 2
    assert "wherever it has a value.**" in text
    dead = next(str(qid) for qid in range(64) if str(qid) not in current(faulty, "t1"))
    text = answered(faulty, Asked.VALUES, metrics=("t1",), qids=("0", dead)).text
    assert "**T1 of Q00: " in text
    assert "No other value is usable." in text


def test_a_read_that_failed_is_told_and_nothing_is_good(faulty: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where curves could not be judged, "what should I recalibrate?" named fewer, and did not say so."""

    def broken(*_: Any, **__: Any) -> None:
        raise ImportError("partially initialized module")

    query = Query(Asked.VERDICT, qids=("0",), metrics=("t1",))
    assert "Incomplete" not in answer_to(faulty, query).text
    monkeypatch.setattr(result_curves, "ResultQuery", broken)
    answer = answer_to(faulty, query)
    assert "**Incomplete**: `get_result_curves` failed." in answer.text
    assert answer.answer.assessment != "good"


def first_row(row: dict[str, Any], counts: dict[str, dict[str, int]]) -> Rows:
    """The rows of a long table of which a cell tells one."""
    total = sum(next(iter(counts.values())).values())
    table = {"rows": total, "columns": [*row], "records": [[*row.values()]], "counts": counts}
    return Rows(CallOutcome({"result": table}))


def told_of(row: Row, ask: Ask, *rows: Rows) -> Told:
    """What these rows come to."""
    telling = row.told(ask)
    assert not isinstance(telling, Told)
    next(telling)
    with pytest.raises(StopIteration) as end:
        telling.send([*rows])
    told: Told = end.value.value
    return told


def said(told: Told) -> str:
    return " ".join(map(str, (*(told.head if isinstance(told.head, tuple) else (told.head,)), *told.after)))


def test_who_is_in_no_row_that_is_told_is_counted() -> None:
    """Of 1,024 qubits a cell tells a hundred rows."""
    fell = {"qid": "7", "verdict": "fell", "before [μs]": 80.0, "now [μs]": 40.0, "change [%]": -50.0, "sigmas": 9.0}
    rows = first_row(fell, {"verdict": {"fell": 3, "too few": 49, "unclear": 58, "not measured": 32, "stable": 882}})
    ask = Ask(Query(Asked.CHANGE, metrics=("t1",), direction="down"), "en", MetricTable(), NOW, codes=["data"])
    text = said(told_of(change, ask, rows))
    assert "T1 of 3 qubits fell" in text
    assert "Q07 and 2 more" in text
    assert "to compare: 49 qubits." in text
    assert "to see a change: 58 qubits." in text
    assert change.closing is not None
    assert "No usable values in this time range: 32 qubits." in said(change.closing(ask, [(ask, rows)]))


def test_so_are_findings_of_the_chip() -> None:
    names = ("qid", "severity", "finding", "parameter", "value", "limit", "since")
    row = dict(zip(names, ("7", "bad", "no results", "", "", "", ""), strict=True))
    found = first_row(row, {"severity": {"bad": 40, "warning": 80, "note": 30}})
    asked = Ask(Query(Asked.HEALTH), "en", MetricTable(), NOW)
    read = replace(asked, outcomes=[CallOutcome({"num_qubits": 1024})], calls=[planned(SUMMARY)], codes=["data"])
    told = told_of(health, read, found, first_row({"measured": 0}, {"metric": {"T1": 1}}))
    assert said(told).startswith("**120 findings need attention, the most serious on Q07.**")
    assert told.left_out == 119


def test_flags_that_were_not_told_are_counted() -> None:
    told = CallOutcome({"flagged": {"2 t1": "impossible: -3 μs"}, "_more": {"flagged": 17}})
    ask = Ask(Query(Asked.AGE, metrics=("t1",)), "en", MetricTable(), NOW)
    assert flag_words([told], ask).endswith("\n- and 17 more")
    of_one = replace(ask, query=replace(ask.query, qids=("2",)))
    assert "more" not in flag_words([told], of_one), "they may be of others"


def test_not_measured_is_of_the_qubits_that_are_named(faulty: Chip) -> None:
    dead, stale = faulty.made.truth.dead[0], faulty.made.truth.stale[0]
    asked = answered(faulty, Asked.UNMEASURED, qids=(dead, stale, "0"))
    assert ids_in(asked.text) == {dead, stale}


def test_couplings_of_a_mux_are_those_of_its_qubits(faulty: Chip) -> None:
    asked = answered(faulty, Asked.AGE, metrics=("zx90_gate_fidelity",), places=(("mux", 3),), kind="coupling")
    couplings = {qid for qid in ids_in(asked.text) if "-" in qid}
    assert couplings
    assert all({"12", "13", "14", "15"} & {*qid.split("-")} for qid in couplings)


def test_a_cool_down_that_nobody_knows_is_refused(faulty: Chip) -> None:
    for asked in (Asked.HISTOGRAM, Asked.TELEGRAPH, Asked.HISTORY):
        found = answered(faulty, asked, metrics=("t1",), cooldown=True)
        assert found.text == "The current cool-down isn't known. Name a time range."
        assert found.turn.tool_results == ()


def test_a_change_by_an_amount_is_of_what_has_its_unit(faulty: Chip) -> None:
    asked = answered(faulty, Asked.CHANGE, direction="down", by=Amount(20, "us"))
    assert "at least 20 μs" in asked.text
    assert asked.named <= {*faulty.made.truth.t1_falling}
    assert "Readout" not in asked.text


def test_all_qubits_of_a_mux_are_compared_where_one_by_one_is_too_much(faulty: Chip) -> None:
    asked = answered(faulty, Asked.VALUES, places=(("mux", 3),))
    assert asked.text.startswith("**Current values of Q12, Q13, Q14 and Q15**")


def test_what_a_row_does_not_heed_is_not_answered() -> None:
    assert can_answer(Query(Asked.HISTORY, metrics=("t1",)))
    assert not can_answer(Query(Asked.HISTORY, metrics=("t1",), statistic="mean"))
    below, above = Condition("t1", below=Amount(40, "μs")), Condition("t2_echo", above=Amount(40, "μs"))
    assert can_answer(Query(Asked.SELECT, conditions=(below,), ever=True))
    assert not can_answer(Query(Asked.SELECT, conditions=(below, above), ever=True)), "lowest of one, highest of other"


def test_a_whole_order_has_all_values(faulty: Chip) -> None:
    t1 = {int(qid): value for qid, value in current(faulty, "t1").items()}
    text = answered(faulty, Asked.SELECT, metrics=("t1",), order="highest", every=True).text
    told = [int(qid) for qid in re.findall(r"^\| Q(\d+) \|", text, re.MULTILINE)]
    assert told == sorted(t1, key=lambda qid: -t1[qid])
    assert "the cell has all of them" not in text
    assert f"and {len(t1) - 5} more" in text


def test_an_order_of_those_that_meet_a_condition_is_by_what_it_names(faulty: Chip) -> None:
    """Not by the parameter of the condition."""
    t1, readout = current(faulty, "t1"), current(faulty, "average_readout_fidelity")
    meets = sorted((readout[qid], qid) for qid, value in t1.items() if value < 60 and qid in readout)
    condition = (Condition("t1", below=Amount(60, "μs")),)
    answer = answered(
        faulty, Asked.SELECT, metrics=("average_readout_fidelity",), conditions=condition, order="worst", count=3
    )
    told = re.findall(r"^\| Q(\d+) \|", answer.text, re.MULTILINE)
    assert [int(qid) for qid in told] == [int(qid) for _, qid in meets[:3]]
    assert f"among {len(meets)} qubits with T1 below 60 μs" in answer.text


def test_a_ranking_gives_the_stored_errors(faulty: Chip) -> None:
    ranking = answered(faulty, Asked.SELECT, metrics=("t2_echo",), order="worst", count=10)
    assert len(re.findall(r"\d ± \d+\.\d μs \|", ranking.text)) == 10
    errors = answered(faulty, Asked.SELECT, metrics=("average_readout_fidelity",), order="worst", errors=True)
    assert len(re.findall(r"\d ± 0\.\d+ % \|", errors.text)) == 5


def test_failed_results_name_task_and_status_once(faulty: Chip) -> None:
    for day, counted in (
        (23, "18 (Q14, Q46, Q02, Q30, Q01, Q34)"),
        (1, "68 (Q14, Q46, Q02, Q30, Q01, Q34 and 4 more)"),
    ):
        window = Window(datetime(2026, 6, day, tzinfo=UTC))
        text = answered(faulty, Asked.RESULTS, status="failed", window=window).text
        assert f"| CheckT1 | no contrast between the states | {counted} |" in text


def test_results_of_a_parameter_are_those_of_its_task(faulty: Chip) -> None:
    assert not can_answer(Query(Asked.TRUST, metrics=("t1",), task="CheckRamsey"))
    assert not can_answer(Query(Asked.RESULTS, metrics=("anharmonicity",))), "no task that we know measures it"
    asked = answered(faulty, Asked.RESULTS, metrics=("t1", "t2_echo"), qids=("7",), count=1)
    assert "CheckT1 on Q07" in asked.text
    assert "CheckT2Echo on Q07" in asked.text


def test_outliers_are_those_of_the_method(faulty: Chip) -> None:
    """Of the chip's current values; of one qubit those of its measurements. What people excluded is something else."""
    [given] = queries("Which readout fidelity values are outliers?", NOW)
    wild = {*outliers(pd.Series(current(faulty, "average_readout_fidelity")))["qid"]}
    assert wild
    assert answer_to(faulty, given).named == wild
    [given] = queries("Q12のT1の外れ値", NOW)
    assert 'outliers(copilot.data["t1"])' in answer_to(faulty, given).codes[0]
    [given] = queries("were any outliers excluded?", NOW)
    assert given.asked is Asked.EXCLUDED


@pytest.mark.parametrize("qids", [("8",), ("8", "9")])
def test_errors_of_elements_are_their_newest_values(faulty: Chip, qids: tuple[str, ...]) -> None:
    """Not their trend; and the cell computes what the answer says."""
    readout = "average_readout_fidelity"
    fidelities = current(faulty, readout)
    asked = answered(faulty, Asked.VALUES, metrics=(readout,), qids=qids, errors=True)
    for qid in qids:
        assert f"{100 * (1 - fidelities[qid]):.2f} ± " in asked.text
    assert all("1 - current" in code for code in asked.codes)
    assert "in the last 60 days" not in asked.text
