"""Checks that code and catalogues of messages agree, and writes docs/messages.md, where all of them can be read.

`make check` runs the checks, `make docs` writes the page.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

from qdash_jupyter import errors
from qdash_jupyter.llm.offline.phrases import STATISTICS
from qdash_jupyter.messages.catalogue import Catalogue
from qdash_jupyter.messages.languages import FILES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "qdash_jupyter"
PAGE = ROOT / "docs" / "messages.md"
WORDS = ROOT / "docs" / "words.md"
OF_THE_PAGE = ("panel-", "extension-")
"""Messages of the TypeScript code: its compiler sees that those which it uses exist, and with which fields."""
OF_QDASH = ("service-", "label-")
"""Messages whose words are QDash's own: its page expects them."""
JOINING = ("list-separator", "list-and", "list-or", "list-more")

EXAMPLES: Mapping[str, str | int] = {
    "chip": "64Q-demo",
    "count": 3,
    "host": "lab.example",
    "key": "chip_summary",
    "kind": "qubit",
    "model": "gpt-5",
    "more": 4,
    "n": 3,
    "name": "lab.md",
    "names": "Q07, Q31",
    "project": "alpha",
    "qid": "Q07",
    "run": "20261122-003",
    "seconds": 60,
    "setting": "privacy.never_send",
    "task": "CheckT1",
    "when": "2026-11-22 05:40",
}
"""Values of fields by their names; others show their names."""


@cache
def messages(language: str) -> dict[str, fluent.Message]:
    """The messages of a language, in the order of its file.

    Raises:
        SystemExit: the file is not valid.
    """
    found: dict[str, fluent.Message] = {}
    for entry in entries(language):
        if isinstance(entry, fluent.Junk):
            sys.exit(f"{FILES[language].name} cannot be read at {entry.content!r}: {entry.annotations[0].message}")
        if isinstance(entry, fluent.Message):
            if entry.id.name in found:
                sys.exit(f"{FILES[language].name} has {entry.id.name} twice")
            found[entry.id.name] = entry
    return found


@cache
def entries(language: str) -> list[fluent.EntryType]:
    """All that the file of a language holds."""
    return list(FluentParser().parse(FILES[language].read_text(encoding="utf-8")).body)


