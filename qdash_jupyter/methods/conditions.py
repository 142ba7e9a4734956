"""Which rows of a table of values meet conditions, and which just miss them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

NEAR = 0.1
"""So much of the distance between the quartiles of a column a value may be beyond a limit and be near it."""

_NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
_CONDITION = re.compile(
    rf"(?P<column>.+?)\s*(?P<sign><=|>=|<|>)\s*"
    rf"(?:(?P<number>{_NUMBER})|(?:(?P<factor>{_NUMBER})\s*\*\s*)?(?P<other>.+?))"
)
_BETWEEN = re.compile(rf"(?P<low>{_NUMBER})\s*(?P<first><=?)\s*(?P<column>.+?)\s*(?P<second><=?)\s*(?P<high>{_NUMBER})")

_Part = tuple[str, str, "float | str", float]
"""Column, sign, number or other column, and the factor of that."""


class _Compared(NamedTuple):
    """By row: whether it meets a condition, whether it would with a wider limit, and by how much it misses it."""

    meets: pd.Series
    near: pd.Series
    misses: pd.Series
    """In quartile distances of the column; 0 where it does not."""


def meeting(
    values: pd.DataFrame, *conditions: str, any_of: bool = False, lowest: bool = True, by: str | None = None
) -> pd.DataFrame:
    """The rows of a table with what they are to conditions on its columns: those that meet them first.

    A condition is a column, `<`, `<=`, `>` or `>=`, and a number, or another column with or without a factor; or a
    column between two numbers: `meeting(values, "30 < T1 [μs] < 55", "T2 Echo [μs] > 2 * T1 [μs]")`. All of them have
    to be met, or with `any_of` one.

    Returns:
        All rows and columns of `values`, and `verdict`: `meets`; `near`, which would with a limit that is a tenth of
        the column's quartile distance wider; `no`; `unknown`, where a value is missing that is asked about. In this
        order: what meets them by the column `by`, else that of the first condition, `lowest` first; the others by how
        little they miss.
        `attrs["counts"]` has their numbers.

    Raises:
        ValueError: a condition cannot be read, or names a column that is not there.
    """
    read = [_read(condition, values) for condition in conditions]
    asked = [
        name for parts in read for column, _, other, _ in parts for name in (column, other) if isinstance(name, str)
    ]
    conditions_met = [_together(_compared(values, *part) for part in parts) for parts in read]
    meets, near, misses = _together(conditions_met, any_of=any_of)
    unknown = values[list(dict.fromkeys(asked))].isna().any(axis=1)
    known = ~unknown | (meets if any_of else False)
    found = values.assign(verdict=np.select([meets & known, ~known, near], ["meets", "unknown", "near"], "no"))
    places = found["verdict"].map({"meets": 0, "near": 1, "no": 2, "unknown": 3})
    misses = misses.where(places.isin([1, 2]), 0.0)
    value = values[by or read[0][0][0]] * (1 if lowest else -1)
    order = pd.DataFrame({"place": places, "misses": misses, "value": value})
    found = found.loc[order.sort_values(["place", "misses", "value"], kind="stable").index]
    found.attrs["counts"] = {str(name): int(count) for name, count in found["verdict"].value_counts().items()}
    found.attrs["method"] = f"Rows that meet {'one of' if any_of else 'all of'}: {'; '.join(conditions)}."
    return found


def _read(condition: str, values: pd.DataFrame) -> list[_Part]:
    """The comparisons that a condition makes."""
    if between := _BETWEEN.fullmatch(condition.strip()):
        column, low, high = between["column"], float(between["low"]), float(between["high"])
        parts: list[_Part] = [
            (column, between["first"].replace("<", ">"), low, 1.0),
            (column, between["second"], high, 1.0),
        ]
    elif match := _CONDITION.fullmatch(condition.strip()):
        other = match["other"] if match["number"] is None else float(match["number"])
        parts = [(match["column"], match["sign"], other, float(match["factor"] or 1))]
    else:
        msg = f"{condition!r} is no condition. Write a column, <, <=, > or >=, and a number: 'T1 [μs] < 55'."
        raise ValueError(msg)
    for name in (name for column, _, other, _ in parts for name in (column, other) if isinstance(name, str)):
        if name not in values:
            msg = f"There is no column {name!r} in {condition!r}; there are {', '.join(map(repr, values.columns))}."
            raise ValueError(msg)
    return parts


def _compared(values: pd.DataFrame, column: str, sign: str, other: float | str, factor: float) -> _Compared:
    limit = factor * values[other] if isinstance(other, str) else other
    short = (values[column] - limit) * (1 if sign.startswith("<") else -1)
    spread = values[column].quantile(0.75) - values[column].quantile(0.25)
    meets = (short < 0) | ((short == 0) & sign.endswith("="))
    return _Compared(meets, short <= NEAR * spread, short.clip(lower=0) / (spread or 1.0))


def _together(compared: Iterable[_Compared], *, any_of: bool = False) -> _Compared:
    """All of them, or with `any_of` one."""
    meets, near, misses = (pd.concat(each, axis=1) for each in zip(*compared, strict=True))
    if any_of:
        return _Compared(meets.any(axis=1), near.any(axis=1), misses.min(axis=1))
    return _Compared(meets.all(axis=1), near.all(axis=1), misses.max(axis=1))
