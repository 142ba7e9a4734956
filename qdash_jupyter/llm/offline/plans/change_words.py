"""How changes are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qdash_jupyter.llm.offline.code.changes import SIGMAS
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import (
    changed_words,
    label,
    number,
    some,
    table,
    things,
    title_of,
    window_words,
)
from qdash_jupyter.llm.offline.plans.change_rows import Changes

MOST_ROWS = 15


def change_text(changes: Changes, intent: Intent) -> str:
    """One parameter: who moved, by how much, what counts as a change, and who could not be told."""
    metric, language = changes.metric, intent.language
    window, kind = window_words(intent.window, language), changes.metric.kind
    moved_words = changed_words(intent, metric)
    asked = some(intent.qids, language) if intent.qids else ""
    lines: list[str] = []
    if changes.moved:
        count, names = things(len(changes.moved), kind, language), some(changes.qids, language, most=40, in_order=False)
        lines.append(
            f"**{window}に{moved_words}{count}: {names}**"
            if language == "ja"
            else f"**{count} {moved_words} {window}: {names}.**"
        )
        lines.append(_table(changes, intent))
    elif asked:
        told = len(intent.qids) - len({*changes.too_few, *changes.not_measured} & {*intent.qids})
        if told:
            lines.append(_unmoved(asked, changes, intent))
    elif language == "ja":
        lines.append(f"**{window}に{moved_words}{'量子ビット' if kind == 'qubit' else 'カップリング'}はありません。**")
    else:
        lines.append(f"**No {kind} {moved_words} {window}.**")
    if changes.too_few:
        few = some(changes.too_few, language, unlisted=changes.unlisted)
        lines.append(
            f"{title_of(metric, language)}の測定が少なく判定できないもの: {few}。"
            if language == "ja"
            else f"Too few measurements of {title_of(metric, language)} before or within this time to tell: {few}."
        )
    return "\n\n".join(lines)


def closing_texts(found: Sequence[Changes], intent: Intent) -> list[str]:
    """What counts as a change, and who was not measured: once for all parameters."""
    language = intent.language
    rules: dict[str, list[str]] = {}
    for changes in found:
        rules.setdefault(changes.rule.words, []).append(title_of(changes.metric, language))
    several = len(rules) > 1
    if language == "ja":
        told = "、".join(
            (f"{'・'.join(names)}は" if several else "")
            + rule.replace(" percentage points", "ポイント").replace(" percentage point", "ポイント")
            for rule, names in rules.items()
        )
        lines = [f"判定基準: {told}以上、かつ不確かさの{SIGMAS}倍以上の変化。"]
    else:
        told = " or ".join(rule + (f" ({' and '.join(names)})" if several else "") for rule, names in rules.items())
        lines = [f"Named are changes of at least {told} that are also at least {SIGMAS} times their uncertainty."]
    if not intent.qids:
        counts = dict.fromkeys(things(changes.measured, changes.metric.kind, language) for changes in found)
        measured = ("、" if language == "ja" else ", ").join(counts)
        lines[0] += f"測定済み: {measured}。" if language == "ja" else f" Measured: {measured}."
    unmeasured: dict[tuple[str, ...], list[str]] = {}
    for changes in found:
        if changes.not_measured:
            unmeasured.setdefault(tuple(changes.not_measured), []).append(title_of(changes.metric, language))
    for qids, names in unmeasured.items():
        none = some(qids, language)
        which = ""
        if len(unmeasured) > 1:
            which = f"({'・'.join(names)})" if language == "ja" else f" ({', '.join(names)})"
        lines.append(
            f"比較した期間に測定がないもの{which}: {none}。"
            if language == "ja"
            else f"Not measured in the compared time{which}: {none}."
        )
    return lines


def _unmoved(asked: str, changes: Changes, intent: Intent) -> str:
    name, window = title_of(changes.metric, intent.language), window_words(intent.window, intent.language)
    if intent.language == "ja":
        verb = {"down": "低下していません", "up": "上昇していません", "either": "変化していません"}[
            intent.direction.value
        ]
        return f"**{asked}: {window}に{name}は{verb}。**"
    verb = {"down": "did not fall", "up": "did not rise", "either": "did not change"}[intent.direction.value]
    return f"**{name} of {asked} {verb} {window}.**"


def shown_change(row: dict[str, Any], changes: Changes, language: str) -> str:
    """`-44 %`, `-5.97 MHz`, `-1.2 points`."""
    column = next(name for name in row if name.startswith("change ["))
    unit = column.removeprefix("change [").removesuffix("]")
    points = unit == "%" and not changes.rule.relative
    digits = 2 if unit == "MHz" else 1 if points else 0
    shown = "ポイント" if points and language == "ja" else "points" if points else unit
    return f"{row[column]:+.{digits}f} {shown}"


def _table(changes: Changes, intent: Intent) -> str:
    metric, japanese = changes.metric, intent.language == "ja"
    before, now = f"before [{metric.unit}]", f"now [{metric.unit}]"
    headings = ["", "以前", "現在", "変化", "いつから"] if japanese else ["", "before", "now", "change", "since about"]
    rows = [
        (
            label(str(row["qid"])),
            number(row[before], metric),
            number(row[now], metric),
            shown_change(row, changes, intent.language),
            str(row["since"] or "")[:10],
        )
        for row in changes.moved[:MOST_ROWS]
    ]
    return table(headings, rows)


def companions_text(qids: Sequence[str], found: Sequence[Changes], intent: Intent) -> str:
    """What else moved on the same elements, for a question about the cause."""
    japanese = intent.language == "ja"
    lines = []
    for qid in qids[:MOST_ROWS]:
        facts = [
            f"{title_of(changes.metric, intent.language)} {shown_change(row, changes, intent.language)}"
            + (f"({str(row['since'])[:10]}から)" if japanese else f" since about {str(row['since'])[:10]}")
            for changes in found
            for row in changes.moved
            if row["qid"] == qid
        ]
        lines.append(f"- {label(qid)}: {('、' if japanese else ', ').join(facts)}")
    names = [title_of(changes.metric, intent.language) for changes in found]
    if japanese:
        return f"同じ期間のそれぞれの変化(確認した項目: {'、'.join(names)}):\n\n" + "\n".join(lines)
    looked = f"{', '.join(names[:-1])} and {names[-1]}"
    head = f"What changed on {'it' if len(qids) == 1 else 'each of them'} in the same time (looked at: {looked}):"
    return head + "\n\n" + "\n".join(lines)
