"""`get_parameter_timeseries`: one parameter of one qubit or coupling over time, measurement by measurement."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from qdash_jupyter.data.tables import records_of
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_qids
from qdash_jupyter.tools.spec import ElementId, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.statistics import described
from qdash_jupyter.tools.timeseries import SeriesArguments, TimeseriesArguments, get_chip_parameter_timeseries
from qdash_jupyter.tools.timestamps import full_timestamp

_ABOUT_MANY = ("num_qubits", "not_measured", "qubits", "false_alarms_expected")
_ABOUT_ONE = ("qid", "trend", "test", "latest", "age_days", "count", "missing", "change", "sigmas")


class ParameterSeriesArguments(SeriesArguments):
    qid: ElementId


def get_parameter_timeseries(args: ParameterSeriesArguments, context: ToolContext) -> ToolOutput:
    """Measurements, oldest first; what is none has no `v`, and `flag` says why.

    Table: `timeseries`, as `get_chip_parameter_timeseries` gives it (which does the reading); beside it what that says
    of each qubit: `trend`, `test`, `latest`, `age_days`, `count`, `missing`, `change`, `sigmas`.
    """
    known_qids(context.reader, context.scope.resolve(context.reader, args.chip_id, args.project_id), [args.qid])
    asked = TimeseriesArguments(**args.model_dump(exclude={"qid"}), qids=[args.qid])
    output = get_chip_parameter_timeseries(asked, context)
    if output.frame is None:
        raise TypeError("get_chip_parameter_timeseries gives a frame")
    whole = dict(output.frame.values)
    series: pd.DataFrame = whole["timeseries"]
    (now,) = whole["qubits"].to_dict("records")
    statistics = described(series["v"], series["error"])
    error = float(series.loc[series["v"].notna(), "error"].iloc[-1]) if series["v"].notna().any() else math.nan
    newest = [(full_timestamp(row.t), compact_number(row.v, row.error)) for row in records_of(series.iloc[::-1])]
    values = {name: value for name, value in whole.items() if name not in _ABOUT_MANY}
    told = {name: compact_number(now[name], error if name == "latest" else math.nan) for name in _ABOUT_ONE}
    values |= {name: value for name, value in told.items() if value == value}  # noqa: PLR0124 - NaN is not itself
    key = f"{whole['parameter_name']}_of_{now['qid']}"
    frame = replace(output.frame, key=key, values=values | {"statistics": statistics})
    return replace(output, is_whole=True, frame=frame, statistics=statistics, notable=[("newest", newest)])


PARAMETER_TIMESERIES = ToolSpec(
    label=Message("label-timeseries"),
    description="One parameter of one qubit or coupling over time.",
    on_request=True,
    run=get_parameter_timeseries,
    max_calls_per_turn=3,
    instead="Several qubits over time: get_chip_parameter_timeseries with qids.",
)
