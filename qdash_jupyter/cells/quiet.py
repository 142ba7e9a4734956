"""Warnings of libraries about code are no result: in the copilot's cells nobody sees them. Those about data stay."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_ABOUT_CODE = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ImportWarning, ResourceWarning)


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """While a cell runs. What it sets for warnings itself ends with it, too."""
    pandas = sys.modules.get("pandas.errors")
    with warnings.catch_warnings():
        for category in (*_ABOUT_CODE, *((pandas.PerformanceWarning,) if pandas is not None else ())):
            warnings.simplefilter("ignore", category)
        yield
