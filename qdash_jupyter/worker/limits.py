"""What one job may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Shape: TypeAlias = Literal["frames", "records"]
"""How stored results look to the code: `frames` as in a kernel, `records` as lists of rows, as in QDash."""

OUTPUT_BYTES = 100 * 1024
"""Of the text that a piece of code has printed when it ends, and of an `output`."""
PRINTED_BYTES = 2_000_000
"""Of what it prints meanwhile: a progress bar writes the same line again and again."""
CHART_BYTES = 4_000_000
"""Of all charts as JSON."""
MOST_CHARTS = 20
SHOWN_BYTES = 10_000_000
"""Of tables, pictures and whatever else is displayed."""
RESULT_BYTES = 20_000_000
"""Of all that a piece of code gives back, as JSON."""
NAMES_BYTES = 1_000_000_000
"""Of what one name of the kernel is to hold."""
MOST_NAMES = 500
"""Of a session, that its host is told of."""
NAME_CHARS = 200
"""Of a name with its type and shape."""
VALUE_CHARS = 64 * 1024
"""Of the described last expression as JSON, which `qdash_jupyter.cells.result_value` keeps well below."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits of each job: `seconds` by the clock, `cpu_seconds` of the processor, MB (10⁶ bytes) of memory beside
    what the worker itself takes. `jobs` run at a time; others wait in their order.
    """

    seconds: float = 30.0
    cpu_seconds: int = 30
    memory_mb: int = 1024
    jobs: int = 2


def cut(text: str) -> str:
    """A text of at most `OUTPUT_BYTES`, which says so where it was longer."""
    data = text.encode("utf-8", "replace")
    whole = len(data) <= OUTPUT_BYTES
    return data.decode() if whole else f"{data[:OUTPUT_BYTES].decode('utf-8', 'ignore')}\n… cut at 100 KiB"
