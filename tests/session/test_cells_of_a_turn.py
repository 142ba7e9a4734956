"""Where the cells of a turn stand, and who does what they need of the kernel: somebody who waits, or an idle kernel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.cell_run import CellRequest, CellStatus
from qdash_jupyter.domain.events import CellMoved, ToolStarted
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.records import AskedFrom
from qdash_jupyter.session.turn import Turn
from tests.patience import PATIENCE_S, until
from tests.session.conversation import conversation, names, parts_with
from tests.session.pages import ScriptedNotebook


def cell(code: str) -> Reply:
    return call_reply(("execute_python_analysis", {"code": code, "purpose": "Because."}))


def values(turn: Turn) -> list[object]:
    return [run.value for run in turn.cells]


def moves(turn: Turn) -> list[tuple[str, bool]]:
    return [
        (stamped.event.stage, stamped.event.in_notebook)
        for stamped in turn.events
        if isinstance(stamped.event, CellMoved)
    ]


Begin = Callable[..., Copilot]


@pytest.fixture
def begin(shell: InteractiveShell, snapshot: Path) -> Iterator[Begin]:
    """A conversation whose model calls these cells, one a reply, and then answers. Trusted ones run in the kernel."""
    opened: list[Any] = []

    def open_one(
        codes: Sequence[str],
        notebook: ScriptedNotebook | None,
        more: Sequence[Reply] = (),
        policy: Policy = "guarded",
    ) -> Copilot:
        llm = ScriptedLLM([*(cell(code) for code in codes), text_reply("Done."), *more])
        manifest = Manifest(policy=policy)
        context = conversation(shell, parts_with(llm, snapshot, manifest=manifest), notebook=notebook)
        opened.append(context)
        return context.__enter__()

    yield open_one
    for context in opened:
        context.__exit__(None, None, None)


def test_in_the_notebook(begin: Begin, shell: InteractiveShell) -> None:
    notebook = ScriptedNotebook()
    copilot = begin(["one = 1\n", "two = 1 / 0\n", "three = one + 2\n", "print(three)\n"], notebook)

    turn = copilot.start("Compute.", asked_from=AskedFrom("tab-7", "asking-cell"))
    notebook.run_until_done(turn)

    assert turn.result().text == "Done."
    places = [asked.place for asked in notebook.asked]
    # The third one takes the place of the second, which has failed.
    assert places == [CellPlace(turn.turn_id, step, "tab-7", "asking-cell") for step in (1, 2, 2, 3)]
    ids = [asked.request.cell_id for asked in notebook.asked]
    assert [asked.request.instead_of for asked in notebook.asked] == [None, None, ids[1], None]
    assert notebook.asked[0].request.purpose == "Because."
    assert moves(turn) == [("running", True), ("finished", True)] * 4
    assert [run.in_notebook for run in turn.cells] == [True] * 4
    ends = [(told["cell_id"], told["execution_count"]) for told in notebook.told if told["state"] == "ended"]
    assert ends == [(ids[0], 1), (ids[1], 2), (ids[2], 3), (ids[3], 4)]
    assert notebook.told[-1]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "3\n"}]
    assert (shell.user_ns["one"], shell.user_ns["three"], "two" in shell.user_ns) == (1, 3, False)


def test_code_that_fails_leaves_what_earlier_code_has_made(begin: Begin) -> None:
    codes = ["fit = iter([1, 2])\nxs = [1]\n", "fit.slope\n", "xs.append(2)\nys = 1\n1 / 0\n", "(next(fit), xs)\n"]
    copilot = begin([*codes, "ys\n"], None)

    copilot.ask("Compute.")

    made, *failed, last, gone = copilot.turns[0].cells
    assert [run.status for run in (made, *failed, last, gone)] == ["ok", "error", "error", "ok", "error"]
    assert last.value == [1, [1]]
    assert "NameError" in gone.traceback


def test_trusted_code_runs_as_cells_of_the_notebook(begin: Begin, shell: InteractiveShell) -> None:
    class Deleted(ScriptedNotebook):
        async def show(self, request: CellRequest, place: CellPlace) -> ShownCell | None:
            shown = await super().show(request, place)
            if shown is not None and request.code == "three = 3":
                shown.is_deleted = True
            return shown

    notebook = Deleted()
    copilot = begin(["one = 1\n", "two = 2\n1 / 0\n", "three = 3\n", "four = 4\n"], notebook, policy="trusted")

    turn = copilot.start("Compute.")
    notebook.run_until_done(turn)

    assert [run.status for run in turn.cells] == ["ok", "error", "deleted", "ok"]
    assert [asked.place.step for asked in notebook.asked] == [1, 2, 2, 3]
    assert [asked.request.instead_of for asked in notebook.asked][2] == notebook.asked[1].request.cell_id
    assert moves(turn)[:2] == [("running", True), ("finished", True)]
    assert [run.in_notebook for run in turn.cells] == [True] * 4
    ends = [(told["execution_count"], len(told["outputs"])) for told in notebook.told if told["state"] == "ended"]
    assert ends == [(1, 0), (2, 1), (None, 0), (3, 0)]
    assert [name in shell.user_ns for name in ("one", "two", "three", "four")] == [True, False, False, True]


def test_a_turn_begins_anew_with_its_steps(begin: Begin) -> None:
    notebook = ScriptedNotebook()
    copilot = begin(["one = 1\n"], notebook, [cell("two = 2\n"), text_reply("Again.")])

    for _ in range(2):
        notebook.run_until_done(copilot.start("Compute."))

    assert [(asked.place.step, asked.place.asked_in) for asked in notebook.asked] == [(1, None), (1, None)]


def test_code_that_needs_the_kernel_is_taken_out_of_the_notebook(begin: Begin, tmp_path: Path) -> None:
    """Nobody can be asked here: it never runs, nor may it with the notebook's other cells."""
    notebook = ScriptedNotebook()
    file = tmp_path / "report.csv"
    copilot = begin([f"open({str(file)!r}, 'w')\n"], notebook)

    turn = copilot.start("Compute.")
    notebook.run_until_done(turn)

    assert notebook.removed == [notebook.asked[0].request.cell_id]
    assert turn.cells == ()
    assert not file.exists()


