"""The questions that are answered from whole documents, the same for every reader."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from qdash_jupyter.data import queries, records
from qdash_jupyter.data.decode import DocumentDecoder, ProblemLog, counted, number_in, odd_date
from qdash_jupyter.data.documents import DocumentQuery, chosen
from qdash_jupyter.data.people_notes import NOTE_COLLECTIONS, written_at
from qdash_jupyter.data.records import ChipRecord, ChipRef, ElementKind
from qdash_jupyter.data.tables import SERIES_COLUMNS, current_frame, frame_of, series_in_order
from qdash_jupyter.domain.compact import compact_text, plain
from qdash_jupyter.domain.qid import is_coupling

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")

CurrentValues = dict[tuple[str, str], records.ParameterRow]
"""By element and parameter."""

_CHIP_FIELDS = ("project_id", "chip_id", "username", *(each.name for each in fields(ChipRecord) if each.name != "ref"))
_ISSUE_FIELDS = ("project_id", "task_id", "title", "content", "username", "parent_id", "is_ai_reply", "system_info")
_REASON_CHARS = 100
_DEFAULT_SIZE = 64  # QDash's own, for chips without a size
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_A_DAY = timedelta(days=1)


class DocumentLookups(ABC):
    """What a reader can answer once it gives whole documents."""

    def __init__(self, origin: records.Origin, as_of: datetime | None) -> None:
        """Read there. `as_of` is the moment from which ages count; None for the clock."""
        self.origin = origin
        self._as_of = as_of
        self._log = ProblemLog(self.now)

    def now(self) -> datetime:
        """The moment from which ages count."""
        return self._as_of or datetime.now(UTC)

    def problems(self) -> list[records.DataProblem]:
        """What could not be read so far: of a snapshot, when it was written."""
        return self._log.all()

    @abstractmethod
    def documents(self, query: DocumentQuery) -> Iterable[DocumentDecoder]:
        """At least the documents that the query asks for."""

    @abstractmethod
    def documents_of(
        self, collection: str, fields: Sequence[str], project_id: str | None = None
    ) -> Iterable[DocumentDecoder]:
        """The documents of a whole collection, or of a project's, in the order of their ids: these fields at least."""

    @abstractmethod
    def _number_of(self, query: DocumentQuery) -> int:
        """How many documents the query asks for; it has no `last_n`."""

    @abstractmethod
    def _result_groups(self, query: DocumentQuery) -> Iterable[DocumentDecoder]:
        """The task results that the query asks for, in groups: `name`, `status`, `qid`, and `results`, their number.
        One without it is a single result.
        """

    @abstractmethod
    def _stored_values(self, query: queries.CurrentQuery) -> Iterable[tuple[str, records.ParameterRow]]:
        """The values in the `data` of the elements' documents, or of their history, each with its element."""

    @abstractmethod
    def _newest_measured(self, query: queries.CurrentQuery, since: datetime | None = None) -> CurrentValues:
        """The newest result that counts of each of the elements (`qids` are given) and parameters, from then on."""

    @abstractmethod
    def element_ids(self, chip: ChipRef, kind: ElementKind, qids: Sequence[str] | None = None) -> list[str]:
        """Ids of the chip's qubits or couplings."""

    def current_parameters(self, query: queries.CurrentQuery) -> pd.DataFrame:
        """The current calibrated values. QDash leaves the value of a result that is excluded where it is, and one with
        a date in the future stays there for ever.
        """
        values = self._newest_stored(query)
        if query.at is not None:
            values |= self._measured_since(query, values)
        reasons = self._excluded(query.chip, sorted({row.task_id for row in values.values()} - {""}))
        excluded = {of: row for of, row in values.items() if row.task_id in reasons}
        odd = {of: row for of, row in values.items() if self._date(row) is None and row.calibrated_at}
        if left_out := excluded | odd:
            qids, parameters = (tuple(dict.fromkeys(names)) for names in zip(*left_out, strict=True))
            measured = self._newest_measured(replace(query, qids=qids, parameters=parameters))
            values |= {of: _instead_of_odd(row, measured.get(of)) for of, row in odd.items()}
            for of, row in excluded.items():
                left = row._replace(calibrated_at=self._date(row))
                values[of] = _instead(left, measured.get(of), reasons[row.task_id])
        return current_frame(values)

    def _date(self, row: records.ParameterRow) -> datetime | None:
        """When a value was calibrated, as far as that is known."""
        return row.calibrated_at if row.calibrated_at and self._log.believes(row.calibrated_at) else None

    def _newest_stored(self, query: queries.CurrentQuery) -> CurrentValues:
        """Of the values in the documents, those that were calibrated last (before `at`)."""
        values: CurrentValues = {}
        for qid, row in self._stored_values(query):
            date, known = self._date(row), values.get((qid, row.parameter))
            if query.at is not None and (date is None or date >= query.at):
                continue
            if known is None or (date or _LONG_AGO) >= (self._date(known) or _LONG_AGO):
                values[qid, row.parameter] = row
        return values

    def _measured_since(self, query: queries.CurrentQuery, stored: CurrentValues) -> CurrentValues:
        """What results tell of the time between the history's rows and `at`: a row holds all values of its element at
        the end of a day, and QDash does not write one for each day.
        """
        since: dict[str, datetime] = {}
        for (qid, _), row in stored.items():
            since[qid] = max(since.get(qid, _LONG_AGO), (row.calibrated_at or _LONG_AGO) - _A_DAY)
        given = query.qids if query.qids is not None else self.element_ids(query.chip, query.kind)
        qids = [qid for qid in given if is_coupling(qid) == (query.kind == "coupling")]
        unknown = tuple(qid for qid in qids if qid not in since)
        found = self._newest_measured(replace(query, qids=tuple(since)), min(since.values())) if since else {}
        found |= self._newest_measured(replace(query, qids=unknown)) if unknown else {}
        newer: CurrentValues = {}
        for (qid, parameter), row in found.items():
            known = stored.get((qid, parameter))
            after = max(since.get(qid, _LONG_AGO), (known and known.calibrated_at) or _LONG_AGO)
            if row.calibrated_at and query.at and after < row.calibrated_at < query.at:
                newer[qid, parameter] = row
        return newer

    def _excluded(self, chip: ChipRef, task_ids: Sequence[str]) -> dict[str, str]:
        """Why results are excluded, of those of these tasks that are."""
        query = DocumentQuery(chip, "task_result_history", {"task_id": tuple(task_ids)}, excluded=True)
        return {decoder.text("task_id"): decoder.text("excluded_reason") for decoder in self._chosen(query)}

    def chips(self, project_id: str | None = None, username: str | None = None) -> list[ChipRecord]:
        """The chips, by project and chip id; of several documents the one that was installed last counts."""
        newest: dict[ChipRef, ChipRecord] = {}
        for decoder in self.documents_of("chip", _CHIP_FIELDS, project_id):
            if username not in {None, decoder.text("username")}:
                continue
            if decoder.text_or_none("project_id") is None:
                decoder.report("project_id", "is missing: the chip belongs to no project")
                continue
            chip = _chip(decoder)
            known = newest.get(chip.ref)
            if known is None or (chip.installed_at or _LONG_AGO) >= (known.installed_at or _LONG_AGO):
                newest[chip.ref] = chip
        return sorted(newest.values(), key=lambda chip: (chip.ref.project_id, chip.ref.chip_id))

    def task_results(self, query: queries.ResultQuery) -> list[records.TaskResult]:
        """Results of tasks, newest first."""
        return [task_result(decoder) for decoder in self._chosen(_documents(query))]

    def result_counts(self, query: queries.ResultQuery) -> dict[tuple[str, str, str], int]:
        """How many results there are of each task, status and qid."""
        counts: Counter[tuple[str, str, str]] = Counter()
        asked = _documents(replace(query, last_n=None))
        for decoder in self._chosen(asked) if query.output else self._result_groups(asked):
            counts[decoder.text("name"), decoder.text("status"), _qid(decoder)] += decoder.document.get("results", 1)
        return dict(sorted(counts.items()))  # the database gives them in any order

    def parameter_series(self, query: queries.SeriesQuery) -> pd.DataFrame:
        """A parameter's measurements, oldest first."""
        return self._odd_series(query) if query.during.is_odd else self._series(query)

    @abstractmethod
    def _series(self, query: queries.SeriesQuery) -> pd.DataFrame:
        """The measurements whose dates can be."""

    def _odd_series(self, query: queries.SeriesQuery) -> pd.DataFrame:
        """The measurements that stand nowhere in time: `flag` says which dates cannot be."""
        where = {"status": ("completed",)} | (
            {} if query.cooldown_id is None else {"cooldown_id": (query.cooldown_id,)}
        )
        asked = DocumentQuery(query.chip, "task_result_history", where, excluded=False, output=query.parameter)
        asked = replace(asked, tags=query.tags, during=query.during)
        results = [task_result(decoder) for decoder in self._chosen(asked)]
        rows = [
            (one.qid, None, row.value, row.error, row.unit, one.task_name, one.execution_id, one.task_id, flag)
            for one in results
            for row in one.outputs
            if row.parameter == query.parameter and query.is_about(one.qid)
            for flag in ["; ".join(filter(None, (row.flag, one.flag)))]
        ]
        return series_in_order(frame_of(rows, SERIES_COLUMNS))

    def count(self, query: queries.Countable) -> int:
        """How many there are of all that fit, whatever `last_n` is."""
        if isinstance(query, queries.SeriesQuery):
            return len(self.parameter_series(replace(query, last_n=None)))
        if isinstance(query, queries.ResultQuery):
            return sum(self.result_counts(query).values())
        return self._number_of(_documents(replace(query, last_n=None)))

    def task_detail(self, chip: ChipRef, task_id: str) -> records.TaskDetail | None:
        """What else is stored of a task; None where the chip has no task of that id."""
        query = DocumentQuery(chip, "task_result_history", {"task_id": (task_id,)}, last_n=1)
        return next((_task_detail(decoder) for decoder in self._chosen(query)), None)

    def executions(self, query: queries.ExecutionQuery) -> list[records.Execution]:
        """Runs of flows, newest first."""
        return [_execution(decoder) for decoder in self._chosen(_documents(query))]

    def calibration_notes(self, query: queries.CalibrationNoteQuery) -> list[records.CalibrationNote]:
        """The machine states that runs wrote down, newest first."""
        return [_calibration_note(decoder) for decoder in self._chosen(_documents(query))]

    def parameter_versions(self, query: queries.VersionQuery) -> list[records.ParameterVersion]:
        """The versions of a parameter, newest first."""
        return [_version(decoder) for decoder in self._chosen(_documents(query))]

    def entities(self, chip: ChipRef, entity_ids: Sequence[str]) -> list[records.ParameterVersion]:
        """Entities of the project's provenance graph, of any of its chips; those that do not exist are left out."""
        query = DocumentQuery(chip, "parameter_versions", {"entity_id": tuple(entity_ids)})
        return [_version(decoder) for decoder in self._chosen(query)]

    def activities(self, chip: ChipRef, activity_ids: Sequence[str]) -> list[records.ProvenanceActivity]:
        """Activities of the project's provenance graph; those that do not exist are left out."""
        query = DocumentQuery(chip, "provenance_activities", {"activity_id": tuple(activity_ids)})
        return [_record(records.ProvenanceActivity, decoder, qid=_qid(decoder)) for decoder in self._chosen(query)]

    def relations_from(
        self, chip: ChipRef, source_ids: Sequence[str], kind: str | None = None
    ) -> list[records.ProvenanceRelation]:
        """The edges that lead backwards from these nodes: to what made them and what they were made of."""
        query = DocumentQuery(chip, "provenance_relations", {"source_id": tuple(source_ids)})
        return [
            _record(records.ProvenanceRelation, decoder, relation=decoder.text("relation_type"))
            for decoder in self._edges(query, kind)
        ]

    def _edges(self, query: DocumentQuery, _: str | None) -> list[DocumentDecoder]:
        return self._chosen(query)

    def cooldowns(self, chip: ChipRef) -> list[records.Cooldown]:
        """The cool-downs in which the chip was, newest first."""
        query = DocumentQuery(chip, "cooldown")
        found = [_record(records.Cooldown, decoder) for decoder in self._chosen(query)]
        mine = [cooldown for cooldown in found if chip.chip_id in cooldown.chip_ids]
        return sorted(mine, key=lambda cooldown: cooldown.started_at or _LONG_AGO, reverse=True)

    def notes(self, chip: ChipRef) -> list[records.Note]:
        """What people wrote about the chip, its elements, its tasks and its cool-downs, newest first.

        Notes of the project that name no chip come along. Deleted posts and replies of the machine are left out.
        """
        found: list[records.Note] = []
        queries = [
            DocumentQuery(chip, collection, with_note=collection == "task_result_history")
            for collection in NOTE_COLLECTIONS
        ]
        for notes_in, documents in zip(NOTE_COLLECTIONS.values(), self._all_chosen(queries), strict=True):
            for decoder in documents:
                found += notes_in(decoder, chip)
        issues = [note for note in found if note.kind == "issue"]
        others = [note for note in found if note.kind != "issue"]
        found = others + self._of_chip(chip, issues)
        return sorted(found, key=lambda note: (note.at or _LONG_AGO, note.note_id), reverse=True)

    def issue_thread(self, issue_id: str, project_id: str | None = None) -> records.IssueThread | None:
        """The issue with this id, or in whose thread a post has it."""
        found = list(self.documents_of("issue", _ISSUE_FIELDS, project_id))
        root_id = next((each.text("parent_id") or issue_id for each in found if each.document_id == issue_id), None)
        root = next((each for each in found if each.document_id == root_id), None)
        if root is None:
            return None
        replies = (each for each in found if each.text("parent_id") == root_id)
        ordered = sorted(replies, key=lambda each: (written_at(each) or _LONG_AGO, each.document_id))
        posts = (
            records.IssuePost(each.text("content"), each.text("username"), written_at(each), each.flag("is_ai_reply"))
            for each in (root, *ordered)
        )
        project, task, title = root.text("project_id"), root.text("task_id"), root.text("title")
        return records.IssueThread(root.document_id, project, task, title, tuple(posts))

    def _of_chip(self, chip: ChipRef, issues: Sequence[records.Note]) -> list[records.Note]:
        """The issues that are about the chip, with the ids of its elements: an issue names a task only. Those about
        tasks that no chip has come along.
        """
        asked = {issue.target for issue in issues} - {""}
        mine = self._qids_of_tasks(chip, asked)
        for other in self.chips(chip.project_id):
            if other.ref != chip:
                asked -= set(self._qids_of_tasks(other.ref, asked - set(mine)))
        return [replace(issue, qid=mine.get(issue.target, "")) for issue in issues if issue.target in {"", *asked}]

    def _qids_of_tasks(self, chip: ChipRef, task_ids: Collection[str]) -> dict[str, str]:
        query = DocumentQuery(chip, "task_result_history", {"task_id": tuple(sorted(task_ids))})
        return {decoder.text("task_id"): decoder.qid() or "" for decoder in self._chosen(query)}

    def forget(self) -> bool:
        """Look up anew what is kept of chips; whether that may change an answer."""
        return False

    def _all_chosen(self, queries: Sequence[DocumentQuery]) -> list[list[DocumentDecoder]]:
        return [self._chosen(query) for query in queries]

    def _chosen(self, query: DocumentQuery) -> list[DocumentDecoder]:
        if query.last_n == 0 or not all(query.where.values()):
            return []
        return chosen(query, self.documents(query))


