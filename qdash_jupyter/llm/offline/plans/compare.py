"""Qubits side by side."""

from __future__ import annotations

from dataclasses import replace

from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.code.charts import series_chart_cell
from qdash_jupyter.llm.offline.code.value_cells import compare_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import label, listed, quoted, some, table, title_of
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.trend import trend

CHARTED = "t1"
COUPLING_GATE = "zx90_gate_fidelity"
MOST_QUBITS = 12


def compare(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """The current values of the named qubits, with ages, and one parameter over time."""
    if any(is_coupling(qid) for qid in intent.qids):
        return (yield from trend(replace(intent, parameters=intent.parameters or (COUPLING_GATE,)), metrics, question))
    if len(intent.qids) > MOST_QUBITS:
        raise PlanFailed(
            f"一度に比較できるのは{MOST_QUBITS}個までです。"
            if intent.language == "ja"
            else f"That is a table of {len(intent.qids)} columns: name up to {MOST_QUBITS} qubits."
        )
    charted = metrics.of(intent.parameters[0] if intent.parameters else CHARTED)
    series = {"parameter_name": charted.key, "qids": list(intent.qids), "since": "60d"}
    only = {"param_names": list(intent.parameters)} if intent.parameters else {}
    several = [PlannedCall("compare_qubits", {"qids": list(intent.qids), **only})] if len(intent.qids) > 1 else []
    summary, timeline, *compared = yield [
        PlannedCall("get_chip_summary", {}),
        PlannedCall("get_chip_parameter_timeseries", series),
        *several,
    ]
    if summary.failed:
        raise PlanFailed(summary.why)
    if timeline.failed and timeline.content.get("kind") == "not_found":
        raise PlanFailed(timeline.why)
    shown = [metrics.of(key) for key in intent.parameters or METRICS if metrics.of(key).kind == "qubit"]
    names, language = listed(intent.qids, "en"), intent.language
    steps = [(compare_cell(str(summary.content["data_key"]), intent.qids, shown), f"Current values of {names}")]
    notes = [_labelled(quoted(words)) for outcome in compared for words in outcome.content.get("warnings", ())]
    if timeline.failed:
        notes.append(timeline.why)
    else:
        title = f"{charted.title} of {names}"
        key = str(timeline.content["data_key"])
        steps.append((series_chart_cell(key, charted, intent.qids, None, title), f"Chart: {title}"))
    run, *_ = yield from Cells().run_all(steps)
    # What none of them has is not worth a line.
    rows = [
        (title_of(metric, language), *(row[f"Q{qid}"] for qid in intent.qids))
        for metric, row in zip(shown, run.records, strict=False)
        if any(row[f"Q{qid}"] != "–" for qid in intent.qids)
    ]
    empty = [qid for column, qid in enumerate(intent.qids, start=1) if all(row[column] == "–" for row in rows)]
    if empty:
        notes.append(
            f"測定結果がないもの: {some(empty, language)}。"
            if language == "ja"
            else f"No results at all: {some(empty, language)}."
        )
    if len(empty) == len(intent.qids):
        return Finding(notes[-1])
    if language == "ja":
        head = f"**{listed(intent.qids, 'ja')}の現在値**(括弧内は測定からの日数)"
    else:
        head = f"**Current values of {names}** (in brackets: how many days old)."
    body = table(["", *(label(qid) for qid in intent.qids)], rows)
    return Finding("\n\n".join([head, body, *notes]))


def _labelled(warning: str) -> str:
    """`7: t1 …` as `Q07: t1 …`."""
    qid, colon, rest = warning.partition(":")
    return f"{label(qid)}:{rest}" if colon and qid.isdigit() else warning
