"""Current values of elements and outputs of results; what tools say of single ones: excluded, hard to believe."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.compact import decimals_left
from qdash_jupyter.domain.metrics import METRICS, Grade, Metric, MetricTable
from qdash_jupyter.domain.qid import is_coupling, of_ranges, other_direction
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.operations.parameters import error_of
from qdash_jupyter.llm.offline.operations.row import (
    MOST_CALLS,
    Ask,
    Made,
    Rows,
    Telling,
    Told,
    answer,
    called,
    listed_code,
)
from qdash_jupyter.llm.offline.phrases import (
    Columns,
    Say,
    age_words,
    columns,
    grade_words,
    ids,
    label,
    quoted,
    some,
    why_words,
)
from qdash_jupyter.llm.offline.plan import CallOutcome, PlanFailed, PlannedCall, planned
from qdash_jupyter.llm.offline.query import moment_text
from qdash_jupyter.messages.message import Message, Text, all_of, cut

_MOST_FLAGS = 5
_FLAG = re.compile(r"\b(excluded|unreadable|impossible|suspicious): ")
_COUNTED = re.compile(r"(\d+) of (\d+): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an element in words, on the displayed scale and with its unit; why there is none."""

    qid: str
    metric: Metric
    text: str
    age: Text = ""
    missing: bool = False
    flag: str = ""

    @property
    def counts(self) -> bool:
        """Whether the value itself is in no doubt: in place of one that was excluded stands the newest that counts."""
        return not self.missing and {*_FLAG.findall(self.flag)} <= {"excluded"}

    @property
    def number(self) -> float:
        """It as it is shown."""
        return float(self.text.split()[0])

    @property
    def grade(self) -> Grade | None:
        """Where the thresholds put it."""
        scoring = self.metric.scoring
        return None if scoring is None or self.missing else scoring.grade(self.number)

    def in_words(self, say: Say) -> str:
        """Return it as a cell of a table."""
        return flag_in(say, self.text) if self.missing else self.text


def value_of(
    qid: str, parameter: str, record: Mapping[str, Any], metrics: MetricTable, *, errors: bool = False
) -> Value:
    """Return a value of a record: `value`, `error`, `unit`, `age_days`, and what is to be known of it, `flag`; with
    `errors` it is 1 - fidelity.
    """
    metric, days = metrics.of(parameter, record.get("unit", "")), record.get("age_days")
    metric = error_of(metric) if errors else metric
    age, flag = "" if days is None else age_words(days), record.get("flag") or ""
    if record.get("value") is None:
        return Value(qid, metric, flag or "–", age, missing=True)
    return Value(qid, metric, shown_value(record, metric), age, flag=flag)


def shown_value(record: Mapping[str, Any], metric: Metric) -> str:
    """`74.0 ± 3.7 μs`: a record's value and error on the displayed scale, of an output with what is told."""
    unit = metric.unit if metric.scale != 1 else record.get("unit") or ""
    value, error = record["value"], record.get("error") or 0
    if isinstance(value, str):
        return value
    value, error = value * metric.scale, error * metric.scale
    known = [decimals_left(value, error, of_error=1)] if record.get("is_output") and error else []
    return with_error(value, error, unit, *known)


def outputs_of(qid: str, result: Mapping[str, Any], metrics: MetricTable) -> list[Value]:
    """The outputs of a result of a task."""
    outputs = (result.get("output_parameters") or {}).items()
    records = ((name, dict(one) if isinstance(one, Mapping) else {"value": one}) for name, one in outputs)
    return [value_of(qid, name, record | {"is_output": True}, metrics) for name, record in records]


def value_columns(values: Sequence[Value], say: Say) -> Columns:
    """Return columns with the grades; whose they are only where there are several, ages only where there are any."""
    kept = {"element": len({one.qid for one in values}) > 1}
    kept |= {"grade": any(one.grade for one in values), "age": any(one.age for one in values)}
    return columns(
        "element parameter value grade age",
        without={heading for heading, is_kept in kept.items() if not is_kept},
        element=lambda one: label(one.qid),
        parameter=lambda one: say.name(one.metric),
        value=lambda one: one.in_words(say),
        grade=lambda one: grade_words(one.grade) if one.grade else "–",
        age=lambda one: one.age,
    )


