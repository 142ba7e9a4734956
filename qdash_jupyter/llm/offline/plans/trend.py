"""Parameters over time."""

from __future__ import annotations

from dataclasses import replace

from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.code.charts import band_chart_cell, series_chart_cell
from qdash_jupyter.llm.offline.code.trends import trend_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import label, number, some, table, things, title_of, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.change import series_arguments, why_refused
from qdash_jupyter.llm.offline.spans import Window

DEFAULT_WINDOW = Window(days=60)
MOST_PARAMETERS = 4


def trend(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Level, scatter and slope of some qubits with their measurements, or the whole chip's median and spread by day."""
    window = intent.window if intent.window.named else DEFAULT_WINDOW
    intent = replace(intent, window=window)
    names = intent.parameters[:MOST_PARAMETERS]
    reads = yield [
        PlannedCall("get_chip_parameter_timeseries", series_arguments(intent, name) | {"since": _since(window)})
        for name in names
    ]
    refused = list(dict.fromkeys(why_refused(outcome, intent) for outcome in reads if outcome.failed))
    shown = [(metrics.of(name), outcome) for name, outcome in zip(names, reads, strict=True) if not outcome.failed]
    if not shown:
        raise PlanFailed(" ".join(refused))
    cells, steps = Cells(), []
    for metric, outcome in shown:
        key = str(outcome.content["data_key"])
        steps.append((trend_cell(key, metric, intent.qids, question), f"{metric.title}: level and slope"))
        title = f"{metric.title} {window_words(window, 'en')}"
        if intent.qids:
            title = f"{title}: {some(intent.qids, 'en')}"
            steps.append((series_chart_cell(key, metric, intent.qids, None, title), f"Chart: {title}"))
        else:
            steps.append((band_chart_cell(key, metric, f"{title}, whole chip"), f"Chart: {title}"))
    runs = yield from cells.run_all(steps)
    parts = [_text(outcome, run, intent, metric) for (metric, outcome), run in zip(shown, runs[::2], strict=True)]
    return Finding("\n\n".join(parts + refused))


def _since(window: Window) -> str:
    if window.date is not None:
        return window.date
    return "7d" if window.weekday is not None else f"{window.days:g}d"


def _text(outcome: CallOutcome, run: CallOutcome, intent: Intent, metric: Metric) -> str:
    language, name, japanese = intent.language, title_of(metric, intent.language), intent.language == "ja"
    rows, window = run.records, window_words(intent.window, intent.language)
    if not rows:
        return f"{window}の{name}には使える値がありません。" if japanese else f"No fit of {name} worked {window}."
    if not intent.qids:
        head = _head_of_chip(outcome, intent, metric)
    elif japanese:
        head = f"**{some(intent.qids, 'ja')}の{name}({window})**"
    else:
        head = f"**{name} of {some(intent.qids, 'en')} {window}**"
    unit = "points" if metric.unit == "%" else metric.unit
    shown_unit = "ポイント" if metric.unit == "%" and japanese else unit
    if japanese:
        headings = ["", "測定数", "中央値", "最新", "ばらつき", "傾き(1日あたり)"]
    else:
        headings = ["", "measurements", "median", "newest", "scatter", "slope a day"]
    body = table(
        headings,
        [
            (
                label(str(row["qid"])),
                row["measurements"],
                number(row[f"median [{metric.unit}]"], metric),
                number(row[f"newest [{metric.unit}]"], metric),
                _small(row[f"scatter [{metric.unit}]"], shown_unit, "±"),
                _small(row[f"slope [{metric.unit}/day]"], shown_unit, ""),
            )
            for row in rows
        ],
    )
    parts = [head, body]
    total = int(outcome.content.get("num_qubits") or 0)
    if not intent.qids and len(rows) < total:
        variable = "セルの変数"
        parts.append(
            f"傾きの大きい{len(rows)}個を表示しています(全{total}個は{variable}にあります)。"
            if japanese
            else f"The {len(rows)} steepest of {total} are shown; the cell holds all of them."
        )
    missing = [qid for qid in intent.qids if qid not in {str(row["qid"]) for row in rows}]
    if missing:
        none = some(missing, language)
        parts.append(f"この期間に測定がないもの: {none}。" if japanese else f"Not measured in this time: {none}.")
    return "\n\n".join(parts)


def _head_of_chip(outcome: CallOutcome, intent: Intent, metric: Metric) -> str:
    found = outcome.content.get("statistics") or {}
    count = things(int(outcome.content.get("num_qubits") or 0), metric.kind, intent.language)
    name, window = title_of(metric, intent.language), window_words(intent.window, intent.language)
    middle = found.get("median")
    if middle is None:
        return f"**{name}({window}、{count})**" if intent.language == "ja" else f"**{name} {window}, {count}**"
    shown = number(middle * metric.scale, metric)
    if intent.language == "ja":
        return f"**{window}の{name}: {count}、最新値の中央値は{shown}**"
    return f"**{name} {window}: the median of the newest values of {count} is {shown}.**"


def _small(value: float | None, unit: str, sign: str) -> str:
    if value is None:
        return "–"
    if unit == "GHz":
        value, unit = value * 1e6, "kHz"
    if abs(value) < 1e-9:  # noqa: PLR2004 - constant
        return f"{sign}0 {unit}"
    return f"{sign}{value:.2g} {unit}" if sign else f"{value:+.2g} {unit}"
