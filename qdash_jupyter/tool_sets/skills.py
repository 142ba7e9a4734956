"""Skills: advice on a kind of question, in folders with a `SKILL.md`. A model knows their names and descriptions, and
reads the one that fits.

The form is that of Agent Skills: front matter in YAML with `name` (lower case, hyphens) and `description`, then text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema, create_model

from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.config.content import SKILL, PredefinedContent, text_of
from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.config.manifest import SkillSection
from qdash_jupyter.errors import ConfigurationError, CopilotError, InvalidArguments, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

TOOL = "read_skill"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FRONT_MATTER = re.compile(r"\A---\s*\n(?P<settings>.*?)\n---\s*(?:\n(?P<text>.*))?\Z", re.DOTALL)
_LONGEST_NAME, _LONGEST_DESCRIPTION = 64, 1024

Fetch = Callable[[str], str]
"""The text at an address; raises CopilotError."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill; `folder` holds further files of it, None where it came from an address."""

    name: str
    description: str
    text: str
    folder: Path | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Its other files, by their paths below the folder."""
        if self.folder is None:
            return ()
        home = self.folder.resolve()
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.name != SKILL)
        found = (path for path in found if path.resolve().is_relative_to(home))  # not behind a link
        return tuple(path.relative_to(self.folder).as_posix() for path in found)


def skills_of(
    content: PredefinedContent, sections: Iterable[SkillSection], fetch: Fetch
) -> tuple[dict[str, Skill], list[InitializationIssue]]:
    """All skills by name: the predefined ones, then those that the settings name. What cannot be used is an issue, and
    the others are there: one whose front matter is wrong, one whose name is taken, one that cannot be fetched.
    """
    skills: dict[str, Skill] = {}
    issues: list[InitializationIssue] = []
    for template in content.skills.values():
        _add(skills, issues, template.name, partial(_skill, template.text, template.path.parent))
    for section in sections:
        source = section.url or (section.folder.name if section.folder is not None else "")
        _add(skills, issues, source, partial(_named, section, fetch))
    return skills, issues


def skill_tool(skills: Mapping[str, Skill]) -> ToolSpec:
    """The tool with which a model reads one of them; its line in the instructions lists them."""
    names = sorted(skills)
    any_of = Literal[tuple(names)]  # pyrefly: ignore[invalid-literal]
    # Its line in the instructions lists the names.
    arguments: dict[str, Any] = {"name": (Annotated[any_of, WithJsonSchema({"type": "string"})], ...)}
    if any(skill.files for skill in skills.values()):
        meaning = "One of its further files."
        arguments["file"] = (Annotated[str | None, Field(description=meaning)], None)

    def read(args: Any, _: ToolContext) -> ToolOutput:
        skill = skills[args.name]
        if (file := getattr(args, "file", None)) is not None:
            return ToolOutput({"skill": skill.name, "file": file, "text": _file(skill, file)})
        further = {"files": list(skill.files)} if skill.files else {}
        return ToolOutput({"skill": skill.name, "instructions": skill.text} | further)

    listed = "; ".join(f"{name} ({skills[name].description.rstrip('.?')})" for name in names)
    return ToolSpec(
        name=TOOL,
        label=Message("label-skill"),
        description="Advice on a kind of question.",
        guidance=f"{TOOL} first if one fits: {listed}.",
        args=create_model("read_skill_arguments", __base__=ToolArguments, **arguments),
        run=read,
    )


def _named(section: SkillSection, fetch: Fetch) -> Skill:
    if section.folder is not None:
        return _skill(text_of(section.folder / SKILL), section.folder)
    return _skill(fetch(section.url or ""), None)


def _add(skills: dict[str, Skill], issues: list[InitializationIssue], source: str, read: Callable[[], Skill]) -> None:
    try:
        skill = read()
        if skill.name in skills:
            raise ConfigurationError(Message("skill-name-taken", name=skill.name), Message("tool-name-taken-hint"))
    except CopilotError as error:
        issues.append(InitializationIssue("skills", source, error.text))
    else:
        skills[skill.name] = skill


def _skill(whole: str, folder: Path | None) -> Skill:
    import yaml

    match = _FRONT_MATTER.match(whole)
    if match is None:
        raise ConfigurationError.with_hint("skill-no-front-matter")
    try:
        settings = bounded_yaml.load(match["settings"])
    except yaml.YAMLError:
        raise ConfigurationError.with_hint("skill-not-yaml") from None
    settings = settings if isinstance(settings, dict) else {}
    name, description = settings.get("name"), settings.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise ConfigurationError.with_hint("skill-name-invalid", name=repr(name))
    if not isinstance(description, str) or not 0 < len(description.strip()) <= _LONGEST_DESCRIPTION:
        raise ConfigurationError.with_hint("skill-no-description")
    if folder is not None and folder.name != name:
        raise ConfigurationError.with_hint("skill-folder-differs", name=name, folder=folder.name)
    return Skill(name, " ".join(description.split()), (match["text"] or "").strip(), folder)


def _file(skill: Skill, file: str) -> str:
    if skill.folder is None or file not in skill.files:
        raise NotFound(Message("kind-skill-file"), file, skill.files)
    try:
        return text_of(skill.folder / file)
    except ConfigurationError as error:
        raise InvalidArguments(error.message, error.hint) from None
