"""What the planner says of the user's own cells and variables: what it is told of them, and that it can do no more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.safe_text import harmless_words, one_line
from qdash_jupyter.llm.offline.phrases import Say
from qdash_jupyter.messages.message import Message

_PLAIN = re.compile(
    r"@\w+|\b(?:what|which|how|many|is|are|in|the|of|a|an|describe|show|me|shape|columns?|rows?|size|d?types?|head"
    r"|look|like|does|do|has|have|names?|tell|about|and|please|this|table|array|its?|kind|there)\b"
    r"|何|なに|列|行|形状?|型|ですか|です|説明|教えて|して|ください|いくつ|は|の|を|が|と|名|数|どんな|テーブル|表|。|、",
    re.IGNORECASE | re.ASCII,
)


def of_failed_cell(error: str, say: Say) -> str:
    """The error by its name and its line, and why that is all. `error` is its text as a model reads it."""
    *lines, last = error.strip().split("\n")
    places = [line for line in lines if line.startswith("line ")]
    failed = Message("plan-cell-failed", error=_code(last))
    if places:
        failed = Message("plan-cell-failed-at", error=_code(last), line=_code(places[-1]))
    return f"{say(failed)}\n\n{say(Message('plan-cannot-fix'))}"


def of_named(question: str, named: Mapping[str, Any], say: Say) -> str:
    """What the variables are; where the question asks for more, that it cannot be done."""
    found = [_of_one(name, told) for name, told in named.items()]
    if re.search(r"\w", _PLAIN.sub(" ", question)):
        found.append(Message("plan-cannot-compute"))
    return "\n\n".join(map(say, found))


def _of_one(name: str, told: Mapping[str, Any]) -> Message:
    kind = told.get("type", "")
    if "shape" in told:
        shape = " × ".join(map(str, told["shape"])) or "()"
        return Message("plan-array", name=name, shape=shape, type=told["dtype"])
    if "rows" not in told:
        return Message("plan-variable", name=name, kind=told.get("not_told") or kind)
    if "columns" not in told:
        return Message("plan-series", name=name, kind=kind, rows=told["rows"], type=told["dtype"])
    columns = tuple(
        f"{harmless_words(label)} ({dtype})" if dtype else harmless_words(label)
        for label, dtype in told["columns"].items()
    )
    more = told.get("more_columns", 0)
    count, names = len(columns) + more, (*columns, *(("…",) if more else ()))
    return Message("plan-table", name=name, kind=kind, rows=told["rows"], count=count, columns=names)


def _code(text: str) -> str:
    return one_line(text).replace("`", "'")
