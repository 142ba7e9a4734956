"""The demo chip on disk, as the command writes it."""

import contextlib
import json
import time
from pathlib import Path
from threading import Event, Thread

import duckdb
import pytest

from qdash_jupyter.data.demo.__main__ import main
from qdash_jupyter.data.demo.cache import demo_snapshot
from qdash_jupyter.data.snapshot import SnapshotReader

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
    assert reader.origin.label == "demo data (generated)"
    reader.close()


def test_a_folder_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-o", str(tmp_path / "chip"), *SMALL])
    assert main(["-o", str(tmp_path / "chip"), *SMALL]) == 1
    assert "holds a snapshot already" in capsys.readouterr().err


def test_the_cache_is_made_once(tmp_path: Path) -> None:
    folder = demo_snapshot(tmp_path / "cache" / "demo")
    made = (folder / "manifest.json").stat().st_mtime_ns
    assert demo_snapshot(tmp_path / "cache" / "demo") == folder
    assert (folder / "manifest.json").stat().st_mtime_ns == made
    assert [path.name for path in folder.parent.iterdir()] == ["demo"]


def test_it_is_closed_while_a_query_runs(tmp_path: Path) -> None:
    main(["-o", str(tmp_path / "chip"), *SMALL, "--healthy"])
    reader = SnapshotReader(tmp_path / "chip")
    cursor = reader._database.cursor()
    began, broken_off = Event(), Event()

    def read() -> None:
        began.set()
        with contextlib.suppress(duckdb.InterruptException):
            cursor.execute("SELECT count(*) FROM range(1000000) x, range(1000000) y WHERE x.range < y.range")
        broken_off.set()

    Thread(target=read).start()
    began.wait()
    time.sleep(0.2)  # until DuckDB has it
    reader.close()
    while not broken_off.wait(0.05):
        cursor.interrupt()
