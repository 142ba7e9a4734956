"""The figure of a chip map: the value of each qubit or coupling as a colour at its place on the chip.

Everything is a cell of a Plotly heatmap, so that one trace draws all values. On a map of couplings the lattice has
columns and rows of two widths: squares for the qubits, and bars for the couplings between them. What has no value is
grey, in a second trace.

Where only the connections of a chip are known, it is a plain graph: all cells stand apart, and lines below them lead
from qubit to qubit, on a map of couplings in the colours of their values. A chain is folded.

No colour is one for light or for dark pages: paper and plot are transparent, text has the page's colour (the panel and
`qdash_jupyter.ui.display` see to that), and on a value the one of the better contrast.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import floor, isfinite, log10
from typing import Any

import pandas as pd

from qdash_jupyter.domain.ages import age_words
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import other_direction, qid_label
from qdash_jupyter.domain.topology import Topology
from qdash_jupyter.domain.units import decimals
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.connections import Connections
from qdash_jupyter.tools.graph_layout import folded, spread

MAP_PX = 640
"""Most pixels of the lattice's side: a notebook shows it whole, its colour bar beside it."""

QUBIT_PX, COUPLING_PX = 56, 80
"""Most pixels from one qubit to the next."""

SLIM, BROAD, BROAD_BELOW_PX = 0.3, 0.45, 32
"""How much of that a qubit takes on a map of couplings; on large lattices more, so that bars are seen in the panel."""

APART, HALF, GAPS = 0.62, 0.5, 12
"""How much of it a qubit takes on a plain graph of qubits, and of couplings, and what part of it is between them."""

LETTERED_PX, NAMED_PX = 32, 26
"""Smaller qubits hold no text, nor does a map of couplings whose qubits are nearer than its most; a plain graph of
couplings has one line in smaller ones.
"""

MISSING, NAME_OF_MISSING = "#6b6b6b", "#ffffff"
PLACE, NAME, LINE = "rgba(128,128,128,0.12)", "#797979", "rgba(128,128,128,0.6)"
"""Greys that show on light and dark pages: what has no value and its name, a mere place and its name, and lines."""

VIRIDIS_FROM_A_FIFTH = [[0, "#414487"], [0.25, "#2a788e"], [0.5, "#22a884"], [0.75, "#7ad151"], [1, "#fde725"]]
"""For thin bars: the darkest fifth of Viridis is lost on a dark page."""

_NOT_MEASURED = Message("not-measured")

LEAST_PX = 480
"""Narrower plain graphs would cut their titles off."""

