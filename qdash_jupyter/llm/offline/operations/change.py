"""What fell, rose or jumped within a window, and two times against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.domain.units import factor
from qdash_jupyter.llm.offline.operations.parameters import higher_is_better
from qdash_jupyter.llm.offline.operations.row import (
    MOST_LINES,
    MOST_NAMED,
    TIMES,
    WHOSE,
    Ask,
    Figure,
    Made,
    Rows,
    Telling,
    Told,
    answer,
    called,
    listed_code,
    series_answer,
)
from qdash_jupyter.llm.offline.operations.table import wrong_unit
from qdash_jupyter.llm.offline.phrases import (
    WHY,
    Say,
    columns,
    ids_of,
    label,
    number,
    number_in,
    points,
    some,
    things,
    verdict,
    window_words,
)
from qdash_jupyter.llm.offline.plan import PlannedCall
from qdash_jupyter.llm.offline.query import EVER, Amount, Query, Window
from qdash_jupyter.messages.message import Field, Message, Text, all_of, cut, one_of, sentences
from qdash_jupyter.methods.level_change import FALSE_ALARMS, SIGNIFICANT_Z
from qdash_jupyter.methods.smallest import OF_ALL, change_rule
from qdash_jupyter.methods.smallest import VERDICT as OF_VERDICT

DEFAULT_PARAMETERS = ("t1", "t2_echo", "average_readout_fidelity", "qubit_frequency")
"""What is looked at when the question names no parameter; a frequency gets neither better nor worse."""

MOVED: Mapping[str, set[str]] = {"down": {"fell"}, "up": {"rose"}, "either": {"fell", "rose"}}
"""The verdicts that a direction asks for."""

DEFAULT_DAYS, SHORT_DAYS = 30, 7
MOST_ROWS = 15
SHARE_THAT_IS_BAD = 0.1
NOTED_SIGMAS = 2
_LOW, _HIGH = f"{NOTED_SIGMAS:g}", f"{SIGNIFICANT_Z:g}"
_ALWAYS_TOLD = 0.5
"""Of fewer of the measured elements no answer says that none changed."""


class Moved:
    """The rows of a comparison, by verdict."""

    def __init__(self, ask: Ask, rows: Rows) -> None:
        """Those that moved in the direction count as moved, the largest change first."""
        self.ask, self.rows, self.metric = ask, rows, ask.metric
        self.direction = "either" if ask.is_beside else ask.query.direction or "either"
        verdicts, self.counts = MOVED[self.direction], Counter(rows.counts("verdict"))
        self.change, self.unit = (_change_of(rows[0]), _unit_of(rows[0])) if rows else ("", "")
        moved = sorted(self.of(*verdicts), key=lambda row: -abs(row[self.change]))
        self.moved, self.count = moved[: ask.query.count], sum(self.counts[verdict] for verdict in verdicts)
        self.qids = ids_of(self.moved)
        self.compared = sum(self.counts[verdict] for verdict in ("fell", "rose", "stable"))
        self.tested = self.compared + self.counts["unclear"] + self.counts["wandering"]
        self.measured = self.tested + self.counts["too few"]
        scoring = self.metric.scoring if self.metric.mode != "none" else None
        self.limit = scoring.bad if scoring else None
        """From where on a value is bad."""

    def of(self, *verdicts: str) -> list[dict[str, Any]]:
        """Return the rows with these verdicts."""
        return [row for row in self.rows if row["verdict"] in verdicts]

    @property
    def beyond(self) -> list[str]:
        """The elements that are worse than the limit now, whether they moved or not."""
        if (limit := self.limit) is None:
            return []
        sign, now = 1 if higher_is_better(self.metric) else -1, f"now [{self.metric.unit}]"
        return ids_of([row for row in self.rows if row.get(now) is not None and row[now] * sign < limit * sign])

    @property
    def worse(self) -> list[dict[str, Any]]:
        """Who got worse, also where who got better was asked for."""
        return self.of("rose" if self.metric.mode == "minimize" else "fell")

    @property
    def noted(self) -> list[dict[str, Any]]:
        """What is told beside another change: also what alone would not be named, from 2 times the uncertainty on."""
        smallest = change_rule(self.metric).smallest
        return [
            row
            for row in self.rows
            if row["verdict"] in {"fell", "rose"}
            or (abs(row["sigmas"] or 0) >= NOTED_SIGMAS and abs(row[self.change]) >= smallest)
        ]

    @property
    def maybe(self) -> list[dict[str, Any]]:
        """What may have moved so: large enough, but less sure than what is named."""
        noted = [r for r in self.noted if r["verdict"] == "stable" and abs(r["sigmas"]) < SIGNIFICANT_Z]
        if self.direction == "either":
            return noted
        return [row for row in noted if (row[self.change] < 0) == (self.direction == "down")]

    @property
    def is_thin(self) -> bool:
        """Whether hardly any of many could be compared, and none of these moved."""
        return bool(self.measured) and not (self.moved or self.can_tell or self.ask.qids)

    @property
    def can_tell(self) -> bool:
        """Whether enough could be compared for "none changed"."""
        return bool(self.compared) and self.compared >= _ALWAYS_TOLD * self.measured


def in_changes(value: float | None, unit: str, sign: str = "", more: int = 0) -> Text:
    """Return a size of changes: `44 %`, `5.97 MHz`, `1.2 points`; `more` digits where it is known better."""
    return "–" if value is None else Message("plan-amount", value=_sized(value, unit, sign, more), unit=points(unit))


def _sized(value: float, unit: str, sign: str = "", more: int = 0) -> str:
    digits = {"MHz": 2, "pp": 1}.get(unit, 0) + more
    form = f".{digits}f" if round(value, digits) or not value else ".1g"  # what is small is not nothing
    return f"{value:{sign}{form}}"


def changed(row: Mapping[str, Any]) -> Text:
    """Return the change of a row: `-44 %`."""
    return in_changes(row[_change_of(row)], _unit_of(row), "+")


def change_with_error(row: Mapping[str, Any]) -> Text:
    """Return the change of a row with its uncertainty: `-44 ± 5 %`."""
    unit, change = _unit_of(row), row[_change_of(row)]
    error = row.get(f"± [{unit}]")
    if change is None or error is None:
        return changed(row)
    by = _sized(change, unit, "+")
    return Message("plan-change-with-error", change=by, error=_sized(error, unit), unit=points(unit))


def _change_of(row: Mapping[str, Any]) -> str:
    return next(name for name in row if name.startswith("change ["))


def _unit_of(row: Mapping[str, Any]) -> str:
    return _change_of(row).removeprefix("change [").removesuffix("]")


def _reads(ask: Ask) -> list[PlannedCall]:
    """From where there is a level to compare with: as long again before, at least three weeks."""
    before = ask.window.since and ask.window.since - timedelta(days=max(ask.window.days or 45, 21))
    return [ask.series(ask.metric.key, **ask.during(before))]


def _during(ask: Ask) -> Window:
    window = ask.named_window or Window.last(DEFAULT_DAYS, ask.now)
    end = window.until or ask.now
    return window if window.since else Window(end - timedelta(days=DEFAULT_DAYS), end)  # "before June": the days before


def looked_at(query: Query) -> tuple[str, ...]:
    """What is looked at where the question names no parameter: of these what can change by the amount."""
    default = DEFAULT_PARAMETERS if (query.direction or "either") == "either" else DEFAULT_PARAMETERS[:3]
    by = query.by
    return tuple(name for name in default if by is None or _rule_of(by, METRICS[name]) is not None)


def smallest(ask: Ask) -> tuple[list[str], list[str]]:
    """Return the smallest change that the question wants to hear of, as an argument; one on the scale of the values
    as a line.

    Raises:
        PlanFailed: its unit measures something else.
    """
    by, metric = ask.query.by, ask.metric
    if by is None:
        return [], []
    rule = change_rule(metric)
    if (found := _rule_of(by, metric)) is None:
        shown, unit = f"{by.value:g} {by.unit}", "%" if rule.unit == "pp" else rule.unit
        raise wrong_unit(shown, metric, ask.say, unit)
    value, unit = found
    if unit == rule.unit:
        return [f"smallest={value:g}"], []
    levels = f'({{frame}}["now [{unit}]"] - {{frame}}["before [{unit}]"]).abs()'
    return ["smallest=0"], [f'{{frame}}.loc[{levels} < {value:g}, "verdict"] = "stable"']


def _rule_of(by: Amount, metric: Metric) -> tuple[float, str] | None:
    """An amount in the unit of the metric's changes, else in that of its values; None where it is in neither."""
    for unit in (change_rule(metric).unit, metric.unit):  # percentage points are asked for in %
        known = factor(by.unit, "%" if unit == "pp" else unit) if by.unit else 1.0
        if known is not None:
            return by.value * known, unit
    return None


