"""The table that a question is about: which values are read, and the lines of a cell that compute and filter them."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

from qdash_jupyter.domain.metrics import Metric, MetricTable, Scoring
from qdash_jupyter.domain.qid import is_coupling, other_direction
from qdash_jupyter.domain.units import factor
from qdash_jupyter.llm.offline.operations.code import called, cell_of, method_cell
from qdash_jupyter.llm.offline.operations.reliable import kept_of
from qdash_jupyter.llm.offline.phrases import Say, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import EVER, Amount, Condition, Query, Statistic, Window, moment_text
from qdash_jupyter.messages.message import Field, Message, Text, all_of, sentences
from qdash_jupyter.methods.smallest import change_rule

Asking = Generator[Sequence[PlannedCall], Sequence[CallOutcome], Any]

MEETING = "from qdash_jupyter.methods import meeting"
COUPLING_GATE = "zx90_gate_fidelity"

_HOW = {
    ("below", False): "below",
    ("below", True): "at-most",
    ("above", False): "above",
    ("above", True): "at-least",
}
"""A limit by its side, and whether it is in it."""
_OF_EACH = {"median": "median", "mean": "mean", "deviation": "std", "lowest": "min", "highest": "max"}


def ordered_first(metric: Metric, say: Say, *, low: bool) -> str:
    """What a cell that sorts by a metric is for."""
    return say(Message("plan-ordered", name=say.name(metric), first="lowest" if low else "highest"))


def figure(
    say: Say, title: Text, function: str, *arguments: str, name: str = "figure", what: Text = ""
) -> tuple[str, str]:
    """A cell that draws a figure of the methods, and its purpose; `what` is its first line, in place of the title."""
    given = [*arguments, f'title="{say(title)}"', *([] if say.language == "en" else [f'language="{say.language}"'])]
    return method_cell(say(what or title), name, function, *given), say(Message("plan-chart", title=title))


def shown_metric(metrics: MetricTable, name: str, unit: str = "", *, errors: bool = False) -> Metric:
    """The metric; where a question speaks of errors, that of 1 - fidelity."""
    metric = metrics.of(name, unit)
    if not errors or "Fidelity" not in metric.title:
        return metric
    title = metric.title.replace("Fidelity", "Error")
    other = replace(metric, title=title, title_ja=metric.title_ja.replace("忠実度", "エラー率"), mode="minimize")
    if (old := metric.scoring) is None:
        return other
    bad = None if old.bad is None else 100 - old.bad
    return replace(other, scoring=Scoring(100 - old.good, 100 - old.excellent, bad, higher_is_better=False))


def _deviation(metric: Metric) -> Metric:
    """The metric as its standard deviation, without limits: relative where changes are so, of frequencies in kHz."""
    title, title_ja = f"Deviation of {metric.title}", f"{metric.title_ja or metric.title}の標準偏差"
    found = replace(metric, title=title, title_ja=title_ja, mode="minimize", scoring=None)
    if change_rule(metric).unit == "%":
        return replace(found, unit="%", scale=100)
    return replace(found, unit="kHz", scale=metric.scale * 1e6) if metric.unit == "GHz" else found


def higher_is_better(metric: Metric) -> bool:
    """Whether a high value is the good one."""
    return metric.scoring.higher_is_better if metric.scoring else metric.mode != "minimize"


def column_of(metric: Metric) -> str:
    """`T1 [μs]`, as the methods name it."""
    return f"{metric.title} [{metric.unit}]"


def stem_of(metric: Metric) -> str:
    """The parameter as a Python name."""
    stem = re.sub(r"\W+", "_", metric.key, flags=re.ASCII).strip("_").lower()
    return stem if stem and not stem[0].isdigit() else f"p_{stem}"


@dataclass(frozen=True, slots=True)
class Table:
    """What a cell begins with to have `values`: a row an element, a column a metric, filtered by ids."""

    imports: tuple[str, ...]
    lines: tuple[str, ...]
    shown: dict[str, Metric]
    query: Query
    notes: tuple[str, ...] = ()
    timed: bool = False
    stored: str = ""
    """The stored summary as code, where the values are its own: charts of that have error bars."""
    cells: Cells = field(default_factory=Cells)
    """What its cells are run with: one may have been run."""
    behind: tuple[str, ...] = ()
    """What is said behind the answer."""

    def cell(self, question: str, *lines: str, imports: Sequence[str] = (), again: bool = False) -> str:
        """A cell with more lines behind; `again` where an earlier cell made the table."""
        mine = () if again else self.lines
        return cell_of(question, [*(() if again else self.imports), *imports], *mine, *lines)

    def method(self, question: str, frame: str, method: str, *arguments: str, again: bool) -> str:
        """A cell that runs a method on its columns."""
        lines, heads = called(frame, method, *arguments), [f"from qdash_jupyter.methods import {method}"]
        return self.cell(question, *lines, frame, imports=heads, again=again)

    def column(self, name: str) -> str:
        """A parameter's column as code."""
        return f'values["{column_of(self.shown[name])}"]'

    def pair(self, x: str, y: str) -> list[str]:
        """Two parameters as arguments of a scatter plot."""
        return [self.stored, f'parameters=("{x}", "{y}")'] if self.stored else [self.column(x), self.column(y)]

    def in_time(self, what: Text) -> Text:
        """What is said of the values, with the time that they are of; of current ones without it."""
        return Message("plan-in-window", what=what, window=self.when) if self.when else what

    @property
    def when(self) -> tuple[Message, ...]:
        """The time that the values are of: `in June 2026`; nothing for current ones."""
        if not self.timed:
            return ()
        query, details = self.query, self.query.details
        told = [window_words(query.window)] if query.window.is_bounded else []
        told += [Message("plan-tags", tags=tuple(details["tags"]))] if details.get("tags") else []
        told += [Message("plan-cooldown", id=details["cooldown_id"])] if details.get("cooldown_id") else []
        return tuple(told)


