"""The table of values that a question is about: which are read, the lines of a cell that make it, its conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.units import factor
from qdash_jupyter.llm.offline.operations.parameters import column_of, deviation_of, error_of, higher_is_better, stem_of
from qdash_jupyter.llm.offline.operations.row import SUMMARY, Ask, Made, called
from qdash_jupyter.llm.offline.phrases import Say
from qdash_jupyter.llm.offline.plan import PlanFailed, PlannedCall, planned
from qdash_jupyter.llm.offline.query import Amount, Condition, Query
from qdash_jupyter.messages.message import Field, Message, Text, all_of
from qdash_jupyter.methods.smallest import change_rule

OF_EACH = {"median": "median", "mean": "mean", "deviation": "std", "lowest": "min", "highest": "max"}
_SIGNS = {"below": "<", "above": ">"}


@dataclass(frozen=True, slots=True)
class Values:
    """What a cell begins with to have `values`: a row an element, a column a parameter."""

    ask: Ask
    shown: dict[str, Metric]
    lines: Sequence[str]
    frame: str = "values"
    each: str = "median"
    """With which of its measurements an element counts where these are of a time."""
    stored: str = ""
    """The stored summary as code, where the values are its own: charts of that have error bars."""

    def made(self, lines: Sequence[str], frame: str, shown: str = "") -> Made:
        """Return a cell with more lines behind."""
        return Made([*self.lines, *lines], frame, shown=shown)

    def column(self, name: str) -> str:
        """Return a parameter's column as code."""
        return f'{self.frame}["{column_of(self.shown[name])}"]'

    def in_time(self, what: Field) -> Field:
        """Return what is said of the values, with the time that they are of; of current ones without it."""
        return Message("plan-in-window", what=what, window=self.when) if self.when else what

    @property
    def when(self) -> tuple[Message, ...]:
        """The time that the values are of: `in June 2026`; nothing for current ones."""
        query = self.ask.query
        named = (self.ask.when,) if query.window or query.cooldown else ()
        return (*named, *([Message("plan-tags", tags=(query.tag,))] if query.tag else []))

    @property
    def notes(self) -> list[Text]:
        """That each element counts with one value of its measurements, where these are of a time."""
        each = Message("plan-statistic", statistic=self.each)
        return [Message("plan-each-value", statistic=each)] if self.ask.is_timed else []


def values_reads(ask: Ask, names: Sequence[str]) -> list[PlannedCall]:
    """Return the reads of the current values of these parameters, or of those of a time.

    Raises:
        PlanFailed: they are parameters of different elements.
    """
    by_kind = {ask.metrics.of(name).kind: ask.named(name) for name in names}
    if len(by_kind) > 1:
        raise PlanFailed(Message("plan-mixed-kinds", names=all_of(by_kind.values())))
    if "qubit" in by_kind and not ask.is_timed and not ask.qids:
        return [planned(SUMMARY, param_names=list(names))]
    during = ask.during() if ask.is_timed else {"last_n": 5}
    return [ask.series(name, **during) for name in names]


def values_of(ask: Ask, names: Sequence[str], *, each: str = "median", aged: bool = False) -> Values:
    """Return the table of these parameters as it was read: of a time each element counts with a statistic, `each`, of
    its measurements.

    Raises:
        PlanFailed: a parameter could not be read.
    """
    for outcome in ask.outcomes:
        if outcome.failed:
            raise PlanFailed(outcome.why)
    stored, codes = {name: ask.stored(name) for name in names}, [*map(str, ask.codes)]
    is_summary, errors = ask.calls[0].tool == SUMMARY, ask.query.errors and each != "deviation"
    frame = "values" if ask.query.metrics == ask.asked_for else f"{ask.stem}_values"
    if is_summary:
        listed = ", ".join(f'"{name}"' for name in names)
        listed += ", errors=True" * aged
        lines, shown = [f'{frame} = shown({codes[0]}, {listed}).set_index("qid")'], stored
        age = f'{codes[0]}["values"].groupby("qid")["age_days"].max()'
    else:
        shown, lines = _of_series(stored, codes, frame, each, timed=ask.is_timed)
        age = f'{codes[0]}["qubits"].set_index("qid")["age_days"]'
    told = {name: error_of(metric) if errors else metric for name, metric in shown.items()}
    turned = [(column_of(told[name]), column_of(metric)) for name, metric in shown.items() if told[name] != metric]
    lines += [f'{frame}["{new}"] = 100 - {frame}.pop("{old}")' for new, old in turned]
    if turned and aged and is_summary:
        renamed = ", ".join(f'"{old.replace(" [", " ± [")}": "{new.replace(" [", " ± [")}"' for new, old in turned)
        lines += called(frame, f"{frame}.rename", f"columns={{{renamed}}}")
    lines += [f'{frame}["age [d]"] = {age}'] if aged and not ask.is_timed else []
    lines += ask.narrowed(frame, f"{frame}.index")
    source = codes[0] if is_summary and not errors else ""
    return Values(ask, told, lines, frame=frame, each=each, stored=source)


