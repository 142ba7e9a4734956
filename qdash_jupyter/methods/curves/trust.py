"""Values whose curves cannot be trusted, left out of what the other methods compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.methods.curves.codes import Trust
from qdash_jupyter.methods.measurements import LEFT_OUT


def reliable_only(values: Any, verdicts: Any) -> Any:
    """The same values without those whose curves cannot be trusted: what is computed of them says so in its `method`.

    A value without a verdict stays, and is counted. What is left out keeps its row, without a value: who has nothing
    else is told as having too few measurements.

        judged = copilot.tools.get_result_curves(task_name="CheckT1", since="2026-06-16")
        qm.trends(qm.reliable_only(copilot.data["t1"], judged), since="14d")

    Args:
        values: A stored series or summary, or one of their tables with `task_id`.
        verdicts: `copilot.data["curve_verdicts"]`, its table, or what `audit` gives.

    Raises:
        ValueError: One of them has no column by which they belong together.
    """
    table = verdicts["verdicts"] if isinstance(verdicts, Mapping) else verdicts
    _need(table, ["task_id", "fit"], "Verdicts are copilot.data['curve_verdicts'], or what audit gives")
    if not isinstance(values, Mapping):
        return _without(values, table)
    if "timeseries" in values:
        return {**values, "timeseries": _without(values["timeseries"], table)}
    kept = _without(values["values"], table)
    wide = values["qubits"].copy()
    for row in kept[kept["value"].isna()].itertuples():
        if row.parameter in wide:
            wide.loc[wide["qid"] == row.qid, row.parameter] = np.nan
    wide.attrs = {**wide.attrs, LEFT_OUT: kept.attrs[LEFT_OUT]}
    return {**values, "values": kept, "qubits": wide}


def _without(values: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    name = "v" if "v" in values else "value"
    _need(values, ["task_id", name], "Values are a stored series or summary, or one of their tables")
    fits = dict(zip(verdicts["task_id"], verdicts["fit"], strict=True))
    fit = values["task_id"].map(fits)
    counted = values[name].notna()
    if "parameter" in values:  # of many: those that the verdicts are about
        counted &= values["parameter"].isin(values.loc[fit.notna(), "parameter"])
    is_off = fit.notna() & (fit != str(Trust.RELIABLE)) & counted
    kept = values.assign(**{name: values[name].mask(is_off)})
    unknown = int((fit.isna() & counted).sum())
    said = f"Left out: {int(is_off.sum())} of {int(counted.sum())} values, whose fits are not reliable"
    kept.attrs = {**values.attrs, LEFT_OUT: f"{said}; {unknown} have no verdict, and count."}
    return kept


def _need(table: Any, names: list[str], what: str) -> None:
    missing = [name for name in names if name not in table]
    if missing:
        msg = f"{what}, with {' and '.join(names)}; here {', '.join(missing)} is missing."
        raise ValueError(msg)
