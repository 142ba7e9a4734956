"""Memory for the code of a notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from qdash_jupyter.worker import limits

GB = 10**9
MEMINFO = "MemTotal:  64000000 kB\nMemFree:  1000 kB\nMemAvailable:   {kb} kB\n"
HUGE = f"{2**63 - 4096}"
"""What version 1 calls no limit."""
V2, V1 = "0::{path}\n", "5:devices:{path}\n4:cpu,memory:{path}\n0::/\n"


def machine(root: Path, *, available: int, group: str = "", **files: str) -> Path:
    """A machine with so many bytes available; `files` are those of the control groups, `__` for a slash."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/meminfo").write_text(MEMINFO.format(kb=available // 1024))
    if group:
        (root / "proc/self/cgroup").write_text(group)
    for name, text in files.items():
        file = root / "sys/fs/cgroup" / name.replace("__", "/").replace("memory_", "memory.")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def v2(group: str, most: str, taken: int, stat: str = "") -> dict[str, str]:
    return {f"{group}__memory_max": most, f"{group}__memory_current": f"{taken}", f"{group}__memory_stat": stat}


def v1(most: str, taken: int) -> dict[str, str]:
    files = {
        "memory_limit_in_bytes": most,
        "memory_usage_in_bytes": f"{taken}",
        "memory_stat": "total_inactive_file 0\n",
    }
    return {f"memory__{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("group", "files", "free"),
    [
        ("", {}, 20 * GB),
        (V2.format(path="/lab"), v2("lab", "max", 5), 20 * GB),
        (V2.format(path="/lab"), v2("lab", "9000000000", 4 * GB, f"anon 5\ninactive_file {GB}\n"), 6 * GB),
        (V2.format(path="/a/b"), v2("a", f"{8 * GB}", 0) | v2("a__b", "max", 0), 8 * GB),
        (V1.format(path="/pod"), v1(f"{7 * GB}", GB), 6 * GB),  # as a container sees it
        (V1.format(path="/pod"), v1(HUGE, GB), 20 * GB),
    ],
)
def test_the_tightest_counts(tmp_path: Path, group: str, files: dict[str, str], free: int) -> None:
    found = limits._free_bytes(machine(tmp_path, available=20 * GB, group=group, **files))
    assert found == pytest.approx(free, abs=1024)


def test_half_of_it_and_never_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_free_bytes", lambda _: 20 * GB)
    assert limits.notebook_memory_mb() == 10_000
    monkeypatch.setattr(limits, "_free_bytes", lambda _: GB)
    assert limits.notebook_memory_mb() == 2000


def test_where_the_system_does_not_say_what_is_free_half_of_all_counts(tmp_path: Path) -> None:
    assert limits._free_bytes(tmp_path) > GB // 2
