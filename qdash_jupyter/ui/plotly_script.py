"""The script that draws charts in pages without a renderer of their own: that of the installed Plotly."""

from __future__ import annotations

import base64
import gzip
from functools import cache
from importlib.resources import files


@cache
def plotly_script() -> str:
    """Base64 of its gzip: 2 MB in place of 5. Blocks for a moment."""
    script = files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    return base64.b64encode(gzip.compress(script, 6)).decode("ascii")
