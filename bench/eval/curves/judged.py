"""Curves that are made and judged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from demo_chip.curves import FAMILIES, NOISE, Simulated, faults_of, simulated

from qdash_jupyter.methods.curves.judge import judge
from qdash_jupyter.methods.curves.verdict import CurveVerdict

GOOD_MORE = 3
"""Good curves for each curve with a fault: false alarms are rare."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One curve and its verdict."""

    made: Simulated
    verdict: CurveVerdict

    @property
    def code_right(self) -> bool:
        """Whether the code is that of the truth."""
        return str(self.verdict.code) == self.made.truth.code

    @property
    def fit_right(self) -> bool:
        """Whether the trust is that of the truth."""
        return str(self.verdict.fit) == self.made.truth.fit

    @property
    def false_alarm(self) -> bool:
        """A good curve that is not called good."""
        return self.made.truth.code == "SUCCESS" and str(self.verdict.fit) != "reliable"

    def within(self, sigmas: float) -> Iterator[bool]:
        """Of each planted parameter, whether the new fit lies within so many of its errors."""
        for name, planted in self.made.truth.parameters.items():
            found = self.verdict.parameters.get(name)
            if found is not None and math.isfinite(found.error):
                yield abs(found.value - planted) <= sigmas * found.error


def judged(seeds: Iterable[int]) -> Iterator[Judged]:
    """Every family with every fault, one curve a seed; the noise goes round, from easy to hopeless."""
    levels = list(NOISE)
    for seed in seeds:
        for family in FAMILIES:
            for fault in faults_of(family):
                for more in range(GOOD_MORE if fault == "GOOD" else 1):
                    made = simulated(family, fault, 1000 * more + seed, levels[(seed + more) % len(levels)])
                    yield Judged(made, judge(made.curve))
