"""How the chip is: what is dead, old, worse than its limit, or has changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.llm.offline.operations.change import Told, changes_of, charts_of
from qdash_jupyter.llm.offline.operations.code import method_cell
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE
from qdash_jupyter.llm.offline.phrases import VALUE, Say, ids, label, table, window_words
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Direction, Query, Window
from qdash_jupyter.messages.message import Message, Text

WATCHED = {"t1": Direction.DOWN, "qubit_frequency": Direction.EITHER}
"""Parameters whose changes belong to the health of a chip."""

OLD_DAYS = 30
SHARE_THAT_IS_BAD = 0.05

_FINDINGS = {
    "no results at all": Message("plan-finding-no-results"),
    "not measured lately": Message("plan-finding-old"),
}


def health(query: Query, metrics: MetricTable, question: str) -> Plan:
    """One table of the chip, and a list of everything that wants attention."""
    summary, couplings, _ = yield [
        PlannedCall("get_chip_summary", {}),
        PlannedCall("get_chip_parameter_timeseries", {"parameter_name": COUPLING_GATE, "last_n": 3}),
        PlannedCall("generate_chip_heatmap", {"metric_name": "t1"}),
    ]
    if summary.failed:
        raise PlanFailed(summary.why)
    cells, key = Cells(), f'copilot.data["{summary.content["data_key"]}"]'
    others = [] if couplings.failed else [f'copilot.data["{couplings.content["data_key"]}"]']
    findings = [key, *others, *_limits(metrics), f"old_days={OLD_DAYS}"]
    say = query.say
    steps = {
        say(Message("plan-chip-table")): ["overview", key],
        say(Message("plan-chip-findings")): ["findings", *findings],
    }
    overview, found = yield from cells.run_all(
        [(method_cell(f"{what}.", f"chip_{given[0]}", *given), what) for what, given in steps.items()]
    )
    window = Window(query.now - timedelta(days=30), days=30)
    watched = replace(query, window=window, direction=Direction.EITHER)
    studies = yield from changes_of(watched, tuple(WATCHED), metrics, question, cells)
    changed = [Told(study, WATCHED[study.metric.key]) for study in studies.found]
    yield from cells.run_all(charts_of([told for told in changed if told.moved], studies.query))
    lines: list[tuple[str, Text, Text, str]] = [
        (row["element"], _FINDINGS.get(row["finding"]) or _title(row["finding"], say), row["value"], row["limit"])
        for row in found.records
    ]
    for told in changed:
        what = Message("plan-change-of", name=say.name(told.metric), window=window_words(studies.query.window))
        lines += [(str(row["qid"]), what, told.shown(row), "") for row in told.moved]
    lines.sort(key=lambda line: qid_order(line[0]))
    concerned = sorted({line[0] for line in lines}, key=lambda qid: ("-" in qid, qid_order(qid)))
    size = int(summary.content["num_qubits"])
    rows = [row for row in overview.records if row["measured"]]
    measured = max((row["measured"] for row in rows), default=0)
    can_tell = measured * 2 >= size
    head = Message("plan-nothing-needs-attention", count=size)
    if concerned:
        head = Message("plan-needs-attention", names=ids(concerned))
    elif not can_tell:
        head = Message("plan-health-unknown", count=size)
    parts = [*studies.notes, say(head)]
    if lines:
        headings: list[Text] = ["", Message("plan-heading-finding"), VALUE, Message("plan-heading-limit")]
        parts.append(table(headings, [(label(qid), *rest) for qid, *rest in lines], say.language))
    of_chip: list[Text] = [
        Message("plan-heading-metric"),
        Message("plan-statistic", statistic="median"),
        Message("plan-statistic", statistic="lowest"),
        Message("plan-statistic", statistic="highest"),
        Message("plan-heading-measured"),
    ]
    parts.append(table(of_chip, [_overview(row, say) for row in rows], say.language))
    share = sum("-" not in qid for qid in concerned) / max(size, 1)
    good: Assessment | None = "good" if can_tell else None
    return Finding("\n\n".join(parts), good if not concerned else "bad" if share > SHARE_THAT_IS_BAD else "warning")


def _limits(metrics: MetricTable) -> list[str]:
    """The lab's limits as an argument, where they are not QDash's."""
    own = {name: metrics.of(name).scoring for name in METRICS}
    if all(scoring == METRICS[name].scoring for name, scoring in own.items()):
        return []
    shown = [f'"{name}": {one.bad:g}' for name, one in own.items() if one is not None and one.bad is not None]
    return [f"limits={{{', '.join(shown)}}}"]


def _title(title: str, say: Say) -> str:
    known = next((metric for metric in METRICS.values() if metric.title == title), None)
    return say.name(known) if known else title


def _overview(row: dict[str, Any], say: Say) -> tuple[Text, ...]:
    known = next(metric for metric in METRICS.values() if metric.title == row["metric"])
    values = (f"{row[name]:.{known.decimals}f} {row['unit']}" for name in ("median", "lowest", "highest"))
    return say.name(known), *values, Message("plan-measured-of", count=row["measured"], all=row["of"])
