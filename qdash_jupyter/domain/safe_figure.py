"""Plotly figures that fetch nothing and run nothing when somebody's browser draws them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

_MAPS = frozenset({"scattergeo", "choropleth", "scattermap", "choroplethmap", "densitymap"}) | frozenset(
    {"scattermapbox", "choroplethmapbox", "densitymapbox"}
)
"""Traces that load borders or tiles from other servers."""

_PICTURE_PART = Message("figure-part", part="picture")
_MAP_SETTINGS = re.compile(r"(?:geo|map|mapbox)\d*")
_COLOURS = frozenset({"bgcolor", "lakecolor", "landcolor", "subunitcolor", "showlakes", "showland"})
"""What Plotly's own templates say of maps. It stays, so that a figure is the same whoever has run its cell."""

_MENUS = ("updatemenus", "sliders")
_FETCHING = re.compile(r"://|source|images|mapbox|choropleth|scattergeo|scattermap|densitymap|\"(?:geo|map)\d*[.\"]")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_TARGET = re.compile(r"href\s*=\s*[\"']?([^\"'>]*)", re.IGNORECASE)
_WEB = re.compile(r"(?:https?|mailto|ftp):|[^:]*\Z", re.IGNORECASE)
_FETCHING_STYLE = re.compile(r"url|image|cursor|import|src|expression|\\|/\*", re.IGNORECASE)
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def without_remote_figure(figure: JsonObject) -> JsonObject:
    """The figure's `data` and `layout` without maps, pictures of other servers, and links that run code.

    An annotation says what was left out. The figure that was given is not changed.
    """
    left_out: list[Message] = []
    traces = [_safe(trace) for trace in _listed(figure.get("data")) if not _asks_others(trace, left_out)]
    layout = _layout(figure.get("layout"), left_out)
    if left_out:
        layout["annotations"] = [*_listed(layout.get("annotations")), _note(left_out, alone=not traces)]
        if not traces:
            layout |= {"xaxis": {"visible": False}, "yaxis": {"visible": False}}
    return {"data": traces, "layout": layout}


def safe_frames(frames: Any) -> list[Any]:
    """Return the frames of an animated figure without links that run code; none where one may ask other servers."""
    listed = _listed(frames)
    return [] if _FETCHING.search(json.dumps(listed, default=str).lower()) else [_safe(frame) for frame in listed]


def _asks_others(trace: Any, left_out: list[Message]) -> bool:
    if not isinstance(trace, dict):
        return False
    kind = str(trace.get("type")).lower()
    if kind in _MAPS:
        left_out.append(Message("figure-part", part="map"))
        return True
    if kind == "image" and trace.get("source") is not None and not _is_picture(trace["source"]):
        left_out.append(_PICTURE_PART)
        return True
    return False


def _layout(given: Any, left_out: list[Message]) -> JsonObject:
    layout: JsonObject = {}
    for name, value in (given if isinstance(given, dict) else {}).items():
        if (_MAP_SETTINGS.fullmatch(name) and not _only_colours(value)) or name == "imagedefaults":
            continue
        if name in _MENUS and _FETCHING.search(json.dumps(_what_buttons_do(value), default=str)):
            left_out.append(Message("figure-part", part="buttons"))
        elif name == "images":
            kept = [image for image in _listed(value) if isinstance(image, dict) and _is_picture(image.get("source"))]
            left_out.extend([_PICTURE_PART] * (len(kept) < len(_listed(value))))
            layout[name] = _safe(kept)
        elif name == "template":
            layout[name] = _template(value, left_out)
        else:
            layout[name] = _safe(value)
    return layout


def _only_colours(value: Any) -> bool:
    return isinstance(value, dict) and _COLOURS.issuperset(value) and bool(value)


def _what_buttons_do(menus: Any) -> list[Any]:
    entries = [entry for menu in _listed(menus) if isinstance(menu, dict) for entry in menu.values()]
    buttons = [button for entry in entries for button in _listed(entry) if isinstance(button, dict)]
    return [[button.get("args"), button.get("args2")] for button in buttons]


def _template(given: Any, left_out: list[Message]) -> Any:
    if not isinstance(given, dict):
        return given  # the name of one of Plotly's own
    data = given.get("data")
    traces = data if isinstance(data, dict) else {}
    kept = {kind: _safe(traces[kind]) for kind in traces if kind != "image"}
    return {"data": kept, "layout": _layout(given.get("layout"), left_out)}


def _note(left_out: list[Message], *, alone: bool) -> JsonObject:
    words = Message("figure-left-out", names=tuple(dict.fromkeys(left_out))).of(reader())
    place = {"x": 0.5, "y": 0.5} if alone else {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
    return {"text": words, "showarrow": False, "xref": "paper", "yref": "paper", **place}


def _is_picture(source: Any) -> bool:
    return isinstance(source, str) and _PICTURE.fullmatch(source) is not None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        words = _LONE_SURROGATE.sub("\ufffd", value)
        return _TAG.sub(_tag, words) if "<" in words else words
    if isinstance(value, dict):
        return {_safe(name): _safe(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_safe(entry) for entry in value]
    return value


def _tag(found: re.Match[str]) -> str:
    """A tag of Plotly's own small HTML, if it neither fetches nor runs anything."""
    tag = unescape(found[0])
    targets = (re.sub(r"[\x00-\x20]", "", address) for address in _TARGET.findall(tag))
    _, _, style = tag.lower().partition("style")  # a pattern for both would begin anew at each of many
    harmless = all(_WEB.match(address) for address in targets) and not _FETCHING_STYLE.search(style)
    return found[0] if harmless else ""
