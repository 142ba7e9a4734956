"""The analysis code that plans write: small functions on `copilot.data`, each worth keeping and editing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.intent import Direction, Window

FEWEST = 3
SHORT_DAYS = 7
SIGMAS = 4

_VERBS = {Direction.DOWN: "fell", Direction.UP: "rose", Direction.EITHER: "changed"}


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """How large a change of a metric has to be to be named: relative, or absolute on the displayed scale."""

    smallest: float
    relative: bool
    unit: str

    @property
    def words(self) -> str:
        """`15 %`, `0.5 MHz`, `1 percentage point`."""
        if self.relative:
            return f"{self.smallest:g} %"
        return "1 percentage point" if self.unit == "%" and self.smallest == 1 else f"{self.smallest:g} {self.unit}"


def change_rule(metric: Metric) -> ChangeRule:
    """15 % of a coherence time, 0.5 MHz of a frequency, 1 percentage point of a fidelity, 15 % of anything else."""
    if metric.unit == "GHz" or (metric.unit == "MHz" and metric.scale == 1000):  # noqa: PLR2004 - stored in GHz
        return ChangeRule(0.5, relative=False, unit="MHz")
    if metric.unit == "%":
        return ChangeRule(1.0, relative=False, unit="%")
    return ChangeRule(15.0, relative=True, unit="%")


def identifier(parameter: str) -> str:
    """The parameter as the stem of Python names."""
    stem = re.sub(r"\W+", "_", parameter).strip("_").lower()
    return stem if stem and not stem[0].isdigit() else f"p_{stem}"


def window_start(window: Window, as_of: str) -> str:
    """The expression for a window's start; `as_of` is the name that holds now."""
    if window.date is not None:
        return f'pd.Timestamp("{window.date}", tz="UTC")'
    if window.weekday is not None:
        return f"{as_of}.normalize() - pd.Timedelta(days=({as_of}.dayofweek - {window.weekday}) % 7)"
    if window.days < 1:
        return f"{as_of} - pd.Timedelta(hours={window.days * 24:g})"
    return f"{as_of} - pd.Timedelta(days={window.days:g})"


def fewest_in(window: Window) -> int:
    """Measurements needed within the window: a short one may hold a single one; its uncertainty then says so."""
    return 1 if window.weekday is not None or window.days < SHORT_DAYS else FEWEST


def change_cell(key: str, metric: Metric, window: Window, question: str) -> str:
    """Code that compares the level before the window with the level now, for each qubit or coupling.

    Its last expression is a frame with one row for each of them that changed or could not be told: columns `qid`,
    `before [unit]`, `now [unit]`, `change [%|unit]`, `sigmas`, `since`, `verdict` (fell, rose, too few, not measured).
    """
    stem, rule = identifier(metric.key), change_rule(metric)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    before, now = f"before [{metric.unit}]", f"now [{metric.unit}]"
    if rule.relative:
        change, changed = "change [%]", "100 * (now / before - 1) if before else np.nan"
    elif rule.unit == "MHz" and metric.unit == "GHz":
        change, changed = "change [MHz]", "1000 * (now - before)"
    else:
        change, changed = f"change [{rule.unit}]", "now - before"
    return f'''\
# {_comment(question)}
# {metric.title} before the window (median of the last 10 measurements) against now (median of the newest 5).
# Named: a change of {rule.words} or more that is at least {SIGMAS} times its own uncertainty.
import numpy as np
import pandas as pd


def {stem}_changes(smallest={rule.smallest:g}, sigmas={SIGMAS}):
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"])
    as_of = copilot.data["{key}"]["as_of"]
    start = {window_start(window, "as_of")}
    rows = [(qid, np.nan, np.nan, np.nan, np.nan, pd.NaT, "not measured") for qid in copilot.data["{key}"]["not_measured"]]
    for qid, measured in series.groupby("qid", sort=False):
        values = measured["v"]{scale}
        old, new = values[measured["t"] < start].tail(10), values[measured["t"] >= start].tail(5)
        before, now = old.median(), new.median()
        if len(old) < {FEWEST} or len(new) < {fewest_in(window)}:
            rows.append((qid, before, now, np.nan, np.nan, pd.NaT, "too few"))
            continue
        # Scatter between neighbours, insensitive to outliers and to slow changes of the level.
        steps = values.diff().dropna()
        noise = 1.4826 * (steps - steps.median()).abs().median() / np.sqrt(2)
        uncertainty = max(noise * np.sqrt(np.pi / 2 * (1 / len(old) + 1 / len(new))), 1e-12)
        change = {changed}
        z = (now - before) / uncertainty
        # Since when: after the last measurement on the old side of the middle. Before the window is not in it.
        middle = (before + now) / 2
        old_side = measured.loc[(values > middle) if change < 0 else (values < middle), "t"]
        since = measured.loc[measured["t"] > old_side.max(), "t"].min()
        named = abs(change) >= smallest and abs(z) >= sigmas and since >= start
        rows.append((qid, before, now, change, z, since, ("fell" if change < 0 else "rose") if named else "stable"))
    columns = ["qid", "{before}", "{now}", "{change}", "sigmas", "since", "verdict"]
    return pd.DataFrame(rows, columns=columns).sort_values("{change}", ignore_index=True)


{stem}_change = {stem}_changes()
{stem}_change[{stem}_change["verdict"] != "stable"]
'''


