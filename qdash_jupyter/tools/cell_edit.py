"""`propose_cell_edit`: a change of the cell that a question is about, for the user to accept or reject."""

from __future__ import annotations

import ast
import uuid

from pydantic import Field

from qdash_jupyter.domain.analysis import FailedCell
from qdash_jupyter.domain.answer import CellEditBlock
from qdash_jupyter.domain.safe_text import one_line
from qdash_jupyter.errors import InvalidArguments
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

_MOST_PROPOSALS = 3


class CellEditArguments(ToolArguments):
    new_source: str = Field(description="The whole new text of the cell.", min_length=1, max_length=50_000)
    why: str = Field("", description="For the user: what was wrong, in one sentence.", max_length=300)


def cell_edit_tool(cell: FailedCell) -> ToolSpec:
    """The tool for this cell. It writes nothing."""

    def propose_cell_edit(args: CellEditArguments, _: ToolContext) -> ToolOutput:
        """Show the user a change of the cell, which they accept or reject.

        Raises:
            InvalidArguments: the new text is no Python, or is that of the cell.
        """
        after = args.new_source.strip("\n")
        if after == cell.code.strip("\n"):
            raise InvalidArguments.with_hint("cell-edit-unchanged")
        if why := _mistake(after):
            raise InvalidArguments.with_hint("cell-edit-not-python", why=why)
        block = CellEditBlock(uuid.uuid4().hex, cell.cell_id, cell.label, cell.code, after, one_line(args.why))
        told = "The user sees the change, and decides. Do not repeat the code."
        return ToolOutput(content={"status": "proposed", "note": told}, blocks=(block,))

    return ToolSpec(
        label=Message("label-cell-edit"),
        description=f"Propose a new text for the user's cell {cell.label}. Nothing is written before they accept it.",
        guidance="A change of the user's cell: propose_cell_edit, once.",
        run=propose_cell_edit,
        max_calls_per_turn=_MOST_PROPOSALS,
    )


def _mistake(code: str) -> Text:
    """Why a notebook could not run the text; empty where it could."""
    from IPython.core.inputtransformer2 import TransformerManager

    if code.lstrip().startswith("%%"):
        return ""  # of another language, perhaps
    try:
        ast.parse(TransformerManager().transform_cell(code))
    except SyntaxError as error:
        return Message("syntax-error-at", why=error.msg, line=str(error.lineno))
    except ValueError as error:
        return str(error)
    return ""
