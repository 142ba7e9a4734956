"""How the chip is: what is dead, old, worse than its limit, or has changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.llm.offline.operations.change import Told, changes_of, charts_of
from qdash_jupyter.llm.offline.operations.code import method_cell
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE
from qdash_jupyter.llm.offline.phrases import Say, label, table
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Direction, Query, Window

WATCHED = {"t1": Direction.DOWN, "qubit_frequency": Direction.EITHER}
"""Parameters whose changes belong to the health of a chip."""

OLD_DAYS = 30
SHARE_THAT_IS_BAD = 0.05

_ATTENTION = Words("**Needs attention: {}.**", "**要確認: {}**")
_NOTHING = Words("**Nothing needs attention on these {} qubits.**", "**問題は見つかりませんでした({}量子ビット)。**")
_HARDLY = Words(
    "**Of {} qubits most have no values that could tell: see the table.**",
    "**{}量子ビットの大半に判定できる値がありません。表を見てください。**",
)
_HEADINGS = Words("|finding|value|limit", "|内容|値|基準")
_CHIP = Words("metric|median|lowest|highest|measured", "指標|中央値|最小|最大|測定済み")
_IN_ONE = Words("The chip in one table", "チップの一覧表")
_BEYOND = Words("What is missing, old or beyond limits", "欠測・古い値・基準外の値")
_CHANGE = Words("change of {} {}", "{1}の{0}の変化")
_FINDINGS = {"no results at all": "結果なし", "not measured lately": "最近の測定なし"}


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
    steps = {say(_IN_ONE): ["overview", key], say(_BEYOND): ["findings", *findings]}
    overview, found = yield from cells.run_all(
        [(method_cell(f"{what}.", f"chip_{given[0]}", *given), what) for what, given in steps.items()]
    )
    window = Window(query.now - timedelta(days=30), days=30)
    watched = replace(query, window=window, direction=Direction.EITHER)
    studies = yield from changes_of(watched, tuple(WATCHED), metrics, question, cells)
    changed = [Told(study, WATCHED[study.metric.key]) for study in studies.found]
    yield from cells.run_all(charts_of([told for told in changed if told.moved], studies.query))
    lines = [(row["element"], _finding(row["finding"], say), row["value"], row["limit"]) for row in found.records]
    when = say.when(studies.query.window)
    for told in changed:
        what = say(_CHANGE, say.name(told.metric), when)
        lines += [(str(row["qid"]), what, told.shown(row, say), "") for row in told.moved]
    lines.sort(key=lambda line: qid_order(line[0]))
    concerned = sorted({line[0] for line in lines}, key=lambda qid: ("-" in qid, qid_order(qid)))
    size = int(summary.content["num_qubits"])
    rows = [row for row in overview.records if row["measured"]]
    measured = max((row["measured"] for row in rows), default=0)
    can_tell = measured * 2 >= size
    head = _ATTENTION if concerned else _NOTHING if can_tell else _HARDLY
    parts = [*studies.notes, say(head, say.ids(concerned) if concerned else size)]
    if lines:
        parts.append(table(say(_HEADINGS).split("|"), [(label(qid), *rest) for qid, *rest in lines]))
    parts.append(table(say(_CHIP).split("|"), [_overview(row, say) for row in rows]))
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


def _finding(text: str, say: Say) -> str:
    return _FINDINGS.get(text) or _title(text, say) if say.japanese else text


def _title(title: str, say: Say) -> str:
    known = next((metric for metric in METRICS.values() if metric.title == title), None)
    return say.name(known) if known else title


def _overview(row: dict[str, Any], say: Say) -> tuple[str, ...]:
    known = next(metric for metric in METRICS.values() if metric.title == row["metric"])
    values = (f"{row[name]:.{known.decimals}f} {row['unit']}" for name in ("median", "lowest", "highest"))
    measured = f"{row['measured']}/{row['of']}個" if say.japanese else f"{row['measured']} of {row['of']} qubits"
    return say.name(known), *values, measured
