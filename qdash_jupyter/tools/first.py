"""When the first of something was: what a question hears whose time range ends before that."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from qdash_jupyter.data.queries import ExecutionQuery, ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.domain.time_range import FIRST_RESULT, TimeRange, latest_result

_FEW = 50
_SHORT = timedelta(minutes=1)


def first_start(reader: QDashReader, query: ResultQuery | ExecutionQuery) -> datetime | None:
    """Return when the first result (or run) started that fits but for the time range; None where none has a start.

    Readers give the newest first, and count without reading: the range is halved until few are left in it.
    """
    asked = replace(query, last_n=None)
    since, until = FIRST_RESULT, latest_result(reader.now())
    while until - since > _SHORT and reader.count(replace(asked, during=TimeRange(since, until))) > _FEW:
        middle = since + (until - since) / 2
        if reader.count(replace(asked, during=TimeRange(since, middle))):
            until = middle
        else:
            since = middle
    of_range = replace(asked, during=TimeRange(since, until))
    found = reader.executions(of_range) if isinstance(of_range, ExecutionQuery) else reader.task_results(of_range)
    return min((one.start_at for one in found if one.start_at), default=None)


def first_after(reader: QDashReader, query: ResultQuery | ExecutionQuery, until: datetime | None) -> datetime | None:
    """Return when the first that fits started, where a time range ends before that; else None."""
    first = first_start(reader, query) if until else None
    return first if first and until and first >= until else None
