"""Variables of the user's that a question names: `@df`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from qdash_jupyter.errors import QuestionError, nearest

if TYPE_CHECKING:
    from qdash_jupyter.cells.namespace import Namespace

_NAMED = re.compile(r"(?<![\w@./`])@(?P<word>[^\W\d]\w*)")
_ASCII = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DECORATOR = re.compile(r"^[ \t]*@[\w.]+(?:\(.*\))?[ \t]*(?=\n\s*(?:@|def |class |async ))", re.MULTILINE)
_MOST = 6


def named_in(question: str, namespace: Namespace) -> dict[str, object]:
    """What the variables are that the question names by `@`: type, shape, columns and first rows, by name. What follows
    a name without a space, as in Japanese, is no part of it.

    Raises:
        QuestionError: there is no such variable, or there are too many to tell.
    """
    words = [found["word"] for found in _NAMED.finditer(_DECORATOR.sub("", question))]
    if not words:
        return {}
    known = namespace.names_of_user()
    names = list(dict.fromkeys(_name(word, known) for word in words))
    if missing := [name for name in names if name not in known]:
        near = nearest(missing[0], known, 3)
        hint = f"There is {', '.join(f'@{name}' for name in near)}." if near else "Run the cell that makes it first."
        raise QuestionError(f"There is no variable {missing[0]!r} in this kernel.", hint)
    if len(names) > _MOST:
        raise QuestionError(f"The question names {len(names)} variables; {_MOST} can be told.", "Name fewer.")
    return namespace.named(names)


def _name(word: str, known: list[str]) -> str:
    ascii_name = _ASCII.match(word)
    return word if word in known or ascii_name is None else ascii_name[0]
