"""Settings as they are written become settings as they are checked. No file is read here.

Old names of keys become today's, paths become absolute, and what is taken from predefined content stands in the place
of its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qdash_jupyter.config.content import PredefinedContent, Template
from qdash_jupyter.config.disk import expanded
from qdash_jupyter.config.initialization import InitializationIssue, Stage
from qdash_jupyter.config.patch import Patch, merge_patch, value_at
from qdash_jupyter.errors import nearest
from qdash_jupyter.messages.message import Message, Text

_TODAY = {
    ("model",): ("orchestrator", "deployment"),
    ("limits", "max_tool_rounds"): ("orchestrator", "max_iterations"),
    ("limits", "tool_timeout_seconds"): ("tool_defaults", "timeout_seconds"),
}
"""What a key is called now: the QuickApps agent design has these names."""
_PATHS = (
    ("database", "snapshot"),
    ("database", "calib_data"),
    ("knowledge",),
    ("task_knowledge",),
    ("qdash_copilot",),
    ("contexts", "file"),
    ("skills", "folder"),
    ("tool_sets", "cwd"),
)
PREDEFINED = "predefined"


@dataclass(slots=True)
class Resolved:
    """The settings, and what is to be said of them."""

    patch: Patch
    issues: list[InitializationIssue] = field(default_factory=list)
    doubled: list[tuple[str, str]] = field(default_factory=list)
    """Keys that stand there by both of their names: the old one and today's."""
    written: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    """What stands there by its old name, by today's."""


def resolved(patch: Mapping[str, Any], content: PredefinedContent, home: Path, where: Text) -> Resolved:
    """One layer. Relative paths are those of `home`, the folder of the file."""
    found = Resolved(_copy(patch))
    for old, new in _TODAY.items():
        _rename(found, old, new, where)
    for key in _PATHS:
        _make_absolute(found.patch, key, home)
    _prompt(found, content)
    if isinstance(sets := found.patch.get("tool_sets"), list):
        found.patch["tool_sets"] = [_tool_set(found, content, one, at) for at, one in enumerate(sets)]
    return found


def leaves(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value that is no object, with its keys."""
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from leaves(each, (*place, str(name)))
    else:
        yield place, value


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _copy(each) for name, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, (list, tuple)) else value


def _rename(found: Resolved, old: tuple[str, ...], new: tuple[str, ...], where: Text) -> None:
    holder = found.patch if len(old) == 1 else found.patch.get(old[0])
    if not isinstance(holder, dict) or old[-1] not in holder:
        return
    value = holder.pop(old[-1])
    section = found.patch.setdefault(new[0], {})
    if not isinstance(section, dict):
        return  # the check says what is wrong with it
    if new[1] in section:
        found.doubled.append((".".join(old), ".".join(new)))
        return
    section[new[1]] = value
    found.written[new] = old
    if len(old) > 1 and not holder:
        del found.patch[old[0]]
    message = Message("setting-renamed", old=".".join(old), new=".".join(new))
    found.issues.append(InitializationIssue("connect", Message("settings-in", where=where), message))


def _make_absolute(patch: Patch, key: tuple[str, ...], home: Path) -> None:
    section = value_at(patch, key[:-1])
    for holder in section if isinstance(section, list) else [section]:
        if not isinstance(holder, dict) or (named := holder.get(key[-1])) is None:
            continue
        if isinstance(named, list):
            holder[key[-1]] = [_absolute(each, home) for each in named]
        else:
            holder[key[-1]] = _absolute(named, home)


def _absolute(named: Any, home: Path) -> Any:
    return str(home / expanded(named)) if isinstance(named, (str, Path)) and str(named) else named


def _prompt(found: Resolved, content: PredefinedContent) -> None:
    section = found.patch.get("orchestrator")
    prompt = section.get("system_prompt") if isinstance(section, dict) else None
    if isinstance(section, dict) and isinstance(prompt, dict) and set(prompt) == {PREDEFINED}:
        template = _template(found, content.prompts, prompt[PREDEFINED], "prompt", "orchestrator.system_prompt")
        section["system_prompt"] = template.text if template is not None else ""


def _tool_set(found: Resolved, content: PredefinedContent, one: Any, at: int) -> Any:
    """The tool set; None where its template is missing, so that the others keep their numbers."""
    place = f"tool_sets.{at}"
    if isinstance(one, dict) and one.get("type") == PREDEFINED:
        if unknown := [key for key in one if key not in {"type", "name", "override"}]:
            message = Message("beside-predefined", names=tuple(unknown))
            found.issues.append(InitializationIssue("tools", place, message, is_hard=True))
            return None
        template = _template(found, content.tool_sets, one.get("name"), "tools", f"{place}.name")
        if template is None:
            return None
        one = _overridden(found, {"name": template.name, **template.body}, one, "tools", place)
    if isinstance(one, dict) and isinstance(tools := one.get("tools"), list):
        made = [_tool(found, content, each, f"{place}.tools.{number}") for number, each in enumerate(tools)]
        return {**one, "tools": [each for each in made if each is not None]}
    return one


def _tool(found: Resolved, content: PredefinedContent, one: Any, place: str) -> Any:
    if not isinstance(one, dict) or PREDEFINED not in one:
        return one
    template = _template(found, content.tools, one[PREDEFINED], "tools", f"{place}.{PREDEFINED}")
    if template is None:
        return None
    return _overridden(found, {"name": template.name, **template.body}, one, "tools", place)


def _overridden(found: Resolved, body: Patch, one: Patch, stage: Stage, place: str) -> Patch | None:
    override = one.get("override")
    if override is None or isinstance(override, dict):
        return merge_patch(body, override or {})
    found.issues.append(InitializationIssue(stage, f"{place}.override", Message("override-form"), is_hard=True))
    return None


def _template(
    found: Resolved, templates: Mapping[str, Template], name: Any, stage: Stage, place: str
) -> Template | None:
    if isinstance(name, str) and (template := templates.get(name)) is not None:
        return template
    there = nearest(str(name), list(templates)) or sorted(templates)
    message = Message("no-predefined", name=str(name), names=tuple(there), count=len(there))
    found.issues.append(InitializationIssue(stage, place, message, is_hard=True))
    return None
