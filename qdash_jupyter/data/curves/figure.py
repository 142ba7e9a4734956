"""A Plotly figure's numbers: what its traces show, with the units of its axes.

As Plotly writes it (`fig.write_json`; https://plotly.com/javascript/reference/): arrays are lists, or since Plotly 6
typed arrays `{"dtype", "bdata", "shape"}` with little-endian bytes in base64. Values on a logarithmic axis are written
as they are, not as logarithms.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Literal, TypeAlias

import numpy as np
import orjson

from qdash_jupyter.data.calib_data import LeftOut
from qdash_jupyter.domain.chart_bundle import title_of
from qdash_jupyter.domain.compact import compact_text
from qdash_jupyter.messages.message import Message, Text

Role = Literal["data", "fit"]
Numbers: TypeAlias = "np.ndarray[Any, Any]"

_LINES, _MAPS = {"scatter", "scattergl"}, {"heatmap", "heatmapgl", "contour", "surface"}
_DTYPE = re.compile(r"[iu][124]|f[48]|u1c|u?int(8|16|32)|uint8c|float(32|64)")
"""Plotly's names of the types: numpy's, and a `c` behind one that is clamped when it is set."""

_PLANE = 2
_FEW = 20
"""Plotly draws a trace without a mode with markers where it has fewer points."""

_UNIT = re.compile(r"^(?P<label>.*?)\s*[(\[](?P<unit>[^()\[\]]*)[)\]]\s*$", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_NAME_CHARS = 80
_NO_UNITS = {"arb. units", "arb. unit", "arb.units", "a.u.", "au", "arb."}


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis' words: `Time (μs)` is `Time` in `μs`; an arbitrary unit is `a.u.`."""

    label: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace's points: `x`, `y`, `error` (one standard error of y, NaN where none is drawn) of one length.

    A histogram has its samples in `x`, and no `y`.
    """

    name: str
    role: Role
    x: Numbers
    y: Numbers
    error: Numbers
    x_axis: Axis
    y_axis: Axis


@dataclass(frozen=True, slots=True)
class Map:
    """A value over two axes: `z` has a row for each of `y`, a column for each of `x`."""

    name: str
    x: Numbers
    y: Numbers
    z: Numbers
    x_axis: Axis
    y_axis: Axis
    z_axis: Axis


@dataclass(frozen=True, slots=True)
class FigureRead:
    """What a figure shows; `left_out` are the traces that hold no such numbers, with the reason."""

    traces: tuple[Trace, ...]
    maps: tuple[Map, ...]
    left_out: tuple[Text, ...]


def figure_of(content: bytes) -> FigureRead:
    """The figure in a file.

    Raises:
        LeftOut: it is no JSON, or no Plotly figure.
    """
    try:
        figure = orjson.loads(content)
    except ValueError:
        raise LeftOut(Message("result-file-no-json")) from None
    if not isinstance(figure, dict) or not isinstance(figure.get("data"), list):
        raise LeftOut(Message("result-file-no-figure"))
    layout = _object(figure.get("layout"))
    lines: list[tuple[Mapping[str, Any], Trace]] = []
    maps: list[Map] = []
    left_out: list[Text] = []
    for number, trace in enumerate(figure["data"], 1):
        if not isinstance(trace, dict):
            left_out.append(Message("trace-no-object", number=str(number)))
            continue
        name = plain(trace.get("name")) or f"trace {number}"
        kind = plain(trace.get("type", "scatter"))
        try:
            if kind in _LINES or kind in {"bar", "histogram"}:
                lines.append((trace, _trace(name, kind, trace, layout)))
            elif kind in _MAPS:
                maps.append(_map(name, trace, layout))
            else:
                left_out.append(Message("trace-of-type", trace=name, type=kind))
        except LeftOut as error:
            left_out.append(Message("trace-left-out", trace=name, reason=error.why))
    return FigureRead(tuple(_with_roles(lines)), tuple(maps), tuple(left_out))


def plain(text: object) -> str:
    """A title without its HTML, on one line; empty where it is no text."""
    if not isinstance(text, str):
        return ""
    return compact_text(" ".join(unescape(_TAG.sub("", text)).split()), _NAME_CHARS)


def axis_of(title: str) -> Axis:
    """An axis by its title."""
    match = _UNIT.match(title)
    label, unit = (match["label"].strip(), match["unit"].strip()) if match else (title, "")
    unit = unit.replace("\N{MICRO SIGN}", "\N{GREEK SMALL LETTER MU}")  # QDash writes the letter
    return Axis(label, "a.u." if unit.casefold() in _NO_UNITS else unit)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _axis(name: object, letter: str, layout: Mapping[str, Any]) -> Axis:
    """The axis that a trace names: `x2` is `xaxis2` of the layout."""
    named = name if isinstance(name, str) and re.fullmatch(rf"{letter}\d*", name) else letter
    axis = _object(layout.get(f"{letter}axis{named[1:]}"))
    return axis_of(plain(title_of(axis)))


def _trace(name: str, kind: str, trace: Mapping[str, Any], layout: Mapping[str, Any]) -> Trace:
    axes = (_axis(trace.get("xaxis"), "x", layout), _axis(trace.get("yaxis"), "y", layout))
    if kind == "histogram":
        samples = _flat(trace.get("x"), "x")
        nothing = np.full(len(samples), np.nan)
        return Trace(name, "data", samples, nothing, nothing, *axes)
    y = _flat(trace.get("y"), "y")
    x = _flat(trace["x"], "x") if trace.get("x") is not None else _counted(trace, "x", len(y))
    if len(x) != len(y):
        raise LeftOut(Message("trace-uneven", x=len(x), y=len(y)))
    return Trace(name, "data", x, y, _errors(_object(trace.get("error_y")), y), *axes)


def _map(name: str, trace: Mapping[str, Any], layout: Mapping[str, Any]) -> Map:
    z = _array(trace.get("z"), "z")
    if z.ndim != _PLANE or not z.size:
        raise LeftOut(Message("trace-no-matrix"))
    if trace.get("transpose") is True:
        z = z.T
    rows, columns = z.shape
    x, y = (
        _centres(_flat(trace[letter], letter), count, letter)
        if trace.get(letter) is not None
        else _counted(trace, letter, count)
        for letter, count in (("x", columns), ("y", rows))
    )
    axes = (_axis(trace.get("xaxis"), "x", layout), _axis(trace.get("yaxis"), "y", layout))
    return Map(name, x, y, z, *axes, axis_of(plain(title_of(_object(trace.get("colorbar"))))))


def _centres(places: Numbers, count: int, letter: str) -> Numbers:
    """Where the cells of a map are: at their places, or between their edges."""
    if len(places) == count + 1:
        places = (places[1:] + places[:-1]) / 2
    elif len(places) != count:
        raise LeftOut(Message("trace-wrong-count", axis=letter, count=len(places), expected=count))
    return places


def _counted(trace: Mapping[str, Any], letter: str, count: int) -> Numbers:
    """Places that are not listed: `x0` and `dx` of the trace, by default 0 and 1."""
    start, step = (
        value if isinstance(value, int | float) else default
        for value, default in ((trace.get(f"{letter}0"), 0.0), (trace.get(f"d{letter}"), 1.0))
    )
    return start + step * np.arange(count, dtype=float)


def _errors(error: Mapping[str, Any], y: Numbers) -> Numbers:
    """What the error bars of y say, as one number a point: the mean of both directions."""
    errors: Numbers = np.full(len(y), np.nan)
    value = error.get("value", 10)
    number = float(value) if isinstance(value, int | float) else np.nan
    kind = error.get("type", "data" if error.get("array") is not None else "percent")
    if not error or error.get("visible") is False:
        return errors
    if kind == "constant":
        errors = np.full(len(y), number)
    elif kind == "percent":
        errors = np.abs(y) * number / 100
    elif kind == "sqrt":
        errors = np.sqrt(np.abs(y))
    else:
        up = _flat(error.get("array"), "error_y")
        down = _flat(error["arrayminus"], "error_y") if error.get("arrayminus") is not None else up
        if len(up) == len(down) == len(y):
            errors = (up + down) / 2
    return errors


def _with_roles(lines: Sequence[tuple[Mapping[str, Any], Trace]]) -> Iterator[Trace]:
    """A fit is drawn as a line beside points of the same axes, or is named so."""
    drawn = [
        (trace.get("xaxis", "x"), trace.get("yaxis", "y"), _has_markers(trace, len(read.x))) for trace, read in lines
    ]
    with_points = {(x, y) for x, y, has_markers in drawn if has_markers}
    for (_, read), (x, y, has_markers) in zip(lines, drawn, strict=True):
        is_named_fit = re.search(r"\bfit", read.name, re.IGNORECASE) is not None
        is_fit = not has_markers and (is_named_fit or (x, y) in with_points)
        yield replace(read, role="fit") if is_fit else read


def _has_markers(trace: Mapping[str, Any], count: int) -> bool:
    if trace.get("type", "scatter") not in _LINES:
        return True
    mode = trace.get("mode")
    return "markers" in mode if isinstance(mode, str) else count < _FEW


def _flat(value: object, name: str) -> Numbers:
    array = _array(value, name)
    if array.ndim != 1:
        raise LeftOut(Message("trace-no-numbers", axis=name))
    return array


def _array(value: object, name: str) -> Numbers:
    """Numbers of a list or a typed array; what is no number is NaN."""
    if isinstance(value, dict):
        return _typed(value, name)
    if not isinstance(value, list):
        raise LeftOut(Message("trace-no-numbers", axis=name))
    if value and all(isinstance(row, list) for row in value):
        width = {len(row) for row in value}
        if len(width) != 1:
            raise LeftOut(Message("trace-uneven-rows", axis=name))
        matrix: Numbers = np.array([_numbers(row) for row in value], dtype=float)
        return matrix
    return _numbers(value)


def _numbers(items: list[object]) -> Numbers:
    known = items if set(map(type, items)) <= {int, float} else [_number(item) for item in items]
    numbers: Numbers = np.array(known, dtype=float)
    return numbers


def _number(item: object) -> float:
    if isinstance(item, bool) or not isinstance(item, int | float | str):
        return np.nan
    try:
        return float(item)
    except (ValueError, OverflowError):
        return np.nan


def _typed(value: Mapping[str, Any], name: str) -> Numbers:
    dtype, data, shape = (value.get(key) for key in ("dtype", "bdata", "shape"))
    if not (isinstance(data, str) and isinstance(dtype, str) and _DTYPE.fullmatch(dtype)):
        raise LeftOut(Message("trace-bad-array", axis=name))
    try:
        little_endian = np.dtype(dtype.removesuffix("c")).newbyteorder("<")
        array: Numbers = np.frombuffer(base64.b64decode(data, validate=True), little_endian).astype(float)
        if shape is not None:
            array = array.reshape([int(size) for size in str(shape).split(",")])
    except (binascii.Error, ValueError):
        raise LeftOut(Message("trace-bad-array", axis=name)) from None
    if array.ndim > _PLANE:
        raise LeftOut(Message("trace-dimensions", axis=name, count=array.ndim))
    return array
