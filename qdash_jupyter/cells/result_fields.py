"""The public fields of results that code computes: named tuples, and objects of the libraries that fit and test.

As in `result_value`, types are told by identity: an object is of a library if its class stands, under its own name, in
a module of that library which is loaded. Whatever else there is, an instrument of the lab for one, is not touched.
"""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Any

from qdash_jupyter.cells.installed import lies_in
from qdash_jupyter.cells.taken_apart import module_of, name_of

LIBRARIES = ("scipy", "statsmodels", "sklearn", "lmfit", "uncertainties")
_COMPUTED = (
    *("params", "bse", "pvalues", "tvalues", "rsquared", "nobs", "aic"),  # statsmodels
    *("redchi", "best_values", "success", "value", "stderr"),  # lmfit
    *("nominal_value", "std_dev"),  # uncertainties
)
"""Fields that some libraries compute when they are asked for, in no object's own dictionary."""
_MOST_FIELDS = 40


def fields_of(value: Any) -> dict[str, object] | None:
    """The fields by name; None for what is neither a named tuple nor an object of one of these libraries."""
    kind = type(value)
    bases = type.mro(kind)
    if tuple in bases[1:-1] and all(type(base) is type for base in bases):
        names = next((base.__dict__["_fields"] for base in bases if "_fields" in base.__dict__), None)
        if type(names) is tuple and all(type(name) is str for name in names) and len(names) <= tuple.__len__(value):
            return dict(zip(names, tuple.__iter__(value), strict=False)) | _own(value)
    if _library(kind) in LIBRARIES:
        if issubclass(kind, dict):  # a result of scipy.optimize
            return dict(list(dict.items(value))[:_MOST_FIELDS])
        return _computed(value) | _own(value)
    return None


def is_result(field: str) -> bool:
    """Whether that field is what a fit found rather than how it was set: in sklearn, those that end with `_` are."""
    return field in _COMPUTED or field.endswith("_")


def is_dtype(kind: type) -> bool:
    """Whether that is a class of dtypes of numpy or pandas."""
    return _library(kind) in {"numpy", "pandas"} and any(
        base.__name__ in {"dtype", "ExtensionDtype"} for base in type.mro(kind)
    )


def _library(kind: type) -> str:
    """The library whose class that is; empty if it is none of a loaded module."""
    home = module_of(kind)
    return str(home).partition(".")[0] if lies_in(home, name_of(kind), kind) else ""


def _own(value: object) -> dict[str, object]:
    """What stands in the object's own dictionary, read without the object's help."""
    for base in type.mro(type(value)):
        found = base.__dict__.get("__dict__")
        if type(found) is GetSetDescriptorType:
            own = found.__get__(value)
            public = [name for name in own if type(name) is str and not name.startswith("_")]
            return {name: own[name] for name in public[:_MOST_FIELDS]}
    return {}


def _computed(value: Any) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in _COMPUTED:
        try:
            if (one := getattr(value, name, None)) is not None and not callable(one):
                found[name] = one
        except Exception:  # noqa: BLE001, S112 - a library may refuse a field in its own way
            continue
    return found
