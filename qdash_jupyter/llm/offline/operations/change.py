"""What fell, rose or jumped within a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
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
from qdash_jupyter.llm.offline.phrases import ELEMENT, WHY, Say, label, points, some, things, valued, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Plan, PlannedCall
from qdash_jupyter.llm.offline.query import Amount, Direction, Query, Window
from qdash_jupyter.messages.message import Message, Text, all_of, cut, one_of, sentences
from qdash_jupyter.methods.level_change import FALSE_ALARMS, SIGNIFICANT_Z
from qdash_jupyter.methods.smallest import change_rule

DEFAULT_PARAMETERS = ("t1", "t2_echo", "average_readout_fidelity", "qubit_frequency")
"""What is looked at when the question names no parameter; a frequency gets neither better nor worse."""

COMPANIONS = ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity")
"""What is looked at beside a change whose cause is asked for."""

MOST_ROWS = 15
SHORT_DAYS = 7
SHARE_THAT_IS_BAD = 0.1
NOTED_SIGMAS = 2
NOT_TOLD = ("too few", "not measured", "unclear", "wandering")
"""Verdicts that say neither that something changed nor that it did not."""

_ALWAYS_TOLD = 0.5
"""Of fewer of the measured elements no answer says that none changed."""


def change(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Compare levels for each parameter named; chart the ones that moved, or all levels when none did."""
    studies = yield from _asked_for(query, metrics, question)
    query = studies.query
    names, told = [one.metric.key for one in studies.found], [Told(study, query.direction) for study in studies.found]
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
        parts.append(_companions(moved, [*told, *beside], query.say))
    if query.why and moved:
        parts.append(query.say(WHY))
    return studies.finding(parts, assessment_of(told))


def moved_ids(query: Query, metrics: MetricTable, question: str) -> Generator[Any, Any, tuple[str, ...]]:
    """Which elements changed as the question says."""
    studies = yield from _asked_for(query, metrics, question)
    return tuple(dict.fromkeys(qid for one in studies.found for qid in Told(one, studies.query.direction).qids))


def _asked_for(query: Query, metrics: MetricTable, question: str) -> Generator[Any, Any, Studies]:
    query = replace(query, window=query.window_or(30), direction=query.direction or Direction.EITHER)
    default = DEFAULT_PARAMETERS[: 4 if query.direction is Direction.EITHER else 3]
    names = query.metrics or ((COUPLING_GATE,) if query.element == "coupling" else default)
    return (yield from changes_of(query, names, metrics, question))


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
        self.few, self.absent, self.unclear, self.wandering = (
            ids_of([row for row in rows if row["verdict"] == verdict]) for verdict in NOT_TOLD
        )
        self.compared = sum(self.counts[verdict] for verdict in ("fell", "rose", "stable"))
        self.tested = self.compared + self.counts["unclear"] + self.counts["wandering"]
        self.measured = self.tested + self.counts["too few"]

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

    def shown(self, row: dict[str, Any]) -> Text:
        """`-44 %`, `-5.97 MHz`, `-1.2 points`: the change."""
        return self._amount(f"{row[self.change]:+.{self._digits}f}")

    def error(self, row: dict[str, Any]) -> Text:
        """Return the uncertainty of the change in the same form."""
        return self._amount(f"{row[f'± [{self.unit}]']:.{self._digits}f}")

    def amount(self, size: float) -> Text:
        """Return a size of changes in the same form."""
        return self._amount(f"{size:.{self._digits}f}")

    @property
    def _digits(self) -> int:
        return {"MHz": 2, "pp": 1}.get(self.unit, 0)

    def _amount(self, value: str) -> Text:
        return Message("plan-amount", value=value, unit=points(self.unit))


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
        name = say.name(one.metric)
        if one.moved or query.qids:
            title = Message("plan-over-time", name=name)
            charts.append(study.series_figure(say, one.qids or query.qids, title, query.window.since_text))
        elif one.compared:
            title = Message("plan-before-and-now", name=name, window=window_words(query.window))
            charts.append(study.figure(say, title, "levels_chart", study.stem))
    return charts


