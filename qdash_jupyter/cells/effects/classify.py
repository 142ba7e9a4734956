"""The entry: code in, verdict out."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Mapping

from qdash_jupyter.cells.effects.interpreter_state import TooLong
from qdash_jupyter.cells.effects.statements import Statements
from qdash_jupyter.cells.effects.verdict import EffectClass, EffectReason, Effects, gravest
from qdash_jupyter.cells.names import NameKind

_BANG = re.compile(r"^\s*(?:[\w, .\[\]'\"*]+=\s*)?!")
_PERCENT = re.compile(r"^\s*(?:[\w, .\[\]'\"*]+=\s*)?%{1,2}\w")
_HELP = re.compile(r"^\s*\?|\?\s*$")
_NAMING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.|\[(?:nav|ins)\]|In \[)")


def inspect_code(code: str, names: Mapping[str, NameKind], *, own_names: Collection[str] = ()) -> Effects:
    """Say what `code` would do in a namespace, without running it.

    Args:
        code: Python as it would be run in the kernel.
        names: what the user's names are that the code mentions (see `describe_names`).
        own_names: names that earlier cells of the copilot created; these it may rebind and change.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return _verdict(tuple(_unparsed(code, problem)))
    prompt = _prompted(code)
    reader = Statements(code, names, own_names)
    try:
        reader.run(tree.body)
        reader.finish()
    except (TooLong, RecursionError):
        reader.report(ast.Pass(lineno=1), EffectClass.UNKNOWN, "is too long or too deep to be read")
    reasons = tuple(sorted((*reader.reasons.values(), *prompt), key=lambda reason: reason.line))
    return Effects(
        gravest(reasons),
        reasons,
        reads=tuple(reader.reads),
        creates=tuple(reader.creates),
        rebinds=tuple(reader.rebinds),
        mutates=tuple(reader.mutates),
    )


def mentioned_names(code: str) -> tuple[str, ...]:
    """The names that code mentions, for `describe_names`; none for what does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.setdefault(node.id)
        elif isinstance(node, ast.alias):
            found.setdefault(node.asname or node.name.split(".")[0])
        elif isinstance(node, _NAMING) and node.name:
            found.setdefault(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.setdefault(node.rest)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(dict.fromkeys(node.names))
    return tuple(found)


def _verdict(reasons: tuple[EffectReason, ...]) -> Effects:
    return Effects(gravest(reasons), reasons)


def _unparsed(code: str, problem: Exception) -> list[EffectReason]:
    """Why code is no Python: IPython's own syntax, or a mistake."""
    found = []
    for number, line in enumerate(code.splitlines(), 1):
        shown = line.strip()[:80]
        if _BANG.match(line):
            found.append(EffectReason(number, EffectClass.SHELL, shown, "runs a shell command"))
        elif _PERCENT.match(line):
            found.append(EffectReason(number, EffectClass.MAGIC, shown, "runs an IPython magic"))
        elif _HELP.search(line):
            found.append(EffectReason(number, EffectClass.MAGIC, shown, "asks IPython for help"))
    if found:
        return found
    number = getattr(problem, "lineno", None) or 1
    lines = code.splitlines()
    shown = lines[number - 1].strip()[:80] if 0 < number <= len(lines) else ""
    message = getattr(problem, "msg", None) or str(problem)
    return [EffectReason(number, EffectClass.SYNTAX, shown, f"is not Python ({message})")]


def _prompted(code: str) -> list[EffectReason]:
    """IPython strips prompts from pasted code: what runs would then be something else than what was read."""
    for number, line in enumerate(code.splitlines()[:2], 1):
        if _PROMPT.match(line):
            return [
                EffectReason(
                    number, EffectClass.UNKNOWN, line.strip()[:80], "starts like a prompt, which IPython removes"
                )
            ]
    return []
