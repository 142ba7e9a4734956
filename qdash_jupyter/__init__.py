"""A copilot for superconducting-qubit calibration data (QDash), beside your notebook.

In a notebook: `%load_ext qdash_jupyter`, then `%%copilot` and a question. On the command line: `qdash-jupyter ask "…"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qdash_jupyter.version import __version__

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.domain.answer import Answer
    from qdash_jupyter.errors import CopilotError, PersonError
    from qdash_jupyter.session.copilot import Copilot
    from qdash_jupyter.ui.opening import open_copilot

__all__ = ["Answer", "Copilot", "CopilotError", "PersonError", "__version__", "load_ipython_extension", "open_copilot"]

_HOMES = {
    "Answer": "qdash_jupyter.domain.answer",
    "Copilot": "qdash_jupyter.session.copilot",
    "CopilotError": "qdash_jupyter.errors",
    "PersonError": "qdash_jupyter.errors",
    "open_copilot": "qdash_jupyter.ui.opening",
}
"""Where the public names live; imported when first asked for, so that `import qdash_jupyter` costs nothing."""


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        msg = f"module 'qdash_jupyter' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext qdash_jupyter`: the magics `%copilot` and `%%copilot`, and the handles `copilot` and `data`."""
    from qdash_jupyter.ui.magics import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext qdash_jupyter`: stop a running question, take the magics and handles away."""
    from qdash_jupyter.ui.magics import unload

    unload(shell)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "qdash_jupyter.server.extension"}]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "qdash-jupyter"}]
