"""Files of a result as QDash writes them: names, `write_json`, `savetxt` (its `repository/filesystem.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

ROLE = "qdash_figure_role"


class QDashFiles:
    """Saves into `folder`, which stands for `/app/calib_data/alice/20260624/000` of QDash's machine."""

    def __init__(self, calib_data: Path) -> None:
        self.folder = calib_data / "alice" / "20260624" / "000"

    def save_figures(self, figures: Sequence[go.Figure], task: str, qid: str) -> tuple[str, ...]:
        """The stored paths."""
        paths = []
        for index, figure in enumerate(figures):
            role = (figure.layout.meta or {}).get(ROLE, "")
            path = self._free("fig", "_".join(filter(None, [task, qid, role, str(index)])), "json")
            figure.write_json(str(path))
            paths.append(self._stored(path))
        return tuple(paths)

    def save_raw(self, arrays: Sequence[Any], task: str, qid: str) -> tuple[str, ...]:
        """The stored paths."""
        paths = []
        for index, data in enumerate(arrays):
            path = self._free("raw_data", f"{task}_{qid}_raw_{index}", "csv")
            complete = np.column_stack([data.real, data.imag]) if np.iscomplexobj(data) else data
            np.savetxt(path, complete, delimiter=",")
            paths.append(self._stored(path))
        return tuple(paths)

    def _free(self, kind: str, stem: str, extension: str) -> Path:
        folder = self.folder / kind
        folder.mkdir(parents=True, exist_ok=True)
        path, counter = folder / f"{stem}.{extension}", 0
        while path.exists():
            counter += 1
            path = folder / f"{stem}_{counter}.{extension}"
        return path

    def _stored(self, path: Path) -> str:
        return f"/app/calib_data/{path.relative_to(self.folder.parents[2]).as_posix()}"


def decay_figure(x_us: Any, y: Any, fit_y: Any, *, target: str = "Q07") -> go.Figure:
    """The figure of a T1: a fit as a line of 1,000 points, then the data, on a logarithmic axis."""
    figure = go.Figure()
    figure.add_trace(go.Scatter(x=np.linspace(x_us.min(), x_us.max(), len(fit_y)), y=fit_y, mode="lines", name="Fit"))
    figure.add_trace(go.Scatter(x=x_us, y=y, mode="markers", name="Data"))
    figure.update_layout(
        title=f"T1 : {target}", xaxis_title="Time (μs)", yaxis_title="Signal (arb. units)", xaxis_type="log"
    )
    return figure
