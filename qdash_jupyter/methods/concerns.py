"""What wants attention, the worst first: values beyond limits, changes, failures, unreliable fits, and what is old."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import is_coupling, qid_order
from qdash_jupyter.methods.current import OLD_DAYS, Limits, findings
from qdash_jupyter.methods.levels import changes
from qdash_jupyter.methods.measurements import Moment, Series, measurements, metric_of, moment
from qdash_jupyter.methods.smallest import change_rule
from qdash_jupyter.methods.steps import jumps

SEVERITIES = ("bad", "warning", "note")
_COLUMNS = ["qid", "severity", "finding", "parameter", "value", "limit", "since"]
_KINDS = (
    *("no results", "beyond limit", "fell", "rose", "moved", "newest failed", "not to be trusted"),
    *("not measured lately", "flagged", "dipped"),
)
"""Within one severity, in this order."""

_Row = tuple[str, str, str, str, str, str, str]


def attention(
    summary: Mapping[str, Any],
    *series: Series,
    since: Moment = "30d",
    qids: Iterable[str] | None = None,
    limits: Limits | None = None,
    old_days: float = OLD_DAYS,
    results: Mapping[str, Any] | pd.DataFrame | None = None,
    verdicts: Iterable[Mapping[str, Any]] = (),
) -> pd.DataFrame:
    """Everything about a chip, or about some qubits and couplings of it, that somebody should look at.

    - bad: no values at all, and a newest value beyond its limit (QDash's "bad", or yours: `limits` as in `findings`).
    - warning: a level that got worse since a time, as `changes` finds it; a frequency that moved; a newest curve that
      does not support its value; a newest value older than `old_days`.
    - note: a newest value with a flag; a task whose newest attempt failed; and a dip, two `jumps` of which the second
      came back within the window.

    What got better is none of them. `summary` is a stored summary, `series` are stored series (with what lies before
    `since`, or there is no level to compare with), `results` those of tasks, newest attempts included, and `verdicts`
    what `get_result_curves` stored.

    Returns:
        One row a finding: `qid`, `severity`, `finding`, `parameter` (or the task), `value`, `limit` (with their units,
        as text), `since` (a date, as text). Elements with the worst findings come first, within each the worst.
    """
    couplings = [one for one in series if "qubits" in one and one["qubits"]["qid"].astype(str).map(is_coupling).any()]
    rows = [*_beyond(summary, couplings, limits, old_days), *_flags(summary)]
    for one in series:
        rows += [*_changed(one, since), *_dips(one, since)]
    rows += _failed(results) if results is not None else []
    rows += [row for one in verdicts for row in _doubted(one)]
    wanted = None if qids is None else set(map(str, qids))
    found = pd.DataFrame([row for row in rows if wanted is None or row[0] in wanted], columns=_COLUMNS)
    found = found.drop_duplicates(["qid", "finding", "parameter"])
    order = pd.DataFrame(
        {"severity": found["severity"].map(SEVERITIES.index), "kind": found["finding"].map(_KINDS.index)}
    )
    of_element = order.groupby(found["qid"])
    worst, kind = (of_element[name].transform("min") for name in ("severity", "kind"))
    grave = -(4.0 ** (2 - order["severity"])).groupby(found["qid"]).transform("sum")
    number = found["qid"].map(qid_order)
    order = pd.DataFrame({"worst": worst, "first": kind.where(kind == 0, 1), "grave": grave, "qid": number, **order})
    found = found.loc[order.sort_values([*order.columns], kind="stable").index].reset_index(drop=True)
    found.attrs["method"] = (
        f"Newest values against limits and an age of {old_days:g} d; levels since {since} against those before; the "
        "newest attempt of each task; flags."
    )
    return found


def _beyond(
    summary: Mapping[str, Any], couplings: Iterable[Series], limits: Limits | None, old_days: float
) -> Iterator[_Row]:
    """Values beyond limits, and old ones; newest values of couplings are in no summary, but in series of their own."""
    for row in findings(summary, *couplings, limits=limits, old_days=np.inf).itertuples(index=False):
        if row.finding == "no values at all":
            yield row.element, "bad", "no results", "", "", "", ""
        else:
            yield row.element, "bad", "beyond limit", row.parameter, row.value, row.limit, ""
    values = summary["values"].dropna(subset=["age_days"])
    newest = values.loc[values.groupby("qid", sort=False)["age_days"].idxmin()]
    for row in newest[newest["age_days"] > old_days].to_dict("records"):
        told = f"{row['age_days']:.0f} d", f"{old_days:g} d", _date(row.get("calibrated_at"))
        yield str(row["qid"]), "warning", "not measured lately", "", *told


def _flags(summary: Mapping[str, Any]) -> Iterator[_Row]:
    values = summary["values"]
    if "flag" in values:
        for row in values[values["flag"].fillna("").ne("")].itertuples(index=False):
            yield str(row.qid), "note", "flagged", row.parameter, row.flag, "", ""


def _date(moment: Any) -> str:
    return "" if moment is None or pd.isna(moment) else f"{moment:%Y-%m-%d}"


def _changed(series: Series, since: Moment) -> Iterator[_Row]:
    found = changes(series, since=since)
    metric = metric_of(found.attrs["parameter"])
    before, now, change = _sizes(found)
    for row in found[found["verdict"].isin(["fell", "rose"])].to_dict("records"):
        # A frequency gets neither better nor worse: where it moved, pulses are off.
        finding = "moved" if "[MHz]" in change else row["verdict"]
        if finding == ("fell" if metric.mode == "minimize" else "rose"):
            continue
        told = _from_to(row[before], row[now], row[change], change, metric)
        yield row["qid"], "warning", finding, metric.key, told, "", f"{row['since']:%Y-%m-%d}"


def _dips(series: Series, since: Moment) -> Iterator[_Row]:
    """What fell within the window, and came back."""
    given = measurements(series)
    metric = given.metric
    if metric.mode != "maximize" or change_rule(metric).unit == "MHz":
        return
    found, start = jumps(series), moment(since, given.as_of)
    before, now, change = _sizes(found)
    for qid, one in found.groupby("qid", sort=False):
        last, *earlier = one.to_dict("records")
        if (
            last["verdict"] == "rose"
            and earlier
            and (fell := earlier[0])["verdict"] == "fell"
            and last["since"] >= start
        ):
            told = _from_to(fell[before], fell[now], fell[change], change, metric)
            yield str(qid), "note", "dipped", metric.key, told, "", f"{fell['since']:%Y-%m-%d}"


def _sizes(found: pd.DataFrame) -> tuple[str, ...]:
    """The columns of the levels and of the change, whose names end with their units."""
    return tuple(
        next(name for name in found.columns if name.startswith(f"{size} [")) for size in ("before", "now", "change")
    )


def _from_to(before: float, now: float, change: float, column: str, metric: Metric) -> str:
    unit = column.partition("[")[2].removesuffix("]")
    digits = {"MHz": 2, "pp": 1}.get(unit, 0)
    return f"{before:.{metric.decimals}f} → {now:.{metric.decimals}f} {metric.unit} ({change:+.{digits}f} {unit})"


def _failed(results: Mapping[str, Any] | pd.DataFrame) -> Iterator[_Row]:
    """Tasks whose newest attempt on an element failed."""
    table = results["results"] if isinstance(results, Mapping) else results
    newest = table.sort_values("start_at").groupby(["qid", "task_name"], sort=False).tail(1)
    measured = set(table.loc[table["status"] == "completed", "qid"])
    for row in newest[newest["status"] == "failed"].itertuples(index=False):
        if row.qid in measured:  # else nothing works there, which is said otherwise
            yield str(row.qid), "note", "newest failed", row.task_name, str(row.message), "", f"{row.start_at:%Y-%m-%d}"


def _doubted(verdicts: Mapping[str, Any]) -> Iterator[_Row]:
    """Newest curves that do not support their value."""
    table = verdicts["verdicts"].sort_values("time").groupby(["qid", "task"], sort=False).tail(1)
    doubted = table[table["fit"].eq("unreliable") & table["result"].eq("completed")]
    for row in doubted.itertuples(index=False):
        yield str(row.qid), "warning", "not to be trusted", row.parameter, str(row.reason), "", f"{row.time:%Y-%m-%d}"
