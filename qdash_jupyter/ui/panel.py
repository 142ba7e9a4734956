"""The panel: an anywidget that shows the conversation and sends commands where there is no labextension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from comm import DummyComm

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

_STATIC = Path(__file__).parent / "static"

NOWHERE = Message("no-widgets-here")


class CopilotPanel(anywidget.AnyWidget):
    """One model a kernel, shown in the sidebar and, where somebody displays it, in the output of cells."""

    # Texts, not paths: anywidget would watch the files.
    _esm = (_STATIC / "panel.js").read_text(encoding="utf-8")
    _css = (_STATIC / "panel.css").read_text(encoding="utf-8")

    alone = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether it is of another copilot than that which JupyterLab's extension knows."""

    def __init__(self, transcript: Callable[[], str] = lambda: NOWHERE.of(reader()), *, alone: bool = False) -> None:
        """`transcript` gives the conversation as Markdown, for places that show no widgets."""
        super().__init__(alone=alone)
        self.transcript = transcript

    def _repr_mimebundle_(self, **options: Any) -> tuple[JsonObject, JsonObject] | None:
        shown = super()._repr_mimebundle_(**options)
        if shown is None:
            return None
        data, metadata = shown
        text = self.transcript()
        return {**data, "text/markdown": text, "text/plain": printable(text)}, metadata

    def __repr__(self) -> str:
        return object.__repr__(self) if is_open(self) else printable(NOWHERE.of(reader()))


def is_open(panel: CopilotPanel) -> bool:
    """Whether some page can show it: there is a kernel, and neither the panel nor, in marimo, its cell is closed."""
    comm = panel.comm
    return comm is not None and not isinstance(comm, DummyComm) and not getattr(comm, "_closed", False)
