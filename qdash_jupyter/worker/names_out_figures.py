"""Figures of Plotly on their way out of the session, as Plotly JSON.

What Plotly JSON has as text comes back as text: times, for one. Numbers of numpy come back as arrays. A figure that
would ask other servers when it is drawn does not travel: its address could carry the session's data out.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

import numpy as np
import orjson

from qdash_jupyter.domain.safe_figure import without_remote_figure
from qdash_jupyter.worker.names_out_values import Codec, Unreadable

_MOST_BYTES = 16_000_000
_DEEPEST = 60
_MOST_OBJECTS, _MOST_QUOTES = 10_000, 500_000
"""Braces and quotes in its JSON. Plotly makes an object of each dict, and tests each colour."""


def codecs() -> dict[type, Codec]:
    """Return the codec of figures. It loads Plotly, which sessions have and a kernel may not."""
    import plotly.graph_objects as go

    return {go.Figure: ("figure", _written, opened)}


def _written(figure: Any) -> list[Any]:
    tree = orjson.loads(figure.to_json(engine="orjson"))
    return [np.frombuffer(orjson.dumps(tree, option=orjson.OPT_SORT_KEYS), "u1")]


def opened(text: Any) -> Any:
    """Return the figure whose Plotly JSON these bytes are, an array of numpy.

    Raises:
        Unreadable: It is not Plotly JSON that `written` makes.
    """
    import plotly.graph_objects as go

    if text.nbytes > _MOST_BYTES:
        raise Unreadable("The figure is too large")
    json = text.tobytes()
    if json.count(b"{") > _MOST_OBJECTS or json.count(b'"') > _MOST_QUOTES:
        raise Unreadable("The figure has too many parts")
    figure = orjson.loads(json)
    if not {"data", "layout"} <= figure.keys() <= {"data", "layout", "frames"}:
        raise Unreadable("Not a figure")
    if "template" not in figure["layout"]:
        raise Unreadable("A figure that would take the kernel's template")
    if any(map(_asks_others, (figure, *figure.get("frames", ())))):
        raise Unreadable("The figure asks other servers")
    return go.Figure(_with_arrays(figure, 0), skip_invalid=False)


def _asks_others(drawn: Any) -> bool:
    layout = drawn.get("layout", {})
    if isinstance(template := layout.get("template"), dict):
        own = dict(template.get("layout", {}))
        if own.get("mapbox") == {"style": "light"}:
            del own["mapbox"]  # in the templates of Plotly 5; without a map it has no effect
        layout = {**layout, "template": {"data": {}, **template, "layout": own}}
    whole = {"data": drawn.get("data", []), "layout": layout}
    return without_remote_figure(whole) != whole


def _with_arrays(node: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise Unreadable("Too deep")
    if isinstance(node, list):
        return [_with_arrays(entry, depth + 1) for entry in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("template"), str):  # a sum of names, "plotly+plotly+…", takes a millisecond for each
        raise Unreadable("A template by name")
    if "bdata" in node:
        return _array(**node)
    return {key: _with_arrays(entry, depth + 1) for key, entry in node.items()}


def _array(dtype: str, bdata: str, shape: str = "-1") -> Any:
    if not re.fullmatch("[iuf][1248]", dtype):
        raise Unreadable("Not a dtype of Plotly")
    array = np.frombuffer(b64decode(bdata, validate=True), np.dtype(dtype).newbyteorder("<"))
    return array.reshape([int(length) for length in shape.split(",")]).copy()
