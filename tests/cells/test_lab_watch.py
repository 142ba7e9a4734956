"""The watch in a plain shell: the test's main thread is the kernel's."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.lab import LabCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.shown_cell import CellPlace
from qdash_jupyter.cells.watch import CellWatch
from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.errors import PageLost


@pytest.fixture
def watch(shell: InteractiveShell) -> Iterator[CellWatch]:
    opened = CellWatch(shell, Namespace(shell.user_ns))
    yield opened
    opened.close()


def test_registering_imports_nothing_heavy() -> None:
    code = (
        "import sys\nimport qdash_jupyter.cells.watch\n"
        "heavy = {'pydantic', 'pandas', 'numpy', 'plotly', 'anywidget', 'matplotlib', 'IPython'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_cell_without_figures_does_not_wait_for_plotly() -> None:
    code = (
        "import sys\nfrom qdash_jupyter.cells.surroundings import plotly_as_json\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "with plotly_as_json('1 + 1', shell):\n    pass\n"
        "assert 'plotly' not in sys.modules\n"
        "with plotly_as_json('import plotly.io as pio', shell):\n"
        "    import plotly.io as pio\n    assert pio.renderers.default == 'plotly_mimetype'\n"
        "with plotly_as_json('1 + 1', shell):\n    assert pio.renderers.default == 'plotly_mimetype'\n"
        "assert pio.renderers.default != 'plotly_mimetype'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- the gate


class ScriptedPage:
    """Takes cells or is lost."""

    def __init__(self, *, is_lost: bool) -> None:
        self.is_lost = is_lost
        self.asked: list[tuple[str, bool | None]] = []

    async def insert(self, cell: Any, *, patient: bool) -> None:
        self.asked.append((cell.asked.cell_id, patient))
        if self.is_lost:
            raise PageLost("It is gone.")

    async def put_in(self, _: str, cells: list[Any], **__: object) -> None:
        self.asked.append((cells[0]["cell_id"], None))
        if self.is_lost:
            raise PageLost("It is gone.")


@pytest.mark.parametrize("lost", [[], [True], [True, False], [True, True], [False, False]])
def test_one_page_after_the_other_is_asked_and_the_last_patiently(shell: InteractiveShell, lost: list[bool]) -> None:
    pages = [ScriptedPage(is_lost=each) for each in lost]
    lab = LabCells(shell, Namespace(shell.user_ns), lambda _: pages)  # pyrefly: ignore[bad-argument-type]

    async def work() -> tuple[bool, bool]:
        shown = await lab.show(CellRequest("r", "c", "1"), CellPlace("t", 1))
        return shown is not None, await lab.insert(CellRequest("r", "d", "1"), CellPlace("t", 1))

    assert asyncio.run(work()) == (not all(lost),) * 2
    tried = lost.index(False) + 1 if False in lost else len(lost)
    for number, page in enumerate(pages):
        assert page.asked == ([("c", number == len(pages) - 1), ("d", None)] if number < tried else [])
    lab.close()


def test_a_busy_kernel_of_a_plain_shell(watch: CellWatch, shell: InteractiveShell) -> None:
    seen: list[bool] = []
    shell.user_ns["look"] = lambda: seen.append(watch.busy)
    shell.run_cell("look()\nget_ipython().run_cell('look()')\nlook()")

    assert seen == [True, True, True]
    assert not watch.busy


def test_code_that_a_widget_runs_while_a_cell_awaits(shell: InteractiveShell) -> None:
    header = {"msg_id": "cell", "msg_type": "execute_request"}
    shell.kernel = SimpleNamespace(session=None, get_parent=lambda _: {"header": header})
    watch = CellWatch(shell, Namespace(shell.user_ns))
    cell, widget = (SimpleNamespace(info=SimpleNamespace(raw_cell=raw, cell_id=None)) for raw in ("await x", "y"))

    watch._before_cell(cell.info)
    header.update(msg_id="widget", msg_type="comm_msg")
    watch._before_cell(widget.info)
    busy = []
    for change, at in (
        (watch._after_cell, widget),
        (watch._after_cell, cell),
        (watch._before_cell, widget.info),
        (watch._after_cell, widget),
    ):
        change(at)
        busy.append(watch.busy)
    assert busy == [True, False, True, False]
    watch.close()


def test_jobs_need_a_kernel(watch: CellWatch) -> None:
    assert watch.run_when_idle(lambda: None) is False


class IdleKernel:
    """A kernel whose loop runs what it is given when the test says so."""

    def __init__(self) -> None:
        self.queued: list[Callable[[], None]] = []
        self.io_loop = SimpleNamespace(add_callback=lambda *call: self.queued.append(partial(*call)))
        self.session: Any = None

    def get_parent(self, _: str) -> dict[str, Any]:
        return {}


@pytest.fixture
def idle_kernel(shell: InteractiveShell) -> IdleKernel:
    shell.kernel = IdleKernel()
    return shell.kernel


def test_a_job_waits_for_the_cell_that_runs(idle_kernel: IdleKernel, shell: InteractiveShell) -> None:
    watch = CellWatch(shell, Namespace(shell.user_ns))
    ran: list[str] = []

    def give() -> None:
        assert watch.run_when_idle(lambda: ran.append("job"))
        idle_kernel.queued.pop()()  # the loop has come to it, in a cell that awaits

    shell.user_ns["give"] = give
    shell.run_cell("give()").raise_error()
    assert ran == []
    idle_kernel.queued.pop()()
    assert ran == ["job"]
    watch.close()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_job_that_fails_does_not_end_the_kernels_loop(
    idle_kernel: IdleKernel, shell: InteractiveShell, error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    def job() -> None:
        raise error

    watch = CellWatch(shell, Namespace(shell.user_ns))
    assert watch.run_when_idle(job)
    idle_kernel.queued.pop()()


def test_what_cells_of_an_earlier_kernel_have_bound_may_be_bound_anew(shell: InteractiveShell) -> None:
    """After "Run All" a page says which cells are the agent's."""
    namespace = Namespace(shell.user_ns)
    watch = CellWatch(shell, namespace)
    ran = {
        "a1": "table = [1]\nshare = 2",
        "p1": "mine = 3\nshare = 4",
        "a2": "%matplotlib --list\ncount = 5",
        "a3": "edited = 6",
    }
    for cell_id, code in ran.items():
        shell.run_cell(code, cell_id=cell_id, store_history=True)
    assert not namespace.may_bind

    watch.told({"a1": ran["a1"], "a2": ran["a2"], "a3": "edited = 5", "a4": "later = 7\n", "a5": "changed = 8"})

    assert namespace.may_bind == {"table", "count"}
    shell.run_cell("later = 7", cell_id="a4")
    shell.run_cell("changed = 9", cell_id="a5")
    assert namespace.may_bind == {"table", "count", "later"}
    shell.run_cell("table = 9", cell_id="p2")
    assert namespace.may_bind == {"count", "later"}
    watch.close()
