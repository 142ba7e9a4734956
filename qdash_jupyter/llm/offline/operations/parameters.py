"""Parameters: the tasks that measure them, the lab's limits, their names in code, and those of errors."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.metrics import METRICS, Metric, MetricTable, Scoring
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.methods.smallest import change_rule

COUPLING_GATE = "zx90_gate_fidelity"
"""What a coupling is known by."""

TASK_OF = {
    "t1": "CheckT1",
    "t2_echo": "CheckT2Echo",
    "t2_star": "CheckRamsey",
    "rabi_frequency": "CheckRabi",
    "readout_frequency": "CheckResonatorSpectroscopy",
    "coarse_qubit_frequency": "CheckQubitSpectroscopy",
    "average_readout_fidelity": "ReadoutClassification",
    "average_gate_fidelity": "RandomizedBenchmarking",
    "x90_gate_fidelity": "X90InterleavedRandomizedBenchmarking",
    "zx90_gate_fidelity": "ZX90InterleavedRandomizedBenchmarking",
}
"""The tasks of QDash that measure a parameter."""


def task_of(query: Query) -> str | None:
    """Return the task that a question names, else the one that measures its parameter."""
    return query.task or next((TASK_OF[name] for name in query.metrics if name in TASK_OF), None)


def has_tasks(query: Query) -> bool:
    """Return whether it names a task, and parameters that this measures; or parameters that tasks measure."""
    tasks = {TASK_OF.get(name) for name in query.metrics}
    return tasks <= {query.task} if query.task else bool(tasks) and None not in tasks


def limits_code(metrics: MetricTable) -> list[str]:
    """The lab's limits as an argument, where they are not QDash's."""
    own = {name: metrics.of(name).scoring for name in METRICS}
    if all(scoring == METRICS[name].scoring for name, scoring in own.items()):
        return []
    shown = [f'"{name}": {one.bad:g}' for name, one in own.items() if one is not None and one.bad is not None]
    return [f"limits={{{', '.join(shown)}}}"]


def error_of(metric: Metric) -> Metric:
    """Return the metric of 1 - fidelity for a fidelity, another metric as it is."""
    if "Fidelity" not in metric.title:
        return metric
    title = metric.title.replace("Fidelity", "Error")
    other = replace(metric, title=title, title_ja=metric.title_ja.replace("忠実度", "エラー率"), mode="minimize")
    if (old := metric.scoring) is None:
        return other
    bad = None if old.bad is None else 100 - old.bad
    return replace(other, scoring=Scoring(100 - old.good, 100 - old.excellent, bad, higher_is_better=False))


def deviation_of(metric: Metric) -> Metric:
    """Return the metric as its standard deviation, without limits: in % where changes are so, of frequencies in kHz."""
    title, title_ja = f"Deviation of {metric.title}", f"{metric.title_ja or metric.title}の標準偏差"
    found = replace(metric, title=title, title_ja=title_ja, mode="minimize", scoring=None)
    if change_rule(metric).unit == "%":
        return replace(found, unit="%", scale=100)
    return replace(found, unit="kHz", scale=metric.scale * 1e6) if metric.unit == "GHz" else found


def higher_is_better(metric: Metric) -> bool:
    """Return whether a high value is the good one."""
    return metric.scoring.higher_is_better if metric.scoring else metric.mode != "minimize"


def column_of(metric: Metric) -> str:
    """Return its column as the methods name it: `T1 [μs]`."""
    return f"{metric.title} [{metric.unit}]"


def stem_of(metric: Metric) -> str:
    """Return the parameter as a Python name."""
    stem = re.sub(r"\W+", "_", metric.key, flags=re.ASCII).strip("_").lower()
    return stem if stem and not stem[0].isdigit() else f"p_{stem}"


FLIPPED = {"fell": "rose", "rose": "fell"}


def in_errors(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of levels and changes of a fidelity, in %, as that of its error."""
    told = dict(row)
    for name, value in row.items():
        first = name.partition(" [")[0]
        if value is None or name == first:
            continue
        if first in {"before", "now", "median", "mean", "newest", "first", "second"}:
            told[name] = 100 - value
        elif first in {"lowest", "highest"}:
            other = "highest" if first == "lowest" else "lowest"
            told[name.replace(first, other)] = 100 - value
        elif first in {"change", "difference", "slope"}:
            told[name] = -value
    return told | ({"verdict": FLIPPED.get(row["verdict"], row["verdict"])} if "verdict" in row else {})
