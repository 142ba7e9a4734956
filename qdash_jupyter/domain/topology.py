"""Geometry of QDash's square lattices with readout multiplexing (facts: QDash's shipped topology files).

A lattice of N = g² qubits is made of 2×2 blocks (a mux each): qubit q stands in mux q // 4 at place q % 4. Couplings
are all nearest neighbours; the control is the one with (row + column) even.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isqrt

MUX_SIZE = 4
_SQUARE = re.compile(r"^square-lattice-mux-(\d+)$")


@dataclass(frozen=True, slots=True)
class Topology:
    """Where the qubits stand, and which pairs are coupled as (control, target), in the order of QDash's files."""

    topology_id: str
    grid_size: int
    positions: dict[str, tuple[int, int]]
    couplings: tuple[tuple[str, str], ...]

    @property
    def num_qubits(self) -> int:
        """How many qubits the lattice has."""
        return len(self.positions)

    def middles(self) -> dict[str, tuple[float, float]]:
        """Where the couplings stand, by `"control-target"`: half-way between their qubits, in rows and columns."""
        return {
            f"{control}-{target}": (
                (self.positions[control][0] + self.positions[target][0]) / 2,
                (self.positions[control][1] + self.positions[target][1]) / 2,
            )
            for control, target in self.couplings
        }


def square_lattice(size: int) -> Topology:
    """The square lattice of `size` qubits.

    Raises:
        ValueError: `size` is not the square of an even number.
    """
    grid = isqrt(size)
    if size < MUX_SIZE or grid * grid != size or grid % 2:
        msg = f"A square lattice of 2×2 blocks has 4, 16, 36, 64, … qubits, not {size}."
        raise ValueError(msg)
    positions = {str(q): _place(q, grid) for q in range(size)}
    at = {place: qid for qid, place in positions.items()}
    couplings: list[tuple[str, str]] = []
    for qid, (row, col) in positions.items():
        neighbours = (at.get((row, col + 1)), at.get((row + 1, col)))
        couplings.extend((qid, n) if (row + col) % 2 == 0 else (n, qid) for n in neighbours if n is not None)
    return Topology(f"square-lattice-mux-{size}", grid, positions, tuple(couplings))


def topology_named(topology_id: str | None, size: int) -> Topology | None:
    """The topology of a chip; null ids fall back to the square lattice of the chip's size, as QDash does.

    None for a topology that this version does not know, and for sizes that are no square lattice.
    """
    if topology_id:
        match = _SQUARE.match(topology_id)
        if match is None:
            return None
        size = int(match.group(1))
    try:
        return square_lattice(size)
    except ValueError:
        return None


def _place(q: int, grid: int) -> tuple[int, int]:
    mux, k = divmod(q, MUX_SIZE)
    per_row = grid // 2
    return 2 * (mux // per_row) + k // 2, 2 * (mux % per_row) + k % 2
