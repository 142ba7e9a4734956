"""Statistics of measurements, computed once, above the readers: levels, changes, and what stands out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.significance import SIGNIFICANT_Z
from qdash_jupyter.store.compact import compact_number

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_FOR_TREND = 6
"""Measurements needed before a trend is named at all."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """The level at the end of a series against the level at its beginning, both medians; `z` is the change over its
    uncertainty, significant from `SIGNIFICANT_Z` on, however few the measurements.
    """

    before: float
    now: float
    z: float

    @property
    def absolute(self) -> float:
        """Change in the unit of the series."""
        return self.now - self.before

    @property
    def relative(self) -> float:
        """Change relative to the size of the level before."""
        return self.absolute / abs(self.before) if self.before else float("nan")


def level_change(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any] | None = None) -> LevelChange | None:
    """Compare the ends of a series of measurements; None when there are too few.

    Args:
        values: Oldest first, no NaN.
        errors: One standard error of each, in the same unit; 0, NaN or infinite where unknown. They can only make a
            change less certain: fits state errors that are smaller than the real scatter.
    """
    import numpy as np

    count = len(values)
    if count < FEWEST_FOR_TREND:
        return None
    end = min(7, max(3, count // 3))
    before, now = float(np.median(values[:end])), float(np.median(values[-end:]))
    # Neighbours differ by noise alone, wherever the level is. Of Gaussian noise three steps in four are below 1.627
    # standard deviations of one measurement; the step of a change and a single outlier are among the others.
    scatter = np.quantile(np.abs(np.diff(values)), 0.75) / 1.627
    known = np.zeros(count) if errors is None else np.where(np.isfinite(errors), errors, 0.0)
    # The median of an end's errors: a single absurd one does not count, nor do errors of fewer than half.
    noise = [max(scatter, float(np.median(of))) for of in (known[:end], known[-end:])]
    # A median is sqrt(pi/2) less precise than a mean; for the last factor see SIGNIFICANT_Z.
    uncertainty = np.hypot(*noise) * np.sqrt(np.pi / 2 / end) * (1 + 4 / (count - 3))
    change = now - before
    z = change / uncertainty if uncertainty > 0 else (0.0 if change == 0 else float(np.copysign(np.inf, change)))
    return LevelChange(before, now, float(z))


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
    """Count, mean, median, sample standard deviation, minimum and maximum of the finite values, compact."""
    finite = values.dropna()
    if finite.empty:
        return {"count": 0}
    deviation = float(finite.std(ddof=1)) if len(finite) > 1 else 0.0
    return {
        "mean": compact_number(float(finite.mean())),
        "median": compact_number(float(finite.median())),
        "stdev": compact_number(deviation),
        "min": compact_number(float(finite.min())),
        "max": compact_number(float(finite.max())),
        "count": len(finite),
    }
