"""What a question asks for, as the plans take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.spans import Window

Language = Literal["en", "ja"]
Selection = Literal["latest", "best", "average"]


class Kind(StrEnum):
    """The questions that have a plan."""

    HEALTH = "health"
    CHANGE = "change"
    WORST = "worst"
    UNMEASURED = "unmeasured"
    TREND = "trend"
    COMPARE = "compare"
    HEATMAP = "heatmap"
    PARAMETERS = "parameters"
    NEIGHBOURS = "neighbours"
    COMPARE_WHAT = "compare_what"
    VALUES = "values"
    COUPLING_VALUES = "coupling_values"
    MEASUREMENTS = "measurements"
    LATEST_RESULT = "latest_result"
    RESULT_HISTORY = "result_history"
    RESULTS = "results"
    RUNS = "runs"
    MACHINE_STATE = "machine_state"
    NOTES = "notes"
    VERSIONS = "versions"
    ORIGIN = "origin"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """Which way a change has to go to count."""

    DOWN = "down"
    UP = "up"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Limit:
    """A line that the question draws: values `below` it (or above). Without a value it is the lab's own, for "bad"."""

    below: bool | None = None
    value: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A question as the plans take it."""

    kind: Kind
    language: Language = "en"
    parameters: tuple[str, ...] = ()
    qids: tuple[str, ...] = ()
    chip_id: str | None = None
    direction: Direction = Direction.EITHER
    window: Window = field(default_factory=Window)
    count: int = 5
    best: bool = False
    selection: Selection = "latest"
    limit: Limit | None = None
    """Of a ranking: name only the ones beyond this line."""
    by: Limit | None = None
    """Of a change: the smallest that the question wants to hear of."""
    why: bool = False
    """Whether the question also asks for the cause, which no plan can tell."""
    dead_only: bool = False
    """Of unmeasured qubits: the ones that never gave a result."""
    unclear: tuple[str, ...] = ()
    """What the first of `parameters` may mean as well, itself among them: "fidelity", "T2"."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """What else it says, by the name of the tools' argument: `task_name`, `execution_id`, `status`, `last_n`, …"""
    project_id: str | None = None

    def argument(self, name: str) -> Any:
        """What it says for an argument of a tool; None where it says nothing."""
        one = self.qids[0] if self.qids else None
        coupling = one is not None and is_coupling(one)
        found = {
            "qid": one,
            "coupling_id": one if coupling else None,
            "qubit_id": None if coupling else one,
            "qids": list(self.qids) or None,
            "parameter_name": self.parameters[0] if self.parameters else None,
            "param_names": list(self.parameters) or None,
            "since": self.window.since,
            "until": self.window.until,
        }
        return found[name] if name in found else self.said.get(name)