def _text(told: Told, query: Query) -> str:
    """One parameter: who moved, by how much, and who could not be told."""
    metric, say, direction = told.metric, query.say, query.direction or Direction.EITHER
    kind, name, window = metric.kind, say.name(metric), window_words(query.window)
    way = direction.value
    parts: list[str] = []
    if told.moved:
        rows = told.moved[: query.count]
        more = told.count - len(told.moved) if query.count is None else 0
        names = some(ids_of(rows), most=40, in_order=False, unlisted=more)
        count = things(told.count, kind)
        parts.append(say(Message("plan-moved", things=count, direction=way, name=name, window=window, names=names)))
        parts += [say(Message("plan-largest", count=len(rows)))] if len(rows) < told.count else []
        parts.append(_table(told, rows[:MOST_ROWS], say))
    elif query.qids and told.compared:
        unclear = ids_of(told.maybe(direction))
        untold = {*unclear, *told.few, *told.absent, *told.unclear, *told.wandering}
        steady = [qid for qid in query.qids if qid not in untold]
        if unclear:
            words = Message(
                "plan-may-have-moved",
                name=name,
                names=some(unclear),
                direction=way,
                window=window,
                low=f"{NOTED_SIGMAS:g}",
                high=f"{SIGNIFICANT_Z:g}",
            )
            parts.append(say(words))
        if steady:
            parts.append(say(Message("plan-did-not-move", name=name, names=some(steady), direction=way, window=window)))
        rows = [row for row in told.study.rows if row["verdict"] not in {"too few", "not measured"}]
        parts.append(_table(told, rows[:MOST_ROWS], say))
    elif told.can_tell:
        parts.append(say(Message("plan-none-moved", kind=kind, direction=way, name=name, window=window)))
    elif told.measured and not query.qids:
        words = Message(
            "plan-few-compared",
            kind=kind,
            compared=told.compared,
            measured=told.measured,
            direction=way,
            name=name,
            window=window,
        )
        parts.append(say(words))
    if not query.qids and query.by is None and (maybe := told.maybe(direction)):
        names = cut((_changed(told, row) for row in maybe), MOST_LINES)
        parts.append(say(Message("plan-uncertain", names=names, low=f"{NOTED_SIGMAS:g}", high=f"{SIGNIFICANT_Z:g}")))
    parts += map(say, _not_told(told, name))
    return "\n\n".join(parts)


