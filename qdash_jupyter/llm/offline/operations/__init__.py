"""One operation for each thing that can be asked: `OPERATIONS`.

operation  what an operation is; those that reads alone answer, and asking back
questions  what is asked back
values, results, measurements, written, lineage, chip   what is read, in words
"""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.llm.offline.operations.chip import heatmap, neighbours, parameters, unknown
from qdash_jupyter.llm.offline.operations.lineage import origin, versions
from qdash_jupyter.llm.offline.operations.measurements import measurements
from qdash_jupyter.llm.offline.operations.operation import RANGE, Operation, asking, lookup
from qdash_jupyter.llm.offline.operations.results import latest_result, result_history, results, runs
from qdash_jupyter.llm.offline.operations.values import coupling_values, qubit_values
from qdash_jupyter.llm.offline.operations.written import machine_states, notes
from qdash_jupyter.llm.offline.query import Asked

__all__ = ["OPERATIONS", "Operation"]

_OF_RUNS = ("cooldown_id", "tags", "last_n")

OPERATIONS: Mapping[Asked, Operation] = {
    Asked.MAP: asking(heatmap, "metrics", "window", "statistic", "order", "form"),
    Asked.VALUES: lookup("get_qubit_params", qubit_values, ("qid",), ("param_names",)),
    Asked.COUPLING_VALUES: lookup(
        "get_coupling_params", coupling_values, takes=("coupling_id", "qubit_id", "param_names"), needed=("qids",)
    ),
    Asked.MEASUREMENTS: lookup(
        "get_parameter_timeseries", measurements, ("parameter_name", "qid"), (*RANGE, *_OF_RUNS)
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
    Asked.NEIGHBOURS: lookup("get_chip_topology", neighbours, heeds=("qids",)),
    Asked.UNKNOWN: Operation(unknown, frozenset()),
}
