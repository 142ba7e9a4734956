"""What one table of a series tells: noise, jumps, differences, ages, periods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.operations.code import called, listed_code
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.row import TIMES, Ask, Made, Row, Told
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE, stem_of
from qdash_jupyter.llm.offline.phrases import ELEMENT, Columns, age_words, label, minute, number, points, some, valued
from qdash_jupyter.llm.offline.plan import PlannedCall
from qdash_jupyter.messages.message import Message, Text

_Rows = list[dict[str, Any]]
_Codes = Sequence[str | None]


def _of_first(qids: Sequence[str]) -> list[tuple[int, Sequence[str]]]:
    """The series that was read first, of these."""
    return [(0, qids)] if qids else []


def _allan(ask: Ask, codes: _Codes) -> Made:
    frame = f"{stem_of(ask.metric)}_allan"
    return Made(["allan_deviation"], called(frame, "allan_deviation", str(codes[0])), frame)


def _allan_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    unit = f"[{ask.metric.unit}]"
    if not rows:
        return Told(Message("plan-too-few-for-allan", name=ask.name, whose=ask.whose))
    best = min(rows, key=lambda row: row[f"deviation {unit}"])
    columns: Columns = {
        Message("plan-heading-averaging"): lambda row: f"{row['averaging [h]']:.1f} h",
        Message("plan-heading-deviation"): lambda row: _with_error(row, "deviation", ask.metric),
        Message("plan-heading-count"): "n",
    }
    deviation, hours = _with_error(best, "deviation", ask.metric), f"{best['averaging [h]']:.0f}"
    head = Message("plan-allan", name=ask.name, whose=ask.whose, deviation=deviation, hours=hours)
    return Told(head, columns, rows, after=[Message("plan-allan-means")])


def _with_error(row: Mapping[str, Any], name: str, metric: Metric) -> str:
    return with_error(row[f"{name} [{metric.unit}]"], row[f"± [{metric.unit}]"], metric.unit)


def _telegraph(ask: Ask, codes: _Codes) -> Made:
    frame = f"{stem_of(ask.metric)}_telegraph"
    lines = called(frame, "telegraph", str(codes[0]))
    lines += [] if ask.qids else [f'{frame} = {frame}[{frame}["verdict"].eq("switches")]']
    return Made(["telegraph"], lines, frame)


def _telegraph_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    found = [row for row in rows if row["verdict"] == "switches"]
    columns = ELEMENT | {
        Message("plan-heading-count"): "n",
        Message("plan-heading-levels"): lambda row: _levels(row, ask.metric),
        Message("plan-heading-switches"): "switches",
        Message("plan-heading-verdict"): lambda row: Message(
            "plan-switching", verdict=row["verdict"].replace(" ", "-")
        ),
    }
    head = Message("plan-telegraph", name=ask.name, count=len(found), names=some(ids_of(found)), whose=ask.whose)
    return Told(head, columns, rows, drawn=_of_first(ids_of(found) or ask.qids))


def _levels(row: Mapping[str, Any], metric: Metric) -> str:
    low, high = (row[f"{which} level [{metric.unit}]"] for which in ("lower", "upper"))
    return "–" if low is None else f"{low:.{metric.decimals}f} / {number(high, metric)}"


def _difference_unit(metric: Metric) -> tuple[float, str]:
    return (1000.0, "MHz") if metric.unit == "GHz" else (1.0, metric.unit)


def _difference(ask: Ask, codes: _Codes) -> Made:
    metric, (factor, unit) = ask.metric, _difference_unit(ask.metric)
    column, qids = f"{metric.title} [{metric.unit}]", ask.qids
    if ask.query.neighbours or not qids:
        near = [f'pairs = {codes[1]}["couplings"]']
        near += [f'pairs = pairs[pairs[["control", "target"]].isin({listed_code(qids)}).any(axis=1)]'] if qids else []
    else:
        near = [f'pairs = pd.DataFrame({{"control": "{qids[0]}", "target": {listed_code(qids[1:])}}})']
    lines = [
        f'values = shown({codes[0]}, "{metric.key}").set_index("qid")["{column}"]',
        *near,
        'differences = pairs[["control", "target"]].copy()',
        *(f'differences["{one}"] = values.reindex(pairs["{of}"]).to_numpy()' for one, of in _SIDES),
        f'differences["difference [{unit}]"] = {factor:g} * (differences["first"] - differences["second"])',
        f'differences = differences.sort_values("difference [{unit}]", key=abs, kind="stable")',
    ]
    return Made(["shown"], lines, "differences", ["import pandas as pd"])


_SIDES = (("first", "control"), ("second", "target"))


def _difference_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    metric, (factor, unit) = ask.metric, _difference_unit(ask.metric)
    digits = 2 if factor > 1 else metric.decimals
    known = [row for row in rows if row[f"difference [{unit}]"] is not None]
    if not known:
        return Told(Message("plan-no-value", what=ask.name))

    def pair(row: Mapping[str, Any]) -> str:
        return f"{label(str(row['control']))} − {label(str(row['target']))}"

    def by(row: Mapping[str, Any]) -> str:
        return f"{row[f'difference [{unit}]']:+.{digits}f} {unit}"

    columns: Columns = {"": pair, Message("plan-heading-difference"): by}
    for name in ("first", "second"):
        columns[Message("plan-heading-value-of", side=name)] = partial(_side, side=name, metric=metric)
    if len(known) == 1:
        return Told(Message("plan-difference", name=ask.name, pair=pair(known[0]), by=by(known[0])), columns, known)
    sizes = sorted(abs(row[f"difference [{unit}]"]) for row in known)
    middle = f"{sizes[len(sizes) // 2]:.{digits}f} {unit}"
    head = Message(
        "plan-differences", name=ask.name, count=len(known), pair=pair(known[0]), by=by(known[0]), middle=middle
    )
    return Told(head, columns, known)


def _side(row: Mapping[str, Any], side: str, metric: Metric) -> str:
    return number(row[side], metric)


def _age_reads(ask: Ask) -> list[PlannedCall]:
    if ask.is_of_couplings:
        return [ask.series(name, last_n=3) for name in (ask.query.metrics or (COUPLING_GATE,))[:1]]
    return [ask.summary()]


def _age(ask: Ask, codes: _Codes) -> Made:
    couplings = ask.is_of_couplings
    lines = [
        f'ages = {codes[0]}["{"qubits" if couplings else "values"}"]',
        *(['ages = ages.rename(columns={"last": "calibrated_at"})'] if couplings else []),
        *([f'ages = ages[ages["qid"].isin({listed_code(ask.qids)})]'] if ask.qids and not couplings else []),
        'ages = ages.dropna(subset=["age_days"]).sort_values("calibrated_at")',
        *([] if couplings or ask.query.metrics else ['ages = ages.groupby("qid", sort=False).tail(1)']),
        f"ages = ages[{listed_code(['qid', *([] if couplings else ['parameter']), 'calibrated_at', 'age_days'])}]",
    ]
    return Made([], lines, "ages")


def _age_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    what: Text = ask.name if ask.query.metrics else Message("plan-anything")
    if not rows:
        return Told(Message("plan-no-age", name=what, whose=ask.whose))
    columns = ELEMENT | {
        Message("plan-heading-parameter"): lambda row: ask.named(row.get("parameter", ask.metric.key)),
        Message("plan-heading-measured"): lambda row: minute(str(row["calibrated_at"])),
        Message("plan-heading-age"): lambda row: age_words(row["age_days"]),
    }
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        whose, at = label(str(last["qid"])), minute(str(last["calibrated_at"]))
        return Told(Message("plan-measured-at", name=what, whose=whose, age=age_words(last["age_days"]), at=at))
    oldest, newest = (age_words(row["age_days"]) for row in (first, last))
    oldest_of = label(str(first["qid"]))
    return Told(Message("plan-ages", name=what, oldest=oldest, oldest_of=oldest_of, newest=newest), columns, rows)


def _jumps(ask: Ask, codes: _Codes) -> Made:
    frame = f"{stem_of(ask.metric)}_jumps"
    verdict = {"down": "fell", "up": "rose"}.get(ask.query.direction or "")
    lines = called(frame, "jumps", str(codes[0]))
    lines += [f'{frame} = {frame}[{frame}["verdict"].eq("{verdict}")]'] if verdict else []
    return Made(["jumps"], lines, frame)


def _jumps_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    metric = ask.metric
    if not rows:
        words = Message("plan-no-jump", name=ask.name, whose=ask.whose, window=ask.when)
        return Told(words, drawn=_of_first(ask.qids))
    change = next(name for name in rows[0] if name.startswith("change ["))
    unit = change.removeprefix("change [").removesuffix("]")
    digits = {"MHz": 2, "pp": 1}.get(unit, 0)

    def by(row: Mapping[str, Any]) -> Text:
        return Message("plan-amount", value=f"{row[change]:+.{digits}f}", unit=points(unit))

    columns = ELEMENT | {
        Message("plan-heading-since"): lambda row: minute(str(row["since"])),
        Message("plan-heading-how"): lambda row: Message("plan-jump-kind", kind=row["kind"]),
        Message("plan-heading-change"): by,
    }
    columns |= valued(metric, {Message("plan-heading-before"): "before", Message("plan-heading-now"): "now"})
    first = rows[0]
    before, now = (number(first[f"{side} [{metric.unit}]"], metric) for side in ("before", "now"))
    head = Message(
        "plan-jumped",
        kind=first["kind"],
        name=ask.name,
        whose=label(str(first["qid"])),
        at=str(first["since"])[:10],
        by=by(first),
        before=before,
        now=now,
        more=len(rows) - 1,
    )
    return Told(head, columns, rows, drawn=_of_first(list(dict.fromkeys(ids_of(rows)))))


def _nth_reads(ask: Ask) -> list[PlannedCall]:
    given = {"parameter_name": ask.metric.key, "qid": ask.qids[0], **ask.during()}
    return [PlannedCall("get_parameter_timeseries", given)]


def _nth(ask: Ask, codes: _Codes) -> Made:
    place = 0 if ask.query.nth == -1 else -(ask.query.nth or 1)
    lines = [
        f'measured = {codes[0]}["timeseries"].dropna(subset=["v"]).sort_values("t", ignore_index=True)',
        f"measured = measured.iloc[[{place}]] if len(measured) >= {abs(place) or 1} else measured.iloc[:0]",
    ]
    return Made([], lines, "measured")


def _nth_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    of_it = Message("plan-of", name=ask.name, whose=ask.whose)
    if not rows:
        return Told(Message("plan-fewer-measurements", what=of_it))
    metric, row = ask.metric, rows[0]
    value = with_error(row["v"] * metric.scale, (row["error"] or 0) * metric.scale, metric.unit)
    nth = {-1: "first", 1: "newest"}.get(ask.query.nth or 1, ask.query.nth or 1)
    return Told(
        Message("plan-nth", nth=nth, what=of_it, value=value, at=minute(str(row["t"])), run=row["execution_id"])
    )


_PERIODS = frozenset({"day", "week", "month"})


def _per(ask: Ask, codes: _Codes) -> Made:
    frame, per = f"{stem_of(ask.metric)}_per_{ask.query.per}", ask.query.per
    return Made(["by_period"], called(frame, "by_period", str(codes[0]), f'"{per}"'), frame)


def _per_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    metric, per = ask.metric, str(ask.query.per)
    statistic = ask.query.statistic or "median"
    which = {"deviation": "standard deviation", "extremes": "median"}.get(statistic, statistic)
    names = dict.fromkeys((which, "median", "lowest", "highest"))
    columns: Columns = {Message("plan-heading-period", per=per): "period", Message("plan-heading-count"): "n"}
    told = {name: statistic if name == which else name for name in names}
    columns |= valued(metric, {Message("plan-statistic", statistic=said): name for name, said in told.items()})
    if not rows:
        return Told(Message("plan-no-value", what=ask.name))
    counts = sum(row["n"] for row in rows)
    head = Message("plan-per-period", per=per, name=ask.name, whose=ask.whose, count=counts, periods=len(rows))
    return Told(head, columns, rows[::-1], drawn=_of_first(ask.qids))


def _series(ask: Ask) -> list[PlannedCall]:
    return [ask.series(ask.metric.key)]


ALLAN = Row({"metrics", "qids", *TIMES}, _series, _allan, _allan_told, each=("metrics", "qids"))
TELEGRAPH = Row({"metrics", "qids", *TIMES}, _series, _telegraph, _telegraph_told, each=("metrics",))
WHEN_CHANGED = Row(
    {"metrics", "qids", "direction", *TIMES},
    _series,
    _jumps,
    _jumps_told,
    each=("metrics",),
    answers=lambda query: query.metrics,
)
DIFFERENCE = Row(
    {"metrics", "qids", "neighbours"},
    lambda ask: [ask.summary(), PlannedCall("get_chip_topology", {})],
    _difference,
    _difference_told,
    each=("metrics",),
    answers=lambda query: query.kind != "coupling" and (query.neighbours or len(query.qids) != 1),
)
AGE = Row({"metrics", "qids", "places"}, _age_reads, _age, _age_told, each=("metrics",))
NTH = Row(
    {"metrics", "qids", "nth", *TIMES},
    _nth_reads,
    _nth,
    _nth_told,
    each=("metrics", "qids"),
    answers=lambda query: query.nth and query.metrics and query.qids,
)
PER = Row(
    {"metrics", "qids", "statistic", "per", *TIMES},
    _series,
    _per,
    _per_told,
    each=("metrics",),
    answers=lambda query: query.per in _PERIODS,
)
