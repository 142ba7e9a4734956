"""The answers of `QDashReader` about runs, versions, provenance and notes, computed in plain Python from documents.

Where the Protocol leaves something open, this is what we decided:

- A result without a start counts when the newest of its values was calibrated, else at its end; one with a list never.
- Of documents at one moment (or of one version number) the one with the larger `_id` is the newer one; those without a
  time (or number) come last, in the same order.
- A text version number or time counts as what it says; one that cannot be read is none.
- A field of text that is missing or null is the empty text; asked for, the empty text finds those too.
- Only a list holds tags. Excluded is what Python takes for true.
- What is scoped by project alone (versions, provenance, cool-downs, issues, forum posts) never has a null project.
- A value of a version stays a text where it is no number; a 0 that means "no fit" is missing, here as in results.
- The note of a calibration holds JSON values: dates are text, what is no finite number is null.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from qdash_jupyter.data.queries import CalibrationNoteQuery, ExecutionQuery, ResultQuery, VersionQuery
from qdash_jupyter.data.records import (
    CalibrationNote,
    ChipRef,
    Cooldown,
    Execution,
    IssuePost,
    IssueThread,
    Note,
    NoteKind,
    ParameterRow,
    ParameterVersion,
    ProvenanceActivity,
    ProvenanceRelation,
    TaskDetail,
    TaskResult,
)
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange
from tests.data.conformance.truth import LONG_AGO, NUMBER_TEXT, Reading, Record, can_be, counting, element_of, ids_of

Document = dict[str, Any]
SECONDS = {"second": 1, "minute": 60, "hour": 3600}


def text(document: Document, field: str) -> str:
    raw = document.get(field)
    return "" if raw is None else str(raw)


def texts(document: Document, field: str) -> tuple[str, ...]:
    raw = document.get(field)
    return tuple(map(str, raw)) if isinstance(raw, list) else ()


def qid_of(document: Document) -> str:
    qid = element_of(document.get("qid"))
    return text(document, "qid") if qid is None else qid


def number(raw: Any) -> float:
    return Reading("", {"_id": ""}, []).number(raw, "")


def moment(raw: Any) -> datetime | None:
    return Reading("", {"_id": ""}, []).moment(raw, "")


def happened(raw: Any) -> datetime | None:
    return Reading("", {"_id": ""}, []).happened(raw, "")


def odd_dates(document: Document) -> str:
    """The dates of a result or a run that are none."""
    dates = ((name, moment(document.get(name))) for name in ("start_at", "end_at"))
    return "; ".join(f"suspicious: {name} {one:%Y-%m-%d %H:%M}Z" for name, one in dates if one and not can_be(one))


def seconds(raw: Any) -> float:
    if not isinstance(raw, str):
        return number(raw)
    parts = raw.split(":")
    if len(parts) > 1:
        return sum(float(part) * 60**place for place, part in enumerate(reversed(parts)))
    value, _, unit = raw.partition(" ")
    if unit.rstrip("s") in SECONDS and NUMBER_TEXT.fullmatch(value):
        return float(value) * SECONDS[unit.rstrip("s")]
    return number(raw)


def plain(raw: Any) -> Any:
    if isinstance(raw, dict):
        return {key: plain(entry) for key, entry in raw.items()}
    if isinstance(raw, list):
        return [plain(entry) for entry in raw]
    if isinstance(raw, datetime):
        return raw.astimezone(UTC).isoformat()
    return None if isinstance(raw, float) and not math.isfinite(raw) else raw


def content_of(document: Document, field: str) -> str:
    note = document.get(field)
    return text(note, "content") if isinstance(note, dict) else ""


class LookupTruth:
    """The Protocol's answers for one set of documents."""

    def __init__(self, documents: dict[str, list[Document]]) -> None:
        self.documents = documents

    # -- answers ------------------------------------------------------------------------------------------------

    def task_results(self, query: ResultQuery) -> list[TaskResult]:
        found = [
            document
            for document in self._of_chip("task_result_history", query.chip)
            if query.task_name in (None, text(document, "name"))
            and query.status in (None, text(document, "status"))
            and query.execution_id in (None, text(document, "execution_id"))
            and query.task_id in (None, text(document, "task_id"))
            and query.cooldown_id in (None, text(document, "cooldown_id"))
            and query.qid in (None, element_of(document.get("qid")))
            and all(tag in texts(document, "tags") for tag in query.tags)
            and query.excluded in (None, bool(document.get("excluded")))
            and (query.output is None or gave(document, query.output))
        ]
        return [self._result(document) for document in newest_first(found, "start_at", query.during, query.last_n)]

    def count(self, query: ExecutionQuery | CalibrationNoteQuery | VersionQuery) -> int:
        if isinstance(query, ExecutionQuery):
            return len(self.executions(replace(query, last_n=None)))
        if isinstance(query, VersionQuery):
            return len(self.parameter_versions(replace(query, last_n=None)))
        return len(self.calibration_notes(replace(query, last_n=None)))

    def result_counts(self, query: ResultQuery) -> dict[tuple[str, str, str], int]:
        counts: dict[tuple[str, str, str], int] = {}
        for one in self.task_results(replace(query, last_n=None)):
            key = (one.task_name, one.status, one.qid)
            counts[key] = counts.get(key, 0) + 1
        return counts

    def task_detail(self, chip: ChipRef, task_id: str) -> TaskDetail | None:
        found = [one for one in self._of_chip("task_result_history", chip) if text(one, "task_id") == task_id]
        if not found:
            return None
        document = newest_first(found, "start_at")[0]
        quality, settings = document.get("quality_metrics"), document.get("run_parameters")
        return TaskDetail(
            inputs=self._records(document, "input_parameters"),
            run_parameters=plain(settings) if isinstance(settings, dict) else {},
            quality={name: number(raw) for name, raw in quality.items()} if isinstance(quality, dict) else {},
            figures=texts(document, "figure_path"),
            note=content_of(document, "user_note"),
            review=content_of(document, "ai_review_note"),
        )

    def task_names(self, chip: ChipRef) -> list[str]:
        return sorted({text(document, "name") for document in self._of_chip("task_result_history", chip)} - {""})

    def executions(self, query: ExecutionQuery) -> list[Execution]:
        found = [
            document
            for document in self._of_chip("execution_history", query.chip)
            if query.status in (None, text(document, "status"))
            and query.username in (None, text(document, "username"))
            and all(tag in texts(document, "tags") for tag in query.tags)
        ]
        return [
            Execution(
                text(document, "execution_id"),
                text(document, "name"),
                text(document, "status"),
                texts(document, "tags"),
                happened(document.get("start_at")),
                happened(document.get("end_at")),
                seconds(document.get("elapsed_time")),
                text(document, "message"),
                text(document, "username"),
                odd_dates(document),
            )
            for document in newest_first(found, "start_at", query.during, query.last_n)
        ]

    def calibration_notes(self, query: CalibrationNoteQuery) -> list[CalibrationNote]:
        found = [
            document
            for document in self._of_chip("calibration_note", query.chip)
            if query.execution_id in (None, text(document, "execution_id"))
            and query.task_id in (None, text(document, "task_id"))
        ]
        return [
            CalibrationNote(
                text(document, "execution_id"),
                text(document, "task_id"),
                moment(document.get("timestamp")),
                plain(document["note"]) if isinstance(document.get("note"), dict) else {},
            )
            for document in newest_first(found, "timestamp", query.during, query.last_n)
        ]

    def parameter_versions(self, query: VersionQuery) -> list[ParameterVersion]:
        found = self._versions(query.chip, query.parameter, query.qid)
        return [self._version(document) for document in highest_first(found)[: query.last_n]]

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        numbers = {
            pair: [found for one in self._versions(chip, *pair) if (found := version_of(one)) is not None]
            for pair in parameters
        }
        return {pair: max(found) for pair, found in numbers.items() if found}

    def entities(self, chip: ChipRef, entity_ids: Sequence[str]) -> list[ParameterVersion]:
        found = self._of_project("parameter_versions", chip)
        return [self._version(document) for document in highest_first(found) if document["entity_id"] in entity_ids]

    def activities(self, chip: ChipRef, activity_ids: Sequence[str]) -> list[ProvenanceActivity]:
        return [
            ProvenanceActivity(
                document["activity_id"],
                text(document, "task_name"),
                qid_of(document),
                text(document, "status"),
                text(document, "execution_id"),
                text(document, "task_id"),
                moment(document.get("started_at")),
                moment(document.get("ended_at")),
            )
            for document in last_id_first(self._of_project("provenance_activities", chip))
            if document["activity_id"] in activity_ids
        ]

    def relations_from(self, chip: ChipRef, source_ids: Sequence[str]) -> list[ProvenanceRelation]:
        fields = ("relation_type", "source_id", "target_id")
        return [
            ProvenanceRelation(*(text(document, field) for field in fields))
            for document in last_id_first(self._of_project("provenance_relations", chip))
            if document["source_id"] in source_ids
        ]

    def cooldowns(self, chip: ChipRef) -> list[Cooldown]:
        found = [
            Cooldown(
                document["cooldown_id"],
                text(document, "description"),
                moment(document.get("started_at")),
                moment(document.get("ended_at")),
                texts(document, "chip_ids"),
            )
            for document in last_id_first(self._of_project("cooldown", chip))
            if chip.chip_id in texts(document, "chip_ids")
        ]
        return sorted(found, key=lambda one: one.started_at or LONG_AGO, reverse=True)

    def notes(self, chip: ChipRef) -> list[Note]:
        found = [note for note in self._notes(chip) if note.content]
        return sorted(found, key=lambda note: (note.at or LONG_AGO, note.note_id), reverse=True)

    # -- notes --------------------------------------------------------------------------------------------------

    def _notes(self, chip: ChipRef) -> Iterator[Note]:
        yield from self._task_notes(chip)
        yield from self._element_notes(chip)
        yield from self._target_notes(chip)
        yield from self._issues(chip)
        yield from self._posts(chip)
        yield from self._knowledge(chip)
        yield from self._cooldown_notes(chip)

    def _task_notes(self, chip: ChipRef) -> Iterator[Note]:
        for document in self._of_chip("task_result_history", chip):
            qid, task = element_of(document.get("qid")) or "", text(document, "task_id")
            for field in ("user_note", "ai_review_note"):
                yield remark(document, (field,), "task", task, qid, title=text(document, "name"))

    def _element_notes(self, chip: ChipRef) -> Iterator[Note]:
        for document in [*self._of_chip("chip", chip), *self._of_chip("chip_note", chip)]:
            yield remark(document, ("note",), "chip", "", "")
        for document in [*self._of_chip("qubit", chip), *self._of_chip("coupling", chip)]:
            qid = element_of(document.get("qid"))
            if qid:
                kind: NoteKind = "coupling" if "-" in qid else "qubit"
                yield remark(document, ("note",), kind, qid, qid)
                metrics = document.get("metric_notes")
                for metric in metrics if isinstance(metrics, dict) else ():
                    yield remark(document, ("metric_notes", metric), kind, qid, qid, metric=metric)

    def _target_notes(self, chip: ChipRef) -> Iterator[Note]:
        for document in [*self._of_chip("target_note", chip), *self._of_chip("metric_note", chip)]:
            qid = element_of(document.get("target_id")) or ""
            kind: NoteKind = "coupling" if document.get("target_type") == "coupling" else "qubit"
            about: tuple[NoteKind, str, str] = (kind, qid or text(document, "target_id"), qid)
            yield remark(document, ("note",), *about, metric=text(document, "metric_key"))
            comments = document.get("comments")
            for place, comment in enumerate(comments if isinstance(comments, list) else []):
                if isinstance(comment, dict):
                    when = moment(comment.get("updated_at")) or moment(comment.get("created_at"))
                    said = (text(comment, "content").strip(), text(comment, "created_by"), when)
                    yield Note(*about, "", "", *said, "", f"{document['_id']}/comments.{place}")

    def _knowledge(self, chip: ChipRef) -> Iterator[Note]:
        for document in self._of_chip("issue_knowledge", chip):
            qid = element_of(document.get("qid")) or ""
            parts = [("Symptom", text(document, "symptom")), ("Root cause", text(document, "root_cause"))]
            parts += [("Resolution", text(document, "resolution"))]
            parts += [("Lesson", lesson) for lesson in texts(document, "lesson_learned")]
            said = "\n".join(f"{label}: {part}" for label, part in parts if part) or text(document, "title")
            yield written(document, "knowledge", qid, qid, said, by="reviewed_by", status=text(document, "status"))

    def _cooldown_notes(self, chip: ChipRef) -> Iterator[Note]:
        for document in self._of_project("cooldown", chip):
            if chip.chip_id in texts(document, "chip_ids"):
                name = document["cooldown_id"]
                yield remark(document, ("note",), "cooldown", name, "", title=text(document, "description"))
                wiring = written(document, "cooldown", name, "", text(document, "wiring_info"))
                when = wiring.at or moment(document.get("started_at"))
                yield Note("cooldown", name, "", "", "wiring", wiring.content, "", when, "", document["_id"])

    def _issues(self, chip: ChipRef) -> Iterator[Note]:
        mine = {one["task_id"]: element_of(one.get("qid")) or "" for one in self._of_chip("task_result_history", chip)}
        others = [
            ChipRef(one["project_id"], one["chip_id"])
            for one in self.documents.get("chip", [])
            if one.get("project_id") == chip.project_id and one["chip_id"] != chip.chip_id
        ]
        theirs = {one["task_id"] for other in others for one in self._of_chip("task_result_history", other)} - set(mine)
        for document in self._of_project("issue", chip):
            task = text(document, "task_id")
            if not document.get("is_ai_reply") and task not in theirs:
                state = "closed" if document.get("is_closed") else "open"
                content = text(document, "content")
                yield written(document, "issue", task, mine.get(task, ""), content, by="username", status=state)

    def issue_thread(self, issue_id: str, project_id: str | None = None) -> IssueThread | None:
        every = [
            one for one in self.documents.get("issue", []) if project_id is None or one.get("project_id") == project_id
        ]
        by_id = {str(one["_id"]): one for one in every}
        asked = by_id.get(issue_id)
        root = asked and by_id.get(text(asked, "parent_id") or issue_id)
        if root is None:
            return None
        replies = [one for one in every if text(one, "parent_id") == str(root["_id"])]
        replies.sort(key=lambda one: (changed(one) or LONG_AGO, str(one["_id"])))
        posts = [
            IssuePost(text(one, "content"), text(one, "username"), changed(one), bool(one.get("is_ai_reply")))
            for one in (root, *replies)
        ]
        told = [text(root, name) for name in ("project_id", "task_id", "title")]
        return IssueThread(str(root["_id"]), told[0], told[1], told[2], tuple(posts))

    def _posts(self, chip: ChipRef) -> Iterator[Note]:
        for document in self._of_project("forum_post", chip):
            hidden = document.get("is_deleted") or document.get("is_ai_reply")
            if hidden or text(document, "chip_id") not in ("", chip.chip_id):
                continue
            is_element = document.get("target_type") in ("qubit", "coupling")
            qid = (element_of(document.get("target_id")) or "") if is_element else ""
            about = (qid or text(document, "target_id"), qid)
            content, status = text(document, "content"), text(document, "status")
            yield written(document, "forum", *about, content, by="username", status=status)

    # -- documents ----------------------------------------------------------------------------------------------

    def _of_project(self, collection: str, chip: ChipRef) -> list[Document]:
        return [one for one in self.documents.get(collection, []) if one.get("project_id") == chip.project_id]

    def _of_chip(self, collection: str, chip: ChipRef) -> list[Document]:
        chips = self.documents.get("chip", [])
        holders = {one.get("project_id") for one in chips if one["chip_id"] == chip.chip_id} - {None}
        projects = {chip.project_id, None} if holders == {chip.project_id} else {chip.project_id}
        found = self.documents.get(collection, [])
        return [one for one in found if one.get("chip_id") == chip.chip_id and one.get("project_id") in projects]

    def _versions(self, chip: ChipRef, parameter: str, qid: str) -> list[Document]:
        return [
            one
            for one in self._of_project("parameter_versions", chip)
            if one.get("chip_id") == chip.chip_id
            and (one["parameter_name"], element_of(one.get("qid"))) == (parameter, qid)
        ]

    def _result(self, document: Document) -> TaskResult:
        return TaskResult(
            task_id=text(document, "task_id"),
            task_name=text(document, "name"),
            qid=qid_of(document),
            status=text(document, "status"),
            execution_id=text(document, "execution_id"),
            cooldown_id=text(document, "cooldown_id"),
            tags=texts(document, "tags"),
            start_at=happened(document.get("start_at")),
            end_at=happened(document.get("end_at")),
            flag=odd_dates(document),
            elapsed_s=seconds(document.get("elapsed_time")),
            message=text(document, "message"),
            excluded=bool(document.get("excluded")),
            excluded_reason=text(document, "excluded_reason"),
            outputs=self._records(document, "output_parameters"),
            json_figure_path=texts(document, "json_figure_path"),
            raw_data_path=texts(document, "raw_data_path"),
        )

    def _records(self, document: Document, field: str) -> tuple[ParameterRow, ...]:
        return tuple(
            ParameterRow(one.parameter, *counting(one)[:3], one.calibrated_at, *ids_of(one), counting(one)[3])
            for one in Reading("", document, []).records(document.get(field), "")
        )

    def _version(self, document: Document) -> ParameterVersion:
        raw, parameter = document.get("value"), document["parameter_name"]
        record = Record(
            parameter, number(raw), number(document.get("error")), text(document, "unit"), None, "", "", raw
        )
        counted, error, unit, _ = counting(record)
        value: float | str | None = None if math.isnan(counted) else counted
        if isinstance(raw, str) and not NUMBER_TEXT.fullmatch(raw) and raw != "nan":
            value = raw
        return ParameterVersion(
            entity_id=document["entity_id"],
            chip_id=text(document, "chip_id"),
            parameter=parameter,
            qid=qid_of(document),
            value=value,
            unit=unit,
            error=error,
            version=version_of(document),
            valid_from=moment(document.get("valid_from")),
            valid_until=moment(document.get("valid_until")),
            execution_id=document["execution_id"],
            task_id=document["task_id"],
            task_name=document["task_name"],
        )


