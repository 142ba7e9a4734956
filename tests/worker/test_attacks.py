"""Code in a session that tries to reach back into the kernel. What counts is what is seen there."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import copy
import decimal
import gc
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import warnings
import zoneinfo
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import psutil
import pytest

from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.names_in import gathered
from qdash_jupyter.worker.names_out import read
from qdash_jupyter.worker.names_out_values import Unreadable
from tests.worker.conftest import LIMITS
from tests.worker.corpus.attacks import IN_KERNEL, IN_SESSION, INSTRUMENT, KEPT_FROM_BOUND, ON_CHANNEL
from tests.worker.test_kernel_names import Kernel

SECRET = "canary-77c1"
_MOST_MB = 500
_USERS = INSTRUMENT + (
    "import numpy as np, pandas as pd\n"
    "df = pd.DataFrame({'qid': ['Q0', 'Q1'], 'v': [1.0, 2.0]})\n"
    "held = pd.DataFrame({'a': np.array([1, 2], object)}); held.iat[0, 0] = fire\n"
    "arr, d, xs, pi = np.arange(5.0), {'t1': [1.0]}, [3, 1, 2], 3.14\n"
    "def user_fn(x): return x + pi\n"
    "seen.clear()\n"
)


def every_tenth(names: Iterable[str]) -> list[str]:
    return list(names)[::10]


def notebook(*cells: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        exec(compile(cell, "<cell>", "exec", dont_inherit=True), names)  # noqa: S102
    return names


def fingerprint() -> dict[str, Any]:
    """The state of this process and of its libraries that code could change."""
    import matplotlib as mpl
    import plotly.io as pio
    from pandas._config import config

    return {
        "pandas": copy.deepcopy(config._global_config),
        "numpy": (np.geterr(), np.geterrcall(), repr(np.get_printoptions()), repr(np.random.get_state(legacy=False))),  # noqa: NPY002
        "matplotlib": dict(mpl.rcParams),
        "plotly": (pio.templates.default, pio.renderers.default, *pio.templates),
        "warnings": [*warnings.filters],
        "decimal": repr(decimal.getcontext()),
        "modules": {name: id(module) for name, module in sys.modules.items()},
        "environment": dict(os.environ),
        "folder": Path.cwd(),
        "signals": [signal.getsignal(number) for number in signal.valid_signals()],
        "builtins": {name: id(value) for name, value in vars(builtins).items()},
        "sys": ([*sys.path], [*map(id, sys.meta_path)], sys.getrecursionlimit(), id(sys.excepthook), id(sys.stdout)),
        "exit": atexit._ncallbacks(),
        "garbage": len(gc.callbacks),
    }


def users(names: dict[str, Any]) -> str:
    """What the user's names hold, without touching the instrument."""
    frame, held, fn = names["df"], names["held"], names["user_fn"]
    return repr((frame.to_dict(), frame.attrs, id(held.iloc[0, 0]), names["arr"], names["d"], names["xs"], fn(1),
                 fn.__defaults__, fn.__annotations__, sorted(map(id, names.values()))))  # fmt: skip


@dataclass
class Canaries:
    folder: Path
    server: socket.socket

    @property
    def prelude(self) -> str:
        path, port = self.folder / "secret.txt", self.server.getsockname()[1]
        return f"SECRET, PORT, PARENT = {str(path)!r}, {port}, {os.getpid()}\n"

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = {path.name: (path.read_text(), path.stat().st_mtime) for path in self.folder.iterdir()}
        try:
            self.server.accept()
        except BlockingIOError:
            return found
        return found | {"visited": time.monotonic()}


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canaries]:
    folder = tmp_path_factory.mktemp("canaries")
    (folder / "secret.txt").write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)  # noqa: FBT003
        yield Canaries(folder, server)


def peak_mb() -> float:
    """The most memory that this process has had since it was last asked."""
    status = Path("/proc/self/status").read_text()
    most = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    Path("/proc/self/clear_refs").write_text("5")
    return int(most) / 1000


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    found = [name for name in before.keys() - {"modules"} if before[name] != after[name]]
    changed = {name for name, module in before["modules"].items() if after["modules"].get(name) != module}
    new = {name.partition(".")[0] for name in after["modules"].keys() - before["modules"].keys()}
    known = {name.partition(".")[0] for name in before["modules"]}
    return found + sorted(changed | (new - known))


