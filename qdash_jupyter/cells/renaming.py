"""Names of the agent's code that somebody else uses: other names for them, before the code is shown or run."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count

from qdash_jupyter.cells.scopes import bindings, imports, is_same_import, parsed

_WITH_COPY = ("numpy", "pandas", "xarray")
_MAY_NOT_BIND = (ast.If, ast.While, ast.Try, ast.Match)


def with_free_names(
    code: str, names: Mapping[str, object], own: Collection[str], before: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """The code with other names for those that it binds, or deletes, and that are not the agent's own: `df_2` for `df`.
    Beside it which name has become which. Code that does not parse stays as it is.

    Where it reads such a name before it binds it, it means what the user has: then it begins with `df_2 = df`. Of code
    that was written together with it, `before` says what became of names: it means these.
    """
    if (tree := parsed(code)) is None:
        return code, {}
    known = {name: other for name, other in (before or {}).items() if other in own}
    taken = _taken(tree, names)
    others: dict[str, str] = {}
    for name, binding in {**dict.fromkeys(bindings(tree.body).deleted, tree), **_bound(*tree.body)}.items():
        if name in names and name not in {*own, *known} and not is_same_import(imports(binding).get(name), names[name]):
            others[name] = _free(name, taken)
    read = [name for name in others if is_read_first(tree, name)]
    made = code
    for name, other in {**known, **others}.items():
        if (next_ := _renamed(made, name, other)) is None:
            return code, {}
        made = next_
    return "".join(f"{others[name]} = {name}\n" for name in read) + made, others


def with_copies(code: str, names: Mapping[str, object], changed: Sequence[str]) -> tuple[str, dict[str, str]] | None:
    """The code so that it changes copies of what these names hold, under names of their own, and which they are:
    `df_2 = df.copy()`. None where a name stands at a place that cannot be told.
    """
    if (tree := parsed(code)) is None:
        return None
    taken = _taken(tree, names)
    others: dict[str, str] = {}
    for name in changed:
        others[name] = _free(name, taken)
        if (made := _renamed(code, name, others[name])) is None:
            return None
        code = made
    has_copy = {name for name in changed if type(names[name]).__module__.partition(".")[0] in _WITH_COPY}
    lines = ["from copy import deepcopy"] if has_copy != set(changed) else []
    copies = {name: f"{name}.copy()" if name in has_copy else f"deepcopy({name})" for name in changed}
    lines += [f"{others[name]} = {copy}" for name, copy in copies.items()]
    return "\n".join([*lines, code]), others


def bound_names(code: str) -> set[str]:
    """The names that the code binds; none where it does not parse."""
    tree = parsed(code)
    return set() if tree is None else set(_bound(*tree.body))


def read_names(code: str, names: Iterable[str]) -> set[str]:
    """Which of these the code reads, and may not have bound before; none where it does not parse."""
    if (tree := parsed(code)) is None:
        return set()
    bound, lines = _bound(*tree.body), [line.encode() for line in code.split("\n")]
    met = {name for name in names if any(_places(tree, name, lines))}
    return {name for name in met if name not in bound or is_read_first(tree, name)}


def _taken(tree: ast.Module, names: Collection[str]) -> set[str]:
    return {*names, *vars(builtins), *(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))}


def _free(name: str, taken: set[str]) -> str:
    """Another name for it, which is taken from now on."""
    free = next(free for number in count(2) if (free := f"{name}_{number}") not in taken)
    taken.add(free)
    return free


def _bound(*parts: ast.AST) -> dict[str, ast.AST]:
    """The names that these bind, with what binds each first; functions in them may say that one is `global`."""
    nodes = (node for part in parts for node in ast.walk(part) if isinstance(node, ast.Global))
    return {name: node for node in nodes for name in node.names} | bindings(parts).first


def is_read_first(tree: ast.Module, name: str) -> bool:
    """Whether the code may read the name before it has bound it. Rather once too often: then it has a second name."""
    for statement in tree.body:
        # What `for` and `with` bind is bound when their body runs.
        before: Sequence[ast.AST] = [statement]
        if isinstance(statement, ast.For) and _binds_in(statement.target, name):
            before = [statement.iter]
        elif isinstance(statement, ast.With) and any(_binds_in(item.optional_vars, name) for item in statement.items):
            before = [item.context_expr for item in statement.items]
        for node in (node for each in before for node in ast.walk(each)):
            read = node.target if isinstance(node, ast.AugAssign) else node
            if (
                isinstance(read, ast.Name)
                and read.id == name
                and not (read is node and isinstance(read.ctx, ast.Store))
            ):
                return True
        if _binds_in(statement, name):
            return isinstance(statement, _MAY_NOT_BIND)
    return False


def _binds_in(part: ast.AST | None, name: str) -> bool:
    return part is not None and name in _bound(part)


def _renamed(code: str, name: str, other: str) -> str | None:
    """The code in which the name of the module is another; None where it stands at a place that cannot be told."""
    lines = [line.encode() for line in code.split("\n")]
    for line, column, rest, keeps in sorted({*_places(ast.parse(code), name, lines)}, reverse=True):
        text = lines[line - 1]
        found = re.compile(rb"%s\b%s\b" % (rest, name.encode())).match(text, column)
        if found is None:
            return None
        start = text[: found.end()] + b" as " if keeps else text[: found.end() - len(name.encode())]
        lines[line - 1] = start + other.encode() + text[found.end() :]
    return b"\n".join(lines).decode()


def _places(  # noqa: C901 - one line for each kind
    node: ast.AST, name: str, lines: Sequence[bytes]
) -> Iterator[tuple[int, int, bytes, bool]]:
    """Where the name of the module is meant: line, column in bytes, what may stand there before it, and whether it
    stays, with the other one behind it: `import name as other`.
    """
    match node:
        case ast.Name(id=found) if found == name:
            yield node.lineno, node.col_offset, b"", False
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
            yield node.lineno, node.col_offset, rb"[\w\s]*?", False
        case ast.Global() if name in node.names:
            yield node.lineno, node.col_offset, rb"global[\w\s,]*?", False
        case ast.ExceptHandler() if node.name == name:
            yield node.lineno, node.col_offset, rb".*\sas\s+", False
        case ast.alias() if node.asname == name:
            yield node.lineno, node.col_offset, rb"\S+\s+as\s+", False
        case ast.alias(asname=None) if node.name.partition(".")[0] == name:
            yield node.lineno, node.col_offset, rb"" if node.name == name else rb"(?!)", True
        case ast.MatchAs() | ast.MatchStar() if node.name == name:
            yield node.lineno, node.col_offset, rb".*?", False
        case ast.Constant(value=str()):
            yield from _places_in_text(node, name, lines)
    for child in ast.iter_child_nodes(node):
        if child not in _inner(node) or not _is_local(node, name):
            yield from _places(child, name, lines)


def _places_in_text(node: ast.Constant, name: str, lines: Sequence[bytes]) -> Iterator[tuple[int, int, bytes, bool]]:
    """The same in a text for pandas, as in `df.query("x < @name")`."""
    wanted = re.compile(rb"(?<!\w)@%s\b" % name.encode())
    for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        start = node.col_offset if number == node.lineno else 0
        end = node.end_col_offset if number == node.end_lineno else None
        for found in wanted.finditer(lines[number - 1][:end], start):
            yield number, found.start() + 1, b"", False


def _inner(scope: ast.AST) -> Sequence[ast.AST]:
    """What of it sees its own names: of a function, not its decorators and default values."""
    match scope:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return scope.body
        case ast.Lambda():
            return [scope.body]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return [scope.elt, *scope.generators]
        case ast.DictComp():
            return [scope.key, scope.value, *scope.generators]
    return ()


def _is_local(scope: ast.AST, name: str) -> bool:
    """Whether the function or comprehension has a name of its own that is this one."""
    if isinstance(scope, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        return any(name in bindings([one.target]).first for one in scope.generators)
    parameters, body = scope.args, scope.body  # pyrefly: ignore[missing-attribute]
    if any(isinstance(node, ast.arg) and node.arg == name for node in ast.walk(parameters)):
        return True
    return name in bindings(body if isinstance(body, list) else [body]).local
