"""What tools should say about a demo chip, computed from its documents with Python alone."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from demo_chip import DemoChip

ZERO_IS_POSSIBLE = {"ramsey_frequency", "depolarizing_rate", "x90_depolarizing_rate"}


class Measured(NamedTuple):
    at: datetime
    number: tuple[int, ...]
    task_id: str
    qid: str
    value: float | None
    error: float


def number(qid: str) -> tuple[int, ...]:
    return tuple(int(part) for part in qid.split("-"))


def value_of(parameter: str, record: dict[str, Any]) -> float | None:
    return None if record["value"] == 0 and parameter not in ZERO_IS_POSSIBLE else record["value"]


def measurements(demo: DemoChip, parameter: str) -> list[Measured]:
    """All that count, oldest first."""
    found = [
        Measured(
            row["start_at"],
            number(row["qid"]),
            row["task_id"],
            row["qid"],
            value_of(parameter, row["output_parameters"][parameter]),
            row["output_parameters"][parameter]["error"],
        )
        for row in demo.documents["task_result_history"]
        if row["status"] == "completed" and not row["excluded"] and parameter in row["output_parameters"]
    ]
    return sorted(found)


def current(demo: DemoChip) -> dict[str, dict[str, dict[str, Any]]]:
    """The current records of each qubit: of a result that is excluded, the newest record that counts instead."""
    results = demo.documents["task_result_history"]
    excluded = {row["task_id"] for row in results if row["excluded"]}
    measured = cache(lambda name: measurements(demo, name))
    data = {document["qid"]: dict(document["data"]) for document in demo.documents["qubit"]}
    for qid, records in data.items():
        for name, record in records.items():
            if record["task_id"] in excluded:
                newest = max(one for one in measured(name) if one.qid == qid)
                (row,) = [row for row in results if row["task_id"] == newest.task_id]
                records[name] = row["output_parameters"][name]
    return data


def by_qid(measured: list[Measured]) -> dict[str, list[Measured]]:
    groups: dict[str, list[Measured]] = {}
    for one in measured:
        groups.setdefault(one.qid, []).append(one)
    return dict(sorted(groups.items(), key=lambda item: number(item[0])))


def newest(measured: list[Measured], count: int) -> list[Measured]:
    return sorted(one for group in by_qid(measured).values() for one in group[-count:])


def values(measured: list[Measured]) -> list[float]:
    return [one.value for one in measured if one.value is not None]
