"""The tools that read, as a server of the Model Context Protocol: for other assistants in the lab."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from socket import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import plain, to_json
from qdash_jupyter.errors import NotFound, PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.tool_sets.mcp.sdk import app_of, refusal, served
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.spec import ToolSpec

if TYPE_CHECKING:  # without the extra `mcp` it is missing, which `tool_sets.mcp.sdk` tells in a sentence
    from starlette.types import ASGIApp, Receive, Scope, Send

_USUAL_ROWS, _MOST_ROWS = 500, 10_000
_PAGES = "{?table,offset,limit,format}"
_INSTRUCTIONS = (
    "Calibration data of superconducting qubits, read only. Results are short; where one has a resource link, all its "
    "rows are there, in pages: qdash://data/KEY?offset=0&limit=500&format=csv (or json; table=NAME for another table)."
)


async def serve_stdio(parts: Parts) -> None:
    """Serve whoever started this process, until they close its standard input. Nothing else comes to its output."""
    from mcp.server.stdio import stdio_server

    server = _server(parts)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


async def serve_http(parts: Parts, listening: socket, token: str) -> None:
    """Serve those who have the token at `/mcp` of this socket, until the process is interrupted."""
    import uvicorn

    app = _only_with(token, app_of(_server(parts)))
    config = uvicorn.Config(app, log_level="warning", access_log=False, interface="asgi3", lifespan="on")
    await uvicorn.Server(config).serve(sockets=[listening])


def _only_with(token: str, app: ASGIApp) -> ASGIApp:
    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, f"Bearer {token}".encode()):
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"Send this server's token as a bearer token."})

    return asked


def _server(parts: Parts) -> Any:
    specs = {spec.name: spec for spec in BUILTIN_TOOLS if spec.effect == "read"}
    toolbox = parts.toolbox

    async def list_tools(_: JsonObject) -> JsonObject:
        return {"tools": [_tool(spec) for spec in specs.values()]}

    async def call_tool(asked: JsonObject) -> JsonObject:
        name = asked["name"]
        if name not in specs:
            raise refusal(str(NotFound(Message("kind-tool"), name, specs)))
        try:
            result = await toolbox.call(name, asked.get("arguments") or {})
        except PersonError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        content: list[JsonObject] = [{"type": "text", "text": result.content}]
        if result.frame_key is not None:
            content.append({"type": "resource_link"} | _described(store[result.frame_key]))
        return {"content": content, "isError": not result.ok}

    store = toolbox.context.store

    async def list_resources(_: JsonObject) -> JsonObject:
        return {"resources": [_described(each) for each in store.values()]}

    async def list_templates(_: JsonObject) -> JsonObject:
        pages = {
            "name": "data",
            "title": "Rows of a result, in pages",
            "uriTemplate": f"qdash://data/{{key}}{_PAGES}",
            "description": f"offset, limit (at most {_MOST_ROWS}), format (csv or json), table",
        }
        return {"resourceTemplates": [pages]}

    async def read_resource(asked: JsonObject) -> JsonObject:
        try:
            return {"contents": [_page(asked["uri"], store)]}
        except (NotFound, ValueError) as error:
            raise refusal(str(error)) from None

    answers = {
        "tools/list": list_tools,
        "tools/call": call_tool,
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read_resource,
    }
    return served("qdash-jupyter", _INSTRUCTIONS, answers)


def _tool(spec: ToolSpec) -> JsonObject:
    """With what each argument means, which our own model reads in its instructions."""
    parameters: JsonObject = spec.schema()["parameters"]
    meanings = spec.arguments()
    return {
        "name": spec.name,
        "title": str(spec.label),
        "description": spec.description,
        "inputSchema": parameters | {"properties": {name: meanings[name] for name in parameters["properties"]}},
        "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
    }


def _described(result: StoredResult) -> JsonObject:
    tables = ", ".join(f"{name} ({table.rows} rows)" for name, table in result.stored_tables.items())
    return {
        "uri": f"qdash://data/{quote(result.key, safe='')}",
        "name": result.key,
        "description": f"{tables}; in pages with {_PAGES[2:-1].replace(',', ', ')}",
        "mimeType": "text/csv",
    }


def _page(uri: str, store: Mapping[str, StoredResult]) -> JsonObject:
    """A page of a table.

    Raises:
        NotFound: there is no such result or table.
        ValueError: it is no address of a page.
    """
    parts = urlsplit(uri)
    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    key, form = unquote(parts.path.removeprefix("/")), asked.get("format", "csv")
    if (parts.scheme, parts.netloc) != ("qdash", "data") or form not in {"csv", "json"}:
        raise ValueError(f"{uri} is not a page: qdash://data/KEY?offset=0&limit={_USUAL_ROWS}&format=csv (or json).")
    if key not in store:
        raise NotFound(Message("kind-result"), key, list(store))
    result = store[key]
    name = asked.get("table", result.main)
    if name not in result.stored_tables:
        raise NotFound(Message("kind-table"), name, list(result.stored_tables), where=Message("in-result", key=key))
    offset, limit = max(0, int(asked.get("offset", 0))), int(asked.get("limit", _USUAL_ROWS))
    frame = result.stored_tables[name].frame
    page = frame.iloc[offset : offset + min(max(1, limit), _MOST_ROWS)]
    about: JsonObject = {"table": name, "offset": offset, "rows": len(page), "total": len(frame)}
    if form == "csv":
        return {"uri": uri, "mimeType": "text/csv", "text": page.to_csv(index=False), "_meta": about}
    text = to_json(about | {"units": dict(result.units), "data": plain(page.to_dict("records"))})
    return {"uri": uri, "mimeType": "application/json", "text": text, "_meta": about}
