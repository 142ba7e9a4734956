"""Collect the names of the user's notebook that a piece of code needs, as one pickle for the session.

It runs on the kernel's main thread between two cells, and touches nothing that it does not know: see `exact_pickle`.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pickle import PickleBuffer

from qdash_jupyter.cells import taken_apart
from qdash_jupyter.cells.exact_pickle import MOST_ELEMENTS, TOO_MANY, ExactPickler, in_words
from qdash_jupyter.cells.taken_apart import Stays


@dataclass(frozen=True, slots=True)
class Gathered:
    """What of the wanted names goes into the session."""

    pickled: bytes
    """A pickle (protocol 5) of a dict with the names that the session does not have as they are; empty for none."""
    digests: dict[str, bytes]
    """The digest of each name that travels, 16 bytes."""
    stays: dict[str, str]
    """Why the others do not travel, in words."""
    has: tuple[str, ...] = ()
    """The names that travel and that the session has as they are."""


def gathered(names: Mapping[str, object], wanted: Iterable[str], known: Mapping[str, bytes]) -> Gathered:
    """Return what travels of the wanted names that `names` has. `known` holds the digest of each name in the session.

    Within this process equal content has equal digests, but a class that was defined again is another class. The
    digest of a function covers the globals that it refers to.
    """
    values: dict[str, object] = {}
    digests: dict[str, bytes] = {}
    stays: dict[str, str] = {}
    size = elements = 0
    for name in dict.fromkeys(wanted):
        if name not in names:
            continue
        try:
            value, sink = names[name], _Sink()
            pickler = ExactPickler(sink, buffer_callback=sink.write_buffer)
            pickler.dump(value)
            if size + sink.size > taken_apart.MOST_BYTES:
                raise Stays(taken_apart.too_large(sink.size))  # noqa: TRY301 - as the pickler does
            if elements + pickler.elements > MOST_ELEMENTS:
                raise Stays(TOO_MANY)  # noqa: TRY301
        except Exception as problem:  # noqa: BLE001 - the libraries' reducers raise what they like
            stays[name] = in_words(problem)
        else:
            size, elements = size + sink.size, elements + pickler.elements
            values[name], digests[name] = value, sink.hash.digest()
    has = tuple(name for name in values if known.get(name) == digests[name])
    values = {name: value for name, value in values.items() if name not in has}
    if not values:
        return Gathered(b"", digests, stays, has)
    file = io.BytesIO()
    try:
        ExactPickler(file).dump_names(values)
    except Exception as problem:  # noqa: BLE001 - another thread has changed something since
        kept = {name: digest for name, digest in digests.items() if name not in values}
        return Gathered(b"", kept, stays | dict.fromkeys(values, in_words(problem)), has)
    return Gathered(file.getvalue(), digests, stays, has)


def checksum(value: object) -> int | None:
    """Return a sum (CRC-32) of all that travels of a value, which tells whether something has changed it; None where it
    does not travel.
    """
    sink = _Checksum()
    try:
        ExactPickler(sink, buffer_callback=sink.write_buffer).dump(value)
    except Exception:  # noqa: BLE001 - the libraries' reducers raise what they like
        return None
    return sink.sum


class _Checksum:
    """A file that keeps nothing but the sum."""

    def __init__(self) -> None:
        self.sum = 0

    def write(self, data: bytes | memoryview) -> None:
        self.sum = zlib.crc32(data, self.sum)

    def write_buffer(self, buffer: PickleBuffer) -> None:
        """Take an array's content where it is."""
        self.write(buffer.raw())


class _Sink:
    """A file that hashes and counts what is written, and hashes no more once it is too large."""

    def __init__(self) -> None:
        self.hash, self.size = hashlib.blake2b(digest_size=16), 0

    def write(self, data: bytes | memoryview) -> None:
        self.size += len(data)
        if self.size <= taken_apart.MOST_BYTES:
            self.hash.update(data)

    def write_buffer(self, buffer: PickleBuffer) -> None:
        """Take an array's content where it is, so that a digest copies nothing."""
        self.write(buffer.raw())
