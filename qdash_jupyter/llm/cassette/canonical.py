"""A request without what differs from run to run: what is left is the same when the same thing is asked.

Left out or replaced: the clock behind a question, ids that a server or we made up (of calls, items, cells, requests),
the status of items, encrypted reasoning, elapsed times, addresses of Python objects, and how JSON is spelled. Images
become their hash. Everything else counts, the ids of QDash's own records included.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from qdash_jupyter.domain.analysis import NOTE, text_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import is_attached
from qdash_jupyter.llm.cassette.spelling import read_json
from qdash_jupyter.llm.client import ModelRequest

_CLOCK = re.compile(r'(?<="now":")\d{4}-\d\d-\d\d \d\d:\d\d UTC(?=")')
_ADDRESS = re.compile(r"(?<= at )0x[0-9a-f]{6,16}\b")
_NUMBERED = re.compile(r"call \d+")
_IMAGE = re.compile(r"^data:([\w/+.-]+)[\w/+.;=-]*;base64,")
_OF_ITEMS = {"id", "status", "encrypted_content"}
_OF_RESULTS = {"cell_id", "request_id", "turn_id", "call_id", "elapsed_s", "produced_at"}


def canonical(request: ModelRequest) -> JsonObject:
    """The request as JSON values, by the names of its fields; what is not set is left out."""
    values = {field.name: getattr(request, field.name) for field in fields(request) if field.name != "in_page"}
    values["items"] = canonical_items(request.items)
    return {name: _plain(value) for name, value in values.items() if value not in (None, ())}


def canonical_items(items: Sequence[JsonObject]) -> list[JsonObject]:
    """Input items; calls are numbered: `call 1` is the first, and its result bears the same name.

    Items that are canonical already stay as they are, and may be followed by others.
    """
    calls: list[str] = []
    return [_item(item, calls) for item in items]


def key_of(request: JsonObject) -> str:
    """The hash of a canonical request; the order of JSON keys does not count."""
    text = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def question_of(items: Sequence[JsonObject]) -> tuple[str, int]:
    """The user's last question, and the round of replies to it that these items ask for (1 is the first)."""
    question, rounds, after_results = "", 1, False
    for item in items:
        is_result = item.get("type") == "function_call_output"
        if item.get("role") == "user" and not text_of(item).startswith(NOTE) and not is_attached(item):
            question, rounds = text_of(item), 1
        elif is_result and not after_results:
            rounds += 1
        after_results = is_result
    return question, rounds


def _item(item: JsonObject, calls: list[str]) -> JsonObject:
    kept = {name: value for name, value in item.items() if name not in _OF_ITEMS}
    if "call_id" in kept:
        if item.get("type") == "function_call":
            calls.append(kept["call_id"])
            kept["call_id"] = f"call {len(calls)}"
        else:
            kept["call_id"] = _numbered(kept["call_id"], calls)
    if isinstance(kept.get("arguments"), str):
        kept["arguments"] = read_json(kept["arguments"])
    if kept.get("role") == "user" and isinstance(kept.get("content"), list):
        kept["content"] = [_without_clock(part) for part in kept["content"]]
    if isinstance(kept.get("output"), str):
        kept["output"] = _without_ours(read_json(kept["output"]))
    plain: JsonObject = _plain(kept)
    return plain


def _numbered(call_id: str, calls: Sequence[str]) -> str:
    if _NUMBERED.fullmatch(call_id) or call_id not in calls:
        return call_id
    # Some servers use the same id in each of their replies: the newest call is meant.
    return f"call {len(calls) - list(reversed(calls)).index(call_id)}"


def _without_ours(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_ours(inner) for name, inner in value.items() if name not in _OF_RESULTS}
    if isinstance(value, list):
        return [_without_ours(inner) for inner in value]
    return _ADDRESS.sub("0x…", value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """JSON values: lists for tuples, and hashes for images."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, str) and (head := _IMAGE.match(value)):
        digest = hashlib.sha256(value.encode()).hexdigest()[:32]
        return f"{head[1]} of {len(value) - head.end():,} characters, sha256 {digest}"
    return value


def _without_clock(part: JsonObject) -> JsonObject:
    text = part.get("text")
    return part if not isinstance(text, str) else {**part, "text": _CLOCK.sub("(the clock)", text)}
