"""Every row of the table of failures, played over a real socket, and the next question of the same conversation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from IPython.core.interactiveshell import InteractiveShell
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import TextBlock
from qdash_jupyter.domain.events import AnswerReady, TurnFailed
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.openai_server.failures import API_NAMES, OTHER_API, ApiStyle
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.panel_state.blocks import error_of
from scripts.failures_page import page
from tests.scripted_server import (
    Call,
    Raw,
    Refusal,
    Script,
    ScriptedServer,
    Text,
    Thought,
    as_chat,
    call_turn,
    refuses_a_broken_history,
    reply_turn,
    text_turn,
    unknown_event,
    user_texts,
)
from tests.session.conversation import reader_of
from tests.session.failure_table import ANSWERED, CALLED, HUGE, KEY, LOOK, MODEL, SECTIONS, TIMEOUT_S, Failure, broken

QUESTION, NEXT = "Which qubits are weak?", "And which are the best?"
FINE = text_turn("Fine.")
STYLES: tuple[ApiStyle, ...] = ("responses", "chat_completions")
_JAPANESE, _ENGLISH = re.compile(r"[\u3040-\u30ff]"), re.compile(r"[A-Za-z]{2,} [a-z]{2,}\b")
BOUND_S = 60
"""Far more than any row takes."""

_OF_OURS = re.compile(r"Traceback|\b[A-Z]\w+(?:Error|Exception|Timeout)\b")


@pytest.fixture(autouse=True)
def _own_environment(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    # What the SDK waits before it tries again, where the server does not say how long.
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


@dataclass(frozen=True)
class Played:
    """A turn that went wrong: `left` are the items that it added."""

    copilot: Copilot
    server: ScriptedServer
    turn: Turn
    left: tuple[str, ...]
    port: int


Play = Callable[..., Played]


@pytest.fixture
def play(shell: InteractiveShell, snapshot: Path, tmp_path: Path) -> Iterator[Play]:
    """Asks the question of a row; the server is in order afterwards."""
    with ExitStack() as stack:

        def opened(url: str, row: Failure, api: ApiStyle) -> Copilot:
            model = {"name": MODEL, "base_url": url, "api_style": api, **row.settings}
            settings = {"model": "lab", "models": {"lab": model}}
            copilot = open_copilot(shell, settings=settings, reader=reader_of(snapshot))
            stack.callback(copilot.close)
            return copilot

        def served(*turns: Any, **options: Any) -> ScriptedServer:
            # It would refuse what a row has left behind, within the turn and in the next one.
            return stack.enter_context(ScriptedServer(turns, refusals=[refuses_a_broken_history], **options))

        def played(row: Failure, api: ApiStyle, question: str = QUESTION) -> Played:
            before = 0
            if row.way is None:
                server = served(*row.earlier, *row.turns)
                copilot = opened(server.base_url, row, api)
                if row.earlier:
                    asked(copilot, "Hello?")
                    before = len(copilot._conversation.transcript)
                turn = asked(copilot, question)
                server.add(FINE)
            else:
                with row.way.broken(tmp_path) as port:
                    copilot = opened(row.way.url.format(port), row, api)
                    turn = asked(copilot, QUESTION)
                certificate = stack.enter_context(row.way.mended(tmp_path))
                server = served(FINE, port=port, tls=certificate)
            left = tuple(item["type"] for item in copilot._conversation.transcript.items[before:])
            return Played(copilot, server, turn, left, server.port)

        yield played


def asked(copilot: Copilot, question: str) -> Turn:
    turn = copilot.start(question)
    assert turn.ended_within(BOUND_S), "the turn hangs"
    return turn


def words_of(turn: Turn) -> str:
    last = turn.events[-1].event
    assert isinstance(last, AnswerReady), last
    return "\n\n".join(block.content for block in last.answer.blocks if isinstance(block, TextBlock))


def assert_shown(played: Played, row: Failure, api: ApiStyle) -> None:
    host = f"{'models.invalid' if row.way and 'invalid' in row.way.url else '127.0.0.1'}:{played.port}"
    fixed = {
        "host": host,
        "address": host,
        "api": API_NAMES[api],
        "key_name": row.settings.get("api_key_env", "OPENAI_API_KEY"),
        "model": MODEL,
        "timeout": str(TIMEOUT_S),
        "said": "No.",
        "wait": "0.01 s",
        "huge": HUGE,
    }
    if not row.kind:
        assert words_of(played.turn) == row.shown.format(**fixed)
        return
    failed = played.turn.events[-1].event
    assert isinstance(failed, TurnFailed), failed
    shown, said = error_of(failed, "en"), error_of(failed, "ja")
    # Only the words in which the machine says why a connection failed are its own.
    title = re.escape(row.shown.format(**fixed, why="\0")).replace("\0", r"( Reason: .+\.)?")
    assert re.fullmatch(title, shown["title"])
    assert shown["hint"].removesuffix(f" {OTHER_API}") == row.hint.format(**fixed)
    assert shown["hint"]
    assert failed.kind == row.kind
    assert not _OF_OURS.search(shown["title"] + shown["hint"])
    theirs = re.search(
        r'(?:Reason: |says: ")(.+)["\.]$', shown["title"]
    )  # what the machine, or the server, says itself
    assert_japanese(said["title"], *([theirs[1]] if theirs else []))
    assert_japanese(said["hint"])
    with pytest.raises(PersonError) as caught:
        played.turn.result()
    assert type(caught.value).__name__ == row.kind
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def assert_japanese(said: str, *theirs: str) -> None:
    """No sentence of ours is left in English; names of settings and of APIs are."""
    for words in (*theirs, "Responses API", "Chat Completions API", "Welcome"):
        said = said.replace(words, "")
    assert _JAPANESE.search(said), said
    assert not _ENGLISH.search(re.sub(r"`[^`]*`", "", said)), said


def assert_goes_on(played: Played, answer: str = "Fine.") -> None:
    """The next question is answered, and the request for it held each question once."""
    assert words_of(asked(played.copilot, NEXT)) == answer
    said = user_texts(played.server.requests[-1].body)
    assert "\n".join(said).count(QUESTION) == 1  # in a digest, where the turn was too long to be sent again
    assert said[-1] == NEXT


def rows() -> Iterator[Any]:
    """All rows in both APIs; what the SDK does for both of them is in the quick run once."""
    for title, table in SECTIONS.items():
        differ = title.startswith(("The stream", "The answer"))
        for row in table:
            for api in STYLES:
                marks = () if api == "responses" or (differ and row.shown != "{huge}") else (pytest.mark.long,)
                yield pytest.param(row, api, id=f"{row.what}, {api}", marks=marks)


@pytest.mark.parametrize(("row", "api"), [*rows()])
def test_a_failure_is_said_leaves_a_whole_history_and_the_next_question_works(
    row: Failure,
    api: ApiStyle,
    play: Play,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    played = play(row, api)

    assert_shown(played, row, api)
    assert played.left == row.left
    assert_goes_on(played)
    printed = capfd.readouterr()
    said = printed.out + printed.err + caplog.text + repr([turn.events for turn in played.copilot.turns])
    assert "Traceback" not in said
    assert KEY not in said


def test_a_japanese_question_fails_in_japanese(play: Play) -> None:
    row = next(row for row in SECTIONS["The server refuses"] if row.what == "a wrong key (401)")
    played = play(row, "responses", "T1が低下した量子ビットは？")
    failed = played.turn.events[-1].event
    assert isinstance(failed, TurnFailed)
    assert text_in(failed.message, "ja") == f"127.0.0.1:{played.port}はこのキーを受け付けません。"
    assert text_in(failed.hint, "ja") == "OPENAI_API_KEYを確認してください。"
    with pytest.raises(PersonError, match="はこのキーを受け付けません。OPENAI_API_KEYを確認") as caught:
        played.turn.result()
    assert type(caught.value).__name__ == failed.kind == "ModelRefused"


def test_so_does_a_step_and_the_model_reads_english(play: Play) -> None:
    row = Failure("a wrong qubit", (call_turn(("get_qubit_params", {"qid": "999"})), text_turn("ありません。")))
    played = play(row, "responses", "Q999のT1は？")
    (result,) = played.turn.tool_results
    assert result.failure is not None
    assert text_in(result.failure.message, "ja").endswith("に量子ビット「Q999」はありません。")
    assert "There is no qubit 'Q999'" in result.content
    assert "There is no qubit" in str(played.server.requests[-1].body)


FAILURES = [
    row for table in SECTIONS.values() for row in table if row.kind and not (row.way or row.settings or row.earlier)
]


def after_a_tool() -> Iterator[Any]:
    """The failures of the server, in both APIs; in the quick run two of them."""
    for row in FAILURES:
        for api in STYLES:
            marks = () if row.what.startswith(("the quota", "it breaks within the")) else (pytest.mark.long,)
            yield pytest.param(row, api, id=f"{row.what}, {api}", marks=marks)


@pytest.mark.parametrize(("row", "api"), [*after_a_tool()])
def test_what_a_tool_fetched_before_a_failure_stays(row: Failure, api: ApiStyle, play: Play) -> None:
    played = play(replace(row, turns=(LOOK, *row.turns)), api)

    assert_shown(played, row, api)
    assert played.left == CALLED
    assert "chip_summary" in played.copilot.data
    assert_goes_on(played)


# --- a stream that ends behind every kind of event

_WHOLE = reply_turn(
    Thought("gAAA", ["First the chip.", "Then the rest."]),
    Text("Let me look."),
    Refusal("Not at all."),
    Call("get_chip_summary", {}),
)
# Kinds that servers send besides: what they say is said by others too.
_BESIDES = {
    "response.created": ("response.queued", "response.in_progress"),
    "response.reasoning_summary_text.delta": (
        "response.reasoning_summary_text.done",
        "response.reasoning_summary_part.done",
        "response.reasoning_text.delta",
        "response.reasoning_text.done",
    ),
    "response.output_text.delta": (
        "response.output_text.annotation.added",
        "response.output_text.done",
        "response.content_part.done",
    ),
    "response.refusal.delta": ("response.refusal.done",),
}
_SPOKEN = {"response.output_text.delta", "response.refusal.delta", "response.reasoning_summary_text.delta"} | {
    "content",
    "refusal",
    "reasoning_content",
}
_LAST = {"response.completed", "finish_reason", "usage", "[DONE]"}


def everything(api: ApiStyle) -> list[tuple[str, Any]]:
    """A reply with all that there can be in one: its steps, each with its kind."""
    if api == "chat_completions":
        return [(_kind_of(step), step) for step in as_chat(_WHOLE).steps]
    steps: list[tuple[str, Any]] = []
    for step in _WHOLE.steps:
        kind = str(getattr(step, "type", ""))
        steps.append((kind, step))
        steps.extend((other, unknown_event(other)) for other in _BESIDES.get(kind, ()))
    part = "response.content_part.added"
    place = next(place for place, (kind, _) in enumerate(steps) if kind == "response.output_text.delta")
    return [*steps[:place], (part, unknown_event(part)), *steps[place:]]


def _kind_of(chunk: Any) -> str:
    if isinstance(chunk, Raw):
        return "[DONE]"
    assert isinstance(chunk, ChatCompletionChunk)
    if not chunk.choices:
        return "usage"
    [choice] = chunk.model_dump(exclude_unset=True)["choices"]
    if choice["finish_reason"]:
        return "finish_reason"
    [(kind, value)] = [pair for pair in choice["delta"].items() if pair[0] != "role"]
    if kind == "tool_calls":
        return "a call's name" if "name" in value[0]["function"] else "a call's arguments"
    return kind if value else "role"


def cuts() -> Iterator[Any]:
    """Behind the first event of each kind; those of the quick run are of all three outcomes."""
    quick = {"response.created", "response.function_call_arguments.delta", "finish_reason", "content"}
    for api in STYLES:
        for kind in dict.fromkeys(kind for kind, _ in everything(api)):
            for in_order in (False, True):
                marks = () if kind in quick and not in_order else (pytest.mark.long,)
                name = f"{kind} {'ends' if in_order else 'breaks'}"
                yield pytest.param(api, kind, in_order, id=name, marks=marks)


@pytest.mark.parametrize(("api", "kind", "in_order"), [*cuts()])
def test_a_stream_that_ends_behind_any_kind_of_event(api: ApiStyle, kind: str, in_order: bool, play: Play) -> None:
    steps = everything(api)
    after = 1 + next(place for place, (each, _) in enumerate(steps) if each == kind)
    sent = {each for each, _ in steps[:after]}
    script = Script(tuple(step for _, step in steps))
    cut = script.first(after) if in_order else script.cut_after(after)
    again = "Whole."
    if sent & _LAST:
        whole = ("reasoning", "message", "message", "function_call", "function_call_output", "message")
        row = Failure("", (cut, text_turn(again)), again, left=("message", *whole))
    elif sent & _SPOKEN:
        row = broken("", cut)
    else:
        row = Failure("", (cut, text_turn(again)), again, left=ANSWERED)
    played = play(row, api)

    assert_shown(played, row, api)
    if api == "responses" or not sent & _LAST:  # over Chat Completions text and refusal are one message
        assert played.left == row.left
    assert_goes_on(played)


def test_the_table_has_all_kinds_of_the_sdk_that_a_reply_without_hosted_tools_can_have() -> None:
    """So that a kind that a newer SDK brings is not forgotten."""
    union = get_args(ResponseStreamEvent)[0]
    kinds = {get_args(event.model_fields["type"].annotation)[0] for event in get_args(union)}
    hosted = re.compile(r"audio|_call[._]|_call_|mcp|image|custom|shell|compaction|steer|patch|program")
    ours = {kind for kind, _ in everything("responses")}
    ended = {"response.failed", "response.incomplete", "error"}  # rows of the table
    assert {kind for kind in kinds if not hosted.search(kind.replace("function_call", "function"))} - ours == ended


def test_the_page_of_failures_is_what_the_table_says() -> None:
    shown = (Path(__file__).parents[2] / "docs" / "failures.md").read_text(encoding="utf-8")
    assert shown == page(), "run `make docs`"
