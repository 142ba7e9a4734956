"""How large a change has to be to matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import pandas as pd

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.units import factor
from qdash_jupyter.methods.level_change import FALSE_ALARMS, LevelChange

Verdict: TypeAlias = Literal["fell", "rose", "wandering", "unclear", "stable"]

OF_ALL, VERDICT = ("median_change", "median_from", "median_to"), "median_verdict"
"""What `attrs` say of all elements together."""

MISSED_FROM = 2.0
"""A series in which a change by so many times the smallest would be missed does not tell that there is none."""


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """The smallest change of a metric that is named, in `unit`: relative in `%`, or absolute in `pp` (percentage
    points) or another unit, which is `factor` times smaller than the displayed one.
    """

    smallest: float
    unit: str
    factor: float = 1.0
    missed_from: float = 30.0
    """In `unit`: a series in which a change by so much would not be found is not called stable."""

    @property
    def words(self) -> str:
        """`15 %`, `0.5 MHz`, `1 pp`."""
        return f"{self.smallest:g} {self.unit}"

    def change(self, before: float, now: float) -> float:
        """From one level to another, in the unit of the rule; NaN where a level of 0 has no relative change."""
        if self.unit != "%":
            return (now - before) * self.factor
        return 100 * (now - before) / abs(before) if before else float("nan")

    def verdict(self, change: LevelChange, scale: float = 1.0) -> Verdict:
        """What the test comes to; `scale` is what levels are multiplied with to be on the displayed scale.

        `fell` and `rose` are beyond noise and at least `smallest`. `wandering` moved as far, but its own noise explains
        that. `unclear` is where a change by `missed_from` would not have been found. Only else it is `stable`.
        """
        before = change.before * scale
        is_large = abs(self.change(before, change.now * scale)) >= self.smallest
        if is_large and change.is_sure and change.z * change.absolute > 0:
            return "fell" if change.absolute * scale < 0 else "rose"
        if is_large and change.wanders:
            return "wandering"
        detectable = change.detectable * abs(scale) * self.per_level(before)
        return "stable" if detectable <= self.missed_from else "unclear"

    def attrs(self, tested: pd.Series) -> dict[str, str | float]:
        """What a result says of it, and how many false alarms are to be expected of the series that could be tested."""
        alarms = float(tested.notna().sum() * FALSE_ALARMS)
        return {"change_unit": self.unit, "smallest": self.smallest, "false_alarms_expected": alarms}

    def per_level(self, before: float) -> float:
        """What a difference on the displayed scale is multiplied with to be in the unit of the rule."""
        if self.unit != "%":
            return self.factor
        return 100 / abs(before) if before else float("nan")


def change_rule(metric: Metric, smallest: float | None = None) -> ChangeRule:
    """15 % of a coherence time, 0.5 MHz of a frequency that is stored in GHz, 1 percentage point of a fidelity, 15 % of
    anything else; `smallest` is another one in the same unit.
    """
    usual, unit, by = 15.0, "%", 1.0
    to_mhz = factor(metric.unit, "MHz")
    if to_mhz and math.isclose(metric.scale * to_mhz, 1000, rel_tol=1e-9):
        usual, unit, by = 0.5, "MHz", to_mhz
    elif metric.unit == "%":
        usual, unit = 1.0, "pp"
    # Where any change is asked for, it is the usual ones that must not be missed.
    return ChangeRule(usual if smallest is None else smallest, unit, by, MISSED_FROM * (smallest or usual))
