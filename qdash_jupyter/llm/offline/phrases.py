"""What answers of the planner share: lists, times, tables and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.query import EVER, Window, moment_text
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text, all_of, cut, text_in

Columns = dict[Text, str | Callable[[Any], Any]]
"""The columns of a table: their headings, and of a row the key or what makes a cell of it."""

STATISTICS = {name: name for name in ("median", "mean", "lowest", "highest")} | {"deviation": "standard deviation"}
"""The methods' columns."""

WHY = Message("plan-why")
_WHYS = ("no fit", "no number", "no date", "no reason given", "never calibrated")


@dataclass(frozen=True, slots=True)
class Say:
    """Puts texts into one language."""

    language: Language

    def __call__(self, text: Text) -> str:
        """Return the text in the language."""
        return text_in(text, self.language)

    def name(self, metric: Metric) -> str:
        """Return the metric's name."""
        return metric.title_in(self.language)

    def table(self, columns: Columns, rows: Sequence[Any]) -> str:
        """Return a Markdown table of rows, of declared columns; messages in it are put into the language."""

        def line(cells: Iterable[Any]) -> str:
            return f"| {' | '.join('' if cell is None else str(self(cell)) for cell in cells)} |"

        shown = ((row[what] if isinstance(what, str) else what(row) for what in columns.values()) for row in rows)
        return "\n".join([line(columns), f"|{' --- |' * len(columns)}", *map(line, shown)])


def label(qid: str) -> str:
    """`Q7` as `Q07`; couplings as `Q04-Q01`."""
    return "-".join(f"Q{int(part):02d}" for part in qid.split("-"))


def ids_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ids of rows."""
    return [str(row["qid"]) for row in rows]


def ids(qids: Sequence[str]) -> Field:
    """Labels as a list."""
    return all_of(map(label, qids))


def some(qids: Sequence[str], most: int = 12, *, in_order: bool = True, unlisted: int = 0) -> Field:
    """Labels, in order of their numbers by default, at most so many; says how many more there are."""
    ordered = sorted(qids, key=qid_order) if in_order else list(qids)
    return cut(map(label, ordered), most, unlisted) if len(ordered) > most or unlisted else ids(ordered)


def things(count: int, kind: str) -> Message:
    """`1 qubit`, `5 couplings`."""
    return Message("plan-things", count=count, kind=kind)


def age_words(days: float | None) -> Text:
    """`30 h` up to two days, then `3 days`."""
    if days is None:
        return "–"
    return Message("plan-age", hours=round(24 * days)) if days < 2 else Message("plan-age-days", days=round(days))  # noqa: PLR2004


def grade_words(grade: str) -> Message:
    """Return a grade in words."""
    return Message("plan-grade", grade=grade)


def verdict(word: str) -> Text:
    """Return a verdict in words."""
    return Message("plan-verdict-word", verdict=word.replace(" ", "-"))


def status_words(status: str) -> Message:
    """Return the status of a result, a run or an issue."""
    return Message("task-status", status=status)


def trend_words(told: str) -> Text:
    """Return a trend as tools tell it: `stable`, `up +5%`, `too few measurements (3 of 6)`."""
    word, _, change = told.partition(" ")
    trend = Message("plan-trend-word", trend=word)
    return Message("plan-trend-by", trend=trend, change=change) if change and word in {"up", "down"} else trend


def why_words(told: str) -> Text:
    """Return why there is no value, date or reason, as tools tell it: `no fit`."""
    return Message("plan-missing-why", why=told.replace(" ", "-")) if told in _WHYS else told


def points(unit: str) -> Text:
    """Return a unit of differences: percentage points are `points`."""
    return Message("plan-points") if unit == "pp" else unit


def columns(
    said: str, metric: Metric | None = None, /, *, without: Collection[str] = (), **cells: Callable[[Any], Any]
) -> Columns:
    """Return the columns of a table by their headings: `element start before~ then=second~`.

    What stands below a heading follows from its name (`_KEY_OF`, `_FORMS`).

    Args:
        said: The headings, in order, each a message `plan-heading-…`; behind `=` the key of the row, where it is not
            the usual one. With `~` it is a value of the metric.
        metric: Whose values these are.
        without: Headings that are left out.
        cells: What else makes the cell of a row, by heading.
    """
    found: Columns = {}
    for word in said.split():
        name, _, given = word.removesuffix("~").partition("=")
        key, form = given or _KEY_OF.get(name, name), _FORMS.get(name)
        if metric is not None and word.endswith("~"):
            found |= numbers(metric, {_heading(name): f"{key} [{metric.unit}]"})
        elif name not in without:
            cell = partial(_formed, key=key, form=form) if form else key
            found[_heading(name)] = cells.get(name.replace("-", "_"), cell)
    return found


def _heading(name: str) -> Text:
    if name in STATISTICS:
        return Message("plan-statistic", statistic=name)
    return "" if name == "element" else Message(f"plan-heading-{name}")


def _formed(row: Mapping[str, Any], key: str, form: Callable[[Any], Any]) -> Any:
    return form(row[key])


def numbers(metric: Metric, columns: Mapping[Text, str]) -> Columns:
    """Columns with values of a metric, and their errors: by their heading the method's column."""
    return {heading: partial(number_in, name=name, metric=metric) for heading, name in columns.items()}


