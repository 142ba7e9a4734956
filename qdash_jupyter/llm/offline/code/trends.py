"""Code for levels and slopes over time."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.code.changes import FEWEST
from qdash_jupyter.llm.offline.code.stems import comment, scale_of, stem_of

MOST_ROWS = 12


def trend_cell(key: str, metric: Metric, qids: Sequence[str], question: str) -> str:
    """Code that gives each element's level, scatter and slope; of a whole chip the steepest.

    Columns `qid`, `measurements`, `median [unit]`, `newest [unit]`, `scatter [unit]`, `slope [unit/day]`.
    """
    stem, unit = stem_of(metric), metric.unit
    only = f'\n    series = series[series["qid"].isin({_listed(qids)})]' if qids else ""
    if qids:
        last = f"{stem}_trend"
    else:
        last = (
            f'{stem}_trend.sort_values("slope [{unit}/day]", key=abs, ascending=False, kind="stable").head({MOST_ROWS})'
        )
    return f"""\
# {comment(question)}
# Slope: median of the slopes between all pairs of measurements (Theil-Sen), insensitive to outliers.
# Scatter: of one measurement; three in four steps between neighbours are below 1.627 times it.
import numpy as np
import pandas as pd


def {stem}_trends():
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"]){only}
    rows = []
    for qid, measured in series.groupby("qid", sort=False):
        days = (measured["t"] - measured["t"].iloc[0]).dt.total_seconds().to_numpy() / 86400
        values = measured["v"].to_numpy(){scale_of(metric)}
        slope = scatter = np.nan
        if len(values) >= {FEWEST} and days[-1] > 0:
            first, second = np.triu_indices(len(values), 1)
            apart = days[second] > days[first]
            slope = np.median((values[second] - values[first])[apart] / (days[second] - days[first])[apart])
            scatter = np.quantile(np.abs(np.diff(values)), 0.75) / 1.627
        rows.append((qid, len(values), np.median(values), values[-1], scatter, slope))
    columns = ["qid", "measurements", "median [{unit}]", "newest [{unit}]", "scatter [{unit}]", "slope [{unit}/day]"]
    return pd.DataFrame(rows, columns=columns)


{stem}_trend = {stem}_trends()
{last}
"""


def _listed(qids: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{qid}"' for qid in qids) + "]"
