"""What happens inside: a session takes code, runs it on the names that it has, and says what came of it."""

from __future__ import annotations

import builtins
import getpass
import os
import pickle
import signal
from _sitebuiltins import _Helper
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import Lock, current_thread, main_thread
from types import FrameType, ModuleType
from typing import Any, TypeAlias

import comm
import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
from IPython.display import display
from plotly.basedatatypes import BaseFigure

from qdash_jupyter.cells.outcome import cell_lines
from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.cells.shell_output import Tell, told
from qdash_jupyter.cells.surroundings import plotly_as_json, quiet_libraries
from qdash_jupyter.cells.told_names import in_words, loop_variables, words_in
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import plain, to_json
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import no_such_data
from qdash_jupyter.worker.attempts import Attempts, Refusals
from qdash_jupyter.worker.channel import BEGUN, MEMORY, Channel, Given, Stored
from qdash_jupyter.worker.kernel_names import KernelNames
from qdash_jupyter.worker.limits import MOST_NAMES, cut
from qdash_jupyter.worker.shell import SessionShell

Ask: TypeAlias = Callable[[JsonObject], bytes | bytearray]
"""Sends a message that is answered by a pickle, and gives that."""
Carry: TypeAlias = Callable[[str, list[bytes]], None]
"""Takes a name with what it holds (see `qdash_jupyter.worker.names_out`)."""

_LONGEST_ERROR, _LONGEST_TRACEBACK = 2000, 8000


def serve(descriptor: int, shape: str, wall: str, readable: Sequence[str]) -> None:
    """Run one piece of code after the other, as they come on the channel, and end the process when its host is gone.
    Where no `wall` confines it, `readable` are the folders and files that Python lets it read.

    A message to the host is `{"begun": true}` before code runs, `{"out": type, "content": …}` whenever it shows
    something, `{"get": key}` for a stored result and `{"call": tool, …}`, which are answered, `{"name": …, "parts": n}`
    with n messages behind it for what a name of the kernel is to hold, and `{"done": …}` at its end.
    """
    channel = Channel(descriptor)
    interrupts = _Interrupts()
    asks, sends = Lock(), Lock()

    def send(message: JsonObject) -> None:
        text = to_json(message).encode()
        with interrupts.later(), sends:
            channel.send(text)

    def ask(question: JsonObject) -> bytes | bytearray:
        with interrupts.later(), asks:
            with sends:
                channel.send(to_json(question).encode())
            return channel.receive()

    session = Session(ask, lambda kind, content: send({"out": kind, "content": content}), shape, wall, readable)

    def carry(name: str, parts: list[bytes]) -> None:
        with interrupts.later(), sends:
            channel.send(to_json({"name": name, "parts": len(parts)}).encode())
            for part in parts:
                channel.send(part)

    while message := channel.receive():
        code, versions, given = pickle.loads(message)  # noqa: S301 - written by the process that has started us
        send(BEGUN)
        try:
            with interrupts.now():
                done = session.outcome(code, versions, given, carry)
        except MemoryError:
            done = {"error": MEMORY}
        except BaseException as problem:  # noqa: BLE001 - stopped while it was told
            done = {"error": _short(problem)}
        send({"done": done})
    os._exit(0)  # whatever threads still run


class _Interrupts:
    """SIGINT stops the code that runs, once however often it comes, and nothing else: not between two pieces, nor in
    the middle of a message.
    """

    def __init__(self) -> None:
        self._runs, self._waits, self._came = False, False, False
        signal.signal(signal.SIGINT, self._signal)

    def _signal(self, _: int, __: FrameType | None) -> None:
        if self._waits:
            self._came = True
        else:
            self._stop()

    def _stop(self) -> None:
        if self._runs:
            self._runs = False  # what cleans up behind it, ours too, is let be
            raise KeyboardInterrupt

    @contextmanager
    def now(self) -> Iterator[None]:
        """One that comes within is an exception."""
        self._runs = True
        try:
            yield
        finally:
            self._runs = False

    @contextmanager
    def later(self) -> Iterator[None]:
        """One that comes within is an exception behind it. Other threads are never interrupted."""
        if current_thread() is not main_thread() or self._waits:
            yield
            return
        self._waits, self._came = True, False
        try:
            yield
        finally:
            self._waits = False
        if self._came:
            self._stop()


