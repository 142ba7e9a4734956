"""The texts of all errors in the source, with a field for each part that differs, by where they are raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from qdash_jupyter import errors

ROOT = Path(errors.__file__).parent
KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.CopilotError) and name != "PageLost"
} | {"PlanFailed", "LeftOut"}

FOR_A_SHELL = (
    "ui/cli.py",
    "ui/serve.py",
    "ui/ports.py",
    "ui/mcp.py",
    "ui/export.py",
    "ui/line.py",
    "ui/options.py",
    "ui/polling.py",
    "ui/sent.py",
    "ui/analyze_line.py",
    "connect/mcp_server.py",
    "explore",
    "store/dropped.py",
    "tools/function.py",
    "server/kept.py",
)
"""Where errors are raised that nobody sees within a question: at a shell, to those who write tools, or in lines of
magics, whose words are English.
"""
IN_THE_PANEL = {"InitializationIssue": (1, 2), "hard_issue": (1,)}
"""Which arguments of these the panel shows."""
SAID = {
    ("ui/added_cells.py", "_left"),
}
"""Functions that give what the panel shows."""
FIELD = "\0"
_SETTING = re.compile(r"[\w\0]+(\.[\w\0]+)+")


def templates() -> dict[str, str]:
    """Each text, fields as `FIELD`, with a place where it is raised."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(FOR_A_SHELL):
            for text, line in _File(ast.parse(path.read_text(encoding="utf-8")), place).texts():
                found.setdefault(text, f"{place}:{line}")
    return found


class _File:
    def __init__(self, tree: ast.Module, place: str) -> None:
        self._tree = tree
        self._place, self._is_errors = place, place == "errors.py"
        self._module = _bound(tree.body)

    def texts(self) -> Iterator[tuple[str, int]]:
        for function in [self._tree, *(one for one in ast.walk(self._tree) if isinstance(one, ast.FunctionDef))]:
            names = self._module | (_bound(function.body) if isinstance(function, ast.FunctionDef) else {})
            gives = (self._place, getattr(function, "name", "")) in SAID
            for one in ast.walk(function):
                if gives and isinstance(one, ast.Return) and one.value is not None:
                    yield from ((text, one.lineno) for text in _variants(one.value, names) if is_said(text))
                if isinstance(one, ast.Call):
                    yield from ((text, one.lineno) for text in self._of_call(one, names) if is_said(text))

    def _of_call(self, call: ast.Call, names: dict[str, list[ast.expr]]) -> Iterator[str]:
        name = _name(call)
        for place in IN_THE_PANEL.get(name, ()):
            yield from _variants(call.args[place], names) if place < len(call.args) else ()
        if self._raises(call):
            own = () if name == "Figure" else call.args
            given = [*own, *(each.value for each in call.keywords if each.arg in {"hint", "where", "left_out"})]
            yield from (text.strip() for argument in given for text in _variants(argument, names))

    def _raises(self, call: ast.Call) -> bool:
        name = _name(call)
        return name in {*KINDS, "Figure"} or (self._is_errors and name == "__init__")


def is_said(text: str) -> bool:
    """Whether there is more than fields, and than the name of a setting."""
    return text.replace(FIELD, "").strip(" .:()'`-") != "" and not _SETTING.fullmatch(text)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else str(getattr(call.func, "attr", ""))


def _bound(body: list[ast.stmt]) -> dict[str, list[ast.expr]]:
    """What is given to names in these statements, wherever in them."""
    found: dict[str, list[ast.expr]] = {}
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                found.setdefault(one.targets[0].id, []).append(one.value)
            elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
                found.setdefault(one.target.id, []).append(one.value)
    return found


def _variants(node: ast.expr, names: dict[str, list[ast.expr]], deep: int = 0) -> list[str]:
    """The texts that an expression may give."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=parts):
            given = [
                _variants(part, names, deep) if isinstance(part, ast.Constant) else _in_field(part) for part in parts
            ]
            return ["".join(each) for each in product(*given)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [a + b for a in _variants(left, names, deep) for b in _variants(right, names, deep)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_variants(body, names, deep), *_variants(orelse, names, deep)]
        case ast.Name(id=name) if name in names and deep < 3:
            texts = [text for value in names[name] for text in _variants(value, names, deep + 1)]
            return texts or [FIELD]
        case _:
            return [FIELD]


def _in_field(part: ast.expr) -> list[str]:
    """What a field of an f-string may hold: where that is one of some texts, all of them."""
    value = part.value if isinstance(part, ast.FormattedValue) else part
    if isinstance(value, ast.IfExp):
        return _variants(value, {})
    return [FIELD]
