"""A Plotly chart as a still picture, for places that run no JavaScript: GitHub, and `nbconvert --to html`.

Drawn by Matplotlib, where it is there: the kinds of traces that our tools and methods draw. Neither a browser nor
another program is needed, and the chart in the notebook stays Plotly's.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.chart_bundle import plain_arrays

MOST_BYTES = 100_000
MOST_POINTS = 20_000
"""Of one trace; beyond that every second, third, … is drawn: a picture has 700 columns."""
_DPI = (100, 60)
_INCHES = (7.0, 4.0)
_MOST_NAMED, _MOST_PLACES, _MOST_TEXTS = 10, 20, 150
_MARGIN = (0.11, 0.13, 0.84, 0.74)
_TAG = re.compile(r"<br\s*/?>|<[^>]{1,40}>")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RGB = re.compile(r"rgba?\(([\d.,\s]+)\)")
_FONTS = ("DejaVu Sans", "Noto Sans CJK JP", "IPAexGothic", "Hiragino Sans", "Yu Gothic")


def picture_of(figure: JsonObject) -> bytes | None:
    """A PNG of at most `MOST_BYTES`; None where Matplotlib is missing, or nothing of the chart can be drawn so."""
    if find_spec("matplotlib") is None:
        return None
    from matplotlib import rc_context
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    fonts = [name for name in _FONTS if name in known]
    with warnings.catch_warnings(), rc_context({"font.family": fonts or ["sans-serif"], "font.size": 9}):
        warnings.simplefilter("ignore")
        try:
            drawn = _drawn(plain_arrays(figure))
            for dpi in _DPI if drawn is not None else ():
                image = io.BytesIO()
                drawn.savefig(image, format="png", dpi=dpi, metadata={"Software": None})
                if len(image.getvalue()) <= MOST_BYTES:
                    return image.getvalue()
        except Exception:  # noqa: BLE001 - a model's own chart may hold anything; then the table stands there
            return None
    return None


def _drawn(figure: JsonObject) -> Any:
    from matplotlib.figure import Figure

    layout = figure.get("layout") or {}
    made = Figure(figsize=_INCHES)
    places: dict[tuple[str, str], Any] = {}
    count = 0
    for trace in figure.get("data") or ():
        ends = (str(trace.get("xaxis", "x")), str(trace.get("yaxis", "y")))
        if trace.get("type", "scatter") not in _WAYS or trace.get("visible") in {False, "legendonly"}:
            continue
        if ends not in places:
            places[ends] = _axes(made, layout, *ends)
        _WAYS[trace.get("type", "scatter")](places[ends], trace)
        count += 1
    for (x, y), axes in places.items():
        _finished(axes, layout, x, y)
    made.suptitle(_words(layout.get("title")), fontsize=11)
    return made if count else None


def _axis(layout: JsonObject, name: str) -> JsonObject:
    """The settings of the axis that a trace calls `x2`."""
    found: JsonObject = layout.get(f"{name[0]}axis{name[1:]}") or {}
    return found


def _axes(made: Any, layout: JsonObject, x: str, y: str) -> Any:
    across, up = _axis(layout, x), _axis(layout, y)
    up_from = _axis(layout, str(up["overlaying"])) if isinstance(up.get("overlaying"), str) else up
    (left, right), (low, high) = across.get("domain") or (0, 1), up_from.get("domain") or (0, 1)
    x0, y0, width, height = _MARGIN
    axes = made.add_axes((x0 + left * width, y0 + low * height, (right - left) * width, (high - low) * height))
    if up.get("overlaying"):
        axes.patch.set_visible(False)
        axes.yaxis.tick_right()
        axes.yaxis.set_label_position("right")
    return axes


def _finished(axes: Any, layout: JsonObject, x: str, y: str) -> None:
    across, up = _axis(layout, x), _axis(layout, y)
    axes.set_xlabel(_words(across.get("title")))
    axes.set_ylabel(_words(up.get("title")))
    for settings, scale, ends in ((across, axes.set_xscale, axes.set_xlim), (up, axes.set_yscale, axes.set_ylim)):
        if settings.get("type") == "log":
            scale("log")
        elif (given := settings.get("range")) and all(isinstance(end, (int, float)) for end in given):
            ends(*given)
    if up.get("autorange") == "reversed":
        axes.invert_yaxis()
    for shape in layout.get("shapes") or ():
        if shape.get("type") == "line" and shape.get("yref", "y") == y and shape.get("y0") == shape.get("y1"):
            axes.axhline(shape["y0"], color="0.5", linewidth=0.8, linestyle="--")
    named = axes.get_legend_handles_labels()[1]
    if 1 < len(named) <= _MOST_NAMED and layout.get("showlegend") is not False:
        axes.legend(fontsize=7)
    if not axes.images:
        axes.grid(visible=True, color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    _thinned(axes)


def _thinned(axes: Any) -> None:
    """Leave out so many labels along x that the others can be read."""
    from matplotlib import dates
    from matplotlib.category import StrCategoryLocator

    locator = axes.xaxis.get_major_locator()
    if isinstance(locator, dates.DateLocator):
        axes.xaxis.set_major_locator(dates.AutoDateLocator(maxticks=_MOST_NAMED))
        by_length = dates.ConciseDateFormatter(axes.xaxis.get_major_locator())
        axes.xaxis.set_major_formatter(by_length)
    elif isinstance(locator, StrCategoryLocator) and (every := len(axes.get_xticks()) // (2 * _MOST_NAMED)):
        places = list(axes.get_xticks())
        names = [label.get_text() for label in axes.xaxis.get_ticklabels()]
        axes.set_xticks(places[:: every + 1], names[:: every + 1])


def _words(title: object) -> str:
    text = title.get("text", "") if isinstance(title, Mapping) else title or ""
    return _TAG.sub(" ", str(text)).replace("$", r"\$").strip()[:120]


def _values(array: Any) -> Any:
    """Numbers as floats, days and times as such, anything else as text."""
    values = list(array) if isinstance(array, (list, tuple)) else []
    values = values[:: max(1, -(-len(values) // MOST_POINTS))]
    if all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    if all(isinstance(value, str) and _DAY.match(value) for value in values):
        return pd.to_datetime(pd.Series(values), utc=True, format="ISO8601").dt.tz_localize(None).to_numpy()
    return np.array(["" if value is None else str(value)[:40] for value in values])


def _color(trace: JsonObject) -> Any:
    found = (_known((trace.get(part) or {}).get("color")) for part in ("line", "marker"))
    return next((color for color in found if color is not None), None)


def _known(color: object) -> Any:
    """A colour of Plotly's as Matplotlib knows it; None for what is none."""
    from matplotlib.colors import is_color_like

    if isinstance(color, str) and (parts := _RGB.fullmatch(color)):
        numbers = [float(number) for number in parts.group(1).split(",")]
        return tuple(number / 255 for number in numbers[:3]) + tuple(numbers[3:4])
    return color if isinstance(color, str) and is_color_like(color) else None


