"""Values as they stand: the current ones of a qubit or of couplings, and the outputs of a result; and what tools say of
single ones: excluded, unreadable, hard to believe.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Grade, Metric, MetricTable
from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.phrases import VALUE, Columns, Say, grade_words, label, quoted, why_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import Message, Text

_GRADE, _AGE = Message("plan-heading-grade"), Message("plan-heading-age")
_MOST_FLAGS = 5
_FLAG = re.compile(r"\b(excluded|unreadable|impossible|suspicious): ")
_COUNTED = re.compile(r"(\d+) of (\d+): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an element in words, on the displayed scale and with its unit; why there is none."""

    qid: str
    metric: Metric
    text: str
    age: str = ""
    missing: bool = False
    flag: str = ""

    @property
    def grade(self) -> Grade | None:
        """Where the thresholds put it."""
        scoring = self.metric.scoring
        return None if scoring is None or self.missing else scoring.grade(float(self.text.split()[0]))


def value_of(qid: str, parameter: str, told: Mapping[str, Any] | str, metrics: MetricTable) -> Value:
    """A value as a tool tells it: a record, or in a summary its words, `97.72 ± 0.10 %, 5.1 d`."""
    if isinstance(told, str):
        text, _, age = told.rpartition(", ")
        text, _, flag = text.partition(" (")
        missing = not text[:1].isdigit() and not text.startswith("-")
        return Value(qid, metrics.of(parameter), text, age, missing=missing, flag=flag.removesuffix(")"))
    metric = metrics.of(parameter, told.get("unit", ""))
    days = told.get("age_days")
    age = "" if days is None else f"{days:.1f} d"
    if told.get("value") is None:
        return Value(qid, metric, told.get("flag") or told.get("missing") or "–", age, missing=True)
    return Value(qid, metric, shown_value(told, metric), age, flag=told.get("flag") or "")


def shown_value(record: Mapping[str, Any], metric: Metric) -> str:
    """`74.0 ± 3.7 μs`: a record's value and error on the displayed scale."""
    unit = metric.unit if metric.scale != 1 else record.get("unit") or ""
    value, error = record["value"], record.get("error") or 0
    if isinstance(value, str):
        return value
    return with_error(value * metric.scale, error * metric.scale, unit)


def outputs_of(qid: str, result: Mapping[str, Any], metrics: MetricTable) -> list[Value]:
    """The outputs of a result of a task."""
    return [
        value_of(qid, name, record if isinstance(record, Mapping) else {"value": record}, metrics)
        for name, record in (result.get("output_parameters") or {}).items()
    ]


def value_table(values: Sequence[Value], say: Say) -> str:
    """The values with their grades; whose they are only where there are several, ages only where there are any."""
    columns: Columns = {
        "": lambda one: label(one.qid),
        Message("plan-heading-parameter"): lambda one: say.name(one.metric),
        VALUE: lambda one: flag_in(say, one.text) if one.missing else one.text,
        _GRADE: lambda one: grade_words(one.grade) if one.grade else "–",
        _AGE: lambda one: flag_in(say, one.age),
    }
    kept: dict[Text, bool] = {"": len({one.qid for one in values}) > 1, _GRADE: any(one.grade for one in values)}
    kept[_AGE] = any(one.age for one in values)
    return say.table({words: cell for words, cell in columns.items() if kept.get(words, True)}, values)


def assessment_of_values(values: Collection[Value]) -> Assessment | None:
    """Bad where one is; a warning where one is below good or has no fit; None where no thresholds apply."""
    grades = {value.grade for value in values} - {None}
    if "bad" in grades:
        return "bad"
    if "below good" in grades or any(value.missing and value.metric.scoring for value in values):
        return "warning"
    return "good" if grades else None


def bad_words(values: Iterable[Value], say: Say) -> list[str]:
    """The values beyond the lab's limits, as a sentence; nothing where there are none."""
    bad = tuple(f"{label(one.qid)} {say.name(one.metric)} {one.text}" for one in values if one.grade == "bad")
    return [say(Message("plan-worse-than-limits", names=bad))] if bad else []


