"""Code that tries to get out. What counts is what is seen from outside; and unconfined, the same code does get out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import socket
import sqlite3
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.result import JobResult
from tests.patience import until
from tests.worker.conftest import Run, alone, side_by_side

CANARY = "canary-5d2f81"
_NUMBERS = {
    "openat": (257, 56),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clone3": (435, 435),
    "delete_module": (176, 106),
    "execveat": (322, 281),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "inotify_init1": (294, 26),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_restrict_self": (446, 446),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pipe2": (293, 59),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "seccomp": (317, 277),
    "setns": (308, 268),
    "setrlimit": (160, 164),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
X86 = platform.machine() == "x86_64"

_HARMLESS = (
    "end | half of a surrogate pair",
    "end | a nested chart",
    "end | a class that answers anything with its own code",
    "end | two",
)

_PRELUDE = """\
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def fails(attempt):
    try:
        attempt()
    except (OSError, ZeroDivisionError):
        return True
    return False
"""
_CANARY_PROCESS = """\
import ctypes, os
held = ctypes.create_string_buffer(os.environ["CANARY"].encode())
print(ctypes.addressof(held), flush=True)
input()
"""


def snippets(name: str = "escapes.txt") -> dict[str, str]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in ("\n" + text).split("\n### ")[1:]]
    codes = {head: code for head, _, code in parts}
    assert len(codes) == len(parts)
    return codes


ESCAPES = snippets()


def of_kind(*kinds: str) -> list[str]:
    return [name for name in ESCAPES if name.partition(" | ")[0].rstrip("*") in kinds]


Files = dict[str, tuple[Any, ...]]


def files_of(folder: Path) -> Files:
    """Everything in the folder that can be changed."""
    found: Files = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        text = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        found[path.name] = (status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns, text)
    return found


@dataclass
class Outside:
    """What an escape could reach: files, servers and a process, each with a secret or a trace of who came."""

    folder: Path
    canary: subprocess.Popen[str]
    address: int
    tcp: socket.socket
    udp: socket.socket
    paths: list[socket.socket] = field(default_factory=list)

    def prelude(self, **more: object) -> str:
        names: dict[str, object] = {
            "SECRET": str(self.folder / "secret.txt"),
            "FOLDER": str(self.folder),
            "CANARY": self.canary.pid,
            "ADDRESS": self.address,
            "PORT": self.tcp.getsockname()[1],
            "UDP": self.udp.getsockname()[1],
            "UNIX": self.paths[0].getsockname(),
            "ABSTRACT": self.paths[1].getsockname(),
            "SHARED": 0,
            "PARENT": os.getpid(),
            "ZYGOTE": self.canary.pid,
            "SIBLING": self.canary.pid,
            "X86": X86,
            "NUMBERS": {name: numbers[not X86] for name, numbers in _NUMBERS.items()},
        } | more
        return "".join(f"{name} = {value!r}\n" for name, value in names.items()) + _PRELUDE

    def files(self) -> Files:
        return files_of(self.folder)

    def was_visited(self) -> bool:
        """Whether anybody came to a server."""
        visits = 0
        for server in (self.tcp, *self.paths):
            with contextlib.suppress(BlockingIOError):
                server.accept()[0].close()
                visits += 1
        with contextlib.suppress(BlockingIOError):
            visits += len(self.udp.recv(100))
        return visits > 0


@pytest.fixture(scope="module")
def make_outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Outside]]:
    made: list[Outside] = []

    def make() -> Outside:
        folder = tmp_path_factory.mktemp("outside")
        fill(folder)
        canary = subprocess.Popen(
            [sys.executable, "-c", _CANARY_PROCESS, CANARY],
            env={"CANARY": CANARY},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert canary.stdout is not None
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        one = Outside(folder, canary, int(canary.stdout.readline()), socket.create_server(("127.0.0.1", 0)), udp)
        for address in (f"/tmp/qdash-{os.getpid()}-{len(made)}", f"\0qdash-{os.getpid()}-{len(made)}"):  # noqa: S108
            server = socket.socket(socket.AF_UNIX)
            server.bind(address)
            server.listen()
            one.paths.append(server)
        for server in (one.tcp, udp, *one.paths):
            server.setblocking(False)  # noqa: FBT003
        made.append(one)
        return one

    yield make
    for one in made:
        Path(one.paths[0].getsockname()).unlink()
        for server in (one.tcp, one.udp, *one.paths):
            server.close()
        one.canary.communicate("\n")


def fill(folder: Path) -> None:
    secret = folder / "secret.txt"
    for name in ("secret.txt", "kept.txt"):
        (folder / name).write_text(f"{CANARY}\n", encoding="utf-8")
    for name in ("secret.txt.py", "secret_module.py"):
        (folder / name).write_text(f"secret = {CANARY!r}\n", encoding="utf-8")
    (folder / "names" / CANARY).mkdir(parents=True)
    (folder / "names" / "empty").mkdir()
    np.save(folder / "secret.txt.npy", np.array([CANARY], dtype=object), allow_pickle=True)
    (folder / "secret.txt.link").symlink_to(secret)
    with zipfile.ZipFile(folder / "secret.txt.zip", "w") as archive:
        archive.writestr("s", CANARY)
    database = sqlite3.connect(folder / "secret.txt.db")
    database.execute("create table t (s)")
    database.execute("insert into t values (?)", [CANARY])
    database.commit()
    database.close()
    from scipy.io import savemat

    savemat(folder / "secret.txt.mat", {"s": CANARY})


@pytest.fixture(scope="module")
def outside(make_outside: Callable[[], Outside]) -> Outside:
    return make_outside()


@pytest.fixture(scope="module")
def zygote(worker: IsolatedWorker) -> psutil.Process:
    assert worker._process is not None
    return psutil.Process(worker._process._process.pid)


def problem_of(name: str, result: JobResult) -> str:
    """What is wrong with how it ended; empty for nothing."""
    if CANARY in repr(result):
        return "it has read a secret"
    if str(result.error).startswith(("NameError", "SyntaxError", "AttributeError", "ImportError")):
        return f"it never tried: {result.traceback}"
    if name.startswith("refused") and (result.value, result.error) != ([], ""):
        return f"not all was refused: {result.value} {result.error}"
    if name.startswith("end") and not result.error and name not in _HARMLESS:
        return f"it has an answer: {result}"
    return ""


@pytest.mark.parametrize("one_of", [5, pytest.param(1, marks=pytest.mark.long)])
def test_nothing_gets_out(
    outside: Outside, zygote: psutil.Process, worker: IsolatedWorker, run: Run, one_of: int
) -> None:
    """All are a hundred and fifty jobs, which take five seconds of the processor together; of each kind one in five."""
    before = outside.files()
    prelude = outside.prelude(ZYGOTE=zygote.pid)
    stopped = prelude + ESCAPES["end | stopped by itself"]
    chosen = [name for kind in ("read", "refused", "write", "connect", "end") for name in of_kind(kind)[::one_of]]
    codes = {name: prelude + ESCAPES[name] for name in chosen if name != "end | stopped by itself"}

    results = asyncio.run(side_by_side(worker, codes))

    assert {name: problem for name, result in results.items() if (problem := problem_of(name, result))} == {}
    assert run(stopped, seconds=0.5).error == Message("code-timed-out", seconds=0.5)
    after = outside.files()
    assert {name for name in before | after if before.get(name) != after.get(name)} == set()
    assert not outside.was_visited()
    assert outside.canary.poll() is None
    assert zygote.is_running()
    assert zygote.children() == []
    assert run("1 + 1").value == 2


_SHORT_BOMBS = tuple(
    f"bomb | {name}"
    for name in (
        "memory",
        "printed",
        "a result of output",
        "a circle",
        "many charts",
        "threads",
        "forks",
        "descriptors",
    )
)
_ENDLESS = "bomb | a processor that minds no signal"


@pytest.mark.long
def test_it_ends_within_its_limits(outside: Outside, zygote: psutil.Process, run: Run) -> None:
    for name in (*_SHORT_BOMBS, _ENDLESS):
        ends_within_limits(name, outside, zygote, run, seconds=0.5)


@pytest.mark.long
def test_all_ends_within_its_limits(outside: Outside, zygote: psutil.Process, run: Run) -> None:
    for name in of_kind("bomb"):
        ends_within_limits(name, outside, zygote, run, seconds=10 if name != "bomb | sleep" else 1, cpu_seconds=2)


def ends_within_limits(name: str, outside: Outside, zygote: psutil.Process, run: Run, **limits: float) -> None:
    memory = zygote.memory_info().rss
    result = run(outside.prelude() + ESCAPES[name], **limits)
    assert result.error or len(result.output) < 110_000, name
    assert len(repr(result)) < 40_000_000, name
    assert zygote.memory_info().rss < memory + 50_000_000, name
    assert zygote.children() == [], name
    assert run("1 + 1").value == 2, name


def test_a_sibling_is_left_alone(worker: IsolatedWorker, outside: Outside, zygote: psutil.Process) -> None:
    async def both() -> tuple[Any, Any]:
        sibling = asyncio.create_task(alone(worker, "import time\ntime.sleep(1)\n'unharmed'"))
        while not zygote.children():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        [pid] = [child.pid for child in zygote.children()]
        code = outside.prelude(SIBLING=pid, ZYGOTE=zygote.pid, CANARY=pid)
        attacks = [
            await alone(worker, code + ESCAPES[name]) for name in of_kind("refused", "read") if "process" in name
        ]
        attacks.append(await alone(worker, code + ESCAPES["refused | signals"]))
        return await sibling, attacks

    sibling, attacks = asyncio.run(both())
    assert sibling.value == "unharmed"
    assert CANARY not in repr(attacks)


_STAGE = """\
import numpy as np, pandas as pd, plotly.graph_objects as go, plotly.express as px, os
n, name, xs, limits = 3, "to_csv", [3, 1, 2], {"t1": 50.0}
df = pd.DataFrame({"qid": ["0", "1"], "at": pd.date_range("2026-01-01", periods=2, tz="UTC"), "t1": [1.0, 2.0]})
cz = pd.DataFrame({"qid": ["0-1"], "fidelity": [0.98]})
s, arr, fig0, frames, os_module = df["t1"], df["t1"].to_numpy(), go.Figure(go.Bar(x=[1], y=[2])), {"a": df}, os
instrument = user_fn = print
"""


@pytest.mark.long  # 250 more ways to write the same: twelve seconds of the processor
@pytest.mark.timeout(900)
def test_250_more_attacks_have_no_effect_either(worker: IsolatedWorker, outside: Outside) -> None:
    def seen() -> tuple[list[str], Files]:
        """A job begins in the root. Other folders change with whatever else runs here."""
        return sorted(path.name for path in Path("/").iterdir()), outside.files()

    kinds = ("files", "network", "shell", "dynamic")
    refused = snippets("corpus/refused.txt").items()
    attacks = snippets("corpus/attacks.txt") | {name: code for name, code in refused if name.startswith(kinds)}
    codes = {name: _STAGE + code for name, code in attacks.items() if "#%%" not in code and "plt" not in code}

    before = seen()
    results = asyncio.run(side_by_side(worker, codes))
    assert seen() == before
    assert len(results) > 250
    assert not outside.was_visited()
    assert asyncio.run(alone(worker, "1 + 1")).value == 2


_CONTROL = """\
import json, os, sys
import scipy.io, sqlite3, urllib.request, pyarrow.csv, pyarrow.parquet
from qdash_jupyter.worker.inside import Session, warm_up
warm_up()
told = {}
for name, code in json.load(sys.stdin).items():
    reads, writes = os.pipe()
    if os.fork() == 0:
        os.close(reads)
        try:
            shown = []
            done = Session(lambda _: b"", lambda *out: shown.append(out), "frames", "landlock", ()).outcome(code, {})
            os.write(writes, json.dumps([done, shown], default=str).encode()[:60000])
        finally:
            os._exit(0)
    os.close(writes)
    told[name] = open(reads).read()
    os.wait()
