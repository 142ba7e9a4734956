"""One plan a file; `PLANS` and `LOOKUPS` say which question goes to which."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.clarifying import ClarifyingQuestion
from qdash_jupyter.llm.offline.intent import Intent, Kind
from qdash_jupyter.llm.offline.phrases import NO_END
from qdash_jupyter.llm.offline.plan import Finding, Plan
from qdash_jupyter.llm.offline.plans.change import change
from qdash_jupyter.llm.offline.plans.compare import compare
from qdash_jupyter.llm.offline.plans.current_values import coupling_values, qubit_values
from qdash_jupyter.llm.offline.plans.health import health
from qdash_jupyter.llm.offline.plans.lineage import origin, versions
from qdash_jupyter.llm.offline.plans.lookup import RANGE, Lookup
from qdash_jupyter.llm.offline.plans.lookups import heatmap, neighbours, parameters, unknown
from qdash_jupyter.llm.offline.plans.measurements import measurements
from qdash_jupyter.llm.offline.plans.questions import compare_what, which_parameter, which_qubit
from qdash_jupyter.llm.offline.plans.ranking import ranking
from qdash_jupyter.llm.offline.plans.results import latest_result, result_history, results, runs
from qdash_jupyter.llm.offline.plans.trend import trend
from qdash_jupyter.llm.offline.plans.unmeasured import unmeasured
from qdash_jupyter.llm.offline.plans.written import machine_states, notes

LOOKUPS: dict[Kind, Lookup] = {
    Kind.VALUES: Lookup("get_qubit_params", qubit_values, ("qid",), ("param_names",)),
    Kind.COUPLING_VALUES: Lookup(
        "get_coupling_params", coupling_values, takes=("coupling_id", "qubit_id", "param_names")
    ),
    Kind.MEASUREMENTS: Lookup(
        "get_parameter_timeseries", measurements, ("parameter_name", "qid"), (*RANGE, "cooldown_id", "tags", "last_n")
    ),
    Kind.LATEST_RESULT: Lookup("get_latest_task_result", latest_result, ("qid",), ("task_name",)),
    Kind.RESULT_HISTORY: Lookup(
        "get_task_history", result_history, ("qid",), ("task_name", "last_n", "include_excluded")
    ),
    Kind.RESULTS: Lookup(
        "search_task_results",
        results,
        takes=(*RANGE, "task_name", "qid", "status", "execution_id", "cooldown_id", "tags", "last_n"),
    ),
    Kind.RUNS: Lookup("get_execution_history", runs, takes=(*RANGE, "status", "tags", "last_n")),
    Kind.MACHINE_STATE: Lookup(
        "get_calibration_notes", machine_states, takes=(*RANGE, "execution_id", "kind", "qid", "last_n")
    ),
    Kind.NOTES: Lookup("search_notes", notes, takes=(*RANGE, "text", "qid", "kind", "last_n")),
    Kind.VERSIONS: Lookup("get_parameter_lineage", versions, ("parameter_name", "qid"), ("last_n",)),
}
"""The questions that one read answers."""

PLANS: Mapping[Kind, Callable[[Intent, MetricTable, str], Plan]] = {
    Kind.HEALTH: health,
    Kind.CHANGE: change,
    Kind.WORST: ranking,
    Kind.UNMEASURED: unmeasured,
    Kind.TREND: trend,
    Kind.COMPARE: compare,
    Kind.COMPARE_WHAT: compare_what,
    Kind.HEATMAP: heatmap,
    Kind.PARAMETERS: parameters,
    Kind.NEIGHBOURS: neighbours,
    Kind.ORIGIN: origin,
    Kind.UNKNOWN: unknown,
    **{kind: lookup.plan for kind, lookup in LOOKUPS.items()},
}
"""A plan takes the intent, the metrics, and the question's own words."""


def plan_of(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """The plan of a question; asks back where the question leaves open what it needs."""
    lookup = LOOKUPS.get(intent.kind)
    if intent.window.until is not None and "until" not in (lookup.takes if lookup else ()):
        return Finding(NO_END[intent.language])
    needs = _needs(intent, lookup)
    if intent.unclear or ("parameter_name" in needs and not intent.parameters):
        found = yield from which_parameter(intent, metrics)
        if isinstance(found, ClarifyingQuestion):
            return found
        intent = found
    if "qid" in needs and not intent.qids:
        return (yield from which_qubit(intent, metrics))
    return (yield from PLANS[intent.kind](intent, metrics, question))


def _needs(intent: Intent, lookup: Lookup | None) -> tuple[str, ...]:
    if intent.kind is Kind.ORIGIN:
        return () if intent.argument("entity_id") else ("parameter_name", "qid")
    if intent.kind is Kind.COUPLING_VALUES:
        return ("qid",)
    return lookup.needs if lookup else ()
