"""Tables of the methods as a cell shows them: rounded to digits that can be read. The data stay whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.units import decimals, factor

if TYPE_CHECKING:
    import pandas as pd
    from IPython.core.interactiveshell import InteractiveShell

METHOD = "method"
"""The entry of `DataFrame.attrs` that `qdash_jupyter.methods` gives each table."""

_DIGITS_OF_VALUES, _DIGITS_OF_SCATTER = 4, 3
"""Significant ones that are shown at least, of the median and of the quartile distance: outliers do not count."""

_HEADING = re.compile(r"(?P<name>[^±\[]*?) ?(?P<error>±)? ?\[(?P<unit>.+)\]")
"""`before [GHz]`, `T1 ± [μs]`, `± [MHz]`."""

_FRAMES = ("pandas.core.frame.DataFrame", "pandas.DataFrame")
"""Before and since pandas 3."""


def shown_by(shell: InteractiveShell) -> None:
    """From now on, this shell shows the tables of the methods rounded. A way of the user's own stays."""
    formatter = shell.display_formatter.formatters["text/html"]
    for name in _FRAMES:
        if name not in formatter:
            formatter.for_type(name, _html)


def shown_no_more_by(shell: InteractiveShell) -> None:
    """The shell shows all tables as pandas does."""
    formatter = shell.display_formatter.formatters["text/html"]
    for name in _FRAMES:
        if name in formatter and formatter.lookup_by_type(name) is _html:
            formatter.pop(name)


def _html(frame: pd.DataFrame) -> str | None:
    shown = rounded(frame) if METHOD in frame.attrs else frame
    html: str | None = shown._repr_html_()
    return html


def rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with times to the second, and numbers with the digits of the errors beside them; without errors,
    with those that their column's size and scatter need. A column with values that this would make 0 stays as it is.
    """
    import pandas as pd

    shown, errors = frame.copy(deep=False), _errors_in(frame)
    for place, heading in enumerate(frame.columns):
        column = frame.iloc[:, place]
        if pd.api.types.is_float_dtype(column.dtype):
            places = _places_by_error(str(heading), errors)
            shown.isetitem(place, _rounded(column) if places is None else column.round(places) + 0.0)
        elif pd.api.types.is_datetime64_any_dtype(column.dtype):
            shown.isetitem(place, column.dt.floor("s"))
    return shown


def _errors_in(frame: pd.DataFrame) -> dict[tuple[str, str], float]:
    """The small errors of the table, by what and in which unit: of `T1 ± [μs]`, and of `± [MHz]`, which is of all."""
    import numpy as np

    found = {}
    for place, heading in enumerate(frame.columns):
        named = _HEADING.fullmatch(str(heading))
        if named and named["error"] and frame.iloc[:, place].dtype.kind == "f":
            values = frame.iloc[:, place].to_numpy(dtype=float)
            if (sizes := values[np.isfinite(values) & (values > 0)]).size:
                found[named["name"], named["unit"]] = float(np.percentile(sizes, 25))
    return found


def _places_by_error(heading: str, errors: dict[tuple[str, str], float]) -> int | None:
    """The decimals that the column's errors ask for; None where it has none in a unit that converts to its own."""
    if not (named := _HEADING.fullmatch(heading)):
        return None
    for (name, unit), error in errors.items():
        times = factor(unit.replace("pp", "%"), named["unit"].replace("pp", "%"))
        if times and name in ("", named["name"]):
            return decimals(error * times)
    return None


def _rounded(column: Any) -> Any:
    import numpy as np

    values = column.to_numpy(dtype=float, na_value=np.nan)
    values = values[np.isfinite(values)]
    sizes = np.abs(values[values != 0])
    if not sizes.size:
        return column
    low, high = np.percentile(values, (25, 75))
    places = [_DIGITS_OF_VALUES - 1 - np.floor(np.log10(np.median(sizes)))]
    if high > low:
        places.append(_DIGITS_OF_SCATTER - 1 - np.floor(np.log10(high - low)))
    decimals = max(0, int(max(places)))
    return column if sizes.min() < 10.0**-decimals else column.round(decimals)
