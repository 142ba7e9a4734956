"""A filter in two steps: what one of QDash's indexes leads to, and what is looked at in the documents found there.

MongoDB joins two steps that follow each other into one query. The server of the tests has a simpler planner: it takes
an index for the first step only, and for none of a conjunction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from qdash_jupyter.data.mongo.documents import MongoDocuments
from qdash_jupyter.data.mongo.indexes import NEEDED
from qdash_jupyter.data.mongo.pipelines import Filter, Pipeline
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.domain.time_range import FIRST_RESULT

_RANGE = {"$gt", "$gte", "$lt", "$lte"}
_CONJUNCTION = "$and"


@contextmanager
def sent_in_steps() -> Iterator[None]:
    """Meanwhile our readers send their filters so."""
    rows, by_columns = MongoDocuments._rows, MongoReader._by_columns

    def rows_in_steps(reader: MongoDocuments, collection: str, pipeline: Pipeline, *read: Any) -> list[dict[str, Any]]:
        return rows(reader, collection, led(collection, pipeline), *read)

    def by_columns_in_steps(reader: MongoReader, asked: Iterable[Pipeline], query: SeriesQuery) -> Any:
        return by_columns(reader, [led("task_result_history", one) for one in asked], query)

    with (
        patch.object(MongoDocuments, "_rows", rows_in_steps),
        patch.object(MongoReader, "_by_columns", by_columns_in_steps),
    ):
        yield


def steps_of(collection: str, filter_: Filter) -> list[Filter]:
    """Filters to be applied one after the other, which together are `filter_`: one, or two where an index helps."""
    whole = flat(filter_)
    found = [_within(fields.split(), whole) for fields in NEEDED.get(collection, ())]
    first: Filter = max(found, key=lambda one: one[0])[1] if found else {}
    rest: Filter = {}
    for name, condition in whole.items():
        if name not in first:
            rest[name] = condition
        elif isinstance(condition, Mapping) and (left := set(condition) - set(first[name])):
            rest[name] = {operator: condition[operator] for operator in condition if operator in left}
    return [step for step in (first, rest) if step] or [{}]


def led(collection: str, pipeline: Pipeline) -> Pipeline:
    """The pipeline with the filter it begins with in these steps."""
    first, *others = pipeline
    return [*({"$match": step} for step in steps_of(collection, first["$match"])), *others]


def flat(filter_: Filter) -> Filter:
    """The same filter with each field at its top, as far as what is asked of a field fits into one condition."""
    fields: Filter = {}
    others: list[Filter] = []
    for name, condition in _conditions(filter_):
        if name not in fields:
            fields[name] = condition
        elif _can_join(fields[name], condition):
            fields[name] = {**fields[name], **condition}
        elif fields[name] != condition:
            others.append({name: condition})
    plain = {name: _one_value(condition) for name, condition in fields.items()}
    # What is quickly compared comes first.
    plain = dict(sorted(plain.items(), key=lambda one: (one[0].startswith("$"), isinstance(one[1], Mapping))))
    return plain | ({_CONJUNCTION: others} if others else {})


def _conditions(filter_: Filter) -> Iterator[tuple[str, Any]]:
    for name, condition in filter_.items():
        if name != _CONJUNCTION:
            yield name, condition
            continue
        for part in condition:
            yield from _conditions(part)


def _can_join(one: object, other: object) -> bool:
    return _is_operators(one) and _is_operators(other) and not set(one) & set(other)  # pyrefly: ignore[bad-argument-type]


def _is_operators(condition: object) -> bool:
    return isinstance(condition, Mapping) and bool(condition) and all(name.startswith("$") for name in condition)


def _one_value(condition: Any) -> Any:
    """A choice of one text is that text."""
    if not isinstance(condition, Mapping) or set(condition) != {"$in"} or len(condition["$in"]) != 1:
        return condition
    (value,) = condition["$in"]
    return value if isinstance(value, str) else condition


def _within(index: list[str], whole: Filter) -> tuple[tuple[bool, int, int], Filter]:
    """What of the filter an index that begins with these fields leads to: equalities, and one choice or range.

    Before it, how well it leads there: whether all of these fields have values, how many are bounded (a range of all
    dates that there can be is no bound), and by how few more.
    """
    first: Filter = {}
    bounded = values = 0
    for name in index:
        condition = whole.get(name)
        if name not in whole:
            break
        if not isinstance(condition, Mapping):
            first[name] = condition
            values += 1
            continue
        if "$in" in condition:
            first[name] = {"$in": condition["$in"]}
            values += 1
        elif ranges := {operator: bound for operator, bound in condition.items() if operator in _RANGE}:
            first[name] = ranges
            bounded = not _is_all_dates(ranges)
        break
    return (values == len(index), values + bounded, -len(index)), first


def _is_all_dates(ranges: Mapping[str, Any]) -> bool:
    """Whether these are the bounds of `Dates.all`, which leave out hardly anything."""
    return set(ranges) == {"$gte", "$lte"} and ranges["$gte"] == FIRST_RESULT
