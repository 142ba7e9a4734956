"""Times as people write them."""

from datetime import UTC, datetime, timedelta

import pytest

from qdash_jupyter.tools.windows import moment_of

WEDNESDAY = datetime(2026, 7, 1, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [("monday", 29), ("Tuesday", 30), (" wednesday ", 31), ("thursday", 25), ("sunday", 28)],
)
def test_a_weekday_is_the_last_one_and_today_counts(text: str, day: int) -> None:
    moment = moment_of(text, WEDNESDAY, "since")
    assert moment == datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=day - 1)
    assert moment.strftime("%A").lower() == text.strip().lower()
