"""Codecs of values of Python and numpy that leave the session.

A codec names a kind, takes a value apart into values that have codecs themselves, and puts it together again. The
latter is called in the kernel with values of any kinds that have codecs, since a message may be forged.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Context, Decimal, InvalidOperation
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

Codec: TypeAlias = tuple[str, Callable[[Any], Iterable[Any]], Callable[..., Any]]

_DTYPE = re.compile(r"[<>|](?:[biufcmM][0-9]{1,2}|[SU][1-9][0-9]{0,8})(?:\[[0-9]{0,9}[A-Za-z]{1,2}\])?")
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")
_LAST_CHARACTER = 0x10FFFF
_LONGEST_EMPTY = 100_000
"""Length of an axis of an array without elements: `tolist` makes a list for each place."""
_MOST_ALIKE = 100
"""Keys with one hash. With many more, to fill a dict or set takes time that grows with their square."""


class Unreadable(ValueError):
    """The bytes are not a message that the session's side of this package has written."""


class Raw(NamedTuple):
    """Bytes that travel beside the JSON. They are read as a memoryview of the message."""

    data: memoryview


class Attrs(NamedTuple):
    """The attrs of a table. Where they do not travel, the table has none."""

    value: dict[Any, Any]


def codecs() -> dict[type, Codec]:
    """Return the codec of each type."""

    def clock(kind: Any) -> Codec:
        down = lambda value: [value.replace(tzinfo=None, fold=0).isoformat(), value.fold, value.tzinfo]  # noqa: E731
        return kind.__name__, down, lambda text, fold, tz: kind.fromisoformat(text).replace(fold=fold, tzinfo=tz)

    number: Codec = ("numpy", lambda value: [value.dtype.str, value.tobytes().hex()], _number)
    return dict.fromkeys(np.sctypeDict.values(), number) | {
        np.ndarray: ("array", _array_down, _array),
        float: ("float", lambda value: [repr(value)], float),  # finite ones are JSON
        int: ("int", lambda value: [hex(value)], lambda text: int(text, 16)),  # those of 64 bits are JSON
        complex: ("complex", attrgetter("real", "imag"), complex),
        bytes: ("bytes", lambda raw: [b64encode(raw).decode()], lambda text: b64decode(text, validate=True)),
        date: ("date", lambda day: [day.isoformat()], date.fromisoformat),
        timedelta: ("timedelta", attrgetter("days", "seconds", "microseconds"), timedelta),
        datetime: clock(datetime),
        time: clock(time),
        timezone: ("timezone", lambda zone: zone.__getinitargs__(), timezone),
        ZoneInfo: ("zone", lambda zone: [zone.key], named_zone),
        Decimal: ("decimal", lambda value: [str(value)], lambda text: Decimal(text, Context(traps=[InvalidOperation]))),
        range: ("range", attrgetter("start", "stop", "step"), range),
        slice: ("slice", attrgetter("start", "stop", "step"), slice),
        tuple: ("tuple", list, lambda *values: values),
        set: ("set", list, lambda *values: {*_keys(values)}),
        frozenset: ("frozenset", list, lambda *values: frozenset(_keys(values))),
        dict: ("dict", lambda data: [[*data], [*data.values()]], lambda k, v: dict(zip(_keys(k), v, strict=True))),
    }


def expected(value: Any, *kinds: type) -> Any:
    """Return the value if it is of one of these kinds.

    Raises:
        Unreadable: It is not.
    """
    if not isinstance(value, kinds):
        raise Unreadable(f"{type(value).__name__} where another type belongs")
    return value


def named_zone(name: str) -> ZoneInfo:
    """Return the time zone of this name.

    Raises:
        Unreadable: There is none, or the name could be a path.
    """
    if not _ZONE.fullmatch(name):
        raise Unreadable("Not a time zone")
    return ZoneInfo(name)


def _keys(keys: Sequence[Any]) -> Sequence[Any]:
    if len(expected(keys, list, tuple)) > _MOST_ALIKE and max(Counter(map(hash, keys)).values()) > _MOST_ALIKE:
        raise Unreadable("Too many keys with one hash")
    return keys


def _number(dtype: str, digits: str) -> Any:
    (value,) = _sound(np.frombuffer(bytes.fromhex(digits), _dtype(dtype)))
    return value


def _array_down(array: Any) -> list[Any]:
    order = "F" if array.flags.fnc else "C"
    flat = array.ravel(order)
    if array.dtype != object:
        content: Any = Raw(flat.view("u1").data)
    elif {*map(type, flat)} <= {str, type(None)}:
        content = pa.array(flat, pa.large_string())
    else:
        content = flat.tolist()
    return [array.dtype.str, [*array.shape], order, content]


def _array(dtype: str, shape: list[int], order: Any, content: Any) -> Any:
    expected(shape, list)  # numpy would write a long range out
    if isinstance(content, memoryview):
        array = _sound(np.ndarray(shape, _dtype(dtype), content, order=order)).copy("K")
    elif isinstance(content, pa.LargeStringArray):
        array = content.to_numpy(zero_copy_only=False).reshape(shape, order=order)
    else:
        [*map(hash, expected(content, list))]  # tables and containers are no elements
        array = np.fromiter(content, object, len(content)).reshape(shape, order=order)
    if not array.size and max(array.shape) > _LONGEST_EMPTY:
        raise Unreadable("An array without elements that is too long")
    return array


def _dtype(name: str) -> Any:
    if not _DTYPE.fullmatch(name):
        raise Unreadable("Not a dtype")
    return np.dtype(name)


def _sound(array: Any) -> Any:
    """Return the array if each truth value is 0 or 1, and each character one of Unicode."""
    if array.size and array.dtype.kind in "bU":
        bits = np.dtype("u1" if array.dtype.kind == "b" else "u4").newbyteorder(array.dtype.byteorder)
        if array.ravel("K").view(bits).max() > (1 if array.dtype.kind == "b" else _LAST_CHARACTER):
            raise Unreadable("Elements that numpy cannot have")
    return array
