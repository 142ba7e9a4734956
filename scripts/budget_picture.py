"""The picture of docs/curves.md: the budgets of a Ramsey curve in which a second frequency may be."""

from __future__ import annotations

import numpy as np

from qdash_jupyter import methods as qm

_ROW, _BAR, _LEFT, _SCALE = 46, 14, 230, 220
_COLOURS = {"noise": "#3b6ea5", "LIMIT": "#c0392b"}
_OTHERS = ("#e08e3c", "#8e6bbf", "#5aa36a", "#999999")
_SHOWN = ("ramsey_frequency", "t2_star", "amplitude")
_LARGEST = 2.4
_LEAST = 0.02
"""In limits: what is drawn at most, and at least."""


def picture() -> str:
    """The picture as SVG: for each parameter the parts of its budget in parts of its limit, one bar each."""
    x = np.linspace(0.0, 16.0, 121)
    y = 0.5 + 0.35 * np.exp(-x / 18) * np.cos(2 * np.pi * 1.1 * x)
    y += 0.1 * np.cos(2 * np.pi * 1.22 * x) * np.exp(-x / 18) + 0.05 * np.random.default_rng(4).standard_normal(121)
    verdict = qm.judge(qm.Curve("CheckRamsey", "Q07", x, y, x_unit="μs"))
    lines: list[str] = []
    colours = dict(_COLOURS)
    top = 30
    for name in _SHOWN:
        one = verdict.parameters[name]
        parts = [("noise", one.error), *((str(part.code), part.size) for part in one.parts)]
        shown = [(what, size / one.limit) for what, size in parts if size / one.limit > _LEAST]
        lines.append(_text(10, top + 12, f"{name}: {one.fit}", bold=True))
        lines.append(_text(10, top + 28, f"({one.code})"))
        for index, (what, size) in enumerate(shown):
            colour = colours.setdefault(what, _OTHERS[(len(colours) - len(_COLOURS)) % len(_OTHERS)])
            width = round(_SCALE * min(size, _LARGEST))
            at = top + index * (_BAR + 4)
            lines.append(f'<rect x="{_LEFT}" y="{at}" width="{max(width, 1)}" height="{_BAR}" fill="{colour}"/>')
            words = f"{what} {size:.2f}"
            right = _LEFT + max(width, 1) + 6
            lines.append(f'<rect x="{right - 2}" y="{at}" width="{7 * len(words)}" height="{_BAR}" fill="white"/>')
            lines.append(_text(right, at + 11, words))
        top += max(_ROW, len(shown) * (_BAR + 4) + 14)
    limit = _LEFT + _SCALE
    at_limit = f'x1="{limit}" x2="{limit}" y1="20" y2="{top}" stroke="{_COLOURS["LIMIT"]}" stroke-dasharray="4"'
    lines.insert(0, f"<line {at_limit}/>")
    lines.append(_text(limit + 4, 16, "limit of use = 1"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="820" height="{top + 10}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="820" height="{top + 10}" fill="white"/>', *lines, "</svg>", ""])


def _text(x: int, y: int, text: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="12"{weight} fill="#222">{text}</text>'
