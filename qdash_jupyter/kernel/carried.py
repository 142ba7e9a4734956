"""The kernel's side of a session's names: what of the notebook goes in, and what comes out of it is bound."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.scopes import Origin, imports, parsed
from qdash_jupyter.cells.told_names import words_in
from qdash_jupyter.domain.consent import WRITES, Effect, EffectKind, each_once
from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.names_in import gathered
from qdash_jupyter.worker.result import JobResult

_EFFECTS = {
    "writes": (EffectKind.FILES, WRITES, ""),
    "reads": (EffectKind.FILES, Message("effect-reads"), ""),
    "misses": (EffectKind.FILES, Message("effect-reads"), ""),
    "connects": (EffectKind.NETWORK, Message("effect-connects"), ""),
    "starts": (EffectKind.SHELL, Message("effect-starts"), ""),
    "signals": (EffectKind.SHELL, Message("effect-signals"), ""),
    "uses": (EffectKind.UNKNOWN, Message("effect-uses"), ""),
    "imports": (EffectKind.FILES, Message("effect-imports"), Message("effect-from-this-folder")),
}
"""What code tried, by the words of `JobResult.tried`: the kind of effect, what it does, and a note."""


@dataclass(eq=False)
class Carried:
    """What one piece of code has made for the kernel. `left` are names that were not bound, as they are the user's."""

    values: dict[str, object]
    stays: tuple[str, ...]
    """Names whose objects the session alone has."""
    imports: dict[str, Origin]
    deleted: tuple[str, ...]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Past:
    """Code that went well, where it stands, the words in it, and the names of objects that it has made or may have
    changed.
    """

    code: str
    cell_id: str
    words: frozenset[str]
    touched: frozenset[str]


