"""`qdash-jupyter serve` from its start to its end: its token, what its settings say about code, and what it leaves."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import NoReturn

import httpx
import psutil
import pytest

from qdash_jupyter.server.alone import CopilotServer
from tests.patience import PATIENCE_S
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.server.conftest import Forks
from tests.server.served import scripted


def test_from_its_new_token_to_its_end(snapshot: Path, model: ScriptedServer, tmp_path: Path, forked: Forks) -> None:
    """With a worker of its own, which takes two seconds of the processor."""
    records = "rows = data['t1']['timeseries']\nresult = {'output': f'{type(rows).__name__} {sorted(rows[0])}'}"
    model.add(
        call_turn(("get_chip_parameter_timeseries", {"parameter_name": "t1"})),
        call_turn(("execute_python_analysis", {"code": records})),
        call_turn(("execute_python_analysis", {"code": "while True: pass"})),
        call_turn(("execute_python_analysis", {"code": "bytearray(400_000_000)"})),
        text_turn("Done."),
    )
    limits = {"service": {"data_shape": "records"}, "worker": {"seconds": 2, "memory_mb": 200}}
    settings, env = scripted(model.base_url) | limits, {"JUPYTER_TOKEN": ""}
    with forked(tmp_path, "--snapshot", str(snapshot), settings=settings, env=env) as service:
        assert len(service.token) >= 40
        with service.client(headers={}) as client:
            assert client.get(f"{service.endpoint}/chat/sessions").status_code == httpx.codes.FORBIDDEN
        service.headers = {"Authorization": f"token {service.token}"}
        assert service.get("chat/sessions").status_code == httpx.codes.OK
        assert service.chat("Count.")[-1].name == "result"
        started = psutil.Process(service.process.pid).children(recursive=True)
        assert started
    assert service.process.returncode == 0
    _, alive = psutil.wait_procs(started, PATIENCE_S)
    assert not alive
    assert "Traceback" not in service.log.read_text(encoding="utf-8")
    shape, time, memory = (json.loads(model.requests[asked].body["input"][-1]["output"]) for asked in (2, 3, 4))
    assert shape["status"] == "ok", shape
    assert shape["text"].startswith("list ['")
    assert "Timed out after 2 s." in time["traceback"]
    assert "memory limit of 200 MB" in memory["traceback"]


def test_it_ends_also_where_its_log_cannot_be_written_at_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second line within a first one: the handler of Jupyter Server failed at that, and the server went on."""

    def fails(*_: object) -> NoReturn:
        raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stderr>'>")

    told: list[bool] = []
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)}
    server = CopilotServer()
    monkeypatch.setattr(server, "stop", lambda *, from_signal: told.append(from_signal))
    monkeypatch.setattr(server.log, "critical", fails)
    try:
        server.init_signal()
        signal.raise_signal(signal.SIGTERM)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    assert told == [True]
