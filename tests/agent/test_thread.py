"""The thread of the agent ends when it is told to, and so does what it began in the background."""

import threading
import time
from concurrent.futures import CancelledError

import pytest

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.tools.background import in_background
from tests.patience import PATIENCE_S


def test_work_in_the_background_is_over_when_the_loop_is_closed() -> None:
    loop, began, over = AgentLoop(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        time.sleep(0.3)
        over.set()

    waits = loop.submit(in_background(work, "qdash-test"))
    assert began.wait(PATIENCE_S)
    loop.close()
    assert over.is_set()
    with pytest.raises(CancelledError):
        waits.result(PATIENCE_S)


def test_work_without_end_does_not_hold_the_close() -> None:
    loop, began, release = AgentLoop(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        release.wait()

    loop.submit(in_background(work, "qdash-test"))
    assert began.wait(PATIENCE_S)
    loop.close()
    assert any(thread.name == "qdash-test" for thread in threading.enumerate())
    release.set()


def test_more_work_starts_another_thread() -> None:
    loop = AgentLoop()
    threads: list[threading.Thread] = []
    for _ in range(2):

        async def work() -> None:
            threads.append(threading.current_thread())

        loop.submit(work()).result(PATIENCE_S)
        loop.close()
    assert threads[0] is not threads[1]
    assert not any(thread.is_alive() for thread in threads)
