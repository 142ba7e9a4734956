"""Reads QDash's live MongoDB behind the `QDashReader` Protocol."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd
from pymongo.client_session import ClientSession

from qdash_jupyter.data.decode import DocumentDecoder, number_in
from qdash_jupyter.data.lookups import CurrentValues
from qdash_jupyter.data.mongo import columns, pipelines
from qdash_jupyter.data.mongo.columns import Columns, series_of
from qdash_jupyter.data.mongo.documents import MongoDocuments
from qdash_jupyter.data.mongo.pipelines import Filter, Pipeline
from qdash_jupyter.data.queries import Countable, CurrentQuery, ElementQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef, ElementKind, ParameterRow
from qdash_jupyter.data.tables import PARAMETER_COLUMNS, SERIES_COLUMNS, frame_of, series_in_order
from qdash_jupyter.domain.qid import normalise_qid, qid_order
from qdash_jupyter.domain.time_range import ODD_TIME, TimeRange
from qdash_jupyter.domain.work import side_by_side

_ELEMENTS = ("qubit", "coupling")
_RESULTS = "task_result_history"
_VERSIONS = "parameter_versions"
_NO_ID = ("", None)
Spellings = dict[str, list[object]]
"""By id, how documents spell it."""

_FEW = 4
"""Elements to whose results the index of task types leads best."""


class MongoReader(MongoDocuments):
    """A QDash database behind the `QDashReader` Protocol. It sends queries only, never a write.

    Documents of a qubit are taken in the order qubits, couplings, and within each by `_id`: of two that were
    calibrated at the same moment the later one counts, as in a snapshot.
    """

    def element_ids(self, chip: ChipRef, kind: ElementKind, qids: Sequence[str] | None = None) -> list[str]:
        """Ids of the chip's qubits or couplings, or those of `qids` that are."""
        query = ElementQuery(chip, kind, qids=qids)
        known = self._known_ids(chip)
        found: set[str] = {qid for qid, _ in known if qids is not None and qid in qids}
        if qids is None:
            found.update(self._all_ids(chip, kind), (normalise_qid(raw) or "" for raw in self._misplaced(query)))
        elif unknown := tuple(qid for qid in query.qids or () if qid not in found):
            new = replace(query, qids=unknown)
            reads = [partial(self._read_elements, new, name, ids, {"qid": 1}) for name, ids in self._stored_ids(new)]
            found.update(_spellings_in(chain(*side_by_side(reads))))
        return sorted(filter(query.is_about, found), key=qid_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the completed results, with counts; the server counts what is as QDash writes it."""
        counts: dict[str, tuple[int, datetime | None]] = {}
        parts: list[Filter] = [{}]
        if qid is not None:
            parts = pipelines.of_elements_apart([qid])
        scope = self.scope(chip, _RESULTS)
        asked = [pipelines.parameter_counts(scope, part, self._dates) for part in parts]
        for row in chain(*side_by_side([partial(self._rows, _RESULTS, one) for one in asked])):
            held, last_at = row["_id"]["held"], row["last_at"]
            document = held.get("document") or {"_id": row["example"], "qid": row["_id"].get("qid")}
            decoder = DocumentDecoder(_RESULTS, document, self._log)
            found = decoder.qid()
            if found is None or qid not in {None, found}:
                continue
            dated = [(name, last_at) for name in held.get("parameters", ())]
            if not dated and not decoder.has_list("start_at"):
                records = decoder.parameters("output_parameters")
                dated = [(record.parameter, _time(decoder, record, reports=found != "")) for record in records]
            for name, t in dated:
                results, newest = counts.get(name, (0, None))
                counts[name] = results + row["results"], max(filter(None, (newest, t)), default=None)
        return frame_of([(name, *counts[name]) for name in sorted(counts)], PARAMETER_COLUMNS)

    def _stored_values(self, query: CurrentQuery) -> Iterator[tuple[str, ParameterRow]]:
        """The values in the `data` of the elements' documents, or of their history, each with its element."""
        fields = pipelines.elements_projection(query.parameters)
        for qid, decoder in self._elements(query, fields, query.last_day):
            for record in decoder.parameters("data"):
                if query.parameters is not None and record.parameter not in query.parameters:
                    continue
                yield qid, record

    def _newest_measured(self, query: CurrentQuery, since: datetime | None = None) -> CurrentValues:
        """The newest results of the parameters and elements that count."""
        names, during = query.parameters, TimeRange(since, query.at)
        scope = self.scope(query.chip, _RESULTS)
        has_odd_starts = during.is_bounded and self._has_odd_starts(query.chip)
        reads = []
        for part in pipelines.of_elements_apart(query.qids or ()):
            asked = pipelines.newest_with(scope, part, names, during, self._dates, has_odd_starts=has_odd_starts)
            reads.append(partial(self._aggregate, _RESULTS, asked))
        rows: dict[tuple[str, str], tuple[datetime, str, str, ParameterRow]] = {}
        for decoder in chain(*side_by_side(reads)):
            qid, task_id = decoder.qid(), decoder.text("task_id")
            for record in decoder.parameters("output_parameters"):
                is_asked = query.is_about(qid) and (names is None or record.parameter in names)
                t = _time(decoder, record) if is_asked else None
                known = rows.get((qid or "", record.parameter))
                if t is None or not qid or t not in during:
                    continue
                if known is not None and (t, task_id, decoder.document_id) < known[:3]:
                    continue
                dated = record._replace(calibrated_at=record.calibrated_at or t)
                told = dated._replace(execution_id=decoder.text("execution_id"), task_id=task_id)
                rows[qid, record.parameter] = (t, task_id, decoder.document_id, told)
        return {of: row for of, (*_, row) in rows.items()}

    def _elements(
        self, query: ElementQuery, fields: dict[str, Any], last_day: str | None = None
    ) -> Iterator[tuple[str, DocumentDecoder]]:
        """The documents of the elements that are meant, each with its id; with a day, their newest rows until it."""
        if last_day is None:
            # Where all of `data` is wanted, the rest of a document is little.
            projection = None if "data" in fields else fields
            reads = [
                partial(self._read_elements, query, name, asked, projection) for name, asked in self._stored_ids(query)
            ]
        else:
            scope = self.scope(query.chip) | pipelines.with_ids(query.qids)
            rows = pipelines.history(scope, last_day, fields)
            reads = [partial(self._aggregate, f"{name}_history", rows) for name in _ELEMENTS]
        for found in side_by_side(reads):
            for decoder in found:
                if query.is_about(qid := decoder.qid()):
                    yield qid, decoder

    def _read_elements(
        self, query: ElementQuery, collection: str, ids: Filter, fields: dict[str, Any] | None
    ) -> list[DocumentDecoder]:
        """Documents of elements; which ids stand there is kept."""
        found = self._find(collection, {"$and": [self.scope(query.chip, collection), ids]}, fields)
        ids = _spellings_in(found)
        self._known_ids(query.chip).update({(qid, collection): raws for qid, raws in ids.items()})
        if query.qids is None and collection == query.kind:
            self._facts.note((collection, "all ids", query.chip), ids)
        return found

    def _known_ids(self, chip: ChipRef) -> dict[tuple[str, str], list[object]]:
        """How the documents of an element that were found so far spell its id, by id and collection."""
        return self._facts.get(("elements", chip), dict)

    def _all_ids(self, chip: ChipRef, collection: str) -> Spellings:
        """The ids in a collection, looked up once for each call."""

        def ask() -> Spellings:
            asked = {"$and": [self.scope(chip, collection), pipelines.with_ids(None)]}
            ids = _spellings_in(self._find(collection, asked, {"qid": 1}))
            self._known_ids(chip).update({(qid, collection): raws for qid, raws in ids.items()})
            return ids

        return self._facts.get_now((collection, "all ids", chip), ask)

    def _misplaced(self, query: ElementQuery) -> list[object]:
        """What ids of the kind stand in the other collection: mostly none."""
        (other,) = set(_ELEMENTS) - {query.kind}
        ids = self._facts.get((other, "misplaced", query.chip), lambda: self._all_ids(query.chip, other))
        return [raw for qid, raws in ids.items() if query.is_about(qid) for raw in raws]

    def _stored_ids(self, query: ElementQuery) -> Iterator[tuple[str, Filter]]:
        """The collections where documents of the query's elements may stand, and what leads there to their ids."""
        (other,) = set(_ELEMENTS) - {query.kind}
        if query.qids is None:
            yield query.kind, pipelines.with_ids(None)
            if misplaced := self._misplaced(query):
                yield other, {"qid": {"$in": misplaced}}
            return
        known = self._known_ids(query.chip)
        for collection in (query.kind, other):
            spelled: list[object] = []
            for qid in query.qids:
                is_known = any((qid, name) in known for name in _ELEMENTS)
                spelled += known.get((qid, collection), ()) if is_known else pipelines.stored_ids(qid)
            if spelled:
                yield collection, {"qid": {"$in": spelled}}

    def _series(self, query: SeriesQuery) -> pd.DataFrame:
        """The measurements whose dates can be."""
        learns = self._learns_tasks(query)
        asked = [pipelines.series(query, one, self._dates, by_task=learns) for one in self._measured(query)]
        if query.last_n is None and pipelines.can_be_path(query.parameter):
            return series_in_order(self._by_columns(asked, query))
        read = side_by_side([partial(self._aggregate, _RESULTS, one) for one in asked])
        found = [list(documents) for documents in read]
        known = self._known_tasks(query.chip, query.parameter)
        if learns:
            known.learn(each.document.get("name") for each in chain(*found))
            self._known_now(query.chip).add(query.parameter)
            found = [list(filter(_counts, documents)) for documents in found]
        self._note_dates(query, chain(*found))
        frame = series_in_order(_decoded(chain(*found), query))
        if query.last_n is None:
            return frame
        if len(frame) and query.qids is None:
            known.until = max(filter(None, (known.until, frame["t"].iloc[-1].to_pydatetime())))
        self._numbers(query.chip)[query] = sum(self._number_in(one, query, by_task=learns) for one in found)
        return frame.groupby("qid", sort=False).tail(query.last_n).reset_index(drop=True)

    def _odd_series(self, query: SeriesQuery) -> pd.DataFrame:
        """The measurements that stand nowhere in time: none where this work has read the series and has seen none."""
        is_seen = replace(query, last_n=None) in self._without_odd_dates(query.chip)
        return frame_of([], SERIES_COLUMNS) if is_seen else super()._odd_series(query)

    def _note_dates(self, query: SeriesQuery, found: Iterable[DocumentDecoder]) -> None:
        """Whatever the server could not rank came along, so a series of all times tells whether a date cannot be."""
        if not query.during.is_bounded and not any(decoder.odd_dates("start_at", "end_at") for decoder in found):
            self._without_odd_dates(query.chip).add(replace(query, during=ODD_TIME, last_n=None))

    def _without_odd_dates(self, chip: ChipRef) -> set[SeriesQuery]:
        """The questions for odd dates that this work knows to have no answer."""
        return self._facts.get_now((_RESULTS, "without odd dates", chip), set)

    def count(self, query: Countable) -> int:
        """How many there are of all that fit: of measurements, as the series said where this work has read it."""
        if not isinstance(query, SeriesQuery) or query.last_n is None or not pipelines.can_be_path(query.parameter):
            return super().count(query)
        numbers = self._numbers(query.chip)
        if query not in numbers:
            self._series(asked := replace(query, last_n=1))
            numbers[query] = numbers[asked]
        return numbers[query]

    def _numbers(self, chip: ChipRef) -> dict[SeriesQuery, int]:
        """How many measurements there are, of the series that this work has read."""
        return self._facts.get_now(("numbers", chip), dict)

    def _number_in(self, found: Iterable[DocumentDecoder], query: SeriesQuery, *, by_task: bool = False) -> int:
        """How many measurements there are of all that a series with `last_n` found and left out."""
        of_spelling: dict[str, int] = {}
        others = []
        for decoder in found:
            document = decoder.document
            start, number = document.get("start_at"), document.get("all", 0)
            is_dated = isinstance(start, datetime) and self._log.believes(start)
            if number and is_dated and isinstance(document.get("output_parameters"), dict):
                spelling = repr([document.get(name) for name in ("qid", *(pipelines.OF_TASK if by_task else ()))])
                of_spelling[spelling] = number if query.is_about(decoder.qid()) else 0
            else:
                others.append(decoder)
        return sum(of_spelling.values()) + len(_decoded(others, query))

    def _measured(self, query: SeriesQuery) -> list[Filter]:
        """What leads to the results that may hold a measurement: the tasks that give it, or where few elements are
        asked for, the index of these, in three parts where no start bounds them.
        """
        scope, during = self.scope(query.chip, _RESULTS), query.during
        parts: list[Filter] = [pipelines.with_ids(query.qids)]
        learns = self._learns_tasks(query)
        if learns:
            parts = [{}]
        elif query.qids is not None and len(query.qids) <= _FEW:
            few = query.qids
            parts = [pipelines.of_elements(few)] if during.since else pipelines.of_elements_apart(few)
        elif not during.since:
            scope |= self._tasks_giving(query.chip, query.parameter)
        has_odd_starts = during.is_bounded and self._has_odd_starts(query.chip)
        if not learns:
            scope = pipelines.counted(scope)
        return [pipelines.measured(scope, query, self._dates, part, has_odd_starts=has_odd_starts) for part in parts]

    def _learns_tasks(self, query: SeriesQuery) -> bool:
        """Whether no task is known to give the parameter, and the newest of all its measurements are asked for: to read
        them with what does not count costs no more than to look for the tasks.
        """
        last_n = query.last_n
        of_all = last_n is not None and query == SeriesQuery(query.chip, query.kind, query.parameter, last_n=last_n)
        is_known = self._known_tasks(query.chip, query.parameter).names or query.parameter in self._known_now(
            query.chip
        )
        return of_all and not is_known and pipelines.can_be_path(query.parameter)

    def _by_columns(self, asked: Iterable[Pipeline], query: SeriesQuery) -> pd.DataFrame:
        """The measurements read column by column; what is no plain one, as documents."""
        collection = self._database[_RESULTS]

        def read(pipeline: Pipeline, session: ClientSession | None) -> Columns:
            limits = {"batchSize": columns.ROWS_AT_ONCE, "maxTimeMS": self._limit_ms(), "allowDiskUse": True}
            with collection.aggregate_raw_batches(pipeline, session=session, **limits) as cursor:
                return columns.read_columns(cursor, collection.codec_options, query, self._dates.latest)

        found = side_by_side([partial(self._commanded, partial(read, pipelines.checked(one))) for one in asked])
        documents = chain.from_iterable(others for _, others in found)
        decoded = [DocumentDecoder(_RESULTS, one, self._log) for one in documents]
        self._note_dates(query, decoded)
        others = _decoded(decoded, query)
        tables = [table for tables, _ in found for table in tables]
        return pd.concat([series_of(tables), others], ignore_index=True) if tables else others

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip."""
        asked, scope = self._database[_RESULTS], self.scope(chip, _RESULTS)
        names = self._commanded(lambda one: asked.distinct("name", scope, session=one, maxTimeMS=self._limit_ms()))
        return sorted(str(name) for name in names if name)

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip."""
        scope = {"project_id": chip.project_id}
        numbers: dict[tuple[str, str], list[float]] = {pair: [] for pair in parameters}
        if not numbers:
            return {}
        names, qids = (tuple(dict.fromkeys(one)) for one in zip(*numbers, strict=True))
        for group in self._aggregate(_VERSIONS, pipelines.versions(scope | {"chip_id": chip.chip_id}, names, qids)):
            row = group.document
            raw = row["_id"].get("qid")
            qid = "" if raw in _NO_ID else normalise_qid(raw)
            if qid is not None and (found := (row["_id"]["parameter"], qid)) in numbers:
                numbers[found] += [number for number in map(number_in, row["versions"]) if number is not None]
        known = {pair: [number for number in found if math.isfinite(number)] for pair, found in numbers.items()}
        return {pair: int(max(found)) for pair, found in known.items() if found}


def _spellings_in(found: Iterable[DocumentDecoder]) -> Spellings:
    ids: Spellings = {}
    for decoder in found:
        if (qid := decoder.qid()) and decoder.document["qid"] not in ids.setdefault(qid, []):
            ids[qid].append(decoder.document["qid"])
    return ids


def _counts(decoder: DocumentDecoder) -> bool:
    """Whether a result counts in values and series."""
    return decoder.text("status") == "completed" and not decoder.flag("excluded")


def _decoded(documents: Iterable[DocumentDecoder], query: SeriesQuery) -> pd.DataFrame:
    """A series from documents."""
    rows = []
    for decoder in documents:
        qid, outputs = decoder.qid(), decoder.document.get("output_parameters")
        if not query.is_about(qid) or not isinstance(outputs, dict) or query.parameter not in outputs:
            continue
        record = decoder.parameter("output_parameters", query.parameter, outputs[query.parameter])
        t = _time(decoder, record)
        if t is None or t not in query.during:
            continue
        names = (decoder.text("name"), decoder.text("execution_id"), decoder.text("task_id"))
        rows.append((qid, t, record.value, record.error, record.unit, *names, record.flag))
    return frame_of(rows, SERIES_COLUMNS)


def _time(decoder: DocumentDecoder, record: ParameterRow, *, reports: bool = True) -> datetime | None:
    """When a result counts; a result without any time is reported."""
    start, end = decoder.moment("start_at"), decoder.moment("end_at")
    if decoder.has_list("start_at"):
        return None
    t = start or record.calibrated_at or end
    if t is None and reports:
        decoder.report("start_at", "has no time at all: not in any series")
    return t