@dataclass(eq=False)
class CarriedNames:
    """Of one session. What says "main thread" needs it between two cells; the rest may be called from any thread."""

    namespace: Namespace
    _known: dict[str, bytes] = field(default_factory=dict)  # digests of what the session has as the kernel has it
    _waiting: list[Carried] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _past: list[_Past] = field(default_factory=list)
    _only_there: set[str] = field(default_factory=set)

    def read_from_user(self, code: str) -> list[str]:
        """The names that have to be collected for the code, on the main thread: the user's, but for modules, and those
        that the session does not have.
        """
        own = self._known.keys() & self.namespace.own
        used = self._used(code).items()
        return [name for name, value in used if name not in own and type(value) is not ModuleType]

    def modules(self, code: str) -> Given:
        """The modules that the code could mean, where it means nothing else that the session does not have."""
        used = self._used(code)
        modules = {name: value for name, value in used.items() if type(value) is ModuleType}
        others = [name for name in used if name in self._known and name not in modules]
        given = self._given(modules, code)
        return given._replace(has=[*given.has, *others])

    def collect(self, code: str) -> Given:
        """All that the code could mean, as it is now. On the main thread."""
        return self._given(self._used(code), code)

    def _used(self, code: str) -> dict[str, object]:
        return self.namespace.for_session(words_in(code))

    def _given(self, used: Mapping[str, object], code: str) -> Given:
        found = gathered(used, used, self._known)
        # What the user has deleted, or taken back, since it came from the kernel or went there.
        gone = self.only_there(name for name in words_in(code) if name in self._known)
        with self._lock:
            self._known = {name: each for name, each in (self._known | found.digests).items() if name not in gone}
        return Given(found.pickled, found.stays, found.has, gone, _folder())

    def changed(self, result: JobResult) -> list[str]:
        """The names of the user's whose objects the code has changed: the session's copies of them."""
        return [name for name in result.changed if name not in self.namespace.own and self.namespace.kind(name)]

    def came(self, code: str, cell_id: str, result: JobResult, copies: Mapping[str, str]) -> Carried:
        """Code went well: what it has made waits to be bound. `copies` are other names for what it has changed."""
        self.namespace.note(result.created)
        created = {name for name, _ in result.created}
        imports = {name: origin for name, origin in _imported(code).items() if name in created}
        stays = tuple(name for name, _ in result.stays if name not in imports)
        values = {copies.get(name, name): value for name, value in result.bound.items()}
        carried = Carried(values, tuple(name for name in stays if name in created), imports, result.deleted)
        with self._lock:
            self._waiting.append(carried)
            self._only_there = (self._only_there - {*values, *result.deleted}).union(stays, imports)
            touched = created.union(stays, values)
            self._past.append(_Past(code, cell_id, frozenset(words_in(code)), frozenset(touched)))
        return carried

    def bind(self) -> None:
        """Bind what waits, and take away what was deleted; the user's names stay theirs. On the main thread."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for carried in waiting:
            loaded = {
                name: value for name, origin in carried.imports.items() if (value := _loaded(*origin)) is not None
            }
            self.namespace.give_up(carried.deleted)
            left = self.namespace.bind({**loaded, **carried.values})
            carried.left = tuple(name for name in left if name in carried.values)
            bound = {name: value for name, value in carried.values.items() if name not in left}
            digests = gathered(bound, bound, {}).digests
            with self._lock:
                self._known |= digests
                self._only_there = (self._only_there - loaded.keys()).union(carried.left)

    def lost(self, names: Iterable[str]) -> None:
        """The session has these names no more."""
        gone = set(names)
        with self._lock:
            self._known = {name: digest for name, digest in self._known.items() if name not in gone}
            self._only_there -= gone

    def only_there(self, names: Iterable[str]) -> list[str]:
        """Those of the names that the kernel does not have."""
        return [name for name in names if not self.namespace.kind(name)]

    def before(self, code: str) -> tuple[list[str], list[str]]:
        """What has to run in the kernel before this code could, as it uses names that are in the session alone: the
        earlier code, and the ids of its cells, both in order.
        """
        with self._lock:
            only_there, past = {*self._only_there}, [*self._past]
        wanted, found = only_there & set(words_in(code)), list[_Past]()
        for each in reversed(past):
            if wanted & each.touched:
                found.insert(0, each)
                wanted |= only_there & each.words
        return [each.code for each in found], [each.cell_id for each in found]

    def effects(self, result: JobResult) -> tuple[Effect, ...]:
        """What the code needs of the user's kernel: what it tried outside of the session, or to use."""
        found = []
        for what_it_tried, what in result.tried:
            if what_it_tried in _EFFECTS and _IS_HERE.get(what_it_tried, bool)(what):
                kind, does, note = _EFFECTS[what_it_tried]
                found.append(Effect(kind, what, does, note=note))
        kind, does, _ = _EFFECTS["uses"]
        for name, what in result.needed:
            found.append(Effect(kind, f"{name}.{what}", does, note=self.namespace.kind(name)))
        error = result.error
        if not found and isinstance(error, str) and error.startswith("PermissionError"):
            found.append(Effect(EffectKind.FILES, error.partition(": ")[2] or error, Message("effect-needs")))
        return each_once(found)


def _imported(code: str) -> dict[str, Origin]:
    """What the code imports, as it says: a session could say anything. Nothing where it has magics."""
    tree = parsed(code)
    return {} if tree is None else {name: origin for node in tree.body for name, origin in imports(node).items()}


def _loaded(module: str, attribute: str | None) -> object:
    """What an import would bind in the kernel without loading anything; None where it would have to."""
    home = sys.modules.get(module)
    if attribute is None or type(home) is not ModuleType:
        return home
    return vars(home).get(attribute) or sys.modules.get(f"{module}.{attribute}")


def _folder() -> str:
    with contextlib.suppress(FileNotFoundError):  # it was removed
        return str(Path.cwd())
    return ""


def _is_found(module: str) -> bool:
    """Whether the kernel could import it."""
    with contextlib.suppress(ImportError, ValueError):
        return find_spec(module) is not None
    return False


_IS_HERE = {"imports": _is_found, "misses": os.path.lexists}
"""Whether the kernel would find what the session did not see."""
