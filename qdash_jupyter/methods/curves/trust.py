"""Values whose curves cannot be trusted, left out of what the other methods compute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.methods.curves.audit import codes_of
from qdash_jupyter.methods.curves.codes import Code, Trust
from qdash_jupyter.methods.curves.families import known_by
from qdash_jupyter.methods.measurements import LEFT_OUT

NO_VERDICT = "no verdict"


def reliable_only(values: Any, *verdicts: Any) -> Any:
    """The same values without those that their curves do not support: what is computed of them says so in its `method`.

    Each parameter of a curve has its own verdict: a Ramsey frequency stays where only T2* is left out. A value without
    a verdict stays, and is counted. What is left out keeps its row, without a value: who has nothing
    else is told as having too few measurements. `left_out` says which, and why.

        judged = copilot.tools.get_result_curves(task_name="CheckT1", since="2026-06-16")
        qm.trends(qm.reliable_only(copilot.data["t1"], judged), since="14d")

    Args:
        values: A stored series or summary, or one of their tables with `task_id`.
        verdicts: `copilot.data["curve_verdicts"]`, its table, or what `audit` gives; of several tasks several.

    Raises:
        ValueError: One of them has no column by which they belong together.
    """
    table = _verdicts(verdicts)
    if not isinstance(values, Mapping):
        return _without(values, table)
    wide = values["qubits"].copy()
    if "timeseries" in values:
        series = _of(values)
        kept = _without(series, table)
        newest = series[series["v"].notna()].groupby("qid").tail(1)
        off = newest.loc[kept.loc[newest.index, "v"].isna(), "qid"]
        wide.loc[wide["qid"].isin(off), "latest"] = np.nan
        found = {"timeseries": kept}
    else:
        kept = _without(_of(values), table)
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
    table, parameter = _verdicts(verdicts), ""
    if isinstance(values, Mapping):
        parameter = values.get("parameter_name", "")
        values = _of(values)
    whys, counted = _judged(values, table)
    about = values.get("parameter", parameter or values.attrs.get("parameter", ""))
    found = pd.DataFrame({"parameter": about, "why": whys, "qid": values["qid"].astype(str)})
    if qids is not None:
        counted &= found["qid"].isin(list(qids))
    totals = found[counted].groupby("parameter").size()
    rows: list[tuple[Any, ...]] = [
        (*reason, len(group), int(totals[reason[0]]), ", ".join(sorted(set(group["qid"]), key=qid_order)))
        for reason, group in found[counted & whys.notna()].groupby(["parameter", "why"])
    ]
    rows.sort(key=lambda row: (row[1] == NO_VERDICT, -row[2]))
    told = pd.DataFrame(rows, columns=["parameter", "why", "values", "of", "qids"])
    told.attrs["method"] = "Values by the verdicts on their curves (docs/curves.md)."
    return told


def _verdicts(given: Iterable[Any]) -> pd.DataFrame:
    """The tables of verdicts as one."""
    tables = [one["verdicts"] if isinstance(one, Mapping) else one for one in given]
    for table in tables:
        _need(table, ["task_id", "fit"], "Verdicts are copilot.data['curve_verdicts'], or what audit gives")
    columns = ["task_id", "fit", *_OF_PARAMETERS]
    return pd.concat([pd.DataFrame(columns=columns), *(table.reindex(columns=columns) for table in tables)])


_OF_PARAMETERS = ("code", "task", "parameter", "unreliable")


def _why(verdict: Any, parameter: str) -> str | None:
    """Why a value is left out, by a row of the table of verdicts: a code; None where it can be trusted.

    A value without a verdict stays, and has `NO_VERDICT`. A table that says nothing of single parameters is about all
    of them.
    """
    main = None if verdict.fit == str(Trust.RELIABLE) else str(verdict.code)
    if pd.isna(verdict.parameter) or not parameter:
        return main
    off = {} if pd.isna(verdict.unreliable) else codes_of(verdict.unreliable)
    name = known_by(str(verdict.task), parameter)
    if name in off:
        return off[name]
    if parameter == verdict.parameter:
        return main
    return None if name and str(verdict.code) not in _NOTHING else NO_VERDICT


_NOTHING = frozenset({str(Code.BAD_DATA), str(Code.TOO_FEW_POINTS)})
"""Codes after which no parameter of a curve is known."""


def _judged(values: pd.DataFrame, verdicts: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Why each value is left out, and whether it counts."""
    name = _name(values)
    _need(values, ["task_id", name], "Values are a stored series or summary, or one of their tables")
    rows = {one.task_id: one for one in verdicts.itertuples()}
    parameters = values.get("parameter", pd.Series(str(values.attrs.get("parameter", "")), index=values.index))
    judged = [
        _why(rows[task_id], str(parameter)) if task_id in rows else NO_VERDICT
        for task_id, parameter in zip(values["task_id"], parameters, strict=True)
    ]
    whys = pd.Series(judged, values.index, dtype=object)
    counted = values[name].notna()
    if "parameter" in values:  # of many: those that the verdicts are about
        counted &= values["parameter"].isin(values.loc[whys.ne(NO_VERDICT), "parameter"])
    return whys, counted


def _of(stored: Mapping[str, Any]) -> pd.DataFrame:
    """The table of values of a stored result, which knows its parameter."""
    if "timeseries" not in stored:
        found: pd.DataFrame = stored["values"]
        return found
    series: pd.DataFrame = stored["timeseries"].copy(deep=False)
    series.attrs = {"parameter": stored.get("parameter_name", ""), **series.attrs}
    return series


def _name(values: pd.DataFrame) -> str:
    return "v" if "v" in values else "value"


def _without(values: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    whys, counted = _judged(values, verdicts)
    is_unknown = whys.eq(NO_VERDICT)
    is_off = whys.notna() & ~is_unknown & counted
    kept = values.assign(**{_name(values): values[_name(values)].mask(is_off)})
    unknown = int((is_unknown & counted).sum())
    said = f"Left out: {int(is_off.sum())} of {int(counted.sum())} values, whose fits are not reliable"
    kept.attrs = {**values.attrs, LEFT_OUT: f"{said}; {unknown} have no verdict, and count."}
    return kept


def _need(table: Any, names: list[str], what: str) -> None:
    missing = [name for name in names if name not in table]
    if missing:
        msg = f"{what}, with {' and '.join(names)}; here {', '.join(missing)} is missing."
        raise ValueError(msg)
