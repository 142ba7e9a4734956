"""Arrays of numpy on their way out of the session, as npy (version 3, whose header is UTF-8) without objects.

Numpy evaluates the header of an npy file as a literal of Python, takes any dtype that it names, and allocates the size
that it claims. So headers are read here: by one pattern, for the whole header, and the size has to be that of the data.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from typing import Any

_TYPE = (
    r"[<>|](?:b1|[iu][1248]|f(?:2|4|8|12|16)|c(?:8|16|24|32)|[SUV][1-9][0-9]{0,8}"
    r"|[mM]8(?:\[[0-9]{0,9}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?)"
)
_SHAPE = r"\((?:[0-9]{1,15},(?: [0-9]{1,15}(?:, [0-9]{1,15})*)?)?\)"
_FIELD = rf"\('([^'\\]*)', '({_TYPE})'(?:, ({_SHAPE}))?\)"
_HEADER = re.compile(
    rf"\{{'descr': (?P<descr>'{_TYPE}'|\[{_FIELD}(?:, {_FIELD})*\]), "
    rf"'fortran_order': (?P<fortran>True|False), 'shape': (?P<shape>{_SHAPE}), \}} *\n"
)
_START = b"\x93NUMPY\x03\x00"
_LONGEST_HEADER = 10_000
_LAST_CHARACTER = 0x10FFFF
_LONGEST_EMPTY = 1_000_000
"""Length of an axis of an array without elements: `tolist` makes a list for each place."""


class Unreadable(ValueError):
    """The bytes are not a message that the session's side of this package has written."""


class Stays(Exception):
    """The value does not travel."""


def written(writer: Any, array: Any) -> Any:
    """Return the node of an array, whose data are a part of the message or, for objects, JSON.

    Raises:
        Stays: An object is not a scalar, or the dtype has no place in npy.
    """
    from numpy.lib import format as npy

    if array.dtype == object:
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        return {"objects": [list(array.shape), fortran, writer.flat(array.ravel("F" if fortran else "C").tolist())]}
    data = io.BytesIO()
    npy.write_array(data, array, version=(3, 0), allow_pickle=False)
    try:
        dtype = _header(data.getbuffer())[2]
    except Unreadable:
        raise Stays from None
    if dtype != array.dtype or (not array.size and max(array.shape) > _LONGEST_EMPTY):
        raise Stays
    return {"array": writer.part(data.getvalue())}


def opened(data: memoryview) -> Any:
    """Return the array of npy data, which may be forged, as one that owns its memory.

    Raises:
        Unreadable: The header is not one that `written` makes, or does not fit the data.
    """
    import numpy as np

    shape, fortran, dtype, start = _header(data)
    if math.prod(shape) * dtype.itemsize != data.nbytes - start or (0 in shape and max(shape) > _LONGEST_EMPTY):
        raise Unreadable("The shape does not fit the data")
    array = np.ndarray(shape, dtype, data, start, order="F" if fortran else "C").copy("K")
    if not sound(array):
        raise Unreadable("Elements that numpy cannot have")
    return array


def _objects(reader: Any, payload: Any) -> Any:
    import numpy as np

    shape, fortran, nodes = payload
    values = reader.flat(nodes)
    if not all(type(length) is int for length in shape):  # a text times a number is a long text
        raise Unreadable("Not a shape")
    if math.prod(shape) != len(values) or (not values and max(shape) > _LONGEST_EMPTY):
        raise Unreadable("The shape does not fit the objects")
    return np.fromiter(values, object, len(values)).reshape(shape, order="F" if fortran else "C")


def _record(reader: Any, payload: Any) -> Any:
    array = reader.node(payload)
    if array.shape:
        raise Unreadable("Not one record")
    return array[()]


READERS: dict[str, Callable[[Any, Any], object]] = {
    "array": lambda reader, payload: opened(reader.part(payload)),
    "objects": _objects,
    "record": _record,
}
"""The functions that turn JSON into arrays, by kind."""


def plain_dtype(name: str) -> Any:
    """Return the dtype of numpy with this name, which names neither objects nor fields.

    Raises:
        Unreadable: The name is of another form.
    """
    import numpy as np

    if not re.fullmatch(_TYPE, name):
        raise Unreadable("Not a dtype")
    return np.dtype(name)


def sound(array: Any) -> bool:
    """Return whether each truth value is 0 or 1, and each character one of Unicode, in an array of any bytes."""
    import numpy as np

    dtype = array.dtype
    if dtype.names:
        return all(sound(array[name]) for name in dtype.names)
    if not array.size or dtype.kind not in "bU":
        return True
    flat = np.ascontiguousarray(array)
    if dtype.kind == "b":
        return bool(flat.view("u1").max() <= 1)
    return bool(flat.view(np.dtype("u4").newbyteorder(dtype.byteorder)).max() <= _LAST_CHARACTER)


def _header(data: memoryview) -> tuple[tuple[int, ...], bool, Any, int]:
    start = 12 + int.from_bytes(data[8:12], "little")
    if data[:8] != _START or start > _LONGEST_HEADER or not (found := _HEADER.fullmatch(str(data[12:start], "utf-8"))):
        raise Unreadable("Not an npy header")
    return _shape(found["shape"]), found["fortran"] == "True", _dtype(found["descr"]), start


def _shape(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[0-9]+", text)))


def _dtype(text: str) -> Any:
    from numpy.lib import format as npy

    if text.startswith("'"):
        return plain_dtype(text[1:-1])
    fields = [(name, kind, _shape(shape)) for name, kind, shape in re.findall(_FIELD, text)]
    return npy.descr_to_dtype(fields)
