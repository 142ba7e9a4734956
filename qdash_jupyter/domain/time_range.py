"""Moments in UTC, and ranges of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FIRST_RESULT = datetime(1999, 4, 29, tzinfo=UTC)
"""No result is older: Nakamura, Pashkin and Tsai published the first superconducting qubit (Nature 398, 786, 1999)."""

CLOCKS_APART = timedelta(minutes=10)
"""The clock of a machine that measures may be ahead of ours by so much."""


def latest_result(now: datetime) -> datetime:
    """Return the last moment, in UTC, from which a result can be: what is dated later has a wrong date."""
    return utc(now) + CLOCKS_APART


def utc(moment: datetime) -> datetime:
    """The moment in UTC. QDash's client is not zone aware: a date without a zone means UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The moments with `since` ≤ moment < `until`, both kept in UTC; None where that end is open. `is_odd`: no moment,
    but what has a date that cannot be, and so none.
    """

    since: datetime | None = None
    until: datetime | None = None
    is_odd: bool = False

    def __post_init__(self) -> None:
        """Bring both ends to UTC."""
        object.__setattr__(self, "since", self.since and utc(self.since))
        object.__setattr__(self, "until", self.until and utc(self.until))

    @property
    def is_bounded(self) -> bool:
        """Whether there is an end at all; without one, what has no date is in the range too."""
        return self.since is not None or self.until is not None or self.is_odd

    def in_words(self, now: datetime) -> str:
        """`2026-05-31 00:00Z to 2026-06-30 00:00Z`; where it has no end of its own, it ends `now`."""
        start = "the beginning" if self.since is None else f"{self.since:%Y-%m-%d %H:%M}Z"
        return f"{start} to {self.until or now:%Y-%m-%d %H:%M}Z"

    def __contains__(self, moment: datetime | None) -> bool:
        """Whether the moment (with a zone; None: unknown) lies in the range."""
        if moment is None:
            return self.is_odd or not self.is_bounded
        return (
            not self.is_odd
            and (self.since is None or self.since <= moment)
            and (self.until is None or moment < self.until)
        )


ANY_TIME, ODD_TIME = TimeRange(), TimeRange(is_odd=True)
