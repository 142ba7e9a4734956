"""The whole Protocol, asked once, and what was sent to the server meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pymongo import monitoring

from qdash_jupyter.data.queries import (
    CalibrationNoteQuery,
    CurrentQuery,
    ExecutionQuery,
    ResultQuery,
    SeriesQuery,
    VersionQuery,
)
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.time_range import TimeRange

CHIP = ChipRef("p1", "c1")
T0 = datetime(2026, 3, 1, tzinfo=UTC)
DAY, FROM_T0 = TimeRange(T0, T0 + timedelta(days=1)), TimeRange(T0)
T1 = SeriesQuery(CHIP, "qubit", "t1")
QUERIES = ("find", "aggregate", "distinct")


class Commands(monitoring.CommandListener):
    """What was sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def queries(self) -> list[dict[str, Any]]:
        """The commands that ask for data; the others are the driver's own."""
        return [command for command in self.sent if next(iter(command)) in QUERIES]

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        self.sent.append(dict(event.command))

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        pass

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        pass


def result(hour: int, qid: str, value: object, **more: object) -> dict:
    return {
        "project_id": "p1",
        "chip_id": "c1",
        "task_id": f"{qid}/{hour}",
        "name": "CheckT1",
        "status": "completed",
        "qid": qid,
        "execution_id": "e",
        "start_at": T0 + timedelta(hours=hour),
        "end_at": T0 + timedelta(hours=hour + 1),
        "output_parameters": {"t1": {"value": value, "error": 1.0, "unit": "μs"}},
        "excluded": False,
    } | more


def documents() -> dict[str, list[dict]]:
    data = {"t1": {"value": 5.0, "calibrated_at": T0}}
    return {
        "project": [{"project_id": "p1", "name": "One"}],
        "chip": [{"project_id": "p1", "chip_id": "c1", "size": 4}],
        "qubit": [{"project_id": "p1", "chip_id": "c1", "qid": str(q), "data": data} for q in range(4)],
        "coupling": [{"project_id": "p1", "chip_id": "c1", "qid": "0-1", "data": {}}],
        "task_result_history": [result(hour, str(q), hour + q / 10) for hour in range(20) for q in range(4)],
    }


def ask_everything(reader: QDashReader) -> list[object]:
    """An answer of every method, of most with several options."""
    return [
        reader.origin,
        reader.now(),
        reader.chips(),
        reader.chips("p1"),
        *(reader.element_ids(CHIP, kind) for kind in ("qubit", "coupling")),
        reader.parameter_names(CHIP),
        reader.parameter_names(CHIP, "1"),
        reader.current_parameters(CurrentQuery(CHIP, "qubit")),
        reader.current_parameters(CurrentQuery(CHIP, "coupling", parameters=["t1"], qids=["0-1"])),
        reader.current_parameters(CurrentQuery(CHIP, "qubit", at=T0)),
        reader.parameter_series(T1),
        reader.parameter_series(replace(T1, qids=["1"], during=DAY, last_n=3)),
        reader.parameter_series(SeriesQuery(CHIP, "coupling", "a.b", last_n=3)),
        reader.parameter_series(replace(T1, cooldown_id="2026-001", tags=["daily"], last_n=3)),
        reader.parameter_series(replace(T1, cooldown_id="", during=FROM_T0)),
        reader.task_results(ResultQuery(CHIP, qid="1", last_n=2)),
        reader.task_results(
            ResultQuery(CHIP, task_name="CheckT1", status="completed", tags=["t"], during=FROM_T0),
        ),
        *(
            reader.task_results(ResultQuery(CHIP, cooldown_id="", excluded=excluded, last_n=2))
            for excluded in (True, False)
        ),
        reader.task_results(ResultQuery(CHIP, task_id="1/0")),
        reader.task_results(ResultQuery(CHIP, output="t1", excluded=True)),
        reader.result_counts(ResultQuery(CHIP, output="t1", during=FROM_T0)),
        reader.result_counts(ResultQuery(CHIP, qid="1", tags=["daily"], excluded=False, during=FROM_T0)),
        reader.count(ExecutionQuery(CHIP, status="completed", tags=["daily"], during=DAY)),
        reader.count(CalibrationNoteQuery(CHIP, execution_id="e", last_n=3)),
        reader.count(VersionQuery(CHIP, "t1", "1", last_n=3)),
        reader.task_detail(CHIP, "1/0"),
        reader.task_names(CHIP),
        reader.executions(ExecutionQuery(CHIP, status="completed", last_n=3)),
        reader.executions(ExecutionQuery(CHIP, tags=["daily"], during=DAY)),
        reader.calibration_notes(CalibrationNoteQuery(CHIP, execution_id="e", last_n=3)),
        reader.calibration_notes(CalibrationNoteQuery(CHIP, during=FROM_T0)),
        reader.parameter_versions(VersionQuery(CHIP, "t1", "1", last_n=3)),
        reader.parameter_versions(VersionQuery(CHIP, "t1", "")),
        reader.newest_versions(CHIP, [("t1", "1")]),
        reader.entities(CHIP, ["t1:1:e:1/0"]),
        reader.activities(CHIP, ["e:1/0"]),
        reader.relations_from(CHIP, ["t1:1:e:1/0"]),
        reader.cooldowns(CHIP),
        reader.notes(CHIP),
        reader.issue_thread("i", CHIP.project_id),
        reader.problems(),
    ]
