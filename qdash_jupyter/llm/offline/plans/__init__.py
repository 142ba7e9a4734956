"""One plan a file; `PLANS` says which question goes to which."""

from __future__ import annotations

from collections.abc import Callable

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.intent import Intent, Kind
from qdash_jupyter.llm.offline.plan import Plan
from qdash_jupyter.llm.offline.plans.change import change
from qdash_jupyter.llm.offline.plans.compare import compare
from qdash_jupyter.llm.offline.plans.health import health
from qdash_jupyter.llm.offline.plans.lookups import heatmap, neighbours, parameters, unknown
from qdash_jupyter.llm.offline.plans.ranking import ranking
from qdash_jupyter.llm.offline.plans.trend import trend
from qdash_jupyter.llm.offline.plans.unmeasured import unmeasured

PLANS: dict[Kind, Callable[[Intent, MetricTable, str], Plan]] = {
    Kind.HEALTH: health,
    Kind.CHANGE: change,
    Kind.WORST: ranking,
    Kind.UNMEASURED: unmeasured,
    Kind.TREND: trend,
    Kind.COMPARE: compare,
    Kind.HEATMAP: heatmap,
    Kind.PARAMETERS: parameters,
    Kind.NEIGHBOURS: neighbours,
    Kind.UNKNOWN: unknown,
}
"""A plan takes the intent, the metrics, and the question's own words."""
