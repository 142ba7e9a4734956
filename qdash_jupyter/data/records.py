"""The records that readers give: chips, results, runs, versions, notes, and documents that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from qdash_jupyter.messages.message import Text

ElementKind: TypeAlias = Literal["qubit", "coupling"]


@dataclass(frozen=True, slots=True)
class ChipRef:
    """A chip within its project: QDash allows the same `chip_id` in several projects, so both are always needed."""

    project_id: str
    chip_id: str


@dataclass(frozen=True, slots=True)
class ChipRecord:
    """A chip as QDash lists it; `topology_id` is null in old documents, `size` is the number of qubits."""

    ref: ChipRef
    size: int
    topology_id: str | None
    activity_status: str
    current_cooldown_id: str | None
    installed_at: datetime | None


class ParameterRow(NamedTuple):
    """One parameter record: `value` and `error` are NaN when missing, `calibrated_at` is UTC or None.

    `flag` says in words why there is no value that counts: `no fit` (stored as 0), `unreadable: …`, `impossible: …`,
    `12 dB, not μs`; of a current value also, after `excluded:`, which one was left out in its favour.
    """

    parameter: str
    value: float
    error: float
    unit: str
    calibrated_at: datetime | None
    execution_id: str
    task_id: str
    flag: str = ""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task of a run (`task_result_history`), of any status. `qid` is empty for tasks of the whole chip, `elapsed_s`
    NaN when unknown. `json_figure_path` and `raw_data_path` are paths on QDash's machine. A date that cannot be is
    None, and `flag` says which.
    """

    task_id: str
    task_name: str
    qid: str
    status: str
    execution_id: str
    cooldown_id: str
    tags: tuple[str, ...]
    start_at: datetime | None
    end_at: datetime | None
    elapsed_s: float
    message: str
    excluded: bool
    excluded_reason: str
    outputs: tuple[ParameterRow, ...]
    json_figure_path: tuple[str, ...] = ()
    raw_data_path: tuple[str, ...] = ()
    flag: str = ""


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """The rest of one task's document: what it started from, how it was run, how well it fitted, what people wrote.

    `run_parameters` are JSON values as stored; `figures` are the paths of pictures on QDash's machine.
    """

    inputs: tuple[ParameterRow, ...]
    run_parameters: Mapping[str, Any]
    quality: Mapping[str, float]
    figures: tuple[str, ...]
    note: str
    review: str


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a flow (`execution_history`). A date that cannot be is None, and `flag` says which."""

    execution_id: str
    name: str
    status: str
    tags: tuple[str, ...]
    start_at: datetime | None
    end_at: datetime | None
    elapsed_s: float
    message: str
    username: str
    flag: str = ""


@dataclass(frozen=True, slots=True)
class CalibrationNote:
    """The machine state that a run wrote down; `note` holds JSON values, by kind, then by label (`Q07`)."""

    execution_id: str
    task_id: str
    at: datetime | None
    note: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ParameterVersion:
    """One version of a parameter (`parameter_versions`): an entity of the provenance graph.

    `valid_from` is when it was written, not when it was measured; `valid_until` is None for the current one. Chips of
    one project share a line of version numbers.
    """

    entity_id: str
    chip_id: str
    parameter: str
    qid: str
    value: float | str | None
    unit: str
    error: float
    version: int | None
    valid_from: datetime | None
    valid_until: datetime | None
    execution_id: str
    task_id: str
    task_name: str


@dataclass(frozen=True, slots=True)
class ProvenanceActivity:
    """One task as the provenance graph knows it."""

    activity_id: str
    task_name: str
    qid: str
    status: str
    execution_id: str
    task_id: str
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ProvenanceRelation:
    """An edge of the provenance graph, from what was made to what it was made of."""

    relation: str
    source_id: str
    target_id: str


@dataclass(frozen=True, slots=True)
class Cooldown:
    """A cool-down of a cryostat; `ended_at` is None while it runs."""

    cooldown_id: str
    description: str
    started_at: datetime | None
    ended_at: datetime | None
    chip_ids: tuple[str, ...]


NoteKind: TypeAlias = Literal["chip", "qubit", "coupling", "task", "issue", "knowledge", "forum", "cooldown"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a user wrote down about the chip, one of its elements, a task or a cool-down.

    `target` is what it is about (`7`, `4-1`, a task id, a cool-down id; empty for the chip), `metric` the parameter if
    it is about one, `status` the state of an issue, a forum post or a piece of knowledge. `qid` is the qubit or
    coupling that it is about, also by way of a task; empty where none is known.
    """

    kind: NoteKind
    target: str
    qid: str
    metric: str
    title: str
    content: str
    by: str
    at: datetime | None
    status: str
    note_id: str


@dataclass(frozen=True, slots=True)
class IssuePost:
    """A post of an issue's thread; the first one is the issue itself."""

    content: str
    by: str
    at: datetime | None
    is_ai_reply: bool


@dataclass(frozen=True, slots=True)
class IssueThread:
    """An issue about a result, with what was answered, oldest first; `task_id` is empty where it names no task."""

    issue_id: str
    project_id: str
    task_id: str
    title: str
    posts: tuple[IssuePost, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a reader reads: for the screen, so without user names and passwords.

    `as_of` is the moment a snapshot was taken, from which its ages count; None for a live database.
    """

    kind: Literal["snapshot", "mongodb"]
    label: Text
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class DataProblem:
    """A value in the database that could not be read as what it should be; it counts as missing."""

    collection: str
    document_id: str
    field: str
    problem: str
