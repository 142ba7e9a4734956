"""Makes a demo chip: the documents QDash would hold about it, and the truth behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from random import Random
from typing import TypeAlias

from demo_chip.chip import Coupling, Qubit, make_couplings, make_qubits
from demo_chip.documents import (
    Document,
    Result,
    Scope,
    element_document,
    execution_document,
    history_document,
    records_of,
    result_document,
    version_document,
)
from demo_chip.faults import Faults, deal_faults, stream
from demo_chip.measurements import INPUTS, OUTLIER_US, Readings, measure_coupling, measure_qubit
from demo_chip.provenance import provenance
from demo_chip.schedule import LATE_TASKS, LOCAL, Planned, coupling_plan, qubit_plan, runs_of
from demo_chip.surroundings import calibration_notes, chip_documents, human_notes, project_documents
from demo_chip.truth import Truth, truth_of
from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.domain.topology import square_lattice

Documents: TypeAlias = dict[str, list[Document]]
"""Collection name -> documents, as pymongo would give them, but with the `_id` as text of 24 hex characters."""

AS_OF = datetime(2026, 6, 30, tzinfo=UTC)
"""The moment at which the demo chip's data end, UTC."""

FAILURE_RATE = 0.03
_FAULT_DAYS = 60  # the planted faults reach that far back
_EXCLUDED_AGES = (4.0, 20.0)  # days ago: in the last month, but not the newest
_KEPT_VERSIONS = 3
_HISTORY_DAYS = 30
_COUPLINGS_AFTER_S = 480.0  # two-qubit tasks begin when the qubits are done
_FAILURES = (
    "the fit did not converge",
    "R² of the fit is below 0.7",
    "no answer from the readout box",
    "no contrast between the states",
)


@dataclass(frozen=True, slots=True)
class DemoChip:
    """A chip that does not exist: its documents, what is really the case, and when its data end."""

    documents: Documents
    truth: Truth
    as_of: datetime
    chip_id: str
    project_id: str


@dataclass(frozen=True, slots=True)
class _Special:
    """Which results of an element (by place in its plan) are not left to chance."""

    never_completes: bool = False
    must_complete: frozenset[int] = frozenset()
    stored_as_zero: frozenset[int] = frozenset()
    excluded: int | None = None


