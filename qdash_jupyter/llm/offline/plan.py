"""The form of a plan: a generator that yields calls, is sent their results, and returns the answer.

The planner keeps no state: for each round it runs the plan again over the results that stand in the conversation, up to
the first calls that have none yet. So a plan has to be a function of the question and the results alone.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from qdash_jupyter.domain.answer import Assessment, JsonObject
from qdash_jupyter.domain.told_table import rows_of
from qdash_jupyter.domain.tool_call import ToolFailure
from qdash_jupyter.messages.message import Message, Text, sentences

CODE = "execute_python_analysis"
_LONGEST_PURPOSE = 200


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that the plan wants to make."""

    tool: str
    arguments: JsonObject


def planned(tool: str, **arguments: Any) -> PlannedCall:
    """A call with those of the arguments that are given: not None."""
    return PlannedCall(tool, {name: value for name, value in arguments.items() if value is not None})


BADNESS: Mapping[Assessment | None, int] = {None: 0, "good": 1, "warning": 2, "bad": 3}
"""Of several assessments the worst holds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of a plan: Markdown, and the judgement about the chip (None where it only informs)."""

    text: str
    assessment: Assessment | None = None


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call gave: the JSON that any model would read, and why it failed, where that is known."""

    content: JsonObject
    failure: ToolFailure | None = None

    @property
    def failed(self) -> bool:
        """Whether the tool refused or the code did not run to its end."""
        return "error" in self.content or self.content.get("status") in {"error", "rejected", "interrupted", "inserted"}

    @property
    def why(self) -> Text:
        """The tool's own words about its failure."""
        if self.failure is not None:
            return sentences(self.failure.message, self.failure.hint)
        if "error" in self.content:
            return f"{self.content['error']} {self.content.get('try_instead', '')}".strip()
        if self.content.get("status") in {"rejected", "inserted"}:
            return f"{self.content.get('reason', '')} {self.content.get('try_instead', '')}".strip()
        return str(self.content.get("traceback", "")).strip().split("\n")[-1]

    @property
    def rows(self) -> list[dict[str, Any]] | None:
        """The rows of a read, where they were few enough to be told; otherwise it is a summary of what is stored."""
        told = [table for table in self.content.values() if isinstance(table, dict) and "rows" in table]
        return rows_of(told[0]) if told else self.content.get("rows")

    def unit_of(self, table: str, column: str) -> str:
        """The unit of a column of a summary's table, as its schema says it, or the units of all tables."""
        if "_schema" not in self.content[table]:
            return str(self.content.get("units", {}).get(column, ""))
        schema = (*self.content[table]["_schema"], *self.content[table].get("same", ()))
        named = (each.partition(":") for each in schema)
        return next((unit for name, _, unit in named if name == column), "")


Plan: TypeAlias = Generator[Sequence[PlannedCall], Sequence[CallOutcome], Finding]
ManySteps: TypeAlias = Generator[Sequence[PlannedCall], Sequence[CallOutcome], list[CallOutcome]]


class PlanFailed(Exception):
    """A step gave nothing to go on with."""

    def __init__(self, why: Text) -> None:
        """`why` is for the user."""
        super().__init__(str(why))
        self.why = why


@dataclass(slots=True)
class Cells:
    """Writes analysis cells, and remembers which names they have got in place of the user's."""

    renamed: dict[str, str] = field(default_factory=dict)

    def run_all(self, cells: Sequence[tuple[str, str]]) -> ManySteps:
        """Run several cells in one round, in order: the code of each, and its purpose.

        Raises:
            PlanFailed: some code raised or was refused; says why.
        """
        if not cells:  # a round without calls would be an answer
            return []
        outcomes = yield [
            PlannedCall(CODE, {"code": self._with_names(code), "purpose": _cut(purpose)}) for code, purpose in cells
        ]
        for outcome in outcomes:
            if outcome.failed:
                raised = outcome.content.get("status") == "error"
                raise PlanFailed(Message("plan-code-failed", why=outcome.why) if raised else outcome.why)
            self.renamed |= outcome.content.get("renamed", {})
        return list(outcomes)

    def _with_names(self, code: str) -> str:
        for old, new in self.renamed.items():
            name = rf"(?<![\w.\"']){re.escape(old)}(?![\w\"']|=(?!=))"  # no part of a text, no keyword of a call
            code = "\n".join(
                re.sub(name, f"{old} as {new}" if line.startswith("from ") else new, line) for line in code.split("\n")
            )
        return code


def _cut(purpose: str) -> str:
    """A purpose as long as the tool takes one."""
    return purpose if len(purpose) <= _LONGEST_PURPOSE else f"{purpose[: _LONGEST_PURPOSE - 1].rstrip()}…"
