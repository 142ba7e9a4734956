"""Statistics of measurements, computed once, above the readers: what a change means, and what stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.methods.level_change import SIGNIFICANT_Z, LevelChange
from qdash_jupyter.store.compact import compact_number

if TYPE_CHECKING:
    import pandas as pd


def matters(change: LevelChange, metric: Metric) -> bool:
    """Whether a change is beyond noise and large enough to act on: 10 % of a coherence time, 0.5 MHz of a frequency,
    1 percentage point of a fidelity, 5 % of anything else.
    """
    if abs(change.z) < SIGNIFICANT_Z:
        return False
    if metric.unit == "GHz":
        return abs(change.absolute) >= 0.0005  # noqa: PLR2004 - said in the docstring
    if metric.unit == "%":
        return abs(change.absolute) >= 0.01  # noqa: PLR2004
    return abs(change.relative) >= (0.10 if metric.unit == "μs" else 0.05)


def shown_change(change: LevelChange, metric: Metric) -> str:
    """A change, short: `-43%`, `+3.20MHz`, `-4.1pp` (percentage points)."""
    if metric.unit == "GHz":
        return f"{change.absolute * 1000:+.2f}MHz"
    if metric.unit == "%":
        return f"{change.absolute * 100:+.1f}pp"
    return f"{change.relative * 100:+.0f}%"


def described(values: pd.Series) -> dict[str, Any]:
    """Of the finite values, compact, in the order of use: median, minimum, maximum, count, mean and sample standard
    deviation.
    """
    import numpy as np

    numbers = values.to_numpy(dtype="float64", na_value=np.nan)
    finite = numbers[~np.isnan(numbers)]
    if not len(finite):
        return {"count": 0}
    deviation = float(finite.std(ddof=1)) if len(finite) > 1 else 0.0
    return {
        "median": compact_number(float(np.median(finite))),
        "min": compact_number(float(finite.min())),
        "max": compact_number(float(finite.max())),
        "count": len(finite),
        "mean": compact_number(float(finite.mean())),
        "stdev": compact_number(deviation),
    }