def make_demo(
    *,
    seed: int = 7,
    size: int = 64,
    days: int = 90,
    faults: bool = True,
    as_of: datetime = AS_OF,
    chip_id: str | None = None,
    project_id: str = "demo",
) -> DemoChip:
    """Makes a chip; the same arguments always give equal documents.

    Args:
        seed: Everything random comes from it.
        size: Number of qubits: 16, 36, 64, … with faults; from 4 without.
        days: How far back the measurements reach. The faults reach back 60 days: of a shorter chip, what lies before
            is true but not measured (its stale qubits have no results).
        faults: Whether to plant the faults of `docs/demo-chip.md`; else the chip is healthy, with noise only.
        as_of: When the data end, with a zone; all times in the documents lie before it.
        chip_id: `64Q-demo` for 64 qubits when not given.
        project_id: The project that owns all documents.

    Raises:
        ValueError: No such lattice, too small for faults, less than a day, or `as_of` without a zone.
    """
    topology = square_lattice(size)
    if days < 1:
        msg = f"A chip needs at least one day of measurements, not {days}."
        raise ValueError(msg)
    if as_of.tzinfo is None:
        raise ValueError("`as_of` needs a time zone.")
    as_of = as_of.astimezone(UTC)
    as_of = as_of.replace(microsecond=as_of.microsecond // 1000 * 1000)  # as exact as BSON dates are
    planted = deal_faults(seed, topology) if faults else Faults()
    horizon = max(days, _FAULT_DAYS) + 2
    qubits = make_qubits(seed, topology, planted, horizon)
    couplings = make_couplings(seed, topology, planted, horizon)
    installed_at = (as_of - timedelta(days=days + 30)).replace(hour=1, minute=0, second=0, microsecond=0)
    scope = Scope(
        seed=seed,
        project_id=project_id,
        chip_id=chip_id or f"{size}Q-demo",
        cooldown_id=f"{installed_at.year}-001",
        topology_id=topology.topology_id,
        size=size,
        installed_at=installed_at,
    )
    runs = runs_of(seed, as_of, days)
    by_element: dict[str, list[Result]] = {}
    for qid, qubit in qubits.items():
        plan = list(qubit_plan(seed, qid, runs, planted, size))
        by_element[qid] = _qubit_results(scope, qubit, plan, planted)
    for index, (qid, coupling) in enumerate(couplings.items()):
        by_element[qid] = _coupling_results(scope, coupling, index, coupling_plan(seed, qid, index, runs, planted))
    documents = _documents(scope, by_element, as_of - timedelta(days=_HISTORY_DAYS))
    results = [result for group in by_element.values() for result in group]
    excluded = next((one for one in results if one.excluded_at and one.qid in planted.excluded_outlier), None)
    ends: dict[str, datetime] = {}
    for result in results:
        execution_id = result.run.execution_id
        ends[execution_id] = max(ends.get(execution_id, result.end_at), result.end_at)
    qubit_data = {document["qid"]: document["data"] for document in documents["qubit"]}
    return DemoChip(
        documents={
            **project_documents(scope),
            **chip_documents(scope, as_of),
            **documents,
            "execution_history": [
                execution_document(scope, run, ends[run.execution_id]) for run in runs if run.execution_id in ends
            ],
            "calibration_note": calibration_notes(scope, runs, qubit_data),
            **human_notes(scope, planted, as_of, excluded),
        },
        truth=truth_of(planted, qubits, couplings, horizon - 2),
        as_of=as_of,
        chip_id=scope.chip_id,
        project_id=project_id,
    )


def _qubit_results(scope: Scope, qubit: Qubit, plan: Sequence[Planned], faults: Faults) -> list[Result]:
    """A qubit's results in order of time; each starts from the values found before it."""
    special = _special(scope.seed, qubit.qid, plan, faults)
    known: dict[str, tuple[float, Result]] = {}
    results: list[Result] = []
    streams: dict[str, Random] = {}
    number = 0  # what is measured late does not count: the others keep their ids
    for place, planned in enumerate(plan):
        rng = streams.setdefault(planned.task, stream(scope.seed, "noise", qubit.qid, planned.task))
        failure = _failure(planned.task, rng, special, place)
        result = _started(scope, planned, qubit.qid, results, rng, number=number)
        number += planned.task not in LATE_TASKS
        result.failure = failure
        result.inputs = _inputs(planned.task, known)
        age = planned.run.age
        frequency = known["qubit_frequency"][0] if "qubit_frequency" in known else None
        readings = measure_qubit(planned.task, qubit, age, rng, effect=planned.run.effect, known_frequency=frequency)
        if place in special.stored_as_zero:
            readings = dict.fromkeys(readings, (0.0, 0.0))
        if place == special.excluded:
            readings = dict.fromkeys(readings, (OUTLIER_US, 412.7))
            result.excluded_at = result.end_at + timedelta(hours=5, minutes=2)
        result.readings = {} if failure else readings
        for name, (value, _) in result.readings.items():
            known[name] = (value, result)
        results.append(result)
    return results


def _coupling_results(scope: Scope, coupling: Coupling, index: int, plan: Sequence[Planned]) -> list[Result]:
    rng = stream(scope.seed, "noise", coupling.qid)
    lane_place = index // 7 % 8  # couplings of one night take turns
    results: list[Result] = []
    for place, planned in enumerate(plan):
        failure = _failure(planned.task, rng, _Special(), place)
        after = _COUPLINGS_AFTER_S + 90.0 * lane_place
        result = _started(scope, planned, coupling.qid, results, rng, number=place, after=after)
        readings: Readings = measure_coupling(planned.task, coupling, planned.run.age, rng)
        result.failure, result.readings = failure, {} if failure else readings
        results.append(result)
    return results


def _special(seed: int, qid: str, plan: Sequence[Planned], faults: Faults) -> _Special:
    """What the faults of a qubit ask of single results; all of them concern CheckT1."""
    places = [place for place, planned in enumerate(plan) if planned.task == "CheckT1"]
    rng = stream(seed, "special", qid)
    if qid in faults.dead:
        return _Special(never_completes=True)
    if not places:
        return _Special()
    if qid in faults.excluded_now:
        return _Special(must_complete=frozenset(places[-2:]), excluded=places[-1])
    if qid in faults.nan_as_zero:
        zeros = set(rng.sample(places[:-1], min(len(places) - 1, max(2, round(len(places) / 10) - 1))))
        if qid in faults.zero_now:
            zeros.add(places[-1])
        return _Special(must_complete=frozenset({*zeros, places[-1]}), stored_as_zero=frozenset(zeros))
    if qid in faults.excluded_outlier:
        first, last = _EXCLUDED_AGES
        lately = [place for place in places[:-1] if first < plan[place].run.age < last]
        if lately:
            chosen = rng.choice(lately)
            return _Special(must_complete=frozenset({chosen, places[-1]}), excluded=chosen)
    return _Special(must_complete=frozenset(places[-1:] if qid in faults.stale else ()))


def _failure(task: str, rng: Random, special: _Special, place: int) -> str:
    """Why a task fails; empty when it does not."""
    fails, reason = rng.random() < FAILURE_RATE, rng.choice(_FAILURES)
    if special.never_completes:
        return f"{task} failed: {_FAILURES[-1]}"
    return f"{task} failed: {reason}" if fails and place not in special.must_complete else ""


def _started(
    scope: Scope, planned: Planned, qid: str, earlier: Sequence[Result], rng: Random, *, number: int, after: float = 4.0
) -> Result:
    """A task with its id, by `number`, and its times: right after the element's previous one in the same run."""
    run = planned.run
    previous = earlier[-1] if earlier and earlier[-1].run is run else None
    begin = previous.end_at if previous else run.start_at + timedelta(seconds=after)
    start_at = begin + timedelta(milliseconds=rng.randint(200, 2500))
    return Result(
        run=run,
        task=planned.task,
        qid=qid,
        task_id=scope.uuid("task", qid, planned.task, run.execution_id, number),
        upstream_id=previous.task_id if previous else "",
        start_at=start_at,
        end_at=start_at + timedelta(milliseconds=rng.randint(8_000, 38_000)),
        readings={},
    )


def _inputs(task: str, known: dict[str, tuple[float, Result]]) -> dict[str, Document]:
    """The records that a task starts from; what was never calibrated is left out."""
    inputs: dict[str, Document] = {}
    for name in INPUTS.get(task, ()):
        if name in known:
            inputs[name] = records_of(known[name][1])[name]
    return inputs


def _documents(scope: Scope, by_element: dict[str, list[Result]], history_since: datetime) -> Documents:
    """`qubit`, `coupling`, their history, `task_result_history` (by time), `parameter_versions` and where these came
    from.
    """
    user_id = scope.user_id
    rows: list[Document] = []
    versions: list[Document] = []
    activities: list[Document] = []
    relations: list[Document] = []
    elements: dict[str, list[Document]] = {"qubit": [], "coupling": [], "qubit_history": [], "coupling_history": []}
    for qid, results in by_element.items():
        data: dict[str, Document] = {}
        written: dict[str, list[Result]] = {}
        last: datetime | None = None
        kind = "coupling" if "-" in qid else "qubit"
        times = Counter[tuple[str, str]]()
        for day, of_day in groupby(results, key=lambda result: f"{result.end_at.astimezone(LOCAL):%Y%m%d}"):
            before = last
            for result in of_day:
                records = records_of(result)
                done = (result.run.execution_id, result.task)
                rows.append(result_document(scope, user_id, result, records, before=times[done]))
                times[done] += 1
                for name, record in records.items():
                    data[name] = dict(record)
                    written.setdefault(name, []).append(result)
                    last = result.end_at
            if last is not None and last != before and last >= history_since:
                of_then = {name: dict(record) for name, record in data.items()}
                elements[f"{kind}_history"].append(history_document(scope, qid, of_then, day, last))
        elements[kind].append(element_document(scope, qid, data, last))
        if kind == "coupling":
            # QDash makes both directions; only the one of the topology is ever filled.
            elements[kind].append(element_document(scope, other_direction(qid), {}, None))
        for name, group in written.items():
            versions.extend(_versions(scope, name, group))
        made, edges = provenance(scope, {name: group[-_KEPT_VERSIONS:] for name, group in written.items()})
        activities += made
        relations += edges
    rows.sort(key=lambda row: (row["start_at"], row["task_id"]))
    return {
        **elements,
        "task_result_history": rows,
        "parameter_versions": versions,
        "provenance_activities": activities,
        "provenance_relations": relations,
    }


def _versions(scope: Scope, parameter: str, group: Sequence[Result]) -> list[Document]:
    """The last versions of one parameter of one element; the newest is valid still."""
    first = max(0, len(group) - _KEPT_VERSIONS)
    since = [result.end_at + timedelta(seconds=1) for result in group[first:]]
    until = [*since[1:], None]  # QDash counts from the moment of writing
    return [
        version_document(scope, result, parameter, first + place + 1, valid)
        for place, (result, valid) in enumerate(zip(group[first:], zip(since, until, strict=True), strict=True))
    ]
