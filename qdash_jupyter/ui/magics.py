"""`%load_ext qdash_jupyter`: `%copilot`, `%%copilot`, and the handles in the user's namespace."""

from __future__ import annotations

import atexit
import contextlib
import re
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.rounded import shown_by, shown_no_more_by
from qdash_jupyter.domain.imports import wait_for_imports
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.log import keep_log

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.ui.line_commands import LineCommands

_loaded: dict[int, CopilotMagics] = {}


class CopilotMagics:
    """The magics of one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        """Make the conversation, which connects at its first question; or go on with the one that the user has opened
        in this shell as `copilot`.
        """
        from qdash_jupyter.ui.app import CopilotApp

        self.shell = shell
        opened = opened_in(shell)
        self.app = CopilotApp(shell) if opened is None else CopilotApp(shell, opened, listens=True)
        self.complete = _matcher(self)
        if not self.app.conversation.bind():
            from qdash_jupyter.ui.display import show

            show(Message("name-taken"))

    @cached_property
    def commands(self) -> LineCommands:
        """What the magics do."""
        from qdash_jupyter.ui.line_commands import LineCommands  # with the first command, not with `%load_ext`

        return LineCommands(self.app)

    def before_cell(self, *_: object) -> None:
        """Bind `data` once the name is free; a name the user has taken is never taken back. Of libraries that another
        thread is importing the cell would find a part.
        """
        wait_for_imports()
        self.app.rebind()
        self.app.namespace.bind_if_free("data", self.app.conversation.data)

    def after_cell(self, *_: object) -> None:
        """The cell may have changed what is stored, or bound a name by which it was reached."""
        self.app.data_changed()

    def close(self) -> None:
        """Stop a running question, give back connections, take the handles back."""
        self.app.close()
        if self.app.is_own:
            self.app.conversation.release()

    def exit(self) -> None:
        """The interpreter ends."""
        self.close()
        with contextlib.suppress(Exception):  # the user may have put anything in its place
            sys.stdout.flush()  # in a kernel it returns when all that was to be sent before it has left


def opened_in(shell: InteractiveShell) -> Conversation | None:
    """The conversation that is bound to `copilot` in this shell, by `open_copilot`."""
    from qdash_jupyter.kernel.shell_kernel import ShellKernel
    from qdash_jupyter.session.copilot import Copilot

    handle = shell.user_ns.get("copilot")
    if type(handle) is not Copilot:
        return None
    conversation = handle._conversation  # noqa: SLF001 - not for users
    kernel = conversation.kernel
    return conversation if isinstance(kernel, ShellKernel) and kernel.shell is shell else None


def load(shell: InteractiveShell) -> None:
    """Add the magics to a shell; a second load changes nothing."""
    if id(shell) in _loaded:
        return
    from IPython.core.magic import no_var_expand

    keep_log()
    magics = CopilotMagics(shell)
    _loaded[id(shell)] = magics

    @no_var_expand  # a question may hold {braces} and $signs
    def copilot(line: str, cell: str | None = None) -> None:
        magics.commands.line_or_cell(line, cell)

    shell.register_magic_function(copilot, magic_kind="line_cell", magic_name="copilot")
    shell.input_transformers_cleanup.extend(_TRANSFORMERS)
    shell.events.register("pre_run_cell", magics.before_cell)
    shell.events.register("post_run_cell", magics.after_cell)
    shell.Completer.custom_matchers.append(magics.complete)
    shown_by(shell)
    _close_before_zmq(magics)


def _matcher(magics: CopilotMagics) -> Any:
    """What Tab offers behind our magics, as IPython asks for it."""
    from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

    @context_matcher(identifier="qdash_jupyter")
    def matcher(context: CompletionContext) -> dict[str, Any]:
        line = context.text_until_cursor.lstrip()
        if not line.startswith(("%copilot ", "%%copilot ")):
            return {"completions": []}
        from qdash_jupyter.ui.completion import completed

        word = line.rpartition(" ")[2]
        found = [SimpleCompletion(text, type="magic") for text in completed(magics.app, line, word)]
        return {"completions": found, "suppress": True, "matched_fragment": word}

    return matcher


def unload(shell: InteractiveShell) -> None:
    """Take the magics away."""
    magics = _loaded.pop(id(shell), None)
    if magics is None:
        return
    magics.close()
    atexit.unregister(magics.exit)
    for transform in _TRANSFORMERS:
        shell.input_transformers_cleanup.remove(transform)
    shell.events.unregister("pre_run_cell", magics.before_cell)
    shell.events.unregister("post_run_cell", magics.after_cell)
    shell.Completer.custom_matchers.remove(magics.complete)
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("copilot", None)
    shown_no_more_by(shell)


def _close_before_zmq(magics: CopilotMagics) -> None:
    """As the interpreter ends, while the kernel can still send.

    With its first large message pyzmq imports a module whose exit handler ends all sending of large ones. Registered
    after ours it would come before it, and cut what the copilot still sends, such as its panel, in the middle.
    """
    if "zmq" in sys.modules:
        import zmq.utils.garbage  # noqa: F401
    atexit.register(magics.exit)


_ASKED = re.compile(r"^(\s*)%copilot[ \t]+(.*\?\s*)$")


def keep_question_marks(lines: list[str]) -> list[str]:
    """Make `%copilot ask …?` a call: IPython would take the question mark at the line's end for a request for help."""
    return [
        f"{found.group(1)}get_ipython().run_line_magic('copilot', {found.group(2).strip()!r})\n"
        if (found := _ASKED.match(line))
        else line
        for line in lines
    ]


def load_once(lines: list[str]) -> list[str]:
    """Make nothing of the first line of a cell of the copilot's that is run again: it loads what is loaded, and IPython
    would say so among the cell's results.
    """
    again = len(lines) > 1 and lines[0].strip() == "%load_ext qdash_jupyter"
    return ["\n", *lines[1:]] if again else lines


_TRANSFORMERS = (keep_question_marks, load_once)
