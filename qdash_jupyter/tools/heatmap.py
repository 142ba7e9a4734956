"""`generate_chip_heatmap`: one metric of all qubits on the chip's grid, as a Plotly figure for the person."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import QUBIT_METRICS, Metric
from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.domain.topology import Topology, topology_named
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.tools.chips import snake_case
from qdash_jupyter.tools.spec import ChipArguments, NewFrame, ToolContext, ToolOutput, ToolSpec, Words

if TYPE_CHECKING:
    import pandas as pd

    from qdash_jupyter.data.reader import QDashReader

SelectionMode = Literal["latest", "best", "average"]

CELL_PX = {8: 56, 12: 48, 16: 40}
"""Size of a qubit's cell by grid size; larger grids get small cells without text."""


class HeatmapArguments(ChipArguments):
    """Arguments of `generate_chip_heatmap`."""

    metric_name: str = Field(description=f"One of {', '.join(QUBIT_METRICS)}.", min_length=1)
    selection_mode: SelectionMode = Field("latest", description="Which of a qubit's results: latest, best or average.")
    within_hours: float | None = Field(None, description="Only results of the last so many hours.", gt=0, le=87_600)


def generate_chip_heatmap(args: HeatmapArguments, context: ToolContext) -> ToolOutput:
    """A heatmap of one qubit metric. Table `heatmap`: `qid`, `row`, `col`, `value` (displayed scale), `error`, `t`."""
    reader = context.reader
    chip = context.scope.resolve(reader, args.chip_id, args.project_id)
    key = snake_case(args.metric_name)
    if key not in QUBIT_METRICS:
        raise NotFound("qubit metric", args.metric_name, QUBIT_METRICS)
    metric = context.metrics.of(key)
    topology = topology_named(chip.topology_id, chip.size)
    if topology is None:
        raise NoData(f"The topology {chip.topology_id!r} of {chip.ref.chip_id!r} is not known: no grid to draw on.")
    since = reader.now() - timedelta(hours=args.within_hours) if args.within_hours else None
    series = reader.parameter_series(chip.ref, key, "qubit", since=since)
    values = _selected(series.dropna(subset=["v"]), metric, args.selection_mode)
    values = values[values["qid"].isin(list(topology.positions))]
    if values.empty:
        raise _nothing(reader, chip, key, args.within_hours)
    table = values.assign(
        row=[topology.positions[qid][0] for qid in values["qid"]],
        col=[topology.positions[qid][1] for qid in values["qid"]],
        value=values["v"] * metric.scale,
        error=values["error"] * metric.scale,
    )[["qid", "row", "col", "value", "error", "t"]]
    shown = table["value"]
    statistics: JsonObject = {
        "count": len(shown),
        "total_qubits": topology.num_qubits,
        "coverage": f"{100 * len(shown) / topology.num_qubits:.1f}%",
        "median": float(shown.median()),
        "mean": float(shown.mean()),
        "min": float(shown.min()),
        "max": float(shown.max()),
        "unit": metric.unit,
    }
    chart = _figure(table, topology, metric, chip.ref.chip_id, args.selection_mode)
    return ToolOutput(
        content={
            "status": "success",
            "message": f"The heatmap of {metric.title} is shown to the person; do not repeat it.",
            "statistics": statistics,
            "missing_qubits": [qid for qid in topology.positions if qid not in set(table["qid"])],
        },
        frame=NewFrame(
            f"heatmap_{key}",
            {"statistics": statistics, "heatmap": table},
            "heatmap",
            {"value": metric.unit, "error": metric.unit},
            chip.ref,
        ),
        blocks=(chart,),
        sources=(Source("task_result_history", f"chip {chip.ref.chip_id}, {key}, {args.selection_mode}", len(series)),),
    )


