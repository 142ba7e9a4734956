"""The answers of `QDashReader`, computed in plain Python from documents: what every reader is compared with.

Where the Protocol leaves something open, this is what we decided:

- A parameter is the key of its record in `data` or `output_parameters`; the record's `parameter_name` does not count.
- The shape of an id decides whether a document is about a qubit or a coupling, not its collection nor its `task_type`.
- `element_ids` and `current_parameters` treat a null `project_id` as results do: it is the chip's project when only one
  project has a chip of that id. A chip that is asked for in another project does not get such rows.
- A record whose value is missing or cannot be read is a row with NaN. It counts in `last_n`, in `results`, and as the
  newest record of a parameter.
- `last_n` of 0, and an empty list of ids, keep nothing.
- Of records with the same `calibrated_at` (or none) the one of the later document counts: `qubit` before `coupling`,
  then by `_id`. Of several chip documents the one installed last is the newest, then the one with the larger `_id`.
- Of several tasks at one moment the larger `task_id` is the newer one.
- `parameter_names` counts results without any time too; their `last_at` is NaT. Global tasks (empty `qid`) count there
  when no id is asked for. A result whose id cannot be read counts nowhere.
- A date that cannot be read is a missing date, and a problem. Dates without a zone are UTC; microseconds are cut off.
- `flag` says why a value is missing, and names the one that an excluded result left as the current one. A value
  without a unit is in QDash's.
- NaN, infinite and null numbers are missing without being a problem; booleans, lists and other text are a problem.
- A chip's `size` that is missing, cannot be read or is not positive is 64, QDash's default; an empty `activity_status`
  is `active`.
- Only a list carries tags: a text in its place carries none. A result without a cool-down is one of the
  cool-down `""`; what is no text is no cool-down that can be asked for.
- The values of a moment are those of before it that history rows hold until the day after it (a zone may be ahead of
  UTC). A row without a label, or a record without a date, counts at no moment. Where the results of the last day of
  these, or of after it, hold a newer one of before that moment, that is it; of an element without any, all results do.
- A result is from after 1999-04-28, and until 10 minutes after the moment from which ages count. Another date is none,
  and a problem. In the current values a result stands in for a record with such a date, else it stays without one.
- Every problem is named by collection, document id and dotted field (`data.t1.value`, `qid`, `start_at`); for a bare
  value the field is `data.t1`. A result without any time is a problem of `start_at` when it counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from qdash_jupyter.data.queries import CurrentQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRecord, ChipRef
from qdash_jupyter.domain.metrics import zero_means_missing
from tests.data.conformance.documents import AS_OF

NAN = float("nan")
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
NUMBER_TEXT = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
PREFIXES = ("qubit", "coupling", "量子ビット", "q")

Row = tuple[Any, ...]
Problem = tuple[str, str, str]


def can_be(moment: datetime) -> bool:
    return datetime(1999, 4, 29, tzinfo=UTC) <= moment <= AS_OF + timedelta(minutes=10)


def number_of_id(text: str) -> str | None:
    """`7` for `7`, `007`, `Q07`, `qubit 7`; None for anything else."""
    rest = text.strip().lower()
    for prefix in PREFIXES:
        if rest.startswith(prefix):
            rest = rest[len(prefix) :].lstrip(" _#")
            break
    return str(int(rest)) if rest.isdecimal() and rest.isascii() else None


def element_of(raw: Any) -> str | None:
    """The id in QDash's form, `""` for none, None when it cannot be read."""
    if raw is None or raw == "":
        return ""
    if isinstance(raw, bool) or not isinstance(raw, (str, int)):
        return None
    parts = str(raw).split("-")
    numbers = [number for part in parts if (number := number_of_id(part)) is not None]
    return "-".join(numbers) if len(numbers) == len(parts) <= 2 else None


def number_order(qid: str) -> tuple[int, ...]:
    return tuple(map(int, qid.split("-")))


@dataclass
class Record:
    parameter: str
    value: float
    error: float
    unit: str
    calibrated_at: datetime | None
    execution_id: str
    task_id: str
    raw: Any = None
    """The value as it is stored."""


