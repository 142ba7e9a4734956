"""A button that puts code into the notebook where the JupyterLab extension is; elsewhere it shows it, to be copied."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

SCRIPT = (Path(__file__).parent / "static" / "code-button.js").read_text(encoding="utf-8")
"""Asks as the panel does: docs/protocol.md, `qdash:insert`."""


class CodeButton(anywidget.AnyWidget):
    """One click, one cell."""

    _esm = SCRIPT
    code = traitlets.Unicode("").tag(sync=True)
    """Empty: there is nothing to insert."""
    words = traitlets.List().tag(sync=True)
    """Of the button, its tooltip, and the name of what it shows."""

    def __init__(self) -> None:
        """Speaks the reader's language."""
        words = (Message("explore-code"), Message("explore-code-tip"), Message("explore-code-name"))
        super().__init__(words=[each.of(reader()) for each in words])