def number_in(row: Mapping[str, Any], name: str, metric: Metric) -> str:
    """A value of a row with its error, by the name of its column."""
    value, error = row[name], row.get(name.replace(" [", " ± [")) if " [" in name else None
    return with_error(value, error, metric.unit) if value is not None and error else number(value, metric)


def window_words(window: Window) -> Message:
    """`in the last 30 days`, `from 2026-06-10 to 2026-06-20`, `since 2026-06-15`, `on 2026-06-10`, `in June 2026`."""
    days, since, until = window.days, window.since, window.until
    if days is not None and until is None:
        return Message("plan-last-days", days=days) if days >= 1 else Message("plan-last-hours", hours=days * 24)
    if until is None:
        return (
            Message("plan-so-far")
            if since is None or since == EVER
            else Message("plan-since", since=moment_text(since))
        )
    if since is None:
        return Message("plan-before", until=moment_text(until))
    if since.day == 1 and until == (since + timedelta(days=31)).replace(day=1):
        return Message("plan-in-month", month=since.month, year=str(since.year))
    whole_days = (until.hour, until.minute) == (0, 0)
    last = until - timedelta(days=1) if whole_days else until  # the last day that is in it
    if since == last:
        return Message("plan-on-day", day=moment_text(since))
    return Message("plan-from-to", since=moment_text(since), last=moment_text(last))


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


def took(seconds: float | None, *, finely: bool = False) -> Text:
    """How long something took; of few seconds, where it is told finely, with a digit more."""
    if seconds is None:
        return "–"
    if seconds < _LONG_S:
        return f"{seconds:.1f} s" if finely else Message("plan-duration", seconds=round(seconds))
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < _LONG_S else f"{minutes // 60} h {minutes % 60} min"


_LONG_S = 120
"""From here on minutes are told; from as many minutes on hours."""

_KEYS = """
element=qid run=execution_id task=task_name count=n age=age_days took=elapsed_time by=username newest-run=last
start=start_at measured=start_at from=valid_from written=timestamp reason=excluded_reason
"""
_KEY_OF = {"deviation": STATISTICS["deviation"]} | dict(re.findall(r"(\S+)=(\S+)", _KEYS))
"""The keys of rows that stand below a heading of another name."""

_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "element": lambda qid: label(str(qid)) if qid else "",
    "age": age_words,
    "status": status_words,
    "took": took,
    "verdict": verdict,
    **dict.fromkeys(("start", "measured", "since", "from", "written", "newest-run"), minute),
    **dict.fromkeys(("name", "message", "tags"), lambda text: quoted(text or "")),
    **dict.fromkeys(("by", "reason"), lambda text: quoted(text or "–")),
}
"""How it is written there."""
