"""The outcome of a comparison of levels, as plans and their words take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.code.changes import ChangeRule


@dataclass(frozen=True, slots=True)
class Changes:
    """The outcome for one parameter: rows of the analysis, by verdict."""

    metric: Metric
    rule: ChangeRule
    key: str
    moved: list[dict[str, Any]]
    too_few: list[str]
    not_measured: list[str]
    measured: int
    unlisted: int = 0

    @property
    def qids(self) -> list[str]:
        """The ids that moved, largest change first."""
        return [str(row["qid"]) for row in self.moved]
