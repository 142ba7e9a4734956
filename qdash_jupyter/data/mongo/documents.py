"""Documents out of QDash's MongoDB: each query with a time limit, each error in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from typing import Any, TypeAlias, TypeVar

from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import ASCENDING, DESCENDING
from pymongo.client_session import ClientSession
from pymongo.command_cursor import CommandCursor

from qdash_jupyter.data.decode import DocumentDecoder
from qdash_jupyter.data.documents import SHAPES, DocumentQuery, chosen
from qdash_jupyter.data.lookups import DocumentLookups
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.connection import QUERY_SECONDS, MongoDatabase, label_of
from qdash_jupyter.data.mongo.facts import RECORD_SECONDS, ChipFacts
from qdash_jupyter.data.mongo.failure import answered
from qdash_jupyter.data.mongo.indexes import missing_indexes
from qdash_jupyter.data.mongo.pipelines import Filter, Pipeline
from qdash_jupyter.data.mongo.sessions import CommandSessions
from qdash_jupyter.data.records import ChipRecord, ChipRef, Cooldown, Origin
from qdash_jupyter.domain.time_range import ODD_TIME, latest_result
from qdash_jupyter.domain.work import AT_ONCE, count_read, is_abandoned, seconds_left, side_by_side
from qdash_jupyter.errors import DatabaseError

Answer = TypeVar("Answer")
Read: TypeAlias = "Callable[[CommandCursor[dict[str, Any]]], list[dict[str, Any]]]"

_COUNTED_TOGETHER = 1000
_NODES = ("entity", "activity")
_A_DAY = timedelta(days=1)
_EXPORT_SECONDS = 3600  # the server may have to sort, and works for nobody who waits
_RESULTS = "task_result_history"


@dataclass(slots=True)
class KnownTasks:
    """The tasks that gave a parameter, of the results that started until then."""

    names: list[object] = dataclass_field(default_factory=list)
    until: datetime | None = None

    def learn(self, names: Iterable[object]) -> None:
        """Keep these, too: names as they are stored, which may be no texts."""
        for name in names:
            self.names += [name] if name not in self.names else []


class MongoDocuments(DocumentLookups):
    """Asks one database for documents, and answers what whole documents can answer."""

    def __init__(
        self, database: MongoDatabase, *, as_of: datetime | None = None, query_seconds: float = QUERY_SECONDS
    ) -> None:
        """Read `database`, as given by `connect`.

        Args:
            database: its client is closed with this reader.
            as_of: the moment from which ages count; the clock when None.
            query_seconds: the time limit of one query, where nobody has less patience.
        """
        super().__init__(Origin("mongodb", label_of(database)), as_of)
        options: CodecOptions[dict[str, Any]] = CodecOptions(
            tz_aware=True,
            # Dates beyond Python's years arrive as something else than a datetime, which the decoder reports.
            datetime_conversion=DatetimeConversion.DATETIME_AUTO,
            unicode_decode_error_handler="replace",
        )
        self._database = database.with_options(codec_options=options)
        self._query_seconds = query_seconds
        self._facts = ChipFacts()
        self._sessions = CommandSessions(database)

    @property
    def _dates(self) -> pipelines.Dates:
        """The dates that results can have by now."""
        return pipelines.Dates(latest_result(self.now()))

    def documents(self, query: DocumentQuery) -> Iterator[DocumentDecoder]:
        """At least the documents that the query asks for."""
        shape = query.shape
        projection = dict.fromkeys(shape.fields, 1) or None
        ordered, without, odd = self._filters(query)
        if query.last_n is None or not shape.newest_by:
            parts = [part for part in (ordered, without) if part != pipelines.NOTHING]
            if parts and _is_of_chip(query):
                parts = [pipelines.any_of([*parts, odd])]
                odd = pipelines.NOTHING
            parts = [few for part in parts for few in pipelines.with_fewer_values(part, AT_ONCE)]
            reads: list[Callable[[], Iterable[DocumentDecoder]]] = [partial(self._odd, query, odd)]
            reads += [partial(self._find, query.collection, part, projection) for part in parts]
            yield from chain(*side_by_side(reads))
            return
        steps: list[Callable[[], list[DocumentDecoder]]] = [
            partial(self._newest, query, query.last_n, ordered, shape.newest_by),
            partial(self._odd, query, odd),
        ]
        newest, others = side_by_side(steps)
        yield from chain(newest, others)
        if without != pipelines.NOTHING and len(chosen(query, newest)) < query.last_n:
            yield from self._newest(query, query.last_n, without, "_id")

    def _odd(self, query: DocumentQuery, filter_: Filter) -> list[DocumentDecoder]:
        """Those that only the decoder can date: once for each call, whatever time they are asked for."""
        if filter_ == pipelines.NOTHING:
            return []
        ask = partial(self._find, query.collection, filter_, dict.fromkeys(query.shape.fields, 1) or None)
        return self._facts.get_now(("odd dates", repr(replace(query, during=ODD_TIME, last_n=None))), ask)

    def chips(self, project_id: str | None = None, username: str | None = None) -> list[ChipRecord]:
        """The chips of a project, or of all."""
        known = self._facts.get(("chips", username), partial(super().chips, None, username), RECORD_SECONDS)
        return [chip for chip in known if project_id in (None, chip.ref.project_id)]

    def cooldowns(self, chip: ChipRef) -> list[Cooldown]:
        """The cool-downs in which the chip was, newest first."""
        return list(self._facts.get(("cool-downs", chip), partial(super().cooldowns, chip), RECORD_SECONDS))

    def forget(self) -> bool:
        """Look up anew what is kept of chips; whether that may change an answer."""
        return self._facts.forget()

    def _edges(self, query: DocumentQuery, kind: str | None) -> list[DocumentDecoder]:
        """The type of the source stands between the project and the source in the index of a project's edges."""
        scope = self._scope_of(query)
        ask = partial(self._is_there, query.collection, scope | {"source_type": None})
        without = self._facts.get((query.collection, "without a type", query.chip.project_id), ask)
        kinds = [*([kind] if kind else _NODES), *([None] if without else [])]
        (ordered, *_) = pipelines.documents(query, scope | {"source_type": {"$in": kinds}}, self._dates)
        return chosen(query, self._find(query.collection, ordered, None))

    def _result_groups(self, query: DocumentQuery) -> Iterable[DocumentDecoder]:
        """The documents in groups, counted by the server: one for each way in which they are spelled."""
        asked = pipelines.groups(query, self._filters(query), self._dates)
        return chosen(query, self._aggregate(query.collection, asked))

    def _number_of(self, query: DocumentQuery) -> int:
        """How many documents the query asks for."""
        return sum(group.document["results"] for group in self._result_groups(query))

    def _scope_of(self, query: DocumentQuery) -> Filter:
        if query.shape.scope == "project":
            return {"project_id": query.chip.project_id}
        return self.scope(query.chip, query.collection)

    def _filters(self, query: DocumentQuery) -> tuple[Filter, Filter, Filter]:
        scope = self._scope_of(query)
        is_bounded = query.during.since is not None or query.during.is_odd
        if query.output is not None and not is_bounded and "name" not in query.where:
            scope |= self._tasks_giving(query.chip, query.output)
        ordered, without, odd = pipelines.documents(query, scope, self._dates)
        # Where an index leads to few, the odd ones are soon asked for. Of a chip it is known whether there are any.
        names = query.where.get("name", ())
        if odd != pipelines.NOTHING and _is_of_chip(query) and not self._has_odd_starts(query.chip, names=names):
            odd = pipelines.NOTHING
        return ordered, without, odd

    def _tasks_giving(self, chip: ChipRef, parameter: str) -> Filter:
        """The tasks that ever gave the parameter: an index leads to their results, and none to a parameter's. Known
        ones are kept, and those of what is newer added.
        """
        known, names = self._known_tasks(chip, parameter), self._known_now(chip)
        if parameter not in names:
            newer = {} if known.until is None else {"start_at": {"$gte": known.until - _A_DAY}}
            asked = pipelines.tasks_giving(parameter, self.scope(chip, _RESULTS) | newer)
            known.learn(row["_id"] for row in self._rows(_RESULTS, asked))
            names.add(parameter)
        return {"name": {"$in": known.names}}

    def _known_now(self, chip: ChipRef) -> set[str]:
        """The parameters of which this work knows all tasks."""
        return self._facts.get_now((_RESULTS, "tasks known now", chip), set)

    def _known_tasks(self, chip: ChipRef, parameter: str) -> KnownTasks:
        """Those that gave the parameter, as far as is known."""
        return self._facts.get((_RESULTS, "tasks giving", chip, parameter), KnownTasks)

    def documents_of(
        self, collection: str, fields: Sequence[str], project_id: str | None = None
    ) -> list[DocumentDecoder]:
        """The documents of a whole collection, or of a project's, in the order of their ids."""
        scope = {} if project_id is None else {"project_id": project_id}
        return self._find(collection, scope, dict.fromkeys(fields, 1))

    def _rows(self, collection: str, pipeline: Pipeline, read: Read = list) -> list[dict[str, Any]]:
        """What the server makes of documents, as it is; it counts as nothing that was read."""
        asked, options = self._database[collection], {"maxTimeMS": self._limit_ms(), "allowDiskUse": True}
        pipelines.checked(pipeline)
        return self._commanded(lambda session: read(asked.aggregate(pipeline, session=session, **options)))

    def _is_there(self, collection: str, filter_: Filter) -> bool:
        """Whether there is any such document."""
        return bool(self._rows(collection, [*pipelines.matching(filter_, {"_id": 1}), {"$limit": 1}]))

    def _has_odd_starts(self, chip: ChipRef, names: Sequence[str] = ()) -> bool:
        """Whether only the decoder knows the start of any of a chip's results, or of those of these tasks."""

        def ask() -> bool:
            asked = self.scope(chip, _RESULTS) | ({"name": {"$in": list(names)}} if all(names) and names else {})
            return self._is_there(_RESULTS, pipelines.odd_times(SHAPES[_RESULTS], [asked], self._dates))

        return self._facts.get((_RESULTS, "odd starts", chip, names), ask)

    def _newest(self, query: DocumentQuery, count: int, filter_: Filter, field: str) -> list[DocumentDecoder]:
        """At least the newest `count` that are asked for, and those at the same moment as the last of them. Asked to
        break ties itself, the server could not use its index.
        """
        limit = count
        while True:
            found = self._find(query.collection, filter_, None, newest=(field, limit + 1))
            if len(found) <= limit:
                return found
            if field != "_id":
                last = min(each.document[field] for each in found)
                found = [each for each in found if each.document[field] != last]
                if len(found) < limit:  # there is a tie
                    found += self._find(query.collection, {"$and": [filter_, {field: last}]}, None)
            if len(chosen(query, found)) >= count:
                return found
            limit *= 4  # the server took some for what they are not, such as 7.0 for the id 7

    def stream(self, collection: str, filter_: Filter) -> Iterator[dict[str, Any]]:
        """Whole documents, one batch of the server after the other: in the order of their ids, or where there are too
        many to be sorted in that of an index, newest first.
        """
        field, order = ("start_at", DESCENDING) if collection == _RESULTS else ("_id", ASCENDING)
        found = self._database[collection].find(filter_, max_time_ms=int(_EXPORT_SECONDS * 1000))
        cursor = found.sort(field, order).allow_disk_use(True).batch_size(_COUNTED_TOGETHER)  # noqa: FBT003
        end: dict[str, Any] = {}
        with cursor:
            while (document := self._answered(lambda: next(cursor, end))) is not end:
                yield document

    def missing_indexes(self) -> list[tuple[str, str]]:
        """Collection and fields of each index of QDash's that our commands need and the database lacks.

        Raises:
            DatabaseError: it cannot be read, or the user may not list indexes.
        """
        return self._answered(lambda: list(missing_indexes(self._database)))

    def close(self) -> None:
        """Close the client."""
        self._database.client.close()

    def scope(self, chip: ChipRef, collection: str | None = None) -> Filter:
        """The filter of a chip's documents; where the collection is named, without a choice that is none there."""
        projects = self._projects_with(chip.chip_id)
        if chip.project_id not in projects and self.forget():
            projects = self._projects_with(chip.chip_id)
        scope = pipelines.in_scope(chip, is_only_project=projects == {chip.project_id})
        if collection is None or projects != {chip.project_id} or self._has_orphans(collection, chip):
            return scope
        return pipelines.in_scope(chip, is_only_project=False)

    def _has_orphans(self, collection: str, chip: ChipRef) -> bool:
        """Whether any of the chip's documents names no project."""
        orphans: Filter = {"project_id": None, "chip_id": chip.chip_id}
        ask = partial(self._is_there, collection, orphans)
        return self._facts.get((collection, "without a project", chip.chip_id), ask)

    def _projects_with(self, chip_id: str) -> set[str]:
        return {chip.ref.project_id for chip in self.chips() if chip.ref.chip_id == chip_id}

    def _all_chosen(self, queries: Sequence[DocumentQuery]) -> list[list[DocumentDecoder]]:
        return side_by_side([partial(self._chosen, query) for query in queries])

    def _find(
        self, collection: str, filter_: Filter, projection: Filter | None, *, newest: tuple[str, int] | None = None
    ) -> list[DocumentDecoder]:
        """Documents in the order of their ids, decoded one by one; the `newest` n by a field."""
        # Sorted here: asked to sort, the server might walk its whole index of ids.
        found = self._aggregate(collection, pipelines.matching(filter_, projection, newest))
        return sorted(found, key=lambda each: each.document_id)

    def _aggregate(self, collection: str, pipeline: Pipeline) -> Iterator[DocumentDecoder]:
        documents = self._rows(collection, pipeline, _all)
        return (DocumentDecoder(collection, document, self._log) for document in documents)

    def _limit_ms(self) -> int:
        """The server works no longer than somebody waits."""
        return max(1, int(1000 * min(self._query_seconds, seconds_left())))

    def _commanded(self, command: Callable[[ClientSession | None], Answer]) -> Answer:
        """What one command gives. It is noted before it is looked whether anybody waits: none slips through a Stop."""
        with self._sessions.one() as session:
            return self._answered(lambda: command(session))

    def _answered(self, work: Callable[[], Answer]) -> Answer:
        if not is_abandoned():
            try:
                answer = answered(work, self.origin.label, user=True)
            except DatabaseError:
                if not is_abandoned():  # else it was ended because nobody waits
                    raise
            else:
                if not is_abandoned():
                    return answer
        raise DatabaseError.with_hint("query-stopped")


def _is_of_chip(query: DocumentQuery) -> bool:
    """Whether no index of QDash's leads to few of a chip's results."""
    is_narrow = (query.qid is not None and "name" in query.where) or query.where.keys() & {"execution_id", "task_id"}
    return query.shape.is_measured and not is_narrow


def _all(cursor: CommandCursor[dict[str, Any]]) -> list[dict[str, Any]]:
    """All documents, or some when nobody waits for them any more: then the server is asked to stop."""
    found: list[dict[str, Any]] = []
    with cursor:
        while not is_abandoned() and (more := list(islice(cursor, _COUNTED_TOGETHER))):
            found += more
            count_read(len(more))
    return found
