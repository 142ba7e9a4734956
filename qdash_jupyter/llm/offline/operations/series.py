"""What a series tells: levels, slopes and fits, noise, differences, ages, periods, and gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.operations.parameters import COUPLING_GATE, column_of
from qdash_jupyter.llm.offline.operations.row import (
    MOST_CALLS,
    SERIES,
    SUMMARY,
    TIMES,
    WHOSE,
    Ask,
    Figure,
    Made,
    Telling,
    Told,
    answer,
    called,
    listed_code,
    series_answer,
)
from qdash_jupyter.llm.offline.operations.select import outliers_told, statistic_columns, statistic_heads
from qdash_jupyter.llm.offline.operations.table import in_unit
from qdash_jupyter.llm.offline.operations.values import check_on_chip
from qdash_jupyter.llm.offline.phrases import (
    STATISTICS,
    Columns,
    age_words,
    columns,
    ids,
    ids_of,
    label,
    minute,
    number,
    numbers,
    points,
    some,
    stored_number,
    things,
)
from qdash_jupyter.llm.offline.plan import PlannedCall, planned
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.messages.message import Field, Message, Text

DEFAULT_DAYS = 60
_MOST_STEEP = 12
_FORMULAS = {
    "line": "value = intercept + slope · days",
    "exponential": "value = offset + amplitude · exp(-days / decay)",
}


# --- levels and slopes ----------------------------------------------------------------------------------------------


@series_answer(f"{WHOSE} metrics! errors", during=lambda ask: ask.last(DEFAULT_DAYS))
def trend(ask: Ask) -> Telling:
    """Levels and slopes of some elements, or of the chip."""
    frame, order = f"{ask.stem}_trend", ["key=abs", "ascending=False", 'kind="stable"']
    steep = called(frame, f"{frame}.sort_values", f'"slope [{ask.metric.unit}/day]"', *order)
    [rows] = yield ask.by_method("trends", "trend", last=[] if ask.qids else steep)
    metric, unit, measured = ask.metric, ask.metric.unit, [row for row in rows if row["n"]]
    if not measured:
        return Told(Message("plan-nothing-usable", name=ask.name, window=ask.when))
    whole, content = not (ask.qids or ask.query.without or ask.query.conditions), ask.outcomes[0].content
    middle, count = (content.get("statistics") or {}).get("median"), int(content.get("num_qubits") or 0)
    shown, total = measured if ask.qids else measured[:_MOST_STEEP], count if whole else rows.total
    head = Message("plan-trend", name=ask.name, whose=some(ask.qids or ids_of(shown)), window=ask.when)
    if whole and middle is not None:
        value, all_of_them = stored_number(middle, metric), things(count, metric.kind)
        head = Message("plan-trend-of-chip", name=ask.name, window=ask.when, things=all_of_them, value=value)

    def slope(row: Mapping[str, Any]) -> Text:
        by, error = (row[f"{name} [{unit}/day]"] for name in ("slope", "slope ±"))
        shown = _small(by, metric)
        known = by is not None and error is not None
        return Message("plan-with-error", value=shown, error=_small(error, metric, "±")) if known else shown

    listed = columns(
        "element count median~ newest~ scatter slope verdict",
        metric,
        scatter=lambda row: _small(row[f"scatter [{unit}]"], metric, "±"),
        slope=slope,
    )
    steepest = Message("plan-steepest", count=len(shown), all=total) if not ask.qids and len(shown) < total else ""
    charts = ask.drawn(ids_of(shown), ask.in_time)
    if whole:
        charts = [Figure("band_chart", [str(ask.codes[0])], Message("plan-whole-chip", what=ask.in_time))]
    return Told(head, listed, shown, None, charts, [steepest, *ask.missing(rows)])


def _small(value: float | None, metric: Metric, sign: str = "") -> Text:
    """A difference with its unit: frequencies in kHz, fidelities in points."""
    if value is None:
        return "–"
    unit = points({"GHz": "kHz", "%": "pp"}.get(metric.unit, metric.unit))
    value = value * 1e6 if metric.unit == "GHz" else value
    shown = f"{sign}{value:.2g}" if sign else f"{value:+.2g}"
    return Message("plan-amount", value=f"{sign}0" if abs(value) < 1e-9 else shown, unit=unit)  # noqa: PLR2004


# --- fits, statistics of measurements -------------------------------------------------------------------------------


def _fit(ask: Ask) -> Telling:
    [rows] = yield ask.by_method(f"fit_{ask.query.fit}", "fit")
    kind, whose = str(ask.query.fit), some(ids_of(rows), unlisted=rows.left_out)
    head = Message("plan-fit", kind=kind, name=ask.name, whose=whose, window=ask.when)
    shown = columns("element count")
    for name in (name for name in (rows[0] if rows else {}) if "[" in name and "±" not in name):
        shown[name.partition(" [")[0]] = partial(_fitted, name=name)
    shown["χ²/dof"] = lambda row: "–" if row["chi2/dof"] is None else f"{row['chi2/dof']:.2g}"
    shown |= columns("verdict")
    charts = ask.drawn(ids_of(rows), ask.in_time)
    return Told((head, f"`{_FORMULAS[kind]}`"), shown, rows, None, charts, ask.missing(rows))


def _fitted(row: dict[str, Any], name: str) -> str:
    column, _, unit = name.partition(" [")
    value, error = row[name], row.get(f"{column} ± [{unit}")
    return "–" if value is None else with_error(value, error, unit.removesuffix("]"))


@series_answer(
    f"{WHOSE} metrics! statistic errors ever",
    during=lambda ask: ask.window if ask.query.ever else ask.last(30),
    answers=lambda query: (
        _names_them(query)
        and not (query.conditions or query.statistic == "fraction")
        and (len(query.qids) == 1 or not query.statistic or query.said & {*TIMES.split(), "ever"})
    ),
)
def each_spread(ask: Ask) -> Telling:
    """A statistic of the measurements of each element."""
    [rows] = yield ask.by_method("spread", "spread", "by_qid=True")
    heads = [head for row in rows for head in statistic_heads(row, ask, label(row["qid"]), (ask.when,))]
    charts = ask.drawn(ask.qids, ask.in_time)
    if ask.query.asked is Asked.HISTOGRAM:
        named = Message("plan-titled", title=ask.in_time, names=some(ask.qids))
        charts = [Figure("histogram", [str(ask.codes[0])], named)]
    return Told(tuple(heads), columns("element") | statistic_columns(ask), rows, None, charts, ask.missing(rows))


# --- noise ----------------------------------------------------------------------------------------------------------


def _names_them(query: Query) -> bool:
    """Whether the question names the elements themselves: not qubits, whose couplings are meant."""
    return bool(query.qids) and all(is_coupling(qid) == (query.kind == "coupling") for qid in query.qids)


@answer(f"metrics! qids {TIMES}", each="metrics qids", answers=_names_them)
def allan(ask: Ask) -> Telling:
    """The Allan deviation of an element."""
    [rows] = yield ask.by_method("allan_deviation", "allan")
    unit = ask.metric.unit
    if not rows:
        return Told(Message("plan-too-few-for-allan", name=ask.name, whose=ask.whose))

    def deviation(row: Mapping[str, Any]) -> str:
        return with_error(row[f"deviation [{unit}]"], row[f"± [{unit}]"], unit)

    best = min(rows, key=lambda row: row[f"deviation [{unit}]"])
    hours = f"{best['averaging [h]']:.0f}"
    head = Message("plan-allan", name=ask.name, whose=ask.whose, deviation=deviation(best), hours=hours)
    listed = columns(
        "averaging allan-deviation count",
        averaging=lambda row: f"{row['averaging [h]']:.1f} h",
        allan_deviation=deviation,
    )
    return Told(head, listed, rows, after=[Message("plan-allan-means")])


@series_answer(f"metrics! qids {TIMES}")
def telegraph(ask: Ask) -> Telling:
    """Which elements switch between two levels."""
    last = [] if ask.qids else ['{frame} = {frame}[{frame}["verdict"].eq("switches")]']
    [rows] = yield ask.by_method("telegraph", "telegraph", last=last)
    found = ids_of([row for row in rows if row["verdict"] == "switches"])
    shown = columns(
        "element count levels switches verdict",
        levels=lambda row: _levels(row, ask.metric),
        verdict=lambda row: Message("plan-switching", verdict=row["verdict"].replace(" ", "-")),
    )
    head = Message("plan-telegraph", name=ask.name, count=len(found), names=some(found), whose=ask.whose)
    return Told(head, shown, rows, drawn=ask.drawn(found or ask.qids))


def _levels(row: Mapping[str, Any], metric: Metric) -> str:
    low, high = (row[f"{which} level [{metric.unit}]"] for which in ("lower", "upper"))
    return "–" if low is None else f"{low:.{metric.decimals}f} / {number(high, metric)}"


def _difference_unit(metric: Metric) -> tuple[float, str]:
    return (1000.0, "MHz") if metric.unit == "GHz" else (1.0, metric.unit)


@answer(
    "metrics! qids neighbours within",
    lambda ask: [ask.summary(), planned("get_chip_topology")],
    each="metrics",
    answers=lambda query: query.kind != "coupling" and (query.neighbours or len(query.qids) != 1),
)
def difference(ask: Ask) -> Telling:
    """How far apart pairs are."""
    metric, (scale, unit), qids, limit = ask.metric, _difference_unit(ask.metric), ask.qids, ask.query.within
    if ask.query.neighbours or not qids:
        near = [f'pairs = {ask.codes[1]}["couplings"]']
        near += [f'pairs = pairs[pairs[["control", "target"]].isin({listed_code(qids)}).any(axis=1)]'] if qids else []
    else:
        near = [f'pairs = pd.DataFrame({{"control": "{qids[0]}", "target": {listed_code(qids[1:])}}})']
    lines = [
        f'values = shown({ask.codes[0]}, "{metric.key}").set_index("qid")["{column_of(metric)}"]',
        *near,
        'differences = pairs[["control", "target"]].copy()',
        *(f'differences["{one}"] = values.reindex(pairs["{of}"]).to_numpy()' for one, of in _SIDES),
        f'differences["difference [{unit}]"] = {scale:g} * (differences["first"] - differences["second"])',
        f'differences = differences.dropna().sort_values("difference [{unit}]", key=abs, kind="stable")',
    ]
    if limit:
        largest = in_unit(limit, unit, metric, ask.say)
        lines.append(f'close = differences[differences["difference [{unit}]"].abs() < {largest:g}]')
    of_all = f'middle = differences[["difference [{unit}]"]].abs().agg(["median", "min"]).T'
    rows, middle = yield [Made(lines, "close" if limit else "differences"), Made([of_all], "middle")]
    digits = 2 if scale > 1 else metric.decimals
    if not (middle and middle[0]["median"] is not None):
        return Told(Message("plan-no-value", what=ask.name))
    shown = f"{limit.value:g} {limit.unit or unit}" if limit else ""
    if not rows:
        closest = f"{middle[0]['min']:.{digits}f} {unit}"
        return Told(Message("plan-none-closer", name=ask.name, limit=shown, closest=closest))

    def pair(row: Mapping[str, Any]) -> str:
        return f"{label(str(row['control']))} − {label(str(row['target']))}"

    def by(row: Mapping[str, Any]) -> str:
        return f"{row[f'difference [{unit}]']:+.{digits}f} {unit}"

    first, size = by(rows[0]), f"{middle[0]['median']:.{digits}f} {unit}"
    head = Message("plan-differences", name=ask.name, count=rows.total, pair=pair(rows[0]), by=first, middle=size)
    if limit:
        head = Message("plan-closer", name=ask.name, limit=shown, count=rows.total, pair=pair(rows[0]), by=first)
    elif len(rows) == 1:
        head = Message("plan-difference", name=ask.name, pair=pair(rows[0]), by=first)
    values = numbers(metric, {Message("plan-heading-value-of", side=side): side for side, _ in _SIDES})
    return Told(head, columns("element difference", element=pair, difference=by) | values, rows)


def _each_outliers(ask: Ask) -> Telling:
    [rows] = yield ask.by_method("outliers", "outliers")
    return outliers_told(ask, rows)


_SIDES = (("first", "control"), ("second", "target"))


def _age_reads(ask: Ask) -> list[PlannedCall]:
    if ask.is_of_couplings:
        return [ask.series(name, last_n=3) for name in (ask.query.metrics or (COUPLING_GATE,))[:1]]
    return [ask.summary()]


@answer("metrics qids kind", _age_reads, each="metrics")
def age(ask: Ask) -> Telling:
    """How old the values are."""
    couplings = ask.is_of_couplings
    lines = [
        f'ages = {ask.codes[0]}["{"qubits" if couplings else "values"}"]',
        *(['ages = ages.rename(columns={"last": "calibrated_at"})'] if couplings else []),
        *ask.narrowed("ages", 'ages["qid"]', is_whole=not couplings),
        'ages = ages.dropna(subset=["age_days"]).sort_values("calibrated_at")',
        *([] if couplings or ask.query.metrics else ['ages = ages.groupby("qid", sort=False).tail(1)']),
        f"ages = ages[{listed_code(['qid', *([] if couplings else ['parameter']), 'calibrated_at', 'age_days'])}]",
    ]
    [rows] = yield Made(lines, "ages")
    what: Text = ask.name if ask.query.metrics else Message("plan-anything")
    if not rows:
        return Told(Message("plan-no-age", name=what, whose=ask.whose, named="yes" if ask.query.metrics else "no"))
    oldest, newest = (age_words(row["age_days"]) for row in (rows[0], rows[-1]))
    whose = label(rows[0]["qid"])
    if len(rows) == 1:
        at = minute(rows[0]["calibrated_at"])
        return Told(Message("plan-measured-at", name=what, whose=whose, age=oldest, at=at))

    def parameter(row: Mapping[str, Any]) -> str:
        return ask.named(row.get("parameter", ask.metric.key))

    head = Message("plan-ages", name=what, oldest=oldest, oldest_of=whose, newest=newest)
    return Told(head, columns("element parameter measured=calibrated_at age", parameter=parameter), rows)


def _nth_of(ask: Ask) -> Telling:
    place = 0 if ask.query.nth == -1 else -(ask.query.nth or 1)
    lines = [
        f'measured = {ask.codes[0]}["timeseries"].dropna(subset=["v"]).sort_values("t", ignore_index=True)',
        f"measured = measured.iloc[[{place}]] if len(measured) >= {abs(place) or 1} else measured.iloc[:0]",
    ]
    [rows] = yield Made(lines, "measured")
    of_it = Message("plan-of", name=ask.name, whose=ask.whose)
    if not rows:
        return Told(Message("plan-fewer-measurements", what=of_it))
    metric, row, asked = ask.metric, rows[0], ask.query.nth or 1
    value = with_error(row["v"] * metric.scale, (row["error"] or 0) * metric.scale, metric.unit)
    nth = {-1: "first", 1: "newest"}.get(asked, asked)
    return Told(Message("plan-nth", nth=nth, what=of_it, value=value, at=minute(row["t"]), run=row["execution_id"]))


_PERIODS = frozenset({"day", "week", "month"})


@answer(
    f"metrics! qids statistic! per {TIMES}",
    each="metrics",
    answers=lambda query: query.per in _PERIODS and (not query.qids or _names_them(query)),
)
def per_period(ask: Ask) -> Telling:
    """A statistic for each day, week or month."""
    [rows] = yield ask.by_method("by_period", f"per_{ask.query.per}", f'"{ask.query.per}"')
    if not rows:
        return Told(Message("plan-no-value", what=ask.name))
    per, statistic = str(ask.query.per), ask.query.statistic or "median"
    shown: Columns = {Message("plan-heading-period", per=per): "period"}
    which = statistic if statistic in STATISTICS else "median"
    shown |= columns(f"count {which}~ median~ lowest~ highest~", ask.metric)
    counts = sum(row["n"] for row in rows)
    head = Message("plan-per-period", per=per, name=ask.name, whose=ask.whose, count=counts, periods=len(rows))
    return Told(head, shown, rows[::-1], drawn=ask.drawn(ask.qids))


# --- what was not measured ------------------------------------------------------------------------------------------


_OLD_DAYS, _AGES = 30, 1e6


def _is_between(query: Query) -> bool:
    """Whether it is about a time with an end: who has no measurement in it may have some at other times."""
    return query.window is not None and query.window.until is not None and not query.ever


def _unmeasured_reads(ask: Ask) -> list[PlannedCall]:
    if not ask.query.metrics:
        return [planned(SUMMARY)]
    ends: Mapping[str, Any] = {"since": ask.window.since_text, "until": ask.window.until_text}
    return [planned(SERIES, parameter_name=ask.metric.key, **(ends if _is_between(ask.query) else {"last_n": 10}))]


def _old_days(ask: Ask) -> float:
    window = ask.query.window
    if window is None or window.since is None or ask.query.ever:
        return _OLD_DAYS
    return window.days or (ask.now - window.since).total_seconds() / 86_400


@answer(
    "metrics qids without kind window ever how_many",
    _unmeasured_reads,
    each="metrics",
    names=lambda query: ("t1",) if _is_between(query) else (),
    answers=lambda query: not (query.ever and query.window),
)
def unmeasured(ask: Ask) -> Telling:
    """Which elements were never measured, or not lately."""
    query, kind, between = ask.query, ask.metric.kind, _is_between(ask.query)
    if not query.metrics:
        check_on_chip(ask)
    frame, days = "unmeasured_lately", _AGES if between else _old_days(ask)
    lines = called(frame, "unmeasured", str(ask.codes[0]), f"old_days={days:g}")
    age = f'{frame}["age"] = np.where({frame}["newest [d ago]"].isna(), "never", "old")'
    lines += ask.narrowed(frame, f'{frame}["qid"]', is_whole=True)
    [rows] = yield Made([*lines, age], frame)
    counts = rows.counts("age")
    never, old = ([row for row in rows if row["age"] == age] for age in ("never", "old"))
    if between:
        counts, never, old = {"old": rows.total}, [], [*rows]
    results = Message("plan-results-of", name=ask.name) if query.metrics else Message("plan-any-results")
    span = Message("plan-for-days", days=_old_days(ask))
    if query.window and query.window.days is None and not query.ever:
        span = Message("plan-during", window=ask.when)

    def which(rows: list[dict[str, Any]], age: str) -> tuple[int, Message, Field]:
        """How many they are, also in words, and their names."""
        count = counts.get(age, 0)
        return count, things(count, kind), some(ids_of(rows), most=40, unlisted=count - len(rows))

    count, of_them, names = which(never, "never")
    dead = Message("plan-never", count=count, things=of_them, results=results, names=names)
    if not never and query.qids:
        dead = Message("plan-named-have-results", count=len(query.qids), names=ids(query.qids), results=results)
    elif not never:
        dead = Message("plan-all-have-results", kind=kind, results=results)
    count, of_them, names = which(old, "old")
    stale = Message("plan-old", count=count, things=of_them, results=results, span=span, names=names)
    if not old:
        stale = Message("plan-none-old", kind=kind, results=results, span=span)
    heads = [dead, *([stale] if old else [])] if query.ever else [stale, *([dead] if never else [])]
    shown = columns("element age", age=lambda row: age_words(row["newest [d ago]"]))
    judged = never if query.ever else rows
    bold = tuple(f"**{ask.say(head)}**" if head is heads[0] or not query.ever else head for head in heads)
    return Told(bold, None if between else shown, old, "warning" if judged else "good", names=ids_of(judged), most=30)


NTH = replace(
    allan,
    takes=f"metrics! qids nth! {TIMES}",
    reads="get_parameter_timeseries parameter qid during",
    told=_nth_of,
    most=MOST_CALLS,
)
OF_SOME = replace(trend, takes="metrics! qids without kind errors", answers=lambda query: query.qids or query.without)
OF_NAMED = replace(
    trend, takes=f"metrics! qids! without kind reliable errors {TIMES}", answers=lambda query: not query.conditions
)
"""What answers for measurements of more elements than can be told one by one."""
COMPARED = replace(
    OF_NAMED,
    takes=f"metrics qids! without kind reliable errors {TIMES}",
    names=lambda _: (),
    answers=lambda query: query.metrics or query.kind == "coupling",
)
FIT = replace(trend, takes=f"{WHOSE} metrics! fit!", told=_fit)
EACH_OUTLIERS = replace(
    each_spread,
    takes=f"metrics! qids without kind reliable {TIMES}",
    told=_each_outliers,
    answers=lambda query: _names_them(query) or query.window or query.tag or query.cooldown,
)
