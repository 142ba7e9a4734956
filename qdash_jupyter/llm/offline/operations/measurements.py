"""The measurements of one parameter on one element, one by one."""

from __future__ import annotations

from statistics import median

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.values import Value, assessment_of_values, shown_value
from qdash_jupyter.llm.offline.phrases import all_rows, label, minute, table, title_of
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import Query

_HEAD = Words(
    "**{name} of {qid}: {count} measurements, newest {newest}, median {median}, from {low} to {high}.**",
    "**{qid}の{name}: 測定{count}件、最新 {newest}、中央値 {median}({low}〜{high})**",
)
_NO_FIT = Words("No fit: {} of them.", "フィットなし: {}件。")
_NOTHING = Words(
    "**{name} of {qid}: none of {count} measurements gave a value.**", "**{qid}の{name}: 測定{count}件に値なし**"
)
_TREND = Words("Trend: {}.", "傾向: {}。")
_HEADINGS = Words("start (UTC)|value|run|task", "開始 (UTC)|値|実行|タスク")


def measurements(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_parameter_timeseries`: rows, oldest first, or the summary of many."""
    language, content = query.language, outcome.content
    rows = outcome.rows
    unit = outcome.unit_of("timeseries", "v")
    metric = metrics.of(query.metrics[0], unit)
    if rows is None:
        found, count = content.get("statistics", {}), int(content["count"]) + int(content["missing"])
        numbers = [content.get("latest"), *(found.get(name) for name in ("median", "min", "max"))]
        lost = int(content["missing"])
    else:
        measured = [row["v"] for row in rows if row["v"] is not None]
        lost, count = len(rows) - len(measured), len(rows)
        numbers = [measured[-1], median(measured), min(measured), max(measured)] if measured else [None]
    names = {"name": title_of(metric, language), "qid": label(query.qids[0]), "count": count}
    if numbers[0] is None:
        return Finding(_NOTHING.of(language).format(**names), "warning")
    newest, middle, low, high = (shown_value({"value": number, "unit": unit}, metric) for number in numbers)
    parts = [_HEAD.of(language).format(**names, newest=newest, median=middle, low=low, high=high)]
    if rows is not None:
        shown = [
            (
                minute(row["t"]),
                row["flag"] if row["v"] is None else shown_value({"unit": unit} | row | {"value": row["v"]}, metric),
                row["execution_id"],
                row["task_name"],
            )
            for row in reversed(rows)
        ]
        parts.append(table(_HEADINGS.of(language).split("|"), shown))
    if lost:
        parts.append(_NO_FIT.of(language).format(lost))
    if content.get("trend"):
        parts.append(_TREND.of(language).format(content["trend"]))
    if rows is None:
        parts.append(all_rows(outcome.stored, language))
    return Finding("\n\n".join(parts), assessment_of_values([Value(query.qids[0], metric, newest)]))
