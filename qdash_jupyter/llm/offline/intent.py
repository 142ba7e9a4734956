"""What a question asks for, as the plans take it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

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
