"""A look at any table: four charts of its columns, and the tool in the notebook that chooses among them.

    from qdash_jupyter import explore as qe

    qe.trend(copilot.data["t1"]["timeseries"], "v", time="t", by="qid", only=["7", "12"], since="30d")

They draw the columns as they are stored; `qdash_jupyter.methods` knows what a metric is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.explore.charts import against, by_element, histogram, trend

__all__ = ["against", "by_element", "histogram", "trend"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        msg = f"module 'qdash_jupyter.explore' has no attribute {name!r}"
        raise AttributeError(msg)
    from qdash_jupyter.explore import charts

    return getattr(charts, name)


OWN_VIEWS: set[str] = set()
"""The ids of the widgets that a cell of the copilot may show: those of this room in this kernel."""
