"""The model's final text as an answer: the blocks schema, and text that is none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.answer import ASSESSMENTS, Assessment, Block, ChartBlock, JsonObject, TextBlock

ANSWER_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "blocks": {
            "type": "array",
            "description": "Text and charts in reading order.",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": ["text", "chart"]},
                    "content": {"type": ["string", "null"], "description": "Markdown of a text block."},
                    "chart": {"type": ["object", "null"], "description": "Plotly figure: data (traces) and layout."},
                },
                "required": ["type", "content", "chart"],
            },
        },
        "assessment": {"type": ["string", "null"], "enum": ["good", "warning", "bad", None]},
    },
    "required": ["blocks", "assessment"],
}
"""Schema of a final answer (the QDash blocks schema), sent with `strict: false` because charts are free objects."""


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """What the model said."""

    blocks: tuple[Block, ...]
    assessment: Assessment | None


def parse_answer(text: str) -> ParsedAnswer:
    """Read an answer: the blocks object, bare or in a code fence; any other text is one text block.

    A block that does not fit the schema becomes a note in its place; the rest of the answer is kept.
    """
    found = _object_in(text)
    if found is None or not isinstance(found.get("blocks"), list):
        return ParsedAnswer((TextBlock(text.strip()),) if text.strip() else (), None)
    blocks = tuple(block for raw in found["blocks"] if (block := _block(raw)) is not None)
    return ParsedAnswer(blocks, _assessment(found.get("assessment")))


def _object_in(text: str) -> dict[str, Any] | None:
    body = text.strip()
    if body.startswith("```"):
        body = body.split("\n", 1)[-1].rsplit("```", 1)[0]
    start = body.find("{")
    if start < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(body[start:])
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _block(raw: Any) -> Block | None:
    if isinstance(raw, dict) and raw.get("type") == "text" and isinstance(raw.get("content"), str):
        return TextBlock(raw["content"]) if raw["content"].strip() else None
    if isinstance(raw, dict) and raw.get("type") == "chart":
        chart = raw.get("chart")
        if isinstance(chart, dict) and isinstance(chart.get("data"), list) and chart["data"]:
            layout = chart.get("layout") if isinstance(chart.get("layout"), dict) else {}
            return ChartBlock(tuple(trace for trace in chart["data"] if isinstance(trace, dict)), layout or {})
        return TextBlock("*A chart of this answer could not be read and was left out.*")
    return TextBlock("*A part of this answer could not be read and was left out.*")


def _assessment(raw: Any) -> Assessment | None:
    lowered = raw.strip().lower() if isinstance(raw, str) else None
    return next((known for known in ASSESSMENTS if known == lowered), None)
