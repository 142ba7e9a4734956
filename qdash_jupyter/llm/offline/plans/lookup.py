"""A question that one read answers: the tool, what the question has to name, what else it may name, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, read

RANGE = ("since", "until")


@dataclass(frozen=True, slots=True)
class Lookup:
    """`needs` and `takes` name arguments of the tool; what is needed and not said is asked for."""

    tool: str
    answer: Callable[[CallOutcome, Intent, MetricTable], Finding]
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()

    def plan(self, intent: Intent, metrics: MetricTable, question: str) -> Plan:
        """Read, and tell what there is."""
        del question
        arguments = {name: intent.argument(name) for name in (*self.needs, *self.takes)}
        return self.answer((yield from read(self.tool, **arguments)), intent, metrics)