_ASKED: Mapping[type[queries.ReadQuery], tuple[str, Mapping[str, str]]] = {
    queries.ResultQuery: (
        "task_result_history",
        {"task_name": "name"} | {name: name for name in ("status", "execution_id", "task_id", "cooldown_id")},
    ),
    queries.ExecutionQuery: ("execution_history", {"status": "status", "username": "username"}),
    queries.CalibrationNoteQuery: ("calibration_note", {"execution_id": "execution_id", "task_id": "task_id"}),
    queries.VersionQuery: ("parameter_versions", {"parameter": "parameter_name"}),
}
"""The collection that a query is about, and which fields of its documents hold the texts of which fields of it."""


def _documents(query: queries.ReadQuery) -> DocumentQuery:
    """Documents with the texts of a query (None: any), and with what both kinds of queries have a field for."""
    collection, texts = _ASKED[type(query)]
    where = {stored: (text,) for name, stored in texts.items() if (text := getattr(query, name)) is not None}
    if isinstance(query, queries.VersionQuery):
        where["chip_id"] = (query.chip.chip_id,)  # versions are a project's
    shared = {each.name for each in fields(query)} & {each.name for each in fields(DocumentQuery)} - {"chip"}
    return DocumentQuery(query.chip, collection, where, **{name: getattr(query, name) for name in shared})


