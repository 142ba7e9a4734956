"""The model's final text as an answer: the blocks schema, QDash's older schema, and text that is neither."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.domain.answer import ASSESSMENTS, Answer, Assessment, Block, ChartBlock, JsonObject, TextBlock
from qdash_jupyter.domain.bold import with_bold_in_japanese
from qdash_jupyter.domain.safe_text import without_remote_content

ANSWER_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "blocks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": ["text", "chart"]},
                    "content": {"type": ["string", "null"]},
                    "chart": {"type": ["object", "null"]},
                },
                "required": ["type", "content", "chart"],
            },
        },
        "assessment": {"type": ["string", "null"], "enum": ["good", "warning", "bad", None]},
    },
    "required": ["blocks", "assessment"],
}
"""Schema of a final answer (the QDash blocks schema), sent with `strict: false` because charts are free objects."""

UNREADABLE_CHART = TextBlock("*A chart of this answer could not be read and was left out.*")
UNREADABLE_PART = TextBlock("*A part of this answer could not be read and was left out.*")

CUT_OFF = TextBlock("*The answer broke off here.*")

_MOST_TRIES = 50
_MOST_CHOICES, _LONGEST_CHOICE = 60, 100
_LEGACY = {"summary", "assessment", "explanation", "potential_issues", "recommendations"}
_FEWEST_LEGACY = 2


def parse_answer(text: str) -> Answer:
    """Read an answer: the blocks object or the older one, bare, in a code fence or among words; else one text block.

    A block that does not fit the schema becomes a note in its place; the rest of the answer is kept, also where the
    server cut it off. Nothing in the blocks makes a browser fetch or run anything. Choices where it asks back are
    beyond the schema, so that only a model that knows of them offers any.
    """
    whole_blocks: list[JsonObject] = []
    for _, found in begun_objects(text):
        if found is None:
            continue
        if isinstance(found.get("blocks"), list):
            blocks = tuple(block for raw in found["blocks"] if (block := block_of(raw)) is not None)
            choices, headings = _choices(found)
            return Answer(blocks, _assessment(found.get("assessment")), choices=choices, headings=headings)
        if is_answer(found):
            return _from_legacy(found)
        if found.get("type") in {"text", "chart"}:
            whole_blocks.append(found)
    if whole_blocks and '"blocks"' in text:
        kept = [block for raw in whole_blocks if (block := block_of(raw)) is not None]
        return Answer((*kept, CUT_OFF))
    return Answer((text_block(text.strip()),) if text.strip() else ())


def is_broken(text: str) -> bool:
    """Whether this begins as an answer's JSON and holds no whole object of one: nobody should have to read it raw."""
    return text.lstrip().startswith("{") and '"blocks"' in text and not any(found for _, found in begun_objects(text))


def is_answer(found: JsonObject) -> bool:
    """Whether this object is an answer, of either schema."""
    return isinstance(found.get("blocks"), list) or (
        isinstance(found.get("summary"), str) and len(_LEGACY & found.keys()) >= _FEWEST_LEGACY
    )


def begun_objects(text: str) -> Iterator[tuple[int, JsonObject | None]]:
    """Where a JSON object may begin in a text, and the object where it is a whole one; outermost ones only. Words
    before them may hold braces of their own.
    """
    decoder = json.JSONDecoder()
    start, tries = text.find("{"), 0
    while start >= 0 and tries < _MOST_TRIES:
        tries += 1
        end = start + 1
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        yield start, found
        start = text.find("{", end)


def block_of(raw: Any) -> Block | None:
    """One block of the schema; a note where it is none, None where there is nothing in it."""
    if isinstance(raw, str):
        return text_block(raw) if raw.strip() else None
    if not isinstance(raw, dict):
        return UNREADABLE_PART
    if raw.get("type") == "chart":
        return _chart(raw.get("chart"))
    if raw.get("type") == "text" and isinstance(raw.get("content"), str):
        return text_block(raw["content"]) if raw["content"].strip() else None
    return UNREADABLE_PART


def text_block(markdown: str) -> TextBlock:
    """A block of it, in which nothing loads or runs."""
    return TextBlock(with_bold_in_japanese(without_remote_content(markdown)))


def _chart(raw: Any) -> Block:
    data = raw.get("data") if isinstance(raw, dict) else None
    traces = [trace for trace in data if isinstance(trace, dict)] if isinstance(data, list) else []
    if not traces:
        return UNREADABLE_CHART
    layout = raw.get("layout")
    chart: ChartBlock = chart_of({"data": traces, "layout": layout if isinstance(layout, dict) else {}})
    return chart


def _from_legacy(found: JsonObject) -> Answer:
    """QDash's answer of models without tools, as the QDash of that time put it into blocks: one text."""
    parts = [_words(found.get("summary")), _words(found.get("explanation"))]
    for title, key in (("Potential Issues", "potential_issues"), ("Recommendations", "recommendations")):
        if entries := _listed(found.get(key)):
            parts.append("\n".join([f"**{title}:**", *(f"- {entry}" for entry in entries)]))
    text = "\n\n".join(part for part in parts if part)
    # That schema had no answers without an assessment: null meant that the model was in doubt.
    assessment: Assessment | None = "warning" if found.get("assessment") is None else _assessment(found["assessment"])
    return Answer((text_block(text),) if text else (), assessment)


def _listed(raw: Any) -> list[str]:
    entries = raw if isinstance(raw, list) else [raw]
    return [words for entry in entries if (words := _words(entry))]


def _words(raw: Any) -> str:
    if raw is None:
        return ""
    return raw.strip() if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


def _choices(found: JsonObject) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The choices that are short texts, and their headings, where each has one."""
    choices, headings = (one if isinstance(one, list) else [] for one in map(found.get, ("choices", "headings")))
    pairs = zip(choices, headings if len(headings) == len(choices) else [""] * len(choices), strict=True)
    kept = [pair for pair in pairs if all(isinstance(one, str) for one in pair) and 0 < len(pair[0]) <= _LONGEST_CHOICE]
    shown = kept[:_MOST_CHOICES]
    return tuple(choice for choice, _ in shown), tuple(heading for _, heading in shown if heading)


def _assessment(raw: Any) -> Assessment | None:
    lowered = raw.strip().lower() if isinstance(raw, str) else None
    return next((known for known in ASSESSMENTS if known == lowered), None)
