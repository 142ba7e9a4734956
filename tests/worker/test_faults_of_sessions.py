"""What goes wrong around a session: nothing of it is left behind, hangs, or is kept from the user."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import psutil
import pytest

from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker, WorkerSession
from qdash_jupyter.worker.limits import WorkerLimits
from qdash_jupyter.worker.result import JobResult
from tests.patience import PATIENCE_S, has_ended, until
from tests.worker.conftest import LIMITS, stored
from tests.worker.test_isolated import zygote_of
from tests.worker.test_without_wall import OF_LINUX

UNLIMITED = WorkerLimits(seconds=None, cpu_seconds=None, memory_mb=500)
Make = Callable[..., tuple[IsolatedWorker, WorkerSession]]


@pytest.fixture
def make(bare: str) -> Iterator[Make]:
    with contextlib.ExitStack() as stack:

        def made(limits: WorkerLimits = LIMITS, **options: Any) -> tuple[IsolatedWorker, WorkerSession]:
            worker = IsolatedWorker(limits, **options)
            stack.callback(worker.close)
            session = worker.session({"t1": stored()})
            stack.callback(session.close)
            return worker, session

        yield made


def run(session: WorkerSession, code: str) -> JobResult:
    return asyncio.run(session.run(code))


_KERNEL = """\
import asyncio, sys
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits
confinement._STARTS = sys.argv[1]
if sys.argv[2] != "wall":
    confinement._has_landlock, confinement._bubblewrap_problem = lambda: False, lambda: "not installed"
worker = IsolatedWorker(WorkerLimits(seconds=None, cpu_seconds=None), needs_wall=False)
worker.start()
print(worker._process._process.pid, flush=True)
asyncio.run(worker.session({}).run("while True: pass"))
"""


@pytest.mark.parametrize(
    "form", ["wall", *(pytest.param(form, marks=pytest.mark.long) for form in ("none", "another system"))]
)
def test_when_the_kernel_is_killed_an_endless_loop_ends(form: str, bare: str) -> None:
    starts = bare.replace("serve(plan)", f"{OF_LINUX}serve(plan)") if form == "another system" else bare
    kernel = subprocess.Popen([sys.executable, "-c", _KERNEL, starts, form], stdout=subprocess.PIPE, text=True)
    assert kernel.stdout is not None
    zygote = psutil.Process(int(kernel.stdout.readline()))
    until(zygote.children)
    [loop] = zygote.children()
    until(lambda: sum(loop.cpu_times()[:2]) > 0.05)
    kernel.send_signal(signal.SIGKILL)
    until(lambda: has_ended(zygote.pid) and has_ended(loop.pid))
    kernel.communicate()


_REFUSES = """
def fork(begin=zygote.os.fork, allowed=[True, False, False, True]):  # the first one tests the wall
    if allowed.pop(0):
        return begin()
    raise BlockingIOError(11, "Resource temporarily unavailable")
zygote.os.fork = fork
"""


def test_a_refused_fork_is_told_and_tried_again(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = confinement._STARTS.replace("serve(plan)", f"exec({_REFUSES!r}); serve(plan)")
    monkeypatch.setattr(confinement, "_STARTS", starts)
    _, session = make()
    for _ in range(2):
        error = run(session, "1").error
        assert str(error) == "Can't start a process for the code: [Errno 11] Resource temporarily unavailable."
    assert run(session, "1").value == 1


_WITHOUT_PROC = """\
import asyncio, sys
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits, notebook_memory_mb
confinement._STARTS = sys.argv[1]
worker = IsolatedWorker(WorkerLimits(memory_mb=300))
code = "import numpy.linalg, sqlite3, lzma\\ntry:\\n    bytearray(10**9)\\nexcept MemoryError:\\n    x = 'short'\\nx"
result = asyncio.run(worker.session({}).run(code))
print(worker.confined_by, result.value, result.error, notebook_memory_mb() >= 2000)
worker.close()
"""


@pytest.mark.long
def test_where_proc_is_not_mounted_it_works(bare: str) -> None:
    hides = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*hides, "true"], check=False, capture_output=True).returncode:
        pytest.skip("/proc cannot be hidden here")
    done = subprocess.run(
        [*hides, sys.executable, "-c", _WITHOUT_PROC, bare], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{confinement.confined_by()} short  True\n"


@pytest.mark.long
def test_an_idle_process_ends_and_its_names_are_told(make: Make) -> None:
    worker, session = make(idle_s=1.0)
    zygote = zygote_of(worker)
    assert run(session, "import time\na = 1\ntime.sleep(1.5)\na").value == 1  # code that runs is not idle
    until(lambda: has_ended(zygote.pid))
    after = run(session, "2")
    assert (after.value, after.error, after.gone) == (2, "", ("time", "a"))


@pytest.mark.long
def test_a_machine_that_sleeps_breaks_nothing(make: Make) -> None:
    """All its processes stop, and go on later."""
    worker, session = make(UNLIMITED)
    run(session, "a = 1")
    zygote = zygote_of(worker)
    stopped = [zygote, *zygote.children()]

    async def asleep() -> JobResult:
        running = asyncio.create_task(session.run("import time\ntime.sleep(0.3)\na"))
        await asyncio.sleep(0.1)
        for process in stopped:
            process.suspend()
        until(lambda: all(process.status() == psutil.STATUS_STOPPED for process in stopped))
        await asyncio.sleep(0.5)
        for process in stopped:
            process.resume()
        return await running

    result = asyncio.run(asleep())
    assert (result.value, result.gone) == (1, ())


@pytest.mark.long
def test_without_limits_it_runs_until_it_is_stopped(make: Make) -> None:
    worker, session = make(UNLIMITED)
    assert run(session, "a = 6\na * 7").value == 42

    async def stopped() -> None:
        running = asyncio.create_task(session.run("while True: pass"))
        [loop] = zygote_of(worker).children()
        used = sum(loop.cpu_times()[:2])
        while sum(loop.cpu_times()[:2]) < used + 0.4:  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(stopped())
    assert run(session, "1").error == ""


@pytest.mark.long
def test_code_that_closes_its_channel_and_goes_on_is_ended(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qdash_jupyter.worker.process._GRACE_S", 0.5)
    worker, session = make(UNLIMITED)
    result = run(session, "import os\nos.close(3)\nwhile True: pass")
    assert result.error == Message("code-spoiled-result")
    until(lambda: zygote_of(worker).children() == [])


@pytest.mark.parametrize("key", [pytest.param("t1", marks=pytest.mark.long), "t2"])
@pytest.mark.long
def test_results_are_not_sent_without_end(make: Make, key: str) -> None:
    _, session = make()
    assert run(session, "[len(copilot.data._ask({'get': 't1'})) > 0 for _ in range(5)]").value == [True] * 5
    again = run(session, f"while True: copilot.data._ask({{'get': {key!r}}})")
    assert again.error == Message("code-spoiled-result")
    assert run(session, "len(data['t1'].frame)").value == 3


@pytest.mark.long
def test_when_its_time_is_over_a_tool_is_not_waited_for(make: Make) -> None:
    answers = Event()

    def call(*_: Any) -> Any:
        answers.wait(PATIENCE_S)
        return {}

    worker, session = make()
    session.let_call(call, 9)
    worker.start()
    worker.limits = WorkerLimits(seconds=0.5)
    try:
        begun = time.monotonic()
        result = run(session, "copilot.tools.get_chip_topology()")
        assert not answers.is_set()
    finally:
        answers.set()
    assert result.error == Message("code-timed-out", seconds=0.5)
    assert time.monotonic() - begun < PATIENCE_S / 2
