"""The times that a question speaks of, in English and Japanese, as windows counted from its now."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from qdash_jupyter.llm.offline.sentence import FLAGS, Sentence

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Before anything was measured."""

_DAY = timedelta(days=1)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH = rf"(?P<month>{_MONTHS})(?:uary|ruary|ch|il|e|y|ust|t(?:ember)?|tember|ober|ember)?\b\.?"
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAYS_JA = "月火水木金土日"
_ORDINAL = r"(?:st|nd|rd|th)?"
_TO = r"\s*(?:to|through|thru|until|till|-|–|—|~|〜|から|and|と)\s*(?:the\s+)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"


@dataclass(frozen=True, slots=True)
class Window:
    """A time: from `since` until `until` (not in it any more). Both are UTC; None is open: from ever, until now."""

    since: datetime | None = None
    until: datetime | None = None
    days: float | None = None
    """Its length where the question gave one: "the last 30 days"."""

    @property
    def is_bounded(self) -> bool:
        """Whether either end is given."""
        return self.since is not None or self.until is not None

    @property
    def since_text(self) -> str | None:
        """The beginning as tools and cells take it: a date, or an ISO time."""
        return None if self.since is None else moment_text(self.since)

    @property
    def until_text(self) -> str | None:
        """The end as tools take it: a time, as a date would be the whole of that day."""
        return None if self.until is None else f"{self.until:%Y-%m-%dT%H:%M}"


def moment_text(moment: datetime) -> str:
    """`2026-06-10`, or `2026-06-10T14:30` where it is not midnight."""
    return f"{moment:%Y-%m-%dT%H:%M}" if (moment.hour, moment.minute) != (0, 0) else f"{moment:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of the question, and the time it means, its end not in it. `last` counts back from now."""

    start: int
    end: int
    since: datetime
    until: datetime
    days: float | None = None
    which: str = ""


_Maker = Callable[[re.Match[str], datetime], tuple[datetime, datetime] | None]


def windows_in(sentence: Sentence, now: datetime) -> list[Window]:
    """Take the windows that a question names, in its order; at most two, what is beyond stays."""
    spans: list[_Span | None] = [*_spans(sentence.rest, now)]
    found: list[Window] = []
    for place, span in enumerate(spans):
        if span is None or len(found) > 1:
            continue
        following = spans[place + 1] if place + 1 < len(spans) else None
        window, start, end, joined = _window_of(sentence.rest, span, following, now)
        if joined:
            spans[place + 1] = None
        sentence.blank(start, end, "window" if not found else "against")
        found.append(window)
    return found


# --- single times ---------------------------------------------------------------------------------------------------


def _spans(text: str, now: datetime) -> list[_Span]:
    """All times, in their order; of two that overlap the first kind in the table."""
    found: list[_Span] = []
    before_that = re.search(_BEFORE_THAT, text, FLAGS)

    def is_free(match: re.Match[str]) -> bool:
        taken = [(one.start, one.end) for one in found] + ([before_that.span()] if before_that else [])
        return all(match.end() <= start or match.start() >= end for start, end in taken)

    for pattern, make in _MOMENTS:
        for match in re.finditer(pattern, text, FLAGS):
            if is_free(match) and (made := make(match, now)) is not None:
                which = "range" if make is _dates else ""
                found.append(_Span(match.start(), match.end(), *made, which=which))
    both = re.search(r"(?:this|the past) week|今週", text) and re.search(r"\blast week|先週", text)
    for pattern, days in _BACK:
        for match in re.finditer(pattern, text, FLAGS):
            length = days * float(match.groupdict().get("count") or 1)
            if not is_free(match) or not 0 < length < 36_500:  # noqa: PLR2004 - a century
                continue
            end = now - timedelta(days=7) if both and re.match(r"last week|先週", match.group(0)) else now
            given = length if end == now else None
            start = match.end() - len(match.group(0).lstrip())
            found.append(_Span(start, match.end(), end - timedelta(days=length), end, given, "last"))
    if before_that and found:
        first = min(found, key=lambda one: one.start)
        start = before_that.start()
        found.append(_Span(start, before_that.end(), first.since - (first.until - first.since), first.since))
    return sorted(found, key=lambda one: one.start)


