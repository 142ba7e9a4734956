"""Values that stand at a limit."""

from __future__ import annotations

from collections import Counter

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.thresholds import LIMITS


def clipped_of(values: Array) -> int:
    """How many values are exactly the largest, or the smallest; 0 unless that is clipping.

    Counts of few shots have ties everywhere, so those at the extreme have to be three times as many as any between.
    """
    if len(values) < LIMITS.ties:
        return 0
    counts = Counter(values.tolist())
    for extreme in (max(counts), min(counts)):
        others = max((count for value, count in counts.items() if value != extreme), default=len(values))
        if counts[extreme] >= max(LIMITS.ties, 3 * others):
            return counts[extreme]
    return 0