def _nowhere(*_: object) -> None:
    """Where there is no kernel."""


class Session:
    """The names of one conversation's code, and its stored results."""

    def __init__(self, ask: Ask, tell: Tell, shape: str, wall: str, readable: Sequence[str]) -> None:
        np.random.seed()  # noqa: NPY002 - or all sessions would draw the same numbers
        self._records = shape == "records"
        self._shell = _shell()
        self._shell.begin(tell)
        self._names: dict[str, Any] = self._shell.user_ns
        self._of_kernel = KernelNames(self._names)
        self._data = StoredData(ask, self._of_kernel)
        self._handle = Handle(self._data, SessionTools(ask, self._added), self._of_kernel)
        _without_a_page(self._of_kernel)
        self._no_names = {*self._names, "data", "copilot"}
        self._names.update(data=self._data, copilot=self._handle)
        self._attempts = Attempts(None if wall else Refusals(readable), hides=wall == "bubblewrap")

    def outcome(
        self, code: str, versions: Mapping[str, int], given: Given | None = None, carry: Carry = _nowhere
    ) -> JsonObject:
        """Run the code. What comes of it beside what it shows: the `value` of the last expression, an `output` where it
        has named one, `error` with its `traceback` where it failed, what it has `tried` outside, `created` names with
        type and shape, and all `names` that the session has now. Where names of the kernel are `missing` that it should
        have, as it has begun anew since, nothing has run.

        Args:
            code: what to run.
            versions: the keys of the stored results, each with the number of what it holds now.
            given: the kernel's names that the code may use, and its folder; None where there is no kernel.
            carry: takes what the kernel's names are to hold; of those that do not travel, `stays` has type and shape.
                Among them are names of the kernel whose objects the code has `changed` in place; `deleted` are those
                that it has taken away.
                `needed` are the names, each with what of it, that the code has used of those in the kernel alone.
        """
        self._of_kernel.needed.clear()
        with quiet_libraries(), plotly_as_json(code, self._shell):
            try:
                self._take(versions)
                if given is not None and (missing := self._of_kernel.missing(given.has)):
                    return {"missing": missing}
                if given is not None:
                    self._attempts.enter(given.folder)
                    self._of_kernel.take(given.pickled, given.stays, given.gone)
            except Exception as problem:  # noqa: BLE001 - told to whoever has asked
                return {"error": _short(problem)}
            before = dict(self._names)
            with self._attempts.noted() as tried:
                error, last = self._shell.run(code)
            if isinstance(error, MemoryError):
                raise error
            done: JsonObject = {}
            if error is None:
                left = self._names.get("result")
                done = _told(self._shell, last, None if left is before.get("result") else left)
        return done | {
            "error": _short(error),
            "traceback": cell_lines(error)[-_LONGEST_TRACEBACK:],
            "tried": [*tried],
            **self._bound(code, before),
            **({} if given is None else self._carried(code, before, carry)),
        }

    def _take(self, versions: Mapping[str, int]) -> None:
        """Have the stored results as they are now."""
        self._data.take(versions)
        if self._records:
            data = _shaped(self._data)
            if self._names.get("data") is self._handle.data:
                self._names["data"] = data
            self._handle.data = data

    def _added(self, key: str, version: int) -> Any:
        self._data.add(key, version)
        if not self._records:
            return self._data[key]
        self._handle.data[key] = _shaped({key: self._data[key]})[key]
        return self._handle.data[key]

    def _carried(self, code: str, before: Mapping[str, object], carry: Carry) -> JsonObject:
        bound = [name for name, value in self._names.items() if value is not before.get(name, before)]
        names = [name for name in {**dict.fromkeys(bound), **dict.fromkeys(words_in(code))} if self._is_told(name)]
        given_changed = self._of_kernel.changed_in_place(names)
        stays = []
        for name, parts in self._of_kernel.changed(names):
            if parts is None and not isinstance(self._names[name], ModuleType):
                stays.append(name)
            elif parts is not None:
                carry(name, parts)
        words = [*zip(stays, in_words(self._names, stays), strict=True)]
        deleted = [name for name in before if name not in self._names and self._is_told(name)]
        return {"stays": words, "changed": given_changed, "deleted": deleted, "needed": self._of_kernel.needed}

    def _is_told(self, name: str) -> bool:
        return not (name.startswith("_") or name in self._no_names)

    def _bound(self, code: str, before: Mapping[str, object]) -> JsonObject:
        names = [name for name in self._names if self._is_told(name) and not self._of_kernel.is_given(name)]
        loops = loop_variables(code)
        created = [name for name in names if name not in loops and self._names[name] is not before.get(name, before)]
        words = in_words(self._names, created[:MOST_NAMES])
        return {"created": [*zip(created, words, strict=False)], "names": names[:MOST_NAMES]}


