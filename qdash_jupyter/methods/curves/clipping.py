"""Values that stand at a limit."""

from __future__ import annotations

from collections import Counter

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.thresholds import LIMITS


def clipped_of(values: Array) -> Array:
    """Which values are exactly the largest, or the smallest, shape (n,); none unless that is clipping.

    Counts of few shots have ties everywhere, so those at the extreme have to be three times as many as any between.
    """
    found: Array = np.zeros(len(values), dtype=bool)
    if len(values) < LIMITS.ties:
        return found
    counts = Counter(values.tolist())
    extremes = [max(counts), min(counts)]
    others = max((count for value, count in counts.items() if value not in extremes), default=len(values))
    for extreme in extremes:
        if counts[extreme] >= max(LIMITS.ties, 3 * others):
            found |= values == extreme
    return found
