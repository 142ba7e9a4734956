"""The JSON Schema of copilot.yaml, with what the code says of each key."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.section import Section


def manifest_schema(environment: Mapping[str, str]) -> dict[str, Any]:
    """The schema; what the environment gives a default for has it there, too."""
    schema = Manifest.model_json_schema()
    parts = schema["$defs"] | {Manifest.__name__: schema}
    for section in _sections(Section):
        properties = parts.get(section.__name__, {}).get("properties", {})
        for name, words in _docstrings(section).items():
            if name in properties:
                properties[name]["description"] = words
    if deployment := environment.get("DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID"):
        parts["OrchestratorSection"]["properties"]["deployment"]["default"] = deployment
    if seconds := environment.get("DEFAULT_TOOL_TIMEOUT_SECONDS"):
        parts["ToolDefaultsSection"]["properties"]["timeout_seconds"]["default"] = float(seconds)
    return schema


def _sections(section: type[Section]) -> Iterator[type[Section]]:
    for each in section.__subclasses__():
        yield each
        yield from _sections(each)


def _docstrings(section: type[Section]) -> dict[str, str]:
    """What stands below each field. Read when the schema is asked for: pydantic would read it at each import."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(section))).body
    assert isinstance(tree, ast.ClassDef)  # noqa: S101 - that is what a class's source is
    found: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                found[name] = " ".join(words.split())
    return found
