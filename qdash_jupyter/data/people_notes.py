"""What people wrote down, from the many places where QDash keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from qdash_jupyter.data.decode import DocumentDecoder
from qdash_jupyter.data.records import ChipRef, Note, NoteKind
from qdash_jupyter.domain.qid import normalise_qid

_ELEMENT_KINDS: dict[str, NoteKind] = {"qubit": "qubit", "coupling": "coupling"}


def _of_result(decoder: DocumentDecoder, document: Mapping[str, Any], _: ChipRef) -> Iterator[Note]:
    """The note of a user and of a review on one task result."""
    for name in ("user_note", "ai_review_note"):
        yield from _noted(
            decoder,
            name,
            document.get(name),
            "task",
            decoder.text("task_id"),
            qid=decoder.qid() or "",
            title=decoder.text("name"),
        )


def _of_chip(decoder: DocumentDecoder, document: Mapping[str, Any], _: ChipRef) -> Iterator[Note]:
    yield from _noted(decoder, "note", document.get("note"), "chip", "")


def _of_element(decoder: DocumentDecoder, document: Mapping[str, Any], _: ChipRef) -> Iterator[Note]:
    qid = decoder.qid()
    if not qid:
        return
    kind: NoteKind = "coupling" if "-" in qid else "qubit"
    yield from _noted(decoder, "note", document.get("note"), kind, qid, qid=qid)
    metric_notes = document.get("metric_notes")
    for metric, raw in (metric_notes if isinstance(metric_notes, Mapping) else {}).items():
        yield from _noted(decoder, f"metric_notes.{metric}", raw, kind, qid, qid=qid, metric=str(metric))


def _of_target(decoder: DocumentDecoder, document: Mapping[str, Any], _: ChipRef) -> Iterator[Note]:
    kind = _ELEMENT_KINDS.get(decoder.text("target_type"), "qubit")
    qid = normalise_qid(document.get("target_id")) or ""
    target = qid or decoder.text("target_id")
    metric = decoder.text("metric_key")
    yield from _noted(decoder, "note", document.get("note"), kind, target, qid=qid, metric=metric)
    comments = document.get("comments")
    for number, comment in enumerate(comments if isinstance(comments, (list, tuple)) else ()):
        inner = decoder.inside(f"comments.{number}", comment)
        at = inner.moment("updated_at") or inner.moment("created_at")
        content, by = inner.text("content"), inner.text("created_by")
        yield from _worded(inner, kind, target, qid=qid, content=content, by=by, at=at)


def _of_issue(decoder: DocumentDecoder, _: Mapping[str, Any], __: ChipRef) -> Iterator[Note]:
    if not decoder.flag("is_ai_reply"):
        state = "closed" if decoder.flag("is_closed") else "open"
        yield from _posted(decoder, "issue", decoder.text("task_id"), state)


def _of_forum(decoder: DocumentDecoder, document: Mapping[str, Any], chip: ChipRef) -> Iterator[Note]:
    if decoder.flag("is_deleted") or decoder.flag("is_ai_reply") or decoder.text("chip_id") not in {"", chip.chip_id}:
        return
    qid = normalise_qid(document.get("target_id")) if decoder.text("target_type") in _ELEMENT_KINDS else None
    yield from _posted(decoder, "forum", qid or decoder.text("target_id"), decoder.text("status"), qid=qid or "")


def _of_knowledge(decoder: DocumentDecoder, document: Mapping[str, Any], _: ChipRef) -> Iterator[Note]:
    labels = {"symptom": "Symptom", "root_cause": "Root cause", "resolution": "Resolution"}
    parts = [f"{label}: {text}" for name, label in labels.items() if (text := decoder.text(name))]
    parts += [f"Lesson: {text}" for text in decoder.texts("lesson_learned") if text]
    qid = normalise_qid(document.get("qid")) or ""
    yield from _worded(
        decoder,
        "knowledge",
        qid,
        qid=qid,
        content="\n".join(parts) or decoder.text("title"),
        by=decoder.text("reviewed_by"),
        at=written_at(decoder),
        title=decoder.text("title"),
        status=decoder.text("status"),
    )


def _of_cooldown(decoder: DocumentDecoder, document: Mapping[str, Any], chip: ChipRef) -> Iterator[Note]:
    if chip.chip_id not in decoder.texts("chip_ids"):
        return
    cooldown = decoder.text("cooldown_id")
    yield from _noted(decoder, "note", document.get("note"), "cooldown", cooldown, title=decoder.text("description"))
    wiring, at = decoder.text("wiring_info"), written_at(decoder) or decoder.moment("started_at")
    yield from _worded(decoder, "cooldown", cooldown, content=wiring, by="", at=at, title="wiring")


NOTE_COLLECTIONS: dict[str, Callable[[DocumentDecoder, Mapping[str, Any], ChipRef], Iterator[Note]]] = {
    "task_result_history": _of_result,
    "chip": _of_chip,
    "qubit": _of_element,
    "coupling": _of_element,
    "chip_note": _of_chip,
    "target_note": _of_target,
    "metric_note": _of_target,
    "issue": _of_issue,
    "issue_knowledge": _of_knowledge,
    "forum_post": _of_forum,
    "cooldown": _of_cooldown,
}
"""Where notes stand, and how they are read there; notes without words are none."""


def _noted(
    decoder: DocumentDecoder,
    place: str,
    raw: object,
    kind: NoteKind,
    target: str,
    *,
    qid: str = "",
    metric: str = "",
    title: str = "",
) -> Iterator[Note]:
    """A note object of QDash: content, who wrote it, when."""
    inner = decoder.inside(place, raw)
    content, by, at = inner.text("content"), inner.text("updated_by"), inner.moment("updated_at")
    yield from _worded(inner, kind, target, qid=qid, content=content, by=by, at=at, metric=metric, title=title)


def _posted(decoder: DocumentDecoder, kind: NoteKind, target: str, status: str, *, qid: str = "") -> Iterator[Note]:
    """A document that is a note as a whole."""
    content, by, title = decoder.text("content"), decoder.text("username"), decoder.text("title")
    at = written_at(decoder)
    yield from _worded(decoder, kind, target, qid=qid, content=content, by=by, at=at, title=title, status=status)


def _worded(
    decoder: DocumentDecoder,
    kind: NoteKind,
    target: str,
    *,
    content: str,
    by: str,
    at: datetime | None,
    qid: str = "",
    metric: str = "",
    title: str = "",
    status: str = "",
) -> Iterator[Note]:
    """The note, unless it has no words."""
    if content.strip():
        yield Note(kind, target, qid, metric, title, content.strip(), by, at, status, decoder.place)


def written_at(decoder: DocumentDecoder) -> datetime | None:
    """When a document was last changed."""
    info = decoder.inside("system_info")
    return info.moment("updated_at") or info.moment("created_at")
