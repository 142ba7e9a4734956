"""The figure of a chip map: the value of each qubit or coupling as a colour at its place on the lattice.

Everything is a cell of a Plotly heatmap, so that one trace draws all values. On a map of couplings the lattice has
columns and rows of two widths: squares for the qubits, and bars for the couplings between them. What has no value is
grey, in a second trace.

No colour is one for light or for dark pages: paper and plot are transparent, text has the page's colour (the panel and
`qdash_jupyter.ui.display` see to that), and on a value the one of the better contrast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.ages import age_words
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.domain.topology import Topology

if TYPE_CHECKING:
    import pandas as pd

MAP_PX = 640
"""Most pixels of the lattice's side: a notebook shows it whole, its colour bar beside it."""

QUBIT_PX, COUPLING_PX = 56, 80
"""Most pixels from one qubit to the next."""

SLIM, BROAD, BROAD_BELOW_PX = 0.3, 0.45, 32
"""How much of that a qubit takes on a map of couplings; on large lattices more, so that bars are seen in the panel."""

LETTERED_PX = 32
"""Smaller qubits hold no text, nor does a map of couplings whose qubits are nearer than its most."""

MISSING, PLACE, NAME = "rgba(128,128,128,0.3)", "rgba(128,128,128,0.12)", "#797979"
"""Greys that show on light and dark pages: what has no value, a mere place, and the names on both."""

VIRIDIS_FROM_A_FIFTH = [[0, "#414487"], [0.25, "#2a788e"], [0.5, "#22a884"], [0.75, "#7ad151"], [1, "#fde725"]]
"""For thin bars: the darkest fifth of Viridis is lost on a dark page."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Lattice:
    """The cells of a map: a qubit each, or (of couplings) qubits at even rows and columns, couplings between them."""

    topology: Topology
    of_couplings: bool

    @property
    def side(self) -> int:
        """Rows, and columns."""
        return 2 * self.topology.grid_size - 1 if self.of_couplings else self.topology.grid_size

    @property
    def pitch(self) -> int:
        """Pixels from one qubit to the next."""
        return min(COUPLING_PX if self.of_couplings else QUBIT_PX, MAP_PX // self.topology.grid_size)

    @property
    def share(self) -> float:
        """How much of it is the qubit's: all, or what the couplings leave."""
        if not self.of_couplings:
            return 1.0
        return SLIM if self.pitch >= BROAD_BELOW_PX else BROAD

    @property
    def is_lettered(self) -> bool:
        """Whether cells hold text."""
        return self.pitch >= (COUPLING_PX if self.of_couplings else LETTERED_PX)

    @property
    def letters(self) -> int:
        """Size of the text in cells."""
        return 9 if self.of_couplings else 10

    def cell(self, row: float, col: float) -> Cell:
        """The cell of a position; a coupling's lies between those of its qubits."""
        return (int(2 * row), int(2 * col)) if self.of_couplings else (int(row), int(col))

    def label(self, qid: str) -> str:
        return qid_label(qid, self.topology.num_qubits)

    def places(self) -> dict[Cell, str]:
        """The qubits."""
        return {self.cell(*position): self.label(qid) for qid, position in self.topology.positions.items()}

    def wanted(self) -> dict[Cell, str]:
        """What should have a value."""
        if not self.of_couplings:
            return self.places()
        return {self.cell(*middle): self.label(qid) for qid, middle in self.topology.middles().items()}

    def matrix(self, cells: Mapping[Cell, Any], others: Any = None) -> list[list[Any]]:
        """The cells as Plotly takes them; in the others stands `others`."""
        return [[cells.get((row, col), others) for col in range(self.side)] for row in range(self.side)]

    def trace(self) -> JsonObject:
        """What all traces have in common."""
        # Bars and squares of a map of couplings are told apart without a gap.
        gap = 2 if self.is_lettered else 0 if self.of_couplings else 1
        trace: JsonObject = {"type": "heatmap", "xgap": gap, "ygap": gap, "hoverongaps": False}
        if self.of_couplings:
            widths = (self.share if number % 2 == 0 else 1 - self.share for number in range(self.side))
            trace["x"] = trace["y"] = [round(edge, 2) for edge in accumulate(widths, initial=0.0)]
        return trace


