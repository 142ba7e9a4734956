"""The curve behind a result: a verdict on it and its points in a few words, and its chart for the user."""

from __future__ import annotations

from typing import Any

from qdash_jupyter.data.calib_data import CalibData
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.compact import compact_number, compact_text, to_json
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.methods.curves.curve import Curve, Shots

MOST_CHARS = 600
"""Of what a model is told, as JSON."""

_TEXT = 200
_BY_WEIGHT = ("fit", "code", "reason", "values", "others", "points", "left_out", "decided_by", "next")


def result_curve(
    result: TaskResult, chip: ChipRef, calib_data: CalibData, language: Language
) -> tuple[JsonObject, ChartBlock | None]:
    """What is said of a result's curve, nothing where QDash stored none, and its chart where it could be judged. Reads
    the result's files, and fits its points anew.
    """
    if not result.json_figure_path and not result.raw_data_path:
        return {}, None
    from qdash_jupyter.data.curves.frames import read_files
    from qdash_jupyter.methods.curves.judge import judge
    from qdash_jupyter.tools.curve_verdicts import curve_drawing, told_verdict
    from qdash_jupyter.tools.result_curves import left_out

    files = read_files(result, calib_data)
    told = left_out([result], files.missing)
    if (curve := files.curve) is None:
        return _short(told), None
    told["points"] = _points(curve)
    verdict = judge(curve)
    if not verdict.family:
        return _short(told), None
    told |= {**told_verdict(verdict), "next": verdict.next}
    return _short(told), curve_drawing(curve, verdict, chip, language)


def _short(told: JsonObject) -> JsonObject:
    """What weighs most, as much as there is room for; of several values or numbers at least the first."""
    short: JsonObject = {}
    for name in _BY_WEIGHT:
        for part in _parts(told.get(name)):
            if len(to_json(short | {name: part})) <= MOST_CHARS:
                short[name] = part
                break
    return short


def _parts(value: Any) -> list[Any]:
    """The value, and a shorter one."""
    if isinstance(value, dict):
        return [value, dict(list(value.items())[:1])]
    if isinstance(value, list):
        return [value, value[:1]]
    return [value, compact_text(value, _TEXT)] if value else []


def _points(curve: Curve | Shots) -> str:
    """How many, and from where to where; of a complex curve the magnitude."""
    import numpy as np

    if not isinstance(curve, Curve):
        return f"{len(curve.zero)} shots prepared in |0⟩, {len(curve.one)} in |1⟩"
    ranges = [f"{len(curve.x)} points"]
    for name, values, unit in (("x", curve.x, curve.x_unit), ("y", np.abs(curve.y), curve.y_unit)):
        shown = values if name == "x" or np.iscomplexobj(curve.y) else curve.y
        known = shown[np.isfinite(shown)]
        if len(known):
            ends = f"{name} {compact_number(known.min())} to {compact_number(known.max())}"
            ranges.append(f"{ends} {unit or 'a.u.'}" if name == "y" or unit else ends)
    return ", ".join(ranges)