def _day(year: int | None, month: int, day: int, now: datetime) -> datetime | None:
    """A day; without its year the last one that is not after now. None where there is no such day."""
    try:
        if year is not None:
            return datetime(year, month, day, tzinfo=UTC)
        found = datetime(now.year, month, day, tzinfo=UTC)
        return found if found <= now else datetime(now.year - 1, month, day, tzinfo=UTC)
    except ValueError:
        return None


def _whole(day: datetime | None) -> tuple[datetime, datetime] | None:
    return None if day is None else (day, day + _DAY)


def _month_number(match: re.Match[str]) -> int:
    named = match.groupdict().get("month") or ""
    return int(named) if named.isdigit() else _MONTHS.split("|").index(named[:3]) + 1


def _year(match: re.Match[str]) -> int | None:
    found = match.groupdict().get("year")
    return int(found) if found else None


def _date(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    return _whole(_day(_year(match), _month_number(match), int(match["day"]), now))


def _dates(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    """`June 10 to 20`: both days of one month."""
    first, last = (_day(_year(match), _month_number(match), int(match[name]), now) for name in ("day", "last"))
    return None if first is None or last is None or last < first else (first, last + _DAY)


def _month(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    first = _day(_year(match), _month_number(match), 1, now)
    return None if first is None else (first, (first + 31 * _DAY).replace(day=1))


def _third(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    """The first ten days of a month, the next ten, or the rest."""
    month = _month(match, now)
    if month is None:
        return None
    which = {"early": 0, "start": 0, "begin": 0, "上旬": 0, "初め": 0, "mid": 1, "中旬": 1, "半ば": 1}
    place = next((place for word, place in which.items() if word in match["third"]), 2)
    first = month[0] + timedelta(days=10 * place)
    return first, month[1] if place == 2 else first + timedelta(days=10)  # noqa: PLR2004 - the last


def _whole_year(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    del now
    first = datetime(int(match["year"]), 1, 1, tzinfo=UTC)
    return first, first.replace(year=first.year + 1)


def _weekday(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    named = match["weekday"]
    number = _WEEKDAYS_JA.index(named) if named in _WEEKDAYS_JA else _WEEKDAYS.split("|").index(named)
    if week := match.groupdict().get("week"):
        monday = _midnight(now) - timedelta(days=now.weekday() + (7 if week in {"last", "先週"} else 0))
        return _whole(monday + timedelta(days=number))
    back = (now.weekday() - number) % 7
    return _whole(_midnight(now) - timedelta(days=7 if back == 0 and match[0].startswith("last") else back))


def _ago(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    length = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365, "時": 1 / 24, "日": 1, "週": 7}.get(match["unit"][0], 30)
    back = timedelta(days=float(match["count"]) * length)
    return (now - back, now - back) if length < 1 else _whole(_midnight(now - back))


def _back_to(days: int) -> _Maker:
    return lambda _, now: _whole(_midnight(now) - timedelta(days=days))


def _last_month(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    del match
    first = _midnight(now).replace(day=1)
    return (first - _DAY).replace(day=1), first


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


_MOMENTS: tuple[tuple[str, _Maker], ...] = (
    (r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d|-\d)(?:t\d\d:\d\d)?", _date),
    (rf"(?:(?P<year>\d{{4}})年)?(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})日?{_TO}(?P<last>\d{{1,2}})日(?!間)", _dates),
    (r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日", _date),
    (r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月の?(?P<third>上旬|中旬|下旬|初め|半ば|末)", _third),
    (r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?!間)", _month),
    (r"(?<!\d)(?P<month>\d{1,2})月(?!間|\d)", _month),
    (r"(?P<year>\d{4})年(?!\d)", _whole_year),
    (r"(?<=\bin )(?P<year>20\d\d)\b(?![-/])", _whole_year),
    (
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}}){_ORDINAL}{_TO}(?P<last>\d{{1,2}}){_ORDINAL}(?![\d-]|\s*(?:%|us|μs)){_YEAR}",
        _dates,
    ),
    (rf"(?<!\w)(?P<day>\d{{1,2}}){_ORDINAL}{_TO}(?P<last>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?{_MONTH}{_YEAR}", _dates),
    (rf"\b{_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}}){_ORDINAL}(?![\d:]){_YEAR}", _date),
    (rf"(?<!\w)(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?{_MONTH}{_YEAR}", _date),
    (rf"\b(?:the )?(?P<third>early|mid(?:dle)?|late|beginning|start|end)(?: of)?[\s-]+{_MONTH}{_YEAR}", _third),
    (rf"\b(?!may\b){_MONTH}{_YEAR}", _month),
    (
        (
            rf"(?:(?<=\bin )|(?<=\bof )|(?<=since )|(?<=from )|(?<=with )|(?<=than )|(?<=\bvs )|(?<=and )"
            rf"|(?<=\bto )){_MONTH}{_YEAR}"
        ),
        _month,
    ),
    (rf"\b{_MONTH}\b(?=\s+(?:and|vs|with|to)\b){_YEAR}", _month),
    (r"(?<![\d/.])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])", _date),
    (rf"\b(?P<weekday>{_WEEKDAYS})\s+(?:of\s+)?(?P<week>last|this) week\b", _weekday),
    (rf"\b(?:this\s+|last\s+|past\s+)?(?P<weekday>{_WEEKDAYS})\b", _weekday),
    (rf"(?P<week>先週|今週)の?(?P<weekday>[{_WEEKDAYS_JA}])曜日?", _weekday),
    (rf"(?P<weekday>[{_WEEKDAYS_JA}])曜日?", _weekday),
    (r"(?:the )?day before yesterday|一昨日|おととい", _back_to(2)),
    (r"\byesterday\b|昨日", _back_to(1)),
    (r"\btoday\b|今日|本日|今朝", _back_to(0)),
    (r"(?<!the )(?<!past )\blast month\b|先月", _last_month),
    (r"(?<![\d.])(?P<count>\d+)\s*(?P<unit>hour|day|week|month|year)s?\s+ago\b", _ago),
    (r"(?<![\d.])(?P<count>\d+)\s*(?P<unit>時間|日|週間?|[かヶケカ箇]月)前", _ago),
)
"""Times on the calendar."""

_LAST = r"(?:(?:the|these|this)\s+)?(?:last|past|previous|recent|latest|preceding|whole)?\s*"
_OVER = r"(?:(?:過去|直近|最近|ここ|この|前)の?\s*)?"
_N = r"(?<![\w.])(?P<count>\d+(?:\.\d+)?)\s*-?\s*"
_BACK: tuple[tuple[str, float], ...] = (
    (rf"{_LAST}{_N}(?:hours?|hrs?|h)\b", 1 / 24),
    (rf"{_OVER}{_N}時間", 1 / 24),
    (rf"{_LAST}{_N}(?:days?|nights?|d)\b", 1.0),
    (rf"{_OVER}{_N}日間?(?!前)", 1.0),
    (rf"{_LAST}{_N}(?:weeks?|wks?|w)\b", 7.0),
    (rf"{_OVER}{_N}週間?(?!前)", 7.0),
    (rf"{_LAST}{_N}months?\b", 30.0),
    (rf"{_OVER}{_N}[かヶケカ箇]月間?(?!前)", 30.0),
    (rf"{_LAST}{_N}years?\b", 365.0),
    (rf"{_OVER}{_N}年間", 365.0),
    (r"(?:the\s+)?(?:last|past)\s+fortnight|\bfortnight", 14.0),
    (r"(?:the\s+)?(?:last|past|this|whole)\s+week\b|week-over-week|先週|今週|この一週間|ここ一週間", 7.0),
    (r"(?:the\s+)?(?:last|past|this|whole)\s+month\b|今月|この一ヶ月|ここ一か月|ここ一ヶ月", 30.0),
    (r"(?:the\s+)?(?:last|past|this)\s+quarter|四半期", 90.0),
    (r"half a year|半年", 182.0),
    (r"(?:the\s+)?(?:last|past|this)\s+year\b|今年|去年|昨年", 365.0),
    (r"last night|overnight|昨夜|昨晩|一晩", 1.0),
)
"""Times that count back from now, in days."""

_BEFORE_THAT = (
    r"(?:(?<=vs )|(?<=vs\. )|(?<=with )|(?<=to )|(?<=than )|(?<=and ))(?:the\s+)?previous\s+\d*\s*(?:days?|weeks?"
    r"|months?)\b|(?:the\s+)?(?:(?:\d+\s+)?(?:days?|weeks?|months?)\s+before(?:\s+(?:that|it|then))?|one before"
    r"|previous one)\b|(?:そ|こ)の前の?(?:\d+日間?|\d*週間?|[かヶケ]?月|期間)?|前の(?:週|月)"
)
"""The same length before the time that was named first."""


# --- times in a sentence --------------------------------------------------------------------------------------------

_STARTS = r"(?:since|from|than|after|starting(?:\s+(?:on|from|in))?|beginning(?:\s+(?:on|in))?|as of)\s+(?:the\s+)?$"
_ENDS = r"(?:until|till|up to|through|by)\s+(?:the\s+)?(?:end of\s+)?$"
_BEFORE = r"(?:before|prior to|earlier than)\s+(?:the\s+)?$"
_WITHIN = (
    r"(?:(?:(?:more|longer|older)\s+than|at least)\s+)?(?:\b(?:on|in|at|during|over|within|throughout|for|of"
    r"|from|than)\s+)?(?:the\s+)?$"
)
_STARTS_JA = r"^\s*(?:より(?!前|後)も?|以降|以来|以後|から|より後|の?後)(?!の量子)"
_ENDS_JA = r"^\s*(?:まで|以前)(?:の間)?"
_BEFORE_JA = r"^\s*(?:より前|の?前)"
_WITHIN_JA = r"^\s*(?:(?:の間|間|中|以上|以内|に|で|は|の)*)"
_JOINS = r"^\s*(?:to|through|thru|until|till|up to|-|–|—|~|〜|から)\s*(?:the\s+)?$"
_AND = r"^\s*(?:and|と)\s*(?:the\s+)?$"


def _window_of(text: str, span: _Span, following: _Span | None, now: datetime) -> tuple[Window, int, int, bool]:
    """The window of a time with the words around it, where these begin and end, and whether the next time ends it."""
    before = text[: span.start]
    from_here = re.search(_STARTS, before, FLAGS)
    if following is not None and span.which != "last":
        between = text[span.end : following.start]
        is_pair = re.search(r"\bbetween\s+(?:the\s+)?$", before) or re.match(r"\s*の間", text[following.end :])
        if re.match(_JOINS, between) or (is_pair and re.match(_AND, between)):
            start = is_pair.start() if is_pair and is_pair.re.pattern.startswith(r"\b") else span.start
            start = from_here.start() if from_here else start
            since = _before(span.since, following.until)
            behind = re.match(r"\s*(?:まで)?(?:の間)?(?:に|の|で|は)*", text[following.end :])
            end = following.end + (behind.end() if behind else 0)
            return Window(since, following.until), start, end, True
    after = text[span.end :]
    if span.which == "last":
        lead = re.search(rf"{_WITHIN}|(?:since|from)\s+$", before, FLAGS)
        behind = re.match(r"^\s*(?:で|に|の間|間|の|から|以上|以降|は)*", after)
        return _made(span, lead, behind, Window(span.since, None if span.until == now else span.until, span.days))
    if span.which == "range":
        lead = re.search(rf"(?:from|between)\s+(?:the\s+)?$|{_WITHIN}", before, FLAGS)
        return _made(span, lead, re.match(rf"^\s*(?:まで)?{_WITHIN_JA[1:]}", after), _until_now(span, now))
    is_after = from_here is not None and from_here.group(0).startswith("after") and span.until > span.since
    ways: tuple[tuple[re.Match[str] | None, re.Match[str] | None, Window], ...] = (
        (from_here, None, Window(span.until if is_after else span.since)),
        (re.search(_ENDS, before, FLAGS), None, Window(None, span.until)),
        (re.search(_BEFORE, before, FLAGS), None, Window(None, span.since)),
        (None, re.match(_BEFORE_JA, after, FLAGS), Window(None, span.since)),
        (None, re.match(_STARTS_JA, after, FLAGS), Window(span.since)),
        (None, re.match(_ENDS_JA, after, FLAGS), Window(None, span.until)),
        (re.search(_WITHIN, before, FLAGS), re.match(_WITHIN_JA, after, FLAGS), _until_now(span, now)),
    )
    lead, behind, window = next(way for way in ways if way[0] or way[1])
    return _made(span, lead, behind, window)


def _before(since: datetime, until: datetime) -> datetime:
    """The same weekday, or day of the year, before that."""
    if since < until:
        return since
    return since - timedelta(days=7) if since - until < timedelta(days=7) else since.replace(year=since.year - 1)


def _until_now(span: _Span, now: datetime) -> Window:
    return Window(span.since, None if span.until > now else span.until)


def _made(
    span: _Span, lead: re.Match[str] | None, behind: re.Match[str] | None, window: Window
) -> tuple[Window, int, int, bool]:
    return window, lead.start() if lead else span.start, span.end + (behind.end() if behind else 0), False
