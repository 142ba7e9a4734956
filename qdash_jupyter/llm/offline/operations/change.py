"""What fell, rose or jumped within a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.domain.units import factor
from qdash_jupyter.llm.offline.operations.over_time import (
    MOST_LINES,
    Chart,
    Method,
    Studies,
    Study,
    ids_of,
    studied,
    wanted,
)
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE, wrong_unit
from qdash_jupyter.llm.offline.phrases import ELEMENT, THINGS, WHY, Say, label, valued
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Plan, PlannedCall
from qdash_jupyter.llm.offline.query import Amount, Direction, Query, Window
from qdash_jupyter.methods.level_change import FALSE_ALARMS, SIGNIFICANT_Z
from qdash_jupyter.methods.smallest import change_rule

_OVER_TIME = Words("{} over time", "{}の推移")
_BEFORE_AND_NOW = Words("{name} before and now, {when}", "{name}の以前と現在({when})")

DEFAULT_PARAMETERS = ("t1", "t2_echo", "average_readout_fidelity", "qubit_frequency")
"""What is looked at when the question names no parameter; a frequency gets neither better nor worse."""

COMPANIONS = ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity")
"""What is looked at beside a change whose cause is asked for."""

MOST_ROWS = 15
SHORT_DAYS = 7
SHARE_THAT_IS_BAD = 0.1
NOTED_SIGMAS = 2
_ALWAYS_TOLD = 0.5
"""Of fewer of the measured elements no answer says that none changed."""

_VERBS = {
    Direction.DOWN: (
        Words("lost {}", "{}が低下した"),
        Words("did not fall", "低下していません"),
        Words("have fallen", "低下した"),
    ),
    Direction.UP: (
        Words("gained {}", "{}が上昇した"),
        Words("did not rise", "上昇していません"),
        Words("have risen", "上昇した"),
    ),
    Direction.EITHER: (
        Words("changed in {}", "{}が変化した"),
        Words("did not change", "変化していません"),
        Words("have changed", "変化した"),
    ),
}
_MOVED = Words("**{count} {moved} {window}: {names}.**", "**{window}に{moved}{count}: {names}**")
_FIRST = Words("The {} largest changes:", "変化の大きい順に{}個:")
_STEADY = Words("**{name} of {qids} {verb} {window}.**", "**{qids}: {window}に{name}は{verb}。**")
_UNCLEAR = Words(
    "**{name} of {qids} may {verb} {window}, but I cannot say for sure: the change is more than 2, but less than 3.4 "
    "times its uncertainty.**",
    "**{qids}: {window}に{name}は{verb}可能性がありますが、判断できません(変化は不確かさの2倍以上、3.4倍未満)。**",
)
_MAYBE = Words(
    "Not sure (2 to 3.4 times the uncertainty): {}.", "判断できないもの(変化は不確かさの2倍以上、3.4倍未満): {}。"
)
_NONE = Words("**No {kind} {moved} {window}.**", "**{window}に{moved}{thing}はありません。**")
_HARDLY = Words(
    "**Most {kind}s have too few measurements of {name} {window} to tell: {told} of {all} can be told, and none of "
    "these {moved}.**",
    "**{window}は{name}の測定が少なく、判定できるのは{all}個中{told}個で、そのうち{moved}{thing}はありません。**",
)
_FEW = Words(
    "Too few measurements of {name} before or within this time to tell: {ids}.",
    "{name}の測定が少なく判定できないもの: {ids}。",
)
_ABSENT = Words("Not measured in the compared time{which}: {ids}.", "比較した期間に測定がないもの{which}: {ids}。")
_RULE = Words(
    "Named are changes of at least {} that are also at least {} times their uncertainty.",
    "判定基準: {}以上、かつ不確かさの{}倍以上の変化。",
)
_COUNTED = Words(" Measured: {}.", "測定済み: {}。")
_ALARMS = Words(
    " False alarms to expect among {} compared series: {:.2g}.", "比較した{}系列での誤検出の期待値: {:.2g}。"
)
_COMPANIONS = Words(
    "What changed on {whom} in the same time (looked at: {names}):", "同じ期間のそれぞれの変化(確認した項目: {names}):"
)


def change(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Compare levels for each parameter named; chart the ones that moved, or all levels when none did."""
    query = replace(query, window=query.window_or(30), direction=query.direction or Direction.EITHER)
    default = DEFAULT_PARAMETERS[: 4 if query.direction is Direction.EITHER else 3]
    names = query.metrics or ((COUPLING_GATE,) if query.element == "coupling" else default)
    studies = yield from changes_of(query, names, metrics, question)
    told, query = [Told(study, query.direction) for study in studies.found], studies.query
    yield from studies.cells.run_all(charts_of([one for one in told if one.moved or len(told) == 1], query))
    parts = [*(_text(one, query) for one in told), *closing_texts(told, query)]
    moved = list(dict.fromkeys(qid for one in told for qid in one.qids))
    others = [name for name in COMPANIONS if name not in names]
    if query.why and moved and not any(map(is_coupling, moved)):
        beside: list[Told] = []
        if others:
            more = replace(query, qids=tuple(moved), conditions=(), by=None, without=())
            found = yield from changes_of(more, others, metrics, question, studies.cells)
            beside = [Told(study, Direction.EITHER) for study in found.found]
        parts.append(_companions(moved, [*told, *beside], query))
    if query.why and moved:
        parts.append(query.say(WHY))
    return studies.finding(parts, assessment_of(told))


