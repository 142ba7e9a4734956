"""What goes wrong while a stream runs: each ends with exactly one result or error, and the next one works."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, Text, call_turn, http_error, reply_turn, text_turn
from tests.server.conftest import Forks
from tests.server.served import Event, Served, scripted, steps

SLOW = reply_turn(Text("A long answer. " * 40, pieces=40)).slow(0.1)


def ends(events: list[Event]) -> list[str]:
    return [event.name for event in events if event.name in {"result", "error"}]


def test_a_model_that_is_down_is_an_error_of_its_phase(snapshot: Path, tmp_path: Path, forked: Forks) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        closed = f"http://127.0.0.1:{door.getsockname()[1]}/v1"
    with forked(tmp_path, "--snapshot", str(snapshot), settings=scripted(closed)) as service:
        events = service.chat("How?")
        assert ends(events) == ["error"]
        assert events[-1].data["step"] == "run_chat"
        assert "127.0.0.1" in events[-1].data["detail"]
        assert service.get("config").status_code == httpx.codes.OK


@pytest.mark.parametrize("turn", [http_error(500, "broken"), http_error(401, "no key"), text_turn("x").cut_after(2)])
def test_a_model_that_fails_is_an_error_and_the_next_question_works(
    service: Served, model: ScriptedServer, turn: Any
) -> None:
    model.add(*[turn] * 6)
    events = service.chat("How?")
    assert ends(events) == ["error"]
    assert events[-1].name == "error"
    model.forget()
    model.add(text_turn("Fine."))
    assert ends(service.chat("And now?")) == ["result"]


def test_a_database_that_is_down_is_an_error_and_is_tried_again(tmp_path: Path, forked: Forks) -> None:
    """The driver looks for its server for some seconds before it gives up."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    uri = f"mongodb://127.0.0.1:{port}/qdash?serverSelectionTimeoutMS=300"
    with forked(tmp_path, "--mongo", uri) as service:
        for _ in range(2):
            events = service.chat("How?")
            assert ends(events) == ["error"]
            assert events[-1].data["step"] == "load_config"
            assert str(port) in events[-1].data["detail"]
        answer = service.get("config")
        assert answer.status_code == httpx.codes.SERVICE_UNAVAILABLE
        assert str(port) in answer.json()["detail"]


def test_heartbeats_come_while_nothing_happens(service: Served, model: ScriptedServer) -> None:
    """A second of silence is what is looked at."""
    model.add(text_turn("Fine.").stalled(1.4, after=1))
    with (
        service.client() as client,
        client.stream("POST", f"{service.endpoint}/chat/stream", json={"message": "How?"}) as answer,
    ):
        text = "".join(answer.iter_text())
    assert text.count(":\n\n") >= 3
    assert text.index(":\n\n") < text.index("event: result")
    assert text.endswith("}\n\n")


def test_a_stream_is_cancelled_by_its_id(service: Served, model: ScriptedServer) -> None:
    model.add(SLOW)
    with service.client() as client, service.stream(client, "chat/stream", {"message": "How?"}) as events:
        first = next(events)
        request_id = first.data["request_id"]
        until(lambda: model.requests)
        answer = service.send("POST", "cancel", {"request_id": request_id})
        assert answer.json() == {"cancelled": request_id}
        rest = list(events)
    assert ends(rest) == ["result"]
    assert "Stopped" in json.dumps(rest[-1].data)
    assert model.requests[0].hung_up.wait(PATIENCE_S)
    assert service.send("POST", "cancel", {"request_id": request_id}).status_code == httpx.codes.NOT_FOUND


def test_a_client_that_goes_away_cancels_its_turn(service: Served, model: ScriptedServer) -> None:
    model.add(SLOW)
    with service.client() as client, service.stream(client, "chat/stream", {"message": "How?"}) as events:
        next(events)
        until(lambda: model.requests)
    assert model.requests[0].hung_up.wait(PATIENCE_S)
    model.forget()
    model.add(text_turn("Fine."))
    assert ends(service.chat("And now?")) == ["result"]


