"""Cells of the agent as cells of a notebook, in a real kernel, with the test in the place of the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cells.lab_bench import Asked, Cell, Lab, Tab, open_lab
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.kernel

STAGES = ["inserted", "running", "finished"]
LATER = ["inserted", "waiting", "running", "finished"]


@pytest.fixture(autouse=True)
def _clean(lab: Lab) -> Iterator[None]:
    yield
    lab.open_gate()
    lab.tab.answers = lab.tab.executes = lab.tab.retries = True
    lab.tab.edits = None
    for tab in list(lab.tabs.values()):
        if tab is not lab.tab:
            lab.close_tab(tab)
    assert lab.person("gate.clear()").done().status == "ok"
    assert lab.value("[_bench.watch.busy, sum(cell.is_wanted for cell in _bench.watch._cells)]") == [True, 0]


@pytest.fixture
def busy(lab: Lab) -> Cell:
    """A cell of the person's, which runs until the gate is opened."""
    cell = lab.person("print('theirs', gate.wait(90))")
    assert cell.began.wait(PATIENCE_S)
    return cell


def awaiting(lab: Lab) -> Cell:
    """A cell of the person's, which awaits until the gate is opened."""
    code = "import asyncio\nprint('up', flush=True)\nwhile not gate.is_set():\n    await asyncio.sleep(0.01)\n"
    cell = lab.person(f"{code}theirs = 'done'\nprint('theirs')")
    until(lambda: cell.text == "up\n")
    return cell


def cell_of(asked: Asked, lab: Lab) -> Cell:
    return lab.tab.cells[asked.cell_id].done()


def happened(lab: Lab, name: str) -> Any:
    return lab.value(f"globals().get({name!r})")


# --- in the notebook


def test_cells_run_one_after_another_and_say_where_they_are(lab: Lab) -> None:
    asked = [lab.ask(f"number = {number}\nnumber * 2") for number in range(3)]
    runs = [each.run() for each in asked]

    assert [each.stages for each in asked] == [STAGES] * 3
    assert [run["value"] for run in runs] == [0, 2, 4]
    assert [run["status"] for run in runs] == ["ok"] * 3
    assert [run["created"] for run in runs] == [["number"]] * 3
    counts = [run["execution_count"] for run in runs]
    assert counts == [cell_of(each, lab).count for each in asked]
    assert counts == sorted(set(counts))
    assert [request["step"] for request in lab.tab.requests[-3:]] == sorted(each._number for each in asked)
    assert all(run["elapsed_s"] > 0 and run["in_notebook"] for run in runs)
    assert "number" in lab.value("sorted(_bench.namespace.own)")


