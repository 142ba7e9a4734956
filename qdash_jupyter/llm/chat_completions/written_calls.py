"""Tool calls that a model wrote as JSON in its text, because its server does not read them out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from qdash_jupyter.domain.answer import JsonObject

_AROUND = re.compile(
    r"\A\s*(?:```(?:json|tool_call)?\s*(?P<fenced>.*?)\s*```|<tool_call>(?P<tagged>.*?)</tool_call>)\s*\Z", re.DOTALL
)
_NAMES = ("name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args")
_OTHERS = {"type", "id"}


def written_calls(text: str, tools: Collection[str]) -> list[tuple[str, str]]:
    """Name and arguments (as JSON) of the calls that this text is; none where it is anything else.

    The whole text has to be a call of one of the `tools`, or a list of such, bare or in one fence: JSON within an
    answer may be an example.
    """
    around = _AROUND.match(text)
    try:
        found = json.loads(around["fenced"] or around["tagged"] or "" if around else text)
    except (ValueError, RecursionError):
        return []
    calls = [_call(one, tools) for one in (found if isinstance(found, list) else [found])]
    return [call for call in calls if call] if all(calls) else []


def _call(found: Any, tools: Collection[str]) -> tuple[str, str] | None:
    if isinstance(found, dict) and isinstance(found.get("function"), dict):
        if not found.keys() <= {"function", *_OTHERS}:
            return None
        found = found["function"]
    if not isinstance(found, dict):
        return None
    names = [key for key in _NAMES if isinstance(found.get(key), str)]
    arguments = [key for key in _ARGUMENTS if key in found]
    if len(names) != 1 or len(arguments) > 1 or not found.keys() <= {*names, *arguments, *_OTHERS}:
        return None
    name: str = found[names[0]]
    given: JsonObject | str = found[arguments[0]] if arguments else {}
    if name not in tools or not isinstance(given, (dict, str)):
        return None
    return name, given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
