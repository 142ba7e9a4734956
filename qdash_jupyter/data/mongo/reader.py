"""Reads QDash's live MongoDB behind the `QDashReader` Protocol."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from qdash_jupyter.data.decode import DocumentDecoder, number_in
from qdash_jupyter.data.documents import Found
from qdash_jupyter.data.lookups import CurrentValues
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.columns import all_fit, can_read_columns, read_columns, series_of
from qdash_jupyter.data.mongo.documents import MongoDocuments
from qdash_jupyter.data.queries import (
    CalibrationNoteQuery,
    CurrentQuery,
    ElementQuery,
    ExecutionQuery,
    SeriesQuery,
    VersionQuery,
)
from qdash_jupyter.data.records import (
    ChipRef,
    ElementKind,
    ParameterRow,
)
from qdash_jupyter.data.tables import (
    PARAMETER_COLUMNS,
    SERIES_COLUMNS,
    frame_of,
    series_in_order,
)
from qdash_jupyter.domain.qid import normalise_qid, qid_order
from qdash_jupyter.domain.time_range import TimeRange
from qdash_jupyter.domain.work import side_by_side

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from qdash_jupyter.data.mongo.pipelines import Filter

_ELEMENTS = ("qubit", "coupling")
_RESULTS = "task_result_history"
_VERSIONS = "parameter_versions"
_NO_ID = ("", None)
_FEW = 4
"""Elements whose results are so few that their documents are soon decoded, which takes one command, odd or not."""


class MongoReader(MongoDocuments):
    """A QDash database behind the `QDashReader` Protocol. It sends queries only, never a write.

    Documents of a qubit are taken in the order qubits, couplings, and within each by `_id`: of two that were
    calibrated at the same moment the later one counts, as in a snapshot.
    """

    def element_ids(self, chip: ChipRef, kind: ElementKind) -> list[str]:
        """Ids of the chip's qubits or couplings."""
        ids = {qid for found in self._known_ids(chip).values() for qid in found}
        return sorted(filter(ElementQuery(chip, kind).is_about, ids), key=qid_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the completed results, with counts; the server counts all plain ones."""
        scope = self.scope(chip, _RESULTS)
        counts: dict[str, tuple[int, datetime | None]] = {}
        fields = {"qid": 1, "start_at": 1, "end_at": 1, "output_parameters": 1}
        if self._has_odd_results(chip, scope):
            counted, others = side_by_side(
                [
                    partial(self._aggregate, _RESULTS, pipelines.parameter_counts(scope, qid, self._dates)),
                    partial(self._find, _RESULTS, pipelines.other_results(scope, qid, self._dates), fields),
                ]
            )
        else:
            ids = self._spelled(_RESULTS, scope, [] if qid is None else [qid])
            asked = pipelines.parameter_counts(scope, qid, self._dates, ids)
            counted, others = self._aggregate(_RESULTS, asked), iter(())
        for _, row in counted:
            last_at = row["last_at"]
            counts[row["_id"]] = (row["results"], last_at if isinstance(last_at, datetime) else None)
        for decoder, _ in others:
            found = decoder.qid()
            if found is None or (qid is not None and found != qid) or decoder.has_list("start_at"):
                continue
            for record in decoder.parameters("output_parameters"):
                results, last_at = counts.get(record.parameter, (0, None))
                times = [t for t in (last_at, _time(decoder, record, reports=found != "")) if t is not None]
                counts[record.parameter] = (results + 1, max(times, default=None))
        return frame_of([(name, *counts[name]) for name in sorted(counts)], PARAMETER_COLUMNS)

    def _has_odd_results(self, chip: ChipRef, scope: Filter) -> bool:
        """Whether any result that counts is one that the server cannot count by itself."""

        def ask() -> bool:
            return self._is_there(_RESULTS, pipelines.other_results(scope, None, self._dates))

        return self._facts.get((_RESULTS, "odd", chip), ask)

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
        ids = self._spelled(_RESULTS, scope, query.qids or ())
        is_plain = not self._has_odd_results(query.chip, scope)
        of_tasks = scope if since else scope | self._tasks_giving(query.chip, scope, names or ())
        asked = pipelines.newest_with(of_tasks, ids, names, during, self._dates, is_plain=is_plain)
        rows: dict[tuple[str, str], tuple[datetime, str, str, ParameterRow]] = {}
        for decoder, _ in self._aggregate(_RESULTS, asked):
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
            known = self._known_ids(query.chip)
            # Those of the kind that stand in the other collection: mostly there are none.
            asked = [name for name in _ELEMENTS if name == query.kind or any(map(query.is_about, known[name]))]
            new = set(query.qids or ()).difference(*known.values())
            reads = []
            for name in asked:
                spelled = [raw for qid, raws in known[name].items() if query.is_about(qid) for raw in raws]
                is_known = query.qids is not None and not new
                ids = {"qid": {"$in": spelled}} if is_known else pipelines.with_ids(query.qids)
                filter_ = {"$and": [self.scope(query.chip, name), ids]}
                # Where all of `data` is wanted, the rest of a document is little.
                reads.append(partial(self._find, name, filter_, None if "data" in fields else fields))
        else:
            scope = self.scope(query.chip) | pipelines.with_ids(query.qids)
            rows = pipelines.history(scope, last_day, fields)
            reads = [partial(self._aggregate, f"{collection}_history", rows) for collection in _ELEMENTS]
        for found in side_by_side(reads):
            for decoder, _ in found:
                if query.is_about(qid := decoder.qid()):
                    yield qid, decoder

    def _known_ids(self, chip: ChipRef) -> dict[str, dict[str, list[object]]]:
        """The ids that stand in each collection of elements, each with its spellings there."""

        def ask() -> dict[str, dict[str, list[object]]]:
            scope = self.scope(chip) | pipelines.with_ids(None)
            found = side_by_side([partial(self._find, collection, scope, {"qid": 1}) for collection in _ELEMENTS])
            ids: dict[str, dict[str, list[object]]] = {name: {} for name in _ELEMENTS}
            for known, documents in zip(ids.values(), found, strict=True):
                for decoder, document in documents:
                    if qid := decoder.qid():
                        known.setdefault(qid, []).append(document["qid"])
            return ids

        return self._facts.get(("elements", chip), ask)

    def parameter_series(self, query: SeriesQuery) -> pd.DataFrame:
        """A parameter's measurements, oldest first."""
        scope = self.scope(query.chip, _RESULTS)
        ids = None if query.qids is None else self._spelled(_RESULTS, scope, query.qids)
        is_sorted_out = query.during.is_bounded or query.last_n is not None
        is_plain = is_sorted_out and not self._has_odd_results(query.chip, scope)
        # From a start on, the index of starts leads to less than that of tasks.
        tasks = {} if query.during.since else self._tasks_giving(query.chip, scope, [query.parameter])
        scope = scope | tasks
        is_long = query.last_n is None and (query.qids is None or len(query.qids) > _FEW)
        if is_long and pipelines.can_be_path(query.parameter) and can_read_columns():
            match = pipelines.measured(scope, query, self._dates, ids, is_plain=is_plain)
            return series_in_order(self._by_columns(match, query))
        documents = self._aggregate(_RESULTS, pipelines.series(scope, query, self._dates, ids, is_plain=is_plain))
        frame = series_in_order(_decoded(documents, query))
        if query.last_n is None:
            return frame
        return frame.groupby("qid", sort=False).tail(query.last_n).reset_index(drop=True)

    def count(self, query: SeriesQuery | ExecutionQuery | CalibrationNoteQuery | VersionQuery) -> int:
        """How many there are of all that fit; the server counts measurements where all of its results are plain."""
        if not isinstance(query, SeriesQuery) or not pipelines.can_be_path(query.parameter):
            return super().count(query)
        scope = self.scope(query.chip, _RESULTS)
        if self._has_odd_results(query.chip, scope):
            return super().count(query)
        ids = None if query.qids is None else self._spelled(_RESULTS, scope, query.qids)
        tasks = {} if query.during.since else self._tasks_giving(query.chip, scope, [query.parameter])
        asked = pipelines.measurement_counts(scope | tasks, query, self._dates, ids)
        groups = (group for _, group in self._aggregate(_RESULTS, asked))
        return sum(group["results"] for group in groups if query.is_about(normalise_qid(group["_id"])))

    def _by_columns(self, match: Filter, query: SeriesQuery) -> pd.DataFrame:
        """The measurements read column by column; those that do not fit, as documents."""
        import pandas as pd

        def read(filter_: Filter) -> pa.Table:
            collection = self._database[_RESULTS]
            return self._commanded(
                lambda session: read_columns(
                    collection, filter_, query.parameter, limit_ms=self._limit_ms(), session=session
                )
            )

        odd = (query.chip, query.parameter)
        if odd not in self._odd_series:
            table = read(match)
            if all_fit(table, self._dates.latest):
                return series_of(table, query)
            self._odd_series.add(odd)
        fits = pipelines.fits_columns(query.parameter, self._dates)
        misfits = pipelines.checked([{"$match": {"$and": [match, {"$nor": [fits]}]}}])
        fitting, others = side_by_side(
            [
                lambda: series_of(read({"$and": [match, fits]}), query),
                lambda: _decoded(self._aggregate(_RESULTS, misfits), query),
            ]
        )
        return pd.concat([fitting, others], ignore_index=True) if len(others) else fitting

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip."""
        return sorted(str(name) for name in self._distinct(_RESULTS, "name", self.scope(chip, _RESULTS)) if name)

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip."""
        scope = {"project_id": chip.project_id}
        asked: dict[str, list[str]] = {}
        for parameter, wanted in parameters:
            asked.setdefault(parameter, []).append(wanted)
        numbers: dict[tuple[str, str], list[float]] = {pair: [] for pair in parameters}
        reads = []  # one for each parameter, so that the index leads to these elements
        for parameter, of_parameter in asked.items():
            ids = self._spelled(_VERSIONS, scope, of_parameter)
            pipeline = pipelines.versions(scope | {"chip_id": chip.chip_id}, parameter, ids)
            reads.append(partial(self._aggregate, _VERSIONS, pipeline))
        for _, row in chain(*side_by_side(reads)):
            raw = row["_id"].get("qid")
            qid = "" if raw in _NO_ID else normalise_qid(raw)
            if qid is not None and (found := (row["_id"]["parameter"], qid)) in numbers:
                numbers[found] += [number for number in map(number_in, row["versions"]) if number is not None]
        known = {pair: [number for number in found if math.isfinite(number)] for pair, found in numbers.items()}
        return {pair: int(max(found)) for pair, found in known.items() if found}


def _decoded(documents: Iterable[Found], query: SeriesQuery) -> pd.DataFrame:
    """A series from documents."""
    rows = []
    for decoder, document in documents:
        qid, outputs = decoder.qid(), document.get("output_parameters")
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
