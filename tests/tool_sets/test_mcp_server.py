"""Our tools as an MCP server: what other assistants get is what our model gets.

The command starts in two to three seconds, as it imports the SDK and pandas and opens the demo chip: so it is started
twice, and all that is asked is asked of these.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

import httpx2
import pandas as pd
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui import serving as command
from qdash_jupyter.ui.cli import main
from tests.lab.environments import MCP_1
from tests.tool_sets.conftest import Connect, address

Result = TypeVar("Result")
READS = {spec.name: spec for spec in BUILTIN_TOOLS if spec.effect == "read"}
T1 = {"parameter_name": "t1", "last_n": 3}


@pytest.fixture(scope="module")
def ours(snapshot: Path) -> Iterator[Copilot]:
    with closing(open_copilot(settings={"database": {"snapshot": str(snapshot)}, "model": "offline"})) as copilot:
        yield copilot


@dataclass
class Served:
    url: str
    token: str


@pytest.fixture(scope="module", params=["mcp 2", pytest.param("mcp 1", marks=pytest.mark.long)])
def python(request: pytest.FixtureRequest) -> str:
    """Where our server runs, whose clients here are those of the newest version."""
    return str(MCP_1.python) if request.param == "mcp 1" else sys.executable


@pytest.fixture(scope="module")
def served(snapshot: Path, python: str) -> Iterator[Served]:
    """The command with `--http`, on any port."""
    words = [python, "-m", "qdash_jupyter.ui.cli", "mcp", "--http", "--port", "0", "--snapshot", str(snapshot)]
    process = subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment(), cwd=snapshot
    )
    assert process.stderr is not None
    assert process.stdout is not None
    said = process.stderr.readline() + process.stderr.readline()
    found = re.fullmatch(r"MCP server: (http://127\.0\.0\.1:\d+/mcp)\nBearer token: (\S{32})\n", said)
    if found is None:
        process.kill()
        pytest.fail(said + process.communicate()[1])
    yield Served(found[1], found[2])
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == ""
    process.stderr.close()
    process.stdout.close()
    process.wait()


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("QDASH_", "OPENAI_", "MONGO_"))}


@asynccontextmanager
async def by_http(served: Served) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {served.token}"}
    async with (
        httpx2.AsyncClient(headers=headers) as web,
        Client(streamable_http_client(served.url, http_client=web)) as client,
    ):
        yield client


def ask(served: Served, question: Callable[[Client], Coroutine[Any, Any, Result]]) -> Result:
    async def asked() -> Result | MCPError:
        async with by_http(served) as client:
            try:
                return await question(client)
            except MCPError as error:  # raised in there, it would come as a group
                return error

    answer = asyncio.run(asked())
    if isinstance(answer, MCPError):
        raise answer
    return answer


def read(served: Served, uri: str) -> Any:
    (page,) = ask(served, lambda client: client.read_resource(uri)).contents
    return page


def test_it_offers_the_tools_that_read_with_their_schemas(served: Served) -> None:
    tools = ask(served, lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == list(READS)
    assert len(tools) == 19
    assert "execute_python_analysis" not in READS
    for tool in tools:
        parameters = READS[tool.name].schema()["parameters"]
        assert tool.description == READS[tool.name].description
        assert list(tool.input_schema["properties"]) == list(parameters["properties"])
        assert tool.input_schema.get("required") == parameters.get("required")
        assert all("description" in line for line in tool.input_schema["properties"].values())
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True


def test_a_result_is_the_text_that_our_model_gets_and_a_link_to_its_rows(served: Served, ours: Copilot) -> None:
    result = ask(served, lambda client: client.call_tool("get_chip_parameter_timeseries", T1))
    text, link = result.content
    assert text.type == "text"
    assert text.text == ours.call_tool("get_chip_parameter_timeseries", T1).content
    assert link.type == "resource_link"
    assert link.uri == "qdash://data/t1"
    (listed,) = [each for each in ask(served, lambda client: client.list_resources()).resources if each.name == "t1"]
    assert "timeseries (" in (listed.description or "")


def test_rows_come_in_pages(served: Served, ours: Copilot) -> None:
    ask(served, lambda client: client.call_tool("get_chip_parameter_timeseries", T1))
    ours.call_tool("get_chip_parameter_timeseries", T1)
    frame = ours.data["t1"].frame
    pages = [read(served, f"qdash://data/t1?offset={offset}&limit=20") for offset in range(0, len(frame), 20)]
    assert [page.meta["rows"] for page in pages] == [20] * (len(frame) // 20) + [len(frame) % 20] * (
        len(frame) % 20 > 0
    )
    assert {page.meta["total"] for page in pages} == {len(frame)}
    together = pd.concat([pd.read_csv(io.StringIO(page.text), dtype={"qid": str}) for page in pages])
    assert together["v"].to_list() == pytest.approx(frame["v"].to_list(), nan_ok=True)
    page = json.loads(read(served, "qdash://data/t1?offset=1&limit=2&format=json").text)
    assert [row["v"] for row in page["data"]] == pytest.approx(frame["v"].to_list()[1:3], nan_ok=True)
    assert (page["offset"], page["rows"], page["units"]["v"]) == (1, 2, ours.data["t1"].units["v"])
    qubits = read(served, "qdash://data/t1?table=qubits&limit=1")
    assert qubits.text.startswith(",".join(ours.data["t1"]["qubits"].columns))
    assert read(served, "qdash://data/t1?offset=100000").text.count("\n") == 1


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("qdash://data/nothing", "There is no result 'nothing'."),
        ("qdash://data/t1?table=qubit", "Did you mean qubits?"),
        ("qdash://data/t1?format=xml", "is not a page"),
        ("qdash://other/t1", "is not a page"),
        ("qdash://data/t1?offset=x", "invalid literal"),
    ],
)
def test_what_is_no_page_says_so(served: Served, uri: str, said: str) -> None:
    ask(served, lambda client: client.call_tool("get_chip_parameter_timeseries", T1))
    with pytest.raises(MCPError, match=re.escape(said)):
        read(served, uri)


def test_errors_are_those_that_our_model_gets(served: Served) -> None:
    result = ask(served, lambda client: client.call_tool("get_qubit_params", {"qid": "999"}))
    assert result.is_error
    (text,) = result.content
    assert text.type == "text"
    assert json.loads(text.text)["kind"] == "not_found"
    borrowed = {"task_name": "CheckT1", "qid": "0", "status": "failed"}
    (text,) = ask(served, lambda client: client.call_tool("get_task_history", borrowed)).content
    assert text.type == "text"
    assert "'status'" in json.loads(text.text)["error"]
    assert "search_task_results" in json.loads(text.text)["error"]
    with pytest.raises(MCPError, match="There is no tool 'execute_python_analysis'"):
        ask(served, lambda client: client.call_tool("execute_python_analysis", {"code": "1"}))


@pytest.mark.parametrize("token", ["", "wrong", "Bearer"])
def test_without_the_token_nothing_is_served(served: Served, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx2.post(served.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.long
def test_a_third_partys_client_gets_the_same(served: Served, ours: Copilot) -> None:
    """Half a second: FastMCP's client, from PyPI, is imported."""
    from fastmcp import Client as OtherClient
    from fastmcp.client.auth import BearerAuth
    from fastmcp.client.transports import StreamableHttpTransport

    async def asked() -> None:
        transport = StreamableHttpTransport(served.url, auth=BearerAuth(served.token))
        async with OtherClient(transport) as client:
            assert [tool.name for tool in await client.list_tools()] == list(READS)
            result = await client.call_tool("get_chip_summary", {})
            assert result.content[0].text == ours.call_tool("get_chip_summary", {}).content
            await client.call_tool("get_chip_parameter_timeseries", T1)
            (page,) = await client.read_resource("qdash://data/t1?limit=2")
            assert page.text.count("\n") == 3

    asyncio.run(asked())


