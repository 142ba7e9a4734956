"""Statistics of measurements, computed once, above the readers: levels, changes, and what stands out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.store.compact import compact_number

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_FOR_TREND = 6
"""Measurements needed before a trend is named at all."""

SIGNIFICANT_Z = 4.0
"""A change counts when it is this many times its own uncertainty. Measured on independent noise: 0.04 % of series of
60 measurements pass, 0.3 % of 20 and 1.6 % of 10, since few measurements tell their own scatter badly. With the
smallest change that matters (below) and a T1 noise of 6 %, 0.04 %, 0.1 % and 0.8 % remain: a false alarm on 1 of 40
chips of 64 qubits when a month is asked for, and on 2 of 5 with the newest 10 only. Slow wandering is no noise: the
smallest change covers it.
"""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """The level at the end of a series against the level at its beginning, both medians; `z` is the change over its
    uncertainty, from the scatter of neighbouring measurements.
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


def level_change(values: np.ndarray[Any, Any]) -> LevelChange | None:
    """Compare the ends of a series of measurements (oldest first, no NaN); None when there are too few."""
    import numpy as np

    count = len(values)
    if count < FEWEST_FOR_TREND:
        return None
    end = min(7, max(3, count // 3))
    before, now = float(np.median(values[:end])), float(np.median(values[-end:]))
    # Neighbours differ by noise alone, wherever the level is; 1.4826 × MAD is a standard deviation that outliers
    # cannot inflate, and a median is sqrt(pi/2) less precise than a mean.
    steps = np.diff(values)
    noise = 1.4826 * float(np.median(np.abs(steps - np.median(steps)))) / np.sqrt(2)
    spread = noise * np.sqrt(np.pi / 2) * np.sqrt(2 / end)
    change = now - before
    z = change / spread if spread > 0 else (0.0 if change == 0 else float(np.copysign(np.inf, change)))
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
