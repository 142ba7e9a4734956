"""One operation for each thing that can be asked: `OPERATIONS`.

operation  what an operation is; those that reads alone answer, and asking back
questions  what is asked back
records, values, lineage, chip   what is read, in words
tables     the table of values that a question is about: its read, its lines of a cell, its conditions
select, spread   which elements; statistics and relations
over_time  the read of series, and a method on each of them
change, trend, compare, health   changes; trends, windows, fits; side by side and unmeasured; all of it
"""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.llm.offline.operations.change import change
from qdash_jupyter.llm.offline.operations.chip import heatmap, neighbours, parameters, unknown
from qdash_jupyter.llm.offline.operations.compare import compare, compare_what, unmeasured
from qdash_jupyter.llm.offline.operations.health import health
from qdash_jupyter.llm.offline.operations.lineage import origin
from qdash_jupyter.llm.offline.operations.operation import RANGE, Operation, asking, lookup
from qdash_jupyter.llm.offline.operations.records import (
    latest_result,
    machine_states,
    measurements,
    notes,
    result_history,
    results,
    runs,
    versions,
)
from qdash_jupyter.llm.offline.operations.select import select
from qdash_jupyter.llm.offline.operations.spread import relate, spread
from qdash_jupyter.llm.offline.operations.trend import fit, trend, windows
from qdash_jupyter.llm.offline.operations.values import coupling_values, qubit_values
from qdash_jupyter.llm.offline.query import Asked

__all__ = ["OPERATIONS", "Operation"]

_SCOPE = (
    "metrics",
    "qids",
    "without",
    "element",
    "conditions",
    "any_of",
    "window",
    "details.tags",
    "details.cooldown_id",
)
"""What a table of values heeds: whose values, and of when."""

_OF_RUNS = ("cooldown_id", "tags", "last_n")

OPERATIONS: Mapping[Asked, Operation] = {
    Asked.SELECT: asking(select, *_SCOPE, "order", "count", "how_many", "statistic", "form", "errors", "low", "good"),
    Asked.CHANGE: asking(change, *_SCOPE, "direction", "by", "count", "how_many", "form", "errors", "why"),
    Asked.TREND: asking(trend, *_SCOPE, "count", "form", "errors", "why"),
    Asked.WINDOWS: asking(windows, *_SCOPE, "against", "count", "form", "errors", "direction"),
    Asked.FIT: asking(fit, *_SCOPE, "fit", "count", "form", needs=("metrics",)),
    Asked.SPREAD: asking(spread, *_SCOPE, "statistic", "order", "form", "errors", needs=("metrics",)),
    Asked.RELATION: asking(relate, *_SCOPE, "statistic", "form", "errors"),
    Asked.HEALTH: asking(health, "why"),
    Asked.COMPARE: asking(
        compare, "metrics", "qids", "without", "window", "details.tags", "details.cooldown_id", "form", "errors"
    ),
    Asked.COMPARE_WHAT: asking(compare_what, "metrics", "qids", "details.neighbours", "form", "errors"),
    Asked.UNMEASURED: asking(unmeasured, "metrics", "qids", "without", "element", "window", "dead", "how_many"),
    Asked.MAP: asking(heatmap, "metrics", "window", "statistic", "order", "form"),
    Asked.VALUES: lookup("get_qubit_params", qubit_values, ("qid",), ("param_names",)),
    Asked.COUPLING_VALUES: lookup(
        "get_coupling_params", coupling_values, takes=("coupling_id", "qubit_id", "param_names"), needed=("qids",)
    ),
    Asked.MEASUREMENTS: lookup(
        "get_parameter_timeseries", measurements, ("parameter_name", "qid"), (*RANGE, *_OF_RUNS), heeds=("how_many",)
    ),
    Asked.LATEST_RESULT: lookup("get_latest_task_result", latest_result, ("qid",), ("task_name",)),
    Asked.RESULT_HISTORY: lookup(
        "get_task_history", result_history, ("qid",), ("task_name", "last_n", "include_excluded")
    ),
    Asked.RESULTS: lookup(
        "search_task_results",
        results,
        takes=(*RANGE, "task_name", "qid", "status", "execution_id", *_OF_RUNS),
        heeds=("how_many",),
        few=5,
    ),
    Asked.RUNS: lookup("get_execution_history", runs, takes=(*RANGE, "status", "tags", "last_n"), heeds=("how_many",)),
    Asked.MACHINE_STATE: lookup(
        "get_calibration_notes", machine_states, takes=(*RANGE, "execution_id", "kind", "qid", "last_n")
    ),
    Asked.NOTES: lookup(
        "search_notes", notes, takes=(*RANGE, "text", "qid", "kind", "last_n"), heeds=("details.is_open",)
    ),
    Asked.VERSIONS: lookup("get_parameter_lineage", versions, ("parameter_name", "qid"), ("last_n",)),
    Asked.ORIGIN: asking(origin, "metrics", "qids", "details.entity_id", needs=("metrics", "qids")),
    Asked.PARAMETERS: lookup("list_available_parameters", parameters, takes=("qid",)),
    Asked.NEIGHBOURS: lookup("get_chip_topology", neighbours, heeds=("qids", "how_many")),
    Asked.UNKNOWN: Operation(unknown, frozenset()),
}
