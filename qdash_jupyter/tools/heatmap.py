"""`generate_chip_heatmap`: one metric of all qubits, or of all couplings, on a map of the chip, for the user."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import isnan
from typing import Literal

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.queries import ResultQuery, SeriesQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.data.tables import records_of, series_in_order
from qdash_jupyter.domain.ages import age_words
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.domain.qid import other_direction, qid_label
from qdash_jupyter.domain.time_range import ODD_TIME, TimeRange
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.domain.windows import time_range
from qdash_jupyter.errors import InvalidArguments, NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chip_map import ChipShape, chip_map
from qdash_jupyter.tools.chips import read_of, with_muxes
from qdash_jupyter.tools.connections import connections_of, unknown_words
from qdash_jupyter.tools.spec import NewFrame, ParameterName, TimeRangeArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.statistics import described
from qdash_jupyter.tools.timeseries import nearest_words

SelectionMode = Literal["latest", "best", "average"]

_LONG_AGO = datetime.min.replace(tzinfo=UTC)

MOST_NAMED = 100
"""So many of the missing ones are named to the model."""


class HeatmapArguments(TimeRangeArguments):
    rare = TimeRangeArguments.rare | {"within_hours", "selection_mode", "since", "until"}
    metric_name: ParameterName = Field(description="E.g. t1.", min_length=1)
    selection_mode: SelectionMode = Field("latest", description="Which result of each.")
    within_hours: float | None = Field(None, description="Only the last hours.", gt=0, le=87_600)

    def time_range(self, now: datetime) -> TimeRange:
        """The time range that is meant.

        Raises:
            InvalidArguments: two are given, one of them is no time, or nothing lies between its ends.
        """
        if self.within_hours is None:
            return super().time_range(now)
        if self.since is not None:
            raise InvalidArguments.with_hint("two-time-ranges")
        return time_range((now - timedelta(hours=self.within_hours)).isoformat(), self.until, now)

    def absolute(self, now: datetime, *, is_live: bool) -> JsonObject:
        """The ends as moments, in place of the hours."""
        given = super().absolute(now, is_live=is_live)
        given.pop("within_hours", None)
        return given


def generate_chip_heatmap(args: HeatmapArguments, context: ToolContext) -> ToolOutput:
    """A map of one metric of qubits or couplings.

    Table `heatmap`: `qid`, of qubits `mux`, `row`, `col`, `value` (displayed scale), `error`, `t`, and of couplings
    `drawn`; the place of a coupling is half-way between its qubits. Beside it `figure`, for
    `plotly.graph_objects.Figure`.

    A chip whose topology is unknown is drawn as a plain graph of the couplings that it has in the database. The places
    are not the chip's, and the table has no `row` and `col`. The picture of a linear chip is folded; its table is not.

    A coupling is drawn with the value of the topology's direction (control-target); where only the other one was
    measured, with that. The table has a row for either. Where the other direction was measured later, the hover says
    its value too, and the model gets it as `newer_in_reverse`. Where the newest result of all is excluded, an older one
    counts, the hover says `excluded` with its value, and the model gets it as `newest_excluded`. Where the newest one
    has no value, an older one counts, too; the hover says so, and the model gets `newest_without_value`.
    """
    reader, chip = context.reader_and_chip(args)
    now = reader.now()
    key = args.metric_name
    if key not in METRICS:
        raise NotFound(Message("kind-metric"), args.metric_name, METRICS)
    metric = context.metrics.of(key)
    topology = topology_named(chip.topology_id, chip.size)
    shape = ChipShape.of(topology) if topology else ChipShape.of_graph(connections_of(reader, chip))
    during = args.time_range(now)
    measured, language = _measured(during), context.language
    layout = topology.layout_type if topology else "unknown"
    asked = SeriesQuery(chip.ref, metric.kind, key, during=during)
    left_out = ResultQuery(chip.ref, status="completed", excluded=True, output=key, during=during)
    series, empty = _series(reader, asked, args.selection_mode)  # of which the reader knows what the others need
    results = reader.task_results(left_out)
    odd = reader.parameter_series(replace(asked, during=ODD_TIME))
    of_couplings = metric.kind == "coupling"
    wanted = [f"{control}-{target}" for control, target in shape.couplings] if of_couplings else list(shape.places)
    series = series[series["qid"].isin([*wanted, *map(other_direction, wanted)])]
    if series.empty:
        raise _nothing(reader, chip, metric, during)
    table = _selected(series, metric, args.selection_mode)
    if topology is not None:
        table = _placed(table, topology.middles() if of_couplings else topology.positions)
    table = with_muxes(table, chip)
    newer = table.iloc[:0]
    if of_couplings:
        either = set(table["qid"])
        table["drawn"] = [qid in wanted or other_direction(qid) not in either for qid in table["qid"]]
        newer = _newer_in_reverse(table, series)
    drawn = table[table["drawn"]] if of_couplings else table
    excluded = _newest_excluded(results, metric, series)
    notes = _notes(newer, excluded, empty, metric, lambda t: age_words(now - t, language))
    seen = {*table["qid"], *map(other_direction, table["qid"])}
    missing = [qid for qid in wanted if qid not in seen]
    shown = drawn["value"]
    statistics: JsonObject = {
        "count": len(shown),
        f"total_{metric.kind}s": len(wanted),
        "coverage": f"{100 * len(shown) / len(wanted):.1f}%",
        **shown.agg(["median", "mean", "min", "max"]).to_dict(),
        "unit": metric.unit,
    }
    chart = chip_map(
        drawn.assign(note=["".join(f"<br>{one.of(language)}" for one in notes.get(qid, ())) for qid in drawn["qid"]]),
        shape,
        metric,
        title=Message(
            "heatmap-title",
            metric=metric.title_in(language),
            chip=chip.ref.chip_id,
            mode=args.selection_mode,
            unit=metric.unit,
            layout=layout,
        ).of(language),
        subtitle=Message(
            "heatmap-subtitle",
            count=len(shown),
            total=len(wanted),
            kind=metric.kind,
            measured=measured,
            median=f"{shown.median():.{metric.decimals}f} {metric.unit}",
            layout=layout,
        ).of(language),
        now=now,
        language=language,
    )
    content: JsonObject = {
        "status": "success",
        "message": f"The heatmap of {metric.title} is shown to the user; do not repeat it.",
        "statistics": statistics | {n: v for n, v in described(shown, drawn["error"]).items() if n in statistics},
        f"missing_{metric.kind}s": missing[:MOST_NAMED],
    }
    beside = {
        "flagged": {f"{one.qid} {key}": one.flag for one in records_of(odd)},
        "note": "" if topology else f"{unknown_words(chip)} Drawn as a plain graph, the places are not the chip's.",
        "more_missing": max(0, len(missing) - MOST_NAMED),
        "newer_in_reverse": {one.qid: compact_number(one.value) for one in newer.itertuples()},
        "newest_excluded": {
            qid: compact_number(value) for qid, (value, _) in excluded.items() if qid in seen or qid in missing
        },
        "newest_without_value": [qid for qid in empty if qid in seen],
    }
    content |= {name: value for name, value in beside.items() if value}
    stored = {"statistics": statistics, "heatmap": table, "parameter_name": key, "figure": chart.figure()}
    units = dict.fromkeys(("value", "error"), metric.unit)
    where = read_of(chip.ref, key, Message("read-mode", mode=args.selection_mode))
    return ToolOutput(
        content=content,
        frame=NewFrame(f"heatmap_{key}", stored, main="heatmap", units=units, chip=chip.ref),
        blocks=(chart,),
        sources=(Source("task_result_history", where, len(series)),),
    )


def _notes(
    newer: pd.DataFrame,
    excluded: Mapping[str, tuple[float, datetime]],
    empty: Mapping[str, datetime],
    metric: Metric,
    ago: Callable[[datetime], str],
) -> Mapping[str, list[Message]]:
    """What the hover of an element says of newer results than the one that is drawn."""
    notes = defaultdict[str, list[Message]](list)

    def shown(value: float) -> Message | str:
        return Message("no-value") if isnan(value) else f"{value:.{metric.decimals}f} {metric.unit}"

    for one in newer.itertuples():
        reverse = Message("heatmap-reverse", name=qid_label(one.qid), value=shown(one.value), age=ago(one.t))
        notes[other_direction(one.qid)].append(reverse)
    for qid, (value, t) in excluded.items():
        notes[qid].append(Message("heatmap-newest-excluded", value=shown(value), age=ago(t)))
    for qid, t in empty.items():
        notes[qid].append(Message("heatmap-newest-empty", age=ago(t)))
    return notes


def _series(reader: QDashReader, query: SeriesQuery, mode: SelectionMode) -> tuple[pd.DataFrame, dict[str, datetime]]:
    """What there is to select from: of each element its newest value, where no more is asked for; and when those were
    measured whose newest result has none.
    """
    if mode != "latest":
        return reader.parameter_series(query).dropna(subset=["v"]), {}
    newest = reader.parameter_series(replace(query, last_n=1))
    failed = newest[newest["v"].isna()]
    empty = dict(zip(failed["qid"], failed["t"], strict=True))
    if empty:
        before = reader.parameter_series(replace(query, qids=tuple(empty)))
        newest = series_in_order(pd.concat([newest, before], ignore_index=True))
    return newest.dropna(subset=["v"]), empty


def _newest_excluded(
    results: Sequence[TaskResult], metric: Metric, series: pd.DataFrame
) -> dict[str, tuple[float, datetime]]:
    """By element whose newest result is an excluded one, its value on the displayed scale (NaN: none) and its time."""
    newest = series.groupby("qid")["t"].max().to_dict()
    found: dict[str, tuple[float, datetime]] = {}
    for result in results:
        for row in result.outputs:
            t = result.start_at or row.calibrated_at or result.end_at
            if row.parameter == metric.key and t and result.qid not in found and t > newest.get(result.qid, _LONG_AGO):
                found[result.qid] = row.value * metric.scale, t
    return found


def _measured(during: TimeRange) -> Message:
    """Return `measured`, and in which time range."""
    since, until = (f"{end:%Y-%m-%d %H:%M} UTC" if end else "" for end in (during.since, during.until))
    if since and until:
        return Message("measured-between", since=since, until=until)
    if since:
        return Message("measured-since", since=since)
    return Message("measured-before", until=until) if until else Message("measured")


def _nothing(reader: QDashReader, chip: ChipRecord, metric: Metric, during: TimeRange) -> NoData:
    of, last_n = chip.ref.chip_id, None if during.until else 1
    dates = list(reader.parameter_series(SeriesQuery(chip.ref, metric.kind, metric.key, last_n=last_n))["t"])
    if not during.is_bounded or not dates:
        return NoData.with_hint("never-measured", parameter=metric.title, chip=of)
    message = Message("no-measurement-in-range", parameter=metric.title, measured=_measured(during), chip=of)
    return NoData(message, nearest_words(dates, during))


def _selected(series: pd.DataFrame, metric: Metric, mode: SelectionMode) -> pd.DataFrame:
    """One row each, on the displayed scale. `best` follows the metric's evaluation mode, the latest without one."""
    if mode == "average":
        means = series.groupby("qid", sort=False).agg(v=("v", "mean"), error=("v", "std"), t=("t", "max"))
        chosen = means.reset_index()
    else:
        if mode == "best" and metric.mode != "none":
            series = series.sort_values("v", ascending=metric.mode == "maximize", kind="stable")
        chosen = series.drop_duplicates("qid", keep="last").reset_index(drop=True)
    table = chosen.assign(value=chosen["v"] * metric.scale, error=chosen["error"] * metric.scale)
    return table[["qid", "value", "error", "t"]]


def _placed(table: pd.DataFrame, places: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """With row and column behind the ids; a coupling in the other direction stands where this one does."""
    at = [places.get(qid) or places[other_direction(qid)] for qid in table["qid"]]
    table.insert(1, "row", [row for row, _ in at])
    table.insert(2, "col", [col for _, col in at])
    return table


def _newer_in_reverse(table: pd.DataFrame, series: pd.DataFrame) -> pd.DataFrame:
    """The rows that are not drawn although their last measurement is newer than that of the direction that is."""
    newest = series.groupby("qid")["t"].max()
    return table[[not one.drawn and newest[one.qid] > newest[other_direction(one.qid)] for one in table.itertuples()]]


CHIP_HEATMAP = ToolSpec(
    label=Message("label-chip-heatmap"),
    description="Draw a metric of all qubits or couplings.",
    run=generate_chip_heatmap,
    on_request=True,
)
