"""Tool sets of type `mcp`: their servers are connected side by side, and each of their tools becomes one of ours."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.tool_sets import McpToolSetSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import BrokenAnswer, NotFound, PersonError, ToolError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.tool_sets.built import BuiltTools, hard_issue
from qdash_jupyter.tool_sets.declared import declared
from qdash_jupyter.tool_sets.mcp.arguments import ServerArguments, arguments_of
from qdash_jupyter.tool_sets.mcp.results import output_of_result
from qdash_jupyter.tools.spec import ToolContext, ToolOutput, ToolSpec

if TYPE_CHECKING:
    from qdash_jupyter.tool_sets.mcp.loop import SessionLoop
    from qdash_jupyter.tool_sets.mcp.server import McpServer
    from qdash_jupyter.tool_sets.mcp.sign_in import AskForKeys

_CONNECT_S = 20.0
"""At most; a tool set with a shorter limit for calls has that one for connecting, too."""
_MOST_NAME = 64
_MOST_DESCRIPTION = 4_000
_MOST_GUIDANCE = 200


def mcp_tools(
    sections: Sequence[McpToolSetSection], limit_s: float | None, ask: AskForKeys | None = None
) -> Sequence[BuiltTools]:
    """The tools of these servers, in the order of the sections. Blocks until each is connected or has failed to.

    Args:
        sections: as the settings have them.
        limit_s: the settings' time limit of a call, which holds for connecting, too.
        ask: asks the user for keys of servers that want one; None where nobody can be asked.
    """
    if not sections:
        return ()
    try:
        from qdash_jupyter.tool_sets.mcp.loop import SessionLoop
        from qdash_jupyter.tool_sets.mcp.server import McpServer
        from qdash_jupyter.tool_sets.mcp.sign_in import SignIn
    except PersonError as error:
        return [BuiltTools(issues=(hard_issue(each.name, error.text),)) for each in sections]

    loop, sign_in = SessionLoop(len(sections)), SignIn(ask)

    async def opened() -> tuple[list[McpServer], list[BaseException | None]]:
        default = limit_s or _CONNECT_S
        servers = [McpServer(each, min(each.timeout_seconds or default, _CONNECT_S), sign_in) for each in sections]
        return servers, await asyncio.gather(*(each.open() for each in servers), return_exceptions=True)

    servers, failures = loop.wait_for(opened())
    return [_McpToolSet(*of, loop).built() for of in zip(servers, failures, strict=True)]


logger = logging.getLogger("qdash_jupyter")


class _McpToolSet:
    """The tools of one server, as they are when they are asked for."""

    def __init__(self, server: McpServer, failure: BaseException | None, loop: SessionLoop) -> None:
        self._server, self._failure, self._loop = server, failure, loop
        self._section = server.section
        self._is_open = True

    def built(self) -> BuiltTools:
        if self._failure is not None:
            return BuiltTools(issues=(hard_issue(self._section.name, _words(self._failure)),), close=self.close)
        issues = list(self._missing())
        specs: dict[str, ToolSpec] = {}
        for tool in self._server.tools:
            if self._section.allow is None or tool["name"] in self._section.allow:
                try:
                    spec = self._spec(tool)
                except BrokenAnswer as error:
                    message = Message("mcp-schema", name=masked(tool["name"]), why=error.message)
                    issues.append(self._issue(message))
                    continue
                if specs.setdefault(spec.name, spec) is not spec:
                    message = Message("mcp-same-name", name=spec.name)
                    issues.append(self._issue(message))
        return BuiltTools(tuple(specs.values()), tuple(issues), self.close, self.refresh)

    def refresh(self) -> BuiltTools | None:
        if not self._server.is_stale or not self._is_open:
            return None
        before = self._server.tools
        try:
            self._loop.wait_for(self._server.list_tools())
        except ToolError:  # whoever calls one of its tools is told
            return None
        return self.built() if self._server.tools != before else None

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.wait_for(self._server.close())
            self._loop.let_go()

    def _issue(self, message: Text) -> InitializationIssue:
        return InitializationIssue("tools", self._section.name, message)

    def _missing(self) -> Iterator[InitializationIssue]:
        known = [tool["name"] for tool in self._server.tools]
        for name in self._section.allow or ():
            if name not in known:
                error = NotFound(Message("kind-tool"), name, known, where=Message("on-server"))
                yield self._issue(error.text)

    def _spec(self, tool: JsonObject) -> ToolSpec:
        """One of its tools as one of ours.

        Raises:
            BrokenAnswer: it cannot be called with named arguments.
        """
        hints, own = tool.get("annotations", {}), tool["name"]
        name = _name(self._section.name, own)
        title = tool.get("title") or hints.get("title") or own.replace("_", " ")
        description = " ".join((tool.get("description") or title).split())[:_MOST_DESCRIPTION]
        reads = hints.get("readOnlyHint") is True
        spec = ToolSpec(
            name=name,
            label=f"{self._section.name}: {title}",
            description=description,
            guidance=f"{name}: {description.split('. ')[0].rstrip('.')[:_MOST_GUIDANCE]}.",
            args=arguments_of(tool["inputSchema"]),
            run=partial(self._run, own, name, reads),
            effect="read" if reads else "act",
            acts_on="" if reads else f"{self._section.name}: {own}",
        )
        return declared(spec, self._section)

    def _run(self, tool: str, name: str, reads: bool, args: ServerArguments, _: ToolContext) -> ToolOutput:
        return output_of_result(self._loop.wait_for(self._server.call(tool, args.given(), reads=reads)), name)


def _name(server: str, tool: str) -> str:
    """What models and Python can call."""
    name = re.sub(r"\W+", "_", f"{server}_{tool}", flags=re.ASCII)
    return (name if name[:1].isalpha() else f"mcp_{name}")[:_MOST_NAME]


def _words(failure: BaseException) -> Text:
    if isinstance(failure, ToolError):
        return failure.text
    logger.error("An MCP server could not be connected", exc_info=failure)
    return Message("mcp-not-connected", why=type(failure).__name__)
