"""`get_result_curves`: the points behind results, as QDash's figures and raw data hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.work import count_read, is_abandoned
from qdash_jupyter.errors import InvalidArguments, NoData, NotFound
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.tools.chips import known_qids
from qdash_jupyter.tools.spec import ElementId, NewFrame, TimeRangeArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.task_results import instead, known_task, of_task
from qdash_jupyter.tools.task_tables import MOST_RESULTS, frames_of, source_of
from qdash_jupyter.tools.timestamps import full_timestamp
from qdash_jupyter.tools.totals import cut_to

if TYPE_CHECKING:
    from qdash_jupyter.data.curves.frames import CurvesRead, MissingFile
    from qdash_jupyter.methods.curves.audit import Audited
    from qdash_jupyter.methods.curves.verdict import CurveVerdict

MOST_CURVES = 100
TIMEOUT_S = 300.0
"""A month of a chip is 2,000 curves: 20 s at most, more on a busy machine. Who waits sees how many, and may stop."""
_TOLD = 10
"""Results whose points are told in words; the frame has all."""


class ResultCurvesArguments(TimeRangeArguments):
    rare = TimeRangeArguments.rare | {"until", "last_n"}
    task_name: str | None = None
    qid: ElementId | None = None
    task_id: str | None = None
    last_n: int = Field(1, description="newest n", ge=1, le=MOST_CURVES)


def get_result_curves(args: ResultCurvesArguments, context: ToolContext) -> ToolOutput:
    """The points behind results, and whether their values can be trusted: of a task on one qubit or coupling, of one
    `task_id`, or, without both, of a task on the whole chip.

    Results of any status count, newest first; on the whole chip the newest of each element, and, where that failed or
    is excluded, the newest whose value counts; or all of the time range.
    The curves of a task that is known (docs/curves.md) are fitted anew: `fit` says whether the value can be trusted,
    `code` why, `decided_by` by which numbers. Of one element the newest is drawn with both fits.

    Tables: of one element `points` (a row a point: `role` is `data` or `fit`; units in `x_unit`, `y_unit`), `maps` (x,
    y, z) and `raw` (`real`, `imag`), where there are such; `results` and `outputs` as of `search_task_results`. Of one
    element and of the whole chip `verdicts`: what `audit` of `qdash_jupyter.methods` gives, a row a result (`fit`,
    `code`, the stored value of the task's `parameter`, the `refit`, how far apart in standard errors of both, …), with
    the task's status as `result`, and `excluded`. Files are read below this machine's `database.calib_data` alone.
    """
    from qdash_jupyter.data.curves.frames import curve_frames, read_files
    from qdash_jupyter.methods.curves.audit import audited
    from qdash_jupyter.tools.curve_verdicts import curve_drawing, verdict_table

    reader, chip = context.reader_and_chip(args)
    if args.task_id:
        query = ResultQuery(chip.ref, task_id=args.task_id, last_n=1)
    elif not args.task_name:
        raise InvalidArguments.with_hint("no-result-given")
    else:
        during = args.time_range(reader.now())
        if not args.qid:
            task = known_task(reader, chip, args.task_name)
            return _audit(ResultQuery(chip.ref, task_name=task, during=during, last_n=MOST_RESULTS), context, chip)
        (qid,) = known_qids(reader, chip, [args.qid])
        query = ResultQuery(chip.ref, task_name=args.task_name, qid=qid, during=during, last_n=args.last_n)
    query, results = of_task(reader, chip, query)
    if not results and args.task_id:
        raise NotFound(Message("kind-task-id"), args.task_id, [], where=Message("on-chip", chip=chip.ref.chip_id))
    if not results:
        raise _no_result(query, context, chip)
    is_full = not args.task_id and len(results) == args.last_n > 1
    cut = cut_to(len(results), reader.count(query) if is_full else 0)
    files = [read_files(result, context.calib_data) for result in results]
    read = curve_frames(files)
    tables = {name: table for name in ("points", "maps", "raw") if len(table := getattr(read, name))}
    curves = {each.result.task_id: curve for each in files if (curve := each.curve) is not None}
    found = {one.verdict.task_id: one for one in audited(curves.values()) if one.verdict.family}
    judged = [(result, found[result.task_id]) for result in results if result.task_id in found]
    values: dict[str, Any] = {"chip_id": chip.ref.chip_id} | tables | frames_of(results)
    values["verdicts"] = verdict_table(judged)
    asked = Message("read-curves-of-result", id=str(args.task_id))
    if query.task_name:
        asked = Message("read-curves-of", task=query.task_name, qid=results[0].qid)
    frame = None
    if tables:
        main = next(iter(tables))
        frame = NewFrame("result_curves", values, main=main, units={"elapsed_time": "s"}, chip=chip.ref)
    verdicts = {task_id: one.verdict for task_id, one in found.items()}
    newest = [*verdicts][:1]  # the others are drawn when they are asked for
    told = [_told(result, read, verdicts.get(result.task_id)) for result in results[:_TOLD]]
    more = {"not_told": len(results) - _TOLD} if len(results) > _TOLD else {}
    return ToolOutput(
        content=cut | {"results": told} | more | left_out(results, read.missing),
        frame=frame,
        blocks=tuple(curve_drawing(curves[one], verdicts[one], chip.ref, context.language) for one in newest),
        sources=(source_of(chip, results, asked),),
    )


def _audit(query: ResultQuery, context: ToolContext, chip: ChipRecord) -> ToolOutput:
    """All results of a task judged, one after the other: whoever waits sees how many, and may stop."""
    from qdash_jupyter.tools.curve_verdicts import told_verdicts, verdict_table

    results = context.reader.task_results(query)
    is_full = len(results) == query.last_n
    cut = cut_to(len(results), context.reader.count(query) if is_full else 0)
    if not query.during.is_bounded:
        results = _newest(results)
    if not results:
        raise _no_result(query, context, chip)
    judged: list[tuple[TaskResult, Audited]] = []
    reasons: list[MissingFile] = []
    for result in results:
        if is_abandoned():
            raise NoData(Message("verdicts-abandoned"))
        verdict, missing = context.fits.of(result, context.calib_data)
        reasons.extend(missing)
        if verdict is not None and verdict.verdict.family:
            judged.append((result, verdict))
        count_read(1)
    content: JsonObject = {"task": query.task_name} | cut
    content |= {"only_newest": len(results)} if cut and query.during.is_bounded else {}
    content |= left_out(results, reasons)
    source = source_of(chip, results, Message("read-curves", task=str(query.task_name)))
    if not judged:
        return ToolOutput(content=content, sources=(source,))
    table = verdict_table(judged)
    values = {"chip_id": chip.ref.chip_id, "verdicts": table}
    return ToolOutput(
        content=content | told_verdicts(table, len(results) - len(judged)),
        frame=NewFrame("curve_verdicts", values, main="verdicts", chip=chip.ref),
        sources=(source,),
    )


def _newest(results: Sequence[TaskResult]) -> list[TaskResult]:
    """Of each element the newest, and the newest whose value counts."""
    newest: dict[tuple[str, bool], TaskResult] = {}
    for result in results:
        newest.setdefault((result.qid, True), result)
        if result.status == "completed" and not result.excluded:
            newest.setdefault((result.qid, False), result)
    ids = {result.task_id for result in newest.values()}
    return [result for result in results if result.task_id in ids]


def _no_result(query: ResultQuery, context: ToolContext, chip: ChipRecord) -> NoData:
    where = query.qid or Message("whole-chip", chip=chip.ref.chip_id)
    asked = "some" if query.during.is_bounded else "any"
    message = Message("no-results", where=where, task=str(query.task_name), range=asked)
    return NoData(message, instead(context.reader, chip, query.task_name, query.qid, query.during))


def _told(result: TaskResult, read: CurvesRead, verdict: CurveVerdict | None) -> JsonObject:
    """What a result's curve is, in few numbers, and what became of its fit."""
    from qdash_jupyter.tools.curve_verdicts import told_verdict

    told: JsonObject = {
        "task_id": result.task_id,
        "start_at": full_timestamp(result.start_at) or "unknown",
        "status": result.status,
    }
    if result.excluded:
        told["excluded"] = True
    points = read.points[read.points["task_id"] == result.task_id]
    for (figure, trace), rows in points.groupby(["figure", "trace"], sort=False):
        if rows["role"].iloc[0] == "data":
            told.setdefault("data", []).append({"figure": int(figure), "trace": trace} | _range_of(rows))
    if verdict is not None:
        told |= told_verdict(verdict)
    elif (points["role"] == "fit").any():
        told["has_fit"] = True
    if (maps := read.maps[read.maps["task_id"] == result.task_id]).size:
        told["maps"] = int(maps.groupby(["figure", "trace"]).ngroups)
    return told


def _range_of(rows: pd.DataFrame) -> JsonObject:
    """How many points, and from where to where."""
    told: JsonObject = {"points": len(rows)}
    for axis in ("x", "y"):
        numbers = rows[axis].dropna()
        if len(numbers):
            told[axis] = [compact_number(numbers.min()), compact_number(numbers.max())]
            if unit := rows[f"{axis}_unit"].iloc[0]:
                told[f"{axis}_unit"] = unit
    return told


def left_out(results: Sequence[TaskResult], missing: Sequence[MissingFile]) -> JsonObject:
    """Why files were left out, each reason once."""
    if not missing and not any(result.json_figure_path or result.raw_data_path for result in results):
        return {"left_out": Message("curves-not-stored").for_model()}
    reasons: dict[Text, list[str]] = {}
    for each in missing:
        reasons.setdefault(each.reason, []).append(each.file)
    said = (Message("files-not-read", file=of[0], more=len(of) - 1, why=reason) for reason, of in reasons.items())
    told = sentences(*said)
    return {"left_out": told.for_model()} if isinstance(told, Message) else {}


RESULT_CURVES = ToolSpec(
    label=Message("label-result-curves"),
    description="Can a number be trusted? Its curve, fitted anew; of one qid, or all.",
    run=get_result_curves,
    timeout_s=TIMEOUT_S,
    on_request=True,
)
