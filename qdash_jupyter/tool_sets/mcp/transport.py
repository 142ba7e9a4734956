"""The way to a server: a process that is started here, or an address; each with the secrets that the settings name."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.mask import masked, note_address, note_named, note_secret, note_variable
from qdash_jupyter.config.tool_sets import AuthenticationSection, McpToolSetSection
from qdash_jupyter.domain.sizes import MEGABYTE
from qdash_jupyter.tool_sets.authentication import header_of, secret_of
from qdash_jupyter.tool_sets.mcp.sdk import IS_FIRST, Streams, http, stdio, streamable

_CONNECT_S = 15.0
_LARGEST: dict[str, Any] = {} if IS_FIRST else {"max_sse_event_size": 64 * MEGABYTE}
_LAST_WORDS = 300
UNAUTHORIZED = 401
_NOT_FOUND = 404
_IS_TOLD = {_NOT_FOUND, 405}
"""By these the SDK learns what a server cannot do."""


class Transport:
    """How one server is reached. `status` is that of the last answer by HTTP that was an error, 0 where none was;
    `forgot_session`: it does not know the session any more. `last_words` are the end of what a process that is gone has
    written to its standard error.
    """

    def __init__(self, section: McpToolSetSection) -> None:
        """Nothing is opened yet; what is secret is known to the mask from here on."""
        self._section = section
        self._authentication = section.authentication or AuthenticationSection(env=own_variable(section.name))
        self._from_keyring = ""
        self.status = 0
        self.forgot_session = False
        self.last_words = ""
        note_named(section.env)
        note_secret(*section.headers.values())
        note_variable(self.variable)
        note_address(section.url or "")

    @property
    def variable(self) -> str:
        """The name under which a typed key is kept."""
        return self._authentication.env or own_variable(self._section.name)

    @property
    def address(self) -> str:
        """For people."""
        return str(masked(self._section.url or self._section.command))

    def opened(self) -> Streams:
        """A new process, or a new session."""
        self.status, self.forgot_session, self.last_words = 0, False, ""
        return self._process() if self._section.command is not None else self._web()

    @asynccontextmanager
    async def _process(self) -> AsyncGenerator[Any]:
        section = self._section
        secret = {self.variable: key} if section.authentication and (key := key_in(self.variable)) else {}
        how = stdio.StdioServerParameters(
            command=section.command or "", args=list(section.args), env=section.env | secret, cwd=section.cwd
        )
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as written:
            try:
                async with stdio.stdio_client(how, errlog=written) as streams:
                    yield streams
            finally:
                written.seek(0)
                self.last_words = masked(written.read()).strip()[-_LAST_WORDS:]

    @asynccontextmanager
    async def _web(self) -> AsyncGenerator[Any]:
        url = self._section.url or ""
        if self._authentication.keyring and not key_in(self.variable):
            self._from_keyring = await asyncio.to_thread(secret_of, self._authentication)
            note_secret(self._from_keyring)
        client = http.AsyncClient(
            timeout=http.Timeout(_CONNECT_S, read=None),
            event_hooks={"request": [self._sign], "response": [self._look]},
        )
        async with (
            client,
            streamable.streamable_http_client(url, http_client=client, **_LARGEST) as streams,
        ):
            yield streams

    async def _sign(self, request: Any) -> None:
        """The secret is read now: it may have been typed since."""
        request.headers.update(self._section.headers)
        if secret := key_in(self.variable) or self._from_keyring:
            request.headers.update(header_of(self._authentication, secret))

    async def _look(self, response: Any) -> None:
        """The SDK does not tell what an error's number was."""
        if response.is_error and response.status_code not in _IS_TOLD:
            self.status = response.status_code
        if response.status_code == _NOT_FOUND and "mcp-session-id" in response.request.headers:
            self.forgot_session = True


def own_variable(name: str) -> str:
    """The variable of the key of a server whose settings name none: `QDASH_MCP_FRIDGE_KEY`."""
    return f"QDASH_MCP_{re.sub(r'[^A-Z0-9]+', '_', name.upper())}_KEY"
