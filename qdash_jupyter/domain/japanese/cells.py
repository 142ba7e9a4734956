"""Of code that did not run, and why: what it needs, refusals, cells that never ended."""

from __future__ import annotations

from collections.abc import Mapping

CELLS: Mapping[str, str] = {
    "stopped before it was done": "終了前に停止しました",
}
