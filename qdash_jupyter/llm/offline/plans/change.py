"""What fell, rose or jumped within a window."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from datetime import date, timedelta
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.code.changes import ChangeRule, change_cell, change_rule
from qdash_jupyter.llm.offline.code.charts import levels_chart_cell, series_chart_cell
from qdash_jupyter.llm.offline.code.stems import stem_of
from qdash_jupyter.llm.offline.intent import Direction, Intent
from qdash_jupyter.llm.offline.phrases import NOT_YET, WHY, WRONG_UNIT, listed, title_of, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.plans.change_rows import Changes
from qdash_jupyter.llm.offline.plans.change_words import change_text, closing_texts, companions_text
from qdash_jupyter.llm.offline.spans import Window

DEFAULT_PARAMETERS = ("t1", "t2_echo", "average_readout_fidelity", "qubit_frequency")
"""What is looked at when the question names no parameter; a frequency gets neither better nor worse."""

COMPANIONS = ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity")
"""What is looked at beside a change whose cause is asked for."""

MOST_LINES = 8
SHARE_THAT_IS_BAD = 0.1


def reach(window: Window) -> str:
    """`since` of the read: long enough before the window that there is a level to compare with."""
    if window.date is not None:
        return (date.fromisoformat(window.date) - timedelta(days=45)).isoformat()
    return "28d" if window.weekday is not None else f"{max(2 * window.days, window.days + 21):g}d"


def change(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Compare levels for each parameter named; chart the ones that moved, or all levels when none did."""
    names = intent.parameters or DEFAULT_PARAMETERS[: 3 if intent.direction is not Direction.EITHER else 4]
    extra = [name for name in COMPANIONS if intent.why and name not in names]
    if any(metrics.of(name).kind == "coupling" for name in names) or any("-" in qid for qid in intent.qids):
        extra = []
    reads = yield [
        PlannedCall("get_chip_parameter_timeseries", series_arguments(intent, name)) for name in (*names, *extra)
    ]
    refused = [why_refused(outcome, intent) for outcome in reads[: len(names)] if outcome.failed]
    answered = [(metrics.of(name), outcome) for name, outcome in zip(names, reads, strict=False) if not outcome.failed]
    if not answered:
        raise PlanFailed(" ".join(dict.fromkeys(refused)))
    cells = Cells()
    found = yield from changes_of(answered, intent, intent.direction, question, cells)
    yield from charts_of([one for one in found if one.moved or len(found) == 1], intent, cells)
    parts = [change_text(one, intent) for one in found] + closing_texts(found, intent)
    moved = list(dict.fromkeys(qid for one in found for qid in one.qids))
    if extra and moved:
        more = [
            (metrics.of(name), outcome)
            for name, outcome in zip(extra, reads[len(names) :], strict=True)
            if not outcome.failed
        ]
        beside = yield from changes_of(more, intent, Direction.EITHER, question, cells)
        parts.append(companions_text(moved, [*found, *beside], intent))
    if intent.why and moved:
        parts.append(WHY[intent.language])
    return Finding("\n\n".join(parts + list(dict.fromkeys(refused))), assessment_of(found))


def why_refused(outcome: CallOutcome, intent: Intent) -> str:
    """The reader's words; about a date to come our own, because the user chose no `until`."""
    if intent.window.date is not None and outcome.content.get("kind") == "invalid_arguments":
        return NOT_YET[intent.language].format(date=intent.window.date)
    return outcome.why


def series_arguments(intent: Intent, parameter: str) -> dict[str, Any]:
    """Arguments of the read."""
    arguments: dict[str, Any] = {"parameter_name": parameter, "since": reach(intent.window)}
    if intent.qids:
        arguments["qids"] = list(intent.qids)
    return arguments


