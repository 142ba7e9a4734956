"""What the names in a rewritten cell do: look at the actual object, and stop what is more than reading and computing.

They are builtins, as the functions of a cell find their names there, and speak for the run that is going on. Code that
runs later without one (a generator that is closed, a `__repr__`) is checked by the last.
"""

from __future__ import annotations

import builtins
import importlib
import io
import operator
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Collection, MutableMapping
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.cells.guard import allowed
from qdash_jupyter.cells.guard.admission import MISSING
from qdash_jupyter.cells.guard.library_calls import (
    WRAPPED_BUILTINS,
    LibraryCalls,
    PlotAccessor,
    RcParams,
    formatted,
    name_of,
)
from qdash_jupyter.cells.guard.ownership import Ownership
from qdash_jupyter.cells.guard.stand_in import StandIn, label_of, object_of
from qdash_jupyter.cells.guard.views import View, role_of
from qdash_jupyter.domain.effects import EffectKind, Grant

_K = EffectKind
_FAST = frozenset(
    map(
        id, (int, float, str, bool, type(None), list, dict, tuple, set, np.ndarray, np.float64, pd.DataFrame, pd.Series)
    )
)
_NUMBERS = frozenset(map(id, (int, float, str, bool, tuple, complex)))
_GROUPED = ("pandas.core.groupby", "pandas.core.window", "pandas.core.strings", "pandas.core.resample")


