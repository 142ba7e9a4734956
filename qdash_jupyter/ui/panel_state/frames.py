"""The stored tables, as the panel lists them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.store.store import FrameStore


def frames_of(store: FrameStore) -> list[panel.Frame]:
    """One entry a table: its name as one types it, its shape, the units of its columns, where it came from and when."""
    return [
        {
            "key": key,
            "name": f"data[{_quoted(key)}][{_quoted(name)}]",
            "rows": table.rows,
            "columns": table.columns,
            "units": {column: unit for column, unit in result.units.items() if column in table.columns},
            "source": result.source.tool,
            "fetched_at": result.fetched_at.timestamp() * 1000,
            "gone": False,
        }
        for key, result in list(store.items())
        for name, table in result.stored_tables.items()
    ]


def gone_frames(steps: Iterable[panel.StepBlock]) -> list[panel.Frame]:
    """What steps fetched in an earlier kernel and is not stored any more; the newest step of each counts."""
    gone: dict[str, panel.Frame] = {
        step["frame_key"]: {
            "key": step["frame_key"],
            "name": f"data[{_quoted(step['frame_key'])}]",
            "rows": step["rows"] or 0,
            "columns": [],
            "units": {},
            "source": step["name"],
            "fetched_at": step["started_at"],
            "gone": True,
        }
        for step in steps
        if step["frame_gone"] and step["frame_key"] is not None
    }
    return list(gone.values())


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