_FLIPPED = {"fell": "rose", "rose": "fell"}


def in_errors(row: dict[str, Any]) -> dict[str, Any]:
    """A row of levels and changes of a fidelity, in %, as that of its error."""
    told = dict(row)
    for name, value in row.items():
        first = name.partition(" [")[0]
        if value is None or name == first:
            continue
        if first in {"before", "now", "median", "mean", "newest", "first", "second"}:
            told[name] = 100 - value
        elif first in {"lowest", "highest"}:
            other = "highest" if first == "lowest" else "lowest"
            told[name.replace(first, other)] = 100 - value
        elif first in {"change", "difference", "slope"}:
            told[name] = -value
    return told | ({"verdict": _FLIPPED.get(row["verdict"], row["verdict"])} if "verdict" in row else {})


def series_call(query: Query, name: str, kind: str, **arguments: Any) -> PlannedCall:
    """The read of a parameter over time of the elements that the question names."""
    given = {"parameter_name": name, "qids": list(query.qids) if query.names_only(kind) else None}
    given |= {name: query.details.get(name) for name in ("tags", "cooldown_id")} | arguments
    return PlannedCall("get_chip_parameter_timeseries", {key: value for key, value in given.items() if value})


def newest_of(outcome: CallOutcome) -> datetime | None:
    """When the newest measurement was that a read tells of, also one that found none in its time."""
    if outcome.failed:
        told = re.search(r"from (\d{4}-\d\d-\d\d \d\d:\d\d) UTC", str(outcome.content.get("try_instead", "")))
        return datetime.fromisoformat(told[1]).replace(tzinfo=UTC) if told else None
    last = str(outcome.content.get("measured", "")).split(" to ")[-1]
    year = "" if re.match(r"\d{4}-", last) else f"{str(outcome.content.get('as_of', ''))[:4]}-"
    return datetime.fromisoformat(f"{year}{last}").replace(tzinfo=UTC) if last else None


