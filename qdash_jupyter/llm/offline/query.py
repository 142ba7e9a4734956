"""What an operation is given: `Query`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Literal

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.query import Amount, Condition
from qdash_jupyter.llm.offline.phrases import Say
from qdash_jupyter.llm.offline.times import EVER, Window, moment_text
from qdash_jupyter.messages.languages import Language

__all__ = ["EVER", "Amount", "Asked", "Condition", "Direction", "Query", "Window", "moment_text"]


class Asked(StrEnum):
    """The operation: each kind has one (`qdash_jupyter.llm.offline.operations`)."""

    CHANGE = "change"
    SELECT = "select"
    """Which elements: by conditions, by order, or how many of them."""
    SPREAD = "spread"
    """A statistic or a histogram of one metric."""
    RELATION = "relation"
    """Of two metrics: how they are correlated, or a scatter plot."""
    WINDOWS = "windows"
    """Two windows of one metric against each other."""
    FIT = "fit"
    TREND = "trend"
    MAP = "map"
    UNMEASURED = "unmeasured"
    VALUES = "values"
    COUPLING_VALUES = "coupling_values"
    MEASUREMENTS = "measurements"
    LATEST_RESULT = "latest_result"
    RESULT_HISTORY = "result_history"
    CURVE = "curve"
    """Whether a value can be trusted: its points fitted anew."""
    RESULTS = "results"
    RUNS = "runs"
    MACHINE_STATE = "machine_state"
    NOTES = "notes"
    VERSIONS = "versions"
    ORIGIN = "origin"
    PARAMETERS = "parameters"
    NEIGHBOURS = "neighbours"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """Which way a change has to go to count."""

    DOWN = "down"
    UP = "up"
    EITHER = "either"


Order = Literal["worst", "best", "lowest", "highest"]
"""`worst` and `best` as the metric says, `lowest` and `highest` as numbers."""

Statistic = Literal["median", "mean", "lowest", "highest", "deviation"]

Form = Literal["histogram", "scatter", "map", "plot", "list"]
"""How the answer is to look."""


@dataclass(frozen=True, slots=True)
class Query:
    """What an operation is given. What the question does not say is at its default."""

    asked: Asked
    language: Language = "en"
    metrics: tuple[str, ...] = ()
    qids: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Ids that are taken out: "except Q5"."""
    element: Literal["qubit", "coupling"] | None = None
    conditions: tuple[Condition, ...] = ()
    any_of: bool = False
    """Whether one of the conditions is enough."""
    window: Window = field(default_factory=Window)
    against: Window | None = None
    """The second of two windows that are compared."""
    direction: Direction | None = None
    by: Amount | None = None
    """The smallest change that the question wants to hear of."""
    order: Order | None = None
    count: int | None = None
    how_many: bool = False
    statistic: Statistic | None = None
    form: Form | None = None
    fit: Literal["line", "exponential"] | None = None
    errors: bool = False
    """Whether it speaks of errors where a fidelity is stored, 1 - fidelity: so do its conditions and its order."""
    low: bool = False
    """Whether "bad", "low" without a number is meant: the lab's own limit."""
    good: bool = False
    why: bool = False
    reliable: bool = False
    """Whether values of unreliable fits are to be left out."""
    dead: bool = False
    """Of what was not measured: only what never gave a result."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else it says, by the name of the tools' argument: `task_name`, `execution_id`, `status`, `last_n`, …"""
    now: datetime = datetime(9999, 12, 31, tzinfo=UTC)
    """When it is asked, as the database counts."""
    chip_id: str | None = None
    project_id: str | None = None

    @property
    def of_runs(self) -> bool:
        """Whether it names tags or a cool-down."""
        return not {"tags", "cooldown_id"}.isdisjoint(self.details)

    @property
    def is_timed(self) -> bool:
        """Whether it is about measurements of a time, of tags or a cool-down; else about current values."""
        return self.window.is_bounded or self.of_runs

    def names_only(self, kind: str) -> bool:
        """Whether it names elements, all of them of this kind."""
        return bool(self.qids) and all(is_coupling(qid) == (kind == "coupling") for qid in self.qids)

    @property
    def say(self) -> Say:
        """What is said in its language."""
        return Say(self.language)

    def window_or(self, days: float) -> Window:
        """The window that it names, else so many days before now."""
        return self.window if self.window.is_bounded else Window(self.now - timedelta(days=days), days=days)

    def argument(self, name: str) -> Any:
        """What it says for an argument of a tool; None where it says nothing."""
        one = self.qids[0] if self.qids else None
        coupling = one is not None and is_coupling(one)
        found = {
            "qid": one,
            "coupling_id": one if coupling else None,
            "qubit_id": None if coupling else one,
            "qids": list(self.qids) or None,
            "parameter_name": self.metrics[0] if self.metrics else None,
            "param_names": list(self.metrics) or None,
            "since": self.window.since_text,
            "until": self.window.until_text,
        }
        return found[name] if name in found else self.details.get(name)
