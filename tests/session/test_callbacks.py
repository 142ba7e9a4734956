"""QDash's two callbacks, plain and async, while one waits for a turn in either way."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.llm.scripted import ScriptedLLM, Step, call_reply, text_reply
from qdash_jupyter.session.callbacks import callbacks
from qdash_jupyter.session.copilot import Copilot
from tests.session.conversation import conversation, parts_with

CODE = "6 * 7\n"
HEARD = [
    "connect",
    "thinking",
    ("get_qubit_params", {"qid": "3"}),
    ("get_chip_topology", {}),
    "thinking",
    ("execute_python_analysis", {"code": CODE}),
    "thinking",
    "complete",
]
STEPS: list[Step] = [
    call_reply(("get_qubit_params", {"qid": "3"}), ("get_chip_topology", {})),
    call_reply(("execute_python_analysis", {"code": CODE})),
    text_reply("Done."),
]

Wait = Callable[[Copilot, Any], Answer]


def blocking(copilot: Copilot, on_event: Any) -> Answer:
    return copilot.ask("Compute.", on_event)


def awaiting(copilot: Copilot, on_event: Any) -> Answer:
    async def person() -> Answer:
        return await copilot.start("Compute.").finished(on_event)

    return asyncio.run(person())


def blocking_in_a_running_loop(copilot: Copilot, on_event: Any) -> Answer:
    """As in a cell of ipykernel: its loop runs, and the cell blocks it."""

    async def cell() -> Answer:
        return copilot.ask("Compute.", on_event)

    return asyncio.run(cell())


WAYS = [blocking, awaiting, blocking_in_a_running_loop]


@pytest.mark.parametrize("wait", WAYS)
@pytest.mark.parametrize("kind", ["plain", "async"])
def test_both_callbacks_hear_everything_in_order(
    shell: InteractiveShell, snapshot: Path, wait: Wait, kind: str
) -> None:
    heard: list[Any] = []

    async def slowly(*words: Any) -> None:
        await asyncio.sleep(0.01)
        heard.append(words[0] if len(words) == 1 else words)

    def at_once(*words: Any) -> None:
        heard.append(words[0] if len(words) == 1 else words)

    hear = slowly if kind == "async" else at_once
    with conversation(shell, parts_with(ScriptedLLM(STEPS), snapshot)) as copilot:
        answer = wait(copilot, callbacks(on_tool_call=hear, on_status=hear))
        assert heard == HEARD
        assert answer.text == "Done."
        assert copilot.turns[0].cells[0].value == 42


def test_a_call_is_heard_before_its_cell_runs(shell: InteractiveShell, snapshot: Path) -> None:
    steps: list[Step] = [call_reply(("execute_python_analysis", {"code": "made = [1]\n"})), text_reply("Done.")]
    there: list[bool] = []
    with conversation(shell, parts_with(ScriptedLLM(steps), snapshot)) as copilot:
        copilot.ask("Compute.", callbacks(on_tool_call=lambda name, args: there.append("made" in shell.user_ns)))
        assert "made" in shell.user_ns
    assert there == [False]


@pytest.mark.parametrize("wait", WAYS)
@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_callback_that_fails_is_logged_and_the_turn_goes_on(
    shell: InteractiveShell, snapshot: Path, wait: Wait, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    statuses: list[str] = []

    def fail(name: str, args: Any) -> None:
        raise ValueError(name)

    async def fail_later(name: str, args: Any) -> None:
        await asyncio.sleep(0)
        raise ValueError(name)

    on_tool_call = fail_later if kind == "async" else fail
    with (
        caplog.at_level(logging.ERROR, "qdash_jupyter"),
        conversation(shell, parts_with(ScriptedLLM(STEPS), snapshot)) as copilot,
    ):
        answer = wait(copilot, callbacks(on_tool_call=on_tool_call, on_status=statuses.append))
    assert answer.text == "Done."
    assert statuses == [each for each in HEARD if isinstance(each, str)]
    failures = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert [str(failure) for failure in failures] == [each[0] for each in HEARD if isinstance(each, tuple)]


def test_awaited_callbacks_run_on_the_loop_of_whoever_awaits(shell: InteractiveShell, snapshot: Path) -> None:
    seen: list[tuple[threading.Thread, asyncio.AbstractEventLoop]] = []

    async def here(status: str) -> None:
        seen.append((threading.current_thread(), asyncio.get_running_loop()))

    async def person() -> asyncio.AbstractEventLoop:
        await copilot.start("Compute.").finished(callbacks(on_status=here))
        return asyncio.get_running_loop()

    with conversation(shell, parts_with(ScriptedLLM(STEPS), snapshot)) as copilot:
        loop = asyncio.run(person())
    assert set(seen) == {(threading.main_thread(), loop)}


def test_either_may_be_left_out_and_what_they_change_stays_theirs(shell: InteractiveShell, snapshot: Path) -> None:
    def spoil(name: str, args: dict[str, Any]) -> None:
        args.clear()

    with conversation(shell, parts_with(ScriptedLLM([*STEPS, *STEPS]), snapshot)) as copilot:
        assert copilot.ask("Compute.", callbacks()).text == "Done."
        assert copilot.ask("Compute.", callbacks(on_tool_call=spoil)).text == "Done."
        results = copilot.turns[1].tool_results
    assert {result.call.name: result.arguments.get("qid") for result in results if result.ok} == {
        "get_qubit_params": "3",
        "get_chip_topology": None,
        "execute_python_analysis": None,
    }
