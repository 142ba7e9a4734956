"""Writes what the panel and the extension say, js/src/shared/words/messages.ts, from qdash_jupyter/messages/*.ftl.
`make js` runs it.

It knows texts with fields, `NUMBER($n)`, and selectors on a field: plurals, and variants by a text.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as fluent

ROOT = Path(__file__).parents[1]
CATALOGUES = ROOT / "qdash_jupyter" / "messages"
PAGE = ROOT / "js" / "src" / "shared" / "words" / "messages.ts"
PARTS = ("panel", "extension")
HEAD = """\
/** What is said. Written by scripts/panel_words.py from qdash_jupyter/messages: change it there. */
import { byLanguage, plural, text } from './fluent';
"""
ID = re.compile(rf"({'|'.join(PARTS)})-([a-zA-Z]+)-([a-zA-Z]+)")
CATEGORIES = {"zero", "one", "two", "few", "many", "other"}

Messages = dict[str, fluent.Message]


class UnknownFluentError(Exception):
    """A message of the page has what this generator can't write as TypeScript."""


def catalogues(folder: Path = CATALOGUES) -> dict[str, Messages]:
    """Return the messages of the page by language, English first."""
    found = {path.stem: _messages(path) for path in sorted(folder.glob("*.ftl"), key=lambda path: path.stem != "en")}
    for language, messages in found.items():
        if more := messages.keys() - found["en"].keys():
            raise UnknownFluentError(
                f"{language}.ftl has messages that en.ftl doesn't have: {', '.join(sorted(more))}."
            )
    return found


def _messages(path: Path) -> Messages:
    found: Messages = {}
    for entry in FluentParser().parse(path.read_text(encoding="utf-8")).body:
        if isinstance(entry, fluent.Junk):
            raise UnknownFluentError(f"{path.name} can't be read at {entry.content!r}: {entry.annotations[0].message}")
        if isinstance(entry, fluent.Message) and entry.id.name.split("-")[0] in PARTS:
            if not ID.fullmatch(entry.id.name):
                raise UnknownFluentError(f"{entry.id.name}: the ID of a message of the page is PART-GROUP-KEY.")
            found[entry.id.name] = entry
    return found


def typescript(folder: Path = CATALOGUES) -> str:
    """Return the whole file."""
    found = catalogues(folder)
    written = {
        language: {name: _Written(message, language) for name, message in messages.items()}
        for language, messages in found.items()
    }
    codes = ", ".join(f"'{language}'" for language in found)
    languages = f"export const LANGUAGES = [{codes}] as const;\n\nexport type Language = (typeof LANGUAGES)[number];\n"
    plurals = [
        f"const {_rules(language)} = /* @__PURE__ */ plural('{language}');\n"
        for language, messages in written.items()
        if any(each.has_plural for each in messages.values())
    ]
    parts = [block for part in PARTS for block in (_interface(part, written), _table(part, written))]
    return "\n".join([HEAD, languages, *plurals, *parts])


