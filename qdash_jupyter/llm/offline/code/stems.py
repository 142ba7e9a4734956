"""Pieces that all generated cells share: names, scales, windows, and texts that are safe in code."""

from __future__ import annotations

import re

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.spans import Window

LONGEST_COMMENT = 110


def stem_of(metric: Metric) -> str:
    """The parameter as the stem of Python names."""
    stem = re.sub(r"\W+", "_", metric.key, flags=re.ASCII).strip("_").lower()
    return stem if stem and not stem[0].isdigit() else f"p_{stem}"


def scale_of(metric: Metric) -> str:
    """The factor to the displayed scale, as code behind a value."""
    return f" * {metric.scale:g}" if metric.scale != 1 else ""


def labels_of(metric: Metric, ids: str) -> str:
    """The expression for the labels of a column of ids."""
    return f'"Q" + {ids}.str.zfill(2)' if metric.kind == "qubit" else ids


def window_start(window: Window, as_of: str) -> str:
    """The expression for a window's start; `as_of` is the name that holds now."""
    if window.date is not None:
        return f'pd.Timestamp("{window.date}", tz="UTC")'
    if window.weekday is not None:
        return f"{as_of}.normalize() - pd.Timedelta(days=({as_of}.weekday() - {window.weekday}) % 7)"
    if window.days < 1:
        return f"{as_of} - pd.Timedelta(hours={window.days * 24:g})"
    return f"{as_of} - pd.Timedelta(days={window.days:g})"


def comment(text: str) -> str:
    """A user's words as a comment: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_COMMENT else f"{line[:LONGEST_COMMENT].rstrip()}…"


def quoted(text: str) -> str:
    """Words for a string in double quotes."""
    return text.replace("\\", "").replace('"', "'")
