"""The Japanese of texts that are put together in English: by their English template, in tables of what they are about.

`qdash_jupyter.domain.catalogue` finds them, and a test finds the ones that are missing. Names of fields are for whoever
reads the tables; those of `AS_IT_IS` hold what is said as it is.
"""

from __future__ import annotations

from qdash_jupyter.domain.japanese.cells import CELLS
from qdash_jupyter.domain.japanese.curves import CURVES
from qdash_jupyter.domain.japanese.model import MODEL
from qdash_jupyter.domain.japanese.panel import PANEL
from qdash_jupyter.domain.japanese.session import SESSION
from qdash_jupyter.domain.japanese.settings import SETTINGS
from qdash_jupyter.domain.japanese.tools import TOOLS

TEXTS = {**CELLS, **CURVES, **MODEL, **PANEL, **SESSION, **SETTINGS, **TOOLS}
