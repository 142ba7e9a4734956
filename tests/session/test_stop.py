from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.events import AnswerReady, CellMoved, StampedEvent, TextDelta, ToolFinished
from qdash_jupyter.errors import CopilotBusy
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.spec import ToolOutput, ToolSpec
from tests.patience import PATIENCE_S, until
from tests.session.conversation import conversation, names, parts_with


class HangingReads:
    """A tool whose read blocks; it says when it began, and when it was let go."""

    def __init__(self) -> None:
        self.began, self.ended, self.let_go = threading.Event(), threading.Event(), threading.Event()
        self.spec = ToolSpec("Waiting", "Hangs.", self.run, "hang")

    def run(self, *_: object) -> ToolOutput:
        self.began.set()
        self.let_go.wait(PATIENCE_S)
        self.ended.set()
        return ToolOutput(content={})


class Endless(ScriptedLLM):
    """Asked to speak it says a word, and then nothing for ever."""

    async def reply(self, request: ModelRequest) -> Any:
        if request.items[-1].get("content", [{}])[0].get("text") != "Speak.":
            async for part in super().reply(request):
                yield part
            return
        yield TextDelta("I ")
        await asyncio.sleep(PATIENCE_S)


def when(turn: Turn, wanted: Callable[[StampedEvent], bool], act: Callable[[], object]) -> threading.Thread:
    """Do something from another thread as soon as such an event is there."""

    def watch() -> None:
        until(lambda: any(wanted(stamped) for stamped in list(turn.events)))
        act()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def runs(stamped: StampedEvent) -> bool:
    return isinstance(stamped.event, CellMoved) and stamped.event.stage == "running"


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def ended_as_stopped(turn: Turn) -> None:
    assert turn.done
    answer = turn.result()
    assert answer.stop_reason is StopReason.CANCELLED
    assert answer.text == "Stopped by you."
    assert isinstance(turn.events[-1].event, AnswerReady)
    assert names(turn.events).count("AnswerReady") == 1


def goes_on(copilot: Copilot) -> None:
    assert copilot.ask("And now?").text == "Next."
    open_calls: list[str] = []
    for item in copilot._conversation.transcript.items:
        if item["type"] == "function_call":
            open_calls.append(item["call_id"])
        elif item["type"] == "function_call_output":
            open_calls.remove(item["call_id"])
    assert open_calls == []


