"""The attachment of a declared tool, as its settings have it: whether it stays, what cells, the model and the user get.

Cells get one that stays as a stored result: rows of JSON or CSV as a table, another file as the table `files` with its
bytes. The model reads its summary. The user sees it in the answer if it is propagated and a block can show it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import Block, TextBlock
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.mime import bare_type, is_of
from qdash_jupyter.domain.safe_text import without_remote_content
from qdash_jupyter.errors import BrokenAnswer
from qdash_jupyter.tools.returned import are_rows, output_of
from qdash_jupyter.tools.spec import Attachment, ToolOutput

FILES = "files"
"""The table of an attachment that is none."""
_TEXTS = ("text/plain", "text/markdown")


def sorted_out(output: ToolOutput, tool: str, supported: Sequence[str] | None, shown: Sequence[str]) -> ToolOutput:
    """The output with what its attachment becomes; one whose type is not `supported` is dropped.

    Raises:
        BrokenAnswer: it is not what its type says.
    """
    if (given := output.attachment) is None:
        return output
    output = replace(output, attachment=None)
    told: dict[str, Any] = dict(output.content or {})
    if supported is not None and not is_of(given.mime, supported):
        return replace(output, content=told | {"not_supported": [given.title]})
    rows, is_shown = _rows(given), is_of(given.mime, shown)
    if rows is None:
        told["attachments"] = [{"title": given.title, "type": given.mime, "bytes": len(given.data)}]
        file = {"title": [given.title], "type": [given.mime], "data": [given.data]}
        made = output_of({FILES: pd.DataFrame(file)}, tool)
        blocks = _blocks(given) if is_shown else ()
    elif any(isinstance(value, pd.DataFrame) for value in rows.values()):
        made = output_of(rows, tool)
        blocks = made.blocks if is_shown else ()
    else:
        return replace(output, content=told | rows)
    return replace(made, content=told or None, rows=None if told else made.rows, blocks=blocks)


def _rows(attachment: Attachment) -> dict[str, Any] | None:
    """Tables and what stands beside them, by name; None of what holds no rows."""
    mime = bare_type(attachment.mime)
    try:
        if mime == "text/csv":
            return {"table": pd.read_csv(io.StringIO(_text(attachment)))}
        if mime != "application/json" and (not mime.endswith("+json") or mime == PLOTLY_MIME):
            return None
        given = json.loads(_text(attachment))
    except (ValueError, RecursionError) as error:
        raise BrokenAnswer.with_hint(
            "attachment-unreadable", name=attachment.title, type=mime, why=str(error)
        ) from None
    if are_rows(given):
        return {"table": pd.json_normalize(given)}
    if isinstance(given, dict):
        return {name: pd.json_normalize(one) if are_rows(one) else one for name, one in given.items()}
    return {"result": given}


def _blocks(attachment: Attachment) -> tuple[Block, ...]:
    """What an answer can show of it. Pictures it cannot: they stay in the stored result."""
    mime = bare_type(attachment.mime)
    if mime == PLOTLY_MIME:
        return (chart_of(json.loads(_text(attachment))),)
    return (TextBlock(without_remote_content(_text(attachment))),) if mime in _TEXTS else ()


def _text(attachment: Attachment) -> str:
    return str(masked(attachment.data.decode("utf-8", "replace")))
