"""The lab's files beside a question: the tools that tell of them, and what the model is told before it asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qdash_jupyter.agent.setting import Around
from qdash_jupyter.agent.transcript import MadeCall, Transcript
from qdash_jupyter.domain.context import AVAILABLE, CONTENT, attachments_text
from qdash_jupyter.domain.mime import takes
from qdash_jupyter.errors import NoData
from qdash_jupyter.tools.content import content_of, get_content_tool, peek_tool
from qdash_jupyter.tools.context_files import ContextFile, ContextFiles, available_context_tool, told_in, with_changes
from qdash_jupyter.tools.spec import ToolContext, ToolSpec


def around(
    question: str,
    files: ContextFiles,
    transcript: Transcript,
    context: ToolContext,
    *,
    accepts: Sequence[str] = (),
    is_lazy: bool = False,
) -> Around:
    """What there is. The model is told of the files where something has changed since it was told last; with `is_lazy`
    it can read them, and reads those first that the question names. Reads the files.
    """
    there = files.now()
    before = transcript.last_output(AVAILABLE)
    told = told_in(before or {})
    tools: list[ToolSpec] = []
    calls: list[MadeCall] = []
    if there or told or before is not None:
        listed = with_changes(there, told)
        if any("status" in each for each in listed):
            calls.append(MadeCall(AVAILABLE, {}, {"files": listed}))
            told = told_in({"files": listed})
        tools.append(available_context_tool(files, told))
    named = [each for each in there if any(says(question, name) for name in names_of(each))]
    if is_lazy and any(takes(each.mime, accepts) for each in there):
        tools.append(get_content_tool(files, accepts))
        calls += [call for each in named if (call := _read(each, accepts)) is not None]
    if is_lazy and (len(context.store) or any("DataFrame" in words for words in context.namespace.of_user())):
        tools.append(peek_tool())
    names = {name.removeprefix("@") for each in there for name in names_of(each)}
    return Around(
        tuple(tools), tuple(calls), attachments_text(each.attachment() for each in named), tuple(sorted(names))
    )


def names_of(file: ContextFile) -> set[str]:
    """What a question calls it: its path or its file's name, or its title behind an `@`."""
    return {file.path, file.file.name, f"@{file.title}"}


def says(question: str, name: str) -> bool:
    """Whether the question says the name, whole. In Japanese no space follows it."""
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", question, re.ASCII) is not None


def _read(file: ContextFile, accepts: Sequence[str]) -> MadeCall | None:
    """The call that reads a file; None where the model cannot have it."""
    try:
        output = content_of(file, accepts)
    except NoData:
        return None
    return MadeCall(CONTENT, {"path": file.path}, output.content or {}, output.for_model)