OF_KERNEL = frozenset(
    [
        *("analyze", "approvals", "ask", "call_tool", "close", "events", "new", "panel", "resume", "retry", "start"),
        *("status", "stop", "turns", "use_model"),
    ]
)
"""What `copilot` has in the kernel alone."""


class Handle:
    """`copilot` in a session: the results, and the tools that read. The rest of it needs the kernel."""

    def __init__(self, data: Any, tools: SessionTools, of_kernel: KernelNames) -> None:
        self.data, self.tools, self._of_kernel = data, tools, of_kernel

    def __getattr__(self, name: str) -> Any:
        if name in OF_KERNEL:
            raise self._of_kernel.used("copilot", name)
        raise AttributeError(f"`copilot` has no {name!r}")


def _without_a_page(of_kernel: KernelNames) -> None:
    """Nobody sees a widget here, and nobody types anything. What Python's `site` binds is not there but for `help`."""

    def create(*_: object, **__: object) -> None:
        raise of_kernel.used("ipywidgets", "Widget")

    comm.create_comm = create
    builtins.help = _Helper()
    getpass.getpass = lambda prompt="", stream=None: input(prompt)  # noqa: ARG005 - its signature


class StoredData(Mapping[str, StoredResult]):
    """The conversation's results, each fetched when it is first used. Whatever a piece of code does to them, the next
    one finds them as they were stored.
    """

    def __init__(self, ask: Ask, of_kernel: KernelNames) -> None:
        self._ask, self._of_kernel = ask, of_kernel
        self._versions: dict[str, int] = {}
        self._fetched: dict[str, tuple[int, bytes | bytearray]] = {}
        self._open: dict[str, StoredResult] = {}

    def take(self, versions: Mapping[str, int]) -> None:
        """These are the results from now on, each by its key with the number of what it holds."""
        self._versions, self._open = dict(versions), {}
        self._fetched = {key: held for key, held in self._fetched.items() if versions.get(key) == held[0]}

    def add(self, key: str, version: int) -> None:
        """There is one more."""
        self._versions[key] = version

    def __getitem__(self, key: str) -> StoredResult:
        if key not in self._versions:
            raise KeyError(str(no_such_data(key, self._versions)))
        if key not in self._open:
            if key not in self._fetched:
                self._fetched[key] = (self._versions[key], self._ask({"get": key}))
            held = self._open[key] = pickle.loads(self._fetched[key][1])  # noqa: S301 - by our host
            if isinstance(held, StoredResult):
                held.explorer, held.again = self._kernels(key, "explore"), self._kernels(key, "refresh")
        return self._open[key]

    def _kernels(self, key: str, method: str) -> Callable[..., Any]:
        def use(*_: object) -> Any:
            raise self._of_kernel.used(f"copilot.data[{key!r}]", method)

        return use

    def __iter__(self) -> Iterator[str]:
        return iter(self._versions)

    def __len__(self) -> int:
        return len(self._versions)

    def __repr__(self) -> str:
        return f"<copilot.data: {', '.join(self) or 'empty'}>"


