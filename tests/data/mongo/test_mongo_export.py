"""A snapshot of a chip, taken out of MongoDB: it answers as the database does, and holds nothing of other projects."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bson import json_util
from bson.json_util import JSONOptions
from pymongo.errors import AutoReconnect

from qdash_jupyter.data.calib_data import LeftOut
from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFile
from qdash_jupyter.data.mongo.export import export_snapshot
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import (
    CalibrationNoteQuery,
    CurrentQuery,
    ExecutionQuery,
    ResultQuery,
    SeriesQuery,
    VersionQuery,
)
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef, ElementKind
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.time_range import TimeRange
from qdash_jupyter.errors import DatabaseError, SnapshotError
from tests.data.conformance.documents import SMALL, at
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer

pytestmark = pytest.mark.mongo

SAMPLE = Path(__file__).parent.parent / "qdash-sample"
AS_OF = datetime(2026, 7, 1, tzinfo=UTC)
SINCE = datetime(2026, 6, 29, tzinfo=UTC)
CHIPS = [ChipRef("proj-alpha", "16Q-demo"), ChipRef("proj-alpha", "64Q-demo"), ChipRef("proj-beta", "16Q-demo")]


@pytest.fixture(scope="module")
def live(secantusd: MongoServer) -> Iterator[MongoReader]:
    options = JSONOptions(tz_aware=True, tzinfo=UTC)
    documents: dict[str, list[dict[str, Any]]] = {"user": [{"username": "alice", "access_token": "token-alice"}]}
    for path in SAMPLE.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            documents[path.name.split(".")[0]] = [json_util.loads(line, json_options=options) for line in lines]
    database = secantusd.fresh_database()
    load_documents(documents, database)
    reader = MongoReader(secantusd.client()[database.name], as_of=AS_OF)
    yield reader
    reader.close()


def record_of(reader: QDashReader, ref: ChipRef) -> ChipRecord:
    return next(chip for chip in reader.chips() if chip.ref == ref)


def answers(reader: QDashReader, chip: ChipRef, since: datetime | None = None) -> dict[str, Any]:
    """What the tools ask, of one chip."""
    during = TimeRange(since)
    versions = reader.parameter_versions(VersionQuery(chip, "t1", "1"))
    ids = [version.entity_id for version in versions]
    kinds: dict[str, ElementKind] = {"t1": "qubit", "qubit_frequency": "qubit", "zx90_gate_fidelity": "coupling"}
    series = {
        name: reader.parameter_series(SeriesQuery(chip, kind, name, during=during)).to_csv()
        for name, kind in kinds.items()
    }
    return series | {
        "chip": record_of(reader, chip),
        "ids": reader.element_ids(chip, "qubit"),
        "current": reader.current_parameters(CurrentQuery(chip, "qubit")).to_csv(),
        "results": repr(reader.task_results(ResultQuery(chip, during=during))),
        "newest": repr(reader.task_results(ResultQuery(chip, task_name="CheckT1", last_n=5))),
        "executions": reader.executions(ExecutionQuery(chip, during=during)),
        "calibration_notes": reader.calibration_notes(CalibrationNoteQuery(chip, during=during)),
        "versions": versions,
        "relations": reader.relations_from(chip, ids),
        "activities": reader.activities(chip, [relation.target_id for relation in reader.relations_from(chip, ids)]),
        "cooldowns": reader.cooldowns(chip),
        "notes": reader.notes(chip),
    }


@pytest.mark.parametrize("chip", [*(pytest.param(chip, marks=pytest.mark.long) for chip in CHIPS[:2]), CHIPS[2]])
def test_it_answers_as_the_database_does(live: MongoReader, tmp_path: Path, chip: ChipRef) -> None:
    snapshot = SnapshotReader(export_snapshot(live, record_of(live, chip), tmp_path / "taken"))
    expected = answers(live, chip)
    assert answers(snapshot, chip) == expected
    assert len(expected["t1"]) > 1000
    assert expected["versions"]
    assert snapshot.now() == AS_OF
    assert [other.ref for other in snapshot.chips()] == [chip]


def test_the_values_of_each_day_are_kept_whole(secantusd: MongoServer, tmp_path: Path) -> None:
    database = secantusd.fresh_database()
    load_documents(SMALL["history"](), database)
    live, chip = MongoReader(database, as_of=AS_OF), ChipRef("p1", "c1")
    snapshot = SnapshotReader(export_snapshot(live, record_of(live, chip), tmp_path / "taken", since=at(300)))
    query = CurrentQuery(chip, "coupling", at=at(60))
    expected = live.current_parameters(query)
    assert snapshot.current_parameters(query).to_csv() == expected.to_csv()
    assert len(expected) == 2


def test_since_leaves_out_what_is_older(live: MongoReader, tmp_path: Path) -> None:
    folder = export_snapshot(live, record_of(live, CHIPS[0]), tmp_path / "new" / "taken", since=SINCE)
    snapshot = SnapshotReader(folder)
    assert answers(snapshot, CHIPS[0], SINCE) == answers(live, CHIPS[0], SINCE)
    everything, runs = ResultQuery(CHIPS[0]), ExecutionQuery(CHIPS[0])
    newer = live.task_results(replace(everything, during=TimeRange(SINCE)))
    older = {one.task_id for one in snapshot.task_results(everything)} - {one.task_id for one in newer}
    assert len(older) < 10, "but for those that decide about a current value"
    assert 0 < len(snapshot.executions(runs)) < len(live.executions(runs))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["query"] == {"project_id": "proj-alpha", "chip_id": "16Q-demo", "since": SINCE.isoformat()}
    assert manifest["as_of"] == AS_OF.isoformat()
    assert manifest["source"].startswith("MongoDB ")


def test_nothing_of_users_and_other_projects_is_in_it(live: MongoReader, tmp_path: Path) -> None:
    folder = export_snapshot(live, record_of(live, CHIPS[2]), tmp_path / "taken")
    assert not (folder / "user.parquet").exists()
    assert "proj-alpha" not in str(answers(SnapshotReader(folder), CHIPS[2]))
    assert SnapshotReader(folder).notes(CHIPS[0]) == []


def test_the_same_database_gives_the_same_bytes(live: MongoReader, tmp_path: Path) -> None:
    chip = record_of(live, CHIPS[0])
    first, second = (export_snapshot(live, chip, tmp_path / name) for name in ("first", "second"))
    assert (first / "manifest.json").read_bytes() == (second / "manifest.json").read_bytes()


def test_nothing_is_overwritten(live: MongoReader, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("precious")
    with pytest.raises(SnapshotError, match="isn't empty"):
        export_snapshot(live, record_of(live, CHIPS[0]), tmp_path)
    with pytest.raises(SnapshotError, match="isn't empty"):
        export_snapshot(live, record_of(live, CHIPS[0]), tmp_path / "theirs")
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]
    assert (tmp_path / "theirs").read_text() == "precious"


def test_a_database_that_goes_away_leaves_no_half_snapshot(live: MongoReader, tmp_path: Path) -> None:
    def told(collection: str, count: int) -> None:
        if collection == "qubit":
            raise AutoReconnect("gone")

    with pytest.raises(AutoReconnect):
        export_snapshot(live, record_of(live, CHIPS[0]), tmp_path / "taken", on_progress=told)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_database_is_a_clear_error(secantusd: MongoServer, tmp_path: Path) -> None:
    reader = MongoReader(secantusd.client()["nowhere"])
    reader.close()
    chip = ChipRecord(CHIPS[0], 16, None, "active", None, None)
    with pytest.raises(DatabaseError):
        export_snapshot(reader, chip, tmp_path / "taken", since=AS_OF - timedelta(days=1))
    assert list(tmp_path.iterdir()) == []


def test_the_files_of_the_results_are_taken_along_when_asked(live: MongoReader, tmp_path: Path) -> None:
    chip, calib_data = record_of(live, CHIPS[0]), tmp_path / "calib_data"
    results = live.task_results(ResultQuery(chip.ref))
    figures = list(dict.fromkeys(path for one in results for path in one.json_figure_path))
    outside = tmp_path / "secret.json"
    outside.write_text("{}")
    for path in figures[:3]:
        file = calib_data / path.removeprefix("/app/calib_data/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    link = calib_data / figures[3].removeprefix("/app/calib_data/")
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    told: dict[str, int] = {}
    folder = export_snapshot(live, chip, tmp_path / "with", calib_data=calib_data, on_progress=told.__setitem__)
    files = CalibFile(folder / CALIB_FILE)
    assert [files.read(path, most_bytes=1_000).decode() for path in figures[:3]] == figures[:3]
    for path in figures[3:]:
        with pytest.raises(LeftOut, match="isn't on this machine"):
            files.read(path, most_bytes=1_000)
    assert told["calib_data"] == 3
    assert not (export_snapshot(live, chip, tmp_path / "without") / CALIB_FILE).exists()
