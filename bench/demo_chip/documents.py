"""The documents themselves, in QDash's shapes: every field present, nothing shared between two documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any, TypeAlias

from demo_chip.measurements import PARAMETERS, Readings
from demo_chip.schedule import Run
from qdash_jupyter.domain.qid import is_coupling

Document: TypeAlias = dict[str, Any]

_SHOTS = 1024


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose documents these are; all ids are made from it, so that the same chip always gets the same ones."""

    seed: int
    project_id: str
    chip_id: str
    cooldown_id: str
    topology_id: str
    size: int
    installed_at: datetime
    username: str = "demo"

    @property
    def user_id(self) -> str:
        """QDash's stable user id."""
        return f"usr_{self.digest('user', size=16)}"

    def digest(self, *names: object, size: int) -> str:
        """`size` bytes in hex that belong to these names on this chip."""
        text = "/".join(map(str, (self.seed, self.project_id, self.chip_id, *names)))
        return blake2b(text.encode(), digest_size=size).hexdigest()

    def object_id(self, at: datetime, *names: object) -> str:
        """An `_id`: 24 hex characters, the time of its making first, as in a real ObjectId."""
        return f"{int(at.timestamp()):08x}{self.digest(*names, size=8)}"

    def uuid(self, *names: object) -> str:
        """A task id: the text form of a random UUID (version 4)."""
        raw = self.digest(*names, size=16)
        return f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-{'89ab'[int(raw[16], 16) % 4]}{raw[17:20]}-{raw[20:]}"

    def owner(self) -> Document:
        """The fields that say whose a document is."""
        return {"project_id": self.project_id, "user_id": self.user_id, "username": self.username}


@dataclass(slots=True)
class Result:
    """One task that ran: times in UTC, `readings` empty when it failed."""

    run: Run
    task: str
    qid: str
    task_id: str
    upstream_id: str
    start_at: datetime
    end_at: datetime
    readings: Readings
    inputs: dict[str, Document] = field(default_factory=dict)
    failure: str = ""
    excluded_at: datetime | None = None


def note(content: str = "", by: str = "", at: datetime | None = None) -> Document:
    """The note object that many documents hold."""
    return {"content": content, "updated_by": by, "updated_at": at}


def system_info(created_at: datetime, updated_at: datetime | None = None) -> Document:
    """When a document was made and last changed."""
    return {"created_at": created_at, "updated_at": updated_at or created_at}


def records_of(result: Result) -> dict[str, Document]:
    """The parameter records (10 fields each) of a result."""
    role = "coupling" if is_coupling(result.qid) else ""
    return {
        name: {
            "parameter_name": name,
            "qid_role": role,
            "value": value,
            "value_type": "int" if isinstance(value, int) else "float",
            "error": error,
            "unit": PARAMETERS[name][0],
            "description": PARAMETERS[name][1],
            "calibrated_at": result.end_at,
            "execution_id": result.run.execution_id,
            "task_id": result.task_id,
        }
        for name, (value, error) in result.readings.items()
    }