_UNSAFE = ("<script", "javascript:", "onerror=", "onload=", "\x1b]", "\x1b[2J", "\x07", "\x00", "\u202e")
_SHOWN_TYPES = {"text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg"}
_PLOTLY = "application/vnd.plotly.v1+json"
_KINDS = {"stream", "display_data", "update_display_data", "execute_result", "error", "clear_output"}


def attacked(worker: IsolatedWorker, canaries: Canaries, code: str) -> list[str]:
    """Run it in a session of its own with the user's names; what was seen of it in the kernel."""
    names = notebook(_USERS)
    kernel = Kernel(worker, dict(names))
    told: list[Any] = []
    state, held, outside = fingerprint(), users(names), canaries.state()
    peak_mb()
    memory, processor = psutil.Process().memory_info().rss / 1e6, time.process_time()
    problems = []
    try:
        result = run_and_hear(kernel, canaries.prelude + code, told)
        if (seconds := time.process_time() - processor) > (worker.limits.seconds or 0) + 2:
            problems.append(f"it held the kernel for {seconds:.1f} s")
        if (most := peak_mb() - memory) > _MOST_MB:
            problems.append(f"it took {most:.0f} MB")
        problems += unsafe(result, told)
        if SECRET in repr((replace(result, bound={}), told)):
            problems.append("it has read a secret")
        problems += [f"it bound `{name}`" for name in result.bound if name in KEPT_FROM_BOUND]
        again = run_and_hear(kernel, "xs[0] + 1", [])
        if again.value != 4:
            kernel.session.close()  # it lies, or its names are gone
            again = run_and_hear(kernel, "xs[0] + 1", [])
        if again.value != 4:
            problems.append(f"no session goes on: {again.error}")
    except Exception as problem:  # noqa: BLE001 - none is documented
        problems.append(f"it raised {problem!r}")
    finally:
        kernel.session.close()
    problems += [f"it changed {what}" for what in differences(state, fingerprint())]
    if users(names) != held:
        problems.append("it changed the user's names")
    if names["seen"]:
        problems.append(f"it touched the instrument: {names['seen'][:3]}")
    if canaries.state() != outside:
        problems.append("it reached a file or a server")
    return problems


def run_and_hear(kernel: Kernel, code: str, told: list[Any]) -> Any:
    import asyncio

    from qdash_jupyter.cells.told_names import words_in

    given = gathered(kernel.names, [*words_in(code), "xs"], {})
    show: Callable[..., None] = lambda kind, content: told.append((kind, content))  # noqa: E731
    return asyncio.run(kernel.session.run(code, show, given=Given(given.pickled, given.stays, given.has, (), "")))


def unsafe(result: Any, told: list[Any]) -> list[str]:
    """What a page or a screen must not be given."""
    problems = [f"a message {kind}" for kind, _ in told if kind not in _KINDS]
    for output in (*result.outputs, *(content for _, content in told)):
        if (types := set(output.get("data", ()))) - _SHOWN_TYPES - {_PLOTLY}:
            problems.append(f"a format {types}")
        texts = [output.get("data", {}).get(kind, "") for kind in ("text/html", "text/latex", _PLOTLY)]
        problems += [f"markup in an output: {sign!r}" for sign in _UNSAFE if sign in json.dumps(texts).lower()]
        plain = str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
        problems += [f"a code in a text: {sign!r}" for sign in _UNSAFE[4:] if sign in plain and sign != "\u202e"]
    for pair in (*result.stays, *result.needed, *result.tried, *result.created):
        problems += [f"a code in words: {sign!r}" for sign in _UNSAFE[4:] if any(sign in word for word in pair)]
        problems += ["a long word"] if max(map(len, pair)) > 200 else []
    return problems


@pytest.fixture
def quick(worker: IsolatedWorker, request: pytest.FixtureRequest) -> Iterator[IsolatedWorker]:
    worker.limits = replace(LIMITS, seconds=2.0 if request.node.get_closest_marker("long") else 0.7)
    yield worker
    worker.limits = LIMITS


def problems_of(worker: IsolatedWorker, canaries: Canaries, codes: dict[str, str], names: Iterable[str]) -> Any:
    # What our own side loads with the first such error is no effect of an attack.
    with contextlib.suppress(zoneinfo.ZoneInfoNotFoundError):
        zoneinfo.ZoneInfo("No/Zone")
    str(Message("code-timed-out", seconds=1.5))  # the catalogue, with fluent and babel
    attacked(worker, canaries, "import matplotlib, plotly.graph_objects as go\nout = [df.copy(), go.Figure()]")
    return {name: found for name in names if (found := attacked(worker, canaries, codes[name]))}


