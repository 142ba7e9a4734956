"""Where nothing confines code, a notebook's runs all the same, and Python refuses what it hears of."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker, WorkerSession
from qdash_jupyter.worker.result import JobResult
from tests.patience import until
from tests.worker.conftest import LIMITS, stored, without_wall
from tests.worker.test_attempts import ATTEMPTS, PLAIN
from tests.worker.test_isolated import zygote_of
from tests.worker.test_session_cells import reads

IMPORTS = "import pandas as pd, numpy as np\n"
FURTHER = {
    "import os; os.remove({path!r})": ("writes", "{path}"),
    "import os; os.rename({path!r}, '/opt/x')": ("writes", "{path}"),
    "open({path!r}).read()": ("reads", "{path}"),
    "open({path!r}, 'r+')": ("writes", "{path}"),
    "import sqlite3; sqlite3.connect({path!r} + '.db')": ("uses", "sqlite3.connect"),
    "import shutil; shutil.copy({path!r}, {path!r} + '2')": ("reads", "{path}"),
    "import os; os.open({path!r} + '3', os.O_CREAT)": ("writes", "{path}3"),
    "np.memmap({path!r}, mode='r+')": ("writes", "{path}"),
    "import os; os.kill({pid}, 0)": ("signals", "{pid}"),
    "import os; os.fork()": ("starts", "a copy of itself"),
    "import os; os.posix_spawn('/bin/true', ['true'], dict())": ("starts", "true"),
    "import _posixsubprocess as p; p.fork_exec([b'true'], [b'/bin/true'])": ("starts", "true"),
    "import ctypes; ctypes.CDLL(None).system(b'true')": ("uses", "ctypes.dlopen"),
    "exec('import ctypes; ctypes.CDLL(None).system(b\"true\")', dict(__name__='pandas'))": ("uses", "ctypes.dlopen"),
    "import ctypes; ctypes.pythonapi.system": ("uses", "ctypes.dlsym"),
    "import socket; socket.gethostbyname('localhost')": ("uses", "socket.gethostbyname"),
    "import resource; resource.prlimit({pid}, resource.RLIMIT_NOFILE, (9, 9))": ("uses", "resource.prlimit"),
}


@pytest.fixture(scope="module")
def worker() -> Iterator[IsolatedWorker]:
    with pytest.MonkeyPatch.context() as patch:
        without_wall(patch)
        worker = IsolatedWorker(LIMITS, needs_wall=False)
        worker.start()
        assert worker.confined_by == Message("worker-without-wall")
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def session(worker: IsolatedWorker) -> Iterator[WorkerSession]:
    one = worker.session({"t1": stored()})
    yield one
    one.close()


def run(session: WorkerSession, code: str) -> JobResult:
    return asyncio.run(session.run(code))


@pytest.mark.long
def test_plain_attempts_are_refused_and_noted(session: WorkerSession, tmp_path: Path) -> None:
    """Those of a wall, in the same words, and others."""
    notes = tmp_path / "notes.csv"
    notes.write_text("a secret")
    here = {"path": str(notes), "pid": str(os.getpid())}
    attempts = {code: wanted for code, wanted in ATTEMPTS.items() if wanted[0] != "imports"}
    for code, (kind, name) in FURTHER.items():
        attempts[code.format(**here)] = kind, name.format(**here)
    wrong = {}
    for code, wanted in attempts.items():
        result = run(session, IMPORTS + code)
        if not (str(result.error).startswith(("PermissionError", "URLError", "OSError")) and wanted in result.tried):
            wrong[code] = result.error, result.tried
    assert wrong == {}
    assert [path.name for path in tmp_path.iterdir()] == ["notes.csv"]
    assert notes.read_text() == "a secret"


def test_files_are_asked_for_as_behind_a_wall(
    worker: IsolatedWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, wanted = reads(worker, tmp_path, monkeypatch)
    assert said == wanted


def test_what_may_be_works(session: WorkerSession) -> None:
    codes = {**PLAIN, "a database in memory": "import sqlite3\nsqlite3.connect(':memory:').execute('select 1')"}
    codes["a stored result"] = "assert len(data['t1'].frame) == 3"
    codes["a signal to itself"] = "import os\nos.kill(os.getpid(), 0)"
    results = {name: run(session, IMPORTS + code) for name, code in codes.items()}
    assert {name: (one.error, one.tried) for name, one in results.items() if one.error or one.tried} == {}


def test_memory_is_limited_there_too(session: WorkerSession) -> None:
    assert run(session, "x = bytearray(10**10)").error == Message("code-memory-limit", megabytes=300)


def test_a_wall_that_can_be_had_is_used() -> None:
    assert IsolatedWorker(LIMITS, needs_wall=False).confined_by == confinement.confined_by() != ""


def test_a_service_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    without_wall(monkeypatch)
    worker = IsolatedWorker(LIMITS)
    assert worker.confined_by == ""
    with pytest.raises(ConfigurationError, match="bwrap is not installed"):
        worker.start()


def test_without_fork_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(ConfigurationError, match="forked process"):
        IsolatedWorker(LIMITS, needs_wall=False).start()


OF_LINUX = (
    "from qdash_jupyter.worker import forked; forked._IS_LINUX = zygote._IS_LINUX = False; "
    "forked._HIGHEST_DESCRIPTOR = 4096; zygote.address_space = lambda: None; del forked.resource.RLIMIT_MSGQUEUE; "
)


def test_what_other_systems_do_in_place_of_linux_works(monkeypatch: pytest.MonkeyPatch, bare: str) -> None:
    """No clock of another process, no signal when a parent ends, no limit of memory."""
    without_wall(monkeypatch)
    monkeypatch.setattr(confinement, "_STARTS", bare.replace("serve(plan)", f"{OF_LINUX}serve(plan)"))
    worker = IsolatedWorker(LIMITS, needs_wall=False)
    session = worker.session({})
    try:
        assert run(session, "import os\na = os.getpid()\na").value > 0
        assert str(run(session, "os.kill(os.getppid(), 0)").error).startswith("PermissionError")
        child, zygote = psutil.Process(run(session, "a").value), zygote_of(worker)
        assert child.ppid() == zygote.pid
        zygote.kill()
        until(lambda: not child.is_running())
        assert run(session, "1").gone == ("os", "a")
    finally:
        session.close()
        worker.close()
