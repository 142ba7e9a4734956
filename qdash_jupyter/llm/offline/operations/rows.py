"""The questions that one table answers: `ROWS`."""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.llm.offline.grammar.query import Asked
from qdash_jupyter.llm.offline.operations import attention, of_results, of_series, of_values
from qdash_jupyter.llm.offline.operations.row import Row

ROWS: Mapping[Asked, Row] = {
    Asked.VALUES: of_values.VALUES,
    Asked.COMPARE: of_values.COMPARE,
    Asked.ALLAN: of_series.ALLAN,
    Asked.TELEGRAPH: of_series.TELEGRAPH,
    Asked.WHEN_CHANGED: of_series.WHEN_CHANGED,
    Asked.DIFFERENCE: of_series.DIFFERENCE,
    Asked.AGE: of_series.AGE,
    Asked.MEASUREMENTS: of_series.NTH,
    Asked.STATISTIC: of_series.PER,
    Asked.EXCLUDED: of_results.EXCLUDED,
    Asked.RESULTS: of_results.COUNTED,
    Asked.RUNS: of_results.RUNS_IN_ORDER,
    Asked.VERDICT: attention.VERDICT,
    Asked.HEALTH: attention.HEALTH,
    Asked.RECALIBRATE: attention.RECALIBRATE,
    Asked.BEST_SET: attention.PATCH,
    Asked.CHAIN: attention.PATCH,
}
"""How the kinds of questions are answered that one table answers."""
