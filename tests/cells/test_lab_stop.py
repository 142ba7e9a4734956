"""Stop ends the agent's own cell, and touches nothing of the person's."""

from __future__ import annotations

import random
import time

import pytest

from qdash_jupyter.cells.inline import STOP_S
from tests.cells.lab_bench import Asked, Lab
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.kernel

ENDLESS = {
    "sleep": "import time\ntime.sleep(60)",
    "short sleeps": "import time\nwhile True:\n    time.sleep(0.01)",
    "loop": "while True:\n    pass",
    "blas": "import numpy as np\na = np.ones((500, 500))\nwhile True:\n    a @ a",
    "process": "import subprocess\nsubprocess.run(['sleep', '60'])",
    "lock": "import threading\nthreading.Event().wait()",
    "await": "import asyncio\nawait asyncio.sleep(60)",
    "tasks": "import asyncio\nasync def f():\n    while True:\n        await asyncio.sleep(0.01)\n"
    "await asyncio.gather(f(), f())",
    "loop after await": "import asyncio\nawait asyncio.sleep(0)\nwhile True:\n    pass",
    "in a function of pandas": "import pandas as pd\npd.Series([1]).map(lambda _: exec('while True: pass'))",
    "nested": "get_ipython().run_cell('while True: pass')\nwhile True:\n    pass",
}


# Each level catches what comes while the one below it is at its own exception.
STUBBORN = """
print("began", flush=True)

def stay(level):
    while not gate.is_set():
        try:
            stay(level - 1) if level else gate.wait(90)
        except KeyboardInterrupt:
            pass

stay(9)
"""


def began(asked: Asked) -> None:
    """The cell has printed: the kernel sends it within 0.2 s."""
    until(lambda: asked.text == "began\n")


def whole(lab: Lab) -> None:
    assert lab.value("1 + 1") == 2


@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS)
def test_stop_ends_whatever_runs_and_not_the_cell_behind_it(lab: Lab, code: str) -> None:
    asked = lab.ask(f"print('began', flush=True)\n{code}").when("running")
    behind = lab.person("import time\nfor _ in range(20):\n    time.sleep(0.005)\nprint('whole')")
    began(asked)
    time.sleep(0.2)  # the print is out: by now it is where it will be for ever

    asked.stop()

    assert asked.failed() == "CancelledError"
    assert asked.outputs[-1]["ename"] in {"KeyboardInterrupt", "CancelledError"}
    assert asked.stages[-1] == "finished"
    assert lab.removed == []
    assert behind.done().status == "ok"
    assert behind.outputs == [{"output_type": "stream", "name": "stdout", "text": "whole\n"}]


@pytest.mark.parametrize("file", ["sys._getframe().f_code.co_filename", "'a file'"], ids=["the cell", "elsewhere"])
def test_an_interrupt_at_an_instruction_without_a_line_is_shown_like_any(lab: Lab, file: str) -> None:
    """Python has such instructions of its own; here, all that a loop consists of."""
    loop = f"compile('while True:\\n    pass', {file}, 'exec').replace(co_linetable=b'\\xf8' * 9)"
    asked = lab.ask(f"import sys\nloop = {loop}\nprint('began', flush=True)\nexec(loop)").when("running")
    began(asked)
    time.sleep(0.5)  # it cannot say from inside that it is there
    lab.interrupt()

    run = asked.run()
    assert run["status"] == "interrupted"
    inner = [] if file == "'a file'" else ["line 1: import sys"]
    assert run["traceback"].splitlines() == ["line 4: exec(loop)", *inner, "KeyboardInterrupt"]
    said, error = run["outputs"]
    assert (said["text"], error["ename"]) == ("began\n", "KeyboardInterrupt")
    assert "interrupt.py" not in "".join(error["traceback"])


def test_code_that_swallows_an_interrupt_gets_another_one(lab: Lab) -> None:
    swallow = (
        "for number in range(2):\n    try:\n        here()\n        time.sleep(60)\n    except KeyboardInterrupt:\n"
    )
    code = f"import time\nprint('began', flush=True)\n{swallow}        print(number)\ntime.sleep(60)"
    asked = lab.ask(code).when("running")
    lab.when_here()
    asked.stop()

    assert asked.failed() == "CancelledError"
    assert asked.text == "began\n0\n1\n"


