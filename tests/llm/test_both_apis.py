"""What holds for the clients of both APIs: the scripted server says the same in the words of either."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from typing import Any

import pytest

from qdash_jupyter.domain.answer import Usage
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import (
    ConfigurationError,
    ModelBroken,
    ModelRateLimited,
    ModelRefused,
    ModelUnreachable,
)
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.llm.openai_server import connection
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import AT_ONCE, KEY, REQUEST, ask, failure_of, made, reply_of, text_of
from tests.scripted_server import (
    Call,
    HttpError,
    Raw,
    Refusal,
    Script,
    ScriptedServer,
    Text,
    as_chat,
    error_turn,
    failed_turn,
    http_error,
    reply_turn,
    text_turn,
)

pytestmark = pytest.mark.parametrize("kind", [ResponsesLLM, ChatCompletionsLLM])


def replied(kind: Any, turn: Script) -> Reply:
    with ScriptedServer([turn]) as server:
        return reply_of(ask(made(server.base_url, kind))[0])


def steps_of(kind: Any, turn: Script) -> Script:
    """The script whose steps are those of this API, to be cut between them."""
    return as_chat(turn) if kind is ChatCompletionsLLM else turn


# --- what streams


def test_text_comes_in_pieces_and_in_order(kind: Any) -> None:
    text = "Q07 and Q12 are the worst: 12.1 μs and 14.0 μs. 測定は昨日です。\u2028Next line."
    with ScriptedServer([text_turn(text, pieces=9, usage=(120, 34))]) as server:
        (parts,) = ask(made(server.base_url, kind))

    assert [type(part) for part in parts] == [*[TextDelta] * 9, Reply]
    assert text_of(parts) == reply_of(parts).text == text
    assert reply_of(parts).calls == ()
    assert reply_of(parts).usage == Usage(input_tokens=120, output_tokens=34, requests=1)
    assert [item["content"][0]["text"] for item in reply_of(parts).items] == [text]


def test_a_burst_of_deltas_is_complete(kind: Any) -> None:
    text = "x" * 1000 + "y" * 1000
    with ScriptedServer([text_turn(text, pieces=2000)]) as server:
        (parts,) = ask(made(server.base_url, kind))

    assert len(parts) == 2001
    assert text_of(parts) == reply_of(parts).text == text


def test_parallel_calls_keep_their_order_and_their_text(kind: Any) -> None:
    turn = reply_turn(
        Text("Let me look."),
        Call("get_qubit_params", {"qid": "7"}, "call_b"),
        Call("get_qubit_params", '{"qid": ', "call_a"),
        Call("get_chip_summary", "", "call_c"),
    )
    reply = replied(kind, turn)

    assert reply.text == "Let me look."
    assert reply.calls == (
        ToolCall("call_b", "get_qubit_params", '{"qid": "7"}'),
        ToolCall("call_a", "get_qubit_params", '{"qid": '),
        ToolCall("call_c", "get_chip_summary", ""),
    )
    assert [item["type"] for item in reply.items] == ["message", *["function_call"] * 3]


def test_a_refusal_is_text(kind: Any) -> None:
    with ScriptedServer([reply_turn(Refusal("I cannot do that."))]) as server:
        (parts,) = ask(made(server.base_url, kind))

    assert text_of(parts) == reply_of(parts).text == "I cannot do that."
    assert [item["content"][0]["refusal"] for item in reply_of(parts).items] == ["I cannot do that."]


def test_an_empty_answer_is_an_empty_reply(kind: Any) -> None:
    """The loop says that the model said nothing."""
    reply = replied(kind, reply_turn())

    assert (reply.text, reply.calls, reply.items, reply.usage.requests) == ("", (), (), 1)


def test_a_server_that_keeps_the_stream_open_does_not_hold_up_the_reply(kind: Any) -> None:
    turn = steps_of(kind, text_turn("ok"))
    with ScriptedServer([turn.stalled(200, after=len(turn.steps))]) as server:
        (parts,) = ask(made(server.base_url, kind, timeout_s=100))

    assert reply_of(parts).text == "ok"


# --- connections


def test_the_connection_is_kept_between_requests(kind: Any) -> None:
    with ScriptedServer([text_turn("ok")] * 3) as server:
        ask(made(server.base_url, kind), REQUEST, REQUEST, REQUEST)

    assert len({request.connection for request in server.requests}) == 1


def test_each_event_loop_has_its_own_client(kind: Any) -> None:
    with ScriptedServer([text_turn("ok")] * 2) as server:
        llm = made(server.base_url, kind)
        assert [reply_of(ask(llm)[0]).text for _ in range(2)] == ["ok", "ok"]


def test_silence_is_a_time_out(kind: Any) -> None:
    # Before the first event, before the first delta, and within the stream.
    for after in (0, 1, 2):
        turn = steps_of(kind, text_turn("one two")).stalled(20, after=after)
        error = failure_of(turn, kind=kind, timeout_s=0.3)

        assert isinstance(error, ModelUnreachable)
        assert "0.3 s" in str(error.message)


def test_the_tries_of_a_silent_server_have_the_time_of_one(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_body: Any) -> Any:
        time.sleep(2)  # before the headers
        return text_turn("late")

    monkeypatch.setattr(connection, "_WAITS_S", 0.1)
    with ScriptedServer([late] * 3) as server:
        with pytest.raises(ModelUnreachable, match=r"0\.5 s"):
            ask(made(server.base_url, kind, timeout_s=0.5))
        assert len(server.requests) < 3


SENT: dict[Any, Any] = {
    ResponsesLLM: {"max_output_tokens": 900, "reasoning": {"effort": "low", "summary": "auto"}},
    ChatCompletionsLLM: {"max_tokens": 900, "reasoning_effort": "low"},
}


def test_settings_headers_and_key_reach_the_wire(kind: Any) -> None:
    keys = iter(["key-of-monday\n", "key-of-tuesday", None])
    settings = {"temperature": 0.2, "max_output_tokens": 900, "reasoning_effort": "low"}
    with ScriptedServer([text_turn("ok")] * 3) as server:
        llm = made(server.base_url, kind, api_key=lambda: next(keys), headers={"X-Lab": "cryostat 4"}, **settings)
        ask(llm, REQUEST, REQUEST, REQUEST)
        requests = server.requests

    assert requests[0].body.items() >= ({"temperature": 0.2} | SENT[kind]).items()
    assert requests[0].headers["x-lab"] == "cryostat 4"
    sent = [request.headers["authorization"] for request in requests]
    assert sent == ["Bearer key-of-monday", "Bearer key-of-tuesday", "Bearer none"]


# --- streams that break


@pytest.mark.parametrize(
    "data",
    [b'data: {"type": "resp\n\n', b"data: \xff\xfe\n\n", b'data: {"choices": [\n\n', b"event: error\ndata: oops\n\n"],
)
def test_a_line_that_is_no_json(kind: Any, data: bytes) -> None:
    turn = steps_of(kind, text_turn("All is well.")).with_step(1, Raw(data))
    assert isinstance(failure_of(turn, kind=kind), ModelBroken)


@pytest.mark.parametrize("turn", [failed_turn, error_turn])
def test_a_failure_within_the_stream(kind: Any, turn: Any) -> None:
    error = failure_of(turn(f"The GPU of {KEY} caught fire."), kind=kind)

    assert isinstance(error, ModelBroken)
    assert "caught fire" in str(error.message)
    assert isinstance(failure_of(turn("Slow down.", "rate_limit_exceeded"), kind=kind), ModelRateLimited)
    assert isinstance(failure_of(error_turn("Paid up?", "insufficient_quota"), kind=kind), ModelRateLimited)
    assert "too long" in str(failure_of(error_turn("Too many tokens.", "context_length_exceeded"), kind=kind).message)


@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_error_that_comes_as_a_stream_of_events(kind: Any, status: int) -> None:
    """Of LiteLLM's proxy, whose status then may be that of a success."""
    said = 'data: {"error": {"message": "upstream died", "type": null, "param": null, "code": "500"}}\n\n'
    error = Script((Raw(said.encode()),)) if status == 200 else HttpError(status, said, headers=AT_ONCE)
    failure = failure_of(*[error] * 3, kind=kind)
    assert str(failure.message).endswith('"upstream died"')
    assert "data:" not in str(failure.message)


