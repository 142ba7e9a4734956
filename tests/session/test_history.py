"""A conversation that is kept: a kernel ends, another one takes it up."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.connect.opening import PartsBuilder
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.events import CellsChanged, TextDelta
from qdash_jupyter.errors import CopilotBusy, DatabaseUnreachable, ModelUnreachable, PersonError
from qdash_jupyter.llm.responses import ResponsesLLM
from qdash_jupyter.llm.scripted import ScriptedLLM, Step, call_reply, text_reply
from qdash_jupyter.session import journal
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.parts import Given
from qdash_jupyter.session.past import past_of
from qdash_jupyter.session.records import AskedFrom, Past
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.panel_state.state import PanelState
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, http_error, text_turn
from tests.session.conversation import conversation, parts_with
from tests.session.test_stop import Endless
from tests.tools.qdash_documents import NOW, sample

ROOT = Path(__file__).parents[2]
FETCH = call_reply(("get_chip_parameter_timeseries", {"parameter_name": "t1"}), ("get_chip_summary", {}))
CODE = call_reply(("execute_python_analysis", {"code": "import plotly.express as px\npx.bar(x=['Q1'], y=[3])\n"}))


@pytest.fixture(autouse=True)
def notebook(monkeypatch: pytest.MonkeyPatch, shell: InteractiveShell) -> Path:
    """This kernel belongs to a notebook."""
    monkeypatch.setenv("JPY_SESSION_NAME", "/lab/study.ipynb")
    return Path("/lab/study.ipynb")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "conversations"


Kernel = Callable[..., Any]


@pytest.fixture
def kernel(shell: InteractiveShell, snapshot: Path, folder: Path) -> Kernel:
    """A kernel of the notebook, as far as its conversation is concerned."""

    @contextmanager
    def begin(*steps: Step, llm: Any = None, journal: Any = None) -> Iterator[Copilot]:
        model = llm or ScriptedLLM(steps)
        opener = journal or partial(Journal.open, folder=folder)
        with conversation(shell, parts_with(model, snapshot), journal=opener) as copilot:
            copilot.model = model  # pyrefly: ignore[missing-attribute]
            yield copilot

    return begin


def adopt(copilot: Copilot, conversation_id: str | None = None, path: str | None = None) -> bool:
    """As the page's first words have it done, on the agent's loop."""
    done: list[bool] = []

    async def work() -> None:
        done.append(await copilot._conversation.adopt(conversation_id, path))

    copilot._conversation.loop.submit(work()).result(PATIENCE_S)
    return done[0]


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl")) if folder.exists() else []


def same(restored: Sequence[Turn], before: Sequence[Turn]) -> None:
    """Everything of a turn but its streamed text, of which the pieces are put together."""
    assert [turn.turn_id for turn in restored] == [turn.turn_id for turn in before]
    for new, old in zip(restored, before, strict=True):
        assert (new.question, new.language, new.asked_at, new.asked_from, new.done) == (
            old.question,
            old.language,
            old.asked_at,
            old.asked_from,
            True,
        )
        assert _without_text(new) == _without_text(old)
        assert _text(new) == _text(old)
        assert new.tool_results == old.tool_results
        assert new.cells == old.cells


def _without_text(turn: Turn) -> list[Any]:
    return [stamped for stamped in turn.events if not isinstance(stamped.event, TextDelta)]


def _text(turn: Turn) -> str:
    return "".join(stamped.event.text for stamped in turn.events if isinstance(stamped.event, TextDelta))


def test_taken_up_by_the_next_kernel(kernel: Kernel, folder: Path) -> None:
    with kernel(FETCH, CODE, text_reply("Ten qubits lost T1."), ModelUnreachable("No server.", "Start it.")) as first:
        assert adopt(first)
        first.ask("Which qubits lost T1?")
        with pytest.raises(ModelUnreachable):
            first.ask("And T2?")
        before, inside = first.turns, first._conversation
        conversation_id, items = inside.conversation_id, inside.transcript.items
        assert inside.history_problem == ""

    with kernel(text_reply("Next.")) as second:
        assert adopt(second, conversation_id)
        assert second._conversation.conversation_id == conversation_id
        same(second.turns, before)
        assert second.turns[0].result() == before[0].result()
        assert second.turns[0].result().charts
        with pytest.raises(ModelUnreachable, match=r"No server\. Start it\."):
            second.turns[1].result()
        assert not any(turn.broken_off for turn in second.turns)
        assert second._conversation.running is None
        assert len(second.data) == 0  # tables are not kept

        assert second.ask("And now?").text == "Next."
        (request,) = second.model.requests
        assert request.items[: len(items)] == items
        assert len(request.items) == len(items) + 1

    with kernel() as third:
        adopt(third, conversation_id)
        assert [turn.question for turn in third.turns] == ["Which qubits lost T1?", "And T2?", "And now?"]
    assert [path.stem for path in logs(folder)] == [conversation_id]


def test_cells_that_were_undone_or_kept_are_so_in_another_kernel(kernel: Kernel) -> None:
    with kernel(CODE, text_reply("Drawn."), CODE, text_reply("Again.")) as copilot:
        done = {"Draw it": CellsChanged(1, "c1", "undone"), "Draw it again": CellsChanged(1, "c1", "kept")}
        for question, event in done.items():
            copilot.ask(question)
            turn = copilot.turns[-1]
            copilot._conversation.cells_changed(turn, CellsChanged(1, "c1", "added"))
            copilot._conversation.cells_changed(turn, event)
        before = copilot.turns
    with kernel() as second:
        adopt(second)
        same(second.turns, before)
        folds = PanelState("test")
        folds.load(second.turns, second.data)
        assert [turn["cells"] and turn["cells"]["state"] for turn in folds.snapshot()["turns"]] == ["undone", "kept"]


DIES = """
import os
from functools import partial
from pathlib import Path
from tests.session.conversation import made, open_shell, parts_with
from tests.session.test_stop import BUILTIN_TOOLS, HangingReads, ScriptedLLM
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.scripted import call_reply, text_reply
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.records import AskedFrom
from tests.patience import until