def changes_of(
    reads: Sequence[tuple[Metric, CallOutcome]], intent: Intent, direction: Direction, question: str, cells: Cells
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], list[Changes]]:
    """Run the comparison on each parameter that was read."""
    rules = [_rule(metric, intent) for metric, _ in reads]
    wanted = {Direction.DOWN: {"fell"}, Direction.UP: {"rose"}, Direction.EITHER: {"fell", "rose"}}[direction]
    runs = yield from cells.run_all(
        [
            (
                change_cell(str(outcome.content["data_key"]), metric, intent.window, rule, question),
                f"{metric.title}: level before the window against now",
            )
            for (metric, outcome), rule in zip(reads, rules, strict=True)
        ]
    )
    found = []
    for (metric, outcome), rule, run in zip(reads, rules, runs, strict=True):
        rows = run.records
        moved = [row for row in rows if row["verdict"] in wanted]
        column = next((name for name in (rows[0] if rows else {}) if name.startswith("change [")), "")
        moved.sort(key=lambda row, column=column: -abs(row[column]))  # type: ignore[misc]
        found.append(
            Changes(
                metric=metric,
                rule=rule,
                key=str(outcome.content["data_key"]),
                moved=moved,
                too_few=[str(row["qid"]) for row in rows if row["verdict"] == "too few"],
                not_measured=[str(row["qid"]) for row in rows if row["verdict"] == "not measured"],
                measured=int(outcome.content.get("num_qubits") or 0),
                unlisted=run.left_out,
            )
        )
    return found


def _rule(metric: Metric, intent: Intent) -> ChangeRule:
    rule = change_rule(metric)
    if intent.by is None or intent.by.value is None:
        return rule
    if intent.by.unit == "%" and not rule.relative and rule.unit != "%":
        return rule if len(intent.parameters) != 1 else _refused(metric, intent)
    own = rule.at_least(intent.by.value, intent.by.unit or rule.unit)
    return own if own is not None else _refused(metric, intent)


def _refused(metric: Metric, intent: Intent) -> ChangeRule:
    by = intent.by
    shown = f"{by.value:g} {by.unit}" if by is not None else ""
    unit = change_rule(metric).unit
    raise PlanFailed(WRONG_UNIT[intent.language].format(shown=shown, name=title_of(metric, intent.language), unit=unit))


def charts_of(
    found: Sequence[Changes], intent: Intent, cells: Cells
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], None]:
    """Draw the ones that moved over time, or all levels when none did."""
    charts = []
    for changes in found:
        metric = changes.metric
        if changes.moved:
            title = f"{metric.title} of {listed(changes.qids[:MOST_LINES], 'en')}"
            code = series_chart_cell(changes.key, metric, changes.qids[:MOST_LINES], intent.window, title)
        elif intent.qids:
            title = f"{metric.title} of {listed(intent.qids[:MOST_LINES], 'en')}"
            code = series_chart_cell(changes.key, metric, intent.qids[:MOST_LINES], intent.window, title)
        else:
            title = f"{metric.title} before and now, {window_words(intent.window, 'en')}"
            code = levels_chart_cell(metric, title, f"{stem_of(metric)}_change")
        charts.append((code, f"Chart: {title}"))
    if charts:
        yield from cells.run_all(charts)


def assessment_of(found: Sequence[Changes]) -> Assessment | None:
    """Bad when a tenth of the elements fell or one is worse than the limit now; a warning when any moved.

    None when nothing could be told: no news of nothing is not good news.
    """
    worst: Assessment | None = None
    for changes in found:
        if changes.measured > len(changes.too_few):
            worst = worst or "good"
        fell = [row for row in changes.moved if row["verdict"] == "fell"]
        limit = changes.metric.scoring.bad if changes.metric.scoring else None
        now = f"now [{changes.metric.unit}]"
        if fell and (
            (changes.measured >= 1 / SHARE_THAT_IS_BAD and len(fell) >= SHARE_THAT_IS_BAD * changes.measured)
            or (limit is not None and changes.metric.mode == "maximize" and any(row[now] < limit for row in fell))
        ):
            return "bad"
        if any(row["verdict"] == "fell" or changes.metric.scoring is None for row in changes.moved):
            worst = "warning"
    return worst
