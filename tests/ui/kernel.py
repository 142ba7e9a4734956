"""Runs cells in a real kernel, and notebooks under nbval."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Shown:
    """What a cell showed: the reply's status, standard output and error, and its MIME bundles in order."""

    status: str
    stdout: str
    stderr: str
    bundles: list[dict[str, Any]]
    traceback: str

    @property
    def text(self) -> str:
        """All text of it, for looking something up."""
        plain = "\n".join(str(bundle.get("text/plain", "")) for bundle in self.bundles)
        return f"{self.stdout}\n{self.stderr}\n{plain}\n{self.traceback}"


class Kernel:
    """A kernel with the extension loaded."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self.asked: list[dict[str, Any]] = []

    def run(self, code: str, timeout_s: float = 60, *, types: str | None = None) -> Shown:
        """Run a cell. Who asks for words is given `types`, and the question stands in `asked`; with None nobody can
        be asked.
        """
        out: dict[str, str] = {"stdout": "", "stderr": ""}
        bundles: list[dict[str, Any]] = []
        traces: list[str] = []

        def on_output(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "stream":
                out[content["name"]] += content["text"]
            elif message["msg_type"] in {"display_data", "execute_result"}:
                bundles.append(content["data"])
            elif message["msg_type"] == "error":
                traces.append("\n".join(content["traceback"]))

        def on_question(message: dict[str, Any]) -> None:
            self.asked.append(message["content"])
            self._client.input(types or "")

        reply = self._client.execute_interactive(
            code, timeout=timeout_s, output_hook=on_output, allow_stdin=types is not None, stdin_hook=on_question
        )
        return Shown(reply["content"]["status"], out["stdout"], out["stderr"], bundles, "\n".join(traces))


@contextmanager
def kernel(**environment: str) -> Iterator[Kernel]:
    """A fresh kernel; the person's own settings are out of reach."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("QDASH", "OPENAI", "MONGO"))}
    manager, client = start_new_kernel(kernel_name="python3", env=env | environment)
    try:
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def nbval(*notebooks: Path) -> subprocess.CompletedProcess[str]:
    """The notebooks under `pytest --nbval-lax`, in a process of their own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(ROOT), "-q"]
    return subprocess.run(
        [*command, "--nbval-lax", *map(str, notebooks)], capture_output=True, text=True, check=False, cwd=ROOT
    )


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`qdash-jupyter …` in a process of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("QDASH", "OPENAI", "MONGO"))}
    return subprocess.run(
        [sys.executable, "-m", "qdash_jupyter.ui.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=env | environment,
    )