def test_code_in_a_session_has_no_effect(quick: IsolatedWorker, canaries: Canaries) -> None:
    assert problems_of(quick, canaries, IN_SESSION, every_tenth(IN_SESSION)) == {}


@pytest.mark.long
def test_no_code_in_a_session_has_an_effect(quick: IsolatedWorker, canaries: Canaries) -> None:
    assert problems_of(quick, canaries, IN_SESSION, IN_SESSION) == {}


def test_forged_messages_have_no_effect(quick: IsolatedWorker, canaries: Canaries) -> None:
    assert problems_of(quick, canaries, ON_CHANNEL, every_tenth(ON_CHANNEL)) == {}


@pytest.mark.long
def test_no_forged_message_has_an_effect(quick: IsolatedWorker, canaries: Canaries) -> None:
    assert problems_of(quick, canaries, ON_CHANNEL, ON_CHANNEL) == {}


def touched(gather: Callable[[dict[str, Any]], object], attacks: Iterable[str]) -> dict[str, list[str]]:
    """What was done to the instrument, and to other objects of the user's, while `value` was gathered."""
    found: dict[str, list[str]] = {}
    for name in attacks:
        names = notebook(INSTRUMENT, IN_KERNEL[name])
        names["seen"].clear()
        before = fingerprint()
        gather(names)
        if noticed := [*names["seen"], *differences(before, fingerprint())]:
            found[name] = noticed
    return found


def _gathered(names: dict[str, Any]) -> None:
    gathered(names, ["value"], {})


def test_nothing_of_the_users_is_touched() -> None:
    assert touched(_gathered, IN_KERNEL) == {}


def _pickled(names: dict[str, Any]) -> None:
    try:
        cloudpickle.dumps(names["value"])
        repr(names["value"])
    except Exception:  # noqa: BLE001 - classes of the attack raise what they like
        return


@pytest.mark.long  # says that the test above can fail
def test_a_plain_pickle_would_have_touched_them() -> None:
    assert len(touched(_pickled, IN_KERNEL)) > len(IN_KERNEL) // 2


_CONTROL = """\
import json, os, sys
from tests.worker.test_attacks import _USERS, fingerprint, notebook, users
import IPython; IPython.core.interactiveshell.InteractiveShell.instance()
effects = {}
for name, code in json.load(sys.stdin).items():
    reads, writes = os.pipe()
    if os.fork() == 0:
        found = "yes"
        try:
            names = notebook(_USERS)
            before = fingerprint(), users(names)
            try:
                exec(compile(code, "<cell>", "exec", dont_inherit=True), names)
            except Exception:
                pass
            found = "yes" if names["seen"] or (fingerprint(), users(names)) != before else ""
        finally:
            os.write(writes, found.encode())
            os._exit(0)
    os.close(writes)
    effects[name] = open(reads).read() == "yes"
    os.wait()
print(json.dumps(effects))
"""
_PROVED = ("the code of a function", "out= of numpy", "frames in place", "containers in place", "decimal precision",
           "pandas options", "numpy's handling", "plotly's template", "warnings", "the environment",
           "the placeholder's", "the instrument's bound", "gc looks", "views of", "functools.wraps")  # fmt: skip


@pytest.mark.long
def test_in_the_kernel_the_same_code_would_have_had_an_effect(canaries: Canaries) -> None:
    codes = {name: canaries.prelude + code for name, code in IN_SESSION.items() if name.startswith(_PROVED)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _CONTROL], input=json.dumps(codes), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    effects = json.loads(done.stdout)
    assert len(effects) >= len(_PROVED)
    assert [name for name, had_one in effects.items() if not had_one] == []


def test_an_unpickled_message_would_have_had_an_effect() -> None:
    assert pickle.loads(b"\x80\x05cbuiltins\nlen\nC\x02ab\x85R.") == 2  # noqa: S301 - the control
    with pytest.raises(Unreadable):
        read([b"\x80\x05cbuiltins\nlen\nC\x02ab\x85R."])
    for value in (ON_CHANNEL["shown as text/html"], ON_CHANNEL["shown as image/svg+xml"]):
        assert any(sign in value for sign in _UNSAFE)
