"""Small records that readers give: projects, chips, what a reader stands on, and documents that could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

ElementKind: TypeAlias = Literal["qubit", "coupling"]


@dataclass(frozen=True, slots=True)
class ChipRef:
    """A chip within its project: QDash allows the same `chip_id` in several projects, so both are always needed."""

    project_id: str
    chip_id: str


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """A project: the scope of nearly every collection."""

    project_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ChipRecord:
    """A chip as QDash lists it; `topology_id` is null in old documents, `size` is the number of qubits."""

    ref: ChipRef
    size: int
    topology_id: str | None
    activity_status: str
    current_cooldown_id: str | None
    installed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Origin:
    """What a reader reads: for the screen, so without user names and passwords.

    `as_of` is the moment a snapshot was taken, from which its ages count; None for a live database.
    """

    kind: Literal["snapshot", "mongodb"]
    label: str
    as_of: datetime | None = None
    is_demo: bool = False


@dataclass(frozen=True, slots=True)
class DataProblem:
    """A value in the database that could not be read as what it should be; it counts as missing."""

    collection: str
    document_id: str
    field: str
    problem: str
