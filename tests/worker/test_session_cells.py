"""Code of a conversation in its session: what it has of the kernel, and what becomes of its names there."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.kernel.session_cells import SessionCells
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.inside import OF_KERNEL
from qdash_jupyter.worker.isolated import IsolatedWorker
from tests.patience import PATIENCE_S
from tests.worker.conftest import LIMITS, stored

Value = TypeVar("Value")


class MainThread:
    """Of a kernel that may be running a cell of the user's, which `free` ends."""

    def __init__(self) -> None:
        self.is_busy = False
        self._free = asyncio.Event()

    async def do(self, work: Callable[[], Value]) -> Value:
        if self.is_busy:
            await self._free.wait()
        return work()

    def free(self) -> None:
        self.is_busy = False
        self._free.set()


class Bench:
    """A conversation's session beside a shell."""

    stored_key = "t1"

    def __init__(self, worker: IsolatedWorker) -> None:
        self.shell = InteractiveShell()
        self.names: dict[str, Any] = self.shell.user_ns
        self.namespace = Namespace(self.names)
        self.session = worker.session({self.stored_key: stored()})
        self.cells = SessionCells(self.session, self.namespace, self.shell)
        self.cell: ShownCell | None = None
        self.said: list[str] = []
        self.told: list[dict[str, Any]] = []

    def request(self, code: str) -> CellRequest:
        return CellRequest("r", f"cell-{code[:9]}", code)

    async def run(self, code: str, main: MainThread | None = None, *, shown: bool = False) -> CellRun:
        request = self.request(code)
        tell = lambda message: self.told.append({**message})  # noqa: E731
        self.cell = ShownCell(request, CellPlace("t", 1), tell) if shown else None
        return await self.cells.run(request, self.cell, main or MainThread(), self._heard)

    def _heard(self, event: CellMoved | CellWarned) -> None:
        self.said.append(event.stage if isinstance(event, CellMoved) else str(event.message))


@pytest.fixture
def bench(worker: IsolatedWorker) -> Iterator[Bench]:
    made = Bench(worker)
    yield made
    made.cells.session.close()


def go(work: Coroutine[Any, Any, Value]) -> Value:
    return asyncio.run(asyncio.wait_for(work, 60))


async def soon(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)


def test_what_code_makes_is_a_name_of_the_notebook(bench: Bench) -> None:
    frame = bench.names["df"] = pd.DataFrame({"qid": ["Q00", "Q01"], "t1": [50.0, 60.5]})
    run = go(bench.run("best = df[df.t1 > 55]\nprint(len(best))"))
    assert (run.status, run.text, run.created, run.left) == (CellStatus.OK, "1\n", ("best",), ())
    assert bench.names["best"].equals(pd.DataFrame({"qid": ["Q01"], "t1": [60.5]}, index=[1]))
    assert bench.names["df"] is frame
    assert "best" in bench.namespace.own


def test_code_changes_a_copy_of_what_is_the_users(bench: Bench) -> None:
    frame = bench.names["df"] = pd.DataFrame({"t1": [50.0, 60.5]})
    run = go(bench.run("df['t1'] *= 2\ndf['t1'].sum()", shown=True))
    text = "df_2 = df.copy()\ndf_2['t1'] *= 2\ndf_2['t1'].sum()"
    assert (run.value, run.request.code, run.copies) == (221.0, text, {"df": "df_2"})
    assert bench.told[-1]["rewritten"] == {"before": "df['t1'] *= 2\ndf['t1'].sum()", "after": text}
    assert (bench.names["df_2"]["t1"].tolist(), frame["t1"].tolist()) == ([100.0, 121.0], [50.0, 60.5])
    assert run.created == ("df_2",)
    assert go(bench.run("df_2['new'] = 0\ndf_2.head()")).created == ("df_2",)
    again = go(bench.run("df['t1'].sum(), df_2['t1'].sum()"))
    assert (again.value, again.copies) == ([110.5, 221.0], {})
    bench.names["settings"] = {"a": [1]}
    run = go(bench.run("settings['a'].append(2)"))
    assert run.request.code.startswith("from copy import deepcopy\nsettings_2 = deepcopy(settings)\nsettings_2")
    assert bench.names["settings"] == {"a": [1]}
    bench.shell.run_cell(run.request.code)
    assert (bench.names["settings"], bench.names["settings_2"]) == ({"a": [1]}, {"a": [1, 2]})


