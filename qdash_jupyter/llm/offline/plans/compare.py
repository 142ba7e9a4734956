"""Qubits side by side."""

from __future__ import annotations

from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.code import compare_cell, series_chart_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.trend import trend
from qdash_jupyter.llm.offline.words import label, listed, table

CHARTED = "t1"


def compare(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """The current values of the named qubits, with ages, and one parameter over time."""
    if not intent.qids or any(is_coupling(qid) for qid in intent.qids):
        if intent.parameters:
            return (yield from trend(intent, metrics, question))
        raise PlanFailed(
            "どの量子ビットを比較しますか?例:「Q3とQ7を比較」"
            if intent.language == "ja"
            else 'Which qubits shall I compare? For example: "Compare Q3 and Q7".'
        )
    charted = metrics.of(intent.parameters[0] if intent.parameters else CHARTED)
    chip = {"chip_id": intent.chip_id} if intent.chip_id else {}
    series = {"parameter_name": charted.key, "qids": list(intent.qids), "since": "60d", **chip}
    summary, timeline = yield [
        PlannedCall("get_chip_summary", chip),
        PlannedCall("get_chip_parameter_timeseries", series),
    ]
    if summary.failed:
        raise PlanFailed(summary.why)
    if timeline.failed and timeline.content.get("kind") == "not_found":
        raise PlanFailed(timeline.why)
    shown = [charted] if intent.parameters else [metrics.of(key) for key in METRICS]
    cells = Cells()
    names = listed(intent.qids, "en")
    run = yield from cells.run(
        compare_cell(str(summary.content["data_key"]), intent.qids, shown), f"Current values of {names}"
    )
    notes = []
    if timeline.failed:
        notes.append(timeline.why)
    else:
        title = f"{charted.title} of {names}"
        code = series_chart_cell(str(timeline.content["data_key"]), charted, intent.qids, None, title)
        yield from cells.run(code, f"Chart: {title}")
    rows = [[row["parameter"], *(row[f"Q{qid}"] for qid in intent.qids)] for row in run.records]
    if intent.language == "ja":
        head = f"**{listed(intent.qids, 'ja')}の現在値(括弧内は測定からの日数)**"
    else:
        head = f"**Current values of {names}** (in brackets: how old)."
    body = table(["", *(label(qid) for qid in intent.qids)], rows)
    return Finding("\n\n".join([head, body, *notes]))
