"""`get_chip_parameter_timeseries`: one parameter of all qubits or couplings over time, with a robust trend of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
from pydantic import Field

from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.data.tables import COUNT, MOMENT, NUMBER, SERIES_COLUMNS, TEXT, records_of, typed
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import Metric, title_of
from qdash_jupyter.domain.qid import other_direction, qid_label, qid_order
from qdash_jupyter.domain.time_range import ODD_TIME, TimeRange
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message, cut
from qdash_jupyter.methods.level_change import FALSE_ALARMS, MOST_BEFORE, SIGNIFICANT_Z, LevelChange, level_changes
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import (
    both_directions,
    expected_ids,
    found_directions,
    kind_of,
    known_qids,
    known_runs,
    read_of,
    with_muxes,
)
from qdash_jupyter.tools.current_values import NO_FIT
from qdash_jupyter.tools.spec import (
    ElementId,
    NewFrame,
    ParameterName,
    ResultArguments,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.statistics import TREND_OF, described, shown_change, verdict_of
from qdash_jupyter.tools.timestamps import short_timestamp
from qdash_jupyter.tools.totals import cut_to

DEFAULT_LAST_N = 10
OLD_AFTER_DAYS = 14
_MOST_NAMED = 10

QUBIT_ROW = {
    "qid": TEXT,
    "latest": NUMBER,
    "age_days": NUMBER,
    "first": MOMENT,
    "last": MOMENT,
    "count": COUNT,
    "missing": COUNT,
    "min": NUMBER,
    "max": NUMBER,
    "mean": NUMBER,
    "change": NUMBER,
    "sigmas": NUMBER,
    "trend": TEXT,
    "test": TEXT,
}

SERIES_TABLES = {
    "timeseries": tuple("t:UTC" if name == "t" else name for name in SERIES_COLUMNS if name != "unit"),
    "qubits": (*QUBIT_ROW, "mux"),
    "before": ("qid", "t", "v", "error"),
}

TREND_MEANS = (
    f"trend up, down: |sigmas| (change / noise) ≥ {SIGNIFICANT_Z} and large enough to matter; wandering: noise "
    "explains it; unclear: too few or noisy to tell"
)
"""What the model has to know of three columns."""

DAYS_BEFORE = 60
"""So many days before a window are read at least, for the level before it: else twice as long as it is."""

TREND_CHARS = 100
"""Characters that a summary may be longer where trends were tested; twice as many where dates cannot be."""


class SeriesArguments(ResultArguments):
    parameter_name: ParameterName = Field(min_length=1)
    last_n: int | None = Field(None, ge=1, le=10_000)


class TimeseriesArguments(SeriesArguments):
    qids: list[ElementId] | None = Field(None, max_length=2000)


def get_chip_parameter_timeseries(args: TimeseriesArguments, context: ToolContext) -> ToolOutput:
    """One parameter over time; `qubits` has the `mux` of each, too.

    Tables: `timeseries` (one row a measurement: `qid`, `t`, `v`, `error`, `task_name`, `execution_id`, `task_id`; `v`
    is NaN where the fit failed), `before` where `since` is given (up to 60 measurements each before it: `qid`, `t`,
    `v`, `error`; what `methods` take the level before from), `odd_dates` where results have a date that cannot be (they
    stand in no series; `flag` says which) and `qubits` (one row a qubit or coupling: newest value and
    its age, when it was first and last measured, count, missing, extremes, mean, and the test of `methods.changes`:
    `change` since then, `sigmas` = how sure, `trend` = `down`, `up`, `wandering`, `unclear`, `stable`, empty below 6
    measurements, and `test` = `step` or `slope`). A coupling is found in either direction. Of series of mere noise at
    most one in 1,000 has 3.4 `sigmas` or more: `false_alarms_expected` is how many of those that were tested.
    """
    reader, chip = context.reader_and_chip(args)
    now = reader.now()
    parameter = args.parameter_name
    qids = known_qids(reader, chip, args.qids, muxes=True) if args.qids else None
    during = args.time_range(now)
    last_n = args.last_n or (None if during.since else DEFAULT_LAST_N)
    cooldown_id, tags = args.cooldown(chip), args.tags or []
    found = kind_of(parameter, qids)
    kind, either = found or "qubit", both_directions(qids) if qids else None
    asked = SeriesQuery(
        chip.ref, kind, parameter, qids=either, during=during, last_n=last_n, cooldown_id=cooldown_id, tags=tags
    )
    queries = [asked] if found else [asked, replace(asked, kind="coupling")]
    for query in queries:
        series = reader.parameter_series(query)
        if len(series):
            break
    else:
        raise _nothing(reader, chip, queries)
    before = _before(reader, query, now, series)
    odd = reader.parameter_series(replace(query, during=ODD_TIME, last_n=None))

    is_full = last_n is not None and (series.groupby("qid").size() >= last_n).any()
    cut = cut_to(len(series), reader.count(query) if is_full else 0, last_n)
    if qids:
        qids = found_directions(qids, set(series["qid"]))
        series = series[series["qid"].isin(qids)].reset_index(drop=True)
    units = series.loc[series["unit"] != "", "unit"]
    unit = str(units.iloc[-1]) if len(units) else ""
    mixed = {} if units.nunique() < 2 else units.value_counts().to_dict()  # noqa: PLR2004 - one is no mixture
    metric = context.metrics.of(parameter, unit)
    changes = _level_changes(series, before)
    rows = _element_rows(series, changes, metric, pd.Timestamp(now))
    measured = {*rows["qid"], *map(other_direction, rows["qid"])}
    unmeasured = [qid for qid in qids or expected_ids(reader, chip, query.kind) if qid not in measured]
    statistics = described(rows["latest"], series["error"])
    where = read_of(
        chip.ref,
        parameter,
        Message("read-completed"),
        Message("read-not-excluded"),
        Message("read-since", date=f"{during.since:%Y-%m-%d}")
        if during.since
        else Message("read-newest-each", count=last_n or 0),
        *([Message("read-cooldown", id=cooldown_id)] if cooldown_id else []),
        *([Message("read-tags", names=tuple(tags))] if tags else []),
    )
    value_units = dict.fromkeys(("v", "error", "latest", "min", "max", "mean", "change"), unit)
    return ToolOutput(
        frame=NewFrame(
            key=parameter,
            values={
                "chip_id": chip.ref.chip_id,
                "parameter_name": parameter,
                "unit": unit,
                "num_qubits": len(rows),
                **cut,
                "cooldown_id": cooldown_id,
                "tags": ", ".join(tags) or None,
                "as_of": pd.Timestamp(min(now, during.until or now)),
                "range": None,  # what was asked; when it was measured says more
                "measured": " to ".join(short_timestamp(end, now) for end in (series["t"].min(), series["t"].max())),
                "statistics": statistics,
                "not_measured": tuple(unmeasured),
                **({"false_alarms_expected": compact_number(len(changes) * FALSE_ALARMS)} if changes else {}),
                "qubits": with_muxes(rows, chip),
                "timeseries": series if mixed else series.drop(columns="unit"),
                **({"before": before} if len(before) else {}),
                **({"odd_dates": odd[["qid", "v", "error", "task_id", "flag"]]} if len(odd) else {}),
            },
            main="timeseries",
            units=value_units | {"age_days": "d"},
            chip=chip.ref,
        ),
        statistics=statistics,
        notable=[("mixed_units", mixed), *_notable(series, rows, changes, metric, unmeasured, marked=odd)],
        budget=SUMMARY_CHARS + TREND_CHARS * (bool(changes) + 2 * bool(len(odd))),
        sources=(Source("task_result_history", where, len(series), tuple(series["task_id"].tail(3))),),
    )


def _nothing(reader: QDashReader, chip: ChipRecord, queries: Sequence[SeriesQuery]) -> NotFound | NoData:
    asked = queries[0]
    qids, parameter = asked.qids, asked.parameter
    known = list(reader.parameter_names(chip.ref)["parameter"])
    if parameter not in known:
        return NotFound(Message("kind-parameter"), parameter, known, where=Message("on-chip", chip=chip.ref.chip_id))
    name, named = title_of(parameter), cut((qid_label(qid, chip.size) for qid in qids or ()), _MOST_NAMED)
    until = asked.during.until
    last_n = None if until else 1  # of a time range with an end, it may be the first that is to be named
    whenever = (SeriesQuery(chip.ref, query.kind, parameter, qids=qids, last_n=last_n) for query in queries)
    dates = [moment for series in map(reader.parameter_series, whenever) for moment in series["t"]]
    of = chip.ref.chip_id
    if not dates:
        for query in queries:
            if len(odd := reader.parameter_series(replace(query, during=ODD_TIME, last_n=None))):
                flag = odd["flag"].iloc[0]
                return NoData(Message("only-odd-dates", parameter=name, chip=of, count=len(odd), flag=flag))
        if qids:
            return NoData(Message("never-measured-on", parameter=name, qids=named, chip=of))
        return NoData(Message("never-measured", parameter=name, chip=of))
    known_runs(reader, chip, cooldown_id=asked.cooldown_id, tags=asked.tags)
    conditions: list[Any] = [named] if qids else []
    conditions += [Message("condition-time-range")] if asked.during.is_bounded else []
    conditions += [Message("condition-cooldown", id=asked.cooldown_id)] if asked.cooldown_id else []
    conditions += [Message("condition-tags", names=tuple(asked.tags))] if asked.tags else []
    message = Message("no-measurement-fits", parameter=name, chip=of, conditions=tuple(conditions))
    return NoData(message, nearest_words(dates, asked.during))


def nearest_words(dates: Sequence[datetime], during: TimeRange) -> Message:
    """Return when there are measurements instead: the newest, or of a time range that ends before it the first."""
    if during.until and min(dates) >= during.until:
        return Message("no-measurement-fits-first", when=min(dates))
    return Message("no-measurement-fits-hint", when=max(dates))


def _before(reader: QDashReader, query: SeriesQuery, now: datetime, series: pd.DataFrame) -> pd.DataFrame:
    """The measurements before a window that tell the level before it; none where it has no beginning."""
    since, until = query.during.since, query.during.until or now
    columns = ["qid", "t", "v", "error"]
    if since is None or query.last_n is not None:
        return series.iloc[:0][columns]
    reach = max(2 * (until - since), timedelta(days=DAYS_BEFORE))
    begin = since - min(reach, since - datetime.min.replace(tzinfo=UTC))
    earlier = replace(query, during=TimeRange(begin, since), last_n=MOST_BEFORE)
    return reader.parameter_series(earlier)[columns]


def _level_changes(series: pd.DataFrame, before: pd.DataFrame) -> dict[str, LevelChange]:
    """Each one's change since the window began."""
    earlier = _known(before)
    given = {}
    for qid, (values, errors) in _known(series).items():
        old, their_errors = earlier.get(qid, (values[:0], errors[:0]))
        given[qid] = np.concatenate([old, values]), np.concatenate([their_errors, errors]), len(old)
    return level_changes(given)


