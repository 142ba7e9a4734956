from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from demo_chip import DemoChip

from qdash_jupyter.domain.answer import ChartBlock
from tests.tools.fault_documents import ON, faulty_chip
from tests.tools.plain_truth import Measured, by_qid, measurements, values
from tests.tools.toolbench import Tools

TOOL = "generate_chip_heatmap"
COUPLINGS = {"zx90_gate_fidelity"}
SIZES = [
    (64, "t1", 6_000),
    (144, "t1", 13_000),
    (256, "t1", 24_000),
    (1024, "t1", 80_000),
    (64, "zx90_gate_fidelity", 13_500),
    (144, "zx90_gate_fidelity", 30_000),
    (1024, "zx90_gate_fidelity", 220_000),
]
"""Chips, metrics, and the most characters of the figure's JSON, all measured."""


def place(qid: int, grid: int = 8) -> tuple[int, int]:
    """Section 8 of the facts, once more and by itself."""
    mux, k, m = qid // 4, qid % 4, grid // 2
    return 2 * (mux // m) + k // 2, 2 * (mux % m) + k % 2


def figure_of(tools: Tools, **arguments: Any) -> dict[str, Any]:
    result = tools.result(TOOL, **arguments)
    (block,) = result.blocks
    assert isinstance(block, ChartBlock)
    figure: dict[str, Any] = block.figure()
    assert tools.store[str(result.frame_key)]["figure"] == figure
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure, "only JSON values"
    go.Figure(figure)  # knows every attribute, and fails at others
    return figure


def picked(demo: DemoChip, metric: str, mode: str, hours: float | None = None) -> dict[str, float]:
    since = demo.as_of - timedelta(hours=hours) if hours else demo.as_of - timedelta(days=9999)
    groups = by_qid([one for one in measurements(demo, metric) if one.at >= since and one.value is not None])
    choices: dict[str, Callable[[list[float]], float]] = {
        "latest": lambda v: v[-1],
        "best": max,
        "average": statistics.fmean,
    }
    return {qid: choices[mode](values(group)) for qid, group in groups.items()}


@pytest.mark.parametrize("mode", ["latest", "best", "average"])
@pytest.mark.parametrize(("metric", "scale", "unit"), [("t1", 1, "μs"), ("average_readout_fidelity", 100, "%")])
def test_each_qubit_stands_at_its_place_on_the_displayed_scale(  # noqa: PLR0917 - its parameters
    demo: DemoChip, tools: Tools, metric: str, scale: float, unit: str, mode: str
) -> None:
    figure = figure_of(tools, metric_name=metric, selection_mode=mode)
    z = figure["data"][0]["z"]
    expected = picked(demo, metric, mode)
    assert [len(row) for row in z] == [8] * 8
    for qid in range(64):
        row, col = place(qid)
        value = expected.get(str(qid))
        assert z[row][col] == (None if value is None else pytest.approx(scale * value)), qid
    assert figure["data"][0]["colorbar"]["title"]["text"] == unit
    assert unit in figure["layout"]["title"]["text"]
    assert figure["layout"]["yaxis"]["autorange"] == "reversed"


def test_the_best_anharmonicity_is_the_smallest_and_a_metric_without_a_best_shows_its_latest(
    demo: DemoChip, tools: Tools
) -> None:
    groups = by_qid(measurements(demo, "anharmonicity"))
    z = figure_of(tools, metric_name="anharmonicity", selection_mode="best")["data"][0]["z"]
    row, col = place(7)
    assert z[row][col] == pytest.approx(1000 * min(values(groups["7"])))
    z = figure_of(tools, metric_name="hpi_amplitude", selection_mode="best")["data"][0]["z"]
    assert z[row][col] == values(by_qid(measurements(demo, "hpi_amplitude"))["7"])[-1]


@pytest.mark.parametrize("hours", [24, 24.5, 720])
def test_only_the_last_hours(demo: DemoChip, tools: Tools, hours: float) -> None:
    content = tools.content(TOOL, metric_name="t1", within_hours=hours)
    expected = picked(demo, "t1", "latest", hours)
    assert content["statistics"]["count"] == len(expected)
    assert content["missing_qubits"] == [str(q) for q in range(64) if str(q) not in expected]
    assert set(demo.truth.stale) <= set(content["missing_qubits"])


def test_the_table_behind_the_picture(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, metric_name="t1", selection_mode="average")
    table = tools.store[content["data_key"]]["heatmap"]
    groups = by_qid(measurements(demo, "t1"))
    assert set(table["qid"]) == set(groups)
    for row in table.itertuples():
        numbers = values(groups[row.qid])
        assert (row.row, row.col) == place(int(row.qid))
        assert row.value == pytest.approx(statistics.fmean(numbers))
        assert row.error == pytest.approx(statistics.stdev(numbers))
    assert table.attrs["units"] == {"value": "μs", "error": "μs"}


def hover_of(figure: dict[str, Any], row: int, col: int) -> str:
    """What Plotly shows over a cell: of the trace that has a value there."""
    (trace,) = [trace for trace in figure["data"] if trace["z"][row][col] is not None]
    details, template = trace["customdata"][row][col], trace["hovertemplate"]
    if isinstance(details, str):
        return str(template.replace("%{customdata}", details))
    for index, detail in enumerate(details):
        template = template.replace(f"%{{customdata[{index}]}}", detail)
    number = re.search(r"%{z:(\.\df)}", template)
    assert number is not None
    template = template.replace(number[0], format(trace["z"][row][col], number[1]))
    return str(template.replace("%{text}", trace["text"][row][col]))


def test_hover_says_qubit_value_error_and_age(demo: DemoChip, tools: Tools) -> None:
    figure = figure_of(tools, metric_name="t1")
    last = by_qid(measurements(demo, "t1"))["7"][-1]
    hours = (demo.as_of - last.at) / timedelta(hours=1)
    age = f"{hours:.1f} h ago" if hours < 24 else f"{hours / 24:.1f} d ago"
    assert hover_of(figure, *place(7)) == (
        f"<b>Q07</b><br>{last.value:.1f} ± {last.error:.1f} μs<br>{last.at:%Y-%m-%d %H:%M} UTC, {age}<extra></extra>"
    )
    dead = int(demo.truth.dead[0])
    assert hover_of(figure, *place(dead)) == f"<b>Q{dead}</b><br>not measured<extra></extra>"
    assert all(trace["hoverongaps"] is False for trace in figure["data"]), "a cell answers for one trace only"


def test_an_error_has_two_digits_and_none_is_not_shown(tools_on: Any) -> None:
    errors = {"0": 0.0123, "1": 12.3, "2": 0.0, "3": math.nan, "4": math.inf}
    tools = tools_on(chip_of(16, [result(qid, 50.0, error=error) for qid, error in errors.items()]))
    details = figure_of(tools, metric_name="t1")["data"][0]["customdata"]
    shown = [details[row][col][0] for row, col in (place(q, 4) for q in range(5))]
    assert shown == [" ± 0.012", " ± 12", "", "", ""]


def test_cells_hold_names_and_three_digits_or_what_tells_them_apart(demo: DemoChip, tools: Tools) -> None:
    decimals_of = {
        "t1": 0,
        "average_readout_fidelity": 1,
        "average_gate_fidelity": 2,
        "qubit_frequency": 2,
        "anharmonicity": 0,
    }
    for metric, decimals in decimals_of.items():
        values_, grey = figure_of(tools, metric_name=metric)["data"]
        assert values_["texttemplate"] == f"%{{text}}<br><b>%{{z:.{decimals}f}}</b>", metric
        row, col = place(7)
        assert (values_["text"][row][col], grey["text"][row][col]) == ("Q07", "")
        row, col = place(int(demo.truth.dead[0]))
        assert (values_["text"][row][col], grey["text"][row][col]) == ("", f"Q{demo.truth.dead[0]}")


def test_what_was_not_measured_is_grey_and_no_colour_is_for_one_theme(demo: DemoChip, tools: Tools) -> None:
    for metric in ("t1", "zx90_gate_fidelity"):
        figure = figure_of(tools, metric_name=metric)
        _, grey = figure["data"]
        assert grey["showscale"] is False
        (_, place_), (_, missing) = grey["colorscale"]
        red, green, blue, alpha = (float(part) for part in place_[5:-1].split(","))
        assert red == green == blue
        assert alpha < 0.5, "the page shows through"
        assert min(contrast(missing, "#ffffff"), contrast(missing, "#111111")) > 3, "a dead qubit is seen on both"
        assert "color" not in figure["layout"]["title"]["font"]
        assert "font" not in figure["layout"]
        assert {figure["layout"][name] for name in ("paper_bgcolor", "plot_bgcolor")} == {"rgba(0,0,0,0)"}
        colour = grey["textfont"]["color"]
        grounds = [missing] if metric == "t1" else ["#ffffff", "#111111"]
        assert min(contrast(colour, ground) for ground in grounds) > 4.3, "names can be read on their ground"
        assert "color" not in figure["data"][0]["textfont"], "Plotly chooses what can be read on the value"
    z = figure_of(tools, metric_name="t1")["data"][1]["z"]
    assert [qid for qid in range(64) if z[place(qid)[0]][place(qid)[1]] == 1] == [int(q) for q in demo.truth.dead]


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def couplings_of(grid: int) -> dict[str, tuple[int, int]]:
    """Where on a map of couplings each stands: QDash's rule once more, the control has an even row + column."""
    at = {place(qid, grid): qid for qid in range(grid * grid)}
    found = {}
    for (row, col), qid in at.items():
        for next_row, next_col in ((row, col + 1), (row + 1, col)):
            if (other := at.get((next_row, next_col))) is not None:
                control, target = (qid, other) if (row + col) % 2 == 0 else (other, qid)
                found[f"{control}-{target}"] = (row + next_row, col + next_col)
    return found


@pytest.mark.parametrize("mode", ["latest", "best", "average"])
@pytest.mark.parametrize("metric", ["zx90_gate_fidelity", "bell_state_fidelity"])
def test_each_coupling_stands_between_its_qubits(demo: DemoChip, tools: Tools, metric: str, mode: str) -> None:
    content = tools.content(TOOL, metric_name=metric, selection_mode=mode)
    figure = figure_of(tools, metric_name=metric, selection_mode=mode)
    expected = picked(demo, metric, mode)
    couplings = couplings_of(8)
    z = figure["data"][0]["z"]
    assert [len(row) for row in z] == [15] * 15
    for qid, (row, col) in couplings.items():
        assert z[row][col] == (pytest.approx(100 * expected[qid]) if qid in expected else None), qid
    assert sum(value is not None for row in z for value in row) == len(expected)
    assert content["statistics"] == {
        "count": len(expected),
        "total_couplings": 112,
        "coverage": f"{100 * len(expected) / 112:.1f}%",
        "median": pytest.approx(100 * statistics.median(expected.values()), rel=1e-3),
        "mean": pytest.approx(100 * statistics.fmean(expected.values()), rel=1e-3),
        "min": pytest.approx(100 * min(expected.values()), rel=1e-3),
        "max": pytest.approx(100 * max(expected.values()), rel=1e-3),
        "unit": "%",
    }
    told = [len(str(value).replace(".", "")) for value in content["statistics"].values() if isinstance(value, float)]
    assert max(told) <= 7, "as many digits as the errors leave: there were 16"
    assert content["missing_couplings"] == [qid for qid in couplings if qid not in expected]
    row, col = couplings["4-1"]
    assert hover_of(figure, row, col).startswith("<b>Q04-Q01</b><br>")


def test_on_a_map_of_couplings_the_qubits_are_faint_places_with_names(tools: Tools) -> None:
    figure = figure_of(tools, metric_name="zx90_gate_fidelity")
    _, places = figure["data"]
    for qid in range(64):
        row, col = place(qid)
        assert places["z"][2 * row][2 * col] == 0
        assert places["text"][2 * row][2 * col] == f"Q{qid:02d}"
        assert hover_of(figure, 2 * row, 2 * col) == f"Q{qid:02d}<extra></extra>"
    assert all(trace["z"][1][1] is None for trace in figure["data"]), "nothing stands between four qubits"
    widths = [b - a for a, b in pairwise(places["x"])]
    assert max(widths[::2]) < min(widths[1::2]), "qubits are small, couplings long"
    assert places["x"] == places["y"]


def result(
    qid: str, value: float, *, parameter: str = "t1", error: float = 0.5, t: str = "2026-06-29T00:00:00Z"
) -> dict[str, Any]:
    number = f"{qid}-{t}".encode().hex()[-24:].rjust(24, "0")
    scope = {"project_id": "p", "chip_id": "c", "qid": qid, "status": "completed", "task_id": number, "name": "Check"}
    unit = {"t1": "μs", "zx90_gate_time": "ns", "static_zz_interaction": "GHz"}.get(parameter, "a.u.")
    output = {parameter: {"value": value, "error": error, "unit": unit}}
    return {"_id": number, **scope, "start_at": t, "output_parameters": output}


def chip_of(size: int, results: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    chip = {"_id": "a" * 24, "project_id": "p", "chip_id": "c", "size": size, "topology_id": None}
    return {"chip": [chip], "task_result_history": results}


ZX90: dict[str, Any] = {"parameter": "zx90_gate_fidelity"}


def test_the_topologys_direction_is_drawn_and_a_newer_value_of_the_other_is_said(tools_on: Any) -> None:
    tools = tools_on(
        chip_of(
            16,
            [
                result("0-1", 0.97, t="2026-06-20T00:00:00Z", **ZX90),
                result("1-0", 0.91, t="2026-06-29T12:00:00Z", **ZX90),  # newer, against the topology
                result("0-2", 0.96, t="2026-06-29T00:00:00Z", **ZX90),
                result("2-0", 0.90, t="2026-06-01T00:00:00Z", **ZX90),  # older
                result("1-3", 0.92, t="2026-06-29T00:00:00Z", **ZX90),  # the only one; the topology says 3-1
                result("0-3", 0.10, t="2026-06-29T00:00:00Z", **ZX90),  # no neighbours
            ],
        )
    )
    content = tools.content(TOOL, metric_name="zx90_gate_fidelity")
    figure = figure_of(tools, metric_name="zx90_gate_fidelity")
    assert content["newer_in_reverse"] == {"1-0": 91}
    assert content["statistics"]["count"] == 3
    assert set(content["missing_couplings"]) == set(couplings_of(4)) - {"0-1", "0-2", "3-1"}
    assert figure["data"][0]["z"][0][1] == 97.0
    assert hover_of(figure, 0, 1).endswith("10.0 d ago<br>Q01-Q00: 91.00 %, 12.0 h ago<extra></extra>")
    assert hover_of(figure, 1, 0).endswith(" 1.0 d ago<extra></extra>")
    assert figure["data"][0]["z"][1][2] == 92.0
    assert hover_of(figure, 1, 2).startswith("<b>Q01-Q03</b><br>92.00"), "named as it was measured"
    table = tools.store[content["data_key"]]["heatmap"]
    assert {row.qid: (row.row, row.col, row.drawn) for row in table.itertuples()} == {
        "0-1": (0.0, 0.5, True),
        "1-0": (0.0, 0.5, False),
        "0-2": (0.5, 0.0, True),
        "2-0": (0.5, 0.0, False),
        "1-3": (0.5, 1.0, True),
    }


@pytest.mark.parametrize(
    ("metric", "stored", "shown", "unit"),
    [
        ("zx90_gate_time", 160.0, 160.0, "ns"),
        ("static_zz_interaction", 0.00031, 0.31, "MHz"),
        ("two_qubit_gate_coherence_limit", 0.995, 99.5, "%"),
    ],
)
def test_the_other_metrics_of_couplings(tools_on: Any, metric: str, stored: float, shown: float, unit: str) -> None:
    tools = tools_on(chip_of(16, [result("0-1", stored, parameter=metric)]))
    figure = figure_of(tools, metric_name=metric)
    assert figure["data"][0]["z"][0][1] == pytest.approx(shown)
    assert figure["data"][0]["colorbar"]["title"]["text"] == unit


@pytest.mark.parametrize(("size", "metric", "characters"), SIZES)
def test_a_figure_is_bounded_and_square_on_every_chip(tools_on: Any, size: int, metric: str, characters: int) -> None:
    grid = math.isqrt(size)
    qids = list(couplings_of(grid)) if metric in COUPLINGS else [str(qid) for qid in range(size)]
    tools = tools_on(
        chip_of(size, [result(qid, 0.9 + i / 1e5, parameter=metric, error=0.01234) for i, qid in enumerate(qids)])
    )
    figure = figure_of(tools, metric_name=metric)
    layout, margin = figure["layout"], figure["layout"]["margin"]
    plot = layout["width"] - margin["l"] - margin["r"], layout["height"] - margin["t"] - margin["b"]
    assert plot[0] == plot[1] <= 640
    assert layout["width"] <= 740
    assert (layout["yaxis"]["scaleanchor"], layout["yaxis"]["autorange"]) == ("x", "reversed")
    assert layout["xaxis"]["constrain"] == layout["yaxis"]["constrain"] == "domain"
    assert ("texttemplate" in figure["data"][0]) == (size <= (64 if metric in COUPLINGS else 256))
    assert len(json.dumps(figure, ensure_ascii=False, separators=(",", ":"))) < characters
    assert len(json.dumps(tools.content(TOOL, metric_name=metric))) < 600


def test_the_model_is_told_the_first_of_many_missing_ones(tools_on: Any) -> None:
    content = tools_on(chip_of(1024, [result("0-1", 0.97, **ZX90)])).content(TOOL, metric_name="zx90_gate_fidelity")
    assert content["missing_couplings"] == list(couplings_of(32))[1:101]
    assert content["more_missing"] == 1984 - 1 - 100


def test_a_time_range(demo: DemoChip, tools: Tools) -> None:
    since, until = demo.as_of - timedelta(days=20), demo.as_of - timedelta(days=10)

    def inside(one: Measured) -> bool:
        return since <= one.at < until

    expected = by_qid([one for one in measurements(demo, "t1") if inside(one) and one.value is not None])
    arguments = {"metric_name": "t1", "since": "20d", "until": until.isoformat()}
    assert tools.content(TOOL, **arguments)["statistics"]["count"] == len(expected)
    figure = figure_of(tools, **arguments)
    row, col = place(7)
    assert figure["data"][0]["z"][row][col] == pytest.approx(values(expected["7"])[-1])
    subtitle = figure["layout"]["title"]["subtitle"]["text"]
    assert f"since {since:%Y-%m-%d %H:%M} UTC and before {until:%Y-%m-%d %H:%M} UTC" in subtitle


@pytest.mark.parametrize("name", ["T1", "t2 echo", "T2-Echo", "average readout fidelity"])
def test_names_as_people_write_them(tools: Tools, name: str) -> None:
    assert tools.content(TOOL, metric_name=name)["status"] == "success"


def test_a_window_without_results_says_when_the_last_was(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, metric_name="t1", within_hours=0.00001)
    assert failure["kind"] == "no_data"
    assert f"{measurements(demo, 't1')[-1].at:%Y-%m-%d %H:%M} UTC" in failure["try_instead"]


def test_a_metric_that_was_never_measured(tools: Tools) -> None:
    failure = tools.failure(TOOL, metric_name="t1_average", within_hours=24)
    assert failure["kind"] == "no_data"
    assert "ever" in failure["error"]


def test_qubits_outside_the_grid_are_left_out(tools_on: Any) -> None:
    stray = tools_on(chip_of(16, [result("99", 50.0)]))
    assert stray.failure(TOOL, metric_name="t1")["kind"] == "no_data"
    both = tools_on(chip_of(16, [result("99", 50.0), result("3", 60.0)]))
    z = figure_of(both, metric_name="t1")["data"][0]["z"]
    assert z[1][1] == 60.0
    assert sum(value is not None for row in z for value in row) == 1


def test_a_cell_whose_newest_result_has_no_value_says_so(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(chip_of(16, [result("3", 50.0), result("3", 0.0, t="2026-06-29T12:00:00Z"), result("4", 40.0)]))
    assert tools.content(TOOL, metric_name="t1")["newest_without_value"] == ["3"]
    trace = figure_of(tools, metric_name="t1")["data"][0]
    assert trace["z"][1][1] == 50.0
    assert trace["customdata"][1][1][-1].endswith("<br>newest result without a value, 12.0 h ago")


def test_a_cell_whose_newest_result_is_excluded_says_so(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(faulty_chip())
    content = tools.content(TOOL, metric_name="t1")
    assert content["newest_excluded"] == {ON["excluded current value"]: 9999, ON["control characters"]: 73}
    trace = figure_of(tools, metric_name="t1")["data"][0]
    hovers = {
        name: detail[-1]
        for names, details in zip(trace["text"], trace["customdata"], strict=True)
        for name, detail in zip(names, details, strict=True)
        if name
    }
    assert hovers["Q01"] == "2.0 d ago<br>newest excluded: 9999.0 μs, 1.0 d ago"
    assert "excluded" not in hovers["Q00"]
    content = tools.content(TOOL, metric_name="zx90_gate_fidelity")
    assert content["newest_excluded"] == {"4-1": 50}
    assert "newest_excluded" not in tools.content(TOOL, metric_name="t1", until="2026-06-27")


def test_in_a_japanese_question_the_map_is_japanese(tools: Tools) -> None:
    tools.toolbox = tools.toolbox.for_turn(tools.cells, "ja")
    (block,) = tools.asked("generate_chip_heatmap", metric_name="t1", since="30d").blocks
    assert isinstance(block, ChartBlock)
    assert block.title == "64Q-demoのT1（最新、μs）"
    subtitle = block.layout["title"]["subtitle"]["text"]
    assert re.fullmatch(r"量子ビット64個中\d+個を\d{4}-\d\d-\d\d \d\d:\d\d UTC以降に測定、中央値[\d.]+ μs", subtitle)
    values, missing = block.data
    assert missing["name"] == "測定なし"
    assert {words[2][-1] for row in values["customdata"] for words in row if words} == {"前"}
