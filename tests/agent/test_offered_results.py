"""Results to choose from: which, in which order, and what is said where none fits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from qdash_jupyter.agent.analysis.offer import MOST_OFFERED, offered_results
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.errors import NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import ChipScope

NOW = datetime(2026, 6, 30, tzinfo=UTC)
TASKS = ("CheckT1", "CheckT2Echo", "CheckRamsey")


def task(number: int, **changes: Any) -> dict[str, Any]:
    """One an hour; tasks and qubits take turns."""
    start = NOW - timedelta(hours=number)
    name = TASKS[number % 3]
    t1 = {"value": 60.0 + number / 10, "error": 1.0, "unit": "μs", "calibrated_at": start, "execution_id": "r"}
    return {
        "_id": f"d{number}",
        "project_id": "p",
        "chip_id": "c",
        "task_id": f"t{number}",
        "name": name,
        "qid": str(number % 4),
        "status": "failed" if number % 10 == 9 else "completed",
        "execution_id": f"run-{number}",
        "start_at": start,
        "end_at": start,
        "elapsed_time": 1.0,
        "message": "",
        "output_parameters": {"t1": t1} if name == "CheckT1" else {},
        "output_parameter_names": [],
        "excluded": number == 3,
    } | changes


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QDashReader]:
    scope = {"project_id": "p", "chip_id": "c", "username": "u"}
    documents: dict[str, list[dict[str, Any]]] = {
        "project": [{"_id": "p", "project_id": "p", "name": "p"}],
        "chip": [{"_id": "c", **scope, "size": 4, "activity_status": "active"}],
        "qubit": [{"_id": f"q{qid}", **scope, "qid": str(qid), "data": {}} for qid in range(4)],
        "coupling": [{"_id": "k", **scope, "qid": "0-1", "data": {}}],
        "task_result_history": [
            *(task(number) for number in range(120)),
            task(0, _id="x", task_id="x", name="CheckZX90", qid="0-1", start_at=None),
            task(0, _id="y", task_id="y", name="CheckChip", qid="", start_at=NOW - timedelta(days=30)),
        ],
    }
    folder = write_snapshot(documents, tmp_path_factory.mktemp("made") / "data", as_of=NOW, source="the tests")
    opened = SnapshotReader(folder)
    yield opened
    opened.close()


def offered(reader: QDashReader, words: str) -> dict[str, Any]:
    return offered_results(words, reader, ChipScope(None, None), MetricTable())


def numbers(found: dict[str, Any]) -> list[int]:
    return [int(row["task_id"][1:]) for row in found["rows"]]


def test_without_words_they_are_the_newest_of_qubits_and_couplings(reader: QDashReader) -> None:
    found = offered(reader, "  ")
    assert numbers(found) == list(range(MOST_OFFERED))
    assert found["more"]


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("CheckT1", lambda n: n % 3 == 0),
        ("t1", lambda n: n % 3 == 0),
        ("check T2", lambda n: n % 3 == 1),
        ("t", lambda n: n % 3 in {0, 1}),
        ("Q02", lambda n: n % 4 == 2),
        ("t1 failed", lambda n: n % 3 == 0 and n % 10 == 9),
        ("ramsey q3 completed", lambda n: n % 3 == 2 and n % 4 == 3 and n % 10 != 9),
        ("1 t2echo", lambda n: n % 3 == 1 and n % 4 == 1),
    ],
)
def test_words_narrow_them_down(reader: QDashReader, words: str, fits: Any) -> None:
    wanted = [number for number in range(120) if fits(number)]
    found = offered(reader, words)
    assert numbers(found) == wanted[:MOST_OFFERED]
    assert found["more"] == (len(wanted) > MOST_OFFERED)


def test_of_exactly_so_many_there_are_no_more(reader: QDashReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qdash_jupyter.agent.analysis.offer.MOST_OFFERED", 40)
    assert numbers(found := offered(reader, "CheckT1")) == list(range(0, 120, 3))
    assert not found["more"]


def test_a_row_is_what_a_person_knows_it_by(reader: QDashReader) -> None:
    [row, *_] = offered(reader, "t1 3")["rows"]
    assert row == {
        "task": "CheckT1",
        "qid": "3",
        "label": "Q03",
        "status": "completed",
        "excluded": True,
        "started": "2026-06-29 21:00 UTC",
        "execution_id": "run-3",
        "task_id": "t3",
        "values": ["t1 60.3 ± 1.0 μs"],
    }


def test_a_coupling_and_a_result_without_a_date(reader: QDashReader) -> None:
    [row] = offered(reader, "Q00-Q01")["rows"]
    assert (row["label"], row["started"]) == ("Q00-Q01", Message("no-date"))


@pytest.mark.parametrize(("words", "named"), [("chekt1", "CheckT1"), ("Q77", "qubit"), ("t1 0-3", "coupling")])
def test_what_there_is_not_is_said(reader: QDashReader, words: str, named: str) -> None:
    with pytest.raises(NotFound, match=named):
        offered(reader, words)


def test_words_that_fit_nothing_together_find_nothing(reader: QDashReader) -> None:
    assert offered(reader, "zx90 failed") == {"rows": [], "more": False}
