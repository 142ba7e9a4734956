"""What code shows in a shell of IPython, told as messages of a kernel, when it does."""

from __future__ import annotations

import base64
import contextlib
import io
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from threading import get_ident
from traceback import walk_tb
from types import TracebackType
from typing import Any, TypeAlias

from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.outputs import CHART_BYTES, MOST_CHARTS
from qdash_jupyter.cells.told_names import is_a
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.compact import plain, to_json
from qdash_jupyter.domain.sizes import size_words

Tell: TypeAlias = Callable[[str, JsonObject], None]
"""Sends a message of this type (`stream`, `display_data`, `execute_result`, `error`, …) with this content."""

PRINTED_BYTES = 2_000_000
"""Of what code prints: a progress bar writes the same line again and again."""
SHOWN_BYTES = 10_000_000
"""Of tables, pictures and whatever else is displayed."""

_MOST_FRAMES = 8
_MOST_COLUMNS = 40


class Out:
    """What a piece of code shows, up to the limits of one."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.each_once = False
        """Whether a chart that has been shown is not shown again."""
        self.left_out: list[str] = []
        """What is said of what is too much."""
        self._printed, self._shown = 0, 0
        self._charts: list[str] = []

    def print(self, name: str, text: str) -> None:
        """What was written to a stream: all of it may be endless."""
        if (left := PRINTED_BYTES - self._printed) > 0:
            self._printed += len(text)
            self.tell("stream", {"name": name, "text": text[:left]})

    def show(self, kind: str, data: Mapping[str, Any], metadata: Any, **fields: Any) -> None:
        """A display or a result; what is too much is left out, and that is said."""
        content = {"data": _bundle(data), "metadata": plain(metadata or {}), **fields}
        chart = content["data"].get(PLOTLY_MIME)
        size = len(text := to_json(content["data"] if chart is None else chart))
        if chart is None:
            too_much = _too_much("An output", size, self._shown, SHOWN_BYTES)
            self._shown += 0 if too_much else size
        elif not chart.get("data") or (self.each_once and text in self._charts):
            return
        else:
            too_much = _too_much("A chart", size, sum(map(len, self._charts)), CHART_BYTES)
            if len(self._charts) == MOST_CHARTS:
                too_much = f"Beyond {MOST_CHARTS} charts, the others are left out."
            self._charts += [] if too_much else [text]
        if not too_much:
            self.tell(kind, content)
        elif too_much not in self.left_out:
            self.left_out.append(too_much)
            self.tell("stream", {"name": "stderr", "text": f"{too_much}\n"})


def _too_much(what: str, size: int, before: int, most: int) -> str:
    """What is said of it, empty where there is room."""
    fits = before + size <= most
    return "" if fits else f"{what} of {size_words(size)} is left out: all together may have {size_words(most)}."


class Stream(io.TextIOBase):
    """`sys.stdout` or `sys.stderr`: told line by line, or where it is flushed."""

    encoding = "utf-8"

    def __init__(self, out: Out, name: str, before: Any, others: Collection[int | None]) -> None:
        """What these `others` write, threads that do not run the code, goes to the stream that was there before."""
        self.name = name
        self._out, self._waits, self._before, self._others = out, "", before, others

    def write(self, text: str, /) -> int:
        """Tell what is whole."""
        if get_ident() in self._others:
            return int(self._before.write(text) or 0)
        self._waits += text
        if "\n" in text or "\r" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Tell the rest."""
        if get_ident() in self._others:
            self._before.flush()
            return
        text, self._waits = self._waits, ""
        if text:
            self._out.print(self.name, text.encode("utf-8", "replace").decode())

    def set_parent(self, parent: Any) -> None:
        """Ipykernel says so of a request on a subshell."""
        self._before.set_parent(parent)

    def writable(self) -> bool:
        """It is."""
        return True


@contextlib.contextmanager
def told(shell: InteractiveShell, out: Out, code: str) -> Iterator[Last]:
    """While this code runs, also nested in another cell: what it shows is told, and nowhere else to be seen."""
    streams, publisher = (sys.stdout, sys.stderr), shell.display_pub
    # A nested run keeps the hook that is active, an outermost one sets the trap's: both are replaced.
    hooks, trap = (sys.displayhook, shell.display_trap.hook), shell.display_trap
    outer = getattr(shell.displayhook, "exec_result", None)  # where the user's own cell keeps its result
    others = {thread.ident for thread in threading.enumerate()} - {get_ident()}
    last = Last(shell, out, code, hooks[0], others)
    sys.stdout, sys.stderr = (
        Stream(out, f"std{end}", to, others) for end, to in zip(("out", "err"), streams, strict=True)
    )
    shell.display_pub = _Publisher(out, publisher, others)
    sys.displayhook = trap.hook = last
    try:
        yield last
    finally:
        with contextlib.suppress(Exception):  # the code may have put anything in the place of a stream
            flush()
        sys.stdout, sys.stderr = streams
        shell.display_pub = publisher
        sys.displayhook, trap.hook = hooks
        shell.displayhook.exec_result = outer


