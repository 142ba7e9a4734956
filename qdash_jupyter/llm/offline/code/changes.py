"""Code that compares levels: before a window against now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.significance import SIGNIFICANT_Z
from qdash_jupyter.llm.offline.code.stems import comment, scale_of, stem_of, window_start
from qdash_jupyter.llm.offline.spans import Window

FEWEST = 3
SHORT_DAYS = 7


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """How large a change of a metric has to be to be named: relative, or absolute on the displayed scale."""

    smallest: float
    relative: bool
    unit: str

    @property
    def words(self) -> str:
        """`15 %`, `0.5 MHz`, `1 percentage point`."""
        if self.relative or self.unit != "%":
            return f"{self.smallest:g} {self.unit}"
        return "1 percentage point" if self.smallest == 1 else f"{self.smallest:g} percentage points"

    def at_least(self, value: float, unit: str) -> ChangeRule | None:
        """The rule with another smallest change; None where the unit says nothing about this metric."""
        factors = {("kHz", "MHz"): 0.001, ("GHz", "MHz"): 1000.0}
        if unit == self.unit:
            return replace(self, smallest=value)
        factor = factors.get((unit, self.unit))
        return None if factor is None else replace(self, smallest=value * factor)


def change_rule(metric: Metric) -> ChangeRule:
    """15 % of a coherence time, 0.5 MHz of a frequency, 1 percentage point of a fidelity, 15 % of anything else."""
    if metric.unit == "GHz" or (metric.unit == "MHz" and metric.scale == 1000):  # noqa: PLR2004 - stored in GHz
        return ChangeRule(0.5, relative=False, unit="MHz")
    if metric.unit == "%":
        return ChangeRule(1.0, relative=False, unit="%")
    return ChangeRule(15.0, relative=True, unit="%")


def fewest_in(window: Window) -> int:
    """Measurements needed within the window: a short one may hold a single one; its uncertainty then says so."""
    return 1 if window.weekday is not None or window.days < SHORT_DAYS else FEWEST


def change_cell(key: str, metric: Metric, window: Window, rule: ChangeRule, question: str) -> str:
    """Code that compares the level before the window with the level now, for each qubit or coupling.

    Its last expression is a frame with one row for each of them that changed or could not be told: columns `qid`,
    `before [unit]`, `now [unit]`, `change [%|unit]`, `sigmas`, `since`, `verdict` (fell, rose, too few, not measured).
    """
    stem = stem_of(metric)
    if rule.relative:
        change, changed = "change [%]", "100 * (now - before) / abs(before) if before else np.nan"
    elif rule.unit == "MHz" and metric.unit == "GHz":
        change, changed = "change [MHz]", "1000 * (now - before)"
    else:
        change, changed = f"change [{rule.unit}]", "now - before"
    return f"""\
# {comment(question)}
# {metric.title} before the window (median of the last 10 measurements) against now (median of the newest 5).
# Named: a change of {rule.words} or more that is at least {SIGNIFICANT_Z} times its own uncertainty.
import numpy as np
import pandas as pd


def {stem}_changes(smallest={rule.smallest:g}, sigmas={SIGNIFICANT_Z}):
    read = copilot.data["{key}"]
    series = read["timeseries"].dropna(subset=["v"])
    start = {window_start(window, 'read["as_of"]')}
    rows = [(qid, np.nan, np.nan, np.nan, np.nan, pd.NaT, "not measured") for qid in read["not_measured"]]
    for qid, measured in series.groupby("qid", sort=False):
        values, errors = measured["v"]{scale_of(metric)}, measured["error"]{scale_of(metric)}
        errors = errors.where(np.isfinite(errors), 0)
        old, new = values[measured["t"] < start].tail(10), values[measured["t"] >= start].tail(5)
        before, now = old.median(), new.median()
        if len(old) < {FEWEST} or len(new) < {fewest_in(window)}:
            rows.append((qid, before, now, np.nan, np.nan, pd.NaT, "too few"))
            continue
        # Noise of one measurement: its stored error, but no less than the scatter that three in four steps show.
        scatter = values.diff().abs().quantile(0.75) / 1.627
        noise = [max(scatter, errors[level.index].median()) for level in (old, new)]
        # That of a median, and more where few measurements tell the scatter.
        uncertainty = np.sqrt(np.pi / 2 * (noise[0] ** 2 / len(old) + noise[1] ** 2 / len(new)))
        uncertainty = max(uncertainty * (1 + 4 / (len(values) - 3)), 1e-12)
        change, z = {changed}, (now - before) / uncertainty
        # Since when: after the last measurement on the old side of the middle. Before the window is not in it.
        middle = (before + now) / 2
        old_side = measured.loc[(values > middle) if change < 0 else (values < middle), "t"]
        since = measured.loc[measured["t"] > old_side.max(), "t"].min()
        named = abs(change) >= smallest and abs(z) >= sigmas and since >= start
        rows.append((qid, before, now, change, z, since, ("fell" if change < 0 else "rose") if named else "stable"))
    columns = ["qid", "before [{metric.unit}]", "now [{metric.unit}]", "{change}", "sigmas", "since", "verdict"]
    return pd.DataFrame(rows, columns=columns).sort_values("{change}", kind="stable", ignore_index=True)


{stem}_change = {stem}_changes()
{stem}_change[{stem}_change["verdict"] != "stable"]
"""