def series_chart_cell(key: str, metric: Metric, qids: Sequence[str], window: Window | None, title: str) -> str:
    """Code that draws the measurements of some qubits or couplings over time; its last expression is the figure."""
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    line = ""
    if window is not None:
        line = f"""
    start = {window_start(window, f'copilot.data["{key}"]["as_of"]')}
    fig.add_vline(x=start, line_dash="dot", line_color="gray")"""
    return f'''\
# {title}
import pandas as pd
import plotly.graph_objects as go


def {stem}_chart(qids):
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"])
    fig = go.Figure()
    for qid in qids:
        one = series[series["qid"] == qid]
        bars = dict(type="data", array=one["error"]{scale}, thickness=1, width=0)
        fig.add_scatter(x=one["t"], y=one["v"]{scale}, error_y=bars, mode="lines+markers", name=f"Q{{qid}}")
    fig.update_traces(line_width=1, marker_size=5){line}
    fig.update_layout(
        title="{_quoted(title)}", yaxis_title="{metric.title} ({metric.unit})", xaxis_title="time (UTC)", height=380
    )
    return fig


{stem}_figure = {stem}_chart({list(qids)!r})
{stem}_figure
'''


def levels_chart_cell(key: str, metric: Metric, window: Window, title: str) -> str:
    """Code that draws every element's level before against its level now, for the case that none changed."""
    stem = identifier(metric.key)
    before, now = f"before [{metric.unit}]", f"now [{metric.unit}]"
    return f'''\
# {title}: every point is a qubit or coupling; on the line nothing changed.
import plotly.graph_objects as go


def {stem}_levels_chart():
    told = {stem}_change[{stem}_change["verdict"] != "too few"]
    fig = go.Figure()
    fig.add_scatter(x=told["{before}"], y=told["{now}"], text="Q" + told["qid"], mode="markers", name="measured")
    ends = [told["{before}"].min(), told["{before}"].max()]
    fig.add_scatter(x=ends, y=ends, mode="lines", line_dash="dot", line_color="gray", name="unchanged")
    fig.update_layout(
        title="{_quoted(title)}",
        xaxis_title="before ({metric.unit})",
        yaxis_title="now ({metric.unit})",
        height=380,
    )
    return fig


{stem}_levels_figure = {stem}_levels_chart()
{stem}_levels_figure
'''


