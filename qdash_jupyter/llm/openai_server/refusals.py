"""Which parameter a server does not take, as far as it says so."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from qdash_jupyter.llm.openai_server.failures import message_of

# The parameter is known and its value is wrong: the user wrote it, and has to hear of it.
_WRONG_VALUE = re.compile(r"(_max_value|_min_value)$|^invalid_type$")


def refused_parameter(error: Exception, optional: Collection[str]) -> str | None:
    """Which of the `optional` parameters the server does not take, if that is what it says.

    Structured fields count: `param` (OpenAI and most others) or pydantic's `loc` (FastAPI servers). The words of the
    message are read only where there is neither, and only for a quoted name.
    """
    if not is_refusal(error):
        return None
    named = refused_place(error)
    if named:
        top = re.split(r"[.\[]", named, maxsplit=1)[0]
        return top if top in optional else None
    quoted = re.findall(r"""['"`](\w+)[\w.\[\]]*['"`]""", message_of(error))
    return next((name for name in quoted if name in optional), None)


def is_refusal(error: Exception) -> bool:
    """Whether the request was not taken for something that stands in it, other than a value out of its bounds."""
    # Some servers repeat the status as their code, a number.
    wrong_value = _WRONG_VALUE.search(str(getattr(error, "code", None) or ""))
    return getattr(error, "status_code", None) in {400, 422} and not wrong_value


def refused_place(error: Exception) -> str:
    """The place in the request that the error's own fields name, such as `tools[0].strict`; empty where none do."""
    return str(getattr(error, "param", None) or "") or _located(getattr(error, "body", None))


def _located(body: object) -> str:
    detail = body.get("detail") if isinstance(body, Mapping) else None
    for problem in detail if isinstance(detail, list) else ():
        place = problem.get("loc") if isinstance(problem, Mapping) else None
        if isinstance(place, list) and len(place) > 1 and place[0] == "body":
            return ".".join(map(str, place[1:]))
    return ""
