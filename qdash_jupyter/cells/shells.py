"""The IPython shell in which cells run: the one that runs this code, or, in plain Python, one of our own."""

from __future__ import annotations

import atexit
import contextlib
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

from qdash_jupyter.cells.rounded import shown_by

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_MODULE = "qdash_copilot_cells"


def shell_in_use() -> InteractiveShell:
    """The shell of this kernel or terminal; in plain Python a new one, with names of its own and without terminal,
    history or start-up files.
    """
    from IPython.core.getipython import get_ipython

    return get_ipython() or _new_shell()


def is_made_here(shell: InteractiveShell) -> bool:
    """Whether it is one of our own, whose names are no user's."""
    return bool(shell.user_module.__name__ == _MODULE)


def _new_shell() -> InteractiveShell:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from qdash_jupyter.cells.surroundings import held

    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    made = partial(InteractiveShell, config=settings, user_module=ModuleType(_MODULE))
    # By the shell's own prompts, libraries would take this process for interactive.
    with held(sys, "ps1", None), held(sys, "ps2", None), held(sys, "ps3", None):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a home that cannot be written: IPython takes a temporary folder
                shell = made()
        except OSError:  # one that only looks as if it could be, or whose disk is full
            shell = made(ipython_dir=tempfile.mkdtemp())
    atexit.unregister(shell.atexit_operations)  # it would collect garbage for half a second, and there is no history
    shown_by(shell)
    return shell


@contextlib.contextmanager
def current(shell: InteractiveShell) -> Iterator[None]:
    """Make it the shell that `display` and others find, while it runs code."""
    from qdash_jupyter.cells.surroundings import held

    with contextlib.ExitStack() as stack:
        for kind in type(shell)._walk_mro():  # noqa: SLF001 - traitlets has no way to give an instance back
            stack.enter_context(held(kind, "_instance", shell))
        yield
