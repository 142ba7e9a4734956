"""`await copilot.start("…")`: the answer inside a cell that awaits, while the loop of the kernel goes on."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import ModelUnreachable
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from tests.patience import PATIENCE_S, until
from tests.session.conversation import conversation, parts_with
from tests.session.pages import ScriptedNotebook
from tests.session.test_stop import Endless, when


def computing(code: str = "6 * 7\n") -> Any:
    return call_reply(("execute_python_analysis", {"code": code}))


def test_the_loop_goes_on_while_one_waits(shell: InteractiveShell, snapshot: Path) -> None:
    """The model answers only when the loop has gone on: a busy machine may keep this thread from it for a while."""
    ticks: list[int] = []

    def answers(_: object) -> Reply:
        until(lambda: len(ticks) > 2)
        return text_reply("Done.")

    llm = ScriptedLLM([computing(), answers])

    async def ticking() -> None:
        while True:
            ticks.append(1)
            await asyncio.sleep(0.001)

    async def person() -> str:
        clock = asyncio.ensure_future(ticking())
        seen: list[object] = []
        answer = await copilot.start("Compute.").finished(seen.append)
        assert await copilot.turns[0] is answer
        assert seen == copilot.turns[0].events
        clock.cancel()
        return answer.text

    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        assert asyncio.run(person()) == "Done."
        assert [run.value for run in copilot.turns[0].cells] == [42]


def test_taken_over_from_the_notebook(shell: InteractiveShell, snapshot: Path) -> None:
    """The code waits for the user's cell, which then waits for the turn."""

    async def person() -> str:
        turn = copilot.start("Compute.")
        await asyncio.to_thread(until, lambda: not notebook.idle.empty())
        return (await turn).text

    notebook = ScriptedNotebook(busy=True)
    shell.user_ns["mine"] = 7
    llm = ScriptedLLM([computing("6 * mine\n"), text_reply("Done.")])
    with conversation(shell, parts_with(llm, snapshot), notebook=notebook) as copilot:
        assert asyncio.run(person()) == "Done."
        assert [run.value for run in copilot.turns[0].cells] == [42]


def test_a_failure_is_raised(shell: InteractiveShell, snapshot: Path) -> None:
    async def person() -> None:
        await copilot.start("Compute.")

    with (
        conversation(shell, parts_with(ScriptedLLM([ModelUnreachable("Nobody.", "Hm.")]), snapshot)) as copilot,
        pytest.raises(ModelUnreachable),
    ):
        asyncio.run(person())


def test_cancelling_the_one_who_waits_stops_the_turn(shell: InteractiveShell, snapshot: Path) -> None:
    async def person() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await copilot.start("Speak.")
        # It has ended: the next question can be asked at once.
        assert copilot.turns[0].done
        assert (await copilot.start("And now?")).text == "Next."

    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        asyncio.run(person())
        assert copilot.turns[0].result().stop_reason is StopReason.CANCELLED


def test_stop_from_elsewhere_is_an_answer(shell: InteractiveShell, snapshot: Path) -> None:
    async def person() -> StopReason:
        turn = copilot.start("Speak.")
        when(turn, lambda stamped: isinstance(stamped.event, TextDelta), turn.stop)
        return (await turn).stop_reason

    with conversation(shell, parts_with(Endless([]), snapshot)) as copilot:
        assert asyncio.run(person()) is StopReason.CANCELLED


# In a real kernel.

BEGIN = '''
import asyncio, os, signal, threading
from pathlib import Path
from tests.session.conversation import made, parts_with
from tests.session.test_stop import Endless, Manifest, ScriptedLLM, call_reply, runs, text_reply, when
from tests.session.pages import ScriptedNotebook
from tests.patience import main_thread_waits, until
from qdash_jupyter.domain.events import TextDelta

def press_when(condition):
    """The notebook's button: a signal to the process."""
    threading.Thread(target=lambda: (until(condition), os.kill(os.getpid(), signal.SIGINT))).start()

def spoken():
    return any(isinstance(each.event, TextDelta) for turn in copilot.turns for each in list(turn.events))

def begin(*steps, notebook=None, policy="guarded"):
    global copilot
    for name in ("began", "number"):  # else they are the person's own
        globals().pop(name, None)
    parts = parts_with(Endless(steps), Path({snapshot!r}), manifest=Manifest(policy=policy))
    copilot = made(get_ipython(), parts, notebook=notebook)

def running():
    return any(runs(each) for turn in copilot.turns for each in list(turn.events))

def computing(code):
    return call_reply(("execute_python_analysis", {{"code": code}}))

def ticked(_):
    until(lambda: len(ticks) > 2)
    return text_reply("Done.")

LOOP = "began = 1\\nfor number in range(10**12):\\n    began = 2\\n"
'''


class Notebook:
    """A kernel and somebody who runs cells in it."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager = manager
        self.client = client

    def run(self, code: str, **options: Any) -> tuple[str, str, str]:
        """Status, what was printed, and the error's name."""
        printed: list[str] = []

        def on_output(message: dict[str, Any]) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
            elif message["msg_type"] == "execute_result":
                printed.append(message["content"]["data"]["text/plain"])

        reply = self.client.execute_interactive(code, timeout=PATIENCE_S, output_hook=on_output, **options)
        return reply["content"]["status"], "".join(printed), reply["content"].get("ename", "")

    def ok(self, code: str) -> str:
        status, printed, error = self.run(code)
        assert status == "ok", (printed, error)
        return printed


