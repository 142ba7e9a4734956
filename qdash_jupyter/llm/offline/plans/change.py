"""What fell, rose or jumped within a window."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.code import change_cell, change_rule, levels_chart_cell, series_chart_cell
from qdash_jupyter.llm.offline.intent import Direction, Intent, Window
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.words import changed_words, label, listed, number, some, table, things, window_words

DEFAULT_PARAMETERS = ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity")
"""What is looked at when the question names no parameter."""

MOST_LINES = 8
SHARE_THAT_IS_BAD = 0.1


@dataclass(frozen=True, slots=True)
class Changes:
    """The outcome for one parameter: rows of the analysis, by verdict."""

    metric: Metric
    kind: str
    key: str
    moved: list[dict[str, Any]]
    too_few: list[str]
    not_measured: list[str]
    measured: int

    @property
    def qids(self) -> list[str]:
        """The ids that moved, largest change first."""
        return [str(row["qid"]) for row in self.moved]


def reach(window: Window) -> str:
    """`since` of the read: as long again before the window, so that there is a level to compare with."""
    if window.date is not None or window.weekday is not None:
        return "120d" if window.date is not None else "21d"
    return f"{max(2 * window.days, 14):g}d"


def change(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Compare levels for each parameter named; chart the ones that moved, or all levels when none did."""
    names = intent.parameters or DEFAULT_PARAMETERS
    reads = yield [PlannedCall("get_chip_parameter_timeseries", series_arguments(intent, name)) for name in names]
    found: list[Changes] = []
    refused: list[str] = []
    cells = Cells()
    for name, outcome in zip(names, reads, strict=True):
        if outcome.failed:
            refused.append(outcome.why)
            continue
        found.append((yield from changes_of(outcome, metrics.of(name), intent, question, cells)))
    if not found:
        raise PlanFailed(" ".join(refused))
    for changes in found:
        if changes.moved or len(found) == 1:
            yield from chart_of(changes, intent, cells)
    parts = [_text(changes, intent) for changes in found]
    return Finding("\n\n".join(parts + refused), assessment_of(found))


def series_arguments(intent: Intent, parameter: str) -> dict[str, Any]:
    """Arguments of the read."""
    arguments: dict[str, Any] = {"parameter_name": parameter, "since": reach(intent.window)}
    if intent.chip_id:
        arguments["chip_id"] = intent.chip_id
    if intent.qids:
        arguments["qids"] = list(intent.qids)
    return arguments


def changes_of(
    outcome: CallOutcome, metric: Metric, intent: Intent, question: str, cells: Cells
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], Changes]:
    """Run the comparison on what was read."""
    key = str(outcome.content["data_key"])
    run = yield from cells.run(
        change_cell(key, metric, intent.window, question), f"{metric.title}: level before the window against now"
    )
    wanted = {Direction.DOWN: {"fell"}, Direction.UP: {"rose"}, Direction.EITHER: {"fell", "rose"}}[intent.direction]
    rows = run.records
    moved = [row for row in rows if row["verdict"] in wanted]
    change_column = next((name for name in (rows[0] if rows else {}) if name.startswith("change [")), "")
    moved.sort(key=lambda row: -abs(row[change_column]))
    return Changes(
        metric=metric,
        kind=metric.kind,
        key=key,
        moved=moved,
        too_few=[str(row["qid"]) for row in rows if row["verdict"] == "too few"],
        not_measured=[str(row["qid"]) for row in rows if row["verdict"] == "not measured"],
        measured=int(outcome.content.get("num_qubits") or 0),
    )


def chart_of(
    changes: Changes, intent: Intent, cells: Cells
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], None]:
    """Draw the ones that moved over time, or all levels when none did."""
    metric = changes.metric
    if changes.moved:
        title = f"{metric.title} of {listed(changes.qids[:MOST_LINES], 'en')}"
        code = series_chart_cell(changes.key, metric, changes.qids[:MOST_LINES], intent.window, title)
    else:
        title = f"{metric.title} before and now, {window_words(intent.window, 'en')}"
        code = levels_chart_cell(changes.key, metric, intent.window, title)
    yield from cells.run(code, f"Chart: {title}")


def assessment_of(found: Sequence[Changes]) -> Assessment:
    """Bad when a tenth of the elements fell or one is worse than the limit now; a warning when any moved."""
    worst: Assessment = "good"
    for changes in found:
        fell = [row for row in changes.moved if row["verdict"] == "fell"]
        limit = changes.metric.scoring.bad if changes.metric.scoring else None
        now = f"now [{changes.metric.unit}]"
        if fell and (
            len(fell) >= SHARE_THAT_IS_BAD * max(changes.measured, 1)
            or (limit is not None and changes.metric.mode == "maximize" and any(row[now] < limit for row in fell))
        ):
            return "bad"
        if changes.moved:
            worst = "warning"
    return worst


def _text(changes: Changes, intent: Intent) -> str:
    metric, language = changes.metric, intent.language
    rule, window = change_rule(metric), window_words(intent.window, language)
    lines: list[str] = []
    if changes.moved:
        count = things(len(changes.moved), changes.kind, language)
        lines.append(
            f"**{window}に{changed_words(intent, metric)}{count}: {listed(changes.qids, language)}**"
            if language == "ja"
            else f"**{count} {changed_words(intent, metric)} {window}: {listed(changes.qids, language)}.**"
        )
        lines.append(_table(changes, intent))
    elif language == "ja":
        kind = "量子ビット" if changes.kind == "qubit" else "カップリング"
        lines.append(f"**{window}に{changed_words(intent, metric)}{kind}はありません。**")
    else:
        lines.append(f"**No {changes.kind} {changed_words(intent, metric)} {window}.**")
    lines.append(
        f"判定: {rule.words.replace('1 percentage point', '1ポイント')}以上、かつ不確かさの4倍以上の変化。測定済み {changes.measured}個。"
        if language == "ja"
        else f"Named are changes of at least {rule.words} and 4 times their uncertainty; "
        f"{things(changes.measured, changes.kind, language)} measured."
    )
    if changes.too_few:
        few = some(changes.too_few, language)
        lines.append(
            f"測定が少なく判定できないもの: {few}。"
            if language == "ja"
            else f"Too few measurements before or within the window to tell: {few}."
        )
    if changes.not_measured:
        none = some(changes.not_measured, language)
        lines.append(
            f"この期間に測定がないもの: {none}。" if language == "ja" else f"Not measured in this time at all: {none}."
        )
    return "\n\n".join(lines)


def _table(changes: Changes, intent: Intent) -> str:
    metric = changes.metric
    before, now = f"before [{metric.unit}]", f"now [{metric.unit}]"
    change_column = next(name for name in changes.moved[0] if name.startswith("change ["))
    unit = change_column.removeprefix("change [").removesuffix("]")
    digits = 2 if unit == "MHz" else 1 if unit == "%" and change_rule(metric).relative is False else 0
    headings = (
        ["", "以前", "現在", "変化", "いつから"]
        if intent.language == "ja"
        else ["", "before", "now", "change", "since about"]
    )
    points = "points" if not change_rule(metric).relative and unit == "%" else unit
    rows = [
        (
            label(str(row["qid"])),
            number(row[before], metric),
            number(row[now], metric),
            f"{row[change_column]:+.{digits}f} {points}",
            str(row["since"] or "")[:10],
        )
        for row in changes.moved
    ]
    return table(headings, rows)