def test_our_own_copilot_can_use_it(served: Served, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDASH_MCP_OTHER_KEY", served.token)
    bench = connect(address(served.url, "other"))
    assert bench.issues == []
    told = bench.call("other_get_chip_parameter_timeseries", **T1)
    assert json.loads(told["text"])["data_key"] == "t1"
    assert told["attachments"][0]["uri"] == "qdash://data/t1"


def test_on_standard_input_and_output(snapshot: Path, ours: Copilot, python: str) -> None:
    """Three seconds: the command starts."""
    how = StdioServerParameters(
        command=python,
        args=["-m", "qdash_jupyter.ui.cli", "mcp", "--snapshot", str(snapshot)],
        cwd=snapshot,
    )

    async def asked(said: TextIO) -> str:
        async with Client(stdio_client(how, errlog=said)) as client:
            assert len((await client.list_tools()).tools) == 19
            (text, *_) = (await client.call_tool("get_chip_summary", {})).content
            assert text.type == "text"
            return text.text

    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        text = asyncio.run(asked(said))
        said.seek(0)
        written = said.read()
        assert written == "" or python != sys.executable  # version 1 says what it does not know of a newer client
    assert text == ours.call_tool("get_chip_summary", {}).content


def test_a_token_of_the_administrators_is_not_printed(monkeypatch: Any) -> None:
    monkeypatch.setenv(command.TOKEN_VARIABLE, "known-to-both-sides")
    assert command._told("known-to-both-sides", command.TOKEN_VARIABLE) == f"the one in {command.TOKEN_VARIABLE}"


def test_a_port_that_is_taken_or_none_is_said(served: Served, capsys: Any) -> None:
    port = int(served.url.split(":")[2].split("/")[0])
    assert main(["mcp", "--demo", "--port", str(port)]) == 1
    assert f"Can't use port {port}" in capsys.readouterr().err
    assert main(["mcp", "--demo", "--port", "70000"]) == 1
    assert "70000 isn't a port" in capsys.readouterr().err


def test_a_version_that_cannot_be_used_is_said(without_sdk: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--demo"]) == 1
    said = capsys.readouterr().err
    assert re.search(r"mcp \d\S+ can't be used here .*qdash-jupyter\[mcp\]", said, re.DOTALL), said
