"""Times and durations as the model reads them; times are always in UTC."""

from __future__ import annotations

import math
from datetime import datetime

from qdash_jupyter.domain.compact import compact_number


def short_timestamp(moment: datetime, now: datetime) -> str:
    """`MM-DD HH:MM`, with the year before it where that is not the present one."""
    return f"{moment:%m-%d %H:%M}" if moment.year == now.year else f"{moment:%Y-%m-%d %H:%M}"


def full_timestamp(moment: datetime | None) -> str | None:
    """ISO text with year and zone, to the second."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def shown_duration(seconds: float) -> str | None:
    """A duration with its unit; null when unknown."""
    return None if math.isnan(seconds) else f"{compact_number(seconds)} s"
