"""Chips to ask about: the demo generator's, other in size, names and dates, with further faults in their documents.

The generator deals slopes or steps of T1, jumps of frequency, dead and stale qubits, excluded values, poor readout,
gates and couplings. Planted here are a slope, a step, telegraph noise, failing fits, values in other units, and a
cool-down that shifted all frequencies; each in every place where QDash would hold the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from demo_chip import Documents, Truth, make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot

Document: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Document, float], None]
"""Changes a record in place; the number is its age in days before the chip's `as_of`."""

SIZE = 36
DAYS = 75
SLOPE = 45.0
"""By how many percent T1 falls where it slopes, all within the last 30 days."""
COOLED_DOWN = 51
"""Days ago: after the end of everything that the generator plants long ago, before all that it plants lately."""

_PLACES = (
    ("kaede", "36Q-tsuru", datetime(2026, 9, 17, 9, 30, tzinfo=UTC)),
    ("lab-sorrel", "SC36-B", datetime(2025, 12, 3, 20, 15, tzinfo=UTC)),
    ("hinoki", "36Q-ume", datetime(2027, 4, 22, 2, 0, tzinfo=UTC)),
)
"""Project, chip and end of the data; seeds take turns."""

_LEFT_OUT = ("provenance_activities", "provenance_relations")
"""No question is about them, and they are a third of all that is written."""


@dataclass(frozen=True, slots=True)
class Planted:
    """The ids of the qubits with each fault that is planted here."""

    slope: str
    """T1 falls to 55 % of itself between 24 and 3 days ago, a little each day."""
    step: str
    """T2 echo is 40 % lower since 11 days ago."""
    telegraph: str
    """T1 jumps between its value and 45 % of it, every two to five days."""
    failing: str
    """Two of three CheckT1 failed for the last 40 days."""
    t1_in_ns: str
    frequency_in_mhz: str
    readout_in_percent: str


@dataclass(frozen=True, slots=True)
class EvalChip:
    """A chip to ask about: its documents by collection, what was planted, and the end of its data."""

    seed: int
    documents: Documents
    truth: Truth
    planted: Planted
    as_of: datetime
    chip_id: str
    project_id: str

    def written(self, folder: Path) -> Path:
        """The chip as a snapshot in `folder`."""
        return write_snapshot(self.documents, folder, as_of=self.as_of, source=f"generated: seed {self.seed}")


def make_chip(seed: int) -> EvalChip:
    """The chip of a seed, always the same."""
    project_id, chip_id, as_of = _PLACES[seed % len(_PLACES)]
    made = make_demo(seed=seed, size=SIZE, days=DAYS, as_of=as_of, chip_id=chip_id, project_id=project_id)
    documents = {name: rows for name, rows in made.documents.items() if name not in _LEFT_OUT}
    taken = {qid for name, ids in made.truth.by_name().items() if name != "bad_coupling" for qid in ids}
    healthy = [str(qid) for qid in range(SIZE) if str(qid) not in taken]
    Random(f"{seed}/planted").shuffle(healthy)  # noqa: S311 - which qubit gets a fault is no secret
    planted = Planted(*healthy[: len(fields(Planted))])
    _plant(documents, planted, seed, as_of)
    _cool_down(documents, seed, as_of)
    return EvalChip(seed, documents, made.truth, planted, as_of, chip_id, project_id)


def _plant(documents: Documents, planted: Planted, seed: int, as_of: datetime) -> None:
    def falling(record: Document, age: float) -> None:
        _scale(record, 1 - SLOPE / 100 * min(1.0, max(0.0, (24 - age) / 21)))

    def stepped(record: Document, age: float) -> None:
        _scale(record, 0.6 if age < 11 else 1.0)  # noqa: PLR2004 - see `Planted`

    switches = _switches(seed)

    def switching(record: Document, age: float) -> None:
        _scale(record, 0.45 if sum(age < switch for switch in switches) % 2 else 1.0)

    _rewrite(documents, as_of, "t1", falling, planted.slope)
    _rewrite(documents, as_of, "t2_echo", stepped, planted.step)
    _rewrite(documents, as_of, "t1", switching, planted.telegraph)
    _fail(documents, planted.failing, as_of)
    for qid, parameter, unit, factor in (
        (planted.t1_in_ns, "t1", "ns", 1e3),
        (planted.frequency_in_mhz, "qubit_frequency", "MHz", 1e3),
        (planted.readout_in_percent, "average_readout_fidelity", "%", 1e2),
    ):
        _rewrite(documents, as_of, parameter, _in_unit(unit, factor), qid)


