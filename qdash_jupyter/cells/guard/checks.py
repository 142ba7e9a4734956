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
from collections.abc import Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass
from types import FrameType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pandas as pd

from qdash_jupyter.cells.guard import allowed, arguments
from qdash_jupyter.cells.guard.admission import Admission
from qdash_jupyter.cells.guard.data import ATOMS, NoData
from qdash_jupyter.cells.guard.library_calls import LibraryCalls, PlotAccessor, name_of
from qdash_jupyter.cells.guard.ownership import Ownership
from qdash_jupyter.cells.guard.preview import changes, refused_import
from qdash_jupyter.cells.guard.refusal import EffectRefused
from qdash_jupyter.cells.guard.stand_in import StandIn, label_of, object_of
from qdash_jupyter.cells.guard.views import View, role_of
from qdash_jupyter.domain.effects import Effect, EffectKind, Grant

_MISSING = object()
_K = EffectKind
_FAST = frozenset(
    map(
        id, (int, float, str, bool, type(None), list, dict, tuple, set, np.ndarray, np.float64, pd.DataFrame, pd.Series)
    )
)
_NUMBERS = frozenset(map(id, (int, float, str, bool, tuple, complex)))
_GROUPED = ("pandas.core.groupby", "pandas.core.window", "pandas.core.strings", "pandas.core.resample")


@dataclass
class Kept:
    """What one namespace keeps from run to run."""

    classes: Ownership
    figures: WeakValueDictionary[int, Any]

    @classmethod
    def nothing(cls) -> Kept:
        """Before the first run."""
        return cls(Ownership(), WeakValueDictionary())


