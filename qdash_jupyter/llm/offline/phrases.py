"""What the planner says, in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.llm.offline.intent import Direction, Intent, Language
from qdash_jupyter.llm.offline.spans import Window

NOT_A_MODEL = {
    "en": "Answered by the offline planner: fixed methods, no language model.",
    "ja": "オフラインプランナーの回答です(固定の手順で、言語モデルではありません)。",
}
WHOLE_METHOD = {"en": " The code that ran is the whole method.", "ja": "実行したコードがすべてです。"}

NO_END = {
    "en": "This kind of question looks from a date until now: leave out the end of the time.",
    "ja": "この種の質問は現在までの期間だけを扱えます。期間の終わりを外してください。",
}

GRADES = {
    "excellent": Words("excellent", "非常に良い"),
    "good": Words("good", "良い"),
    "below good": Words("below good", "基準未満"),
    "bad": Words("bad", "悪い"),
}

WRONG_UNIT = {
    "en": "{shown} cannot be compared with {name}, which is counted in {unit}. Say the value in {unit}.",
    "ja": "{shown}は{name}(単位 {unit})と比べられません。{unit}で指定してください。",
}

NOT_YET = {
    "en": "{date} is not before the newest data: there is nothing to look at since then.",
    "ja": "{date}はデータの最終時刻より前ではないため、それ以降のデータはありません。",
}

WHY = {
    "en": (
        "*Why* it is so, these data do not say and fixed plans cannot find out: that needs a language model, or your "
        "own look at what happened to the chip at that time."
    ),
    "ja": (
        "*なぜ*そうなったかは固定の手順ではわかりません。"
        "言語モデルか、ご自身での確認(その頃の作業や環境など)が必要です。"
    ),
}


def title_of(metric: Metric, language: Language) -> str:
    """The metric's name in the language."""
    return metric.title_ja if language == "ja" and metric.title_ja else metric.title


def label(qid: str) -> str:
    """`Q7` as `Q07`; couplings as `Q04-Q01`."""
    return "-".join(f"Q{int(part):02d}" for part in qid.split("-"))


def listed(qids: Sequence[str], language: Language) -> str:
    """Labels as a list in the language."""
    labels = [label(qid) for qid in qids]
    if language == "ja":
        return "、".join(labels)
    return f"{', '.join(labels[:-1])} and {labels[-1]}" if len(labels) > 1 else "".join(labels)


def some(qids: Sequence[str], language: Language, most: int = 12, *, in_order: bool = True, unlisted: int = 0) -> str:
    """Labels, in order of their numbers unless told otherwise, at most so many; says how many more there are."""
    ordered = sorted(qids, key=qid_order) if in_order else list(qids)
    more = max(len(ordered) - most, 0) + unlisted
    if not more:
        return listed(ordered, language)
    shown = [label(qid) for qid in ordered[:most]]
    return f"{'、'.join(shown)} ほか{more}個" if language == "ja" else f"{', '.join(shown)} and {more} more"


def things(count: int, kind: str, language: Language) -> str:
    """`1 qubit`, `5 couplings`; Japanese counts its own way."""
    if language == "ja":
        return f"{'量子ビット' if kind == 'qubit' else 'カップリング'}{count}個"
    return f"{count} {kind}{'' if count == 1 else 's'}"


def window_words(window: Window, language: Language) -> str:
    """`in the last 30 days`, `since Monday`."""
    weekdays = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    if window.date is not None:
        return f"{window.date}以降" if language == "ja" else f"since {window.date}"
    if window.weekday is not None:
        return (
            f"{'月火水木金土日'[window.weekday]}曜日以降" if language == "ja" else f"since {weekdays[window.weekday]}"
        )
    if window.days < 1:
        hours = f"{window.days * 24:g}"
        return f"過去{hours}時間" if language == "ja" else f"in the last {hours} hours"
    if language == "ja":
        return f"過去{window.days:g}日間"
    return "in the last day" if window.days == 1 else f"in the last {window.days:g} days"


def changed_words(intent: Intent, metric: Metric) -> str:
    """`lost T1`, `gained T1`, `changed in Qubit Frequency`."""
    name = title_of(metric, intent.language)
    if intent.language == "ja":
        return (
            name
            + {Direction.DOWN: "が低下した", Direction.UP: "が上昇した", Direction.EITHER: "が変化した"}[
                intent.direction
            ]
        )
    verb = {Direction.DOWN: "lost", Direction.UP: "gained", Direction.EITHER: "changed in"}[intent.direction]
    return f"{verb} {name}"


def table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}"]
    lines += [f"| {' | '.join('' if cell is None else str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def quoted(text: str) -> str:
    """Somebody's words as plain text in a cell of a table: no mark-up, no line breaks."""
    return re.sub(r"([\\\\`*_\[\]<>|~$])", r"\\\1", " ".join(text.split()))


def minute(moment: str | None) -> str:
    """An ISO time to the minute."""
    return "–" if not moment else moment[:16].replace("T", " ")


def number(value: Any, metric: Metric) -> str:
    """A value on the displayed scale with its unit; a dash for a missing one."""
    return "–" if value is None else f"{value:.{metric.decimals}f} {metric.unit}"


def days_ago(days: float | None, language: Language) -> str:
    """`in the last 24 h`, `3 d ago`."""
    if days is None:
        return "–"
    if days < 1:
        return "24時間以内" if language == "ja" else "in the last 24 h"
    return f"{days:.0f}日前" if language == "ja" else f"{days:.0f} d ago"
