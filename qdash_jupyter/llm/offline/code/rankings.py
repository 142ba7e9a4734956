"""Code that ranks current values."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.code.stems import scale_of, stem_of


def ranking_cell(key: str, metric: Metric, count: int, *, lowest: bool, limit: float | None, title: str) -> str:
    """Code that ranks the current values of a parameter. Columns `qid`, `value [unit]`, `age [d]`, and with a limit
    `beyond limit`: then all beyond it are in, at least `count` rows.
    """
    stem, value = stem_of(metric), f"value [{metric.unit}]"
    if metric.kind == "qubit":
        source = f"""copilot.data["{key}"]["values"]
    values = values[values["parameter"] == "{metric.key}"].dropna(subset=["value"])"""
        column = "value"
    else:
        source, column = f'copilot.data["{key}"]["qubits"].dropna(subset=["latest"])', "latest"
    parameters, beyond, kept = f"count={count}", "", "count"
    if limit is not None:
        parameters += f", limit={limit:g}"
        beyond = f'\n    ranked["beyond limit"] = ranked["{value}"] {"<" if lowest else ">"} limit'
        kept = 'max(count, int(ranked["beyond limit"].sum()))'
    return f"""\
# {title}
import pandas as pd


def {stem}_ranking({parameters}):
    values = {source}
    ranked = pd.DataFrame(
        {{"qid": values["qid"], "{value}": values["{column}"]{scale_of(metric)}, "age [d]": values["age_days"]}}
    )
    ranked = ranked.sort_values("{value}", ascending={lowest}, kind="stable", ignore_index=True){beyond}
    return ranked.head({kept})


{stem}_ranked = {stem}_ranking()
{stem}_ranked
"""


def overall_ranking_cell(key: str, metrics: Sequence[Metric], count: int, *, best: bool, title: str) -> str:
    """Code that ranks qubits over several metrics by their mean percentile. Columns `qid`, `percentile [%]`, and
    the metrics.
    """
    shown = ",\n    ".join(f'"{m.key}": ("{m.key} [{m.unit}]", {m.scale:g})' for m in metrics)
    pick = "nlargest" if best else "nsmallest"
    return f"""\
# {title}
# Each metric ranks the qubits from 0 % (worst of the chip) to 100 % (best); the mean of these decides.

# parameter: column with its unit, scale to that unit
overall_metrics = {{
    {shown},
}}


def overall_ranking(count={count}):
    qubits = copilot.data["{key}"]["qubits"].set_index("qid")
    qubits = qubits[[name for name in overall_metrics if name in qubits]].dropna(how="all")
    ranked = qubits.assign(percentile=100 * qubits.rank(pct=True).mean(axis=1)).{pick}(count, "percentile")
    for name, (column, scale) in overall_metrics.items():
        if name in ranked:
            ranked[column] = ranked.pop(name) * scale
    return ranked.rename(columns={{"percentile": "percentile [%]"}}).reset_index()


overall_ranked = overall_ranking()
overall_ranked
"""
