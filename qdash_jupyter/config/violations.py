"""What is wrong with settings: all of it at once, each with its place in the file and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import ValidationError

from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.errors import nearest
from qdash_jupyter.messages.message import Message, Text

if TYPE_CHECKING:
    import yaml

Place: TypeAlias = tuple[str, ...]
"""Keys, and numbers of items, from the outside in."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One mistake: the key as `limits.max_same_call`, its line in the file (0: not of a file), and what is wrong."""

    key: str
    line: int
    message: Text

    @property
    def text(self) -> Message:
        """Return all of it as a sentence."""
        if not self.line:
            return Message("violation", key=self.key, message=self.message)
        return Message("violation-at", line=str(self.line), key=self.key, message=self.message)

    def __str__(self) -> str:
        return str(self.text)


def violations_of(
    error: ValidationError, text: str = "", written: Mapping[Place, Place] | None = None
) -> list[Violation]:
    """What the check of a manifest found, in the order of the lines of the file with this text. `written` says where
    something stands there that was checked at another place.

    The values themselves are left out: they may hold a password.
    """
    schema = Manifest.model_json_schema()
    lines = lines_of(text)
    found = []
    for each in error.errors(include_url=False, include_input=False):
        kinds = tuple(each["loc"])
        place = tuple(map(str, kinds))
        place = place[:2] + place[3:] if place[0] == "tool_sets" else place  # without the type of the tool set
        for there, here in (written or {}).items():
            if place[: len(there)] == there:
                place = (*here, *place[len(there) :])
        message: Text
        match each["type"]:
            case "extra_forbidden":
                message = _no_such_key(schema, kinds)
            case "union_tag_invalid":
                known = (each["ctx"]["expected_tags"], "'predefined'")
                message = Message("unknown-type", names=known)
            case "value_error":
                message = each["ctx"]["error"].args[0]
            case _:
                message = str(each["msg"])
        found.append(Violation(".".join(place), line_of(place, lines), message))
    return sorted(found, key=lambda one: one.line)


def _no_such_key(schema: Mapping[str, Any], place: tuple[int | str, ...]) -> Message:
    known = list(_section(schema, place[:-1]).get("properties", {}))
    if near := nearest(str(place[-1]), known, 1):
        return Message("unknown-key-nearest", name=near[0])
    return Message("unknown-key-known", names=tuple(known)) if known else Message("unknown-key")


def _section(schema: Mapping[str, Any], place: Iterable[int | str]) -> Mapping[str, Any]:
    """The part of the schema that is about a place."""
    part: Mapping[str, Any] = schema
    for name in place:
        if name in (kinds := part.get("discriminator", {}).get("mapping", {})):
            part = {"$ref": kinds[name]}
        else:
            part = part.get("properties", {}).get(name) or part.get("additionalProperties") or part.get("items") or {}
        part = next((one for one in part.get("anyOf", ()) if one.get("type") != "null"), part)
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]
    return part


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """That of the key, else of the nearest that it lies in; 0 where there is none."""
    return next((lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines), 0)


def lines_of(text: str) -> dict[Place, int]:
    """Where everything stands in a YAML text."""
    import yaml

    lines: dict[Place, int] = {}

    def walk(node: yaml.Node | None, place: Place) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                lines[*place, key.value] = key.start_mark.line + 1
                walk(value, (*place, key.value))
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                lines[*place, str(number)] = value.start_mark.line + 1
                walk(value, (*place, str(number)))

    walk(bounded_yaml.compose(text), ())
    return lines