def timely(query: Query, calls: Any) -> Asking:
    """The outcomes of `calls(query)`, the query, and a note: where all data are older than its window, these are of as
    long a time before the newest of them.

    Raises:
        PlanFailed: every read was refused; says why.
    """
    outcomes = yield calls(query)
    window, note = query.window, ""
    newest = max(filter(None, map(newest_of, outcomes)), default=None)
    if newest and window.since and newest < window.since and (window.until is None or window.until >= query.now):
        length = (window.until or query.now) - window.since
        end = newest + timedelta(minutes=1)
        query = replace(query, window=Window(end - length, end))
        note = query.say(
            Message(
                "plan-stale",
                window=window_words(window),
                newest=moment_text(newest),
                moved=window_words(query.window),
            )
        )
        outcomes = yield calls(query)
    if all(outcome.failed for outcome in outcomes):
        raise PlanFailed(sentences(*dict.fromkeys(why_refused(outcome, query) for outcome in outcomes)))
    return query, outcomes, note


def why_refused(outcome: CallOutcome, query: Query) -> Text:
    """The reader's words; about a time to come our own, because the user chose no `until`."""
    if query.window.since_text is not None and query.window.until is None and "since is not" in str(outcome.why):
        return Message("plan-not-yet", date=query.window.since_text)
    return outcome.why


def table_of(
    query: Query,
    names: Sequence[str],
    metrics: MetricTable,
    *,
    aged: bool = False,
    each: Statistic | None = None,
    cells: Cells | None = None,
) -> Asking:
    """Read the current values of these parameters, or those of a time, of tags, of a cool-down: of these each element
    counts with the median of its measurements, or with the statistic `each`.

    Raises:
        PlanFailed: a read was refused, or the parameters are of different elements.
    """
    timed, by_kind = query.is_timed, {metrics.of(name).kind: metrics.of(name) for name in names}
    if len(by_kind) > 1:
        raise PlanFailed(Message("plan-mixed-kinds", names=all_of(query.say.name(one) for one in by_kind.values())))
    [kind], note, stored = by_kind, "", ""
    cells = cells or Cells()
    if kind == "qubit" and not timed and not query.qids and query.element != "coupling":
        call = PlannedCall("get_chip_summary", {"param_names": list(names)})
        [outcome] = yield [call]
        if outcome.failed:
            raise PlanFailed(outcome.why)
        key = outcome.content["data_key"]
        shown = {name: metrics.of(name, outcome.unit_of("qubits", name)) for name in names}
        listed = ", ".join(f'"{name}"' for name in names)
        imports = ["from qdash_jupyter.methods import shown"]
        kept = yield from kept_of(query, {key: [*shown.values()]}, call, cells)
        source = kept.sources[key]
        lines = [f'values = shown({source}, {listed}).set_index("qid")']
        stored = "" if query.errors else source
        age = f'{source}["values"].groupby("qid")["age_days"].max()'
    else:

        def calls(query: Query) -> list[PlannedCall]:
            begin = query.window.since_text or (moment_text(EVER) if timed else None)
            during = {"since": begin, "until": query.window.until_text} if timed else {"last_n": 5}
            return [series_call(query, name, kind, **during) for name in names]

        query, outcomes, note = yield from timely(query, calls)
        if failed := [outcome for outcome in outcomes if outcome.failed]:
            raise PlanFailed(why_refused(failed[0], query))
        keys = [outcome.content["data_key"] for outcome in outcomes]
        units = [outcome.unit_of("qubits", "latest") for outcome in outcomes]
        shown = {name: metrics.of(name, unit) for name, unit in zip(names, units, strict=True)}
        kept = yield from kept_of(
            query, {key: [metric] for key, metric in zip(keys, shown.values(), strict=True)}, calls(query)[0], cells
        )
        sources = [kept.sources[key] for key in keys]
        shown, lines = _of_series(shown, sources, each, timed=timed)
        imports = ["import pandas as pd"]
        age = f'{sources[0]}["qubits"].set_index("qid")["age_days"]'
    told = dict(shown)
    for name, metric in shown.items() if query.errors and each != "deviation" else ():
        told[name] = one = shown_metric(metrics, name, metric.unit, errors=True)
        if one.title != metric.title:
            lines.append(f'values["{column_of(one)}"] = 100 - values.pop("{column_of(metric)}")')
    if aged and not timed:
        lines.append(f'values["age [d]"] = {age}')
    lines += narrowed("values", "values.index", query, kind)
    notes = (note,) if note else ()
    return Table(tuple(imports), tuple(lines), told, query, notes, timed, stored, cells, kept.notes)


