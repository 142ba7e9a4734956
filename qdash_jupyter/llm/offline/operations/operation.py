"""The form of an operation, and the questions that reads alone answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import EVER, Query, Window
from qdash_jupyter.messages.message import Message, sentences

MOST_READS = 12
"""So many elements times parameters may one question name where each is a read of its own."""

RANGE = ("since", "until")
_FIELDS = {
    **dict.fromkeys(("qid", "qids", "qubit_id", "coupling_id"), "qids"),
    **dict.fromkeys(("parameter_name", "param_names"), "metrics"),
    **dict.fromkeys(RANGE, "window"),
}
_BADNESS: Mapping[Assessment | None, int] = {None: 0, "good": 1, "warning": 2, "bad": 3}


@dataclass(frozen=True, slots=True)
class Operation:
    """How one kind of question is answered: `plan` takes the query, the metrics and the question's own words.

    `heeds` names the fields of a query that it uses (`details.task_name` of its details). It does not answer a question
    that says anything beyond these.
    """

    plan: Callable[[Query, MetricTable, str], Plan]
    heeds: frozenset[str]
    tool: str = ""
    """The one tool that it reads with, where that is all."""


def asking(
    plan: Callable[[Query, MetricTable, str], Plan],
    *heeds: str,
    forms: tuple[str, ...] = (),
    single: tuple[str, ...] = (),
) -> Operation:
    """An operation with a plan of its own.

    Args:
        plan: its plan.
        heeds: the fields of a query that it uses.
        forms: how its answer can look.
        single: those of `qids` and `metrics` of which the plan takes one at a time.
    """

    def asked(query: Query, metrics: MetricTable, question: str) -> Plan:
        findings = []
        for one in singly(query, *single):
            finding = yield from plan(one, metrics, question)
            findings.append(finding)
        return joined(findings)

    return Operation(asked, frozenset({*heeds, *(["form"] if forms else [])}))


def lookup(
    tool: str,
    answer: Callable[[CallOutcome, Query, MetricTable], Finding],
    takes: tuple[str, ...] = (),
    *,
    heeds: tuple[str, ...] = (),
    few: int | None = None,
) -> Operation:
    """An operation that one read answers; `takes` name arguments of the tool, `few` are read where the question says
    neither how many nor when.

    Where the tool takes one element or one parameter and the question names several, each is read and told.
    """
    arguments = takes
    fields = {_FIELDS.get(name, f"details.{name}") for name in arguments}

    def plan(query: Query, metrics: MetricTable, question: str) -> Plan:
        del question
        if not query.window.is_bounded and "last_n" not in query.details:
            if query.how_many or "execution_id" in query.details:
                query = replace(query, window=Window(since=EVER))  # else the tools give the newest few
            elif few is not None:
                query = replace(query, details={**query.details, "last_n": few})
        single = singly(
            query, *(_FIELDS[name] for name in ("qid", "coupling_id", "parameter_name") if name in arguments)
        )
        calls = [{name: one.argument(name) for name in arguments} for one in single]
        outcomes = yield [
            PlannedCall(tool, {name: value for name, value in call.items() if value is not None}) for call in calls
        ]
        if all(outcome.failed for outcome in outcomes):
            raise PlanFailed(sentences(*dict.fromkeys(outcome.why for outcome in outcomes)))
        pairs = zip(outcomes, single, strict=True)
        return joined([Finding(one.say(got.why)) if got.failed else answer(got, one, metrics) for got, one in pairs])

    return replace(asking(plan, *fields, *heeds), tool=tool)


def singly(query: Query, *fields: str) -> list[Query]:
    """The query for each element and each parameter that it names, where these fields are wanted one by one.

    Raises:
        PlanFailed: they are too many.
    """
    ids: list[tuple[str, ...]] = [(qid,) for qid in query.qids] if "qids" in fields else []
    names: list[tuple[str, ...]] = [(name,) for name in query.metrics] if "metrics" in fields else []
    pairs = product(ids or [query.qids], names or [query.metrics])
    single = [replace(query, qids=qid, metrics=name) for qid, name in pairs]
    if len(single) > MOST_READS:
        raise PlanFailed(Message("plan-too-many-readings", count=len(single), most=MOST_READS))
    return single


def joined(findings: list[Finding]) -> Finding:
    """Several answers as one, with the worst judgement of them."""
    if len(findings) == 1:  # which may ask back
        return findings[0]
    worst = max((finding.assessment for finding in findings), key=_BADNESS.__getitem__)
    return Finding("\n\n".join(finding.text for finding in findings), worst)
