"""Parameters over time: levels and slopes, two windows against each other, fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.over_time import (
    MOST_LINES,
    MOVED_FIRST,
    Studies,
    Study,
    missing_of,
    series_figure,
    studied,
    when_of,
)
from qdash_jupyter.llm.offline.operations.tables import called, cell_of, drawn_as
from qdash_jupyter.llm.offline.phrases import label, number, some, table, things, title_of, window_words
from qdash_jupyter.llm.offline.plan import Finding, Plan, PlanFailed
from qdash_jupyter.llm.offline.query import EVER, Direction, Query, Window
from qdash_jupyter.methods.level_change import FALSE_ALARMS

DEFAULT_DAYS = 60
MOST_ROWS = 12
_COUPLING_GATE = "zx90_gate_fidelity"

_NO_FIT = Words("No fit of {} worked {}.", "{1}の{0}には使える値がありません。")
_OF = Words("**{name} of {whose} {window}**", "**{whose}の{name}({window})**")
_OF_CHIP = Words(
    "**{name} {window}: the median of the newest values of {things} is {middle}.**",
    "**{window}の{name}: {things}、最新値の中央値は{middle}**",
)
_TRENDS = Words(
    "|measurements|median|newest|scatter|slope a day|verdict", "|測定数|中央値|最新|ばらつき|傾き(1日あたり)|判定"
)
_STEEPEST = Words(
    "The {} steepest of {} are shown; the cell holds all of them.",
    "傾きの大きい{}個を表示しています(全{}個はセルの変数にあります)。",
)
_MISSING = Words("Not measured in this time: {}.", "この期間に測定がないもの: {}。")
_VERDICTS = {
    "fell": "低下",
    "rose": "上昇",
    "stable": "変化なし",
    "too few": "測定不足",
    "not measured": "測定なし",
    "fitted": "適合",
    "not determined": "決定できず",
}
_WINDOWS = Words("**{name}, {second} against {first}: {counts}.**", "**{name}: {second}と{first}の比較: {counts}**")
_ALARMS = Words("False alarms to expect among {} compared: {:.2g}.", "比較した{}個での誤検出の期待値: {:.2g}。")
_NO_WINDOWS = Words("Name two times to compare.", "比較する期間を2つ指定してください。")
_FITS = Words("**{kind} through {name} of {whose} {window}**", "**{whose}の{name}への{kind}フィット({window})**")
_KINDS = {"line": Words("A line", "直線"), "exponential": Words("An exponential", "指数関数")}
_FORMULAS = {
    "line": "value = intercept + slope · days",
    "exponential": "value = offset + amplitude · exp(-days / decay)",
}


def trend(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Level, scatter and slope of some elements with their measurements, or the whole chip's median by day."""
    drawn_as(query, "plot", "list")
    names = query.metrics or (_COUPLING_GATE,)
    query = replace(query, window=when_of(query, DEFAULT_DAYS))

    def code(query: Query, series: str, metric: Metric) -> tuple[str, list[str], list[str]]:
        slope = f"slope [{metric.unit}/day]"
        steep = f'sort_values("{slope}", key=abs, ascending=False, kind="stable").head({query.count or MOST_ROWS})'
        return "trends", [series], ["{frame}" if query.qids else f"{{frame}}.{steep}"]

    studies = yield from studied(query, names, metrics, question, since=_since, code=code, what="trend")
    query, charts = studies.query, []
    for study in studies.found:
        title = f"{study.metric.title} {window_words(query.window, 'en')}"
        if query.qids or query.without or query.conditions:
            ids = [str(row["qid"]) for row in study.rows if row["n"]]
            charts += [series_figure(study, ids, title)] if ids else []
        else:
            given = [f'copilot.data["{study.key}"]', f'title="{title}, whole chip"']
            lines = called(f"{study.stem}_figure", "band_chart", *given)
            heads = ["from qdash_jupyter.methods import band_chart"]
            charts.append((cell_of(f"{title}, whole chip", heads, *lines, f"{study.stem}_figure"), f"Chart: {title}"))
    if charts:
        yield from studies.cells.run_all(charts)
    return _joined(studies, [_trend(study, query) for study in studies.found])


def _since(window: Window) -> datetime | None:
    return window.since


def _joined(studies: Studies, texts: Sequence[str]) -> Finding:
    return Finding("\n\n".join([*studies.notes, *texts, *studies.refused]))


