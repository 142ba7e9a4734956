"""The demo chip: QDash's document shapes, and planted faults that can be found in the documents."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from demo_chip import AS_OF, DemoChip, generator, make_demo, schedule
from demo_chip.chip import make_qubits
from demo_chip.faults import Faults, deal_faults
from demo_chip.truth import Truth, truth_of

from qdash_jupyter.domain.topology import square_lattice
from tests.data.conformance.documents import qdash_sample

SEEDS = range(20)
WRITTEN = qdash_sample()
"""What QDash itself wrote: the shapes that the demo's documents have."""


def of_history(collection: str) -> set[str]:
    """Fields of a collection's history, which the sample lacks."""
    return set(WRITTEN[collection][0]) - {"note", "metric_notes"} | {"cooldown_id", "recorded_date"}


KEYS = {name: set(rows[0]) for name, rows in WRITTEN.items() if name not in {"issue_knowledge", "metric_note"}} | {
    "project_membership": {
        *("_id", "project_id", "user_id", "username", "role", "status", "invited_by_user_id", "invited_by"),
        *("last_accessed_at", "system_info"),
    },
    "chip_history": set(WRITTEN["chip"][0]) - {"current_cooldown_id", "activity_status", "note"} | {"recorded_date"},
    "qubit_history": of_history("qubit"),
    "coupling_history": of_history("coupling"),
    "calibration_note": {*WRITTEN["calibration_note"][0], "system_info"},
}


def types_of(documents: Iterable[dict[str, Any]]) -> dict[str, set[type]]:
    found: dict[str, set[type]] = {}
    for document in documents:
        for field, value in document.items():
            found.setdefault(field, set()).add(type(value))
    return found


@pytest.fixture(scope="module")
def full() -> DemoChip:
    return make_demo()


@pytest.fixture(scope="module")
def small() -> DemoChip:
    return make_demo(size=16, days=60)


@pytest.fixture(scope="module")
def healthy() -> DemoChip:
    return make_demo(size=16, days=60, faults=False)


@pytest.fixture(scope="module", params=[7, 11, 23])
def faulty(request: pytest.FixtureRequest) -> DemoChip:
    return make_demo(seed=request.param, size=16, days=60)


def truth_for(seed: int, *, faults: bool, days: int = 90) -> Truth:
    """The truth without the documents: enough for properties over many seeds."""
    topology = square_lattice(64)
    planted = deal_faults(seed, topology) if faults else Faults()
    return truth_of(planted, make_qubits(seed, topology, planted, days + 2), {}, days)


def results(chip: DemoChip) -> list[dict[str, Any]]:
    return chip.documents["task_result_history"]


def series(chip: DemoChip, qid: str, parameter: str) -> list[tuple[float, float]]:
    """(age in days, value) of counting results, oldest first, straight from the documents."""
    return [
        ((chip.as_of - row["start_at"]) / timedelta(days=1), row["output_parameters"][parameter]["value"])
        for row in results(chip)
        if row["qid"] == qid and not row["excluded"] and parameter in row["output_parameters"]
    ]


def median(chip: DemoChip, qid: str, parameter: str, newest: float = 0, oldest: float = 999) -> float:
    return statistics.median(v for age, v in series(chip, qid, parameter) if newest <= age < oldest and v)


def current(chip: DemoChip, kind: str, qid: str) -> dict[str, Any]:
    return next(document["data"] for document in chip.documents[kind] if document["qid"] == qid)


def datetimes(value: Any) -> list[datetime]:
    if isinstance(value, datetime):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [found for part in parts for found in datetimes(part)]


def mutable_ids(value: Any) -> list[int]:
    if not isinstance(value, dict | list):
        return []
    parts = value.values() if isinstance(value, dict) else value
    return [id(value), *(found for part in parts for found in mutable_ids(part))]


# --- the same chip again -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_same_arguments_give_equal_documents(small: DemoChip) -> None:
    assert make_demo(size=16, days=60) == small


def test_another_seed_gives_another_chip(small: DemoChip) -> None:
    other = make_demo(seed=8, size=16, days=60)
    assert other.truth != small.truth
    assert not {row["task_id"] for row in results(other)} & {row["task_id"] for row in results(small)}


