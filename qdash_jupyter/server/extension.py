"""The extension of Jupyter Server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.server.handlers import add_handlers
from qdash_jupyter.server.service import CopilotService

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp


def _load_jupyter_server_extension(app: ServerApp) -> None:
    """Called by the server where the extension is enabled. The database is opened by the first request."""
    service = CopilotService()
    add_handlers(app.web_app, service)
    app.log.info("qdash_jupyter: the copilot is at %s", f"{app.base_url}qdash/copilot")
