"""The tree of a cell in which each name from outside, each attribute, write and import is led through a check.

The checks are builtins whose names no source can spell (`<attr>`), so code can neither call, hide nor replace them. A
function gets both bodies, the checked one and the one that was written, and `<on>` says at each call which of them runs:
the person calls what the agent wrote without checks. A generator stays with the body that it began with. Special methods
(`__repr__`, `__eq__` …) have the checked body alone, because Python calls them where nobody asked for it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, cast

from qdash_jupyter.cells.guard.refusal import NotRewritten
from qdash_jupyter.cells.guard.scopes import bindings, certainly_bound, imported_name, suspends

NEVER_DEFINED = frozenset(
    "__del__ __array_interface__ __array_struct__ __cuda_array_interface__ __dlpack__ __dataframe__ __buffer__ __class__ "
    "__instancecheck__ __subclasscheck__ __mro_entries__ __builtins__ __reduce__ __reduce_ex__ __getstate__ __import__".split()
)
_CALLED_BY_PERSON = frozenset("__init__ __call__ __post_init__ __enter__ __exit__ __new__".split())
_OPERATORS = {
    ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.Div: "itruediv", ast.FloorDiv: "ifloordiv", ast.Mod: "imod",
    ast.Pow: "ipow", ast.MatMult: "imatmul", ast.BitAnd: "iand", ast.BitOr: "ior", ast.BitXor: "ixor",
    ast.LShift: "ilshift", ast.RShift: "irshift",
}  # fmt: skip
_DEEPEST = 6
"""Functions in functions: each level doubles the code of the innermost."""

_Node = TypeVar("_Node", bound=ast.AST)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Rewriter(ast.NodeTransformer):
    """Rewrites one cell. `stored` are the names of the module that it binds, `imported` where those of imports are from,
    `unchecked` those that are read without a check, because the cell itself has bound them.
    """

    def __init__(self, free_builtins: frozenset[str], *, both: bool = True) -> None:
        """`free_builtins` are read without a check. Without `both`, functions get the checked body alone."""
        self.stored: set[str] = set()
        self.imported: dict[str, tuple[str, str | None]] = {}
        self.unchecked: set[str] = set()
        self._free_builtins = free_builtins
        self._both = both
        self._plain = False  # the body as written is being made
        self._in_generator = False
        self._scopes: list[tuple[str, set[str]]] = []  # (function, class or comprehension; names)
        self._classes: list[str] = []
        self._bound: set[int] = set()
        self._temporaries = 0
        self._before: list[ast.stmt] = []
        self._lazy_annotations = False

    def cell(self, tree: ast.Module) -> ast.Module:
        """The rewritten tree; the given one is changed.

        Raises:
            NotRewritten: no check could look at it.
        """
        self.stored |= bindings(tree.body).bound
        self._bound = certainly_bound(tree)
        tree.body = self._block(tree.body)
        return ast.fix_missing_locations(tree)

    # --- names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            self._may_be_defined(node.id, node)
        if self._plain or not isinstance(node.ctx, ast.Load) or self._is_local(node.id):
            return node
        if id(node) in self._bound:
            self.unchecked.add(node.id)
            return node
        if self._scopes and self._scopes[-1][0] == "class":
            return _call("name", node, _text(node.id, node), _call("locals", node))
        if node.id in self._free_builtins and node.id not in self.stored:
            return _name(f"<b {node.id}>", node)
        return _call("name", node, _text(node.id, node))

    def _may_be_defined(self, name: str, node: ast.AST) -> None:
        in_class = bool(self._scopes) and self._scopes[-1][0] == "class"
        special = name.startswith("__") and name.endswith("__") and isinstance(node, ast.Name)
        if name in NEVER_DEFINED or name.startswith(("_repr_", "_ipython_")) or (special and in_class and name not in _SLOTS):
            raise NotRewritten(name, "defines", node)

    def _is_local(self, name: str) -> bool:
        if name == "__class__" and self._classes:
            return True
        if self._scopes and self._scopes[-1][0] == "class" and name in self._scopes[-1][1]:
            return False
        return any(kind != "class" and name in names for kind, names in self._scopes)

    # --- attributes, items, and what changes in place

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._attribute(node, "attr")

    def _attribute(self, node: ast.Attribute, check: str) -> ast.AST:
        if self._plain:
            return self.generic_visit(node)
        value, name = self._visited(node.value), _text(self._mangled(node.attr), node)
        if isinstance(node.ctx, ast.Load):
            return _call(check, node, value, name)
        node.value = _call("set" if isinstance(node.ctx, ast.Store) else "del", node, value, name)
        return node

    def _mangled(self, name: str) -> str:
        if self._classes and name.startswith("__") and not name.endswith("__"):
            return f"_{self._classes[-1].lstrip('_')}{name}"
        return name

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not self._plain and not isinstance(node.ctx, ast.Load):
            node.value = _call("item", node, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if self._plain or isinstance(node.target, ast.Subscript):
            return self.generic_visit(node)
        if isinstance(node.target, ast.Name):  # `x += y`: look at x, then do it
            name = node.target.id
            if not (self._is_local(name) or (not self._scopes and self._always_bound(node.target))):
                read = self._visited(ast.copy_location(ast.Name(name, ast.Load()), node.target))
                new = _call("aug", node, _text(_OPERATORS[type(node.op)], node), read, self._visited(node.value))
                return ast.copy_location(ast.Assign([node.target], new), node)
            if not self._scopes:
                self.unchecked.add(name)
            check = _call("changed", node, _name(name, node.target))
            self._before.append(ast.copy_location(ast.Expr(check), node))
            node.value = self._visited(node.value)
            return node
        held = self._held(self._visited(node.target.value), node)
        attribute = _text(self._mangled(node.target.attr), node)
        read = _call("attr", node, _name(held, node), attribute)
        new = _call("aug", node, _text(_OPERATORS[type(node.op)], node), read, self._visited(node.value))
        place = _call("set", node, _name(held, node), attribute)
        target = ast.copy_location(ast.Attribute(place, node.target.attr, ast.Store()), node)
        return ast.copy_location(ast.Assign([target], new), node)

    def _always_bound(self, node: ast.Name) -> bool:
        return id(node) in self._bound

    def _held(self, value: ast.expr, at: ast.AST) -> str:
        """A name of ours for a value, bound before the statement that is being rewritten."""
        self._temporaries += 1
        name = f"<held {self._temporaries}>"
        self._before.append(ast.copy_location(ast.Assign([_name(name, at, ast.Store())], value), at))
        for kind, names in reversed(self._scopes):
            if kind == "function":
                names.add(name)
                break
        self.unchecked.add(name)
        return name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and not self._is_local("super"):
            return node  # the compiler has to see it as it is, and adds `__class__`
        if not self._plain and isinstance(node.func, ast.Attribute):
            node.func = cast("ast.expr", self._attribute(node.func, "method"))
            node.args = [self._visited(argument) for argument in node.args]
            node.keywords = [self._visited(keyword) for keyword in node.keywords]
            return node
        return self.generic_visit(node)

    # --- statements

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        block: list[ast.stmt] = []
        for statement in body:
            outer, self._before = self._before, []
            new = self.visit(statement)
            block += [*self._before, *(new if isinstance(new, list) else [new])]
            self._before = outer
        return block

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self._block(value))
            elif isinstance(value, list):
                value[:] = [self.visit(part) if isinstance(part, ast.AST) else part for part in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        if self._plain and self._in_generator and isinstance(node, (ast.Try, ast.AsyncFor, ast.AsyncWith)):
            for part in (node.finalbody, *(handler.body for handler in node.handlers)) if isinstance(node, ast.Try) else (node.body,):
                if part:
                    part.insert(0, ast.copy_location(ast.Expr(_call("resumed", node, _text(None, node))), node))
        return node

    def _visited(self, node: _Node) -> _Node:
        return cast("_Node", self.visit(node))

    # --- functions and classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._definition(node)

    def _definition(self, node: _Function) -> ast.AST:
        self._may_be_defined(node.name, node)
        _no_type_parameters(node)
        is_method = bool(self._scopes) and self._scopes[-1][0] == "class"
        special = is_method and node.name.startswith("__") and node.name.endswith("__")
        node.decorator_list = [self._visited(decorator) for decorator in node.decorator_list]
        if node.returns and not self._lazy_annotations:
            node.returns = self._visited(node.returns)
        found = bindings(node.body)
        declared: list[ast.stmt] = []  # before both bodies: a name may not be declared after its use
        for form, names in ((ast.Global, found.of_module), (ast.Nonlocal, found.of_outer)):
            if names:
                declared.append(ast.copy_location(form(sorted(names)), node))
        _Undeclared().visit(node)
        body: Sequence[ast.stmt] = node.body
        text = [body[0]] if ast.get_docstring(node, clean=False) is not None else []
        body = body[len(text) :] or [ast.copy_location(ast.Pass(), node)]
        with self._function(node.args, found.local, found.of_module, generator=suspends(body)):
            if special and node.name not in _CALLED_BY_PERSON:
                with self._as(plain=False):
                    new = self._block(body)
            elif self._both:
                checked, written = self._each(body, self._block)
                new = [ast.copy_location(ast.If(_name("<on>", node), checked, written), node)]
            else:
                new = self._block(body)
        node.body = [*text, *declared, *new]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if suspends([node.body]):
            raise NotRewritten("lambda with yield", "uses", node)
        with self._function(node.args, bindings([node.body]).local, set(), generator=False):
            node.body = self._either(node.body)
        return node

    @contextmanager
    def _function(self, arguments: ast.arguments, local: set[str], of_module: set[str], *, generator: bool) -> Iterator[None]:
        """In the function. Its defaults and annotations are visited outside of it."""
        arguments.defaults = [self._visited(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self._visited(default) for default in arguments.kw_defaults]
        stars = [star for star in (arguments.vararg, arguments.kwarg) if star]
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]
        for argument in every:
            if argument.annotation and not self._lazy_annotations:
                argument.annotation = self._visited(argument.annotation)
        outer, was_generator = self._scopes, self._in_generator
        self._scopes = [*outer, ("function", local | {argument.arg for argument in every})]
        if sum(kind == "function" for kind, _ in self._scopes) > _DEEPEST:
            raise NotRewritten(f"functions more than {_DEEPEST} deep", "nests")
        if of_module:  # `global x` hides each binding around it
            self._scopes = [(kind, names - of_module) for kind, names in self._scopes]
            self.stored |= of_module
        self._in_generator = generator
        yield
        self._scopes, self._in_generator = outer, was_generator

    @contextmanager
    def _as(self, *, plain: bool) -> Iterator[None]:
        outer, self._plain = self._plain, plain
        yield
        self._plain = outer

    _Part = TypeVar("_Part")

    def _each(self, part: _Part, visit: Callable[[_Part], _Part]) -> tuple[_Part, _Part]:
        """The part with its checks, and as it was written."""
        written = copy.deepcopy(part)
        with self._as(plain=False):
            checked = visit(part)
        with self._as(plain=True):
            return checked, visit(written)

    def _either(self, node: ast.expr) -> ast.expr:
        if not self._both:
            return self._visited(node)
        checked, written = self._each(node, self._visited)
        if ast.dump(checked) == ast.dump(written):
            return checked
        return ast.copy_location(ast.IfExp(_name("<on>", node), checked, written), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        _no_type_parameters(node)
        self._may_be_defined(node.name, node)
        node.decorator_list = [*(self._visited(one) for one in node.decorator_list), _name("<class>", node)]
        node.bases = [self._visited(base) for base in node.bases]
        node.keywords = [self._visited(keyword) for keyword in node.keywords]
        found, outer = bindings(node.body), self._scopes
        self._scopes = [*outer, ("class", found.local)]
        self.stored |= found.of_module
        self._classes.append(node.name)
        node.body = self._block(node.body)
        self._classes.pop()
        self._scopes = outer
        return node

    # --- comprehensions

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node, self._visited)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node, self._visited)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node, self._visited)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node, self._either)  # it runs later, and not always where it was made

    def _comprehension(self, node: _Comprehension, visit: Callable[[ast.expr], ast.expr]) -> ast.AST:
        node.generators[0].iter = self._visited(node.generators[0].iter)
        targets = [part for one in node.generators for part in ast.walk(one.target)]
        if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in targets):
            raise NotRewritten("comprehension with such a target", "uses", node)
        outer = self._scopes
        self._scopes = [*outer, ("comprehension", {part.id for part in targets if isinstance(part, ast.Name)})]
        for place, one in enumerate(node.generators):
            one.target = self._visited(one.target)
            if place:
                one.iter = visit(one.iter)
            one.ifs = [visit(test) for test in one.ifs]
        if isinstance(node, ast.DictComp):
            node.key, node.value = visit(node.key), visit(node.value)
        else:
            node.elt = visit(node.elt)
        self._scopes = outer
        return node

    # --- generators that began in a cell of the person's end where a run of the agent's would go on with them

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        return self._resumed(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        return self._resumed(node)

    def visit_Await(self, node: ast.Await) -> ast.AST:
        return self._resumed(node)

    def _resumed(self, node: ast.Yield | ast.YieldFrom | ast.Await) -> ast.AST:
        self.generic_visit(node)
        return _call("resumed", node, node) if self._plain else node

    # --- annotations, imports, patterns

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = self._visited(node.target)
        node.value = node.value and self._visited(node.value)
        if not self._lazy_annotations:
            node.annotation = self._visited(node.annotation)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST | list[ast.stmt]:
        if not self._scopes:
            for alias in node.names:
                origin = alias.name if alias.asname else imported_name(alias)
                self.imported[imported_name(alias)] = (origin, None)
        if self._plain:
            return node
        return [
            _bound(imported_name(alias), _call("import", node, _text(alias.name, node), _text(bool(alias.asname), node)), node)
            for alias in node.names
        ]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if node.module == "__future__":
            self._lazy_annotations |= any(alias.name == "annotations" for alias in node.names)
            return node
        if node.level or any(alias.name == "*" for alias in node.names):
            raise NotRewritten(ast.unparse(node), "imports what it does not name:", node)
        module = node.module or ""
        if not self._scopes:
            self.imported |= {imported_name(alias): (module, alias.name) for alias in node.names}
        if self._plain:
            return node
        return [
            _bound(alias.asname or alias.name, _call("from", node, _text(module, node), _text(alias.name, node)), node)
            for alias in node.names
        ]

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        raise NotRewritten("type …", "uses", node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        if not self._plain and isinstance(node.value, ast.Attribute):
            # The pattern has to stay an attribute: of a box that holds what was read.
            box = self._held(_call("box", node, self._visited(node.value)), node)
            node.value = ast.copy_location(ast.Attribute(_name(box, node), "held", ast.Load()), node)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        if any(isinstance(key, ast.Attribute) for key in node.keys):
            raise NotRewritten("case with such a key", "uses", node)
        node.patterns = [self._visited(pattern) for pattern in node.patterns]
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        if not self._plain:  # the pattern reads attributes by itself
            names, count = _text(tuple(node.kwd_attrs), node), _text(len(node.patterns), node)
            node.cls = _name(self._held(_call("pattern", node, self._visited(node.cls), names, count), node), node)
        node.patterns = [self._visited(pattern) for pattern in node.patterns]
        node.kwd_patterns = [self._visited(pattern) for pattern in node.kwd_patterns]
        return node


_SLOTS = frozenset("__slots__ __match_args__ __doc__ __hash__".split())


class _Undeclared(ast.NodeTransformer):
    """Takes `global` and `nonlocal` out of a function's own statements."""

    def visit_Global(self, node: ast.Global) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    def visit(self, node: ast.AST) -> ast.AST:
        inner = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda))
        if inner and self._inside:
            return node
        self._inside = True
        return cast("ast.AST", super().visit(node))

    _inside = False


def _no_type_parameters(node: ast.AST) -> None:
    if getattr(node, "type_params", None):
        raise NotRewritten("type parameters", "uses", node)


def _name(name: str, at: ast.AST, context: ast.expr_context | None = None) -> ast.Name:
    return ast.copy_location(ast.Name(name, context or ast.Load()), at)


def _text(value: object, at: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(value), at)  # type: ignore[arg-type]


def _call(check: str, at: ast.AST, *arguments: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(_name(f"<{check}>", at), list(arguments), []), at)


def _bound(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([_name(name, at, ast.Store())], value), at)