def chip_map(
    drawn: pd.DataFrame, topology: Topology, metric: Metric, *, title: str, subtitle: str, now: datetime
) -> ChartBlock:
    """One metric on the lattice.

    Args:
        drawn: one row a qubit or coupling with `qid`, `row`, `col`, `value` and `error` (in the displayed unit), `t`,
            and `note`, HTML that its hover ends with.
        topology: the lattice.
        metric: what is drawn.
        title: the heading, and the block's title.
        subtitle: the line below the heading.
        now: from where ages count.
    """
    lattice = _Lattice(topology, metric.kind == "coupling")
    values = _values(drawn, lattice, metric, now)
    grey = _grey(lattice, {lattice.cell(one.row, one.col) for one in drawn.itertuples()})
    size = topology.grid_size * lattice.pitch
    axis = {"showticklabels": False, "showgrid": False, "zeroline": False, "ticks": "", "constrain": "domain"}
    layout: JsonObject = {
        "title": {
            "text": title,
            "font": {"size": 14},
            "subtitle": {"text": subtitle, "font": {"size": 12}},
            "x": 0,
            "xref": "paper",
        },
        "xaxis": axis,
        "yaxis": axis | {"autorange": "reversed", "scaleanchor": "x"},
        "width": size + 100,
        "height": size + 76,
        "margin": {"t": 60, "b": 16, "l": 16, "r": 84},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    return ChartBlock((values, grey), layout, title)


def _values(drawn: pd.DataFrame, lattice: _Lattice, metric: Metric, now: datetime) -> JsonObject:
    z, names, details = {}, {}, {}
    for one in drawn.itertuples():
        cell = lattice.cell(one.row, one.col)
        z[cell] = float(f"{one.value:.7g}")
        names[cell] = lattice.label(str(one.qid))
        details[cell] = [_error(one.error), f"{one.t:%Y-%m-%d %H:%M}", age_words(now - one.t) + one.note]
    trace = lattice.trace() | {
        "name": f"{metric.title} ({metric.unit})",
        "z": lattice.matrix(z),
        "text": lattice.matrix(names, ""),
        "customdata": lattice.matrix(details, 0),
        "hovertemplate": (
            f"<b>%{{text}}</b><br>%{{z:.{metric.decimals}f}}%{{customdata[0]}} {metric.unit}"
            "<br>%{customdata[1]} UTC, %{customdata[2]}<extra></extra>"
        ),
        "colorscale": VIRIDIS_FROM_A_FIFTH if lattice.of_couplings else "Viridis",
        "reversescale": metric.mode == "minimize",
        "colorbar": {"title": {"text": metric.unit}, "thickness": 12, "outlinewidth": 0, "xpad": 8},
    }
    if lattice.is_lettered:
        number = f"%{{z:.{_three_digits(z.values(), metric)}f}}"
        trace["texttemplate"] = number if lattice.of_couplings else f"%{{text}}<br><b>{number}</b>"
        trace["textfont"] = {"size": lattice.letters}
    return trace


def _grey(lattice: _Lattice, measured: set[Cell]) -> JsonObject:
    """What was not measured, and the qubits of a map of couplings."""
    missing = {cell: label for cell, label in lattice.wanted().items() if cell not in measured}
    places = lattice.places() if lattice.of_couplings else {}
    words = places | {cell: f"<b>{label}</b><br>not measured" for cell, label in missing.items()}
    trace = lattice.trace() | {
        "name": "not measured",
        "z": lattice.matrix(dict.fromkeys(places, 0) | dict.fromkeys(missing, 1)),
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, PLACE], [1, MISSING]],
        "showscale": False,
        "customdata": lattice.matrix(words, 0),
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    if lattice.is_lettered:
        trace["text"] = lattice.matrix(places or missing, "")
        trace["texttemplate"] = "%{text}"
        trace["textfont"] = {"size": lattice.letters, "color": NAME}
    return trace


def _error(error: float) -> str:
    """A standard error to two significant digits; nothing where there is none."""
    if not isfinite(error) or error <= 0:
        return ""
    return f" ± {error:.{max(0, 1 - floor(log10(error)))}f}"


def _three_digits(values: Iterable[float], metric: Metric) -> int:
    """The decimals with which the largest value has three digits, but not more than the metric's own."""
    largest = max(map(abs, values))
    return min(metric.decimals, max(0, 2 - floor(log10(largest)))) if largest else 0