class Told:
    """The rows of a comparison, by verdict."""

    def __init__(self, study: Study, direction: Direction | None) -> None:
        """Those that moved in the direction count as moved, the largest change first."""
        self.study, self.metric, verdicts = study, study.metric, wanted(direction)
        rows, self.counts = study.rows, Counter(study.counts())
        change = next((name for name in (rows[0] if rows else {}) if name.startswith("change [")), "")
        self.change, self.unit = change, change.removeprefix("change [").removesuffix("]")
        self.moved = [row for row in rows if row["verdict"] in verdicts]
        self.moved.sort(key=lambda row: -abs(row[change]))
        self.count = sum(self.counts[verdict] for verdict in verdicts)
        self.qids = ids_of(self.moved)
        self.few, self.absent = (
            ids_of([row for row in rows if row["verdict"] == verdict]) for verdict in ("too few", "not measured")
        )
        self.compared = sum(self.counts[verdict] for verdict in ("fell", "rose", "stable"))
        self.measured = self.compared + self.counts["too few"]

    @property
    def noted(self) -> list[dict[str, Any]]:
        """What is told beside another change: also what alone would not be named, from 2 times the uncertainty on."""
        smallest = change_rule(self.metric).smallest
        return [
            row
            for row in self.study.rows
            if row["verdict"] in {"fell", "rose"}
            or (abs(row["sigmas"] or 0) >= NOTED_SIGMAS and abs(row[self.change]) >= smallest)
        ]

    def maybe(self, direction: Direction) -> list[dict[str, Any]]:
        """What may have moved so: large enough, but less sure than what is named."""
        noted = [r for r in self.noted if r["verdict"] == "stable" and abs(r["sigmas"]) < SIGNIFICANT_Z]
        if direction is Direction.EITHER:
            return noted
        return [row for row in noted if (row[self.change] < 0) == (direction is Direction.DOWN)]

    @property
    def can_tell(self) -> bool:
        """Whether enough could be compared for "none changed"."""
        return bool(self.compared) and self.compared >= _ALWAYS_TOLD * self.measured

    def shown(self, row: dict[str, Any], say: Say, column: str = "") -> str:
        """`-44 %`, `-5.97 MHz`, `-1.2 points`: the change, or another column in its unit."""
        digits = {"MHz": 2, "pp": 1}.get(self.unit, 0)
        return f"{row[column or self.change]:+.{digits}f} {say.points(self.unit)}"


def changes_of(
    query: Query, names: Sequence[str], metrics: MetricTable, question: str, cells: Cells | None = None
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], Studies]:
    """Run the comparison on each parameter; all rows, the ones that moved first."""

    def method(query: Query, metric: Metric) -> Method:
        arguments, last = _smallest(query, metric, alone=len(names) == 1)
        if query.window.days is not None and query.window.days < SHORT_DAYS:
            arguments.append("fewest=1")
        return Method("changes", [f'since="{query.window.since_text}"', *arguments], [*last, "{frame}"])

    if query.window.since is None:  # "before June": the 30 days before
        end = query.window.until or query.now
        query = replace(query, window=Window(end - timedelta(days=30), end))
    return (yield from studied(query, names, metrics, question, method, what="change", since=_reach, cells=cells))


def _reach(window: Window) -> datetime | None:
    """Where a read begins so that there is a level to compare with: as long again before, at least three weeks."""
    return window.since and window.since - timedelta(days=max(window.days or 45, 21))


