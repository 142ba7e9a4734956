"""How values leave the confined session: JSON and binary parts, which the kernel reads without trusting them.

`written` runs in the session and `read` in the kernel. Exact types travel, never their subclasses, and nothing of any
other object is touched. The parts of a message are described in `names_out_scalars`, `names_out_arrays` (numpy),
`names_out_tables` (pandas) and `names_out_figures` (Plotly).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import isfinite
from types import NoneType
from typing import Any

import orjson

from qdash_jupyter.worker import names_out_arrays as arrays
from qdash_jupyter.worker import names_out_figures as figures
from qdash_jupyter.worker import names_out_tables as tables
from qdash_jupyter.worker import names_out_tables_read as tables_read
from qdash_jupyter.worker.names_out_arrays import Stays, Unreadable
from qdash_jupyter.worker.names_out_scalars import SCALAR_READERS, is_flat, scalar_writers

__all__ = ["Unreadable", "read", "written"]

_TREE_BYTES = 32_000_000
_MOST_NODES = 2_000_000
_DEEPEST = 60
"""Containers inside one another. A cycle is deeper than that."""
_MOST_ALIKE = 100
"""Keys with one hash. With many more, to fill a dict or set takes time that grows with their square."""
_NOT_WRITTEN = (Stays, ValueError, TypeError, OverflowError, NotImplementedError, RecursionError)


def written(value: object) -> list[bytes] | None:
    """Return the message that `read` turns into an equal value, or None where the value does not travel.

    The first part is JSON; the others are binary, and the JSON refers to them by number.
    """
    writer = _Writer()
    try:
        writer.parts[0] = orjson.dumps(writer.node(value))
    except _NOT_WRITTEN:
        return None
    return writer.parts if len(writer.parts[0]) <= _TREE_BYTES else None


def read(parts: Sequence[bytes | bytearray | memoryview]) -> object:
    """Return the value of a message that untrusted code may have forged.

    Nothing is unpickled, evaluated or imported by name. The parts must be memory that the session cannot change.

    Raises:
        Unreadable: The message is not one that `written` makes.
    """
    try:
        if len(parts[0]) > _TREE_BYTES:
            raise Unreadable("The description is too large")  # noqa: TRY301 - one place catches all
        reader = _Reader(parts)
        value = reader.node(orjson.loads(parts[0]))
        if reader.parts:
            raise Unreadable("The description does not use all parts")  # noqa: TRY301
    except Unreadable:
        raise
    except Exception as error:  # the libraries may raise anything on forged bytes
        raise Unreadable(f"Not a message of a session ({type(error).__name__})") from error
    return value


class _Writer:
    def __init__(self) -> None:
        self.parts = [b""]
        self._depth = self._nodes = 0

    def part(self, data: bytes) -> int:
        """Append a part, and return its number."""
        self.parts.append(data)
        return len(self.parts) - 1

    def node(self, value: Any) -> Any:
        """Return the JSON of a value.

        Raises:
            Stays: The value does not travel.
        """
        kind = type(value)
        if kind in (str, bool, NoneType):
            return value
        if (kind is float and isfinite(value)) or (kind is int and -(2**63) <= value < 2**64):
            return value
        write = _writers().get(id(kind))  # by identity: a metaclass may bring a hash of its own
        if write is None and kind is figures.figure_type():
            write = figures.written
        if write is None or self._depth >= _DEEPEST:
            raise Stays
        self._depth += 1
        node = write(self, value)
        self._depth -= 1
        return node

    def nodes_of(self, values: Iterable[Any]) -> list[Any]:
        """Return the JSON of each value.

        Raises:
            Stays: One does not travel, or the message has too many.
        """
        values = list(values)
        self._nodes += len(values)
        if self._nodes > _MOST_NODES:
            raise Stays
        kinds = {*map(type, values)} if len(values) > 1 else set()
        if kinds == {str} or (kinds == {float} and all(map(isfinite, values))):
            return values
        return [self.node(value) for value in values]

    def flat(self, values: list[Any]) -> list[Any]:
        """Return the JSON of scalars and of tuples of these.

        Raises:
            Stays: Another value is among them.
        """
        if not all(map(is_flat, values)):
            raise Stays
        return self.nodes_of(values)

    def tried(self, value: Any) -> Any:
        """Return the JSON of a value, or None where it does not travel."""
        parts, depth = len(self.parts), self._depth
        try:
            return self.node(value)
        except _NOT_WRITTEN:
            del self.parts[parts:]
            self._depth = depth
            return None


class _Reader:
    def __init__(self, parts: Sequence[bytes | bytearray | memoryview]) -> None:
        self.parts = {number: memoryview(part).cast("B") for number, part in enumerate(parts) if number}
        self._depth = 0

    def part(self, number: int) -> memoryview:
        """Return a part, once: a small message that referred to one many times would have a large value."""
        return self.parts.pop(number)

    def node(self, node: Any) -> Any:
        """Return the value of JSON."""
        if not isinstance(node, (dict, list)):
            return node
        if self._depth >= _DEEPEST:
            raise Unreadable("Too deep")
        self._depth += 1
        if isinstance(node, list):
            value: Any = self.nodes_of(node)
        else:
            ((kind, payload),) = node.items()
            value = _readers()[kind](self, payload)
        self._depth -= 1
        return value

    def nodes_of(self, nodes: Any) -> list[Any]:
        """Return the values of a list of JSON."""
        if not isinstance(nodes, list):
            raise Unreadable("Not a list")
        return nodes if {*map(type, nodes)}.isdisjoint((dict, list)) else [self.node(node) for node in nodes]

    def flat(self, nodes: Any) -> list[Any]:
        """Return the values of a list of JSON that has nothing but scalars and tuples of these."""
        values = self.nodes_of(nodes)
        if not all(map(is_flat, values)):
            raise Unreadable("Not a scalar")
        return values


def _keys(keys: Iterable[Any], refused: type[Exception]) -> list[Any]:
    keys = list(keys)
    if len(keys) > _MOST_ALIKE and max(Counter(map(hash, keys)).values()) > _MOST_ALIKE:
        raise refused("Too many keys with one hash")
    return keys


def _set(kind: str) -> Callable[[_Writer, Any], Any]:
    return lambda writer, values: {kind: writer.nodes_of(_keys(values, Stays))}


def _bounds(kind: str) -> Callable[[_Writer, Any], Any]:
    return lambda writer, value: {kind: writer.nodes_of((value.start, value.stop, value.step))}


def _dict(writer: _Writer, value: dict[Any, Any]) -> Any:
    return {"dict": [writer.nodes_of(_keys(value, Stays)), writer.nodes_of(value.values())]}


def _dict_read(reader: _Reader, payload: Any) -> dict[Any, Any]:
    keys, values = payload
    return dict(zip(_keys(reader.nodes_of(keys), Unreadable), reader.nodes_of(values), strict=True))


@cache
def _writers() -> dict[int, Callable[[Any, Any], Any]]:
    import numpy as np

    by_type: dict[Any, Callable[[Any, Any], Any]] = {
        list: lambda writer, values: writer.nodes_of(values),
        tuple: lambda writer, values: {"tuple": writer.nodes_of(values)},
        set: _set("set"),
        frozenset: _set("frozenset"),
        dict: _dict,
        range: _bounds("range"),
        slice: _bounds("slice"),
        np.ndarray: arrays.written,
    } | tables.writers()
    return scalar_writers() | {id(kind): write for kind, write in by_type.items()}


@cache
def _readers() -> dict[str, Callable[[Any, Any], object]]:
    return {
        "tuple": lambda reader, payload: tuple(reader.nodes_of(payload)),
        "set": lambda reader, payload: set(_keys(reader.nodes_of(payload), Unreadable)),
        "frozenset": lambda reader, payload: frozenset(_keys(reader.nodes_of(payload), Unreadable)),
        "dict": _dict_read,
        "range": lambda reader, payload: range(*reader.nodes_of(payload)),
        "slice": lambda reader, payload: slice(*reader.nodes_of(payload)),
        "figure": figures.opened,
        **SCALAR_READERS,
        **arrays.READERS,
        **tables_read.READERS,
    }
