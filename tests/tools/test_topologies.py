"""Topology and heatmap on every shape of chip: those that QDash ships, a lab's own, and one without a name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import plotly.graph_objects as go
import pytest

from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.tools.chips import ChipScope, expected_ids
from tests.tools.checks import told_pairs
from tests.tools.qdash_documents import document, task
from tests.tools.toolbench import Tools

ZX90 = "zx90_gate_fidelity"
OWN = ("1-0", "1-2", "2-3", "3-0", "3-4", "4-6")
"""Six qubits of a lab's own, of which number 5 does not exist; control-target."""

SHAPES: dict[str, tuple[str | None, int, int, int]] = {
    "square": ("square-lattice-mux-144", 144, 144, 264),
    "hex": ("heavy-hex-27", 27, 27, 29),
    "chain": ("linear-16", 16, 16, 15),
    "own": ("a-lab-s-own", 6, 6, 6),
    "nameless": (None, 7, 6, 6),
}
"""The topology's id, the chip's size, and how many qubits and couplings there are."""


def pairs_of(shape: str) -> list[str]:
    """Control-target, from the facts and not from the code."""
    if shape == "chain":
        return [f"{q}-{q + 1}" for q in range(15)]
    if shape == "hex":
        within = [(first + q, first + q + 1) for first in (0, 7, 14, 21) for q in range(4)]
        bridges = [(1, 5), (3, 6), (5, 8), (6, 10)]
        rows = [(a + down, b + down) for down in (0, 7, 14) for a, b in bridges]
        return [f"{a}-{b}" for a, b in [*within, *rows, (23, 26)]]
    if shape == "square":
        place = {
            4 * mux + k: (2 * (mux // 6) + k // 2, 2 * (mux % 6) + k % 2) for mux, k in product(range(36), range(4))
        }
        at = {where: q for q, where in place.items()}
        near = [(q, at.get((row + 1, col))) for q, (row, col) in place.items()]
        near += [(q, at.get((row, col + 1))) for q, (row, col) in place.items()]
        return [f"{a}-{b}" if sum(place[a]) % 2 == 0 else f"{b}-{a}" for a, b in near if b is not None]
    return list(OWN)


def qids_of(shape: str) -> list[str]:
    return sorted({qid for pair in pairs_of(shape) for qid in pair.split("-")}, key=int)


def value_of(qid: str) -> float:
    """A number of its own for each qubit and coupling, as it is stored."""
    control, _, target = qid.partition("-")
    return 0.9 + int(control) / 1e4 + int(target) / 1e7 if target else 20.0 + int(control)


def documents(shape: str, *, leave_out: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
    """The chip, both directions of each pair, of which QDash fills the one that is control-target; and results."""
    topology_id, size, _, _ = SHAPES[shape]
    record = {"value": 0.97, "unit": "a.u.", "error": 0.0}
    couplings = []
    for pair in pairs_of(shape):
        back = "-".join(reversed(pair.split("-")))
        couplings += [document(qid=pair, data={ZX90: record}), document(qid=back, data={})]
    measured = dict.fromkeys(qids_of(shape), "t1") | dict.fromkeys(pairs_of(shape), ZX90)
    return {
        "chip": [document(size=size, topology_id=topology_id, activity_status="active")],
        "qubit": [document(qid=qid, data={}) for qid in qids_of(shape)],
        "coupling": couplings,
        "task_result_history": [
            task("Check", qid, 1.0, {name: {"value": value_of(qid), "unit": "a.u." if name == ZX90 else "μs"}})
            for qid, name in measured.items()
            if qid not in leave_out
        ],
    }


def figure_of(tools: Tools, metric: str) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """The figure, what the model reads, and the stored table."""
    result = tools.result("generate_chip_heatmap", metric_name=metric)
    assert result.failure is None, result.content
    (block,) = result.blocks
    assert isinstance(block, ChartBlock)
    figure = block.figure()
    go.Figure(figure)  # knows every attribute, and fails at others
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure
    return figure, json.loads(result.content), tools.store[str(result.frame_key)]["heatmap"]


def cells(figure: dict[str, Any]) -> dict[tuple[int, int], tuple[str, float]]:
    """By row and column, the name that is shown and the value."""
    trace = figure["data"][0]
    return {
        (row, col): (trace["text"][row][col], value)
        for row, line in enumerate(trace["z"])
        for col, value in enumerate(line)
        if value is not None
    }


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_topology(tools_of: Callable[..., Tools], shape: str) -> None:
    topology_id, _, qubits, couplings = SHAPES[shape]
    tools = tools_of(documents(shape))
    content = tools.content("get_chip_topology")
    stored = tools.store["topology"]
    assert content.get("topology_id") == topology_id
    assert content["num_qubits"] == content["qubits"]["_rows"] == len(stored["qubits"]) == qubits
    assert content["couplings"]["_rows"] == len(stored["couplings"]) == couplings
    for name in ("qubits", "couplings"):
        assert content[name]["_schema"] == list(stored[name].columns)
    told = content["qubits"]
    lines = [line.split() for line in told.get("grid", ())]
    places = {qid: (row, col) for row, line in enumerate(lines) for col, qid in enumerate(line) if qid != "."}
    assert sorted(places or told["qid"], key=int) == qids_of(shape)
    for qid, place in places.items():
        assert tuple(stored["qubits"].set_index("qid").loc[qid, ["row", "col"]]) == place
    assert told_pairs(content) == set(pairs_of(shape)), "the direction that holds values"
    assert set(stored["couplings"]["coupling_id"]) == told_pairs(content)
    layout = {"square": "grid", "hex": "hex", "chain": "linear"}.get(shape, "unknown")
    assert content["layout_type"] == layout
    is_known = layout != "unknown"
    mux = ["mux"] if shape == "square" else []
    assert content["qubits"]["_schema"] == (["qid", *mux, "row", "col"] if is_known else ["qid"])
    assert ("note" in content, "grid_size" in content) == (not is_known, is_known)


def test_why_a_topology_is_unknown(tools_on: Callable[..., Tools]) -> None:
    own, nameless = (tools_on(documents(shape)).content("get_chip_topology")["note"] for shape in ("own", "nameless"))
    assert own.startswith("This version doesn't know the topology a-lab-s-own. No places are known.")
    assert nameless.startswith("The chip has no topology, and 7 qubits don't form a square lattice. No places")


def test_map_of_qubits(tools_of: Callable[..., Tools], shape: str) -> None:
    left_out = qids_of(shape)[2]
    figure, content, table = figure_of(tools_of(documents(shape, leave_out=(left_out,))), "t1")
    _, _, qubits, _ = SHAPES[shape]
    shown = dict(cells(figure).values())
    assert shown == {qid_label(qid): value_of(qid) for qid in qids_of(shape) if qid != left_out}
    assert content["missing_qubits"] == [left_out]
    assert content["statistics"]["total_qubits"] == qubits
    grey = [name for line in figure["data"][1]["text"] for name in line if name]
    assert grey == [qid_label(left_out)]
    assert set(table["qid"]) == {*qids_of(shape)} - {left_out}
    layout, margin = figure["layout"], figure["layout"]["margin"]
    assert max(layout["width"] - margin["l"] - margin["r"], layout["height"] - margin["t"] - margin["b"]) <= 640
    assert 0.4 <= layout["width"] / layout["height"] <= 2.5, "no stripe"


def test_map_of_couplings(tools_of: Callable[..., Tools], shape: str) -> None:
    left_out = pairs_of(shape)[2]
    figure, content, table = figure_of(tools_of(documents(shape, leave_out=(left_out,))), ZX90)
    _, _, qubits, couplings = SHAPES[shape]
    shown = dict(cells(figure).values())
    expected = {qid_label(qid): 100 * value_of(qid) for qid in pairs_of(shape) if qid != left_out}
    assert shown == pytest.approx(expected, abs=1e-4)
    assert content["missing_couplings"] == [left_out]
    assert content["statistics"]["total_couplings"] == couplings
    assert set(table["qid"]) == {*pairs_of(shape)} - {left_out}
    words = [word for line in figure["data"][1]["customdata"] for word in line if word]
    assert sum(word.endswith("<br>not measured") for word in words) == 1
    assert len(words) == qubits + 1, "every qubit has its place"


@pytest.mark.parametrize("shape", ["hex", "chain"])
def test_cells_side_by_side_are_coupled(tools_on: Callable[..., Tools], shape: str) -> None:
    tools = tools_on(documents(shape))
    at = {where: int(name[1:]) for where, (name, _) in cells(figure_of(tools, "t1")[0]).items()}
    touching = {
        frozenset((q, at[near]))
        for (row, col), q in at.items()
        for near in ((row + 1, col), (row, col + 1))
        if near in at
    }
    assert touching == {frozenset(map(int, pair.split("-"))) for pair in pairs_of(shape)}
    for (row, col), (name, _) in cells(figure_of(tools, ZX90)[0]).items():
        control, target = (int(one[1:]) for one in name.split("-"))
        ends = [(row, col - 1), (row, col + 1)] if col % 2 else [(row - 1, col), (row + 1, col)]
        assert {at[end_row // 2, end_col // 2] for end_row, end_col in ends} == {control, target}, name
    assert "shapes" not in figure_of(tools, "t1")[0]["layout"]


def test_the_chain_is_folded_in_the_picture_and_not_in_the_table(tools_on: Callable[..., Tools]) -> None:
    figure, _, table = figure_of(tools_on(documents("chain")), "t1")
    assert [len(line) for line in figure["data"][0]["z"]] == [5] * 5
    assert {row.qid: (row.row, row.col) for row in table.itertuples()} == {str(q): (0, q) for q in range(16)}
    assert "the chain is folded" in figure["layout"]["title"]["subtitle"]["text"]


@pytest.mark.parametrize("shape", ["own", "nameless"])
@pytest.mark.parametrize("metric", ["t1", ZX90])
def test_a_plain_graph_says_that_it_is_one(tools_on: Callable[..., Tools], shape: str, metric: str) -> None:
    figure, content, table = figure_of(tools_on(documents(shape)), metric)
    title = figure["layout"]["title"]
    assert title["text"].endswith(": connections only")
    assert title["subtitle"]["text"].endswith("unknown topology: lines are couplings, the layout is arbitrary")
    assert content["note"].endswith("Drawn as a plain graph, the places are not the chip's.")
    assert not {"row", "col"} & set(table.columns)
    again, _, _ = figure_of(tools_on(documents(shape)), metric)
    assert again == figure


def test_the_lines_of_a_plain_graph_are_its_couplings(tools_on: Callable[..., Tools]) -> None:
    left_out = "2-3"
    tools = tools_on(documents("own", leave_out=(left_out,)))
    (grey,) = figure_of(tools, "t1")[0]["layout"]["shapes"]
    assert len(lines(grey)) == len(OWN)
    assert (grey["layer"], grey["type"]) == ("below", "path")
    grey, *coloured = figure_of(tools, ZX90)[0]["layout"]["shapes"]
    assert len(lines(grey)) == len(OWN)
    assert sum(len(lines(one)) for one in coloured) == len(OWN) - 1
    colours = [one["line"]["color"] for one in coloured]
    assert all(re.fullmatch(r"rgb\(\d+, \d+, \d+\)", colour) for colour in colours)
    assert {"rgb(65, 68, 135)", "rgb(253, 231, 37)"} <= set(colours), (
        "the ends of the scale are the least and the greatest value"
    )


def lines(shape: dict[str, Any]) -> list[str]:
    return [line for line in shape["path"].split("M") if line]


def test_a_plain_graph_of_many_qubits_is_bounded(tools_on: Callable[..., Tools]) -> None:
    documents_ = documents("square")
    documents_["chip"][0]["topology_id"] = "our-144"
    tools = tools_on(documents_)
    for metric, characters in (("t1", 35_000), (ZX90, 60_000)):
        figure, _, _ = figure_of(tools, metric)
        assert len(json.dumps(figure, ensure_ascii=False, separators=(",", ":"))) < characters
        assert len(figure["layout"]["shapes"]) <= 1 + 24


def test_couplings_without_a_filled_direction_begin_with_the_lower_number(tools_on: Callable[..., Tools]) -> None:
    pairs = ("0-1", "1-0", "2-1", "3-2", "2-3", "3-3")  # the last is no pair
    chip = document(size=9, topology_id="new", activity_status="active")
    tools = tools_on({"chip": [chip], "coupling": [document(qid=pair, data={}) for pair in pairs]})
    content = tools.content("get_chip_topology")
    assert content["couplings"]["targets"] == {"0": "1", "2": "1 3"}
    assert content["qubits"]["qid"] == ["0", "1", "2", "3"]


def test_a_chip_without_couplings_is_drawn_in_order(tools_on: Callable[..., Tools]) -> None:
    chip = document(size=7, topology_id=None, activity_status="active")
    results = [task("CheckT1", str(q), 1.0, {"t1": value_of(str(q))}) for q in range(7)]
    tools = tools_on({"chip": [chip], "task_result_history": results})
    figure, content, _ = figure_of(tools, "t1")
    places = {name: where for where, (name, _) in cells(figure).items()}
    assert list(places) == sorted(places), "row by row"
    assert figure["layout"]["shapes"] == []
    assert content["missing_qubits"] == []
    failure = tools.result("generate_chip_heatmap", metric_name=ZX90).failure
    assert failure is not None


def test_of_an_unknown_topology_the_filled_direction_is_expected(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(documents("own"))
    reader = tools.toolbox.context.reader
    chip = ChipScope().resolve(reader)
    assert sorted(expected_ids(reader, chip, "coupling")) == sorted(OWN)