class Speaks(ScriptedLLM):
    async def reply(self, request):
        for word in "Let me look at the chip. ".split(" "):
            yield TextDelta(word + " ")
        async for part in super().reply(request):
            yield part

def begin(name, *replies):
    build = parts_with(Speaks(replies), Path({snapshot!r}), (*BUILTIN_TOOLS, reads.spec))
    return made(shell, build, journal=partial(Journal.open, folder=Path({folder!r}, name)))

def written(name):
    return "".join(log.read_text() for log in Path({folder!r}, name).glob("*.jsonl"))

reads = HangingReads()
thought = {{"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA==", "summary": []}}
call = call_reply(("get_chip_parameter_timeseries", {{"parameter_name": "t1"}}))
with open_shell() as shell:
    whole = begin("whole", Reply("", call.calls, (thought, *call.items)), text_reply("Ten qubits lost T1."))
    turn = whole.start("Which qubits lost T1?", asked_from=AskedFrom("tab", "cell", "ask-1"))
    turn.wait()
    print(whole._conversation.conversation_id, turn.turn_id, list(whole.data), flush=True)
    print(__import__("orjson").dumps(whole._conversation.transcript.items).decode(), flush=True)
    hangs = call_reply(("get_chip_topology", {{}}), ("hang", {{}}))
    half = begin("half", call_reply(("get_chip_summary", {{}})), hangs)
    half.start("Look.")
    until(lambda: reads.began.is_set() and written("half").rpartition("\\n")[0].count('"tool_finished"') == 2)
    until(lambda: '"answer_ready"' in written("whole"))
    os.kill(os.getpid(), 9)
