"""Times as people write them."""

from datetime import UTC, datetime, timedelta

import pytest

from qdash_jupyter.domain.windows import moment_of, time_range
from qdash_jupyter.errors import InvalidArguments

WEDNESDAY = datetime(2026, 7, 1, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [("monday", 29), ("Tuesday", 30), (" wednesday ", 31), ("thursday", 25), ("sunday", 28)],
)
def test_a_weekday_is_the_last_one_and_today_counts(text: str, day: int) -> None:
    moment = moment_of(text, WEDNESDAY, "since")
    assert moment == datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=day - 1)
    assert moment.strftime("%A").lower() == text.strip().lower()


@pytest.mark.parametrize(
    ("until", "end"),
    [
        ("2026-06-10", datetime(2026, 6, 11, tzinfo=UTC)),
        ("20260610", datetime(2026, 6, 11, tzinfo=UTC)),
        ("Monday", datetime(2026, 6, 30, tzinfo=UTC)),
        ("2026-06-10T00:00", datetime(2026, 6, 10, tzinfo=UTC)),
        ("1d", WEDNESDAY - timedelta(days=1)),
    ],
)
def test_a_day_until_which_is_asked_is_included(until: str, end: datetime) -> None:
    assert time_range("2026-06-01", until, WEDNESDAY).until == end


def test_one_day_is_a_range() -> None:
    asked = time_range("2026-06-10", "2026-06-10", WEDNESDAY)
    assert asked.in_words(WEDNESDAY) == "2026-06-10 00:00Z to 2026-06-11 00:00Z"
    assert time_range("2d", None, WEDNESDAY).in_words(WEDNESDAY) == "2026-06-29 15:30Z to 2026-07-01 15:30Z"


def test_at_midnight_today_has_begun_and_tomorrow_is_to_come() -> None:
    midnight = datetime(2026, 7, 1, tzinfo=UTC)
    assert time_range("2026-07-01", None, midnight).since == midnight
    with pytest.raises(InvalidArguments, match="begins in the future; it is 2026-07-01 00:00 UTC now"):
        time_range("2026-07-02", None, midnight)
