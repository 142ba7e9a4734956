"""Opens QDash's documents: foreign JSON in, typed rows out, and what cannot be read is reported, never guessed.

Real databases hold documents of many ages: padded and integer ids, numbers as text, bare values where records belong,
dates as ISO text. Both readers decode with these functions, so they cannot disagree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any

from qdash_jupyter.data.records import DataProblem, ParameterRow
from qdash_jupyter.domain.metrics import possible_range, stored_unit, zero_means_missing
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.domain.time_range import FIRST_RESULT, latest_result, utc
from qdash_jupyter.domain.units import factor

Document = Mapping[str, Any]

_CLOCK = re.compile(r"^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$")
NO_NUMBER = "unreadable: no number"
_FLAG_CHARS = 40
_WORDS = re.compile(r"^(\d+(?:\.\d+)?)\s*(second|minute|hour)s?$")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_OF_RESULTS = ("start_at", "end_at")
"""Fields that say when something was measured: dates that cannot be are none."""
_STORED_VALUES = "data"
"""Where the date of a record stays as it is: `current_parameters` decides about it."""


def number_in(raw: object) -> float | None:
    """The number that is stored: NaN where none is, or an infinite one; None where something else stands."""
    if raw is None:
        return math.nan
    if type(raw) is float:
        return raw if math.isfinite(raw) else math.nan
    # Python reads "1_000" as a number; a user who wrote that into a database meant something else.
    if isinstance(raw, bool) or "_" in str(raw):
        return None
    try:
        value = float(raw) if isinstance(raw, (int, float)) else float(str(raw))
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else math.nan


def counted(row: ParameterRow) -> ParameterRow:
    """The record in its parameter's stored unit, without a value where that is no measurement; `flag` says why.

    A value without a unit is in the stored one. What cannot be converted is never guessed.
    """
    listed, low, high = _rules(row.parameter)
    wanted = listed or row.unit
    value, error, flag = row.value, row.error, row.flag
    if row.unit and row.unit != wanted:
        times = factor(row.unit, wanted)
        if times is None:
            said = flag or f"{_said(row)}, not {wanted}"
            return row._replace(value=math.nan, error=math.nan, unit=wanted, flag=said)
        value, error = value * times, error * times
    if value == 0 and zero_means_missing(row.parameter):
        value, flag = math.nan, "no fit"
    elif value < low or value > high:
        value, flag = math.nan, f"impossible: {_said(row)}"
    elif wanted == row.unit:
        return row
    return ParameterRow(row.parameter, value, error, wanted, row.calibrated_at, row.execution_id, row.task_id, flag)


@lru_cache(1000)
def _rules(parameter: str) -> tuple[str, float, float]:
    """The unit in which a parameter is stored, and what it can be."""
    return stored_unit(parameter), *possible_range(parameter)


def _said(row: ParameterRow) -> str:
    return f"{row.value:.6g} {row.unit}".strip()


def why_no_number(raw: object) -> str:
    """Why what is stored is no number that counts; empty where it is one. JSON has null for NaN and infinity."""
    number = number_in(raw)
    if number is None:
        return f"unreadable: {'text ' * isinstance(raw, str)}{str(raw)[:_FLAG_CHARS]!r}"
    return "" if math.isfinite(number) else NO_NUMBER


def odd_date(name: str, moment: datetime) -> str:
    """Return the words of `flag` for a date that cannot be."""
    return f"suspicious: {name} {moment:%Y-%m-%d %H:%M}Z"


class ProblemLog:
    """Collects what could not be read, each place once, and knows which dates results can have. Safe to use from
    several threads.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Start empty. `now` is the moment from which ages count: a database's goes on."""
        self._now = now
        self._latest = latest_result(now())
        self._seen: dict[tuple[str, str, str], DataProblem] = {}
        self._lock = Lock()

    def add(self, collection: str, document_id: str, field: str, problem: str) -> None:
        """Note a problem; a second one at the same place is the same problem."""
        with self._lock:
            self._seen.setdefault(
                (collection, document_id, field), DataProblem(collection, document_id, field, problem)
            )

    def believes(self, moment: datetime) -> bool:
        """Whether something can have been measured at that moment (UTC)."""
        if moment > self._latest:
            self._latest = latest_result(self._now())
        return FIRST_RESULT <= moment <= self._latest

    def all(self) -> list[DataProblem]:
        """The problems in the order they were found."""
        with self._lock:
            return list(self._seen.values())