def _scale(record: Document, factor: float) -> None:
    record["value"] = round(record["value"] * factor, 6)
    record["error"] = round(record["error"] * factor, 6)


def _in_unit(unit: str, factor: float) -> Change:
    def change(record: Document, _age: float) -> None:
        _scale(record, factor)
        record["unit"] = unit

    return change


def _switches(seed: int) -> list[float]:
    """The ages at which the telegraph noise switches."""
    rng = Random(f"{seed}/telegraph")  # noqa: S311 - noise
    ages = [1.5]
    while ages[-1] < DAYS:
        ages.append(ages[-1] + rng.uniform(2, 5))
    return ages


def _records(documents: Documents, parameter: str, qid: str | None) -> Iterator[tuple[Document, datetime]]:
    """Every record of a parameter of a qubit (None: of all), wherever it stands, and when it was calibrated."""
    for collection, held in (
        ("task_result_history", ("output_parameters", "input_parameters")),
        ("qubit", ("data",)),
        ("qubit_history", ("data",)),
    ):
        for document in documents[collection]:
            if qid in (None, document["qid"]):
                for name in held:
                    if record := document[name].get(parameter):
                        yield record, record["calibrated_at"]
    for version in documents["parameter_versions"]:
        if version["parameter_name"] == parameter and qid in (None, version["qid"]):
            yield version, version["valid_from"] - timedelta(seconds=1)


def _rewrite(documents: Documents, as_of: datetime, parameter: str, change: Change, qid: str) -> None:
    for record, at in _records(documents, parameter, qid):
        change(record, (as_of - at) / timedelta(days=1))


def _fail(documents: Documents, qid: str, as_of: datetime) -> None:
    """Two of three of the qubit's CheckT1 of the last 40 days failed, but not the newest one."""
    tasks = [
        document
        for document in documents["task_result_history"]
        if document["qid"] == qid
        and document["name"] == "CheckT1"
        and as_of - document["start_at"] < timedelta(days=40)
    ]
    failed = [task for place, task in enumerate(reversed(tasks)) if place % 3 and task["status"] == "completed"]
    for task in failed:
        message = "CheckT1 failed: the fit did not converge"
        task |= {"status": "failed", "message": message, "output_parameters": {}, "output_parameter_names": []}
    gone = {task["task_id"] for task in failed}
    documents["parameter_versions"] = [row for row in documents["parameter_versions"] if row["task_id"] not in gone]
    for row in documents["qubit_history"]:
        row["data"] = {name: record for name, record in row["data"].items() if record["task_id"] not in gone}


def _cool_down(documents: Documents, seed: int, as_of: datetime) -> None:
    """A cool-down began: before it, each qubit's frequency was some MHz away."""
    began = cooled_down_at(as_of)
    first = documents["cooldown"][0]
    chip = documents["chip"][0]
    second = first | {
        "_id": f"{first['_id'][:-1]}{'f' if first['_id'][-1] != 'f' else '0'}",
        "cooldown_id": f"{began.year}-007",
        "started_at": began,
        "description": "After the exchange of an amplifier",
        "note": dict(first["note"]),
        "system_info": dict(first["system_info"]),
    }
    first["ended_at"] = began - timedelta(days=1)
    documents["cooldown"].append(second)
    chip["current_cooldown_id"] = second["cooldown_id"]
    for collection in ("task_result_history", "qubit_history", "coupling_history"):
        for document in documents[collection]:
            if (document.get("start_at") or document["system_info"]["created_at"]) >= began:
                document["cooldown_id"] = second["cooldown_id"]
    for collection in ("chip_note", "target_note"):
        for document in documents[collection]:
            document |= {"cooldown_id": second["cooldown_id"], "scope_key": f"cooldown:{second['cooldown_id']}"}
    rng = Random(f"{seed}/cool-down")  # noqa: S311 - noise
    shifts = {str(qid): rng.choice((-1, 1)) * rng.uniform(3.0, 12.0) for qid in range(SIZE)}
    for qid, shift in shifts.items():
        for name in ("qubit_frequency", "coarse_qubit_frequency"):
            for record, at in _records(documents, name, qid):
                if at < began:
                    record["value"] = round(record["value"] - shift * (1.0 if record["unit"] == "MHz" else 1e-3), 9)


def cooled_down_at(as_of: datetime) -> datetime:
    """When the running cool-down began."""
    return (as_of - timedelta(days=COOLED_DOWN)).replace(hour=3, minute=0, second=0, microsecond=0)
