"""How the chip is: what is dead, old, worse than its limit, or has changed."""

from __future__ import annotations

from dataclasses import replace

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.llm.offline.code.value_cells import findings_cell, overview_cell
from qdash_jupyter.llm.offline.intent import Direction, Intent
from qdash_jupyter.llm.offline.phrases import label, listed, table, title_of, window_words
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.change import changes_of, charts_of
from qdash_jupyter.llm.offline.plans.change_rows import Changes
from qdash_jupyter.llm.offline.plans.change_words import shown_change
from qdash_jupyter.llm.offline.spans import Window

COUPLINGS = "zx90_gate_fidelity"
WATCHED = (("t1", Direction.DOWN), ("qubit_frequency", Direction.EITHER))
"""Parameters whose changes belong to the health of a chip."""

OLD_DAYS = 30
SHARE_THAT_IS_BAD = 0.05


def health(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """One table of the chip, and a list of everything that wants attention."""
    reads = yield [
        PlannedCall("get_chip_summary", {}),
        PlannedCall("get_chip_parameter_timeseries", {"parameter_name": COUPLINGS, "last_n": 3}),
        *(PlannedCall("get_chip_parameter_timeseries", {"parameter_name": p, "since": "60d"}) for p, _ in WATCHED),
        PlannedCall("generate_chip_heatmap", {"metric_name": "t1"}),
    ]
    summary, couplings, *series = reads[:-1]
    if summary.failed:
        raise PlanFailed(summary.why)
    cells = Cells()
    key = str(summary.content["data_key"])
    coupling = None if couplings.failed else (str(couplings.content["data_key"]), COUPLINGS)
    overview, found = yield from cells.run_all(
        [
            (
                overview_cell(key, [metrics.of(name) for name in METRICS if METRICS[name].kind == "qubit"]),
                "The chip in one table",
            ),
            (
                findings_cell(key, coupling, [metrics.of(name) for name in METRICS], OLD_DAYS),
                "Values that are missing, old, or worse than their limit",
            ),
        ]
    )
    answered = [
        (metrics.of(name), outcome, direction)
        for (name, direction), outcome in zip(WATCHED, series, strict=True)
        if not outcome.failed
    ]
    watched = Intent(intent.kind, intent.language, window=Window(days=30))
    compared = yield from changes_of(
        [(metric, outcome) for metric, outcome, _ in answered], watched, Direction.EITHER, question, cells
    )
    changed = []
    for changes, (_, _, direction) in zip(compared, answered, strict=True):
        moved = [row for row in changes.moved if direction is Direction.EITHER or row["verdict"] == "fell"]
        if moved:
            changed.append(replace(changes, moved=moved))
    yield from charts_of(changed, watched, cells)
    return _answer(intent, overview.records, found.records, changed, int(summary.content["num_qubits"]))


def _answer(
    intent: Intent,
    overview: list[dict[str, str]],
    findings: list[dict[str, str]],
    changed: list[Changes],
    size: int,
) -> Finding:
    language = intent.language
    concerned = {row["element"] for row in findings} | {qid for changes in changed for qid in changes.qids}
    lines = [(str(row["element"]), _finding(row["finding"], language), row["value"], row["limit"]) for row in findings]
    window = window_words(Window(days=30), language)
    for changes in changed:
        name = title_of(changes.metric, language)
        what = f"{window}の{name}の変化" if language == "ja" else f"change of {name} {window}"
        lines += [(str(row["qid"]), what, shown_change(row, changes, language), "") for row in changes.moved]
    lines.sort(key=lambda line: qid_order(line[0]))
    rows = [(label(qid), *rest) for qid, *rest in lines]
    qubits = sorted((qid for qid in concerned if "-" not in qid), key=qid_order)
    couplings = sorted((qid for qid in concerned if "-" in qid), key=qid_order)
    if language == "ja":
        head = (
            f"**要確認: {listed([*qubits, *couplings], 'ja')}**"
            if concerned
            else f"**問題は見つかりませんでした({size}量子ビット)。**"
        )
        headings, chip = ["", "内容", "値", "基準"], ["指標", "中央値", "最小", "最大", "測定済み"]
    else:
        named = listed([*qubits, *couplings], "en") if concerned else ""
        head = f"**Needs attention: {named}.**" if concerned else f"**Nothing needs attention on these {size} qubits.**"
        headings, chip = ["", "finding", "value", "limit"], ["metric", "median", "lowest", "highest", "measured"]
    parts = [head]
    if rows:
        parts.append(table(headings, rows))
    parts.append(table(chip, [_overview_row(row, language) for row in overview]))
    share = len(qubits) / max(size, 1)
    assessment: Assessment = "good" if not concerned else "bad" if share > SHARE_THAT_IS_BAD else "warning"
    return Finding("\n\n".join(parts), assessment)


_FINDINGS_JA = {"no results at all": "結果なし", "not measured lately": "最近の測定なし"}


def _finding(text: str, language: str) -> str:
    if language == "ja":
        return _FINDINGS_JA.get(text) or _title_ja(text)
    return text


def _title_ja(title: str) -> str:
    return next((metric.title_ja for metric in METRICS.values() if metric.title == title), title)


def _overview_row(row: dict[str, str], language: str) -> tuple[str, ...]:
    cells = tuple(row.values())
    return (
        (_title_ja(cells[0]), *cells[1:-1], cells[-1].replace(" of ", "/").replace(" qubits", "個"))
        if language == "ja"
        else cells
    )