def test_stop_while_the_model_speaks(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        turn = copilot.start("Speak.")
        when(turn, lambda stamped: isinstance(stamped.event, TextDelta), copilot.stop)
        turn.wait()

        ended_as_stopped(turn)
        assert not copilot.stop()
        goes_on(copilot)


def test_stop_during_a_read_that_blocks(shell: InteractiveShell, snapshot: Path) -> None:
    reads = HangingReads()
    llm = ScriptedLLM([call_reply(("list_available_parameters", {}), ("hang", {})), text_reply("Next.")])
    with conversation(shell, parts_with(llm, snapshot, (*BUILTIN_TOOLS, reads.spec))) as copilot:
        turn = copilot.start("Read.")
        # Events flow while the read blocks: that of its neighbour comes, and only then the stop.
        when(turn, lambda stamped: isinstance(stamped.event, ToolFinished) and reads.began.is_set(), turn.stop)
        turn.wait()

        assert not reads.ended.is_set()  # the turn ended before the read
        ended_as_stopped(turn)
        assert names(turn.events) == [
            "StageChanged",
            "StageChanged",
            "ToolStarted",
            "ToolStarted",
            "ToolFinished",
            "AnswerReady",
        ]
        goes_on(copilot)
        outputs = [
            item["output"] for item in copilot._conversation.transcript.items if item["type"] == "function_call_output"
        ]
        assert "error" not in outputs[0]
        assert "t1" in outputs[0]
        assert "stopped before it was done" in outputs[1]
        reads.let_go.set()


def test_stop_before_it_began_twice_and_after_the_end(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(ScriptedLLM([text_reply("Next."), text_reply("Last.")]), snapshot)) as copilot:
        inside = copilot._conversation
        turn = Turn("Never asked.", inside.loop)
        inside._turns.append(turn)
        turn.stop()
        inside.loop.submit(inside._drive(turn))
        turn.wait()
        ended_as_stopped(turn)

        hurried = copilot.start("Stopped at once.")
        assert copilot.stop()
        copilot.stop()
        hurried.stop()
        hurried.wait()
        ended_as_stopped(hurried)

        goes_on(copilot)
        copilot.turns[-1].stop()
        assert copilot.turns[-1].result().stop_reason is StopReason.FINISHED
        assert not copilot.stop()


def test_one_question_at_a_time(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        turn = copilot.start("Speak.")
        with pytest.raises(CopilotBusy, match="stop it"):
            copilot.start("Me too.")
        with pytest.raises(CopilotBusy):
            turn.result()
        assert copilot.turns == (turn,)
        turn.stop()
        turn.wait()
        goes_on(copilot)


def test_an_interrupt_while_waiting(shell: InteractiveShell, snapshot: Path) -> None:
    """Interrupts come to the main thread between any two of its steps: here, as an event is shown."""

    def interrupted(stamped: StampedEvent) -> None:
        if isinstance(stamped.event, TextDelta):
            raise KeyboardInterrupt

    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        answer = copilot.ask("Speak.", interrupted)

        assert answer.stop_reason is StopReason.CANCELLED
        ended_as_stopped(copilot.turns[0])
        goes_on(copilot)


def test_an_interrupt_in_the_wait_itself(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        turn = copilot.start("Speak.")
        real, calls = turn.pump._news.wait, []

        def wait(timeout: float) -> bool:
            calls.append(timeout)
            if len(calls) == 3:
                raise KeyboardInterrupt
            return real(timeout)

        monkeypatch.setattr(turn.pump._news, "wait", wait)
        turn.wait()

        ended_as_stopped(turn)
        goes_on(copilot)


def test_an_interrupt_while_a_cell_runs_in_the_session(shell: InteractiveShell, snapshot: Path) -> None:
    code = "began = 1\nwhile True:\n    began += 1\n"
    llm = ScriptedLLM([call_reply(("execute_python_analysis", {"code": code})), text_reply("Next.")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        turn = copilot.start("Compute.")
        when(turn, runs, press_ctrl_c)
        turn.wait()

        ended_as_stopped(turn)
        assert "began" not in shell.user_ns
        goes_on(copilot)


def test_an_interrupt_while_a_trusted_cell_runs(
    shell: InteractiveShell, snapshot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "began = 1\nfor number in range(10**12):\n    began = 2\n"
    llm = ScriptedLLM([call_reply(("execute_python_analysis", {"code": code})), text_reply("Next.")])
    with conversation(shell, parts_with(llm, snapshot, manifest=Manifest(policy="trusted"))) as copilot:
        turn = copilot.start("Compute.")
        when(turn, lambda _: "began" in shell.user_ns, press_ctrl_c)
        turn.wait()

        ended_as_stopped(turn)
        assert [run.status.value for run in turn.cells] == ["interrupted"]
        assert shell.run_cell("1 + 1").result == 2
        seen = capsys.readouterr()
        assert "KeyboardInterrupt" not in seen.out + seen.err
        goes_on(copilot)


def test_an_error_of_the_caller_stops_the_turn(shell: InteractiveShell, snapshot: Path) -> None:
    def broken(_: StampedEvent) -> None:
        raise ValueError("the caller's own")

    with conversation(shell, parts_with(Endless([text_reply("Next.")]), snapshot)) as copilot:
        with pytest.raises(ValueError, match="the caller's own"):
            copilot.ask("Speak.", broken)
        copilot.turns[0].wait()
        ended_as_stopped(copilot.turns[0])
        goes_on(copilot)


def test_a_stopped_answer_holds_what_there_was(shell: InteractiveShell, snapshot: Path) -> None:
    reads = HangingReads()
    llm = ScriptedLLM(
        [call_reply(("generate_chip_heatmap", {"metric_name": "t1"}), ("get_chip_summary", {}), ("hang", {}))]
    )
    with conversation(shell, parts_with(llm, snapshot, (*BUILTIN_TOOLS, reads.spec))) as copilot:
        turn = copilot.start("Read.")
        finished: list[object] = []

        def two(stamped: StampedEvent) -> bool:
            return sum(isinstance(other.event, ToolFinished) for other in list(turn.events)) == 2

        when(turn, two, turn.stop)
        turn.wait(finished.append)
        reads.let_go.set()

        answer = turn.result()
        assert answer.frame_keys
        assert set(answer.frame_keys) <= set(copilot.data)
        assert len(answer.charts) == 1


@pytest.mark.long
def test_a_process_with_a_read_that_hangs_exits_at_once(snapshot: Path, tmp_path: Path) -> None:
    script = tmp_path / "hanging.py"
    script.write_text(
        f"""
import sys, threading
from pathlib import Path
from tests.session.conversation import made, open_shell, parts_with
from tests.session.test_stop import BUILTIN_TOOLS, HangingReads, ScriptedLLM, call_reply

reads = HangingReads()
llm = ScriptedLLM([call_reply(("hang", {{}}))])
with open_shell() as shell:
    copilot = made(shell, parts_with(llm, Path({str(snapshot)!r}), (*BUILTIN_TOOLS, reads.spec)))
    copilot.start("Read.")
    assert reads.began.wait({PATIENCE_S})
    assert all(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())
    print("leaving", flush=True)
"""
    )
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": ".", "HOME": str(tmp_path), "PATH": ""},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said = process.stdout.readline()
        leaving = time.monotonic()
        code = process.wait(PATIENCE_S)
        took = time.monotonic() - leaving
        errors = process.stderr.read()

    assert (said, code) == ("leaving\n", 0)
    assert "Traceback" not in errors
    assert "Fatal" not in errors
    assert took < PATIENCE_S / 2