def _nothing(reader: QDashReader, chip: ChipRecord, key: str, within_hours: float | None) -> NoData:
    import pandas as pd

    last = reader.parameter_series(chip.ref, key, "qubit", last_n=1)["t"].max()
    if within_hours is None or not isinstance(last, datetime) or last is pd.NaT:
        return NoData(
            f"No {key} was ever measured on {chip.ref.chip_id!r}.", "list_available_parameters names what was."
        )
    return NoData(
        f"No {key} was measured on {chip.ref.chip_id!r} in the last {within_hours:g} hours.",
        f"The last one is from {last:%Y-%m-%d %H:%M} UTC: widen within_hours.",
    )


def _selected(series: pd.DataFrame, metric: Metric, mode: SelectionMode) -> pd.DataFrame:
    """One row a qubit. `best` follows the metric's evaluation mode; a metric without one has no best: its latest."""
    if mode == "average":
        means = series.groupby("qid", sort=False).agg(v=("v", "mean"), error=("v", "std"), t=("t", "max"))
        return means.reset_index()
    if mode == "best" and metric.mode != "none":
        series = series.sort_values("v", ascending=metric.mode == "maximize", kind="stable")
    return series.drop_duplicates("qid", keep="last").reset_index(drop=True)


def _figure(table: pd.DataFrame, topology: Topology, metric: Metric, chip_id: str, mode: str) -> ChartBlock:
    grid = topology.grid_size
    z: list[list[float | None]] = [[None] * grid for _ in range(grid)]
    text = [[""] * grid for _ in range(grid)]
    hover = [[""] * grid for _ in range(grid)]
    for qid, (row, col) in topology.positions.items():
        text[row][col] = qid
        hover[row][col] = f"{qid_label(qid, topology.num_qubits)}<br>not measured"
    for found in table.itertuples():
        row, col = int(found.row), int(found.col)
        label = qid_label(str(found.qid), topology.num_qubits)
        z[row][col] = float(found.value)
        text[row][col] = f"{found.qid}<br>{found.value:.{_decimals(metric)}f}"
        error = f" ± {found.error:.{metric.decimals}f}" if found.error == found.error and found.error else ""
        hover[row][col] = (
            f"{label}<br>{found.value:.{metric.decimals}f}{error} {metric.unit}<br>{found.t:%Y-%m-%d %H:%M} UTC"
        )
    cell = CELL_PX.get(grid, 56 if grid < 8 else 20)  # noqa: PLR2004
    trace: dict[str, Any] = {
        "type": "heatmap",
        "z": z,
        "text": text,
        "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "colorscale": "Viridis",
        "reversescale": metric.mode == "minimize",
        "xgap": 2,
        "ygap": 2,
        "colorbar": {"title": {"text": metric.unit}, "thickness": 12},
    }
    if cell >= 40:  # noqa: PLR2004 - smaller cells cannot hold text
        trace["texttemplate"] = "%{text}"
        trace["textfont"] = {"size": 10}
    axis = {"showticklabels": False, "showgrid": False, "zeroline": False, "ticks": ""}
    chosen = {"latest": "latest", "best": "best", "average": "mean"}[mode]
    title = f"{metric.title} of {chip_id} ({chosen}, {metric.unit})"
    layout: JsonObject = {
        "title": {"text": title, "font": {"size": 14}},
        "xaxis": axis | {"constrain": "domain"},
        "yaxis": axis | {"autorange": "reversed", "scaleanchor": "x"},
        "width": grid * cell + 110,
        "height": grid * cell + 70,
        "margin": {"t": 40, "b": 20, "l": 20, "r": 60},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    return ChartBlock((trace,), layout, title)


def _decimals(metric: Metric) -> int:
    return 2 if metric.unit == "GHz" else min(metric.decimals, 1)


CHIP_HEATMAP = ToolSpec(
    name="generate_chip_heatmap",
    label=Words("Drawing a heatmap of the chip", "チップのヒートマップを生成中"),
    description="Draw a heatmap of one qubit metric over the chip for the person. You get statistics only.",
    guidance="A picture of the chip: generate_chip_heatmap. The person sees it; do not draw it again.",
    args=HeatmapArguments,
    run=generate_chip_heatmap,
)
