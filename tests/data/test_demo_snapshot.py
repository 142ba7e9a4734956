"""The demo chip on disk, as the command writes it."""

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any
from weakref import WeakSet

import pytest
from demo_chip.__main__ import main

from qdash_jupyter.data.collection_file import CollectionFile
from qdash_jupyter.data.queries import ResultQuery, SeriesQuery
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.errors import SnapshotError
from qdash_jupyter.messages.message import Message
from tests.patience import PATIENCE_S

SMALL = ("--seed", "5", "--qubits", "16", "--days", "5")


def test_same_seed_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["-o", str(tmp_path / name), *SMALL]) == 0
    first = {path.name: path.read_bytes() for path in sorted((tmp_path / "a").iterdir())}
    second = {path.name: path.read_bytes() for path in sorted((tmp_path / "b").iterdir())}
    assert first == second
    assert "task_result_history.parquet" in first
    assert main(["-o", str(tmp_path / "c"), "--seed", "6", *SMALL[2:]]) == 0
    assert (tmp_path / "c" / "task_result_history.parquet").read_bytes() != first["task_result_history.parquet"]


def test_clock_and_origin_come_from_the_manifest(tmp_path: Path) -> None:
    main(["-o", str(tmp_path / "chip"), *SMALL, "--healthy"])
    manifest = json.loads((tmp_path / "chip" / "manifest.json").read_text(encoding="utf-8"))
    reader = SnapshotReader(tmp_path / "chip")
    assert reader.now().isoformat() == manifest["as_of"] == "2026-06-30T00:00:00+00:00"
    assert "healthy" in manifest["source"]
    assert reader.origin.label == Message("demo-data")
    reader.close()


def test_a_folder_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-o", str(tmp_path / "chip"), *SMALL])
    assert main(["-o", str(tmp_path / "chip"), *SMALL]) == 1
    assert "already contains a snapshot" in capsys.readouterr().err


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("healthy") / "chip"
    main(["-o", str(folder), *SMALL, "--healthy"])
    return folder


def test_it_is_closed_while_a_question_is_read(healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = SnapshotReader(healthy)
    chip = reader.chips()[0].ref
    began, let_go = Event(), Event()
    read = CollectionFile.read

    def slow(*arguments: Any) -> Any:
        began.set()
        assert let_go.wait(PATIENCE_S)
        return read(*arguments)

    monkeypatch.setattr(CollectionFile, "read", slow)
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(reader.element_ids, chip, "qubit")
        assert began.wait(PATIENCE_S)
        reader.close()
        assert not answer.done()
        let_go.set()
        assert len(answer.result(PATIENCE_S)) == 16


def test_threads_ask_side_by_side(healthy: Path) -> None:
    reader = SnapshotReader(healthy)
    chip = reader.chips()[0].ref
    asked: list[Callable[[], Any]] = [
        lambda: reader.parameter_series(SeriesQuery(chip, "qubit", "t1")).to_csv(),
        lambda: reader.task_results(ResultQuery(chip, task_name="CheckT1")),
        lambda: reader.result_counts(ResultQuery(chip)),
    ]
    alone = [ask() for ask in asked]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda ask: ask(), asked * 8))
    assert together == alone * 8


def test_a_file_that_is_missing_or_damaged_is_told(healthy: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(healthy, tmp_path / "chip")
    reader = SnapshotReader(folder)
    chip = reader.chips()[0].ref
    file = folder / "task_result_history.parquet"
    whole = file.read_bytes()
    cannot_be_read = f"^Can't read the snapshot {folder}: .+\\.$"

    for rest in (b"", whole[:10], whole[: len(whole) // 2], b"x" * len(whole)):
        file.write_bytes(rest)
        with pytest.raises(SnapshotError, match=cannot_be_read):
            SnapshotReader(folder)
        with pytest.raises(SnapshotError, match=cannot_be_read):
            reader.task_names(chip)

    file.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])  # its end says where all is
    with pytest.raises(SnapshotError, match=cannot_be_read):
        reader.task_results(ResultQuery(chip))

    file.unlink()
    with pytest.raises(SnapshotError, match=cannot_be_read):
        reader.parameter_series(SeriesQuery(chip, "qubit", "t1"))
    with pytest.raises(SnapshotError, match=f"The snapshot {folder} has no {file.name}"):
        SnapshotReader(folder)

    shutil.rmtree(folder)
    with pytest.raises(SnapshotError, match=f"The snapshot {folder} no longer exists"):
        reader.task_names(chip)


def test_documents_of_a_stream_are_given_up_as_they_are_written(tmp_path: Path) -> None:
    class Watched(dict[str, Any]):
        """A document that can be seen to be gone."""

        __hash__ = object.__hash__  # pyrefly: ignore[bad-assignment]

    alive: WeakSet[Watched] = WeakSet()
    counts = []

    def stream() -> Iterator[Watched]:
        for number in range(3_500):
            alive.add(document := Watched(_id=str(number), project_id="p", chip_id="c", note={}))
            counts.append(len(alive))
            yield document

    at = datetime(2026, 6, 30, tzinfo=UTC)
    write_snapshot({"calibration_note": stream()}, tmp_path / "chip", as_of=at, source="for a test")
    assert max(counts) < 1_500
