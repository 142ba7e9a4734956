"""A reader without what never goes to a language model: whatever reads through it cannot tell it.

It stands before the reader of every conversation, whichever that is, so tools, cells, analyses, the service and
other assistants get the same. A person reads the rest with a reader of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from qdash_jupyter.data import queries, records
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef, ElementKind
from qdash_jupyter.data.withheld import FIELDS, NEVER_SEND, NOTE_NAMES, PEOPLE, Withheld
from qdash_jupyter.domain.work import WithheldNames, note_withheld
from qdash_jupyter.errors import IsWithheld

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")

_EXCLUDED = re.compile(r"excluded: .*", re.DOTALL)


class WithholdingReader:
    """Another reader behind the `QDashReader` Protocol, without what is withheld: text fields are empty, numbers are
    missing, rows of parameters and notes are not there.

    Raises:
        IsWithheld: only what is withheld was asked for.
    """

    def __init__(self, reader: QDashReader, withheld: Withheld) -> None:
        """`reader` is closed with this one."""
        self._reader = reader
        self._withheld = withheld

    @property
    def origin(self) -> records.Origin:
        """What the other one reads."""
        return self._reader.origin

    def now(self) -> datetime:
        """Its moment."""
        return self._reader.now()

    def chips(self, project_id: str | None = None, username: str | None = None) -> list[records.ChipRecord]:
        """All of them; by whom is not asked where that is withheld."""
        self._refuse(username, *PEOPLE)
        return self._reader.chips(project_id, username)

    def element_ids(self, chip: ChipRef, kind: ElementKind, qids: Sequence[str] | None = None) -> list[str]:
        """All of them."""
        return self._reader.element_ids(chip, kind, qids)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """Without the parameters that are withheld."""
        return self._shown(self._reader.parameter_names(chip, qid))

    def current_parameters(self, query: queries.CurrentQuery) -> pd.DataFrame:
        """Without the parameters that are withheld, and without the reasons of what is excluded where these are."""
        values = self._shown(self._reader.current_parameters(query))
        if not self._withheld.hides(*FIELDS[records.TaskResult]["excluded_reason"]) or values.empty:
            return values
        flags = values["flag"].astype(object).map(lambda flag: _EXCLUDED.sub("excluded", flag))
        return values.assign(flag=flags.astype(values["flag"].dtype))

    def parameter_series(self, query: queries.SeriesQuery) -> pd.DataFrame:
        """Of a parameter that is not withheld."""
        self._refuse_asked(query)
        return self._reader.parameter_series(query)

    def task_results(self, query: queries.ResultQuery) -> list[records.TaskResult]:
        """Without what is withheld of each."""
        self._refuse_asked(query)
        found = self._reader.task_results(query)
        return [self._record(self._result(each)) for each in found]

    def result_counts(self, query: queries.ResultQuery) -> dict[tuple[str, str, str], int]:
        """How many there are; what is withheld cannot be asked about."""
        self._refuse_asked(query)
        return self._reader.result_counts(query)

    def count(self, query: queries.Countable) -> int:
        """How many there are; what is withheld cannot be asked about."""
        self._refuse_asked(query)
        return self._reader.count(query)

    def task_detail(self, chip: ChipRef, task_id: str) -> records.TaskDetail | None:
        """Without what is withheld of it, wherever that stands in its parameters."""
        detail = self._reader.task_detail(chip, task_id)
        if detail is None:
            return None
        if detail.figures and not self._may_be_drawn(chip, task_id):
            detail = replace(detail, figures=())
        shown = replace(
            detail,
            inputs=self._rows(detail.inputs),
            run_parameters=self._values(detail.run_parameters),
            quality=self._values(detail.quality),
        )
        return self._record(shown)

    def task_names(self, chip: ChipRef) -> list[str]:
        """All of them."""
        return self._reader.task_names(chip)

    def executions(self, query: queries.ExecutionQuery) -> list[records.Execution]:
        """Without what is withheld of each."""
        self._refuse_asked(query)
        return [self._record(each) for each in self._reader.executions(query)]

    def calibration_notes(self, query: queries.CalibrationNoteQuery) -> list[records.CalibrationNote]:
        """Without what is withheld of each, wherever that stands in it."""
        found = self._reader.calibration_notes(query)
        return [self._record(replace(each, note=self._values(each.note))) for each in found]

    def parameter_versions(self, query: queries.VersionQuery) -> list[records.ParameterVersion]:
        """Of a parameter that is not withheld."""
        self._refuse_asked(query)
        return self._reader.parameter_versions(query)

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Of the parameters that are not withheld."""
        shown = [each for each in parameters if not self._withheld.hides(each[0])]
        return self._reader.newest_versions(chip, shown)

    def entities(self, chip: ChipRef, entity_ids: Sequence[str]) -> list[records.ParameterVersion]:
        """Without those of parameters that are withheld."""
        return self._without_parameters(self._reader.entities(chip, entity_ids))

    def activities(self, chip: ChipRef, activity_ids: Sequence[str]) -> list[records.ProvenanceActivity]:
        """All of them."""
        return self._reader.activities(chip, activity_ids)

    def relations_from(
        self, chip: ChipRef, source_ids: Sequence[str], kind: str | None = None
    ) -> list[records.ProvenanceRelation]:
        """All of them."""
        return self._reader.relations_from(chip, source_ids, kind)

    def cooldowns(self, chip: ChipRef) -> list[records.Cooldown]:
        """Without what is withheld of each."""
        return [self._record(each) for each in self._reader.cooldowns(chip)]

    def issue_thread(self, issue_id: str, project_id: str | None = None) -> records.IssueThread | None:
        """The thread, where issues are not withheld, without who wrote it where that is."""
        self._refuse(issue_id, *NOTE_NAMES["issue"])
        thread = self._reader.issue_thread(issue_id, project_id)
        return thread and self._record(replace(thread, posts=tuple(map(self._record, thread.posts))))

    def notes(self, chip: ChipRef) -> list[records.Note]:
        """Without those that are withheld, and without what is withheld of the others."""
        if names := self._withheld.note_names():
            raise IsWithheld(NEVER_SEND, *names)
        shown = []
        for note in self._reader.notes(chip):
            if self._withheld.hides_note(note):
                self._withheld.noted(*NOTE_NAMES[note.kind], note.metric)
            else:
                shown.append(self._record(note))
        return shown

    def problems(self) -> list[records.DataProblem]:
        """Without those of values that are withheld: they say what stands there."""
        return [
            problem
            for problem in self._reader.problems()
            if not self._withheld.hides(problem.collection, *problem.field.split("."), *_of_notes(problem))
        ]

    def forget(self) -> bool:
        """Look up anew what the other one keeps."""
        return self._reader.forget()

    def close(self) -> None:
        """Close the other one."""
        self._reader.close()

    def _shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows of parameters that are not withheld."""
        hidden = {name for name in frame["parameter"].unique() if self._withheld.hides(name)}
        if not hidden:
            return frame
        self._withheld.noted(*hidden)
        return frame[~frame["parameter"].isin(hidden)].reset_index(drop=True)

    def _rows(self, rows: Sequence[records.ParameterRow]) -> tuple[records.ParameterRow, ...]:
        return tuple(self._without_parameters(rows))

    def _result(self, result: records.TaskResult) -> records.TaskResult:
        """Figures and raw data of an experiment tell the value that was read from them, or that can be."""
        outputs = self._rows(result.outputs)
        if len(outputs) < len(result.outputs) or self._can_be_read(result):
            return replace(result, outputs=outputs, json_figure_path=(), raw_data_path=())
        return result

    def _can_be_read(self, result: records.TaskResult) -> bool:
        """Whether a fit of its points would give what is withheld, also where none was stored."""
        if not result.json_figure_path and not result.raw_data_path:
            return False
        from qdash_jupyter.methods.curves.families import parameters_of_task

        hidden = [name for name in parameters_of_task(result.task_name) if self._withheld.hides(name)]
        self._withheld.noted(*hidden)
        return bool(hidden)

    def _may_be_drawn(self, chip: ChipRef, task_id: str) -> bool:
        """Whether none of the task's values is withheld."""
        found = self._reader.task_results(queries.ResultQuery(chip, task_id=task_id, last_n=1))
        rows = [row.parameter for result in found for row in result.outputs]
        return not any(map(self._withheld.hides, rows)) and not any(map(self._can_be_read, found))

    def _without_parameters(self, found: Iterable[Any]) -> list[Any]:
        shown = []
        for each in found:
            self._withheld.noted(each.parameter)
            if not self._withheld.hides(each.parameter):
                shown.append(each)
        return shown

    def _values(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """JSON values of a document without the keys that are withheld."""
        left_out: WithheldNames = {}
        shown: dict[str, Any] = self._withheld.without(stored, left_out)
        for name in left_out:
            note_withheld(name)
        return shown

    def _record(self, record: Record) -> Record:
        """The record with the fields that are withheld left empty."""
        empty: dict[str, Any] = {}
        for name, stored in FIELDS[type(record)].items():
            value = getattr(record, name)
            is_there = bool(value) and value == value  # noqa: PLR0124 - NaN
            if is_there and self._withheld.hides(*stored):
                self._withheld.noted(*stored)
                empty[name] = _nothing_like(value)
        return replace(record, **empty) if empty else record

    def _refuse_asked(self, query: queries.ReadQuery) -> None:
        """What is withheld can neither be asked for nor choose what is given."""
        for name in ("parameter", "output"):
            self._refuse(value := getattr(query, name, None), value or "")
        self._refuse(getattr(query, "tags", ()), "tags")
        self._refuse(getattr(query, "username", None), *PEOPLE)

    def _refuse(self, asked: object, *stored: str) -> None:
        """An answer would tell what is withheld, whatever it is."""
        if asked and (name := next(filter(None, map(self._withheld.name_for, stored)), "")):
            raise IsWithheld(NEVER_SEND, name)


def _nothing_like(value: object) -> object:
    if isinstance(value, float):
        return math.nan
    return {} if isinstance(value, Mapping) else type(value)()


def _of_notes(problem: records.DataProblem) -> tuple[str, ...]:
    """What is said of a note is withheld with all notes."""
    kinds = [kind for kind, names in NOTE_NAMES.items() if {problem.collection, *problem.field.split(".")} & {*names}]
    return tuple(name for kind in kinds for name in NOTE_NAMES[kind])
