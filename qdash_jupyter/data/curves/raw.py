"""Raw data as QDash writes them: `numpy.savetxt` with commas, without a header; of complex numbers real and imaginary
part in two columns.
"""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from qdash_jupyter.data.calib_data import LeftOut
from qdash_jupyter.data.curves.figure import Numbers
from qdash_jupyter.messages.message import Message

_COMPLEX_COLUMNS = 2


def table_of(content: bytes) -> Numbers:
    """The numbers of a file, rows × columns.

    Raises:
        LeftOut: it holds something else.
    """
    try:
        # Older versions of QDash wrote a header, which savetxt begins with `#`.
        table = pd.read_csv(io.BytesIO(content), header=None, comment="#", dtype=float, skip_blank_lines=True)
    except (ValueError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError):
        raise LeftOut(Message("result-file-no-numbers")) from None
    numbers: Numbers = table.to_numpy(dtype=float)
    return numbers


def complex_of(table: Numbers) -> Numbers | None:
    """Two columns as complex numbers; None of other tables."""
    if table.shape[1] != _COMPLEX_COLUMNS:
        return None
    numbers: Numbers = table[:, 0] + 1j * table[:, 1]
    return numbers


def rows_of(table: Numbers) -> pd.DataFrame:
    """Its numbers one a row, with where they stood: `row`, `column`, `real`, `imag`.

    Two columns are real and imaginary part of one. `imag` of others is NaN.
    """
    count, columns = table.shape
    if columns == _COMPLEX_COLUMNS:
        return pd.DataFrame({"row": np.arange(count), "column": 0, "real": table[:, 0], "imag": table[:, 1]})
    return pd.DataFrame(
        {
            "row": np.repeat(np.arange(count), columns),
            "column": np.tile(np.arange(columns), count),
            "real": table.ravel(),
            "imag": np.nan,
        }
    )
