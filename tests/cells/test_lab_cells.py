"""Cells of the agent as cells of a notebook, in a real kernel, with the test in the place of the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qdash_jupyter.messages.message import Message
from tests.cells.lab_bench import Cell, Lab, open_lab
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.kernel

STAGES = ["running", "finished"]
LATER = ["waiting", *STAGES]


@pytest.fixture(autouse=True)
def _clean(lab: Lab) -> Iterator[None]:
    yield
    lab.open_gate()
    assert lab.person("gate.clear()").done().status == "ok"


@pytest.fixture
def busy(lab: Lab) -> Cell:
    """A cell of the person's, which runs until the gate is opened."""
    cell = lab.person("here()\nprint('theirs', gate.wait(90))")
    lab.when_here()  # the kernel tells of its beginning before the copilot knows that it runs
    return cell


def awaiting(lab: Lab) -> Cell:
    """A cell of the person's, which awaits until the gate is opened."""
    code = "import asyncio\nprint('up', flush=True)\nwhile not gate.is_set():\n    await asyncio.sleep(0.01)\n"
    cell = lab.person(f"{code}theirs = 'done'\nprint('theirs')")
    until(lambda: cell.text == "up\n")
    return cell


def happened(lab: Lab, name: str) -> Any:
    return lab.value(f"globals().get({name!r})")


# --- in the notebook


def test_cells_run_one_after_another_and_say_where_they_are(lab: Lab) -> None:
    asked = [lab.ask(f"number = {number}\nnumber * 2") for number in range(3)]
    runs = [each.run() for each in asked]

    assert asked[0].stages == STAGES
    assert all(each.stages in (STAGES, LATER) for each in asked[1:])  # one that comes while another runs waits for it
    assert [run["value"] for run in runs] == [0, 2, 4]
    assert [run["status"] for run in runs] == ["ok"] * 3
    assert [run["created"] for run in runs] == [["number"]] * 3
    counts = [run["execution_count"] for run in runs]
    assert counts == [each.told[-1]["execution_count"] for each in asked]
    assert counts == sorted(set(counts))
    assert [message["state"] for message in asked[0].told][-2:] == ["running", "ended"]
    assert all(run["elapsed_s"] > 0 and run["in_notebook"] for run in runs)
    assert "number" in lab.value("sorted(_bench.namespace.own)")
    assert lab.value("get_ipython().user_ns['In'][-3]") == "number = 2\nnumber * 2"


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


def test_a_failure_of_the_persons_cell_drops_none_of_ours(lab: Lab) -> None:
    fails = lab.person("here()\ngate.wait(90)\nraise ValueError('theirs')")
    lab.when_here()
    asked = lab.ask("print('ours')").when("waiting")
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert fails.done().error == "ValueError"
    assert asked.stages == LATER