SHADES = 24
"""So many colours of lines: a line of each is one shape."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChipShape:
    """What is drawn: the place (row, column) of each qubit on paper, the couplings as (control, target), and whether
    lines say which qubits are coupled, because places do not.
    """

    places: Mapping[str, tuple[int, int]]
    couplings: Sequence[tuple[str, str]]
    has_lines: bool = False

    @classmethod
    def of(cls, topology: Topology) -> ChipShape:
        """A known topology: each qubit at its place, a chain folded."""
        is_chain = topology.layout_type == "linear"
        return cls(folded(list(topology.positions)) if is_chain else topology.positions, topology.couplings)

    @classmethod
    def of_graph(cls, connections: Connections) -> ChipShape:
        """Where only the connections are known: places of our own."""
        return cls(spread(connections.qids, connections.couplings), connections.couplings, has_lines=True)


class _Lattice:
    """The cells of a map: a qubit each, or (of couplings, and with lines) qubits at even rows and columns, couplings
    between them.
    """

    def __init__(self, shape: ChipShape, *, of_couplings: bool) -> None:
        """Of qubits or of couplings."""
        self.shape, self.of_couplings = shape, of_couplings
        self.is_double = of_couplings or shape.has_lines
        """Whether there are rows and columns between those of the qubits."""
        rows, cols = (1 + max(axis) for axis in zip(*shape.places.values(), strict=True))
        self.places_across = rows, cols
        """Rows and columns of qubits."""
        self.size = (2 * rows - 1, 2 * cols - 1) if self.is_double else (rows, cols)
        """Rows and columns."""
        self.pitch = min(COUPLING_PX if self.is_double else QUBIT_PX, MAP_PX // max(rows, cols))
        """Pixels from one qubit to the next."""
        self.letters = 9 if of_couplings else 10
        """Size of the text in cells."""
        # How much of the pitch is the qubit's (all, or what the couplings leave), and whether cells hold text.
        if shape.has_lines:
            self.share = HALF if of_couplings else APART
            self.is_lettered = self.share * self.pitch >= (NAMED_PX if of_couplings else LETTERED_PX)
        else:
            self.share = (SLIM if self.pitch >= BROAD_BELOW_PX else BROAD) if of_couplings else 1.0
            self.is_lettered = self.pitch >= (COUPLING_PX if of_couplings else LETTERED_PX)

    def places(self) -> dict[str, Cell]:
        """The cells of the qubits."""
        factor = 2 if self.is_double else 1
        return {qid: (factor * row, factor * col) for qid, (row, col) in self.shape.places.items()}

    def wanted(self) -> dict[str, Cell]:
        """The cells of what should have a value: a coupling's lies half-way between those of its qubits.

        On a plain graph others may have taken that: then it is the nearest free one along its line, or none.
        """
        places = self.places()
        if not self.of_couplings:
            return places
        taken = set(places.values())
        cells = {}
        for control, target in self.shape.couplings:
            (row, col), (to_row, to_col) = places[control], places[target]
            for part in (0.5, 0.4, 0.6, 0.3, 0.7):
                cell = round(row + part * (to_row - row)), round(col + part * (to_col - col))
                if cell not in taken:
                    taken.add(cell)
                    cells[f"{control}-{target}"] = cell
                    break
        return cells

    def matrix(self, cells: Mapping[Cell, Any], others: Any = None) -> list[list[Any]]:
        """The cells as Plotly takes them; in the others stands `others`."""
        rows, cols = self.size
        return [[cells.get((row, col), others) for col in range(cols)] for row in range(rows)]

    def trace(self) -> JsonObject:
        """What all traces have in common."""
        # Bars and squares of a map of couplings are told apart without a gap.
        gap = 2 if self.is_lettered else 0 if self.of_couplings else 1
        if self.shape.has_lines and self.of_couplings:
            gap = self.pitch // GAPS
        trace: JsonObject = {"type": "heatmap", "xgap": gap, "ygap": gap, "hoverongaps": False}
        if self.is_double:
            rows, cols = self.size
            trace |= {"x": self._edges(cols), "y": self._edges(rows)}
        return trace

    def _edges(self, cells: int) -> list[float]:
        widths = (self.share if number % 2 == 0 else 1 - self.share for number in range(cells))
        return [round(edge, 2) for edge in accumulate(widths, initial=0.0)]

    def path(self, couplings: Iterable[tuple[str, str]]) -> str:
        """The lines of these couplings, from the border of one qubit to that of the other, as SVG has it."""
        lines = []
        for control, target in couplings:
            (row, col), (to_row, to_col) = self.shape.places[control], self.shape.places[target]
            down, right = to_row - row, to_col - col
            inside = self.share / 2 / max(abs(down), abs(right))
            x, y = col + self.share / 2, row + self.share / 2
            points = ((x + part * right, y + part * down) for part in (inside, 1 - inside))
            lines.append("M{}L{}".format(*(f"{x:.4g},{y:.4g}" for x, y in points)))
        return "".join(lines)


def chip_map(
    drawn: pd.DataFrame,
    shape: ChipShape,
    metric: Metric,
    *,
    title: str,
    subtitle: str,
    now: datetime,
    language: Language = "en",
) -> ChartBlock:
    """One metric on the chip.

    Args:
        drawn: one row a qubit or coupling (in either direction) with `qid`, `value` and `error` (in the displayed
            unit), `t`, and `note`, HTML that its hover ends with.
        shape: the chip.
        metric: what is drawn.
        title: the heading, and the block's title.
        subtitle: the line below the heading.
        now: from where ages count.
        language: that of the hover texts.
    """
    lattice = _Lattice(shape, of_couplings=metric.kind == "coupling")
    cells = lattice.wanted()
    values = _values(drawn, lattice, cells, metric, now=now, language=language)
    grey = _grey(lattice, cells, {*drawn["qid"], *map(other_direction, drawn["qid"])}, language)
    rows, cols = lattice.places_across
    below_title = 26 * subtitle.count("<br>")
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
        "width": max(cols * lattice.pitch + 100, LEAST_PX if shape.has_lines else 0),
        "height": rows * lattice.pitch + 76 + below_title,
        "margin": {"t": 60 + below_title, "b": 16, "l": 16, "r": 84},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    if shape.has_lines:
        layout["shapes"] = _lines(drawn, lattice, metric)
    return ChartBlock((values, grey), layout, title)


def _values(
    drawn: pd.DataFrame,
    lattice: _Lattice,
    cells: Mapping[str, Cell],
    metric: Metric,
    *,
    now: datetime,
    language: Language,
) -> JsonObject:
    z, names, details = {}, {}, {}
    for one in drawn.itertuples():
        cell = cells.get(one.qid) or cells.get(other_direction(one.qid))
        if cell is None:
            continue
        z[cell] = float(f"{one.value:.7g}")
        names[cell] = qid_label(str(one.qid))
        details[cell] = [_error(one.error), f"{one.t:%Y-%m-%d %H:%M}", age_words(now - one.t, language) + one.note]
    trace = lattice.trace() | {
        "name": f"{metric.title_in(language)} ({metric.unit})",
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
        number = f"%{{z:.{_digits(z.values(), metric)}f}}"
        trace["texttemplate"] = number if lattice.of_couplings else f"%{{text}}<br><b>{number}</b>"
        trace["textfont"] = {"size": lattice.letters}
    return trace


def _grey(lattice: _Lattice, cells: Mapping[str, Cell], measured: set[str], language: Language) -> JsonObject:
    """What was not measured, and the qubits of a map of couplings."""
    missing = {cell: qid_label(qid) for qid, cell in cells.items() if qid not in measured}
    places = {cell: qid_label(qid) for qid, cell in lattice.places().items()} if lattice.of_couplings else {}
    words = places | {cell: f"<b>{label}</b><br>{_NOT_MEASURED.of(language)}" for cell, label in missing.items()}
    trace = lattice.trace() | {
        "name": _NOT_MEASURED.of(language),
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
        trace["textfont"] = {"size": lattice.letters, "color": NAME if places else NAME_OF_MISSING}
    return trace


def _lines(drawn: pd.DataFrame, lattice: _Lattice, metric: Metric) -> list[JsonObject]:
    """The couplings below the cells, grey; on a map of couplings broad ones in the colours of their values on top."""
    grey = {"path": lattice.path(lattice.shape.couplings), "line": {"color": LINE, "width": 1.5}}
    shapes = [grey] if lattice.shape.couplings else []
    if lattice.of_couplings:
        low, high = min(drawn["value"]), max(drawn["value"])
        by_colour: dict[str, list[tuple[str, str]]] = {}
        for one in drawn.itertuples():
            part = (one.value - low) / (high - low) if high > low else 0.5
            control, _, target = str(one.qid).partition("-")
            colour = _colour(1 - part if metric.mode == "minimize" else part)
            by_colour.setdefault(colour, []).append((control, target))
        width = max(2, lattice.pitch // 12)
        shapes += [
            {"path": lattice.path(pairs), "line": {"color": colour, "width": width}}
            for colour, pairs in by_colour.items()
        ]
    return [{"type": "path", "layer": "below"} | shape for shape in shapes]


def _colour(part: float) -> str:
    """The colour of couplings at this part of the scale, 0 to 1, one of `SHADES`."""
    from plotly.colors import sample_colorscale

    return str(sample_colorscale(VIRIDIS_FROM_A_FIFTH, [round(part * (SHADES - 1)) / (SHADES - 1)])[0])


def _error(error: float) -> str:
    """A standard error as people read it; nothing where there is none."""
    if not isfinite(error) or error <= 0:
        return ""
    return f" ± {error:.{decimals(error)}f}"


def _digits(values: Collection[float], metric: Metric) -> int:
    """The decimals with which the largest value has three digits, one more where those of most would read the same,
    but not more than the metric's own.
    """
    largest = max(map(abs, values))
    three = max(0, 2 - floor(log10(largest))) if largest else 0
    ordered = sorted(values)
    spread = ordered[3 * len(ordered) // 4] - ordered[len(ordered) // 4]
    return min(metric.decimals, three + int(0 < spread < 5 / 10**three))
