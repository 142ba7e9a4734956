"""What a server's tool answers, as the output of a tool."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pandas as pd

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
    if structured is None:
        return ToolOutput(content=({"text": text} if text or not beside else {}) | beside)
    given = dict(structured) if isinstance(structured, Mapping) else {"result": structured}
    rows = {name: value for name, value in given.items() if are_rows(value)}
    if not rows:
        return ToolOutput(content=given | beside)
    output = output_of(given | {name: pd.DataFrame(value) for name, value in rows.items()} | beside, tool)
    is_few = isinstance(structured, Mapping) and all(len(value) <= FEW_ROWS for value in rows.values())
    return replace(output, rows=given) if is_few else output


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
