"""The answer while it is still being written."""

from __future__ import annotations

import re
from typing import Any

import jiter

from qdash_jupyter.agent.parse import begun_objects, block_of, is_answer, parse_answer, text_block
from qdash_jupyter.domain.answer import Block, JsonObject

_LONGEST_KEY = 100
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_HALF_PAIR = re.compile(r"(?:[\ud800-\udbff]|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)\Z")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_OPEN_FENCE = re.compile(r"`{1,3}\w*\s*\Z")


def partial_answer(raw: str) -> tuple[Block, ...]:
    """The blocks that can be seen in the first part of an answer, as `parse_answer` will read them in the end.

    Text grows from one call to the next, and a chart counts once it is complete. What may become JSON or may not is
    kept back until that is clear. Never raises, whatever the model writes.
    """
    raw = _characters(raw)
    if "{" not in raw:
        return _words(raw)
    for start, found in begun_objects(raw):
        if found is None and (begun := _begun(raw[start:])) is not None:
            return _blocks(begun) if isinstance(begun.get("blocks"), list) else _words(raw[:start])
        if found is not None and is_answer(found):
            break
    return parse_answer(raw).blocks


def _characters(raw: str) -> str:
    """The text without half a character at its end: pairs of surrogates may come in two parts."""
    raw = _HALF_PAIR.sub("", raw)
    if _SURROGATE.search(raw):
        raw = raw.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return raw


def _words(text: str) -> tuple[Block, ...]:
    """Words that are no JSON; a fence at their end may be the one around it."""
    words = _OPEN_FENCE.sub("", text).strip()
    return (text_block(words),) if words else ()


def _begun(text: str) -> JsonObject | None:
    """The object whose first part this is; None where it is none, and never will be."""
    found = _first_part(text)
    if found is None and "\\u" in text:
        # Halves of pairs are no JSON for this reader; for the one that reads the whole answer they are.
        found = _first_part(_ESCAPE.sub(lambda escape: "\\ufffd" if escape["half"] else escape[0], text))
    # A brace and a quote among words look like an object until the name in it gets too long for one.
    return None if found == {} and len(text) > _LONGEST_KEY else found


def _first_part(text: str) -> JsonObject | None:
    try:
        found = jiter.from_json(text.encode(), cache_mode="none", partial_mode="trailing-strings")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _blocks(answer: JsonObject) -> tuple[Block, ...]:
    blocks = answer["blocks"]
    # A block is complete when something stands behind it; the text of one is good at any length.
    if blocks and next(reversed(answer)) == "blocks" and not _is_text(blocks[-1]):
        blocks = blocks[:-1]
    return tuple(block for raw in blocks if (block := block_of(raw)) is not None)


def _is_text(raw: Any) -> bool:
    return isinstance(raw, str) or (
        isinstance(raw, dict) and raw.get("type") == "text" and isinstance(raw.get("content"), str)
    )
