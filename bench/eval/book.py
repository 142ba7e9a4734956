"""What is true of a chip, in plain Python from its documents: none of the package's readers, tables or tools take part.

Values are on the scale that people read: μs, GHz, %, MHz for the anharmonicity; times are UTC.

- A result counts when it is `completed` and nobody excluded it. A stored 0 is a failed fit, and no value.
- The current value is that of the element's document; where its result is excluded, the newest result that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from statistics import fmean, median
from typing import Any

from eval.chips import EvalChip, cooled_down_at

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)

FACTORS = {
    "μs": {"ns": 1e-3, "μs": 1.0, "us": 1.0, "ms": 1e3, "s": 1e6},
    "GHz": {"Hz": 1e-9, "kHz": 1e-6, "MHz": 1e-3, "GHz": 1.0},
    "MHz": {"kHz": 1e-3, "MHz": 1.0, "GHz": 1e3},
    "%": {"%": 1.0, "a.u.": 1e2, "": 1e2},
    "ns": {"ns": 1.0, "μs": 1e3},
    "a.u.": {"a.u.": 1.0, "": 1.0},
}
"""By the unit that people read: how many of it are one of the stored unit."""

SHOWN_UNIT = {
    "t1": "μs",
    "t2_echo": "μs",
    "t2_star": "μs",
    "qubit_frequency": "GHz",
    "anharmonicity": "MHz",
    "average_readout_fidelity": "%",
    "readout_fidelity_0": "%",
    "readout_fidelity_1": "%",
    "average_gate_fidelity": "%",
    "x90_gate_fidelity": "%",
    "zx90_gate_fidelity": "%",
    "bell_state_fidelity": "%",
    "hpi_amplitude": "a.u.",
    "hpi_length": "ns",
}


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement: when its task began, and its value."""

    at: datetime
    value: float


def number_order(qid: str) -> tuple[int, ...]:
    """Sorts ids by number."""
    return tuple(int(part) for part in qid.split("-"))