def assessment_of_values(values: Collection[Value]) -> Assessment | None:
    """Bad where one is; a warning where one is below good, has no fit or a flag; None where no thresholds apply."""
    grades = {value.grade for value in values} - {None}
    if "bad" in grades:
        return "bad"
    if "below good" in grades or any((value.missing or value.flag) and value.metric.scoring for value in values):
        return "warning"
    return "good" if grades else None


def bad_words(values: Iterable[Value], say: Say) -> list[Text]:
    """The values beyond the lab's limits, as a sentence; nothing where there are none."""
    bad = _graded(values, "bad", say)
    return [Message("plan-worse-than-limits", names=bad)] if bad else []


def _graded(values: Iterable[Value], grade: Grade, say: Say) -> tuple[Message, ...]:
    return tuple(
        Message("plan-value-of", whose=label(one.qid), name=say.name(one.metric), value=one.text)
        for one in values
        if one.grade == grade
    )


def flag_words(outcomes: Iterable[CallOutcome], ask: Ask) -> str:
    """What summaries and series say of single values of the parameters and elements that the question names (of all,
    where it names none), as a list in Markdown; empty where there is nothing to say.
    """
    flags, left, names, qids = dict[tuple[str, str], str](), 0, ask.query.named, ask.qids
    for outcome in outcomes:
        left += 0 if qids else outcome.content.get("_more", {}).get("flagged", 0)
        flagged = outcome.content.get("flagged")
        for name, words in flagged.items() if isinstance(flagged, dict) else ():
            qid, _, parameter = name.partition(" ")
            parameter = parameter or str(outcome.content.get("parameter_name", ""))
            if (not names or parameter in names) and (not qids or qid in qids):
                flags[qid, parameter] = words
    return _listed(flags, ask, left)


def _listed(flags: Mapping[tuple[str, str], str], ask: Ask, left: int = 0) -> str:
    """The flags by id and parameter, with `left` more that were not told."""
    say, items = ask.say, list[Message]()
    for (qid, parameter), words in flags.items():
        name = say.name(ask.metrics.of(parameter))
        items.append(Message("plan-flag", whose=label(qid), name=name, flag=flag_in(say, words)))
    if left := left + len(items[_MOST_FLAGS:]):
        items[_MOST_FLAGS:] = [Message("plan-more-flags", count=left)]
    return "\n".join([say(Message("plan-doubts")), "", *map(say, items)]) if items else ""


def flag_in(say: Say, words: str) -> str:
    """Return what a tool says of a value, with what kind of flag it is in the language."""
    if isinstance(why := why_words(words), Message):
        return say(why)
    if counted := _COUNTED.fullmatch(words):
        flag, count, number = flag_in(say, counted[3]), int(counted[1]), int(counted[2])
        return say(Message("plan-flag-count", flag=flag, count=count, all=number))
    return _FLAG.sub(lambda found: say(Message("plan-flag-kind", kind=found[1])), quoted(words))


# --- the current values of one qubit, or of couplings -----------------------------------------------------------------


def _current_reads(ask: Ask) -> list[PlannedCall]:
    names = [*ask.query.metrics] or None
    if not ask.is_of_couplings:
        return [planned("get_qubit_params", qid=ask.qid, param_names=names)]
    of = {"coupling_id" if is_coupling(str(ask.qid)) else "qubit_id": ask.qid}
    return [planned("get_coupling_params", **of, param_names=names)]


@answer("metrics qids! errors", _current_reads, each="qids", most=MOST_CALLS)
def current(ask: Ask) -> Telling:
    """All values as they are stored."""
    [outcome], [qid], notes = ask.outcomes, ask.qids, list[Text]()
    [rows] = yield ask.as_stored("values" if ask.is_of_couplings else "parameters", "current")
    values = values_in([{"qid": qid} | (_as_error(row) if ask.query.errors else row) for row in rows], ask)
    never = [name for name in str(outcome.content.get("never_calibrated", "")).split(", ") if name]
    if not ask.is_of_couplings:
        values += [Value(qid, ask.metrics.of(name), "never calibrated", missing=True) for name in never]
    elif never:
        notes.append(Message("plan-never-calibrated", names=tuple(map(label, never))))
    if "note" in outcome.content:
        notes.append(Message("plan-other-direction", asked=label(qid), stored=label(other_direction(qid))))
    of_all = ask.is_of_couplings and not is_coupling(qid)
    whose = Message("plan-couplings-of", name=label(qid)) if of_all else label(qid)
    after = [*bad_words(values, ask.say), *notes, flagged(values, ask)]
    head, shown = Message("plan-current-parameters", whose=whose), value_columns(values, ask.say)
    return Told(head, shown, values, assessment_of_values(values), after=after, most=len(values))