def _of_series(
    shown: dict[str, Metric], sources: Sequence[str], each: Statistic | None, *, timed: bool
) -> tuple[dict[str, Metric], list[str]]:
    """The metrics as they are told, and the lines that make the table of stored series, which are given as code."""
    of_time = f'["timeseries"].groupby("qid")["v"].{_OF_EACH[each or "median"]}()'
    what = of_time if timed else '["qubits"].set_index("qid")["latest"]'
    lines, columns, told = [], [], {}
    for source, (name, metric) in zip(sources, shown.items(), strict=True):
        line = f"{stem_of(metric)} = {source}{what}"
        if each == "deviation" and change_rule(metric).unit == "%":
            line += f' / {source}["timeseries"].groupby("qid")["v"].median().abs()'
        told[name] = one = _deviation(metric) if each == "deviation" else metric
        columns.append(f'"{column_of(one)}": {stem_of(one)}{f" * {one.scale:g}" if one.scale != 1 else ""}')
        lines.append(line)
    return told, [*lines, *called("values", "pd.DataFrame", f"{{{', '.join(columns)}}}")]


def conditioned(query: Query) -> tuple[str, ...]:
    """The parameters of which the conditions speak."""
    names = [name for one in query.conditions for name in (one.metric, one.below, one.above) if isinstance(name, str)]
    return tuple(dict.fromkeys(names))


def filtered(query: Query, names: Sequence[str], metrics: MetricTable, cells: Cells | None = None) -> Asking:
    """The table of these parameters, of the elements alone that meet the conditions.

    Raises:
        PlanFailed: as `table_of`, or a limit is in another unit.
    """
    each: Statistic = "mean" if query.statistic == "mean" else "median"
    names = tuple(dict.fromkeys((*names, *conditioned(query))))
    values: Table = yield from table_of(query, names, metrics, each=each, cells=cells)
    lines = lines_of(query, values)
    if query.conditions and not lines:
        name = query.say.name(values.shown[query.conditions[0].metric])
        raise PlanFailed(Message("plan-no-limit", name=name))
    if not lines:
        return values
    code = [*met(lines, query), 'values = selected[selected["verdict"] == "meets"].drop(columns="verdict")']
    return replace(values, imports=(*values.imports, MEETING), lines=(*values.lines, *code))


def met(lines: Sequence[Line], query: Query, *, low: bool = True) -> list[str]:
    """Lines that find which rows of `values` meet the conditions: `selected`."""
    conditions = [one for line in lines for one in line.conditions]
    options = ["any_of=True"] * query.any_of + ["lowest=False"] * (not low)
    return called("selected", "meeting", "values", *(f'"{one}"' for one in conditions), *options)


def narrowed(frame: str, ids: str, query: Query, kind: str) -> list[str]:
    """Lines that keep the elements of a frame that the question names, of a qubit its couplings, without others."""
    whose = [qid for qid in query.qids if is_coupling(qid) != (kind == "coupling")]
    lines = [f"{frame} = {frame}[{ids}.str.contains({_pattern(whose)})]"] if whose else []
    return lines + ([f"{frame} = {frame}[~{ids}.str.contains({_pattern(query.without)})]"] if query.without else [])


def _pattern(qids: Sequence[str]) -> str:
    both = dict.fromkeys(one for qid in qids for one in (qid, other_direction(qid)))
    return f'r"\\b(?:{"|".join(both)})\\b"'


def wrong_unit(shown: str, metric: Metric, say: Say, unit: str = "") -> PlanFailed:
    """That something is not counted in the metric's unit."""
    return PlanFailed(Message("plan-wrong-unit", shown=shown, name=say.name(metric), unit=unit or metric.unit))


