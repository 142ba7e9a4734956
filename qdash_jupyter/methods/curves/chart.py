"""A curve as a figure: points, the line of the stored fit, the new fit, and what is left of the points below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qdash_jupyter.domain.units import factor
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, Text, all_of
from qdash_jupyter.methods.charts import BAR, COLOURS, GREY, figure, titled
from qdash_jupyter.methods.curves.codes import Code, Trust
from qdash_jupyter.methods.curves.curve import Array, Curve, Shots
from qdash_jupyter.methods.curves.families import family_of
from qdash_jupyter.methods.curves.fit import CurveFit
from qdash_jupyter.methods.curves.judge import judge
from qdash_jupyter.methods.curves.verdict import CurveVerdict
from qdash_jupyter.methods.measurements import label

if TYPE_CHECKING:
    import plotly.graph_objects as go

_RESIDUAL = Message("chart-residual")
_UPPER = (0.36, 1.0)
_LOWER = (0.0, 0.28)
_EVEN = 0.2
"""Spread of the distances between neighbours, against their mean, up to which these are the same."""
_BINS = 60
"""At most."""
_COARSE = 20
"""Steps of the values in a bin: with fewer, it would show that some bins hold one more than others."""

_LINE = (400, 2000)
_PER_POINT = 2
"""Places of the line of the new fit, at least and at most, and for each point."""

_LONG = 10_000
"""A number of five digits is read badly on an axis."""
_MANY = 300
"""Points; more are drawn smaller."""


def curve_chart(curve: Curve | Shots, verdict: CurveVerdict | None = None, *, language: Language = "en") -> go.Figure:
    """The points with the stored and the new fit, and the residuals of the new fit below: points minus fit. Of a
    readout's shots the two histograms. The title names the verdict on the task's main parameter, and those on
    others that differ. The axis of x is logarithmic where the points are spaced so; times of 10,000 ns
    and more are drawn in μs.

    Args:
        curve: What was measured, one of `curves_of`; of a complex one the magnitude is drawn.
        verdict: What `judge` said of it; computed where it is not given.
        language: Of titles and legend: `en` or `ja`.
    """
    verdict = verdict or judge(curve)
    title = Message(
        "chart-of-curve", task=curve.task, qid=label(curve.qid), fit=verdict.fit.words, why=_why(verdict.code)
    )
    if verdict.others:
        alike: dict[tuple[Trust, Code], list[Message]] = {}
        for name, one in verdict.others.items():
            alike.setdefault((one.fit, one.code), []).append(Message("curve-parameter", name=name))
        others = tuple(
            Message("chart-of-parameter", name=all_of(names), fit=fit.words, why=_why(code))
            for (fit, code), names in alike.items()
        )
        title = Message("chart-of-parameters", title=title, others=others)
    if isinstance(curve, Shots):
        return _shots_chart(curve, title, language)
    fig = figure()
    y, (unit, by) = _shown(curve.y), _drawn_in(curve)
    bars = {"array": curve.error, "color": BAR, "thickness": 1, "width": 0}
    errors = {} if curve.error is None else {"error_y": bars}
    marker = {"color": COLOURS[0], "size": 5 if len(y) <= _MANY else 3}
    fig.add_scatter(
        x=curve.x * by, y=y, mode="markers", name=Message("chart-points").of(language), marker=marker, **errors
    )
    if curve.fit_x is not None and curve.fit_y is not None:
        line = {"color": COLOURS[1], "width": 1.5, "dash": "dash"}
        at, name = curve.fit_x * by, Message("chart-stored-fit").of(language)
        fig.add_scatter(x=at, y=_shown(curve.fit_y), mode="lines", name=name, line=line)
    signal = Message("chart-axis", name=Message("chart-signal"), unit=curve.y_unit or "a.u.")
    titled(fig, title, _x_title(curve, unit), signal, language)
    if _is_logarithmic(curve.x):
        fig.update_xaxes(type="log")
    if verdict.refit is not None:
        _add_refit(fig, curve, y, verdict.refit, language)
    return fig


def _add_refit(fig: go.Figure, curve: Curve, y: Array, refit: CurveFit, language: Language) -> None:
    """The line of the new fit, and the residuals on axes of their own."""
    at, line = refit.line(int(np.clip(_PER_POINT * len(y), *_LINE)))
    drawn = {"color": COLOURS[2], "width": 1.5, "dash": "solid"}
    _, by = _drawn_in(curve)
    name = Message("chart-new-fit").of(language)
    fig.add_scatter(x=at * by, y=_shown(line), mode="lines", name=name, line=drawn)
    left = y - _shown(refit.at(curve.x))
    marker = {"color": COLOURS[0], "size": 4 if len(y) <= _MANY else 2}
    fig.add_scatter(
        x=curve.x * by,
        y=left,
        mode="markers",
        name=_RESIDUAL.of(language),
        marker=marker,
        yaxis="y2",
        showlegend=False,
    )
    title = Message("chart-axis", name=_RESIDUAL, unit=curve.y_unit or "a.u.")
    fig.update_layout(
        yaxis={"domain": _UPPER, "exponentformat": "power"},
        xaxis={"anchor": "y2"},
        yaxis2={
            "domain": _LOWER,
            "title": {"text": title.of(language)},
            "exponentformat": "power",
            "zeroline": True,
            "zerolinecolor": GREY,
            "gridcolor": fig.layout.yaxis.gridcolor,
            "color": fig.layout.yaxis.color,
        },
    )


def _why(code: Code) -> Message:
    """What decided, in brackets; nothing of a curve that is as expected."""
    return Message("curve-why", code=str(code))


def _shots_chart(shots: Shots, title: Message, language: Language) -> go.Figure:
    zero, one = shots.zero.mean(), shots.one.mean()
    along, middle = (one - zero) / (abs(one - zero) or 1.0), (zero + one) / 2
    fig = figure()
    sides = [((each - middle) * np.conj(along)).real for each in (shots.zero, shots.one)]
    bins = _bins_of(np.concatenate([side[np.isfinite(side)] for side in sides]))
    for name, side, colour in zip(("|0⟩", "|1⟩"), sides, COLOURS, strict=False):
        fig.add_histogram(x=side, name=name, xbins=bins, marker_color=colour, opacity=0.6)
    fig.update_layout(barmode="overlay")
    x = Message("chart-axis", name=Message("chart-projection"), unit=shots.unit)
    return titled(fig, title, x, Message("chart-shots"), language)


def _bins_of(values: Array) -> dict[str, float]:
    """Bins of a histogram. Where the values come in steps, as from a converter, each bin holds as many of them."""
    edges = np.histogram_bin_edges(values, bins=int(min(_BINS, np.sqrt(len(values)))))
    size, gaps = edges[1] - edges[0], np.diff(np.sort(values))
    gaps = gaps[gaps > 1e-9 * max(edges[-1] - edges[0], 1e-300)]
    step = gaps.min() if len(gaps) else 0.0
    if size < _COARSE * step:
        size = max(round(size / step), 1) * step
        return {"start": float(edges[0] - step / 2), "end": float(edges[-1] + size), "size": float(size)}
    return {"start": float(edges[0]), "end": float(edges[-1]), "size": float(size)}


def _is_logarithmic(x: Array) -> bool:
    """Whether neighbours are the same factor apart, and not the same distance."""
    places = np.unique(x[np.isfinite(x)])
    if len(places) < 3 or places[0] <= 0:  # noqa: PLR2004 - two are on any scale
        return False
    steps, factors = np.diff(places), np.diff(np.log(places))
    return bool(np.std(factors) < _EVEN * np.mean(factors) and np.std(steps) > _EVEN * np.mean(steps))


def _shown(values: Array) -> Array:
    shown: Array = np.abs(values) if np.iscomplexobj(values) else values
    return shown


def _drawn_in(curve: Curve) -> tuple[str, float]:
    """The unit of the axis of x, and by what x is multiplied for it: that of the kind where numbers would be long."""
    family = family_of(curve.task)
    known = factor(curve.x_unit, family.unit) if family is not None else None
    is_long = np.max(np.abs(curve.x[np.isfinite(curve.x)]), initial=0.0) >= _LONG
    return (family.unit, known) if family is not None and known and is_long else (curve.x_unit, 1.0)


def _x_title(curve: Curve, unit: str) -> Text:
    family = family_of(curve.task)
    kinds = {"GHz": Message("chart-frequency"), "": Message("chart-cliffords")}
    name = kinds.get(family.unit if family is not None else curve.x_unit, Message("chart-duration"))
    return Message("chart-axis", name=name, unit=unit) if unit else name