def _smallest(query: Query, metric: Metric, *, alone: bool) -> tuple[list[str], list[str]]:
    """The smallest change that the question wants to hear of, as an argument; one on the scale of the values as a line.

    Raises:
        PlanFailed: its unit measures something else.
    """
    if query.by is None:
        return [], []
    rule = change_rule(metric)
    if (known := _times(query.by, rule.unit)) is not None:
        return [f"smallest={query.by.value * known:g}"], []
    if (known := _times(query.by, metric.unit)) is not None:
        levels = f'({{frame}}["now [{metric.unit}]"] - {{frame}}["before [{metric.unit}]"]).abs()'
        return ["smallest=0"], [f'{{frame}}.loc[{levels} < {query.by.value * known:g}, "verdict"] = "stable"']
    if not alone:
        return [], []
    raise wrong_unit(f"{query.by.value:g} {query.by.unit}", metric, query.say, "%" if rule.unit == "pp" else rule.unit)


def _times(by: Amount, unit: str) -> float | None:
    """What an amount is multiplied with to be in a unit; percentage points are asked for in %."""
    return factor(by.unit, "%" if unit == "pp" else unit) if by.unit else 1.0


def charts_of(told: Sequence[Told], query: Query) -> list[Chart]:
    """The ones that moved over time, or all levels when none did."""
    say, charts = query.say, list[Chart]()
    for one in told:
        study = one.study
        if one.moved or query.qids:
            title = say(_OVER_TIME, say.name(one.metric))
            charts.append(study.series_figure(say, one.qids or query.qids, title, query.window.since_text))
        elif one.compared:
            title = say(_BEFORE_AND_NOW, name=say.name(one.metric), when=say.when(query.window))
            charts.append(study.figure(say, title, "levels_chart", study.stem, what=f"{title}."))
    return charts


def _text(told: Told, query: Query) -> str:
    """One parameter: who moved, by how much, and who could not be told."""
    metric, say, direction = told.metric, query.say, query.direction or Direction.EITHER
    kind, name = metric.kind, say.name(metric)
    words = {
        "window": say.when(query.window),
        "moved": say(_VERBS[direction][0], name),
        "kind": kind,
        "thing": say(THINGS[kind]),
        "name": name,
        "verb": say(_VERBS[direction][1]),
        "all": told.measured,
        "told": told.compared,
    }
    lines: list[str] = []
    if told.moved:
        rows = told.moved[: query.count]
        more = told.count - len(told.moved) if query.count is None else 0
        names = say.some(ids_of(rows), most=40, in_order=False, unlisted=more)
        lines.append(say(_MOVED, **words, count=say.things(told.count, kind), names=names))
        lines += [say(_FIRST, len(rows))] if len(rows) < told.count else []
        lines.append(_table(told, rows[:MOST_ROWS], say))
    elif query.qids and told.compared:
        unclear = ids_of(told.maybe(direction))
        steady = [qid for qid in query.qids if qid not in unclear]
        if unclear:
            verb = say(_VERBS[direction][2])
            lines.append(say(_UNCLEAR, **words | {"qids": say.some(unclear), "verb": verb}))
        if steady:
            lines.append(say(_STEADY, **words | {"qids": say.some(steady)}))
        rows = [row for row in told.study.rows if row["verdict"] in {"fell", "rose", "stable"}]
        lines.append(_table(told, rows[:MOST_ROWS], say))
    elif told.can_tell:
        lines.append(say(_NONE, **words))
    elif told.measured and not query.qids:
        lines.append(say(_HARDLY, **words))
    if not query.qids and query.by is None and (maybe := told.maybe(direction)):
        unsure = [f"{label(str(row['qid']))} ({told.shown(row, say)})" for row in maybe[:MOST_LINES]]
        rest = [f"+ {len(maybe) - MOST_LINES}"] if len(maybe) > MOST_LINES else []
        lines.append(say(_MAYBE, ", ".join([*unsure, *rest])))
    if told.counts["too few"]:
        few = say.some(told.few, unlisted=told.counts["too few"] - len(told.few))
        lines.append(say(_FEW, name=name, ids=few))
    return "\n\n".join(lines)