class Last:
    """In the place of the shell's display hook, which would number the value: what the code's last expression gave."""

    def __init__(
        self, shell: InteractiveShell, out: Out, code: str, before: Callable[[Any], Any], others: Collection[int | None]
    ) -> None:
        self.value: Any = None
        self.is_picture = False
        """Whether the shell has drawn it."""
        self._shell, self._out, self._code, self._before, self._others = shell, out, code, before, others

    def __call__(self, value: object) -> None:
        """Called by Python with the value of an expression at the end; a semicolon keeps it from being shown."""
        if get_ident() in self._others:
            self._before(value)
            return
        if value is None or self._shell.displayhook.semicolon_at_end_of_expression(self._code):
            return
        self.value = value
        data, metadata = self._shell.display_formatter.format(value)
        if data:  # an object that displays itself (as figures do) has done so by now, and gives nothing here
            flush()
            self.is_picture = "image/png" in data
            self._out.show("execute_result", data, metadata, execution_count=None)


class _Publisher(DisplayPublisher):
    def __init__(self, out: Out, before: Any, others: Collection[int | None]) -> None:
        super().__init__()  # with a shell, it would register callbacks of its own
        self._out, self._before, self._others = out, before, others

    def set_parent(self, parent: Any) -> None:
        """Ipykernel says so of a request on a subshell."""
        self._before.set_parent(parent)

    def publish(
        self, data: Any, metadata: Any = None, *, transient: Any = None, update: bool = False, **_: Any
    ) -> None:
        if get_ident() in self._others:
            self._before.publish(data, metadata, transient=transient, update=update)
            return
        flush()
        kind = "update_display_data" if update else "display_data"
        self._out.show(kind, data, metadata, transient=plain(transient or {}))

    def clear_output(self, wait: bool = False) -> None:
        flush()
        self._out.tell("clear_output", {"wait": bool(wait)})


def flush() -> None:
    """What was printed before stands before it."""
    sys.stdout.flush()
    sys.stderr.flush()


def _bundle(data: Mapping[str, Any]) -> JsonObject:
    """As messages have it: bytes in base64, JSON in plain values."""
    return {
        mime: base64.b64encode(value).decode() if isinstance(value, bytes) else plain(value)
        for mime, value in data.items()
    }


def tell_error(shell: InteractiveShell, out: Out, error: BaseException) -> None:
    """Tell it as a notebook shows it, with the frames of the shell's own code alone: those of libraries are no help."""
    kind = type(error)
    flush()
    _note_columns(error)
    _cut(shell, error)
    try:
        if isinstance(error, SyntaxError):
            lines = shell.SyntaxTB.structured_traceback(kind, error, [])
        else:
            lines = shell.InteractiveTB.structured_traceback(kind, error, error.__traceback__)
        words = str(error)
    except Exception:  # noqa: BLE001 - a class of the code's may raise anything
        lines, words = [kind.__name__], ""
    out.tell("error", {"ename": kind.__name__, "evalue": words, "traceback": [str(line) for line in lines]})


def _note_columns(error: BaseException) -> None:
    """Say what the table has in which pandas looked for a name in vain: pandas says only what it has not."""
    if not isinstance(error, (LookupError, AttributeError, NameError)):
        return
    table: Any = None
    for frame, _ in walk_tb(error.__traceback__):
        this = frame.f_locals.get("self")
        if is_a(type(this), "pandas.api.typing", "DataFrameGroupBy"):
            this = vars(this).get("obj")
        table = this if is_a(type(this), "pandas", "DataFrame") else table
    if table is not None:
        names = [label for label in table.columns[:_MOST_COLUMNS] if type(label) is str]
        error.add_note(f"Columns: {', '.join(names)}")


def _cut(shell: InteractiveShell, error: BaseException | None) -> None:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        error.__traceback__ = _own_frames(shell, error.__traceback__)
        error = error.__cause__ or error.__context__


def _own_frames(shell: InteractiveShell, traceback: TracebackType | None) -> TracebackType | None:
    steps = []
    while traceback is not None:
        if is_code(shell, traceback.tb_frame.f_code.co_filename):
            steps.append(traceback)
        traceback = traceback.tb_next
    if len(steps) > _MOST_FRAMES:
        steps[_MOST_FRAMES // 2 : -_MOST_FRAMES // 2] = []
    whole: TracebackType | None = None
    for step in reversed(steps):
        whole = TracebackType(
            whole, step.tb_frame, step.tb_lasti, step.tb_lineno or step.tb_frame.f_code.co_firstlineno
        )
    return whole


def is_code(shell: InteractiveShell, file: str) -> bool:
    """Whether this is the name of a piece of code that has run in the shell."""
    return file in shell.compile._filename_map  # noqa: SLF001 - the shell's own
