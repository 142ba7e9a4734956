"""What the planner says, in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.llm.offline.times import EVER, Window, moment_text

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

Columns = dict[Words | str, str | Callable[[Any], Any]]
"""The columns of a table: their headings, and of a row the key or what makes a cell of it."""

STATISTICS = {
    "median": Words("median", "中央値"),
    "mean": Words("mean", "平均"),
    "deviation": Words("standard deviation", "標準偏差"),
    "lowest": Words("lowest", "最小値"),
    "highest": Words("highest", "最大値"),
}
"""In words; the English ones are the names of the methods' columns, too."""

_SO_FAR = Words("so far", "これまで")

GRADES = {
    "excellent": Words("excellent", "非常に良い"),
    "good": Words("good", "良い"),
    "below good": Words("below good", "基準未満"),
    "bad": Words("bad", "悪い"),
}

WHY = Words(
    "*Why* it is so, these data do not say and fixed plans cannot find out: that needs a language model, or your own "
    "look at what happened to the chip at that time.",
    "*なぜ*そうなったかは固定の手順ではわかりません。言語モデルか、ご自身での確認(その頃の作業や環境など)が必要です。",
)
_VERDICTS = {"fell": "低下", "rose": "上昇", "stable": "変化なし", "too few": "測定不足", "not measured": "測定なし"}
_VERDICTS |= {"fitted": "適合", "not determined": "決定できず"}
BOTH = Words("{} and {}", "{}と{}")
THINGS = {"qubit": Words("qubit", "量子ビット"), "coupling": Words("coupling", "カップリング")}


@dataclass(frozen=True, slots=True)
class Say:
    """What is said, in one language."""

    language: Language

    @property
    def japanese(self) -> bool:
        """Whether it is Japanese, which orders and joins words its own way."""
        return self.language == "ja"

    def __call__(self, words: Words, /, *given: Any, **named: Any) -> str:
        """The words with what stands in their places; of a `count` the English forms follow."""
        is_one = named.get("count") == 1
        forms = {"s": "" if is_one else "s", "have": "has" if is_one else "have", "were": "was" if is_one else "were"}
        return words.of(self.language).format(*given, **forms | named)

    def name(self, metric: Metric) -> str:
        """The metric's name."""
        return metric.title_in(self.language)

    def listed(self, words: Sequence[str], last: str = "and") -> str:
        """`a`, `a and b`, `a, b and c`; in Japanese with commas alone."""
        if self.japanese or len(words) < 2:  # noqa: PLR2004 - nothing to list
            return "、".join(words)
        return f"{', '.join(words[:-1])} {last} {words[-1]}"

    def ids(self, qids: Sequence[str]) -> str:
        """Labels as a list."""
        return self.listed([label(qid) for qid in qids])

    def some(self, qids: Sequence[str], most: int = 12, *, in_order: bool = True, unlisted: int = 0) -> str:
        """Labels, in order of their numbers unless told otherwise, at most so many; says how many more there are."""
        ordered = sorted(qids, key=qid_order) if in_order else list(qids)
        more = max(len(ordered) - most, 0) + unlisted
        if not more:
            return self.ids(ordered)
        shown = [label(qid) for qid in ordered[:most]]
        return f"{'、'.join(shown)} ほか{more}個" if self.japanese else f"{', '.join(shown)} and {more} more"

    def things(self, count: int, kind: str) -> str:
        """`1 qubit`, `5 couplings`; Japanese counts its own way."""
        if self.japanese:
            return f"{THINGS[kind].ja}{count}個"
        return f"{count} {kind}{'' if count == 1 else 's'}"

    def when(self, window: Window) -> str:
        """The window in words."""
        return window_words(window, self.language)

    def ago(self, days: float | None) -> str:
        """`in the last 24 h`, `3 d ago`."""
        if days is None:
            return "–"
        if days < 1:
            return self(Words("in the last 24 h", "24時間以内"))
        return self(Words("{:.0f} d ago", "{:.0f}日前"), days)

    def stored(self, stored: str) -> str:
        """Where the rows are that were too many to be told."""
        return self(Words("All of them: {}.", "すべて: {}。"), stored)

    def verdict(self, row: Mapping[str, Any]) -> str:
        """The verdict of a row."""
        return _VERDICTS.get(row["verdict"], row["verdict"]) if self.japanese else str(row["verdict"])

    def points(self, unit: str) -> str:
        """A unit of differences: percentage points are `points`."""
        return self(Words("points", "ポイント")) if unit == "pp" else unit

    def table(self, columns: Columns, rows: Sequence[Any]) -> str:
        """A Markdown table of rows, of declared columns."""
        cells = [[row[what] if isinstance(what, str) else what(row) for what in columns.values()] for row in rows]
        return table([words if isinstance(words, str) else self(words) for words in columns], cells)


ENGLISH = Say("en")


def label(qid: str) -> str:
    """`Q7` as `Q07`; couplings as `Q04-Q01`."""
    return "-".join(f"Q{int(part):02d}" for part in qid.split("-"))


ELEMENT: Columns = {"": lambda row: label(str(row["qid"]))}
"""The column that says whose a row is."""


def valued(metric: Metric, columns: Mapping[Words | str, str]) -> Columns:
    """Columns with values of a metric: by their heading the method's column, without its unit."""

    def cell(row: Any, name: str) -> str:
        return number(row[f"{name} [{metric.unit}]"], metric)

    return {heading: partial(cell, name=name) for heading, name in columns.items()}


def window_words(window: Window, language: Language) -> str:
    """`in the last 30 days`, `from 2026-06-10 to 2026-06-20`, `since 2026-06-15`, `on 2026-06-10`, `in June 2026`."""
    days, since, until = window.days, window.since, window.until
    last = until
    if until is not None and (until.hour, until.minute) == (0, 0):
        last = until - timedelta(days=1)  # of whole days the one before is the last that is in it
    if days is not None and until is None:
        one_day = Words("in the last day", "過去1日間")
        words = one_day if days == 1 else Words("in the last {days:g} days", "過去{days:g}日間")
        words = words if days >= 1 else Words("in the last {hours:g} hours", "過去{hours:g}時間")
    elif until is None:
        words = _SO_FAR if since is None or since == EVER else Words("since {since}", "{since}以降")
    elif since is None:
        words = Words("before {until}", "{until}より前")
    elif since.day == 1 and until == (since + timedelta(days=31)).replace(day=1):
        words = Words("in {month} {year}", "{year}年{number}月")
    else:
        words = (
            Words("on {since}", "{since}")
            if since == last
            else Words("from {since} to {last}", "{since}から{last}まで")
        )
    return words.of(language).format(
        **{name: moment_text(at) for name, at in (("since", since), ("until", until), ("last", last)) if at},
        **({"month": _MONTHS[since.month - 1], "number": since.month, "year": since.year} if since else {}),
        days=days,
        hours=(days or 0) * 24,
    )


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


def stored_number(value: float, metric: Metric) -> str:
    """A stored value as `number` shows it; a fidelity as its error where the metric is one."""
    shown = value * metric.scale
    return number(100 - shown if metric.title.endswith("Error") else shown, metric)


def number(value: Any, metric: Metric) -> str:
    """A value on the displayed scale with its unit; a dash for a missing one."""
    return "–" if value is None else f"{value:.{metric.decimals}f} {metric.unit}"
