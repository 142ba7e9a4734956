"""Tools that a model's own server runs: they go out as the settings have them, and nothing here executes them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from qdash_jupyter.domain.answer import JsonObject

STATIC = "static_function"

logger = logging.getLogger("qdash_jupyter")


def static_tools_of(declared: Iterable[Any]) -> tuple[JsonObject, ...]:
    """Those that are static functions with a name; the log says of the others that they are skipped."""
    found = []
    for place, tool in enumerate(declared):
        if is_static(tool):
            found.append(tool)
        else:
            logger.debug("static_tools.%d is skipped: it is no %s with a name", place, STATIC)
    return tuple(found)


def is_static(tool: Any) -> bool:
    """Whether it is a static function as DIAL has them."""
    match tool:
        case {"type": "static_function", "static_function": {"name": str(name), **more}} if name.strip():
            description, configuration = more.get("description"), more.get("configuration")
            return (description is None or isinstance(description, str)) and (
                configuration is None or isinstance(configuration, dict)
            )
    return False