def _known(series: pd.DataFrame) -> dict[str, tuple[Any, Any]]:
    """The values and errors of each that are known, oldest first."""
    known = series[series["v"].notna()]
    return {str(qid): (one["v"].to_numpy(), one["error"].to_numpy()) for qid, one in known.groupby("qid", sort=False)}


def _element_rows(
    series: pd.DataFrame, changes: Mapping[str, LevelChange], metric: Metric, now: pd.Timestamp
) -> pd.DataFrame:
    known = series[series["v"].notna()]
    newest, values = known.drop_duplicates("qid", keep="last").set_index("qid"), known.groupby("qid")["v"]
    rows = pd.DataFrame(
        {
            "latest": newest["v"],
            "age_days": ((now - newest["t"]) / timedelta(days=1)).round(3),
            "first": series.drop_duplicates("qid").set_index("qid")["t"],
            "last": series.drop_duplicates("qid", keep="last").set_index("qid")["t"],
            **{name: values.agg(name)[values.size() > 1] for name in ("min", "max", "mean")},
        }
    )
    rows = rows.loc[sorted(rows.index, key=qid_order)]
    rows["count"] = values.size().reindex(rows.index, fill_value=0)
    rows["missing"] = series.groupby("qid").size() - rows["count"]
    tested = {
        qid: (one.absolute, one.z, TREND_OF[verdict_of(one, metric)], one.found_by) for qid, one in changes.items()
    }
    told = pd.DataFrame.from_dict(tested, orient="index", columns=["change", "sigmas", "trend", "test"])
    told.loc[~told["trend"].isin(["up", "down"]), "test"] = ""
    return typed(rows.join(told).rename_axis("qid").reset_index(), QUBIT_ROW)


