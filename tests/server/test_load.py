"""Hundreds of questions from eight clients at once: what the service takes does not grow."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.patience import until
from tests.scripted_server import Script, ScriptedServer, call_turn, text_turn
from tests.server.served import scripted, served

pytestmark = pytest.mark.long

QUESTIONS = 600
"""So many rather than so long: what is left behind is left by a question, and eight clients who ask for ten minutes
take all that the other tests leave of the processor. With the bound below, 75 kB that each question leaves are seen.
"""
CLIENTS = 8
CODE = "data['t1']['timeseries'].groupby('qid')['v'].mean().describe()"


@pytest.mark.timeout(900)
def test_hundreds_of_questions_grow_nothing(tmp_path: Path, snapshot: Path) -> None:
    """Each question calls a tool, has code run on what it gave, and is answered; every fifth client leaves early."""
    done: list[int] = []
    wrong: list[str] = []

    def script(body: dict[str, Any]) -> Script:
        """What comes next depends on the conversation alone, as questions come in any order."""
        outputs = sum(item.get("type") == "function_call_output" for item in body["input"])
        if outputs == 0:
            return call_turn(("get_chip_parameter_timeseries", {"parameter_name": "t1"}))
        if outputs == 1:
            return call_turn(("execute_python_analysis", {"code": CODE}))
        return text_turn("Fine.")

    with (
        ScriptedServer() as model,
        served(tmp_path, "--snapshot", str(snapshot), settings=scripted(model.base_url)) as service,
    ):

        def ask(number: int) -> None:
            while len(done) < QUESTIONS and not wrong:
                model.add(*[script] * 3)
                model.requests.clear()
                with (
                    service.client() as client,
                    service.stream(client, "chat/stream", {"message": f"Question of {number}"}) as events,
                ):
                    if (len(done) + number) % 5 == 0:
                        next(events)
                    elif (last := list(events)[-1]).name != "result":
                        wrong.append(str(last.data))
                done.append(number)

        process = psutil.Process(service.process.pid)
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        until(lambda: wrong or len(done) >= QUESTIONS // 5, 900)
        early = taken(process)
        for thread in threads:
            thread.join(900)
        late = taken(process)
        assert not wrong, wrong
        time.sleep(2)
        rest = taken(process)
    assert late["memory"] < 1.10 * early["memory"], (early, late, len(done))
    assert rest["threads"] <= early["threads"] + 4, (early, rest)
    assert rest["processes"] <= early["processes"], (early, rest)
    assert rest["files"] <= early["files"] + 4, (early, rest)


def taken(process: psutil.Process) -> dict[str, float]:
    """Of the service and its worker; jobs that come and go are left out of everything but the number."""
    lasting = [process, *process.children()]
    return {
        "memory": sum(map(_own_mb, lasting)),
        "threads": sum(each.num_threads() for each in lasting),
        "processes": 1 + len(process.children(recursive=True)),
        "files": sum(each.num_fds() for each in lasting),
    }


def _own_mb(process: psutil.Process) -> float:
    """What it holds itself, whether or not it shares that with sessions that it has forked, and which come and go."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
    [held] = [line.split()[1] for line in lines if line.startswith("RssAnon")]
    return int(held) * 1024 / 1e6
