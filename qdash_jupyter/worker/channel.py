"""Messages between a session and its host: a length, then so many bytes. Inside, only plain reads and writes may be."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

BEGUN = {"begun": True}
"""Told by a session before code runs."""
MEMORY = "memory"
"""Told in place of an error, where memory was not enough."""

CONTROL_BYTES = 256
"""Of each message to the process that forks sessions: a stream keeps descriptors beside the bytes, and no borders."""

_LENGTH = struct.Struct("<Q")
_PART_BYTES = 1 << 20


class Broken(Exception):
    """What was written there is larger than allowed (`size`), or no message (`spoiled`)."""


class Given(NamedTuple):
    """What a session is given of the kernel with code."""

    pickled: bytes
    """Its names."""
    stays: Mapping[str, str]
    """Why some are not in it (see `qdash_jupyter.worker.names_in`)."""
    has: Sequence[str]
    """Those that the session has as they are."""
    gone: Sequence[str]
    """Those that the kernel has no more."""
    folder: str
    """Where the kernel is."""


class Stored(NamedTuple):
    """What a tool gave to code that called it: a stored result, with the number of what it holds."""

    key: str
    version: int


class Channel:
    """One end, by its descriptor. One thread at a time."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def send(self, message: bytes) -> None:
        """Write it. Blocks until the other end has room.

        Raises:
            OSError: nobody is there any more.
        """
        for part in (_LENGTH.pack(len(message)), message):
            left = memoryview(part)
            while left:
                left = left[os.write(self._descriptor, left) :]

    def receive(self, most: int | None = None) -> bytes | bytearray:
        """The next message; empty when nobody is there any more.

        Raises:
            Broken: it has more than `most` bytes.
            MemoryError: there is no room for it; it is skipped.
        """
        head = self._read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return b""
        (length,) = _LENGTH.unpack(head)
        if most is not None and length > most:
            raise Broken("size")
        try:
            message = self._read(length, None if most is None else _PART_BYTES)
        except MemoryError:
            while length and (part := os.read(self._descriptor, min(length, _PART_BYTES))):
                length -= len(part)
            raise
        return message if len(message) == length else b""

    def _read(self, length: int, first: int | None = None) -> bytearray:
        """Take room for the whole at once, so that memory is short before anything was read; or for `first` bytes,
        then for twice as many as have come: a length alone costs nothing.
        """
        message = bytearray(length if first is None else min(length, first))
        there = 0
        while there < length:
            if there == len(message):
                message.extend(bytes(min(there, length - there)))
            with memoryview(message) as view:
                count = os.readv(self._descriptor, [view[there:]])
            if not count:
                break
            there += count
        del message[there:]
        return message
