"""The curve of a result as a chart of an answer, with the code that draws it again."""

from __future__ import annotations

import json
from dataclasses import replace

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.methods.curves.chart import curve_chart
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.verdict import CurveVerdict


def curve_drawing(curve: Curve | Shots, verdict: CurveVerdict, chip: ChipRef, language: Language = "en") -> ChartBlock:
    """The chart, its titles in the language."""
    chart = chart_of(json.loads(curve_chart(curve, verdict, language=language).to_json()))
    return replace(chart, code=_code(curve.task_id, chip, language))


def _code(task_id: str, chip: ChipRef, language: Language) -> str:
    """For a cell of the user's own: ids are texts of the database, so they are written as Python writes texts."""
    said = "" if language == "en" else f", language={language!r}"
    return (
        "from qdash_jupyter import methods as qm\n\n"
        "stored = copilot.tools.get_result_curves(\n"
        f"    task_id={task_id!r},\n"
        f"    chip_id={chip.chip_id!r},\n"
        f"    project_id={chip.project_id!r},\n"
        ")\n"
        "(curve,) = qm.curves_of(stored)\n"
        f"qm.curve_chart(curve{said})"
    )