print(json.dumps(told))
"""


def unconfined(codes: dict[str, str]) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _CONTROL], input=json.dumps(codes), capture_output=True, text=True, check=True
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


_PROVED = ("read | a variable", "read | environment of the worker", "read | files of", "read | inherited objects")


@pytest.mark.long  # what it proves is of the corpus
def test_unconfined_each_read_would_have_found_it_and_each_write_been_seen(outside: Outside, tmp_path: Path) -> None:
    """One process that loads all libraries, and forks for each: three seconds of the processor."""
    reads = [name for name in of_kind("read") if "*" not in name and not name.startswith(_PROVED)]
    assert len(reads) > 40
    stages = {name: tmp_path / str(number) for number, name in enumerate(of_kind("write")) if "*" not in name}
    for folder in stages.values():
        folder.mkdir()
        fill(folder)
    before = {name: files_of(folder) for name, folder in stages.items()}
    told = unconfined(
        {name: outside.prelude() + ESCAPES[name] for name in reads}
        | {name: outside.prelude(FOLDER=str(folder)) + ESCAPES[name] for name, folder in stages.items()}
    )
    assert [name for name in reads if CANARY not in told[name]] == []
    assert [name for name, folder in stages.items() if files_of(folder) == before[name]] == []


@pytest.mark.long
def test_unconfined_each_call_would_have_been_answered(outside: Outside) -> None:
    names = [name for name in of_kind("connect") if "*" not in name]
    for name in names:
        unconfined({name: outside.prelude() + ESCAPES[name]})
        until(outside.was_visited)
