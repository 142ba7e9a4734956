"""Which rows of a table of values meet conditions, and which just miss them."""

from __future__ import annotations

import re

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
    meets, near = (_met(values, read, any_of=any_of, slack=slack) for slack in (0.0, NEAR))
    unknown = values[list(dict.fromkeys(asked))].isna().any(axis=1)
    known = ~unknown | (meets if any_of else False)
    found = values.assign(verdict=np.select([meets & known, ~known, near], ["meets", "unknown", "near"], "no"))
    places = found["verdict"].map({"meets": 0, "near": 1, "no": 2, "unknown": 3})
    misses = _misses(values, read, any_of=any_of).where(places.isin([1, 2]), 0.0)
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


def _misses(values: pd.DataFrame, read: list[list[_Part]], *, any_of: bool) -> pd.Series:
    """How far each row is from meeting the conditions, in quartile distances of the columns; 0 where it does."""
    far = []
    for parts in read:
        by = []
        for column, sign, other, factor in parts:
            limit = factor * values[other] if isinstance(other, str) else other
            short = (values[column] - limit) * (1 if "<" in sign else -1)
            spread = values[column].quantile(0.75) - values[column].quantile(0.25)
            by.append(short.clip(lower=0) / (spread or 1.0))
        far.append(pd.concat(by, axis=1).max(axis=1))
    both = pd.concat(far, axis=1)
    return both.min(axis=1) if any_of else both.max(axis=1)


def _met(values: pd.DataFrame, read: list[list[_Part]], *, any_of: bool, slack: float) -> pd.Series:
    """Where the conditions are met with limits that are wider by `slack` of the quartile distance."""
    masks = [np.logical_and.reduce([_holds(values, *part, slack=slack) for part in parts]) for parts in read]
    return pd.Series(np.logical_or.reduce(masks) if any_of else np.logical_and.reduce(masks), values.index)


def _holds(
    values: pd.DataFrame, column: str, sign: str, other: float | str, factor: float, *, slack: float
) -> pd.Series:
    value = values[column]
    wider = slack * (value.quantile(0.75) - value.quantile(0.25))
    limit = (factor * values[other] if isinstance(other, str) else other) + (wider if sign.startswith("<") else -wider)
    below = value < limit if sign.startswith("<") else value > limit
    return below | ((value == limit) & (sign.endswith("=") | (slack > 0)))