"""


@pytest.fixture(scope="module")
def died(snapshot: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """What a kernel printed that was killed, and its logs: `whole` had its answer, `half` was at work."""
    folder = tmp_path_factory.mktemp("died")
    ran = subprocess.run(
        [sys.executable, "-c", DIES.format(snapshot=str(snapshot), folder=str(folder))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": "", "HOME": str(folder), "JPY_SESSION_NAME": "/lab/study.ipynb", "PYTHONPATH": "."},
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    return folder, ran.stdout.splitlines()


def test_a_second_process_brings_back_what_the_first_one_wrote(
    kernel: Kernel, folder: Path, died: tuple[Path, list[str]]
) -> None:
    shutil.copytree(died[0] / "whole", folder)
    said, items = died[1]
    conversation_id, turn_id, keys = said.split(" ", 2)
    assert keys == "['t1']"

    with kernel(text_reply("Next.")) as copilot:
        adopt(copilot, None)  # the notebook was not saved: found by its path
        assert copilot._conversation.conversation_id == conversation_id
        (turn,) = copilot.turns
        assert (turn.turn_id, turn.question) == (turn_id, "Which qubits lost T1?")
        assert turn.result().text == "Ten qubits lost T1."
        assert turn.result().frame_keys == ("t1",)
        # A page that has not heard of the answer asks again, with the same id.
        assert copilot.start("Which qubits lost T1?", asked_from=AskedFrom("tab", "cell", "ask-1")) is turn
        copilot.ask("And now?")
        (request,) = copilot.model.requests
        assert list(request.items[:-1]) == json.loads(items)
        assert request.items[1]["encrypted_content"] == "gAAA=="


def test_a_kernel_that_is_killed_in_the_middle(kernel: Kernel, folder: Path, died: tuple[Path, list[str]]) -> None:
    shutil.copytree(died[0] / "half", folder)
    with kernel(text_reply("Next."), text_reply("Looked.")) as copilot:
        adopt(copilot)
        (turn,) = copilot.turns
        assert turn.broken_off
        assert turn.done
        assert _text(turn).startswith("Let me look at the chip.")
        assert {result.call.name for result in turn.tool_results} == {"get_chip_summary", "get_chip_topology"}
        with pytest.raises(PersonError, match="The kernel stopped before"):
            turn.result()
        turn.wait()
        assert not copilot.stop()

        copilot.ask("And now?")
        (request,) = copilot.model.requests
        kinds = [(item["type"], "the kernel ended" in item.get("output", "")) for item in request.items]
        # What the model saw is there again, and what its last calls gave.
        assert kinds == [
            ("message", False),
            ("function_call", False),
            ("function_call_output", False),
            ("function_call", False),
            ("function_call", False),
            ("function_call_output", False),
            ("function_call_output", True),
            ("message", False),
        ]
        again = copilot.retry(turn.turn_id)
        again.wait()
        assert (again.question, again.result().text) == ("Look.", "Looked.")


def test_a_question_before_the_page_speaks(kernel: Kernel, folder: Path) -> None:
    with kernel(text_reply("One.")) as first:
        first.ask("First?")
        conversation_id = first._conversation.conversation_id
        assert conversation_id is not None
        assert not adopt(first, "0" * 32)  # what runs is kept
        assert first._conversation.conversation_id == conversation_id

    with kernel(text_reply("Two.")) as second:
        turn = second.start("Second?")
        turn.wait()
        assert [each.question for each in second.turns] == ["First?", "Second?"]
        assert second.turns[1] is turn
        assert second._conversation.conversation_id == conversation_id
        assert len(second.model.requests[0].items) == 3


def test_adopted_once(kernel: Kernel) -> None:
    with kernel() as copilot:
        assert copilot._conversation.conversation_id is None
        assert adopt(copilot, "a" * 32)
        assert not adopt(copilot, "b" * 32)
        assert copilot._conversation.conversation_id == "a" * 32


def test_the_page_tells_the_path_where_the_server_did_not(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME")
    with kernel(text_reply("One.")) as copilot:
        adopt(copilot, None, "studies/T1.ipynb")
        copilot.ask("First?")
    (log,) = logs(folder)
    assert json.loads(log.read_text().splitlines()[0])["notebook"] == str(Path.cwd() / "T1.ipynb")


def test_without_a_notebook_nothing_is_kept(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME")
    with kernel(text_reply("One.")) as copilot:
        copilot.ask("First?")
        assert (copilot._conversation.conversation_id, copilot._conversation.history_problem) == (None, "")
    assert logs(folder) == []


def test_a_conversation_that_begins_anew(kernel: Kernel, folder: Path) -> None:
    with kernel(FETCH, text_reply("One."), text_reply("Two.")) as copilot:
        adopt(copilot)
        copilot.ask("First?")
        first = copilot._conversation.conversation_id

        copilot.new()

        assert copilot.turns == ()
        assert copilot._conversation.transcript.items == ()
        assert set(copilot.data) == {"t1", "chip_summary"}
        assert copilot._conversation.conversation_id not in {None, first}
        copilot.ask("Second?")
        assert len(copilot.model.requests[-1].items) == 1
        second = copilot._conversation.conversation_id
    assert {path.stem for path in logs(folder)} == {first, second}
    with kernel() as again:
        adopt(again, first)
        assert [turn.question for turn in again.turns] == ["First?"]
        again.resume(Journal.open(second, Path("/lab/study.ipynb"), folder=folder))
        assert [turn.question for turn in again.turns] == ["Second?"]
        assert again._conversation.conversation_id == second


def test_begun_anew_before_the_page_speaks(kernel: Kernel, folder: Path) -> None:
    with kernel(text_reply("One.")) as first:
        first.ask("First?")
        conversation_id = first._conversation.conversation_id
    with kernel(text_reply("Two.")) as second:
        second.new()
        adopt(second, conversation_id)
        assert second.turns == ()
        assert second._conversation.conversation_id not in {None, conversation_id}
        second.ask("Second?")
        assert len(second.model.requests[0].items) == 1


def test_not_while_a_question_runs(kernel: Kernel, folder: Path) -> None:
    with kernel(llm=Endless([])) as copilot:
        turn = copilot.start("Speak.")
        assert copilot._conversation.running is turn
        with pytest.raises(CopilotBusy):
            copilot.new()
        with pytest.raises(CopilotBusy):
            copilot.resume(Journal(None))
        with pytest.raises(CopilotBusy):
            copilot.retry(turn.turn_id)
        turn.stop()
        turn.wait()
        copilot.new()
        with pytest.raises(PersonError, match="no longer part of the conversation"):
            copilot.retry(turn.turn_id)


def test_stopped_turns_are_kept_as_stopped(kernel: Kernel) -> None:
    with kernel(llm=Endless([])) as first:
        turn = first.start("Speak.")
        until(lambda: _text(turn))
        turn.stop()
        turn.wait()
        conversation_id = first._conversation.conversation_id
    with kernel() as second:
        adopt(second, conversation_id)
        same(second.turns, [turn])
        assert second.turns[0].result().stop_reason is StopReason.CANCELLED


def test_closed_while_a_question_runs(kernel: Kernel) -> None:
    with kernel(llm=Endless([])) as first:
        turn = first.start("Speak.")
        until(lambda: _text(turn))
        conversation_id = first._conversation.conversation_id
        first.close()
        assert turn.done
    with kernel() as second:
        adopt(second, conversation_id)
        assert second.turns[0].result().stop_reason is StopReason.CANCELLED


def test_closed_and_asked_again_it_is_one_conversation(kernel: Kernel) -> None:
    with kernel(text_reply("One."), text_reply("Two.")) as first:
        first.ask("First?")
        conversation_id = first._conversation.conversation_id
        first.close()
        first.ask("Second?")
        assert first._conversation.conversation_id == conversation_id
    with kernel() as second:
        adopt(second, conversation_id)
        assert [turn.result().text for turn in second.turns] == ["One.", "Two."]


def test_a_log_that_cannot_be_opened_is_no_reason_to_fail(
    kernel: Kernel, caplog: pytest.LogCaptureFixture, folder: Path
) -> None:
    def broken(*_: object) -> Journal:
        raise ZeroDivisionError("inner detail")

    with kernel(text_reply("One."), journal=broken) as copilot, caplog.at_level(logging.ERROR):
        assert copilot.ask("First?").text == "One."
        assert "isn't saved" in str(copilot._conversation.history_problem)
        assert "inner detail" not in str(copilot._conversation.history_problem)
        assert "inner detail" in caplog.text


def test_a_disk_that_fails_is_no_reason_to_fail(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kernel(text_reply("One."), text_reply("Two.")) as copilot:
        copilot.ask("First?")

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        assert copilot.ask("Second?").text == "Two."
        until(lambda: copilot._conversation.history_problem)
        monkeypatch.undo()
        assert "No space left on device" in str(copilot._conversation.history_problem)
        assert copilot._conversation.conversation_id is None
        assert len(copilot.turns) == 2


def test_the_agents_loop_goes_on_while_a_log_is_read(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    with kernel(text_reply("One."), text_reply("Two.")) as first:
        first.ask("First?")
        first.ask("Second?")
        conversation_id = first._conversation.conversation_id
    with kernel() as second:

        async def answers() -> str:
            return "here"

        def read(lines: Iterable[bytes]) -> Past:
            heard.append(second._conversation.loop.submit(answers()).result(PATIENCE_S))
            return past_of(lines)

        heard: list[str] = []
        monkeypatch.setattr(journal, "past_of", read)
        assert adopt(second, conversation_id)
        assert (heard, len(second.turns)) == (["here"], 2)


def test_the_key_and_the_password_are_in_no_log(
    shell: InteractiveShell, snapshot: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-proj-Abc123def456ghi789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    monkeypatch.setattr(
        "qdash_jupyter.data.mongo.connection.connect.__kwdefaults__",
        {**_mongo_defaults(), "timeout_seconds": 0.3},
    )
    monkeypatch.setenv("QDASH_MONGO_URI", f"mongodb://reader:s3cr3t-Pa55@127.0.0.1:{port}/qdash")
    unreachable = open_copilot(shell)
    unreachable._conversation._history._opener = partial(Journal.open, folder=folder)
    with pytest.raises(DatabaseUnreachable):
        unreachable.ask(f"Is s3cr3t-Pa55 right, and {key}?")
    unreachable.close()
    monkeypatch.delenv("QDASH_MONGO_URI")
    words: list[Any] = [
        http_error(401, f"Incorrect API key provided: {key}"),
        text_turn(f"Your key is {key}, I think."),
    ]
    with ScriptedServer(words) as server:
        llm = ResponsesLLM(
            ModelSection(name="m", base_url=server.base_url), api_key=lambda: os.environ["OPENAI_API_KEY"]
        )
        opener = partial(Journal.open, folder=folder)
        with conversation(shell, parts_with(llm, snapshot), journal=opener) as copilot:
            copilot.new()
            with pytest.raises(PersonError):
                copilot.ask("Well?")
            copilot.ask("Well?")

    assert len(logs(folder)) == 2
    for path in logs(folder):
        content = path.read_text(encoding="utf-8")
        assert "[hidden]" in content
        for secret in (key, "Abc123", "s3cr3t"):
            assert secret not in content


def _mongo_defaults() -> dict[str, Any]:
    from qdash_jupyter.data.mongo.connection import connect

    return connect.__kwdefaults__ or {}


# A table that is gone, and a question that is asked again.


def again(copilot: Copilot, turn: Turn, call_id: str) -> Any:
    return asyncio.run(copilot._conversation.fetch_again(turn.turn_id, call_id))


def test_a_table_is_fetched_again(kernel: Kernel) -> None:
    with kernel(FETCH, CODE, text_reply("Done.")) as first:
        first.ask("Look.")
        before = first.data["t1"].frame
        conversation_id = first._conversation.conversation_id
        ids = {result.call.name: result.call.call_id for result in first.turns[0].tool_results}
    with kernel() as second:
        adopt(second, conversation_id)
        (turn,) = second.turns

        result = again(second, turn, ids["get_chip_parameter_timeseries"])

        assert result.ok
        assert result.frame_key == "t1"
        assert second.data["t1"].frame.equals(before)
        assert second.model.requests == []
        with pytest.raises(PersonError, match="didn't fetch a table"):
            again(second, turn, ids["execute_python_analysis"])
        with pytest.raises(PersonError, match="no longer part of the conversation"):
            again(second, turn, "call_9_nonsense")
        with pytest.raises(PersonError, match="no longer part of the conversation"):
            asyncio.run(second._conversation.fetch_again("0" * 32, ids["get_chip_summary"]))


def test_a_step_is_fetched_again_from_its_own_chip(shell: InteractiveShell, folder: Path, tmp_path: Path) -> None:
    """Also where its call named none, and another chip is current since."""
    written = write_snapshot(sample(), tmp_path / "sample", as_of=NOW, source="the tests")
    with closing(SnapshotReader(written)) as reader:

        def opened(project: str, *replies: Step) -> Any:
            settings = {"database": {"project": project}, "chip": "16Q-demo"}
            build = PartsBuilder(settings, given=Given(reader=reader, model=ScriptedLLM(replies)))
            return conversation(shell, build, journal=partial(Journal.open, folder=folder))

        with opened("proj-alpha", FETCH, text_reply("Done.")) as first:
            first.ask("Look.")
            before, conversation_id = first.data["t1"].frame, first._conversation.conversation_id
            assert not [one for one in first.turns[0].tool_results if "chip_id" in one.arguments]
        with opened("proj-beta") as second:
            adopt(second, conversation_id)
            (turn,) = second.turns
            (call_id,) = (one.call.call_id for one in turn.tool_results if one.frame_key == "t1")
            result = again(second, turn, call_id)
            assert result.ok, result.content
            assert second.data["t1"].source.arguments["project_id"] == "proj-alpha"
            assert second.data["t1"].frame.equals(before)


@pytest.mark.long
def test_tables_get_their_old_keys_whichever_comes_first(kernel: Kernel) -> None:
    series = call_reply(
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "30d"}),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "10d"}),
    )
    with kernel(series, text_reply("Done.")) as first:
        first.ask("Look.")
        rows = {key: len(result.frame) for key, result in first.data.items()}
        assert rows["t1"] != rows["t1_2"]
        conversation_id = first._conversation.conversation_id
    with kernel() as second:
        adopt(second, conversation_id)
        (turn,) = second.turns
        calls = {result.frame_key: result.call.call_id for result in turn.tool_results}

        async def work() -> list[str | None]:
            ways = (second._conversation.fetch_again(turn.turn_id, calls[key]) for key in ("t1_2", "t1"))
            return [result.frame_key for result in await asyncio.gather(*ways)]

        assert second._conversation.loop.submit(work()).result(PATIENCE_S) == ["t1_2", "t1"]
        assert {key: len(result.frame) for key, result in second.data.items()} == rows
        assert [result.columns[:3] for result in turn.tool_results] == [("qid", "t", "v")] * 2


def test_the_data_are_reached_by_a_name_that_is_the_copilots(kernel: Kernel, shell: InteractiveShell) -> None:
    with kernel() as copilot:
        copilot._conversation.bind()
        names = [copilot.data.called()]
        shell.user_ns["data"] = 3
        names.append(copilot.data.called())
        shell.user_ns["copilot"] = 4
        names.append(copilot.data.called())
        assert names == ["data", "copilot.data", ""]


def test_a_table_is_fetched_again_on_the_agents_own_loop(kernel: Kernel) -> None:
    with kernel(FETCH, text_reply("Done.")) as copilot:
        copilot.ask("Look.")
        (turn,) = copilot.turns
        keys: list[Any] = []

        async def work() -> None:
            for result in turn.tool_results:
                keys.append((await copilot._conversation.fetch_again(turn.turn_id, result.call.call_id)).frame_key)  # noqa: PERF401

        copilot._conversation.loop.submit(work()).result(PATIENCE_S)
        assert set(keys) == {"t1", "chip_summary"}
        assert copilot.data["t1"].version == 2


def test_asked_again(kernel: Kernel) -> None:
    with kernel(ModelUnreachable("No server.", "Start it."), text_reply("Done.")) as copilot:
        turn = copilot.start("Look.", asked_from=AskedFrom("tab", "cell", "ask-1"))
        turn.wait()
        repeated = copilot.retry(turn.turn_id)
        repeated.wait()
        assert repeated is not turn
        assert repeated.result().text == "Done."
        assert repeated.asked_from == AskedFrom("tab", "cell", None)
        assert len(copilot.turns) == 2


# Those who follow.


def test_a_question_with_an_id_is_asked_once(kernel: Kernel) -> None:
    with kernel(text_reply("One."), text_reply("Two.")) as copilot:
        first = copilot.start("Look.", asked_from=AskedFrom(ask_id="a"))
        assert copilot.start("Look.", asked_from=AskedFrom(ask_id="a")) is first
        first.wait()
        assert copilot.start("Look.", asked_from=AskedFrom(ask_id="a")) is first
        second = copilot.start("Look.", asked_from=AskedFrom(ask_id="b"))
        second.wait()
        assert len(copilot.turns) == 2


def test_all_events_go_to_whoever_has_subscribed(kernel: Kernel) -> None:
    with kernel(FETCH, text_reply("One."), text_reply("Two.")) as copilot:
        heard: list[list[Any]] = [[], []]
        ended = [threading.Event(), threading.Event()]

        async def follow(number: int) -> None:
            async for turn, stamped in copilot.events():
                heard[number].append((turn, stamped))
            ended[number].set()

        copilot._conversation.loop.submit(follow(0))
        copilot.ask("First?")
        copilot._conversation.loop.submit(follow(1))
        copilot.ask("Second?")
        copilot.close()
        assert all(event.wait(PATIENCE_S) for event in ended)

        first, second = copilot.turns
        assert heard[0] == [(turn, stamped) for turn in (first, second) for stamped in turn.events]
        assert heard[1] == [(second, stamped) for stamped in second.events]


def test_a_past_that_is_empty(kernel: Kernel) -> None:
    journal = Journal(None)
    assert journal.past == Past()
    with kernel(text_reply("One.")) as copilot:
        copilot.resume(journal)
        assert copilot.ask("First?").text == "One."
        assert copilot._conversation.conversation_id is None
