"""Reads the compiled cell: a mistake in the rewriting gives a cell that does not run, not one without checks."""

from __future__ import annotations

import dis
import types

from qdash_jupyter.cells.guard.allowed import words
from qdash_jupyter.cells.guard.refusal import NotRewritten

_OF_CLASSES = words("of classes")
_READS_NAME = frozenset(
    ["LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"]
)
_READS_ATTRIBUTE = frozenset(["LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"])
_WRITES_ATTRIBUTE = frozenset(["STORE_ATTR", "DELETE_ATTR"])
_NO_WORK = frozenset(["CACHE", "EXTENDED_ARG", "PRECALL", "RESUME", "NOP"])


def verify(code: types.CodeType, unchecked: set[str]) -> None:
    """Make sure that compiled code reads names (but for those `unchecked`), attributes and modules through checks only.

    Raises:
        NotRewritten: it does not.
    """
    instructions = [one for one in dis.get_instructions(code) if one.opname not in _NO_WORK]
    for place, one in enumerate(instructions):
        name = one.argval if type(one.argval) is str else ""
        if one.opname in _READS_NAME:
            own = name in code.co_freevars or (name in unchecked and one.opname != "LOAD_CLASSDEREF")
            if not (name.startswith("<") or name in _OF_CLASSES or own):
                raise NotRewritten(name, "reads without a check")
        elif one.opname in _READS_ATTRIBUTE and name != "held":
            raise NotRewritten(name, "reads without a check")
        elif one.opname in _WRITES_ATTRIBUTE:
            before = {str(other.argval) for other in instructions[:place]}
            if not before & {"<set>", "<del>"}:
                raise NotRewritten(name, "writes without a check")
        elif one.opname.startswith("IMPORT_") and name not in {"__future__", "annotations"}:
            raise NotRewritten(name, "imports without a check")
        elif isinstance(one.argval, types.CodeType):
            verify(one.argval, unchecked)
