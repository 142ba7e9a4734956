"""What the model reads of a stored result: whole JSON within a budget, the most useful things first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from qdash_jupyter.store.compact import to_json
from qdash_jupyter.store.frame import StoredResult

SUMMARY_CHARS = 600
"""Budget of a summary, in characters of JSON."""

FEW = 3
"""Up to so many notable things, their mere number is not worth saying."""


def summarise(
    stored: StoredResult,
    *,
    statistics: Mapping[str, Any],
    notable: Sequence[tuple[str, Mapping[str, Any] | Sequence[Any]]],
    budget: int = SUMMARY_CHARS,
) -> str:
    """JSON of at most `budget` characters.

    Scalars pass through; a table becomes its columns and number of rows. Then, while there is room: the notable things
    in the given order (mappings and lists are cut at item borders, the number left out is said), and the statistics.
    What does not fit stays in the frame.
    """
    summary: dict[str, Any] = {}
    for name, value in stored.scalars.items():
        if isinstance(value, (list, tuple)):
            summary[name] = {"_rows": len(value)}
        elif isinstance(value, datetime):
            summary[name] = f"{value:%Y-%m-%d %H:%M}"
        elif value is not None and name != "statistics":
            summary[name] = value
    for name, table in stored.tables.items():
        summary[name] = {"_schema": [str(column) for column in table.columns], "_rows": len(table)}
    summary["data_key"] = stored.key
    summary["_note"] = f"All rows: data[{stored.key!r}]"
    for name, things in notable:
        _fit(summary, name, things, budget - _room_for(statistics, budget))
    for name, values in statistics.items():
        if len(to_json(summary | {"statistics": summary.get("statistics", {}) | {name: values}})) <= budget:
            summary.setdefault("statistics", {})[name] = values
    return to_json(summary)


def _room_for(statistics: Mapping[str, Any], budget: int) -> int:
    """Characters kept free for statistics, so that many notable rows do not crowd all of them out."""
    return min(len(to_json({"statistics": statistics})), budget // 8)


def _fit(summary: dict[str, Any], name: str, things: Mapping[str, Any] | Sequence[Any], budget: int) -> None:
    if not things:
        return
    for count in range(len(things), 0, -1):
        left = len(things) - count
        shown: Any
        if isinstance(things, Mapping):
            shown = dict(list(things.items())[:count]) | ({"_more": left} if left else {})
        else:
            shown = [*list(things)[:count], *([f"+{left} more"] if left else [])]
        if len(to_json(summary | {name: shown})) <= budget:
            summary[name] = shown
            return
    if len(things) > FEW and len(to_json(summary | {name: {"_rows": len(things)}})) <= budget:
        summary[name] = {"_rows": len(things)}


def small_json(stored: StoredResult, limit: int) -> str | None:
    """The whole result as JSON rows when that takes at most `limit` characters, else None."""
    if sum(len(table) for table in stored.tables.values()) * 8 > limit:
        return None
    whole = dict(stored.scalars) | {name: table.to_dict(orient="records") for name, table in stored.tables.items()}
    text = to_json(whole | {"data_key": stored.key})
    return text if len(text) <= limit else None