@pytest.mark.parametrize("status", [200, 400, 404])
def test_an_invalid_model_name_in_the_words_of_litellm(kind: Any, status: int) -> None:
    said = "/v1: Invalid model name passed in model=gpt-test. Call `/v1/models` to view available models for your key."
    error = error_turn(said, "400") if status == 200 else http_error(status, said, param="model", code=str(status))
    assert str(failure_of(error, kind=kind).message).endswith("has no model 'gpt-test', or the key doesn't allow it.")


def test_a_wrong_key_in_the_words_of_litellm(kind: Any) -> None:
    error = http_error(400, "No connected db.", code="400")
    assert str(failure_of(error, kind=kind).message).endswith("doesn't accept the key.")


def test_an_answer_that_is_cut_short_by_length_is_a_reply(kind: Any) -> None:
    turn = reply_turn(Text("The worst are Q07 and"), Call("get_qubit", '{"qid": "'), incomplete="max_output_tokens")
    reply = replied(kind, turn)

    assert reply.text == "The worst are Q07 and"
    assert reply.calls == ()
    assert [item["type"] for item in reply.items] == ["message"]


# --- what is shown


@pytest.mark.parametrize(
    ("base_url", "endpoint"),
    [
        (None, "api.openai.com"),
        ("", "api.openai.com"),
        ("https://models.lab.example/v1", "models.lab.example"),
        ("http://localhost:11434/v1", "localhost:11434"),
        ("http://physicist:hunter22@[::1]:8080/v1?x=1", "[::1]:8080"),
    ],
)
def test_the_card_shows_the_host_and_no_password(kind: Any, base_url: str | None, endpoint: str) -> None:
    llm = made(base_url, kind)

    assert (llm.card.name, llm.card.endpoint, llm.card.is_language_model) == ("gpt-test", endpoint, True)
    assert "hunter22" not in repr(llm) + repr(vars(llm))
    assert KEY not in repr(llm) + repr(vars(llm))