class Checks:
    """The checks of one run. `refused` says what was stopped, whatever the code made of the exception."""

    def __init__(
        self,
        names: MutableMapping[str, object],
        own: Collection[str],
        kept: Kept,
        grants: Collection[Grant] = (),
        role: Callable[[object], str] = role_of,
    ) -> None:
        """`names` is the namespace, `own` those of its names that the agent's code has bound."""
        self.refused: list[Effect] = []
        self.done: list[Effect] = []
        self.names = names
        self._own = frozenset(own)
        self._before = dict(names)
        self._kept = kept
        self._grants = frozenset(grants)
        self._to_change = {(one.what, one.target): one for one in grants if one.kind is _K.MUTATES}
        self.role = role
        calls = self._calls = LibraryCalls(self)
        self._admission = Admission(
            kept.classes,
            self._view,
            lambda function: calls.wrapped(function, None, getattr(function, "__name__", "")),
        )
        self._admitted: dict[str, tuple[object, object]] = {}
        self._free: dict[tuple[int, str], str] = {}
        self._kinds: dict[int, type] = {}
        self._of_modules: defaultdict[int, dict[str, object]] = defaultdict(dict)
        self.attr, self.method = self._reading("reads"), self._reading("calls")
        self._wrapped_builtins: dict[str, Any] = {
            "getattr": self._getattr, "hasattr": self._hasattr, "setattr": self._setattr,
            "print": self._print, "type": self._type, "display": self._display, "open": self._open,
            "isinstance": isinstance, "__name__": "__main__", "__debug__": True,
        }  # fmt: skip

    # --- stopping

    def stop(self, kind: EffectKind, does: str, what: str, target: int = 0, way_out: str = "") -> None:
        """Stop here, unless there is leave for it."""
        effect = Effect(kind, what, does, self._line(), target, way_out)
        if effect.grant in self._grants:
            self.done.append(effect)
            return
        self.refused.append(effect)
        raise EffectRefused(effect)

    def stop_change(self, owner: str) -> None:
        """Stop before the copy is changed of what the person knows by this name: with leave it would be no copy."""
        value = self._before.get(owner)
        effect = changes(owner, self._line(), 0 if value is None else id(value))
        self.refused.append(effect)
        raise EffectRefused(effect)

    def _line(self) -> int:
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - which line of the cell it is
        while frame is not None and frame.f_globals is not self.names:
            frame = frame.f_back
        return 0 if frame is None else frame.f_lineno

    def touch(self, held: StandIn | View, does: str, what: str) -> None:
        """Something of the person's is about to be touched."""
        root = object.__getattribute__(held, "_root" if type(held) is StandIn else "target")
        self.stop(_K.UNKNOWN if does != "sets" else _K.MUTATES, does, what, root)

    def part_of(self, held: StandIn, name: str, *, does: str) -> Any:
        """An attribute of something of the person's."""
        label, value, root = (object.__getattribute__(held, slot) for slot in ("_label", "_object", "_root"))
        path = f"{label}.{name}()" if does == "calls" else f"{label}.{name}"
        self.touch(held, does, path)
        part = getattr(value, name)
        if does == "calls":
            return lambda *given, **options: self.called(part, path, root, given, options)
        return self.taken(part, path, root)

    def called(self, function: Any, label: str, root: int, given: Any, options: Any) -> Any:
        """What a function of the person's gives, with leave. It gets the objects themselves that are handed to it."""
        options = {name: self._handed(value) for name, value in options.items()}
        return self.taken(function(*map(self._handed, given), **options), label, root)

    def _handed(self, value: Any) -> Any:
        self.used(value)
        return object_of(value) if type(value) is StandIn else value

    def used(self, value: Any) -> None:
        """A value is handed on to where it could be touched unseen."""
        if type(value) is StandIn:
            self.touch(value, "uses", label_of(value))

    def taken(self, value: Any, label: str, root: int, *, own: bool = False) -> Any:
        """What something of the person's gave, with leave."""
        try:
            copied = self._admission.admitted(value, label, own=own)
        except NoData:
            return StandIn(self, label, value, root)
        leave = self._to_change.get((label, id(value)))
        if leave is None or self._before.get(label) is not value:
            return copied
        self.done.append(Effect(leave.kind, leave.what, leave.does, 0, leave.target))
        return value

    # --- names

    def name(self, name: str, local: Mapping[str, object] | None = None) -> object:
        """What a name of the module stands for."""
        if local is not None and local is not self.names and name in local:
            return local[name]
        value = self.names.get(name, _MISSING)
        if value is _MISSING:
            return self._builtin(name)
        kept = self._admitted.get(name)
        if kept is not None and kept[0] is value:
            return kept[1]
        if self._before.get(name, _MISSING) is not value or id(type(value)) in ATOMS:
            return value  # bound by this very run
        given = self._entered(name, value)
        self._admitted[name] = (value, given)
        return given

    def _entered(self, name: str, value: object) -> object:
        for other, kept in self._admitted.items():  # the same object under two names stays one
            if kept[0] is value and (other in self._own) == (name in self._own):
                return kept[1]
        if name in self._own and self._kept.classes.is_still_own(value):
            return value
        if self._kept.classes.is_made_here(value) and self._kept.classes.is_still_own(value):
            return value  # made by the agent's code, under a name that the person gave it
        return self.taken(value, name, id(value))

    def _builtin(self, name: str) -> object:
        found = self._wrapped_builtins.get(name, _MISSING)
        if found is not _MISSING:
            return found
        value = getattr(builtins, name, _MISSING) if not name.startswith("<") else _MISSING
        if value is _MISSING:
            msg = f"name {name!r} is not defined"
            raise NameError(msg, name=name)
        if name not in allowed.BUILTINS or allowed.is_of_person(value):
            self.stop(_K.DYNAMIC, "calls", f"{name}()")
        return value

    def _view(self, value: object) -> object | None:
        role = self.role(value)
        label = {"copilot": "copilot", "store": "data"}.get(role, "data[…]")
        return View(self, value, role, label) if role else None

    # --- attributes

    def _reading(self, does: str) -> Callable[[Any, str], Any]:
        """The check of an attribute, quick for what was looked at before. Read or called: that is for words alone."""
        free, modules, borrowed = self._free, self._of_modules, self._admission.borrowed
        module, missing = types.ModuleType, _MISSING

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
            return self._calls.format(held, name)
        own, said = kind in self._kept.classes or held in self._kept.classes, f"{_said(held)}.{name}"
        owner = _owner(held, kind, name) if own or allowed.home_of(kind) else None
        if not (
            self._may_read(held, kind, name, owner)
            if not own or (owner and owner not in self._kept.classes)
            else _is_free(name)
        ):
            self.stop(allowed.kind_of(name, ""), does, said)
        if name in allowed.CHANGING and id(kind) not in _NUMBERS:
            self._change(held, name)
        value = getattr(held, name)
        if not self._is_fit(value, name):
            return StandIn(self, said, value)
        given = self._calls.wrapped(value, held, name)
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
            return self._kept.classes.is_still_own(value)
        return id(kind) in _FAST or kind is StandIn or kind is View or self._kept.classes.is_harmless(value)

    def _of_module(self, module: types.ModuleType, name: str) -> Any:
        value = getattr(module, name)
        if not allowed.is_name_allowed(module, name, value):
            does = "calls" if callable(value) else "uses"
            self.stop(allowed.kind_of(name, module.__name__), does, f"{module.__name__}.{name}")
            return value
        given = self._calls.wrapped(value, None, name)
        if type(value) is not list and type(value) is not dict:  # of those each time a copy
            self._of_modules[id(module)][name] = given
        return given

    def _of_super(self, held: Any, name: str) -> Any:
        order = held.__self_class__.__mro__
        owner = next((one for one in order[order.index(held.__thisclass__) + 1 :] if name in vars(one)), object)
        if name not in allowed.OF_SUPER and (name.startswith("_") or owner not in self._kept.classes):
            self.stop(_K.DYNAMIC, "reads", f"super().{name}")
        return getattr(held, name)

    def _change(self, held: Any, name: str) -> None:
        owner = self._admission.owner_of(held)
        makes_new = name in allowed.ON_TABLES and type(held).__module__.startswith(_GROUPED)
        if owner is not None and not makes_new and not (name in {"add", "subtract"} and hasattr(type(held), "iloc")):
            self.stop_change(owner)

    # --- writes

    def set(self, held: Any, name: str) -> Any:
        """The object, where an attribute of it may be set."""
        kind = type(held)
        if kind in self._kept.classes or kind is types.SimpleNamespace or held in self._kept.classes:
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
        if (kind is dict or kind is list) and id(held) not in self._admission.borrowed:
            return held
        if name_of(kind) == "RcParams":
            return self._calls.settings(held)
        if kind is StandIn:
            self.touch(held, "sets", f"{label_of(held)}[…]")
            return object_of(held)
        home = allowed.home_of(kind)
        is_array = home == "pandas" and isinstance(held, pd.api.extensions.ExtensionArray)
        if _is_fixed(held) or is_array or (home == "" and kind not in self._kept.classes):
            self.stop(_K.MUTATES, "sets an item of", _said(held))
        return self.changed(held)

    def changed(self, held: Any) -> Any:
        """The object, where it may be changed in place."""
        if id(type(held)) in _NUMBERS:
            return held
        owner = self._admission.owner_of(held)
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
        if (effect := refused_import(name)) is not None:
            self.stop(effect.kind, effect.does, name, 0, effect.way_out)
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
            self._kept.classes.add(made)
        return made

    def pattern(self, kind: Any, names: tuple[str, ...], positional: int) -> object:
        """The class of a `case Class(…)`, which reads attributes by itself."""
        self.used(kind)
        plain = any(kind is one for one in (int, float, str, list, dict, tuple, bool, bytes, set))
        own = kind in self._kept.classes and not any(name.startswith("_") for name in names)
        if (names or positional) and not (plain or own):
            self.stop(_K.DYNAMIC, "reads attributes by", f"case {_said(kind)}(…)")
        return kind

    def resumed(self, value: Any) -> Any:
        """In a generator that began in a cell of the person's."""
        if builtins.__dict__["<on>"]:
            self.stop(_K.DYNAMIC, "goes on with", "a generator that another cell began")
        return value

    # --- builtins that reach attributes, files, or the page

    def _getattr(self, held: Any, name: str, *default: Any) -> Any:
        try:
            return self.attr(held, str(name))
        except AttributeError:
            if default:
                return default[0]
            raise

    def _hasattr(self, held: Any, name: str) -> bool:
        self.used(held)
        return type(held) is not View and not str(name).startswith("_") and hasattr(held, name)

    def _setattr(self, held: Any, name: str, value: Any) -> None:
        setattr(self.set(held, str(name)), str(name), value)

    def _type(self, held: Any, *more: Any) -> Any:
        if more:
            self.stop(_K.DYNAMIC, "calls", "type(…, …, …)")
        self.used(held)
        return type(held)

    def _print(self, *values: Any, **options: Any) -> None:
        if not arguments.is_buffer(options.get("file")):
            self.stop(_K.FILES, "calls", "print(file=…)")
        print(*values, **options)  # noqa: T201 - it is what the cell prints

    def _open(self, file: Any, mode: Any = "r", *rest: Any, **options: Any) -> Any:
        # An opener of the code's own could give any file that is open already.
        if type(file) is not str or type(mode) is not str or rest or set(options) - {"encoding", "errors", "newline"}:
            self.stop(_K.DYNAMIC, "calls", "open() with more than a path, a mode and an encoding")
        self.stop(*arguments.opened(file, mode))
        return open(file, mode, **options)  # noqa: PTH123 - as the cell does

    def _display(self, *values: Any, **options: Any) -> Any:
        if set(options) - {"display_id", "clear"}:
            self.stop(_K.DISPLAY, "calls", "display() with options")
        from IPython.display import display

        return display(*values, **options)


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
