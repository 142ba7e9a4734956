"""The worker as the kernel of a conversation: what runs there at once, and what is still asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from qdash_jupyter.cells.host import CellHost, Kernel
from qdash_jupyter.cells.shown_cell import CellPlace
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.errors import NotApproved
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.analysis import AnalysisArguments, execute_python_analysis, isolated_analysis
from qdash_jupyter.tools.approval import ask_before_acting
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.spec import ToolContext
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.kernel import WorkerKernel
from tests.patience import PATIENCE_S
from tests.worker.conftest import stored

CODE = "import os\nprint('ran')\nopen('/etc/passwd')"
"""The guard would ask about it."""


@pytest.fixture
def store() -> FrameStore:
    made = FrameStore()
    put(made, "t1")
    return made


def put(store: FrameStore, key: str) -> None:
    one = stored(key)
    store.put(key, one.source, lambda *_: one)


@pytest.fixture
def kernel(worker: IsolatedWorker, store: FrameStore) -> Iterator[WorkerKernel]:
    with closing(WorkerKernel(worker, store)) as one:
        yield one


@pytest.fixture
def cells(kernel: Kernel) -> CellHost:
    runner: Any = None
    return kernel.for_turn(CellPlace("turn", 0), runner)


def run(cells: CellHost, code: str) -> tuple[CellRun, list[Any]]:
    moves: list[Any] = []
    return asyncio.run(cells.run(CellRequest("r", "c", code), moves.append)), moves


def test_a_run(cells: CellHost) -> None:
    found, moves = run(cells, "import plotly.express as px\nprint('p')\npx.line(y=data['t1'].frame['v']).show()\n1 + 1")
    assert (found.status, found.text, found.value, found.traceback, found.created) == (
        CellStatus.OK,
        "p\n",
        2,
        "",
        ("px",),
    )
    [chart] = found.charts
    assert chart.data[0]["y"] == [50.0, None, 52.0]
    assert [(move.stage, move.in_notebook) for move in moves] == [("running", False), ("finished", False)]


def test_an_error(cells: CellHost) -> None:
    found, _ = run(cells, "print('p')\n1 / 0")
    assert (found.status, found.text) == (CellStatus.ERROR, "p\n")
    assert found.traceback == "line 2: 1 / 0\nZeroDivisionError: division by zero"


def test_no_cell_is_inserted(cells: CellHost) -> None:
    found = asyncio.run(cells.insert(CellRequest("r", "c", "1")))
    assert (found.status, bool(found.reason)) == (CellStatus.REJECTED, True)


def test_where_nothing_confines_it_is_rejected(store: FrameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qdash_jupyter.worker.isolated.why_unconfined", lambda: "Only Linux confines.")
    worker = IsolatedWorker()
    found, moves = run(WorkerKernel(worker, store).for_turn(), "1")
    worker.close()
    assert (found.status, "Only Linux confines." in str(found.reason)) == (CellStatus.REJECTED, True)
    assert [move.stage for move in moves] == ["running", "finished"]


@pytest.fixture
def context(kernel: Kernel, cells: CellHost, store: FrameStore, snapshot: Path) -> ToolContext:
    return ToolContext(SnapshotReader(snapshot), store, kernel.namespace, ChipScope(), cells=cells)


@pytest.mark.parametrize(
    ("policy", "status"),
    [("guarded", "error"), ("trusted", "error"), ("review", "rejected"), ("insert_only", "rejected")],
)
def test_what_runs_without_a_question(policy: Policy, status: str, context: ToolContext) -> None:
    context = replace(context, policy=policy)
    output = asyncio.run(execute_python_analysis(AnalysisArguments(code=CODE), context))
    assert output.content is not None
    assert output.content["status"] == status
    if status == "error":
        assert output.content["text"] == "ran\n"
        assert "PermissionError" in output.content["traceback"]


def test_tools_that_act_are_asked_about_there_too(context: ToolContext) -> None:
    spec = isolated_analysis("frames")
    with pytest.raises(NotApproved):
        asyncio.run(ask_before_acting(spec, AnalysisArguments(code="1"), context))


def test_the_tool_says_what_is_true_there() -> None:
    frames, records = isolated_analysis("frames"), isolated_analysis("records")
    for spec in (frames, records):
        assert (spec.name, spec.args) == ("execute_python_analysis", AnalysisArguments)
        for word in ("No files, no network", "'output'", "'chart'", "data['t1']"):
            assert word in spec.description
        assert "matplotlib" not in spec.description  # it wants a folder to write to
        assert "notebook" not in spec.description + spec.guidance
        assert len(spec.description) < 950
    assert "methods" in frames.description
    assert "methods" not in records.description


def test_results_are_those_of_the_moment(kernel: Kernel, cells: CellHost, store: FrameStore) -> None:
    put(store, "t2")
    found, _ = run(cells, "sorted(data)")
    assert found.value == ["t1", "t2"]
    assert isinstance(store["t2"], StoredResult)


def test_code_calls_the_tools_that_read(kernel: WorkerKernel, store: FrameStore) -> None:
    """In the kernel of a conversation, so often in a turn."""
    calls: list[tuple[str, list[Any], dict[str, Any]]] = []

    def call(tool: str, by_place: Sequence[Any], by_name: dict[str, Any]) -> Any:
        calls.append((tool, list(by_place), by_name))
        if tool == "get_chip_topology":
            return {"qubits": 64}
        if tool == "get_chip_parameter_timeseries":
            put(store, "t1_2")
            return store["t1_2"]
        msg = f"There is no tool {tool!r} to call from Python."
        raise AttributeError(msg)

    kernel.give({}, call, 4)

    def turn() -> CellHost:
        runner: Any = None
        return kernel.for_turn(CellPlace("turn", 0), runner)

    cells = turn()
    assert run(cells, "copilot.tools.get_chip_topology('A')['qubits']")[0].value == 64
    fetched, _ = run(
        cells,
        "new = copilot.tools.get_chip_parameter_timeseries(parameter_name='t1', last_n=3)\n"
        "[len(new.frame), sorted(data), data['t1_2'].frame.equals(new.frame)]",
    )
    assert (fetched.traceback, fetched.value) == ("", [3, ["t1", "t1_2"], True])
    assert calls == [
        ("get_chip_topology", ["A"], {}),
        ("get_chip_parameter_timeseries", [], {"parameter_name": "t1", "last_n": 3}),
    ]
    assert "There is no tool 'get_t1'" in run(cells, "copilot.tools.get_t1()")[0].traceback
    assert run(cells, "copilot.tools.get_chip_topology()['qubits']")[0].value == 64
    assert "4 times per question" in run(cells, "copilot.tools.get_chip_topology()")[0].traceback
    assert run(turn(), "copilot.tools.get_chip_topology()['qubits']")[0].value == 64


def test_without_tools_code_is_told_so(cells: CellHost) -> None:
    assert "There are no tools here." in run(cells, "copilot.tools.get_chip_topology()")[0].traceback


def test_a_picture_that_nobody_sees_is_told(cells: CellHost) -> None:
    found, _ = run(cells, "import matplotlib.pyplot as plt\nprint('drawn')\nplt.plot([1, 2]);")
    assert found.text == "drawn\nDrawn with Matplotlib: 1, which the answer cannot show. Draw with Plotly."
    assert [output["output_type"] for output in found.outputs] == ["stream", "display_data"]


def test_a_stop_does_not_wait_for_a_tool(kernel: WorkerKernel, cells: CellHost) -> None:
    called, answers = Event(), Event()

    def call(*_: Any) -> Any:
        called.set()
        answers.wait(PATIENCE_S)
        return {}

    async def person() -> None:
        request = CellRequest("r", "c", "copilot.tools.get_chip_topology()")
        running = asyncio.create_task(cells.run(request, lambda _: None))
        await asyncio.to_thread(called.wait, PATIENCE_S)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(running, PATIENCE_S / 2)

    kernel.give({}, call, 4)
    try:
        asyncio.run(person())
        assert not answers.is_set()
    finally:
        answers.set()
    assert run(cells, "6 * 7")[0].value == 42


def test_a_tool_that_has_a_defect_fails_as_a_tool(kernel: WorkerKernel, cells: CellHost) -> None:
    def call(*_: Any) -> Any:
        raise RuntimeError

    kernel.give({}, call, 4)
    assert "get_chip_topology failed inside the copilot" in run(cells, "copilot.tools.get_chip_topology()")[0].traceback
    assert run(cells, "6 * 7")[0].value == 42
