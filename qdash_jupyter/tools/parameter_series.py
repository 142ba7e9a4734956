"""`get_parameter_timeseries`: one parameter of one qubit or coupling over time, measurement by measurement."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.store.compact import compact_number
from qdash_jupyter.tools.spec import ElementId, ToolContext, ToolOutput, ToolSpec, Words
from qdash_jupyter.tools.statistics import described
from qdash_jupyter.tools.timeseries import SeriesArguments, TimeseriesArguments, get_chip_parameter_timeseries

if TYPE_CHECKING:
    import pandas as pd

_ABOUT_MANY = ("num_qubits", "not_measured", "qubits", "false_alarms_expected")
_ABOUT_ONE = ("qid", "trend", "test", "latest", "age_days", "count", "missing", "change", "z")


class ParameterSeriesArguments(SeriesArguments):
    qid: ElementId


def get_parameter_timeseries(args: ParameterSeriesArguments, context: ToolContext) -> ToolOutput:
    """Rows `{start_at, execution_id, task_name, value, unit, error}`, oldest first; what is no measurement has
    the value null and, in `missing`, why.

    Table: `timeseries`, as `get_chip_parameter_timeseries` gives it (which does the reading); beside it what that says
    of each qubit: `trend`, `test`, `latest`, `age_days`, `count`, `missing`, `change`, `z`.
    """
    asked = TimeseriesArguments(**args.model_dump(exclude={"qid"}), qids=[args.qid])
    output = get_chip_parameter_timeseries(asked, context)
    if output.frame is None:
        raise TypeError("get_chip_parameter_timeseries gives a frame")
    whole = dict(output.frame.values)
    series: pd.DataFrame = whole["timeseries"]
    (now,) = whole["qubits"].to_dict("records")
    statistics = described(series["v"])
    rows = [_row(measured, whole["unit"]) for measured in series.itertuples()]
    values = {name: value for name, value in whole.items() if name not in _ABOUT_MANY}
    values |= {name: compact_number(now[name]) for name in _ABOUT_ONE if now[name] == now[name]}  # NaN is not itself
    return replace(
        output,
        rows=rows,
        frame=replace(
            output.frame,
            key=f"{whole['parameter_name']}_of_{now['qid']}",
            values=values | {"statistics": statistics},
        ),
        statistics=statistics,
        notable=[("newest", [(row["start_at"], row["value"]) for row in reversed(rows)])],
    )


def _row(measured: Any, unit: str) -> JsonObject:
    missing = math.isnan(measured.v)
    row: JsonObject = {
        "start_at": measured.t.isoformat(timespec="seconds"),
        "execution_id": measured.execution_id,
        "task_name": measured.task_name,
        "value": None if missing else compact_number(measured.v, measured.error),
        "unit": getattr(measured, "unit", unit),  # a column only where units are mixed
    }
    if missing:
        row["missing"] = measured.flag
    if measured.error and not math.isnan(measured.error):
        row["error"] = compact_number(measured.error)
    return row


PARAMETER_TIMESERIES = ToolSpec(
    name="get_parameter_timeseries",
    label=Words("Reading a parameter's time series", "パラメータ時系列を取得中"),
    description="One parameter of one qubit or coupling over time.",
    guidance="One qubit over time: get_parameter_timeseries; several: get_chip_parameter_timeseries with qids.",
    args=ParameterSeriesArguments,
    run=get_parameter_timeseries,
    max_calls_per_turn=3,
)
