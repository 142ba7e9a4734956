"""The demo chip on disk and in MongoDB, as the command writes it."""

import json
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.data.demo.__main__ import main
from qdash_jupyter.data.demo.cache import demo_snapshot
from qdash_jupyter.data.mongo import MongoReader, connect
from qdash_jupyter.data.snapshot import SnapshotReader

SMALL = ("--seed", "5", "--qubits", "16", "--days", "40")


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
    assert reader.origin.is_demo
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


@pytest.mark.long
@pytest.mark.mongo
def test_the_same_chip_in_mongodb_and_never_into_a_used_database(
    secantusd: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"{secantusd.uri.rstrip('/')}/{secantusd.fresh_database().name}"
    assert main(["--mongo", uri, *SMALL]) == 0
    main(["-o", str(tmp_path / "chip"), *SMALL])
    live, frozen = MongoReader(connect(uri)), SnapshotReader(tmp_path / "chip")
    assert live.chips() == frozen.chips()
    chip = live.chips()[0].ref
    assert live.parameter_series(chip, "t1", "qubit").equals(frozen.parameter_series(chip, "t1", "qubit"))
    capsys.readouterr()
    assert main(["--mongo", uri, *SMALL]) == 1
    assert capsys.readouterr().err
    live.close()
    frozen.close()
