"""Servers of models on this machine, by the ports on which they usually listen. Nothing is sent to one unasked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Any

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import CopilotError
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply
from qdash_jupyter.messages.message import Message, Text, sentences

_ANSWERS_S = 1.5
_MOST_BYTES = 4_000_000
_TRIAL_S = 120.0
"""A large model is loaded first."""
_SHORT = 16_000
_WINDOWS = ("context_length", "loaded_context_length", "n_ctx", "max_model_len", "max_context_length")
"""What servers call a model's window, the one in use first."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A program that serves models, and where it says how long their windows are."""

    name: str
    port: int
    windows: str

    @property
    def url(self) -> str:
        """Of the server; its API is below `v1`."""
        return f"http://127.0.0.1:{self.port}"


SERVERS = (
    LocalServer("Ollama", 11434, "api/ps"),
    LocalServer("LM Studio", 1234, "api/v0/models"),
    LocalServer("llama.cpp", 8080, "props"),
    LocalServer("vLLM", 8000, "v1/models"),
)


def local_models() -> dict[str, ModelSection]:
    """The models of the servers that answer, by name; waits for each server no longer than a second and a half."""
    with ThreadPoolExecutor(len(SERVERS)) as threads:
        found = list(threads.map(lambda server: list(_models(server)), SERVERS))
    named: dict[str, ModelSection] = {}
    for section in (each for of_server in found for each in of_server):
        name = section.name if section.name not in named else f"{section.name} ({section.base_url})"
        named[name] = section
    return named


async def tried(model: LLM, section: ModelSection) -> tuple[Text, int]:
    """What is to be known of a model before it is relied on, and its window; 0 where its server does not tell that.
    It is asked once for a tool; nothing of the lab goes along.
    """
    tool: JsonObject = {
        "type": "function",
        "name": "ready",
        "description": "Say that you are ready.",
        "parameters": {"type": "object", "properties": {}},
    }
    request = ModelRequest("Call the tool `ready`.", ({"role": "user", "content": "Are you ready?"},), (tool,))
    try:
        async with asyncio.timeout(_TRIAL_S):
            replies = [part async for part in model.reply(request) if isinstance(part, Reply)]
    except TimeoutError:
        return Message("trial-too-slow", model=section.name), 0
    except CopilotError as error:
        return sentences(error.message, error.hint), 0
    window = await asyncio.to_thread(_window, section)
    calls = any(call.name == "ready" for reply in replies for call in reply.calls)
    name, size = section.name, f"{window:,}"
    told = Message("trial-calls", model=name) if calls else Message("trial-calls-not", model=name)
    if not window:
        holds = Message("trial-window-unknown")
    elif window < _SHORT:
        holds = Message("trial-window-short", tokens=size)
    else:
        holds = Message("trial-window", tokens=size)
    return sentences(told, holds), window


def _models(server: LocalServer) -> Iterator[ModelSection]:
    listed = _answer(server, "v1/models")
    for each in _entries(listed):
        if isinstance(name := each.get("id"), str) and name:
            yield ModelSection(name=name, base_url=f"{server.url}/v1", api_key_env="QDASH_LOCAL_MODEL_KEY")


def _window(section: ModelSection) -> int:
    server = next((each for each in SERVERS if section.base_url == f"{each.url}/v1"), None)
    told = _answer(server, server.windows) if server is not None else {}
    own = [each for each in _entries(told) if section.name in (each.get("id"), each.get("name"), each.get("model"))]
    places = [*own, told, told.get("default_generation_settings")]
    found = (each.get(key) for each in places if isinstance(each, dict) for key in _WINDOWS)
    return next((value for value in found if isinstance(value, int) and value > 0), 0)


def _entries(told: Mapping[str, Any]) -> list[JsonObject]:
    listed = told.get("data") or told.get("models") or ()
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _answer(server: LocalServer, path: str) -> JsonObject:
    """What it says there; empty where nothing answers, or something else does. No proxy, no redirect."""
    asked = HTTPConnection("127.0.0.1", server.port, timeout=_ANSWERS_S)
    try:
        asked.request("GET", f"/{path}")
        answer = asked.getresponse()
        told = json.loads(answer.read(_MOST_BYTES)) if answer.status == HTTPStatus.OK else {}
    except (OSError, HTTPException, ValueError):
        return {}
    finally:
        asked.close()
    return told if isinstance(told, dict) else {}
