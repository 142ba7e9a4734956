"""Stop, at any moment around a nested cell: it ends that cell or does nothing."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.interrupt import InterruptWindow
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals to a thread")

ENDLESS = "began = 1\nwhile True:\n    began = 2\n"


@pytest.fixture(autouse=True)
def _default_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a start in the background ignores it
    yield
    signal.signal(signal.SIGINT, before)


def run(host: InlineCellHost, code: str, window: InterruptWindow) -> CellRun:
    return host.run_here(CellRequest("r", "c", code), window)


def when(condition: Callable[[], object], window: InterruptWindow) -> threading.Thread:
    def interrupt() -> None:
        until(condition)
        window.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


def later(window: InterruptWindow, seconds: float) -> threading.Thread:
    def interrupt() -> None:
        time.sleep(seconds)
        window.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


def test_it_ends_the_cell_that_runs(host: InlineCellHost, shell: InteractiveShell) -> None:
    window = InterruptWindow()
    thread = when(lambda: shell.user_ns.get("began") == 2, window)
    made = run(host, ENDLESS, window)
    thread.join()
    assert made.status is CellStatus.INTERRUPTED
    assert made.traceback.endswith("KeyboardInterrupt")
    assert shell.user_ns["began"] == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_ends_a_cell_that_sleeps(host: InlineCellHost, shell: InteractiveShell) -> None:
    window = InterruptWindow()

    def stop() -> None:
        until(lambda: "began" in shell.user_ns)
        while window.interrupt():  # the first one may arrive just before the sleep begins
            time.sleep(0.6)

    thread = threading.Thread(target=stop)
    thread.start()
    made = run(host, "import time\nbegan = 1\ntime.sleep(60)\nended = 1\n", window)
    thread.join()
    assert made.status is CellStatus.INTERRUPTED
    assert "ended" not in shell.user_ns


def test_one_that_arrived_just_before_a_sleep_does_not_shield_it(host: InlineCellHost, shell: InteractiveShell) -> None:
    """Python has noted the first one, and sleeps all the same: what a signal between the two leaves behind."""
    window = InterruptWindow()

    def stop() -> None:
        until(lambda: "began" in shell.user_ns)
        with window._lock:
            window._on_its_way, window._sent_at = True, time.monotonic()
        while window.interrupt():
            time.sleep(0.1)

    thread = threading.Thread(target=stop)
    thread.start()
    assert run(host, "import time\nbegan = 1\ntime.sleep(60)\n", window).status is CellStatus.INTERRUPTED
    thread.join()


def test_wanted_before_the_cell_begins(host: InlineCellHost, shell: InteractiveShell) -> None:
    window = InterruptWindow()
    assert window.interrupt()
    assert run(host, "began = 1\n", window).status is CellStatus.INTERRUPTED
    assert "began" not in shell.user_ns


def test_wanted_when_the_cell_is_over(host: InlineCellHost) -> None:
    window = InterruptWindow()
    assert run(host, "1\n", window).status is CellStatus.OK
    assert not window.interrupt()


def test_between_two_statements_it_waits_for_the_next_one() -> None:
    window = InterruptWindow()
    with window.reachable():
        with window.code():
            pass
        window.interrupt()
        hits = sum(1 for _ in range(100_000))  # the signal has come by now
        with pytest.raises(KeyboardInterrupt), window.code():
            hits = -1
    assert hits == 100_000


def test_after_the_last_statement_it_does_nothing() -> None:
    for _ in range(50):
        window = InterruptWindow()
        with window.reachable():
            with window.code():
                pass
            window.interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert sum(1 for _ in range(1000)) == 1000


def test_ctrl_c_raises_at_once_wherever_it_comes() -> None:
    def person_interrupts() -> None:
        with InterruptWindow().reachable():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        person_interrupts()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_not_on_the_main_thread(host: InlineCellHost, shell: InteractiveShell) -> None:
    """Signals do not arrive there: a cell ends with its statement."""
    made: list[CellRun] = []
    window = InterruptWindow()
    shell.user_ns["let_go"] = let_go = threading.Event()
    code = "began = 1\nlet_go.wait(); first = 1\nsecond = 1\n"
    thread = threading.Thread(target=lambda: made.append(run(host, code, window)))
    thread.start()
    until(lambda: "began" in shell.user_ns)
    window.interrupt()
    let_go.set()
    thread.join(PATIENCE_S)
    assert made[0].status is CellStatus.INTERRUPTED
    assert "second" not in shell.user_ns


@pytest.mark.parametrize("times", [40, pytest.param(400, marks=pytest.mark.long)])
def test_at_any_moment_it_hits_the_cell_or_nothing(host: InlineCellHost, shell: InteractiveShell, times: int) -> None:
    """The person's own code runs before and behind the nested cell, in one cell of theirs."""
    chance = random.Random(7)  # noqa: S311 - not for secrets
    seen: dict[CellStatus, int] = {}
    made: list[CellRun] = []
    for _ in range(times):
        window = InterruptWindow()
        made.clear()
        shell.user_ns["nested"] = lambda window=window: made.append(
            run(host, "for number in range(400_000):\n    number\nlast = 1\n", window)
        )
        thread = later(window, chance.random() * 0.03)
        mine = shell.run_cell("for n in range(2000): n\nnested()\nmine = 0\nfor n in range(20_000): mine += 1\nmine\n")
        thread.join()
        mine.raise_error()
        assert mine.result == 20_000
        seen[made[0].status] = seen.get(made[0].status, 0) + 1
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert set(seen) <= {CellStatus.OK, CellStatus.INTERRUPTED}
    assert seen[CellStatus.INTERRUPTED]
