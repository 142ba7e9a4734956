"""What never goes to a language model (`privacy.never_send`): names, and what of QDash's data each of them means.

A name is that of a stored field (`user_note`), of a parameter or a key in a document (`cr_amplitude`), or of notes:
`notes` are all that people wrote, `chip_notes` those of one kind. `*` stands for any characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, get_args

from qdash_jupyter.data import records
from qdash_jupyter.data.records import Note, NoteKind
from qdash_jupyter.domain.work import WithheldNames, note_withheld
from qdash_jupyter.errors import ConfigurationError, nearest

NEVER_SEND = "privacy.never_send"

NOTES = "notes"
PEOPLE = ("username", "by", "updated_by", "created_by", "reviewed_by")
"""Under these QDash keeps who did or wrote something; withholding one of them withholds them all."""

FIELDS: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    records.TaskResult: {
        "tags": ("tags",),
        "elapsed_s": ("elapsed_time", "elapsed_s"),
        "message": ("message",),
        "outputs": ("output_parameters",),
        "json_figure_path": ("json_figure_path",),
        "raw_data_path": ("raw_data_path",),
        "excluded_reason": ("excluded_reason", NOTES),
    },
    records.TaskDetail: {
        "inputs": ("input_parameters",),
        "run_parameters": ("run_parameters",),
        "quality": ("quality_metrics",),
        "figures": ("figure_path",),
        "note": ("user_note", "content", "task_notes", NOTES),
        "review": ("ai_review_note", "content", "task_notes", NOTES),
    },
    records.Execution: {
        "tags": ("tags",),
        "elapsed_s": ("elapsed_time", "elapsed_s"),
        "message": ("message",),
        "username": PEOPLE,
    },
    records.CalibrationNote: {"note": ("calibration_note",)},
    records.Cooldown: {"description": ("description", NOTES)},
    Note: {"title": ("title",), "by": PEOPLE},
    records.IssueThread: {"title": ("title",)},
    records.IssuePost: {"by": PEOPLE},
}
"""The fields of records that can be left empty, each with the names that mean it."""

_OF_NOTES: Mapping[NoteKind, tuple[str, ...]] = {
    "chip": ("note", "chip_note"),
    "qubit": ("note", "metric_notes", "target_note", "metric_note", "comments"),
    "coupling": ("note", "metric_notes", "target_note", "metric_note", "comments"),
    "task": ("user_note", "ai_review_note"),
    "issue": ("issue",),
    "knowledge": ("issue_knowledge", "symptom", "root_cause", "resolution", "lesson_learned"),
    "forum": ("forum_post",),
    "cooldown": ("note", "wiring_info"),
}
"""Where notes of a kind are stored. A note of which a part is withheld is withheld as a whole."""

NOTE_NAMES: Mapping[NoteKind, tuple[str, ...]] = {
    kind: (NOTES, f"{kind}_notes", "content", *_OF_NOTES[kind]) for kind in get_args(NoteKind)
}
_TABLES = (("columns", "records"), ("columns", "head"), ("_schema", "rows"))
"""How tables are told: under which keys the names of their columns stand, and their rows."""

_UNREAD = ("stack_trace",)
"""What no tool reads in any case."""

_FREE = {name for of in FIELDS.values() for names in of.values() for name in names}
NAMES = frozenset({*_FREE, *(name for names in NOTE_NAMES.values() for name in names), *_UNREAD})
"""All names but those of parameters and of keys in documents."""


_KEYS = {"name", "t", "v", "value", "unit", "error", "version", "parameter", "parameter_name", "calibrated_at", "rows"}
_RECORDS = [kind for kind in vars(records).values() if isinstance(kind, type) and is_dataclass(kind)]
KEYS = frozenset(
    _KEYS.union(each.name for kind in _RECORDS for each in fields(kind))
    - NAMES
    - {name for of in FIELDS.values() for name in of}
)
"""What answers are made of: ids, times, states."""

_NAME = re.compile(r"[\w.*:-]*[\w][\w.*:-]*")


@dataclass(frozen=True)
class Withheld:
    """The names of the settings; without any, nothing is withheld.

    Raises:
        ConfigurationError: one of them is no name, or that of something without which nothing can be answered.
    """

    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Look at the names: a promise that cannot be kept is not made."""
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise ConfigurationError.with_hint("never-send-invalid", setting=NEVER_SEND, name=name)
            if name.lower() in KEYS:
                raise ConfigurationError.with_hint("never-send-needed", setting=NEVER_SEND, name=name)

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def words(self) -> str:
        """All that is withheld, in short, for a model."""
        return f"{', '.join(self.names)} ({NEVER_SEND})"

    @cached_property
    def _seen(self) -> dict[str, str]:
        return {}

    def name_for(self, stored: str) -> str:
        """The name of the settings that means this stored one; empty where nothing does."""
        if stored not in self._seen:
            lowered = stored.lower()
            match = (name for name in self.names if fnmatchcase(lowered, name.lower()))
            self._seen[stored] = "" if lowered in KEYS else next(match, "")
        return self._seen[stored]

    def hides(self, *stored: str) -> bool:
        """Whether any of these may not go out."""
        return any(map(self.name_for, stored))

    def noted(self, *stored: str) -> None:
        """Something of these was left out of what is read now."""
        for name in filter(None, map(self.name_for, stored)):
            note_withheld(name)

    def hides_note(self, note: Note) -> bool:
        """Whether a note may not go out as a whole."""
        place = note.note_id.rpartition("/")[2]
        own = _OF_NOTES["task"]
        names = [*NOTE_NAMES[note.kind], note.metric, *place.split(".")]
        if note.kind == "task" and place in own:  # known to be one of the two
            names = [name for name in names if name not in own or name == place]
        elif note.kind == "knowledge" and note.content == note.title:
            names.append("title")
        elif note.kind == "cooldown" and note.title:
            names.append("description")
        return self.hides(*names)

    def note_names(self) -> tuple[str, ...]:
        """Those that withhold every note; none where some are left."""
        found = tuple(next(filter(None, map(self.name_for, names)), "") for names in NOTE_NAMES.values())
        return tuple(dict.fromkeys(found)) if all(found) else ()

    def without(self, value: Any, left_out: WithheldNames) -> Any:
        """JSON values without the keys, and the columns of tables, that are withheld; `left_out` gets their names."""
        if isinstance(value, Mapping):
            kept = dict(value)
            for names, rows in _TABLES:
                kept = self._without_columns(kept, names, rows, left_out)
            shown = {name: each for name, each in kept.items() if not self._leaves_out(str(name), left_out)}
            return {name: self.without(each, left_out) for name, each in shown.items()}
        if isinstance(value, (list, tuple)):
            return [self.without(each, left_out) for each in value]
        return value

    def _leaves_out(self, name: str, left_out: WithheldNames) -> bool:
        """Names of columns may end in a unit, or stand in parentheses."""
        if found := self.name_for(name.partition(":")[0].strip("()")):
            left_out[found] = None
        return bool(found)

    def _without_columns(self, table: dict[str, Any], names: str, rows: str, left_out: WithheldNames) -> dict[str, Any]:
        """A table that names its columns beside its rows. Levels of an index may come before the columns."""
        columns, held = table.get(names), table.get(rows)
        if not isinstance(columns, (list, dict)) or not isinstance(held, list):
            return table
        levels = [level[0] for level in table.get("index", ()) if isinstance(level, list) and level]
        all_names = [*levels, *columns] if isinstance(columns, dict) else columns
        hidden = {place for place, name in enumerate(all_names) if self._leaves_out(str(name), left_out)}
        if not hidden:
            return table
        cut = [
            [each for place, each in enumerate(row) if place not in hidden] if isinstance(row, list) else row
            for row in held
        ]
        left = columns
        if isinstance(columns, list):
            left = [each for place, each in enumerate(columns) if place not in hidden]
        return table | {names: left, rows: cut}

    def unknown(self, parameters: Iterable[str]) -> list[tuple[str, list[str]]]:
        """Names that mean nothing that is known, each with the nearest ones; `parameters` are those of the chip."""
        known = sorted({*NAMES, *parameters})
        return [
            (name, nearest(name, known, 3))
            for name in self.names
            if not any(fnmatchcase(one.lower(), name.lower()) for one in known)
        ]
