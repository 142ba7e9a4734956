"""Geometry of the chips that QDash knows (facts: its topology files, `config/domain/topologies/<id>.yaml`).

- `square-lattice-mux-N`: N = g² qubits in 2×2 blocks (a mux each): qubit q stands in mux q // 4 at place q % 4.
  Couplings are all nearest neighbours; the control is the one with (row + column) even.
- `heavy-hex-27`: four rows of five qubits, and bridges between them. QDash's file is no heavy-hex lattice in the strict
  sense: above and below each inner row the bridges meet the same qubits, so four qubits have four neighbours each.
- `linear-16`: one row.

In the latter two the control of a coupling is the one with the lower number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Literal

MUX_SIZE = 4
_SQUARE = re.compile(r"^square-lattice-mux-(\d+)$")


@dataclass(frozen=True, slots=True)
class Topology:
    """Where the qubits stand, and which pairs are coupled as (control, target), in the order of QDash's files."""

    topology_id: str
    layout_type: Literal["grid", "hex", "linear"]
    grid_size: int
    positions: dict[str, tuple[int, int]]
    couplings: tuple[tuple[str, str], ...]

    @property
    def has_muxes(self) -> bool:
        """Whether its qubits are read out four at a time: those of QDash's square lattices are."""
        return self.layout_type == "grid"

    @property
    def num_qubits(self) -> int:
        """How many qubits the chip has."""
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


def mux_of(qid: str) -> str:
    """The MUX of a qubit on such a chip, by QDash's rule; of a coupling none."""
    return str(int(qid) // MUX_SIZE) if qid.isdecimal() else ""


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
    return Topology(f"square-lattice-mux-{size}", "grid", grid, positions, tuple(couplings))


def heavy_hex_27() -> Topology:
    """Rows of five qubits with bridges in the second and fourth column, and one bridge that ends below the last row."""
    return _row_by_row("heavy-hex-27", "hex", 8, [*([range(5), (1, 3)] * 3), range(5), (2,)])


def linear_16() -> Topology:
    """A chain in one row."""
    return _row_by_row("linear-16", "linear", 16, [range(16)])


def topology_named(topology_id: str | None, size: int) -> Topology | None:
    """The topology of a chip; null ids fall back to the square lattice of the chip's size, as QDash does.

    None for a topology that this version does not know, and for sizes that are no square lattice.
    """
    if topology_id in _BY_ID:
        return _BY_ID[topology_id]
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


def _row_by_row(
    topology_id: str, layout_type: Literal["hex", "linear"], grid_size: int, rows: Sequence[Sequence[int]]
) -> Topology:
    """Qubits numbered through the given columns of each row, all nearest neighbours coupled: along a row, then from it
    to the next.
    """
    places = [(row, col) for row, cols in enumerate(rows) for col in cols]
    at = {place: str(q) for q, place in enumerate(places)}
    couplings = [
        (at[row, col], at[row + down, col + right])
        for row, cols in enumerate(rows)
        for down, right in ((0, 1), (1, 0))
        for col in cols
        if (row + down, col + right) in at
    ]
    return Topology(topology_id, layout_type, grid_size, {qid: place for place, qid in at.items()}, tuple(couplings))


_BY_ID = {topology.topology_id: topology for topology in (heavy_hex_27(), linear_16())}
