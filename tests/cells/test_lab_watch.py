"""The watch and the host in a plain shell: the test is the page, and its main thread the kernel's."""

from __future__ import annotations

import ast
import asyncio
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.interrupt import InterruptGate, interrupt_main_thread
from qdash_jupyter.cells.lab import LabCellHost, NoPage, RunsInline
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.notebook_cell import NotebookCell
from qdash_jupyter.cells.place import CellPlace
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.cells.watch import CellWatch
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.domain.wire.page import CellsTaken
from qdash_jupyter.errors import PageLost
from tests.cells.lab_kernel import outcome_of
from tests.session.conversation import open_shell

LONG = 20.0


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a start in the background ignores it
    with open_shell() as opened:
        yield opened
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def watch(shell: InteractiveShell) -> Iterator[CellWatch]:
    opened = CellWatch(shell, Namespace(shell.user_ns))
    yield opened
    opened.close()


class ScriptedPage:
    """Executes what it inserts, unless told otherwise."""

    def __init__(self, kernel: Kernel | None = None, client_id: str = "tab") -> None:
        self.client_id = client_id
        self.session = f"session of {client_id}"
        self.kernel = kernel
        self.executes = True
        self.alive = True
        self.insert_error: Exception | None = None
        self.acknowledges = asyncio.Event()
        self.acknowledges.set()
        self.inserted: list[CellRequest] = []
        self.removed: list[str] = []
        self.cells: list[NotebookCell] = []
        self.waited_for: list[bool] = []

    async def put_in(self, *_: object, **__: object) -> CellsTaken:
        raise PageLost("Not tried here.")

    async def is_alive(self) -> bool:
        return self.alive

    async def insert(self, cell: NotebookCell | ShownCell, *, patient: bool) -> None:
        assert isinstance(cell, NotebookCell)
        request = cell.asked
        self.waited_for.append(patient)
        if self.insert_error is not None and not self.executes:
            raise self.insert_error
        self.inserted.append(request)
        if self.executes and self.kernel is not None:
            self.kernel.execute("\n".join([*cell.place.setup, request.source]), request.cell_id)
        await self.acknowledges.wait()
        if self.insert_error is not None:
            raise self.insert_error
        cell.inserted()
        self.cells.append(cell)

    def send(self, message: object) -> None:
        raise AssertionError(message)

    def remove_cell(self, cell_id: str) -> None:
        self.removed.append(cell_id)


class Kernel:
    """Runs cells on the main thread, one after another, while the agent works on a thread of its own."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.pages: list[ScriptedPage] = []
        self.host = LabCellHost(shell, Namespace(shell.user_ns), self.in_order)
        self.watch = self.host.watch
        self.moves: list[str] = []
        self._queue: queue.Queue[tuple[str, str] | None] = queue.Queue()

    def in_order(self, preferred: str | None) -> list[ScriptedPage]:
        return self.pages

    def execute(self, code: str, cell_id: str) -> None:
        self._queue.put((code, cell_id))

    def ask(self, code: str, **options: Any) -> Coroutine[Any, Any, CellRun]:
        request = CellRequest("r", options.pop("cell_id", "c"), code)

        def moved(event: CellMoved | CellWarned) -> None:
            assert isinstance(event, CellMoved)
            self.moves.append(event.stage)

        return self.host.run(request, CellPlace("t", 1), publish=moved, **options)

    def play(self, scene: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """What the scene returns, or raises."""
        ended: list[Any] = []

        def agent() -> None:
            try:
                ended.append(asyncio.run(asyncio.wait_for(scene(), LONG)))
            except BaseException as error:  # noqa: BLE001 - raised below
                ended.append(error)
            self._queue.put(None)

        thread = threading.Thread(target=agent, daemon=True)
        thread.start()
        while (cell := self._queue.get(timeout=LONG + 5)) is not None:
            self.shell.run_cell(cell[0], store_history=True, cell_id=cell[1])
        thread.join(LONG)
        if isinstance(ended[0], BaseException):
            raise ended[0]
        return ended[0]


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - what the other thread does tells nobody
        await asyncio.sleep(0.001)


@pytest.fixture
def kernel(shell: InteractiveShell) -> Iterator[Kernel]:
    opened = Kernel(shell)
    yield opened
    opened.host.close()


# --- the watch


def test_a_cell_is_seen_from_beginning_to_end(kernel: Kernel, shell: InteractiveShell) -> None:
    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("level = 2\nlevel * 3")

    run: CellRun = kernel.play(scene)

    assert (run.status, run.value, run.created) == (CellStatus.OK, 6, ("level",))
    assert kernel.moves == ["inserted", "running", "finished"]
    assert not kernel.watch.busy
    assert shell.ast_transformers == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_exactly_the_approved_text_runs(kernel: Kernel, shell: InteractiveShell) -> None:
    """The shell's prompts and magics in it, too; not the lines above it, whose results are there."""
    fetched: list[str] = []
    shell.user_ns["fetch"] = fetched.append

    async def scene() -> CellRun:
        page = kernel.pages = [ScriptedPage(kernel)]
        request = CellRequest(
            "r", "c", ">>> n = 2\n>>> %alias_magic -l twice who\n>>> n * 3", before="fetch(\n    't1'\n)\n"
        )
        assert page
        return await kernel.host.run(request, CellPlace("t", 1, setup=("%load_ext nothing",)), publish=lambda _: None)

    run: CellRun = kernel.play(scene)

    assert (run.status, run.value, run.created) == (CellStatus.OK, 6, ("n",))
    assert shell.find_line_magic("twice") is not None
    assert fetched == []