def test_code_that_swallows_every_interrupt_does_not_hold_the_turn(lab: Lab) -> None:
    lab.be_patient(STOP_S)
    asked = lab.ask(STUBBORN).when("running")
    began(asked)
    behind = lab.person("print('whole')")
    asked.stop()

    assert asked.failed() == "CancelledError"
    lab.open_gate()
    assert behind.done().status == "ok"
    assert behind.text == "whole\n"
    assert lab.person("gate.clear()").done().status == "ok"
    lab.be_patient(30)


def test_a_call_that_holds_the_lock_of_python_ends_when_it_ends(lab: Lab) -> None:
    asked = lab.ask("total = 0\nfor _ in range(10**6):\n    total += sum(range(10**7))").when("running")
    asked.stop()

    assert asked.failed() == "CancelledError"
    whole(lab)


def test_stop_before_the_cell_begins_takes_it_back(lab: Lab) -> None:
    busy = lab.person("here()\ngate.wait(90)\nprint('whole')")
    lab.when_here()
    asked = lab.ask("never = 1").when("waiting")

    asked.stop()

    assert asked.failed() == "CancelledError"
    assert asked.stages == ["waiting", "finished"]
    lab.open_gate()
    assert busy.done().text == "whole\n"
    lab.until(lambda: asked.cell_id in lab.removed)
    assert lab.value("'never' in dir()") is False
    assert lab.person("gate.clear()").done().status == "ok"


def test_interrupts_are_as_before_afterwards(lab: Lab) -> None:
    asked = lab.ask("while True:\n    pass").when("running")
    asked.stop()
    asked.outcome.result(PATIENCE_S)

    theirs = lab.person("import signal\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler)").done()
    assert theirs.text == "True\n"
    running = lab.person("import time\nhere()\nwhile True:\n    time.sleep(0.01)")
    lab.when_here()
    lab.interrupt()
    assert running.done().error == "KeyboardInterrupt"
    whole(lab)


KINDS = (
    "import time\ntime.sleep({})",
    "import time\nend = time.monotonic() + {}\nwhile time.monotonic() < end:\n    pass",
    "import asyncio\nawait asyncio.sleep({})",
    "1 + 1  # {}",
    "print({})\nimport time\nfor _ in range(100):\n    time.sleep(0.0002)",
    "1 / 0  # {}",
)


def race(lab: Lab, trials: int, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    ends: dict[str, int] = {}
    for trial in range(trials):
        code = chance.choice(KINDS).format(chance.random() * 0.04)
        busy = lab.person(f"import time\ntime.sleep({chance.random() * 0.02})") if chance.random() < 0.3 else None
        asked = lab.ask(code)
        behind = lab.person(f"import time\nfor _ in range(20):\n    time.sleep(0.001)\nprint('whole {trial}')")
        time.sleep(chance.random() * 0.06)

        asked.stop()

        ended = asked.outcome.result(PATIENCE_S)
        assert behind.done().status == "ok", (trial, code, behind.outputs)
        assert behind.outputs == [{"output_type": "stream", "name": "stdout", "text": f"whole {trial}\n"}], (
            trial,
            code,
        )
        if busy is not None:
            assert (busy.done().status, busy.outputs) == ("ok", []), (trial, code)
        end = ended["failed"] or ended["run"]["status"]
        ends[end] = ends.get(end, 0) + 1
    assert set(ends) <= {"CancelledError", "ok", "error"}, ends
    assert {"CancelledError", "ok"} <= set(ends), ends
    whole(lab)


@pytest.mark.long
def test_twenty_races_with_the_persons_cell(lab: Lab) -> None:
    race(lab, 20, seed=3)


@pytest.mark.long
def test_two_hundred_races_with_the_persons_cell(lab: Lab) -> None:
    race(lab, 200, seed=random.SystemRandom().randrange(10**9))
