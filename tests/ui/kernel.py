"""Runs cells in a real kernel, and notebooks under nbval."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from tests.patience import PATIENCE_S

_T = TypeVar("_T")

WIDGET = "application/vnd.jupyter.widget-view+json"
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
        self.widgets: dict[str, dict[str, Any]] = {}
        """The state of each, as a front-end of ipywidgets knows it."""
        self.custom: list[dict[str, Any]] = []
        """What widgets have said of their own, in order."""
        self._root = ""  # of the one that a cell displayed last

    def run(self, code: str, timeout_s: float = 60, *, types: str | None = None) -> Shown:
        """Run a cell. Who asks for words is given `types`, and the question stands in `asked`; with None nobody can
        be asked.
        """
        out: dict[str, str] = {"stdout": "", "stderr": ""}
        bundles: list[dict[str, Any]] = []
        traces: list[str] = []

        def on_output(message: dict[str, Any]) -> None:
            content = message["content"]
            self._note(message)
            if message["msg_type"] == "stream":
                out[content["name"]] += content["text"]
            elif message["msg_type"] in {"display_data", "execute_result"}:
                bundles.append(content["data"])
                self._root = content["data"].get(WIDGET, {}).get("model_id", self._root)
            elif message["msg_type"] == "error":
                traces.append("\n".join(content["traceback"]))

        def on_question(message: dict[str, Any]) -> None:
            self.asked.append(message["content"])
            self._client.input(types or "")

        reply = self._client.execute_interactive(
            code, timeout=timeout_s, output_hook=on_output, allow_stdin=types is not None, stdin_hook=on_question
        )
        return Shown(reply["content"]["status"], out["stdout"], out["stderr"], bundles, "\n".join(traces))

    def complete(self, code: str) -> list[str]:
        """What Tab offers at its end, each with what stands before it."""
        content = self._client.complete(code, reply=True, timeout=PATIENCE_S)["content"]
        return [code[: content["cursor_start"]] + match for match in content["matches"]]

    def _note(self, message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "comm_open" and content["target_name"] == "jupyter.widget":
            self.widgets[content["comm_id"]] = dict(content["data"]["state"])
        elif message["msg_type"] == "comm_msg" and content["comm_id"] in self.widgets:
            self.widgets[content["comm_id"]] |= content["data"].get("state", {})
            self.custom += [content["data"]["content"]] if content["data"].get("method") == "custom" else []

    def until(self, holds: Callable[[], _T | None]) -> _T:
        """What it gives, as soon as that is something; what the kernel says meanwhile is noted."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := holds():
                return found
            with contextlib.suppress(queue.Empty):
                self._note(self._client.get_iopub_msg(timeout=0.1))
        raise AssertionError(f"it did not come to that: {self.widgets}")

    def find(self, **state: Any) -> str:
        """The widget in sight with this state, as soon as there is one."""

        def in_sight() -> str | None:
            todo = [self._root]
            while todo:
                name = todo.pop()
                has = self.widgets.get(name, {})
                if state.items() <= has.items():
                    return name
                todo += [child.removeprefix("IPY_MODEL_") for child in has.get("children", ())]
            return None

        return self.until(in_sight)

    def say(self, widget: str, data: dict[str, Any]) -> None:
        """What the front-end of a widget says."""
        content = {"comm_id": widget, "data": data}
        self._client.shell_channel.send(self._client.session.msg("comm_msg", content))

    def click(self, label: str) -> None:
        """Click a button."""
        self.say(self.find(description=label), {"method": "custom", "content": {"event": "click"}})

    def write(self, widget: str, text: str) -> None:
        """Type into a box."""
        self.say(widget, {"method": "update", "state": {"value": text}, "buffer_paths": []})


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


BEGIN = """\
import os
assert not hasattr(get_ipython(), "before"), "it serves one at a time"
get_ipython().before = dict(os.environ), os.getcwd()
os.environ.update({environment!r})
get_ipython().reset()
"""
END = """\
%unload_ext qdash_jupyter
import os
from qdash_jupyter.config import keys
keys._typed.clear()
environment, folder = get_ipython().before
os.environ.clear()
os.environ.update(environment)
os.chdir(folder)
del get_ipython().before
"""


@contextmanager
def as_new(used: Kernel, **environment: str) -> Iterator[Kernel]:
    """A kernel that others have used, as if it had just begun, with these variables: to start one and to import the
    package takes two seconds.
    """
    begun = used.run(BEGIN.format(environment=environment))
    assert begun.status == "ok", begun.text
    try:
        yield Kernel(used._client)
    finally:
        used.run(END)


def nbval(*notebooks: Path, strict: bool = False) -> subprocess.CompletedProcess[str]:
    """The notebooks under `pytest --nbval-lax`, or `--nbval`, in a process of their own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(ROOT), "-q"]
    return subprocess.run(
        [*command, "--nbval" if strict else "--nbval-lax", *map(str, notebooks)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
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
