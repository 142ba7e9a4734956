from __future__ import annotations

import pytest

from qdash_jupyter.domain.qid import in_ranges, is_coupling, normalise_qid, of_ranges, qid_label, qid_order, spellings


@pytest.mark.parametrize(
    ("raw", "qid"),
    [
        ("7", "7"),
        (7, "7"),
        ("007", "7"),
        ("Q7", "7"),
        ("q07", "7"),
        ("Q007", "7"),
        ("qubit 7", "7"),
        ("Qubit #7", "7"),
        ("qubit_7", "7"),
        ("量子ビット7", "7"),
        ("  7 ", "7"),
        ("0", "0"),
        ("000", "0"),
        ("Q000", "0"),
        ("143", "143"),
        ("4-1", "4-1"),
        ("04-001", "4-1"),
        ("Q4-Q1", "4-1"),
        ("Q04 - Q01", "4-1"),
        ("4→1", "4-1"),
        ("4->1", "4-1"),
        ("4–1", "4-1"),
        ("coupling 4-1", "4-1"),
        ("0-0010", "0-10"),
    ],
)
def test_spellings_of_people_and_of_real_databases(raw: object, qid: str) -> None:
    assert normalise_qid(raw) == qid


@pytest.mark.parametrize("raw", ["７", "Ｑ７", "Q０７"])
def test_full_width_digits_of_japanese_keyboards(raw: str) -> None:
    assert normalise_qid(raw) == "7"


@pytest.mark.parametrize("raw", ["", " ", "x", "Q", "-7", "7.0", 7.5, "4-", "4-1-2", "all", True, None, "1e3", "七"])
def test_what_is_no_id(raw: object) -> None:
    assert normalise_qid(raw) is None


def test_ids_sort_by_number_and_couplings_by_control_then_target() -> None:
    assert sorted(["10", "9", "100"], key=qid_order) == ["9", "10", "100"]
    assert sorted(["10-9", "9-10", "9-2"], key=qid_order) == ["9-2", "9-10", "10-9"]


@pytest.mark.parametrize(
    ("qid", "size", "label"), [("7", 64, "Q07"), ("7", 144, "Q007"), ("4-1", 64, "Q04-Q01"), ("7", 4, "Q07")]
)
def test_labels(qid: str, size: int, label: str) -> None:
    assert qid_label(qid, size) == label


@pytest.mark.parametrize("qid", ["0", "7", "143", "4-1"])
def test_every_spelling_in_a_database_is_the_same_id(qid: str) -> None:
    written = spellings(qid)
    assert qid in written
    assert {normalise_qid(spelling) for spelling in written} == {qid}
    assert len(set(map(repr, written))) == len(written)
    assert is_coupling(qid) == ("-" in qid)


@pytest.mark.parametrize("qids", [["0"], ["0", "1", "2"], ["0", "1", "5", "7", "8", "9"], ["3", "5"]])
def test_ids_as_ranges_are_read_as_the_same_ids(qids: list[str]) -> None:
    assert of_ranges(in_ranges(qids)) == qids
    assert in_ranges(["0", "1", "5", "7", "8"]) == "0-1, 5, 7-8"
