"""The filter of both processors, run as the kernel runs it."""

from __future__ import annotations

import pytest

from qdash_jupyter.worker import seccomp

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
PID = 4321


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter says of a call."""
    words = {0: number, 4: seccomp._MACHINES[machine][0] if architecture is None else architecture}
    for place, value in enumerate((*arguments, *[0] * (6 - len(arguments)))):
        words |= {16 + 8 * place: value & 0xFFFFFFFF, 20 + 8 * place: value >> 32}
    program, at, held = seccomp._program(machine, PID), 0, 0
    while True:
        code, if_so, if_not, value = program[at]
        if code == 0x06:
            return value
        if code == 0x20:
            held, at = words[value], at + 1
        else:
            assert code == 0x15
            at += 1 + (if_so if held == value else if_not)


CALLS = {
    # read, openat, mmap, socket, execve, clone, clone3, kill, tgkill, prlimit64, fcntl, then prctl, ioctl, socketpair,
    # sendto
    "x86_64": (0, 257, 9, 41, 59, 56, 435, 62, 234, 302, 72, 157, 16, 53, 44),
    "aarch64": (63, 56, 222, 198, 221, 220, 435, 129, 131, 261, 25, 167, 29, 199, 206),
}


@pytest.mark.parametrize("machine", CALLS)
def test_what_the_filter_says(machine: str) -> None:
    read, openat, mmap, socket, execve, clone, clone3, kill, tgkill, prlimit, fcntl, *more = CALLS[machine]
    prctl, ioctl, socketpair, sendto = more
    for number in (read, openat, mmap):
        assert verdict(machine, number) == ALLOW
        assert verdict(machine, number, architecture=0x40000003) == EPERM
        assert verdict(machine, number | 0x40000000) == EPERM
    for number in (socket, execve, 999, 2**32 - 1):
        assert verdict(machine, number) == EPERM
    assert verdict(machine, clone, 0x3D0F00) == ALLOW
    assert {verdict(machine, clone, flags) for flags in (0, 17, 0x3D0F00 | 0x20000000, 0x10000000)} == {EPERM}
    assert verdict(machine, clone3) == ENOSYS
    for number in (kill, tgkill):
        assert [verdict(machine, number, pid) for pid in (PID, 1, 0, 2**32 - 1)] == [ALLOW, EPERM, EPERM, EPERM]
    assert [verdict(machine, prlimit, 0, 7, new) for new in (0, 1, 1 << 32)] == [ALLOW, EPERM, EPERM]
    assert [verdict(machine, fcntl, 3, command) for command in (0, 1030, 8, 10, 1031)] == [
        ALLOW,
        ALLOW,
        EPERM,
        EPERM,
        EPERM,
    ]
    assert [verdict(machine, prctl, option) for option in (15, 1, 4, 22)] == [ALLOW, EPERM, EPERM, EPERM]
    assert [verdict(machine, socketpair, *pair) for pair in ((1, 0x80801, 0), (1, 2, 0), (1, 5, 0), (2, 1, 0))] == [
        ALLOW,
        EPERM,
        EPERM,
        EPERM,
    ]
    assert [verdict(machine, sendto, 3, 9, 1, flags, to) for flags, to in ((0, 0), (1, 0), (0, 9), (0, 1 << 32))] == [
        ALLOW,
        EPERM,
        EPERM,
        EPERM,
    ]
    assert [verdict(machine, ioctl, 3, request) for request in (0x5401, 0x5412, 0x8901)] == [ALLOW, EPERM, EPERM]


def test_no_call_has_the_number_of_another() -> None:
    for column in (0, 1):
        numbers = [pair[column] for pair in seccomp._ALLOWED.values() if pair[column] != seccomp._NONE]
        assert len(numbers) == len(set(numbers))