def test_nested_under_somebody_who_waits(begin: Begin) -> None:
    notebook = ScriptedNotebook()
    copilot = begin(["6 * 7\n"], notebook)

    assert copilot.ask("Compute.").text == "Done."

    turn = copilot.turns[0]
    assert notebook.asked == []
    assert notebook.idle.empty()
    assert values(turn) == [42]
    assert moves(turn) == [("running", False), ("finished", False)]
    assert not turn.cells[0].in_notebook


def test_no_page_and_the_kernel_idle(begin: Begin) -> None:
    notebook = ScriptedNotebook(has_page=False)
    copilot = begin(["6 * 7\n", "7 * 7\n"], notebook)

    turn = copilot.start("Compute.", asked_from=AskedFrom(cell_id="asking-cell"))
    notebook.run_until_done(turn)

    assert values(turn) == [42, 49]
    assert moves(turn) == [("running", False), ("finished", False)] * 2


def test_no_page_and_somebody_comes_to_wait_before_the_kernel_is_idle(begin: Begin) -> None:
    """A person's cell waits for the turn: while it does, the kernel never becomes idle."""
    notebook = ScriptedNotebook(has_page=False)
    copilot = begin(["6 * 7\n"], notebook)

    turn = copilot.start("Compute.")
    until(lambda: not notebook.idle.empty())
    turn.wait()

    assert values(turn) == [42]
    notebook.run_idle_job()  # later, when it has run long since
    assert moves(turn) == [("running", False), ("finished", False)]


@pytest.mark.parametrize("notebook", [None, ScriptedNotebook(has_kernel=False)])
@pytest.mark.parametrize("policy", ["guarded", "trusted"])
def test_no_kernel_until_somebody_waits(begin: Begin, notebook: ScriptedNotebook | None, policy: Policy) -> None:
    copilot = begin(["6 * 7\n"], notebook, policy=policy)

    turn = copilot.start("Compute.")
    until(lambda: "ToolStarted" in names(turn.events))
    assert values(turn) == []
    turn.wait()

    assert values(turn) == [42]