@dataclass
class Entry:
    """A decoded document of `qubit`, `coupling` or `task_result_history`."""

    order: tuple[Any, ...]
    document_id: str
    project_id: str | None
    chip_id: str
    qid: str | None
    counts: bool
    records: list[Record] = field(default_factory=list)
    start_at: datetime | None = None
    end_at: datetime | None = None
    name: str = ""
    cooldown_id: str | None = ""
    tags: frozenset[str] = frozenset()
    execution_id: str = ""
    task_id: str = ""
    excluded: str | None = None
    day: tuple[int, ...] | None = None
    problems: list[Problem] = field(default_factory=list)

    def time_of(self, record: Record) -> datetime | None:
        return self.start_at or record.calibrated_at or self.end_at


class Truth:
    """The Protocol's answers for one set of documents."""

    def __init__(self, documents: dict[str, list[dict[str, Any]]]) -> None:
        self.chip_problems: list[Problem] = []
        self.chip_documents = sorted(documents.get("chip", []), key=lambda document: document["_id"])
        self.elements = [self._element(c, d) for c in ("qubit", "coupling") for d in documents.get(c, [])]
        self.elements.sort(key=lambda entry: entry.order)
        rows = [(c, d) for c in ("qubit_history", "coupling_history") for d in documents.get(c, [])]
        self.history = sorted((self._element(c, d) for c, d in rows), key=lambda entry: entry.order)
        self.results = [self._result(d) for d in documents.get("task_result_history", [])]
        chips = [(document.get("username") or "", self._chip(document)) for document in self.chip_documents]
        self.chip_rows = [
            (user, chip) for user, chip in chips if chip.ref.project_id
        ]  # a chip without a project is reported

    # -- answers ------------------------------------------------------------------------------------------------

    def chips(self, project_id: str | None = None, username: str | None = None) -> list[ChipRecord]:
        newest: dict[ChipRef, ChipRecord] = {}
        rows = sorted(self.chip_rows, key=lambda row: row[1].installed_at or LONG_AGO)  # stable: then by _id
        for user, chip in rows:
            if project_id in (None, chip.ref.project_id) and username in (None, user):
                newest[chip.ref] = chip
        return [newest[ref] for ref in sorted(newest, key=lambda ref: (ref.project_id, ref.chip_id))]

    def element_ids(self, chip: ChipRef, kind: str) -> list[str]:
        return sorted({qid for qid, _ in self._of_kind(self.elements, chip, kind)}, key=number_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> list[Row]:
        times: dict[str, list[datetime | None]] = {}
        for entry in self.results:
            if entry.counts and self._in_scope(entry, chip) and entry.qid is not None and qid in (None, entry.qid):
                for record in entry.records:
                    times.setdefault(record.parameter, []).append(entry.time_of(record))
        return [
            (name, len(known), max((t for t in known if t is not None), default=None))
            for name, known in sorted(times.items())
        ]

    def current_parameters(self, query: CurrentQuery) -> list[Row]:
        newest: dict[tuple[str, str], Record] = {}
        qids, names = query.qids, query.parameters
        entries = self.elements if query.at is None else self._until(query.at)
        for qid, entry in self._of_kind(entries, query.chip, query.kind):
            for record in entry.records:
                date = record.calibrated_at if record.calibrated_at and can_be(record.calibrated_at) else None
                if query.at is not None and not (date and date < query.at):
                    continue
                known = newest.get((qid, record.parameter))
                if known is None or (date or LONG_AGO) >= date_of(known):
                    newest[qid, record.parameter] = record
        if query.at is not None:
            newest |= self._measured_since(query, newest)
        return [
            self._current(query, qid, record)
            for (qid, name), record in sorted(newest.items(), key=lambda item: (number_order(item[0][0]), item[0][1]))
            if (qids is None or qid in qids) and (names is None or name in names)
        ]

    def _measured_since(
        self, query: CurrentQuery, stored: dict[tuple[str, str], Record]
    ) -> dict[tuple[str, str], Record]:
        assert query.at is not None
        last: dict[str, datetime] = {}
        for (qid, name), record in stored.items():
            if query.parameters is None or name in query.parameters:
                last[qid] = max(last.get(qid, LONG_AGO), date_of(record))
        newer: dict[tuple[str, str], Record] = {}
        for qid in query.qids if query.qids is not None else self.element_ids(query.chip, query.kind):
            of_element = [one for other, one in self._of_kind(self.results, query.chip, query.kind) if other == qid]
            for name in {record.parameter for entry in of_element for record in entry.records}:
                measured = self._measured(query, qid, name, query.at)
                if measured is None:
                    continue
                known = date_of(stored[qid, name]) if (qid, name) in stored else LONG_AGO
                since = last[qid] - timedelta(days=1) if qid in last else LONG_AGO
                if max(known, since) < date_of(measured) < query.at:
                    newer[qid, name] = measured
        return newer

    def _measured(self, query: CurrentQuery, qid: str, parameter: str, until: datetime) -> Record | None:
        """The newest result of before then that counts, as a record with a date."""
        found: list[tuple[datetime, str, Entry, Record]] = [
            (t, entry.task_id, entry, one)
            for other, entry in self._of_kind(self.results, query.chip, query.kind)
            for one in entry.records
            if other == qid and one.parameter == parameter and (t := entry.time_of(one)) is not None and t < until
        ]
        if not found:
            return None
        t, task_id, entry, newest = max(found, key=lambda one: one[:2])
        at = newest.calibrated_at or t
        return replace(newest, calibrated_at=at, execution_id=entry.execution_id, task_id=task_id)

    def _until(self, at: datetime) -> list[Entry]:
        after = (at.year, at.month, at.day) if at.year == 9999 else (at + timedelta(days=1)).timetuple()[:3]
        return [entry for entry in self.history if entry.day is not None and entry.day <= after]

    def _current(self, query: CurrentQuery, qid: str, record: Record) -> Row:
        """The value of a result that counts: else the newest that does, with what was left out."""
        value, error, unit, flag = counting(record)
        why, date = self._excluded(query.chip, record.task_id), record.calibrated_at
        is_odd = date is not None and not can_be(date)
        if why is None and not is_odd:
            return (qid, record.parameter, value, error, unit, date, *ids_of(record), flag)
        said = flag or f"{value:.6g} {unit}".strip()
        left_out = f"excluded: {said}" + (f", {why}" if why else "")
        measured = self._measured(query, qid, record.parameter, query.at or datetime.max.replace(tzinfo=UTC))
        if why is None and date is not None:
            left_out = f"suspicious: calibrated_at {date:%Y-%m-%d %H:%M}Z"
            left_out += f": {said}" if measured is not None and measured.task_id != record.task_id else ""
        if measured is None:
            kept = (value, error, flag) if why is None else (NAN, NAN, "")
            flag = "; ".join(filter(None, [kept[2], left_out]))
            return (qid, record.parameter, *kept[:2], unit, None if is_odd else date, *ids_of(record), flag)
        value, error, unit, flag = counting(measured)
        flag = f"{flag}; {left_out}" if flag else left_out
        return (qid, record.parameter, value, error, unit, measured.calibrated_at, *ids_of(measured), flag)

    def _excluded(self, chip: ChipRef, task_id: str) -> str | None:
        """Why the result of that id does not count; None where it does or is not known."""
        for entry in self.results:
            if task_id and entry.task_id == task_id and entry.excluded is not None and self._in_scope(entry, chip):
                return entry.excluded
        return None

    def parameter_series(self, query: SeriesQuery) -> list[Row]:
        since, until, qids, last_n = query.during.since, query.during.until, query.qids, query.last_n
        of_element: dict[str, list[Row]] = {}
        for qid, entry in self._of_kind(self.results, query.chip, query.kind):
            if query.cooldown_id not in (None, entry.cooldown_id) or not entry.tags.issuperset(query.tags):
                continue
            for record in entry.records:
                t = entry.time_of(record)
                if record.parameter != query.parameter or t is None or (qids is not None and qid not in qids):
                    continue
                if (since is None or since <= t) and (until is None or t < until):
                    names = (entry.name, entry.execution_id, entry.task_id)
                    value, error, unit, flag = counting(record)
                    of_element.setdefault(qid, []).append((qid, t, value, error, unit, *names, flag))
        kept = []
        for rows in of_element.values():
            rows.sort(key=lambda row: (row[1], row[-2]))
            kept += rows if last_n is None else rows[max(len(rows) - last_n, 0) :]
        return sorted(kept, key=lambda row: (row[1], number_order(row[0]), row[-2]))

    def problems(self) -> set[Problem]:
        """Every problem of the documents."""
        found = {problem for entry in (*self.elements, *self.history, *self.results) for problem in entry.problems}
        return found | set(self.chip_problems)

    def problems_of_what_counts(self) -> set[Problem]:
        """Problems of documents that some answer is made of: those that a reader must have reported in the end."""
        refs = {chip.ref for chip in self.chips()}
        return set(self.chip_problems) | {
            problem
            for entry in (*self.elements, *self.results)
            if entry.counts and entry.qid != "" and any(self._in_scope(entry, ref) for ref in refs)
            for problem in entry.problems
        }

    # -- documents ----------------------------------------------------------------------------------------------

    def _of_kind(self, entries: list[Entry], chip: ChipRef, kind: str) -> Iterator[tuple[str, Entry]]:
        for entry in entries:
            if (
                entry.counts
                and entry.qid
                and ("-" in entry.qid) == (kind == "coupling")
                and self._in_scope(entry, chip)
            ):
                yield entry.qid, entry

    def _in_scope(self, entry: Entry, chip: ChipRef) -> bool:
        if entry.chip_id != chip.chip_id:
            return False
        if entry.project_id is not None:
            return entry.project_id == chip.project_id
        holders = {d.get("project_id") for d in self.chip_documents if d.get("chip_id") == chip.chip_id} - {None}
        return holders == {chip.project_id}

    def _chip(self, document: dict[str, Any]) -> ChipRecord:
        reading = Reading("chip", document, self.chip_problems)
        size = reading.number(document.get("size"), "size")
        if document.get("project_id") is None:
            reading.report("project_id")
        return ChipRecord(
            ChipRef(document.get("project_id") or "", document["chip_id"]),
            int(size) if size > 0 else 64,
            document.get("topology_id"),
            document.get("activity_status") or "active",
            document.get("current_cooldown_id"),
            reading.moment(document.get("installed_at"), "installed_at"),
        )

    def _element(self, collection: str, document: dict[str, Any]) -> Entry:
        entry, reading = self._entry(collection, document, counts=True)
        entry.order = ("coupling" in collection, document["_id"])
        if label := document.get("recorded_date"):
            entry.day = (int(label[:4]), int(label[4:6]), int(label[6:]))
        if entry.qid:
            entry.records = reading.records(document.get("data"), "data")
        return entry

    def _result(self, document: dict[str, Any]) -> Entry:
        counts = document.get("status") == "completed" and not document.get("excluded")
        entry, reading = self._entry("task_result_history", document, counts=counts)
        entry.task_id = document.get("task_id") or ""
        entry.excluded = (document.get("excluded_reason") or "") if document.get("excluded") else None
        if entry.qid is None:
            return entry
        entry.start_at = reading.happened(document.get("start_at"), "start_at")
        entry.end_at = reading.happened(document.get("end_at"), "end_at")
        entry.records = reading.records(document.get("output_parameters"), "output_parameters")
        if isinstance(document.get("start_at"), list):
            entry.records = []
        entry.name, entry.execution_id, entry.task_id = (
            document.get(f) or "" for f in ("name", "execution_id", "task_id")
        )
        cooldown = document.get("cooldown_id") or ""
        entry.cooldown_id = cooldown if isinstance(cooldown, str) else None
        if isinstance(document.get("tags"), list):
            entry.tags = frozenset(tag for tag in document["tags"] if isinstance(tag, str))
        if counts and entry.qid and any(entry.time_of(record) is None for record in entry.records):
            reading.report("start_at")
        return entry

    def _entry(self, collection: str, document: dict[str, Any], *, counts: bool) -> tuple[Entry, Reading]:
        qid = element_of(document.get("qid"))
        entry = Entry((), document["_id"], document.get("project_id"), document["chip_id"], qid, counts)
        reading = Reading(collection, document, entry.problems)
        if qid is None:
            reading.report("qid")
        return entry, reading


IN_STORED_UNIT = {
    "μs": {"μs": 1, "us": 1, "µs": 1, "ns": 1e-3, "ms": 1e3, "s": 1e6},
    "ns": {"ns": 1, "μs": 1e3, "us": 1e3, "s": 1e9},
    "GHz": {"GHz": 1, "MHz": 1e-3, "kHz": 1e-6, "Hz": 1e-9},
    "MHz": {"MHz": 1, "GHz": 1e3, "kHz": 1e-3},
    "a.u.": {"a.u.": 1, "%": 1e-2, "1": 1},
}
"""How many of QDash's units one of another is."""

STORED_UNITS = {
    "μs": {"t1", "t1_average", "t2_echo", "t2_echo_average", "t2_star"},
    "ns": {"hpi_length", "pi_length", "zx90_gate_time"},
    "GHz": {"qubit_frequency", "readout_frequency", "coarse_qubit_frequency", "resonator_frequency", "anharmonicity"}
    | {"static_zz_interaction", "coarse_resonator_frequency"},
    "MHz": {"ramsey_frequency", "rabi_frequency", "dispersive_shift"},
    "a.u.": {"average_readout_fidelity", "average_gate_fidelity", "x90_gate_fidelity", "zx90_gate_fidelity"}
    | {"bell_state_fidelity", "readout_fidelity_0", "readout_fidelity_1", "x180_gate_fidelity", "hpi_amplitude"}
    | {"depolarizing_rate", "x90_depolarizing_rate", "zx90_depolarizing_rate"},
}

UPPER_ENDS = {"μs": 1e6, "ns": 1e6, "GHz": 1e3}


def date_of(record: Record) -> datetime:
    """When it was calibrated; long ago where that is not known."""
    return record.calibrated_at if record.calibrated_at and can_be(record.calibrated_at) else LONG_AGO


def ids_of(record: Record) -> tuple[str, str]:
    return record.execution_id, record.task_id


def counting(record: Record) -> tuple[float, float, str, str]:
    """Value and error in QDash's unit, that unit, and why there is no value."""
    name, unit, value, error = record.parameter, record.unit, record.value, record.error
    stored = next((one for one, names in STORED_UNITS.items() if name in names), "")
    said = f"{value:.6g} {unit}".strip()
    if math.isnan(value):
        flag = "unreadable: no number"
        if isinstance(record.raw, str) and not NUMBER_TEXT.fullmatch(record.raw):
            flag = f"unreadable: text {record.raw[:40]!r}"
        elif isinstance(record.raw, (bool, list, dict)):
            flag = f"unreadable: {str(record.raw)[:40]!r}"
    else:
        flag = ""
    unit = unit or stored
    if stored and unit != stored:
        times = IN_STORED_UNIT[stored].get(unit)
        if times is None:
            return NAN, NAN, stored, flag or f"{said}, not {stored}"
        value, error, unit = value * times, error * times, stored
    if value == 0 and zero_means_missing(name):
        return NAN, error, unit, "no fit"
    is_fidelity, may_be_negative = "fidelity" in name, name in {"anharmonicity", "static_zz_interaction"}
    top = 1.0 if is_fidelity else UPPER_ENDS.get(stored, math.inf)
    bounded = is_fidelity or (stored in UPPER_ENDS and not may_be_negative)
    if (bounded and not 0 <= value <= top and not math.isnan(value)) or abs(value) > 1e30:
        return NAN, error, unit, f"impossible: {said}"
    return value, error, unit, flag


class Reading:
    """Reads the values of one document; what cannot be read goes to `problems`."""

    def __init__(self, collection: str, document: dict[str, Any], problems: list[Problem]) -> None:
        self.collection, self.document_id, self.problems = collection, document["_id"], problems

    def report(self, place: str) -> None:
        self.problems.append((self.collection, self.document_id, place))

    def records(self, raw: Any, place: str) -> list[Record]:
        if raw is None:
            return []
        if not isinstance(raw, dict):
            self.report(place)
            return []
        return [self.record(name, entry, f"{place}.{name}") for name, entry in raw.items()]

    def record(self, name: str, raw: Any, place: str) -> Record:
        if not isinstance(raw, dict):
            return Record(name, self.number(raw, place), NAN, "", None, "", "", raw)
        return Record(
            name,
            self.number(raw.get("value"), f"{place}.value"),
            self.number(raw.get("error"), f"{place}.error"),
            raw.get("unit") or "",
            (self.moment if place.startswith("data.") else self.happened)(
                raw.get("calibrated_at"), f"{place}.calibrated_at"
            ),
            raw.get("execution_id") or "",
            raw.get("task_id") or "",
            raw.get("value"),
        )

    def number(self, raw: Any, place: str) -> float:
        if raw is None:
            return NAN
        if isinstance(raw, (int, float)) and not isinstance(raw, bool):
            return float(raw) if math.isfinite(raw) else NAN
        if isinstance(raw, str) and NUMBER_TEXT.fullmatch(raw):
            return float(raw)
        self.report(place)
        return NAN

    def happened(self, raw: Any, place: str) -> datetime | None:
        """The date of something that was measured: none before the first qubit, and none in the future."""
        moment = self.moment(raw, place)
        if moment is None or can_be(moment):
            return moment
        self.report(place)
        return None

    def moment(self, raw: Any, place: str) -> datetime | None:
        if raw is None or raw == "":
            return None
        try:
            moment = datetime.fromisoformat(raw.strip()) if isinstance(raw, str) else raw
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            moment = moment.astimezone(UTC)
        except (ValueError, OverflowError, AttributeError):
            self.report(place)
            return None
        return moment.replace(microsecond=moment.microsecond - moment.microsecond % 1000)
