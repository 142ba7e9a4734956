"""The schema for JupyterLab's settings editor, made of the one of copilot.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qdash_jupyter.config.layers import FRONT_END_KEYS
from qdash_jupyter.config.schema import manifest_schema
from qdash_jupyter.messages.languages import LANGUAGES

_START = {
    "title": "Start",
    "default": "server",
    "enum": ["server", "yes", "no"],
    "type": "string",
    "description": "Open the copilot with each notebook, and start it in its kernel, also after a restart; from the "
    "next reload of the page on. `server`: as the server is set up.",
}
_PANEL_LANGUAGE = {
    "title": "Panel language",
    "default": "auto",
    "enum": ["auto", *LANGUAGES],
    "type": "string",
    "description": "Language of the panel, of its commands and messages: `auto` is JupyterLab's, where that is "
    f"{' or '.join(LANGUAGES.values())}. A change is seen at once. Answers have a language of their own, below.",
}
_PAGE = {"start": _START, "panel_language": _PANEL_LANGUAGE}
"""What the page alone reads."""


def settings_schema() -> dict[str, Any]:
    """The schema for JupyterLab's settings editor, made of the one of copilot.yaml."""
    whole = manifest_schema({})
    properties: dict[str, Any] = {}
    for section, *key in FRONT_END_KEYS:
        line = whole["properties"][section]
        if not key:
            properties[section] = _line(section, line)
            continue
        holder = whole["$defs"][line["$ref"].rsplit("/", 1)[-1]]
        inner = properties.setdefault(
            section, {"type": "object", "title": _title(section), "additionalProperties": False, "properties": {}}
        )
        # Its default is told: as a value it would be saved with its neighbours, and count before copilot.yaml.
        line = _line(key[0], holder["properties"][key[0]])
        default = line.pop("default", None)
        told = [line.get("description"), None if default is None else f"Default: {default}."]
        inner["properties"][key[0]] = line | {"description": " ".join(filter(None, told))}
    return {
        "title": "QDash Copilot",
        "description": "Settings for kernels in which the copilot starts from now on. Models, data and everything else "
        "are set in copilot.yaml, which also fills in what is empty here. A copilot.yaml in the working folder "
        "overrides these settings.",
        "type": "object",
        "additionalProperties": False,
        "jupyter.lab.setting-icon": "ui-components:build",
        "properties": {name: _plain(line) for name, line in (_PAGE | properties).items()},
    }


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Without marks of Markdown, which JupyterLab shows as they are."""
    if "description" in schema:
        schema = schema | {"description": schema["description"].replace("`", '"')}
    if "properties" in schema:
        schema = schema | {"properties": {name: _plain(line) for name, line in schema["properties"].items()}}
    return schema


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _line(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    line = {key: value for key, value in schema.items() if key not in {"anyOf", "title"}}
    if kinds:
        line |= kinds[0]
    if line.get("default", 0) is None:
        del line["default"]
    return {"title": _title(name), **line}
