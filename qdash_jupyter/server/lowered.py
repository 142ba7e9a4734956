"""An answer as clients know it that have no notebook: texts and charts of plain JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.answer import Answer, JsonObject, TableBlock
from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.cell_run import CellRun, cells_unseen
from qdash_jupyter.domain.chart_bundle import plain_arrays


def lowered(answer: Answer, cells: Iterable[CellRun]) -> JsonObject:
    """The seed's blocks: tables are Markdown, code that ran is a text behind everything, arrays of charts are lists.

    What is stored is gone with the answer, so no table says where the rest of its rows is.
    """
    blocks_here = tuple(replace(each, frame_key="") if isinstance(each, TableBlock) else each for each in answer.blocks)
    found: JsonObject = replace(answer, blocks=blocks_here).to_seed_schema()
    blocks: list[dict[str, Any]] = [
        block if block["chart"] is None else block | {"chart": plain_arrays(block["chart"])}
        for block in found["blocks"]
    ]
    ran = [_code_of(run) for run in cells_unseen(cells)]
    blocks += [{"type": "text", "content": text, "chart": None} for text in ran]
    return found | {"blocks": blocks}


def in_one_piece(result: JsonObject) -> JsonObject:
    """A result with the fields that QDash's answers had before they were blocks."""
    texts = [block["content"] for block in result["blocks"] if block["type"] == "text"]
    legacy = {"summary": texts[0] if texts else "", "explanation": "\n\n".join(texts)}
    return legacy | {"potential_issues": [], "recommendations": []} | result


def _code_of(run: CellRun) -> str:
    title = f"**{run.request.purpose}**\n\n" if run.request.purpose else ""
    return f"{title}{code_fence(run.request.code, 'python')}"
