"""In a session: the names that it has of the kernel, and those of its own that go there."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, ModuleType, NoneType
from typing import Any

from qdash_jupyter.worker.names_in import checksum
from qdash_jupyter.worker.names_out import written

_UNCHANGING = {int, float, complex, bool, str, bytes, NoneType, ModuleType, FunctionType}
_OPERANDS: tuple[type, ...] = (int, float, complex, str, bytes, list, dict, set, memoryview, type(iter([])))
_MORE = (
    "__call__ __matmul__ __rmatmul__ __imatmul__ __enter__ __exit__ __aenter__ __aexit__ __await__ __aiter__ __anext__"
)
_OF_ALL = "__class__ __new__ __init__ __getattribute__ __getattr__ __init_subclass__ __subclasshook__"


class NeedsKernel(Exception):
    """Code has used an object that only the notebook's kernel has."""


class KernelNames:
    """Keeps apart what came from the kernel, which is never sent back, and what code here has made."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._given: dict[str, object] = {}
        self._sent: dict[str, bytes] = {}
        self._stays: dict[str, str] = {}
        self._sums: dict[str, int | None] = {}
        self.needed: list[tuple[str, str]] = []
        """Names whose objects code has used, of those that are in the kernel alone, each with what it used of it."""

    def used(self, name: str, what: str) -> NeedsKernel:
        """Note that code has used this of it; gives what to raise."""
        self.needed.append((name, what))
        return NeedsKernel(f"`{name}.{what}` needs the notebook's kernel")

    def take(self, pickled: bytes, stays: Mapping[str, str], gone: Iterable[str] = ()) -> None:
        """Have these names as the kernel has them: a pickled dict of values, and why the others are not among it; not
        those that are `gone` from there.

        Raises:
            Exception: whatever a library raises whose objects cannot be unpickled here.
        """
        for name in gone:
            self._names.pop(name, None)
            self._given.pop(name, None)
        given = pickle.loads(pickled) if pickled else {}  # noqa: S301 - by the kernel
        for name, why in stays.items():
            if self._stays.get(name) == why and name in self._names and not self.is_given(name):
                continue  # code here has bound it since
            self._stays[name] = why
            given[name] = _in_kernel_only(name, why, self.needed)
        self._given |= given
        self._names |= given
        self._sums |= {name: self._sum(name) for name in given}

    def changed_in_place(self, names: Iterable[str]) -> list[str]:
        """Those of the names whose objects came from the kernel and have another content now: they are the session's
        from here on.
        """
        asked = [name for name in names if self.is_given(name)]
        changed = [name for name in asked if self._sum(name) != self._sums.get(name)]
        for name in changed:
            del self._given[name]
        return changed

    def _sum(self, name: str) -> int | None:
        """Of the content; None for what cannot change, or stays in the kernel."""
        value = self._names[name]
        return None if type(value) in _UNCHANGING else checksum(value)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those of the names that are not here."""
        return [name for name in names if name not in self._names]

    def is_given(self, name: str) -> bool:
        """Whether it still holds what came from the kernel."""
        return name in self._given and self._given[name] is self._names.get(name)

    def changed(self, names: Iterable[str]) -> Iterator[tuple[str, list[bytes] | None]]:
        """Of these names those that code here has bound, and whose content is not what was sent last: in the parts of
        `names_out.written`, or None for what does not travel.
        """
        for name in names:
            if name not in self._names or self.is_given(name):
                continue
            self._given.pop(name, None)
            try:
                parts = written(self._names[name])
            except Exception:  # noqa: BLE001 - a library that cannot write its own object
                parts = None
            digest = hashlib.blake2b(digest_size=16)
            for part in parts or ():
                digest.update(part)
            if parts is None or self._sent.get(name) != digest.digest():
                self._sent[name] = digest.digest()
                yield name, parts


def _in_kernel_only(name: str, why: str, needed: list[tuple[str, str]]) -> object:
    """What stands for it: whatever is done with it is noted, and raises."""

    def using(what: str) -> NeedsKernel:
        needed.append((name, what))
        return NeedsKernel(f"`{name}` is in the notebook's kernel only: {why}")

    def attribute(_: object, wanted: str, *__: object) -> Any:
        raise using(wanted)

    def operation(special: str) -> Callable[..., Any]:
        def use(*_: object, **__: object) -> Any:
            raise using(special)

        return use

    specials = {each for kind in _OPERANDS for each in vars(kind) if each[:2] == "__" and callable(getattr(kind, each))}
    methods = {special: operation(special) for special in {*specials, *_MORE.split()}.difference(_OF_ALL.split())}
    methods |= dict.fromkeys(("__getattr__", "__setattr__", "__delattr__"), attribute)
    return type("InKernelOnly", (), {**methods, "__slots__": ()})()