def _trend(study: Study, query: Query) -> str:
    language, metric, rows = query.language, study.metric, [row for row in study.rows if row["n"]]
    name, window = title_of(metric, language), window_words(query.window, language)
    if not rows:
        return _NO_FIT.of(language).format(name, window)
    middle = (study.outcome.content.get("statistics") or {}).get("median")
    count = int(study.outcome.content.get("num_qubits") or 0)
    whole = not (query.qids or query.without or query.conditions)
    if whole and middle is not None:
        shown = middle * metric.scale
        shown = 100 - shown if metric.title.endswith("Error") else shown
        told = things(count, metric.kind, language)
        head = _OF_CHIP.of(language).format(name=name, window=window, things=told, middle=number(shown, metric))
    else:
        whose = some(query.qids or [str(row["qid"]) for row in rows], language)
        head = _OF.of(language).format(name=name, whose=whose, window=window)
    body = [
        (
            label(str(row["qid"])),
            row["n"],
            number(row[f"median [{metric.unit}]"], metric),
            number(row[f"newest [{metric.unit}]"], metric),
            _small(row[f"scatter [{metric.unit}]"], metric, language, "±"),
            _slope(row, metric, language),
            _verdict(row, language),
        )
        for row in rows
    ]
    parts = [head, table(_TRENDS.of(language).split("|"), body)]
    if whole and len(rows) < count:
        parts.append(_STEEPEST.of(language).format(len(rows), count))
    return "\n\n".join([*parts, *_missing(study, query)])


def _missing(study: Study, query: Query) -> list[str]:
    missing = missing_of(study, query)
    return [_MISSING.of(query.language).format(some(missing, query.language))] if missing else []


def _verdict(row: dict[str, Any], language: Language) -> str:
    return _VERDICTS.get(row["verdict"], row["verdict"]) if language == "ja" else str(row["verdict"])


def _slope(row: dict[str, Any], metric: Metric, language: Language) -> str:
    slope, error = (row[f"{name} [{metric.unit}/day]"] for name in ("slope", "slope ±"))
    shown = _small(slope, metric, language, "")
    return shown if error is None or slope is None else f"{shown} ({_small(error, metric, language, '±')})"


def _small(value: float | None, metric: Metric, language: Language, sign: str) -> str:
    """A difference with its unit: frequencies in kHz, fidelities in points."""
    if value is None:
        return "–"
    points = "ポイント" if language == "ja" else "points"
    unit = {"GHz": "kHz", "%": points}.get(metric.unit, metric.unit)
    value = value * 1e6 if metric.unit == "GHz" else value
    if abs(value) < 1e-9:  # noqa: PLR2004 - constant
        return f"{sign}0 {unit}"
    return f"{sign}{value:.2g} {unit}" if sign else f"{value:+.2g} {unit}"


def windows(query: Query, metrics: MetricTable, question: str) -> Plan:
    """One window against another, each element: medians, their difference with its interval, and a verdict."""
    drawn_as(query, "list", "plot")
    if (against := query.against) is None:
        raise PlanFailed(_NO_WINDOWS.of(query.language))
    if not query.metrics:
        query = replace(query, metrics=("t1",) if query.element != "coupling" else (_COUPLING_GATE,))
    first, second = sorted((query.window, against), key=_begins)  # changes go forward in time
    read = replace(query, window=Window(first.since, second.until))

    ends = [f"({_end(window.since_text)}, {_end(window.until_text)})" for window in (first, second)]
    studies = yield from studied(
        read,
        query.metrics,
        metrics,
        question,
        since=_since,
        code=lambda _, series, __: ("compare_windows", [series, *ends], [MOVED_FIRST]),
        what="windows",
    )
    charts = []
    for study in studies.found:
        moved = [str(row["qid"]) for row in study.rows if row["verdict"] in {"fell", "rose"}]
        if ids := (moved or list(query.qids))[:MOST_LINES]:
            charts.append(series_figure(study, ids, study.metric.title, second.since_text))
    if charts:
        yield from studies.cells.run_all(charts)
    return _joined(studies, [_windows(study, query, first, second) for study in studies.found])


def _begins(window: Window) -> datetime:
    return window.since or EVER


def _end(moment: str | None) -> str:
    return "None" if moment is None else f'"{moment}"'


