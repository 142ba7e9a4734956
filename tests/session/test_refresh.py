"""`copilot.data[key].refresh()`: the same call again, in a cell, beside questions, and after the end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.events import StampedEvent, ToolStarted
from qdash_jupyter.errors import NoData, PersonError, ToolError
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.tools.spec import NewFrame, ToolArguments, ToolContext, ToolOutput, ToolSpec
from tests.patience import main_thread_waits, until
from tests.session.conversation import conversation, parts_with

WAIT_S = 20


class Rows(ToolArguments):
    name: str = "t1"


class Fridge:
    """A tool whose table gets a row more at every call; a test may watch and hold a call."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.at_call: Callable[[int], None] = lambda number: None

    def read(self, args: Rows, context: ToolContext) -> ToolOutput:
        self.calls.append(args.name)
        number = len(self.calls)
        self.at_call(number)
        frame = pd.DataFrame({"v": [float(i) for i in range(number)]})
        return ToolOutput(frame=NewFrame(args.name, {"rows": frame}, "rows", {"v": "mK"}))

    @property
    def spec(self) -> ToolSpec:
        words = "Reading the fridge"
        return ToolSpec(words, "Temperatures.", self.read, "read_fridge", Rows, "Once.", max_calls_per_turn=1)


@pytest.fixture
def fridge() -> Fridge:
    return Fridge()


def frames_of(shell: InteractiveShell, snapshot: Path, fridge: Fridge, *steps: Any) -> Any:
    return conversation(shell, parts_with(ScriptedLLM(steps), snapshot, [fridge.spec]))


def fetched(copilot: Copilot, **arguments: Any) -> StoredResult:
    result = copilot.tools.read_fridge(**arguments)
    assert isinstance(result, StoredResult)
    return result


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_chip_summary", {}),
        ("get_chip_parameter_timeseries", {"parameter_name": "T1", "since": "10d", "qids": ["Q03", "7"]}),
        ("get_chip_topology", {}),
        ("generate_chip_heatmap", {"metric_name": "t1", "selection_mode": "average"}),
    ],
)
def test_every_result_makes_exactly_its_own_call_again(
    shell: InteractiveShell, snapshot: Path, tool: str, arguments: dict[str, Any]
) -> None:
    with conversation(shell, parts_with(ScriptedLLM([]), snapshot)) as copilot:
        first = getattr(copilot.tools, tool)(**arguments)
        second = first.refresh()
        assert copilot.data[first.key] is second
        assert (second.version, second.unchanged, second.source) == (2, True, first.source)
        assert list(copilot.data) == [first.key]


