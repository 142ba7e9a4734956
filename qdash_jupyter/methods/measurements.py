"""What the methods are given, made plain: measurements on the displayed scale, oldest first, and moments in UTC."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from qdash_jupyter.domain.metrics import METRICS, Metric, MetricTable
from qdash_jupyter.domain.qid import normalise_qid, other_direction, qid_label
from qdash_jupyter.domain.units import factor
from qdash_jupyter.domain.windows import end_of, moment_of

Series: TypeAlias = "pd.DataFrame | Mapping[str, Any]"
"""A stored series, or its table `timeseries`: `qid`, `t`, `v` in the stored unit (NaN does not count), and `error`."""

Moment: TypeAlias = "str | float | date | datetime | pd.Timestamp | timedelta | pd.Timedelta"
"""A time (UTC where it names no zone), or how long before now: `30` days, `"12h"`, `"2 weeks"`, a timedelta."""

Array: TypeAlias = "np.ndarray[Any, Any]"

LEFT_OUT = "left_out"
"""In a table's `attrs`: what was left out of it, in a sentence, for the `method` of what is computed of it."""

_SHOWN = re.compile(r"(?P<title>.+) \[(?P<unit>.+)\]")


@dataclass(frozen=True, slots=True)
class Measurements:
    """A series as the methods compute with it."""

    table: pd.DataFrame
    """`qid`, `t`, `value` and `error` on the displayed scale; those that count, oldest first, qubits in their order."""

    qids: tuple[str, ...]
    """All who were asked for or should have been measured, even if no measurement of them counts; in their order."""

    metric: Metric
    as_of: pd.Timestamp
    """Now, from where spans are counted: the data's own, else the newest measurement."""

    not_measured: frozenset[str]
    """Those of them of whom the table says nothing at all."""

    left_out: str = ""
    """What was left out of the table before, in a sentence."""

    @property
    def unit(self) -> str:
        """The displayed unit."""
        return self.metric.unit

    def each(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """The measurements of each, also where there are none."""
        groups = dict(iter(self.table.groupby("qid", sort=False)))
        empty = self.table.iloc[:0]
        for qid in self.qids:
            yield qid, groups.get(qid, empty)

    def between(self, since: Moment | None, until: Moment | None) -> Measurements:
        """Those from since on, before until."""
        table = self.table
        if since is not None:
            table = table[table["t"] >= moment(since, self.as_of)]
        if until is not None:
            table = table[table["t"] < moment(until, self.as_of, is_end=True)]
        return replace(self, table=table)

    def span(self, since: Moment | None, until: Moment | None) -> tuple[pd.Timestamp, pd.Timestamp]:
        """Where a window begins and ends; open ends are the first measurement and now."""
        first = self.table["t"].min() if since is None else moment(since, self.as_of)
        return first, self.as_of if until is None else moment(until, self.as_of, is_end=True)

    def window(self, since: Moment | None, until: Moment | None) -> str:
        """`2026-05-31 09:00 to 2026-06-30 09:00 UTC`."""
        return " to ".join("…" if pd.isna(end) else f"{end:%Y-%m-%d %H:%M}" for end in self.span(since, until)) + " UTC"

    def told(self, found: pd.DataFrame, method: str, window: str, **more: str | float) -> pd.DataFrame:
        """A result with who was not measured, the verdict beside the element, and with what is known of it in `attrs`:
        values of JSON, so that any format can keep them.
        """
        if "verdict" in found:
            verdicts = found.pop("verdict").mask(found["qid"].isin(self.not_measured), "not measured")
            found.insert(found.columns.get_loc("qid") + 1, "verdict", verdicts)
        method = f"{method} {self.left_out}".rstrip()
        found.attrs = {"parameter": self.metric.key, "unit": self.unit, "method": method, "window": window, **more}
        return found


def measurements(
    series: Series,
    *,
    qids: Iterable[object] | None = None,
    parameter: str | None = None,
    unit: str | None = None,
    not_measured: Iterable[object] = (),
    with_before: bool = False,
) -> Measurements:
    """A series, or its table, as the methods compute with it; `unit` is the one to show it in, and `with_before` adds
    what a stored series has from before its window.

    Raises:
        TypeError: it is no series.
        ValueError: it lacks a column, or cannot be shown in that unit.
    """
    about: Mapping[str, Any] = {}
    if isinstance(series, Mapping):
        about, series = series, series["timeseries"]
        if with_before and "before" in about:
            earlier, attrs = about["before"], series.attrs
            series = pd.concat([earlier[earlier["qid"].isin(series["qid"])], series], ignore_index=True)
            series.attrs = attrs
    if not isinstance(series, pd.DataFrame):
        msg = f"A series is copilot.data[…], or a DataFrame with qid, t and v; this is a {type(series).__name__}."
        raise TypeError(msg)
    if missing := [name for name in ("qid", "t", "v") if name not in series]:
        msg = f"A series has the columns qid, t, v; here {', '.join(missing)} is missing."
        raise ValueError(msg)
    attrs = series.attrs
    parameter = parameter or about.get("parameter_name") or attrs.get("parameter") or ""
    metric = metric_of(parameter, attrs.get("units", {}).get("v", ""), unit)
    table = pd.DataFrame(
        {
            "qid": series["qid"].astype(str).to_numpy(),
            "t": pd.to_datetime(series["t"], utc=True).array,
            "value": series["v"].to_numpy(dtype=float) * metric.scale,
            "error": series["error"].to_numpy(dtype=float) * abs(metric.scale) if "error" in series else np.nan,
        }
    )
    absent = [*map(str, not_measured), *about.get("not_measured", ())]
    if qids is not None:
        wanted = _ids(qids)
        table, absent = table[table["qid"].isin(wanted)], wanted
    told = set(table["qid"])
    absent = [qid for qid in dict.fromkeys(absent) if not {qid, other_direction(qid)} & told]
    table = table[np.isfinite(table["value"]) & table["t"].notna()].sort_values("t", kind="stable", ignore_index=True)
    now = about.get("as_of") or attrs.get("as_of")
    as_of = _utc(now) if now is not None else _utc(0) if table.empty else table["t"].max()
    everyone = tuple(sorted({*told, *absent}, key=order_of))
    return Measurements(table, everyone, metric, as_of, frozenset(absent), attrs.get(LEFT_OUT, ""))


def metric_of(parameter: str, stored: str = "", unit: str | None = None) -> Metric:
    """The metric of a parameter, shown in `unit` where that is given; `T1 [μs]` is one on its displayed scale already.

    Raises:
        ValueError: its values cannot be shown in that unit.
    """
    if shown := _SHOWN.fullmatch(parameter):
        known = next((each for each in METRICS.values() if each.title == shown["title"]), None)
        title_ja = known.title_ja if known is not None else ""
        metric = Metric(parameter, shown["title"], shown["unit"], 1, "none", title_ja=title_ja)
    else:
        metric = MetricTable().of(parameter or "value", stored)
    if unit is None or unit == metric.unit:
        return metric
    if not (stored or parameter):
        return replace(metric, unit=unit)
    by = factor(metric.unit or "a.u.", unit or "a.u.")
    if by is None:
        msg = f"{metric.title} in {metric.unit} cannot be shown in {unit}."
        raise ValueError(msg)
    return replace(metric, unit=unit, scale=metric.scale * by)


def moment(when: Moment, as_of: pd.Timestamp, *, is_end: bool = False) -> pd.Timestamp:
    """A time, or how long before now; of a day that ends something, its end.

    Raises:
        InvalidArguments: it is neither.
    """
    if isinstance(when, str):
        now = as_of.to_pydatetime()
        return pd.Timestamp(end_of(when, now) if is_end else moment_of(when, now, "since"))
    if isinstance(when, Real):
        return as_of - pd.Timedelta(days=float(when))
    if isinstance(when, timedelta):
        return as_of - when
    day = is_end and isinstance(when, date) and not isinstance(when, datetime)
    return _utc(when) + pd.Timedelta(days=int(day))


def label(qid: str) -> str:
    """`Q07`, `Q36-Q38`; what is no id stays as it is."""
    return qid_label(qid) if qid.replace("-", "").isdigit() else qid


def _utc(when: Any) -> pd.Timestamp:
    time = pd.Timestamp(when)
    return time.tz_localize("UTC") if time.tzinfo is None else time.tz_convert("UTC")


def _ids(qids: Iterable[object]) -> list[str]:
    """Ids as the table has them, however they were written; a coupling in either direction."""
    given = [qids] if isinstance(qids, (str, int)) else list(qids)
    plain = [normalise_qid(qid) or str(qid) for qid in given]
    return [one for qid in plain for one in dict.fromkeys((qid, other_direction(qid)))]


def order_of(qid: str) -> tuple[Any, ...]:
    """Sort key: ids by number, then names that are none."""
    parts = qid.split("-")
    return (0, *map(int, parts)) if all(part.isdigit() for part in parts) else (1, qid)
