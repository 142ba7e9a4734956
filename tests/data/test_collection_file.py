"""Parquet files of several groups of rows, read by columns and by place."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyarrow.compute import field

from qdash_jupyter.data.collection_file import PLACE, CollectionFile, holds, records

ROWS: list[dict[str, Any]] = [
    {
        "number": number,
        "text": f"text {number}",
        "half": "first" if number < 49 else "second",
        "tags": ["odd"] * (number % 2) + ["third"] * (number % 3 == 0),
        "outputs": [{"parameter": name, "value": float(number)} for name in ("t1", "t2")[: number % 3]],
    }
    for number in range(100)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("file") / "results.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=7)
    return path


def test_rows_are_read_with_the_columns_that_are_asked_for(path: Path) -> None:
    rows = CollectionFile(path).read({"number": field("number") >= 95}, ["number", "outputs.value"])
    assert rows.to_pylist() == [
        {"number": number, "outputs": [{"value": float(number)}] * (number % 3), PLACE: number}
        for number in range(95, 100)
    ]


def test_nothing_found_has_the_same_columns(path: Path) -> None:
    file = CollectionFile(path)
    found, none = (file.read({"number": field("number") == number}, ["tags", "outputs"]) for number in (5, 500))
    assert (len(found), len(none), found.schema) == (1, 0, none.schema)


def test_groups_that_hold_nothing_of_it_are_not_read(path: Path) -> None:
    read = []

    def each(rows: pa.Table) -> pa.Table:
        read.append(rows["number"].to_pylist())
        return rows

    CollectionFile(path).read({"number": (field("number") > 12) & (field("number") < 15)}, ["number"], each)
    assert read == [[], [13], [14]]  # the empty ones say what an answer without rows looks like
    damaged = bytearray(path.read_bytes())
    start = pq.read_metadata(path).row_group(5).column(0).data_page_offset
    damaged[start : start + 30] = bytes(30)
    torn = path.with_name("torn.parquet")
    torn.write_bytes(damaged)
    assert len(CollectionFile(torn).read({"number": field("number") < 35})) == 35
    with pytest.raises(OSError, match=r"."):
        CollectionFile(torn).read({"number": field("number") < 36})


def test_what_a_whole_group_has_in_common_is_not_read(path: Path) -> None:
    of_half = field("half")
    for is_second in (
        of_half == "second",
        ~(of_half == "first"),
        of_half.isin(["second", "third"]),
        pc.match_substring(of_half, "sec"),
        (of_half != "") & ~pc.match_substring(of_half, "first"),
    ):
        where = {"half": is_second}
        assert CollectionFile(path).read(where).to_pylist() == [{PLACE: place} for place in range(49, 100)]
        both = where | {"number": field("number") < 60}
        assert CollectionFile(path).read(both, ["number"])["number"].to_pylist() == list(range(49, 60))


def test_texts_by_their_places(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qdash_jupyter.data.collection_file._PAGE", 3)
    for places in ([], [0], [99, 3, 50, 3, 51], list(range(100))):
        assert CollectionFile(path).texts("text", places) == [f"text {place}" for place in places]


def test_a_row_for_each_record_and_what_a_list_holds(path: Path) -> None:
    rows = CollectionFile(path).read({"number": field("number") < 20}, ["number", "outputs", "tags"])
    each = records(rows.select(["number", "outputs"]), "outputs")
    assert each.to_pylist() == [
        {"number": one["number"]} | {f"outputs.{name}": value for name, value in record.items()}
        for one in ROWS[:20]
        for record in one["outputs"]
    ]
    assert records(rows, "outputs", ["t2"])["number"].to_pylist() == [2, 5, 8, 11, 14, 17]
    assert len(records(rows, "outputs", [])) == 0
    odd = rows.filter(field("number") > 4)["tags"]  # begins in the middle of what was read
    assert holds(odd, "odd").tolist() == [number % 2 == 1 for number in range(5, 20)]
    assert not holds(odd, "no such").any()


def test_the_newest_come_first_and_no_more_is_read_than_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qdash_jupyter.data.collection_file._PAGE", 1)
    ranks: list[list[float | None]] = [[9, 8, 7], [12, 6, 5, None], [4, 11], [3, 2, 1]]  # one is not in order
    path = tmp_path / "ranked.parquet"
    with pq.ParquetWriter(path, pa.schema({"rank": pa.float64(), "odd": pa.bool_()})) as file:
        for some in ranks:
            file.write_table(pa.table({"rank": pa.array(some, pa.float64()), "odd": [some[0] == 4] * len(some)}))
    is_odd = {"odd": field("odd") == True}  # noqa: E712 - a condition in the making
    where = {"rank": field("rank").is_null() | (field("rank") > 2)}
    told = [
        (rows["rank"].to_pylist(), to_come) for rows, to_come in CollectionFile(path).newest(where, ["rank"], is_odd)
    ]
    assert [rank for ranks, _ in told for rank in ranks] == [4, 11, 12, 6, 5, None, 9, 8, 7, 3]
    for number, (_, to_come) in enumerate(told):
        assert to_come >= max((rank or 0 for ranks, _ in told[number + 1 :] for rank in ranks), default=-1)

    damaged = bytearray(path.read_bytes())
    start = pq.read_metadata(path).row_group(3).column(0).data_page_offset
    damaged[start : start + 30] = bytes(30)
    path.with_name("torn.parquet").write_bytes(damaged)
    newest = CollectionFile(path.with_name("torn.parquet")).newest({}, ["rank"], is_odd)
    assert [next(newest)[1] for _ in range(5)][-1] == 7
    with pytest.raises(OSError, match=r"."):
        list(newest)
