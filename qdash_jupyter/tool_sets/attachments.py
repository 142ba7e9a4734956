"""The one place where attachments of declared tools are sorted out: which stay, what cells, the model and the user get.

Cells get all that stay, as a stored result: rows of JSON or CSV as a table, other files as the table `files` with their
bytes. The model reads its summary. The user sees those in the answer that are propagated and that a block can show.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import Block, TableBlock, TextBlock
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.mime import bare_type, is_of
from qdash_jupyter.domain.safe_text import without_remote_content
from qdash_jupyter.errors import BrokenAnswer
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.returned import are_rows, output_of
from qdash_jupyter.tools.spec import Attachment, ToolOutput

FILES = "files"
"""The table of the attachments that are no tables."""
_TEXTS = ("text/plain", "text/markdown")


def sorted_out(output: ToolOutput, tool: str, supported: Sequence[str] | None, shown: Sequence[str]) -> ToolOutput:
    """The output with what its attachments become; those whose type is not `supported` are dropped.

    Raises:
        BrokenAnswer: one of them is not what its type says.
    """
    import pandas as pd

    if not output.attachments:
        return output
    kept = [each for each in output.attachments if supported is None or is_of(each.mime, supported)]
    told: dict[str, Any] = dict(output.content or {})
    if dropped := [each.title for each in output.attachments if each not in kept]:
        told["not_supported"] = dropped
    values: dict[str, Any] = {}
    files: list[Attachment] = []
    blocks: list[Block] = []
    tables_shown = False
    for each in kept:
        is_shown = is_of(each.mime, shown)
        rows = _rows(each)
        if rows is not None:
            values |= {_free(name, values): value for name, value in rows.items()}
            tables_shown |= is_shown
        else:
            files.append(each)
            blocks += _blocks(each) if is_shown else ()
    has_tables = any(isinstance(value, pd.DataFrame) for value in values.values())
    if files:
        told["attachments"] = [{"title": each.title, "type": each.mime, "bytes": len(each.data)} for each in files]
        columns = {"title": [each.title for each in files], "type": [each.mime for each in files]}
        values[_free(FILES, values)] = pd.DataFrame(columns | {"data": [each.data for each in files]})
    if not has_tables and not files:
        return replace(output, content=told | values, attachments=())
    made = output_of(values, tool)
    blocks += [block for block in made.blocks if tables_shown and isinstance(block, TableBlock)]
    return replace(
        output,
        content=told or None,
        rows=made.rows if has_tables and not told else None,
        frame=made.frame,
        statistics=made.statistics,
        blocks=(*output.blocks, *blocks),
        attachments=(),
    )


def _rows(attachment: Attachment) -> dict[str, Any] | None:
    """Tables and what stands beside them, by name; None of what holds no rows."""
    import pandas as pd

    mime = bare_type(attachment.mime)
    try:
        if mime == "text/csv":
            return {"table": pd.read_csv(io.StringIO(_text(attachment)))}
        if mime != "application/json" and (not mime.endswith("+json") or mime == PLOTLY_MIME):
            return None
        given = json.loads(_text(attachment))
    except (ValueError, RecursionError) as error:
        message = Message("attachment-unreadable", name=attachment.title, type=mime, why=str(error))
        raise BrokenAnswer(message, Message("attachment-unreadable-hint")) from None
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


def _free(name: str, taken: dict[str, Any]) -> str:
    number = 1
    while (free := name if number == 1 else f"{name}_{number}") in taken:
        number += 1
    return free
