"""The stored tables, as the panel lists them, and the first rows of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice
from typing import Any, TypeGuard

from qdash_jupyter.domain.compact import compact_text
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.ui.panel_state.blocks import sendable
from qdash_jupyter.ui.panel_state.steps import Step

MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 20, 12, 80
"""So much of a table crosses the wire, and of each of its cells."""


def frames_of(store: FrameStore, fetching: Container[str] = ()) -> list[panel.Frame]:
    """One entry a table, of each result the main one first: its names, its shape now, where it came from and when."""
    return [
        {
            "key": key,
            "table": name,
            "main": name == result.main,
            "rows": table.rows,
            "columns": sendable(table.columns),
            "units": {column: unit for column, unit in result.units.items() if column in table.columns},
            "source": result.source.tool,
            "call": sendable(result.source.call),
            "fetched_at": result.fetched_at.timestamp() * 1000,
            "note": _note(result),
            "gone": False,
            "fetching": key in fetching,
        }
        for key, result in list(store.items())
        for name, table in sorted(result.stored_tables.items(), key=lambda one: one[0] != result.main)
    ]


def is_gone(key: str | None, store: FrameStore) -> TypeGuard[str]:
    """Whether there was a result of that key, which went with an earlier kernel."""
    return key is not None and key not in store and key not in store.deleted


def gone_frames(steps: Iterable[Step], store: FrameStore, fetching: Container[str] = ()) -> list[panel.Frame]:
    """What steps fetched in an earlier kernel and is not stored any more, unless the user has deleted it since; the
    newest step of each counts, and says what it had.
    """
    gone: dict[str, panel.Frame] = {}
    for step in steps:
        key = step.block["frame_key"]
        if is_gone(key, store):
            gone[key] = {
                "key": key,
                "table": "",
                "main": True,
                "rows": step.block["rows"] or 0,
                "columns": sendable(step.columns),
                "units": {},
                "source": step.block["name"],
                "call": sendable(step.written),
                "fetched_at": step.block["started_at"],
                "note": "",
                "gone": True,
                "fetching": key in fetching,
            }
    return list(gone.values())


def preview_of(result: StoredResult, name: str) -> panel.Preview:
    """The first rows and columns of a table of it, long cells cut. A table in a file is opened, and let go of again."""
    table = result.stored_tables[name]
    frame = table.to_be_read
    head = frame.iloc[:MOST_ROWS, :MOST_COLUMNS]
    columns = [str(column) for column in head.columns]
    rows = zip(*(head.iloc[:, place].tolist() for place in range(len(columns))), strict=True)
    return {
        "key": result.key,
        "table": name,
        "state": "ready",
        "columns": [_with_unit(column, result.units) for column in columns],
        "rows": [[_cell(value) for value in row] for row in islice(rows, MOST_ROWS)],
        "total_rows": len(frame),
        "total_columns": len(frame.columns),
        "changed": table.changed,
        "read": [Message("documents-read", count=count, name=sendable(name)) for name, count in _read(result).items()],
        "message": "",
    }


def _read(result: StoredResult) -> dict[str, int]:
    """How many documents of each collection."""
    counts: Counter[str] = Counter()
    for read in result.source.reads:
        counts[read.collection] += read.count
    return counts


def _with_unit(column: str, units: dict[str, str]) -> str:
    unit = units.get(column)
    name = compact_text(sendable(column), MOST_LETTERS)
    return f"{name} ({unit})" if unit else name


def _cell(value: Any) -> str | float | bool | None:
    """A number or a truth as it is, all else as text."""
    told = sendable(value)
    if told is None or isinstance(told, (bool, int, float)):
        return told
    return compact_text(told if isinstance(told, str) else str(told), MOST_LETTERS)


def _note(result: StoredResult) -> Text:
    """What became of it beyond its being fetched; nothing of a first version."""
    data = "same" if result.unchanged else "new"
    version = Message("data-version", number=result.version, data=data) if result.version > 1 else ""
    beside = Message("data-beside", name=result.kept) if result.kept is not None else ""
    cut = Message("data-cut", total=result.scalars["total"]) if "cut" in result.scalars else ""
    return sentences(version, beside, cut)
