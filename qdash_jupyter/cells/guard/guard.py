"""One run of the agent's code under its checks: the tree to execute, and what was stopped."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable, Collection, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass

from qdash_jupyter.cells.guard import allowed
from qdash_jupyter.cells.guard.checks import Checks
from qdash_jupyter.cells.guard.ownership import Ownership
from qdash_jupyter.cells.guard.preview import Preview, line_of, unreadable
from qdash_jupyter.cells.guard.refusal import EffectRefused, NotRewritten
from qdash_jupyter.cells.guard.rewrite import Rewriter
from qdash_jupyter.cells.guard.settings import settings_kept
from qdash_jupyter.cells.guard.verify import verify
from qdash_jupyter.cells.guard.views import role_of
from qdash_jupyter.cells.scopes import Origin, is_same_import
from qdash_jupyter.domain.effects import Effect, EffectKind, Effects, Grant

_CHECKED = {
    "name": "name", "attr": "attr", "method": "method", "set": "set", "del": "set", "item": "item", "aug": "aug",
    "changed": "changed", "import": "import_", "from": "from_", "class": "class_", "pattern": "pattern",
    "resumed": "resumed",
}  # fmt: skip


@dataclass
class Run:
    """One run: the tree to execute in place of the code, and, afterwards, what was stopped."""

    tree: ast.Module | None
    """None: the code as it is, without checks."""
    checks: Checks

    @property
    def refused(self) -> Effects:
        """What was stopped, whatever the code made of it."""
        return Effects.of(self.checks.refused)

    @property
    def done(self) -> Effects:
        """What was granted, and has happened."""
        return Effects.of(self.checks.done)


class Guard:
    """The guard of one namespace: what code would do (`preview`), and its runs (`running`)."""

    def __init__(
        self,
        names: MutableMapping[str, object],
        own: Callable[[], Collection[str]],
        *,
        may_bind: Callable[[], Collection[str]] | None = None,
        is_shells: Callable[[str], object] = lambda name: name.startswith("_"),
        role: Callable[[object], str] = role_of,
    ) -> None:
        """`own` gives the names that code of the agent's has bound, `may_bind` those that it may bind anew where they
        are more, `is_shells` says which the shell binds itself.
        """
        self._names, self._own, self._is_shells, self._role = names, own, is_shells, role
        self._may_bind = may_bind or own
        self._made = Ownership()
        self._previewed: _Rewritten | None = None

    def preview(self, code: str) -> Effects:
        """What the code would do beyond reading and computing, as far as its words tell. Nothing runs."""
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Effects((unreadable(code, error),))
        ready, why_not = self._ready_to_run(code)
        self._previewed = ready  # it will run next, most likely
        return Effects.of([*Preview(self._names, self._own(), self._made, self._role).effects(tree), *why_not])

    def is_known(self, value: object) -> bool:
        """Whether it is data, or of a library, to its last part: showing it runs no code of the person's."""
        return self._made.is_still_own(value)

    @contextmanager
    def running(self, code: str, grants: Collection[Grant] | None = ()) -> Iterator[Run]:
        """Checks on, settings kept. In the block, `tree` is executed; an error in making it gives one that is refused.
        With None for grants, nothing is checked.
        """
        if grants is None:
            yield Run(None, Checks(self._names, (), self._made))
            return
        ready, why_not = self._ready_to_run(code)
        checks = Checks(self._names, self._own(), self._made, grants, self._role)
        checks.refused += Effects.of(why_not).without(grants).found
        tree = ready.tree if ready is not None else ast.Module([], [])
        if checks.refused:
            stop = ast.Expr(ast.Call(ast.Name("<stop>", ast.Load()), [], []))
            tree = ast.fix_missing_locations(ast.Module([stop], []))
        run = Run(tree, checks)
        with settings_kept(self._made.figures), _checks_on(checks):
            yield run

    def _is_theirs(self, name: str, origin: Origin | None) -> bool:
        """Whether a name is the person's, or a builtin, and code that binds it takes it away."""
        if name not in self._names:
            return name in allowed.BUILTINS
        return not (name in self._may_bind() or self._is_shells(name) or is_same_import(origin, self._names[name]))

    def _ready_to_run(self, code: str) -> tuple[_Rewritten | None, list[Effect]]:
        """The code with its checks, or None; and why it may not run at all."""
        free = frozenset(
            name
            for name in allowed.BUILTINS
            if name not in self._names and not allowed.is_of_person(getattr(builtins, name, None))
        )
        ready, self._previewed = self._previewed, None
        try:
            if ready is None or (ready.code, ready.free) != (code, free):
                ready = _Rewritten.of(code, free)
        except NotRewritten as problem:
            return None, [problem.effect]
        except Exception as error:  # noqa: BLE001 - what could not be rewritten must not run, whatever the reason
            return None, [unreadable(code, error)]
        stored, imported = ready.work.stored, ready.work.imported
        theirs = [name for name in sorted(stored) if self._is_theirs(name, imported.get(name))]
        tree = ast.parse(code) if theirs else ready.tree
        return ready, [
            Effect(EffectKind.REBINDS, name, "binds", line_of(name, tree), 0, "Choose another name.") for name in theirs
        ]


@dataclass
class _Rewritten:
    """A piece of code with its checks: `tree` is to be executed, once. `free` are builtins that were read without."""

    code: str
    free: frozenset[str]
    work: Rewriter
    tree: ast.Module

    @classmethod
    def of(cls, code: str, free: frozenset[str]) -> _Rewritten:
        """Rewritten, and looked at.

        Raises:
            NotRewritten: no check could look at what it does.
        """
        work = Rewriter(free)
        tree = work.cell(ast.parse(code))
        with work.switched_on():
            compiled = compile(tree, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        verify(compiled, work.unchecked)
        return cls(code, free, work, tree)


@contextmanager
def _checks_on(checks: Checks) -> Iterator[None]:
    names = vars(builtins)
    outer = {name: names.get(name) for name in names if name.startswith("<")}

    def stop() -> None:
        raise EffectRefused(checks.refused[0])

    def box(held: object) -> object:
        """What a `case Name.VALUE:` compares with."""
        return types.SimpleNamespace(held=held)

    names |= {f"<{name}>": getattr(checks, method) for name, method in _CHECKED.items()}
    names |= {f"<b {name}>": getattr(builtins, name) for name in allowed.BUILTINS if hasattr(builtins, name)}
    names |= {"<checks>": checks, "<locals>": locals, "<box>": box, "<stop>": stop, "<on>": True}
    try:
        yield
    finally:
        names["<on>"] = False
        if outer.get("<on>"):  # a run within a run: its values are held by what goes on
            names |= outer
        else:
            checks.given_back()