def test_what_the_kernel_has_no_more_is_gone_from_the_session(bench: Bench) -> None:
    bench.names["df"] = pd.DataFrame({"v": [1.0]})
    go(bench.run("best = df.v.sum()"))
    given = bench.namespace.give_up({"best"})  # Undo
    del bench.names["df"]
    assert "NameError: name 'df'" in go(bench.run("df")).traceback
    assert "NameError: name 'best'" in go(bench.run("best")).traceback
    assert bench.namespace.take_up(given) == []  # put back
    assert go(bench.run("best + 1")).value == 2.0


def test_what_code_deletes_is_gone_but_for_the_users(bench: Bench) -> None:
    bench.names["mine"] = 1
    go(bench.run("made, staying = 2, iter([])"))
    bench.names["other"] = bench.names["made"]
    code, others = bench.namespace.with_free_names("del made, staying, mine")
    assert (code, others) == ("mine_2 = mine\ndel made, staying, mine_2", {"mine": "mine_2"})
    assert go(bench.run(code)).status is CellStatus.OK
    assert bench.names.keys() & {"made", "staying", "mine", "mine_2", "other"} == {"mine", "other"}
    assert "NameError: name 'made'" in go(bench.run("made")).traceback
    assert bench.cells.carried.before("staying") == ([], [])
    go(bench.run("[globals().pop(name) for name in ('mine', 'other')]"))
    assert go(bench.run("mine, other")).value == [1, 2]


def test_a_magic_is_run_as_in_a_notebook(bench: Bench) -> None:
    bench.names["xs"] = [1]
    assert (go(bench.run("%time n = 1")).status, bench.names["n"]) == (CellStatus.OK, 1)
    run = go(bench.run("%time xs.append(2)"))  # where its copy would begin cannot be told
    assert (run.status, [str(effect.does) for effect in run.effects]) == (CellStatus.REJECTED, ["changes"])
    assert bench.names["xs"] == [1]


def test_no_name_of_the_users_nor_of_pythons_is_bound(bench: Bench) -> None:
    bench.names["mine"] = 1
    hidden = bench.names["get_ipython"]
    run = go(bench.run("mine, print_, print, copilot, get_ipython, new = 2, 3, 4, 5, 6, 7"))
    assert (run.status, sorted(run.left)) == (CellStatus.OK, ["mine", "print"])
    assert (bench.names["mine"], bench.names["new"], bench.names["get_ipython"] is hidden) == (1, 7, True)
    assert not {"print", "copilot"} & bench.names.keys()


def test_a_busy_kernel_holds_up_only_code_that_reads_the_users_names(bench: Bench) -> None:
    bench.names.update(df=pd.DataFrame({"v": [1.0]}), pd=pd)

    async def work() -> None:
        main = MainThread()
        main.is_busy = True
        at_once = await bench.run("level = float(pd.Series([2.0]).sum())", main, shown=True)
        assert not at_once.traceback
        again = await bench.run("other = level + 1", main)
        assert (at_once.status, again.status, "level" in bench.names) == (CellStatus.OK, CellStatus.OK, False)
        assert bench.told[-1]["execution_count"] is None
        bench.said.clear()
        waits = asyncio.ensure_future(bench.run("total = df.v.sum() + level", main))
        await soon(lambda: "waiting" in bench.said)
        assert ([str(each) for each in bench.said], waits.done()) == (
            ["waiting", "Waiting for your cell, because the code reads df."],
            False,
        )
        bench.names["other"] = "the user's, bound in their cell"
        main.free()
        assert (await waits).status is CellStatus.OK
        assert [bench.names[name] for name in ("level", "total")] == [2.0, 3.0]
        assert bench.names["other"] == "the user's, bound in their cell"
        await soon(lambda: bench.told[-1]["execution_count"] is not None)

    go(work())


