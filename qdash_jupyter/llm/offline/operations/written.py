"""What was written down: machine states by runs, notes by people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.phrases import all_rows, label, minute, quoted, table
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import Query

_STATES = Words(
    "**{} calibration notes; they hold numbers without units.**", "**キャリブレーションノート{}件(単位の記載なし)**"
)
_STATE_HEADINGS = Words("run|task|written (UTC)|what it holds", "実行|タスク|記録 (UTC)|内容")
_NEWEST = Words("The newest holds:", "最新のノートの内容:")
_NOTES = Words("**{} of people, newest first.**", "**メモ{}件(新しい順)**")
_NONE_OPEN = Words("No issue is open; {} closed.", "未解決の課題はありません(解決済み{}件)。")
_NOTE_HEADINGS = Words("written (UTC)|about|note|by|", "記録 (UTC)|対象|内容|記入者|")


def machine_states(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_calibration_notes`: rows, newest first, or what the newest holds."""
    del metrics
    language = query.language
    if outcome.rows is None:
        held = "\n".join(f"- `{kind}`: {size}" for kind, size in outcome.content.get("newest", {}).items())
        count = outcome.content["notes"]["_rows"]
        parts = [_STATES.of(language).format(count), f"{_NEWEST.of(language)}\n\n{held}"]
        return Finding("\n\n".join([*parts, all_rows(outcome.stored, language)]))
    rows = [
        (row["execution_id"], row["task_id"], minute(row["timestamp"]), "; ".join(_entries(row["note"])))
        for row in outcome.rows
    ]
    return Finding(
        f"{_STATES.of(language).format(len(rows))}\n\n{table(_STATE_HEADINGS.of(language).split('|'), rows)}"
    )


def _entries(note: Mapping[str, Any]) -> Iterator[str]:
    for kind, entries in note.items():
        if not isinstance(entries, Mapping):
            yield quoted(f"{kind}: {entries}")
            continue
        for name, entry in entries.items():
            values = entry if isinstance(entry, Mapping) else {"": entry}
            yield quoted(f"{kind} {name}: {', '.join(f'{key} {value}'.strip() for key, value in values.items())}")


def notes(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_notes`: rows, newest first, or the first words of each."""
    del metrics
    language = query.language
    if outcome.rows is None and "found" in outcome.content:
        return Finding(quoted(outcome.content["note"]))
    if outcome.rows is None:
        lines = "\n".join(f"- {quoted(str(line))}" for line in outcome.content.get("newest", ()))
        parts = [_notes_found(outcome.content["total"], language), lines, all_rows(outcome.stored, language)]
        return Finding("\n\n".join(parts))
    told = [row for row in outcome.rows if not query.argument("is_open") or row.get("status") != "closed"]
    if not told:
        return Finding(_NONE_OPEN.of(language).format(len(outcome.rows)))
    rows = [
        (
            minute(row.get("at")),
            _about(row),
            quoted(": ".join(filter(None, (row.get("title"), row.get("content"))))),
            quoted(row.get("by", "")),
            row.get("status", ""),
        )
        for row in outcome.rows
    ]
    return Finding(f"{_notes_found(len(rows), language)}\n\n{table(_NOTE_HEADINGS.of(language).split('|'), rows)}")


def _notes_found(count: int, language: Language) -> str:
    return _NOTES.of(language).format(count if language == "ja" else f"{count} note{'' if count == 1 else 's'}")


def _about(row: Mapping[str, Any]) -> str:
    target, kind = row.get("target", ""), row["kind"]
    named = normalise_qid(target)
    shown = label(named) if named else "" if kind == "issue" else quoted(target)  # an issue's is a task id
    return " ".join(filter(None, (kind if kind not in ("qubit", "coupling") else "", shown, row.get("metric", ""))))
