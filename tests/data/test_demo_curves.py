"""The demo chip's figures: made when asked for, the same each time, of what was stored, with their planted faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect.sources import calib_data_of
from qdash_jupyter.data.curves.frames import read_files
from qdash_jupyter.data.demo.cache import demo_snapshot, write_demo_snapshot
from qdash_jupyter.data.demo.curve_files import KINDS, NO_FIGURE, figure_of, made, planted_fault, write_figures
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.methods.curves.judge import judge

CHIP = ChipRef("demo", "64Q-demo")


@pytest.fixture(scope="module")
def reader() -> Iterator[SnapshotReader]:
    reader = SnapshotReader(demo_snapshot())
    yield reader
    reader.close()


def results(reader: SnapshotReader, task: str, count: int) -> list[TaskResult]:
    found = reader.task_results(ResultQuery(CHIP, task_name=task, last_n=count))
    return [result for result in found if NO_FIGURE not in result.message]


@pytest.mark.parametrize("task", KINDS)
def test_a_good_curve_carries_what_was_stored(reader: SnapshotReader, tmp_path: Path, task: str) -> None:
    """Sixty results of each kind: nearly all of them are said to be reliable, and none is far from its stored value."""
    count = 60
    stored = [one for one in results(reader, task, count) if one.status == "completed"]
    chosen = [one for one in stored if planted_fault(one) == "GOOD"]
    write_figures(chosen, tmp_path)
    verdicts = []
    for one in chosen:
        curve = read_files(one, tmp_path).curve
        assert curve is not None
        verdicts.append(judge(curve))
    assert len(verdicts) > 8
    assert sum(verdict.fit == "reliable" for verdict in verdicts) >= 0.93 * len(verdicts)
    apart = [max((each.sigmas for each in verdict.stored), default=0.0) for verdict in verdicts]
    assert sum(sigmas > 3 for sigmas in apart) <= 0.05 * len(verdicts)


def test_the_same_result_has_the_same_file_and_no_two_share_one(reader: SnapshotReader, tmp_path: Path) -> None:
    found = results(reader, "CheckT1", 3_000)
    paths = [path for one in found for path in one.json_figure_path]
    assert len(set(paths)) == len(paths) == len(found)
    assert figure_of(found[0]) == figure_of(found[0])
    write_figures(found[:2], tmp_path)
    first = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    write_figures(found[:3], tmp_path)
    second = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert len(second) == 3
    assert first.items() <= second.items(), "what is there is not written again"


def test_failed_results_have_points_but_those_of_a_dead_qubit_show_nothing(reader: SnapshotReader) -> None:
    failed = [one for one in results(reader, "CheckT1", 2_000) if one.status == "failed"]
    faults = {planted_fault(one) for one in failed}
    assert {"GOOD", "NO_SIGNAL", "LOW_SNR", "WINDOW_TOO_SHORT"} <= faults
    assert {planted_fault(one, {one.qid}) for one in failed} == {"NO_SIGNAL"}
    assert made(failed[0], {failed[0].qid}).fault == "NO_SIGNAL"


def test_the_faults_of_stored_values_are_of_many_kinds(reader: SnapshotReader) -> None:
    stored = [one for one in results(reader, "CheckT1", 5_000) if one.status == "completed"]
    planted = [planted_fault(one) for one in stored]
    wrong = [fault for fault in planted if fault != "GOOD"]
    assert 0.02 < len(wrong) / len(planted) < 0.06
    assert len(set(wrong)) >= 7
    (excluded, *_) = [one for one in stored if one.excluded]
    assert planted_fault(excluded) == "AT_BOUND"


def test_chips_with_the_same_paths_do_not_share_their_files(reader: SnapshotReader, tmp_path: Path) -> None:
    """The paths of another demo chip are the same ones."""
    other = SnapshotReader(write_demo_snapshot(tmp_path / "other", seed=3, size=16, days=20, faults=False))
    folders = [calib_data_of(Manifest(), each)([]) for each in (reader, other)]
    other.close()
    assert None not in folders
    assert folders[0] != folders[1]


def test_the_demo_finds_its_files_and_another_snapshot_its_own(reader: SnapshotReader) -> None:
    (newest,) = results(reader, "CheckT1", 1)
    folder = calib_data_of(Manifest(), reader)([newest])
    assert folder is not None
    assert read_files(newest, folder).curve is not None
    assert folder != reader.folder / "calib_data"
