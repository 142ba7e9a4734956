"""Current values: on the displayed scale, against limits, ranked, and what is missing or old."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.methods.measurements import LEFT_OUT, metric_of

Summary: TypeAlias = "Mapping[str, Any] | pd.DataFrame"
"""A stored summary (`copilot.data["chip_summary"]`, or a series, whose newest values count), or its table `qubits`."""

Values: TypeAlias = "Mapping[str, Any] | pd.DataFrame | pd.Series"
"""As `Summary`, or a table with `qid` and one column of values (or `parameter` and `value`), or a Series by qid."""

Limits: TypeAlias = "Mapping[str, float | tuple[float | None, float | None]]"
"""By parameter, on the displayed scale: the limit on the bad side, or the lowest and highest value that are good."""

OLD_DAYS = 14.0
"""Age of values that are old, in days."""


def shown(table: Summary, *parameters: str, errors: bool = False) -> pd.DataFrame:
    """Current values as people read them: one row a qubit, columns `qid`, `T1 [μs]`, `Average Readout Fidelity [%]`.

    All parameters that the table has, unless some are named. One that it does not have is a column of NaN. With
    `errors`, those that are stored stand beside them: `T1 ± [μs]`.
    """
    wide, units = _wide(table)
    stored = dict(iter(_long(table).set_index("qid").groupby("parameter")["error"])) if errors else {}
    names = parameters or tuple(name for name in wide.columns if wide[name].dtype.kind == "f")
    found = pd.DataFrame({"qid": wide.index})
    for name in names:
        metric = metric_of(name, units.get(name, ""))
        values = wide[name] if name in wide else pd.Series(np.nan, wide.index)
        found[f"{metric.title} [{metric.unit}]"] = (values * metric.scale).to_numpy()
        if name in stored and stored[name].notna().any():
            found[f"{metric.title} ± [{metric.unit}]"] = (stored[name].reindex(wide.index) * metric.scale).to_numpy()
    found.attrs["method"] = "Current values, as they are stored, on the scale that people read."
    return found


def overview(summary: Summary, *parameters: str) -> pd.DataFrame:
    """The chip in one table, a row a metric: `metric`, `unit`, `median`, `lowest`, `highest`, `measured`, `of`.

    The last two are numbers of qubits. All metrics of qubits that have values, unless some are named.
    """
    wide, units = _wide(summary)
    names = parameters or tuple(name for name, metric in METRICS.items() if metric.kind == "qubit")
    rows = []
    for name in names:
        metric = metric_of(name, units.get(name, ""))
        values = (wide[name].dropna() if name in wide else pd.Series(dtype=float)) * metric.scale
        if len(values) or parameters:
            middle = (round(float(one), metric.decimals) for one in (values.median(), values.min(), values.max()))
            rows.append((metric.title, metric.unit, *middle, len(values), len(wide)))
    found = pd.DataFrame(rows, columns=["metric", "unit", "median", "lowest", "highest", "measured", "of"])
    found.attrs["method"] = "Current values: median, lowest and highest of those that are measured."
    return found


def findings(
    summary: Mapping[str, Any],
    *others: Values,
    limits: Limits | None = None,
    old_days: float = OLD_DAYS,
) -> pd.DataFrame:
    """What is wrong with a chip's current values: qubits without any, with old ones, and values beyond a limit.

    `others` are further current values, such as a series of couplings. `limits` are by parameter, in shown units:
    `{"t1": 20}` finds what is worse, `{"qubit_frequency": (4.5, 5.5)}` what is outside; QDash's thresholds "bad" unless
    given. Qubits whose newest value is older than `old_days` are a finding.

    Returns:
        One row a finding: `element`, `finding` (`no values at all`, `not measured lately`, or the metric), `value`
        and `limit` with their units as text, `parameter`.
    """
    wide = summary["qubits"].set_index("qid").select_dtypes("number")
    rows = [(str(qid), "no values at all", "", "", "") for qid in wide.index[wide.isna().all(axis=1)]]
    ages = summary["values"].groupby("qid", sort=False)["age_days"].min()
    rows += [
        (str(qid), "not measured lately", f"{age:.0f} d", f"{old_days:g} d", "")
        for qid, age in ages.items()
        if age > old_days
    ]
    tables = [_long(one) for one in (summary, *others)]
    for parameter in limits if limits is not None else _with_thresholds(tables):
        for table in tables:
            mine = table[table["parameter"] == parameter].dropna(subset=["value"])
            if mine.empty:
                continue
            metric = metric_of(parameter, str(mine["unit"].iloc[0]))
            low, high = _ends(metric, None if limits is None else limits[parameter])
            for qid, value in zip(mine["qid"], mine["value"] * metric.scale, strict=True):
                limit = low if value < low else high if value > high else None
                if limit is not None:
                    said = f"{value:.{metric.decimals}f} {metric.unit}", f"{limit:g} {metric.unit}"
                    rows.append((str(qid), metric.title, *said, parameter))
    found = pd.DataFrame(rows, columns=["element", "finding", "value", "limit", "parameter"])
    found.attrs["method"] = "Newest values against limits; of values older than the limit of age the newest counts."
    return found


def unmeasured(values: Values, parameter: str | None = None, *, old_days: float = OLD_DAYS) -> pd.DataFrame:
    """What gave no result, or none for `old_days`, the longest first: `qid`, `newest [d ago]` (NaN: none ever).

    `values` are a stored summary (all parameters count, unless one is named) or series, with its `not_measured`.
    """
    table = _long(values)
    if parameter is not None:
        table = table[table["parameter"] == parameter]
    ages = table.groupby("qid")["age_days"].min()
    known = dict.fromkeys(_everyone(values))
    ages = ages.reindex(list(known) or list(dict.fromkeys(table["qid"])))
    old = ages[ages.isna() | (ages > old_days)].sort_values(ascending=False, na_position="first", kind="stable")
    found = old.rename("newest [d ago]").rename_axis("qid").reset_index()
    found.attrs["method"] = f"Age of the newest result of each; listed where there is none, or none for {old_days:g} d."
    return found


def ranked(
    values: Values,
    parameter: str | None = None,
    *,
    count: int = 5,
    lowest: bool = True,
    limit: float | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """The lowest or highest current values: `qid`, `value [μs]`, `± [μs]` where errors are stored, `age [d]`.

    With a `limit` in the shown unit all beyond it are in, at least `count` rows, and `beyond limit` says which.
    """
    table, metric = values_of(values, parameter, unit=unit)
    name = f"value [{metric.unit}]"
    found = table.rename(columns={"value": name, "error": f"± [{metric.unit}]", "age_days": "age [d]"})
    found = found.sort_values(name, ascending=lowest, kind="stable", ignore_index=True)
    if limit is not None:
        found["beyond limit"] = found[name] < limit if lowest else found[name] > limit
        count = max(count, int(found["beyond limit"].sum()))
    measured = len(found)
    found = found.head(count)
    which = "lowest" if lowest else "highest"
    found.attrs = {"parameter": metric.key, "unit": metric.unit, "n": measured}
    method = f"{metric.title}: the {which} {len(found)} of {measured} current values. {table.attrs.get(LEFT_OUT, '')}"
    found.attrs["method"] = method.rstrip()
    return found


def overall(
    summary: Summary, *parameters: str, count: int = 5, best: bool = True, lower_is_better: Iterable[str] = ()
) -> pd.DataFrame:
    """Qubits ranked over several metrics at once: `qid`, `percentile [%]`, `n` (metrics that it has), and the metrics.

    Each metric ranks the qubits from the worst of the chip to the best, 100 %; the mean of these decides. Which end is
    the better one is QDash's: fidelities and coherence times high, unless named in `lower_is_better`.
    """
    wide, _ = _wide(summary)
    wide = wide[[name for name in parameters if name in wide]].dropna(how="all")
    low = set(lower_is_better)
    better = {name: -1 if name in low or _lower_is_better(metric_of(name)) else 1 for name in wide}
    ranks = pd.DataFrame({name: (wide[name] * sign).rank(pct=True) for name, sign in better.items()})
    order = (100 * ranks.mean(axis=1)).sort_values(ascending=not best, kind="stable")
    found = shown(summary, *parameters).set_index("qid").loc[order.index]
    found.insert(0, "percentile [%]", order)
    found.insert(1, "n", wide.notna().sum(axis=1).loc[order.index])
    found = found.head(count).reset_index()
    found.attrs["method"] = f"Mean percentile over {', '.join(wide.columns)} among {len(wide)} qubits."
    return found


def values_of(values: Values, parameter: str | None = None, *, unit: str | None = None) -> tuple[pd.DataFrame, Metric]:
    """Current values of one parameter on its displayed scale: `qid`, `value`, and `error`, `age_days` where known.

    Raises:
        ValueError: it is not said which parameter of several is meant.
    """
    if isinstance(values, pd.Series):
        metric = metric_of(parameter or values.attrs.get("parameter") or str(values.name or ""), "", unit)
        table = pd.DataFrame({"qid": values.index.astype(str), "value": values.to_numpy(dtype=float) * metric.scale})
        return table.dropna(subset=["value"]).reset_index(drop=True), metric
    table = _long(values)
    names = [name for name in dict.fromkeys(table["parameter"]) if parameter in (None, name)]
    if len(names) > 1:
        msg = f"Say which parameter is meant: {', '.join(names)}."
        raise ValueError(msg)
    table = table[table["parameter"] == names[0]] if names else table.iloc[:0]
    table = table.dropna(subset=["value"])
    stored = str(table["unit"].iloc[0]) if len(table) else ""
    metric = metric_of(parameter or (names[0] if names else ""), stored, unit)
    columns = {"qid": table["qid"].astype(str), "value": table["value"] * metric.scale}
    if table["error"].notna().any():
        columns["error"] = table["error"] * abs(metric.scale)
    if table["age_days"].notna().any():
        columns["age_days"] = table["age_days"]
    found = pd.DataFrame(columns).reset_index(drop=True)
    found.attrs = {LEFT_OUT: table.attrs.get(LEFT_OUT, "")}
    return found, metric


def _wide(summary: Summary) -> tuple[pd.DataFrame, dict[str, str]]:
    """One row a qubit, one column a parameter, in stored units, and these."""
    table = summary["qubits"] if isinstance(summary, Mapping) else summary
    return table.set_index("qid"), dict(table.attrs.get("units", {}))


def _long(values: Any) -> pd.DataFrame:
    """`qid`, `parameter`, `value`, `error`, `unit`, `age_days`, in stored units; NaN where not known."""
    named = values.get("parameter_name") if isinstance(values, Mapping) else None
    table = values.get("values", values["qubits"]) if isinstance(values, Mapping) else values
    numbers = [name for name in table.columns if name != "qid" and table[name].dtype.kind in "fiu"]
    name = next((one for one in ("value", "latest") if one in table), numbers[0] if len(numbers) == 1 else None)
    if name is None:
        msg = (
            f"Current values are in a column value, or the only one with numbers; here are {', '.join(table.columns)}."
        )
        raise ValueError(msg)
    named = named or table.attrs.get("parameter") or ("" if name in {"value", "latest"} else name)
    unknown = pd.Series(np.nan, table.index)
    found = {
        "qid": table["qid"].astype(str),
        "parameter": table.get("parameter", named),
        "value": table[name].astype(float),
        "error": table.get("error", unknown).astype(float),
        "unit": table.get("unit", table.attrs.get("units", {}).get(name, "")),
        "age_days": table.get("age_days", unknown).astype(float),
    }
    long = pd.DataFrame(found).reset_index(drop=True)
    long.attrs = {LEFT_OUT: table.attrs.get(LEFT_OUT, "")}
    return long


def _everyone(values: Any) -> list[str]:
    """All whom a stored result knows, also without a value."""
    if not isinstance(values, Mapping):
        return []
    return [*map(str, values["qubits"]["qid"]), *map(str, values.get("not_measured", ()))]


def _with_thresholds(tables: Iterable[pd.DataFrame]) -> list[str]:
    names = dict.fromkeys(name for table in tables for name in table["parameter"])
    return [name for name in names if (scoring := metric_of(name).scoring) is not None and scoring.bad is not None]


def _ends(metric: Metric, limit: float | tuple[float | None, float | None] | None) -> tuple[float, float]:
    """The lowest and the highest value that are no finding."""
    if isinstance(limit, tuple):
        low, high = limit
        return -np.inf if low is None else low, np.inf if high is None else high
    if limit is None:
        limit = metric.scoring.bad if metric.scoring is not None else None
    if limit is None:
        return -np.inf, np.inf
    return (-np.inf, limit) if _lower_is_better(metric) else (limit, np.inf)


def _lower_is_better(metric: Metric) -> bool:
    return not metric.scoring.higher_is_better if metric.scoring is not None else metric.mode == "minimize"
