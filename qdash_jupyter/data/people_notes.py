"""What people wrote down, from the many places where QDash keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from qdash_jupyter.data.decode import DocumentDecoder
from qdash_jupyter.data.records import ChipRef, Note, NoteKind
from qdash_jupyter.domain.qid import normalise_qid

_ELEMENT_KINDS: dict[str, NoteKind] = {"qubit": "qubit", "coupling": "coupling"}


def _of_result(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    """The note of a user and of a review on one task result."""
    about = {"qid": decoder.qid() or "", "title": decoder.text("name")}
    for name in ("user_note", "ai_review_note"):
        yield from _noted(decoder.inside(name), "task", decoder.text("task_id"), **about)


def _of_chip(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    yield from _noted(decoder.inside("note"), "chip", "")


def _of_element(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    qid = decoder.qid()
    if not qid:
        return
    kind: NoteKind = "coupling" if "-" in qid else "qubit"
    yield from _noted(decoder.inside("note"), kind, qid, qid=qid)
    metric_notes = decoder.document.get("metric_notes")
    for metric, raw in (metric_notes if isinstance(metric_notes, Mapping) else {}).items():
        yield from _noted(decoder.inside(f"metric_notes.{metric}", raw), kind, qid, qid=qid, metric=str(metric))


def _of_target(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    kind = _ELEMENT_KINDS.get(decoder.text("target_type"), "qubit")
    qid = normalise_qid(decoder.document.get("target_id")) or ""
    target = qid or decoder.text("target_id")
    yield from _noted(decoder.inside("note"), kind, target, qid=qid, metric=decoder.text("metric_key"))
    comments = decoder.document.get("comments")
    for number, comment in enumerate(comments if isinstance(comments, (list, tuple)) else ()):
        inner = decoder.inside(f"comments.{number}", comment)
        content, by = inner.text("content"), inner.text("created_by")
        yield from _worded(inner, kind, target, content=content, by=by, at=_changed(inner), qid=qid)


def _of_issue(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    if not decoder.flag("is_ai_reply"):
        state = "closed" if decoder.flag("is_closed") else "open"
        yield from _posted(decoder, "issue", decoder.text("task_id"), status=state)


def _of_forum(decoder: DocumentDecoder, chip: ChipRef) -> Iterator[Note]:
    if decoder.flag("is_deleted") or decoder.flag("is_ai_reply") or decoder.text("chip_id") not in {"", chip.chip_id}:
        return
    is_element = decoder.text("target_type") in _ELEMENT_KINDS
    qid = (normalise_qid(decoder.document.get("target_id")) if is_element else None) or ""
    yield from _posted(decoder, "forum", qid or decoder.text("target_id"), status=decoder.text("status"), qid=qid)


def _of_knowledge(decoder: DocumentDecoder, _: ChipRef) -> Iterator[Note]:
    labels = {"symptom": "Symptom", "root_cause": "Root cause", "resolution": "Resolution"}
    parts = [f"{label}: {text}" for name, label in labels.items() if (text := decoder.text(name))]
    parts += [f"Lesson: {text}" for text in decoder.texts("lesson_learned") if text]
    qid, title = normalise_qid(decoder.document.get("qid")) or "", decoder.text("title")
    content, by, at = "\n".join(parts) or title, decoder.text("reviewed_by"), written_at(decoder)
    about = {"qid": qid, "title": title, "status": decoder.text("status")}
    yield from _worded(decoder, "knowledge", qid, content=content, by=by, at=at, **about)


def _of_cooldown(decoder: DocumentDecoder, chip: ChipRef) -> Iterator[Note]:
    if chip.chip_id not in decoder.texts("chip_ids"):
        return
    cooldown = decoder.text("cooldown_id")
    yield from _noted(decoder.inside("note"), "cooldown", cooldown, title=decoder.text("description"))
    wiring, at = decoder.text("wiring_info"), written_at(decoder) or decoder.moment("started_at")
    yield from _worded(decoder, "cooldown", cooldown, content=wiring, by="", at=at, title="wiring")


NOTE_COLLECTIONS: dict[str, Callable[[DocumentDecoder, ChipRef], Iterator[Note]]] = {
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


def _noted(note: DocumentDecoder, kind: NoteKind, target: str, **about: str) -> Iterator[Note]:
    """A note object of QDash: content, who wrote it, when."""
    content, by, at = note.text("content"), note.text("updated_by"), note.moment("updated_at")
    yield from _worded(note, kind, target, content=content, by=by, at=at, **about)


def _posted(post: DocumentDecoder, kind: NoteKind, target: str, **about: str) -> Iterator[Note]:
    """A document that is a note as a whole."""
    content, by, title = post.text("content"), post.text("username"), post.text("title")
    yield from _worded(post, kind, target, content=content, by=by, at=written_at(post), title=title, **about)


def _worded(
    decoder: DocumentDecoder, kind: NoteKind, target: str, *, content: str, by: str, at: datetime | None, **about: str
) -> Iterator[Note]:
    """The note, unless it has no words. `about` are fields of it: `qid`, `metric`, `title`, `status`."""
    if content.strip():
        told = {"qid": "", "metric": "", "title": "", "status": ""} | about
        yield Note(kind, target, content=content.strip(), by=by, at=at, note_id=decoder.place, **told)


def written_at(decoder: DocumentDecoder) -> datetime | None:
    """When a document was last changed."""
    return _changed(decoder.inside("system_info"))


def _changed(inner: DocumentDecoder) -> datetime | None:
    return inner.moment("updated_at") or inner.moment("created_at")
