"""How values leave the confined session: as JSON and raw bytes, which the kernel reads without trusting them.

`written` runs in the session and `read` in the kernel. In the JSON, an object with one key is a value: the key names a
codec (see `names_out_values`), and the list behind it holds what the value is made of, each again a value. Numbers of
arrays lie in the second part, in the order in which the JSON mentions them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import isfinite
from time import monotonic, thread_time
from types import NoneType
from typing import Any

import orjson

from qdash_jupyter.worker import names_out_figures as figures
from qdash_jupyter.worker import names_out_tables as tables
from qdash_jupyter.worker import names_out_values as values_of
from qdash_jupyter.worker.names_out_values import Attrs, Codec, Raw, Unreadable

_TREE_BYTES = 32_000_000
_MOST_NODES, _FEW = 2_000_000, 8
_DEEPEST = 120
"""Lists inside one another in the JSON. A table takes up to ten."""
_SECONDS = 2.0
"""Time of the processor in which a message is to be read. Objects of a few bytes that take 0.1 ms each may be many."""


def written(value: object) -> list[bytes] | None:
    """Return the message that `read` turns into an equal value, or None where the value does not travel.

    Exact types travel, never their subclasses, and nothing of any other object is touched. The message is read back
    here and written once more: what does not give the same bytes does not travel.
    """
    try:
        parts = _Writer().message(value)
        return parts if _Writer().message(read(parts)) == parts else None
    except Exception:  # noqa: BLE001 - a type without a codec, and whatever a library raises on a strange object
        return None


def read(parts: Sequence[bytes | bytearray | memoryview]) -> object:
    """Return the value of a message that untrusted code may have forged.

    Nothing is unpickled, evaluated or imported by name. Nothing is allocated that is larger than a few times the
    message. The parts must be memory that the session cannot change; the value does not refer to them.

    Raises:
        Unreadable: The message is not one that `written` makes.
    """
    try:
        tree, raw = parts if len(parts) == 2 else (*parts, b"")  # noqa: PLR2004 - a pair
        if len(tree) > _TREE_BYTES:
            raise Unreadable("The description is too large")  # noqa: TRY301 - one place catches all
        reader = _Reader(raw)
        value = reader.node(orjson.loads(tree))
        if reader.raw:
            raise Unreadable("The description does not use all bytes")  # noqa: TRY301
    except Unreadable:
        raise
    except Exception as error:  # the libraries may raise anything on forged bytes
        raise Unreadable(f"Not a message of a session ({type(error).__name__})") from error
    return value


class _Writer:
    def __init__(self) -> None:
        self._raw: list[memoryview] = []
        self._nodes = 0

    def message(self, value: object) -> list[bytes]:
        """Return the parts that describe a value.

        Raises:
            Exception: Something in it does not travel.
        """
        return [orjson.dumps(self._node(value)), b"".join(self._raw)]

    def _node(self, value: Any) -> Any:
        kind = type(value)
        if kind in (str, bool, NoneType):
            return value
        if (kind is float and isfinite(value)) or (kind is int and -(2**63) <= value < 2**64):
            return value
        if kind is list:
            return self._all(value)
        if kind is Raw:
            self._raw.append(value.data)
            return {"raw": value.data.nbytes}
        if kind is Attrs:
            return self._attrs(value.value)
        name, down, _ = _writers()[id(kind)]
        nodes = self._all(down(value))
        return {name: sorted(nodes, key=str) if kind in (set, frozenset) else nodes}  # equal sets give the same bytes

    def _all(self, values: Iterable[Any]) -> list[Any]:
        values = list(values)
        self._nodes += len(values)
        if self._nodes > _MOST_NODES:
            raise ValueError("Too many values")
        kinds = {*map(type, values)} if len(values) > _FEW else set()
        if kinds == {str} or (kinds == {float} and all(map(isfinite, values))):
            return values  # as `_node` would, but sooner
        return [self._node(value) for value in values]

    def _attrs(self, attrs: dict[Any, Any]) -> Any:
        length = len(self._raw)
        try:
            return self._node(attrs)
        except Exception:  # noqa: BLE001 - something in them does not travel
            del self._raw[length:]
            return self._node({})


class _Reader:
    def __init__(self, raw: bytes | bytearray | memoryview) -> None:
        self.raw = memoryview(raw).cast("B")
        self._depth = 0
        self._until = monotonic() + _SECONDS, thread_time() + _SECONDS

    def node(self, node: Any) -> Any:
        """Return the value of JSON."""
        if type(node) is list:
            return self._all(node)
        if type(node) is not dict:
            return node
        if monotonic() > self._until[0] and thread_time() > self._until[1]:  # the former takes less time
            raise Unreadable("It takes too long")
        ((name, payload),) = node.items()
        return self._taken(payload) if name == "raw" else _readers()[name](*self._all(payload))

    def _all(self, nodes: Any) -> list[Any]:
        if type(nodes) is not list or self._depth > _DEEPEST:
            raise Unreadable("Not a list, or too deep")
        if {*map(type, nodes)}.isdisjoint((dict, list)):
            return nodes
        self._depth += 1
        values = [self.node(node) for node in nodes]
        self._depth -= 1
        return values

    def _taken(self, length: Any) -> memoryview:
        """Return the next bytes. Each is had once: else a small message could have a large value."""
        if type(length) is not int or not 0 <= length <= len(self.raw):
            raise Unreadable("Not so many bytes")
        taken, self.raw = self.raw[:length], self.raw[length:]
        return taken


@cache
def _writers() -> dict[int, Codec]:
    """Return the codecs by the identity of their type: a metaclass may bring a hash of its own."""
    by_type = values_of.codecs() | tables.codecs() | figures.codecs()
    return {id(kind): codec for kind, codec in by_type.items()}


@cache
def _readers() -> dict[str, Callable[..., Any]]:
    by_type = values_of.codecs() | tables.codecs()
    return {name: up for name, _, up in by_type.values()} | {"figure": figures.opened}
