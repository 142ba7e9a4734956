"""Where the kernel has no Landlock, bubblewrap confines. `scripts/bubblewrap.sh` installs it where that can be done."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from tests.patience import until
from tests.worker.conftest import LIMITS, alone, side_by_side, stored
from tests.worker.test_escapes import CANARY, ESCAPES, Outside, make_outside, of_kind
from tests.worker.test_session_cells import reads

__all__ = ["make_outside"]

PROBLEM = confinement._bubblewrap_problem()
pytestmark = pytest.mark.skipif(
    bool(PROBLEM), reason=f"bubblewrap cannot be had here, see scripts/bubblewrap.sh: {PROBLEM}"
)


@pytest.fixture(scope="module")
def wrapped() -> Iterator[IsolatedWorker]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confinement, "_has_landlock", lambda: False)
        worker = IsolatedWorker(LIMITS)
        worker.start()
        assert str(worker.confined_by) == "bubblewrap and seccomp"
        yield worker
        worker.close()


def test_it_works(wrapped: IsolatedWorker) -> None:
    imports = "import scipy.stats, zoneinfo\nfrom qdash_jupyter import methods as qm\n"
    code = imports + "[len(qm.spread(data['t1'])), zoneinfo.ZoneInfo('Asia/Tokyo').key]"
    result = asyncio.run(alone(wrapped, code, {"t1": stored()}))
    assert (result.value, result.error) == ([1, "Asia/Tokyo"], "")
    [picture] = asyncio.run(alone(wrapped, "import matplotlib.pyplot as plt\nplt.plot([1, 2]);")).outputs
    assert "image/png" in picture["data"]
    assert "memory limit of 300 MB" in str(asyncio.run(alone(wrapped, "x = bytearray(10**9)")).error)
    wrapped.limits = replace(LIMITS, seconds=0.5)
    assert str(asyncio.run(alone(wrapped, "import time\ntime.sleep(60)")).error).startswith("Timed out")
    wrapped.limits = LIMITS


def test_what_is_hidden_is_asked_for_all_the_same(
    wrapped: IsolatedWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, wanted = reads(wrapped, tmp_path, monkeypatch)
    assert said == wanted


@pytest.mark.long
def test_nothing_gets_out(wrapped: IsolatedWorker, make_outside: Callable[[], Outside]) -> None:
    one = make_outside()
    before = one.files()
    names = of_kind("read", "refused", "write", "connect")
    results = asyncio.run(side_by_side(wrapped, {name: one.prelude() + ESCAPES[name] for name in names}))
    assert CANARY not in repr(results)
    assert one.files() == before
    assert not one.was_visited()


_WITHOUT_LANDLOCK = """\
from qdash_jupyter.worker import confinement
confinement._has_landlock = lambda: False
print(confinement.why_unconfined())
"""


def test_where_the_kernel_allows_no_namespaces_its_words_are_passed_on() -> None:
    forbidden = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", sys.executable]
    done = subprocess.run([*forbidden, "-c", _WITHOUT_LANDLOCK], capture_output=True, text=True, check=True)
    assert "bubblewrap can't replace it: bwrap: " in done.stdout


@pytest.mark.long  # as in test_isolated.py
def test_after_its_end_the_next_job_has_a_new_one(wrapped: IsolatedWorker, bare: str) -> None:
    assert wrapped._process is not None
    [inner, *_] = psutil.Process(wrapped._process._process.pid).children(recursive=True)
    inner.kill()
    until(lambda: not inner.is_running())  # a job that it still takes would be lost with it
    assert asyncio.run(alone(wrapped, "1 + 1")).value == 2
