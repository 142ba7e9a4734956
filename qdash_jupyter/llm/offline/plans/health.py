"""How the chip is: what is dead, old, worse than its limit, or has changed."""

from __future__ import annotations

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.llm.offline.code import findings_cell, overview_cell
from qdash_jupyter.llm.offline.intent import Direction, Intent
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.change import Changes, changes_of, chart_of
from qdash_jupyter.llm.offline.words import label, listed, table, title_of, window_words

COUPLINGS = "zx90_gate_fidelity"
WATCHED = (("t1", Direction.DOWN), ("qubit_frequency", Direction.EITHER))
"""Parameters whose changes belong to the health of a chip."""

OLD_DAYS = 30
SHARE_THAT_IS_BAD = 0.05


def health(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """One table of the chip, and a list of everything that wants attention."""
    chip = {"chip_id": intent.chip_id} if intent.chip_id else {}
    reads = yield [
        PlannedCall("get_chip_summary", chip),
        PlannedCall("get_chip_parameter_timeseries", {"parameter_name": COUPLINGS, "last_n": 3, **chip}),
        *(
            PlannedCall("get_chip_parameter_timeseries", {"parameter_name": p, "since": "60d", **chip})
            for p, _ in WATCHED
        ),
        PlannedCall("generate_chip_heatmap", {"metric_name": "t1", **chip}),
    ]
    summary, couplings, *series = reads[:-1]
    if summary.failed:
        raise PlanFailed(summary.why)
    cells = Cells()
    key = str(summary.content["data_key"])
    overview = yield from cells.run(
        overview_cell(key, [metrics.of(name) for name in METRICS if METRICS[name].kind == "qubit"]),
        "The chip in one table",
    )
    coupling = None if couplings.failed else (str(couplings.content["data_key"]), COUPLINGS)
    limited = [metrics.of(name) for name in METRICS]
    found = yield from cells.run(
        findings_cell(key, coupling, limited, OLD_DAYS), "Values that are missing, old, or worse than their limit"
    )
    changed: list[Changes] = []
    for (name, direction), outcome in zip(WATCHED, series, strict=True):
        if outcome.failed:
            continue
        watched = Intent(intent.kind, intent.language, direction=direction, window=Window(days=30))
        changes = yield from changes_of(outcome, metrics.of(name), watched, question, cells)
        if changes.moved:
            changed.append(changes)
            yield from chart_of(changes, watched, cells)
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
    rows = [(label(row["element"]), _finding(row["finding"], language), row["value"], row["limit"]) for row in findings]
    for changes in changed:
        column = next(name for name in changes.moved[0] if name.startswith("change ["))
        unit = column.removeprefix("change [").removesuffix("]")
        window = window_words(Window(days=30), language)
        for row in changes.moved:
            what = f"{title_of(changes.metric, language)}, {window}"
            rows.append((label(str(row["qid"])), what, f"{row[column]:+.{2 if unit == 'MHz' else 0}f} {unit}", ""))
    rows.sort(key=lambda row: row[0])
    qubits = sorted({qid for qid in concerned if "-" not in qid}, key=int)
    couplings = sorted({qid for qid in concerned if "-" in qid})
    if language == "ja":
        head = (
            f"**要確認: {listed([*qubits, *couplings], 'ja')}**"
            if concerned
            else f"**問題は見つかりませんでした({size}量子ビット)。**"
        )
        headings, chip = ["", "内容", "値", "基準"], ["指標", "中央値", "最悪", "最良", "測定済み"]
    else:
        named = listed([*qubits, *couplings], "en") if concerned else ""
        head = f"**Needs attention: {named}.**" if concerned else f"**Nothing needs attention on these {size} qubits.**"
        headings, chip = ["", "finding", "value", "limit"], ["metric", "median", "worst", "best", "measured"]
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