def test_code_that_reads_nothing_of_the_users_does_not_wait_for_their_cell(
    begin: Begin, shell: InteractiveShell
) -> None:
    notebook = ScriptedNotebook(busy=True)
    copilot = begin(["a = 6\n", "b = a * 7\nb\n"], notebook)

    turn = copilot.start("Compute.")
    assert turn.ended_within(PATIENCE_S)

    assert values(turn) == [None, 42]
    assert not {"a", "b"} & shell.user_ns.keys()
    assert notebook.before_cells is not None
    notebook.before_cells()  # their next cell is about to run
    assert (shell.user_ns["a"], shell.user_ns["b"]) == (6, 42)


def test_the_users_cell_comes_to_wait_for_code_that_waits_for_it(begin: Begin, shell: InteractiveShell) -> None:
    notebook = ScriptedNotebook(busy=True)
    shell.user_ns["mine"] = 7
    copilot = begin(["6 * mine\n"], notebook)

    turn = copilot.start("Compute.")
    until(lambda: ("waiting", True) in moves(turn))
    turn.wait()

    assert turn.result().text == "Done."
    assert values(turn) == [42]
    assert moves(turn) == [("waiting", True), ("running", True), ("finished", True)]


def test_trusted_code_is_taken_over_while_it_waits_in_the_notebook(begin: Begin) -> None:
    notebook = ScriptedNotebook(busy=True)
    copilot = begin(["6 * 7\n"], notebook, policy="trusted")

    turn = copilot.start("Compute.")
    until(lambda: ("waiting", True) in moves(turn))
    turn.wait()

    assert values(turn) == [42]
    assert moves(turn) == [("waiting", True), ("running", True), ("finished", True)]


@pytest.mark.parametrize("policy", ["guarded", "trusted"])
def test_taken_over_from_the_start_by_ask(begin: Begin, policy: Policy) -> None:
    """No cell appears in the notebook just to be taken out again."""
    for _ in range(10):
        notebook = ScriptedNotebook(busy=True)
        assert begin(["1\n"], notebook, policy=policy).ask("Compute.").text == "Done."
        assert notebook.asked == []


@pytest.mark.parametrize("policy", ["guarded", "trusted"])
def test_a_page_that_is_lost_between_two_cells(begin: Begin, policy: Policy) -> None:
    class Lost(ScriptedNotebook):
        async def show(self, request: CellRequest, place: CellPlace) -> ShownCell | None:
            self.has_page = place.step != 2
            return await super().show(request, place)

    notebook = Lost()
    copilot = begin(["one = 1\n", "6 * 7\n", "three = one + 2\nthree\n"], notebook, policy=policy)

    turn = copilot.start("Compute.")
    notebook.run_until_done(turn)

    assert [run.in_notebook for run in turn.cells] == [True, False, True]
    assert values(turn) == [None, 42, 3]
    assert [asked.place.step for asked in notebook.asked] == [1, 3]


def test_an_error_of_the_notebook_is_a_failed_step(begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ScriptedNotebook):
        async def show(self, *_: object, **__: object) -> ShownCell | None:
            raise ZeroDivisionError("inner detail")

    copilot = begin(["1\n"], Broken())

    turn = copilot.start("Compute.")
    assert turn.ended_within(PATIENCE_S)

    (result,) = turn.tool_results
    assert result.failure is not None
    assert result.failure.kind == "internal"
    assert "inner detail" in caplog.text


def test_code_without_a_question_is_refused(begin: Begin) -> None:
    copilot = begin([], None)
    result = copilot.call_tool("execute_python_analysis", {"code": "1 + 1\n"})
    assert result.cell is not None
    assert result.cell.status is CellStatus.REJECTED
    assert "no question is being answered" in result.content


# Stop, in each place.


def ends_as_stopped(turn: Turn, copilot: Copilot) -> None:
    assert turn.ended_within(PATIENCE_S)
    answer = turn.result()
    assert answer.stop_reason is StopReason.CANCELLED
    assert type(turn.events[-1].event).__name__ == "AnswerReady"
    assert copilot._conversation.running is None
    assert copilot.ask("And now?").text == "Next."


