"""The one door to QDash's data: one method for each question that is asked of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from qdash_jupyter.data import queries, records
from qdash_jupyter.data.records import ChipRef, ElementKind

if TYPE_CHECKING:
    import pandas as pd


class QDashReader(Protocol):
    """Reads one database or snapshot. All methods block, may be called from any thread, and never write.

    What holds for every answer:

    - Ids are normalised (`007`, `7` and the integer 7 are `"7"`); qubits and couplings are never mixed, whatever
      collection their documents stand in.
    - Values and series: results marked `excluded` do not count; only results with status `completed` do.
    - A value that cannot be read as a number is missing (NaN) and reported once by `problems`. A stored 0 is missing
      where 0 is impossible for the parameter (see `qdash_jupyter.domain.metrics.zero_means_missing`).
    - Times are `datetime64[ms, UTC]`. A start, an end or a time of calibration that is more than 10 minutes after
      `now`, or before the first qubit (`qdash_jupyter.domain.time_range`), is none, and a problem.
    - Old results whose `project_id` is null belong to the chip's project when only one project has a chip of that id.

    What is asked is said, and checked, in `qdash_jupyter.data.queries`.

    Raises (all methods): DatabaseError when the database cannot be reached or read.
    """

    @property
    def origin(self) -> records.Origin:
        """What this reader reads."""

    def now(self) -> datetime:
        """The moment from which ages and "the last 30 days" count: a snapshot's `as_of`, else the clock. UTC."""

    def chips(self, project_id: str | None = None, username: str | None = None) -> list[records.ChipRecord]:
        """The chips of a project, or of all; sorted by project and chip id, each pair once (the newest document, of
        that user where one is named).
        """

    def element_ids(self, chip: ChipRef, kind: ElementKind, qids: Sequence[str] | None = None) -> list[str]:
        """Ids of the chip's qubits or couplings that have a document, or which of `qids` have, sorted by number."""

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the chip's (or one qubit's or coupling's) completed results.

        Columns: `parameter` str, `results` int64 (how many results hold it), `last_at` datetime. Sorted by `parameter`.
        """

    def current_parameters(self, query: queries.CurrentQuery) -> pd.DataFrame:
        """The current calibrated values, from the `data` of the `qubit` or `coupling` documents.

        Columns: `qid`, `parameter` str; `value`, `error` float64; `unit` str; `calibrated_at` datetime (NaT when
        unknown); `execution_id`, `task_id` str. Where several documents (users) hold a parameter of one qubit, the one
        calibrated last counts. Sorted by qid (as number), then parameter.

        With `at`, of each parameter the record that was calibrated last before that moment, and what stands in for an
        excluded one was measured before it. Records are those of `qubit_history` and `coupling_history`, whose rows
        hold all values of their element at the end of a day (`recorded_date` is only a label, in the lab's own zone),
        and those of the element's results that are newer than its row, or of all where it has none. A record without
        a date counts at no moment.

        Of a record with a date that cannot be, the newest result that counts stands in; without one, the record
        itself without its date. `flag` says which date.
        """

    def parameter_series(self, query: queries.SeriesQuery) -> pd.DataFrame:
        """A parameter's measurements from completed task results, oldest first.

        Results with no time at all, or with a list for a start, are reported as a problem and left out. Two results
        of one task id are two measurements.

        Columns: `qid` str, `t` datetime, `v`, `error` float64, `unit`, `task_name`, `execution_id`, `task_id` str.
        Sorted by `t`, then qid (as number), then task_id.
        """

    def task_results(self, query: queries.ResultQuery) -> list[records.TaskResult]:
        """Results of tasks of any status, newest first, those without any time last.

        An answer's `qid` that is no id stands as it is stored.
        """

    def result_counts(self, query: queries.ResultQuery) -> dict[tuple[str, str, str], int]:
        """How many results there are of each task, status and qid: of all that fit, whatever `last_n` is."""

    def count(self, query: queries.Countable) -> int:
        """How many measurements, results, runs, notes or versions there are of all that fit, whatever `last_n` is."""

    def task_detail(self, chip: ChipRef, task_id: str) -> records.TaskDetail | None:
        """What else is stored of a task; None where the chip has no task of that id."""

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip, sorted."""

    def executions(self, query: queries.ExecutionQuery) -> list[records.Execution]:
        """Runs of flows, newest first."""

    def calibration_notes(self, query: queries.CalibrationNoteQuery) -> list[records.CalibrationNote]:
        """The machine states that runs wrote down, newest first."""

    def parameter_versions(self, query: queries.VersionQuery) -> list[records.ParameterVersion]:
        """The versions of a parameter, newest first."""

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip, of each (parameter, qid) that has one."""

    def entities(self, chip: ChipRef, entity_ids: Sequence[str]) -> list[records.ParameterVersion]:
        """Entities of the project's provenance graph, of any of its chips; those that do not exist are left out."""

    def activities(self, chip: ChipRef, activity_ids: Sequence[str]) -> list[records.ProvenanceActivity]:
        """Activities of the project's provenance graph; those that do not exist are left out."""

    def relations_from(
        self, chip: ChipRef, source_ids: Sequence[str], kind: str | None = None
    ) -> list[records.ProvenanceRelation]:
        """The edges that lead backwards from these nodes: to what made them and what they were made of.

        That all of them are of a `kind` (`entity`, `activity`) may make it faster.
        """

    def cooldowns(self, chip: ChipRef) -> list[records.Cooldown]:
        """The cool-downs in which the chip was, newest first."""

    def issue_thread(self, issue_id: str, project_id: str | None = None) -> records.IssueThread | None:
        """The issue with this id, or in whose thread a post has it; None where there is none."""

    def notes(self, chip: ChipRef) -> list[records.Note]:
        """What people wrote about the chip, its elements, its tasks and its cool-downs, newest first.

        Notes of the project that name no chip come along. Deleted posts and replies of the machine are left out.
        """

    def problems(self) -> list[records.DataProblem]:
        """What could not be read so far, each once."""

    def forget(self) -> bool:
        """Look up anew, from the next question on, what is kept of chips; whether that may change an answer.

        A reader may keep for a short time what hardly changes: chips, ids, names of tasks, cool-downs. To be called
        when something that was asked for is not among them.
        """

    def close(self) -> None:
        """Give back connections and files."""