def _colors(scale: Any) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    if not isinstance(scale, (list, tuple)):
        return "viridis"
    stops = [(float(place), color) for place, name in scale if (color := _known(name)) is not None]
    return LinearSegmentedColormap.from_list("chart", stops) if len(stops) == len(scale) else "viridis"


def _scatter(axes: Any, trace: JsonObject) -> None:
    y = _values(trace.get("y"))
    x = _values(trace.get("x")) if trace.get("x") is not None else range(len(y))
    mode = str(trace.get("mode") or "lines")
    style = {
        "linestyle": "-" if "lines" in mode else "none",
        "marker": "o" if "markers" in mode else "",
        "markersize": 3,
    }
    label = _words(trace.get("name"))
    fill = trace.get("fill")
    errors = (trace.get("error_y") or {}).get("array")
    if fill in {"toself", "tozeroy", "tonexty"} and mode == "none":
        return
    if errors is not None and len(errors) == len(y):
        axes.errorbar(x, y, yerr=_values(errors), label=label, color=_color(trace), linewidth=1, **style)
    else:
        axes.plot(x, y, label=label, color=_color(trace), linewidth=1, **style)


def _bar(axes: Any, trace: JsonObject) -> None:
    x, y = _values(trace.get("x")), _values(trace.get("y"))
    draw = axes.barh if trace.get("orientation") == "h" else axes.bar
    ends = (y, x) if trace.get("orientation") == "h" else (x, y)
    places = sorted({*ends[0]}) if ends[0].dtype.kind == "f" else []
    room = min((after - before for before, after in pairwise(places)), default=1.0)
    draw(*ends, 0.95 * room, label=_words(trace.get("name")), color=_color(trace))


def _histogram(axes: Any, trace: JsonObject) -> None:
    values = _values(trace.get("x") if trace.get("x") is not None else trace.get("y"))
    if values.dtype.kind == "f":
        values = values[values == values]  # noqa: PLR0124 - without NaN
    axes.hist(values, bins=int(trace.get("nbinsx") or 0) or "auto", label=_words(trace.get("name")), alpha=0.8)


def _box(axes: Any, trace: JsonObject) -> None:
    y = _values(trace.get("y"))
    groups = trace.get("x")
    if not isinstance(groups, (list, tuple)) or len(groups) != len(y):
        groups = [_words(trace.get("name"))] * len(y)
    names = list(dict.fromkeys(map(str, groups)))
    each = [y[[str(group) == name for group in groups]] for name in names]
    start = getattr(axes, "_boxes", 0)
    places = range(start + 1, start + 1 + len(names))
    axes._boxes = start + len(names)  # noqa: SLF001 - of an axes that nobody else has
    axes.boxplot([one[~np.isnan(one)] for one in each], positions=list(places), widths=0.6)
    ticks = {**dict(getattr(axes, "_names", {})), **dict(zip(places, names, strict=True))}
    axes._names = ticks  # noqa: SLF001
    axes.set_xticks(list(ticks), list(ticks.values()))


def _ends(values: object, count: int) -> list[str]:
    """What stands along an axis of a map; nothing where there is no room."""
    names = [str(value) for value in values] if isinstance(values, (list, tuple)) else list(map(str, range(count)))
    return names if len(names) <= _MOST_PLACES else [""] * len(names)


def _heatmap(axes: Any, trace: JsonObject) -> None:
    z = np.array([[np.nan if cell is None else cell for cell in row] for row in trace.get("z") or ()], dtype=float)
    x, y = (_ends(trace.get(name), size) for name, size in (("x", z.shape[1]), ("y", z.shape[0])))
    image = axes.imshow(z, aspect="auto", origin="lower", cmap=_colors(trace.get("colorscale")))
    axes.set_xticks(range(len(x)), x)
    axes.set_yticks(range(len(y)), y)
    if trace.get("showscale") is not False:
        axes.figure.colorbar(image, ax=axes)
    for row, texts in enumerate(trace.get("text") or ()):
        for column, text in enumerate(texts if isinstance(texts, (list, tuple)) else ()):
            if z.size <= _MOST_TEXTS:
                axes.text(column, row, _words(text), ha="center", va="center", fontsize=6, color="white")


_WAYS = {
    "scatter": _scatter,
    "scattergl": _scatter,
    "bar": _bar,
    "histogram": _histogram,
    "box": _box,
    "violin": _box,
    "heatmap": _heatmap,
}