def _table(told: Told, rows: Sequence[dict[str, Any]], say: Say) -> str:
    columns = ELEMENT | valued(told.metric, {Words("before", "以前"): "before", Words("now", "現在"): "now"})
    columns |= {
        Words("change", "変化"): lambda row: told.shown(row, say),
        Words("since about", "いつから"): lambda row: str(row["since"] or "")[:10],
        "±": lambda row: told.shown(row, say, f"± [{told.unit}]").lstrip("+"),
        "n": lambda row: f"{row['n before']} + {row['n now']}",
    }
    return say.table(columns, rows)


def closing_texts(found: Sequence[Told], query: Query) -> list[str]:
    """What counts as a change, how many false alarms to expect, and who was not measured: once for all parameters."""
    say, rules = query.say, dict[str, list[str]]()
    for told in found:
        by, unit = change_rule(told.metric).smallest, told.unit
        if query.by is not None:
            unit = next(one for one in (unit, told.metric.unit) if _times(query.by, one) is not None)
            by = query.by.value * (_times(query.by, unit) or 1.0)
        points = "ポイント" if say.japanese else "percentage point" + ("" if by == 1 else "s")
        rules.setdefault(f"{by:g} {points if unit == 'pp' else unit}", []).append(say.name(told.metric))
    several, japanese = len(rules) > 1, say.japanese
    if japanese:
        text = "、".join((f"{'・'.join(names)}は" if several else "") + rule for rule, names in rules.items())
    else:
        text = " or ".join(rule + (f" ({' and '.join(names)})" if several else "") for rule, names in rules.items())
    lines = [say(_RULE, text, SIGNIFICANT_Z)]
    if not query.qids:
        counts = dict.fromkeys(say.things(told.measured, told.metric.kind) for told in found)
        compared = sum(told.compared for told in found)
        lines[0] += say(_COUNTED, ("、" if japanese else ", ").join(counts))
        lines[0] += say(_ALARMS, compared, compared * FALSE_ALARMS)
    absent: dict[tuple[str, ...], list[Told]] = {}
    for told in found:
        if told.absent:
            absent.setdefault(tuple(told.absent), []).append(told)
    for qids, those in absent.items():
        names = [say.name(told.metric) for told in those]
        which = (f"({'・'.join(names)})" if japanese else f" ({', '.join(names)})") if len(absent) > 1 else ""
        unlisted = those[0].counts["not measured"] - len(qids)
        lines.append(say(_ABSENT, which=which, ids=say.some(qids, unlisted=unlisted)))
    return lines


def _companions(qids: Sequence[str], found: Sequence[Told], query: Query) -> str:
    """What else moved on the same elements, for a question about the cause."""
    say, japanese, lines = query.say, query.language == "ja", []
    for qid in qids[:MOST_ROWS]:
        facts = [fact for told in found for row in told.noted if row["qid"] == qid for fact in [_fact(told, row, say)]]
        lines.append(f"- {label(qid)}: {('、' if japanese else ', ').join(facts)}")
    names = say.listed([say.name(told.metric) for told in found])
    head = say(_COMPANIONS, whom="it" if len(qids) == 1 else "each of them", names=names)
    return "\n\n".join([head, "\n".join(lines)])


def _fact(told: Told, row: dict[str, Any], say: Say) -> str:
    since = str(row["since"] or "–")[:10]
    words = f"{say.name(told.metric)} {told.shown(row, say)}"
    words += f"({since}から)" if say.japanese else f" since about {since}"
    return words if row["verdict"] in {"fell", "rose"} else f"{words} ({abs(row['sigmas']):.1f} σ)"


def assessment_of(found: Sequence[Told]) -> Assessment | None:
    """Bad when a tenth of the elements got worse or one is worse than the limit now; a warning when any moved.

    None when too little could be told: no news of nothing is not good news.
    """
    worst: Assessment | None = None
    for told in found:
        metric, scoring = told.metric, told.metric.scoring
        worst = worst or ("good" if told.can_tell else None)
        worse = "rose" if metric.mode == "minimize" else "fell"
        fell = [row for row in told.moved if row["verdict"] == worse]
        limit, now = scoring.bad if scoring else None, f"now [{metric.unit}]"
        sign = 1 if scoring is None or scoring.higher_is_better else -1
        many = told.measured >= 1 / SHARE_THAT_IS_BAD and len(fell) >= SHARE_THAT_IS_BAD * told.measured
        beyond = limit is not None and metric.mode != "none" and any(row[now] * sign < limit * sign for row in fell)
        if fell and (many or beyond):
            return "bad"
        if fell or (told.moved and scoring is None):
            worst = "warning"
    return worst
