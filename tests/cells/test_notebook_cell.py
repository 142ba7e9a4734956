"""Each report to a cell, in each of its states."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from qdash_jupyter.cells import notebook_cell
from qdash_jupyter.cells.notebook_cell import CellState, NotebookCell
from qdash_jupyter.cells.place import CellPlace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.errors import PageLost
from qdash_jupyter.messages.message import Message
from tests.cells.test_lab_watch import ScriptedPage

ASKED, INSERTED, WAITING, RUNNING = CellState.ASKED, CellState.INSERTED, CellState.WAITING, CellState.RUNNING
ENDED, WITHDRAWN, GONE = CellState.ENDED, CellState.WITHDRAWN, CellState.GONE
NOT_BEGUN = (ASKED, INSERTED, WAITING)

PLACE = CellPlace("t", 1)
REQUEST = CellRequest("r", "c", "x = 1")
DROPPED = Message("cell-withdrawn")
EDITED = "x = 2"


REPORTS: dict[str, Callable[[NotebookCell], object]] = {
    "inserted": NotebookCell.inserted,
    "another cell runs": NotebookCell.wait,
    "begins": lambda cell: cell.begin("x = 1\r\n"),
    "begins, edited": lambda cell: cell.begin(EDITED),
    "ends": lambda cell: cell.end(CellRun(cell.request, CellStatus.OK)),
    "is interrupted": lambda cell: cell.end(CellRun(cell.request, CellStatus.INTERRUPTED)),
    "the page is lost": lambda cell: cell.withdraw(PageLost("silent")),
    "Stop": NotebookCell.withdraw,
    "its request comes and runs nothing": lambda cell: cell.drop(DROPPED),
    "unloaded": lambda cell: cell.drop(DROPPED),
    "the page: deleted": lambda cell: cell.reported("deleted"),
    "the page: no kernel": lambda cell: cell.reported("no_kernel"),
    "the page: dropped twice": lambda cell: cell.reported("aborted"),
    "the page: ended": lambda cell: cell.reported("ok", 3),
    "the page: ended in an error": lambda cell: cell.reported("error", 3),
}
WAYS: dict[CellState, list[str]] = {
    ASKED: [],
    INSERTED: ["inserted"],
    WAITING: ["inserted", "another cell runs"],
    RUNNING: ["begins"],
    ENDED: ["begins", "ends"],
    WITHDRAWN: ["Stop"],
    GONE: ["Stop", "its request comes and runs nothing"],
}
NEXT: dict[tuple[str, tuple[CellState, ...]], CellState] = {
    ("inserted", (ASKED,)): INSERTED,
    ("another cell runs", (INSERTED,)): WAITING,
    ("begins", NOT_BEGUN): RUNNING,
    ("begins, edited", NOT_BEGUN): RUNNING,
    ("ends", (RUNNING,)): ENDED,
    ("is interrupted", (RUNNING,)): ENDED,
    ("the page is lost", NOT_BEGUN): WITHDRAWN,
    ("Stop", NOT_BEGUN): WITHDRAWN,
    ("its request comes and runs nothing", (*NOT_BEGUN, WITHDRAWN)): GONE,
    ("unloaded", (*NOT_BEGUN, WITHDRAWN)): GONE,
    ("the page: deleted", NOT_BEGUN): WITHDRAWN,
    ("the page: no kernel", NOT_BEGUN): WITHDRAWN,
    ("the page: dropped twice", (*NOT_BEGUN, WITHDRAWN)): GONE,
    ("the page: ended", (*NOT_BEGUN, WITHDRAWN)): GONE,
    ("the page: ended in an error", (*NOT_BEGUN, WITHDRAWN)): GONE,
    ("the page: ended", (RUNNING,)): ENDED,
    ("the page: ended in an error", (RUNNING,)): ENDED,
}


class Told:
    """A cell after some reports, and what was published of it."""

    def __init__(self, *reports: str) -> None:
        self.page = ScriptedPage()
        self.stages: list[str] = []
        self.codes: list[str] = []
        asyncio.run(self._play(reports))

    async def _play(self, reports: tuple[str, ...]) -> None:
        self.cell = NotebookCell(REQUEST, self.page, self._publish, PLACE)
        for report in reports:
            REPORTS[report](self.cell)
            await asyncio.sleep(0.02)  # more than the page's report is given for the kernel's

    def _publish(self, event: CellMoved | CellWarned) -> None:
        assert isinstance(event, CellMoved)
        self.stages.append(event.stage)
        self.codes.append(event.request.code)

    @property
    def run(self) -> CellRun:
        return self.cell.ended.result()


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_cell, "GRACE_S", 0.0)


@pytest.mark.parametrize("state", CellState, ids=lambda state: state.name)
@pytest.mark.parametrize("report", REPORTS)
def test_each_report_in_each_state(state: CellState, report: str) -> None:
    expected = next((to for (name, states), to in NEXT.items() if name == report and state in states), state)

    told = Told(*WAYS[state], report)

    assert told.cell.state is expected
    assert told.cell.is_wanted == (expected in NOT_BEGUN)
    taken_back = state in {WITHDRAWN, GONE} or (expected is WITHDRAWN and report != "the page: deleted")
    assert told.page.removed == (["c"] if taken_back else [])


@pytest.mark.parametrize(
    ("reports", "stages", "status"),
    [
        (["begins", "ends"], ["inserted", "running", "finished"], "ok"),
        (["inserted", "begins", "inserted", "ends"], ["inserted", "running", "finished"], "ok"),
        (["inserted", "another cell runs", "begins", "is interrupted"], "all", "interrupted"),
        (["begins", "the page: deleted", "ends"], ["inserted", "running", "finished"], "deleted"),
        (["begins", "the page: deleted", "is interrupted"], ["inserted", "running", "finished"], "interrupted"),
        (["inserted", "the page: deleted"], ["inserted", "finished"], "deleted"),
        (["inserted", "the page: dropped twice"], ["inserted", "finished"], "aborted"),
        (["inserted", "the page: ended"], ["inserted", "finished"], "aborted"),
        (["inserted", "the page: ended in an error"], ["inserted", "finished"], "error"),
        (["begins", "the page: ended"], ["inserted", "running", "finished"], "aborted"),
        (["unloaded"], ["finished"], "aborted"),
    ],
)
def test_what_the_agent_gets(reports: list[str], stages: list[str] | str, status: str) -> None:
    told = Told(*reports)

    assert told.run.status == status
    assert told.run.in_notebook
    assert told.stages == (["inserted", "waiting", "running", "finished"] if stages == "all" else stages)


def test_a_page_that_is_lost_is_an_error() -> None:
    for report in ("the page is lost", "the page: no kernel"):
        told = Told("inserted", report)

        assert isinstance(told.cell.ended.exception(), PageLost)
        assert told.stages == ["inserted"]


def test_of_what_was_stopped_before_it_began_the_agent_gets_nothing() -> None:
    told = Told("inserted", "Stop", "its request comes and runs nothing")

    assert told.cell.ended.cancelled()
    assert told.stages == ["inserted"]


def test_what_the_kernel_drops_at_once_was_stopped_all_the_same() -> None:
    async def scene() -> bool:
        cell = NotebookCell(REQUEST, ScriptedPage(), lambda _: None, PLACE)
        cell.withdraw()
        cell.drop(DROPPED)
        await asyncio.wait([cell.ended])
        return cell.ended.cancelled()

    assert asyncio.run(scene())


def test_what_the_kernel_has_seen_wins_over_what_the_page_says() -> None:
    async def scene() -> CellRun:
        cell = NotebookCell(REQUEST, ScriptedPage(), lambda _: None, PLACE)
        cell.reported("ok", 3)
        cell.begin("x = 1")
        cell.end(CellRun(cell.request, CellStatus.ERROR, execution_count=4))
        return await cell.ended

    run = asyncio.run(scene())
    assert (run.status, run.execution_count, run.reason) == (CellStatus.ERROR, 4, "")


def test_what_was_dropped_begins_all_the_same_just_then() -> None:
    told = Told("begins", "the page: dropped twice", "ends")

    assert told.run.status is CellStatus.OK


def test_an_edited_cell_is_the_users() -> None:
    told = Told("inserted", "begins, edited", "ends")

    assert told.cell.is_edited
    assert told.cell.asked.code == REQUEST.code
    assert told.run.request.code == EDITED
    assert told.codes == [REQUEST.code, EDITED, EDITED]
    assert not Told("begins").cell.is_edited


def test_nothing_is_published_when_nobody_waits_any_more() -> None:
    async def scene() -> list[str]:
        stages: list[str] = []
        cell = NotebookCell(REQUEST, ScriptedPage(), lambda event: stages.append(getattr(event, "stage", "")), PLACE)
        cell.begin("x = 1")
        await asyncio.sleep(0)
        cell.ended.cancel()
        cell.end(CellRun(cell.request, CellStatus.OK))
        await asyncio.sleep(0.01)
        return stages

    assert asyncio.run(scene()) == ["inserted", "running"]


def test_a_cell_whose_loop_is_closed_ends_in_silence() -> None:
    cell = Told("begins").cell
    cell.end(CellRun(cell.request, CellStatus.OK))

    assert cell.state is ENDED
