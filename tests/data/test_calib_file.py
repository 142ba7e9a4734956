"""The files of results in one Parquet file: what was put in comes out, and what cannot be read is said."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect.sources import calib_data_of
from qdash_jupyter.data import calib_file
from qdash_jupyter.data.calib_data import CalibFolder, LeftOut
from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFile, CalibFileWriter
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from tests.tools.conftest import AS_OF
from tests.tools.qdash_documents import a_chip

MOST = 1_000_000


def written(place: Path, files: Mapping[str, bytes]) -> CalibFile:
    with CalibFileWriter(place) as writer:
        for path, content in files.items():
            writer.add(Path(path), content)
        assert len(writer) == len(files)
        assert all(Path(path) in writer for path in files)
    return CalibFile(place)


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[CalibFile, dict[str, bytes]]:
    """A hundred small files in groups of a few, in no order, with a large one among them."""
    monkeypatch.setattr(calib_file, "_GROUP_BYTES", 2_000)
    files = {f"alice/{number * 37 % 101}.json": bytes([number]) * 10 * number for number in range(1, 101)}
    files["alice/large.csv"] = b"\x00" * 50_000
    return written(tmp_path / "calib_data.parquet", files), files


def test_each_file_comes_out_as_it_was(many: tuple[CalibFile, dict[str, bytes]]) -> None:
    file, files = many
    assert pq.ParquetFile(file.place).num_row_groups > 10
    for path in [*files, *reversed(files)]:
        assert file.read(f"/app/calib_data/{path}", most_bytes=MOST) == files[path]
    assert file.read("D:\\qdash\\calib_data\\alice\\large.csv", most_bytes=MOST) == files["alice/large.csv"]


def test_one_file_is_read_with_its_group_alone(
    many: tuple[CalibFile, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, files = many
    groups = []
    read = pq.ParquetFile.read_row_group

    def noted(self: pq.ParquetFile, group: int, columns: list[str]) -> object:
        if "content" in columns:
            groups.append(group)
        return read(self, group, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    for path in list(files)[:6]:
        file.read(path, most_bytes=MOST)
    assert groups == [0], "they lie beside each other"


def test_several_threads_read_at_once(many: tuple[CalibFile, dict[str, bytes]]) -> None:
    file, files = many
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda path: file.read(path, most_bytes=MOST), files)) == list(files.values())


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/app/calib_data/none.json", "isn't on this machine"),
        ("/app/calib_data/../alice/1.json", "outside the folder"),
        ("/etc/passwd", "isn't on this machine"),
        ("", "isn't on this machine"),
        ("alice/x\0.json", "isn't on this machine"),
    ],
)
def test_what_is_not_in_it_is_said(many: tuple[CalibFile, dict[str, bytes]], path: str, why: str) -> None:
    with pytest.raises(LeftOut, match=why):
        many[0].read(path, most_bytes=MOST)


def test_too_large_a_file_is_not_even_unpacked(
    many: tuple[CalibFile, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = many
    with pytest.raises(LeftOut, match="larger than 100 bytes"):
        file.read("alice/38.json", most_bytes=100)
    monkeypatch.setattr(file, "_contents", lambda group: pytest.fail("it was unpacked"))
    with pytest.raises(LeftOut, match="larger than 10 kB"):
        file.read("alice/large.csv", most_bytes=10_000)


def test_a_file_that_is_cut_off_or_gone_is_said(tmp_path: Path) -> None:
    file = written(tmp_path / "calib_data.parquet", {"1.json": b"{}" * 1_000})
    file.place.write_bytes(file.place.read_bytes()[:-20])
    for _ in range(2):
        with pytest.raises(LeftOut, match="it can't be read"):
            file.read("1.json", most_bytes=MOST)
        file.place.unlink(missing_ok=True)


def test_a_snapshot_has_its_files_in_it_and_an_old_one_beside_it(tmp_path: Path) -> None:
    reader = SnapshotReader(write_snapshot(a_chip(), tmp_path, as_of=AS_OF, source="the tests"))
    assert calib_data_of(Manifest(), reader) == CalibFolder(tmp_path / "calib_data")
    written(tmp_path / CALIB_FILE, {"1.json": b"{}"})
    assert calib_data_of(Manifest(), reader).read("/app/calib_data/1.json", most_bytes=9) == b"{}"
    reader.close()
