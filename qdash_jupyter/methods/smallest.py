"""How large a change has to be to matter."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.domain.metrics import Metric

_TO_MHZ = {"GHz": 1e3, "MHz": 1.0, "kHz": 1e-3, "Hz": 1e-6}


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """The smallest change of a metric that is named, in `unit`: relative in `%`, or absolute in `pp` (percentage
    points) or another unit, which is `factor` times smaller than the displayed one.
    """

    smallest: float
    unit: str
    factor: float = 1.0

    @property
    def words(self) -> str:
        """`15 %`, `0.5 MHz`, `1 pp`."""
        return f"{self.smallest:g} {self.unit}"

    def change(self, before: float, now: float) -> float:
        """From one level to another, in the unit of the rule; NaN where a level of 0 has no relative change."""
        if self.unit != "%":
            return (now - before) * self.factor
        return 100 * (now - before) / abs(before) if before else float("nan")

    def per_level(self, before: float) -> float:
        """What a difference on the displayed scale is multiplied with to be in the unit of the rule."""
        if self.unit != "%":
            return self.factor
        return 100 / abs(before) if before else float("nan")


def change_rule(metric: Metric, smallest: float | None = None) -> ChangeRule:
    """15 % of a coherence time, 0.5 MHz of a frequency that is stored in GHz, 1 percentage point of a fidelity, 15 % of
    anything else; `smallest` is another one in the same unit.
    """
    if metric.unit in _TO_MHZ and abs(metric.scale * _TO_MHZ[metric.unit] / 1000 - 1) < 1e-9:  # noqa: PLR2004
        rule = ChangeRule(0.5, "MHz", _TO_MHZ[metric.unit])
    elif metric.unit == "%":
        rule = ChangeRule(1.0, "pp")
    else:
        rule = ChangeRule(15.0, "%")
    return rule if smallest is None else ChangeRule(smallest, rule.unit, rule.factor)
