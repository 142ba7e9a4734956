"""`get_result_curves`: the points behind results, as QDash's figures and raw data hold them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.curves.frames import CurvesRead, read_curves
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import InvalidArguments, NoData, NotFound
from qdash_jupyter.store.compact import compact_number
from qdash_jupyter.tools.chips import known_qids
from qdash_jupyter.tools.spec import ChipArguments, ElementId, NewFrame, ToolContext, ToolOutput, ToolSpec, Words
from qdash_jupyter.tools.task_results import in_either_direction, known_task, newest_words
from qdash_jupyter.tools.task_tables import frames_of, source_of
from qdash_jupyter.tools.timestamps import full_timestamp

MOST_CURVES = 100
_TOLD = 10
"""Results whose points are told in words; the frame has all."""


class ResultCurvesArguments(ChipArguments):
    task_name: str | None = None
    qid: ElementId | None = None
    task_id: str | None = None
    last_n: int = Field(1, description="newest n", ge=1, le=MOST_CURVES)


def get_result_curves(args: ResultCurvesArguments, context: ToolContext) -> ToolOutput:
    """The points of results' figures and their raw data, of any status, newest first: of a task on one qubit or
    coupling, or of one `task_id`.

    Tables: `points` (a row a point: `role` is `data` or `fit`; units in `x_unit`, `y_unit`), `maps` (x, y, z) and `raw`
    (`real`, `imag`), where there are such; `results` and `outputs` as of `search_task_results`. Files are read below
    this machine's `database.calib_data` alone.
    """
    reader, chip = context.reader_and_chip(args)
    query = _query(args, context, chip)
    query, results = in_either_direction(reader, query)
    if not results and args.task_id:
        raise NotFound("task_id", args.task_id, [], where=f"on chip {chip.ref.chip_id!r}")
    if not results:
        raise NoData(
            f"{query.qid} has no result of {query.task_name}.", newest_words(reader, chip, query.task_name, query.qid)
        )
    read = read_curves(results, context.calib_data(results))
    tables = {name: table for name in ("points", "maps", "raw") if len(table := getattr(read, name))}
    values: dict[str, Any] = {"chip_id": chip.ref.chip_id} | tables | frames_of(results)
    asked = f"{query.task_name} of {results[0].qid}" if query.task_name else f"task {args.task_id}"
    frame = None
    if tables:
        main = next(iter(tables))
        frame = NewFrame("result_curves", values, main=main, units={"elapsed_time": "s"}, chip=chip.ref)
    return ToolOutput(
        content={"results": [_told(result, read) for result in results[:_TOLD]]} | _more(results, read),
        frame=frame,
        sources=(source_of(chip, f"curves of {asked}", results),),
    )


def _query(args: ResultCurvesArguments, context: ToolContext, chip: ChipRecord) -> ResultQuery:
    if args.task_id:
        return ResultQuery(chip.ref, task_id=args.task_id, last_n=1)
    if not args.task_name or not args.qid:
        raise InvalidArguments("Which results is not said.", "Give task_name and qid, or task_id.")
    reader = context.reader
    task = known_task(reader, chip, args.task_name)
    (qid,) = known_qids(reader, chip, [args.qid])
    return ResultQuery(chip.ref, task_name=task, qid=qid, last_n=args.last_n)


def _told(result: TaskResult, read: CurvesRead) -> JsonObject:
    """What a result's curve is, in few numbers."""
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
    if (points["role"] == "fit").any():
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


def _more(results: list[TaskResult], read: CurvesRead) -> JsonObject:
    told: JsonObject = {"not_told": len(results) - _TOLD} if len(results) > _TOLD else {}
    if read.missing:
        told["left_out"] = _reasons(read)
    elif not any(result.json_figure_path or result.raw_data_path for result in results):
        told["left_out"] = "QDash stored no figure and no raw data with these results."
    return told


def _reasons(read: CurvesRead) -> str:
    """Why files were left out, each reason once."""
    reasons: dict[str, list[str]] = {}
    for each in read.missing:
        reasons.setdefault(each.reason, []).append(each.file)
    return "; ".join(
        f"{files[0]}{f' and {len(files) - 1} more' if len(files) > 1 else ''}: {reason}"
        for reason, files in reasons.items()
    )


RESULT_CURVES = ToolSpec(
    name="get_result_curves",
    label=Words("Reading the points behind results", "結果の測定点を取得中"),
    description="The curve behind a number: points, fit, raw data.",
    guidance="",
    args=ResultCurvesArguments,
    run=get_result_curves,
)