def test_what_a_failed_cell_bound_is_gone(
    kernel: Kernel, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> tuple[CellRun, CellRun]:
        kernel.pages = [ScriptedPage(kernel)]
        await kernel.ask("level = 2", cell_id="before")
        failed = await kernel.ask("level = 3\ndef root(x):\n    return x.real + x.nothing\nroot(1)")
        return failed, await kernel.ask("level + 1")

    failed, went_on = kernel.play(scene)

    assert went_on.value == 3, "what was there before is back"
    assert failed.traceback.splitlines()[:2] == ["line 4: root(1)", "line 3, in root: return x.real + x.nothing"]
    assert "AttributeError" in capsys.readouterr().out
    assert not {"run_ast_nodes", "showtraceback"} & set(vars(shell))


def test_no_cell_meets_a_transformer(kernel: Kernel, shell: InteractiveShell) -> None:
    seen: list[int] = []
    shell.user_ns["look"] = lambda: seen.append(len(shell.ast_transformers))
    kernel.execute("look()", "theirs")

    async def scene() -> None:
        kernel.pages = [ScriptedPage(kernel)]
        await kernel.ask("look()")
        kernel.execute("look()", "theirs")

    kernel.play(scene)

    assert seen == [0, 0, 0]


def test_what_fails_inside_is_logged_and_never_shown(
    kernel: Kernel,
    shell: InteractiveShell,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object) -> Any:
        raise ValueError("broken")

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("done = 1")

    monkeypatch.setattr(Namespace, "before_run", broken)
    first: CellRun = kernel.play(scene)
    monkeypatch.undo()
    monkeypatch.setattr(Namespace, "bound_since", broken)
    second: CellRun = kernel.play(scene)

    assert (first.status, first.created) == (CellStatus.OK, ())
    assert second.status is CellStatus.ERROR
    assert "Can't read the output of the cell" in str(second.reason)
    assert caplog.text.count("ValueError: broken") == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "")
    assert shell.user_ns["done"] == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_hits_the_callbacks_themselves(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = CellWatch._arrived
    hits: list[str] = []

    def interrupted(watch: CellWatch, info: Any) -> None:
        if not hits:
            hits.append(info.cell_id)
            raise KeyboardInterrupt
        real(watch, info)

    monkeypatch.setattr(CellWatch, "_arrived", interrupted)

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("never = 1")

    run: CellRun = kernel.play(scene)

    assert hits == ["c"]
    assert run.status is CellStatus.INTERRUPTED  # not lost, and not shown as an error of ours
    assert "never" not in kernel.shell.user_ns
    assert "Error in callback" not in capsys.readouterr().out

    def at_its_end(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(CellWatch, "_left", at_its_end)
    kernel.shell.run_cell("1")
    assert "Error in callback" not in capsys.readouterr().out


def test_a_cell_does_not_wait_for_itself(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    real = NotebookCell.begin
    busy: list[bool] = []

    def begin(cell: NotebookCell, raw: str) -> bool:
        busy.append(kernel.watch.busy)  # the host asks for this just then, on its thread
        return real(cell, raw)

    monkeypatch.setattr(NotebookCell, "begin", begin)
    kernel.shell.user_ns["look"] = lambda: busy.append(kernel.watch.busy)

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("look()")

    kernel.play(scene)
    assert busy == [False, True]


def test_withdrawn_in_the_moment_in_which_it_begins(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    real = InterruptGate.install

    def install(gate: InterruptGate) -> None:
        real(gate)
        assert kernel.host.last_cell is not None
        kernel.host.last_cell.withdraw(PageLost("silent"))

    monkeypatch.setattr(InterruptGate, "install", install)

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("never = 1")

    with pytest.raises(NoPage):
        kernel.play(scene)
    assert "never" not in kernel.shell.user_ns
    assert kernel.pages[0].removed == ["c"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    kernel.shell.run_cell("never = 1", cell_id="c")  # of the user's own, by now
    assert "never" in kernel.shell.user_ns


def test_an_interrupt_before_the_first_line_runs_nothing(kernel: Kernel, shell: InteractiveShell) -> None:
    def press(_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    shell.events.register("pre_run_cell", press)

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("never = 1")

    run: CellRun = kernel.play(scene)

    assert run.status is CellStatus.INTERRUPTED
    assert "never" not in shell.user_ns


def test_an_interrupt_after_the_last_line_changes_nothing(
    kernel: Kernel, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    def press() -> None:
        signal.raise_signal(signal.SIGINT)

    shell.events.register("post_execute", press)

    async def scene() -> CellRun:
        kernel.pages = [ScriptedPage(kernel)]
        return await kernel.ask("done = 1")

    run: CellRun = kernel.play(scene)
    shell.events.unregister("post_execute", press)

    assert run.status is CellStatus.OK
    assert "KeyboardInterrupt" not in capsys.readouterr().out


def test_a_cell_whose_end_is_not_told(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    real = CellWatch._left
    monkeypatch.setattr(CellWatch, "_left", lambda watch, result: None)

    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        kernel.pages = [page]
        asked = asyncio.ensure_future(kernel.ask("done = 1"))
        await until(lambda: bool(page.cells) and "running" in kernel.moves)
        page.cells[0].reported("ok", 1)
        return await asked

    run: CellRun = kernel.play(scene)
    assert run.status is CellStatus.ABORTED
    assert "hasn't run it" in str(run.reason)
    monkeypatch.setattr(CellWatch, "_left", real)


def test_unloaded_while_a_cell_is_expected(kernel: Kernel, shell: InteractiveShell) -> None:
    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        page.executes = False
        kernel.pages = [page]
        asked = asyncio.ensure_future(kernel.ask("never = 1"))
        await until(lambda: bool(page.cells))
        kernel.watch.close()
        return await asked

    run: CellRun = kernel.play(scene)
    kernel.watch.close()

    assert run.status is CellStatus.ABORTED
    assert "unloaded" in str(run.reason)
    callbacks = [*shell.events.callbacks["pre_run_cell"], *shell.events.callbacks["post_run_cell"]]
    assert not any(getattr(callback, "__self__", None) is kernel.watch for callback in callbacks)


def test_a_request_runs_nothing_once_if_its_own_cell_was_withdrawn(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    header: dict[str, str] = {}
    shell.kernel = SimpleNamespace(session=None, get_parent=lambda _: {"header": header})
    watch = CellWatch(shell, Namespace(shell.user_ns))
    names = shell.user_ns

    async def withdraw(session: str) -> NotebookCell:
        cell = NotebookCell(
            CellRequest("r", "c", "x = 1"), ScriptedPage(None, session), lambda _: None, CellPlace("t", 1)
        )
        watch.expect(cell)
        assert cell.withdraw()
        return cell

    def runs(code: str, session: str) -> bool:
        header.update(session=f"session of {session}", msg_type="execute_request", msg_id=code + session)
        names.pop("x", None)
        shell.run_cell(code, cell_id="c")
        return "x" in names

    asyncio.run(withdraw("a"))
    assert runs("x = 1", "b")
    assert runs("x = 2  # the user's", "a")
    assert not runs("x = 1\n", "a")
    assert runs("x = 1", "a")

    asyncio.run(withdraw("a")).reported("ok")
    assert runs("x = 1", "a")

    real, interrupts = CellWatch._arrived, iter([KeyboardInterrupt])

    def interrupted(watch: CellWatch, info: Any) -> None:
        for interrupt in interrupts:
            raise interrupt
        real(watch, info)

    asyncio.run(withdraw("a"))
    monkeypatch.setattr(CellWatch, "_arrived", interrupted)
    assert not runs("x = 1", "a")

    for number in range(300):
        asyncio.run(withdraw(f"{number}"))
    assert len(watch._cells) <= 200
    assert not runs("x = 1", "299")
    watch.close()


def test_a_tree_that_a_magic_has_made_is_left_alone(watch: CellWatch) -> None:
    node = ast.parse("made = 1 + 1")

    assert (
        asyncio.run(watch._run_nodes(node.body, "<magic>", interactivity="none", compiler=watch._shell.compile))
        is False
    )
    assert watch._shell.user_ns["made"] == 2


def test_registering_imports_nothing_heavy() -> None:
    code = (
        "import sys\nimport qdash_jupyter.cells.watch\n"
        "heavy = {'pydantic', 'pandas', 'numpy', 'plotly', 'anywidget', 'matplotlib', 'IPython'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_cell_without_figures_does_not_wait_for_plotly() -> None:
    code = (
        "import sys\nfrom qdash_jupyter.cells.renderers import plotly_as_json\n"
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


def test_a_gate_waits_for_what_is_still_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = threading.Timer(0.1, interrupt_main_thread)
    monkeypatch.setattr("qdash_jupyter.cells.interrupt.interrupt_main_thread", slow.start)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        gate = InterruptGate()
        gate.install()
        assert gate.interrupt()
        gate.shut()
        gate.remove()
        assert not slow.is_alive() or not gate._on_its_way
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        slow.join()
        time.sleep(0.1)  # a signal that got past the gate would raise here
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_is_held_is_done_whole() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    gate = InterruptGate()
    gate.install()
    try:
        done: list[str] = []

        def interrupted() -> None:
            with gate.held():
                signal.raise_signal(signal.SIGINT)
                done.append("whole")

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        with gate.held():
            done.append("again")
        with gate.held():
            signal.raise_signal(signal.SIGINT)
            gate.shut()
        assert done == ["whole", "again"]
    finally:
        gate.shut()
        gate.remove()
        signal.signal(signal.SIGINT, before)


def test_a_gate_leaves_the_codes_own_handler_in_place() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        gate = InterruptGate()
        gate.install()
        theirs: Any = lambda *_: None  # noqa: E731
        signal.signal(signal.SIGINT, theirs)
        assert gate.interrupt()
        gate.shut()
        gate.remove()
        assert signal.getsignal(signal.SIGINT) is theirs
    finally:
        signal.signal(signal.SIGINT, before)


# --- the host


def test_no_page(kernel: Kernel) -> None:
    with pytest.raises(NoPage):
        kernel.play(lambda: kernel.ask("never = 1"))
    assert kernel.moves == []


def test_the_last_page_is_waited_for_longer(kernel: Kernel) -> None:
    kernel.pages = [ScriptedPage(kernel, "first"), ScriptedPage(kernel, "second")]
    for page in kernel.pages:
        page.executes, page.insert_error = False, PageLost("silent")
    with pytest.raises(NoPage):
        kernel.play(lambda: kernel.ask("never = 1"))
    assert [page.waited_for for page in kernel.pages] == [[False], [True]]
    assert kernel.moves == []


def test_the_cell_runs_although_its_insertion_is_never_acknowledged(kernel: Kernel) -> None:
    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        page.insert_error = PageLost("too late")
        page.acknowledges.clear()
        kernel.pages = [page, ScriptedPage(kernel, "next")]
        asked = asyncio.ensure_future(kernel.ask("import time\ntime.sleep(0.3)\ntimes = 1\ntimes"))
        await until(lambda: "running" in kernel.moves)
        page.acknowledges.set()
        return await asked

    run: CellRun = kernel.play(scene)

    assert run.value == 1
    assert kernel.pages[1].inserted == []
    assert kernel.moves == ["inserted", "running", "finished"]


def test_an_insertion_that_is_acknowledged_after_the_cell_has_run(kernel: Kernel) -> None:
    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        page.acknowledges.clear()
        kernel.pages = [page]
        return await kernel.ask("1 + 1")

    assert kernel.play(scene).value == 2


def test_a_page_that_fails_in_another_way(kernel: Kernel) -> None:
    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        page.executes, page.insert_error = False, ConnectionError("gone")
        kernel.pages = [page]
        return await kernel.ask("never = 1")

    with pytest.raises(ConnectionError):
        kernel.play(scene)
    kernel.shell.run_cell("never = 1", cell_id="c")
    assert "never" not in kernel.shell.user_ns


def test_stopped_while_it_is_inserted(kernel: Kernel) -> None:
    async def scene() -> bool:
        page = ScriptedPage(kernel)
        page.executes = False
        page.acknowledges.clear()
        kernel.pages = [page]
        asked = asyncio.ensure_future(kernel.ask("never = 1"))
        await until(lambda: bool(page.inserted))
        asked.cancel()
        await asyncio.wait([asked])
        return asked.cancelled()

    assert kernel.play(scene)
    assert kernel.pages[0].removed == ["c"]
    kernel.shell.run_cell("never = 1", cell_id="c")  # it comes all the same
    assert "never" not in kernel.shell.user_ns
    assert outcome_of(kernel.host) is None


def test_stopped_twice(kernel: Kernel) -> None:
    async def scene() -> bool:
        kernel.pages = [ScriptedPage(kernel)]
        asked = asyncio.ensure_future(kernel.ask("began = 1\nwhile True:\n    pass"))
        await until(lambda: "began" in kernel.shell.user_ns)
        asked.cancel()
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.wait([asked])
        return asked.cancelled()

    assert kernel.play(scene)
    run = outcome_of(kernel.host)
    assert run is not None
    assert run.status is CellStatus.INTERRUPTED
    assert kernel.moves == ["inserted", "running", "finished"]


def test_taken_over_before_anything(kernel: Kernel) -> None:
    async def scene() -> None:
        page = ScriptedPage(kernel)
        page.executes = False
        kernel.pages = [page]
        runs_inline = asyncio.Event()
        runs_inline.set()
        await kernel.ask("never = 1", runs_inline=runs_inline)

    with pytest.raises(RunsInline):
        kernel.play(scene)


def test_a_page_that_misses_one_ping_is_not_lost(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qdash_jupyter.cells.lab.PING_S", 0.02)

    async def scene() -> CellRun:
        page = ScriptedPage(kernel)
        page.executes = False
        answers = iter([False, True, False, True])

        async def is_alive() -> bool:
            return next(answers, True)

        page.is_alive = is_alive  # type: ignore[method-assign]
        kernel.pages = [page]
        asked = asyncio.ensure_future(kernel.ask("1 + 1"))
        await asyncio.sleep(0.5)
        assert not asked.done()
        kernel.execute("1 + 1", "c")
        return await asked

    assert kernel.play(scene).value == 2


def test_one_cell_at_a_time_also_after_the_agents_thread_began_anew(kernel: Kernel) -> None:
    async def scene() -> list[CellRun]:
        kernel.pages = [ScriptedPage(kernel)]
        asked = [kernel.ask(f"{number}", cell_id=f"c{number}") for number in range(3)]
        return await asyncio.gather(*asked)

    for _ in range(2):
        runs: list[CellRun] = kernel.play(scene)
        assert [run.value for run in runs] == [0, 1, 2]
        assert kernel.moves == ["inserted", "running", "finished"] * 3
        kernel.moves.clear()


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
        self.session = None

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
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert watch.run_when_idle(job)
        idle_kernel.queued.pop()()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


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
