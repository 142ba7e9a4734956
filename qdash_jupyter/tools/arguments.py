"""What the arguments of declared tools may refer to, and how they are written: files, variables, qubits, times.

A chain, applied to each text before the arguments are checked. Built-in tools read their own spellings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from qdash_jupyter.cells.told_names import is_a
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.domain.time_range import utc
from qdash_jupyter.domain.windows import end_of, moment_of
from qdash_jupyter.errors import InvalidArguments, NotFound, ToolError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_qids
from qdash_jupyter.tools.returned import with_index_as_columns
from qdash_jupyter.tools.spec import ToolContext, ToolSpec

REFERENCES = (
    "- A text argument of {tools} may be `file:PATH` (that text file in the working folder or below) or `var:NAME` "
    "(the rows of a stored table or variable): the contents are sent, you need not read or repeat them."
)
"""For the model's instructions, where there are declared tools: `{tools}` are their names."""

_FILE, _VARIABLE = "file:", "var:"
_MOST_CHARS = 1_000_000


def transformed(raw: JsonObject, spec: ToolSpec, context: ToolContext) -> tuple[JsonObject, JsonObject]:
    """The arguments with what they refer to, and those that do refer to something, as they were. Reads files.

    Raises:
        InvalidArguments: a file or a variable cannot be used, or a time is none.
    """
    lines = spec.arguments()
    given = {name: _value(name, value, lines.get(name, {}), context) for name, value in raw.items() if name in lines}
    references = {name: raw[name] for name in given if _refers(raw[name])}
    return raw | given, references


def _value(name: str, value: Any, line: JsonObject, context: ToolContext) -> Any:  # noqa: PLR0911 - one for each kind
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith(_FILE):
        return _file(text.removeprefix(_FILE), name)
    if text.startswith(_VARIABLE):
        held = masked(_variable(text.removeprefix(_VARIABLE), name, context))
        rows = json.dumps(held, ensure_ascii=False)
        if len(rows) > _MOST_CHARS:
            raise InvalidArguments.with_hint("argument-too-large", name=name, reference=text, count=len(rows))
        return rows if line.get("type") == "string" and not isinstance(held, str) else held
    if name == "qid":
        return _qid(text, context)
    if name == "since" and text:
        return utc(moment_of(text, context.reader.now(), name)).isoformat()
    if name == "until" and text:
        return utc(end_of(text, context.reader.now(), name)).isoformat()
    return value


def _refers(value: object) -> bool:
    return isinstance(value, str) and value.strip().startswith((_FILE, _VARIABLE))


def _file(path: str, name: str) -> str:
    """The text of a file in the working folder or below, wherever links lead. Hidden ones often hold keys."""
    folder = Path.cwd().resolve()
    hint = Message("argument-file-hint", folder=folder.name)
    try:
        file = (folder / path.strip()).resolve(strict=True)
        if not file.is_relative_to(folder) or any(part.startswith(".") for part in file.relative_to(folder).parts):
            raise InvalidArguments(Message("argument-file-outside", name=name, file=path), hint)
        if not file.is_file() or file.stat().st_size > _MOST_CHARS:
            raise InvalidArguments(Message("argument-file-too-large", name=name, file=path, most=_MOST_CHARS), hint)
        return str(masked(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or Message("is-not-utf8")
        raise InvalidArguments(Message("argument-file-unreadable", name=name, file=path, why=why), hint) from None


def _variable(word: str, name: str, context: ToolContext) -> Any:
    """The variable of the user's of that name, or the stored result: the rows of a table, else the value."""
    from qdash_jupyter.cells.taken_apart import Stays

    word = word.strip()
    held: Any
    try:
        held = context.namespace.data_of(word)
    except KeyError:
        if word not in context.store:
            known = [*context.namespace.names_of_user(), *context.store]
            raise NotFound(Message("kind-variable"), word, known) from None
        result = context.store[word]
        held = result.stored_tables[result.main].to_be_read
    except Stays:
        raise InvalidArguments.with_hint("argument-not-plain", name=name, variable=word) from None
    is_table = any(is_a(type(held), "pandas", kind) for kind in ("DataFrame", "Series"))
    return plain(with_index_as_columns(held).to_dict("records") if is_table else held)


def _qid(text: str, context: ToolContext) -> str:
    """In QDash's form; a coupling in the direction that the chip has."""
    qid = normalise_qid(text)
    if qid is None or not is_coupling(qid):
        return qid or text  # the server may know other ids
    try:
        return known_qids(context.reader, context.scope.resolve(context.reader), [qid])[0]
    except ToolError:
        return qid
