"""A lab's MCP server, written with the SDK: started as a program (standard input and output), or served by HTTP."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server import Server
from mcp.server.lowlevel import NotificationOptions
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

READS = types.ToolAnnotations(read_only_hint=True)
STAGE = {
    "type": "object",
    "properties": {"stage": {"type": "string", "enum": ["mxc", "still"], "minLength": 2, "description": "Which."}},
    "required": ["stage"],
    "additionalProperties": False,
}
ANY: dict[str, Any] = {"type": "object", "properties": {}}


def tool(name: str, schema: dict[str, Any] | None = None, *, reads: bool = True, **more: Any) -> types.Tool:
    annotations = READS if reads else None
    return types.Tool(
        name=name, description=f"It is {name}.", input_schema=schema or ANY, annotations=annotations, **more
    )


def said(text: str, **more: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], **more)


class Lab:
    """The server and what is done to it; `log` is a file with one line for each thing that was done."""

    def __init__(self, log: Path, *, wrong_schema: bool = False, legacy: bool = False) -> None:
        self.log = log
        self.legacy = legacy
        self.bus = InMemorySubscriptionBus()
        self.tools = [
            tool("read_temperature", STAGE, title="Temperature"),
            tool("fridge_log", {"type": "object", "properties": {"hours": {"type": "integer", "default": 3}}}),
            tool("echo"),
            tool("slow"),
            tool("fail"),
            tool("picture"),
            tool("environment"),
            tool("grow"),
            tool("die"),
            tool("die_once"),
            tool("set_bias", {"type": "object", "properties": {"volts": {"type": "number"}}}, reads=False),
            tool("set_and_die", reads=False),
            tool("promises", output_schema={"type": "object", "required": ["volts"]}),
        ]
        if wrong_schema:
            self.tools += [
                tool("wrong_type", {"type": "object", "properties": {"n": {"type": "strng"}}}),
            ]
        self.server: Server[Any] = Server(
            "lab",
            on_list_tools=self.listed,
            on_call_tool=self.called,
            on_subscriptions_listen=None if legacy else ListenHandler(self.bus),
        )

    def note(self, line: str) -> None:
        with self.log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    async def listed(self, _: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self.tools)

    async def called(  # noqa: C901, PLR0911, PLR0912 - one branch for each tool
        self, ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        given = params.arguments or {}
        self.note(f"{params.name} {json.dumps(given)}")
        match params.name:
            case "read_temperature":
                return said("10.5 mK", structured_content={"stage": given["stage"], "mK": 10.5})
            case "fridge_log":
                rows = [{"hour": hour, "mK": 10 + hour / 10, "note": "x" * 50} for hour in range(given.get("hours", 3))]
                return said(json.dumps(rows), structured_content={"result": rows, "stage": "mxc"})
            case "echo":
                return said(json.dumps(given))
            case "slow":
                try:
                    await anyio.sleep(60)
                except anyio.get_cancelled_exc_class():
                    self.note("cancelled")
                    raise
            case "fail":
                return said(f"No fridge. Key: {os.environ.get('LAB_FRIDGE_TOKEN', given.get('key'))}", is_error=True)
            case "picture":
                image = types.ImageContent(
                    type="image", data=base64.b64encode(b"x" * 2000).decode(), mime_type="image/png"
                )
                link = types.ResourceLink(type="resource_link", name="log", uri="lab://log", mime_type="text/csv")
                return types.CallToolResult(content=[image, link])
            case "environment":
                return said("", structured_content=dict(os.environ))
            case "grow":
                self.tools = [each for each in self.tools if each.name != "echo"] + [tool("grown")]
                if self.legacy:
                    await ctx.session.send_tool_list_changed()
                else:
                    await self.bus.publish(ToolsListChanged())
            case "die":
                os._exit(1)
            case "die_once":
                if self.log.read_text(encoding="utf-8").count("die_once") == 1:
                    os._exit(1)
                return said("alive again")
            case "set_and_die":
                os._exit(1)
            case "promises":
                return said("no volts", structured_content={"amps": 1})
        return said("done")


async def main(lab: Lab) -> None:
    async with stdio_server() as (read_stream, write_stream):
        if lab.legacy:  # as servers speak that are older than 2026-07-28
            options = lab.server.create_initialization_options(NotificationOptions(tools_changed=True))
            await serve_loop(lab.server, read_stream, write_stream, lifespan_state={}, init_options=options)
        else:
            await lab.server.run(read_stream, write_stream, lab.server.create_initialization_options())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    for flag in ("--wrong-schema", "--legacy"):
        parser.add_argument(flag, action="store_true")
    parsed = parser.parse_args()
    sys.stderr.write("The lab's server has started.\n")
    asyncio.run(main(Lab(**vars(parsed))))
