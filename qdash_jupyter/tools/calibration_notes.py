"""`get_calibration_notes`: the machine states that runs wrote down, whole in the store, in parts for the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.queries import CalibrationNoteQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import CalibrationNote, ChipRecord
from qdash_jupyter.data.tables import COUNT, MOMENT, TEXT, frame_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.qid import normalise_qid, other_direction
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_qids, read_of
from qdash_jupyter.tools.spec import ElementId, NewFrame, TimeRangeArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.timestamps import full_timestamp
from qdash_jupyter.tools.totals import cut_to

_LOOKED_AT = 50  # of the newest notes, for a hint: all of them may be many megabytes
WHOLE_CHARS = 1_000
"""Characters up to which the model gets what a note says; above, the kinds and their sizes."""
SUMMARY_CHARS = 800

NOTE_COLUMNS = {"execution_id": TEXT, "task_id": TEXT, "timestamp": MOMENT, "kinds": TEXT, "characters": COUNT}
ENTRY_COLUMNS = (
    {"execution_id": TEXT, "task_id": TEXT, "timestamp": MOMENT}
    | dict.fromkeys(("kind", "label", "qid", "name"), TEXT)
    | {"value": "object"}
)

Note = Mapping[str, Any]


class CalibrationNotesArguments(TimeRangeArguments):
    execution_id: str | None = None
    task_id: str | None = Field(None, description='"master": the whole run.')
    kind: str | None = Field(None, description="E.g. rabi_params.")
    qid: ElementId | None = None
    last_n: int = Field(10, description="newest n", ge=1, le=1_000)


def get_calibration_notes(args: CalibrationNotesArguments, context: ToolContext) -> ToolOutput:
    """Calibration notes, newest first.

    Tables: `entries` (one row a value: its kind, label and id, name and value) and `notes` (one row a note). Where more
    fit than the newest `last_n`, `total` says how many; only those were `looked_at` for `kind` and `qid`.
    """
    reader, chip = context.reader_and_chip(args)
    qid = known_qids(reader, chip, [args.qid])[0] if args.qid else None
    query = CalibrationNoteQuery(
        chip.ref,
        execution_id=args.execution_id or None,
        task_id=args.task_id or None,
        during=args.time_range(reader.now()),
        last_n=args.last_n,
    )
    found = reader.calibration_notes(query)
    if not found:
        raise _nothing_fits(args, reader, chip)
    notes = [(one, _part(one.note, args.kind, qid)) for one in found]
    notes = [(one, part) for one, part in notes if part or not (args.kind or qid)]
    if not notes:
        raise _nothing_inside(args.kind, qid, found)
    total = reader.count(query) if len(found) == args.last_n else len(found)
    cut = cut_to(len(found), total)
    if cut and len(notes) < len(found):
        cut["looked_at"] = len(found)
    rows: list[JsonObject] = [
        {
            "execution_id": one.execution_id,
            "task_id": one.task_id,
            "note": part if len(to_json(part)) <= WHOLE_CHARS else _sizes(part),
            "timestamp": full_timestamp(one.at),
        }
        for one, part in notes
    ]
    stored = {"chip_id": chip.ref.chip_id, **cut, "entries": _entries(notes), "notes": _notes(notes)}
    ids = tuple(one.execution_id for one, _ in notes[:3])
    return ToolOutput(
        rows=cut | {"rows": rows} if "looked_at" in cut else rows,
        frame=NewFrame("calibration_notes", stored, main="entries", chip=chip.ref),
        notable=[("newest", _sizes(notes[0][1]))],
        budget=SUMMARY_CHARS,
        sources=(Source("calibration_note", read_of(chip.ref), len(notes), ids),),
    )


def _part(note: Note, kind: str | None, qid: str | None) -> Note:
    """What a note says about one kind and one element; labels are read as ids (`Q07` is 7)."""
    part = {name: entries for name, entries in note.items() if kind in (None, name)}
    if qid is None:
        return part
    of_element = {
        name: {label: entry for label, entry in entries.items() if normalise_qid(label) in {qid, other_direction(qid)}}
        for name, entries in part.items()
        if isinstance(entries, Mapping)
    }
    return {name: entries for name, entries in of_element.items() if entries}


def _sizes(note: Note) -> dict[str, dict[str, int]]:
    return {
        kind: {"entries": len(entries) if isinstance(entries, Mapping) else 1, "characters": len(to_json(entries))}
        for kind, entries in note.items()
    }


def _notes(notes: Sequence[tuple[CalibrationNote, Note]]) -> pd.DataFrame:
    rows = [(one.execution_id, one.task_id, one.at, ", ".join(part), len(to_json(part))) for one, part in notes]
    return frame_of(rows, NOTE_COLUMNS)


def _entries(notes: Sequence[tuple[CalibrationNote, Note]]) -> pd.DataFrame:
    rows = [(one.execution_id, one.task_id, one.at, *entry) for one, part in notes for entry in _values(part)]
    return frame_of(rows, ENTRY_COLUMNS).infer_objects()  # numbers, where all values are


def _values(note: Note) -> Iterator[tuple[str, str, str, str, Any]]:
    """Kind, label, id, name and value of everything that a note says."""
    for kind, entries in note.items():
        for label, entry in entries.items() if isinstance(entries, Mapping) else [("", entries)]:
            for name, value in _leaves(entry):
                yield kind, label, normalise_qid(label) or "", name, value


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield path, value
        return
    for name, inner in value.items():
        yield from _leaves(inner, f"{path}.{name}" if path else name)


def _nothing_inside(kind: str | None, qid: str | None, found: Sequence[CalibrationNote]) -> NotFound | NoData:
    kinds = sorted({name for one in found for name in one.note})
    if kind is not None and kind not in kinds:
        return NotFound(Message("kind-note-kind"), kind, kinds, where=Message("in-newest", count=len(found)))
    message = Message("calibration-notes-without", count=len(found), qid=str(qid))
    return NoData(message, Message("calibration-notes-hold", names=tuple(kinds)))


def _nothing_fits(args: CalibrationNotesArguments, reader: QDashReader, chip: ChipRecord) -> NotFound | NoData:
    notes = reader.calibration_notes(CalibrationNoteQuery(chip.ref, last_n=_LOOKED_AT))
    where = Message("on-chip", chip=chip.ref.chip_id)
    if not notes:
        return NoData(Message("no-calibration-notes", chip=chip.ref.chip_id))
    known = [note.execution_id for note in notes]
    if args.execution_id and args.execution_id not in known:
        return NotFound(Message("kind-note-of-run"), args.execution_id, known, where=where)
    newest, when = notes[0], notes[0].at or Message("unknown-time")
    hint = Message("calibration-note-newest", run=newest.execution_id, task=newest.task_id, when=when)
    return NoData(Message("no-calibration-note-fits"), hint)


CALIBRATION_NOTES = ToolSpec(
    label=Message("label-calibration-notes"),
    description=(
        "Machine states that runs wrote down: by kind, then label. Large ones come as sizes: name kind and qid."
    ),
    on_request=True,
    run=get_calibration_notes,
)
