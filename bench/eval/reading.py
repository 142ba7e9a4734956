"""What an answer says, read as a person reads it: ids, numbers with units, tables, and the points of its charts."""

from __future__ import annotations

import base64
import re
import struct
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

_LABEL = r"Q0*(\d{1,3})"
_PAIR = re.compile(
    rf"(?<![A-Za-z0-9]){_LABEL}\s*[-–→]\s*{_LABEL}(?!\d)|(?<![\d.\-:])\b(\d{{1,3}})-(\d{{1,3}})\b(?![\d.:\-])", re.ASCII
)
_ONE = re.compile(rf"(?<![A-Za-z0-9]){_LABEL}(?![\dA-Za-z])", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+\d\d:?\d\d)?)?")
_NO_NUMBER = re.compile(
    r"\d{8}-\d{3}|[Zz]?[Xx]90|[Xx]180|(?<![A-Za-z])[Tt][12](?:\*)?(?![0-9A-Za-z])|\b[a-z]+(?:_[a-z0-9]+)+\b|`[^`]*`",
    re.ASCII,
)
_NUMBER = re.compile(
    r"(?<![\w.])([-−+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"(?:\s*±\s*\d[\d.,e+-]*)?"
    r"\s*(μs|us|ns|ms|GHz|MHz|kHz|Hz|%|percentage points?|ポイント|a\.u\.)?",
    re.ASCII,
)
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_READ = re.compile(r"\A[^\n*|]*[^\n*|.。:：?!]\n\n(?=[^|])")
"""How the planner read the question: a first line that is no sentence."""
_SIGNED = re.compile(r"^\*(?:Answered by|オフライン).*$", re.MULTILINE)

_UNITS = {
    "us": ("μs", 1.0),
    "μs": ("μs", 1.0),
    "ns": ("μs", 1e-3),
    "ms": ("μs", 1e3),
    "GHz": ("GHz", 1.0),
    "MHz": ("GHz", 1e-3),
    "kHz": ("GHz", 1e-6),
    "Hz": ("GHz", 1e-9),
    "%": ("%", 1.0),
    "percentage point": ("%", 1.0),
    "percentage points": ("%", 1.0),
    "ポイント": ("%", 1.0),
    "a.u.": ("", 1.0),
    "": ("", 1.0),
}
"""The unit in which numbers of a kind are compared, and how many of it are one of the unit that is written."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in the unit in which its kind is compared; `half` is half of its last digit."""

    value: float
    unit: str
    half: float


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace of a chart: its name, its points; times of x are datetimes."""

    kind: str
    name: str
    x: tuple[Any, ...]
    y: tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """An answer: its text without what says who answered and what was read, and its charts as Plotly's JSON."""

    text: str
    charts: Sequence[Mapping[str, Any]] = ()

    @cached_property
    def plain(self) -> str:
        """The text in one spelling of letters, signs and units."""
        text = _READ.sub("", _SIGNED.sub("", self.text)).replace("µ", "μ").replace("−", "-").replace("**\n", "** \n")
        return unicodedata.normalize("NFKC", text).replace("µ", "μ")

    @cached_property
    def prose(self) -> str:
        """The text without its tables."""
        return "\n".join(line for line in self.plain.splitlines() if not line.lstrip().startswith("|"))

    @cached_property
    def headline(self) -> str:
        """What is bold outside of tables; else the first paragraph."""
        if bold := _BOLD.findall(self.prose):
            return "\n".join(map(str, bold))
        return next((part for part in self.prose.split("\n\n") if part.strip()), "")

    @cached_property
    def first_paragraph(self) -> str:
        """The first paragraph of prose."""
        return next((part for part in self.prose.split("\n\n") if part.strip()), "")

    @cached_property
    def tables(self) -> list[list[list[str]]]:
        """The tables as rows of cells, headings first."""
        found: list[list[list[str]]] = []
        inside = False
        for line in self.plain.splitlines():
            row = line.strip()
            if not row.startswith("|"):
                inside = False
                continue
            if not inside:
                found.append([])
                inside = True
            cells = [cell.strip().replace("**", "") for cell in re.split(r"(?<!\\)\|", row.strip("|"))]
            if not all(set(cell) <= set("-: ") for cell in cells):
                found[-1].append(cells)
        return found

    @cached_property
    def traces(self) -> list[Trace]:
        """All traces of all charts."""
        return [_trace(data) for chart in self.charts for data in chart.get("data", ())]

    @cached_property
    def essence(self) -> tuple[frozenset[str], frozenset[float]]:
        """The elements of the headline, and the numbers with a unit of headline and tables, to three digits: what two
        answers have in common that say the same in other words.
        """
        cells = [pair for rows in self.tables for row in rows[1:] for pair in zip(rows[0], row, strict=False)]
        told = [number for heading, cell in [("", self.headline), *cells] for number in numbers_in(cell, heading)]
        return frozenset(ids_in(self.headline)), frozenset(float(f"{one.value:.3g}") for one in told if one.unit)

    def rows_of(self, qid: str) -> Iterator[list[tuple[str, str]]]:
        """What tables and lines say of an element: `(heading, cell)` of its rows, and of its column."""
        for table in self.tables:
            head, *rows = table
            for row in rows:
                if row and qid in ids_in(row[0]) and len(ids_in(row[0])) == 1:
                    yield list(zip(head, row, strict=False))[1:]
            for place, cell in enumerate(head):
                if place and qid in ids_in(cell):
                    yield [(row[0], row[place]) for row in rows if len(row) > place]
        for line in re.split(r"\n|(?<=[.。;])\s", self.prose):
            if qid in ids_in(line):
                yield [("", line)]


