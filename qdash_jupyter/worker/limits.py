"""What one job may take, and what this machine can give."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Shape: TypeAlias = Literal["frames", "records"]
"""How stored results look to the code: `frames` as in a kernel, `records` as lists of rows, as in QDash."""

OUTPUT_BYTES = 100 * 1024
"""Of the text that a piece of code has printed when it ends, and of an `output`."""
RESULT_BYTES = 20_000_000
"""Of all that a piece of code gives back, as JSON."""
NAMES_BYTES = 1_000_000_000
"""Of what one name of the kernel is to hold."""
MOST_NAMES = 500
"""Of a session, that its host is told of."""
NAME_CHARS = 200
"""Of a name with its type and shape."""
VALUE_CHARS = 64 * 1024
"""Of the described last expression as JSON, which `qdash_jupyter.cells.result_value` keeps well below."""


LEAST_MEMORY_MB = 2000
"""For code of a notebook, however little is free."""
IDLE_S = 1800.0
"""After so long without code, a worker ends its process."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits of each job: `seconds` by the clock, `cpu_seconds` of the processor (None for no limit), MB (10⁶ bytes) of
    memory beside what the worker itself takes. `jobs` run at a time; others wait in their order.
    """

    seconds: float | None = 30.0
    cpu_seconds: int | None = 30
    memory_mb: int = 1024
    jobs: int = 2


def notebook_memory_mb() -> int:
    """Return MB of memory for the code of a notebook: half of what the machine and the control groups of this process
    leave free, and at least `LEAST_MEMORY_MB`.
    """
    return max(LEAST_MEMORY_MB, _free_bytes(Path("/")) // 2_000_000)


def _free_bytes(root: Path) -> int:
    """Bytes that are free for this process; half of the machine's where the system does not say what is free."""
    known = list(_free_in_groups(root))
    with suppress(OSError, ValueError, KeyError):
        lines = (root / "proc/meminfo").read_text(encoding="ascii").splitlines()
        known.append(1024 * int(dict(line.split(":") for line in lines)["MemAvailable"].split()[0]))
    if not known:
        with suppress(AttributeError, OSError, ValueError):  # Windows has none of it
            known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    return max(0, min(known, default=0))


def _free_in_groups(root: Path) -> Iterator[int]:
    """Bytes that each control group of memory leaves free, from that of this process upwards. Memory that holds files
    is given back when it is needed, and counts as free.
    """
    groups: list[str] = []
    with suppress(OSError):
        groups = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    for _, kinds, path in (line.split(":", 2) for line in groups):
        if kinds == "":
            top, most, taken, files = root / "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in kinds.split(","):
            top, most, taken = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            files = "total_inactive_file"
        else:
            continue
        place = top / path.lstrip("/")
        for group in (place, *place.parents):
            if group.is_relative_to(top):
                with suppress(OSError, ValueError):  # the top one has no files, and `max` is no limit
                    free = int((group / most).read_text()) - int((group / taken).read_text())
                    stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
                    yield free + int(stat.get(files, 0))


def cut(text: str) -> str:
    """A text of at most `OUTPUT_BYTES`, which says so where it was longer."""
    data = text.encode("utf-8", "replace")
    whole = len(data) <= OUTPUT_BYTES
    return data.decode() if whole else f"{data[:OUTPUT_BYTES].decode('utf-8', 'ignore')}\n… cut at 100 KiB"
