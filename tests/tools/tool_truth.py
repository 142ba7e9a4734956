"""What tools should say about a chip, computed from documents of any kind with Python alone.

What readers should answer is computed in `tests/data/conformance`; here is what tools make of it.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, NamedTuple

from qdash_jupyter.data.queries import CurrentQuery, ResultQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.domain.time_range import TimeRange
from tests.data.conformance.lookup_truth import LookupTruth
from tests.data.conformance.truth import LONG_AGO, Truth, element_of, number_order

Documents = Mapping[str, Sequence[dict[str, Any]]]
Kind = Literal["qubit", "coupling"]

SCALES = {"zx90_gate_fidelity": 100.0, "x90_gate_fidelity": 100.0}
"""How much larger people read a value than it is stored."""


class Current(NamedTuple):
    qid: str
    parameter: str
    value: float | None
    error: float | None
    unit: str
    calibrated_at: datetime | None
    age_days: float | None
    execution_id: str
    task_id: str
    flag: str


class Sample(NamedTuple):
    qid: str
    t: datetime
    v: float | None
    error: float | None
    task_name: str
    execution_id: str
    task_id: str
    flag: str


class OfElement(NamedTuple):
    """A series in a row."""

    qid: str
    first: datetime
    last: datetime
    latest: float | None
    age_days: float | None
    values: int
    missing: int
    min: float | None
    max: float | None
    mean: float | None


def finite(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124 - NaN


def turned(qid: str) -> str:
    return "-".join(reversed(qid.split("-")))


def described(values: list[float]) -> dict[str, float]:
    return {
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
        "count": len(values),
        "mean": statistics.fmean(values),
    }


def graph_behind(
    documents: Documents, project_id: str, origin: str, depth: int
) -> tuple[dict[str, int], set[tuple[str, str, str]]]:
    """The nodes behind an entity with their distances, and the edges between them."""
    of_project = {
        name: [one for one in documents.get(name, []) if one["project_id"] == project_id]
        for name in ("parameter_versions", "provenance_activities", "provenance_relations")
    }
    known = {one["entity_id"] for one in of_project["parameter_versions"]}
    known |= {one["activity_id"] for one in of_project["provenance_activities"]}
    behind: dict[str, set[tuple[str, str, str]]] = {}
    for one in of_project["provenance_relations"]:
        if one["relation_type"] in ("wasGeneratedBy", "used", "wasDerivedFrom"):
            found = (one["relation_type"], one["source_id"], one["target_id"])
            behind.setdefault(found[1], set()).add(found)
    depths, level = {origin: 0}, [origin]
    for step in range(1, depth + 1):
        ends = {target for node in level for _, _, target in behind.get(node, ())}
        level = [node for node in ends if node in known and node not in depths]
        depths |= dict.fromkeys(level, step)
    edges = {edge for node in depths for edge in behind.get(node, ()) if edge[2] in depths}
    return depths, edges


class ToolTruth:
    """One chip of a database."""

    def __init__(self, documents: Documents, chip: ChipRef, now: datetime) -> None:
        whole = {name: list(rows) for name, rows in documents.items()}
        self.readings, self.lookups = Truth(whole), LookupTruth(whole)
        self.documents, self.chip, self.now = whole, chip, now

    def days_since(self, moment: datetime | None) -> float | None:
        return None if moment is None else (self.now - moment) / timedelta(days=1)

    def qids(self, kind: Kind) -> list[str]:
        return self.readings.element_ids(self.chip, kind)

    def names(self, qid: str | None = None) -> dict[str, int]:
        """The measured parameters, and how many results each has; of a coupling in the direction that has any."""
        found = {name: count for name, count, _ in self.readings.parameter_names(self.chip, qid)}
        other = turned(qid) if qid and "-" in qid else None
        return found if found or other is None else self.names_of(other)

    def names_of(self, qid: str) -> dict[str, int]:
        return {name: count for name, count, _ in self.readings.parameter_names(self.chip, qid)}

    def current(self, kind: Kind, qids: Sequence[str] | None = None) -> list[Current]:
        """The current values, and in `flag` also what is hard to believe."""
        rows = self.readings.current_parameters(CurrentQuery(self.chip, kind, qids=qids))
        t1 = {row[0]: row[2] for row in rows if row[1] == "t1"}
        found = []
        for qid, parameter, value, error, unit, at, execution_id, task_id, flag in rows:
            said = [flag] if flag else []
            twice = 2 * t1.get(qid, float("inf"))
            if parameter.startswith("t2_echo") and value > twice:
                said.append(f"suspicious: > 2·T1 = {twice:.4g} μs")
            if error > abs(value):
                said.append("suspicious: error > value")
            age = self.days_since(at)
            numbers = (finite(value), finite(error), unit, at, None if age is None else round(age, 3))
            found.append(Current(qid, parameter, *numbers, execution_id, task_id, "; ".join(said)))
        return found

    def filled(self, pair: str) -> str:
        """The direction that has current values; the one asked for, where both do or none."""
        held = {row.qid for row in self.current("coupling", [pair, turned(pair)])}
        return turned(pair) if pair not in held and turned(pair) in held else pair

    def series(
        self,
        parameter: str,
        kind: Kind,
        qid: str | None = None,
        *,
        days: float | None = None,
        last_n: int | None = None,
    ) -> list[Sample]:
        during = TimeRange(None if days is None else self.now - timedelta(days=days), None)
        qids = None if qid is None else [qid]
        asked = SeriesQuery(self.chip, kind, parameter, qids=qids, during=during, last_n=last_n)
        return [
            Sample(id_, t, finite(v), finite(error), name, run, task_id, flag)
            for id_, t, v, error, _, name, run, task_id, flag in self.readings.parameter_series(asked)
        ]

    def by_element(self, samples: list[Sample]) -> list[OfElement]:
        rows = []
        for qid in sorted({one.qid for one in samples}, key=number_order):
            mine = [one for one in samples if one.qid == qid]
            good = [one for one in mine if one.v is not None]
            values = [one.v for one in good if one.v is not None]
            several = len(values) > 1
            age = self.days_since(good[-1].t) if good else None
            rows.append(
                OfElement(
                    qid,
                    first=mine[0].t,
                    last=mine[-1].t,
                    latest=values[-1] if values else None,
                    age_days=None if age is None else round(age, 3),
                    values=len(values),
                    missing=len(mine) - len(values),
                    min=min(values) if several else None,
                    max=max(values) if several else None,
                    mean=statistics.fmean(values) if several else None,
                )
            )
        return rows

    def results(self, **asked: Any) -> list[TaskResult]:
        """Results of tasks with these attributes (None: any), newest first; `days` back."""
        if (days := asked.pop("days", None)) is not None:
            during = TimeRange(self.now - timedelta(days=days))
            return self.lookups.task_results(ResultQuery(self.chip, during=during, **asked))
        wanted = [(name, value) for name, value in asked.items() if value is not None]
        return [one for one in self._results if all(getattr(one, name) == value for name, value in wanted)]

    @cached_property
    def _results(self) -> list[TaskResult]:
        return self.lookups.task_results(ResultQuery(self.chip))

    def newest_excluded(self, parameter: str, kind: Kind) -> dict[str, float | None]:
        """By element whose newest result does not count, its number; a value that counts may be older."""
        found: dict[str, tuple[datetime, float]] = {}
        for one in reversed(self.results(status="completed", excluded=True)):
            for row in one.outputs:
                t = one.start_at or row.calibrated_at or one.end_at
                if row.parameter == parameter and one.qid and ("-" in one.qid) == (kind == "coupling") and t:
                    found[one.qid] = max(found.get(one.qid, (LONG_AGO, 0.0)), (t, row.value))
        newest = {one.qid: one.t for one in self.series(parameter, kind) if one.v is not None}
        return {qid: finite(value) for qid, (t, value) in found.items() if t > newest.get(qid, LONG_AGO)}

    def versions(self, parameter: str, qid: str) -> list[dict[str, Any]]:
        """The documents of the chip's versions."""
        return [
            one
            for one in self.documents.get("parameter_versions", [])
            if (one["project_id"], one["chip_id"]) == (self.chip.project_id, self.chip.chip_id)
            and (one["parameter_name"], element_of(one["qid"])) == (parameter, qid)
        ]
