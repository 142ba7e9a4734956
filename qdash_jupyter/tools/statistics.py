"""Statistics of measurements, computed once, above the readers: what a change means, and what stands out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.methods.level_change import LevelChange
from qdash_jupyter.methods.smallest import Verdict, change_rule

TREND_OF = {"fell": "down", "rose": "up", "wandering": "wandering", "unclear": "unclear", "stable": "stable"}
"""What tools call a verdict."""


def verdict_of(change: LevelChange, metric: Metric) -> Verdict:
    """What a change of stored values comes to, as `qdash_jupyter.methods` says it."""
    return change_rule(metric).verdict(change, metric.scale)


def shown_change(change: LevelChange, metric: Metric) -> str:
    """A change, short: `-43%`, `+3.20MHz`, `-4.1pp` (percentage points)."""
    unit = change_rule(metric).unit
    digits = {"MHz": 2, "pp": 1}.get(unit, 0)
    return f"{_size(change, metric):+.{digits}f}{unit}"


def _size(change: LevelChange, metric: Metric) -> float:
    return change_rule(metric).change(change.before * metric.scale, change.now * metric.scale)


def described(values: pd.Series, errors: pd.Series | None = None) -> dict[str, Any]:
    """Of the finite values, compact, in the order of use: median, minimum, maximum, count, mean and sample standard
    deviation; with the digits that the median of their `errors` leaves.
    """
    numbers = values.to_numpy(dtype="float64", na_value=np.nan)
    finite = numbers[~np.isnan(numbers)]
    if not len(finite):
        return {"count": 0}
    error = math.nan if errors is None else float(errors[errors > 0].median())
    deviation = float(finite.std(ddof=1)) if len(finite) > 1 else 0.0
    return {
        "median": compact_number(float(np.median(finite)), error),
        "min": compact_number(float(finite.min()), error),
        "max": compact_number(float(finite.max()), error),
        "count": len(finite),
        "mean": compact_number(float(finite.mean()), error),
        "stdev": compact_number(deviation),
    }
