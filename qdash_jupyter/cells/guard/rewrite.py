"""The tree of a cell in which each name from outside, each attribute, write and import is led through a check.

The checks are builtins whose names no source can spell (`<attr>`), so code can neither call, hide nor replace them. A
function gets both bodies, the checked and the written one, and `<on>` says at each call which of them runs: the person
calls what the agent wrote without checks. A generator stays with the body that it began with. Special methods
(`__repr__`, `__eq__` …) have the checked body alone, because Python calls them where nobody asked for it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from qdash_jupyter.cells.guard.allowed import words
from qdash_jupyter.cells.guard.refusal import NotRewritten
from qdash_jupyter.cells.scopes import (
    Origin,
    bindings,
    certainly_bound,
    imported_name,
    imports,
    names_of,
    suspends,
    unbound_again,
)

_NEVER_DEFINED, _ASSIGNED_IN_CLASSES = words("never defined"), words("assigned in classes")
_CALLED_BY_PERSON = words("called by the person")
_DEEPEST = 6
"""Functions in functions: each level doubles the code of the innermost."""

_Part = TypeVar("_Part")
_Switch = TypeVar("_Switch", ast.If, ast.IfExp)


class Rewriter(ast.NodeTransformer):
    """Rewrites one cell. `stored` are the names of the module that it binds, `imported` where imported ones are from,
    `unchecked` those that are read without a check, because the cell itself has bound them.
    """

    def __init__(self, free_builtins: frozenset[str]) -> None:
        """`free_builtins` are read without a check."""
        self.stored: set[str] = set()
        self.imported: dict[str, Origin] = {}
        self.unchecked: set[str] = set()
        self._free_builtins = free_builtins
        self._switches: list[ast.If | ast.IfExp] = []
        self._plain = False  # the body as written is being made
        self._in_generator = self._lazy_annotations = False
        self._scopes: list[tuple[str, set[str]]] = []  # (function, class or comprehension; names)
        self._classes: list[str] = []
        self._known: set[str] = set()  # names of the module that are certainly bound by now
        self._unbound: set[str] = set()
        self._before: list[ast.stmt] = []
        self._temporaries = 0

    def cell(self, tree: ast.Module) -> ast.Module:
        """The rewritten tree; the given one is changed.

        Raises:
            NotRewritten: no check could look at it.
        """
        self.stored |= bindings(tree.body).bound
        self._unbound = unbound_again(tree)
        tree.body = self._block(tree.body)
        return ast.fix_missing_locations(tree)

    @contextmanager
    def switched_on(self) -> Iterator[None]:
        """In the block, the tree has no bodies but the checked ones: the compiler leaves out what is never reached."""
        tests = [switch.test for switch in self._switches]
        for switch in self._switches:
            switch.test = ast.copy_location(ast.Constant(value=True), switch)
        yield
        for switch, test in zip(self._switches, tests, strict=True):
            switch.test = test

    # --- names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name that is read."""
        if not isinstance(node.ctx, ast.Load):
            special = self._in_class and node.id.startswith("__") and node.id not in _ASSIGNED_IN_CLASSES
            self._may_define(node.id, node, special=special)
        if self._plain or not isinstance(node.ctx, ast.Load) or self._is_local(node.id):
            return node
        if self._is_known(node.id):
            self.unchecked.add(node.id)
            return node
        if self._in_class:
            return _call("name", node, node.id, _call("locals", node))
        if node.id in self._free_builtins and node.id not in self.stored:
            return _name(f"<b {node.id}>", node)
        return _call("name", node, node.id)

    @property
    def _in_class(self) -> bool:
        return bool(self._scopes) and self._scopes[-1][0] == "class"

    def _may_define(self, name: str, node: ast.AST, *, special: bool = False) -> None:
        if special or name in _NEVER_DEFINED or name.startswith(("_repr_", "_ipython_")):
            raise NotRewritten(name, "defines", node)

    def _is_local(self, name: str) -> bool:
        if self._in_class and name in self._scopes[-1][1]:
            return False
        in_method = name == "__class__" and bool(self._classes)
        return in_method or any(kind != "class" and name in names for kind, names in self._scopes)

    def _is_known(self, name: str) -> bool:
        """Whether a name of the module is read where the cell has bound it, and now, not later."""
        return name in self._known and all(kind == "comprehension" for kind, _ in self._scopes)

    # --- attributes, items, and what changes in place

    def visit_Attribute(self, node: ast.Attribute, check: str = "attr") -> ast.AST:
        """An attribute, read or written."""
        if self._plain:
            return self.generic_visit(node)
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            return _call(check, node, value, self._mangled(node.attr))
        node.value = _call("set", node, value, self._mangled(node.attr))
        return node

    def _mangled(self, name: str) -> str:
        is_private = self._classes and name.startswith("__") and not name.endswith("__")
        return f"_{self._classes[-1].lstrip('_')}{name}" if is_private else name

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An item that is written; reading one needs no check."""
        self.generic_visit(node)
        if not self._plain and not isinstance(node.ctx, ast.Load):
            node.value = _call("item", node, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """`x += y`: reads it, changes it in place perhaps, and binds it."""
        target, operator = node.target, type(node.op).__name__
        if self._plain or isinstance(target, ast.Subscript):
            return self.generic_visit(node)
        if isinstance(target, ast.Name) and (self._is_local(target.id) or self._is_known(target.id)):
            self.unchecked |= {target.id} & self._known
            self._before.append(ast.copy_location(ast.Expr(_call("changed", node, _name(target.id, node))), node))
            node.value = self.visit(node.value)
            return node
        if isinstance(target, ast.Name):
            read = self.visit(_name(target.id, node))
        else:
            held, name = self._held(self.visit(target.value), node), self._mangled(target.attr)
            read = _call("attr", node, _name(held, node), name)
            target.value = _call("set", node, _name(held, node), name)
        return ast.copy_location(ast.Assign([target], _call("aug", node, operator, read, self.visit(node.value))), node)

    def _held(self, value: ast.expr, at: ast.AST) -> str:
        """A name of ours for a value, bound before the statement that is being rewritten."""
        self._temporaries += 1
        name = f"<held {self._temporaries}>"
        self._before.append(_bound(name, value, at))
        next((names for kind, names in reversed(self._scopes) if kind == "function"), set()).add(name)
        return name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """An attribute that is called is told from one that is read, for words."""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return node  # the compiler has to see it as it is, and adds `__class__`
        if not self._plain and isinstance(node.func, ast.Attribute):
            function = self.visit_Attribute(node.func, "method")
            node.func = ast.Name("<called>", ast.Load())
            self.generic_visit(node)
            node.func = function  # type: ignore[assignment]  # a call of ours
            return node
        return self.generic_visit(node)

    # --- statements

    def _block(self, body: Sequence[ast.stmt], bound: Collection[str] = ()) -> list[ast.stmt]:
        """The statements. `bound` are names that are bound before the first; what it binds is not known after it."""
        block: list[ast.stmt] = []
        outer_known, self._known = self._known, self._known | (set(bound) - self._unbound)
        for statement in body:
            outer, self._before = self._before, []
            new = self.visit(statement)
            block += [*self._before, *(new if isinstance(new, list) else [new])]
            self._before = outer
            if not self._scopes:
                self._known = self._known | (certainly_bound(statement) - self._unbound)
        self._known = outer_known
        return block

    def visit_For(self, node: ast.For) -> ast.AST:
        """What it runs over is bound in its body."""
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.body = self._block(node.body, names_of(node.target) if not self._scopes else set())
        node.orelse = self._block(node.orelse)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """All parts; statements in their order."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self._block(value))
            elif isinstance(value, list):
                value[:] = [self.visit(part) if isinstance(part, ast.AST) else part for part in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        if self._plain and self._in_generator:
            # Where a generator is entered again without a `yield` that says so.
            parts = [node.finalbody, *(handler.body for handler in node.handlers)] if isinstance(node, ast.Try) else []
            parts += [node.body] if isinstance(node, (ast.AsyncFor, ast.AsyncWith)) else []
            for part in filter(None, parts):
                part.insert(0, ast.copy_location(ast.Expr(_call("resumed", node, None)), node))
        return node

    # --- functions and classes

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._may_define(node.name, node)
        self._refuse_type_parameters(node)
        special = self._in_class and node.name.startswith("__") and node.name not in _CALLED_BY_PERSON
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        if node.returns and not self._lazy_annotations:
            node.returns = self.visit(node.returns)
        found = bindings(node.body)
        declared = [
            ast.copy_location(form(sorted(names)), node)  # before both bodies: a name is not declared after its use
            for form, names in ((ast.Global, found.of_module), (ast.Nonlocal, found.of_outer))
            if names
        ]
        text = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = node.body[len(text) :] or [ast.copy_location(ast.Pass(), node)]
        with self._function(node.args, found.local, found.of_module, generator=suspends(body)):
            if special:
                with self._as(plain=False):
                    new = self._block(body)
            else:
                new = [self._switch(ast.If(_name("<on>", node), *self._each(body, self._block)), node)]
        node.body = [*text, *declared, *new]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _definition

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Both forms of what it gives."""
        if suspends([node.body]):
            raise NotRewritten("lambda with yield", "uses", node)
        with self._function(node.args, bindings([node.body]).local, set(), generator=False):
            node.body = self._either(node.body)
        return node

    def _declared(self, node: ast.Global | ast.Nonlocal) -> ast.AST:
        is_hoisted = bool(self._scopes) and self._scopes[-1][0] == "function"
        return ast.copy_location(ast.Pass(), node) if is_hoisted else node

    visit_Global = visit_Nonlocal = _declared

    @contextmanager
    def _function(
        self, arguments: ast.arguments, local: set[str], of_module: set[str], *, generator: bool
    ) -> Iterator[None]:
        """In the function. Its defaults and annotations are visited outside of it."""
        arguments.defaults = [self.visit(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.visit(default) for default in arguments.kw_defaults]
        every = [argument for argument in ast.walk(arguments) if isinstance(argument, ast.arg)]
        for argument in every:
            if argument.annotation and not self._lazy_annotations:
                argument.annotation = self.visit(argument.annotation)
        outer, was_generator = self._scopes, self._in_generator
        # `global x` hides each binding around it
        self._scopes = [(kind, names - of_module) for kind, names in outer]
        self._scopes.append(("function", local | {argument.arg for argument in every}))
        if sum(kind == "function" for kind, _ in self._scopes) > _DEEPEST:
            raise NotRewritten(f"functions more than {_DEEPEST} deep", "nests")
        self.stored |= of_module
        self._in_generator = generator
        yield
        self._scopes, self._in_generator = outer, was_generator

    @contextmanager
    def _as(self, *, plain: bool) -> Iterator[None]:
        outer, self._plain = self._plain, plain
        yield
        self._plain = outer

    def _each(self, part: _Part, visit: Callable[[_Part], Any]) -> tuple[Any, Any]:
        """The part with its checks, and as it was written."""
        written = copy.deepcopy(part)
        with self._as(plain=False):
            checked = visit(part)
        with self._as(plain=True):
            return checked, visit(written)

    def _either(self, node: ast.expr) -> ast.expr:
        checked, written = self._each(node, self.visit)
        return self._switch(ast.IfExp(_name("<on>", node), checked, written), node)

    def _switch(self, made: _Switch, at: ast.AST) -> _Switch:
        self._switches.append(made)
        return ast.copy_location(made, at)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class, which is noted when it is made."""
        self._refuse_type_parameters(node)
        self._may_define(node.name, node)
        node.decorator_list = [*(self.visit(one) for one in node.decorator_list), _name("<class>", node)]
        node.bases = [self.visit(base) for base in node.bases]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        found, outer = bindings(node.body), self._scopes
        self._scopes = [*outer, ("class", found.local)]
        self.stored |= found.of_module
        self._classes.append(node.name)
        node.body = self._block(node.body)
        self._classes.pop()
        self._scopes = outer
        return node

    def _refuse_type_parameters(self, node: ast.AST) -> None:
        if getattr(node, "type_params", None) or type(node).__name__ == "TypeAlias":
            raise NotRewritten("type parameters", "uses", node)

    visit_TypeAlias = _refuse_type_parameters

    # --- comprehensions, and generators that are entered again

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.AST:
        later = isinstance(node, ast.GeneratorExp)  # it runs later, and not always where it was made
        visit = self._either if later else self.visit
        node.generators[0].iter = self.visit(node.generators[0].iter)
        targets = [part for one in node.generators for part in ast.walk(one.target)]
        if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in targets):
            raise NotRewritten("comprehension with such a target", "uses", node)
        names = {part.id for part in targets if isinstance(part, ast.Name)}
        outer, self._scopes = self._scopes, [*self._scopes, ("generator" if later else "comprehension", names)]
        for place, one in enumerate(node.generators):
            if place:
                one.iter = visit(one.iter)
            one.ifs = [visit(test) for test in one.ifs]
        for part in ("key", "value", "elt"):
            if hasattr(node, part):
                setattr(node, part, visit(getattr(node, part)))
        self._scopes = outer
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _resumed(self, node: ast.Yield | ast.YieldFrom | ast.Await) -> ast.AST:
        self.generic_visit(node)
        return _call("resumed", node, node) if self._plain else node

    visit_Yield = visit_YieldFrom = visit_Await = _resumed

    # --- what is left: annotations, imports and patterns

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """The annotation is evaluated, unless it is not."""
        annotation = node.annotation
        self.generic_visit(node)
        if self._lazy_annotations:
            node.annotation = annotation
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST | list[ast.stmt]:
        """`import a.b`."""
        if not self._scopes:
            self.imported |= imports(node)
        if self._plain:
            return node
        given = [(imported_name(alias), alias.name, bool(alias.asname)) for alias in node.names]
        return [_bound(name, _call("import", node, module, whole), node) for name, module, whole in given]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        """`from a import b`."""
        module = node.module or ""
        if module == "__future__":
            self._lazy_annotations |= any(alias.name == "annotations" for alias in node.names)
            return node
        if node.level or any(alias.name == "*" for alias in node.names):
            raise NotRewritten(ast.unparse(node), "imports what it does not name:", node)
        if not self._scopes:
            self.imported |= imports(node)
        if self._plain:
            return node
        return [_bound(imported_name(alias), _call("from", node, module, alias.name), node) for alias in node.names]

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """`case a.b:` has to stay an attribute: of a box that holds what was read."""
        if not self._plain and isinstance(node.value, ast.Attribute):
            box = self._held(_call("box", node, self.visit(node.value)), node)
            node.value = ast.copy_location(ast.Attribute(_name(box, node), "held", ast.Load()), node)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        """Its keys are literals."""
        if any(isinstance(key, ast.Attribute) for key in node.keys):
            raise NotRewritten("case with such a key", "uses", node)
        return self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        """The pattern reads attributes by itself."""
        if not self._plain:
            names, count = _text(tuple(node.kwd_attrs), node), _text(len(node.patterns), node)
            node.cls = _name(self._held(_call("pattern", node, self.visit(node.cls), names, count), node), node)
        for patterns in (node.patterns, node.kwd_patterns):
            patterns[:] = [self.visit(pattern) for pattern in patterns]
        return node


def _name(name: str, at: ast.AST, context: ast.expr_context | None = None) -> ast.Name:
    return ast.copy_location(ast.Name(name, context or ast.Load()), at)


def _text(value: Any, at: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(value), at)


def _call(check: str, at: ast.AST, *arguments: Any) -> ast.Call:
    """A call of a check; what is no tree becomes a constant."""
    given = [one if isinstance(one, ast.AST) else _text(one, at) for one in arguments]
    return ast.copy_location(ast.Call(_name(f"<{check}>", at), given, []), at)  # type: ignore[arg-type]  # expressions


def _bound(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([_name(name, at, ast.Store())], value), at)
