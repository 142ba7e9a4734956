"""What operations answer to queries, against what the documents of the demo chip say."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from demo_chip.generator import make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations import ROWS, Ask, can_answer, plan_of
from qdash_jupyter.llm.offline.phrases import window_words
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.llm.offline import tool_questions as truth
from tests.llm.offline.asking import NOW, drawn
from tests.llm.offline.given_query import answer_to, answered
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ids_in

LANGUAGES = pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.long)])
T1, READOUT, ZX90 = "t1", "average_readout_fidelity", "zx90_gate_fidelity"
JUNE_10_TO_20: dict[str, Any] = {"window": Window(datetime(2026, 6, 10, tzinfo=UTC), datetime(2026, 6, 21, tzinfo=UTC))}


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def current(chip: Chip, parameter: str) -> dict[str, float]:
    """Current values that are no failed fit; in place of an excluded one, the newest measurement that counts."""
    values = {row["qid"]: row["data"].get(parameter, {}).get("value") for row in chip.made.documents["qubit"]}
    for qid in chip.made.truth.excluded_now:
        values[qid] = measured(chip, parameter)[qid][-1][1]
    return {qid: value for qid, value in values.items() if value}


def measured(
    chip: Chip, parameter: str, window: Window | None = None
) -> dict[str, list[tuple[datetime, float, float]]]:
    """Time, value and error of each measurement that counts, by element, oldest first."""
    found = defaultdict(list)
    for row in chip.made.documents["task_result_history"]:
        output = row["output_parameters"].get(parameter)
        if output and output["value"] and row["status"] == "completed" and not row["excluded"]:
            at = row["start_at"]
            if window is None or ((window.since or at) <= at and (window.until is None or at < window.until)):
                found[row["qid"]].append((at, output["value"], output["error"]))
    return {qid: sorted(rows) for qid, rows in found.items()}


def medians(chip: Chip, parameter: str, window: Window) -> dict[str, float]:
    return {qid: median(value for _, value, _ in rows) for qid, rows in measured(chip, parameter, window).items()}


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]


def charts(asked: AnsweredQuestion) -> list[str]:
    return [chart.title for chart in asked.answer.charts]


# --- what is heeded -------------------------------------------------------------------------------------------------


def test_every_kind_has_rows_which_heed_fields_that_there_are() -> None:
    known = {field.name for field in fields(Query)}
    assert set(ROWS) == set(Asked)
    assert all(row.heeds <= known for rows in ROWS.values() for row in rows)


# --- which elements -------------------------------------------------------------------------------------------------


def below(metric: str, value: float, unit: str, **how: Any) -> Condition:
    return Condition(metric, below=Amount(value, unit), **how)


def above(metric: str, value: float, unit: str, **how: Any) -> Condition:
    return Condition(metric, above=Amount(value, unit), **how)


@LANGUAGES
@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({"conditions": (below(T1, 60, "us"), below(READOUT, 97, "%"))}, lambda t1, ro: t1 < 60 and ro < 0.97),
        (
            {"conditions": (below(T1, 40, "us"), below(READOUT, 95.5, "%")), "any_of": True},
            lambda t1, ro: t1 < 40 or ro < 0.955,
        ),
        (
            {
                "conditions": (
                    Condition(T1, above=Amount(50, "μs"), below=Amount(0.06, "ms")),
                    below(READOUT, 1.0, "a.u."),
                )
            },
            lambda t1, ro: 50 < t1 < 60,
        ),
        ({"conditions": (Condition(T1, above=READOUT, factor=100),)}, None),
    ],
)
def test_selected_are_those_that_meet_the_conditions(
    faulty: Chip, language: str, fields: dict[str, Any], fits: Any
) -> None:
    asked = answered(faulty, Asked.SELECT, language=language, **fields)
    if fits is None:
        assert "Give the value in μs" in asked.text or "μsで指定" in asked.text
        return
    t1, readout = current(faulty, T1), current(faulty, READOUT)
    expected = {qid for qid in t1.keys() & readout.keys() if fits(t1[qid], readout[qid])}
    assert expected
    assert ids_in(asked.headlines[0]) == expected
    assert numbers(asked.headlines[0].split("量子ビット")[-1])[0] == len(expected)
    assert len(charts(asked)) == 1


def test_a_metric_against_another(faulty: Chip) -> None:
    t1, echo = current(faulty, T1), current(faulty, "t2_echo")
    asked = answered(faulty, Asked.SELECT, conditions=(Condition("t2_echo", above=T1, factor=1.3),))
    assert ids_in(asked.headlines[0]) == {qid for qid in t1.keys() & echo.keys() if echo[qid] > 1.3 * t1[qid]}
    assert charts(asked)[0].startswith("T2 Echo and T1 of all qubits")


def test_a_near_miss_is_listed_as_such_and_ids_are_taken_out(faulty: Chip) -> None:
    t1 = current(faulty, T1)
    low, high = (float(np.quantile(list(t1.values()), part)) for part in (0.25, 0.75))
    near = {qid for qid, value in t1.items() if 50 <= value < 50 + (high - low) / 10}
    asked = answered(faulty, Asked.SELECT, conditions=(below(T1, 50, "μs"),))
    [line] = [line for line in asked.text.splitlines() if line.startswith("Just missed ")]
    assert near
    assert ids_in(line) == near
    out = min(ids_in(asked.headlines[0]))
    without = answered(faulty, Asked.SELECT, conditions=(below(T1, 50, "μs"),), without=(out,))
    assert ids_in(without.headlines[0]) == ids_in(asked.headlines[0]) - {out}


def test_an_order_a_count_and_how_many(faulty: Chip) -> None:
    t1 = current(faulty, T1)
    best = sorted(t1, key=t1.__getitem__, reverse=True)
    asked = answered(faulty, Asked.SELECT, metrics=(T1,), order="highest", count=3, without=(best[0],))
    assert ids_in(asked.headlines[0]) == {*best[1:4]}
    many = answered(faulty, Asked.SELECT, metrics=(T1,), conditions=(above(T1, 30, "us"),), how_many=True)
    count = sum(value > 30 for value in t1.values())
    assert many.headlines[0].startswith(
        f"{count} of 64 qubits ({count / 64:.1%})".replace("%)", " %) have T1 above 30 μs")
    )


def test_a_time_with_an_end(faulty: Chip) -> None:
    levels = medians(faulty, T1, JUNE_10_TO_20["window"])
    asked = answered(faulty, Asked.SELECT, metrics=(T1,), conditions=(below(T1, 45, "us"),), **JUNE_10_TO_20)
    assert ids_in(asked.headlines[0]) == {qid for qid, value in levels.items() if value < 45}
    assert "from 2026-06-10 to 2026-06-20" in asked.headlines[0]


def test_the_least_stable_are_those_with_the_largest_deviation(faulty: Chip) -> None:
    rows = measured(faulty, "qubit_frequency", days_before(faulty, 30)["window"])
    deviations = {qid: np.std([value for _, value, _ in of], ddof=1) for qid, of in rows.items() if len(of) > 1}
    asked = answered(
        faulty,
        Asked.STABILITY,
        metrics=("qubit_frequency",),
        order="worst",
        count=3,
        window=days_before(faulty, 30)["window"],
    )
    largest = sorted(deviations, key=deviations.__getitem__, reverse=True)[:3]
    assert ids_in(asked.headlines[0]) == {*largest}
    assert f"| {deviations[largest[0]] * 1e6:.1f}" in asked.text


def test_couplings_of_a_qubit_in_either_direction(faulty: Chip) -> None:
    newest = {qid: rows[-1][1] for qid, rows in measured(faulty, ZX90).items() if "36" in qid.split("-")}
    asked = answered(faulty, Asked.SELECT, kind="coupling", qids=("36",), order="lowest", count=1)
    assert ids_in(asked.headlines[0]) == {min(newest, key=newest.__getitem__)}
    there, back = (answered(faulty, Asked.COMPARE, qids=(qid,), kind="coupling").text for qid in ("36-38", "38-36"))
    assert there.split("\n")[2:] == back.split("\n")[2:]
    assert "Q36-Q38" in there


# --- how values are spread ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("statistic", "of"), [("mean", mean), ("median", median), ("highest", max)])
def test_a_statistic_is_the_one_that_was_asked_for(faulty: Chip, statistic: str, of: Any) -> None:
    asked = answered(faulty, Asked.STATISTIC, metrics=(T1,), statistic=statistic)
    values = current(faulty, T1)
    assert f"{len(values)} qubits: {of(values.values()):.1f} μs" in asked.headlines[0]
    assert charts(asked) == ["T1 of qubits"]


def test_the_mean_of_one_qubit_is_over_its_measurements(faulty: Chip) -> None:
    values = [value for _, value, _ in measured(faulty, T1, JUNE_10_TO_20["window"])["7"]]
    asked = answered(faulty, Asked.STATISTIC, metrics=(T1,), statistic="mean", qids=("7",), **JUNE_10_TO_20)
    assert f"Mean T1 of Q07 from 2026-06-10 to 2026-06-20: {mean(values):.1f} μs" in asked.headlines[0]


@pytest.mark.parametrize("other", ["t2_echo", READOUT])
def test_a_relation_is_that_of_ranks(faulty: Chip, other: str) -> None:
    x, y = current(faulty, T1), current(faulty, other)
    both = sorted(x.keys() & y.keys())
    ranks = [np.argsort(np.argsort([values[qid] for qid in both])) for values in (x, y)]
    spearman = np.corrcoef(*ranks)[0, 1]
    asked = answered(faulty, Asked.RELATION, metrics=(T1, other))
    assert f"correlation {spearman:.2f} " in asked.text
    assert ("rise together" in asked.headlines[0]) == (other == "t2_echo")
    assert len(charts(asked)) == 1


# --- changes --------------------------------------------------------------------------------------------------------


def days_before(chip: Chip, days: float, later: float = 0) -> dict[str, Any]:
    now = chip.made.as_of + timedelta(days=later)
    return {"window": Window(now - timedelta(days=days), days=days), "now": now}


@pytest.mark.long
def test_lost_are_the_planted_and_false_alarms_are_counted(faulty: Chip) -> None:
    lost = {*faulty.made.truth.t1_falling}
    asked = answered(faulty, Asked.CHANGE, metrics=(T1,), direction="down", **days_before(faulty, 30))
    assert ids_in(asked.headlines[0]) == lost
    assert "Expected false alarms: 0.06 of 59." in asked.text
    others = answered(faulty, Asked.CHANGE, metrics=(T1,), direction="down", without=("42",))
    assert ids_in(others.headlines[0]) == lost - {"42"}


def test_a_change_may_be_asked_for_on_the_scale_of_the_values(faulty: Chip) -> None:
    asked = answered(faulty, Asked.CHANGE, metrics=(T1,), direction="down", by=Amount(35, "us"))
    assert ids_in(asked.headlines[0]) < {*faulty.made.truth.t1_falling}
    assert "at least 35 μs" in asked.text


def test_errors_rise_where_fidelities_fall(faulty: Chip) -> None:
    falls, rises = (
        answered(faulty, Asked.CHANGE, metrics=("x90_gate_fidelity",), direction=direction, errors=errors)
        for direction, errors in (("down", False), ("up", True))
    )
    assert ids_in(falls.headlines[0]) == ids_in(rises.headlines[0])
    assert "X90 Gate Error" in rises.headlines[0]


def test_where_most_cannot_be_told_there_is_no_verdict(faulty: Chip) -> None:
    asked = answered(faulty, Asked.CHANGE, metrics=("anharmonicity",), direction="down", **days_before(faulty, 8))
    assert asked.headlines[0].startswith("Not enough measurements to compare in the last 8 days: Qubit Anharmonicity")
    assert asked.answer.assessment is None


@pytest.fixture(scope="module")
def late(faulty: Chip, tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """The same data, 60 days later."""
    folder = shutil.copytree(faulty.folder, tmp_path_factory.mktemp("late") / "late")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest |= {"as_of": (faulty.made.as_of + timedelta(days=60)).isoformat(), "is_demo": False}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return Chip(folder, faulty.made)


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.long)])
def test_data_older_than_the_window_are_told_so_first(late: Chip, language: str) -> None:
    asked = answered(
        late,
        Asked.CHANGE,
        metrics=(T1,),
        direction="down",
        language=language,
        **days_before(late, 30, later=60),
    )
    newest = max(rows[-1][0] for rows in measured(late, T1).values())
    assert f"{newest:%Y-%m-%dT%H:%M}" in asked.headlines[0]
    assert ids_in(asked.headlines[1]) == {*late.made.truth.t1_falling}
    assert f"{newest - timedelta(days=30):%Y-%m-%d}" in asked.headlines[1]


# --- over time ------------------------------------------------------------------------------------------------------


def test_two_windows_are_told_by_their_medians(faulty: Chip) -> None:
    first, second = Window(day("2026-06-24"), day("2026-06-30")), Window(day("2026-05-01"), day("2026-06-01"))
    of_two, of_one = (
        answered(faulty, Asked.WINDOWS, metrics=(T1,), qids=qids, window=first, against=second)
        for qids in (("42", "7"), ("42",))
    )
    [cells] = [line.split(" | ") for line in of_two.text.splitlines() if line.startswith("| Q42")]
    assert cells[1:3] == [f"{medians(faulty, T1, window)['42']:.1f} μs" for window in (second, first)]
    assert re.fullmatch(r"−5\d ± \d+ %", cells[3]), "the change with its uncertainty, as in the table of changes"
    assert cells[4].startswith("fell −5")
    assert "since about 2026-06-2" in cells[4]
    assert f": {cells[1]} in May 2026, {cells[2]} from 2026-06-24 to " in of_one.headlines[0]
    assert of_one.headlines[0].endswith(f" ({cells[3]}): {cells[4].removesuffix(' |')}.")


def test_a_line_is_fitted_with_its_error(faulty: Chip) -> None:
    rows = measured(faulty, T1, JUNE_10_TO_20["window"])["7"]
    days = [(at - rows[0][0]) / timedelta(days=1) for at, _, _ in rows]
    slope = np.polyfit(days, [value for _, value, _ in rows], 1, w=[1 / error for _, _, error in rows])[0]
    asked = answered(faulty, Asked.FIT, metrics=(T1,), qids=("7",), fit="line", **JUNE_10_TO_20)
    [told] = [line for line in asked.text.splitlines() if line.startswith("| Q07")]
    assert numbers(told.split(" | ")[3])[0] == pytest.approx(slope, rel=1e-3)


def test_unmeasured_are_counted_over_all_rows_and_named_by_the_hundred(tmp_path: Path) -> None:
    made = make_demo(seed=5, size=144, days=2, faults=False)
    kept = {str(number) for number in range(10)}
    documents = dict(made.documents)
    documents["task_result_history"] = [
        row for row in documents["task_result_history"] if {*row["qid"].split("-")} <= kept
    ]
    documents["qubit"] = [row | {"data": row["data"] if row["qid"] in kept else {}} for row in documents["qubit"]]
    write_snapshot(documents, tmp_path / "chip", as_of=made.as_of, source="for a test")
    asked = answered(Chip(tmp_path / "chip", made), Asked.UNMEASURED, ever=True)
    assert asked.headlines[0].startswith("134 qubits have no values at all: ")
    assert asked.headlines[0].endswith(" and 94 more.")


def test_ever_is_all_that_was_measured(faulty: Chip) -> None:
    """Not the last 30 days."""
    most = {qid: max(value for _, value, _ in those) for qid, those in measured(faulty, T1).items()}
    asked = answered(faulty, Asked.SELECT, metrics=(T1,), kind="qubit", order="highest", ever=True)
    assert ids_in(asked.headlines[0]) == {*sorted(most, key=lambda qid: -most[qid])[:5]}
    assert "so far" in asked.headlines[0]


def test_not_measured_between_two_dates(faulty: Chip) -> None:
    window = Window(day("2026-06-10"), day("2026-06-21"))
    there = measured(faulty, T1, window).keys()
    asked = answered(faulty, Asked.UNMEASURED, metrics=(T1,), window=window)
    assert ids_in(asked.headlines[0]) == {str(number) for number in range(64)} - there
    assert "from 2026-06-10 to 2026-06-20" in asked.headlines[0]


def test_an_unknown_parameter_gets_its_neighbours(faulty: Chip) -> None:
    unknown = Query(Asked.HISTORY, ("t2_ehco",))
    changed, of_all = (
        replace(unknown, asked=Asked.CHANGE, direction="down"),
        replace(unknown, asked=Asked.STATISTIC, statistic="mean"),
    )
    for query in (unknown, changed, of_all):
        assert "Did you mean t2_echo" in answer_to(faulty, query).text


# --- what reads alone answer ----------------------------------------------------------------------------------------


@LANGUAGES
@pytest.mark.parametrize(
    ("asked", "fields", "holds"),
    [
        (Asked.VALUES, {"qids": ("7",)}, truth.q7_values),
        (Asked.VALUES, {"qids": ("11",), "metrics": ("average_readout_fidelity",)}, truth.q11_readout),
        (Asked.VALUES, {"qids": ("5",), "kind": "coupling"}, truth.couplings_of_q5),
        (Asked.VALUES, {"qids": ("4-1",), "kind": "coupling"}, truth.coupling_4_1),
        (Asked.MEASUREMENTS, {"qids": ("7",), "metrics": ("t1",), "count": 5}, truth.newest_t1(5)),
        (Asked.RESULTS, {"qids": ("7",), "task": "CheckT1", "count": 1}, truth.newest_t1(1)),
        (Asked.RESULTS, {"qids": ("7",), "task": "CheckT1", "count": 10}, truth.newest_t1(8)),
        (Asked.RESULTS, {"run": "20260620-000"}, None),
        (Asked.RUNS, {"count": 5}, truth.newest_runs(5)),
        (Asked.RUNS, {"window": Window(day("2026-06-01"), day("2026-06-04"))}, truth.runs_of_three_days),
        (Asked.MACHINE_STATE, {"qids": ("7",)}, truth.pulses_of_q7),
        (Asked.NOTES, {"qids": ("8",)}, truth.notes_of_q8),
        (Asked.VERSIONS, {"metrics": ("t1",), "qids": ("7",)}, truth.t1_versions),
        (Asked.NEIGHBOURS, {"qids": ("5",)}, truth.neighbours_of_q5),
        (Asked.MAP, {"metrics": ("average_readout_fidelity",)}, truth.median_readout),
    ],
)
def test_a_read_is_told(faulty: Chip, language: str, asked: Asked, fields: dict[str, Any], holds: Any) -> None:
    text = answered(faulty, asked, language=language, **fields).text.replace("：", ": ").replace("（", " (")
    expected = (holds or truth.of_a_run)(faulty.made)
    if language == "ja":
        expected = [re.sub(r"(\d+) (?:of 64|measurements|completed|failed)$", r"\1", words) for words in expected]
    assert [words for words in expected if words not in text] == []


def test_origin_in_english(faulty: Chip) -> None:
    text = answered(faulty, Asked.ORIGIN, metrics=("t1",), qids=("7",)).text
    assert [words for words in truth.t1_origin(faulty.made) if words not in text] == []


def test_each_of_several_elements_and_parameters_is_read(faulty: Chip) -> None:
    asked = answered(faulty, Asked.RESULTS, qids=("7", "8", "999"), task="CheckT1", count=1)
    assert "result of CheckT1 on Q07" in asked.text
    assert "result of CheckT1 on Q08" in asked.text
    assert "no qubit 'Q999'" in asked.text
    assert not can_answer(Query(Asked.VERSIONS, metrics=("t1", "t2_echo"), qids=tuple(map(str, range(20)))))


def test_how_many_failed_is_counted_over_all(faulty: Chip) -> None:
    failed = truth.results(faulty.made, status="failed")
    asked = answered(faulty, Asked.RESULTS, status="failed", how_many=True)
    assert asked.headlines[0].startswith(f"{len(failed):,} failed results so far.")


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "english", "japanese"),
    [
        (Window(day("2026-05-31T06:00"), days=30), "in the last 30 days", "過去30日間"),
        (Window(day("2026-06-29T18:00"), days=0.5), "in the last 12 hours", "過去12時間"),
        (Window(day("2026-06-29T06:00"), days=1), "in the last day", "過去1日間"),
        (Window(day("2026-06-15")), "since 2026-06-15", "2026-06-15以降"),
        (Window(day("2026-06-15T14:30")), "since 2026-06-15T14:30", "2026-06-15T14:30以降"),
        (Window(day("2026-06-10"), day("2026-06-21")), "from 2026-06-10 to 2026-06-20", "2026-06-10から2026-06-20まで"),
        (Window(day("2026-06-10"), day("2026-06-11")), "on 2026-06-10", "2026-06-10"),
        (Window(day("2026-06-01"), day("2026-07-01")), "in June 2026", "2026年6月"),
        (Window(day("2026-12-01"), day("2027-01-01")), "in December 2026", "2026年12月"),
        (Window(until=day("2026-06-10")), "before 2026-06-10", "2026-06-10より前"),
        (Window(day("2026-06-10"), day("2026-06-10T12:00")), "from 2026-06-10 to 2026-06-10T12:00", None),
    ],
)
def test_windows_in_words(window: Window, english: str, japanese: str | None) -> None:
    assert window_words(window).of("en") == english
    assert japanese is None or window_words(window).of("ja") == japanese


def test_no_query_calls_a_tool_with_what_it_does_not_take() -> None:
    """The first calls of each plan: what comes after them depends on what they give."""
    tools = {tool.name: tool.args for tool in BUILTIN_TOOLS}
    for query in drawn(Random(11), 40):  # noqa: S311 - no secret
        asked = Ask(query, "en", MetricTable(), NOW, cooldown=NOW - timedelta(days=40))
        for call in next(plan_of(asked, "What is asked?")):
            if call.tool in tools:
                tools[call.tool].model_validate(call.arguments)
                assert call.arguments.keys() <= tools[call.tool].model_fields.keys(), query