def test_same_documents_whatever_the_hash_seed_and_zone_of_the_process(small: DemoChip) -> None:
    code = (
        "from demo_chip import make_demo; from hashlib import sha256;"
        "print(sha256(repr(make_demo(size=16, days=60)).encode()).hexdigest())"
    )
    path = {"PYTHONPATH": str(Path(generator.__file__).parents[1])}
    environments = (
        path | {"PYTHONHASHSEED": "1", "TZ": "UTC"},
        path | {"PYTHONHASHSEED": "2", "TZ": "America/New_York"},
    )
    printed = {
        subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True).stdout
        for env in environments
    }
    assert len(printed) == 1


def test_fewer_faults_leave_the_others_alone(small: DemoChip, healthy: DemoChip) -> None:
    planted = {qid for ids in small.truth.by_name().values() for qid in ids}
    untouched = [qid for qid in small.truth.t1_now if qid not in planted]
    assert untouched
    for qid in untouched:
        assert small.truth.t1_history[qid] == healthy.truth.t1_history[qid]


def test_what_is_measured_late_leaves_the_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    late, usual = schedule.LATE_TASKS.keys(), schedule.QUBIT_TASKS
    every = results(make_demo(size=16, days=20))
    monkeypatch.setattr(schedule, "QUBIT_TASKS", {task: days for task, days in usual.items() if task not in late})
    assert {row["name"] for row in every} >= late
    assert results(make_demo(size=16, days=20)) == [row for row in every if row["name"] not in late]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"size": 10}, "square lattice"),
        ({"size": 4}, "at least 16 qubits"),
        ({"days": 0}, "at least one day"),
        ({"as_of": datetime(2026, 6, 30)}, "time zone"),  # noqa: DTZ001
    ],
)
def test_impossible_chips_are_refused(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make_demo(**arguments)


@pytest.mark.parametrize("days", [1, 5, 20, 45])
def test_a_short_chip_has_the_same_truth_and_fewer_measurements(small: DemoChip, days: int) -> None:
    short = make_demo(size=16, days=days)
    assert short.truth == small.truth
    assert 0 < len(results(short)) < len(results(small))
    assert all(small.as_of - row["start_at"] <= timedelta(days=days) for row in results(short))
    assert all(document["data"] == {} for document in short.documents["qubit"] if document["qid"] in short.truth.dead)


# --- shapes --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_collections_and_counts(full: DemoChip) -> None:
    counts = {name: len(documents) for name, documents in full.documents.items()}
    assert set(counts) == set(KEYS)
    assert 18_000 <= counts["task_result_history"] <= 23_000
    assert counts["qubit"] == 64
    assert counts["coupling"] == 2 * 112
    assert counts["project"] == counts["project_membership"] == counts["chip"] == counts["cooldown"] == 1
    assert 90 <= counts["execution_history"] <= 181
    assert counts["calibration_note"] == 3
    assert counts["target_note"] == 6
    assert (full.chip_id, full.project_id, full.as_of) == ("64Q-demo", "demo", AS_OF)


def test_every_document_has_exactly_qdashs_fields(small: DemoChip) -> None:
    for collection, documents in small.documents.items():
        assert documents
        for document in documents:
            assert set(document) == KEYS[collection], collection
            assert re.fullmatch(r"[0-9a-f]{24}", document["_id"])
            assert document["project_id"] == "demo"


def test_ids_are_unique(full: DemoChip) -> None:
    every = [document["_id"] for documents in full.documents.values() for document in documents]
    assert len(set(every)) == len(every)
    task_ids = [row["task_id"] for row in results(full)]
    assert len(set(task_ids)) == len(task_ids)
    assert all(
        re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", t) for t in task_ids
    )
    executions = [row["execution_id"] for row in full.documents["execution_history"]]
    assert len(set(executions)) == len(executions)
    assert {row["execution_id"] for row in results(full)} == set(executions)


def test_parameter_records(small: DemoChip) -> None:
    kinds = types_of(one for row in WRITTEN["task_result_history"] for one in row["output_parameters"].values())
    holders = [row["output_parameters"] for row in results(small)] + [row["input_parameters"] for row in results(small)]
    holders += [document["data"] for kind in ("qubit", "coupling") for document in small.documents[kind]]
    units = dict.fromkeys(("t1", "t2_echo", "t2_star"), "μs") | dict.fromkeys(
        ("qubit_frequency", "anharmonicity"), "GHz"
    )
    units |= {"ramsey_frequency": "MHz", "hpi_length": "ns", "average_readout_fidelity": "a.u."}
    for records in holders:
        for name, record in records.items():
            assert list(record) == list(kinds)
            assert all(type(record[key]) in kind for key, kind in kinds.items())
            assert record["parameter_name"] == name
            assert record["unit"] == units.get(name, record["unit"])
            assert record["unit"]
            assert record["value_type"] == type(record["value"]).__name__
            assert record["error"] >= 0
            assert re.fullmatch(r"\d{8}-\d{3}", record["execution_id"])


def test_results_have_the_right_types(small: DemoChip) -> None:
    kinds = types_of(WRITTEN["task_result_history"])
    kinds["excluded_by_user_id"].add(str)
    for row in results(small):
        assert all(type(row[key]) in kind for key, kind in kinds.items())
        assert row["status"] in {"completed", "failed"}
        assert row["task_type"] == ("coupling" if "-" in row["qid"] else "qubit")
        assert row["output_parameter_names"] == list(row["output_parameters"])
        assert bool(row["output_parameters"]) == (row["status"] == "completed")
        assert bool(row["stack_trace"]) == (row["status"] == "failed")
        assert (row["end_at"] - row["start_at"]).total_seconds() == row["elapsed_time"] > 0
        for record in row["output_parameters"].values():
            assert (record["task_id"], record["execution_id"]) == (row["task_id"], row["execution_id"])
            assert record["calibrated_at"] == row["end_at"]


@pytest.mark.parametrize("as_of", [AS_OF, datetime(2027, 1, 3, 17, 45, 1, 234_567, tzinfo=UTC)])
@pytest.mark.long
def test_all_times_are_utc_milliseconds_before_as_of(as_of: datetime) -> None:
    chip = make_demo(size=16, days=60, as_of=as_of)
    assert chip.as_of <= as_of
    for at in datetimes(list(chip.documents.values())):
        assert at.utcoffset() == timedelta(0)
        assert at.microsecond % 1000 == 0
        assert at < chip.as_of
    assert min(row["start_at"] for row in results(chip)) >= chip.as_of - timedelta(days=60)
    assert max(row["start_at"] for row in results(chip)) > chip.as_of - timedelta(days=1, hours=1)


def test_executions_enclose_their_tasks(full: DemoChip) -> None:
    spans = {row["execution_id"]: (row["start_at"], row["end_at"]) for row in full.documents["execution_history"]}
    for row in results(full):
        begin, end = spans[row["execution_id"]]
        assert begin <= row["start_at"]
        assert row["end_at"] <= end
    for row in full.documents["execution_history"]:
        local = row["start_at"] + timedelta(hours=9)
        assert row["execution_id"].startswith(f"{local:%Y%m%d}-")
        assert row["elapsed_time"] < 3600


def test_results_stand_in_order_of_time_and_an_element_does_one_thing_at_a_time(full: DemoChip) -> None:
    rows = results(full)
    assert all(a["start_at"] <= b["start_at"] for a, b in pairwise(rows))
    ends: dict[str, datetime] = {}
    for row in rows:
        assert ends.get(row["qid"], row["start_at"]) <= row["start_at"]
        ends[row["qid"]] = row["end_at"]


def test_couplings_follow_the_topology(full: DemoChip) -> None:
    edges = {f"{a}-{b}" for a, b in square_lattice(64).couplings}
    back = {"-".join(reversed(edge.split("-"))) for edge in edges}
    assert {document["qid"] for document in full.documents["coupling"]} == edges | back
    filled = {document["qid"] for document in full.documents["coupling"] if document["data"]}
    assert filled == edges - set(full.truth.unmeasured_couplings)
    assert {row["qid"] for row in results(full) if row["task_type"] == "coupling"} == filled
    roles = {r["qid_role"] for row in results(full) if "-" in row["qid"] for r in row["output_parameters"].values()}
    assert roles == {"coupling"}


def test_current_values_are_the_newest_results(small: DemoChip) -> None:
    newest: dict[tuple[str, str], Any] = {}
    for row in results(small):
        for name, record in row["output_parameters"].items():
            newest[row["qid"], name] = record
    held = {
        (document["qid"], name): record
        for kind in ("qubit", "coupling")
        for document in small.documents[kind]
        for name, record in document["data"].items()
    }
    assert held == newest


def test_versions_form_one_line_a_parameter(small: DemoChip) -> None:
    lines: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for version in small.documents["parameter_versions"]:
        assert version["entity_id"] == ":".join(
            (version["parameter_name"], version["qid"], version["execution_id"], version["task_id"])
        )
        lines.setdefault((version["qid"], version["parameter_name"]), []).append(version)
    for (qid, name), line in lines.items():
        assert len(line) <= 3
        assert [v["version"] for v in line] == list(range(line[0]["version"], line[0]["version"] + len(line)))
        assert all(a["valid_until"] == b["valid_from"] for a, b in pairwise(line))
        assert line[-1]["valid_until"] is None
        kind = "coupling" if "-" in qid else "qubit"
        assert line[-1]["value"] == current(small, kind, qid)[name]["value"]


def test_provenance_says_what_the_results_say(small: DemoChip) -> None:
    documents = small.documents
    rows = {row["task_id"]: row for row in results(small)}
    kept = {version["entity_id"]: version for version in documents["parameter_versions"]}
    edges = {edge["relation_id"] for edge in documents["provenance_relations"]}
    expected = set()
    for activity in documents["provenance_activities"]:
        row = rows[activity["task_id"]]
        run = f"{row['execution_id']}:{row['task_id']}"
        assert activity["activity_id"] == run
        assert (activity["task_name"], activity["qid"]) == (row["name"], row["qid"])
        assert (activity["started_at"], activity["ended_at"]) == (row["start_at"], row["end_at"])
        made = {f"{name}:{row['qid']}:{run}" for name in row["output_parameters"]} & kept.keys()
        inputs = row["input_parameters"].items()
        used = {f"{name}:{row['qid']}:{one['execution_id']}:{one['task_id']}" for name, one in inputs} & kept.keys()
        expected |= {f"wasGeneratedBy:{one}:{run}" for one in made} | {f"used:{run}:{one}" for one in used}
        expected |= {f"wasDerivedFrom:{one}:{origin}" for one in made for origin in used}
    assert edges == expected
    assert len(edges) == len(documents["provenance_relations"])
    assert Counter(edge.partition(":")[0] for edge in edges).keys() == {"wasGeneratedBy", "used", "wasDerivedFrom"}
    origins = {edge["source_id"] for edge in documents["provenance_relations"] if edge["source_type"] == "entity"}
    assert {name for name, version in kept.items() if version["valid_until"] is None} <= origins
    reached = {edge["target_id"] for edge in documents["provenance_relations"] if edge["target_type"] == "entity"}
    assert reached <= origins, "what was used was also made by something"


def test_documents_share_nothing_mutable(small: DemoChip) -> None:
    every = mutable_ids(small.documents)
    assert len(set(every)) == len(every)


# --- physics -------------------------------------------------------------------------------------------------------


def test_values_are_plausible(full: DemoChip) -> None:
    odd = {*full.truth.low_readout, *full.truth.low_gate, *full.truth.bad_coupling, *full.truth.t1_falling}
    odd |= {*full.truth.t1_fell_before, *full.truth.t1_dipped, *full.truth.nan_as_zero}
    ranges: dict[str, tuple[float, float]] = {
        "t1": (25, 150),
        "t2_echo": (20, 200),
        "qubit_frequency": (4.2, 5.4),
        "anharmonicity": (-0.33, -0.27),
        "average_readout_fidelity": (0.94, 0.99),
        "average_gate_fidelity": (0.995, 0.9997),
        "x90_gate_fidelity": (0.995, 0.9997),
        "zx90_gate_fidelity": (0.94, 0.99),
        "bell_state_fidelity": (0.9, 0.975),
    }
    for row in results(full):
        if row["qid"] in odd or row["excluded"]:
            continue
        for name, record in row["output_parameters"].items():
            low, high = ranges.get(name, (-1, 300))
            assert low <= record["value"] <= high, (name, record["value"])
    medians = [value for qid, value in full.truth.t1_now.items() if qid not in odd]
    assert 55 < statistics.median(medians) < 85
    assert all(30 < value < 120 for value in medians)


@pytest.mark.long
def test_noise_and_errors_of_t1(full: DemoChip) -> None:
    truth = full.truth
    steady = [qid for qid in truth.t1_now if not any(qid in ids for ids in truth.by_name().values())]
    for qid in steady:
        ratios = [v / truth.t1_history[qid][round(age)] for age, v in series(full, qid, "t1")]
        assert 0.03 < statistics.stdev(ratios) < 0.09
        assert abs(statistics.mean(ratios) - 1) < 0.02
        assert 0.029 < current(full, "qubit", qid)["t1"]["error"] / current(full, "qubit", qid)["t1"]["value"] < 0.051


def test_a_few_tasks_fail(healthy: DemoChip) -> None:
    counts = Counter(row["status"] for row in results(healthy))
    assert 0.02 < counts["failed"] / counts.total() < 0.04


def test_echo_never_beats_twice_t1(full: DemoChip) -> None:
    for qid, t2 in full.truth.t2_echo_now.items():
        assert t2 <= 2 * full.truth.t1_now[qid]


# --- the truth -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_truth_names_exactly_the_planted_losses_and_jumps(seed: int) -> None:
    truth = truth_for(seed, faults=True)
    assert truth.t1_lost() == truth.t1_falling
    assert truth.t1_lost(days=30, at_least=0.28) == truth.t1_falling
    assert truth.frequency_jumps() == truth.frequency_jump
    assert 4 <= len(truth.t1_falling) <= 6
    for qid in truth.t1_falling:
        assert -0.60 <= truth.t1_change(qid) <= -0.28
    for qid in truth.t1_history:
        if qid not in truth.t1_falling:
            assert abs(truth.t1_change(qid)) < 0.12
    for qid in truth.t1_fell_before:
        assert truth.t1_change(qid, 75) < -0.2
    for qid in truth.t1_dipped:
        assert min(truth.t1_history[qid][12:23]) < 0.7 * truth.t1_now[qid]


@pytest.mark.parametrize("seed", SEEDS)
def test_qubit_faults_are_disjoint_and_sorted(seed: int) -> None:
    faults = deal_faults(seed, square_lattice(64))
    ids = [qid for name, qids in faults.by_name().items() if name != "bad_coupling" for qid in qids]
    assert len(ids) == len(set(ids))
    assert all(
        list(qids) == sorted(qids, key=lambda q: [int(p) for p in q.split("-")]) for qids in faults.by_name().values()
    )
    assert all(faults.by_name().values())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_healthy_chip_changes_little(seed: int) -> None:
    truth = truth_for(seed, faults=False)
    assert not any(truth.by_name().values())
    assert len(truth.t1_history) == 64
    assert all(
        abs(a / b - 1) < 0.12
        for history in truth.t1_history.values()
        for a, b in zip(history, history[30:], strict=False)
    )
    assert truth.t1_lost() == truth.frequency_jumps() == ()


def test_truth_as_json(small: DemoChip) -> None:
    truth = json.loads(json.dumps(small.truth.as_json()))
    assert truth["t1_lost_30_days"] == truth["faults"]["t1_falling"] == list(small.truth.t1_falling)
    assert truth["now"]["t1"] == small.truth.t1_now
    assert truth["t1_30_days_before"].keys() == small.truth.t1_now.keys()


def test_truth_refuses_what_it_does_not_know(small: DemoChip) -> None:
    with pytest.raises(ValueError, match="last 60 days, not for 61"):
        small.truth.t1_lost(days=61)


# --- each fault can be seen in the documents ------------------------------------------------------------------------


def test_healthy_chip_has_no_faults_in_its_documents(healthy: DemoChip) -> None:
    assert not any(row["excluded"] for row in results(healthy))
    records = [record for row in results(healthy) for record in row["output_parameters"].values()]
    assert all(record["value"] != 0 for record in records)
    assert not any(healthy.documents[collection] for collection in ("issue", "target_note", "forum_post"))
    for qid in healthy.truth.t1_now:
        ages = [age for age, _ in series(healthy, qid, "t1")]
        assert min(ages) < 5
        assert 50 <= len(ages) <= 75
        assert abs(median(healthy, qid, "t1", 0, 5) / median(healthy, qid, "t1", 25, 35) - 1) < 0.2


def test_t1_falling(faulty: DemoChip) -> None:
    assert len(faulty.truth.t1_falling) == 2
    for qid in faulty.truth.t1_falling:
        change = median(faulty, qid, "t1", 0, 3) / median(faulty, qid, "t1", 27, 35) - 1
        assert change == pytest.approx(faulty.truth.t1_change(qid), abs=0.13)
        assert change < -0.17
        assert median(faulty, qid, "t2_echo", 0, 4) < 0.92 * median(faulty, qid, "t2_echo", 26, 35)


def test_t1_fell_before(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.t1_fell_before
    assert median(faulty, qid, "t1", 0, 5) / median(faulty, qid, "t1", 27, 35) > 0.85
    assert median(faulty, qid, "t1", 25, 45) / median(faulty, qid, "t1", 56) < 0.8


def test_t1_dipped(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.t1_dipped
    values = series(faulty, qid, "t1")
    usual = median(faulty, qid, "t1", 23)
    low = [age for age, value in values if value < 0.78 * usual]
    assert 3 <= len(low) <= 7
    assert min(low) > 11
    assert max(low) < 23
    assert median(faulty, qid, "t1", 0, 11) > 0.85 * usual


def test_frequency_jump(faulty: DemoChip) -> None:
    for qid in faulty.truth.t1_now:
        values = [value for _, value in series(faulty, qid, "qubit_frequency")]
        steps = [abs(b - a) * 1e3 for a, b in pairwise(values)]
        if qid in faulty.truth.frequency_jump:
            assert sum(step > 0.9 for step in steps) == 1
            assert max(steps) < 8.2
            moved = median(faulty, qid, "qubit_frequency", 0, 5) - median(faulty, qid, "qubit_frequency", 25, 35)
            assert 0.9e-3 < abs(moved) < 8.2e-3
        else:
            assert max(steps) < 0.15


def test_dead(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.dead
    rows = [row for row in results(faulty) if row["qid"] == qid]
    assert rows
    assert all(row["status"] == "failed" for row in rows)
    assert current(faulty, "qubit", qid) == {}
    assert qid not in faulty.truth.t1_now
    assert all(qid in pair.split("-") for pair in faulty.truth.unmeasured_couplings)


def test_stale(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.stale
    assert all(row["start_at"] < faulty.as_of - timedelta(days=32) for row in results(faulty) if row["qid"] == qid)
    newest = faulty.as_of - current(faulty, "qubit", qid)["t1"]["calibrated_at"]
    assert timedelta(days=32) < newest < timedelta(days=50)
    for pair in faulty.truth.stale_couplings:
        assert all(row["start_at"] < faulty.as_of - timedelta(days=32) for row in results(faulty) if row["qid"] == pair)


def test_low_readout_and_low_gate(faulty: DemoChip) -> None:
    for qid in faulty.truth.t1_now:
        readout = [value for _, value in series(faulty, qid, "average_readout_fidelity")]
        gate = [value for _, value in series(faulty, qid, "average_gate_fidelity")]
        x90 = [value for _, value in series(faulty, qid, "x90_gate_fidelity")]
        low = qid in faulty.truth.low_readout
        assert (0.70 <= min(readout) <= max(readout) <= 0.83) if low else min(readout) > 0.94
        low = qid in faulty.truth.low_gate
        assert (0.968 < min(gate) <= max(gate) < 0.979) if low else min(gate) > 0.995
        assert (0.964 < min(x90) <= max(x90) < 0.979) if low else min(x90) > 0.99


def test_resonators_and_rabi_frequencies_are_those_of_the_truth(healthy: DemoChip) -> None:
    lines: dict[int, list[float]] = {}
    for qid, frequency in healthy.truth.resonator_now.items():
        lines.setdefault(int(qid) // 4, []).append(frequency)
        assert median(healthy, qid, "readout_frequency") == pytest.approx(frequency, abs=6e-5)
        most = median(healthy, qid, "maximum_rabi_frequency")
        assert most == pytest.approx(healthy.truth.rabi_now[qid], rel=0.015)
        assert most * median(healthy, qid, "hpi_amplitude") * 0.032 == pytest.approx(0.25, rel=0.02)
        assert all(value == pytest.approx(12.5, rel=0.025) for _, value in series(healthy, qid, "rabi_frequency"))
    assert all(b - a > 0.09 for line in lines.values() for a, b in pairwise(sorted(line)))


def test_bad_coupling(faulty: DemoChip) -> None:
    for qid in faulty.truth.zx90_now:
        gate = [value for _, value in series(faulty, qid, "zx90_gate_fidelity")]
        bell = [value for _, value in series(faulty, qid, "bell_state_fidelity")]
        if qid in faulty.truth.bad_coupling:
            assert gate
            assert 0.68 < min(gate) <= max(gate) < 0.85
            assert 0.60 < min(bell) <= max(bell) < 0.75
        elif gate and bell:
            assert min(gate) > 0.94
            assert min(bell) > 0.9


def test_excluded_outlier(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.excluded_outlier
    (row,) = [row for row in results(faulty) if row["excluded"] and row["qid"] == qid]
    assert row["name"] == "CheckT1"
    assert row["output_parameters"]["t1"]["value"] == 9999.0
    assert row["excluded_reason"]
    assert row["excluded_by"] == row["username"]
    assert row["excluded_by_user_id"] == row["user_id"]
    assert row["end_at"] < row["excluded_at"] < faulty.as_of
    assert current(faulty, "qubit", qid)["t1"]["value"] < 200
    question, answer = faulty.documents["issue"]
    assert question["task_id"] == answer["task_id"] == row["task_id"]
    assert answer["parent_id"] == question["_id"]


def test_the_current_value_of_an_excluded_result_stays_as_qdash_leaves_it(faulty: DemoChip) -> None:
    (qid,) = faulty.truth.excluded_now
    (row,) = [row for row in results(faulty) if row["excluded"] and row["qid"] == qid]
    newest = current(faulty, "qubit", qid)["t1"]
    assert (newest["value"], newest["task_id"]) == (9999.0, row["task_id"])


def test_nan_as_zero(full: DemoChip) -> None:
    zeros = Counter(
        row["qid"]
        for row in results(full)
        for name, record in row["output_parameters"].items()
        if name == "t1" and record["value"] == 0
    )
    assert tuple(sorted(zeros, key=int)) == full.truth.nan_as_zero
    assert all(7 <= count <= 10 for count in zeros.values())
    now = {document["qid"]: document["data"]["t1"]["value"] for document in full.documents["qubit"] if document["data"]}
    assert [qid for qid, value in now.items() if value == 0.0] == list(full.truth.zero_now)
    assert [series(full, qid, "t1")[-1][1] == 0 for qid in full.truth.nan_as_zero] == [True, False]


@pytest.mark.long
def test_busy_and_rare(full: DemoChip) -> None:
    usual = statistics.median(len(series(full, qid, "t1")) for qid in full.truth.t1_now)
    for qid in full.truth.busy:
        for parameter in ("t1", "qubit_frequency"):
            typical = statistics.median(len(series(full, other, parameter)) for other in full.truth.t1_now)
            assert 3 <= len(series(full, qid, parameter)) / typical <= 6
    for qid in full.truth.rare:
        ages = [age for age, _ in series(full, qid, "t1")]
        assert len(ages) < usual / 7
        assert all(a - b > 8 for a, b in pairwise(ages))


def test_human_notes_mention_planted_faults(full: DemoChip) -> None:
    noted = {note["target_id"]: note["note"]["content"] for note in full.documents["target_note"]}
    assert f"Q{int(full.truth.t1_falling[0]):02d}" in noted[full.truth.t1_falling[0]]
    assert full.truth.dead[0] in noted
    assert full.truth.bad_coupling[0] in noted
    (post,) = full.documents["forum_post"]
    assert re.findall(r"Q(\d+)", post["content"]) == list(full.truth.frequency_jump)


def test_calibration_notes_use_labels(full: DemoChip) -> None:
    labels = full.documents["calibration_note"][-1]["note"]["hpi_params"]
    assert all(re.fullmatch(r"Q\d\d", label) for label in labels)
    assert len(labels) == 64 - len(full.truth.dead)


def test_the_page_names_the_ids_of_the_default_chip(full: DemoChip) -> None:
    page = (Path(__file__).parents[2] / "docs" / "demo-chip.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d, -]+) \|", page, re.MULTILINE))
    assert rows == {name: ", ".join(ids) for name, ids in full.truth.by_name().items()}
    assert f"# {full.truth.t1_lost(days=30)}" in page
    assert f"for Q{full.truth.zero_now[0]} the newest" in page
