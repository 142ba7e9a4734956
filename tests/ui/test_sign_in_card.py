"""Keys of MCP servers, typed in the panel: one card for all servers, answered once, and the keys go nowhere else."""

from __future__ import annotations

import json
import logging
import os
import termios
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from qdash_jupyter.config import keys
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.wire.page import page_message
from qdash_jupyter.errors import PersonError
from qdash_jupyter.tool_sets.mcp.sign_in import WantedKey
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.cli import main
from qdash_jupyter.ui.commands import perform
from qdash_jupyter.ui.link.control import ControlLink
from qdash_jupyter.ui.screen import Screen
from qdash_jupyter.ui.sign_in import SignInCard
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.session.conversation import open_shell, small_demo, without_settings
from tests.tool_sets.web_lab import WebLab, web_lab

KEY = "fridge-key-246813579"
FRIDGE = WantedKey("fridge", "https://fridge/mcp", "FRIDGE_KEY")
AWG = WantedKey("awg", "https://awg/mcp", "AWG_KEY")


def in_thread(work: Callable[[], Any]) -> Future[Any]:
    done: Future[Any] = Future()
    threading.Thread(target=lambda: done.set_result(work()), daemon=True).start()
    return done


def card(patience_s: float = PATIENCE_S, *, seen: bool = True) -> tuple[SignInCard, list[int]]:
    """And how many servers it showed, after each change."""
    shown: list[int] = []
    made = SignInCard(lambda: seen, lambda: shown.append(len(made.servers)), patience_s)
    return made, shown


def test_who_asks_gets_what_is_theirs_and_only_what_was_asked_for() -> None:
    made, shown = card()
    one = in_thread(lambda: made.ask([FRIDGE]))
    until(lambda: made.servers)
    other = in_thread(lambda: made.ask([AWG, FRIDGE]))
    until(lambda: len(made.servers) == 2)
    made.answer({"FRIDGE_KEY": f" {KEY}\n", "AWG_KEY": " ", "OPENAI_API_KEY": "another-key-1234"})
    assert one.result(PATIENCE_S) == {"FRIDGE_KEY": KEY}
    assert other.result(PATIENCE_S) == {"FRIDGE_KEY": KEY}
    assert shown == [1, 2, 0]
    with pytest.raises(PersonError, match="no longer needed"):
        made.answer({"FRIDGE_KEY": KEY})


def test_servers_with_one_variable_are_one_line() -> None:
    made, _ = card()
    asking = in_thread(lambda: made.ask([FRIDGE, WantedKey("still", "https://still/mcp", "FRIDGE_KEY")]))
    until(lambda: made.servers)
    assert made.servers == [
        {"server": "fridge, still", "address": "https://fridge/mcp, https://still/mcp", "variable": "FRIDGE_KEY"}
    ]
    made.dismiss()
    assert asking.result(PATIENCE_S) == {}


def test_after_a_long_silence_it_goes_on_without_and_leaves_a_later_card_alone() -> None:
    made, shown = card(patience_s=0.05)
    assert made.ask([FRIDGE]) == {}
    assert shown == [1, 0]
    made.dismiss()
    assert shown == [1, 0]


def test_where_nobody_sees_it_there_is_no_card() -> None:
    made, shown = card(seen=False)
    assert made.ask([FRIDGE]) == {}
    assert shown == []


def text_answer(text: str) -> str:
    return json.dumps({"blocks": [{"type": "text", "content": text, "chart": None}], "assessment": None})


# In a whole copilot.


class Panel:
    """What the panel of an app shows, and what is done there."""

    def __init__(self, app: CopilotApp) -> None:
        self.app = app
        self.messages: list[Any] = []
        self.acks: list[Mapping[str, Any]] = []
        app.screen = Screen("an instance", self.messages.append)
        self.is_closed = False

    def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.app.close()

    @property
    def sign_in(self) -> list[str] | None:
        """The names on the card that was sent last."""
        ops = [op for message in list(self.messages) for op in message.get("ops", ())]
        sent = [op["value"] for op in ops if op["op"] == "set" and op["key"] == "sign_in"]
        return [each["server"] for each in sent[-1]] if sent and sent[-1] else None

    def say(self, **message: Any) -> None:
        read = page_message(message)
        assert read is not None
        assert KEY not in repr(read)
        self.app.loop.call(perform, self.app, read, None, self.acks.append)


@pytest.fixture
def webs(tmp_path: Path) -> Iterator[tuple[WebLab, WebLab]]:
    """Two servers that want a key, in the copilot.yaml of the folder."""
    with ExitStack() as stack:
        yield tuple(stack.enter_context(web_lab(tmp_path / "done.txt", KEY)) for _ in range(2))  # pyrefly: ignore[invalid-yield]


Start = Callable[..., Panel]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, webs: tuple[WebLab, WebLab]) -> Iterator[Start]:
    """Starts a copilot with these settings; somebody sits before it."""
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setattr(keys, "_typed", {})
    monkeypatch.setattr(CopilotApp, "_can_type", lambda _: True)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(small_demo(tmp_path)))
    monkeypatch.setenv("QDASH_COPILOT_TRUST", str(tmp_path))
    sets = [{"type": "mcp", "name": name, "url": web.url} for name, web in zip(("one", "two"), webs, strict=True)]
    Path("copilot.yaml").write_text(json.dumps({"tool_sets": sets}), encoding="utf-8")
    with open_shell() as shell, ExitStack() as stack:

        def begin(**settings: Any) -> Panel:
            Path("copilot.yaml").write_text(json.dumps({"tool_sets": sets} | settings), encoding="utf-8")
            made = Panel(CopilotApp(shell))
            stack.callback(made.close)
            return made

        yield begin


