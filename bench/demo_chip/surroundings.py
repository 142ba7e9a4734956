"""The documents around the measurements: project, chip, cool-down, calibration notes, and what people wrote down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from demo_chip.documents import Document, Result, Scope, note, system_info
from demo_chip.faults import Faults
from demo_chip.schedule import LOCAL, Run
from qdash_jupyter.domain.qid import qid_label

_CHIP_HISTORY_DAYS = 7
_CALIBRATION_NOTES = 3


def project_documents(scope: Scope) -> dict[str, list[Document]]:
    """`project` and `project_membership`: one each."""
    at = scope.installed_at
    return {
        "project": [
            {
                "_id": scope.object_id(at, "project"),
                "project_id": scope.project_id,
                "owner_user_id": scope.user_id,
                "owner_username": scope.username,
                "name": scope.project_id,
                "description": "Generated data of a chip that does not exist.",
                "tags": [],
                "default_role": "viewer",
                "system_info": system_info(at),
            }
        ],
        "project_membership": [
            {
                "_id": scope.object_id(at, "membership"),
                **scope.owner(),
                "role": "owner",
                "status": "active",
                "invited_by_user_id": None,
                "invited_by": None,
                "last_accessed_at": None,
                "system_info": system_info(at),
            }
        ],
    }


def chip_documents(scope: Scope, as_of: datetime) -> dict[str, list[Document]]:
    """`chip` (one), `chip_history` (the last days) and `cooldown` (the running one)."""
    at = scope.installed_at
    shared = {
        **scope.owner(),
        "chip_id": scope.chip_id,
        "size": scope.size,
        "topology_id": scope.topology_id,
        "installed_at": at,
    }
    days = [as_of - timedelta(days=back, hours=6) for back in range(_CHIP_HISTORY_DAYS - 1, -1, -1)]
    return {
        "chip": [
            {
                "_id": scope.object_id(at, "chip"),
                **shared,
                "current_cooldown_id": scope.cooldown_id,
                "activity_status": "active",
                "note": note("A demo chip: a seed made its numbers, no instrument did.", scope.username, at),
                "system_info": system_info(at, as_of - timedelta(hours=6)),
            }
        ],
        "chip_history": [
            {
                "_id": scope.object_id(day, "chip_history", day),
                **shared,
                "recorded_date": f"{day.astimezone(LOCAL):%Y%m%d}",
                "system_info": system_info(day),
            }
            for day in days
        ],
        "cooldown": [
            {
                "_id": scope.object_id(at, "cooldown"),
                "project_id": scope.project_id,
                "cooldown_id": scope.cooldown_id,
                "cryo_id": "demo-fridge",
                "description": "Demo cool-down",
                "started_at": at + timedelta(days=2),
                "ended_at": None,
                "chip_ids": [scope.chip_id],
                "note": note(),
                "wiring_info": "",
                "wiring_blocks": [],
                "system_info": system_info(at),
            }
        ],
    }


def calibration_notes(scope: Scope, runs: Sequence[Run], qubit_data: dict[str, dict[str, Document]]) -> list[Document]:
    """`calibration_note` of the last night runs; its keys are labels (`Q07`), as in QDash."""
    state = {
        qid_label(qid, scope.size): {"amplitude": data["hpi_amplitude"]["value"], "length": data["hpi_length"]["value"]}
        for qid, data in qubit_data.items()
        if "hpi_amplitude" in data
    }
    return [
        {
            "_id": scope.object_id(run.start_at, "calibration_note", run.execution_id),
            **scope.owner(),
            "chip_id": scope.chip_id,
            "execution_id": run.execution_id,
            "task_id": "master",
            "note": {"hpi_params": {label: dict(values) for label, values in state.items()}},
            "version": 1,
            "timestamp": run.start_at + timedelta(minutes=30),
            "system_info": system_info(run.start_at + timedelta(minutes=30)),
        }
        for run in [run for run in runs if not run.is_extra][-_CALIBRATION_NOTES:]
    ]


def human_notes(scope: Scope, faults: Faults, as_of: datetime, excluded: Result | None) -> dict[str, list[Document]]:
    """`chip_note`, `target_note`, `issue` and `forum_post`: what people might write about some faults."""
    written = as_of - timedelta(days=3, hours=20)
    remarks = [
        (faults.t1_falling[:1], "qubit", "T1 of {} dropped: is it the same TLS as last winter?"),
        (faults.frequency_jump[:1], "qubit", "{} is off its old frequency, Ramsey had to be set up again."),
        (faults.dead[:1], "qubit", "{}: no response in spectroscopy since the cool-down, perhaps a wire bond."),
        (faults.stale[:1], "qubit", "{} is left out of the daily run: its control line is lent to another set-up."),
        (faults.low_readout[:1], "qubit", "Readout of {} is poor, the resonator sits close to its neighbour's."),
        (faults.bad_coupling[:1], "coupling", "ZX90 of {} never got good; is the detuning too small?"),
    ]
    scope_fields = {
        "scope_type": "cooldown",
        "scope_key": f"cooldown:{scope.cooldown_id}",
        "cooldown_id": scope.cooldown_id,
        "scope_started_at": None,
        "scope_ended_at": None,
        "scope_source": "current_cooldown",
    }
    targets = [
        {
            "_id": scope.object_id(written, "target_note", qid),
            "project_id": scope.project_id,
            "chip_id": scope.chip_id,
            "target_type": target_type,
            "target_id": qid,
            "note": note(text.format(qid_label(qid, scope.size)), scope.username, written),
            "comments": [_comment(scope, qid, written)] if qid in faults.t1_falling else [],
            **scope_fields,
            "system_info": system_info(written),
        }
        for qids, target_type, text in remarks
        for qid in qids
    ]
    chip = {
        "_id": scope.object_id(written, "chip_note"),
        "project_id": scope.project_id,
        "chip_id": scope.chip_id,
        "note": note("Second month of this cool-down; the mixing chamber is stable.", scope.username, written),
        **scope_fields,
        "system_info": system_info(written),
    }
    return {
        "chip_note": [chip],
        "target_note": targets,
        "issue": _issue_thread(scope, excluded) if excluded else [],
        "forum_post": _forum_post(scope, faults.frequency_jump, written) if faults.frequency_jump else [],
    }


def _forum_post(scope: Scope, jumped: Sequence[str], at: datetime) -> list[Document]:
    labels = ", ".join(qid_label(qid, scope.size) for qid in jumped)
    return [
        {
            "_id": scope.object_id(at, "forum_post"),
            "project_id": scope.project_id,
            "number": 1,
            "category": "general",
            "user_id": scope.user_id,
            "username": scope.username,
            "title": "Frequencies that jumped this month",
            "content": f"I count these: {labels}. Did anything change at the fridge?",
            "content_blocks": [],
            "labels": [],
            "assignee_username": None,
            "status": "open",
            "chip_id": scope.chip_id,
            "target_type": "qubit",
            "target_id": jumped[0],
            "cooldown_id": scope.cooldown_id,
            "parent_id": None,
            "is_deleted": False,
            "is_ai_reply": False,
            "system_info": system_info(at),
        }
    ]


def _comment(scope: Scope, qid: str, at: datetime) -> Document:
    return {
        "comment_id": scope.digest("comment", qid, size=16),
        "content": "Still there this morning.",
        "created_by": scope.username,
        "created_at": at + timedelta(days=1),
        "updated_by": "",
        "updated_at": None,
    }


def _issue_thread(scope: Scope, result: Result) -> list[Document]:
    label = qid_label(result.qid, scope.size)
    thread: list[Document] = []
    for hours, title, content in (
        (1, f"T1 of 9999 μs on {label}", "The decay curve is flat: is this a fit at its bound?"),
        (5, None, "Yes, the pulse was missing. I exclude this result."),
    ):
        at = result.end_at + timedelta(hours=hours)
        thread.append(
            {
                "_id": scope.object_id(at, "issue", result.task_id, hours),
                "project_id": scope.project_id,
                "task_id": result.task_id,
                "user_id": scope.user_id,
                "username": scope.username,
                "title": title,
                "content": content,
                "parent_id": thread[0]["_id"] if thread else None,
                "is_closed": True,
                "is_ai_reply": False,
                "system_info": system_info(at),
            }
        )
    return thread
