"""What a server's tool answers, as the output of a tool."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import ToolError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.returned import are_rows, output_of
from qdash_jupyter.tools.size_limit import FEW_ROWS
from qdash_jupyter.tools.spec import ToolOutput

_ERROR_CHARS = 2_000


def output_of_result(result: JsonObject, tool: str) -> ToolOutput:
    """Rows become a table; other structured content, and texts, go to the model; images and files are named.

    Raises:
        ToolError: the tool says that it failed.
    """
    content = result.get("content", [])
    text = "\n".join(filter(None, map(_text_of, content)))
    if result.get("isError"):
        raise ToolError(text[:_ERROR_CHARS] or Message("mcp-no-reason", name=tool), Message("try-other-arguments-hint"))
    beside = {"attachments": named} if (named := list(_named(content))) else {}
    structured = masked(result.get("structuredContent"))
    if (table := _table_of(structured)) is not None:
        output = output_of(table | beside, tool)
        is_few = all(len(each) <= FEW_ROWS for each in table.values() if hasattr(each, "columns"))
        return replace(output, rows=dict(structured)) if is_few and isinstance(structured, Mapping) else output
    if isinstance(structured, Mapping):
        return ToolOutput(content=dict(structured) | beside)
    if structured is not None:
        return ToolOutput(content={"result": structured} | beside)
    return ToolOutput(content=({"text": text} if text or not beside else {}) | beside)


def _table_of(structured: Any) -> dict[str, Any] | None:
    """The rows as a DataFrame under their name, with what stands beside them; None where there are no rows."""
    given = {"result": structured} if isinstance(structured, list) else structured
    rows = [name for name, value in given.items() if are_rows(value)] if isinstance(given, Mapping) else []
    if not rows:
        return None
    import pandas as pd

    return {name: pd.DataFrame(value) if name in rows else value for name, value in given.items()}


def _text_of(block: JsonObject) -> str:
    holder = block.get("resource", {}) if block["type"] == "resource" else block
    return str(holder.get("text", ""))


def _named(blocks: list[JsonObject]) -> Iterator[dict[str, str]]:
    """What is no text, by its type and size or its address."""
    for block in blocks:
        if block["type"] in {"image", "audio"}:
            yield {"type": block["mimeType"], "size": size_words(len(base64.b64decode(block["data"])))}
        elif block["type"] == "resource_link":
            name = block.get("title") or block["name"]
            yield {"type": block.get("mimeType", ""), "name": name, "uri": block["uri"]}
        elif block["type"] == "resource":
            yield {"type": block["resource"].get("mimeType", ""), "uri": block["resource"]["uri"]}
