"""In a process just forked: what it gives up for good before it runs a session, and what it is measured by."""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
import sys
import time
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

from qdash_jupyter.worker import landlock, seccomp
from qdash_jupyter.worker.libc import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, drop_capabilities, prctl

_IS_LINUX = sys.platform == "linux"
_MOST_FILES = 64
_KEPT = 3
_OWN_MAPS = Path("/proc/self/maps")
"""Where its libraries lie in memory. Libraries that limit threads (threadpoolctl, so sklearn) read it."""
_HIGHEST_DESCRIPTOR = 2**31 - 1 if _IS_LINUX else 4096  # elsewhere they are closed one by one
_MOST_ADDRESSES = 1 << 47
_LOOK_S = 0.25


def be_session(
    asked: dict[str, Any], channel: int, readable: Sequence[Path] | None, parent: int, plan: dict[str, Any]
) -> None:
    """Confine this process for good, run what comes on the channel, and end with it, or with the parent.

    Args:
        asked: `memory` in bytes of address space, `tasks` on this machine; None for no limit.
        channel: a descriptor.
        readable: folders and files that Landlock leaves readable, where it confines.
        parent: the process that has forked this one.
        plan: `wall`, `shape` and `readable` (see `qdash_jupyter.worker.confinement.command`).
    """
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(channel, _KEPT)
        os.closerange(_KEPT + 1, _HIGHEST_DESCRIPTOR)
        os.setpgid(0, 0)
        _limit(asked["memory"], asked["tasks"], is_needed=bool(plan["wall"]))
        if _IS_LINUX:
            drop_capabilities()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            prctl(PR_SET_DUMPABLE, 0)
        else:
            Thread(target=_end_with, args=(parent,), daemon=True).start()
        if os.getppid() != parent:
            os._exit(1)
        if readable is not None:
            with contextlib.suppress(OSError):  # no /proc
                os.open(_OWN_MAPS, os.O_PATH)  # a rule is for an inode, and /proc makes another when nobody holds it
            rules = landlock.ruleset([*readable, _OWN_MAPS], [Path(os.devnull)])
            landlock.restrict(rules)
            os.close(rules)
        if plan["wall"]:
            seccomp.refuse_all_else(os.getpid())
        from qdash_jupyter.worker.inside import serve

        serve(_KEPT, plan["shape"], plan["wall"], plan["readable"])
    finally:
        os._exit(1)


def _limit(memory: int | None, tasks: int | None, *, is_needed: bool) -> None:
    """Set the limits of the kernel; where none `is_needed`, those that it has."""
    limits = {"AS": memory, "NPROC": tasks, "NOFILE": _MOST_FILES, "FSIZE": 0, "CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0}
    for name, most in limits.items():
        if most is not None:
            with contextlib.suppress(*([] if is_needed else [AttributeError, OSError, ValueError])):
                kind = getattr(resource, f"RLIMIT_{name}")
                ceiling = resource.getrlimit(kind)[1]
                limit = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
                resource.setrlimit(kind, (limit, limit))


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, where the kernel does not."""
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def address_space() -> int | None:
    """Return the bytes of address space that this process has; None where the system keeps no limit of it. That is the
    lowest limit under which it is given a page more: `/proc`, which says it too, is not mounted everywhere.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)

    def is_enough(limit: int) -> bool:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
            mmap.mmap(-1, mmap.PAGESIZE).close()
        except (OSError, ValueError, MemoryError):
            return False
        return True

    page, most = mmap.PAGESIZE, _MOST_ADDRESSES if soft == resource.RLIM_INFINITY else soft
    limits = range(page, most + page, page)
    try:
        if is_enough(page) or not is_enough(most):
            return None
        return limits[bisect_left(limits, x=True, key=is_enough)]
    finally:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