def _notable(
    series: pd.DataFrame,
    rows: pd.DataFrame,
    changes: Mapping[str, LevelChange],
    metric: Metric,
    unmeasured: list[str],
    *,
    marked: pd.DataFrame,
) -> list[tuple[str, dict[str, Any] | list[str]]]:
    def moved(trend: str) -> list[str]:
        qids = rows.loc[rows["trend"] == trend, "qid"]
        largest_first = sorted(qids, key=lambda qid: -abs(changes[qid].relative))
        return [f"{qid} {shown_change(changes[qid], metric)}" for qid in largest_first]

    newest = series.dropna(subset=["v"]).drop_duplicates("qid", keep="last")
    worst = newest.iloc[:0]
    if metric.higher_is_better is not None:
        worst = newest.sort_values("v", ascending=metric.higher_is_better, kind="stable").head(3)
    old = rows[rows["age_days"] > OLD_AFTER_DAYS].sort_values("age_days", ascending=False)
    return [
        ("down", moved("down")),
        ("up", moved("up")),
        ("worst", {row.qid: compact_number(row.v, row.error) for row in records_of(worst, "qid", "v", "error")}),
        ("not_measured", unmeasured),
        ("old", {row.qid: f"{row.age_days:.0f} d" for row in records_of(old)}),
        *_no_measurements(pd.concat([marked, series]) if len(marked) else series),
        *((trend, list(rows.loc[rows["trend"] == trend, "qid"])) for trend in ("wandering", "unclear")),
    ]


def _no_measurements(series: pd.DataFrame) -> list[tuple[str, dict[str, Any]]]:
    """The results that do not count, by element, most first: how often its fit failed, what could not be read."""
    sizes = series.groupby("qid").size()
    failed = series.loc[series["flag"] == NO_FIT, "qid"].value_counts(sort=True)
    others: dict[str, str] = {}
    for qid, flags in series.loc[~series["flag"].isin(["", NO_FIT])].groupby("qid")["flag"]:
        different = list(dict.fromkeys(flags))
        words = ", ".join(different[:2]) + ", …" * (len(different) > 2)  # noqa: PLR2004
        others[str(qid)] = f"{len(flags)} of {sizes[qid]}: {words}"
    return [("failed_fits", {str(qid): int(count) for qid, count in failed.items()}), ("flagged", others)]


CHIP_PARAMETER_TIMESERIES = ToolSpec(
    label=Message("label-chip-timeseries"),
    description=(
        "Anything over time (lost, fell, drifted): a parameter of all qubits or couplings. since as asked: "
        f"it reads what was before. data['t1'] by the parameter's name. {TREND_MEANS}."
    ),
    tables=SERIES_TABLES,
    run=get_chip_parameter_timeseries,
)