class Checks(LibraryCalls):
    """The checks of one run."""

    def __init__(
        self,
        names: MutableMapping[str, object],
        own: Collection[str],
        classes: Ownership,
        grants: Collection[Grant] = (),
        role: Callable[[object], str] = role_of,
    ) -> None:
        """`names` is the namespace, `own` those of its names that the agent's code has bound."""
        super().__init__(names, own, classes, grants, role)
        self._free: dict[tuple[int, str], str] = {}
        self._kinds: dict[int, type] = {}
        self._of_modules: defaultdict[int, dict[str, object]] = defaultdict(dict)
        self.attr, self.method = self._reading("reads"), self._reading("calls")

    def builtin(self, name: str) -> object:
        """What a name stands for that nobody has bound."""
        found = WRAPPED_BUILTINS.get(name, MISSING)
        if found is not MISSING:
            return found
        value = getattr(builtins, name, MISSING) if not name.startswith("<") else MISSING
        if value is MISSING:
            msg = f"name {name!r} is not defined"
            raise NameError(msg, name=name)
        if name not in allowed.BUILTINS or allowed.is_of_person(value):
            self.stop(_K.DYNAMIC, "calls", f"{name}()")
        return value

    # --- attributes

    def _reading(self, does: str) -> Callable[[Any, str], Any]:
        """The check of an attribute, quick for what was looked at before. Read or called: that is for words alone."""
        free, modules, borrowed = self._free, self._of_modules, self.borrowed
        module, missing = types.ModuleType, MISSING

        def check(held: Any, name: str) -> Any:
            kind = type(held)
            if kind is module:
                given = modules[id(held)].get(name, missing)
                return given if given is not missing else self._of_module(held, name)
            mode = free.get((id(kind), name))
            if mode == "free" or (mode == "changes" and id(held) not in borrowed):
                return getattr(held, name)
            if mode == "holds":
                value = getattr(held, name)
                if id(type(value)) in _FAST or (type(value) is types.MethodType and value.__self__ is held):
                    return value
            return self._attribute(held, kind, name, does)

        return check

    def _attribute(self, held: Any, kind: type, name: str, does: str) -> Any:
        if kind is StandIn:
            return self.part_of(held, name, does=does)
        if kind is View or kind is PlotAccessor:
            return held.read(name)
        if kind is super:
            return self._of_super(held, name)
        if name in {"format", "format_map"} and (kind is str or held is str):
            return formatted(held, name)
        own, said = kind in self.classes or held in self.classes, f"{_said(held)}.{name}"
        owner = _owner(held, kind, name) if own or allowed.home_of(kind) else None
        if not (
            self._may_read(held, kind, name, owner)
            if not own or (owner and owner not in self.classes)
            else _is_free(name)
        ):
            self.stop(allowed.kind_of(name, ""), does, said)
        if name in allowed.CHANGING and id(kind) not in _NUMBERS:
            self._change(held, name)
        value = getattr(held, name)
        if not self._is_fit(value, name):
            return StandIn(said, value)
        given = self.wrapped(value, held, name)
        if given is value and not isinstance(held, type):
            defined = vars(owner)[name] if owner is not None else None
            is_method = callable(defined) and not own and type(defined) is not types.GetSetDescriptorType
            mode = "free" if is_method else "holds"
            if name not in allowed.CHANGING or kind is list or kind is dict or kind is set:
                self._free[id(kind), name] = "changes" if name in allowed.CHANGING else mode
                self._kinds[id(kind)] = kind  # kept, so that no other class gets its number
        return given

    def _may_read(self, held: Any, kind: type, name: str, owner: type | None) -> bool:
        """Whether objects of libraries may be asked for it, and the builtin types."""
        home = allowed.home_of(held) if isinstance(held, type) else allowed.home_of(kind)
        if home == "" or name in allowed.SPECIAL:
            return home != ""
        if isinstance(held, type) and name in allowed.OF_SUPER:
            return name != "__new__"
        fields = getattr(kind, "_fields", ()) if issubclass(kind, tuple) else ()
        if name.startswith("_") or name in fields:
            return name in fields or (bool(fields) and name in _OF_NAMED_TUPLES)
        if owner is None:  # a column, a field, an attribute of the instance
            return f"-{name}" not in allowed.known(home).get("attributes", ())
        listed = allowed.is_attribute_allowed(allowed.home_of(owner), name) or allowed.is_attribute_allowed(home, name)
        return (listed or any(kind is one for one in _STREAMS)) and not allowed.is_of_person(vars(owner)[name])

    def _is_fit(self, value: Any, name: str) -> bool:
        """Whether code of the agent's may hold what an attribute gave."""
        kind = type(value)
        if name == "attrs":
            return self.classes.is_still_own(value)
        return id(kind) in _FAST or kind is StandIn or kind is View or self.classes.is_harmless(value)

    def _of_module(self, module: types.ModuleType, name: str) -> Any:
        value = getattr(module, name)
        if not allowed.is_name_allowed(module, name, value):
            does = "calls" if callable(value) else "uses"
            self.stop(allowed.kind_of(name, module.__name__), does, f"{module.__name__}.{name}")
            return value
        given = self.wrapped(value, None, name)
        if type(value) is not list and type(value) is not dict:  # of those each time a copy
            self._of_modules[id(module)][name] = given
        return given

    def _of_super(self, held: Any, name: str) -> Any:
        order = held.__self_class__.__mro__
        owner = next((one for one in order[order.index(held.__thisclass__) + 1 :] if name in vars(one)), object)
        if name not in allowed.OF_SUPER and (name.startswith("_") or owner not in self.classes):
            self.stop(_K.DYNAMIC, "reads", f"super().{name}")
        return getattr(held, name)

    def _change(self, held: Any, name: str) -> None:
        owner = self.owner_of(held)
        makes_new = name in allowed.ON_TABLES and type(held).__module__.startswith(_GROUPED)
        if owner is not None and not makes_new and not (name in {"add", "subtract"} and hasattr(type(held), "iloc")):
            self.stop_change(owner)

    # --- writes

    def set(self, held: Any, name: str) -> Any:
        """The object, where an attribute of it may be set."""
        kind = type(held)
        if kind in self.classes or kind is types.SimpleNamespace or held in self.classes:
            if name.startswith("__"):
                self.stop(_K.DYNAMIC, "sets", f"{_said(held)}.{name}")
            return held
        if kind is types.FunctionType and held.__code__.co_filename.startswith("<") and not name.startswith("__"):
            return held
        if kind is StandIn:
            self.touch(held, "sets", f"{label_of(held)}.{name}")
            return object_of(held)
        if name_of(kind) == "DictWrapper" and object.__getattribute__(held, "prefix").startswith("display"):
            return held
        home = allowed.home_of(kind)
        is_method = not isinstance(held, type) and callable(getattr(kind, name, None))
        is_refused = home == "" or name.startswith("_") or f"-{name}" in allowed.known(home).get("attributes", ())
        if _is_fixed(held) or is_method or is_refused:
            self.stop(_K.MUTATES, "sets", f"{_said(held)}.{name}")
        return self.changed(held)

    def item(self, held: Any) -> Any:
        """The object, where an item of it may be set or deleted."""
        kind = type(held)
        if (kind is dict or kind is list) and id(held) not in self.borrowed:
            return held
        if name_of(kind) == "RcParams":
            return RcParams(held)
        if kind is StandIn:
            self.touch(held, "sets", f"{label_of(held)}[…]")
            return object_of(held)
        home = allowed.home_of(kind)
        is_array = home == "pandas" and isinstance(held, pd.api.extensions.ExtensionArray)
        if _is_fixed(held) or is_array or (home == "" and kind not in self.classes):
            self.stop(_K.MUTATES, "sets an item of", _said(held))
        return self.changed(held)

    def changed(self, held: Any) -> Any:
        """The object, where it may be changed in place."""
        if id(type(held)) in _NUMBERS:
            return held
        owner = self.owner_of(held)
        if owner is not None:
            self.stop_change(owner)
        return held

    def aug(self, function: str, old: Any, new: Any) -> Any:
        """`old += new`."""
        if name_of(type(old)) in {"RcParams", "DictWrapper"}:
            self.stop(_K.MUTATES, "changes", _said(old))
        return _IN_PLACE[function](self.changed(old), new)

    # --- what is left: imports, classes, patterns and generators

    def import_(self, name: str, whole: bool) -> object:
        """`import a.b` gives a, `import a.b as c` b."""
        if (effect := allowed.refused_import(name)) is not None:
            self.stop(effect.kind, effect.does, name, way_out=effect.way_out)
        module = importlib.import_module(name)
        return module if whole else sys.modules[name.partition(".")[0]]

    def from_(self, name: str, attribute: str) -> object:
        """`from a import b`."""
        module = self.import_(name, True)  # noqa: FBT003
        if not hasattr(module, attribute) and allowed.is_module_allowed(f"{name}.{attribute}"):
            importlib.import_module(f"{name}.{attribute}")
        if not hasattr(module, attribute):
            msg = f"cannot import name {attribute!r} from {name!r}"
            raise ImportError(msg)
        return self.attr(module, attribute)

    def class_(self, made: Any) -> Any:
        """Note a class that the code has made."""
        if isinstance(made, type):
            self.classes.add(made)
        return made

    def pattern(self, kind: Any, names: tuple[str, ...], positional: int) -> object:
        """The class of a `case Class(…)`, which reads attributes by itself."""
        self.used(kind)
        plain = any(kind is one for one in (int, float, str, list, dict, tuple, bool, bytes, set))
        own = kind in self.classes and not any(name.startswith("_") for name in names)
        if (names or positional) and not (plain or own):
            self.stop(_K.DYNAMIC, "reads attributes by", f"case {_said(kind)}(…)")
        return kind

    def resumed(self, value: Any) -> Any:
        """In a generator that began in a cell of the person's."""
        if builtins.__dict__["<on>"]:
            self.stop(_K.DYNAMIC, "goes on with", "a generator that another cell began")
        return value


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv, "Mod": operator.imod,
    "FloorDiv": operator.ifloordiv, "Pow": operator.ipow, "MatMult": operator.imatmul, "BitAnd": operator.iand,
    "BitOr": operator.ior, "BitXor": operator.ixor, "LShift": operator.ilshift, "RShift": operator.irshift,
}  # fmt: skip
_STREAMS = (io.StringIO, io.BytesIO, io.TextIOWrapper, io.BufferedWriter, io.BufferedReader)
"""In memory, or opened by `open` with leave: those of the person's come in as stand-ins."""
_OF_NAMED_TUPLES = frozenset({"_asdict", "_replace", "_fields", "_make"})


def _is_fixed(held: Any) -> bool:
    """Whether it is a handle, a module, a class or options: nothing that holds values of a cell's."""
    kind = type(held)
    return kind is View or kind is types.ModuleType or isinstance(held, type) or name_of(kind) == "DictWrapper"


def _owner(held: Any, kind: type, name: str) -> type | None:
    """The class that defines an attribute."""
    order = held.__mro__ if isinstance(held, type) else kind.__mro__
    return next((one for one in order if name in vars(one)), None)


def _is_free(name: str) -> bool:
    """Whether the agent's own objects may be asked for it."""
    return not (name.startswith("__") and name.endswith("__")) or name in allowed.SPECIAL or name in allowed.OF_SUPER


def _said(held: Any) -> str:
    if isinstance(held, type):
        return name_of(held)
    return held.__name__ if type(held) in {types.ModuleType, types.FunctionType} else name_of(type(held))
