"""What was not measured."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.code import called, cell_of
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.tables import (
    COUPLING_GATE,
    narrowed,
)
from qdash_jupyter.llm.offline.phrases import (
    ELEMENT,
    Columns,
    ago,
    some,
    things,
    window_words,
)
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, read
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import Field, Message

CHARTED = "t1"
OLD_DAYS, AGES = 30, 1e6
MOST_ROWS = 30


def unmeasured(query: Query, metrics: MetricTable, question: str) -> Plan:
    """What was not measured for long, of a parameter or at all, and what has no result; asked for dead qubits, the
    headline has the second alone.
    """
    say, window = query.say, query.window
    between = window.until is not None and not query.dead
    fallback = COUPLING_GATE if query.element == "coupling" else CHARTED if between else ""
    named = next(iter(query.metrics), fallback)
    metric = metrics.of(named) if named else None
    days = float(OLD_DAYS)
    if window.since is not None and not query.dead:
        days = window.days or (query.now - window.since) / timedelta(days=1)
    if metric is None:
        outcome = yield from read("get_chip_summary")
    else:
        during = {"since": window.since_text, "until": window.until_text} if between else {"last_n": 10}
        outcome = yield from read("get_chip_parameter_timeseries", parameter_name=metric.key, **during)
    kind = metric.kind if metric else "qubit"
    key = outcome.content["data_key"]
    lines = called(
        "unmeasured_lately", "unmeasured", f'copilot.data["{key}"]', f"old_days={AGES if between else days:g}"
    )
    lines += narrowed("unmeasured_lately", 'unmeasured_lately["qid"]', query, kind)
    lines.append('unmeasured_lately["age"] = np.where(unmeasured_lately["newest [d ago]"].isna(), "never", "old")')
    imports = ["import numpy as np", "from qdash_jupyter.methods import unmeasured"]
    code = cell_of(question, imports, *lines, "unmeasured_lately")
    run = yield from Cells().run(code, query.say(Message("plan-unmeasured-purpose")))
    rows, counts = run.records, run.counts("age")
    if between:  # who has no measurement in it may have some at other times
        counts, rows = {"old": run.total}, [row | {"age": "old"} for row in rows]
    dead, stale = ([row for row in rows if row["age"] == age] for age in ("never", "old"))
    span, results = _span(query, days), Message("plan-any-results")
    if metric:
        results = Message("plan-results-of", name=say.name(metric))

    def which(rows: list[dict[str, Any]], age: str) -> tuple[int, Message, Field]:
        """How many they are, also in words, and their names."""
        count = counts.get(age, 0)
        return count, things(count, kind), some(ids_of(rows), most=40, unlisted=count - len(rows))

    count, of_them, names = which(dead, "never")
    if count:
        never = Message("plan-never", count=count, things=of_them, results=results, names=names)
    else:
        never = Message("plan-all-have-results", kind=kind, results=results)
    count, of_them, names = which(stale, "old")
    if count:
        old = Message("plan-old", count=count, things=of_them, results=results, span=span, names=names)
    else:
        old = Message("plan-none-old", kind=kind, results=results, span=span)
    if query.dead:
        parts = [f"**{say(never)}**", *([say(old)] if stale else [])]
    else:
        parts = [f"**{say(old)}**", *([f"**{say(never)}**"] if dead else [])]
    if stale and not between:
        newest: Columns = {Message("plan-heading-newest-measurement"): lambda row: ago(row["newest [d ago]"])}
        parts.append(say.table(ELEMENT | newest, stale[:MOST_ROWS]))
    return Finding("\n\n".join(parts), "warning" if (dead if query.dead else rows) else "good")


def _span(query: Query, days: float) -> Message:
    if query.window.is_bounded and query.window.days is None and not query.dead:
        return Message("plan-during", window=window_words(query.window))
    return Message("plan-for-days", days=days)