@dataclass
class _Written:
    """A message as TypeScript."""

    message: fluent.Message
    language: str
    fields: dict[str, dict[str, None]] = field(default_factory=dict)
    """The types of each field in their order: `number`, the texts of a selector, or nothing for `string | number`."""
    has_plural: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        if self.message.attributes or self.message.value is None:
            raise self._unknown("attributes")
        self.text = self._pattern(self.message.value)

    def _pattern(self, pattern: fluent.Pattern) -> str:
        """Write a pattern as a text, a template or an expression."""
        match pattern.elements:
            case [fluent.Placeable(expression=fluent.SelectExpression() as selection)]:
                return self._expression(selection)
        parts: list[str] = []
        texts: list[str] = []
        for element in pattern.elements:
            match element:
                case fluent.TextElement(value=given):
                    pass
                case fluent.Placeable(expression=fluent.StringLiteral() as literal):
                    given = literal.parse()["value"]
                case fluent.Placeable(expression=expression):
                    parts.append("${" + self._expression(expression) + "}")
                    continue
            texts.append(given)
            parts.append(given.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$"))
        return _quoted("".join(texts)) if len(texts) == len(parts) else f"text`{''.join(parts)}`"

    def _expression(self, expression: object) -> str:
        match expression:
            case fluent.VariableReference(id=fluent.Identifier(name=name)):
                self.fields.setdefault(name, {})
                return f"f.{name}"
            case fluent.FunctionReference(
                id=fluent.Identifier(name="NUMBER"),
                arguments=fluent.CallArguments(
                    positional=[fluent.VariableReference(id=fluent.Identifier(name=name))], named=[]
                ),
            ):
                self.fields.setdefault(name, {})["number"] = None
                return f"f.{name}"
            case fluent.SelectExpression(
                selector=fluent.VariableReference(id=fluent.Identifier(name=name)), variants=variants
            ):
                return self._selection(name, variants)
        raise self._unknown(type(expression).__name__)

    def _selection(self, name: str, variants: list[fluent.Variant]) -> str:
        keys = [each.key.value if isinstance(each.key, fluent.NumberLiteral) else each.key.name for each in variants]
        is_plural = all(isinstance(each.key, fluent.NumberLiteral) or each.key.name in CATEGORIES for each in variants)
        self.fields.setdefault(name, {}).update(
            dict.fromkeys(["number"] if is_plural else [f"'{key}'" for key in keys])
        )
        choice = ""
        for key, variant in zip(keys, variants, strict=True):
            if variant.default:
                continue
            if not is_plural:
                condition = f"f.{name} === '{key}'"
            elif isinstance(variant.key, fluent.NumberLiteral):
                condition = f"f.{name} === {key}"
            else:
                self.has_plural = True
                condition = f"{_rules(self.language)}(f.{name}) === '{key}'"
            choice += f"{condition} ? {self._pattern(variant.value)} : "
        return choice + self._pattern(next(each.value for each in variants if each.default))

    def _unknown(self, what: str) -> UnknownFluentError:
        shown = FluentSerializer().serialize_entry(self.message).strip()
        return UnknownFluentError(f"{self.language}.ftl: scripts/panel_words.py doesn't know {what}, as in:\n{shown}")


def _types(name: str, written: dict[str, dict[str, _Written]]) -> dict[str, str]:
    """Return the types of the fields of a message. English has all of them."""
    found: dict[str, dict[str, None]] = {each: {} for each in written["en"][name].fields}
    for language, messages in written.items():
        for each, types in (messages[name].fields if name in messages else {}).items():
            if each not in found:
                raise UnknownFluentError(f"{language}.ftl: {name} has a field that en.ftl doesn't have: {each}.")
            found[each].update(types)
            if "number" in found[each] and len(found[each]) > 1:
                raise UnknownFluentError(f"{name}: ${each} is a number in one place and a text in another.")
    return {each: " | ".join(types) or "string | number" for each, types in found.items()}


def _interface(part: str, written: dict[str, dict[str, _Written]]) -> str:
    lines = [f"interface {part.capitalize()} {{"]
    for group, names in _groups(part, written).items():
        lines.append(f"  readonly {group}: {{")
        for key, name in names.items():
            types = _types(name, written)
            fields = "; ".join(f"readonly {each}: {kind}" for each, kind in types.items())
            lines.append(f"    readonly {key}: {f'(f: {{ {fields} }}) => string' if types else 'string'};")
        lines.append("  };")
    return "\n".join([*lines, "}\n"])


def _table(part: str, written: dict[str, dict[str, _Written]]) -> str:
    lines = [f"export const {part} = /* @__PURE__ */ byLanguage<Language, {part.capitalize()}>(LANGUAGES, {{"]
    for group, names in _groups(part, written).items():
        lines.append(f"  {group}: {{")
        for key, name in names.items():
            lines.append(f"    {key}: [")
            english = written["en"][name]
            for messages in written.values():
                theirs = messages.get(name)
                takes = "f => " if theirs and theirs.fields else "() => " if english.fields else ""
                lines.append(f"      {takes + theirs.text if theirs else 'undefined'},")
            lines.append("    ],")
        lines.append("  },")
    return "\n".join([*lines, "});\n"])


def _groups(part: str, written: dict[str, dict[str, _Written]]) -> dict[str, dict[str, str]]:
    """Return the IDs of the messages of a part, by group and key."""
    found: dict[str, dict[str, str]] = {}
    for name in written["en"]:
        of, group, key = name.split("-")
        if of == part:
            found.setdefault(group, {})[key] = name
    return found


def _rules(language: str) -> str:
    """Return the name of the function that tells the plurals of a language."""
    return f"{language.replace('-', '')}Plural"


def _quoted(text: str) -> str:
    """Write a text without fields."""
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + text.replace("\\", "\\\\").replace("\n", "\\n").replace(mark, f"\\{mark}") + mark


if __name__ == "__main__":
    try:
        PAGE.write_text(typescript(), encoding="utf-8")
    except UnknownFluentError as error:
        sys.exit(str(error))
