"""What a right answer has to say: `missing_in` gives in words what an answer lacks or says wrongly, else ""."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean, median
from typing import Protocol

from eval.book import MONTHS, Point
from eval.reading import Number, Reading, Trace, ids_in, ids_in_order, numbers_in

TOLERANCE = {"μs": 0.003, "GHz": 2e-5, "%": 0.0003, "": 0.003}
"""Relative to the value, by unit: what differs by more is another number. That of GHz is 0.1 MHz at 5 GHz."""

_MORE = re.compile(r"\b(?:and|\+)\s*\d+ (?:more|others)|\bmore\b|ほか|他\d|など|…")
_NONE = re.compile(
    r"\b(?:no|none|nothing|not|zero|never)\b|n't\b|(?<!\d)0\s*(?:of|個|/|qubit|coupling|result|task|run)|ありません|いません|ない|なし",
    re.IGNORECASE,
)
_HAPPENS = r"\byes\b|\blost\b|\bfell\b|fall|drop|lower|chang|jump|mov|shift|低下|下が|落ち|変化|動|飛|はい"
_ASIDE = re.compile(r"not measured[^.\n]*|(?:too few|never)[^.\n]*|測定(?:が|の)?(?:ない|少な)[^。\n]*", re.IGNORECASE)
"""What an answer says beside its answer: of whom there is nothing to say."""


class Fact(Protocol):
    """Something that an answer can be held against."""

    def missing_in(self, reading: Reading, /) -> str:
        """Why the answer does not say this; empty when it does."""
        ...


def _named(ids: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(ids, key=lambda qid: [int(part) for part in qid.split("-")])) or "none"


def _either_way(ids: frozenset[str] | set[str], known: frozenset[str]) -> set[str]:
    """Couplings in the direction in which they are known."""
    flipped = {"-".join(reversed(qid.split("-"))): qid for qid in known}
    return {flipped.get(qid, qid) for qid in ids}


@dataclass(frozen=True, slots=True)
class Ids:
    """Exactly these elements; those of `may` may be named or not."""

    ids: frozenset[str]
    may: frozenset[str] = frozenset()

    def missing_in(self, reading: Reading) -> str:
        known = self.ids | self.may
        said = _either_way(ids_in(reading.headline), known)
        tabled = _either_way(_first_column(reading), known)
        says_none = any(_NONE.search(_ASIDE.sub(" ", text)) for text in (reading.headline, reading.first_paragraph))
        if not self.ids:
            more = said - self.may
            return f"names {_named(more)}, none are true" if more else "" if says_none else "does not say: none"
        if says_none and not said and not tabled:
            return f"says that there are none; true are {_named(self.ids)}"
        is_cut = bool(_MORE.search(reading.headline))
        named = said or tabled or _either_way(ids_in(reading.prose), known)
        if said and is_cut:
            named |= tabled
        if named - known:
            return f"names {_named(named - known)}; true are {_named(self.ids)}"
        if is_cut and not Count(len(self.ids), len(self.may)).missing_in(reading):
            return ""
        return f"does not name {_named(self.ids - named)}" if self.ids - named else ""


def _first_column(reading: Reading) -> set[str]:
    return {qid for table in reading.tables[:1] for row in table[1:] if row for qid in ids_in(row[0])}


@dataclass(frozen=True, slots=True)
class Ranked:
    """These elements in this order, and no others; `first` alone: with others after them."""

    ids: tuple[str, ...]
    first: bool = False

    def missing_in(self, reading: Reading) -> str:
        said = ids_in_order(reading.headline)
        if not said or (_MORE.search(reading.headline) and len(said) < len(self.ids)):
            said = [qid for table in reading.tables[:1] for row in table[1:] if row for qid in ids_in_order(row[0])]
        said = said or ids_in_order(reading.prose)
        return (
            ""
            if tuple(said[: len(self.ids)] if self.first else said) == self.ids
            else f"ranks {', '.join(said) or 'none'}; true are {', '.join(self.ids)}"
        )


@dataclass(frozen=True, slots=True)
class Value:
    """A number, one of several that are right, in a unit of `TOLERANCE`; `label` has to stand in the answer too."""

    values: tuple[float, ...]
    unit: str
    label: str = ""

    def missing_in(self, reading: Reading) -> str:
        if self.label and not re.search(self.label, reading.plain, re.IGNORECASE):
            return f"does not say that it is {self.label!r}"
        told = numbers_in(reading.prose)
        told += [
            number
            for table in reading.tables
            if len(table) <= 12  # noqa: PLR2004 - in a long list anything is found
            for row in table[1:]
            for heading, cell in zip(table[0], row, strict=False)
            for number in numbers_in(cell, heading)
        ]
        return (
            ""
            if any(is_near(number, value, self.unit) for number in told for value in self.values)
            else (f"does not say {' or '.join(f'{value:.5g}' for value in self.values)} {self.unit}".rstrip())
        )


def is_near(number: Number, value: float, unit: str) -> bool:
    """Whether a number that somebody wrote is this value."""
    if number.unit != unit and not (unit == "%" and number.unit == "" and abs(number.value) <= 1 < abs(value)):
        return False
    told, half = (number.value, number.half) if number.unit == unit else (100 * number.value, 100 * number.half)
    most = {"GHz": 1e-3, "": max(0.005, 0.01 * abs(value))}.get(unit, 0.01 * abs(value))
    return abs(told - value) <= TOLERANCE[unit] * abs(value) + min(half * 1.01, max(most, 1e-9))


_SPAN = re.compile(r"\d+\s*(?:days?|weeks?|months?|hours?|[dh])\b|\d+\s*(?:日|週|か月|ヶ月|時間)")
"""Lengths of time count nothing else."""
_ELEMENTS = "qubits?|couplings?"
_ELEMENTS_JA = "量子ビット|カップリング"


@dataclass(frozen=True, slots=True)
class Count:
    """How many: the number, or exactly these elements by name. `may` more may be counted. Of what are no `elements`, a
    number of qubits or couplings is none.
    """

    count: int
    may: int = 0
    ids: frozenset[str] = frozenset()
    elements: bool = True

    def missing_in(self, reading: Reading) -> str:
        text = f"{reading.headline}\n{reading.first_paragraph}"
        text = _SPAN.sub(" ", text)
        if not self.elements:
            text = re.sub(rf"\d+\s+(?:{_ELEMENTS})|(?:{_ELEMENTS_JA})\s*\d+\s*個", " ", text)
        told = [number.value for number in numbers_in(text) if number.unit == ""]
        if any(self.count <= value <= self.count + self.may for value in told):
            return ""
        if (self.ids and not Ids(self.ids).missing_in(reading)) or (not self.count and _NONE.search(reading.headline)):
            return ""
        return f"does not count {self.count}"


@dataclass(frozen=True, slots=True)
class Values:
    """A value of each of these elements."""

    values: Mapping[str, float]
    unit: str

    def missing_in(self, reading: Reading) -> str:
        lacking = []
        for qid, value in self.values.items():
            rows = [numbers_in(cell, heading) for row in reading.rows_of(qid) for heading, cell in row]
            if len(self.values) == 1:
                rows += [numbers_in(reading.prose), *(numbers_in(cell, heading) for heading, cell in _cells(reading))]
            if not any(is_near(number, value, self.unit) for row in rows for number in row):
                lacking.append(f"{qid}: {value:.5g} {self.unit}")
        return f"does not say {'; '.join(lacking)}" if lacking else ""


def _cells(reading: Reading) -> list[tuple[str, str]]:
    return [
        pair
        for table in reading.tables
        if len(table) <= 30  # noqa: PLR2004
        for row in table[1:]
        for pair in zip(table[0], row, strict=False)
    ]


@dataclass(frozen=True, slots=True)
class Series:
    """The measurements of these elements within a time: as points of a chart, as a list, or their number and level."""

    points: Mapping[str, Sequence[Point]]
    unit: str

    def missing_in(self, reading: Reading) -> str:
        lacking = [reason for qid, points in self.points.items() if (reason := self._lacking(reading, qid, points))]
        return "; ".join(lacking)

    def _lacking(self, reading: Reading, qid: str, points: Sequence[Point]) -> str:
        values = [point.value for point in points]
        whose = "" if len(self.points) == 1 else qid
        if any(self._draws(trace, whose, values) for trace in reading.traces):
            return ""
        cells = [cell for row in reading.rows_of(qid) for cell in row] + (
            [*_cells(reading), ("", reading.prose)] if not whose else []
        )
        told = [number for heading, cell in cells for number in numbers_in(cell, heading)]
        counted = any(number.unit == "" and number.value == len(values) for number in told)
        levels = (median(values), fmean(values))
        if counted and any(is_near(number, level, self.unit) for number in told for level in levels):
            return ""
        if all(any(is_near(number, value, self.unit) for number in told) for value in values):
            return (
                ""
                if sum(number.unit == self.unit for number in told) <= 3 * len(values) + 6
                else f"{qid}: lists more than asked for"
            )
        drawn = [len(trace.y) for trace in reading.traces if trace.kind.startswith("scatter")]
        meant = f"the {len(values)} measurements with median {levels[0]:.5g} {self.unit}"
        return f"{qid}: not {meant} (drawn: {drawn or 'nothing'})"

    def _draws(self, trace: Trace, qid: str, values: Sequence[float]) -> bool:
        if not trace.kind.startswith("scatter") or (qid and qid not in ids_in(trace.name)):
            return False
        told = sorted(value for value in trace.y if isinstance(value, (int, float)) and value == value)  # noqa: PLR0124 - NaN
        if len(told) != len(values):
            return False
        near = TOLERANCE[self.unit]
        # Of a frequency what is drawn may be the deviation from its level.
        level, drawn = (median(values), median(told)) if self.unit == "GHz" else (0.0, 0.0)
        for scale in (1.0, 1e-3, 1e2):
            if all(
                abs((one - drawn) * scale - (true - level)) <= near * abs(true) * (1 if not level else 0.02)
                for one, true in zip(told, sorted(values), strict=True)
            ):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Says:
    """Words: of each group at least one; regular expressions, the case does not count."""

    groups: tuple[str, ...]

    def missing_in(self, reading: Reading) -> str:
        lacking = [group for group in self.groups if not re.search(group, reading.plain, re.IGNORECASE)]
        return f"does not say {', '.join(lacking)}" if lacking else ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart of this kind (`heatmap`, `histogram`, `scatter`); with points, exactly these as (x, y) in any order."""

    kinds: tuple[str, ...]
    xy: tuple[tuple[float, float], ...] = ()

    def missing_in(self, reading: Reading) -> str:
        traces = [trace for trace in reading.traces if trace.kind.startswith(self.kinds)]
        if not traces:
            return f"draws no {' or '.join(self.kinds)}"
        return "" if not self.xy or any(self._are_in(trace) for trace in traces) else "draws other points"

    def _are_in(self, trace: Trace) -> bool:
        told = [
            (x, y)
            for x, y in zip(trace.x, trace.y, strict=False)
            if isinstance(x, (int, float)) and isinstance(y, (int, float))
        ]
        if len(told) < len(self.xy):
            return False
        for pairs in (told, [(y, x) for x, y in told]):
            for scale in (1.0, 100.0):
                if _same_points(self.xy, pairs, scale) or _same_points(
                    self.xy, [(scale * x, y) for x, y in pairs], 1.0
                ):
                    return True
        return False


