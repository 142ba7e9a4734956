"""`qdash-jupyter serve` as a process, on a small snapshot and a model that plays a script, and a client of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx_sse
import yaml

from tests.patience import PATIENCE_S, end, has_ended, until
from tests.server.warm import Process, WarmProcess

TOKEN = "the-token-of-the-test"


@dataclass(frozen=True)
class Event:
    """One event, its data read."""

    name: str
    data: Any

    @property
    def step(self) -> str:
        return str(self.data.get("step", ""))


@dataclass
class Served:
    """A running service, and what its process has said on standard error."""

    endpoint: str
    token: str
    """As it printed it."""
    process: Process
    log: Path
    headers: dict[str, str] = field(default_factory=lambda: {"Authorization": f"token {TOKEN}"})

    def client(self, headers: Mapping[str, str] | None = None, **more: Any) -> httpx.Client:
        return httpx.Client(timeout=PATIENCE_S, headers=self.headers if headers is None else headers, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        with self.client() as client:
            return client.get(f"{self.endpoint}/{path}", **more)

    def send(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        with self.client() as client:
            return client.request(method, f"{self.endpoint}/{path}", json=body, **more)

    def events(self, path: str, body: Mapping[str, Any]) -> list[Event]:
        """All events of a stream, read by httpx-sse."""
        with self.client() as client, self.stream(client, path, body) as events:
            return list(events)

    @contextmanager
    def stream(self, client: httpx.Client, path: str, body: Mapping[str, Any]) -> Iterator[Iterator[Event]]:
        with httpx_sse.connect_sse(client, "POST", f"{self.endpoint}/{path}", json=dict(body)) as source:
            yield (Event(each.event, json.loads(each.data)) for each in source.iter_sse())

    def chat(self, message: str, **more: Any) -> list[Event]:
        return self.events("chat/stream", {"message": message} | more)


def steps(events: list[Event]) -> list[str]:
    """The steps in order; events without one by their name."""
    return [each.step or each.name for each in events]


@contextmanager
def served(
    folder: Path,
    *options: str,
    settings: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    warm: WarmProcess | None = None,
) -> Iterator[Served]:
    """The process, with settings and data folders of its own: one that starts cold, or is forked."""
    (folder / "copilot.yaml").write_text(yaml.safe_dump(dict(settings or {})), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QDASH_", "OPENAI_", "JUPYTER_"))}
    own = {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "QDASH_COPILOT_CONFIG": str(folder / "copilot.yaml"),
        "JUPYTER_TOKEN": TOKEN,
        "OPENAI_API_KEY": "key-of-the-test",
    }
    command, env = ["serve", "--port", "0", *options], kept | own | dict(env or {})
    with running("qdash_jupyter.ui.cli", command, folder, env, warm) as (process, output, log):
        until(lambda: "token: " in output.read_text(encoding="utf-8") or has_ended(process.pid))
        lines = output.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("endpoint: "), (lines, log.read_text(encoding="utf-8"))
        yield Served(lines[0].removeprefix("endpoint: "), lines[1].removeprefix("token: "), process, log)


@contextmanager
def running(
    module: str, arguments: list[str], folder: Path, env: Mapping[str, str], warm: WarmProcess | None
) -> Iterator[tuple[Process, Path, Path]]:
    """`python -m module arguments`, or the same forked; with what it says on standard output and standard error."""
    output, errors = folder / "server.out", folder / "server.log"
    output.write_bytes(b"")
    process: Process
    if warm is not None:
        process = warm.fork(module, arguments, folder, env)
    else:
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments], cwd=folder, env=dict(env), stdout=out, stderr=err
            )
    try:
        yield process, output, errors
    finally:
        end(process)


def scripted(base_url: str, **more: Any) -> dict[str, Any]:
    """Settings with the scripted server as the model."""
    model = {"name": "scripted", "base_url": base_url, "api_style": "responses"}
    return {"orchestrator": {"deployment": "lab"}, "models": {"lab": model | more}}
