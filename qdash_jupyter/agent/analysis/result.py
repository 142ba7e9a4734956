"""Which result is meant by an analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, TaskDetail, TaskResult
from qdash_jupyter.domain.analysis import AnalysisRequest
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import ChipScope, known_qids, known_runs
from qdash_jupyter.tools.task_results import known_task


@dataclass(frozen=True, slots=True)
class Subject:
    """The result, where it belongs, and the rest of its document."""

    chip: ChipRecord
    task: str
    qid: str
    result: TaskResult
    detail: TaskDetail


def subject_of(request: AnalysisRequest, reader: QDashReader, scope: ChipScope) -> Subject:
    """The newest result that fits, of any status, excluded ones too: somebody asks what went wrong with it.

    Raises:
        NotFound: no such chip, task, qubit or run; names the nearest.
        NoData: they exist, and no result fits all of them.
    """
    chip = scope.resolve(reader)
    task = known_task(reader, chip, request.task)
    (qid,) = known_qids(reader, chip, [request.qid])
    of_task = ResultQuery(chip.ref, task_name=task, qid=qid, last_n=5)
    asked = replace(of_task, execution_id=request.execution_id, task_id=request.task_id, last_n=1)
    found = reader.task_results(asked)
    if not found:
        if request.execution_id:
            known_runs(reader, chip, execution_id=request.execution_id)
        newest = reader.task_results(of_task)
        if request.task_id and newest:
            raise NotFound(
                Message("kind-task-id"),
                request.task_id,
                [one.task_id for one in newest],
                where=Message("of-task-on", task=task, qid=qid),
            )
        runs = Message("task-ran-in", runs=tuple(one.execution_id for one in newest)) if newest else ""
        problem = Message("no-such-result", task=task, qid=qid) if newest else Message("never-ran", task=task, qid=qid)
        raise NoData(problem, runs)
    result = found[0]
    detail = reader.task_detail(chip.ref, result.task_id) or TaskDetail((), {}, {}, (), "", "")
    return Subject(chip, task, qid, result, detail)