def ranking_cell(key: str, metric: Metric, count: int, *, lowest: bool, title: str) -> str:
    """Code that ranks the current values of one qubit parameter. Columns `qid`, `value [unit]`, `error [unit]`,
    `age [d]`.
    """
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    pick = "nsmallest" if lowest else "nlargest"
    return f'''\
# {title}
def {stem}_ranking(count={count}):
    values = copilot.data["{key}"]["values"]
    values = values[values["parameter"] == "{metric.key}"].dropna(subset=["value"])
    chosen = values.{pick}(count, "value")
    return chosen.assign(value=chosen["value"]{scale}, error=chosen["error"]{scale}).rename(
        columns={{"value": "value [{metric.unit}]", "error": "error [{metric.unit}]", "age_days": "age [d]"}}
    )[["qid", "value [{metric.unit}]", "error [{metric.unit}]", "age [d]"]]


{stem}_ranked = {stem}_ranking()
{stem}_ranked
'''


def ranking_of_series_cell(key: str, metric: Metric, count: int, *, lowest: bool, title: str) -> str:
    """As `ranking_cell`, over the newest results of a series (couplings)."""
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    pick = "nsmallest" if lowest else "nlargest"
    return f'''\
# {title}
def {stem}_ranking(count={count}):
    latest = copilot.data["{key}"]["qubits"].dropna(subset=["latest"])
    chosen = latest.{pick}(count, "latest")
    return chosen.assign(latest=chosen["latest"]{scale}).rename(
        columns={{"latest": "value [{metric.unit}]", "age_days": "age [d]"}}
    )[["qid", "value [{metric.unit}]", "age [d]"]]


{stem}_ranked = {stem}_ranking()
{stem}_ranked
'''


def ranking_chart_cell(key: str, metric: Metric, title: str, *, series: bool) -> str:
    """Code that draws all values of a ranking as sorted bars; its last expression is the figure."""
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    if series:
        source = f'copilot.data["{key}"]["qubits"].rename(columns={{"latest": "value"}})'
    else:
        source = f'copilot.data["{key}"]["values"]\n    values = values[values["parameter"] == "{metric.key}"]'
    limits = ""
    if metric.scoring is not None:
        for name, limit in (("bad", metric.scoring.bad), ("good", metric.scoring.good)):
            if limit is not None:
                limits += f'\n    fig.add_hline(y={limit:g}, line_dash="dash", annotation_text="{name}: {limit:g} {metric.unit}")'
    return f'''\
# {title}
import plotly.graph_objects as go


def {stem}_ranking_chart():
    values = {source}
    values = values.dropna(subset=["value"]).sort_values("value")
    marked = values["qid"].isin({stem}_ranked["qid"].tolist())
    colours = ["#d95f02" if mark else "#9aa5b1" for mark in marked]
    fig = go.Figure(go.Bar(x="Q" + values["qid"], y=values["value"]{scale}, marker_color=colours)){limits}
    fig.update_layout(title="{_quoted(title)}", yaxis_title="{metric.title} ({metric.unit})", xaxis_title=None, height=380)
    return fig


{stem}_ranking_figure = {stem}_ranking_chart()
{stem}_ranking_figure
'''


def overall_ranking_cell(key: str, metrics: Sequence[Metric], count: int, *, lowest: bool, title: str) -> str:
    """Code that ranks qubits over several metrics by their mean percentile. Columns `qid`, `percentile [%]`, metrics."""
    names = [metric.key for metric in metrics]
    shown = ", ".join(f'"{m.key}": ("{m.key} [{m.unit}]", {m.scale:g})' for m in metrics)
    pick = "nsmallest" if lowest else "nlargest"
    return f'''\
# {title}
# Each metric ranks the qubits from 0 % (worst of the chip) to 100 % (best); the mean of these decides.
def overall_ranking(count={count}):
    qubits = copilot.data["{key}"]["qubits"].set_index("qid")
    qubits = qubits[[name for name in {names!r} if name in qubits]].dropna(how="all")
    percentile = 100 * qubits.rank(pct=True).mean(axis=1)
    ranked = qubits.assign(percentile=percentile).{pick}(count, "percentile").rename(columns={{"percentile": "percentile [%]"}})
    for name, (label, scale) in {{{shown}}}.items():
        if name in ranked:
            ranked[label] = ranked.pop(name) * scale
    return ranked.reset_index()


overall_ranked = overall_ranking()
overall_ranked
'''