def ids_in(text: str) -> set[str]:
    """Every qubit and coupling that a text names: `Q07`, and `12-13` or `Q12-Q13`."""
    text = re.sub(r"\d{8}-\d{3}", " ", _DATE.sub(" ", text))
    found = set()

    def pair(match: re.Match[str]) -> str:
        a, b, c, d = match.groups()
        found.add(f"{int(a or c)}-{int(b or d)}")
        return " "

    rest = _PAIR.sub(pair, text)
    return found | {str(int(number)) for number in _ONE.findall(rest)}


def ids_in_order(text: str) -> list[str]:
    """The same, in the order in which they are named first."""
    text = re.sub(r"\d{8}-\d{3}", " ", _DATE.sub(" ", text))
    places: dict[str, int] = {}

    def pair(match: re.Match[str]) -> str:
        a, b, c, d = match.groups()
        places.setdefault(f"{int(a or c)}-{int(b or d)}", match.start())
        return " " * len(match.group())

    rest = _PAIR.sub(pair, text)
    for match in _ONE.finditer(rest):
        places.setdefault(str(int(match.group(1))), match.start())
    return sorted(places, key=places.__getitem__)


def numbers_in(text: str, heading: str = "") -> list[Number]:
    """The numbers of a text, without those of dates, ids and names; a cell takes the unit of its column's heading."""
    cleaned = _PAIR.sub(" ", _DATE.sub(" ", text))
    cleaned = _NO_NUMBER.sub(" ", _ONE.sub(" ", cleaned)).replace("−", "-")
    of_column = re.search(r"[(\[]\s*(μs|us|ns|ms|GHz|MHz|kHz|%)\s*[)\]]", heading.replace("µ", "μ"))
    found = []
    for match in _NUMBER.finditer(cleaned):
        written, unit = match.group(1).replace(",", ""), match.group(2) or (of_column.group(1) if of_column else "")
        kind, factor = _UNITS[unit]
        decimals = len(written.partition(".")[2].split("e")[0].split("E")[0])
        found.append(Number(float(written) * factor, kind, 0.5 * 10.0**-decimals * factor))
    return found


def _trace(data: Mapping[str, Any]) -> Trace:
    name = re.sub(r"<[^>]*>", "", str(data.get("name") or ""))
    x, y = _values(data.get("x")), _values(data.get("y"))
    return Trace(str(data.get("type") or "scatter"), name, tuple(_moment(value) for value in x), tuple(y))


_FORMATS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "f4": "f", "f8": "d"}


def _values(data: Any) -> list[Any]:
    """A list, or numbers in Plotly's base64."""
    if isinstance(data, Mapping) and "bdata" in data:
        raw = base64.b64decode(data["bdata"])
        form = _FORMATS[data["dtype"]]
        return list(struct.unpack(f"<{len(raw) // struct.calcsize(form)}{form}", raw))
    return list(data) if isinstance(data, (list, tuple)) else []


def _moment(value: Any) -> Any:
    if isinstance(value, str) and _DATE.match(value):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return value