def test_a_cell_waits_for_the_persons(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("print('ours')").when("waiting")
    assert not asked.outcome.done()
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert asked.stages == LATER
    assert busy.done().outputs == [{"output_type": "stream", "name": "stdout", "text": "theirs True\n"}]


def test_a_cell_waits_for_one_that_awaits(lab: Lab) -> None:
    theirs = awaiting(lab)
    asked = lab.ask("print('ours')").when("waiting")
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert asked.stages == LATER
    assert theirs.done().text == "up\ntheirs\n"


def test_a_cell_that_the_persons_failure_drops_runs_all_the_same(lab: Lab) -> None:
    fails = lab.person("gate.wait(90)\nraise ValueError('theirs')")
    assert fails.began.wait(PATIENCE_S)
    asked = lab.ask("print('ours')").when("waiting")
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert fails.done().error == "ValueError"
    assert asked.stages == LATER


def test_a_cell_that_was_dropped_for_good(lab: Lab) -> None:
    lab.tab.retries = False
    fails = lab.person("gate.wait(90)\nraise ValueError('theirs')")
    assert fails.began.wait(PATIENCE_S)
    asked = lab.ask("never = 1").when("waiting")
    lab.open_gate()

    run = asked.run()
    assert run["status"] == "aborted"
    assert run["reason"]["id"] == "cell-dropped"
    assert happened(lab, "never") is None
    # If the person runs it now, it is theirs, and runs.
    lab.again(by_hand := Cell(asked.cell_id, "never = 1"))
    by_hand.done()
    assert happened(lab, "never") == 1
    assert lab.person("del never").done().status == "ok"


def test_a_failure_of_ours_leaves_the_persons_queue_alone(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("1 / 0").when("waiting")
    behind = [lab.person(f"print({number})") for number in range(3)]
    lab.open_gate()

    run = asked.run()
    assert (run["status"], run["traceback"]) == ("error", "line 1: 1 / 0\nZeroDivisionError: division by zero")
    assert [cell.done().text for cell in behind] == ["0\n", "1\n", "2\n"]
    assert run["outputs"] == cell_of(asked, lab).outputs


# --- what the person does with it


def test_deleted_before_it_begins(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("never = 1").when("waiting")

    lab.delete(lab.tab.cells[asked.cell_id])

    run = asked.run()
    assert run["status"] == "deleted"
    assert not busy._reply.done()
    lab.open_gate()
    assert happened(lab, "never") is None
    assert asked.cell_id not in lab.tab.removed


def test_deleted_while_it_runs_and_then_stopped(lab: Lab) -> None:
    asked = lab.ask("print('before', flush=True)\nhere()\nimport time\ntime.sleep(60)").when("running")
    lab.when_here()
    lab.delete(lab.tab.cells[asked.cell_id])
    lab.pause()
    asked.stop()

    assert asked.failed() == "CancelledError"
    run = asked.outcome.result()["run"]
    assert (run["status"], run["text"]) == ("interrupted", "before\n")


def test_deleted_while_it_runs(lab: Lab) -> None:
    asked = lab.ask("print('before', flush=True)\ngate.wait(90)\nprint('after')").when("running")
    lab.delete(lab.tab.cells[asked.cell_id])
    lab.pause()
    assert not asked.outcome.done()
    lab.open_gate()

    run = asked.run()
    assert (run["status"], run["text"]) == ("deleted", "before\nafter\n")


def test_edited_before_it_ran(lab: Lab) -> None:
    lab.tab.edits = lambda source: source.replace("'ours'", "'theirs'")
    asked = lab.ask("text = 'ours'\ntext")

    run = asked.run()
    assert run["value"] == "theirs"
    assert run["request"]["code"] == "text = 'theirs'\ntext"
    assert asked.codes[-2:] == ["text = 'theirs'\ntext"] * 2
    assert run["created"] == ["text"]
    assert "text" not in lab.value("sorted(_bench.namespace.own)")


@pytest.mark.parametrize("source", ["", "\n  \n"])
def test_its_text_was_taken_out(lab: Lab, source: str) -> None:
    lab.tab.edits = lambda _: source
    asked = lab.ask("never = 1")

    run = asked.run()
    assert (run["status"], run["outputs"], run["request"]["code"]) == ("ok", [], source)
    assert happened(lab, "never") is None


def test_the_page_says_that_it_ended_and_the_kernel_has_not_seen_it(lab: Lab) -> None:
    lab.tab.executes = False
    asked = lab.ask("never = 1").when("inserted")
    lab.tab.report(lab.tab.cells[asked.cell_id], "ok")

    run = asked.run()
    assert run["status"] == "aborted"
    assert run["reason"]["id"] == "cell-unseen"


def test_interrupted_by_the_person(lab: Lab) -> None:
    asked = lab.ask("print('before', flush=True)\nhere()\nimport time\nwhile True:\n    time.sleep(0.01)").when(
        "running"
    )
    lab.when_here()
    lab.interrupt()

    run = asked.run()
    assert (run["status"], run["text"]) == ("interrupted", "before\n")
    assert run["outputs"] == cell_of(asked, lab).outputs


def test_interrupted_by_the_person_while_it_awaits(lab: Lab) -> None:
    asked = lab.ask("import asyncio\nhere()\nwhile True:\n    await asyncio.sleep(0.05)").when("running")
    lab.when_here()
    lab.interrupt()

    run = asked.run()
    assert run["status"] == "interrupted"
    assert run["outputs"] == cell_of(asked, lab).outputs


def test_what_was_taken_back_runs_when_the_person_runs_it(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("late = 1").when("waiting")
    asked.stop()
    assert asked.failed() == "CancelledError"
    lab.open_gate()
    assert cell_of(asked, lab).status == "ok"
    assert happened(lab, "late") is None

    lab.again(by_hand := Cell(asked.cell_id, "late = 1"))
    by_hand.done()
    assert happened(lab, "late") == 1


def test_a_cell_that_has_run_is_the_persons_to_run_again(lab: Lab) -> None:
    code = "again = globals().get('again', 0) + 1"
    asked = lab.ask(code)
    asked.run()
    lab.again(by_hand := Cell(asked.cell_id, code))
    by_hand.done()

    assert happened(lab, "again") == 2


# --- what exactly runs


@pytest.mark.parametrize(
    ("code", "shown"), [("In [0]: print(6 * 7)", "42"), ("%time 1 + 1", "Wall time"), ("!echo ours", "ours")]
)
def test_what_was_approved_runs_as_in_a_cell_of_the_users(lab: Lab, code: str, shown: str) -> None:
    run = lab.ask(code).run()

    assert run["status"] == "ok"
    assert shown in run["text"]


def test_lines_of_errors_are_those_of_the_cell(lab: Lab) -> None:
    run = lab.ask("In [0]: 6 * 7\n1 / 0").run()

    assert run["traceback"].splitlines() == ["line 2: 1 / 0", "ZeroDivisionError: division by zero"]


def test_magics_of_the_person_are_as_ever(lab: Lab) -> None:
    lab.ask("1 + 1").run()

    assert lab.person("In [1]: print('a prompt')").done().text == "a prompt\n"
    assert "Wall time" in lab.person("%time _ = 1").done().text
    assert lab.person("%%capture caught\nprint('kept')").done().outputs == []
    assert lab.person("caught.show()").done().text == "kept\n"
    assert lab.person("!echo shell").done().text == "shell\n"
    assert lab.person("x = ?").done().status == "error"


def test_a_magic_in_the_persons_cell_that_runs_cells(lab: Lab) -> None:
    nested = lab.person("ip = get_ipython()\nip.run_cell('gate.wait(90)')\nip.run_cell('1 / 0')\nprint('end')")
    assert nested.began.wait(PATIENCE_S)
    asked = lab.ask("print('ours')").when("waiting")
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert nested.done().text == "end\n"


# --- tabs


@pytest.fixture
def second(lab: Lab) -> Tab:
    """A second tab with the same notebook."""
    return lab.open_tab("second")


def test_the_tab_that_asked_gets_the_cell(lab: Lab, second: Tab) -> None:
    first_cells = len(lab.tab.cells)

    assert lab.ask("1 + 1", preferred="second").run()["value"] == 2

    assert len(second.cells) == 1
    assert len(lab.tab.cells) == first_cells


def test_a_silent_tab_is_given_up_for_the_next_and_then_for_none(lab: Lab, second: Tab) -> None:
    lab.tab.answers = False
    asked = lab.ask("1 + 1", preferred="first")
    assert asked.run()["value"] == 2
    assert list(second.cells) == [asked.cell_id]
    assert asked.stages == STAGES

    second.answers = False
    nowhere = lab.ask("never = 1")
    assert nowhere.failed() == "NoPage"
    assert nowhere.stages == []
    assert happened(lab, "never") is None


def test_a_tab_that_closes_while_the_cell_waits(lab: Lab, second: Tab, busy: Cell) -> None:
    asked = lab.ask("runs = globals().get('runs', 0) + 1\nprint('once')", preferred="first").when("waiting")
    lab.tab.answers = False
    lab.until(lambda: asked.cell_id in second.cells)
    lab.open_gate()

    assert asked.run()["text"] == "once\n"
    assert second.cells[asked.cell_id].done().text == "once\n"
    dead = lab.tab.cells[asked.cell_id].done()
    assert (dead.status, dead.outputs) == ("ok", [])
    assert happened(lab, "runs") == 1


def test_a_tab_that_wakes_up_late_does_not_run_the_cell_twice(lab: Lab, second: Tab) -> None:
    lab.tab.answers = False
    asked = lab.ask("once = globals().get('once', 0) + 1", preferred="first")
    assert asked.run()["status"] == "ok"
    assert happened(lab, "once") == 1

    late = Cell(asked.cell_id, "once = globals().get('once', 0) + 1")
    lab.again(late)
    assert late.done().status == "ok"
    assert happened(lab, "once") == 1

    by_hand = Cell(asked.cell_id, late.source)
    lab.again(by_hand, second)
    by_hand.done()
    assert happened(lab, "once") == 2


def test_a_notebook_without_a_kernel(lab: Lab) -> None:
    lab.tab.executes = False
    asked = lab.ask("never = 1").when("inserted")
    lab.tab.report(lab.tab.cells[asked.cell_id], "no_kernel")

    assert asked.failed() == "NoPage"
    lab.until(lambda: asked.cell_id in lab.tab.removed)


def test_somebody_waits_for_the_turn_inside_a_cell(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("never = 1").when("waiting")
    asked.take_over()

    assert asked.failed() == "RunsInline"
    lab.until(lambda: asked.cell_id in lab.tab.removed)
    lab.open_gate()
    assert cell_of(asked, lab).outputs == []
    assert happened(lab, "never") is None


# --- without a page


def test_a_job_runs_between_two_cells(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("print('ours')\n6 * 7", idle=True)
    behind = lab.person("print('behind')")
    lab.pause()
    assert not asked.outcome.done()
    lab.open_gate()

    run = asked.run()
    assert (run["status"], run["text"], run["value"]) == ("ok", "ours\n", 42)
    assert busy.done().text == "theirs True\n"
    assert behind.done().text == "behind\n"


def test_a_job_waits_for_a_cell_that_awaits(lab: Lab) -> None:
    theirs = awaiting(lab)
    asked = lab.ask("theirs", idle=True)
    lab.pause()
    assert not asked.outcome.done()
    lab.open_gate()

    assert asked.run()["value"] == "done"
    assert theirs.done().text == "up\ntheirs\n"


def test_a_job_can_be_interrupted(lab: Lab) -> None:
    asked = lab.ask("started = 1\nhere()\nwhile True:\n    pass", idle=True)
    lab.when_here()
    lab.interrupt()

    assert asked.run()["status"] == "interrupted"
    assert happened(lab, "started") == 1
    # Between two messages the kernel ignores interrupts, again.
    lab.interrupt()
    assert lab.value("1 + 1") == 2


def test_a_job_can_be_stopped_before_and_while_it_runs(lab: Lab, busy: Cell) -> None:
    early = lab.ask("never = 1", idle=True)
    lab.pause()
    early.stop()
    assert early.failed() == "CancelledError"
    lab.open_gate()
    assert busy.done().status == "ok"
    assert happened(lab, "never") is None

    late = lab.ask("began = 1\nhere()\nwhile True:\n    pass", idle=True)
    lab.when_here()
    behind = lab.person("print('behind')")
    late.stop()
    assert late.failed() == "CancelledError"
    assert (behind.done().status, behind.text) == ("ok", "behind\n")
    assert happened(lab, "began") == 1


# --- beside it all


def test_a_cell_on_a_subshell_is_none_of_ours(lab: Lab) -> None:
    subshell = lab.subshell()
    asked = lab.ask("gate.wait(90)\nprint('ours')").when("running")
    beside = lab.person("In [1]: print('beside')", subshell_id=subshell)
    assert beside.done().text == "beside\n"
    assert not asked.outcome.done()
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"


def test_everything_is_given_back() -> None:
    with open_lab() as lab:
        lab.ask("1 + 1").run()
        state = (
            "[len(ip.ast_transformers), len(ip.events.callbacks['pre_run_cell']),"
            " len(ip.events.callbacks['post_run_cell']), 'send' in vars(ip.kernel.session)]"
        )
        assert lab.person("ip = get_ipython()").done().status == "ok"
        with_watch = lab.value(state)
        lab.say(type="close")
        assert lab.closed.wait(PATIENCE_S)
        without = lab.value(state)

        assert with_watch == [without[0], without[1] + 1, without[2] + 1, True]
        assert without[3] is False
        assert lab.person("print('as ever')").done().text == "as ever\n"
