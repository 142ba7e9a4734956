"""Values in words: with error and unit, against the thresholds, and against earlier ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qdash_jupyter.data.records import ParameterRow
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_text
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.methods.level_change import FEWEST_FOR_TREND, level_change
from qdash_jupyter.tools.statistics import TREND_OF, shown_change, verdict_of

_MOST_CHARS = 120
_LONG_LIST = 8


def in_words(row: ParameterRow | Any, metrics: MetricTable) -> str:
    """`61.4 ± 1.9 μs`, `97.72 ± 0.10 %`, `4.8123457 GHz ± 1.2 kHz`; why there is no value."""
    metric = metrics.of(row.parameter, row.unit)
    if math.isnan(row.value):
        return str(row.flag)
    unit = metric.unit if metric.scale != 1 else row.unit
    return with_error(row.value * metric.scale, row.error * metric.scale, unit)


def against(row: ParameterRow, earlier: Sequence[ParameterRow], metrics: MetricTable) -> JsonObject:
    """A value against the same output of earlier runs, oldest first: their median and range, and the trend test."""
    metric = metrics.of(row.parameter, row.unit)
    series = [one for one in [*earlier, row] if not math.isnan(one.value)]
    before = [one.value for one in earlier if not math.isnan(one.value)]
    found: JsonObject = {"value": in_words(row, metrics)}
    if metric.scoring is not None and not math.isnan(row.value):
        found["grade"] = metric.scoring.grade(row.value * metric.scale)
    if before:
        low, middle, high = (
            in_words(row._replace(value=float(at), error=math.nan), metrics)
            for at in (min(before), np.median(before), max(before))
        )
        found["earlier"] = {"runs": len(before), "median": middle, "range": f"{low} … {high}"}
    change = level_change(np.array([one.value for one in series]), np.array([one.error for one in series]))
    if change is None:
        found["trend"] = f"too few measurements ({len(series)} of {FEWEST_FOR_TREND})"
    elif (trend := TREND_OF[verdict_of(change, metric)]) in {"up", "down"}:
        found["trend"] = f"{trend} {shown_change(change, metric)}"
        found["worse"] = _is_worse(change.absolute, metric)
    else:
        found["trend"] = "none beyond noise" if trend == "stable" else trend
    return found


def settings(raw: Mapping[str, Any]) -> dict[str, str]:
    """Run parameters in words."""
    found = {}
    for name, record in raw.items():
        value, unit = (record.get("value"), record.get("unit")) if isinstance(record, Mapping) else (record, "")
        if isinstance(value, list) and len(value) > _LONG_LIST:
            value = f"{len(value)} values from {value[0]} to {value[-1]}"
        found[name] = compact_text(f"{value} {unit or ''}".strip(), _MOST_CHARS)
    return found


def _is_worse(change: float, metric: Metric) -> bool:
    """Whether a change that counts is for the worse: against the thresholds' direction, or any move of a frequency."""
    if metric.scoring is None:
        return metric.unit == "GHz"
    return (change < 0) == metric.scoring.higher_is_better
