"""One operation for each thing that can be asked: `OPERATIONS`.

operation  what an operation is; those that reads alone answer, and asking back
questions  what is asked back
code       cells as text
records, curves, values, lineage, chip   what is read, in words
tables     the table of values that a question is about: its read, its lines of a cell, its conditions
reliable   what of it is left where unreliable fits are left out
select, spread   which elements; statistics and relations
over_time  the read of series, and a method on each of them
change, trend, compare, health   changes; trends, windows, fits; side by side and unmeasured; all of it
"""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.llm.offline.operations import (
    change,
    chip,
    compare,
    curves,
    health,
    lineage,
    records,
    select,
    spread,
    trend,
    values,
)
from qdash_jupyter.llm.offline.operations.operation import RANGE, Operation, asking, lookup
from qdash_jupyter.llm.offline.query import Asked

__all__ = ["OPERATIONS", "Operation"]

_TAGGED = ("details.tags", "details.cooldown_id")
_SCOPE = ("metrics", "qids", "without", "element", "conditions", "any_of", "window", "reliable", *_TAGGED)
"""What a table of values heeds: whose values, and of when."""

_TOLD = ("list", "plot")
_ONE = ("metrics", "qids")
_OF_RUNS = ("cooldown_id", "tags", "last_n")

OPERATIONS: Mapping[Asked, Operation] = {
    Asked.SELECT: asking(
        select.select, *_SCOPE, "order", "count", "how_many", "statistic", "errors", "low", "good", forms=_TOLD
    ),
    Asked.CHANGE: asking(change.change, *_SCOPE, "direction", "by", "count", "how_many", "errors", "why", forms=_TOLD),
    Asked.TREND: asking(trend.trend, *_SCOPE, "order", "count", "errors", "why", forms=_TOLD),
    Asked.WINDOWS: asking(trend.windows, *_SCOPE, "against", "count", "errors", "direction", forms=_TOLD),
    Asked.FIT: asking(trend.fit, *_SCOPE, "fit", "count", needs=("metrics",), forms=_TOLD),
    Asked.SPREAD: asking(
        spread.spread, *_SCOPE, "statistic", "order", "errors", needs=("metrics",), forms=("histogram", *_TOLD)
    ),
    Asked.RELATION: asking(spread.relate, *_SCOPE, "statistic", "errors", forms=("scatter", *_TOLD)),
    Asked.HEALTH: asking(health.health, "why"),
    Asked.COMPARE: asking(compare.compare, "metrics", "qids", "without", "window", *_TAGGED, "errors", forms=_TOLD),
    Asked.COMPARE_WHAT: asking(compare.compare_what, "metrics", "qids", "details.neighbours", "errors", forms=_TOLD),
    Asked.UNMEASURED: asking(
        compare.unmeasured,
        *("metrics", "qids", "without", "element", "window", "dead", "how_many"),
        single=("metrics",),
    ),
    Asked.MAP: asking(chip.heatmap, "metrics", "window", "statistic", "order", forms=("map", "plot")),
    Asked.VALUES: lookup("get_qubit_params", values.qubit_values, ("qid",), ("param_names",)),
    Asked.COUPLING_VALUES: lookup(
        "get_coupling_params",
        values.coupling_values,
        takes=("coupling_id", "qubit_id", "param_names"),
        needed=("qids",),
    ),
    Asked.MEASUREMENTS: lookup(
        "get_parameter_timeseries",
        records.measurements,
        ("parameter_name", "qid"),
        (*RANGE, *_OF_RUNS),
        heeds=("how_many",),
    ),
    Asked.LATEST_RESULT: lookup("get_latest_task_result", records.latest_result, ("qid",), ("task_name",)),
    Asked.RESULT_HISTORY: lookup(
        "get_task_history", records.result_history, ("qid",), ("task_name", "last_n", "include_excluded")
    ),
    Asked.CURVE: curves.judging(
        lookup("get_result_curves", curves.curve, takes=(*RANGE, "task_name", "qid", "last_n"))
    ),
    Asked.RESULTS: lookup(
        "search_task_results",
        records.results,
        takes=(*RANGE, "task_name", "qid", "status", "execution_id", *_OF_RUNS),
        heeds=("how_many",),
        few=5,
    ),
    Asked.RUNS: lookup(
        "get_execution_history", records.runs, takes=(*RANGE, "status", "tags", "last_n"), heeds=("how_many",)
    ),
    Asked.MACHINE_STATE: lookup(
        "get_calibration_notes", records.machine_states, takes=(*RANGE, "execution_id", "kind", "qid", "last_n")
    ),
    Asked.NOTES: lookup(
        "search_notes", records.notes, takes=(*RANGE, "text", "qid", "kind", "last_n"), heeds=("details.is_open",)
    ),
    Asked.VERSIONS: lookup("get_parameter_lineage", records.versions, ("parameter_name", "qid"), ("last_n",)),
    Asked.ORIGIN: asking(lineage.origin, *_ONE, "details.entity_id", needs=_ONE, single=_ONE),
    Asked.PARAMETERS: lookup("list_available_parameters", chip.parameters, takes=("qid",)),
    Asked.NEIGHBOURS: lookup("get_chip_topology", chip.neighbours, heeds=("qids", "how_many")),
    Asked.UNKNOWN: Operation(chip.unknown, frozenset()),
}
