"""The arguments of a server's tool: its schema goes to the model as it is, and what the model sends to the server."""

from __future__ import annotations

import keyword
from inspect import Parameter, Signature
from typing import Any

from pydantic import ConfigDict

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import BrokenAnswer
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolArguments

_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}


class ServerArguments(ToolArguments):
    """Takes everything: the server checks it, and says what is wrong."""

    model_config = ConfigDict(extra="allow")

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> JsonObject:
        """The server's schema."""
        return cls.server_schema or {}

    def given(self) -> JsonObject:
        """What the server gets."""
        return dict(self.model_extra or {})


def arguments_of(schema: JsonObject) -> type[ServerArguments]:
    """The class for a tool with this schema.

    Raises:
        BrokenAnswer: it is no schema of named arguments; the message says why.
    """
    _check(schema)
    properties, required = schema.setdefault("properties", {}), schema.get("required", [])
    made = type("Arguments", (ServerArguments,), {"__module__": __name__, "server_schema": schema})
    defaults = {
        name: Parameter.empty if name in required else line.get("default")
        for name, line in properties.items()
        if name.isidentifier() and not keyword.iskeyword(name)
    }
    named = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=Any, default=defaults[name]) for name in defaults]
    made.__signature__ = Signature(named)  # pyrefly: ignore[missing-attribute]  # where `inspect` looks
    return made


def _check(schema: JsonObject) -> None:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if schema.get("type") != "object":
        raise BrokenAnswer(Message("mcp-schema-type", type=repr(schema.get("type"))))
    if not isinstance(properties, dict) or not all(isinstance(each, dict) for each in properties.values()):
        raise BrokenAnswer(Message("mcp-schema-properties"))
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        raise BrokenAnswer(Message("mcp-schema-required"))
    for name, each in properties.items():
        types = each.get("type", [])
        for kind in types if isinstance(types, list) else [types]:
            if kind not in _TYPES:
                raise BrokenAnswer(Message("mcp-schema-argument", name=name, type=repr(kind)))