def test_a_password_in_the_url_is_sent_and_never_shown(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedServer([http_error(403, "No hunter22 here.")] * 2) as server:
        url = server.base_url.replace("//", "//physicist:hunter22@")
        for key in (None, KEY):
            with pytest.raises(ModelRefused) as caught:
                ask(made(url, kind, api_key=lambda key=key: key))
            assert "hunter22" not in str(caught.value)
        sent = [request.headers["authorization"] for request in server.requests]

    assert sent == ["Basic cGh5c2ljaXN0Omh1bnRlcjIy", f"Bearer {KEY}"]
    assert "hunter22" not in caplog.text


@pytest.mark.parametrize("key", [f" {KEY}\n", KEY])
def test_the_key_is_never_in_the_words_of_a_refusal(kind: Any, key: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    error = failure_of(HttpError(403, {"error": {"message": f"{KEY} may not."}}), kind=kind, api_key=lambda: key)

    assert "[hidden] may not." in str(error.message)
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    "base_url", ["localhost:11434/v1", "ftp://pw@x/v1", "http://pw@x:port/v1", "http://[x", "http://"]
)
def test_what_is_no_url_is_said_at_once(kind: Any, base_url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        made(base_url, kind)

    assert "pw" not in repr(caught.value)


def test_the_sdk_is_imported_with_the_first_question_only(kind: Any) -> None:
    code = f"""
import sys
import qdash_jupyter.llm.auto
from {kind.__module__} import {kind.__name__}
found = [name for name in ("openai", "httpx2", "pydantic") if name in sys.modules]
from qdash_jupyter.config.manifest import ModelSection
{kind.__name__}(ModelSection(name="m", base_url="http://localhost:1/v1"))
import json
print(json.dumps([*found, *(name for name in ("openai", "httpx2") if name in sys.modules)]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == []
