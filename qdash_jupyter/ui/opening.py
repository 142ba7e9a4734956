"""`qdash_jupyter.open_copilot`: a copilot in Python, with its panel when somebody asks for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, cast

from qdash_jupyter import connect

if TYPE_CHECKING:
    from qdash_jupyter.kernel.shell_kernel import ShellKernel
    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.session.copilot import Copilot
    from qdash_jupyter.ui.app import CopilotApp
    from qdash_jupyter.ui.panel import CopilotPanel

P = ParamSpec("P")


class _PanelOf:
    """The panel of one copilot. What it needs is imported and made when it is asked for."""

    def __init__(self) -> None:
        self._app: CopilotApp | None = None

    def __call__(self, conversation: Conversation) -> CopilotPanel:
        """The panel that is shown. A new one where there is none, or where its cell has run again, as in marimo."""
        from qdash_jupyter.ui.panel import CopilotPanel, is_open

        app = self._app
        if app is not None and app.is_of(conversation) and app.panel is not None and is_open(app.panel):
            return app.panel
        # On this thread: by it marimo knows in whose page it is.
        panel = CopilotPanel(alone=True)
        if not is_open(panel):
            return panel
        if app is None or not app.is_of(conversation):
            from qdash_jupyter.ui.app import CopilotApp

            shell = cast("ShellKernel", conversation.kernel).shell  # as `qdash_jupyter.connect` makes it
            app = self._app = CopilotApp(shell, conversation)
        app.show_on(panel, _running_loop())
        return panel


def _with_panel(opening: Callable[P, Copilot]) -> Callable[P, Copilot]:
    @wraps(opening)
    def opened(*arguments: P.args, **options: P.kwargs) -> Copilot:
        _tell_marimo()
        copilot = opening(*arguments, **options)
        copilot._shown_by(_PanelOf())  # noqa: SLF001 - not for users
        return copilot

    return opened


open_copilot = _with_panel(connect.open_copilot)


def _tell_marimo() -> None:
    """Marimo learns how to draw the figures of Plotly where Plotly is imported first, and only if that is its own
    thread: not where the copilot works.
    """
    if "marimo" in sys.modules:
        import plotly.graph_objects  # noqa: F401


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