def _not_told(told: Told, name: Text) -> Iterator[Message]:
    """Who could not be told, and what would have been found of the others."""
    unit = told.unit
    if told.counts["too few"]:
        few = some(told.few, unlisted=told.counts["too few"] - len(told.few))
        yield Message("plan-not-enough", name=name, names=few)
    for verdict, of_it in (("unclear", told.unclear), ("wandering", told.wandering)):
        if told.counts[verdict]:
            names = some(of_it, unlisted=told.counts[verdict] - len(of_it))
            yield Message("plan-no-verdict", verdict=verdict, name=name, names=names)
    stable = sorted(row[f"detectable [{unit}]"] for row in told.study.rows if row["verdict"] == "stable")
    if stable:
        yield Message("plan-detectable", name=name, size=told.amount(stable[len(stable) // 2]))


def _changed(told: Told, row: dict[str, Any]) -> Message:
    return Message("plan-by-how-much", name=label(str(row["qid"])), change=told.shown(row))


def _table(told: Told, rows: Sequence[dict[str, Any]], say: Say) -> str:
    before, now = Message("plan-heading-before"), Message("plan-heading-now")
    columns = ELEMENT | valued(told.metric, {before: "before", now: "now"})
    columns |= {
        Message("plan-heading-change"): told.shown,
        Message("plan-heading-since"): lambda row: str(row["since"] or "")[:10],
        "±": told.error,
        "n": lambda row: f"{row['n before']} + {row['n now']}",
    }
    return say.table(columns, rows)


def closing_texts(found: Sequence[Told], query: Query) -> list[str]:
    """What counts as a change, how many false alarms to expect, and who was not measured: once for all parameters."""
    say, rules = query.say, dict[Text, list[str]]()
    for told in found:
        by, unit = change_rule(told.metric).smallest, told.unit
        if query.by is not None:
            unit = next(one for one in (unit, told.metric.unit) if _times(query.by, one) is not None)
            by = query.by.value * (_times(query.by, unit) or 1.0)
        rule = Message("plan-percentage-points", value=by) if unit == "pp" else f"{by:g} {unit}"
        rules.setdefault(rule, []).append(say.name(told.metric))
    sigmas = f"{SIGNIFICANT_Z:g}"
    if len(rules) > 1:
        several = [Message("plan-rule-of", rule=rule, names=all_of(names)) for rule, names in rules.items()]
        how: Text = Message("plan-rules", rules=one_of(several), sigmas=sigmas)
    else:
        [rule] = rules
        how = Message("plan-rule", rule=rule, sigmas=sigmas)
    if not query.qids:
        measured = dict.fromkeys(things(told.measured, told.metric.kind) for told in found)
        tested = sum(told.tested for told in found)
        how = sentences(how, Message("plan-measured", things=tuple(measured)), false_alarms(tested))
    parts = [say(how)]
    absent: dict[tuple[str, ...], list[Told]] = {}
    for told in found:
        if told.absent:
            absent.setdefault(tuple(told.absent), []).append(told)
    for qids, those in absent.items():
        names = some(qids, unlisted=those[0].counts["not measured"] - len(qids))
        if len(absent) > 1:
            metrics = tuple(say.name(told.metric) for told in those)
            parts.append(say(Message("plan-of-these-not-measured", metrics=metrics, names=names)))
        else:
            parts.append(say(Message("plan-not-measured", names=names)))
    return parts


def false_alarms(compared: int) -> Message:
    """Return how many false alarms to expect."""
    return Message("plan-false-alarms", alarms=f"{compared * FALSE_ALARMS:.1g}", compared=compared)


def _companions(qids: Sequence[str], found: Sequence[Told], say: Say) -> str:
    """What else moved on the same elements, for a question about the cause."""
    facts = []
    for qid in qids[:MOST_ROWS]:
        of_it = tuple(_fact(told, row, say) for told in found for row in told.noted if row["qid"] == qid)
        facts.append(say(Message("plan-facts", name=label(qid), facts=of_it)))
    names = all_of(say.name(told.metric) for told in found)
    return "\n\n".join([say(Message("plan-companions", names=names)), "\n".join(facts)])


def _fact(told: Told, row: dict[str, Any], say: Say) -> Message:
    name, change = say.name(told.metric), told.shown(row)
    if row["verdict"] in {"fell", "rose"}:
        return Message("plan-fact", name=name, change=change, since=str(row["since"] or "–")[:10])
    return Message("plan-fact-in-noise", name=name, change=change, sigmas=f"{abs(row['sigmas']):.1f}")


def assessment_of(found: Sequence[Told]) -> Assessment | None:
    """Bad when a tenth of the elements got worse or one is worse than the limit now; a warning when any moved.

    None when too little could be told: no news of nothing is not good news.
    """
    worst: Assessment | None = None
    for told in found:
        metric, scoring = told.metric, told.metric.scoring
        worst = worst or ("good" if told.can_tell else None)
        worse = "rose" if metric.mode == "minimize" else "fell"
        fell = [row for row in told.study.rows if row["verdict"] == worse]  # also where who rose was asked for
        limit, now = scoring.bad if scoring else None, f"now [{metric.unit}]"
        sign = 1 if scoring is None or scoring.higher_is_better else -1
        many = told.measured >= 1 / SHARE_THAT_IS_BAD and len(fell) >= SHARE_THAT_IS_BAD * told.measured
        beyond = limit is not None and metric.mode != "none" and any(row[now] * sign < limit * sign for row in fell)
        if fell and (many or beyond):
            return "bad"
        if fell or (told.moved and scoring is None):
            worst = "warning"
    return worst