def findings_cell(
    summary_key: str, coupling: tuple[str, str] | None, metrics: Sequence[Metric], old_days: float
) -> str:
    """Code that holds the chip's current values against the thresholds. Columns `element`, `finding`, `value`, `limit`.

    `coupling` is the key and the parameter of a series of couplings.
    """
    limits = ",\n    ".join(
        f'("{m.key}", "{m.title}", "{m.unit}", {m.scale:g}, {m.scoring.bad:g}, {m.scoring.higher_is_better})'
        for m in metrics
        if m.scoring is not None and m.scoring.bad is not None
    )
    couplings = ""
    if coupling is not None:
        couplings = f'''
    latest = copilot.data["{coupling[0]}"]["qubits"].rename(columns={{"latest": "value"}})
    values = pd.concat([values, latest[["qid", "value", "age_days"]].assign(parameter="{coupling[1]}")])'''
    return f'''\
# Current values against the limits of the lab: what is dead, old, or worse than "bad"?
import pandas as pd

# parameter, title, unit, scale to that unit, limit, whether higher is better
bad_limits = [
    {limits},
]


def chip_findings(old_days={old_days:g}):
    summary = copilot.data["{summary_key}"]
    values = summary["values"][["qid", "parameter", "value", "age_days"]]
    qubits = summary["qubits"].set_index("qid")
    rows = [(qid, "no results at all", "", "") for qid in qubits.index[qubits.isna().all(axis=1)]]
    newest = values.groupby("qid", sort=False)["age_days"].min()
    rows += [(qid, "not measured lately", f"{{age:.0f}} d", f"{{old_days:.0f}} d") for qid, age in newest[newest > old_days].items()]{couplings}
    for parameter, title, unit, scale, limit, higher in bad_limits:
        shown = values[values["parameter"] == parameter].dropna(subset=["value"]).set_index("qid")["value"] * scale
        worse = shown[shown < limit] if higher else shown[shown > limit]
        rows += [(qid, title, f"{{value:.1f}} {{unit}}", f"{{limit:g}} {{unit}}") for qid, value in worse.sort_values().items()]
    return pd.DataFrame(rows, columns=["element", "finding", "value", "limit"])


findings = chip_findings()
findings
'''


def overview_cell(key: str, metrics: Sequence[Metric]) -> str:
    """Code that gives one line a metric: columns `metric`, `median`, `worst`, `best`, `measured`, all with units."""
    rows = ",\n    ".join(
        f'("{m.key}", "{m.title}", "{m.unit}", {m.scale:g}, {m.decimals}, {m.mode != "minimize"})' for m in metrics
    )
    return f'''\
# The chip in one table: median, worst and best current value of each metric.
import pandas as pd

# parameter, title, unit, scale to that unit, decimals, whether higher is better
overview_metrics = [
    {rows},
]


def chip_overview():
    qubits = copilot.data["{key}"]["qubits"]
    rows = []
    for parameter, title, unit, scale, digits, higher in overview_metrics:
        if parameter not in qubits or qubits[parameter].isna().all():
            continue
        shown = qubits[parameter].dropna() * scale
        worst, best = (shown.min(), shown.max()) if higher else (shown.max(), shown.min())
        texts = [f"{{value:.{{digits}}f}} {{unit}}" for value in (shown.median(), worst, best)]
        rows.append((title, *texts, f"{{len(shown)}} of {{len(qubits)}} qubits"))
    return pd.DataFrame(rows, columns=["metric", "median", "worst", "best", "measured"])


overview = chip_overview()
overview
'''


