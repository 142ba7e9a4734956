"""The worst or best qubits or couplings, and the ones beyond a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.code.charts import ranking_chart_cell
from qdash_jupyter.llm.offline.code.rankings import overall_ranking_cell, ranking_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import WRONG_UNIT, days_ago, label, listed, number, some, table, things, title_of
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, read

OVERALL = ("t1", "t2_echo", "average_readout_fidelity", "average_gate_fidelity", "x90_gate_fidelity")
"""What decides about qubits when the question names no parameter."""

MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A limit on the displayed scale: values below it (or above) are beyond; `own` is the question's, not the lab's."""

    value: float
    below: bool
    own: bool


def ranking(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Rank the current values of a parameter, or qubits over all that matter."""
    if not intent.parameters:
        return (yield from _overall(intent, metrics))
    del question
    metric = metrics.of(intent.parameters[0])
    line = _line(metric, intent)
    # The lab's own limit is also told where the worst are asked for, but then the ranking names them.
    filtered = intent.limit is not None and line is not None
    lowest = line.below if line is not None else _higher_is_better(metric) != intent.best
    cells, title = Cells(), _title(metric, intent, line if filtered else None)
    if metric.kind == "coupling":
        outcome = yield from read("get_chip_parameter_timeseries", parameter_name=metric.key, last_n=5)
    else:
        outcome = yield from read("get_chip_summary", param_names=[metric.key])
    key = str(outcome.content["data_key"])
    chart_title = f"{metric.title} of all {metric.kind}s"
    ranked, _ = yield from cells.run_all(
        [
            (
                ranking_cell(
                    key,
                    metric,
                    intent.count,
                    lowest=lowest,
                    limit=line.value if line and filtered else None,
                    title=title,
                ),
                title,
            ),
            (
                ranking_chart_cell(key, metric, chart_title, limit=line.value if line and line.own else None),
                f"Chart: {chart_title}",
            ),
        ]
    )
    if not ranked.records:
        name = title_of(metric, intent.language)
        return Finding(
            f"{name}の現在値がありません。" if intent.language == "ja" else f"There is no current value of {name}."
        )
    return _beyond(ranked, metric, line, intent) if filtered and line else _ranked(ranked, metric, line, intent)


def _higher_is_better(metric: Metric) -> bool:
    return metric.scoring.higher_is_better if metric.scoring else metric.mode != "minimize"


def _line(metric: Metric, intent: Intent) -> Line | None:
    """The question's limit, else the lab's "bad"; None for the best, and where there is no limit."""
    limit = intent.limit
    if limit is not None and limit.value is not None and limit.below is not None:
        factors = {
            ("ms", "μs"): 1000.0,
            ("ns", "μs"): 0.001,
            ("MHz", "GHz"): 0.001,
            ("kHz", "MHz"): 0.001,
            ("μs", "ns"): 1e3,
        }
        factor = 1.0 if limit.unit in {"", metric.unit} else factors.get((limit.unit, metric.unit))
        if factor is None or (limit.unit == "" and metric.unit == "μs" and abs(limit.value) > 1e6):  # noqa: PLR2004
            raise PlanFailed(
                WRONG_UNIT[intent.language].format(
                    shown=f"{limit.value:g} {limit.unit}", name=title_of(metric, intent.language), unit=metric.unit
                )
            )
        if limit.unit == "" and metric.unit == "%" and 0 < limit.value <= 1:
            factor = 100.0  # 0.95 is how QDash stores it
        return Line(round(limit.value * factor, 9), limit.below, own=True)
    if intent.best or metric.scoring is None or metric.scoring.bad is None:
        return None
    return Line(metric.scoring.bad, metric.scoring.higher_is_better, own=False)


def _title(metric: Metric, intent: Intent, line: Line | None) -> str:
    if line is not None:
        where = f"{'below' if line.below else 'above'} {line.value:g} {metric.unit}"
        return f"{metric.kind.capitalize()}s with {metric.title} {where}"
    return f"The {intent.count} {'best' if intent.best else 'worst'} {metric.kind}s by {metric.title}"


def _table_of(rows: list[dict[str, Any]], metric: Metric, intent: Intent) -> str:
    headings = ["", title_of(metric, intent.language), "測定" if intent.language == "ja" else "measured"]
    value = f"value [{metric.unit}]"
    return table(
        headings,
        [
            (label(str(row["qid"])), number(row[value], metric), days_ago(row["age [d]"], intent.language))
            for row in rows
        ],
    )


def _beyond(ranked: CallOutcome, metric: Metric, line: Line, intent: Intent) -> Finding:
    """The ones beyond the limit; when there are none, the nearest to it."""
    language, name = intent.language, title_of(metric, intent.language)
    rows = ranked.records
    beyond = [row for row in rows if row["beyond limit"]]
    limit = f"{line.value:g} {metric.unit}"
    lab = "" if line.own else "基準値" if language == "ja" else "the lab's limit of "
    names = some([str(row["qid"]) for row in beyond], language, most=40, in_order=False, unlisted=ranked.left_out)
    count = len(beyond) + ranked.left_out
    if language == "ja":
        how = f"{name}が{lab}{limit}{'未満の' if line.below else 'を超える'}"
        kind = "量子ビット" if metric.kind == "qubit" else "カップリング"
        head = (
            f"**{how}{things(count, metric.kind, language)}: {names}**" if beyond else f"**{how}{kind}はありません。**"
        )
        rest = "最も近いもの:"
    else:
        how = f"{name} {'below' if line.below else 'above'} {lab}{limit}"
        verb = "has" if count == 1 else "have"
        head = (
            f"**{things(count, metric.kind, language)} {verb} {how}: {names}.**"
            if beyond
            else f"**No {metric.kind} has {how}.**"
        )
        rest = "The nearest to it:"
    assessment: Assessment | None = None if line.own else "bad" if beyond else "good"
    parts = [head, *([] if beyond else [rest]), _table_of((beyond or rows)[:MOST_ROWS], metric, intent)]
    return Finding("\n\n".join(parts), assessment)


def _ranked(ranked: CallOutcome, metric: Metric, line: Line | None, intent: Intent) -> Finding:
    language, name = intent.language, title_of(metric, intent.language)
    rows = ranked.records
    value, unit = f"value [{metric.unit}]", metric.unit
    ids = [str(row["qid"]) for row in rows]
    if language == "ja":
        word = "良い" if intent.best else "悪い"
        if metric.scoring is None and metric.mode == "none":
            word = "大きい" if intent.best else "小さい"
        head = f"**{name}が{word}順: {listed(ids, 'ja')}**"
    else:
        word = "best" if intent.best else "worst"
        if metric.scoring is None and metric.mode == "none":
            word = "highest" if intent.best else "lowest"
        single = len(ids) == 1
        head = f"**The {word} {metric.kind}{'' if single else 's'} by {name}: {listed(ids, 'en')}.**"
    parts = [head, _table_of(rows[:MOST_ROWS], metric, intent)]
    if line is None:
        note = ""
        if intent.limit is not None:
            note = (
                f"{name}の基準値は設定されていません。" if language == "ja" else f"The lab has set no limit for {name}."
            )
        return Finding("\n\n".join([*parts, *([note] if note else [])]))
    bad = [str(row["qid"]) for row in rows if (row[value] < line.value if line.below else row[value] > line.value)]
    if language == "ja":
        parts.append(f"基準値({line.value:g} {unit})より悪いもの: {listed(bad, 'ja') if bad else 'なし'}。")
    else:
        parts.append(f"Worse than the lab's limit of {line.value:g} {unit}: {listed(bad, 'en') if bad else 'none'}.")
    return Finding("\n\n".join(parts), "bad" if bad else "good")


def _overall(intent: Intent, metrics: MetricTable) -> Plan:
    outcome = yield from read("get_chip_summary")
    used = [metrics.of(name) for name in OVERALL]
    word = "best" if intent.best else "worst"
    title = f"The {intent.count} {word} qubits over all metrics"
    ranked = yield from Cells().run(
        overall_ranking_cell(str(outcome.content["data_key"]), used, intent.count, best=intent.best, title=title), title
    )
    rows = ranked.records
    ids = [str(row["qid"]) for row in rows]
    if not ids:
        return Finding("現在値がありません。" if intent.language == "ja" else "No qubit has a current value.")
    shown = [metric for metric in used if f"{metric.key} [{metric.unit}]" in rows[0]]
    body = table(
        ["", *(title_of(metric, intent.language) for metric in shown)],
        [(label(str(r["qid"])), *(number(r[f"{m.key} [{m.unit}]"], m) for m in shown)) for r in rows[:MOST_ROWS]],
    )
    if intent.language == "ja":
        head = f"**総合で{'良い' if intent.best else '悪い'}順: {listed(ids, 'ja')}**"
        how = "各指標での順位(パーセンタイル)の平均で並べています。"
    else:
        head = f"**The {word} qubit{'' if len(ids) == 1 else 's'} overall: {listed(ids, 'en')}.**"
        how = "Ranked by the mean of each qubit's percentile in these metrics."
    return Finding(f"{head}\n\n{body}\n\n{how}")