def _of_series(
    metrics: dict[str, Metric], sources: Sequence[str], frame: str, each: str, *, timed: bool
) -> tuple[dict[str, Metric], list[str]]:
    """The metrics as they are told, and the lines that make the table of stored series, which are given as code."""
    of_time = f'["timeseries"].groupby("qid")["v"].{OF_EACH[each]}()'
    what = of_time if timed else '["qubits"].set_index("qid")["latest"]'
    lines, columns, told = [], [], {}
    for source, (name, metric) in zip(sources, metrics.items(), strict=True):
        line = f"{stem_of(metric)} = {source}{what}"
        if each == "deviation" and change_rule(metric).unit == "%":
            line += f' / {source}["timeseries"].groupby("qid")["v"].median().abs()'
        told[name] = one = deviation_of(metric) if each == "deviation" else metric
        columns.append(f'"{column_of(one)}": {stem_of(one)}{f" * {one.scale:g}" if one.scale != 1 else ""}')
        lines.append(line)
    return told, [*lines, *called(frame, "pd.DataFrame", f"{{{', '.join(columns)}}}")]


# --- conditions -----------------------------------------------------------------------------------------------------


def conditioned(query: Query) -> tuple[str, ...]:
    """Return the parameters of which the conditions speak."""
    names = [name for one in query.conditions for name in (one.metric, one.below, one.above) if isinstance(name, str)]
    return tuple(dict.fromkeys(names))


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
        return [f"{column} {_SIGNS[side]}{equal} {limit}" for side, limit in self.sides]


def met_alone(values: Values) -> Values:
    """Return the table of the elements alone that meet the conditions.

    Raises:
        PlanFailed: a limit is in another unit, or the lab has none.
    """
    conditions = values.ask.query.conditions
    if not conditions:
        return values
    lines = lines_of(values)
    if not lines:
        raise PlanFailed(Message("plan-no-limit", name=values.ask.say.name(values.shown[conditions[0].metric])))
    code = [*met(values, lines), f'{values.frame} = selected[selected["verdict"] == "meets"].drop(columns="verdict")']
    return replace(values, lines=[*values.lines, *code])


def met(values: Values, lines: Sequence[Line], *, low: bool = True, by: str = "") -> list[str]:
    """Return lines that find which rows of the table meet the conditions: `selected`, in the order of a column."""
    conditions = [one for line in lines for one in line.conditions]
    options = ["any_of=True"] * values.ask.query.any_of + ["lowest=False"] * (not low)
    options += [f'by="{by}"'] if by else []
    return called("selected", "meeting", values.frame, *(f'"{one}"' for one in conditions), *options)


def lines_of(values: Values) -> list[Line]:
    """Return the conditions of the question over its table; the lab's limit where one has no number.

    Raises:
        PlanFailed: a limit is in another unit, or the lab has none.
    """
    conditions, say = values.ask.query.conditions, values.ask.say
    found = [_line(condition, values, say) for condition in conditions]
    if None in found and len(found) > 1:
        name = say.name(values.shown[conditions[found.index(None)].metric])
        raise PlanFailed(Message("plan-no-limit", name=name))
    return [line for line in found if line is not None]


def _line(condition: Condition, values: Values, say: Say) -> Line | None:
    metric, told = values.shown[condition.metric], list[Message]()
    sides: list[tuple[str, str]] = []
    given, limit = {"above": condition.above, "below": condition.below}, None
    if is_labs := condition.below is None and condition.above is None:
        bad = metric.scoring.bad if metric.scoring else None
        if bad is None:
            return None
        given = {"below" if higher_is_better(metric) else "above": Amount(bad, metric.unit)}
    for side, amount in given.items():
        if isinstance(amount, Amount):
            limit = in_unit(amount, metric.unit, metric, say)
            sides.append((side, f"{limit:g}"))
            words: Text = f"{limit:g} {metric.unit}"
            words = Message("plan-labs-limit", limit=words) if is_labs else words
        elif amount is not None:
            other = values.shown[amount]
            if (known := factor(other.unit, metric.unit)) is None:
                raise wrong_unit(say.name(other), metric, say)
            times = condition.factor * known
            sides.append((side, f"{times:g} * {column_of(other)}" if times != 1 else column_of(other)))
            words = f"{condition.factor:g} × {say.name(other)}" if condition.factor != 1 else say.name(other)
        else:
            continue
        kind = {"below": "at-most", "above": "at-least"}[side] if condition.inclusive else side
        told.append(Message("plan-limit", kind=kind, limit=words))
    both = Message("plan-condition", name=say.name(metric), limits=all_of(told))
    return Line(metric, tuple(sides), both, condition, limit if len(sides) == 1 else None, own=not is_labs)


def in_unit(amount: Amount, unit: str, metric: Metric, say: Say) -> float:
    """Return an amount of the metric, or of its differences, in this unit.

    Raises:
        PlanFailed: its own unit measures something else.
    """
    known = factor(amount.unit, unit) if amount.unit else 1.0
    if known is None:
        raise wrong_unit(f"{amount.value:g} {amount.unit}", metric, say, unit)
    return round(amount.value * known, 9)


def wrong_unit(shown: str, metric: Metric, say: Say, unit: str = "") -> PlanFailed:
    """Return that something is not counted in the metric's unit."""
    return PlanFailed(Message("plan-wrong-unit", shown=shown, name=say.name(metric), unit=unit or metric.unit))


def conditions_words(lines: Sequence[Line], query: Query) -> Field:
    """Return all of the conditions in words."""
    words = [line.words for line in lines]
    if not query.any_of:
        return all_of(words)
    return reduce(lambda first, other: Message("plan-either", first=first, other=other), words)
