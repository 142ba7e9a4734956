from __future__ import annotations

import json
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
    [("square-lattice-mux-144", 64, 144), (None, 16, 16), ("", 64, 64), ("heavy-hex-27", 27, None), (None, 27, None)],
)
def test_topologies_by_name(topology_id: str | None, size: int, qubits: int | None) -> None:
    topology = topology_named(topology_id, size)
    assert (topology.num_qubits if topology else None) == qubits


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
