"""Whole documents of a collection, filtered and newest first: what both readers give for the smaller questions.

Readers may give more than was asked for (ids in odd spellings, dates as text): `chosen` decides, once for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Literal

from qdash_jupyter.data.decode import DocumentDecoder
from qdash_jupyter.data.queries import ReadQuery
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange


@dataclass(frozen=True, slots=True)
class Shape:
    """How a collection is asked: within a chip or a whole project, by which text fields, and what orders it."""

    keys: tuple[str, ...] = ()
    newest_by: str = ""
    order: Literal["time", "number"] = "time"
    has_qid: bool = False
    is_measured: bool = False
    """Whether, without a time that can be read, when its values were calibrated counts, or when it ended."""
    scope: Literal["chip", "project"] = "chip"
    fields: tuple[str, ...] = ()
    """The fields that are read; all when empty."""


SHAPES: dict[str, Shape] = {
    "task_result_history": Shape(
        ("name", "status", "execution_id", "task_id", "cooldown_id"),
        newest_by="start_at",
        is_measured=True,
        has_qid=True,
    ),
    "execution_history": Shape(("status", "execution_id", "username"), newest_by="start_at"),
    "calibration_note": Shape(("execution_id", "task_id"), newest_by="timestamp"),
    "parameter_versions": Shape(
        ("entity_id", "chip_id", "parameter_name"), newest_by="version", order="number", has_qid=True, scope="project"
    ),
    "provenance_relations": Shape(("source_id",), scope="project"),
    "provenance_activities": Shape(("activity_id",), scope="project"),
    "cooldown": Shape(("cooldown_id",), scope="project"),
    "chip": Shape(),
    "qubit": Shape(fields=("qid", "note", "metric_notes")),
    "coupling": Shape(fields=("qid", "note", "metric_notes")),
    "qubit_history": Shape(("recorded_date",), fields=("qid",)),
    "coupling_history": Shape(("recorded_date",), fields=("qid",)),
    "chip_note": Shape(),
    "target_note": Shape(),
    "metric_note": Shape(),
    "issue": Shape(scope="project"),
    "issue_knowledge": Shape(),
    "forum_post": Shape(scope="project"),
}
"""The collections that are read as whole documents."""


@dataclass(frozen=True, slots=True)
class DocumentQuery(ReadQuery):
    """Documents of `collection` where each of `where` (fields of its shape) has one of the values."""

    collection: str
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _: KW_ONLY
    qid: str | None = None
    tags: Sequence[str] = ()
    excluded: bool | None = None
    during: TimeRange = ANY_TIME
    last_n: int | None = None
    output: str | None = None
    with_note: bool = False
    """Only results on which a user or a review wrote something."""

    @property
    def shape(self) -> Shape:
        """How this collection is asked."""
        return SHAPES[self.collection]


def chosen(query: DocumentQuery, found: Iterable[DocumentDecoder]) -> list[DocumentDecoder]:
    """Those that were asked for, newest first; those of unknown age last, then by `_id`, the larger one first."""
    oldest = float("-inf")
    kept = [(rank_of(query.shape, decoder), decoder) for decoder in found if _fits(query, decoder)]
    kept.sort(key=lambda one: (oldest if one[0] is None else one[0], one[1].document_id), reverse=True)
    return [decoder for _, decoder in kept[: query.last_n]]


def _fits(query: DocumentQuery, decoder: DocumentDecoder) -> bool:
    shape, during = query.shape, query.during
    return (
        all(decoder.text(name) in values for name, values in query.where.items())
        and (query.qid is None or decoder.qid() == query.qid)
        and set(query.tags) <= set(decoder.texts("tags"))
        and (query.excluded is None or decoder.flag("excluded") == query.excluded)
        and (query.output is None or _gives(decoder, query.output))
        and (not during.is_bounded or _time_of(shape, decoder) in during)
        and (not during.is_odd or decoder.odd_dates(shape.newest_by, "end_at") != "")
    )


def _gives(decoder: DocumentDecoder, parameter: str) -> bool:
    outputs = decoder.document.get("output_parameters")
    return isinstance(outputs, Mapping) and parameter in outputs


def rank_of(shape: Shape, decoder: DocumentDecoder) -> float | None:
    """What documents of this shape are ordered by: seconds since 1970, or the number itself; None when unknown."""
    if not shape.newest_by:
        return None
    if shape.order == "time":
        moment = _time_of(shape, decoder)
        return None if moment is None else moment.timestamp()
    number = decoder.number(shape.newest_by)
    return None if number != number else number  # noqa: PLR0124 - NaN


def _time_of(shape: Shape, decoder: DocumentDecoder) -> datetime | None:
    """When it was. Of a result without a start, the same as in a series: when it was calibrated, else its end."""
    moment = decoder.moment(shape.newest_by)
    if moment is not None or not shape.is_measured or decoder.has_list(shape.newest_by):
        return moment
    calibrated = [row.calibrated_at for row in decoder.parameters("output_parameters") if row.calibrated_at is not None]
    return max(calibrated, default=None) or decoder.moment("end_at")