def remark(
    document: Document, place: tuple[str, ...], kind: Any, target: str, qid: str, *, metric: str = "", title: str = ""
) -> Note:
    """A note object somewhere in a document; without words where there is none."""
    raw: Any = document
    for step in place:
        raw = raw.get(step) if isinstance(raw, dict) else None
    raw = raw if isinstance(raw, dict) else {}
    said = (text(raw, "content").strip(), text(raw, "updated_by"), moment(raw.get("updated_at")))
    return Note(kind, target, qid, metric, title, *said, "", f"{document['_id']}/{'.'.join(place)}")


def written(
    document: Document, kind: Any, target: str, qid: str, content: str, *, by: str = "", status: str = ""
) -> Note:
    """A document that is a note as a whole."""
    said = (content.strip(), text(document, by) if by else "", changed(document))
    return Note(kind, target, qid, "", text(document, "title"), *said, status, document["_id"])


def changed(document: Document) -> datetime | None:
    """When a document was last written."""
    info = document.get("system_info") or {}
    return moment(info.get("updated_at")) or moment(info.get("created_at"))


def version_of(document: Document) -> int | None:
    found = number(document.get("version"))
    return None if math.isnan(found) else int(found)


def last_id_first(documents: Iterable[Document]) -> list[Document]:
    return sorted(documents, key=lambda one: one["_id"], reverse=True)


