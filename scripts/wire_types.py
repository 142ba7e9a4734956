"""Writes what the extension has of the Python code: js/src/shared/wire.ts, the types of `qdash_jupyter.domain.wire`,
and js/schema, the settings in JupyterLab. `make js` runs it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import TypeAliasType

from qdash_jupyter.domain.wire import PROTOCOL, kernel, page, panel
from qdash_jupyter.ui.panel_state.state import initial_state
from scripts.settings_schema import settings_schema

PAGE = Path(__file__).parents[1] / "js" / "src" / "shared" / "wire.ts"
SETTINGS = Path(__file__).parents[1] / "js" / "schema" / "copilots.json"
HEAD = f"""\
/** What crosses the wire. Written by scripts/wire_types.py from qdash_jupyter/domain/wire: change it there. */

export const PROTOCOL = {PROTOCOL};

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = {{ readonly [name: string]: Json }};
"""
Command = TypeAliasType("Command", page.Command)
CellReport = TypeAliasType("CellReport", page.CellReport)
PageMessage = TypeAliasType("PageMessage", page.PageMessage)
FromPages: TypeAlias = tuple[page.ClientOpened, Command, CellReport, PageMessage]
ToPages: TypeAlias = tuple[kernel.Announcement, kernel.KernelMessage, kernel.CellMessage, panel.PanelMessage]

_PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def definitions() -> dict[str, Schema]:
    """The JSON schema of every message and of their parts, by name."""
    with_comments = ConfigDict(use_attribute_docstrings=True)
    schemas: dict[str, Schema] = TypeAdapter(tuple[FromPages, ToPages], config=with_comments).json_schema()["$defs"]
    return schemas


def kinds(schemas: dict[str, Schema], union: str, field: str = "type") -> dict[str, Schema]:
    """The members of a union by the values of the field that tells them apart."""
    found: dict[str, Schema] = {}
    for option in schemas[union].get("anyOf") or schemas[union]["oneOf"]:
        name = _type(option)
        if field in schemas[name].get("properties", ()):
            told = schemas[name]["properties"][field]
            found |= dict.fromkeys(told.get("enum") or [told["const"]], schemas[name])
        else:
            found |= kinds(schemas, name, field)
    return found


def typescript() -> str:
    """The whole file."""
    schemas = definitions()
    declared = [_declaration(name, schema) for name, schema in schemas.items()]
    return "\n".join([HEAD, *declared, _initial_state()])


def _declaration(name: str, schema: Schema) -> str:
    if schema.get("type") != "object":
        return f"export type {name} = {_type(schema)};\n"
    lines = [_comment(schema["description"]), f"export interface {name} {{"]
    for field, of in schema["properties"].items():
        if comment := of.get("description"):
            lines.append(f"  {_comment(comment)}")
        optional = "" if field in schema.get("required", ()) else "?"
        lines.append(f"  readonly {field}{optional}: {_type(of)};")
    return "\n".join([*lines, "}\n"])


def _comment(text: str) -> str:
    return f"/** {' '.join(text.split())} */"


def _type(schema: Schema) -> str:
    match schema:
        case {"tsType": str(given)}:
            text = given
        case {"$ref": str(reference)}:
            text = reference.rsplit("/", 1)[1]
        case {"anyOf": options} | {"oneOf": options}:
            text = " | ".join(map(_type, options))
        case {"enum": values}:
            text = " | ".join(f"'{value}'" for value in values)
        case {"const": value}:
            text = f"'{value}'"
        case {"type": "array", "items": items}:
            item = _type(items)
            text = f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case {"type": "object", "additionalProperties": {} as values}:
            text = f"{{ readonly [name: string]: {_type(values)} }}"
        case {"type": "object"}:
            text = "JsonObject"
        case {"type": str(name)}:
            text = _PRIMITIVES[name]
        case _:
            text = "Json"
    return text


def _initial_state() -> str:
    state = json.dumps(initial_state(""), indent=2)
    return f"/** Of a panel that has heard nothing yet. */\nexport const initialState: State = {state};\n"


def settings() -> str:
    """The schema for JupyterLab's settings editor."""
    return f"{json.dumps(settings_schema(), indent=2, ensure_ascii=False)}\n"


if __name__ == "__main__":
    PAGE.write_text(typescript(), encoding="utf-8")
    SETTINGS.parent.mkdir(exist_ok=True)
    SETTINGS.write_text(settings(), encoding="utf-8")
