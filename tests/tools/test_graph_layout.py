"""Places for graphs of which only the connections are known, and for chains."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from qdash_jupyter.domain.topology import square_lattice, topology_named
from qdash_jupyter.tools.graph_layout import LONGEST_ROW, Place, folded, spread


def numbers(count: int) -> list[str]:
    return [str(q) for q in range(count)]


def between(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


@pytest.mark.parametrize("length", [*range(1, 40), 100, 1000])
def test_in_a_folded_chain_neighbours_are_coupled_and_nobody_else_is(length: int) -> None:
    places = list(folded(numbers(length)).values())
    touching = {pair for pair in combinations(range(length), 2) if between(places[pair[0]], places[pair[1]]) == 1}
    assert touching == {(q, q + 1) for q in range(length - 1)}
    rows, cols = (1 + max(axis) for axis in zip(*places, strict=True))
    assert min(min(axis) for axis in zip(*places, strict=True)) == 0
    assert (rows == 1) if length <= LONGEST_ROW else (abs(rows - cols) <= 2), "about a square"


@pytest.mark.parametrize("size", [16, 36, 64])
def test_a_lattice_comes_out_as_it_is(size: int) -> None:
    lattice = square_lattice(size)
    assert spread(list(lattice.positions), lattice.couplings) == lattice.positions


def test_the_heavy_hex_chip_keeps_coupled_qubits_together() -> None:
    chip = topology_named("heavy-hex-27", 27)
    assert chip is not None
    places = spread(list(chip.positions), chip.couplings)
    assert max(between(places[one], places[other]) for one, other in chip.couplings) <= 2


@pytest.mark.parametrize("seed", range(12))
def test_any_graph_has_a_place_for_each_and_the_same_each_time(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    qids = numbers(chance.randint(2, 30))
    pairs = [pair for pair in combinations(qids, 2) if chance.random() < chance.choice((0.02, 0.1, 0.5))]
    places = spread(qids, pairs)
    assert set(places) == set(qids)
    assert len(set(places.values())) == len(qids)
    assert min(row for row, _ in places.values()) == min(col for _, col in places.values()) == 0
    assert spread(qids, pairs) == places


@pytest.mark.parametrize(
    ("count", "pairs"),
    [
        (0, []),
        (1, []),
        (2, [("0", "1")]),
        (7, [("0", str(leaf)) for leaf in range(1, 7)]),  # twins: every leaf is as far from all others
        (10, list(combinations(numbers(10), 2))),
        (30, list(combinations(numbers(30), 2))),
    ],
)
def test_unusual_graphs(count: int, pairs: list[tuple[str, str]]) -> None:
    places = spread(numbers(count), pairs)
    assert len(set(places.values())) == count


def test_qubits_without_couplings_stand_in_order() -> None:
    places = spread(numbers(10), [])
    assert places == {str(q): divmod(q, 3) for q in range(10)}


def test_parts_that_are_not_connected_stand_apart() -> None:
    places = spread(numbers(8), [("0", "1"), ("1", "2"), ("2", "0"), ("3", "4")])
    parts = [("0", "1", "2"), ("3", "4"), ("5",), ("6",), ("7",)]
    for one, other in combinations(parts, 2):
        assert min(between(places[a], places[b]) for a in one for b in other) > (len(one) > 1)