def test_code_that_needs_the_kernel_is_as_if_it_had_not_run(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "report.csv"
    run = go(bench.run(f"a = 1\ntry:\n    open({str(file)!r}, 'w')\nexcept Exception:\n    pass\na"))
    assert (run.status, [str(effect) for effect in run.effects]) == (CellStatus.REJECTED, [f"writes `{file}`"])
    assert (file.exists(), "a" in bench.names) == (False, False)
    assert "NameError" in go(bench.run("a")).traceback


READ = {
    "open('scan.csv')": "reads `scan.csv`",
    "import os; os.listdir('scans')": "reads `scans`",
    "import os; os.listdir()": "reads `.`",
    "import os; os.chdir('scans')": "uses `os.chdir`",
    "import pandas as pd; pd.read_csv('{folder}/scan.csv')": "reads `{folder}/scan.csv`",
    "import pandas as pd; pd.read_csv('nothing.csv')": "",
}


def reads(worker: IsolatedWorker, folder: Path, patch: pytest.MonkeyPatch) -> tuple[dict[str, str], dict[str, str]]:
    """What is said of code that reads what lies beside the notebook, or nowhere, and what is to be said."""
    (folder / "scans").mkdir()
    (folder / "scan.csv").write_text("level\n1\n")
    patch.chdir(folder)
    wanted = {code.format(folder=folder): effect.format(folder=folder) for code, effect in READ.items()}
    bench = Bench(worker)
    runs = {code: go(bench.run(code)) for code in wanted}
    bench.cells.session.close()
    return {code: str(run.effects[0]) if run.effects else "" for code, run in runs.items()}, wanted


def test_a_file_beside_the_notebook_is_asked_for_by_its_name(
    worker: IsolatedWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, wanted = reads(worker, tmp_path, monkeypatch)
    assert said == wanted
    long = tmp_path / f"{'scan' * 60}.csv"
    long.write_text("level\n")
    bench = Bench(worker)
    run = go(bench.run(f"try:\n    open({str(long)!r})\nexcept OSError:\n    pass"))
    bench.cells.session.close()
    assert run.status is CellStatus.REJECTED


def test_a_session_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "_STARTS", "raise RuntimeError('a broken library')")
    with closing(IsolatedWorker(LIMITS)) as worker:
        [effect] = go(Bench(worker).run("1 + 1")).effects
    why = "The worker for the model's code doesn't start. RuntimeError: a broken library"
    assert (str(effect.does), str(effect.what), str(effect.note)) == ("has no", "session of its own", why)


class SignalGenerator:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def test_what_it_uses_of_the_kernel_is_told_with_its_type(bench: Bench) -> None:
    bench.names["awg"] = SignalGenerator()
    run = go(bench.run("n = 3\nawg.output_on(n)"))
    assert [(str(effect.does), effect.what, effect.note) for effect in run.effects] == [
        ("uses", "awg.output_on", "SignalGenerator")
    ]


def test_what_needs_a_page_needs_the_kernel(bench: Bench) -> None:
    bench.names["copilot"] = object.__new__(Copilot)
    key = bench.stored_key
    needs = {
        "input('Your name? ')": "uses `input`",
        "try:\n    input()\nexcept EOFError:\n    pass": "uses `input`",
        "import getpass\ngetpass.getpass()": "uses `input`",
        "import ipywidgets\nipywidgets.IntSlider()": "uses `ipywidgets.Widget`",
        f"copilot.data[{key!r}].explore()": f"uses `copilot.data[{key!r}].explore`",
        f"data[{key!r}].refresh()": f"uses `copilot.data[{key!r}].refresh`",
        "copilot.ask('Is Q07 OK?')": "uses `copilot.ask`",
    }
    runs = {code: go(bench.run(code)) for code in needs}
    assert {code: str(run.effects[0]) for code, run in runs.items() if run.effects} == needs
    assert {run.status for run in runs.values()} == {CellStatus.REJECTED}
    misspelt = go(bench.run("copilot.dta"))
    assert (misspelt.status, misspelt.effects) == (CellStatus.ERROR, ())
    assert "has no 'dta'" in misspelt.traceback
    assert {name for name in vars(Copilot) if not name.startswith("_")} == OF_KERNEL


def test_what_it_imports_is_bound_where_the_kernel_has_it(bench: Bench) -> None:
    code = "from json import dumps\nimport wave as dom, sys\nsys.modules['json'].loads = sys.exit"
    run = go(bench.run(code, shown=True))
    assert (run.status, bench.told[-1]["stays"]) == (CellStatus.OK, [])
    assert (bench.names["dumps"]({}), bench.names["sys"] is sys, "dom" in bench.names) == ("{}", True, False)
    assert bench.cells.carried.before("dom.open(1)")[1] == ["cell-from json"]


def test_nothing_builds_on_code_that_failed(bench: Bench) -> None:
    go(bench.run("n = 1"))
    assert go(bench.run("n = 2\nm = 3\n1 / 0")).status is CellStatus.ERROR
    assert bench.names["n"] == 1
    assert go(bench.run("n + 1")).value == 2
    assert "NameError" in go(bench.run("m")).traceback


def test_what_stays_there_can_be_made_in_the_kernel(bench: Bench) -> None:
    go(bench.run("import numpy as np\nx = np.arange(3.0)"))
    run = go(bench.run("class Fit:\n    slope = 2.0\nfit = Fit()", shown=True))
    assert (run.created, bench.told[-1]["stays"], bench.told[-1]["needs"]) == (("Fit", "fit"), ["Fit", "fit"], [])
    go(bench.run("y = fit.slope * x"))
    code, cells = bench.cells.carried.before("fit.slope + 1")
    assert cells == ["cell-class Fit", "cell-y = fit.s"]  # which may have changed it
    assert code == ["class Fit:\n    slope = 2.0\nfit = Fit()", "y = fit.slope * x"]
    assert bench.told[-1]["stays"] == ["Fit", "fit"]
    assert bench.cells.carried.before("x.sum()") == ([], [])


def test_a_session_that_began_anew_is_given_again_what_it_had(bench: Bench) -> None:
    bench.names["df"] = pd.DataFrame({"v": [1.0, 2.0]})
    go(bench.run("n = df.v.sum()\ngone = iter([1])"))
    ended = go(bench.run("import os\nos._exit(3)"))
    assert ("ended its process" in ended.traceback, ended.gone) == (True, ("gone",))
    assert go(bench.run("df.v.sum() + n")).value == 6.0


def test_a_cell_that_the_user_deletes_has_made_nothing(bench: Bench) -> None:
    async def work() -> CellRun:
        running = asyncio.ensure_future(bench.run("import time\nn = 1\ntime.sleep(0.3)", shown=True))
        await soon(lambda: bool(bench.told))
        assert bench.cell is not None
        bench.cell.is_deleted = True
        return await running

    assert (go(work()).status, "n" in bench.names) == (CellStatus.DELETED, False)


def test_a_stop_leaves_what_earlier_code_has_made(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an interrupt suffices: on a busy machine it is heard late."""
    monkeypatch.setattr("qdash_jupyter.worker.isolated.STOPS_WITHIN_S", PATIENCE_S)

    async def work() -> None:
        await bench.run("n = 1\nfit = iter([1])")
        running = asyncio.ensure_future(bench.run("print('here', flush=True)\nwhile True: pass", shown=True))
        await soon(lambda: any(message["outputs"] for message in bench.told))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert bench.told[-1]["state"] == "ended"
        assert (await bench.run("(n, next(fit))")).value == [1, 1]

    go(work())


def test_the_page_is_told_what_has_changed(bench: Bench) -> None:
    code = (
        "import time\nfrom IPython.display import display, HTML\ndisplay(HTML('<b>one</b>'))\ntime.sleep(0.2)\n"
        "print('a')\ntime.sleep(0.2)\nprint('b')\ntime.sleep(0.2)\n3"
    )
    run = go(bench.run(code, shown=True))
    assert [message["n"] for message in bench.told] == [*range(1, len(bench.told) + 1)]
    assert ([message["state"] for message in bench.told][-1], run.execution_count) == ("ended", 1)
    shown: list[Any] = []
    for message in bench.told:
        assert message["unchanged"] <= len(shown)
        shown = [*shown[: message["first"]], *message["outputs"]]
    assert tuple(shown) == run.outputs
    assert bench.told[-1]["first"] == 0
    assert bench.told[-1]["unchanged"] in {2, 3}, "the value of the last line is told at the end, or just before"
    assert bench.shell.execution_count == 2