class SessionTools:
    """The tools that read, as `copilot.tools` of a notebook: their host calls them."""

    def __init__(self, ask: Ask, stored: Callable[[str, int], Any]) -> None:
        """`stored` gives a result that is new, by its key and the number of what it holds."""
        self._ask, self._stored = ask, stored

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*by_place: Any, **by_name: Any) -> Any:
            question = {"call": name, "by_place": by_place, "by_name": by_name}
            match pickle.loads(self._ask(question)):  # noqa: S301 - by our host
                case Stored(key, version):
                    return self._stored(key, version)
                case Exception() as problem:
                    raise problem
                case value:
                    return value

        call.__name__ = call.__qualname__ = name
        return call


@cache
def _shell() -> SessionShell:
    """The shell of this process: made before it is forked."""
    return SessionShell.instance()  # pyrefly: ignore[no-any-return-implicit]


def warm_up() -> None:
    """Do once what is slow at the first time."""
    if pd.get_option("display.max_columns") == 0:  # as for a terminal
        pd.set_option("display.max_columns", 20)
    frame = pd.DataFrame({"qid": ["0", "1"], "t": pd.date_range("2026-01-01", periods=2, tz="UTC"), "v": [1.0, 2.0]})
    frame.groupby("qid")["v"].median()
    shell = _shell()
    with plotly_as_json("", shell), told(shell, shell.out, ""):
        shell.display_formatter.format(frame)
        shell.display_formatter.format(px.line(frame, x="t", y="v", color="qid"))
    shell.run("1 / 0")
    to_json(value_of(frame))


def _told(shell: SessionShell, last: Any, result: Any) -> JsonObject:
    """What is told of code that went well: its last expression, and what it left as `result`. Charts of that are shown,
    unless they have been.
    """
    given = result if type(result) is dict and ("output" in result or "chart" in result) else {}
    figure = result if last is None and _is_figure(result) else None
    last = result if last is None and not given else last
    chart = given.get("chart")
    shell.out.each_once = True
    with told(shell, shell.out, ""):
        for drawn in [*(chart if isinstance(chart, (list, tuple)) else [chart]), figure]:
            if drawn is not None:
                display(_figure(drawn))
    done = {"value": None if _is_figure(last) or last is given else value_of(last)}
    if "output" in given:
        done["output"] = cut("\n".join([str(given["output"]), *shell.out.left_out]))
    return done


def _figure(drawn: Any) -> Any:
    return go.Figure(drawn, skip_invalid=True) if type(drawn) is dict else drawn


def _shaped(stored: Mapping[str, StoredResult]) -> dict[str, dict[str, Any]]:
    return {
        key: {**plain(result.scalars), **{name: _records(table) for name, table in result.tables.items()}}
        for key, result in stored.items()
    }


def _records(table: Any) -> list[JsonObject]:
    """The rows, as QDash's store holds them: times are ISO text, and what was not measured is None."""
    whole = table if isinstance(table.index, pd.RangeIndex) else table.reset_index()
    names = [str(name) for name in whole.columns]
    columns = [plain(whole.iloc[:, place].tolist()) for place in range(len(names))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _short(error: BaseException | None) -> str:
    if error is None:
        return ""
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - a class of the code's may raise anything
        words = ""
    return f"{type(error).__name__}: {words}".removesuffix(": ")[:_LONGEST_ERROR]


def _is_figure(value: object) -> bool:
    return isinstance(value, BaseFigure)