def qubit_values(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_qubit_params`: rows by parameter, or the summary of that."""
    qid, rows = query.qids[0], outcome.rows
    told = outcome.content["current"] if rows is None else {row["parameter"]: row for row in rows}
    told |= {name: {"missing": "never calibrated"} for name in _never(outcome)}
    return _current(label(qid), {qid: told}, [], query, metrics)


def coupling_values(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_coupling_params`: rows by coupling and parameter, or the summary of that."""
    rows, content = outcome.rows, outcome.content
    by_coupling: dict[str, dict[str, Any]] = {} if rows is not None else content["current"]
    for row in rows or ():
        by_coupling.setdefault(row["qid"], {})[row["parameter"]] = row
    notes = []
    if "note" in content:
        asked = query.qids[0]
        told = Message("plan-other-direction", asked=label(asked), stored=label(other_direction(asked)))
        notes.append(query.say(told))
    if never := _never(outcome):
        notes.append(query.say(Message("plan-never-calibrated", names=tuple(map(label, never)))))
    name = label(query.qids[0])
    whose = name if "-" in query.qids[0] else Message("plan-couplings-of", name=name)
    return _current(whose, by_coupling, notes, query, metrics)


def _never(outcome: CallOutcome) -> list[str]:
    return [name for name in str(outcome.content.get("never_calibrated", "")).split(", ") if name]


def _current(
    whose: Text, told: Mapping[str, Mapping[str, Any]], notes: Sequence[str], query: Query, metrics: MetricTable
) -> Finding:
    values = [
        value_of(qid, name, one, metrics)
        for qid, of_element in told.items()
        for name, one in of_element.items()
        if not name.startswith("_")
    ]
    say = query.say
    parts = [
        say(Message("plan-current-parameters", whose=whose)),
        value_table(values, say),
        *bad_words(values, say),
        *notes,
        flag_list({(one.qid, one.metric.key): one.flag for one in values if one.flag}, say, metrics),
    ]
    return Finding("\n\n".join(filter(None, parts)), assessment_of_values(values))


def flag_words(
    outcomes: Iterable[CallOutcome],
    say: Say,
    metrics: MetricTable,
    names: Collection[str] = (),
    qids: Collection[str] = (),
) -> str:
    """What summaries and series say of single values of these parameters and elements (all, unless some are named), as
    a list in Markdown; empty where there is nothing to say.
    """
    flags: dict[tuple[str, str], str] = {}
    for outcome in outcomes:
        flagged = outcome.content.get("flagged")
        for name, words in flagged.items() if isinstance(flagged, dict) else ():
            qid, _, parameter = name.partition(" ")
            parameter = parameter or str(outcome.content.get("parameter_name", ""))
            if (not names or parameter in names) and (not qids or qid in qids):
                flags[qid, parameter] = words
    return flag_list(flags, say, metrics)


def flag_list(flags: Mapping[tuple[str, str], str], say: Say, metrics: MetricTable) -> str:
    """A list in Markdown of the flags by id and parameter; empty where there are none."""
    items = [
        Message("plan-flag", name=f"{label(qid)} {say.name(metrics.of(parameter))}", flag=flag_in(say, words))
        for (qid, parameter), words in flags.items()
    ]
    if len(items) > _MOST_FLAGS:
        items[_MOST_FLAGS:] = [Message("plan-more-flags", count=len(items) - _MOST_FLAGS)]
    return "\n".join([say(Message("plan-doubts")), "", *map(say, items)]) if items else ""


def flag_in(say: Say, words: str) -> str:
    """Return what a tool says of a value, with what kind of flag it is in the language."""
    if isinstance(why := why_words(words), Message):
        return say(why)
    if counted := _COUNTED.fullmatch(words):
        flag, count, number = flag_in(say, counted[3]), int(counted[1]), int(counted[2])
        return say(Message("plan-flag-count", flag=flag, count=count, all=number))
    return _FLAG.sub(lambda found: say(Message("plan-flag-kind", kind=found[1])), quoted(words))
