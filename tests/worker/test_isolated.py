"""What a job gives, how it ends, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from qdash_jupyter.errors import ConfigurationError, PersonError
from qdash_jupyter.worker import confinement, isolated, landlock, seccomp
from qdash_jupyter.worker.confinement import ENVIRONMENT, confined_by, environment, why_unconfined
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import OUTPUT_BYTES, WorkerLimits
from tests.patience import has_ended, until
from tests.worker.conftest import LIMITS, SECRETS, Run, alone, side_by_side, stored


def zygote_of(worker: IsolatedWorker) -> psutil.Process:
    worker.start()
    assert worker._process is not None
    return psutil.Process(worker._process._process.pid)


SLEEPS = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\ntime.sleep(60)"


def sleeping(zygote: psutil.Process) -> list[psutil.Process]:
    """Sessions whose code sleeps, and has begun a thread to show it."""
    return [child for child in zygote.children() if child.num_threads() == 2]


def test_this_machine_confines() -> None:
    assert why_unconfined() == ""
    assert str(confined_by()).endswith(" and seccomp")


def test_the_last_expression_is_the_value(run: Run) -> None:
    result = run("import pandas as pd\nprint('hello')\npd.DataFrame({'a': [1, float('nan')]})")
    assert (result.output, result.error) == ("hello\n", "")
    assert result.value == {"type": "DataFrame", "rows": 2, "columns": ["a"], "records": [[1.0], [None]]}


def test_a_result_as_qdash_wants_it(run: Run) -> None:
    chart = "{'data': [{'y': np.array([1.0, np.nan])}], 'layout': {'title': {'text': 'T'}}}"
    result = run(f"import numpy as np\nprint('lost')\nresult = {{'output': 'two', 'chart': {chart}}}")
    assert (result.output, result.value, result.error) == ("two", None, "")
    [shown] = result.charts
    assert shown.figure() == {"data": [{"y": [1.0, None], "type": "scatter"}], "layout": {"title": {"text": "T"}}}
    assert shown.title == "T"


def test_several_charts_and_those_without_data(run: Run) -> None:
    result = run(
        "result = {'chart': [{'data': [{'y': [1]}]}, {'data': []}, {'layout': {}}, None, {'data': [{'y': [2]}]}]}"
    )
    assert [chart.figure()["data"][0]["y"] for chart in result.charts] == [[1], [2]]


def test_any_other_result_is_the_value(run: Run) -> None:
    assert run("result = {'median': 3.5}").value == {"median": 3.5}
    assert run("result = {'median': 3.5}\n1 + 1").value == 2


def test_plotlys_objects_become_lists(run: Run) -> None:
    code = (
        "import plotly.graph_objects as go, numpy as np, json\n"
        "one = go.Figure(go.Scatter(y=np.array([1.5, np.inf])))\n"
        "one.show()\n"
        "packed = go.Figure(go.Heatmap(z=np.arange(6.0).reshape(2, 3))).to_dict()\n"
        "result = {'chart': [one, packed, {'data': [go.Bar(y=[3])], 'layout': go.Layout(title='B')}]}"
    )
    result = run(code)
    assert result.error == ""
    first, second, third = (chart.figure() for chart in result.charts)
    assert first["data"][0]["y"] == [1.5, None]
    assert second["data"][0]["z"] == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert third["data"][0]["y"] == [3]
    assert "template" not in first["layout"]


def test_figures_that_are_shown_or_come_last(run: Run) -> None:
    imports = "import plotly.express as px, plotly.io as pio\n"
    result = run(imports + "px.line(y=[1, 2]).show()\npio.show(px.bar(y=[3]))\npx.line(y=[4])")
    assert [list(chart.figure()["data"][0]["y"]) for chart in result.charts] == [[1, 2], [3], [4]]
    assert result.value is None
    assert run("import plotly.express as px\nresult = px.line(y=[1])").charts


def test_a_figure_asks_no_other_server(run: Run) -> None:
    code = "result = {'chart': {'data': [{'y': [1]}], 'layout': {'images': [{'source': 'https://example.org/x.png'}]}}}"
    assert "example.org" not in repr(run(code).charts)


def test_output_is_cut(run: Run) -> None:
    for code in ("print('x' * 200_000)", "result = {'output': 'ü' * 200_000}"):
        output = run(code).output
        assert output.endswith("\n… cut at 100 KiB")
        assert len(output.encode()) < OUTPUT_BYTES + 50


def test_keys_are_masked(run: Run) -> None:
    result = run("key = 'sk-' + 'a1' * 20\nprint(key)\nresult = {'chart': {'data': [{'name': key, 'y': [1]}]}}")
    assert "a1a1a1" not in repr(result)


@pytest.mark.long
def test_a_large_chart_is_left_out(run: Run) -> None:
    result = run("result = {'output': 'o', 'chart': [{'data': [{'y': list(range(700_000))}]}, {'data': [{'y': [1]}]}]}")
    assert len(result.charts) == 1
    assert "left out" in result.output


def test_an_error_names_the_line(run: Run) -> None:
    result = run("def f(x):\n    return 1 / x\n\nprint('before')\nf(0)")
    assert result.error == "ZeroDivisionError: division by zero"
    assert result.traceback == "line 5: f(0)\nline 2, in f: return 1 / x\nZeroDivisionError: division by zero"
    assert result.output == "before\n"
    assert str(run("f(:").error).startswith("SyntaxError: ")
    assert run("import pandas as pd\npd.DataFrame()['x']").error == "KeyError: 'x'"


def test_how_it_ended_is_said_in_words(run: Run) -> None:
    ends = {
        "import time\ntime.sleep(60)": "Timed out after 0.5 s.",
        "x = bytearray(10**10)": "The code exceeded its memory limit of 300 MB.",
        "import os\nos._exit(3)": "The code ended its process before it had a result.",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)": (
            "The code crashed its process (SIGSEGV), as some libraries do above 300 MB of memory."
        ),
        "raise SystemExit('no')": "SystemExit: no",
    }
    assert {code: str(run(code, seconds=0.5 if "sleep" in code else LIMITS.seconds).error) for code in ends} == ends


@pytest.mark.long
def test_time_of_the_processor_is_bounded(run: Run) -> None:
    error = run("while True: pass", seconds=60, cpu_seconds=1).error
    assert str(error) == "The code took more than 1 s of processor time."


def test_data_beyond_the_memory_are_said_to_be(run: Run) -> None:
    error = run("data['t1']", {"t1": stored(rows=600_000)}, memory_mb=10).error
    assert str(error) == "The code exceeded its memory limit of 10 MB."


def test_stored_results_as_in_a_kernel(run: Run) -> None:
    code = (
        "from qdash_jupyter import methods as qm\n"
        "table = data['t1']['timeseries']\n"
        "[type(table).__name__, data['t1']['unit'], data['t1'].frame.equals(table), copilot.data is data, "
        "list(data), str(table['t'].dtype), data['t1'].units, len(qm.spread(copilot.data['t1']))]"
    )
    result = run(code, {"t1": stored()})
    assert result.error == ""
    assert result.value[:5] == ["DataFrame", "us", True, True, ["t1"]]
    assert result.value[6:] == [{"v": "us"}, 1]


def test_a_table_in_a_file_is_opened(run: Run) -> None:
    one = stored(rows=1000)
    assert one.stored_tables["timeseries"].release() > 0
    assert run("float(data['t1'].frame['v'].max())", {"t1": one}).value == 1049
    assert not one.stored_tables["timeseries"].in_memory


def test_each_job_begins_anew(run: Run) -> None:
    assert run("import math\nmath.pi = 3\nx = 1").error == ""
    assert run("import math\n['x' in globals(), math.pi > 3]").value == [False, True]
    draw = "import numpy as np, random\n[np.random.rand(), random.random()]"
    first, second = run(draw).value, run(draw).value
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_nothing_of_the_service_is_inside(run: Run) -> None:
    code = "import os, sys\n[sorted(os.environ), sys.argv, len(sys.path), sys.stdin.read(), os.getcwd()]"
    value = run(code).value
    assert value[0] == sorted({*environment(), "LC_CTYPE"} & {*environment(), *value[0]})
    assert not {*SECRETS} & {*value[0]}
    assert value[1] == ["-c"]
    assert value[3:] == ["", "/"]
    loaded = run("import sys, qdash_jupyter.methods\nsorted({name.partition('.')[0] for name in sys.modules})").value
    assert "numpy" in loaded
    assert {"IPython", "comm"} == OF_NOTEBOOKS & {*loaded}


def test_a_processor_adds_inside_as_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a cell that the user runs again has other last digits."""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    monkeypatch.setenv("LAB_TOKEN", "of the user's")
    begun = environment()
    assert {name: value for name, value in begun.items() if ENVIRONMENT.get(name) != value} == {
        name: os.environ[name] for name in begun.keys() - ENVIRONMENT.keys()
    }
    assert begun["OPENBLAS_CORETYPE"] == "Nehalem"
    assert "LAB_TOKEN" not in begun