@pytest.fixture(scope="module")
def notebook(snapshot: Path) -> Iterator[Notebook]:
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(Path(__file__).parents[2]))
    try:
        running = Notebook(manager, client)
        running.ok(BEGIN.format(snapshot=str(snapshot)))
        yield running
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.kernel
def test_in_a_cell_that_awaits(notebook: Notebook) -> None:
    notebook.ok('begin(computing("nested = 6 * 7\\nnested\\n"), ticked)')
    printed = notebook.ok(
        "ticks = []\n"
        "async def ticking():\n    while True:\n        ticks.append(1); await asyncio.sleep(0.001)\n"
        "clock = asyncio.ensure_future(ticking())\n"
        'answer = await copilot.start("Compute.")\n'
        "clock.cancel()\n"
        "print(answer.text, nested, copilot.turns[0].cells[0].value)"
    )
    assert printed == "Done. 42 42\n"
    assert notebook.ok("print(1 + 1)") == "2\n"


@pytest.mark.kernel
def test_the_notebooks_interrupt_while_a_cell_awaits(notebook: Notebook) -> None:
    notebook.ok('begin(text_reply("Next."))')
    notebook.ok("press_when(lambda: spoken() and main_thread_waits())")
    status, _, error = notebook.run('await copilot.start("Speak.")')
    assert (status, error) == ("error", "CancelledError")
    assert notebook.ok("print(copilot.turns[0].result().stop_reason)") == "cancelled\n"
    assert notebook.ok('print((await copilot.start("And now?")).text)') == "Next.\n"


@pytest.mark.kernel
@pytest.mark.parametrize("waiting", ["(await copilot.start('Compute.'))", "copilot.ask('Compute.')"])
def test_the_notebooks_interrupt_while_the_session_runs(notebook: Notebook, waiting: str) -> None:
    """Whoever awaits is cancelled, as while the model speaks."""
    notebook.ok('begin(computing(LOOP), text_reply("Next."))')
    notebook.ok("press_when(lambda: running() and main_thread_waits())")
    outcome = notebook.run(f"print({waiting}.stop_reason)")
    assert outcome == (("error", "", "CancelledError") if "await" in waiting else ("ok", "cancelled\n", ""))
    assert notebook.ok("print(copilot.turns[0].result().stop_reason, 'began' in globals())") == "cancelled False\n"
    assert notebook.ok('print((await copilot.start("And now?")).text)') == "Next.\n"


@pytest.mark.kernel
@pytest.mark.parametrize("waiting", ["(await copilot.start('Compute.'))", "copilot.ask('Compute.')"])
def test_the_notebooks_interrupt_while_a_trusted_nested_cell_runs(notebook: Notebook, waiting: str) -> None:
    notebook.ok('begin(computing(LOOP), text_reply("Next."), policy="trusted")')
    notebook.ok("press_when(lambda: 'began' in globals())")
    printed = notebook.ok(f"print({waiting}.stop_reason)")
    assert printed == "cancelled\n"
    assert notebook.ok("print(copilot.turns[0].cells[0].status)") == "interrupted\n"
    assert notebook.ok('print((await copilot.start("And now?")).text)') == "Next.\n"


@pytest.mark.kernel
@pytest.mark.parametrize("waiting", ["(await copilot.start('Compute.'))", "copilot.ask('Compute.')"])
@pytest.mark.parametrize(("policy", "has_begun"), [("guarded", "running()"), ("trusted", "'began' in globals()")])
def test_stop_from_the_panel_while_a_nested_cell_runs(
    notebook: Notebook, waiting: str, policy: str, has_begun: str
) -> None:
    """Stop comes on another thread; the person's own code behind it in the same cell is not hit."""
    notebook.ok(f'begin(computing(LOOP), text_reply("Next."), policy="{policy}")')
    printed = notebook.ok(
        "def stop():\n"
        f"    until(lambda: {has_begun}); copilot.stop()\n"
        "threading.Thread(target=stop).start()\n"
        f"reason = {waiting}.stop_reason\n"
        "mine = sum(1 for _ in range(1_000_000))\n"
        "print(reason, mine)\n"
    )
    assert printed == "cancelled 1000000\n"


@pytest.mark.kernel
def test_stop_while_a_job_runs_between_two_cells(notebook: Notebook, tmp_path: Path) -> None:
    """No page: a trusted cell runs when the kernel is idle, where ipykernel ignores interrupts."""
    ended = tmp_path / "ended"
    notebook.ok(
        "class Idle(ScriptedNotebook):\n"
        "    def run_when_idle(self, job):\n"
        "        get_ipython().kernel.io_loop.add_callback(job)\n"
        "        return True\n"
        'begin(computing(LOOP), text_reply("Next."), notebook=Idle(has_page=False), policy="trusted")\n'
        "def stop():\n"
        "    until(lambda: 'began' in globals()); copilot.stop()\n"
        f"    until(lambda: turn.done); Path({str(ended)!r}).touch()\n"
        "threading.Thread(target=stop).start()\n"
        'turn = copilot.start("Compute.")\n'
    )
    until(ended.exists)  # the kernel is idle, but for the job
    # This cell comes when the job is over, and is not hit.
    assert notebook.ok("print(sum(1 for _ in range(100_000)), (await turn).stop_reason)") == "100000 cancelled\n"
    assert notebook.ok("print([moved.event.in_notebook for moved in turn.events[-3:-1]])") == "[False, False]\n"
    assert notebook.ok('print((await copilot.start("And now?")).text)') == "Next.\n"


@pytest.mark.kernel
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_kernels_handling_of_interrupts_is_as_before(notebook: Notebook) -> None:
    notebook.ok('begin(computing("6 * 7\\n"), text_reply("Done."))')
    printed = notebook.ok(
        "import signal\n"
        "before = signal.getsignal(signal.SIGINT)\n"
        'copilot.ask("Compute.")\n'
        "print(before is signal.getsignal(signal.SIGINT), before is signal.default_int_handler)"
    )
    assert printed == "True True\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