def _instead(row: records.ParameterRow, measured: records.ParameterRow | None, why: str) -> records.ParameterRow:
    """What stands for an excluded value: the newest measured one, or none. `flag` names what was left out."""
    value = row.flag or f"{row.value:.6g} {row.unit}".strip()
    said = ", ".join(filter(None, [f"excluded: {value}", compact_text(why, _REASON_CHARS)]))
    other = measured or row._replace(value=math.nan, error=math.nan, flag="")
    return other._replace(flag="; ".join(filter(None, [other.flag, said])))


def _instead_of_odd(row: records.ParameterRow, measured: records.ParameterRow | None) -> records.ParameterRow:
    """What stands for a value whose date cannot be: the newest measured one, or itself without a date."""
    odd = odd_date("calibrated_at", row.calibrated_at or _LONG_AGO)
    if measured is not None and measured.task_id != row.task_id:
        odd = f"{odd}: {row.flag or f'{row.value:.6g} {row.unit}'.strip()}"
    other = measured or row._replace(calibrated_at=None)
    return other._replace(flag="; ".join(filter(None, [other.flag, odd])))


def _chip(decoder: DocumentDecoder) -> ChipRecord:
    size = decoder.number("size")
    return _record(
        ChipRecord,
        decoder,
        ref=ChipRef(decoder.text("project_id"), decoder.text("chip_id")),
        size=int(size) if size > 0 else _DEFAULT_SIZE,
        activity_status=decoder.text("activity_status") or "active",
    )


