"""Places on a grid for qubits of which only the connections are known, and for chains.

The places are nobody's but ours, and the same each time. Qubits that few couplings part come near each other (stress
majorisation: distances on paper as the numbers of couplings between), then each takes the nearest place of a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, sqrt
from typing import Any

import numpy as np

Place = tuple[int, int]

LONGEST_ROW = 8
"""Longer chains are folded."""

MOVES = 20_000
"""About so many single moves arrange a graph: half a second of computing."""

FINEST = 4
"""So many places of the grid for one coupling's length, at most."""


def folded(chain: Sequence[str]) -> dict[str, Place]:
    """Places (row, column) of a chain: to and fro, one qubit at each turn, so that neighbours on paper are coupled."""
    cols = round(sqrt(2 * len(chain)) - 0.5) if len(chain) > LONGEST_ROW else len(chain)
    places = {}
    for number, qid in enumerate(chain):
        turns, along = divmod(number, cols + 1)
        row = 2 * turns + along // cols
        along = min(along, cols - 1)
        places[qid] = (row, along if turns % 2 == 0 else cols - 1 - along)
    return places


def spread(qids: Sequence[str], couplings: Sequence[tuple[str, str]]) -> dict[str, Place]:
    """Places (row, column) of all qubits; parts that are not connected stand side by side, in the order of `qids`."""
    from scipy.sparse.csgraph import connected_components, shortest_path

    number = {qid: index for index, qid in enumerate(qids)}
    coupled = np.zeros((len(qids), len(qids)))
    for one, other in couplings:
        coupled[number[one], number[other]] = coupled[number[other], number[one]] = 1
    steps = shortest_path(coupled, unweighted=True)
    count, parts = connected_components(coupled)
    members = [np.flatnonzero(parts == part) for part in range(count)]
    return _side_by_side([_arranged([qids[one] for one in part], steps[np.ix_(part, part)]) for part in members])


def _side_by_side(parts: Sequence[dict[str, Place]]) -> dict[str, Place]:
    """One picture of all parts: in rows from left to right, an empty place between those of several qubits."""
    sizes = []
    for part in parts:
        rows, cols = zip(*part.values(), strict=True)
        apart = int(len(part) > 1)
        sizes.append((1 + max(rows) + apart, 1 + max(cols) + apart))
    area = sum(rows * cols for rows, cols in sizes)
    width = max([isqrt(area), *(cols for _, cols in sizes)])
    places: dict[str, Place] = {}
    top = left = below = 0
    for part, (rows, cols) in zip(parts, sizes, strict=True):
        if left + cols > width:
            top, left = below, 0
        places |= {qid: (top + row, left + col) for qid, (row, col) in part.items()}
        left, below = left + cols, max(below, top + rows)
    return places


def _arranged(part: Sequence[str], steps: np.ndarray[Any, Any]) -> dict[str, Place]:
    """Places of qubits that are all connected, from (0, 0) on; `steps` are the couplings between each two."""
    neighbours = (steps == 1).sum(axis=0)
    if neighbours.max() <= 2 and neighbours.min() <= 1:  # noqa: PLR2004 - a chain
        return folded([part[one] for one in steps[neighbours.argmin()].argsort()])
    points = _upright(_relaxed(steps), np.argwhere(steps == 1))
    for quarter in range(4, 4 * FINEST + 1):
        places = np.rint(points * quarter / 4)
        if len(np.unique(places)) == len(places):
            # Without the rows and columns in which nothing stands.
            rows, cols = (np.unique(axis, return_inverse=True)[1].tolist() for axis in (places.imag, places.real))
            return dict(zip(part, zip(rows, cols, strict=True), strict=True))
    side = isqrt(len(part) - 1) + 1
    return {qid: divmod(index, side) for index, qid in enumerate(part)}


def _relaxed(away: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Points x + iy whose distances are as near to the numbers of steps as they come, near ones counting most."""
    weights = 1 / np.where(away > 0, away, np.inf) ** 2
    a = int(away[0].argmax())
    b = int(away[a].argmax())
    aside = np.abs(away[a] - away[b])
    c = int((np.minimum(away[a], away[b]) - aside).argmax())
    d = int((away[c] - aside).argmax())
    points: np.ndarray[Any, Any] = (away[a] - away[b] + 1j * (away[c] - away[d])) / 2
    points += 0.15 * np.exp(2.4j * np.arange(len(away)))  # twins, whose steps are the same, must not be on one point
    for _ in range(max(10, min(200, MOVES // len(away)))):
        for index in range(len(away)):
            back = points[index] - points
            length = np.abs(back)
            wanted = points + back * (away[index] / np.where(length > 0, length, 1))
            points[index] = weights[index] @ wanted / weights[index].sum()
    return points


def _upright(points: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Turned so that the couplings lie along rows and columns as far as they can, and the numbers of the qubits grow
    downwards and to the right.
    """
    along = points[ends[:, 1]] - points[ends[:, 0]]
    turned = points * np.exp(-1j * np.angle(np.sum(along**4)) / 4)
    growth = (np.arange(len(points)) - (len(points) - 1) / 2) @ turned
    x = turned.real * (-1 if growth.real < 0 else 1)
    y = turned.imag * (-1 if growth.imag < 0 else 1)
    upright: np.ndarray[Any, Any] = y + 1j * x if abs(growth.real) > abs(growth.imag) else x + 1j * y
    return upright
