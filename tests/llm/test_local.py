"""Servers of models on this machine: what of them is found, and what a trial says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.llm import local
from qdash_jupyter.llm.served import served_model
from tests.scripted_server import ScriptedServer, Turn, call_turn, http_error, text_turn


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    with ScriptedServer() as running, ScriptedServer() as other:
        other.pages = {"/v1/models": ["no", "list", "of", "models"]}
        ports = (("Ollama", running.port), ("vLLM", other.port), ("LM Studio", 1))
        places = [local.LocalServer(name, port, "api/ps") for name, port in ports]
        monkeypatch.setattr(local, "SERVERS", tuple(places))
        yield running


def trial(server: ScriptedServer, *turns: Turn) -> tuple[str, int]:
    server.add(*turns)
    section = ModelSection(name="qwen3:14b", base_url=server.base_url, api_style="chat_completions")

    async def run() -> tuple[str, int]:
        model = served_model(section)
        said, window = await local.tried(model, section)
        await model.close()
        return str(said), window

    return asyncio.run(run())


def test_the_models_of_those_that_answer_are_listed(server: ScriptedServer) -> None:
    server.pages = {"/v1/models": {"object": "list", "data": [{"id": "qwen3:14b"}, {"id": "gpt-oss:20b"}, {}, 3]}}
    found = local.local_models()
    assert {name: section.base_url for name, section in found.items()} == dict.fromkeys(
        ["qwen3:14b", "gpt-oss:20b"], server.base_url
    )


def test_nothing_that_answers_lists_nothing(server: ScriptedServer) -> None:
    assert local.local_models() == {}


@pytest.mark.parametrize(
    ("path", "told", "said"),
    [
        ("/api/ps", {"models": [{"name": "qwen3:14b", "context_length": 32768}]}, "context window is 32,768 tokens."),
        ("/api/ps", {"models": [{"name": "qwen3:14b", "context_length": 4096}]}, "only 4,096 tokens"),
        ("/api/ps", {"default_generation_settings": {"n_ctx": 40960}}, "Its context window is 40,960 tokens."),
        ("/api/ps", {"data": [{"id": "qwen3:14b", "max_model_len": 65536}]}, "Its context window is 65,536 tokens."),
        ("/api/ps", {"data": [{"id": "another", "max_model_len": 65536}]}, "doesn't report the context window"),
        ("/elsewhere", {}, "doesn't report the context window"),
    ],
)
def test_a_trial_says_whether_it_calls_tools_and_how_long_its_window_is(
    server: ScriptedServer, path: str, told: object, said: str
) -> None:
    server.pages = {path: told}
    sentence, window = trial(server, call_turn(("ready", {})))
    assert sentence.startswith("qwen3:14b can call tools. ")
    assert said in sentence
    assert (f"{window:,}" in sentence) == bool(window)
    (asked,) = server.requests
    assert [tool["function"]["name"] for tool in asked.body["tools"]] == ["ready"]
    assert "qubit" not in str(asked.body).lower()  # nothing of the lab


def test_a_model_without_tools_is_said_to_have_none(server: ScriptedServer) -> None:
    assert "didn't call a tool" in trial(server, text_turn("I am ready!"))[0]


def test_a_server_that_fails_says_why(server: ScriptedServer) -> None:
    assert "out of memory" in trial(server, http_error(400, "model runner: out of memory"))[0]
