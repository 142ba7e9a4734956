"""What stays from one piece of code to the next, and what goes when the process does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace

import psutil
import pytest

from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.isolated import IsolatedWorker, WorkerSession
from qdash_jupyter.worker.process import WorkerProcess
from qdash_jupyter.worker.result import JobResult
from tests.patience import PATIENCE_S, until
from tests.worker.conftest import LIMITS, stored

Run = Callable[..., JobResult]


@pytest.fixture
def data() -> dict[str, StoredResult]:
    return {"t1": stored()}


@pytest.fixture
def session(worker: IsolatedWorker, data: dict[str, StoredResult]) -> Iterator[WorkerSession]:
    one = worker.session(data)
    yield one
    one.close()


@pytest.fixture
def run(worker: IsolatedWorker, session: WorkerSession) -> Iterator[Run]:
    def run_now(code: str, **limits: float) -> JobResult:
        worker.limits = replace(LIMITS, **limits)  # pyrefly: ignore[bad-argument-type]
        return asyncio.run(session.run(code))

    yield run_now
    worker.limits = LIMITS


def zygote(worker: IsolatedWorker) -> psutil.Process:
    process = worker.process()
    assert isinstance(process, WorkerProcess)
    return psutil.Process(process._process.pid)


def test_names_functions_classes_and_imports_stay(run: Run) -> None:
    first = run(
        "import numpy as np\nfrom math import pi\nn = 3\ndef area(r):\n    return pi * r ** 2\n"
        "class Fit:\n    def half(self):\n        return n / 2\n"
    )
    assert (first.error, [name for name, _ in first.created]) == ("", ["np", "pi", "n", "area", "Fit"])
    assert dict(first.created)["area"] == "area: function"
    assert run("[round(area(2), 2), Fit().half(), np.ones(2).tolist(), __name__]").value == [
        12.57,
        1.5,
        [1.0, 1.0],
        "__main__",
    ]


def test_what_was_bound_is_told_with_its_shape_and_without_loops(run: Run) -> None:
    code = "table = data['t1'].frame\nfor row in range(3):\n    total = row\n_hidden = 1"
    assert [words for _, words in run(code).created] == ["table: DataFrame 3 × 3", "total: int"]
    assert run("table = table.head(1)\ntotal = total").created == (("table", "table: DataFrame 1 × 3"),)
    assert run("1").names == ("table", "row", "total")


def test_what_failing_code_has_bound_stays_as_in_a_kernel(run: Run) -> None:
    failed = run("a = 1\n1 / 0\nb = 2")
    assert [name for name, _ in failed.created] == ["a"]
    assert run("a").value == 1
    assert str(run("b").error).startswith("NameError")


def test_an_error_in_a_function_of_earlier_code_names_the_line_of_now(run: Run) -> None:
    run("def f(x):\n    return 1 / x")
    assert run("print('here')\nf(0)").traceback == "line 2: f(0)\nZeroDivisionError: division by zero"


def test_no_code_changes_the_stored_results(run: Run, data: dict[str, StoredResult]) -> None:
    assert run("data['t1'].frame['v'] = 0.0\ndata['t1'].frame['v'].sum()").value == 0
    assert run("data['t1'].frame['v'].max()").value == 52
    assert data["t1"].frame["v"].max() == 52


def test_a_result_that_was_stored_meanwhile_is_there(run: Run, data: dict[str, StoredResult]) -> None:
    assert run("mine = data['t1'].frame\nlen(mine)").value == 3
    data["t1"], data["t2"] = stored(rows=5), stored("t2")
    assert run("[len(mine), len(data['t1'].frame), list(data), 't3' in data]").value == [3, 5, ["t1", "t2"], False]
    assert "Did you mean t2" in str(run("data['t2_']").error)
    del data["t1"]
    assert run("list(copilot.data)").value == ["t2"]


def test_each_is_sent_once(run: Run, data: dict[str, StoredResult]) -> None:
    data["counted"] = Counted()  # pyrefly: ignore[unsupported-operation]
    for _ in range(3):
        assert run("data['counted']").value == 7
    assert Counted.times == 1


class Counted:
    """Pickled, it becomes a number."""

    times = 0

    def __reduce__(self) -> tuple[object, ...]:
        Counted.times += 1
        return int, (7,)


def test_a_name_that_code_binds_is_its_own_even_data(run: Run) -> None:
    run("data = 5")
    assert run("[data, len(copilot.data)]").value == [5, 1]


def test_await_and_asyncio_work_as_in_a_notebook(run: Run) -> None:
    assert (
        run("import asyncio\nasync def later(x):\n    await asyncio.sleep(0.01)\n    return x\nawait later(3)").value
        == 3
    )
    assert run("both = await asyncio.gather(later(1), later(2))\nboth").value == [1, 2]
    assert run("asyncio.run(later(4))").value == 4
    assert run("await asyncio.to_thread(sum, [1, 2])").value == 3
    assert run("await later(1 / 0)").traceback.startswith("line 1: await later(1 / 0)")


def test_result_counts_where_it_was_bound(run: Run) -> None:
    assert run("result = {'output': 'two'}").output == "two"
    assert (after := run("3")).value == 3
    assert after.output == ""


def test_when_a_process_ends_its_names_are_told(run: Run) -> None:
    for ends in ("import os\nos._exit(1)", "while True: pass"):
        assert run("a, b = 1, 2").gone == ()
        assert run(ends, seconds=0.5).gone[-2:] == ("a", "b")
        assert str(run("a").error).startswith("NameError")


def test_memory_that_is_short_costs_no_names(run: Run) -> None:
    run("a = 1")
    assert str(run("x = bytearray(10**10)").error) == "The code exceeded its memory limit of 300 MB."
    assert run("import os\nos._exit(1)").gone == ("a",)


def test_data_beyond_the_memory_cost_no_names(run: Run, data: dict[str, StoredResult]) -> None:
    run("a = 1", memory_mb=30)
    data["large"] = stored(rows=1_500_000)
    assert str(run("data['large']", memory_mb=30).error) == "The code exceeded its memory limit of 30 MB."
    assert run("[a, len(data['t1'].frame)]").value == [1, 3]


SAYS_SO = "import threading, time\ndef begun():\n    threading.Thread(target=time.sleep, args=(2,)).start()\n"


def stop(session: WorkerSession, zygote: psutil.Process, code: str) -> None:
    """Run the code, and stop it once it has called `begun()`."""

    async def once() -> None:
        running = asyncio.create_task(session.run(SAYS_SO + code))
        while not any(child.num_threads() > 1 for child in zygote.children()):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(once())


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is killed because a busy machine is slow."""
    monkeypatch.setattr("qdash_jupyter.worker.isolated.STOPS_WITHIN_S", PATIENCE_S)


