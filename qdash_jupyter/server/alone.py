"""The service as a server of its own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.manager import AsyncContentsManager

from qdash_jupyter.server.handlers import BASE, add_handlers
from qdash_jupyter.server.service import CopilotService


class NoContents(AsyncContentsManager):
    """Files are not served, which Jupyter's own managers do by an address of their own."""

    def get_extra_handlers(self) -> list[Any]:
        """None."""
        return []


class CopilotServer(ServerApp):
    """A Jupyter Server with nothing but the login and the copilot: no kernels, files or terminals, and no settings and
    extensions of other servers.
    """

    name = "qdash-jupyter-serve"
    default_services = ("auth",)  # pyrefly: ignore[bad-override]

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """That of other servers says on which address they listen, and with which password."""

    def init_signal(self) -> None:
        """End when told to, without a word: Jupyter Server logs it first, which fails amid another line of the log, and
        the server went on.
        """
        super().init_signal()
        signal.signal(signal.SIGTERM, lambda *_: self.stop(from_signal=True))


def serve(service: CopilotService, port: int, origin: str, announce: Callable[[str, str], None]) -> None:
    """Serve on this port of 127.0.0.1 (0 is any that is free) until the process is told to end.

    Args:
        service: is closed at the end.
        port: has to be free.
        origin: of another site whose pages may ask, with the token; empty is none.
        announce: called with the endpoint and the token as soon as requests are taken.
    """
    server = CopilotServer(
        ip="127.0.0.1",
        port=port,
        port_retries=0,
        allow_origin=origin,
        open_browser=False,
        answer_yes=True,
        allow_root=True,
        log_level="WARN",
        jpserver_extensions={},
        contents_manager_class=NoContents,
    )
    server.initialize(argv=[], find_extensions=False)
    add_handlers(server.web_app, service)
    token = server.identity_provider.token
    server.io_loop.add_callback(lambda: announce(f"http://127.0.0.1:{server.port}{server.base_url}{BASE}", token))
    try:
        server.start()
    finally:
        asyncio.run(service.close())