def test_new_data_take_the_key_and_the_old_object_stays_as_it_was(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    with frames_of(shell, snapshot, fridge) as copilot:
        first = fetched(copilot)
        second = first.refresh()
        assert (len(first.frame), len(second.frame)) == (1, 2)
        assert (second.key, second.version, second.unchanged) == ("t1", 2, False)
        assert copilot.data["t1"] is second
        assert fridge.calls == ["t1", "t1"], "as often as the person likes, whatever a question may"


def test_what_the_person_changed_stays_and_that_is_said(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    with frames_of(shell, snapshot, fridge) as copilot:
        theirs = fetched(copilot)
        theirs.frame["mine"] = [[1, 2]]
        fresh = theirs.refresh()
        assert (fresh.key, fresh.kept) == ("t1_2", "t1")
        assert copilot.data["t1"] is theirs
        assert list(theirs.frame["mine"]) == [[1, 2]]
        assert "data['t1'] is kept, because you changed it" in repr(fresh)


def test_the_agent_and_a_refresh_store_under_the_same_key(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    steps = [call_reply(("read_fridge", {})), text_reply("Cold.")]
    begun, let_go = Event(), Event()

    def hold(number: int) -> None:
        if number == 2:  # the agent's
            begun.set()
            assert let_go.wait(WAIT_S)

    with frames_of(shell, snapshot, fridge, *steps) as copilot:
        first = fetched(copilot)
        fridge.at_call = hold
        turn = copilot.start("How cold is it?")
        assert begun.wait(WAIT_S)
        assert first.refresh().version == 2, "it does not wait for the agent's call"
        let_go.set()
        turn.wait()
        assert turn.result().text == "Cold."
        assert (copilot.data["t1"].version, list(copilot.data)) == (3, ["t1"])


def test_in_the_cell_that_waits_for_an_answer(shell: InteractiveShell, snapshot: Path, fridge: Fridge) -> None:
    steps = [call_reply(("read_fridge", {"name": "t2"})), text_reply("Cold.")]
    with frames_of(shell, snapshot, fridge, *steps) as copilot:
        first = fetched(copilot)
        versions: list[int] = []

        def on_event(stamped: StampedEvent) -> None:  # on the main thread, amid the turn
            if isinstance(stamped.event, ToolStarted):
                versions.append(first.refresh().version)

        assert copilot.ask("How cold is it?", on_event).text == "Cold."
        assert versions == [2]
        assert set(copilot.data) == {"t1", "t2"}


def test_after_the_end_it_says_what_to_do_and_with_the_next_question_it_works_again(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    with frames_of(shell, snapshot, fridge, text_reply("Yes.")) as copilot:
        first = fetched(copilot)
        copilot.close()
        with pytest.raises(PersonError, match=r"is closed.*copilot\.tools\.read_fridge"):
            first.refresh()
        assert fridge.calls == ["t1"]
        assert copilot.ask("Are you there?").text == "Yes."
        assert first.refresh().version == 2


def test_the_conversation_is_closed_while_it_waits(shell: InteractiveShell, snapshot: Path, fridge: Fridge) -> None:
    begun, let_go = Event(), Event()
    failures: list[str] = []

    def hold(number: int) -> None:
        begun.set()
        let_go.wait(WAIT_S)

    def refresh() -> None:
        with pytest.raises(PersonError) as caught:
            first.refresh()
        failures.append(str(caught.value))

    with frames_of(shell, snapshot, fridge) as copilot:
        first = fetched(copilot)
        fridge.at_call = hold
        waiting = Thread(target=refresh)
        waiting.start()
        assert begun.wait(WAIT_S)
        copilot.close()
        waiting.join(WAIT_S)
        let_go.set()
        assert len(failures) == 1
        assert "closed before the data arrived" in failures[0]
        assert copilot.data["t1"] is first


def test_an_interrupt_ends_the_waiting_and_nothing_else(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    let_go = Event()

    def interrupt(number: int) -> None:
        until(main_thread_waits)
        os.kill(os.getpid(), signal.SIGINT)
        let_go.wait(WAIT_S)

    with frames_of(shell, snapshot, fridge) as copilot:
        first = fetched(copilot)
        fridge.at_call = interrupt
        with pytest.raises(KeyboardInterrupt):
            first.refresh()
        fridge.at_call = lambda number: None
        let_go.set()
        assert first.refresh().version == 2, "what nobody waited for was not stored"


def test_a_call_that_fails_now_leaves_everything_as_it_is(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge
) -> None:
    def fail(number: int) -> None:
        raise NoData("Nothing was measured.", "Ask for more.")

    with frames_of(shell, snapshot, fridge) as copilot:
        first = fetched(copilot)
        fridge.at_call = fail
        with pytest.raises(ToolError, match=r"Nothing was measured\. Ask for more\."):
            first.refresh()
        assert copilot.data["t1"] is first


def test_a_tool_that_gives_no_table_any_more(
    shell: InteractiveShell, snapshot: Path, fridge: Fridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    with frames_of(shell, snapshot, fridge) as copilot:
        first = fetched(copilot)
        monkeypatch.setattr(Fridge, "read", lambda *_: ToolOutput(content={}))
        specs = copilot._conversation.parts().toolbox.specs
        specs["read_fridge"] = fridge.spec
        with pytest.raises(NoData, match="no longer returns a table"):
            first.refresh()
        assert copilot.data["t1"] is first