@pytest.mark.usefixtures("patient")
def test_stop_interrupts_and_names_stay(worker: IsolatedWorker, session: WorkerSession, run: Run) -> None:
    run("a = 1")
    for code in (
        "begun()\nwhile True: pass",
        "begun()\ntime.sleep(60)",
        "import numpy as np\nbegun()\nwhile True: np.ones(10**6).sum()",
    ):
        stop(session, zygote(worker), code)
        kept = run("a")
        assert (kept.value, kept.gone) == (1, ()), code


@pytest.mark.usefixtures("patient")
def test_a_stop_lets_the_code_clean_up(worker: IsolatedWorker, session: WorkerSession, run: Run) -> None:
    """A stop is asked for again and again, and counts once."""
    run("a = 1")
    stop(session, zygote(worker), "try:\n    begun()\n    time.sleep(60)\nfinally:\n    time.sleep(0.1)\n    a = 2")
    assert run("a").value == 2


def test_code_that_minds_no_interrupt_is_killed(worker: IsolatedWorker, session: WorkerSession, run: Run) -> None:
    run("a = 1")
    minds_nothing = (
        "while True:\n    try:\n        begun()\n        time.sleep(60)\n    except BaseException:\n        pass"
    )
    stop(session, zygote(worker), minds_nothing)
    after = run("a")
    assert str(after.error).startswith("NameError")
    until(lambda: len(zygote(worker).children()) == 1)


@pytest.mark.parametrize("stops_within_s", [PATIENCE_S, 0.0], ids=["interrupted", "killed"])
def test_a_stop_never_hits_the_next_code(
    stops_within_s: float, session: WorkerSession, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qdash_jupyter.worker.isolated.STOPS_WITHIN_S", stops_within_s)

    async def many() -> list[str]:
        errors = []
        for pause in range(40):
            running = asyncio.create_task(session.run("sum(range(100_000))"))
            await asyncio.sleep(pause / 4_000)
            running.cancel()
            await asyncio.wait([running])
            after = await session.run("globals().setdefault('a', 1) + 1")
            errors.append(str(after.error or (after.gone if stops_within_s else "") or ""))
        return errors

    run("a = 1")
    assert asyncio.run(many()) == [""] * 40


def test_stopped_before_the_worker_has_started_it_runs_nothing(bare: str) -> None:
    worker = IsolatedWorker(LIMITS)
    session = worker.session({})

    async def once() -> JobResult:
        running = asyncio.create_task(session.run("a = 1\nwhile True: pass"))
        await asyncio.sleep(0.05)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return await session.run("'a' in globals()")

    assert asyncio.run(asyncio.wait_for(once(), PATIENCE_S / 2)).value is False
    session.close()
    worker.close()


def test_sessions_see_nothing_of_each_other(worker: IsolatedWorker, run: Run) -> None:
    run("import math\nmath.pi = 3\na = 1")
    other = worker.session({})
    assert asyncio.run(other.run("import math\n['a' in globals(), math.pi > 3, list(data)]")).value == [False, True, []]
    other.close()
    assert run("[a, math.pi]").value == [1, 3]


@pytest.mark.long
def test_when_the_worker_is_gone_the_next_code_runs_in_a_new_one(bare: str) -> None:
    worker = IsolatedWorker(LIMITS)
    session = worker.session({})
    assert asyncio.run(session.run("a = 1")).error == ""
    (gone := zygote(worker)).kill()
    until(lambda: not gone.is_running())
    after = asyncio.run(session.run("2"))
    assert (after.value, after.gone) == (2, ("a",))
    session.close()
    worker.close()


@pytest.mark.parametrize("times", [10, pytest.param(100, marks=pytest.mark.long)])
def test_many_are_opened_and_closed_and_none_is_left(times: int, worker: IsolatedWorker) -> None:
    here, before = psutil.Process(), None
    for _ in range(times):
        session = worker.session({})
        assert asyncio.run(session.run("1 + 1")).value == 2
        session.close()
        before = before or here.num_fds()
    assert zygote(worker).children() == []
    assert here.num_fds() <= before