def test_the_project_of_an_editable_install_is_not_read(run: Run) -> None:
    project = Path(isolated.__file__).parents[2]
    code = f"open({str(project / 'pyproject.toml')!r}).read()"
    if (project / "pyproject.toml").exists():
        assert str(run(code).error).startswith("PermissionError")
    assert run("import qdash_jupyter.domain.topology\nimport zoneinfo\nstr(zoneinfo.ZoneInfo('Asia/Tokyo'))").value


def test_packages_are_found_wherever_a_lab_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: str
) -> None:
    """On PYTHONPATH, or where a .pth file leads. What lies beside them is not read, nor the home folder."""
    shelf, home = tmp_path / "shelf", tmp_path / "home"
    for folder, name in ((shelf, "lab_on_a_shelf"), (home, "lab_at_home")):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("from . import inner\nlevel = inner.level\n")
        (folder / name / "inner.py").write_text("level = 3\n")
        (folder / "notes.txt").write_text("a secret")
    (shelf / "lab_module.py").write_text("level = 4\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sys, "path", [*sys.path, str(shelf), str(home)])
    worker = IsolatedWorker(LIMITS)
    code = "import lab_on_a_shelf, lab_module\n[lab_on_a_shelf.level, lab_module.level]"
    assert asyncio.run(alone(worker, code)).value == [3, 4]
    assert str(asyncio.run(alone(worker, "import lab_at_home")).error).startswith("ModuleNotFoundError")
    assert str(asyncio.run(alone(worker, f"open({str(shelf / 'notes.txt')!r})")).error).startswith("PermissionError")
    worker.close()


def test_data_that_cannot_be_read_is_said(run: Run) -> None:
    result = run("data['t1']", {"t1": Unreadable()})
    assert "no such thing" in str(result.error)


class Unreadable:
    """Pickled, it becomes a call that fails."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no such thing",)


def test_late_imports_and_threads_of_libraries_work(run: Run) -> None:
    code = (
        "import scipy.interpolate, scipy.cluster, sqlite3, ssl, lzma, decimal\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "import numpy as np, pandas as pd, pyarrow as pa, pyarrow.compute as pc\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    total = sum(pool.map(lambda x: x * x, range(10)))\n"
        "frame = pd.DataFrame({'q': ['a', 'b'] * 500, 'v': np.arange(1000.0)})\n"
        "[total, frame.groupby('q')['v'].mean().tolist(), int(pc.sum(pa.array([1, 2])).as_py()), "
        "float(np.linalg.det(np.eye(300))), frame['q'].str.upper().nunique()]"
    )
    assert run(code).value == [285, [499.0, 500.0], 3, 1.0, 2]


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.long), 2])
@pytest.mark.long
def test_so_many_run_at_a_time_and_others_wait_in_order(jobs: int, bare: str) -> None:
    worker = IsolatedWorker(WorkerLimits(jobs=jobs))
    code = "import time\nbegan = time.monotonic()\ntime.sleep(0.2)\n[began, time.monotonic()]"
    told = asyncio.run(side_by_side(worker, dict.fromkeys("abcd", code)))
    worker.close()
    times = [job.value for job in told.values()]
    assert max(sum(began <= moment < ended for began, ended in times) for moment, _ in times) == jobs
    assert times == sorted(times) or jobs > 1


def test_from_several_loops(worker: IsolatedWorker) -> None:
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(asyncio.run(alone(worker, f"{n} * 2")).value))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0, 2, 4, 6, 8, 10]  # pyrefly: ignore[bad-specialization]


def test_a_cancelled_job_is_killed(worker: IsolatedWorker) -> None:
    zygote = zygote_of(worker)

    async def cancelled() -> None:
        job = asyncio.create_task(alone(worker, "import time\ntime.sleep(60)"))
        while not zygote.children():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert zygote.children() == []

    asyncio.run(cancelled())


def test_one_that_waits_is_cancelled_before_it_runs(worker: IsolatedWorker) -> None:
    async def cancelled() -> list[str]:
        running = [asyncio.create_task(alone(worker, "import time\ntime.sleep(0.3)")) for _ in range(2)]
        waiting = asyncio.create_task(alone(worker, "1"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return [str((await job).error) for job in running]

    assert asyncio.run(cancelled()) == ["", ""]


@pytest.mark.parametrize("while_it_runs", [True, pytest.param(False, marks=pytest.mark.long)])
def test_after_the_worker_was_killed_the_next_job_has_a_new_one(while_it_runs: bool, bare: str) -> None:
    worker = IsolatedWorker(LIMITS)
    zygote = zygote_of(worker)

    async def killed() -> str:
        job = asyncio.create_task(alone(worker, SLEEPS))
        while not (children := sleeping(zygote)):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        zygote.kill()
        error = str((await job).error)
        until(lambda: not any(child.is_running() for child in children))
        return error

    if while_it_runs:
        assert "worker ended while the code was running" in asyncio.run(killed())
    else:
        zygote.kill()
        until(lambda: not zygote.is_running())  # a job that it still takes would be lost with it
    assert asyncio.run(alone(worker, "1 + 1")).value == 2
    assert zygote_of(worker).pid != zygote.pid
    zygote = zygote_of(worker)
    worker.close()
    assert not zygote.is_running()


@pytest.mark.long
def test_two_jobs_that_lose_their_worker_share_the_next(bare: str) -> None:
    worker = IsolatedWorker(LIMITS)
    zygote = zygote_of(worker)

    async def killed() -> tuple[list[str], list[object]]:
        lost = [asyncio.create_task(alone(worker, SLEEPS)) for _ in range(2)]
        after = [asyncio.create_task(alone(worker, f"import time\ntime.sleep(0.3)\n{n}")) for n in range(4)]
        while len(sleeping(zygote)) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        zygote.kill()
        return [str((await job).error) for job in lost], [(await job).value for job in after]

    errors, values = asyncio.run(killed())
    worker.close()
    assert all("worker ended while the code was running" in error for error in errors)
    assert values == [0, 1, 2, 3]


def test_closed_it_runs_nothing() -> None:
    worker = IsolatedWorker(LIMITS)
    worker.close()
    worker.start()
    assert worker._process is None
    with pytest.raises(RuntimeError):
        asyncio.run(alone(worker, "1"))


@pytest.mark.long  # a worker of its own; tests/session reads them
def test_stored_results_as_qdash_has_them_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gc.collect()
    me = psutil.Process()
    before = (me.num_fds(), me.num_threads(), [child.pid for child in me.children(recursive=True)])
    worker = IsolatedWorker(LIMITS, "records")
    zygote = zygote_of(worker)
    held, inside = me.num_fds(), descriptors_of(zygote)
    shown = "result = {'output': repr([data['t1'], type(data), type(data['t1'])])}"
    result = asyncio.run(alone(worker, shown, {"t1": stored(count=3)}))
    rows = [
        {"qid": "0", "t": "2026-01-01T00:00:00+00:00", "v": 50.0},
        {"qid": "1", "t": "2026-01-01T01:00:00+00:00", "v": None},
        {"qid": "2", "t": "2026-01-01T02:00:00+00:00", "v": 52.0},
    ]
    scalars = {"unit": "us", "parameter_name": "t1", "as_of": "2026-01-01T02:00:00+00:00", "count": 3}
    assert result.output == repr([{**scalars, "timeseries": rows}, dict, dict])
    for code in ("1 / 0", "import os\nos._exit(1)", "x = bytearray(10**10)", "print('x' * 10**6)"):
        asyncio.run(alone(worker, code))
    assert (me.num_fds(), descriptors_of(zygote), zygote.children()) == (held, inside, [])
    worker.close()
    assert not zygote.is_running()
    until(lambda: (me.num_fds(), me.num_threads(), [child.pid for child in me.children(recursive=True)]) == before)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_closed_while_a_job_runs(bare: str) -> None:
    worker = IsolatedWorker(LIMITS)
    zygote = zygote_of(worker)

    async def closed() -> str:
        job = asyncio.create_task(alone(worker, "import time\ntime.sleep(60)"))
        while not zygote.children():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        await asyncio.to_thread(worker.close)
        return str((await job).error)

    assert "worker ended" in asyncio.run(closed())


OF_NOTEBOOKS = {"IPython", "ipykernel", "ipywidgets", "comm", "anywidget", "openai", "pymongo"}
_SERVICE = """\
import asyncio, signal, sys
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.kernel import WorkerKernel
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts the tests in the background ignores it
confinement._STARTS = sys.argv[1]
worker = IsolatedWorker()
WorkerKernel(worker, {})
worker.start()
print(worker._process._process.pid, *{name.partition(".")[0] for name in sys.modules}, flush=True)
asyncio.run(worker.session({}).run("import time\\ntime.sleep(60)"))
"""


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, *(pytest.param(how, marks=pytest.mark.long) for how in (signal.SIGINT, signal.SIGTERM))]
)
def test_it_ends_with_the_service(how: signal.Signals, bare: str) -> None:
    """Half a second of the processor each."""
    service = subprocess.Popen(
        [sys.executable, "-c", _SERVICE, bare], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert service.stdout is not None
    pid, *loaded = service.stdout.readline().split()
    zygote = psutil.Process(int(pid))
    until(zygote.children)
    [job] = zygote.children()
    service.send_signal(how)
    until(lambda: has_ended(zygote.pid))
    until(lambda: has_ended(job.pid))
    service.communicate()
    assert "qdash_jupyter" in loaded
    assert not OF_NOTEBOOKS & {*loaded}


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 2)
    monkeypatch.setattr(confinement, "_has_landlock", lambda: False)


@pytest.mark.parametrize("missing", ["system", "seccomp", "both"])
def test_code_never_runs_unconfined(missing: str, monkeypatch: pytest.MonkeyPatch, no_landlock: None) -> None:
    words = {"system": "darwin", "seccomp": "seccomp", "both": "bwrap is not installed"}[missing]
    if missing == "system":
        monkeypatch.setattr(sys, "platform", "darwin")
    if missing == "seccomp":
        monkeypatch.setattr(seccomp, "is_available", lambda: False)
    monkeypatch.setattr(confinement, "_bubblewrap_problem", lambda: "bwrap is not installed.")
    worker = IsolatedWorker(LIMITS)
    assert words in str(why_unconfined())
    assert worker.confined_by == ""
    with pytest.raises(ConfigurationError, match=words) as caught:
        asyncio.run(alone(worker, "1"))
    assert isinstance(caught.value, PersonError)
    worker.close()


@pytest.mark.long
def test_a_worker_that_is_not_confined_after_all_is_seen(monkeypatch: pytest.MonkeyPatch, bare: str) -> None:
    unconfined = "forked.landlock.restrict = forked.seccomp.refuse_all_else = lambda *_: None; serve(plan)"
    starts = bare.replace("serve(plan)", f"from qdash_jupyter.worker import forked; {unconfined}")
    monkeypatch.setattr(confinement, "_STARTS", starts)
    before = set(psutil.Process().children())
    worker = IsolatedWorker(LIMITS)
    with pytest.raises(ConfigurationError, match=r"isn't confined here\. It can read a file"):
        worker.start()
    worker.close()
    assert set(psutil.Process().children()) == before


def test_a_worker_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "_STARTS", "raise SystemExit('no such library')")
    worker = IsolatedWorker(LIMITS)
    with pytest.raises(ConfigurationError, match="no such library"):
        worker.start()
    worker.close()


def descriptors_of(process: psutil.Process) -> int | None:
    """How many it has open; None where only root may see that."""
    return process.num_fds() if os.geteuid() == 0 else None


def status_of(process: psutil.Process) -> str:
    return Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")


def test_limits_of_root_and_others(worker: IsolatedWorker) -> None:
    """What the kernel says of a job: no capability, a filter, no new privileges, and its limits."""
    zygote = zygote_of(worker)

    async def looked_at() -> tuple[dict[str, str], dict[int, tuple[int, int]], int | None]:
        job = asyncio.create_task(alone(worker, "import time\ntime.sleep(60)"))
        while not zygote.children():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        [child] = zygote.children()
        until(lambda: "Seccomp:\t2" in status_of(child))
        text = status_of(child)
        limits = {kind: child.rlimit(kind) for kind in (psutil.RLIMIT_CORE, psutil.RLIMIT_FSIZE)}
        files = descriptors_of(child)
        job.cancel()
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line), limits, files

    status, limits, files = asyncio.run(looked_at())
    assert (status["NoNewPrivs"], int(status["CapEff"], 16), int(status["CapPrm"], 16)) == ("1", 0, 0)
    assert limits == {psutil.RLIMIT_CORE: (0, 0), psutil.RLIMIT_FSIZE: (0, 0)}
    assert files is None or files <= 5  # with one on its own maps


def test_code_may_read_where_its_own_libraries_lie_and_nothing_else_that_the_system_says(run: Run) -> None:
    """Libraries that limit threads look there, and where it is refused, sklearn's clusters end with an error."""
    code = """
import os
def read(path):
    try:
        return bool(open(path).read())
    except OSError:
        return False
[read(path) for path in ("/proc/self/maps", f"/proc/{os.getpid()}/maps", f"/proc/{os.getppid()}/maps",
                         "/proc/self/environ", "/proc/self/cmdline", "/proc/meminfo")]"""
    assert run(code).value == [True, True, False, False, False, False]
