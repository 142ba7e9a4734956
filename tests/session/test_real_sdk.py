"""From `Copilot.ask` over a socket to a server of the Responses API and back, with the real openai SDK."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.errors import ModelError, ModelRefused, ModelRejected
from qdash_jupyter.session.copilot import Copilot
from tests.scripted_server import ScriptedServer, Thought, call_turn, http_error, text_turn

KEY = "sk-proj-Abc123def456ghi789"
CODE = """
# Which qubits are below 60 microseconds at their last measurement?
import plotly.express as px

series = copilot.data["t1"]["timeseries"]
latest_t1 = series.sort_values("t").groupby("qid", as_index=False).last()
weak_t1 = latest_t1[latest_t1["v"] < 60]
fig = px.bar(weak_t1, x="qid", y="v", title="Weak qubits")
fig.show()
len(weak_t1)
"""
ANSWER = {
    "blocks": [
        {"type": "text", "content": "Some qubits are **weak**.", "chart": None},
        {"type": "chart", "content": None, "chart": {"data": [{"y": [1, 2]}], "layout": {"title": "Own"}}},
    ],
    "assessment": "warning",
}


@contextmanager
def configured(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch, base_url: str
) -> Iterator[Copilot]:
    """As a person configures it: by the environment alone."""
    monkeypatch.setenv("QDASH_COPILOT_MODEL", "lab-model")
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(snapshot))
    copilot = open_copilot(shell)
    try:
        yield copilot
    finally:
        copilot.close()


def test_a_question_from_end_to_end(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    thought = Thought("gAAAAencrypted==", ["First the series."])
    turns = [
        call_turn(("get_chip_parameter_timeseries", {"parameter_name": "t1"}), thought=thought),
        call_turn(("execute_python_analysis", {"code": CODE, "purpose": "Find weak qubits"})),
        text_turn(json.dumps(ANSWER), usage=(100, 20)),
    ]
    with (
        ScriptedServer(turns) as server,
        configured(shell, snapshot, monkeypatch, server.base_url) as copilot,
    ):
        status = copilot.status()
        answer = copilot.ask("Which qubits are weak?")
        requests = server.requests

    assert (status.model, status.endpoint) == ("lab-model", f"127.0.0.1:{server.port}")
    # the answer
    assert answer.blocks[0] == TextBlock("Some qubits are **weak**.")
    assert [chart.title for chart in answer.charts] == ["Own", "Weak qubits"]
    assert (answer.assessment, answer.stop_reason) == ("warning", StopReason.FINISHED)
    assert (answer.usage.requests, answer.usage.input_tokens, answer.usage.output_tokens) == (3, 122, 34)
    # the data, alive in the kernel
    frame = copilot.data["t1"]["timeseries"]
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 100
    assert isinstance(shell.user_ns["weak_t1"], pd.DataFrame)
    assert [run.status.value for run in copilot.turns[0].cells] == ["ok"]
    # what went over the wire
    assert len(requests) == 3
    assert all(request.body["model"] == "lab-model" for request in requests)
    assert all(request.body["store"] is False for request in requests)
    results = [item for item in requests[2].body["input"] if item["type"] == "function_call_output"]
    assert json.loads(results[0]["output"])["data_key"] == "t1"
    assert len(results[0]["output"]) <= 600 + 300, "what a trend means and what was cut is said besides"
    assert json.loads(results[1]["output"])["result"] == len(shell.user_ns["weak_t1"])
    assert requests[1].body["input"][1]["encrypted_content"] == "gAAAAencrypted=="
    assert requests[2].body["input"][: len(requests[1].body["input"])] == requests[1].body["input"]
    # no rows: no ids of measurements, and of the values only the few that the summary names
    bodies = [json.dumps(request.body) for request in requests]
    words = set(re.findall(r"\d+\.\d+", results[0]["output"] + results[1]["output"]))
    assert len(words & {f"{value:.4g}" for value in frame["v"].dropna()}) < len(frame) / 5
    assert len(words) < 30
    ids = [str(value) for column in ("task_id", "execution_id") if column in frame for value in frame[column].unique()]
    assert not any(one and one in body for one in ids for body in bodies)
    assert len(bodies[0]) < 15_000  # 18 tools: docs/decisions/0013
    assert len(bodies[2]) - len(bodies[0]) < 4_000
    # the key
    assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in requests)
    assert not any(KEY in body for body in bodies)
    for request in requests:
        assert not any(KEY in value for name, value in request.headers.items() if name != "authorization")
    seen = capsys.readouterr()
    assert KEY not in seen.out + seen.err + repr(copilot) + repr(copilot.turns[0].events)


def failure(copilot: Copilot, kind: type[ModelError]) -> ModelError:
    with pytest.raises(kind) as caught:
        copilot.ask("Which qubits are weak?")
    assert caught.value.hint
    assert KEY not in "".join(traceback.format_exception(caught.value))
    return caught.value


def test_a_wrong_key_and_then_the_right_one(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = http_error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key")
    with (
        ScriptedServer([refusal, text_turn("Welcome.")]) as server,
        configured(shell, snapshot, monkeypatch, server.base_url) as copilot,
    ):
        assert "OPENAI_API_KEY" in str(failure(copilot, ModelRefused).hint)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-the-right-one")

        assert copilot.ask("And now?").text == "Welcome."
        assert server.requests[1].headers["authorization"] == "Bearer sk-proj-the-right-one"


def test_what_the_environment_holds_for_openai_goes_to_nobody_else(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-lab")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-the-lab")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: cryo-secret\nauthorization: Bearer other-secret")
    with (
        ScriptedServer([text_turn("ok")]) as server,
        configured(shell, snapshot, monkeypatch, server.base_url) as copilot,
    ):
        copilot.ask("Which qubits are weak?")
        sent = server.requests[0].headers

    assert sent["authorization"] == f"Bearer {KEY}"
    assert not {"openai-organization", "openai-project", "x-team"} & sent.keys()
    assert not any("of-the-lab" in value or "secret" in value for value in sent.values())


def test_openai_itself_gets_what_the_environment_holds_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    from qdash_jupyter.llm.openai_server.connection import new_client
    from qdash_jupyter.llm.openai_server.endpoint import endpoint_of

    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-lab")

    async def headers(base_url: str | None) -> Any:
        client = new_client(endpoint_of(base_url), {}, 5, "responses")
        try:
            return dict(client.default_headers)
        finally:
            await client.close()

    assert asyncio.run(headers(None))["OpenAI-Organization"] == "org-of-the-lab"
    assert asyncio.run(headers("https://eu.api.openai.com/v1"))["OpenAI-Organization"] == "org-of-the-lab"
    assert asyncio.run(headers("https://openai.com.example/v1"))["OpenAI-Organization"] != "org-of-the-lab"


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("[::1]", True),
        ("10.1.2.3", True),
        ("192.168.1.7", True),
        ("ollama", True),
        ("box.local", True),
        ("api.openai.com", False),
        ("8.8.8.8", False),
        ("gateway.example", False),
        ("local.example.com", False),
    ],
)
def test_a_refused_store_is_left_out_only_in_the_labs_own_network(host: str, private: bool) -> None:
    from qdash_jupyter.llm.openai_server.endpoint import endpoint_of

    assert endpoint_of(f"http://{host}:8000/v1").is_private is private


def test_a_remote_server_that_refuses_store_gets_no_second_request(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qdash_jupyter.llm.openai_server.endpoint.Endpoint.is_private", property(lambda _: False))
    refusal = http_error(400, "Unknown parameter: 'store'.", param="store", code="unknown_parameter")
    with (
        ScriptedServer([refusal, text_turn("stored!")]) as server,
        configured(shell, snapshot, monkeypatch, server.base_url) as copilot,
    ):
        error = failure(copilot, ModelRejected)
        sent = len(server.requests)

    assert sent == 1
    assert "store" in str(error.message)
    assert "network" in str(error.hint)