_READ: dict[str, Callable[[DocumentDecoder, str], object]] = {
    "str": DocumentDecoder.text,
    "str | None": DocumentDecoder.text_or_none,
    "bool": DocumentDecoder.flag,
    "float": DocumentDecoder.number,
    "datetime | None": DocumentDecoder.moment,
    "tuple[str, ...]": lambda decoder, name: tuple(decoder.texts(name)),
}
"""How a document's field is read for a record's field of the same name, by its type as it is written there."""


def _record(kind: type[Record], decoder: DocumentDecoder, **made: object) -> Record:
    """A record of a document: what is not `made` otherwise stands in the document under the same name."""
    read = {field.name: field.type for field in fields(kind) if field.name not in made}
    return kind(**made, **{name: _READ[str(written)](decoder, name) for name, written in read.items()})


def _qid(decoder: DocumentDecoder) -> str:
    """The id, or what stands in its place, which is also reported."""
    qid = decoder.qid()
    return decoder.text("qid") if qid is None else qid


def task_result(decoder: DocumentDecoder) -> records.TaskResult:
    """Return what a document of `task_result_history` says."""
    return _record(
        records.TaskResult,
        decoder,
        task_name=decoder.text("name"),
        qid=_qid(decoder),
        elapsed_s=decoder.seconds("elapsed_time"),
        flag=decoder.odd_dates("start_at", "end_at"),
        outputs=tuple(decoder.parameters("output_parameters")),
    )


