from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from qdash_jupyter.domain.topology import square_lattice, topology_named

FACTS = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text(encoding="utf-8"))[
    "topology_square_lattice"
]


@pytest.mark.parametrize(("size", "pairs"), [(int(size), pairs) for size, pairs in FACTS["sizes"].items()])
def test_lattices_as_qdash_ships_them(size: int, pairs: int) -> None:
    topology = square_lattice(size)
    grid = round(size**0.5)
    assert len(topology.couplings) == len(set(map(frozenset, topology.couplings))) == pairs
    assert sorted(topology.positions.values()) == [(row, col) for row in range(grid) for col in range(grid)]
    for control, target in topology.couplings:
        (row, col), (other_row, other_col) = topology.positions[control], topology.positions[target]
        assert abs(row - other_row) + abs(col - other_col) == 1
        assert (row + col) % 2 == 0


def test_pairs_stand_in_the_order_of_qdash_s_file() -> None:
    couplings = square_lattice(64).couplings
    assert [[int(a), int(b)] for a, b in couplings[:6]] == FACTS["first_pairs_of_64"]


def test_places_follow_the_muxes() -> None:
    positions = square_lattice(64).positions
    assert [positions[qid] for qid in ("0", "1", "2", "3", "4", "16", "63")] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (0, 2),
        (2, 0),
        (7, 7),
    ]
    assert square_lattice(144).positions["24"] == (2, 0)


@pytest.mark.parametrize(
    ("topology_id", "size", "qubits"),
    [
        ("square-lattice-mux-144", 64, 144),
        ("heavy-hex-27", 27, 27),
        ("linear-16", 16, 16),
        (None, 16, 16),
        ("", 64, 64),
        (None, 27, None),
        ("heavy-hex-65", 65, None),
        ("square-lattice-mux-27", 27, None),
    ],
)
def test_topologies_by_name(topology_id: str | None, size: int, qubits: int | None) -> None:
    topology = topology_named(topology_id, size)
    assert (topology.num_qubits if topology else None) == qubits


HEAVY_HEX = """
 0  1  2  3  4
 .  5  .  6  .
 7  8  9 10 11
 . 12  . 13  .
14 15 16 17 18
 . 19  . 20  .
21 22 23 24 25
 .  . 26  .  .
"""
"""QDash's `heavy-hex-27.yaml`, as a picture."""

HEAVY_HEX_PAIRS = (
    "0-1 1-2 2-3 3-4 1-5 3-6 5-8 6-10 7-8 8-9 9-10 10-11 8-12 10-13 12-15 13-17 14-15 15-16 16-17 17-18 "
    "15-19 17-20 19-22 20-24 21-22 22-23 23-24 24-25 23-26"
)
"""Its couplings in the file's order."""


def test_the_heavy_hex_chip_as_qdash_ships_it() -> None:
    chip = topology_named("heavy-hex-27", 27)
    assert chip is not None
    rows = [line.split() for line in HEAVY_HEX.strip().splitlines()]
    assert chip.positions == {
        qid: (row, col) for row, line in enumerate(rows) for col, qid in enumerate(line) if qid != "."
    }
    assert list(chip.positions) == [str(q) for q in range(27)]
    assert " ".join(f"{control}-{target}" for control, target in chip.couplings) == HEAVY_HEX_PAIRS
    assert (chip.topology_id, chip.layout_type, chip.grid_size, chip.num_qubits) == ("heavy-hex-27", "hex", 8, 27)
    degrees = Counter(qid for pair in chip.couplings for qid in pair)
    # QDash's file is no heavy-hex lattice in the strict sense, where three is the most.
    assert [qid for qid, degree in degrees.items() if degree > 3] == ["8", "10", "15", "17"]
    assert max(degrees.values()) == 4


def test_the_linear_chip_as_qdash_ships_it() -> None:
    chip = topology_named("linear-16", 16)
    assert chip is not None
    assert chip.positions == {str(q): (0, q) for q in range(16)}
    assert chip.couplings == tuple((str(q), str(q + 1)) for q in range(15))
    assert (chip.topology_id, chip.layout_type, chip.grid_size) == ("linear-16", "linear", 16)


@pytest.mark.parametrize("topology_id", ["heavy-hex-27", "linear-16", *(f"square-lattice-mux-{n}" for n in (16, 144))])
def test_every_pair_is_of_neighbours_and_all_are_connected(topology_id: str) -> None:
    chip = topology_named(topology_id, 0)
    assert chip is not None
    for one, other in chip.couplings:
        (row, col), (other_row, other_col) = chip.positions[one], chip.positions[other]
        assert abs(row - other_row) + abs(col - other_col) == 1
        assert int(one) < int(other) or chip.layout_type == "grid"
    assert len(set(map(frozenset, chip.couplings))) == len(chip.couplings)
    reached, before = {"0"}, 0
    while len(reached) > before:
        before = len(reached)
        reached |= {qid for pair in chip.couplings if reached & set(pair) for qid in pair}
    assert reached == set(chip.positions)


@pytest.mark.parametrize("size", [0, 1, 9, 25, 63, 65])
def test_no_lattice_of_that_size(size: int) -> None:
    with pytest.raises(ValueError, match=f"not {size}"):
        square_lattice(size)


def test_a_coupling_stands_half_way_between_its_qubits() -> None:
    lattice = square_lattice(16)
    middles = lattice.middles()
    assert list(middles) == [f"{control}-{target}" for control, target in lattice.couplings]
    assert (middles["0-1"], middles["0-2"], middles["4-1"]) == ((0.0, 0.5), (0.5, 0.0), (0.0, 1.5))
    assert all((row + col) % 1 == 0.5 for row, col in middles.values()), "neighbours: one of both is half"
