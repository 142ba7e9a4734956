"""What never gave a result, and what was not measured for long."""

from __future__ import annotations

from typing import Any

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.code.value_cells import unmeasured_cell
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import days_ago, label, some, table, things, title_of
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, read

OLD_DAYS = 30
MOST_ROWS = 30


def unmeasured(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Two lists: old, and without any result; a question about dead qubits gets the second alone in its headline."""
    metric = metrics.of(intent.parameters[0]) if intent.parameters else None
    days = intent.window.days if intent.window.named and not intent.dead_only else OLD_DAYS
    if metric is not None and metric.kind == "coupling":
        outcome = yield from read("get_chip_parameter_timeseries", parameter_name=metric.key, last_n=1)
    else:
        only = None if metric is None else [metric.key]
        outcome = yield from read("get_chip_summary", param_names=only)
    run = yield from Cells().run(
        unmeasured_cell(str(outcome.content["data_key"]), metric, days, question),
        "What was not measured for long, or never",
    )
    rows, kind = run.records, metric.kind if metric else "qubit"
    dead = [row for row in rows if row["newest [d ago]"] is None]
    stale = [row for row in rows if row["newest [d ago]"] is not None]
    language = intent.language
    what = title_of(metric, language) if metric else ""
    never, old = _never(dead, kind, what, language), _old(stale, kind, what, days, language)
    if intent.dead_only:
        parts = [f"**{never}**", *([old] if stale else [])]
    else:
        parts = [f"**{old}**", *([f"**{never}**"] if dead else [])]
    if stale:
        headings = ["", "最新の測定" if language == "ja" else "newest measurement"]
        shown = [(label(str(row["qid"])), days_ago(row["newest [d ago]"], language)) for row in stale[:MOST_ROWS]]
        parts.append(table(headings, shown))
    bad = dead if intent.dead_only else rows
    return Finding("\n\n".join(parts), "warning" if bad else "good")


def _never(dead: list[dict[str, Any]], kind: str, what: str, language: str) -> str:
    names = some([str(row["qid"]) for row in dead], "ja" if language == "ja" else "en", most=40)
    if language == "ja":
        result = f"{what}の測定結果" if what else "測定結果"
        thing = "量子ビット" if kind == "qubit" else "カップリング"
        return (
            f"{result}が一つもない{things(len(dead), kind, 'ja')}: {names}"
            if dead
            else f"{result}のない{thing}はありません。"
        )
    result = f"result of {what}" if what else "result"
    if not dead:
        return f"Every {kind} has {'an' if not what else 'a'} {result}.".replace("an result", "a result")
    verb = "has" if len(dead) == 1 else "have"
    return f"{things(len(dead), kind, 'en')} {verb} no {result} at all: {names}."


def _old(stale: list[dict[str, Any]], kind: str, what: str, days: float, language: str) -> str:
    names = some([str(row["qid"]) for row in stale], "ja" if language == "ja" else "en", most=40)
    if language == "ja":
        thing, name = "量子ビット" if kind == "qubit" else "カップリング", f"{what}が" if what else ""
        if not stale:
            return f"{name}{days:g}日以上測定されていない{thing}はありません。"
        return f"{name}{days:g}日以上測定されていない{things(len(stale), kind, 'ja')}: {names}"
    of = f" for {what}" if what else ""
    span = "day" if days == 1 else f"{days:g} days"
    if not stale:
        return f"No {kind} that has results was left unmeasured{of} in the last {span}."
    verb = "was" if len(stale) == 1 else "were"
    return f"{things(len(stale), kind, 'en')} {verb} not measured{of} in the last {span}: {names}."