def _execution(decoder: DocumentDecoder) -> records.Execution:
    flag = decoder.odd_dates("start_at", "end_at")
    return _record(records.Execution, decoder, elapsed_s=decoder.seconds("elapsed_time"), flag=flag)


def _task_detail(decoder: DocumentDecoder) -> records.TaskDetail:
    raw = decoder.document.get("run_parameters")
    if raw is not None and not isinstance(raw, Mapping):
        decoder.report("run_parameters", f"is a {type(raw).__name__}, not an object")
    quality = decoder.document.get("quality_metrics")
    inside = decoder.inside("quality_metrics")
    return records.TaskDetail(
        inputs=tuple(decoder.parameters("input_parameters")),
        run_parameters=plain(raw) if isinstance(raw, Mapping) else {},
        quality={str(name): inside.number(name) for name in quality} if isinstance(quality, Mapping) else {},
        figures=tuple(decoder.texts("figure_path")),
        note=decoder.inside("user_note").text("content"),
        review=decoder.inside("ai_review_note").text("content"),
    )


def _calibration_note(decoder: DocumentDecoder) -> records.CalibrationNote:
    raw = decoder.document.get("note")
    if raw is not None and not isinstance(raw, Mapping):
        decoder.report("note", f"is a {type(raw).__name__}, not an object")
    note = plain(raw) if isinstance(raw, Mapping) else {}
    return records.CalibrationNote(
        decoder.text("execution_id"), decoder.text("task_id"), decoder.moment("timestamp"), note
    )


def _version(decoder: DocumentDecoder) -> records.ParameterVersion:
    raw, parameter = decoder.document.get("value"), decoder.text("parameter_name")
    number = decoder.number("version")
    is_text = isinstance(raw, str) and number_in(raw) is None
    value = math.nan if is_text else decoder.number("value")
    row = counted(records.ParameterRow(parameter, value, decoder.number("error"), decoder.text("unit"), None, "", ""))
    return _record(
        records.ParameterVersion,
        decoder,
        parameter=parameter,
        qid=_qid(decoder),
        value=raw if is_text else None if math.isnan(row.value) else row.value,
        unit=row.unit,
        error=row.error,
        version=None if math.isnan(number) else int(number),
    )