@pytest.fixture
def panel(start: Start) -> Panel:
    """It connects in the background, as after `%load_ext`."""
    return start()


def issues(panel: Panel) -> list[str]:
    return [str(issue.name) for issue in panel.app.conversation.parts().issues()]


def test_two_servers_one_card_and_the_key_is_nowhere_else(panel: Panel, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    turn = panel.app.conversation.start("How many qubits has the chip?")
    until(lambda: panel.sign_in == ["one", "two"])
    assert not turn.done
    panel.say(type="sign_in", n=4, keys={"QDASH_MCP_ONE_KEY": KEY, "QDASH_MCP_TWO_KEY": KEY})
    turn.wait()
    until(lambda: panel.sign_in is None)
    assert panel.acks[0]["ok"]
    assert issues(panel) == []
    assert panel.app.copilot.tools.one_echo() == {"text": "{}"}
    assert masked(f"It is {KEY}.") == "It is [hidden]."
    panel.say(type="sign_in", n=5, keys={"QDASH_MCP_ONE_KEY": KEY})
    until(lambda: len(panel.acks) == 2)
    assert not panel.acks[1]["ok"]
    assert KEY not in repr([panel.messages, panel.acks, turn.events, caplog.text])


def test_not_now_is_the_error(panel: Panel) -> None:
    turn = panel.app.conversation.start("How many qubits has the chip?")
    until(lambda: panel.sign_in == ["one", "two"])
    panel.say(type="sign_in", n=4, keys={})
    turn.wait()
    until(lambda: panel.sign_in is None)
    assert issues(panel) == ["one", "two"]
    assert turn.result().text


def test_stop_answers_and_so_does_the_end(panel: Panel) -> None:
    turn = panel.app.conversation.start("How many qubits has the chip?")
    until(lambda: panel.sign_in)
    panel.say(type="stop", n=1)
    until(lambda: turn.done)
    until(lambda: panel.sign_in is None)
    asking = in_thread(lambda: panel.app.sign_in.ask([FRIDGE]))
    until(lambda: panel.sign_in == ["fridge"])
    panel.close()
    assert asking.result(PATIENCE_S) == {}


@pytest.mark.parametrize("stops", [False, True])
def test_in_the_middle_of_a_question(start: Start, webs: tuple[WebLab, WebLab], *, stops: bool) -> None:
    for web in webs:
        web.key = ""
    with ScriptedServer([call_turn(("one_echo", {})), text_turn(text_answer("It says so."))]) as model:
        described = {"name": "m", "base_url": model.base_url, "api_style": "responses"}
        panel = start(orchestrator={"deployment": "lab"}, models={"lab": described})
        assert issues(panel) == []
        webs[0].key = KEY
        turn = panel.app.conversation.start("What does it say?")
        until(lambda: panel.sign_in == ["one"])
        if stops:
            panel.say(type="stop", n=1)
        else:
            panel.say(type="sign_in", n=1, keys={"QDASH_MCP_ONE_KEY": KEY})
        until(lambda: turn.done)
        until(lambda: panel.sign_in is None)
        assert turn.result().stop_reason is (StopReason.CANCELLED if stops else StopReason.FINISHED)
        assert [result.ok for result in turn.tool_results] == ([] if stops else [True])
        sent = repr([request.body for request in model.requests])
        assert KEY not in repr([panel.messages, panel.acks, turn.events, sent])


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("tty", [True, False])
def test_the_command_line_asks_where_there_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, tty: bool
) -> None:
    prompts: list[str] = []

    def getpass(prompt: str) -> str:
        prompts.append(prompt.partition(",")[0])
        hidden = termios.tcgetattr(stdin)
        hidden[3] &= ~termios.ECHO
        termios.tcsetattr(stdin, termios.TCSANOW, hidden)  # as where an interrupt ends it
        return KEY

    monkeypatch.setattr("getpass.getpass", getpass)
    terminal, ours = os.openpty()
    stdin = os.fdopen(ours if tty else os.open(os.devnull, os.O_RDONLY))
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["tool", "one_echo"]) == (0 if tty else 1)
    assert main(["ask", "How many qubits has the chip?"]) == 0
    assert prompts == (["Key for the MCP server one", "Key for the MCP server two"] if tty else [])
    said = capsys.readouterr()
    assert KEY not in said.out + said.err
    assert not tty or termios.tcgetattr(stdin)[3] & termios.ECHO
    stdin.close()
    os.close(terminal)


def test_what_is_no_message_is_logged_without_its_keys(caplog: pytest.LogCaptureFixture) -> None:
    link = ControlLink(cast("Any", None), lambda call, *arguments: call(*arguments))
    page = type("Tab", (), {"heard": lambda _: None})()
    link._pages["c1"] = page
    link._said("c1", {"v": 1, "type": "sign_in", "keys": [KEY]})
    assert "sign_in" in caplog.text
    assert KEY not in caplog.text
