"""IPython's shell in a session: what code prints and shows is told as messages of a kernel, when it does."""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Callable, Mapping
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.figures import described_by
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.store.compact import plain, to_json
from qdash_jupyter.worker.limits import CHART_BYTES, MOST_CHARTS, PRINTED_BYTES, SHOWN_BYTES

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult

Tell: TypeAlias = Callable[[str, JsonObject], None]
"""Sends a message of this type (`stream`, `display_data`, `execute_result`, `error`, …) with this content."""

_MOST_FRAMES = 8
_INLINE = "module://matplotlib_inline.backend_inline"


class SessionShell(InteractiveShell):  # type: ignore[misc]  # IPython has no types
    """Runs one piece of code after the other. Made before the process is forked; `begin` says where it tells."""

    def __init__(self, **options: Any) -> None:
        """With the names of a new `__main__`, and without history, files and start-up code."""
        from traitlets.config import Config

        settings = Config()
        settings.HistoryManager.enabled = False
        settings.HistoryManager.hist_file = ":memory:"
        settings.InteractiveShell.cache_size = 0
        settings.InteractiveShell.display_page = True  # there is no pager
        super().__init__(
            config=settings,
            user_module=ModuleType("__main__"),
            display_pub_class=_Publisher,
            displayhook_class=_Hook,
            **options,
        )
        self.compile.format_code_name = self._name_of
        self.code, self._file = "", ""
        self._unshown: BaseException | None = None
        self.out = Out(lambda *_: None)
        if "matplotlib.pyplot" in sys.modules:
            import matplotlib as mpl
            from matplotlib_inline.backend_inline import configure_inline_support

            mpl.use(_INLINE)
            mpl.interactive(True)  # noqa: FBT003 - or figures are shown by `plt.show` alone
            configure_inline_support(self, _INLINE)  # type: ignore[no-untyped-call]
        described_by(self)

    def begin(self, tell: Tell) -> None:
        """Tell it here from now on."""
        self.out = Out(tell)

    def run(self, code: str) -> ExecutionResult:
        """Run it; its error is in the result and has been told, with the lines of the session's own code."""
        self._unshown = None
        self.out.begin()
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = Stream(self.out, "stdout"), Stream(self.out, "stderr")
        try:
            return self._run_and_tell(code)
        finally:
            sys.stdout, sys.stderr = before

    def _name_of(self, file: str) -> tuple[str, str] | None:
        """What a traceback calls it: the session does not know the numbers that cells have in a notebook."""
        if not self.is_code(file):
            return None
        return ("This", "cell") if file == self._file else ("An earlier", "cell")

    def _run_and_tell(self, code: str) -> ExecutionResult:
        self.code = code
        self._file = self.compile.get_code_name(code, self.transform_cell(code), self.execution_count)
        result = self.run_cell(code, store_history=False)
        if (error := result.error_before_exec or result.error_in_exec) is not None:
            self.out.tell("error", _error_output(self, error))
        elif self._unshown is not None:
            sys.stderr.write(f"A figure could not be drawn: {self._unshown}\n")
        _flush()
        return result

    def is_code(self, file: str) -> bool:
        """Whether this is the name of a piece of code that has run here."""
        return file in self.compile._filename_map  # noqa: SLF001 - the shell's own

    def showtraceback(self, *_: Any, **__: Any) -> None:
        """Keep the error: `run` tells it."""
        self._unshown = sys.exc_info()[1]

    showsyntaxerror = showindentationerror = showtraceback

    def init_io(self) -> None:
        """Leave the streams of the process alone."""

    def init_ipython_dir(self, _: Any) -> None:
        """It has none."""

    def init_profile_dir(self, _: Any) -> None:
        """It has none."""

    def enable_gui(self, *_: Any) -> None:
        """There is no window."""

    def ask_exit(self) -> None:
        """`exit()` ends nothing: the session is closed from outside."""


class Out:
    """What a piece of code shows, up to the limits of one."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.begin()

    def begin(self) -> None:
        """Another piece."""
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

    def __init__(self, out: Out, name: str) -> None:
        self.name = name
        self._out, self._waits = out, ""

    def write(self, text: str, /) -> int:
        """Tell what is whole."""
        self._waits += text
        if "\n" in text or "\r" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Tell the rest."""
        text, self._waits = self._waits, ""
        if text:
            self._out.print(self.name, text.encode("utf-8", "replace").decode())

    def writable(self) -> bool:
        """It is."""
        return True


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    def publish(
        self, data: Any, metadata: Any = None, *, transient: Any = None, update: bool = False, **_: Any
    ) -> None:
        _flush()
        kind = "update_display_data" if update else "display_data"
        self.shell.out.show(kind, data, metadata, transient=plain(transient or {}))

    def clear_output(self, wait: bool = False) -> None:
        _flush()
        self.shell.out.tell("clear_output", {"wait": bool(wait)})


class _Hook(DisplayHook):  # type: ignore[misc]
    def quiet(self) -> bool:
        """Whether a semicolon keeps it from being shown. IPython looks for that in its history."""
        return bool(self.semicolon_at_end_of_expression(self.shell.code))

    def write_output_prompt(self) -> None:
        """The notebook's."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        _flush()
        self.shell.out.show("execute_result", format_dict, md_dict, execution_count=None)

    def finish_displayhook(self) -> None:
        """Nothing stands behind it."""


def _flush() -> None:
    """What was printed before stands before it."""
    sys.stdout.flush()
    sys.stderr.flush()


def _bundle(data: Mapping[str, Any]) -> JsonObject:
    """As messages have it: bytes in base64, JSON in plain values."""
    return {
        mime: base64.b64encode(value).decode() if isinstance(value, bytes) else plain(value)
        for mime, value in data.items()
    }


def _error_output(shell: SessionShell, error: BaseException) -> JsonObject:
    """As a notebook shows it, with the frames of the session's own code alone: those of libraries are no help."""
    kind = type(error)
    _cut(shell, error)
    try:
        if isinstance(error, SyntaxError):
            lines = shell.SyntaxTB.structured_traceback(kind, error, [])
        else:
            lines = shell.InteractiveTB.structured_traceback(kind, error, error.__traceback__)
        words = str(error)
    except Exception:  # noqa: BLE001 - a class of the code's may raise anything
        lines, words = [kind.__name__], ""
    return {"ename": kind.__name__, "evalue": words, "traceback": [str(line) for line in lines]}


def _cut(shell: SessionShell, error: BaseException | None) -> None:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        error.__traceback__ = _own_frames(shell, error.__traceback__)
        error = error.__cause__ or error.__context__


def _own_frames(shell: SessionShell, traceback: TracebackType | None) -> TracebackType | None:
    steps = []
    while traceback is not None:
        if shell.is_code(traceback.tb_frame.f_code.co_filename):
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
