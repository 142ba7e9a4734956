"""What can be chosen of a table, and what was: the figure of it, and the cell that draws the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import pandas as pd

from qdash_jupyter.domain.qid import is_coupling, normalise_qid, qid_order
from qdash_jupyter.errors import PersonError
from qdash_jupyter.explore import charts
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.measurements import label

Kind: TypeAlias = Literal["trend", "histogram", "by_element", "against"]
"""A function of `qdash_jupyter.explore`."""

Metric: TypeAlias = tuple[str, str | None]
"""A column; and which parameter, where its rows are of several."""

_ELEMENTS = ("qid", "coupling_id")
_LONGEST_LINE = 100


@dataclass(frozen=True, slots=True)
class Offer:
    """What a table has to choose from. Names of columns with what they are called."""

    metrics: tuple[tuple[str, Metric], ...]
    """What there are numbers of, with title and unit. The first is what one wants most often."""
    others: tuple[tuple[str, str], ...]
    """The columns of numbers."""
    by: str | None
    """The column of qubits or couplings."""
    elements: tuple[tuple[str, str], ...]
    """Those in it: label and id."""
    what: str
    """`qubit`, `coupling`, or both."""
    time: str | None
    """The column of times."""
    days: tuple[str, ...]
    """The dates between its first and its last time, at most some hundred."""

    @property
    def kinds(self) -> tuple[tuple[str, Kind], ...]:
        """The charts that can be drawn, each with its name."""
        columns = {column for _, (column, _) in self.metrics} | {column for _, column in self.others}
        kinds: dict[Kind, bool] = {"trend": self.time is not None, "histogram": True}
        kinds |= {"by_element": self.by is not None, "against": len(columns) > 1}
        what, language = Message("qubit-or-coupling", kind=self.what), reader()
        drawn = (kind for kind, can_be in kinds.items() if can_be)
        return tuple((Message("explore-kind", kind=kind, what=what).of(language), kind) for kind in drawn)


_MOST_DAYS = 400


def offer_of(table: pd.DataFrame) -> Offer:
    """What there is to choose.

    Raises:
        PersonError: nothing: it has no rows, or no column of numbers.
    """
    single = [name for name in table.columns if isinstance(name, str) and list(table.columns).count(name) == 1]
    if not len(table):
        raise PersonError.with_hint("explore-no-rows")
    numbers = [name for name in single if _is_number(table[name])]
    if not numbers:
        names = tuple(map(str, table.columns))
        hint = Message("explore-columns-hint", names=names) if names else Message("explore-no-columns-hint")
        raise PersonError(Message("explore-no-numbers"), hint)
    by = next((name for name in _ELEMENTS if name in single), None)
    times = [name for name in single if pd.api.types.is_datetime64_any_dtype(table[name]) and table[name].notna().any()]
    # One row an element is no series.
    time = None if by and table[by].is_unique else "t" if "t" in times else next(iter(times), None)
    # What a series is about, then what is a metric; ages and places last.
    numbers.sort(key=lambda name: (charts.title_of(table, name) == name, not charts.unit_of(table, name)))
    ids = () if by is None else _ids(table[by])
    others = tuple((charts.with_unit(table, name), name) for name in numbers)
    return Offer(
        _parameters(table)
        if {"parameter", "value"} <= set(single)
        else tuple((words, (of, None)) for words, of in others),
        others,
        by if ids else None,
        tuple((label(one), one) for one in ids),
        " or ".join(sorted({"coupling" if is_coupling(one) else "qubit" for one in ids}, reverse=True)),
        time,
        () if time is None else _days(table[time]),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """One chart of a table. Without `only` all elements count; dates are inclusive."""

    kind: Kind
    metric: Metric
    other: str | None = None
    by: str | None = None
    only: tuple[str, ...] = ()
    time: str | None = None
    since: str | None = None
    until: str | None = None

    def figure(self, table: pd.DataFrame) -> Any:
        """The chart.

        Raises:
            PersonError: no row is meant.
        """
        places, names = self._arguments()
        if charts.selected(table, self.metric[0], **names).empty:
            raise PersonError.with_hint("explore-nothing-selected")
        return getattr(charts, self.kind)(table, *places, **names)

    def code(self, table: str) -> str:
        """The cell that draws it; `table` is the expression of the table."""
        places, names = self._arguments()
        parts = [table, *map(_written, places), *(f"{name}={_written(value)}" for name, value in names.items())]
        line = f"qe.{self.kind}({', '.join(parts)})"
        if len(line) > _LONGEST_LINE:
            line = f"qe.{self.kind}(\n" + "".join(f"    {part},\n" for part in parts) + ")"
        return f"from qdash_jupyter import explore as qe\n\n{line}"

    def _arguments(self) -> tuple[list[str], dict[str, Any]]:
        names: dict[str, Any] = {
            "time": self.time if self.since or self.until or self.kind == "trend" else None,
            "by": self.by,
            "only": list(self.only),
            "since": self.since,
            "until": self.until,
            "parameter": self.metric[1],
        }
        other = [self.other] if self.kind == "against" and self.other is not None else []
        return [self.metric[0], *other], {name: value for name, value in names.items() if value}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_number(column: pd.Series) -> bool:
    types = pd.api.types
    return types.is_numeric_dtype(column) and not types.is_bool_dtype(column) and not types.is_complex_dtype(column)


def _parameters(table: pd.DataFrame) -> tuple[tuple[str, Metric], ...]:
    names = sorted(map(str, table["parameter"].dropna().unique()))
    return tuple((charts.with_unit(table[table["parameter"] == name], "value"), ("value", name)) for name in names)


def _ids(column: pd.Series) -> Sequence[str]:
    """The ids in it, in their order; none where other things stand there too."""
    ids = [normalise_qid(one) for one in column.dropna().unique()]
    known = sorted({one for one in ids if one is not None}, key=qid_order)
    return known if len(known) == len(set(ids)) else ()


def _days(times: pd.Series) -> tuple[str, ...]:
    first, last = times.min().normalize(), times.max().normalize()
    count = min((last - first).days + 1, _MOST_DAYS)
    days = pd.date_range(first, last, periods=count) if count > 1 else [first]
    return tuple(dict.fromkeys(f"{day:%Y-%m-%d}" for day in days))
