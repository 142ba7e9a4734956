"""The demo chip's figures: of what was stored, with their planted faults, and the same each time they are made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_chip.curve_files import KINDS, figure_of, has_figure, made, planted_fault
from demo_chip.curves import faults_of
from demo_chip.faults import deal_faults
from demo_chip.snapshot import DEMO_SEED

from qdash_jupyter.data.calib_data import CalibData
from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFile
from qdash_jupyter.data.curves.frames import read_files
from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.topology import square_lattice
from qdash_jupyter.methods.curves.judge import judge

CHIP = ChipRef("demo", "64Q-demo")
DEAD = deal_faults(DEMO_SEED, square_lattice(64)).dead
PAGE = Path(__file__).parents[2] / "docs" / "demo-chip.md"


@pytest.fixture(scope="module")
def reader() -> Iterator[SnapshotReader]:
    reader = SnapshotReader(DEMO)
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def files() -> CalibData:
    return CalibFile(DEMO / CALIB_FILE)


def results(reader: SnapshotReader, task: str, count: int) -> list[TaskResult]:
    found = reader.task_results(ResultQuery(CHIP, task_name=task, last_n=count))
    return list(filter(has_figure, found))


@pytest.mark.parametrize("task", KINDS)
@pytest.mark.long
def test_a_good_curve_carries_what_was_stored(reader: SnapshotReader, files: CalibData, task: str) -> None:
    """Nearly all results of each kind are said to be reliable, and none is far from its stored value."""
    stored = [one for one in results(reader, task, 60) if one.status == "completed"]
    chosen = [one for one in stored if planted_fault(one) == "GOOD"]
    verdicts = []
    for one in chosen:
        curve = read_files(one, files).curve
        assert curve is not None
        verdicts.append(judge(curve))
    assert len(verdicts) > 8
    assert sum(verdict.fit == "reliable" for verdict in verdicts) >= 0.93 * len(verdicts)
    apart = [max((each.sigmas for each in verdict.stored), default=0.0) for verdict in verdicts]
    assert sum(sigmas > 3 for sigmas in apart) <= 0.05 * len(verdicts)


def test_the_same_result_has_the_same_file_and_no_two_share_one(reader: SnapshotReader, files: CalibData) -> None:
    found = results(reader, "CheckT1", 3_000)
    paths = [path for one in found for path in one.json_figure_path]
    assert len(set(paths)) == len(paths) == len(found)
    assert figure_of(found[0], DEAD) == figure_of(found[0], DEAD) == files.read(paths[0], most_bytes=100_000)


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


FAULTS = {
    "no signal": "NO_SIGNAL",
    "noise hides the value": "LOW_SNR",
    "window too short": "WINDOW_TOO_SHORT",
    "window too long": "WINDOW_TOO_LONG",
    "too few points a period": "UNDERSAMPLED",
    "aliasing": "ALIASED",
    "two decays": "TWO_COMPONENTS",
    "a beat of two frequencies": "BEATING",
    "two lines": "TWO_PEAKS",
    "clipping": "CLIPPED",
    "outliers": "OUTLIERS",
    "drift during the measurement": "DRIFT",
    "a fit of noise": "FIT_OF_NOISE",
    "a fit at its bound": "AT_BOUND",
}
_ROW = re.compile(r"^\| ([^|]+) \| `([A-Z_]+)` \| (\w+) of Q(\d+), (\d{4}-\d\d-\d\d) \|$", re.MULTILINE)


def test_every_fault_is_on_the_chip_where_the_page_says_and_is_seen(reader: SnapshotReader, files: CalibData) -> None:
    seen = {}
    for what, code, task, qid, day in _ROW.findall(PAGE.read_text(encoding="utf-8")):
        query = ResultQuery(CHIP, task_name=task, qid=str(int(qid)), last_n=30)
        found = [one for one in reader.task_results(query) if f"{one.start_at:%Y-%m-%d}" == day]
        curve = read_files(found[0], files).curve if found else None
        if curve is not None and planted_fault(found[0], DEAD) == judge(curve).code == code:
            seen[what] = code
    assert seen == FAULTS, f"The table of docs/demo-chip.md may be:\n{examples(reader, files)}"


def examples(reader: SnapshotReader, files: CalibData) -> str:
    """An example of each fault for the page: the last result of a qubit where there is such, else the newest."""
    lines = {}
    for what, code in FAULTS.items():
        tasks = [task for task, kind in KINDS.items() if code in faults_of(kind.family)]
        every = [one for task in tasks[: 1 if what == "two decays" else None] for one in results(reader, task, 6_000)]
        last: dict[tuple[str, str], str] = {}
        for one in every:
            last.setdefault((one.task_name, one.qid), one.task_id)
        every.sort(key=lambda one: one.task_id not in last.values())
        for one in every:
            if one.qid not in DEAD and planted_fault(one, DEAD) == code:
                curve = read_files(one, files).curve
                if curve is not None and judge(curve).code == code:
                    where = f"{one.task_name} of Q{one.qid.zfill(2)}, {one.start_at:%Y-%m-%d}"
                    lines[what] = f"| {what} | `{code}` | {where} |"
                    break
    return "\n".join(lines.values())
