"""What stands in one of the lab's files, and the first rows of a table, for a model that asks (`lazy_on_demand`)."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from pydantic import Field

from qdash_jupyter.domain.analysis import picture_part
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import CONTENT, PEEK, attached
from qdash_jupyter.domain.mime import is_text, takes
from qdash_jupyter.errors import InvalidArguments, NotFound, ToolError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.context_files import ContextFile, ContextFiles
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

MOST_BYTES = 5 * 1024 * 1024
MOST_CHARS = 20_000
"""Of a text at once: with its escapes it stays within the limit of a result."""
MOST_ROWS = 20
_WITHOUT = Message("answer-without-it-hint")


class ContentArguments(ToolArguments):
    path: str = Field(description="As available_context lists it.")
    start: int = Field(0, ge=0, description="Character to read on from.")


class PeekArguments(ToolArguments):
    frame: str = Field(description="A key of copilot.data, or a variable of the user's.")
    columns: list[str] | None = Field(None, max_length=60)
    rows: int = Field(5, ge=1, le=MOST_ROWS)


def get_content_tool(files: ContextFiles, accepts: Sequence[str]) -> ToolSpec:
    """The tool, for a model that accepts these types."""

    def get_content(args: ContentArguments, _: ToolContext) -> ToolOutput:
        """Read one of the lab's files.

        Raises:
            NotFound: there is no such file; names the nearest.
            ToolError: it cannot be read, or the model does not take it.
        """
        there = {each.path: each for each in files.now()}
        if args.path not in there:
            raise NotFound(Message("kind-file"), args.path, list(there))
        return content_of(there[args.path], accepts, args.start)

    return ToolSpec(
        label=Message("label-content"),
        description="Read one file of the lab: a text as such, a picture or PDF as an attachment.",
        guidance=f"{CONTENT}: what stands in a file of the lab.",
        run=get_content,
    )


def content_of(file: ContextFile, accepts: Sequence[str], start: int = 0) -> ToolOutput:
    """What stands in the file.

    Raises:
        ToolError: it cannot be read, or the model does not take it.
    """
    if not takes(file.mime, accepts):
        raise ToolError(Message("file-type-not-taken", type=file.mime), _WITHOUT)
    if file.size > MOST_BYTES:
        raise ToolError(Message("file-too-large", file=file.path, megabytes=MOST_BYTES // 1024**2), _WITHOUT)
    told: JsonObject = {"path": file.path, "type": file.mime}
    try:
        data = file.file.read_bytes()
        if not is_text(file.mime):
            message = attached(file.attachment(), _part(file, data))
            return ToolOutput(content=told | {"attached": True}, for_model=(message,))
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ToolError(Message("file-unreadable", file=file.path, why=str(error.strerror)), _WITHOUT) from None
    except UnicodeDecodeError:
        raise ToolError(Message("file-not-utf8", file=file.path), _WITHOUT) from None
    shown = text[start : start + MOST_CHARS]
    if (end := start + len(shown)) < len(text):
        told |= {"read_on_from": end}
    return ToolOutput(content=told | {"characters": len(text), "text": shown})


def peek_tool() -> ToolSpec:
    """The tool."""

    def peek(args: PeekArguments, context: ToolContext) -> ToolOutput:
        """Show the first rows of a stored result's main table, or of a table of the user's.

        Raises:
            NotFound: there is no such table; names the nearest.
            InvalidArguments: it has no such column.
        """
        own, stored = context.namespace, context.store
        try:
            if args.frame in own.names_of_user():
                told = own.named([args.frame], args.rows, args.columns or ())[args.frame]
            elif args.frame in stored:
                from qdash_jupyter.cells.named_value import described

                result = stored[args.frame]
                told = described(result.tables[result.main], args.rows, args.columns or ())
                told |= {"units": result.units} if result.units else {}
            else:
                raise NotFound(Message("kind-table"), args.frame, [*stored, *own.names_of_user()])
        except KeyError as error:
            raise InvalidArguments.with_hint("no-column", column=str(error)) from None
        return ToolOutput(content={"frame": args.frame, **told})

    return ToolSpec(
        label=Message("label-peek"),
        description=f"First rows (at most {MOST_ROWS}) of a stored result, or of a table of the user's.",
        guidance=f"{PEEK}: the first rows of a table.",
        run=peek,
    )


def _part(file: ContextFile, data: bytes) -> JsonObject:
    """It as a part of a message."""
    encoded = base64.b64encode(data).decode()
    if file.mime.startswith("image/"):
        return picture_part(file.mime, encoded)
    return {"type": "input_file", "filename": file.title, "file_data": f"data:{file.mime};base64,{encoded}"}
