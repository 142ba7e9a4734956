"""What a question asks for: `Query`, the one value that a sentence of either language becomes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Before anything was measured."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time: from `since` until `until` (not in it any more). Both are UTC; None is open: from ever, until now."""

    since: datetime | None = None
    until: datetime | None = None
    days: float | None = None
    """Its length where the question gave one: "the last 30 days"."""

    @classmethod
    def last(cls, days: float, now: datetime) -> Window:
        """So many days before now."""
        return cls(now - timedelta(days=days), days=days)

    @property
    def since_text(self) -> str | None:
        """The beginning as tools and cells take it: a date, or an ISO time."""
        return None if self.since is None else moment_text(self.since)

    @property
    def until_text(self) -> str | None:
        """The end as tools take it: a time, as a date would be the whole of that day."""
        return None if self.until is None else f"{self.until:%Y-%m-%dT%H:%M}"


def moment_text(moment: datetime) -> str:
    """`2026-06-10`, or `2026-06-10T14:30` where it is not midnight."""
    return f"{moment:%Y-%m-%dT%H:%M}" if (moment.hour, moment.minute) != (0, 0) else f"{moment:%Y-%m-%d}"


Kind = Literal["qubit", "coupling"]


class Asked(StrEnum):
    """What is asked."""

    VALUES = "values"
    """The newest values of parameters, or of all, of some qubits or couplings."""
    HISTORY = "history"
    SELECT = "select"
    """Which qubits or couplings: by conditions, by order, or how many of them."""
    STATISTIC = "statistic"
    """Of values over the chip, or of the measurements of some elements; in bins of time where `per` is given."""
    HISTOGRAM = "histogram"
    RELATION = "relation"
    MAP = "map"
    CHANGE = "change"
    WINDOWS = "windows"
    """Two times of one parameter against each other."""
    FIT = "fit"
    STABILITY = "stability"
    ALLAN = "allan"
    TELEGRAPH = "telegraph"
    WHEN_CHANGED = "when_changed"
    COMPARE = "compare"
    DIFFERENCE = "difference"
    """Of one parameter between two elements, or between neighbours."""
    VERDICT = "verdict"
    """What is wrong with a qubit, or that nothing is."""
    HEALTH = "health"
    RECALIBRATE = "recalibrate"
    BEST_SET = "best_set"
    CHAIN = "chain"
    MEASUREMENTS = "measurements"
    EXCLUDED = "excluded"
    OUTLIERS = "outliers"
    """Values far from the others, or measurements of some elements far from their others."""
    AGE = "age"
    """How old, or when it was measured last."""
    UNMEASURED = "unmeasured"
    TRUST = "trust"
    RESULTS = "results"
    DURATION = "duration"
    """How long tasks take."""
    RUNS = "runs"
    NOTES = "notes"
    MACHINE_STATE = "machine_state"
    VERSIONS = "versions"
    ORIGIN = "origin"
    NEIGHBOURS = "neighbours"
    PARAMETERS = "parameters"


_KINDS = """
runs           all whole list who when duration
results        all list when
notes          all list who when
excluded       all list who when names
health         all whole
machine_state  all whole
parameters     all whole
recalibrate    all whole
best_set       all
chain          all
unmeasured     whole names
measurements   when
versions       when
change         names
outliers       names shape
allan          shape
fit            shape
relation       shape
stability      shape
telegraph      shape
when_changed   shape
"""


def kinds(what: str) -> frozenset[Asked]:
    """Return the kinds of questions that are so.

    Args:
        what: `all`: asked of all, where nobody is named; `whole`: of the chip, also behind a question about some;
            `list`: its answer is a list of events; `names`: its answer names some elements; `shape`: it does not tell
            of levels, so that two times of it are not compared; `who`, `when`, `duration`: its answer tells that.
    """
    return frozenset(Asked(name) for name, *said in map(str.split, _KINDS.strip().split("\n")) if what in said)


PER_MUX = 4
"""Qubits of a MUX on QDash's chips."""


def in_muxes(places: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """The qubits of some MUXes."""
    return tuple(str(PER_MUX * number + one) for _, number in places for one in range(PER_MUX))


Order = Literal["worst", "best", "lowest", "highest", "both"]
Statistic = Literal["median", "mean", "deviation", "lowest", "highest", "extremes", "fraction"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit as it is shown; empty where the question gives none."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A parameter is below or above a limit, or between two; a limit may be a multiple of another parameter.

    Without a limit it is the lab's own for "bad".

    `inclusive`: the limit itself counts.
    """

    metric: str
    below: Amount | str | None = None
    above: Amount | str | None = None
    factor: float = 1.0
    inclusive: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question. What it does not say is at its default."""

    asked: Asked
    metrics: tuple[str, ...] = ()
    qids: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kind: Kind | None = None
    places: tuple[tuple[str, int], ...] = ()
    """MUXes by their number: `("mux", 3)`."""
    conditions: tuple[Condition, ...] = ()
    any_of: bool = False
    ever: bool = False
    """Whether one measurement that meets the conditions is enough."""
    window: Window | None = None
    against: Window | None = None
    direction: Literal["down", "up", "either"] | None = None
    by: Amount | None = None
    """The smallest change that counts."""
    within: Amount | None = None
    """The largest difference that counts."""
    order: Order | None = None
    every: bool = False
    """Whether an order is told to its end, not its first few."""
    count: int | None = None
    nth: int | None = None
    """Which measurement: 1 is the newest, 2 the one before it, -1 the first."""
    how_many: bool = False
    statistic: Statistic | None = None
    per: Literal["day", "week", "month", "qubit", "coupling", "task", "mux", "user"] | None = None
    form: Literal["histogram", "scatter", "map", "plot", "bars", "names"] | None = None
    fit: Literal["line", "exponential"] | None = None
    errors: bool = False
    """Whether it speaks of 1 − fidelity."""
    low: bool = False
    good: bool = False
    why: bool = False
    reliable: bool = False
    task: str | None = None
    status: Literal["failed", "completed", "running"] | None = None
    run: str | None = None
    tag: str | None = None
    user: str | None = None
    """Whose runs or notes."""
    text: str | None = None
    neighbours: bool = False
    """Whether it is about the neighbours of `qids`."""
    who: bool = False
    chip: str | None = None
    """A chip, with its project where the question gives it: `project/chip`."""
    cooldown: bool = False
    """Whether it is about the current cool-down alone."""
    among: Query | None = None
    """The question before, among whose answers this one asks."""

    @property
    def named(self) -> tuple[str, ...]:
        """The parameters that it names, those of its conditions last."""
        return (*self.metrics, *(one.metric for one in self.conditions))

    @property
    def said(self) -> frozenset[str]:
        """The names of the fields that are not at their defaults, `asked` aside."""
        return frozenset(
            one.name for one in fields(self) if one.name != "asked" and getattr(self, one.name) != one.default
        )


NEWEST_RUN = Query(Asked.RUNS, count=1)


def names_elements(query: Query) -> bool:
    """Return whether its answer names some elements of those that it is about: another question may be about these."""
    if query.asked in {Asked.SELECT, Asked.VALUES}:
        return bool(query.conditions or (query.order and query.asked is Asked.SELECT))
    return query.asked in kinds("names")
