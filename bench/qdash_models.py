# ruff: noqa: D101 - each model is that of a collection, named below
"""Models of whole documents, as QDash makes one of each document that it reads (bunnet, on pydantic).

The fields are those of QDash's collections. Parameter records, run parameters and notes stay plain objects: whether
QDash's models look into them is not known, and this way costs less.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bson import ObjectId
from pydantic import BaseModel, ConfigDict, Field

Text = str | None
Record = dict[str, Any]


class _Part(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)


class _SystemInfo(_Part):
    created_at: datetime | None = None
    updated_at: datetime | None = None


class _Note(_Part):
    content: str = ""
    updated_by: str = ""
    updated_at: datetime | None = None


class _Document(_Part):
    id: ObjectId = Field(alias="_id")
    project_id: Text = None
    user_id: Text = None
    username: Text = None
    chip_id: Text = None
    system_info: _SystemInfo = _SystemInfo()


class Chip(_Document):
    size: int = 64
    current_cooldown_id: Text = None
    activity_status: str = "active"
    topology_id: Text = None
    installed_at: datetime | None = None
    note: _Note = _Note()


class Element(_Document):
    qid: str
    status: str = "pending"
    data: Record
    note: _Note = _Note()
    metric_notes: dict[str, _Note] = {}


class TaskResult(_Document):
    task_id: str
    name: str
    upstream_id: Text = ""
    status: str
    message: Text = ""
    stack_trace: Text = ""
    input_parameters: Record = {}
    output_parameters: Record = {}
    output_parameter_names: list[str] = []
    run_parameters: Record = {}
    quality_metrics: dict[str, float] = {}
    note: Record = {}
    user_note: _Note | None = None
    ai_review_note: _Note | None = None
    ai_review: Record | None = None
    figure_path: list[str] = []
    json_figure_path: list[str] = []
    raw_data_path: list[str] = []
    start_at: datetime | None = None
    end_at: datetime | None = None
    elapsed_time: float | None = None
    task_type: str = "qubit"
    qid: str = ""
    execution_id: str
    tags: list[str] = []
    cooldown_id: Text = ""
    source_task_id: Text = None
    excluded: bool = False
    excluded_reason: Text = None
    excluded_by: Text = None
    excluded_at: datetime | None = None


class Execution(_Document):
    name: str
    execution_id: str
    calib_data_path: Text = None
    note: Record = {}
    status: str
    tags: list[str] = []
    start_at: datetime | None = None
    end_at: datetime | None = None
    elapsed_time: float | None = None
    message: Text = ""


class CalibrationNote(_Document):
    execution_id: str
    task_id: str
    note: Record
    version: int | None = None
    timestamp: datetime


class ParameterVersion(_Document):
    entity_id: str
    parameter_name: str
    qid: str
    value: float | int | str | None = None
    value_type: str = "float"
    unit: str = ""
    error: float | None = None
    version: int
    valid_from: datetime
    valid_until: datetime | None = None
    execution_id: str
    task_id: str
    task_name: Text = None


class Activity(_Document):
    activity_id: str
    execution_id: str
    task_id: str
    task_name: Text = None
    task_type: Text = None
    qid: Text = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    status: Text = None


class Relation(_Document):
    relation_id: str
    relation_type: str
    source_type: str
    source_id: str
    target_type: str
    target_id: str
    created_at: datetime | None = None
    execution_id: Text = None


MODELS: dict[str, type[_Document]] = {
    "chip": Chip,
    "qubit": Element,
    "coupling": Element,
    "task_result_history": TaskResult,
    "execution_history": Execution,
    "calibration_note": CalibrationNote,
    "parameter_versions": ParameterVersion,
    "provenance_activities": Activity,
    "provenance_relations": Relation,
}
"""By collection."""
