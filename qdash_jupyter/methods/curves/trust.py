"""Values whose curves cannot be trusted, left out of what the other methods compute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.methods.curves.codes import Trust
from qdash_jupyter.methods.measurements import LEFT_OUT

NO_VERDICT = "no verdict"


def reliable_only(values: Any, *verdicts: Any) -> Any:
    """The same values without those whose curves cannot be trusted: what is computed of them says so in its `method`.

    A value without a verdict stays, and is counted. What is left out keeps its row, without a value: who has nothing
    else is told as having too few measurements. `left_out` says which, and why.

        judged = copilot.tools.get_result_curves(task_name="CheckT1", since="2026-06-16")
        qm.trends(qm.reliable_only(copilot.data["t1"], judged), since="14d")

    Args:
        values: A stored series or summary, or one of their tables with `task_id`.
        verdicts: `copilot.data["curve_verdicts"]`, its table, or what `audit` gives; of several tasks several.

    Raises:
        ValueError: One of them has no column by which they belong together.
    """
    table = _verdicts(verdicts, "fit")
    if not isinstance(values, Mapping):
        return _without(values, table)
    wide = values["qubits"].copy()
    if "timeseries" in values:
        series = values["timeseries"]
        kept = _without(series, table)
        newest = series[series["v"].notna()].groupby("qid").tail(1)
        off = newest.loc[kept.loc[newest.index, "v"].isna(), "qid"]
        wide.loc[wide["qid"].isin(off), "latest"] = np.nan
        found = {"timeseries": kept}
    else:
        kept = _without(values["values"], table)
        for row in kept[kept["value"].isna()].itertuples():
            if row.parameter in wide:
                wide.loc[wide["qid"] == row.qid, row.parameter] = np.nan
        found = {"values": kept}
    wide.attrs = {**wide.attrs, LEFT_OUT: kept.attrs[LEFT_OUT]}
    return {**values, **found, "qubits": wide}


def left_out(values: Any, *verdicts: Any, qids: Iterable[str] | None = None) -> pd.DataFrame:
    """Which values `reliable_only` leaves out of these, and why; those without a verdict, which it does not, come last.

    Args:
        values: As `reliable_only` takes them.
        verdicts: As `reliable_only` takes them.
        qids: Of these qubits alone.

    Returns:
        One row for each reason, the most frequent first: `parameter`, `why` (the code, docs/curves.md, or `no
        verdict`), `values`, `of` (all that there are) and `qids`, who they are of; without rows where all are reliable.

    Raises:
        ValueError: As `reliable_only`.
    """
    table, parameter = _verdicts(verdicts, "fit", "code"), ""
    if isinstance(values, Mapping):
        parameter = values.get("parameter_name", "")
        values = values["timeseries" if "timeseries" in values else "values"]
    fit, _, is_off = _judged(values, table)
    counted = values[_name(values)].notna()
    code = values["task_id"].map(dict(zip(table["task_id"], table["code"], strict=True)))
    found = pd.DataFrame(
        {
            "parameter": values.get("parameter", parameter or values.attrs.get("parameter", "")),
            "why": code.where(fit.notna(), NO_VERDICT),
            "qid": values["qid"].astype(str),
        }
    )
    if qids is not None:
        counted &= found["qid"].isin(list(qids))
    totals = found[counted].groupby("parameter").size()
    rows = [
        (*reason, len(group), int(totals[reason[0]]), ", ".join(sorted(set(group["qid"]), key=qid_order)))
        for reason, group in found[counted & (is_off | fit.isna())].groupby(["parameter", "why"])
    ]
    rows.sort(key=lambda row: (row[1] == NO_VERDICT, -row[2]))
    told = pd.DataFrame(rows, columns=["parameter", "why", "values", "of", "qids"])
    told.attrs["method"] = "Values by the verdicts on their curves (docs/curves.md)."
    return told


def _verdicts(given: Iterable[Any], *needed: str) -> pd.DataFrame:
    """The tables of verdicts as one."""
    tables = [one["verdicts"] if isinstance(one, Mapping) else one for one in given]
    for table in tables:
        _need(table, ["task_id", *needed], "Verdicts are copilot.data['curve_verdicts'], or what audit gives")
    columns = ["task_id", *needed]
    return pd.concat([pd.DataFrame(columns=columns), *(table[columns] for table in tables)], ignore_index=True)


def _judged(values: pd.DataFrame, verdicts: pd.DataFrame) -> tuple[pd.Series, pd.Series, pd.Series]:
    """Of each value the fit's verdict (NaN: none), whether it counts, and whether it is left out."""
    name = _name(values)
    _need(values, ["task_id", name], "Values are a stored series or summary, or one of their tables")
    fit = values["task_id"].map(dict(zip(verdicts["task_id"], verdicts["fit"], strict=True)))
    counted = values[name].notna()
    if "parameter" in values:  # of many: those that the verdicts are about
        counted &= values["parameter"].isin(values.loc[fit.notna(), "parameter"])
    return fit, counted, fit.notna() & (fit != str(Trust.RELIABLE)) & counted


def _name(values: pd.DataFrame) -> str:
    return "v" if "v" in values else "value"


def _without(values: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    fit, counted, is_off = _judged(values, verdicts)
    kept = values.assign(**{_name(values): values[_name(values)].mask(is_off)})
    unknown = int((fit.isna() & counted).sum())
    said = f"Left out: {int(is_off.sum())} of {int(counted.sum())} values, whose fits are not reliable"
    kept.attrs = {**values.attrs, LEFT_OUT: f"{said}; {unknown} have no verdict, and count."}
    return kept


def _need(table: Any, names: list[str], what: str) -> None:
    missing = [name for name in names if name not in table]
    if missing:
        msg = f"{what}, with {' and '.join(names)}; here {', '.join(missing)} is missing."
        raise ValueError(msg)