class DocumentDecoder:
    """Decodes one document; problems go to the log under its collection and `_id`."""

    def __init__(self, collection: str, document: Document, log: ProblemLog) -> None:
        """Decode `document` of `collection`."""
        self._collection = collection
        self.document = document
        self._log = log
        self._inside = ""
        self.document_id = str(document.get("_id", ""))

    @property
    def place(self) -> str:
        """The document's id, with the object within it that is decoded."""
        return self.document_id + (f"/{self._inside.rstrip('.')}" if self._inside else "")

    def inside(self, field: str, raw: object = None) -> DocumentDecoder:
        """A decoder of an object within this document: of `raw`, or of the field itself. Empty when it is no object."""
        raw = self.document.get(field) if raw is None else raw
        if raw is not None and not isinstance(raw, (dict, Mapping)):
            self.report(field, f"is a {type(raw).__name__}, not an object")
        decoder = DocumentDecoder(self._collection, raw if isinstance(raw, (dict, Mapping)) else {}, self._log)
        decoder.document_id, decoder._inside = self.document_id, f"{self._inside}{field}."
        return decoder

    def text(self, field: str) -> str:
        """A text field; missing and null are the empty text."""
        return self.text_or_none(field) or ""

    def text_or_none(self, field: str) -> str | None:
        """A text field where null means something of its own."""
        raw = self.document.get(field)
        return None if raw is None else str(raw)

    def number(self, field: str) -> float:
        """A number field; NaN when it is missing or cannot be read."""
        return self._number(self.document.get(field), field)

    def moment(self, field: str) -> datetime | None:
        """A date field as UTC with milliseconds; None when it is missing or cannot be read, or be that of a result."""
        moment = self._moment(self.document.get(field), field)
        return self._believed(moment, field) if field in _OF_RESULTS else moment

    def odd_dates(self, *fields: str) -> str:
        """The dates among these fields that cannot be, in words; empty where there are none."""
        moments = ((name, self._moment(self.document.get(name), name)) for name in fields)
        return "; ".join(odd_date(name, one) for name, one in moments if one and not self._log.believes(one))

    def seconds(self, field: str) -> float:
        """A duration in seconds, also from the texts that old documents hold; NaN when it is missing or unreadable."""
        raw = self.document.get(field)
        if isinstance(raw, str) and (found := _seconds_of(raw)) is not None:
            return found
        return self._number(raw, field)

    def texts(self, field: str) -> list[str]:
        """A list of texts; anything else is empty."""
        raw = self.document.get(field)
        return [str(entry) for entry in raw] if isinstance(raw, (list, tuple)) else []

    def has_list(self, field: str) -> bool:
        """Whether a list stands where one value belongs."""
        return isinstance(self.document.get(field), (list, tuple))

    def flag(self, field: str) -> bool:
        """A boolean field; missing is false."""
        return bool(self.document.get(field) or False)

    def qid(self, field: str = "qid") -> str | None:
        """The normalised id of a qubit or coupling, `""` for global tasks, None (and a problem) for anything else."""
        raw = self.document.get(field)
        if raw is None or raw == "":
            return ""
        qid = normalise_qid(raw)
        if qid is None:
            self.report(field, f"{raw!r} is neither a qubit nor a coupling id")
        return qid

    def parameters(self, field: str) -> Iterator[ParameterRow]:
        """The parameter records of `data` or `output_parameters`, in the document's order."""
        raw = self.document.get(field)
        if raw is None:
            return
        if not isinstance(raw, (dict, Mapping)):
            self.report(field, f"is a {type(raw).__name__}, not an object of parameters")
            return
        for name, record in raw.items():
            yield self.parameter(field, str(name), record)

    def parameter(self, field: str, name: str, record: object) -> ParameterRow:
        """One parameter record as it counts; old entries may be a bare value instead of a record."""
        of_value, value = (field, name), record
        if isinstance(record, (dict, Mapping)):  # a Mapping that is no dict takes twenty times as long to tell
            of_value, value = (field, name, "value"), record.get("value")
        else:
            record = {}
        at = self._moment(record.get("calibrated_at"), field, name, "calibrated_at")
        if field != _STORED_VALUES:
            at = self._believed(at, field, name, "calibrated_at")
        number = self._number(value, *of_value)
        return counted(
            ParameterRow(
                name,
                number,
                self._number(record.get("error"), field, name, "error"),
                str(record.get("unit") or ""),
                at,
                str(record.get("execution_id") or ""),
                str(record.get("task_id") or ""),
                "" if math.isfinite(number) else why_no_number(value),
            )
        )

    def report(self, field: str, problem: str) -> None:
        """Note that a field of this document could not be read."""
        self._log.add(self._collection, self.document_id, self._inside + field, problem)

    def _number(self, raw: object, *path: str) -> float:
        number = number_in(raw)
        if number is None:
            self.report(".".join(path), f"{raw!r} is not a number")
            return math.nan
        return number

    def _believed(self, moment: datetime | None, *path: str) -> datetime | None:
        if moment is None or self._log.believes(moment):
            return moment
        self.report(".".join(path), f"{moment:%Y-%m-%d %H:%M}Z is no date of a result")
        return None

    def _moment(self, raw: object, *path: str) -> datetime | None:
        if raw is None or raw == "":
            return None
        try:
            read = datetime.fromisoformat(raw.strip()) if isinstance(raw, str) else raw
            moment = utc(read) if isinstance(read, datetime) else None
        except (ValueError, OverflowError):  # the latter: first or last hours of the calendar, in another zone
            moment = None
        if moment is None:
            self.report(".".join(path), f"{raw!r} is not a date")
            return None
        finer = moment.microsecond % 1000
        return moment.replace(microsecond=moment.microsecond - finer) if finer else moment


def _seconds_of(text: str) -> float | None:
    """`0:12:03`, `12:03`, `3 minutes` in seconds; None for anything else."""
    if match := _CLOCK.match(text.strip()):
        hours, minutes, seconds = match.groups()
        return 3600 * int(hours or 0) + 60 * int(minutes) + float(seconds)
    if match := _WORDS.match(text.strip().lower()):
        return float(match.group(1)) * _SECONDS[match.group(2)]
    return None