class Book:
    """Everything that questions are asked about."""

    def __init__(self, chip: EvalChip) -> None:
        """Reads the chip's documents."""
        self.chip = chip
        self.as_of = chip.as_of
        self.qubits = sorted((row["qid"] for row in chip.documents["qubit"]), key=number_order)
        self.couplings = sorted((row["qid"] for row in chip.documents["coupling"] if row["data"]), key=number_order)
        """Those with values, as `control-target`."""
        self.results = chip.documents["task_result_history"]
        self.cooled_down = cooled_down_at(chip.as_of)

    def days_ago(self, days: float) -> datetime:
        """That long before the end of the data."""
        return self.as_of - timedelta(days=days)

    @cached_property
    def _series(self) -> dict[tuple[str, str], list[Point]]:
        found: dict[tuple[str, str], list[Point]] = {}
        for result in sorted(self.results, key=lambda result: result["start_at"]):
            if result["status"] == "completed" and not result["excluded"]:
                for name, record in result["output_parameters"].items():
                    value = shown(name, record)
                    if value is not None:
                        found.setdefault((name, result["qid"]), []).append(Point(result["start_at"], value))
        return found

    def series(
        self, parameter: str, qid: str, since: datetime | None = None, until: datetime | None = None
    ) -> list[Point]:
        """The measurements that count, oldest first; `until` is the first moment that is no longer meant."""
        return [
            point
            for point in self._series.get((parameter, qid), [])
            if (since is None or point.at >= since) and (until is None or point.at < until)
        ]

    def pooled(
        self, parameter: str, since: datetime | None = None, until: datetime | None = None
    ) -> dict[str, list[float]]:
        """The values of all elements that have any in that time."""
        of_all = {
            qid: [point.value for point in self.series(parameter, qid, since, until)]
            for qid in self.measured(parameter)
        }
        return {qid: values for qid, values in of_all.items() if values}

    def measured(self, parameter: str) -> list[str]:
        """The elements that were ever measured."""
        return sorted((qid for name, qid in self._series if name == parameter), key=number_order)

    @cached_property
    def _excluded(self) -> set[str]:
        return {result["task_id"] for result in self.results if result["excluded"]}

    @cached_property
    def _current(self) -> dict[tuple[str, str], float]:
        found = {}
        for row in (*self.chip.documents["qubit"], *self.chip.documents["coupling"]):
            for name, record in row["data"].items():
                value = shown(name, record)
                if record["task_id"] in self._excluded:
                    points = self.series(name, row["qid"])
                    value = points[-1].value if points else None
                if value is not None:
                    found[name, row["qid"]] = value
        return found

    def current(self, parameter: str) -> dict[str, float]:
        """The current value of each element that has one."""
        return {qid: value for (name, qid), value in self._current.items() if name == parameter}

    def newest(self, parameter: str) -> dict[str, float]:
        """The newest measurement that counts of each element: the same but where the current value is a failed fit."""
        return {qid: self.series(parameter, qid)[-1].value for qid in self.measured(parameter)}

    def either(self, parameter: str, of: Callable[[list[float]], float]) -> tuple[float, ...]:
        """A statistic over the current values, over the newest ones, and without those that are measured no longer."""
        return tuple(of(list(values.values())) for values in self.populations(parameter))

    def populations(self, parameter: str) -> tuple[dict[str, float], ...]:
        """Whose values may be counted together: see `either`."""
        stale = self.not_seen_since(self.days_ago(30))
        current, newest = self.current(parameter), self.newest(parameter)
        return current, newest, {qid: value for qid, value in newest.items() if qid not in stale}

    def doubtful(self, parameter: str) -> frozenset[str]:
        """Elements whose current value is a failed fit: whether they have one, and which, may be told either way."""
        have = {qid for qid in self.measured(parameter) if qid not in self.current(parameter)}
        return frozenset(have)

    def ranked(self, parameter: str, *, best: bool = False, newest: bool = False) -> list[str]:
        """Elements from the lowest value to the highest; `best` the other way round."""
        values = self.newest(parameter) if newest else self.current(parameter)
        return sorted(values, key=lambda qid: (-values[qid] if best else values[qid], number_order(qid)))

    def where(self, parameter: str, holds: Callable[[float], bool]) -> frozenset[str]:
        """The elements whose current value meets a condition."""
        return frozenset(qid for qid, value in self.current(parameter).items() if holds(value))

    def last_seen(self, qid: str) -> datetime | None:
        """When the newest result with a value began."""
        times = [points[-1].at for (_, of), points in self._series.items() if of == qid]
        return max(times, default=None)

    def not_seen_since(self, since: datetime) -> frozenset[str]:
        """Qubits without any measurement from then on."""
        last = {qid: self.last_seen(qid) for qid in self.qubits}
        return frozenset(qid for qid, seen in last.items() if seen is None or seen < since)

    def neighbours(self, qid: str) -> frozenset[str]:
        """The qubits that a coupling document joins with one."""
        pairs = [row["qid"].split("-") for row in self.chip.documents["coupling"]]
        return frozenset(b if a == qid else a for a, b in pairs if qid in (a, b))

    def tasks(self, **wanted: Any) -> list[Mapping[str, Any]]:
        """Task results by fields, newest first; `since` and `until` bound their start."""
        since, until = wanted.pop("since", None), wanted.pop("until", None)
        found = [
            result
            for result in self.results
            if all(result[name] == value for name, value in wanted.items())
            and (since is None or result["start_at"] >= since)
            and (until is None or result["start_at"] < until)
        ]
        return sorted(found, key=lambda result: result["start_at"], reverse=True)

    def runs(self, tag: str | None = None) -> list[Mapping[str, Any]]:
        """Executions, newest first."""
        found = [row for row in self.chip.documents["execution_history"] if tag is None or tag in row["tags"]]
        return sorted(found, key=lambda row: row["start_at"], reverse=True)

    def changes(self, parameter: str, since: datetime, until: datetime | None = None) -> dict[str, float]:
        """The relative change of each element with enough measurements: median of the newest 5 in the time against the
        median of the 10 before it, in %; for frequencies in MHz.
        """
        found = {}
        for qid in self.measured(parameter):
            before = [point.value for point in self.series(parameter, qid, until=since)][-10:]
            now = [point.value for point in self.series(parameter, qid, since, until)][-5:]
            if len(before) > 2 and len(now) > 2:  # noqa: PLR2004 - a median of two is no level
                old, new = median(before), median(now)
                found[qid] = (new - old) * 1e3 if parameter == "qubit_frequency" else 100 * (new / old - 1)
        return found


def shown(parameter: str, record: Mapping[str, Any]) -> float | None:
    """A record's value as people read it; None where it is no measurement."""
    unit = SHOWN_UNIT.get(parameter)
    if unit is None or not record["value"]:
        return None
    value: float = record["value"] * FACTORS[unit][record["unit"].replace("µ", "μ")]
    return value


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's."""
    mean_x, mean_y = fmean(x), fmean(y)
    both = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return float(both / (sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)) ** 0.5)


def ranks(values: Iterable[float]) -> list[float]:
    """The place of each value, from 1 on; equal ones share theirs."""
    listed = list(values)
    return [
        sum(other < value for other in listed) + (sum(other == value for other in listed) + 1) / 2 for value in listed
    ]
