"""Time windows as people and models write them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from qdash_jupyter.domain.time_range import TimeRange, utc
from qdash_jupyter.errors import InvalidArguments

_AGO = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*(h|hours?|d|days?|w|weeks?|months?)\s*$", re.IGNORECASE)
_DATE = re.compile(r"^\s*\d{4}-?(\d{2}-?\d{2}|W\d{2}-?\d)\s*$", re.IGNORECASE)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1), "m": timedelta(days=30)}


def moment_of(text: str, now: datetime, name: str) -> datetime:
    """The moment that `text` means: `30d`, `24h`, `2 weeks` before `now`, the last `Monday` (today counts) at 0:00 UTC,
    or an ISO date or time (UTC unless zoned).

    Raises:
        InvalidArguments: it is neither.
    """
    try:
        if match := _AGO.match(text):
            return now - float(match.group(1)) * _UNITS[match.group(2)[0].lower()]
        if text.strip().lower() in _WEEKDAYS:
            back = (now.weekday() - _WEEKDAYS.index(text.strip().lower())) % 7
            return now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=back)
        return utc(datetime.fromisoformat(text.strip()))
    except (ValueError, OverflowError):
        raise InvalidArguments.with_hint("not-a-time", name=name, text=text) from None


def end_of(text: str, now: datetime, name: str = "until") -> datetime:
    """The moment until which `text` means: of a day (a date, or a weekday), its end.

    Raises:
        InvalidArguments: it is no time.
    """
    end = moment_of(text, now, name)
    is_day = _DATE.match(text) or text.strip().lower() in _WEEKDAYS
    return end + timedelta(days=1) if is_day else end


def time_range(since: str | None, until: str | None, now: datetime) -> TimeRange:
    """The time range between two moments as `moment_of` reads them, the last day included; open where one is not given.

    Raises:
        InvalidArguments: one of them is no time, or they are not in order.
    """
    start = moment_of(since, now, "since") if since else None
    end = end_of(until, now) if until else None
    if start is not None and end is not None and start >= end:
        raise InvalidArguments.with_hint("since-not-before-until")
    if start is not None and start > now:  # at midnight, "today" has only begun
        raise InvalidArguments.with_hint("since-to-come", now=now)
    return TimeRange(start, end)
