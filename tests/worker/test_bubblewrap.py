"""Where the kernel has no Landlock, bubblewrap confines; skipped where that is not installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from shutil import which

import psutil
import pytest

from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from tests.patience import until
from tests.worker.conftest import LIMITS, stored
from tests.worker.test_escapes import CANARY, ESCAPES, Outside, make_outside, of_kind

__all__ = ["make_outside"]

pytestmark = pytest.mark.skipif(which("bwrap") is None, reason="bubblewrap (bwrap) is not installed")


@pytest.fixture(scope="module")
def wrapped() -> Iterator[IsolatedWorker]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confinement, "_has_landlock", lambda: False)
        worker = IsolatedWorker(LIMITS)
        worker.start()
        assert worker.confined_by == "bubblewrap and seccomp"
        yield worker
        worker.close()


def test_it_works(wrapped: IsolatedWorker) -> None:
    imports = "import scipy.stats, zoneinfo\nfrom qdash_jupyter import methods as qm\n"
    code = imports + "[len(qm.spread(data['t1'])), zoneinfo.ZoneInfo('Asia/Tokyo').key]"
    result = asyncio.run(wrapped.run(code, {"t1": stored()}))
    assert (result.value, result.error) == ([1, "Asia/Tokyo"], "")
    assert asyncio.run(wrapped.run("x = bytearray(10**9)", {})).error == "Memory limit of 300 MB exceeded"
    assert asyncio.run(wrapped.run("import time\ntime.sleep(9)", {})).error.startswith("Execution timed out")


def test_nothing_gets_out(wrapped: IsolatedWorker, make_outside: Callable[[], Outside]) -> None:
    one = make_outside()
    before = one.files()

    async def all_of_them() -> list[object]:
        names = of_kind("read", "refused", "write", "connect")
        return await asyncio.gather(*(wrapped.run(one.prelude() + ESCAPES[name], {}) for name in names))

    results = asyncio.run(all_of_them())
    assert CANARY not in repr(results)
    assert one.files() == before
    assert not one.was_visited()


def test_after_its_end_the_next_job_has_a_new_one(wrapped: IsolatedWorker) -> None:
    assert wrapped._process is not None
    [inner, *_] = psutil.Process(wrapped._process._process.pid).children(recursive=True)
    inner.kill()
    until(lambda: not inner.is_running())  # a job that it still takes would be lost with it
    assert asyncio.run(wrapped.run("1 + 1", {})).value == 2
