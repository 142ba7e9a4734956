"""The panel: an anywidget that shows the conversation and sends commands where there is no labextension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.safe_text import printable

_STATIC = Path(__file__).parent / "static"


class CopilotPanel(anywidget.AnyWidget):
    """One model a kernel, shown in the sidebar and, where somebody displays it, in the output of cells."""

    # Texts, not paths: anywidget would watch the files.
    _esm = (_STATIC / "panel.js").read_text(encoding="utf-8")
    _css = (_STATIC / "panel.css").read_text(encoding="utf-8")

    def __init__(self, transcript: Callable[[], str]) -> None:
        """`transcript` gives the conversation as Markdown, for places that show no widgets."""
        super().__init__()
        self._transcript = transcript

    def _repr_mimebundle_(self, **options: Any) -> tuple[JsonObject, JsonObject] | None:
        shown = super()._repr_mimebundle_(**options)
        if shown is None:
            return None
        data, metadata = shown
        text = self._transcript()
        return {**data, "text/markdown": text, "text/plain": printable(text)}, metadata