def _as_error(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a fidelity with its error."""
    return dict(row) | ({} if row["value"] is None else {"value": 1 - row["value"]})


def flagged(values: Sequence[Value], ask: Ask) -> str:
    """Return a list in Markdown of the values that are flagged; empty where none is."""
    flags = {(one.qid, one.metric.key): one.flag for one in values if one.flag}
    return _listed(flags, ask)


def values_in(rows: Sequence[Mapping[str, Any]], ask: Ask) -> list[Value]:
    """Return the values in rows of current values."""
    errors = ask.query.errors
    return [value_of(str(row["qid"]), row["parameter"], row, ask.metrics, errors=errors) for row in rows]


# --- several side by side ---------------------------------------------------------------------------------------------

MOST_METRICS, MOST_SIDE_BY_SIDE = 6, 12
_HISTORY_DAYS = 60
_TWO, _CLEAR_Z = 2, 3

Values = Mapping[tuple[str, str], Value]
"""By element and parameter."""


def _compared_reads(ask: Ask) -> list[PlannedCall]:
    since = moment_text(ask.now - timedelta(days=_HISTORY_DAYS))
    return [ask.summary(), ask.series(ask.metric.key, since=since)]


def current_values(ask: Ask) -> Made:
    """Return a cell with the current values of the elements that the question names.

    Raises:
        PlanFailed: the chip does not have one of them.
    """
    check_on_chip(ask)
    if ask.is_of_couplings:
        lines = called("current", f'{ask.codes[0]}["qubits"].rename', 'columns={"latest": "value"}')
        lines.append(f'current = current.assign(parameter="{ask.metric.key}", unit={ask.codes[0]}["unit"])')
    else:
        lines = [f'current = {ask.codes[0]}["values"]']
        lines.append(f'current = current[current["qid"].isin({listed_code(ask.qids)})]')
    columns = ["qid", "parameter", "value", *([] if ask.is_of_couplings else ["error", "flag"]), "unit", "age_days"]
    lines.append(f"current = current[{listed_code(columns)}]")
    lines += ['current = current.assign(value=1 - current["value"])'] if ask.query.errors else []
    return Made(lines, "current")


def _values_in(rows: Sequence[Mapping[str, Any]], ask: Ask) -> Values:
    of = {(one.qid, one.metric.key): one for one in values_in(rows, ask)}
    return of | ({(other_direction(qid), name): one for (qid, name), one in of.items()} if ask.is_of_couplings else {})


def check_on_chip(ask: Ask) -> None:
    """See that the chip has the qubits of the question, by the summary.

    Raises:
        PlanFailed: the question names others. They would read as qubits without values.
    """
    if ask.is_of_couplings:
        return  # their series are looked up by what the question names
    content = ask.outcomes[0].content
    known = of_ranges(content.get("qids", f"0-{content['num_qubits'] - 1}"))
    if others := [qid for qid in ask.qids if qid not in known]:
        ends = label(known[0]), label(known[-1])
        raise PlanFailed(Message("plan-not-on-chip", names=ids(others), first=ends[0], last=ends[1]))


@answer(
    "metrics qids errors",
    lambda ask: [ask.series(ask.metric.key, last_n=3) if ask.is_of_couplings else ask.summary()],
    answers=lambda query: (
        len(query.qids) > 1 and 0 < len(query.metrics) <= (1 if query.kind == "coupling" else MOST_METRICS)
    ),
)
def side_by_side(ask: Ask) -> Telling:
    """The current values of several elements."""
    [rows] = yield current_values(ask)
    of, names = _values_in(rows, ask), ask.query.metrics
    columns: Columns = {"": label}
    for name in names:
        columns[ask.named(name)] = partial(_cell, of, ask.say, name=name, aged=len(names) > 1)
    if len(names) == 1:
        columns[Message("plan-heading-age")] = lambda qid: one.age if (one := of.get((qid, names[0]))) else "–"
    told = [one for one in of.values() if one.metric.key == names[0] and one.counts]
    head: Text = Message("plan-no-value", what=ask.name)
    if told:
        low, high = (choose(told, key=lambda one: one.number) for choose in (min, max))
        ends = label(low.qid), label(high.qid)
        name = ask.named(names[0])
        head = Message("plan-from-lowest", name=name, low=low.text, low_of=ends[0], high=high.text, high_of=ends[1])
        if len(told) == 1:
            head = Message("plan-only-value", name=name, value=low.text, whose=ends[0])
        elif low.text == high.text:
            head = Message("plan-same-value", name=name, value=low.text)
    return Told(head, columns, ask.qids, assessment_of_values(_counted(of)), after=_notes(of, ask))


@answer(
    "metrics qids!",
    _compared_reads,
    answers=lambda query: query.kind != "coupling" and len(query.qids) <= MOST_SIDE_BY_SIDE,
)
def compared(ask: Ask) -> Telling:
    """Elements against parameters, the more of both as the lines; and one parameter over time."""
    [rows] = yield current_values(ask)
    of = _values_in(rows, ask)
    names = ask.query.metrics or tuple(name for name, metric in METRICS.items() if metric.kind == "qubit")
    shown = [name for name in names if any((qid, name) in of for qid in ask.qids)]
    empty = [qid for qid in ask.qids if not any((qid, name) in of for name in shown)]
    none = [Message("plan-no-results-at-all", names=some(empty))] if empty else []
    if len(empty) == len(ask.qids):
        return Told(none[0])
    cell = partial(_cell, of, ask.say, aged=True)
    by_name: Columns = {"": ask.named} | {label(qid): partial(cell, qid) for qid in ask.qids}
    by_qid: Columns = {"": label} | {ask.named(name): partial(cell, name=name) for name in shown}
    columns, lines = (by_qid, ask.qids) if len(ask.qids) > len(shown) else (by_name, shown)
    drawn = ask.drawn(ask.qids, ask.name, "deviation=False", code=ask.codes[1]) if ask.codes[1] else []
    heads = Message("plan-compared", names=ids(ask.qids)), *_better(of, rows, ask)
    return Told(heads, columns, lines, None, drawn, [*none, *_notes(of, ask)])


def _better(of: Values, rows: Rows, ask: Ask) -> list[Message]:
    """Of two qubits, in which parameters each is the better one: by at least 3 σ, where the values count."""
    if len(ask.qids) != _TWO:
        return []
    records = {(str(row["qid"]), row["parameter"]): row for row in rows}
    found: dict[str, list[str]] = {qid: [] for qid in ask.qids}
    is_compared = False
    for name in dict.fromkeys(name for _, name in of):
        metric = ask.metrics.of(name)
        pair = [records[qid, name] for qid in ask.qids if (qid, name) in of and of[qid, name].counts]
        if len(pair) < _TWO or metric.higher_is_better is None or not all(row["error"] for row in pair):
            continue
        is_compared = True
        more = float(pair[0]["value"]) - float(pair[1]["value"])
        if abs(more) >= _CLEAR_Z * math.hypot(*(row["error"] for row in pair)):
            found[ask.qids[(more > 0) != metric.higher_is_better]].append(ask.named(name))
    better = [
        Message("plan-better", name=label(qid), z=_CLEAR_Z, what=all_of(what)) for qid, what in found.items() if what
    ]
    return better or [Message("plan-none-better", z=_CLEAR_Z)] * is_compared


def _counted(of: Values) -> list[Value]:
    return [one for one in of.values() if one.missing or one.counts]


def _notes(of: Values, ask: Ask) -> list[Text]:
    counted = _counted(of)
    short = _graded(counted, "below good", ask.say)
    below = [Message("plan-below-good", names=cut(short, _MOST_FLAGS))] if short else []
    return [*bad_words(counted, ask.say), *below, flagged([*of.values()], ask)]


def _cell(of: Values, say: Say, qid: str, name: str, *, aged: bool) -> str:
    """The value with its error and age; of one in doubt only which kind of doubt there is."""
    one = of.get((qid, name))
    if one is None:
        return "–"
    if not one.counts:
        return flag_in(say, one.flag or one.text).partition(":")[0].partition("：")[0]
    return f"{one.text} ({say(one.age)})" if aged and one.age else one.text
