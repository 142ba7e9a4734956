"""The worst or best qubits or couplings."""

from __future__ import annotations

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.code import (
    overall_ranking_cell,
    ranking_cell,
    ranking_chart_cell,
    ranking_of_series_cell,
)
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, read
from qdash_jupyter.llm.offline.words import label, listed, number, table, title_of

OVERALL = ("t1", "t2_echo", "average_readout_fidelity", "average_gate_fidelity", "x90_gate_fidelity")
"""What decides about qubits when the question names no parameter."""


def ranking(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Rank the current values of a parameter, or qubits over all that matter."""
    del question
    if not intent.parameters:
        return (yield from _overall(intent, metrics))
    metric = metrics.of(intent.parameters[0])
    lowest = _lowest_first(metric, intent)
    word = "best" if intent.best else "worst"
    title = f"The {intent.count} {word} {metric.kind}s by {metric.title}"
    cells = Cells()
    if metric.kind == "coupling":
        outcome = yield from read(
            "get_chip_parameter_timeseries", chip_id=intent.chip_id, parameter_name=metric.key, last_n=5
        )
        key = str(outcome.content["data_key"])
        code = ranking_of_series_cell(key, metric, intent.count, lowest=lowest, title=title)
    else:
        outcome = yield from read("get_chip_summary", chip_id=intent.chip_id, param_names=[metric.key])
        key = str(outcome.content["data_key"])
        code = ranking_cell(key, metric, intent.count, lowest=lowest, title=title)
    ranked = yield from cells.run(code, title)
    chart_title = f"{metric.title} of all {metric.kind}s"
    yield from cells.run(
        ranking_chart_cell(key, metric, chart_title, series=metric.kind == "coupling"), f"Chart: {chart_title}"
    )
    return _answer(ranked.records, metric, intent)


def _lowest_first(metric: Metric, intent: Intent) -> bool:
    higher = metric.scoring.higher_is_better if metric.scoring else metric.mode != "minimize"
    return higher != intent.best


def _answer(rows: list[dict[str, object]], metric: Metric, intent: Intent) -> Finding:
    value, age = f"value [{metric.unit}]", "age [d]"
    ids = [str(row["qid"]) for row in rows]
    name = title_of(metric, intent.language)
    if not rows:
        return Finding(f"No current value of {name}." if intent.language == "en" else f"{name}の現在値がありません。")
    if intent.language == "ja":
        word = "最良" if intent.best else "最も悪い"
        head = f"**{name}が{word}順: {listed(ids, 'ja')}**"
        headings = ["", name, "測定からの日数"]
    else:
        word = "best" if intent.best else "worst"
        head = f"**The {word} {metric.kind}s by {name}: {listed(ids, 'en')}.**"
        headings = ["", name, "measured"]
    ago = "日前" if intent.language == "ja" else " d ago"
    body = table(
        headings, [(label(str(row["qid"])), number(row[value], metric), f"{row[age]:.0f}{ago}") for row in rows]
    )
    limit = metric.scoring.bad if metric.scoring else None
    bad = [str(row["qid"]) for row in rows if limit is not None and _worse(row[value], limit, metric)]
    parts = [head, body]
    if limit is not None:
        limit_words = f"{limit:g} {metric.unit}"
        if intent.language == "ja":
            parts.append(f"基準値({limit_words})より悪いもの: {listed(bad, 'ja') if bad else 'なし'}。")
        else:
            parts.append(f"Worse than the limit of {limit_words}: {listed(bad, 'en') if bad else 'none'}.")
    assessment: Assessment | None = None
    if limit is not None and not intent.best:
        assessment = "bad" if bad else "good"
    return Finding("\n\n".join(parts), assessment)


def _worse(value: object, limit: float, metric: Metric) -> bool:
    if not isinstance(value, (int, float)):
        return False
    higher = metric.scoring.higher_is_better if metric.scoring else True
    return value < limit if higher else value > limit


def _overall(intent: Intent, metrics: MetricTable) -> Plan:
    outcome = yield from read("get_chip_summary", chip_id=intent.chip_id)
    used = [metrics.of(name) for name in OVERALL]
    word = "best" if intent.best else "worst"
    title = f"The {intent.count} {word} qubits over all metrics"
    cells = Cells()
    ranked = yield from cells.run(
        overall_ranking_cell(str(outcome.content["data_key"]), used, intent.count, lowest=not intent.best, title=title),
        title,
    )
    rows = ranked.records
    ids = [str(row["qid"]) for row in rows]
    shown = [metric for metric in used if rows and f"{metric.key} [{metric.unit}]" in rows[0]]
    headings = ["", *(title_of(metric, intent.language) for metric in shown)]
    body = table(
        headings,
        [(label(str(r["qid"])), *(number(r[f"{m.key} [{m.unit}]"], m) for m in shown)) for r in rows],
    )
    if intent.language == "ja":
        head = f"**総合で{'良い' if intent.best else '悪い'}順: {listed(ids, 'ja')}**"
        how = "各指標での順位(パーセンタイル)の平均で並べています。"
    else:
        head = f"**The {word} qubits overall: {listed(ids, 'en')}.**"
        how = "Ranked by the mean of each qubit's percentile in these metrics."
    return Finding("\n\n".join([head, body, how]))