def _head(found: Moved) -> tuple[tuple[Text, ...], list[dict[str, Any]]]:
    """The sentences above the table, and its rows."""
    ask, kind, way, name, when = found.ask, found.metric.kind, found.direction, found.ask.name, found.ask.when
    if found.moved:
        unlisted = found.count - len(found.moved)
        names, count = some(found.qids, most=MOST_NAMED, in_order=False, unlisted=unlisted), things(found.count, kind)
        head = Message("plan-moved", things=count, direction=way, name=name, window=when, names=names)
        return (head, Message("plan-largest", count=len(found.moved)) if unlisted else ""), found.moved
    if ask.qids and found.compared:
        maybe = ids_of(found.maybe)
        untold = {*maybe, *ids_of(found.of("too few", "not measured", "unclear", "wandering"))}
        steady, heads = [qid for qid in ask.qids if qid not in untold], list[Text]()
        if maybe:
            names = some(maybe)
            heads.append(
                Message("plan-may-have-moved", name=name, names=names, direction=way, window=when, low=_LOW, high=_HIGH)
            )
        if steady:
            heads.append(Message("plan-did-not-move", name=name, names=some(steady), direction=way, window=when))
        return tuple(heads), [row for row in found.rows if row["verdict"] not in {"too few", "not measured"}]
    if found.can_tell:
        return (Message("plan-none-moved", kind=kind, direction=way, name=name, window=when),), []
    return ((_thin([found]),) if found.is_thin else ()), []


