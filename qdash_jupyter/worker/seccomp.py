"""The system calls that a job may make. All others are refused, those of kernels to come as well.

No sockets, no pipes, no other process, no signal to one, nothing that changes a file, a limit, a namespace or the
kernel. Threads may begin, memory may be asked for, and a pair of sockets that lead to each other alone: asyncio wakes
itself by one.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

from qdash_jupyter.worker.libc import PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, prctl

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""What the kernel calls them, and their column below."""

_NONE = -1
_ALLOWED = {
    "access": (21, _NONE),
    "alarm": (37, _NONE),
    "brk": (12, 214),
    "chdir": (80, 49),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "close": (3, 57),
    "dup": (32, 23),
    "dup2": (33, _NONE),
    "dup3": (292, 24),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait": (281, 22),
    "epoll_wait": (232, _NONE),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "eventfd2": (290, 19),
    "fstat": (5, 80),
    "futex": (202, 98),
    "get_robust_list": (274, 100),
    "getcpu": (309, 168),
    "getcwd": (79, 17),
    "getdents": (78, _NONE),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getitimer": (36, 102),
    "getpgid": (121, 155),
    "getpgrp": (111, _NONE),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getrandom": (318, 278),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getsid": (124, 156),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "lseek": (8, 62),
    "lstat": (6, _NONE),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, _NONE),
    "openat": (257, 56),
    "poll": (7, _NONE),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "pselect6": (270, 72),
    "read": (0, 63),
    "readlink": (89, _NONE),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rseq": (334, 293),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124),
    "select": (23, _NONE),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "setitimer": (38, 103),
    "sigaltstack": (131, 132),
    "stat": (4, _NONE),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "time": (201, _NONE),
    "times": (100, 153),
    "uname": (63, 160),
    "write": (1, 64),
    "writev": (20, 66),
}

_FCNTL, _IOCTL, _PRCTL = (72, 25), (16, 29), (157, 167)
_CLONE, _CLONE3 = (56, 220), (435, 435)
_KILL, _TGKILL, _PRLIMIT = (62, 129), (234, 131), (302, 261)

_SOCKETPAIR, _SENDTO, _RECVFROM = (53, 199), (44, 206), (45, 207)

_HARMLESS_FCNTL = (0, 1, 2, 3, 4, 1030)  # duplicates, flags of the descriptor and the file; no owner, no locks
_HARMLESS_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # what `open` and terminals are asked
_HARMLESS_PRCTL = (15, 16)  # the thread's name
_UNIX, _STREAM = (1,), (0x1, 0x801, 0x80001, 0x80801)  # a stream takes no address, so it reaches nobody else
_NEW_THREAD = (0x3D0F00, 0x7D0F00)  # exactly as the C libraries begin a thread

_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16


def is_available() -> bool:
    """Whether this kernel and processor have it."""
    try:
        prctl(PR_SET_SECCOMP, 2)  # without a filter: an available one asks for its address
    except OSError as problem:
        return problem.errno == errno.EFAULT and platform.machine() in _MACHINES
    return False


def refuse_all_else(pid: int) -> None:
    """Let this thread, and those that it begins, make nothing but these calls. `pid` is this process.

    Raises:
        OSError: the kernel refuses.
    """
    program = b"".join(struct.pack("=HBBI", *instruction) for instruction in _program(platform.machine(), pid))
    code = ctypes.create_string_buffer(program)
    filter_ = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, 2, filter_)


def _program(machine: str, pid: int) -> list[tuple[int, int, int, int]]:
    architecture, column = _MACHINES[machine]
    refuse = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    program = [(_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, architecture), refuse, (_LOAD, 0, 0, _NUMBER)]
    for numbers in _ALLOWED.values():
        if numbers[column] != _NONE:
            program += [(_IF_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _ALLOW)]
    # The C library goes on with the older call where this one is said not to exist.
    program += [(_IF_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    low, high = [_ARGUMENTS + 8 * place for place in range(6)], [_ARGUMENTS + 8 * place + 4 for place in range(6)]
    for numbers, checks in (
        (_CLONE, [(low[0], _NEW_THREAD)]),
        (_FCNTL, [(low[1], _HARMLESS_FCNTL)]),
        (_IOCTL, [(low[1], _HARMLESS_IOCTL)]),
        (_PRCTL, [(low[0], _HARMLESS_PRCTL)]),
        (_KILL, [(low[0], (pid,))]),
        (_TGKILL, [(low[0], (pid,))]),
        (_SOCKETPAIR, [(low[0], _UNIX), (low[1], _STREAM), (low[2], (0,))]),
        (_SENDTO, [(low[3], (0,)), (low[4], (0,)), (high[4], (0,))]),  # without flags, to no address
        (_RECVFROM, [(low[3], (0,)), (low[4], (0,)), (high[4], (0,))]),
        (_PRLIMIT, [(low[2], (0,)), (high[2], (0,))]),  # to be told a limit, not to set one
    ):
        block: list[tuple[int, int, int, int]] = []
        for where, values in checks:
            block.append((_LOAD, 0, 0, where))
            block += [(_IF_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
            block.append(refuse)
        block.append((_RETURN, 0, 0, _ALLOW))
        program += [(_IF_EQUAL, 0, len(block), numbers[column]), *block]
    return [*program, refuse]