def on_scale(amount: Amount, metric: Metric, say: Say) -> float:
    """An amount on the metric's displayed scale.

    Raises:
        PlanFailed: its unit measures something else.
    """
    unit = amount.unit
    if not unit and metric.unit == "%" and 0 < amount.value <= 1:
        unit = "a.u."  # 0.95 is how QDash stores it
    known = factor(unit, metric.unit) if unit else 1.0
    if known is None or (not unit and metric.unit == "μs" and abs(amount.value) > 1e6):  # noqa: PLR2004 - more than a second
        raise wrong_unit(f"{amount.value:g} {amount.unit}", metric, say)
    return round(amount.value * known, 9)


@dataclass(frozen=True, slots=True)
class Line:
    """A condition as code and in words. `limit` is the one number that it draws, `own` whether the question gave it."""

    metric: Metric
    sides: tuple[tuple[str, str], ...]
    """`below` or `above`, and the limit as code."""
    words: Message
    condition: Condition
    limit: float | None = None
    own: bool = True

    @property
    def conditions(self) -> list[str]:
        """It as `qdash_jupyter.methods.meeting` reads it; two where it is not to be between two limits."""
        column, equal = column_of(self.metric), "=" * self.condition.inclusive
        if len(self.sides) > 1 and all(limit[-1].isdigit() for _, limit in self.sides):
            (_, above), (_, below) = self.sides
            return [f"{above} <{equal} {column} <{equal} {below}"]
        signs = {"below": "<", "above": ">"}
        return [f"{column} {signs[side]}{equal} {limit}" for side, limit in self.sides]


def lines_of(query: Query, table: Table) -> list[Line]:
    """The conditions of a query over a table; the lab's limit where one has no number.

    Raises:
        PlanFailed: a limit is in another unit, or the lab has none.
    """
    found = [_line(condition, table, query.say) for condition in query.conditions]
    if None in found and len(found) > 1:
        name = query.say.name(table.shown[query.conditions[found.index(None)].metric])
        raise PlanFailed(Message("plan-no-limit", name=name))
    return [line for line in found if line is not None]


def _line(condition: Condition, table: Table, say: Say) -> Line | None:
    metric, told = table.shown[condition.metric], list[Message]()
    sides: list[tuple[str, str]] = []
    given, limit = {"above": condition.above, "below": condition.below}, None
    if is_labs := condition.below is None and condition.above is None:
        bad = metric.scoring.bad if metric.scoring else None
        if bad is None:
            return None
        given = {"below" if higher_is_better(metric) else "above": Amount(bad, metric.unit)}
    for side, amount in given.items():
        if isinstance(amount, Amount):
            limit = on_scale(amount, metric, say)
            sides.append((side, f"{limit:g}"))
            words: Text = f"{limit:g} {metric.unit}"
            words = Message("plan-labs-limit", limit=words) if is_labs else words
        elif amount is not None:
            other = table.shown[amount]
            if (known := factor(other.unit, metric.unit)) is None:
                raise wrong_unit(say.name(other), metric, say)
            times = condition.factor * known
            sides.append((side, f"{times:g} * {column_of(other)}" if times != 1 else column_of(other)))
            words = f"{condition.factor:g} × {say.name(other)}" if condition.factor != 1 else say.name(other)
        else:
            continue
        told.append(Message("plan-limit", kind=_HOW[side, condition.inclusive], limit=words))
    limits = all_of(told)
    both = Message("plan-condition", name=say.name(metric), limits=limits)
    return Line(metric, tuple(sides), both, condition, limit if len(sides) == 1 else None, own=not is_labs)


def conditions_words(lines: Sequence[Line], query: Query) -> Field:
    """All of the conditions."""
    words = [line.words for line in lines]
    return either(words) if query.any_of else all_of(words)


def either(words: Sequence[Message]) -> Message:
    """Conditions of which one is enough."""
    return reduce(lambda first, other: Message("plan-either", first=first, other=other), words)