def _thin(found: Sequence[Moved]) -> Message:
    """That there are not enough measurements, by parameter."""
    names = []
    for one in found:
        of_them, way = things(one.measured, one.metric.kind), one.direction
        names.append(Message("plan-few-of", name=one.ask.name, compared=one.compared, things=of_them, direction=way))
    return Message("plan-few-compared", window=found[0].ask.when, names=tuple(names))


def _not_told(found: Moved) -> Iterator[Message]:
    """Who could not be told, and what would have been found of the others."""
    name = found.ask.name
    for word in ("too few", "unclear", "wandering"):
        if found.counts[word]:
            yield Message("plan-no-verdict", verdict=word.replace(" ", "-"), name=name, names=_whose(found, word))
    stable = sorted(row[f"detectable [{found.unit}]"] for row in found.of("stable"))
    if stable:
        yield Message("plan-detectable", name=name, size=in_changes(stable[len(stable) // 2], found.unit))


def _whose(found: Moved, verdict: str) -> Field:
    """Those of the verdict: their number where none is among the rows."""
    qids, count = ids_of(found.of(verdict)), found.counts[verdict]
    return some(qids, unlisted=count - len(qids)) if qids else things(count, found.metric.kind)


def _charts(found: Moved) -> list[Figure]:
    """The ones that moved over time, or all levels when none did."""
    ask, frame = found.ask, f"{found.ask.stem}_change"
    title, since = Message("plan-over-time", name=ask.name), ask.window.since_text
    if ask.qids or (found.moved and ask.query.errors):
        return ask.drawn(found.qids or ask.qids, title, since=since)
    if found.moved:  # run again for another time, it draws those that moved then
        verdicts, most = listed_code(sorted(MOVED[found.direction])), min(ask.query.count or MOST_LINES, MOST_LINES)
        which = f'{frame}["qid"][{frame}["verdict"].isin({verdicts})][:{most}]'
        return [Figure("series_chart", [str(ask.codes[0]), which, *([f'since="{since}"'] if since else [])], title)]
    title = Message("plan-before-and-now", name=ask.name, window=ask.when)
    return [Figure("levels_chart", [frame], title)] if found.compared else []


def _by_how_much(rows: Sequence[dict[str, Any]]) -> Field:
    told = (Message("plan-by-how-much", name=label(row["qid"]), change=changed(row)) for row in rows)
    return cut(told, MOST_LINES)


def _closing(ask: Ask, parts: Sequence[tuple[Ask, Rows]]) -> Told:
    """What counts as a change, how many false alarms to expect, who was not measured, and what else moved: once for
    all parameters.
    """
    every = [Moved(*part) for part in parts]
    found = [one for one in every if not one.ask.is_beside]
    moved = list(dict.fromkeys(qid for one in found for qid in one.qids))
    thin = [one for one in found if one.is_thin] if len(found) > 1 else []
    texts: list[Text] = [_thin(thin)] if thin else []
    if bad := [_now_of(one, qid) for one in thin for qid in one.beyond]:
        texts.append(Message("plan-worse-than-limits", names=tuple(bad)))
    texts += [*([_rules(found)] if len(thin) < len(found) else []), *_absent([one for one in found if one not in thin])]
    if ask.query.why and moved:
        texts += [*([] if any(map(is_coupling, moved)) else _companions(moved, every, ask.say)), WHY]
    # Where nothing moved, one chart all the same: run again for another time, the notebook shows what moved then.
    drawn = _charts(found[0]) if len(found) > 1 and not moved else []
    return Told(tuple(texts), drawn=drawn, assessment=assessment_of(found))


def _now_of(found: Moved, qid: str) -> Message:
    now = next(row[f"now [{found.metric.unit}]"] for row in found.rows if str(row["qid"]) == qid)
    return Message("plan-value-of", whose=label(qid), name=found.ask.name, value=number(now, found.metric))


def _rules(found: Sequence[Moved]) -> Text:
    rules = dict[Text, list[str]]()
    for one in found:
        rule, by = change_rule(one.metric), one.ask.query.by
        value, unit = (rule.smallest, rule.unit) if by is None else _rule_of(by, one.metric) or (by.value, by.unit)
        shown = Message("plan-percentage-points", value=value) if unit == "pp" else f"{value:g} {unit}"
        rules.setdefault(shown, []).append(one.ask.name)
    how: Text = Message("plan-rule", rule=next(iter(rules)), sigmas=_HIGH)
    if len(rules) > 1:
        several = [Message("plan-rule-of", rule=rule, names=all_of(names)) for rule, names in rules.items()]
        how = Message("plan-rules", rules=one_of(several), sigmas=_HIGH)
    if found[0].ask.qids:
        return how
    measured = dict.fromkeys(things(one.measured, one.metric.kind) for one in found)
    tested = sum(one.tested for one in found)
    return sentences(how, Message("plan-measured", things=tuple(measured)), false_alarms(tested))


def _absent(found: Sequence[Moved]) -> list[Text]:
    absent: dict[Field, list[str]] = {}
    for one in found:
        if one.counts["not measured"]:
            absent.setdefault(_whose(one, "not measured"), []).append(one.ask.name)
    if len(absent) == 1:
        return [Message("plan-not-measured", names=names) for names in absent]
    return [Message("plan-of-these-not-measured", metrics=(*of,), names=names) for names, of in absent.items()]


def false_alarms(compared: int) -> Message:
    """Return how many false alarms to expect."""
    return Message("plan-false-alarms", alarms=f"{compared * FALSE_ALARMS:.1g}", compared=compared)


def _companions(qids: Sequence[str], found: Sequence[Moved], say: Say) -> list[Text]:
    """What else moved on the same elements, for a question about the cause."""
    facts = []
    for qid in qids[:MOST_ROWS]:
        of_it = tuple(_fact(one, row) for one in found for row in one.noted if row["qid"] == qid)
        facts.append(say(Message("plan-facts", name=label(qid), facts=of_it)))
    names = all_of(one.ask.name for one in found)
    return [Message("plan-companions", names=names), "\n".join(facts)]


def _fact(found: Moved, row: dict[str, Any]) -> Message:
    name, change = found.ask.name, changed(row)
    if row["verdict"] in {"fell", "rose"}:
        return Message("plan-fact", name=name, change=change, since=(row["since"] or "–")[:10])
    return Message("plan-fact-in-noise", name=name, change=change, sigmas=f"{abs(row['sigmas']):.1f}")


def assessment_of(found: Sequence[Moved]) -> Assessment | None:
    """Bad when a tenth of the elements got worse or one that did is worse than the limit now; a warning when any moved.

    None when too little could be told, for no news of nothing is not good news, and where nothing moved but some are
    worse than the limit; bad where these are the ones that the question is about.
    """
    worst: Assessment | None = None
    for one in found:
        scoring = one.metric.scoring
        worst = worst or ("good" if one.can_tell else None)
        many = one.measured >= 1 / SHARE_THAT_IS_BAD and len(one.worse) >= SHARE_THAT_IS_BAD * one.measured
        if one.worse and (many or {*ids_of(one.worse)} & {*one.beyond}):
            return "bad"
        if one.worse or (one.moved and scoring is None):
            worst = "warning"
    if worst == "good" and any(one.beyond for one in found):
        return "bad" if found[0].ask.qids else None
    return worst


@answer(
    f"{WHOSE} direction! by how_many count errors",
    _reads,
    each="metrics",
    names=looked_at,
    beside=lambda query: DEFAULT_PARAMETERS if query.why and query.kind != "coupling" else (),
    during=_during,
    closing=_closing,
    over_time=True,
    answers=lambda query: (
        (query.metrics or query.window or len(query.qids) != 1) and (not query.count or len(query.metrics) == 1)
    ),
)
def change(ask: Ask) -> Telling:
    """One parameter: who moved, by how much, and who could not be told."""
    arguments, last = smallest(ask)
    window = ask.window
    if window.days is not None and window.days < SHORT_DAYS:
        arguments.append("fewest=1")
    [rows] = yield ask.by_method("changes", "change", f'since="{window.since_text}"', *arguments, last=last)
    found = Moved(ask, rows)
    is_one = len(ask.asked_for) == 1
    if ask.is_beside or (found.is_thin and not is_one):  # told once for all parameters
        return Told("")
    head, listed = _head(found)
    after: list[Text] = []
    if not ask.qids and ask.query.by is None and found.maybe:
        after.append(Message("plan-uncertain", names=_by_how_much(found.maybe), low=_LOW, high=_HIGH))
    if found.worse and found.direction != "either" and not {*ids_of(found.worse)} & {*found.qids}:
        after.append(Message("plan-got-worse", names=_by_how_much(found.worse)))
    if found.beyond and not is_one:
        values = [_now_of(found, qid) for qid in found.beyond]
        after.append(Message("plan-worse-than-limits", names=cut(values, MOST_NAMED)))
    elif found.beyond:
        limit = f"{found.limit:g} {found.metric.unit}"
        after.append(Message("plan-worse-than-limit", limit=limit, names=some(found.beyond, MOST_NAMED)))
    if found.moved or found.can_tell or ask.qids:  # else the head says that hardly any could be compared
        after += _not_told(found)
    shown = columns(
        "element before~ now~ change since",
        found.metric,
        change=change_with_error,
        since=lambda row: (row["since"] or "")[:10],
    )
    shown["n"] = lambda row: f"{row['n before']} + {row['n now']}"
    drawn = _charts(found) if found.moved or is_one else []
    return Told(head, shown, listed, drawn=drawn, after=after, names=found.qids, most=MOST_ROWS)


GOT_WORSE = replace(change, takes="qids! direction!", answers=lambda query: len(query.qids) == 1)
"""What answers whether a qubit got worse."""


# --- two times ------------------------------------------------------------------------------------------------------


def _in_order(query: Query) -> list[Window]:
    """The two times, the earlier one first: changes go forward."""
    return sorted(filter(None, (query.window, query.against)), key=lambda window: window.since or EVER)


def _both_times(ask: Ask) -> list[PlannedCall]:
    first, second = _in_order(ask.query)
    both = replace(ask, query=replace(ask.query, window=Window(first.since, second.until)))
    return [both.series(ask.metric.key)]


@series_answer(
    f"{WHOSE} window! against! direction errors",
    reads=_both_times,
    names=looked_at,
    answers=lambda query: query.window != query.against,
)
def windows(ask: Ask) -> Telling:
    """The windows of each element, and where these are all, the change of all of them."""
    first, second = _in_order(ask.query)
    ends = [f"({_end(window.since_text)}, {_end(window.until_text)})" for window in (first, second)]
    whole = ask.by_method("compare_windows", "windows", *ends)
    cells, frame = [whole], f"{ask.stem}_of_chip"
    if not (ask.qids or ask.query.without or ask.query.conditions):
        given = [f"[{whole.frame}.attrs]", f"columns={listed_code((*OF_ALL, OF_VERDICT))}"]
        cells.append(Made(called(frame, "pd.DataFrame", *given), frame))
    rows, *of_all = yield cells
    counts, words = Counter(rows.counts("verdict")), {"first": window_words(first), "second": window_words(second)}
    tested = sum(counts[one] for one in ("fell", "rose", "stable", "unclear", "wandering"))
    chip = [_of_chip(ask, row, words) for one in of_all for row in one if all(row[name] is not None for name in OF_ALL)]
    if chip:
        counts["unclear"] += counts.pop("too few", 0)
    told = tuple(
        verdict(one) if len(rows) == 1 else Message("plan-count-of", count=count, what=verdict(one))
        for one, count in counts.items()
        if count
    )
    one = _of_one(ask, rows[0], words) if len(rows) == 1 and not chip else None
    each = one or Message("plan-windows", name=ask.name, first=words["first"], second=words["second"], counts=told)
    if chip:
        each = Message("plan-one-by-one", kind=ask.metric.kind, counts=told)
    moved = [row for row in rows if row["verdict"] in MOVED[ask.query.direction or "either"]]
    shown = [*rows] if ask.qids else moved
    if len(ask.asked_for) == 1:
        shown = shown or [row for row in rows if row["verdict"] not in {"too few", "not measured"}]
    listed = columns(
        "element first~ then=second~ change verdict", ask.metric, change=change_with_error, verdict=_moved_words
    )
    rule = change_rule(ask.metric)
    hidden = [row for row in shown if row["since"] is not None and abs(row[f"change [{rule.unit}]"]) < rule.smallest]
    late = Message("plan-medians-hide", names=some(ids_of(hidden))) if hidden else ""
    alarms = "" if ask.qids else false_alarms(tested)
    charts = ask.drawn(ids_of(moved) or ask.qids, since=second.since_text)
    return Told((*chip, each), None if one else listed, shown, None, charts, [late, alarms, *ask.missing(rows)])


def _end(moment: str | None) -> str:
    return "None" if moment is None else f'"{moment}"'


def _of_one(ask: Ask, row: Mapping[str, Any], words: Mapping[str, Message]) -> Message | None:
    """The medians of one element at both times, which need no table; None where one is missing."""
    if row["verdict"] in {"too few", "not measured"}:
        return None
    before, now = (number_in(row, f"{name} [{ask.metric.unit}]", ask.metric) for name in ("first", "second"))
    return Message(
        "plan-windows-of-one",
        name=ask.name,
        whose=label(row["qid"]),
        first=words["first"],
        second=words["second"],
        before=before,
        now=now,
        change=change_with_error(row),
        verdict=_moved_words(row),
    )


def _moved_words(row: Mapping[str, Any]) -> Text:
    """The verdict; of what fell or rose with size and date, which the medians may hide."""
    if row["since"] is None:
        return verdict(row["verdict"])
    (by,) = (name for name in row if name.startswith("by ["))
    change = in_changes(row[by], by[4:-1], "+")
    return Message("plan-fact", name=verdict(row["verdict"]), change=change, since=row["since"][:10])


def _of_chip(ask: Ask, row: Mapping[str, Any], words: Mapping[str, Message]) -> Message:
    """The median change of all elements, with its interval."""
    sign, unit = -1 if ask.query.errors else 1, change_rule(ask.metric).unit
    change, low, high = (sign * row[name] for name in OF_ALL)
    low, high = sorted((low, high))
    side = "rose" if low > 0 else "fell" if high < 0 else "none"
    way = side if side == "none" or row[OF_VERDICT] != "unclear" else f"perhaps-{side}"
    by, start, end = (in_changes(value, unit, "+", more=1) for value in (change, low, high))
    first, then = words["first"], words["second"]
    return Message(
        "plan-windows-of-chip", name=ask.name, first=first, second=then, change=by, low=start, high=end, way=way
    )


# --- jumps ----------------------------------------------------------------------------------------------------------


@series_answer(
    f"metrics qids direction! by {TIMES}", names=looked_at, answers=lambda query: query.metrics or len(query.qids) == 1
)
def when_changed(ask: Ask) -> Telling:
    """When a parameter jumped or began to drift, and by how much."""
    given, last = smallest(ask)
    verdicts = listed_code(sorted(MOVED[ask.query.direction or "either"]))
    last.append(f'{{frame}} = {{frame}}[{{frame}}["verdict"].isin({verdicts})]')
    [rows] = yield ask.by_method(
        "jumps", "jumps", *given, last=last if ask.query.direction != "either" or given else []
    )
    if not rows:
        words = Message("plan-no-jump", name=ask.name, whose=ask.whose, window=ask.when)
        return Told(words, drawn=ask.drawn(ask.qids) if len(ask.asked_for) == 1 else [])
    shown = columns(
        "element since how change before~ now~",
        ask.metric,
        how=lambda row: Message("plan-jump-kind", kind=row["kind"]),
        change=changed,
    )
    first, by = rows[0], changed(rows[0])
    kind, whose, at = first["kind"], label(first["qid"]), first["since"][:10]
    before, now = (number(first[f"{side} [{ask.metric.unit}]"], ask.metric) for side in ("before", "now"))
    head = Message(
        "plan-jumped", kind=kind, name=ask.name, whose=whose, at=at, by=by, before=before, now=now, more=len(rows) - 1
    )
    return Told(head, shown, rows, drawn=ask.drawn(list(dict.fromkeys(ids_of(rows)))))
