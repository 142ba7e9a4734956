"""Which moments lie in a range of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_the_older_end_belongs_to_it_and_the_newer_one_does_not() -> None:
    day = TimeRange(NOON, NOON + timedelta(days=1))
    asked = [NOON - SECOND, NOON, day.until, day.until - SECOND if day.until else None]
    assert [moment in day for moment in asked] == [False, True, False, True]
    assert NOON in TimeRange(NOON)
    assert NOON not in TimeRange(None, NOON)


def test_what_has_no_date_is_only_in_the_open_range() -> None:
    assert None in ANY_TIME
    assert NOON in ANY_TIME
    assert [None in half for half in (TimeRange(NOON), TimeRange(None, NOON))] == [False, False]
    assert not ANY_TIME.is_bounded


def test_ends_are_kept_in_utc() -> None:
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))
    assert TimeRange(tokyo, NOON.replace(tzinfo=None)) == TimeRange(NOON, NOON)
    assert str(TimeRange(tokyo).since) == "2026-03-01 12:00:00+00:00"
