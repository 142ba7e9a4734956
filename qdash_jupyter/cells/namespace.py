"""The names of the user's kernel: what they are, and which of them are the copilot's own."""

from __future__ import annotations

import builtins
import re
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING

from qdash_jupyter.cells.told_names import in_words, is_of_user, kind_in_words, words_in

if TYPE_CHECKING:
    from qdash_jupyter.domain.answer import JsonObject


class Namespace:
    """The user's namespace as far as code of the copilot is concerned.

    A name is the copilot's own while it still holds the very object that a cell of the copilot bound to it; once the
    user binds it again it is theirs.
    """

    def __init__(self, names: MutableMapping[str, object]) -> None:
        """`names` is the kernel's `user_ns`."""
        self._names = names
        self._own: dict[str, Callable[[], object]] = {}
        self._again: dict[str, Callable[[], object]] = {}
        self._words: dict[str, str] = {}

    def note(self, created: Iterable[tuple[str, str]]) -> None:
        """Code in a session has bound these names, told with type and shape."""
        self._words.update(created)

    @property
    def own(self) -> Collection[str]:
        """Names that code of the copilot bound, and that the user has not taken since. The handles (`copilot`,
        `data`) are not among them: no code may bind them anew, or change what they lead to.
        """
        self._own = {name: held for name, held in self._own.items() if self._names.get(name, _NOTHING) is held()}
        return set(self._own)

    @property
    def may_bind(self) -> Collection[str]:
        """Names that code of the copilot may bind anew: its own, and those that a cell of it has bound when the user
        ran it again.
        """
        self._again = {name: held for name, held in self._again.items() if self._names.get(name, _NOTHING) is held()}
        return {*self.own, *self._again}

    def with_free_names(self, code: str, before: Mapping[str, str] | None = None) -> tuple[str, dict[str, str]]:
        """The code with other names for those that are the user's, and which have become which; `before` says it of
        code that was written together with it.
        """
        from qdash_jupyter.cells.renaming import with_free_names

        return with_free_names(code, self._visible(), self.may_bind, before)

    def told(self, names: Iterable[str]) -> list[str]:
        """The names with type and shape of what they hold, for the model."""
        return [
            self._words.get(name, name) if name not in self._names else in_words(self._names, [name])[0]
            for name in names
        ]

    def used_in(self, code: str) -> dict[str, object]:
        """What the variables are that code of the user's uses: a table's columns, else type and shape of data and of
        functions. No object is asked.
        """
        from qdash_jupyter.cells.named_value import described

        names = self._visible()
        used = [name for name in words_in(code) if name in names]
        return {
            name: described(names[name], head=0) if is_of_user(names[name]) else kind_in_words(names[name]) or "?"
            for name in used[:_MOST_USED]
        }

    def named(self, names: Sequence[str], head: int | None = None, only: Sequence[str] = ()) -> dict[str, JsonObject]:
        """What the user's variables of these names hold, those that there are. No object of theirs is asked. `head` is
        how many rows are told, `only` are columns.

        Raises:
            KeyError: there is no such column.
        """
        from qdash_jupyter.cells.named_value import HEAD, described

        held, rows = self._visible(), HEAD if head is None else head
        return {name: described(held[name], rows, only) for name in names if name in held}

    def data_of(self, name: str) -> object:
        """A copy of what the user's variable holds. No object of theirs is asked.

        Raises:
            KeyError: there is no such variable.
            Stays: it holds something that is no data (`qdash_jupyter.cells.exact_pickle.copy_of_data`).
        """
        from qdash_jupyter.cells.exact_pickle import copy_of_data

        return copy_of_data(self._visible()[name])

    def names_of_user(self) -> list[str]:
        """The names that the user has bound."""
        return [name for name in self._visible() if not name.startswith("_")]

    def _visible(self) -> dict[str, object]:
        """What all names hold now but for the shell's own."""
        return {name: value for name, value in self.all().items() if not _SHELLS.fullmatch(name)}

    def data_names(self) -> dict[str, str]:
        """What the variables are that hold data, whoever bound them, the newest first. No object is asked."""
        named = reversed(self._visible().items())
        kinds = {name: kind_in_words(value) for name, value in named if not name.startswith("_")}
        return {name: kind for name, kind in kinds.items() if kind not in {"", "function", "module"}}

    def of_user(self) -> list[str]:
        """The user's own data and functions with type and shape, the newest first. No object of theirs is asked."""
        own, names = self.own, self._visible()
        others = [name for name in reversed(names) if name not in own and not name.startswith("_")]
        return in_words(names, [name for name in others if is_of_user(names[name])])

    def own_up(self, names: Collection[str]) -> None:
        """Note the names that a cell of the copilot has just bound."""
        self._own.update({name: _held(self._names[name]) for name in names if name in self._names})

    def for_session(self, words: Iterable[str]) -> dict[str, object]:
        """What these names hold, as far as code in a session may have it: neither the shell's own nor handles of ours,
        in whose place it has others.
        """
        names = self._visible()
        wanted = (name for name in words if name in names)
        return {name: names[name] for name in wanted if name not in _HANDLES or not _is_ours(names[name])}

    def all(self) -> dict[str, object]:
        """What all names hold now, the shell's own too, as `bound_since` takes it; while it is held, it all lives."""
        return dict(self._names)

    def bind(self, values: Mapping[str, object]) -> list[str]:
        """Bind names to what code of the copilot has made, but for those that somebody else has: they are given."""
        free = {name: value for name, value in values.items() if self._is_free(name)}
        self._names.update(free)
        self.own_up(free)
        return [name for name in values if name not in free]

    def _is_free(self, name: str) -> bool:
        if name in _HANDLES or name in vars(builtins) or _SHELLS.fullmatch(name):
            return False
        return name not in self._names or name in self.may_bind

    def kind(self, name: str) -> str:
        """The name of the type of what it holds, without asking the object; empty where there is no such name."""
        return str(_NAME(type(self._names[name]))) if name in self._names else ""

    def take_back(self, before: Mapping[str, object]) -> None:
        """What names have been bound to since `before` is forgotten: no later cell builds on one that failed."""
        for name in self.bound_since(before):
            if name in before:
                self._names[name] = before[name]
            else:
                del self._names[name]

    def give_up(self, names: Collection[str]) -> dict[str, object]:
        """Take away those of the names that code of the copilot may bind; gives what they held."""
        given = {name: self._names[name] for name in self.may_bind if name in names}
        for name in given:
            del self._names[name]
        return given

    def take_up(self, given: Mapping[str, object]) -> list[str]:
        """Bind the names again; gives those that somebody else uses meanwhile, which stay."""
        free = {name: value for name, value in given.items() if name not in self._names}
        self._names.update(free)
        self._again.update({name: _held(value) for name, value in free.items()})
        return [name for name in given if name not in free]

    def bound_again(self, names: Iterable[str]) -> None:
        """The user has run a cell of the copilot's again, as it is: these names, which it bound, may be bound anew."""
        self._again.update({name: _held(self._names[name]) for name in names if name in self._names})

    def bound_since(self, before: Mapping[str, object]) -> tuple[str, ...]:
        """The names bound since `before`, in the order of the namespace, without those of the shell's own."""
        return tuple(
            name
            for name, value in self._names.items()
            if before.get(name, _NOTHING) is not value and not _SHELLS.fullmatch(name)
        )

    def bind_if_free(self, name: str, value: object) -> bool:
        """Bind a name to a handle of ours, unless the user uses it; says whether it is ours now. That of another
        conversation in the same kernel gives way: code of this one would read the other's data.
        """
        kind = type(value)
        is_handle = kind.__module__.startswith("qdash_jupyter.") and type(self._names.get(name)) is kind
        if name in self._names and not is_handle and name not in self.own:
            return False
        self._names[name] = value
        self._own.pop(name, None)
        return True

    def is_bound(self, name: str, value: object) -> bool:
        """Whether the name leads to exactly this object."""
        return self._names.get(name, _NOTHING) is value

    def release(self, name: str, value: object) -> None:
        """Take the name away, if it is bound to exactly this object."""
        if self.is_bound(name, value):
            del self._names[name]


# What a type says of itself, past a metaclass that has an attribute of that name.
_NAME: Callable[[type], object] = vars(type)["__name__"].__get__
_MODULE: Callable[[type], object] = vars(type)["__module__"].__get__


def _is_ours(value: object) -> bool:
    return str(_MODULE(type(value))).partition(".")[0] == __name__.partition(".")[0]


_HANDLES = ("copilot", "data")
_NOTHING = object()
_MOST_USED = 20
_GONE = object()

_SHELLS = re.compile(r"In|Out|exit|quit|_+|_i+|_[iod]h|_i?\d+|_exit_code|__\w+__")
"""Names that IPython binds: history, results, and its ways out."""


def _held(value: object) -> Callable[[], object]:
    """The object, without keeping it alive where it allows that: a user who deletes a table wants its memory."""
    try:
        reference = weakref.ref(value)
    except TypeError:
        return lambda: value
    return lambda: _GONE if (alive := reference()) is None else alive
