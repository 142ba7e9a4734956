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
- NaN, infinite and null numbers are missing without being a problem; booleans, lists and other text are a problem.
- A chip's `size` that is missing, cannot be read or is not positive is 64, QDash's default; an empty `activity_status`
  is `active`.
- Only a list carries tags: a text in its place carries none. A result without a cool-down is one of the
  cool-down `""`; what is no text is no cool-down that can be asked for.
- Every problem is named by collection, document id and dotted field (`data.t1.value`, `qid`, `start_at`); for a bare
  value the field is `data.t1`. A result without any time is a problem of `start_at` when it counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from qdash_jupyter.data.queries import CurrentQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRecord, ChipRef, ProjectRecord
from qdash_jupyter.domain.metrics import zero_means_missing

NAN = float("nan")
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
NUMBER_TEXT = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
PREFIXES = ("qubit", "coupling", "量子ビット", "q")

Row = tuple[Any, ...]
Problem = tuple[str, str, str]


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
    problems: list[Problem] = field(default_factory=list)

    def time_of(self, record: Record) -> datetime | None:
        return self.start_at or record.calibrated_at or self.end_at


class Truth:
    """The Protocol's answers for one set of documents."""

    def __init__(self, documents: dict[str, list[dict[str, Any]]]) -> None:
        self.chip_problems: list[Problem] = []
        self.project_documents = documents.get("project", [])
        self.chip_documents = sorted(documents.get("chip", []), key=lambda document: document["_id"])
        self.elements = [self._element(c, d) for c in ("qubit", "coupling") for d in documents.get(c, [])]
        self.elements.sort(key=lambda entry: entry.order)
        self.results = [self._result(d) for d in documents.get("task_result_history", [])]
        chips = [self._chip(document) for document in self.chip_documents]
        self.chip_rows = [chip for chip in chips if chip.ref.project_id]  # a chip without a project is reported

    # -- answers ------------------------------------------------------------------------------------------------

    def projects(self) -> list[ProjectRecord]:
        names = {document["project_id"]: "" for document in self.chip_documents if document.get("project_id")}
        for document in self.project_documents:
            names[document["project_id"]] = document.get("name") or names.get(document["project_id"], "")
        return [ProjectRecord(identity, name or identity) for identity, name in sorted(names.items())]

    def chips(self, project_id: str | None = None) -> list[ChipRecord]:
        newest: dict[ChipRef, ChipRecord] = {}
        for chip in sorted(self.chip_rows, key=lambda chip: chip.installed_at or LONG_AGO):  # stable: then by _id
            if project_id in (None, chip.ref.project_id):
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
        for qid, entry in self._of_kind(self.elements, query.chip, query.kind):
            for record in entry.records:
                known = newest.get((qid, record.parameter))
                if known is None or (record.calibrated_at or LONG_AGO) >= (known.calibrated_at or LONG_AGO):
                    newest[qid, record.parameter] = record
        return [
            (qid, name, measured(r), r.error, r.unit, r.calibrated_at, r.execution_id, r.task_id)
            for (qid, name), r in sorted(newest.items(), key=lambda item: (number_order(item[0][0]), item[0][1]))
            if (qids is None or qid in qids) and (names is None or name in names)
        ]

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
                    of_element.setdefault(qid, []).append((qid, t, measured(record), record.error, record.unit, *names))
        kept = []
        for rows in of_element.values():
            rows.sort(key=lambda row: (row[1], row[-1]))
            kept += rows if last_n is None else rows[max(len(rows) - last_n, 0) :]
        return sorted(kept, key=lambda row: (row[1], number_order(row[0]), row[-1]))

    def problems(self) -> set[Problem]:
        """Every problem of the documents."""
        found = {problem for entry in (*self.elements, *self.results) for problem in entry.problems}
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
        entry.order = (collection != "qubit", document["_id"])
        if entry.qid:
            entry.records = reading.records(document.get("data"), "data")
        return entry

    def _result(self, document: dict[str, Any]) -> Entry:
        counts = document.get("status") == "completed" and not document.get("excluded")
        entry, reading = self._entry("task_result_history", document, counts=counts)
        if entry.qid is None:
            return entry
        entry.start_at = reading.moment(document.get("start_at"), "start_at")
        entry.end_at = reading.moment(document.get("end_at"), "end_at")
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


def measured(record: Record) -> float:
    """The value, without zeros that mean "no fit"."""
    return NAN if record.value == 0 and zero_means_missing(record.parameter) else record.value


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
            return Record(name, self.number(raw, place), NAN, "", None, "", "")
        return Record(
            name,
            self.number(raw.get("value"), f"{place}.value"),
            self.number(raw.get("error"), f"{place}.error"),
            raw.get("unit") or "",
            self.moment(raw.get("calibrated_at"), f"{place}.calibrated_at"),
            raw.get("execution_id") or "",
            raw.get("task_id") or "",
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