def _windows(study: Study, query: Query, first: Window, second: Window) -> str:
    language, metric, counts = query.language, study.metric, study.counts()
    told = [f"{count} {verdict}" for verdict, count in counts.items()]
    if language == "ja":
        told = [f"{_VERDICTS[verdict]} {count}" for verdict, count in counts.items()]
    names = {"first": window_words(first, language), "second": window_words(second, language)}
    head = _WINDOWS.of(language).format(name=title_of(metric, language), counts=", ".join(told), **names)
    wanted = {Direction.DOWN: {"fell"}, Direction.UP: {"rose"}}.get(
        query.direction or Direction.EITHER, {"fell", "rose"}
    )
    rows = [row for row in study.rows if query.qids or row["verdict"] in wanted]
    rows = (rows or [row for row in study.rows if row["verdict"] == "stable"])[: query.count or MOST_ROWS]
    in_order = ["second", "first"] if query.window is second else ["first", "second"]
    unit = metric.unit
    body = [
        (
            label(str(row["qid"])),
            *(number(row[f"{which} [{unit}]"], metric) for which in in_order),
            _between(row, language),
            _verdict(row, language),
        )
        for row in rows
    ]
    headings = [
        "",
        *(names[which] for which in in_order),
        *Words("change|verdict", "変化|判定").of(language).split("|"),
    ]
    compared = sum(counts.get(verdict, 0) for verdict in ("fell", "rose", "stable"))
    alarms = [_ALARMS.of(language).format(compared, compared * FALSE_ALARMS)] if not query.qids else []
    return "\n\n".join([head, table(headings, body), *alarms, *_missing(study, query)])


def _between(row: dict[str, Any], language: Language) -> str:
    name = next(name for name in row if name.startswith("change ["))
    unit = name.removeprefix("change [").removesuffix("]")
    shown = {"pp": "ポイント" if language == "ja" else "points"}.get(unit, unit)
    value, error = row[name], row.get(f"± [{unit}]")
    if value is None:
        return "–"
    return f"{value:+.2g} {shown}" if error is None else f"{value:+.2g} ± {error:.2g} {shown}"


def fit(query: Query, metrics: MetricTable, question: str) -> Plan:
    """A line or an exponential through the measurements of each element, with standard errors."""
    drawn_as(query, "plot", "list")
    kind = query.fit or "line"
    query = replace(query, window=when_of(query, DEFAULT_DAYS))

    studies = yield from studied(
        query,
        query.metrics,
        metrics,
        question,
        since=_since,
        code=lambda _, series, __: (f"fit_{kind}", [series], ["{frame}"]),
        what="fit",
    )
    query, charts, texts = studies.query, [], []
    for study in studies.found:
        rows = study.run.records
        ids = [str(row["qid"]) for row in rows]
        charts += [series_figure(study, ids, f"{study.metric.title} {window_words(query.window, 'en')}")] if ids else []
        texts.append(_fit(study, query, kind))
    if charts:
        yield from studies.cells.run_all(charts)
    return _joined(studies, texts)


def _fit(study: Study, query: Query, kind: str) -> str:
    language, metric = query.language, study.metric
    rows = study.run.records[: query.count or MOST_ROWS]
    whose = some([str(row["qid"]) for row in rows], language)
    head = _FITS.of(language).format(
        kind=_KINDS[kind].of(language),
        name=title_of(metric, language),
        whose=whose,
        window=window_words(query.window, language),
    )
    names = [name for name in (rows[0] if rows else {}) if "[" in name and "±" not in name]
    body = [
        (
            label(str(row["qid"])),
            row["n"],
            *(_with_error(row, name) for name in names),
            "–" if row["chi2/dof"] is None else f"{row['chi2/dof']:.2g}",
            _verdict(row, language),
        )
        for row in rows
    ]
    shown = [name.partition(" [")[0] for name in names]
    count = "測定数" if language == "ja" else "measurements"
    headings = ["", count, *shown, "χ²/dof", "判定" if language == "ja" else "verdict"]
    return "\n\n".join([head, f"`{_FORMULAS[kind]}`", table(headings, body), *_missing(study, query)])


def _with_error(row: dict[str, Any], name: str) -> str:
    column, _, unit = name.partition(" [")
    value, error = row[name], row.get(f"{column} ± [{unit}")
    if value is None:
        return "–"
    spread = "" if error is None else f" ± {error:.2g}"
    return f"{value:.5g}{spread} {unit.removesuffix(']')}"
