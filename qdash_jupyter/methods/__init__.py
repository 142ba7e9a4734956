"""What the copilot computes with: pure functions on its tables, for planner, model and people alike.

    from qdash_jupyter import methods as qm

    t1_changes = qm.changes(copilot.data["t1"], since="30d")

A function takes a stored series or summary (`copilot.data["t1"]`), or one of its tables, and gives a DataFrame or a
Plotly figure; nothing that it is given is changed. Stored units (μs, GHz, fractions) go in, shown units (μs, GHz, %)
come out, in brackets behind the name of each column. `attrs["method"]` of a result says in one sentence how it was
found, `attrs["window"]` of what time. Words in `verdict` are the same everywhere: fell, rose, stable, too few, not
measured. Times are UTC. All of it needs numpy and pandas alone, Plotly where a chart is drawn, and scipy where a curve
is fitted. A map of the chip is drawn by the tool `generate_chip_heatmap`, which knows the places.

Arguments that many share:

- `series`: a stored series, or its table: `qid`, `t`, `v` in the stored unit (NaN does not count), `error`.
- `qids`: these qubits or couplings alone, however they are written; a coupling in either direction.
- `since`, `until`: a time, or how long before now (that of the data): `"2026-06-01"`, a Timestamp, `"30d"`, `"12h"`,
  `30` days. What is from since on counts, until the end of a date, or before another time.
- `smallest`: the smallest change that is named, in the unit of the result's column `change`.
- `parameter`: the metric, where the table does not say it; which one of a summary's.
- `unit`: the unit to show it in, where another than the usual one is wanted: `"kHz"`.
- `title`: that of a chart; the metric's name unless given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.methods.charts import (
        band_chart,
        bar_chart,
        histogram,
        levels_chart,
        ranking_chart,
        scatter_chart,
        series_chart,
    )
    from qdash_jupyter.methods.concerns import attention
    from qdash_jupyter.methods.conditions import meeting
    from qdash_jupyter.methods.couplings import best_connected, best_patch
    from qdash_jupyter.methods.current import findings, overall, overview, ranked, shown, unmeasured
    from qdash_jupyter.methods.curves.audit import audit, audited
    from qdash_jupyter.methods.curves.chart import curve_chart
    from qdash_jupyter.methods.curves.curve import Curve, Shots, StoredParameter
    from qdash_jupyter.methods.curves.fit import fit_curve
    from qdash_jupyter.methods.curves.judge import judge
    from qdash_jupyter.methods.curves.tables import curves_of
    from qdash_jupyter.methods.curves.trust import left_out, reliable_only
    from qdash_jupyter.methods.distributions import by_period, outliers, spread
    from qdash_jupyter.methods.fits import fit_exponential, fit_line
    from qdash_jupyter.methods.levels import changes, compare_windows
    from qdash_jupyter.methods.noise import allan_deviation, telegraph
    from qdash_jupyter.methods.relations import relation
    from qdash_jupyter.methods.slopes import trends
    from qdash_jupyter.methods.steps import jumps

_HOMES = {
    name: f"qdash_jupyter.methods.{module}"
    for module, names in {
        "levels": "changes compare_windows",
        "steps": "jumps",
        "slopes": "trends",
        "distributions": "spread outliers by_period",
        "concerns": "attention",
        "relations": "relation",
        "noise": "allan_deviation telegraph",
        "fits": "fit_line fit_exponential",
        "conditions": "meeting",
        "couplings": "best_connected best_patch",
        "current": "shown overview findings unmeasured ranked overall",
        "curves.audit": "audit audited",
        "curves.chart": "curve_chart",
        "curves.curve": "Curve Shots StoredParameter",
        "curves.fit": "fit_curve",
        "curves.judge": "judge",
        "curves.tables": "curves_of",
        "curves.trust": "left_out reliable_only",
        "charts": "series_chart levels_chart ranking_chart band_chart bar_chart histogram scatter_chart",
    }.items()
    for name in names.split()
}
"""Where the public names live; imported when first asked for, so that loading the extension stays quick."""

__all__ = [
    "Curve",
    "Shots",
    "StoredParameter",
    "allan_deviation",
    "attention",
    "audit",
    "audited",
    "band_chart",
    "bar_chart",
    "best_connected",
    "best_patch",
    "by_period",
    "changes",
    "compare_windows",
    "curve_chart",
    "curves_of",
    "findings",
    "fit_curve",
    "fit_exponential",
    "fit_line",
    "histogram",
    "judge",
    "jumps",
    "left_out",
    "levels_chart",
    "meeting",
    "outliers",
    "overall",
    "overview",
    "ranked",
    "ranking_chart",
    "relation",
    "reliable_only",
    "scatter_chart",
    "series_chart",
    "shown",
    "spread",
    "telegraph",
    "trends",
    "unmeasured",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        from qdash_jupyter.errors import nearest

        near = f". Did you mean {' or '.join(nearest(name, __all__))}?" if nearest(name, __all__) else ""
        msg = f"module 'qdash_jupyter.methods' has no attribute {name!r}{near}"
        raise AttributeError(msg)
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
