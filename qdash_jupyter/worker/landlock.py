"""Landlock: files, TCP, signals and abstract sockets that the kernel refuses to this process and its children."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from qdash_jupyter.worker.libc import PR_SET_NO_NEW_PRIVS, prctl, syscall

FIRST_ABI = 3
"""Before that, whoever may read a file may also empty it."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14

# How many rights each version has added to those before.
_FILES = {1: 13, 2: 14, 3: 15, 5: 16, 9: 17}
_NETWORK = {4: 2, 10: 4}
_SCOPES = {6: 2}


def abi() -> int:
    """The version that this kernel has; 0 where it has none, or it is switched off."""
    try:
        return syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def ruleset(readable: Iterable[Path], usable: Iterable[Path] = ()) -> int:
    """A descriptor of the rules under which these folders and files are read, `usable` ones written, too, and nothing
    else: no other file, no TCP, no signal to others.

    Raises:
        OSError: the kernel refuses them.
    """
    version = abi()
    handled = [_all(known, version) for known in (_FILES, _NETWORK, _SCOPES)]
    rules = syscall(_CREATE_RULESET, struct.pack("=3Q", *handled), 24, 0)
    rights = [(path, _READ_FILE | _READ_DIR) for path in readable]
    rights += [(path, _READ_FILE | _WRITE_FILE | _TRUNCATE) for path in usable]
    for path, allowed in rights:
        _allow(rules, path, allowed)
    return rules


def restrict(rules: int) -> None:
    """Put this thread, and what it begins from now on, under the rules for good.

    Raises:
        OSError: the kernel refuses.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    syscall(_RESTRICT_SELF, rules, 0)


def _all(known: dict[int, int], version: int) -> int:
    return (1 << max((count for since, count in known.items() if since <= version), default=0)) - 1


def _allow(rules: int, path: Path, allowed: int) -> None:
    try:
        held = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is not there, or not for this user
        return
    try:
        if not stat.S_ISDIR(os.fstat(held).st_mode):
            allowed &= ~_READ_DIR
        syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", allowed, held), 0)
    finally:
        os.close(held)