def test_stop_while_a_cell_runs_in_the_notebook(begin: Begin, shell: InteractiveShell) -> None:
    notebook = ScriptedNotebook()
    copilot = begin([], notebook)
    loop = "ran = 1\nprint('here', flush=True)\nwhile True:\n    ran += 1\n"
    copilot._conversation.parts().llm._steps[:] = [cell(loop), text_reply("Next.")]  # pyrefly: ignore[missing-attribute]

    turn = copilot.start("Compute.")
    notebook.run_idle_job()
    until(lambda: any(told["outputs"] for told in notebook.told))
    copilot.stop()

    ends_as_stopped(turn, copilot)
    assert moves(turn) == [("running", True), ("finished", True)]
    assert notebook.told[-1]["state"] == "ended"
    assert "ran" not in shell.user_ns


@pytest.mark.parametrize("policy", ["guarded", "trusted"])
def test_stop_while_the_cell_waits_for_an_idle_kernel(begin: Begin, shell: InteractiveShell, policy: Policy) -> None:
    notebook = ScriptedNotebook(has_page=False)
    copilot = begin([], notebook, policy=policy)
    copilot._conversation.parts().llm._steps[:] = [cell("ran = 1\n"), text_reply("Next.")]  # pyrefly: ignore[missing-attribute]

    turn = copilot.start("Compute.")
    until(lambda: not notebook.idle.empty())
    turn.stop()

    ends_as_stopped(turn, copilot)
    notebook.run_idle_job()
    assert "ran" not in shell.user_ns


LOOPS = {
    "python": "import itertools\nran = 1\nfor number in itertools.count():\n    ran = number\n",
    "blas": "import numpy as np\nsquare = np.ones((400, 400))\nran = 1\nwhile True:\n    p = square @ square\n",
    "catches the first": (
        "try:\n    for number in range(10**12):\n        ran = number\nexcept BaseException:\n    caught = 1\n"
        "for number in range(10**12):\n    ran = number\n"
    ),
}
"""They are stopped when `ran` is there, which the last assigns where it catches."""


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize(
    "way", ["waited for", *(pytest.param(way, marks=pytest.mark.long) for way in ("idle", "shown"))]
)
def test_stop_interrupts_a_trusted_nested_cell_from_another_thread(
    begin: Begin, shell: InteractiveShell, name: str, way: str
) -> None:
    notebook = ScriptedNotebook(has_page=way == "shown")
    copilot = begin([], notebook, policy="trusted")
    steps = copilot._conversation.parts().llm._steps  # pyrefly: ignore[missing-attribute]
    steps[:] = [cell(LOOPS[name]), text_reply("Next.")]
    ended: list[bool] = []

    def stop() -> None:
        until(lambda: "ran" in shell.user_ns)
        copilot.stop()
        ended.append(copilot.turns[-1].ended_within(PATIENCE_S))

    turn = copilot.start("Compute.")
    stopper = threading.Thread(target=stop)
    stopper.start()
    if way != "waited for":
        notebook.run_idle_job()
    else:
        turn.wait()
    stopper.join(PATIENCE_S)

    ends_as_stopped(turn, copilot)
    assert moves(turn)[-2:] == [("running", way == "shown"), ("finished", way == "shown")]
    assert ended == [True]
    assert ("caught" in shell.user_ns) == (name == "catches the first")
    assert shell.run_cell("1 + 1").result == 2


def test_what_follows_the_stopped_cell_is_never_hit(begin: Begin, shell: InteractiveShell) -> None:
    """Stop comes at any moment around the end of a trusted cell; the user's own code goes on right behind it."""
    copilot = begin([], None, policy="trusted")
    steps = copilot._conversation.parts().llm._steps  # pyrefly: ignore[missing-attribute]
    for trial in range(60):
        steps[:] = [cell(f"for n in range({trial * 200}):\n    n\n"), text_reply("Done.")]
        turn = copilot.start("Compute.")

        def stop(turn: Turn = turn, delay: float = trial % 7 / 4000) -> None:
            until(lambda: any(isinstance(stamped.event, ToolStarted) for stamped in list(turn.events)))
            time.sleep(delay)
            turn.stop()

        stopper = threading.Thread(target=stop)
        stopper.start()
        shell.user_ns["_turn"] = turn
        mine = shell.run_cell("_turn.wait()\nmine = 0\nfor _ in range(20_000):\n    mine += 1\nmine\n")
        stopper.join(PATIENCE_S)
        mine.raise_error()
        assert mine.result == 20_000
        assert turn.done
