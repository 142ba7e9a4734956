"""A public mock server (LLMock) that injects faults, and that judges its client: retries, streams that stop."""

from __future__ import annotations

import json
import socket
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.errors import ModelBroken, ModelContextExceeded, ModelError, ModelTimedOut, ModelUnreachable
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from tests.lab.environments import Environment
from tests.llm.client_at_server import ask, made, reply_of, text_of
from tests.patience import PATIENCE_S, until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

LLMOCK = Environment("llmock", ("llmock>=0.2.2,<0.3",))
REPLY = {"type": "reply", "text": "Q07 has 61.4 μs."}

Scenario = Callable[..., str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server starts in two seconds; its environment takes half a minute at the first run."""
    log_file = tmp_path_factory.mktemp("llmock") / "log"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(LLMOCK.python.with_name("llmock")), "serve", "-h", "127.0.0.1", "-p", str(port)]
    with Path(log_file).open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:

        def is_alive() -> bool:
            assert process.poll() is None, log_file.read_text(encoding="utf-8")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE_S):
                    return True
            except OSError:
                return False

        until(is_alive, 60)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def told(server: str, path: str, body: object = None) -> Any:
    """An answer of the server's own door."""
    data = None if body is None else json.dumps(body).encode()
    url = f"{server}/_llmock/{path}"
    with urllib.request.urlopen(url, data=data, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own server
        return json.load(answer)


@pytest.fixture
def scenario(server: str) -> Scenario:
    """Has the server behave so, one request after the other; gives the base URL."""

    def begin(*behaviors: dict[str, Any]) -> str:
        told(server, "reset", {})
        told(server, "scenario", {"behaviors": list(behaviors)})
        return f"{server}/v1"

    return begin


def chat(base_url: str, **settings: Any) -> Any:
    return made(base_url, ChatCompletionsLLM, model="gpt-4o", **settings)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_fails_twice_is_asked_again_and_answered(server: str, scenario: Scenario, status: int) -> None:
    wait = {"retry_after": 0.1} if status == 429 else {}
    url = scenario({"type": "fail", "status": status, "times": 2, **wait}, REPLY)
    (parts,) = ask(chat(url))
    assert text_of(parts) == reply_of(parts).text == REPLY["text"]
    verdict = told(server, "verdict")
    assert verdict["passed"], verdict
    assert verdict["attempts"] == 3


def test_a_server_that_stays_down_is_asked_three_times(server: str, scenario: Scenario) -> None:
    with pytest.raises(ModelError, match="503"):
        ask(chat(scenario({"type": "fail", "status": 503, "times": None})))
    assert told(server, "verdict")["attempts"] == 3


def test_a_request_that_is_too_long_is_not_asked_again(server: str, scenario: Scenario) -> None:
    too_long = {"type": "fail", "status": 400, "code": "context_length_exceeded", "message": "maximum context length"}
    with pytest.raises(ModelContextExceeded):
        ask(chat(scenario(too_long)))
    assert told(server, "verdict")["attempts"] == 1


@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed"])
def test_half_an_answer_is_never_taken_for_one(server: str, scenario: Scenario, kind: str) -> None:
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 3, "times": None}
    with pytest.raises((ModelBroken, ModelUnreachable)):
        ask(chat(scenario(fault, REPLY)))
    verdict = told(server, "verdict")
    assert verdict["faults_injected"] >= 1
    if kind != "truncate":  # the server cannot see that the user is told, and takes it for granted that nobody noticed
        assert verdict["passed"], verdict


def test_a_stream_that_stands_still_ends_at_the_time_limit(scenario: Scenario) -> None:
    fault = {"type": "stream_fault", "kind": "stall", "after_chunks": 2, "stall_seconds": 20.0}
    with pytest.raises(ModelTimedOut, match="sent nothing for 1 s"):
        ask(chat(scenario(fault, REPLY), timeout_s=1.0))