def compare_cell(key: str, qids: Sequence[str], metrics: Sequence[Metric]) -> str:
    """Code that sets the current values of some qubits side by side: one row a parameter, one column a qubit."""
    scales = ", ".join(f'"{m.key}": ("{m.title}", "{m.unit}", {m.scale:g}, {m.decimals})' for m in metrics)
    only = f'\n    values = values[values["parameter"].isin({[m.key for m in metrics]!r})]' if len(metrics) == 1 else ""
    return f'''\
# Current values of {", ".join("Q" + qid for qid in qids)} side by side, with the age of each.
import pandas as pd

shown_as = {{{scales}}}


def comparison(qids):
    values = copilot.data["{key}"]["values"].dropna(subset=["value"])
    values = values[values["qid"].isin(qids)]{only}
    rows = []
    for parameter, measured in values.groupby("parameter"):
        title, unit, scale, digits = shown_as.get(parameter, (parameter, measured["unit"].iloc[0], 1, 4))
        row = {{"parameter": title}}
        for qid in qids:
            one = measured[measured["qid"] == qid]
            row["Q" + qid] = (
                f"{{one['value'].iloc[0] * scale:.{{digits}}f}} {{unit}} ({{one['age_days'].iloc[0]:.0f}} d old)" if len(one) else "–"
            )
        rows.append(row)
    return pd.DataFrame(rows, columns=["parameter"] + ["Q" + qid for qid in qids])


compared = comparison({list(qids)!r})
compared
'''


def trend_cell(key: str, metric: Metric, qids: Sequence[str], question: str) -> str:
    """Code that gives each element's level and slope. Columns `qid`, `measurements`, `median [unit]`, `newest [unit]`,
    `slope [unit/day]`, `slope z`.
    """
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    only = f'\n    series = series[series["qid"].isin({list(qids)!r})]' if qids else ""
    unit = metric.unit
    return f'''\
# {_comment(question)}
# Slope: median of the slopes between all pairs of measurements (Theil-Sen), insensitive to outliers.
import numpy as np
import pandas as pd


def {stem}_trends():
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"]){only}
    rows = []
    for qid, measured in series.groupby("qid", sort=False):
        days = (measured["t"] - measured["t"].iloc[0]).dt.total_seconds().to_numpy() / 86400
        values = measured["v"].to_numpy(){scale}
        slope = np.nan
        if len(values) >= {FEWEST} and days[-1] > 0:
            first, second = np.triu_indices(len(values), 1)
            apart = days[second] > days[first]
            slope = np.median((values[second] - values[first])[apart] / (days[second] - days[first])[apart])
        rows.append((qid, len(values), np.median(values), values[-1], slope))
    columns = ["qid", "measurements", "median [{unit}]", "newest [{unit}]", "slope [{unit}/day]"]
    return pd.DataFrame(rows, columns=columns)


{stem}_trend = {stem}_trends()
{stem}_trend
'''


def band_chart_cell(key: str, metric: Metric, title: str) -> str:
    """Code that draws a whole chip over time: each day's median and the range of the middle 80 %."""
    stem = identifier(metric.key)
    scale = f" * {metric.scale:g}" if metric.scale != 1 else ""
    return f'''\
# {title}: each day's median over the chip, and the middle 80 % of the elements.
import plotly.graph_objects as go


def {stem}_band_chart():
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"])
    daily = (series.set_index("t")["v"]{scale}).resample("1D")
    middle, low, high = daily.median().dropna(), daily.quantile(0.1).dropna(), daily.quantile(0.9).dropna()
    fig = go.Figure()
    fig.add_scatter(x=high.index, y=high, mode="lines", line_width=0, showlegend=False)
    fig.add_scatter(x=low.index, y=low, mode="lines", line_width=0, fill="tonexty", name="middle 80 %")
    fig.add_scatter(x=middle.index, y=middle, mode="lines", name="median")
    fig.update_layout(title="{_quoted(title)}", yaxis_title="{metric.title} ({metric.unit})", xaxis_title="time (UTC)", height=380)
    return fig


{stem}_band_figure = {stem}_band_chart()
{stem}_band_figure
'''


def _comment(text: str) -> str:
    return " ".join(text.split())[:160]


def _quoted(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")
