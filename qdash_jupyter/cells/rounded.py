"""Tables of the methods as a cell shows them: rounded to digits that can be read. The data stay whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from IPython.core.interactiveshell import InteractiveShell

METHOD = "method"
"""The entry of `DataFrame.attrs` that `qdash_jupyter.methods` gives each table."""

_DIGITS_OF_VALUES, _DIGITS_OF_SCATTER = 4, 3
"""Significant ones that are shown at least, of the median and of the quartile distance: outliers do not count."""

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
    """Return the table with times to the second, and numbers with the digits that their column's size and scatter
    need. A column with values that this would make 0 stays as it is.
    """
    import pandas as pd

    shown = frame.copy(deep=False)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if pd.api.types.is_float_dtype(column.dtype):
            shown.isetitem(place, _rounded(column))
        elif pd.api.types.is_datetime64_any_dtype(column.dtype):
            shown.isetitem(place, column.dt.floor("s"))
    return shown


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