def result_document(
    scope: Scope, user_id: str, result: Result, records: dict[str, Document], *, before: int = 0
) -> Document:
    """A document of `task_result_history`; `records` become its outputs.

    `before`: how often the run had done that task before: QDash numbers files whose names are taken.
    """
    run, task, qid = result.run, result.task, result.qid
    figure = f"/app/calib_data/{scope.username}/{run.execution_id[:8]}/{run.execution_id[9:]}/fig/{task}_{qid}_0"
    figure += f"_{before}" if before else ""
    excluded = result.excluded_at is not None
    return {
        "_id": scope.object_id(result.start_at, "result", result.task_id),
        "project_id": scope.project_id,
        "user_id": user_id,
        "username": scope.username,
        "task_id": result.task_id,
        "name": task,
        "upstream_id": result.upstream_id,
        "status": "failed" if result.failure else "completed",
        "message": result.failure or f"{task} is completed",
        "stack_trace": f"Traceback (most recent call last):\nRuntimeError: {result.failure}" if result.failure else "",
        "input_parameters": result.inputs,
        "output_parameters": records,
        "output_parameter_names": list(records),
        "run_parameters": {
            "shots": {"unit": "", "value_type": "int", "value": _SHOTS, "description": "Number of shots"}
        },
        "quality_metrics": {},
        "note": {},
        "user_note": note(),
        "ai_review_note": note(),
        "ai_review": {
            "status": "",
            "requested_at": None,
            "requested_by": "",
            "review_run_id": "",
            "trigger_type": "manual_chip_bulk",
            "model_provider": "",
            "model_name": "",
            "completed_at": None,
            "error": "",
        },
        "figure_path": [f"{figure}.png"],
        "json_figure_path": [f"{figure}.json"],
        "raw_data_path": [],
        "start_at": result.start_at,
        "end_at": result.end_at,
        "elapsed_time": (result.end_at - result.start_at).total_seconds(),
        "task_type": "coupling" if is_coupling(qid) else "qubit",
        "system_info": {"created_at": result.start_at, "updated_at": result.excluded_at or result.end_at},
        "qid": qid,
        "execution_id": run.execution_id,
        "tags": list(run.tags),
        "chip_id": scope.chip_id,
        "cooldown_id": scope.cooldown_id,
        "source_task_id": None,
        "excluded": excluded,
        "excluded_reason": "The fit ran away: 9999 μs is its upper bound." if excluded else "",
        "excluded_by": scope.username if excluded else None,
        "excluded_by_user_id": user_id if excluded else None,
        "excluded_at": result.excluded_at,
    }


def element_document(scope: Scope, qid: str, data: dict[str, Document], updated_at: datetime | None) -> Document:
    """A document of `qubit` or `coupling`; `data` holds the newest record of each parameter."""
    return {
        "_id": scope.object_id(scope.installed_at, "element", qid),
        **scope.owner(),
        "qid": qid,
        "status": "pending",
        "chip_id": scope.chip_id,
        "data": data,
        "note": note(),
        "metric_notes": {},
        "system_info": system_info(scope.installed_at, updated_at),
    }


def history_document(scope: Scope, qid: str, data: dict[str, Document], day: str, updated_at: datetime) -> Document:
    """A document of `qubit_history` or `coupling_history`: all values of an element after the last write of a day."""
    return {
        "_id": scope.object_id(updated_at, "history", qid, day),
        **scope.owner(),
        "qid": qid,
        "status": "pending",
        "chip_id": scope.chip_id,
        "data": data,
        "cooldown_id": scope.cooldown_id,
        "system_info": system_info(updated_at),
        "recorded_date": day,
    }


def execution_document(scope: Scope, run: Run, end_at: datetime) -> Document:
    """A document of `execution_history`."""
    date, number = run.execution_id.split("-")
    return {
        "_id": scope.object_id(run.start_at, "execution", run.execution_id),
        **scope.owner(),
        "name": run.name,
        "execution_id": run.execution_id,
        "calib_data_path": f"/app/calib_data/{scope.username}/{date}/{number}",
        "note": {"stage_results": {}},
        "status": "completed",
        "tags": list(run.tags),
        "chip_id": scope.chip_id,
        "start_at": run.start_at,
        "end_at": end_at,
        "elapsed_time": (end_at - run.start_at).total_seconds(),
        "message": "",
        "system_info": system_info(run.start_at, end_at),
    }


def entity_id(parameter: str, result: Result) -> str:
    """The id of a value in QDash's provenance graph."""
    return f"{parameter}:{result.qid}:{result.run.execution_id}:{result.task_id}"


def version_document(
    scope: Scope, result: Result, parameter: str, version: int, valid: tuple[datetime, datetime | None]
) -> Document:
    """A document of `parameter_versions`: one version of a parameter, valid from the first time until the second."""
    value, error = result.readings[parameter]
    return {
        "_id": scope.object_id(valid[0], "version", parameter, result.task_id),
        "entity_id": entity_id(parameter, result),
        "parameter_name": parameter,
        "qid": result.qid,
        "value": value,
        "value_type": "int" if isinstance(value, int) else "float",
        "unit": PARAMETERS[parameter][0],
        "error": error,
        "version": version,
        "valid_from": valid[0],
        "valid_until": valid[1],
        "execution_id": result.run.execution_id,
        "task_id": result.task_id,
        "task_name": result.task,
        "project_id": scope.project_id,
        "chip_id": scope.chip_id,
    }
