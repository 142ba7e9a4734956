"""What a question names by `@`, such as `@df`, and what there is to choose from: variables, results, elements."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.errors import QuestionError, nearest
from qdash_jupyter.messages.message import Message, one_of

if TYPE_CHECKING:
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.store.store import FrameStore

_NAMED = re.compile(r"(?<![\w@./`])@(?P<word>[^\W\d]\w*)")
_ASCII = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DECORATOR = re.compile(r"^[ \t]*@[\w.]+(?:\(.*\))?[ \t]*(?=\n\s*(?:@|def |class |async ))", re.MULTILINE)
_MOST = 6


def named_in(
    question: str, namespace: Namespace, stored: FrameStore, files: Collection[str] = (), *, has_kernel: bool = True
) -> dict[str, object]:
    """What the variables, or else the stored results, are that the question names by `@`: type, shape, columns and
    first rows, by name. What follows a name without a space, as in Japanese, is no part of it. `files` are names that
    mean something else; a qubit's name is that qubit, where no variable has it. Without a kernel an
    unknown name is a person's, as in a thread of posts.

    Raises:
        QuestionError: there is no such variable, or there are too many to tell.
    """
    for file in sorted(files, key=len, reverse=True):
        question = question.replace(f"@{file}", "")
    words = [found["word"] for found in _NAMED.finditer(_DECORATOR.sub("", question))]
    if not words:
        return {}
    own = namespace.names_of_user()
    known = [*own, *(key for key in stored if key not in own)]
    names = list(dict.fromkeys(_name(word, known) for word in words))
    names = [name for name in names if name in known or normalise_qid(name) is None]
    missing = [name for name in names if name not in known]
    if not has_kernel:
        names = [name for name in names if name in known]
    elif missing:
        near = nearest(missing[0], known, 3)
        hint = Message("no-variable-hint")
        if near:
            hint = Message("not-found-nearest", names=one_of(f"@{name}" for name in near))
        raise QuestionError(Message("no-variable", name=missing[0]), hint)
    if len(names) > _MOST:
        raise QuestionError.with_hint("too-many-variables", count=len(names), most=_MOST)
    return {**namespace.named(names), **{name: _of_stored(stored[name]) for name in names if name not in own}}


def _of_stored(result: StoredResult) -> dict[str, object]:
    table = result.stored_tables[result.main]
    columns = {column: result.units.get(column) or table.kinds.get(column, "") for column in table.columns}
    return {"type": f"copilot.data[{result.key!r}]", "rows": table.rows, "columns": columns}


def _name(word: str, known: list[str]) -> str:
    ascii_name = _ASCII.match(word)
    return word if word in known or ascii_name is None else ascii_name[0]


_MOST_OFFERED = 200
"""Variables: the newest are meant."""


def mentioned_data(namespace: Namespace, stored: FrameStore) -> list[panel.Mention]:
    """Variables that hold data, the newest first, and stored results whose key no variable has. No object is asked."""
    variables = list(namespace.data_names().items())[:_MOST_OFFERED]
    taken = set(namespace.names_of_user())
    results = [(key, result) for key, result in reversed(list(stored.items())) if key not in taken]
    return [
        *({"name": name, "kind": "variable", "about": kind, "rows": None} for name, kind in variables),
        *({"name": key, "kind": "data", "about": "", "rows": one.rows} for key, one in results if key.isidentifier()),
    ]
