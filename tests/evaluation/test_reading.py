"""What the judge reads out of answers: ids in their spellings, numbers with units, tables, charts."""

from __future__ import annotations

import base64
import struct
from datetime import UTC, datetime

import pytest
from eval.reading import Number, Reading, ids_in, ids_in_order, numbers_in

ANSWER = """\
**2 qubits lost T1: Q07 and Q12.**

|  | before [μs] | change |
| --- | --- | --- |
| Q07 | 61.4 | -49 % |
| Q12 | 80.0 | -31 % |

Not measured: Q29.

*Answered by the offline planner: fixed methods, no language model.*
"""


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Q07, q is not, Q12-Q13 and 4-1", {"7", "12-13", "4-1"}),
        ("Q07、Q8とQ12→Q13", {"7", "8", "12-13"}),
        ("on 2026-06-10 in run 20260610-000, 2026-06-10 18:04", set()),
        ("T1, T2 and X90 of Q00", {"0"}),
    ],
)
def test_ids_in_their_spellings(text: str, ids: set[str]) -> None:
    assert ids_in(text) == ids


def test_ids_keep_their_order() -> None:
    assert ids_in_order("worst: Q12, Q03 and Q12-Q13, then Q03") == ["12", "3", "12-13"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("T1 is 61.4 ± 2.1 μs", [Number(61.4, "μs", 0.05)]),
        ("61,400 ns", [Number(61.4, "μs", 5e-4)]),
        ("moved by −2.5 MHz", [Number(-2.5e-3, "GHz", 5e-5)]),
        ("97.2 % of 36", [Number(97.2, "%", 0.05), Number(36.0, "", 0.5)]),
        ("Q07 on 2026-06-10, X90, zx90_gate_fidelity", []),
    ],
)
def test_numbers_are_brought_to_one_unit(text: str, numbers: list[Number]) -> None:
    found = numbers_in(text)
    assert [number.unit for number in found] == [number.unit for number in numbers]
    assert [number.value for number in found] == pytest.approx([number.value for number in numbers])
    assert [number.half for number in found] == pytest.approx([number.half for number in numbers])


def test_a_cell_takes_the_unit_of_its_heading() -> None:
    assert [number.unit for number in numbers_in("61.4", "before [μs]")] == ["μs"]


def test_headline_tables_and_rows() -> None:
    reading = Reading(ANSWER)
    assert ids_in(reading.headline) == {"7", "12"}
    assert reading.tables == [
        [["", "before [μs]", "change"], ["Q07", "61.4", "-49 %"], ["Q12", "80.0", "-31 %"]],
    ]
    assert [("before [μs]", "61.4"), ("change", "-49 %")] in list(reading.rows_of("7"))
    assert "planner" not in reading.plain


def test_answers_with_the_same_numbers_have_one_essence() -> None:
    japanese = ANSWER.replace("2 qubits lost T1: Q07 and Q12.", "T1が低下した量子ビット2個: Q07、Q12")
    assert Reading(ANSWER).essence == Reading(japanese).essence
    assert Reading(ANSWER).essence != Reading(ANSWER.replace("-31", "-13")).essence


def test_points_of_charts_are_read_as_plotly_packs_them() -> None:
    packed = base64.b64encode(struct.pack("<2d", 61.4, 60.0)).decode()
    trace = {"name": "<b>Q07</b>", "x": ["2026-06-10T18:04:00", "2026-06-11"], "y": {"dtype": "f8", "bdata": packed}}
    read = Reading("", [{"data": [trace]}]).traces[0]
    assert (read.kind, read.name, read.y) == ("scatter", "Q07", (61.4, 60.0))
    assert read.x == (datetime(2026, 6, 10, 18, 4, tzinfo=UTC), datetime(2026, 6, 11, tzinfo=UTC))