@pytest.mark.long
def test_a_slow_reader_blocks_no_one(service: Served, model: ScriptedServer) -> None:
    """One client takes nothing of a large answer; another one is answered meanwhile."""
    port = int(service.endpoint.split(":")[2].split("/")[0])
    many = "x" * 4_000_000
    model.add(text_turn(many), text_turn("Fine."))
    body = json.dumps({"message": "A lot, please."})
    head = (
        f"POST /qdash/copilot/chat/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Authorization: {service.headers['Authorization']}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(head.encode())
        until(lambda: model.requests)
        started = time.monotonic()
        assert ends(service.chat("How?")) == ["result"]
        assert time.monotonic() - started < PATIENCE_S
        received = b""
        while b"event: result" not in received:
            piece = connection.recv(65536)
            assert piece, "the connection was closed"
            received += piece


@pytest.mark.long
def test_ten_streams_at_once_lose_nothing(service: Served, model: ScriptedServer) -> None:
    """Ten answers of ten words each are written side by side."""
    answers = [" ".join(f"{number}-{word}" for word in range(10)) for number in range(10)]
    model.add(*[reply_turn(Text(answer, pieces=10)).slow(0.05) for answer in answers])
    found: dict[int, list[Event]] = {}

    def ask(number: int) -> None:
        events = []
        with (
            service.client() as client,
            client.stream(
                "POST", f"{service.endpoint}/chat/stream", json={"message": "How?", "stream_deltas": True}
            ) as answer,
        ):
            buffer = "".join(answer.iter_text())
        for block in buffer.split("\n\n"):
            if block.startswith("event: "):
                name, data = block.split("\n", 1)
                events.append(Event(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        found[number] = events

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S * 2)
    assert len(found) == 10
    texts = set()
    for events in found.values():
        assert steps([event for event in events if event.name != "delta"]) == [
            "load_config",
            "run_chat",
            "thinking",
            "complete",
            "result",
        ]
        said = events[-1].data["blocks"][0]["content"]
        assert "".join(event.data["text"] for event in events if event.name == "delta") == said
        texts.add(said)
    assert texts == set(answers)


def test_a_tool_that_fails_does_not_end_the_stream(service: Served, model: ScriptedServer) -> None:
    model.add(call_turn(("get_qubit_params", {"qid": "999"}), ("no_such_tool", {})), text_turn("There is none."))
    events = service.chat("How is 999?")
    assert ends(events) == ["result"]


def test_too_many_streams_are_refused(tmp_path: Path, snapshot: Path, forked: Forks) -> None:
    """The service takes one at a time here: another one is told to come again, and the first goes on."""
    with ScriptedServer([SLOW, text_turn("Fine.")]) as model:
        settings = scripted(model.base_url) | {"service": {"max_streams": 1}}
        with forked(tmp_path, "--snapshot", str(snapshot), settings=settings) as service:
            with service.client() as client, service.stream(client, "chat/stream", {"message": "How?"}) as events:
                next(events)
                until(lambda: model.requests)
                refused = service.send("POST", "chat/stream", {"message": "And?"})
                assert refused.status_code == httpx.codes.SERVICE_UNAVAILABLE
                assert "Ask again" in refused.json()["detail"]
                assert next(events).name == "status"
            until(lambda: "event: result" in service.send("POST", "chat/stream", {"message": "And now?"}).text)


@pytest.mark.long  # the worker's own tests kill it, too; another one takes two seconds of the processor to start
def test_a_worker_that_is_killed_fails_its_code_and_the_next_one_runs(service: Served, model: ScriptedServer) -> None:
    """The code sleeps while its worker is killed from outside; the second question starts another worker."""
    slow, quick = "import time\ntime.sleep(60)", "6 * 7"
    model.add(call_turn(("execute_python_analysis", {"code": quick})), text_turn("42."))
    assert ends(service.chat("Compute.")) == ["result"]
    model.add(call_turn(("execute_python_analysis", {"code": slow})), text_turn("It was lost."))
    (worker,) = psutil.Process(service.process.pid).children()
    found: list[list[Event]] = []
    asking = threading.Thread(target=lambda: found.append(service.chat("Compute again.")))
    asking.start()
    until(worker.children)
    worker.kill()
    asking.join(PATIENCE_S)
    assert ends(found[0]) == ["result"]
    told = model.requests[-1].body["input"][-1]["output"]
    assert "worker ended" in told
    model.add(call_turn(("execute_python_analysis", {"code": quick})), text_turn("42."))
    assert ends(service.chat("And again.")) == ["result"]
    assert "42" in model.requests[-1].body["input"][-1]["output"]


def grandchildren(process: psutil.Process) -> set[int]:
    """The jobs: children of the worker, which is a child of the service."""
    direct = {each.pid for each in process.children()}
    return {each.pid for each in process.children(recursive=True)} - direct


@pytest.mark.long
def test_a_client_that_goes_away_ends_its_code(service: Served, model: ScriptedServer) -> None:
    model.add(call_turn(("execute_python_analysis", {"code": "import time\ntime.sleep(60)"})))
    process = psutil.Process(service.process.pid)
    with service.client() as client, service.stream(client, "chat/stream", {"message": "How?"}) as events:
        assert next(event for event in events if event.step == "tool_call")
        until(lambda: grandchildren(process))
    until(lambda: not grandchildren(process))


def test_code_that_ran_is_shown_and_its_charts(service: Served, model: ScriptedServer) -> None:
    code = "import plotly.express as px\nprint(len(data['t1']['timeseries']))\npx.bar(x=['a'], y=[1.0])"
    model.add(
        call_turn(("get_chip_parameter_timeseries", {"parameter_name": "t1"})),
        call_turn(("execute_python_analysis", {"code": code, "purpose": "Count."})),
        text_turn("Counted."),
    )
    result = service.chat("Count.")[-1].data
    first, chart, shown = result["blocks"]
    assert first["content"] == "Counted."
    assert chart["chart"]["data"][0]["y"] == [1.0]
    assert shown["content"] == f"**Count.**\n\n```python\n{code}\n```"
    told = json.loads(model.requests[-1].body["input"][-1]["output"])
    assert told["status"] == "ok"
    assert int(told["text"]) > 0


def test_code_fetches_by_the_tools_that_read(service: Served, model: ScriptedServer) -> None:
    """One that acts is none of them, and there is no other way to the database."""
    code = (
        "echo = copilot.tools.get_chip_parameter_timeseries(parameter_name='t2_echo')\n"
        "print(len(echo.frame), sorted(data))\n"
        "try:\n    copilot.tools.execute_python_analysis(code='1')\nexcept AttributeError as error:\n    print(error)"
    )
    model.add(call_turn(("execute_python_analysis", {"code": code})), text_turn("Fetched."))
    assert service.chat("Fetch.")[-1].data["blocks"][0]["content"] == "Fetched."
    told = json.loads(model.requests[-1].body["input"][-1]["output"])
    first, second = told["text"].splitlines()
    assert int(first.partition(" ")[0]) > 0
    assert first.endswith("['t2_echo']")
    assert second.startswith("There is no tool 'execute_python_analysis' to call from Python.")
