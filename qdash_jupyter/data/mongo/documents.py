"""Documents out of QDash's MongoDB: each query with a time limit, each error in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import ASCENDING, DESCENDING

from qdash_jupyter.data.decode import DocumentDecoder, ProblemLog
from qdash_jupyter.data.documents import DocumentQuery, Found, chosen
from qdash_jupyter.data.lookups import DocumentLookups
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.connection import QUERY_SECONDS, MongoDatabase, label_of
from qdash_jupyter.data.mongo.failure import answered
from qdash_jupyter.data.records import ChipRef, DataProblem, Origin
from qdash_jupyter.domain.work import count_read, is_abandoned
from qdash_jupyter.errors import DatabaseError

if TYPE_CHECKING:
    from pymongo.command_cursor import CommandCursor
    from pymongo.cursor import Cursor

    from qdash_jupyter.data.mongo.pipelines import Filter, Pipeline

Answer = TypeVar("Answer")

_COUNTED_TOGETHER = 1000
_EXPORT_SECONDS = 3600  # the server may have to sort, and works for nobody who waits
_RESULTS = "task_result_history"


class MongoDocuments(DocumentLookups):
    """Asks one database for documents, and answers what whole documents can answer."""

    def __init__(
        self, database: MongoDatabase, *, as_of: datetime | None = None, query_seconds: float = QUERY_SECONDS
    ) -> None:
        """Read `database`, as given by `connect`.

        Args:
            database: its client is closed with this reader.
            as_of: the moment from which ages count; the clock when None.
            query_seconds: the time limit of one query.
        """
        options: CodecOptions[dict[str, Any]] = CodecOptions(
            tz_aware=True,
            # Dates beyond Python's years arrive as something else than a datetime, which the decoder reports.
            datetime_conversion=DatetimeConversion.DATETIME_AUTO,
            unicode_decode_error_handler="replace",
        )
        self._database = database.with_options(codec_options=options)
        self._as_of = as_of
        self._limit_ms = int(query_seconds * 1000)
        self._log = ProblemLog()
        self._ids: dict[tuple[str, str], list[object]] = {}
        self._origin = Origin("mongodb", label_of(database))

    @property
    def origin(self) -> Origin:
        """Host(s) and database."""
        return self._origin

    def now(self) -> datetime:
        """The clock, or the moment given to the constructor."""
        return self._as_of or datetime.now(UTC)

    def documents(self, query: DocumentQuery) -> Iterator[Found]:
        """At least the documents that the query asks for."""
        shape = query.shape
        projection = dict.fromkeys(shape.fields, 1) or None
        ordered, without, odd = self._filters(query)
        if query.last_n is None or not shape.newest_by:
            yield from self._find(query.collection, {"$or": [ordered, without, odd]}, projection)
            return
        newest = self._newest(query, query.last_n, ordered, shape.newest_by)
        yield from newest
        yield from self._find(query.collection, odd, projection)
        if len(chosen(query, newest)) < query.last_n:
            yield from self._newest(query, query.last_n, without, "_id")

    def _result_groups(self, query: DocumentQuery) -> Iterable[Found]:
        """The task results in groups, counted by the server: one for each way in which they are spelled."""
        return chosen(query, self._aggregate(_RESULTS, pipelines.result_groups(query, self._filters(query))))

    def _filters(self, query: DocumentQuery) -> tuple[Filter, Filter, Filter]:
        of_project = {"project_id": query.chip.project_id}
        scope = self.scope(query.chip) if query.shape.scope == "chip" else of_project
        ids = None
        if query.qid is not None:
            ids = pipelines.spellings_of(query.qid, self._stored_ids(query.collection, scope))
        return pipelines.documents(query, scope, ids)

    def documents_of(self, collection: str, fields: Sequence[str], project_id: str | None = None) -> Iterator[Found]:
        """The documents of a whole collection, or of a project's, in the order of their ids."""
        scope = {} if project_id is None else {"project_id": project_id}
        return self._find(collection, scope, dict.fromkeys(fields, 1))

    def _stored_ids(self, collection: str, scope: Filter) -> list[object]:
        """The ids as the documents spell them. Asked once: an odd spelling that nobody used until today can wait."""
        key = (collection, str(scope))
        if key not in self._ids:
            self._ids[key] = self._distinct(collection, "qid", scope)
        return self._ids[key]

    def _distinct(self, collection: str, field: str, filter_: Filter) -> list[object]:
        found = self._database[collection]
        return self._answered(lambda: list(found.distinct(field, filter_, maxTimeMS=self._limit_ms)))

    def _newest(self, query: DocumentQuery, count: int, filter_: Filter, field: str) -> list[Found]:
        """At least the newest `count` that are asked for, and those at the same moment as the last of them. Asked to
        break ties itself, the server could not use its index.
        """
        limit = count
        while True:
            found = list(self._find(query.collection, filter_, None, newest=(field, limit)))
            if len(found) < limit:
                return found
            if field != "_id":
                last = min(document[field] for _, document in found)
                ties = self._find(query.collection, {"$and": [filter_, {field: last}]}, None)
                held = {decoder.document_id for decoder, _ in found}
                found += [(decoder, document) for decoder, document in ties if decoder.document_id not in held]
            if len(chosen(query, found)) >= count:
                return found
            limit *= 4  # the server took some for what they are not, such as 7.0 for the id 7

    def stream(self, collection: str, filter_: Filter) -> Iterator[dict[str, Any]]:
        """Whole documents, one batch of the server after the other: in the order of their ids, or of an index where
        there are too many to be sorted.
        """
        field = "start_at" if collection == _RESULTS else "_id"
        found = self._database[collection].find(filter_, max_time_ms=int(_EXPORT_SECONDS * 1000))
        cursor = found.sort(field, ASCENDING).allow_disk_use(True)  # noqa: FBT003
        end: dict[str, Any] = {}
        with cursor:
            while (document := self._answered(lambda: next(cursor, end))) is not end:
                yield document

    def problems(self) -> list[DataProblem]:
        """What could not be read in the documents that were asked for so far."""
        return self._log.all()

    def close(self) -> None:
        """Close the client."""
        self._database.client.close()

    def scope(self, chip: ChipRef) -> Filter:
        """The filter of a chip's documents."""
        found = self._find("chip", {"chip_id": chip.chip_id}, {"project_id": 1})
        projects = {decoder.text_or_none("project_id") for decoder, _ in found} - {None}
        return pipelines.in_scope(chip, is_only_project=projects == {chip.project_id})

    def _find(
        self,
        collection: str,
        filter_: Filter,
        projection: dict[str, Any] | None,
        *,
        newest: tuple[str, int] | None = None,
    ) -> Iterator[Found]:
        """Documents in the order of their ids, decoded one by one; the `newest` n by a field."""

        def read() -> list[dict[str, Any]]:
            cursor = self._database[collection].find(filter_, projection, max_time_ms=self._limit_ms)
            return _all(cursor if newest is None else cursor.sort(newest[0], DESCENDING).limit(newest[1]))

        documents = self._answered(read)
        # Sorted here: asked to sort, the server might walk its whole index of ids.
        documents.sort(key=lambda document: str(document["_id"]))
        return ((DocumentDecoder(collection, document, self._log), document) for document in documents)

    def _aggregate(self, collection: str, pipeline: Pipeline) -> Iterator[Found]:
        asked = self._database[collection]
        documents = self._answered(lambda: _all(asked.aggregate(pipeline, maxTimeMS=self._limit_ms, allowDiskUse=True)))
        return ((DocumentDecoder(collection, document, self._log), document) for document in documents)

    def _answered(self, work: Callable[[], Answer]) -> Answer:
        answer = None if is_abandoned() else answered(work, self._origin.label, user=True)
        if answer is None or is_abandoned():
            raise DatabaseError("The question was given up while it was being answered.", "Ask again.")
        return answer


def _all(cursor: Cursor[dict[str, Any]] | CommandCursor[dict[str, Any]]) -> list[dict[str, Any]]:
    """All documents, or some when nobody waits for them any more: then the server is asked to stop."""
    found: list[dict[str, Any]] = []
    with cursor:
        while not is_abandoned() and (more := list(islice(cursor, _COUNTED_TOGETHER))):
            found += more
            count_read(len(more))
    return found
