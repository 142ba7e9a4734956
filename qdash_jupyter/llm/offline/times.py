"""Times that a question speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Before anything was measured."""


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
