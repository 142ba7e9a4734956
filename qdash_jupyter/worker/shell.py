"""IPython's shell in a session: what code prints and shows is told as messages of a kernel, when it does."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from IPython.core import interactiveshell
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.figures import described_by
from qdash_jupyter.cells.rounded import shown_by
from qdash_jupyter.cells.shell_output import Out, Tell, is_code, tell_error, told

_INLINE = "module://matplotlib_inline.backend_inline"


class SessionShell(InteractiveShell):  # IPython has no types
    """Runs one piece of code after the other. Made before the process is forked; `begin` says where it tells."""

    def __init__(self, **options: Any) -> None:
        """With the names of a new `__main__`, and without history, files and start-up code."""
        from traitlets.config import Config

        settings = Config()
        settings.HistoryManager.enabled = False
        settings.HistoryManager.hist_file = ":memory:"
        settings.InteractiveShell.cache_size = 0
        settings.InteractiveShell.display_page = True  # there is no pager
        interactiveshell.PickleShareDB = lambda _: {}  # pyrefly: ignore  # of a profile, which IPython 8 opens at once
        super().__init__(config=settings, user_module=ModuleType("__main__"), **options)
        self.compile.format_code_name = self._name_of
        self._file = ""
        self._unshown: Any = None  # an error of what is shown behind the code
        self.out = Out(lambda *_: None)
        if "matplotlib.pyplot" in sys.modules:
            import matplotlib as mpl
            from matplotlib_inline.backend_inline import configure_inline_support

            mpl.use(_INLINE)
            mpl.interactive(True)  # noqa: FBT003 - or figures are shown by `plt.show` alone
            configure_inline_support(self, _INLINE)
        described_by(self)
        shown_by(self)

    profile_dir = SimpleNamespace(location="")
    """It has none: nothing is read or written there."""

    def begin(self, tell: Tell) -> None:
        """Tell it here from now on."""
        self.out = Out(tell)

    def run(self, code: str) -> tuple[BaseException | None, Any]:
        """Run it. Gives its error, which has been told with the lines of the session's own code, and the value of its
        last expression.
        """
        self._unshown, self.out = None, Out(self.out.tell)
        self._file = self.compile.get_code_name(code, self.transform_cell(code), self.execution_count)
        with told(self, self.out, code) as last:
            result = self.run_cell(code, store_history=False)
            if (error := result.error_before_exec or result.error_in_exec) is not None:
                tell_error(self, self.out, error)
            elif self._unshown is not None:
                sys.stderr.write(f"A figure could not be drawn: {self._unshown}\n")
        return error, last.value

    def _name_of(self, file: str) -> tuple[str, str] | None:
        """What a traceback calls it: the session does not know the numbers that cells have in a notebook."""
        if not is_code(self, file):
            return None
        return ("This", "cell") if file == self._file else ("An earlier", "cell")

    def showtraceback(self, *_: Any, **__: Any) -> None:
        """Keep the error: `run` tells it."""
        self._unshown = sys.exc_info()[1]

    showsyntaxerror = showindentationerror = showtraceback

    def init_io(self) -> None:
        """Leave the streams of the process alone."""

    def init_ipython_dir(self, _: Any) -> None:
        """It has none."""

    def init_profile_dir(self, _: Any) -> None:
        """Make no folder."""

    def enable_gui(self, *_: Any) -> None:
        """There is no window."""

    def ask_exit(self) -> None:
        """`exit()` ends nothing: the session is closed from outside."""
