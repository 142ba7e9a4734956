"""The demo chip that comes with the package is what `make demo-chip` writes, and is opened where it is."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from demo_chip.curve_files import has_figure
from demo_chip.faults import deal_faults
from demo_chip.snapshot import DEMO_SEED, write_demo_snapshot

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect.sources import calib_data_of, open_reader
from qdash_jupyter.data.calib_file import CALIB_FILE
from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.topology import square_lattice


def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return read


def test_its_files_are_those_that_the_manifest_names() -> None:
    said = manifest(DEMO)
    assert said["source"] == f"generated: 64Q-demo, seed {DEMO_SEED}, 90 days, planted faults"
    assert {path.stem for path in DEMO.glob("*.parquet")} == {*said["collections"], "calib_data"}
    for name, of in {**said["collections"], "calib_data": said["calib_data"]}.items():
        path = DEMO / f"{name}.parquet"
        assert sha256(path.read_bytes()).hexdigest() == of["sha256"], name
        if "rows" in of:
            assert pq.ParquetFile(path).metadata.num_rows == of["rows"], name


def test_the_planted_faults_are_in_it_and_each_result_has_its_curve() -> None:
    reader = open_reader(Manifest(), demo=True)
    assert isinstance(reader, SnapshotReader)
    assert reader.folder == DEMO
    results = reader.task_results(ResultQuery(ChipRef("demo", "64Q-demo"), last_n=100_000))
    never = {one.qid for one in results if "-" not in one.qid} - {
        one.qid for one in results if one.status == "completed"
    }
    assert never == set(deal_faults(DEMO_SEED, square_lattice(64)).dead)
    drawn = [path for one in results if has_figure(one) for path in one.json_figure_path]
    assert len(drawn) == pq.ParquetFile(DEMO / CALIB_FILE).metadata.num_rows
    files = calib_data_of(Manifest(), reader)
    for path in drawn[:: len(drawn) // 50]:
        assert json.loads(files.read(path, most_bytes=100_000))["data"]
    reader.close()


@pytest.mark.long
@pytest.mark.timeout(1_200)
def test_the_generator_writes_it_again(tmp_path: Path) -> None:
    """Table by table: another pyarrow may write other bytes."""
    made = write_demo_snapshot(tmp_path / "made", seed=DEMO_SEED, curves=True)
    assert {path.name for path in made.iterdir()} == {path.name for path in DEMO.iterdir()}
    for path in sorted(DEMO.glob("*.parquet")):
        assert pq.read_table(made / path.name).equals(pq.read_table(path)), path.name

    def without_digests(folder: Path) -> dict[str, Any]:
        said = manifest(folder)
        for of in (said["calib_data"], *said["collections"].values()):
            of.pop("sha256")
        return said

    assert without_digests(made) == without_digests(DEMO)