def _same_points(true: Sequence[tuple[float, float]], told: Sequence[tuple[float, float]], scale: float) -> bool:
    return all(
        any(abs(a - x) <= 2e-3 * abs(a) and abs(b - scale * y) <= 2e-3 * abs(b) for x, y in told) for a, b in true
    )


@dataclass(frozen=True, slots=True)
class Both:
    """All of these."""

    facts: tuple[Fact, ...] = field(default=())

    def missing_in(self, reading: Reading) -> str:
        return "; ".join(reason for fact in self.facts if (reason := fact.missing_in(reading)))


@dataclass(frozen=True, slots=True)
class Either:
    """One of these."""

    facts: tuple[Fact, ...] = field(default=())

    def missing_in(self, reading: Reading) -> str:
        reasons = [fact.missing_in(reading) for fact in self.facts]
        return "" if "" in reasons else " / ".join(reasons)


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """The data cannot tell: only a question back, or an honest "I cannot answer", is right."""

    def missing_in(self, _reading: Reading) -> str:
        return "answers what the data cannot tell"


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, whatever its sign: how much something changed depends on the method."""

    low: float
    high: float
    unit: str

    def missing_in(self, reading: Reading) -> str:
        told = numbers_in(reading.prose)
        told += [number for heading, cell in _cells(reading) for number in numbers_in(cell, heading)]
        if any(number.unit == self.unit and self.low <= abs(number.value) <= self.high for number in told):
            return ""
        return f"does not say a number from {self.low:.4g} to {self.high:.4g} {self.unit}"


_EMPTY = r"not measured|no measurement|too few|少な|不足|測定なし|測定(?:は|が|値)?.{0,6}(?:ありません|ない)"


@dataclass(frozen=True, slots=True)
class Empty:
    """There is nothing of an element in the time that was asked for: says so, with date or age of what is newest."""

    qid: str
    newest: datetime
    as_of: datetime

    def missing_in(self, reading: Reading) -> str:
        days = round((self.as_of - self.newest).total_seconds() / 86_400)
        ages = [rf"{days + more}(?:\.\d)? ?(?:d|日)" for more in (-1, 0, 1)]
        month, day = self.newest.month, self.newest.day
        dates = [f"{self.newest:%Y-%m-%d}", rf"{MONTHS[month - 1]} {day}(?!\d)", f"{month}月{day}日"]
        when = re.compile("|".join((*dates, *ages, _EMPTY)), re.IGNORECASE)
        for sentence in re.split(r"\n|(?<=[.。])\s*(?!\d)", reading.prose):
            says_none = _NONE.search(sentence) or re.search("older|outside|few|古い|以前|少な", sentence)
            if says_none and ids_in(sentence) <= {self.qid} and when.search(reading.prose):
                return ""
        return f"does not say that there is nothing in that time, the newest being of {self.newest:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Happened:
    """Whether something happened: an answer says that it did not by a "no" or "not" in its headline."""

    yes: bool

    def missing_in(self, reading: Reading) -> str:
        denies = any(_NONE.search(_ASIDE.sub(" ", text)) for text in (reading.headline, reading.first_paragraph))
        tells = denies or re.search(_HAPPENS, f"{reading.headline} {reading.first_paragraph}", re.IGNORECASE)
        if denies != self.yes and tells:
            return ""
        return f"does not say that it {'happened' if self.yes else 'did not happen'}"


@dataclass(frozen=True, slots=True)
class Listed:
    """Exactly these texts, of all that fit the pattern."""

    texts: tuple[str, ...]
    pattern: str

    def missing_in(self, reading: Reading) -> str:
        told = set(re.findall(self.pattern, reading.plain))
        lacking, more = sorted({*self.texts} - told), sorted(told - {*self.texts})
        return "; ".join(
            [f"does not name {', '.join(lacking)}"] * bool(lacking) + [f"names {', '.join(more)}"] * bool(more)
        )


@dataclass(frozen=True, slots=True)
class NotThere:
    """What was asked about does not exist: says so of this name (a regular expression)."""

    name: str

    def missing_in(self, reading: Reading) -> str:
        for sentence in re.split(r"\n|(?<=[.。])\s", reading.prose):
            if re.search(self.name, sentence, re.IGNORECASE) and _NONE.search(sentence):
                return ""
        return f"does not say that there is no {self.name}"