def highest_first(documents: Iterable[Document]) -> list[Document]:
    def rank(document: Document) -> float:
        found = number(document.get("version"))
        return -math.inf if math.isnan(found) else found

    return sorted(last_id_first(documents), key=rank, reverse=True)


def gave(document: dict[str, Any], parameter: str) -> bool:
    outputs = document.get("output_parameters")
    return isinstance(outputs, dict) and parameter in outputs


def newest_first(
    documents: Iterable[Document], field: str, during: TimeRange = ANY_TIME, last_n: int | None = None
) -> list[Document]:
    since, until = during.since, during.until
    kept = []
    for document in last_id_first(documents):
        when = time_of(document, field)
        inside = when is not None and (since is None or since <= when) and (until is None or when < until)
        if inside or (since is None and until is None):
            kept.append(document)
    times = {one["_id"]: time_of(one, field) for one in kept}
    kept.sort(key=lambda one: (times[one["_id"]] is not None, times[one["_id"]] or LONG_AGO), reverse=True)
    return kept[:last_n]


def time_of(document: Document, field: str) -> datetime | None:
    """When it was, of a result whose start cannot be read by its other times."""
    when, outputs = (
        (moment if field == "timestamp" else happened)(document.get(field)),
        document.get("output_parameters"),
    )
    if (
        when is not None
        or "task_id" not in document
        or "timestamp" in document
        or isinstance(document.get(field), list)
    ):
        return when
    records = outputs.values() if isinstance(outputs, dict) else ()
    known = [happened(one.get("calibrated_at")) for one in records if isinstance(one, dict)]
    return max((one for one in known if one is not None), default=None) or happened(document.get("end_at"))
