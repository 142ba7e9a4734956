"""The Japanese of English texts that the offline planner still reads back from what tools give a model."""

from __future__ import annotations

from qdash_jupyter.domain.japanese.curves import CURVES
from qdash_jupyter.domain.japanese.tools import TOOLS

TEXTS = {**CURVES, **TOOLS}
