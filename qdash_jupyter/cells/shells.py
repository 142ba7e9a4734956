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

    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    prompts = {name: vars(sys).get(name) for name in ("ps1", "ps2", "ps3")}
    made = partial(InteractiveShell, config=settings, user_module=ModuleType(_MODULE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a home that cannot be written: IPython takes a temporary folder
            shell = made()
    except OSError:  # one that only looks as if it could be, or whose disk is full
        shell = made(ipython_dir=tempfile.mkdtemp())
    atexit.unregister(shell.atexit_operations)  # it would collect garbage for half a second, and there is no history
    for name, prompt in prompts.items():  # by the shell's own, libraries would take this process for interactive
        if prompt is None:
            delattr(sys, name)
        else:
            setattr(sys, name, prompt)
    shown_by(shell)
    return shell


@contextlib.contextmanager
def current(shell: InteractiveShell) -> Iterator[None]:
    """Make it the shell that `display` and others find, while it runs code."""
    kinds = list(type(shell)._walk_mro())  # noqa: SLF001 - traitlets has no way to give an instance back
    before = [kind._instance for kind in kinds]  # noqa: SLF001
    for kind in kinds:
        kind._instance = shell  # noqa: SLF001
    try:
        yield
    finally:
        for kind, instance in zip(kinds, before, strict=True):
            kind._instance = instance  # noqa: SLF001
