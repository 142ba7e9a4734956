"""Tool sets as settings have them, made and called."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.tool_sets.building import build_tool_sets
from qdash_jupyter.tool_sets.built import BuiltTools, close_all
from qdash_jupyter.tools.toolbox import Toolbox
from tests.agent.turns import toolbox

WRITING = {"write_methods": {"enabled": True}}


def rest(base_url: str, *tools: dict[str, Any], **settings: Any) -> dict[str, Any]:
    made = [{"name": "ask_lab", "description": "Ask the lab.", **tool} for tool in tools]
    return {"type": "rest", "name": "lab", "base_url": base_url, "tools": made, **settings}


def built(*sections: dict[str, Any], **settings: Any) -> BuiltTools:
    """All of them as one."""
    made = build_tool_sets(Manifest.model_validate({"tool_sets": sections, **settings}))
    issues = tuple(issue for each in made for issue in each.issues)
    return BuiltTools(tuple(spec for each in made for spec in each.specs), issues, partial(close_all, made))


def box(*sections: dict[str, Any], **settings: Any) -> Toolbox:
    """The tools of these sets; each of them could be made."""
    made = built(*sections, **settings)
    assert made.issues == ()
    return toolbox(made.specs)


def called(tools: Toolbox, name: str = "ask_lab", /, **arguments: Any) -> ToolResult:
    return asyncio.run(tools.call(name, arguments))


def content(result: ToolResult) -> dict[str, Any]:
    assert result.failure is None, result.content
    made: dict[str, Any] = json.loads(result.content)
    return made


def failure(result: ToolResult) -> tuple[str, str]:
    assert result.failure is not None, result.content
    return result.failure.kind, f"{result.failure.message} {result.failure.hint}"
