"""A process that has imported the service and Jupyter Server once, and forks a server for each test that needs its own.

To import them takes two seconds of the processor, to fork a tenth of one. What the imports themselves do is shown by
the servers that start cold: see `cold` in served.py.
"""

from __future__ import annotations

import gc
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.patience import Server

IMPORTED = (
    "qdash_jupyter.ui.serving",
    "qdash_jupyter.server.alone",
    "qdash_jupyter.server.extension",
    "plotly.express",
)


class Process(Server, Protocol):
    """What tests need of a server's process, whether it was forked or started."""

    pid: int
    returncode: int | None


@dataclass
class Forked:
    pid: int
    warm: WarmProcess
    returncode: int | None = None

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code.

        Raises:
            TimeoutExpired: it goes on.
        """
        code = self.warm.asked(wait=self.pid, seconds=timeout or math.inf)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or math.inf)
        self.returncode = int(code)
        return self.returncode


@dataclass
class WarmProcess:
    """Runs `main(arguments)` of a module in children of its own."""

    process: subprocess.Popen[str] = field(
        default_factory=lambda: subprocess.Popen(
            [sys.executable, "-m", "tests.server.warm"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    )

    def asked(self, **what: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(what), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def fork(self, module: str, arguments: Sequence[str], folder: Path, env: Mapping[str, str]) -> Forked:
        """It appends what it says to `server.out` and `server.log` in the folder."""
        return Forked(self.asked(module=module, arguments=arguments, folder=str(folder), env=dict(env)), self)

    def close(self) -> None:
        self.process.communicate()


def _become(module: str, arguments: list[str], folder: str, env: dict[str, str]) -> None:
    """In the child: be that server, and end."""
    code = 1
    try:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        for number, name in enumerate(("/dev/null", "server.out", "server.log")):
            opened = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.argv = [module, *arguments]
        code = importlib.import_module(module).main(arguments) or 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _exit_code(child: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > until:
            return None
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(ended[1])


def _serve_forks() -> None:
    for module in IMPORTED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    from qdash_jupyter.server.service import CopilotService

    setattr(CopilotService, "_begin", lambda _: None)  # noqa: B010 - few tests run code: its worker starts then
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            answer = _exit_code(asked["wait"], asked["seconds"])
        elif not (answer := os.fork()):
            _become(**asked)
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve_forks()
