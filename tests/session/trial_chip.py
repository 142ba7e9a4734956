"""The chip of the trial: a healthy one of 64 qubits and 90 days, in which each fault of the trial's list is planted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from demo_chip import AS_OF, make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot
from tests.tools.qdash_documents import Document, document

SLOPED = ("5", "23", "38", "51")
"""Their T1 falls slowly by 42 % within the last 30 days."""
EXCLUDED = "26"
"""Its newest T1 is 9999 μs and excluded, as in QDash: only its task result says so."""
OFTEN_FAILED, SOMETIMES_FAILED = "43", "21"
"""CheckT1 failed there, and nowhere else: on the first one most, and most of that before its newest 5,000 results."""
FAILURES = {OFTEN_FAILED: range(16), SOMETIMES_FAILED: range(20, 26)}
"""Which of their results failed, the oldest first: the newest failure is not on the worst qubit."""
NANOSECONDS, SECONDS, FOREIGN = "20", "24", "28"
"""The current T1 of these is in ns, in s, and in a unit that nobody converts."""
ZERO_FIT, TEXT_VALUE = "12", "13"
"""A pulse amplitude of 0, and a T2 echo that is a text."""
ECHO_TOO_LONG = "33"
"""Its T2 echo is 2.6 times its T1."""
UNVERSIONED = "9"
"""Provenance wrote nothing about its T1."""


def write_trial_chip(folder: Path) -> Path:
    """Write it as a snapshot."""
    chip = make_demo(seed=29, faults=False)
    documents = chip.documents
    scope = {"project_id": chip.project_id, "chip_id": chip.chip_id}
    data = {one["qid"]: one["data"] for one in documents["qubit"]}
    results = documents["task_result_history"]
    _plant_slopes(results, data)
    _plant_excluded(results, data)
    _plant_failures(results)
    _plant_values(results, data)
    documents["parameter_versions"] = [
        one for one in documents["parameter_versions"] if (one["qid"], one["parameter_name"]) != (UNVERSIONED, "t1")
    ]
    # Older results of other tasks say nothing here, and writing them takes most of the time.
    documents["task_result_history"] = [
        one for one in results if one["name"] == "CheckT1" or one["start_at"] > AS_OF - timedelta(days=12)
    ]
    documents |= _notes(scope)
    return write_snapshot(documents, folder, as_of=AS_OF, source="the chip of the trial", is_demo=True)


def _of(results: list[Document], qid: str, task: str) -> Iterator[Document]:
    return (one for one in results if (one["qid"], one["name"]) == (qid, task))


def _plant_slopes(results: list[Document], data: dict[str, Any]) -> None:
    for qid in SLOPED:
        for result in _of(results, qid, "CheckT1"):
            age = (AS_OF - result["start_at"]) / timedelta(days=1)
            for record in result["output_parameters"].values():
                record["value"] *= 1 - 0.42 * max(0.0, 30 - age) / 30
                data[qid]["t1"]["value"] = record["value"]


def _plant_excluded(results: list[Document], data: dict[str, Any]) -> None:
    newest = [one for one in _of(results, EXCLUDED, "CheckT1") if one["output_parameters"]][-1]
    newest |= {"excluded": True, "excluded_reason": "the fit ran to its bound"}
    newest["output_parameters"]["t1"]["value"] = 9999.0
    data[EXCLUDED]["t1"] |= {"value": 9999.0, "task_id": newest["task_id"]}


def _plant_failures(results: list[Document]) -> None:
    """These results fail, and no other."""
    for result in results:
        if result["name"] == "CheckT1":
            result["status"] = "completed"
    for qid, places in FAILURES.items():
        measured = list(_of(results, qid, "CheckT1"))
        for place in places:
            measured[place] |= {"status": "failed", "message": "CheckT1 failed: no decay", "output_parameters": {}}


def _plant_values(results: list[Document], data: dict[str, Any]) -> None:
    """In the newest result and in the current value, as QDash copies the one into the other."""

    def plant(qid: str, task: str, parameter: str, **fields: Any) -> None:
        newest = [one for one in _of(results, qid, task) if one["output_parameters"]][-1]
        for record in (newest["output_parameters"][parameter], data[qid][parameter]):
            record.update(fields)

    for qid, unit, factor in ((NANOSECONDS, "ns", 1e3), (SECONDS, "s", 1e-6)):
        plant(qid, "CheckT1", "t1", value=data[qid]["t1"]["value"] * factor, error=0.0, unit=unit)
    plant(FOREIGN, "CheckT1", "t1", value=88.0, error=0.0, unit="dB")
    plant(ZERO_FIT, "CreateHPIPulse", "hpi_amplitude", value=0.0, error=0.0)
    plant(TEXT_VALUE, "CheckT2Echo", "t2_echo", value="see the logbook", error=0.0)
    plant(ECHO_TOO_LONG, "CheckT2Echo", "t2_echo", value=2.6 * data[ECHO_TOO_LONG]["t1"]["value"])


def _notes(scope: dict[str, str]) -> dict[str, list[Document]]:
    at = AS_OF - timedelta(days=3)
    chip_note = {"content": "The mixing chamber ran 8 mK warmer.", "updated_by": "aoi", "updated_at": at}
    case = {
        "title": "Short T1 after a warm week",
        "symptom": "T1 halves",
        "root_cause": "two-level system",
        "lesson_learned": ["shift the frequency"],
    }
    system = {"created_at": at, "updated_at": at}
    return {
        "chip_note": [document(**scope, note=chip_note)],
        "target_note": [],
        "issue": [],
        "forum_post": [],
        "issue_knowledge": [document(**scope, qid="5", status="approved", system_info=system, **case)],
    }
