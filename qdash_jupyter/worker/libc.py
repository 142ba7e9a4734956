"""Calls of the C library that Python has no function for."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38

_CAPABILITIES_V3 = 0x20080522


def prctl(option: int, *values: Any) -> None:
    """`prctl(2)`.

    Raises:
        OSError: it is refused.
    """
    _checked("prctl", option, *values, *[0] * (4 - len(values)))


def syscall(number: int, *values: Any) -> int:
    """The system call of that number.

    Raises:
        OSError: it is refused.
    """
    return _checked("syscall", number, *values)


def drop_capabilities() -> None:
    """Take all from this process: one of root's is refused what any other user's is.

    Raises:
        OSError: it is refused.
    """
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_V3, 0)
    _checked("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def _checked(name: str, *values: Any) -> int:
    if platform.system() != "Linux":
        raise OSError(errno.ENOSYS, f"{name}: not on this system")
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    function.restype = ctypes.c_long if name == "syscall" else ctypes.c_int
    # Variable arguments are read as longs.
    outcome = int(function(*(ctypes.c_long(value) if isinstance(value, int) else value for value in values)))
    if outcome < 0:
        problem = ctypes.get_errno()
        raise OSError(problem, f"{name}: {os.strerror(problem)}")
    return outcome
