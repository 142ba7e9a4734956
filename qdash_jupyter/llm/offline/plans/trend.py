"""A parameter over time."""

from __future__ import annotations

from dataclasses import replace

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.code import band_chart_cell, series_chart_cell, trend_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.change import series_arguments
from qdash_jupyter.llm.offline.words import label, listed, number, table, title_of, window_words

DEFAULT_WINDOW = Window(days=60)
MOST_ROWS = 12


def trend(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Level and slope of some qubits with their measurements, or the whole chip's median and spread by day."""
    window = intent.window if intent.window.named else DEFAULT_WINDOW
    name = intent.parameters[0]
    arguments = series_arguments(intent, name) | {"since": _since(window)}
    [outcome] = yield [PlannedCall("get_chip_parameter_timeseries", arguments)]
    if outcome.failed:
        raise PlanFailed(outcome.why)
    metric, key, cells = metrics.of(name), str(outcome.content["data_key"]), Cells()
    run = yield from cells.run(trend_cell(key, metric, intent.qids, question), f"{metric.title}: level and slope")
    title = f"{metric.title} {window_words(window, 'en')}"
    if intent.qids:
        chart = series_chart_cell(key, metric, intent.qids, None, f"{title}: {listed(intent.qids, 'en')}")
    else:
        chart = band_chart_cell(key, metric, f"{title}, whole chip")
    yield from cells.run(chart, f"Chart: {title}")
    return _answer(run.records, replace(intent, window=window), metrics)


def _since(window: Window) -> str:
    if window.date is not None:
        return window.date
    return "7d" if window.weekday is not None else f"{window.days:g}d"


def _answer(rows: list[dict[str, float | None]], intent: Intent, metrics: MetricTable) -> Finding:
    metric, language = metrics.of(intent.parameters[0]), intent.language
    name = title_of(metric, language)
    median, newest, slope = f"median [{metric.unit}]", f"newest [{metric.unit}]", f"slope [{metric.unit}/day]"
    medians = sorted(value for row in rows if (value := row[median]) is not None)
    if not medians:
        return Finding(
            f"No fits of {name} in this time." if language == "en" else f"この期間に{name}の測定値がありません。"
        )
    middle = number(medians[len(medians) // 2], metric)
    window = window_words(window=intent.window, language=language)
    count = len(rows)
    if language == "ja":
        head = f"**{window}の{name}: {count}個の中央値は{middle}。**"
        headings = ["", "測定数", "中央値", "最新", "1日あたりの傾き"]
    else:
        head = f"**{name} {window}: the median of {count} {metric.kind}{'' if count == 1 else 's'} is {middle}.**"
        headings = ["", "measurements", "median", "newest", "slope a day"]
    steepest = sorted(rows, key=lambda row: -abs(row[slope] or 0))
    shown = rows if intent.qids else steepest[:MOST_ROWS]
    body = table(
        headings,
        [
            (
                label(str(row["qid"])),
                row["measurements"],
                number(row[median], metric),
                number(row[newest], metric),
                "–" if row[slope] is None else f"{row[slope]:+.3g} {metric.unit}",
            )
            for row in shown
        ],
    )
    note = ""
    if len(shown) < count:
        note = (
            f"傾きの大きい{len(shown)}個を表示。全{count}個はセルの結果にあります。"
            if language == "ja"
            else f"The {len(shown)} steepest of {count} are shown; all are in the cell's result."
        )
    return Finding("\n\n".join(part for part in (head, body, note) if part))