class _Variables(Visitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802 - Fluent's name
        self.found.add(node.id.name)


def _refers(message: fluent.Message) -> bool:
    """Whether it has another message in it, which the catalogue, that parses one at a time, would not find."""
    visitor = _References()
    visitor.visit(message)
    return visitor.found


class _References(Visitor):
    found = False

    def visit_MessageReference(self, node: fluent.MessageReference) -> None:  # noqa: N802, ARG002 - Fluent's name
        self.found = True


def variables(message: fluent.Message) -> set[str]:
    """The names of the fields of a message."""
    visitor = _Variables()
    visitor.visit(message)
    return visitor.found


def uses() -> Iterator[tuple[tuple[str, ...], set[str], str]]:
    """Each use of messages in the code: their ids (two for an error with its hint), the fields, and where."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name == "messages":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and called in {"Message", "with_hint"}:
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                first = node.args[0] if node.args else None
                if path.name in {"errors.py", "phrases.py"} and not isinstance(first, ast.Constant):
                    continue  # `with_hint` itself, and headings of `columns`
                if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                    sys.exit(f"{place}: write the id of the message as it is, so that it can be found")
                ids = (first.value,) if called == "Message" else (first.value, f"{first.value}-hint")
                yield ids, {field.arg or "**" for field in node.keywords}, place
            elif isinstance(node, ast.Call) and called == "columns":
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield from ((name, set(), place) for name in headings(node.args[0]))


def headings(said: ast.expr) -> Iterator[tuple[str, ...]]:
    """The messages that stand above the columns of a table."""
    texts = (each.value for each in ast.walk(said) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    for name in (re.split("[=~]", word)[0] for text in texts for word in text.split()):
        if name not in {"", "element", *STATISTICS}:
            yield (f"plan-heading-{name}",)


HOLD_TEXTS = {
    *(
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.CopilotError) and kind is not errors.PageLost
    ),
    *(
        "InitializationIssue",
        "Effect",
        "CellWarned",
        "StageChanged",
        "TurnFailed",
        "ToolFailure",
        "ToolProgressed",
        "PlanFailed",
    ),
    "Unfit",
}
"""What is made with texts for people."""
MADE_OF_WORDS: Mapping[str, str] = {"agent/analysis/offer.py: ' '.join(parts)": "what the user looked for, as a name"}
"""Where such a text is put together all the same, and why."""


def put_together() -> Iterator[str]:
    """Where a text for people is written or put together in code."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HOLD_TEXTS:
                for argument in [*node.args, *(each.value for each in node.keywords)]:
                    said = f"{path.relative_to(PACKAGE)}: {ast.unparse(argument)}"
                    if _is_words(argument) and said not in MADE_OF_WORDS:
                        yield f"{said}, line {argument.lineno}: write a message (docs/words.md)"


def _is_words(node: ast.expr) -> bool:
    """Whether it is a sentence, or is made of texts."""
    match node:
        case ast.Constant(value=str(text)):
            return " " in text
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
            texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
            return any(isinstance(text, str) and " " in text for text in texts)
        case ast.Call(func=ast.Attribute(attr="join" | "format")):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _is_words(body) or _is_words(orelse)
    return False


def terms() -> dict[str, str]:
    """The Japanese name of each English term, from docs/words.md."""
    rows = [line.split("|")[1:3] for line in WORDS.read_text(encoding="utf-8").split("\n") if line.startswith("| ")]
    return {english.strip(): japanese.strip() for english, japanese in rows[2:]}


def misnamed() -> Iterator[str]:
    """Messages in which a term has another name than in docs/words.md."""
    english, japanese = messages("en"), messages("ja")
    said = [
        (each, _words(english[each]), _words(japanese[each]).lower())
        for each in english.keys() & japanese.keys()
        if not each.startswith(OF_QDASH)
    ]
    for term, name in terms().items():
        word = re.compile(rf"\b{re.escape(term)}s?\b", re.IGNORECASE)
        for each, in_english, in_japanese in said:
            if word.search(in_english) and name.lower() not in in_japanese:
                yield f"ja.ftl: {each} has {term!r} in English, but not {name!r} (docs/words.md)"


_LETTER, _JAPANESE = r"[A-Za-z0-9]", r"[\u3041-\u30ff\u3005\u4e00-\u9fff]"
_SPACED = re.compile(f"{_JAPANESE} {_LETTER}|{_LETTER} {_JAPANESE}")


def spaced() -> Iterator[str]:
    """Japanese messages with a space where docs/words.md has none. The planner's questions are as people write them."""
    for name, message in messages("ja").items():
        if not name.startswith((*OF_QDASH, "ask-", "next-", "cli-chips")) and (
            found := _SPACED.search(_words(message))
        ):
            yield f"ja.ftl: {name} has a space in {found[0]!r} (docs/words.md)"


def _words(message: fluent.Message) -> str:
    """All that a message may say, without its code and fields."""
    visitor = _Texts()
    visitor.visit(message)
    return re.sub(r"`[^`]*`", "", "".join(visitor.found))


class _Texts(Visitor):
    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_TextElement(self, node: fluent.TextElement) -> None:  # noqa: N802 - Fluent's name
        self.found.append(node.value)

    def visit_Placeable(self, node: fluent.Placeable) -> None:  # noqa: N802
        self.found.append(" \0 ")
        self.generic_visit(node)


def problems() -> list[str]:
    """What is wrong with the catalogues, or with their use."""
    english = messages("en")
    wrong: list[str] = []
    for language in FILES:
        theirs = messages(language)
        wrong += [f"{language}.ftl has no {name}" for name in english if name not in theirs]
        wrong += [f"{language}.ftl has {name}, which en.ftl does not have" for name in theirs if name not in english]
        wrong += [f"{language}.ftl: {name} names another message" for name in theirs if _refers(theirs[name])]
        for name in english.keys() & theirs.keys():
            if more := variables(theirs[name]) - variables(english[name]):
                wrong.append(f"{language}.ftl: {name} has fields that en.ftl does not have: {', '.join(sorted(more))}")
    used = {name for name in english if name.startswith(OF_THE_PAGE) or name in JOINING}
    for ids, fields, place in uses():
        used.update(ids)
        if missing := [name for name in ids if name not in english]:
            wrong.append(f"{place}: en.ftl has no {missing[0]}")
        elif fields != (known := set().union(*(variables(english[name]) for name in ids))):
            wrong.append(f"{place}: {ids[0]} has the fields {sorted(known)}, not {sorted(fields)}")
    wrong += [*misnamed(), *spaced(), *put_together()]
    return [*wrong, *(f"en.ftl: nothing uses {name}" for name in english if name not in used)]


class _Variants(Visitor):
    def __init__(self) -> None:
        self.found: dict[tuple[str, str | int], None] = {}

    def visit_SelectExpression(self, node: fluent.SelectExpression) -> None:  # noqa: N802 - Fluent's name
        if isinstance(node.selector, fluent.VariableReference):
            for key in (variant.key for variant in node.variants):
                value = key.value if isinstance(key, fluent.NumberLiteral) else key.name
                self.found[node.selector.id.name, NUMBERS.get(value, value)] = None
        self.generic_visit(node)


NUMBERS: Mapping[str, int] = {"0": 0, "1": 1, "2": 2, "one": 1, "other": 3}
"""Numbers among the keys of variants, and those that stand for a category of plurals."""


def examples(entry: fluent.Message) -> Iterator[dict[str, str | int]]:
    """Fields for all that a message may say: those of the examples, and each variant in place of one of them."""
    fields: dict[str, str | int] = {name: EXAMPLES.get(name, f"‹{name}›") for name in variables(entry)}
    visitor = _Variants()
    for language in FILES:
        visitor.visit(messages(language).get(entry.id.name, entry))
    yield fields
    yield from (fields | {name: value} for name, value in visitor.found)


def page() -> str:
    """docs/messages.md: every message with example fields, in all languages, and each of its variants."""
    shown = {language: Catalogue(language, path.read_text(encoding="utf-8")) for language, path in FILES.items()}
    lines = [
        "# Messages",
        "",
        "All that the copilot says, with examples in the fields. `make docs` writes this page from "
        "`qdash_jupyter/messages/*.ftl`.",
    ]
    for entry in entries("en"):
        if isinstance(entry, fluent.GroupComment) and entry.content:
            lines += ["", f"## {entry.content}", ""]
        elif isinstance(entry, fluent.Message):
            said = dict.fromkeys(
                "  \n  ".join(one.text(entry.id.name, fields).replace("\n", " ⏎ ") for one in shown.values())
                for fields in examples(entry)
            )
            lines += [f"- {each}" for each in said]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    if found := problems():
        sys.exit("\n".join(found))