def test_a_failure_of_ours_leaves_the_persons_queue_alone(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("1 / 0").when("waiting")
    behind = [lab.person(f"print({number})") for number in range(3)]
    lab.open_gate()

    run = asked.run()
    assert (run["status"], run["traceback"]) == ("error", "line 1: 1 / 0\nZeroDivisionError: division by zero")
    assert [cell.done().text for cell in behind] == ["0\n", "1\n", "2\n"]
    assert run["outputs"] == asked.outputs


# --- what the person does with it


def test_deleted_before_it_begins(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("never = 1").when("waiting")
    lab.delete(asked)
    lab.open_gate()

    assert asked.run()["status"] == "deleted"
    assert happened(lab, "never") is None


def test_deleted_while_it_runs(lab: Lab) -> None:
    asked = lab.ask("print('before', flush=True)\nhere()\ngate.wait(90)\nprint('after')").when("running")
    lab.when_here()
    lab.delete(asked)
    lab.pause()
    assert not asked.outcome.done()
    lab.open_gate()

    run = asked.run()
    assert (run["status"], run["text"]) == ("deleted", "before\nafter\n")


def test_code_that_awaits_runs_by_itself(lab: Lab) -> None:
    """No cell of the person's comes in between, as none would in between one of theirs."""
    asked = lab.ask("import asyncio\nhere()\nfor n in range(20):\n    await asyncio.sleep(0.02)\nn").when("running")
    lab.when_here()
    behind = lab.person("print('behind', 'n' in dir())")

    assert (asked.run()["value"], behind.done().text) == (19, "behind True\n")


@pytest.mark.parametrize("code", ["here()\ngate.wait(90)", "import asyncio\nhere()\nawait asyncio.sleep(0.1)", "1 / 0"])
def test_the_kernel_says_that_it_is_busy(lab: Lab, code: str) -> None:
    before = len(lab.tab.states)
    asked = lab.ask(code).when("running")
    if "here" in code:
        lab.when_here()
        until(lambda: lab.tab.states[before:] == ["busy"])
    lab.open_gate()

    asked.run()
    until(lambda: lab.tab.states[before:] == ["busy", "idle"])


def test_nobody_answers_input_and_it_does_not_wait(lab: Lab) -> None:
    run = lab.ask("input('Really? ')").run()

    assert (run["status"], run["traceback"].splitlines()[-1]) == (
        "error",
        f"RuntimeError: {Message('cell-cannot-ask')}",
    )


def test_interrupted_by_the_person(lab: Lab) -> None:
    asked = lab.ask("print('before', flush=True)\nhere()\nimport time\nwhile True:\n    time.sleep(0.01)").when(
        "running"
    )
    lab.when_here()
    lab.interrupt()

    run = asked.run()
    assert (run["status"], run["text"]) == ("interrupted", "before\n")
    assert run["outputs"] == asked.outputs


def test_interrupted_by_the_person_while_it_awaits(lab: Lab) -> None:
    asked = lab.ask("import asyncio\nhere()\nwhile True:\n    await asyncio.sleep(0.05)").when("running")
    lab.when_here()
    lab.interrupt()

    run = asked.run()
    assert run["status"] == "interrupted"
    assert run["outputs"] == asked.outputs


def test_what_a_failed_cell_bound_is_gone(lab: Lab) -> None:
    assert lab.person("theirs = 1").done().status == "ok"
    run = lab.ask("lost = 2\ntheirs = 2\n1 / 0").run()

    assert (run["status"], happened(lab, "lost"), happened(lab, "theirs")) == ("error", None, 1)


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
    nested = lab.person("ip = get_ipython()\nip.run_cell('here(); gate.wait(90)')\nip.run_cell('1 / 0')\nprint('end')")
    lab.when_here()
    asked = lab.ask("print('ours')").when("waiting")
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"
    assert nested.done().text == "end\n"


# --- without a page


def test_a_job_runs_between_two_cells(lab: Lab, busy: Cell) -> None:
    asked = lab.ask("print('ours')\n6 * 7", shown=False)
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
    asked = lab.ask("theirs", shown=False)
    lab.pause()
    assert not asked.outcome.done()
    lab.open_gate()

    assert asked.run()["value"] == "done"
    assert theirs.done().text == "up\ntheirs\n"


def test_a_job_can_be_interrupted(lab: Lab) -> None:
    asked = lab.ask("started = 1\nhere()\nwhile True:\n    pass", shown=False)
    lab.when_here()
    lab.interrupt()

    assert asked.run()["status"] == "interrupted"
    assert happened(lab, "started") == 1
    # Between two messages the kernel ignores interrupts, again.
    lab.interrupt()
    assert lab.value("1 + 1") == 2


def test_a_job_can_be_stopped_before_and_while_it_runs(lab: Lab, busy: Cell) -> None:
    early = lab.ask("never = 1", shown=False)
    lab.pause()
    early.stop()
    assert early.failed() == "CancelledError"
    lab.open_gate()
    assert busy.done().status == "ok"
    assert happened(lab, "never") is None

    late = lab.ask("began = 1\nhere()\nwhile True:\n    pass", shown=False)
    lab.when_here()
    behind = lab.person("print('behind')")
    late.stop()
    assert late.failed() == "CancelledError"
    assert (behind.done().status, behind.text) == ("ok", "behind\n")
    assert happened(lab, "began") == 1


# --- beside it all


def test_a_subshell_is_heard_and_keeps_its_outputs(lab: Lab) -> None:
    """Pages speak to the kernel on one."""
    subshell = lab.subshell()
    asked = lab.ask("here()\ngate.wait(90)\nprint('ours')").when("running")
    lab.when_here()
    beside = lab.person("print('beside')", subshell_id=subshell)
    assert beside.done().text == "beside\n"
    assert not asked.outcome.done()
    lab.open_gate()

    assert asked.run()["text"] == "ours\n"


def test_everything_is_given_back() -> None:
    with open_lab() as lab:
        state = (
            "[len(ip.ast_transformers), len(ip.events.callbacks['pre_run_cell']),"
            " len(ip.events.callbacks['post_run_cell']), 'send' in vars(ip.kernel.session)]"
        )
        assert lab.person("ip = get_ipython()").done().status == "ok"
        before = lab.value(state)
        lab.ask("1 + 1").run()
        assert lab.value(state) == before
        lab.say(type="close")
        assert lab.closed.wait(PATIENCE_S)

        assert lab.value(state) == [before[0], before[1] - 1, before[2] - 1, False]
        assert lab.person("print('as ever')").done().text == "as ever\n"
