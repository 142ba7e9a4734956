"""Code on current values: findings against limits, an overview, a comparison, what was not measured."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.code.stems import comment


def findings_cell(
    summary_key: str, coupling: tuple[str, str] | None, metrics: Sequence[Metric], old_days: float
) -> str:
    """Code that holds the chip's current values against the thresholds. Columns `element`, `finding`, `value`, `limit`.

    `coupling` is the key and the parameter of a series of couplings.
    """
    limits = "\n    ".join(
        f'("{m.key}", "{m.title}", "{m.unit}", {m.scale:g}, {m.scoring.bad:g}, {m.scoring.higher_is_better}),'
        for m in metrics
        if m.scoring is not None and m.scoring.bad is not None
    )
    couplings = ""
    if coupling is not None:
        couplings = f"""
    latest = copilot.data["{coupling[0]}"]["qubits"].rename(columns={{"latest": "value"}})
    values = pd.concat([values, latest[["qid", "value"]].assign(parameter="{coupling[1]}")])"""
    return f"""\
# Current values against the limits of the lab: what gives no results, is old, or is worse than "bad"?
import pandas as pd

# parameter, title, unit, scale to that unit, limit, whether higher is better
bad_limits = [
    {limits}
]


def chip_findings(old_days={old_days:g}):
    summary = copilot.data["{summary_key}"]
    values, qubits = summary["values"], summary["qubits"].set_index("qid")
    rows = [(qid, "no results at all", "", "") for qid in qubits.index[qubits.isna().all(axis=1)]]
    ages = values.groupby("qid", sort=False)["age_days"].min()
    old, limit = ages[ages > old_days], f"{{old_days:g}} d"
    rows += [(qid, "not measured lately", f"{{age:.0f}} d", limit) for qid, age in old.items()]{couplings}
    for parameter, title, unit, scale, limit, higher in bad_limits:
        shown = values[values["parameter"] == parameter].dropna(subset=["value"]).set_index("qid")["value"] * scale
        worse = shown[shown < limit] if higher else shown[shown > limit]
        rows += [(qid, title, f"{{value:.1f}} {{unit}}", f"{{limit:g}} {{unit}}") for qid, value in worse.items()]
    return pd.DataFrame(rows, columns=["element", "finding", "value", "limit"])


findings = chip_findings()
findings
"""


def overview_cell(key: str, metrics: Sequence[Metric]) -> str:
    """Code that gives one line a metric: columns `metric`, `median`, `lowest`, `highest`, `measured`, with units."""
    rows = "\n    ".join(f'("{m.key}", "{m.title}", "{m.unit}", {m.scale:g}, {m.decimals}),' for m in metrics)
    return f"""\
# The chip in one table: median, lowest and highest current value of each metric.
import pandas as pd

# parameter, title, unit, scale to that unit, decimals
overview_metrics = [
    {rows}
]


def chip_overview():
    qubits = copilot.data["{key}"]["qubits"]
    rows = []
    for parameter, title, unit, scale, digits in overview_metrics:
        if parameter not in qubits or qubits[parameter].isna().all():
            continue
        shown = qubits[parameter].dropna() * scale
        texts = [f"{{value:.{{digits}}f}} {{unit}}" for value in (shown.median(), shown.min(), shown.max())]
        rows.append((title, *texts, f"{{len(shown)}} of {{len(qubits)}} qubits"))
    return pd.DataFrame(rows, columns=["metric", "median", "lowest", "highest", "measured"])


overview = chip_overview()
overview
"""


def compare_cell(key: str, qids: Sequence[str], metrics: Sequence[Metric]) -> str:
    """Code that sets the current values of some qubits side by side: one row a parameter, one column a qubit."""
    scales = "\n    ".join(f'"{m.key}": ("{m.title}", "{m.unit}", {m.scale:g}, {m.decimals}),' for m in metrics)
    names = ", ".join("Q" + qid for qid in qids)
    listed = ", ".join(f'"{qid}"' for qid in qids)
    return f"""\
# {comment(f"Current values of {names}, with the age of each.")}
import pandas as pd

# parameter: title, unit, scale to that unit, decimals
shown_as = {{
    {scales}
}}


def comparison(qids):
    values = copilot.data["{key}"]["values"].dropna(subset=["value"]).set_index(["parameter", "qid"])
    rows = []
    for parameter, (title, unit, scale, digits) in shown_as.items():
        row = {{"parameter": title}}
        for qid in qids:
            row[f"Q{{qid}}"] = "–"
            if (parameter, qid) in values.index:
                one = values.loc[(parameter, qid)]
                row[f"Q{{qid}}"] = f"{{one['value'] * scale:.{{digits}}f}} {{unit}} ({{one['age_days']:.0f}} d)"
        rows.append(row)
    return pd.DataFrame(rows)


compared = comparison([{listed}])
compared
"""


def unmeasured_cell(key: str, metric: Metric | None, old_days: float, question: str) -> str:
    """Code that lists what gave no result, or none for long. Columns `qid`, `newest [d ago]` (empty: none ever).

    Of all qubits over all parameters, or of one metric of qubits or couplings.
    """
    if metric is not None and metric.kind == "coupling":
        source = f"""read = copilot.data["{key}"]
    ages = read["qubits"].set_index("qid")["age_days"]
    ages = ages.reindex([*ages.index, *read["not_measured"]])"""
    else:
        only = "" if metric is None else f'\n    values = values[values["parameter"] == "{metric.key}"]'
        source = f"""values = copilot.data["{key}"]["values"]{only}
    ages = values.groupby("qid")["age_days"].min().reindex(copilot.data["{key}"]["qubits"]["qid"])"""
    return f"""\
# {comment(question)}
# The age of the newest result of each; empty where there never was one.
def unmeasured(old_days={old_days:g}):
    {source}
    old = ages[ages.isna() | (ages > old_days)].sort_values(ascending=False, na_position="first", kind="stable")
    return old.rename("newest [d ago]").rename_axis("qid").reset_index()


not_measured_lately = unmeasured()
not_measured_lately
"""
